import assert from 'node:assert/strict';

import axios from 'axios';

import { until } from '../../realN8n/machine/until';
import { ordersUrl } from '../../realN8n/rehearsal/examples';
import { FilledForm } from './examplesForm';
import { assertSuccess, FILL_IN, HEADER, imported, type Scene } from './examplesScene';
import { PATIENCE_SECONDS } from './stage';

/** The examples that call the webhook of another workflow's trigger: to list, to stop and to add orders. */
export async function checkCallers(scene: Scene): Promise<void> {
	const { rehearsal, checks } = scene;
	const { client, control, n8n } = rehearsal;
	const [listed = '', posted = '', added = ''] = await control.openOrders(3);
	const watching = await imported(
		scene,
		'notify-when-an-order-finishes',
		FILL_IN['notify-when-an-order-finishes']([`Kept: ${listed}`], { acceptOrders: true }),
	);
	await client.publish(watching.id);
	const url = ordersUrl(n8n.url, watching);
	const headers = { [HEADER.name]: HEADER.value };
	const watched = async (): Promise<Array<{ sourceHash: string; reference: unknown }>> =>
		(await axios.get<{ orders: [] }>(url, { headers, proxy: false })).data.orders;

	await checks.check(
		'what-am-i-watching: the form lists the open orders, and stops watching those that are selected',
		async () => {
			const form = await imported(scene, 'what-am-i-watching', FILL_IN['what-am-i-watching'](url));
			await client.publish(form.id);
			const reference = '<b>Rent</b> {{ 7*6 }} "$&"';
			await axios.post(url, { sourceHash: posted, reference }, { headers, proxy: false });
			// The durable engine reads the list with its first poll.
			await until(
				'both orders to be watched',
				async () => ((await watched()).length === 2 ? true : null),
				{ seconds: PATIENCE_SECONDS },
			);
			const open = await FilledForm.submit(scene, form, ['open']);
			const page = await open.shows(/2 open orders/);
			const labels = [...page.matchAll(/type=.checkbox.[^>]*value='([^']*)'/g)].map(
				([, label = '']) => label,
			);
			assert.deepEqual(
				labels.map((label) => label.split(' ').pop()),
				[listed, posted],
			);
			assert.match(labels[0] ?? '', /^Kept, .*, added .* ago, in the list of the trigger: /);
			assert.match(labels[1] ?? '', /^bRentb +76 +, .*, added .* ago: /);
			await open.next([JSON.stringify(labels)]);
			await open.shows(new RegExp(`One order is no longer watched.*has them: ${listed}`, 's'));
			assert.deepEqual(
				(await watched()).map(({ sourceHash }) => sourceHash),
				[listed],
			);
			await client.unpublish(form.id);
		},
	);

	await checks.check(
		'rows-of-a-google-sheet: each row is sent with its name, also next to one without a hash, which is an error',
		async () => {
			const { id, nodes, ...others } = await imported(
				scene,
				'rows-of-a-google-sheet',
				FILL_IN['rows-of-a-google-sheet'](url),
			);
			// In place of Google's node, which would ask Google for the rows: n8n takes what the trigger of a chat gives from the caller.
			const name = 'When a Row Is Added';
			const chat = {
				type: '@n8n/n8n-nodes-langchain.chatTrigger',
				typeVersion: 1.1,
				parameters: {},
			};
			const workflow = await client.updateWorkflow(id, {
				...others,
				nodes: nodes.map((node) => (node.name === name ? { ...node, ...chat } : node)),
			});
			const sent = async (...rows: Array<Record<string, string>>) =>
				await client.runManually(workflow, name, 60, ...rows);
			const refused = await sent({ Hash: '', Name: 'Empty' }, { Hash: added, Name: 'Rent' });
			assert.equal(refused.status, 'error');
			assert.match(JSON.stringify(refused.error), /source hash is empty/);
			const order = (await watched()).find(({ sourceHash }) => sourceHash === added);
			assert.equal(order?.reference, 'Rent');
			assertSuccess(await sent({ Hash: added, Name: 'Rent' }));
		},
	);
	await client.unpublish(watching.id);
}
