import assert from 'node:assert/strict';

import { postOrder } from '../../realN8n/rehearsal/examples';
import { ensureCredential, Path, type EditorStage } from './stage';

const REFERENCE = 'invoice 4711';

/** The trigger with Accept Orders by Webhook: its addresses, a test call, and an order that came by a call. */
export async function webhookPath(stage: EditorStage): Promise<void> {
	const { editor, gallery, rehearsal } = stage;
	const { page } = editor;
	const path = new Path(stage);
	const [tested = '', watched = ''] = await rehearsal.control.openOrders(2);
	await ensureCredential(stage);
	let testUrl = '';
	let productionUrl = '';

	await path.step('the trigger has no address while the switch is off', async () => {
		await editor.startNewWorkflow();
		await editor.addNode('bridge', 'Triggers', 'On any final status');
		assert.equal(await page.getByText('Webhook URLs').isVisible(), false);
	});

	await path.step('with the switch on there are both addresses and what to send', async () => {
		await editor.turn('acceptOrders');
		await page.getByText('To add an order, send a POST request').waitFor();
		await page.getByText('Webhook URLs').click();
		testUrl = await shownUrl('webhook-test');
		await editor.part('radio-button-production').click();
		productionUrl = await shownUrl('webhook');
		// high enough for what to send
		await editor.withViewport({ width: 1280, height: 1240 }, async () => {
			await page.getByText('Webhook URLs').scrollIntoViewIfNeeded();
			await gallery.takeBothForDocuments('editor-webhook', editor.nodeWindow);
		});
	});

	await path.step('a post to the Test URL shows its item', async () => {
		await editor.part('node-execute-button').click();
		await editor.part('trigger-listening').waitFor();
		// the panel's own words are n8n's; ours stand next to them
		await editor.output
			.getByText('To test without a new transfer, copy the Test URL and click Fetch Test Event')
			.waitFor();
		await gallery.take('editor-webhook-listening');
		const status = await postOrder(testUrl, tested, REFERENCE);
		assert.equal(status, 202);
		await editor.items.waitFor();
		await editor.showOutputAs('schema');
		await editor.output.getByText(tested, { exact: true }).first().waitFor();
		await editor.output.getByText(REFERENCE, { exact: true }).waitFor();
		await editor.closeMessages();
		await gallery.takeBothThemes('editor-webhook-test');
	});

	await path.step('the workflow is published without a hash in its list', async () => {
		await editor.closeNode();
		await editor.closeMessages();
		assert.match(await editor.publish(), /is watching the orders/);
		await editor.closePublished();
	});

	await path.step(
		'a posted order starts the workflow with its reference when it finishes',
		async () => {
			await editor.openExecutions();
			await editor.newExecution(async () => {
				const status = await postOrder(productionUrl, watched, REFERENCE);
				assert.equal(status, 202);
				await rehearsal.control.end(watched, 'completed');
			});
			await editor.openFirstNode();
			await editor.showOutputAs('schema');
			await editor.output.getByText(watched, { exact: true }).waitFor();
			await editor.output.getByText(REFERENCE, { exact: true }).waitFor();
		},
	);

	/** The address that the node's window shows, of the one kind or the other. */
	async function shownUrl(kind: 'webhook' | 'webhook-test'): Promise<string> {
		const shown = page.getByText(`${rehearsal.n8n.url}/${kind}/`);
		return (await shown.innerText()).trim();
	}
}
