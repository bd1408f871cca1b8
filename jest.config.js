const os = require('node:os');
const path = require('node:path');

// Far from UTC and no whole hours: a time that is read or written as local shows, wherever the tests run.
process.env.TZ = 'Asia/Kathmandu';

/** Packages that take long to load: a worker loads them once for all its test files (test/environment.js). */
const LOADED_ONCE = '(n8n-core|n8n-workflow|@n8n/di|reflect-metadata|fastify|axios|fast-check)/';

/**
 * What the tests run in: the n8n-core of this package, or that of the folder which N8N_CORE_FROM names.
 * @returns {Record<string, string>} where else than in this package Jest finds a module
 */
function modulesOfN8n(folder = process.env.N8N_CORE_FROM) {
	if (folder === undefined) return {};
	const names = ['n8n-core', 'n8n-workflow', '@n8n/di', 'reflect-metadata'];
	const found = (name) => path.resolve(folder, 'node_modules', name);
	return Object.fromEntries(names.map((name) => [`^${name}$`, found(name)]));
}

/** @type {import('jest').Config} */
module.exports = {
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	testEnvironment: require.resolve('./test/environment.js'),
	setupFiles: ['<rootDir>/test/randomCases.ts', '<rootDir>/test/engine/setup.ts'],
	moduleNameMapper: modulesOfN8n(),
	transformIgnorePatterns: [`/node_modules/(?!${LOADED_ONCE})`],
	transform: {
		[`/node_modules/${LOADED_ONCE}.*\\.[cm]?js$`]: '<rootDir>/test/loadedOnce.js',
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, sourceMaps: 'inline' },
		],
	},
	// For a test that hangs. Some simulate an hour of thousands of orders in one piece: on a busy machine that takes a minute.
	testTimeout: 300_000,
	// Half of what the engine suite takes is waiting for n8n's scheduler.
	maxWorkers: os.availableParallelism() + 2,
};
