import assert from 'node:assert/strict';

import { CREDENTIAL_TYPE } from '../../realN8n/rehearsal/examples';
import {
	itemsOf,
	type JsonObject,
	type StoredWorkflow,
	type WorkflowDefinition,
} from '../../realN8n/server/types';
import { assertSuccess, FILL_IN, imported, mailAbout, only, type Scene } from './examplesScene';

/** The example in n8n, and the orders in its table. */
interface WatchList {
	workflow: StoredWorkflow;
	completed: string;
	failed: string;
	open: string;
	unknown: string;
}

/** A workflow of somebody else, which hands orders to the watch list. */
function addingWorkflow(watchList: StoredWorkflow, orders: JsonObject[]): WorkflowDefinition {
	const nodes: WorkflowDefinition['nodes'] = [
		{
			id: '1',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: '2',
			name: 'Orders',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			position: [220, 0],
			parameters: { jsCode: `return ${JSON.stringify(orders)}.map((json) => ({ json }))` },
		},
		{
			id: '3',
			name: 'Watch Them',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			position: [440, 0],
			parameters: {
				workflowId: { __rl: true, mode: 'id', value: watchList.id },
				workflowInputs: {
					mappingMode: 'defineBelow',
					value: { sourceHash: '={{ $json.sourceHash }}', name: '={{ $json.name }}' },
					matchingColumns: [],
					schema: ['sourceHash', 'name'].map((id) => ({
						id,
						displayName: id,
						type: 'string',
						display: true,
						required: false,
					})),
				},
				options: {},
			},
		},
	];
	const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
	return {
		name: 'Adds orders',
		nodes,
		connections: { Start: to('Orders'), Orders: to('Watch Them') },
	};
}

/** All rows of the watch list's table, by source hash, through the node that people read them with. */
async function rowsOf({ rehearsal }: Scene): Promise<Map<string, JsonObject>> {
	const { client } = rehearsal;
	const table = { __rl: true, mode: 'name', value: 'Bridge orders' };
	const workflow = await client.createWorkflow({
		name: 'Reads the table',
		nodes: [
			{
				id: '1',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: '2',
				name: 'Rows',
				type: 'n8n-nodes-base.dataTable',
				typeVersion: 1.1,
				position: [220, 0],
				parameters: { resource: 'row', operation: 'get', dataTableId: table, returnAll: true },
			},
		],
		connections: { Start: { main: [[{ node: 'Rows', type: 'main', index: 0 }]] } },
	});
	const execution = await client.runManually(workflow, 'Start');
	assertSuccess(execution);
	const rows = itemsOf(execution, 'Rows');
	const byHash = new Map(rows.map((row) => [String(row.sourceHash), row]));
	assert.equal(byHash.size, rows.length, 'each order has one row');
	return byHash;
}

/** Makes the table, publishes the example and adds orders, two of which have finished; undefined if that fails. */
export async function checkWatchListIsFilled(scene: Scene): Promise<WatchList | undefined> {
	const { rehearsal, checks } = scene;
	const { client, control } = rehearsal;
	let watchList: WatchList | undefined;
	await checks.check(
		'watch-list-in-a-data-table: the table is made, and another workflow adds orders',
		async () => {
			const workflow = await imported(
				scene,
				'watch-list-in-a-data-table',
				FILL_IN['watch-list-in-a-data-table'](),
			);
			assertSuccess(await client.runManually(workflow, 'Set Up (Run Once)'));
			await client.publish(workflow.id);

			const [completed = '', failed = '', open = ''] = await control.openOrders(3);
			const unknown = `0x${'ab'.repeat(32)}`;
			const capitals = `0x${completed.slice(2).toUpperCase()}`;
			const orders = [completed, failed, open, unknown, capitals].map((sourceHash) => ({
				sourceHash,
				name: 'Rent',
			}));
			const adding = await client.createWorkflow(addingWorkflow(workflow, orders));
			assertSuccess(await client.runManually(adding, 'Start'));
			const rows = await rowsOf(scene);
			assert.deepEqual([...rows.keys()].sort(), [completed, failed, open, unknown].sort());
			for (const row of rows.values()) assert.equal(row.name, 'Rent');

			await control.end(completed, 'completed');
			await control.end(failed, 'failed');
			watchList = { workflow, completed, failed, open, unknown };
		},
	);
	return watchList;
}

/** What the published example does with that list by itself, and then by hand. */
export async function checkWatchListNotifies(scene: Scene, watchList: WatchList): Promise<void> {
	const { rehearsal, checks, mails } = scene;
	const { client, control } = rehearsal;
	const { workflow, completed, failed, open, unknown } = watchList;

	await checks.check(
		'watch-list-in-a-data-table: its schedule finds the finished orders, writes them down and mails each once',
		async () => {
			for (const hash of [completed, failed]) await mailAbout(scene, hash);
			const rows = await rowsOf(scene);
			for (const [hash, status] of [
				[completed, 'completed'],
				[failed, 'failed'],
			] as const) {
				const row = rows.get(hash);
				assert.equal(row?.status, status);
				assert.match(String(row?.notifiedAt), /^\d{4}-\d\d-\d\dT/);
				const mail = only(mails.mailsAbout(hash), 'mail');
				assert.equal(mail.subject, `Bridge order ${status}: Rent`);
				assert.equal(mail.text, `Rent: ${String(row?.summary)}\n\nSource transaction: ${hash}`);
			}
			await client.unpublish(workflow.id);
			// once more by hand, as the next minute would: the open ones are checked, the finished ones are not
			const checks = await control.checksOf(completed);
			assertSuccess(await client.runManually(workflow, 'Every Minute'));
			assert.equal(await control.checksOf(completed), checks);
			for (const hash of [completed, failed]) only(mails.mailsAbout(hash), 'mail');
			const later = await rowsOf(scene);
			assert.equal(later.get(unknown)?.status, 'notFound');
			assert.ok(['pending', 'executing'].includes(String(later.get(open)?.status)));
			for (const hash of [open, unknown]) assert.equal(later.get(hash)?.notifiedAt, null);
		},
	);

	await checks.check(
		'watch-list-in-a-data-table: a mail that could not be sent is shown, and sent the next time',
		async () => {
			await control.end(open, 'refunded');
			mails.refuseNext(open);
			const refused = await client.runManually(workflow, 'Every Minute');
			assert.equal(refused.status, 'error');
			assert.match(refused.error?.message ?? '', /The email could not be sent.*full/);
			assert.equal((await rowsOf(scene)).get(open)?.notifiedAt, null);
			assertSuccess(await client.runManually(workflow, 'Every Minute'));
			assert.equal((await mailAbout(scene, open)).subject, 'Bridge order refunded: Rent');
			assert.notEqual((await rowsOf(scene)).get(open)?.notifiedAt, null);
		},
	);

	await checks.check(
		'watch-list-in-a-data-table: with a wrong key the execution fails and says so',
		async () => {
			const wrong = await rehearsal.credential('Of a wrong key', {
				...rehearsal.rightCredential,
				apiKey: 'wrong',
			});
			const nodes = workflow.nodes.map((node) =>
				node.name === 'Get Status'
					? { ...node, credentials: { [CREDENTIAL_TYPE]: { id: wrong.id, name: wrong.name } } }
					: node,
			);
			// n8n 2.41 runs what is stored.
			const edited = await client.updateWorkflow(workflow.id, { ...workflow, nodes });
			const failed = await client.runManually(edited, 'Every Minute');
			await client.updateWorkflow(workflow.id, workflow);
			assert.equal(failed.status, 'error');
			assert.match(failed.error?.message ?? '', /No open order could be checked.*API key/);
		},
	);

	await checks.check(
		'watch-list-in-a-data-table: an order that cannot be looked up, or has no hash, holds up no other',
		async () => {
			const [ended = '', rejected = ''] = await control.openOrders(2);
			const orders = ['', rejected, ended].map((sourceHash) => ({ sourceHash, name: 'Rent' }));
			await client.publish(workflow.id);
			assertSuccess(
				await client.runManually(
					await client.createWorkflow(addingWorkflow(workflow, orders)),
					'Start',
				),
			);
			await client.unpublish(workflow.id);
			await control.end(ended, 'completed');
			await control.addFault({
				kind: 'error',
				endpoint: 'status',
				sourceHash: rejected,
				status: 400,
				times: 'always',
			});
			assertSuccess(await client.runManually(workflow, 'Every Minute'));
			await control.clearFaults();
			await mailAbout(scene, ended);
			const rows = await rowsOf(scene);
			assert.match(String(rows.get(rejected)?.summary), /^Could not be checked: \w/);
			assert.match(String(rows.get('')?.summary), /^Could not be checked: .*empty/);
		},
	);
}
