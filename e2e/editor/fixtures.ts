import { test as base, type BrowserContextOptions } from '@playwright/test';

import { type N8nLine, releaseOf } from '../../realN8n/install/releases';
import { isPortTaken } from '../../realN8n/machine/ports';
import type { Rehearsal } from '../../realN8n/rehearsal/rehearsal';
import { withTemporaryRehearsal } from '../../realN8n/rehearsal/temporary';
import { Editor } from './editor';
import { Gallery } from './gallery';
import { KEEP_IMAGES, LINES, PATIENCE_MS, TEST_ID_ATTRIBUTE } from './settings';
import type { EditorStage } from './stage';

export interface EditorOptions {
	/** The n8n whose editor is walked through. */
	line: N8nLine;
}

interface WorkerFixtures extends EditorOptions {
	/** One n8n with one sandbox, for all walks. */
	rehearsal: Rehearsal;
	/** What a browser knows whose user has signed in. */
	signedIn: BrowserContextOptions['storageState'];
}

/** The ports of `npm start` without flags. */
const USUAL_PORTS = { n8n: 5678, sandbox: 4010 };

/** Installing what is missing takes minutes. */
const START_MS = 900_000;

/** @throws with a sentence when one of them is taken */
async function usualPorts(): Promise<typeof USUAL_PORTS> {
	for (const port of Object.values(USUAL_PORTS)) {
		if (await isPortTaken(port))
			throw new Error(
				`Port ${port} is taken. The pictures show it, so end the program that has it.`,
			);
	}
	return USUAL_PORTS;
}

/** A test of the editor, for which n8n runs and a person has signed in. */
export const test = base.extend<{ stage: EditorStage }, WorkerFixtures>({
	line: [LINES[0], { scope: 'worker', option: true }],
	rehearsal: [
		async ({ line }, use) => {
			// in the documents' pictures n8n and the sandbox have the addresses that they have for a reader
			const ports = KEEP_IMAGES ? await usualPorts() : null;
			const sandbox = { port: ports?.sandbox, requestsPerMinute: 0 };
			await withTemporaryRehearsal(
				{ release: releaseOf(line), n8nPort: ports?.n8n, sandbox, say: console.log },
				use,
			);
		},
		{ scope: 'worker', timeout: START_MS },
	],
	signedIn: [
		async ({ playwright, browser, rehearsal, line }, use) => {
			// the settings of playwright.config.ts are for tests
			playwright.selectors.setTestIdAttribute(TEST_ID_ATTRIBUTE);
			const page = await browser.newPage();
			page.setDefaultTimeout(PATIENCE_MS);
			await new Editor(page, rehearsal.n8n.url, line).signIn();
			const state = await page.context().storageState();
			await page.close();
			await use(state);
		},
		{ scope: 'worker' },
	],
	storageState: async ({ signedIn }, use) => await use(signedIn),
	stage: async ({ page, rehearsal, line }, use, { title }) => {
		const editor = new Editor(page, rehearsal.n8n.url, line);
		await editor.prepare();
		await use({ rehearsal, editor, gallery: new Gallery(page, title, KEEP_IMAGES) });
	},
});
