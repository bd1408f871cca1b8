import assert from 'node:assert/strict';

import { CREDENTIAL_NAME, ensureCredential, Path, type EditorStage } from './stage';

const SENTENCE = "Line 2 of 'Source Transaction Hashes', 'my orders', is not a transaction hash";

/** A list with a line that is no hash: n8n shows the sentence that names it, whatever is tried with it. */
export async function junkPath(stage: EditorStage): Promise<void> {
	const { editor, gallery, rehearsal } = stage;
	const path = new Path(stage);
	const [sourceHash = ''] = await rehearsal.control.openOrders(1);
	await ensureCredential(stage);

	await path.step('Fetch Test Event refuses a line that is no hash, and names it', async () => {
		await editor.startNewWorkflow();
		await editor.addNode('bridge', 'Triggers', 'On any final status');
		await editor.untilCredential(CREDENTIAL_NAME);
		await editor.enter('sourceHashes', `Invoice 4711: ${sourceHash}\nmy orders`);
		assert.ok((await editor.runNodeInVain()).includes(SENTENCE));
		await editor.output.getByText('Enter the complete hash of the transaction').first().waitFor();
		await editor.closeMessages();
		await gallery.takeBothThemes('editor-junk-line');
	});

	await path.step('publishing refuses it, too', async () => {
		await editor.closeNode();
		await editor.closeMessages();
		await editor.publishInVain(SENTENCE);
	});
}
