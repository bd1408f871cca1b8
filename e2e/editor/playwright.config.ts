import { defineConfig } from '@playwright/test';

import { CHROMIUM_FLAGS, chromiumPath } from './chromium';
import type { EditorOptions } from './fixtures';
import { LINES, PATIENCE_MS, RESULTS_FOLDER, TEST_ID_ATTRIBUTE, VIEWPORT } from './settings';

export default defineConfig<object, EditorOptions>({
	testDir: __dirname,
	testMatch: 'editor.spec.ts',
	// one n8n, which the walks go through one after another
	workers: 1,
	projects: LINES.map((line) => ({ name: line, use: { line } })),
	timeout: 600_000,
	expect: { timeout: PATIENCE_MS },
	use: {
		actionTimeout: PATIENCE_MS,
		navigationTimeout: PATIENCE_MS,
		testIdAttribute: TEST_ID_ATTRIBUTE,
		viewport: VIEWPORT,
		deviceScaleFactor: 2,
		colorScheme: 'light',
		// a node is copied and pasted
		permissions: ['clipboard-read', 'clipboard-write'],
		contextOptions: { reducedMotion: 'reduce' },
		launchOptions: { executablePath: chromiumPath(), args: CHROMIUM_FLAGS },
		trace: 'retain-on-failure',
	},
	outputDir: RESULTS_FOLDER,
	reporter: [['list', { printSteps: true }]],
});
