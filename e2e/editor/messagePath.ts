import assert from 'node:assert/strict';

import { until } from '../../realN8n/machine/until';
import { exampleWorkflow, FILLED_IN } from './filledExamples';
import { messagePage } from './messagePage';
import { ensureCredential, Path, README_ORDER, type EditorStage } from './stage';
import type { FilledIn } from '../checks/examplesScene';
import { ChatApps } from '../standIns/chatApps';

/** What README shows, word for word. */
const MESSAGE = '0.5 ETH from Ethereum arrived on Base as 0.49925 ETH after 12 s';
const EXAMPLE = 'notify-when-an-order-finishes';
const TELEGRAM = 'Send a Telegram Message';

/** The message that the first example sends: what n8n's own Telegram node has sent, shown as a chat shows it. */
export async function messagePath(stage: EditorStage): Promise<void> {
	const { rehearsal, editor, gallery } = stage;
	const { client, control } = rehearsal;
	await ensureCredential(stage);
	const path = new Path(stage);
	const apps = await ChatApps.start();
	try {
		await path.step('a finished order sends the message that README shows', async () => {
			const telegram = await client.createCredential({
				name: 'Telegram of the message',
				type: 'telegramApi',
				data: apps.telegramCredential,
			});
			const [order] = await control.announce([README_ORDER]);
			assert.ok(order);
			const filledIn: FilledIn = {
				'When a Bridge Order Finishes': { sourceHashes: order.sourceHash },
				[TELEGRAM]: FILLED_IN[EXAMPLE]?.[TELEGRAM] ?? {},
			};
			const { nodes, connections, ...rest } = await exampleWorkflow(stage, EXAMPLE, filledIn);
			const kept = nodes
				.filter(({ name }) => filledIn[name] !== undefined)
				.map((node) =>
					node.name === TELEGRAM
						? { ...node, credentials: { telegramApi: { id: telegram.id, name: telegram.name } } }
						: node,
				);
			const [[from = '', { main = [] } = { main: [] }] = []] = Object.entries(connections);
			const toKept = {
				[from]: { main: main.map((output) => output.filter(({ node }) => node === TELEGRAM)) },
			};
			const { id } = await client.createWorkflow({ ...rest, nodes: kept, connections: toKept });
			await client.publish(id);
			const [message] = await until(
				'the message',
				() => (apps.messages.length > 0 ? apps.messages : null),
				{ seconds: 60 },
			);
			await client.unpublish(id);
			assert.equal(message?.app, 'telegram');
			assert.equal(message.body.text, MESSAGE);
			const page = messagePage(String(message.body.text), new Date());
			await gallery.takePageForDocuments('message-arrives', page);
			await editor.page.bringToFront();
		});
	} finally {
		await apps.stop();
	}
}
