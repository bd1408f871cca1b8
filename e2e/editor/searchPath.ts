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
];

/** High enough for all triggers and actions. */
const HIGH = { width: 1280, height: 960 };

const TRIGGERS = [
	'On any final status',
	'On order completed',
	'On order delayed',
	'On order failed',
	'On order refunded',
	'On watch expired',
];

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
		assert.deepEqual(
			(await editor.part('node-creator-item-name').allInnerTexts()).filter((name) =>
				name.startsWith('On '),
			),
			TRIGGERS,
		);
		await editor.unfold('Actions', 'Get quote');
		await editor.withViewport(HIGH, async () => {
			await gallery.takeBothForDocuments('editor-node-panel', editor.part('node-creator'));
		});
	});
}
