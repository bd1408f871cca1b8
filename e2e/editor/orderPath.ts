import assert from 'node:assert/strict';

import { CREDENTIAL_NAME, ensureCredential, Path, type EditorStage } from './stage';

/** From an empty canvas to the execution that the end of an order has started. */
export async function orderPath(stage: EditorStage): Promise<void> {
	const { editor, gallery, rehearsal } = stage;
	const path = new Path(stage);
	const [sourceHash = ''] = await rehearsal.control.openOrders(1);
	await ensureCredential(stage);

	await path.step('the trigger is added from the node panel, with the only credential chosen', async () => {
		await editor.startNewWorkflow();
		await editor.addNode('bridge', 'Triggers', 'On order completed');
		await editor.untilCredential(CREDENTIAL_NAME);
	});

	await path.step('an empty watch list is marked as missing', async () => {
		await editor.page.locator('[data-test-id="node-execute-button"]:disabled').waitFor();
	});

	await path.step('Fetch Test Event shows the watched order as it is now', async () => {
		await editor.enter('sourceHashes', sourceHash);
		await editor.runNode();
		assert.match(await editor.items.innerText(), /^1 item/);
		await editor.showOutputAs('schema');
		await editor.output.getByText(sourceHash, { exact: true }).first().waitFor();
		await editor.closeMessages();
		await gallery.takeBothForDocuments('editor-trigger');
	});

	await path.step('the canvas shows the trigger with its events', async () => {
		await editor.closeNode();
		await editor.closeMessages();
		assert.match(await editor.part('canvas-node').innerText(), /completed/i);
	});

	await path.step('the workflow is published, and n8n says what happens now', async () => {
		assert.match(await editor.publish(), /watches the orders/);
		await editor.closePublished();
	});

	await path.step('the end of the order starts the workflow, as the Executions list shows', async () => {
		await editor.openExecutions();
		await editor.newExecution(async () => await rehearsal.control.end(sourceHash, 'completed'));
		await gallery.takeBothForDocuments('editor-executions');
	});

	await path.step('the execution shows the event and the order', async () => {
		await editor.openFirstNode();
		await editor.showOutputAs('schema');
		await editor.output.getByText(`${sourceHash}:completed`, { exact: true }).waitFor();
	});
}
