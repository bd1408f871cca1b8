import assert from 'node:assert/strict';

import { PACKAGE_ENTRY } from './editor';
import { Path, type EditorStage } from './stage';

/** What a person types who looks for something like our nodes. */
const WORDS = [
	'bridge',
	'cross-chain',
	'cross chain',
	'crosschain',
	'crypto',
	'swap',
	'order status',
	'blockchain',
	'quote',
	'token',
	'refund',
	'watch',
	'wait for completion',
	'get config',
];

/** High enough for all triggers and actions. */
const HIGH = { width: 1280, height: 1080 };

const TRIGGERS = [
	'On any event',
	'On any final status',
	'On order completed',
	'On order delayed',
	'On order expired',
	'On order failed',
	'On order refunded',
	'On watch ended',
	'On watching interrupted',
];

/** Actions by the words that find them; those with which documents name them among these. */
const FOUND_BY = {
	'wait for completion': 'Wait for order completion',
	'get status': 'Get order status',
	'get config': 'Get config with networks and tokens',
	'get quote': 'Get quote',
	tokens: 'Get config with networks and tokens',
};

/** The node panel finds our nodes under the words that people use. */
export async function searchPath(stage: EditorStage): Promise<void> {
	const { editor, gallery } = stage;
	const path = new Path(stage);

	await path.step('the node panel opens on an empty canvas', async () => {
		await editor.startNewWorkflow();
		await editor.openNodePanel();
	});

	for (const word of WORDS) {
		await path.step(`searching "${word}" finds the nodes`, async () => {
			await editor.searchNodes(word);
		});
	}

	await path.step('the entry shows triggers and actions, each with a name of its own', async () => {
		await editor.searchNodes('bridge');
		await gallery.takeBothThemes('editor-search');
		await editor.nodeEntry(PACKAGE_ENTRY).click();
		await editor.unfold('Triggers', 'On any final status');
		await editor.unfold('Actions', 'Get quote');
		const names = await editor.part('node-creator-item-name').allInnerTexts();
		const actions = [...new Set(Object.values(FOUND_BY))];
		assert.deepEqual(new Set(names), new Set([...TRIGGERS, ...actions]));
		await editor.withViewport(HIGH, async () => {
			await gallery.takeBothForDocuments('editor-node-panel', editor.part('node-creator'));
		});
	});

	await path.step('where actions are searched, the names of operations find theirs', async () => {
		const search = editor.part('node-creator-search-bar');
		// n8n 2.41 has no search here.
		if (!(await search.isVisible())) return;
		for (const [words, action] of Object.entries(FOUND_BY)) {
			await search.fill(words);
			await editor.nodeEntry(action).waitFor();
			await gallery.take(`action ${words}`);
		}
	});
}
