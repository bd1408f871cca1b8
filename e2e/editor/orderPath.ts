import assert from 'node:assert/strict';

import { until } from '../../realN8n/machine/until';
import {
	adapted,
	CREDENTIAL_TYPE,
	readExample,
	withTriggerParameters,
} from '../../realN8n/rehearsal/examples';
import { CREDENTIAL_NAME, ensureCredential, Path, README_ORDER, type EditorStage } from './stage';

const NAME = 'Invoice 4711';

/** From an empty canvas to the execution that a finished order has started. */
export async function orderPath(stage: EditorStage): Promise<void> {
	const { editor, gallery, rehearsal } = stage;
	const path = new Path(stage);
	const [sourceHash = ''] = await rehearsal.control.openOrders(1);
	const [finished] = await rehearsal.control.announce([README_ORDER]);
	assert.ok(finished);
	await ensureCredential(stage);

	await path.step(
		'the trigger is added from the node panel, with the only credential chosen',
		async () => {
			await editor.startNewWorkflow();
			await editor.addNode('bridge', 'Triggers', 'On any final status');
			await editor.untilCredential(CREDENTIAL_NAME);
		},
	);

	await path.step('an empty watch list is marked as missing', async () => {
		await editor.page.locator('[data-test-id="node-execute-button"]:disabled').waitFor();
	});

	await path.step(
		'Fetch Test Event shows a finished order as it is now, its name as the reference',
		async () => {
			await until(
				'the order to finish',
				async () => {
					const orders = await rehearsal.control.orders();
					return (
						orders.find((order) => order.sourceHash === finished.sourceHash)?.status === 'completed'
					);
				},
				{ seconds: 60 },
			);
			await editor.enter('sourceHashes', `${NAME}: ${finished.sourceHash}`);
			await editor.alsoChoose('events', 'Delayed');
			await editor.runNode();
			assert.match(await editor.items.innerText(), /^1 item/);
			await editor.showOutputAs('schema');
			await editor.output.getByText(finished.sourceHash, { exact: true }).waitFor();
			await editor.output.getByText('completed', { exact: true }).first().waitFor();
			await editor.output.getByText(NAME, { exact: true }).waitFor();
			await editor.closeMessages();
			await gallery.takeBothForDocuments('editor-trigger', editor.nodeWindow);
		},
	);

	await path.step('the list is changed to an order that is still open', async () => {
		await editor.enter('sourceHashes', `${NAME}: ${sourceHash}`);
		await editor.runNode();
		await editor.output.getByText(sourceHash, { exact: true }).waitFor();
	});

	await path.step('the canvas shows the trigger with its events', async () => {
		await editor.closeNode();
		await editor.closeMessages();
		assert.match(await editor.part('canvas-node').innerText(), /any final status/i);
	});

	await path.step('the workflow is published, and n8n says what happens now', async () => {
		assert.match(await editor.publish(), /is watching the orders/);
		await editor.closePublished();
	});

	await path.step(
		'the finished order starts the workflow, as the Executions list shows',
		async () => {
			await editor.openExecutions();
			await editor.newExecution(async () => await rehearsal.control.end(sourceHash, 'completed'));
		},
	);

	await path.step('the execution shows the event and the order', async () => {
		await editor.openFirstNode();
		await editor.showOutputAs('schema');
		await editor.output.getByText(sourceHash, { exact: true }).waitFor();
		await editor.output.getByText('completed', { exact: true }).first().waitFor();
		await editor.output.getByText(NAME, { exact: true }).waitFor();
	});

	await path.step(
		'the workflow of npm start lists an execution for each order that finished',
		async () => {
			const { client, control } = rehearsal;
			const hashes = await control.openOrders(3);
			const credential = (await client.credentials()).find(({ type }) => type === CREDENTIAL_TYPE);
			assert.ok(credential);
			const example = adapted(readExample('watch-orders'), control.sandbox.url, credential);
			const { id } = await client.createWorkflow(
				withTriggerParameters(example, { sourceHashes: hashes.join('\n') }),
			);
			await client.publish(id);
			for (const [index, hash] of hashes.entries()) {
				await control.end(hash, 'completed');
				await until(
					'its execution',
					async () => (await client.executions(id)).length > index || null,
					{ seconds: 60 },
				);
			}
			// n8n covers the list of a published workflow with a checklist.
			await client.unpublish(id);
			await editor.openExecutionsOf(id);
			await gallery.takeBothForDocuments('editor-executions');
		},
	);
}
