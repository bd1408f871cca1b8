import assert from 'node:assert/strict';

import { until } from '../../realN8n/machine/until';
import { readExample, STEPS } from '../../realN8n/rehearsal/examples';
import { exampleFile } from './filledExamples';
import { Path, type EditorStage } from './stage';

/** The nodes of the example in which something is missing: credentials and fields. n8n's Discord node does not require its credential. */
const NOT_FILLED_IN = [
	'When a Bridge Order Finishes',
	'Send a Telegram Message',
	'Send a Slack Message',
	'Send an Email',
];

/** An example as it is right after its import. Runs before there is a credential: n8n chooses those that it finds. */
export async function importPath(stage: EditorStage): Promise<void> {
	const { editor } = stage;
	const { client } = stage.rehearsal;
	const path = new Path(stage);
	await path.step(
		'an example imported from its file has a red mark where something is missing',
		async () => {
			await editor.importFile(exampleFile('notify-when-an-order-finishes'));
			for (const name of NOT_FILLED_IN)
				await editor.nodeNamed(name).getByTestId('node-issues').waitFor();
			await editor.nodeNamed('When a Bridge Order Finishes').getByTestId('node-issues').hover();
			await editor.page
				.getByText(/Credentials for .*Cross-Chain Bridge.* are not set/)
				.first()
				.waitFor();
		},
	);

	await path.step(
		'each import gets an id and a webhook address of its own, and so does what was created by REST without one, once it is moved and saved',
		async () => {
			const ids: string[] = [];
			for (let user = 1; user <= 2; user++) {
				await editor.importFile(exampleFile('watch-orders'));
				await editor.page.keyboard.press('Control+s');
				// The address of the page has the id before there is such a workflow.
				const fresh = async () =>
					(await client.workflows()).find(({ id }) => !ids.includes(id))?.id ?? null;
				ids.push(await until('the saved workflow', fresh, { seconds: 60 }));
			}
			const { nodes, ...rest } = readExample('watch-orders');
			const { id } = await client.createWorkflow({ ...rest, nodes });
			await editor.openWorkflow(id);
			await editor.moveNode(STEPS.trigger);
			await editor.page.keyboard.press('Control+s');
			const addressOf = async (workflowId: string): Promise<string> => {
				const stored = async () =>
					(await client.workflow(workflowId)).nodes.find(({ name }) => name === STEPS.trigger)
						?.webhookId;
				await until(
					'the address of the trigger',
					async () => typeof (await stored()) === 'string',
					{ seconds: 60 },
				);
				return String(await stored());
			};
			const addresses = await Promise.all([...ids, id].map(addressOf));
			assert.equal(new Set([...ids, id]).size, 3);
			assert.equal(new Set(addresses).size, 3);
			for (const address of addresses) assert.match(address, /^[0-9a-f-]{36}$/);
		},
	);
}
