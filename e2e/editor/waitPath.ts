import assert from 'node:assert/strict';

import { ACTION_TYPE, CREDENTIAL_TYPE } from '../../realN8n/rehearsal/examples';
import type { Connections, NodeDefinition, WorkflowDefinition } from '../../realN8n/server/types';
import type { Editor } from './editor';
import { ensureCredential, node, Path, type EditorStage } from './stage';

const WAIT = 'Wait for My Orders';
/** The nodes after the three outputs, in their order, and the final status of the order that comes to each. */
const NEXT_NODES = ['Notify the Customer', 'Open a Ticket', 'Check Again Tomorrow'];

/** n8n's buttons at the right cover nothing of the workflow. */
const WIDE = { width: 1700, height: 1100 };

/** Three orders, one for each output of Wait for Completion. */
export async function waitPath(stage: EditorStage): Promise<void> {
	const { rehearsal, editor, gallery } = stage;
	await ensureCredential(stage);
	const credential = (await rehearsal.client.credentials()).find(
		({ type }) => type === CREDENTIAL_TYPE,
	);
	assert.ok(credential);
	const [completed = '', refunded = '', open = ''] = await rehearsal.control.openOrders(
		NEXT_NODES.length,
	);
	await rehearsal.control.end(completed, 'completed');
	await rehearsal.control.end(refunded, 'refunded');
	const path = new Path(stage);
	await path.step(
		'of three orders one leaves Wait for Completion by each of its outputs',
		inWide(editor, async () => {
			const { id } = await rehearsal.client.createWorkflow(
				waiting([completed, refunded, open], credential),
			);
			await editor.openWorkflow(id);
			await editor.runWorkflow();
			for (const name of NEXT_NODES) {
				const next = editor.part('canvas-node').filter({ hasText: name });
				await next.getByTestId('canvas-node-status-success').waitFor();
			}
			for (const output of ['Completed', 'Not Arrived', 'Still Open']) {
				const label = editor
					.part('canvas-node')
					.filter({ hasText: WAIT })
					.getByText(output, { exact: true });
				assert.equal(
					await label.evaluate((element) => element.scrollWidth > element.clientWidth),
					false,
					`"${output}" is cut`,
				);
			}
			await editor.closeMessages();
			await gallery.takeAreaForDocuments('editor-wait', await editor.areaOfCanvas());
		}),
	);
}

function inWide(editor: Editor, body: () => Promise<void>): () => Promise<void> {
	return async () => await editor.withViewport(WIDE, body);
}

function waiting(
	hashes: readonly string[],
	{ id, name }: { id: string; name: string },
): WorkflowDefinition {
	const orders = hashes.map((sourceHash) => ({ sourceHash }));
	const nodes: NodeDefinition[] = [
		node('When Clicking Execute', 'n8n-nodes-base.manualTrigger', 1, [0, 200], {}),
		node('My Orders', 'n8n-nodes-base.set', 3.4, [220, 200], {
			mode: 'raw',
			jsonOutput: JSON.stringify({ orders }),
		}),
		node('One Item Each', 'n8n-nodes-base.splitOut', 1, [440, 200], { fieldToSplitOut: 'orders' }),
		{
			...node(WAIT, ACTION_TYPE, 1, [660, 200], {
				operation: 'waitForCompletion',
				sourceHash: '={{ $json.sourceHash }}',
				checkEvery: 1,
				// Those that have finished are checked within that, also on a slow machine.
				maxMinutes: 0.2,
			}),
			credentials: { [CREDENTIAL_TYPE]: { id, name } },
		},
		...NEXT_NODES.map((each, index) =>
			node(each, 'n8n-nodes-base.noOp', 1, [1080, 192 * index], {}),
		),
	];
	const to = (...names: string[]): Connections[string] => ({
		main: names.map((each) => [{ node: each, type: 'main', index: 0 }]),
	});
	const connections = {
		'When Clicking Execute': to('My Orders'),
		'My Orders': to('One Item Each'),
		'One Item Each': to(WAIT),
		[WAIT]: to(...NEXT_NODES),
	};
	return { name: 'Wait for my orders', nodes, connections };
}
