import assert from 'node:assert/strict';

import { until } from '../../realN8n/machine/until';
import { ChatApps } from '../standIns/chatApps';
import { messagePage } from './messagePage';
import { CREDENTIAL_NAME, ensureCredential, Path, README_ORDER, type EditorStage } from './stage';

/** What README shows, word for word. */
const MESSAGE =
	'✅ Order “Rent”: the 0.5 ETH from Ethereum arrived on Base as 0.49925 ETH after 12 s';

/** README's road to a first message, step by step. Telegram is a stand-in; what n8n's own node sends there is shown as a chat shows it. */
export async function messagePath(stage: EditorStage): Promise<void> {
	const { rehearsal, editor, gallery } = stage;
	const { client, control } = rehearsal;
	await ensureCredential(stage);
	const path = new Path(stage);
	const apps = await ChatApps.start();
	const messages = async (count: number): Promise<string[]> =>
		await until(
			`${count} message(s)`,
			() => (apps.telegrams.length >= count ? apps.telegrams : null),
			{ seconds: 60 },
		);
	try {
		const [order] = await control.announce([README_ORDER]);
		assert.ok(order);
		await client.createCredential({
			name: 'Telegram of the message',
			type: 'telegramApi',
			data: apps.telegramCredential,
		});

		await path.step('README: the trigger, On any event, with a named hash', async () => {
			await editor.startNewWorkflow();
			await editor.addNode('bridge', 'Triggers', 'On any event');
			await editor.untilCredential(CREDENTIAL_NAME);
			await editor.enter('sourceHashes', `Rent: ${order.sourceHash}`);
			await until(
				'the order to finish',
				async () =>
					(await control.orders()).some(
						({ sourceHash, status }) => sourceHash === order.sourceHash && status === 'completed',
					),
				{ seconds: 60 },
			);
			await editor.runNode();
			await editor.closeMessages();
		});

		await path.step('README: Telegram, its text dragged from the summary', async () => {
			await editor.closeNode();
			await editor.addNextNode('Telegram', 'Send a text message');
			await editor.enter('chatId', '42');
			await editor.dragFromInput('summary', 'text');
			await editor.addOption('Append n8n Attribution', 'Add Field');
			await editor.turn('appendAttribution');
		});

		await path.step('README: Execute step sends the message that README shows', async () => {
			await editor.runNode();
			assert.deepEqual(await messages(1), [MESSAGE]);
			await editor.closeMessages();
		});

		await path.step('README: published, the workflow sends it by itself', async () => {
			await editor.closeNode();
			await editor.closeMessages();
			assert.match(await editor.publish(), /is watching the orders/);
			await editor.closePublished();
			const [, second] = await messages(2);
			assert.equal(second, MESSAGE);
			await gallery.takePageForDocuments('message-arrives', messagePage(MESSAGE, new Date()));
			await editor.page.bringToFront();
		});
	} finally {
		await apps.stop();
	}
}
