const os = require('node:os');
const path = require('node:path');

// Far from UTC and no whole hours: a time that is read or written as local shows, wherever the tests run.
process.env.TZ = 'Asia/Kathmandu';

/** They take long to load. */
const LOADED_ONCE = '(n8n-core|n8n-workflow|@n8n/di|reflect-metadata|fastify|axios|fast-check)/';

const common = {
	testEnvironment: '<rootDir>/test/environment.ts',
	testMatch: ['**/*.test.ts'],
	setupFiles: ['<rootDir>/test/randomCases.ts'],
	transformIgnorePatterns: [`/node_modules/(?!${LOADED_ONCE})`],
	transform: {
		[`/node_modules/${LOADED_ONCE}`]: '<rootDir>/test/loadedOnce.js',
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, sourceMaps: 'inline' },
		],
	},
};

/**
 * The suites that run in n8n-core take the one of this package; with N8N_CORE_FROM set to a folder that has another one
 * installed, that one.
 */
const coreFolder = process.env.N8N_CORE_FROM;
const otherCore =
	coreFolder === undefined
		? {}
		: Object.fromEntries(
				['n8n-core', 'n8n-workflow', '@n8n/di', 'reflect-metadata'].map((name) => [
					`^${name}$`,
					path.resolve(coreFolder, 'node_modules', name),
				]),
			);

const inN8nCore = {
	...common,
	setupFiles: [...common.setupFiles, '<rootDir>/test/engine/setup.ts'],
	moduleNameMapper: otherCore,
};

const suite = (name, settings) => ({
	...settings,
	displayName: name,
	roots: [`<rootDir>/test/${name}`],
});

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		...['unit', 'sandbox', 'package', 'histories'].map((name) => suite(name, common)),
		...['engine', 'security'].map((name) => suite(name, inN8nCore)),
	],
	testTimeout: 60_000,
	testSequencer: '<rootDir>/tools/longestFirst.js',
	reporters: ['default', '<rootDir>/tools/securityReporter.js'],
	// Half of what the engine suites take is waiting for n8n's scheduler.
	maxWorkers: os.availableParallelism() + 2,
};
