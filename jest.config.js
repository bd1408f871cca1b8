const path = require('node:path');

const common = {
	testEnvironment: 'node',
	setupFiles: ['<rootDir>/test/propertySeed.ts'],
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, sourceMaps: 'inline' },
		],
	},
};

/**
 * The suites engine and hostile run on the n8n-core of this package; with N8N_CORE_FROM set to a folder that has another one
 * installed, on that one.
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

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		...['unit', 'sandbox', 'package', 'histories'].map((name) => ({
			...common,
			displayName: name,
			roots: [`<rootDir>/test/${name}`],
			testMatch: ['**/*.test.ts'],
		})),
		...['engine', 'hostile'].map((name) => ({
			...common,
			displayName: name,
			roots: [`<rootDir>/test/${name}`],
			testMatch: ['**/*.test.ts'],
			setupFiles: [...common.setupFiles, '<rootDir>/test/engine/setup.ts'],
			moduleNameMapper: otherCore,
		})),
	],
	testTimeout: 30_000,
	// n8n-core keeps a timer of its own running that nothing ends.
	forceExit: true,
};
