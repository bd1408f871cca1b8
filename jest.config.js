const common = {
	testEnvironment: 'node',
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, sourceMaps: 'inline' },
		],
	},
};

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		...['unit', 'sandbox', 'package'].map((name) => ({
			...common,
			displayName: name,
			roots: [`<rootDir>/test/${name}`],
			testMatch: ['**/*.test.ts'],
		})),
		{
			...common,
			displayName: 'engine',
			roots: ['<rootDir>/test/engine'],
			testMatch: ['**/*.test.ts'],
			setupFiles: ['<rootDir>/test/engine/setup.ts'],
		},
	],
	testTimeout: 30_000,
	// n8n-core keeps a timer of its own running that nothing ends.
	forceExit: true,
};
