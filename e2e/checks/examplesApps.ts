import assert from 'node:assert/strict';

import axios from 'axios';

import { ordersUrl } from '../../realN8n/rehearsal/examples';
import { ChatApps } from '../standIns/chatApps';
import { until } from '../../realN8n/machine/until';
import {
	assertSuccess,
	CREDENTIALS,
	FILL_IN,
	imported,
	only,
	SENTENCE,
	type Scene,
} from './examplesScene';
import { PATIENCE_SECONDS } from './stage';

/** The examples that notify by other apps than email, collect messages, and take orders from a form. */
export async function checkAppExamples(scene: Scene): Promise<void> {
	await checkChatApps(scene);
	await checkOneMessageADay(scene);
}

/** Telegram and Discord, whose addresses can be set in n8n; and the form for transfers by hand, which hands them their order. */
async function checkChatApps(scene: Scene): Promise<void> {
	const { rehearsal, checks } = scene;
	const { client, control, n8n } = rehearsal;
	const apps = await ChatApps.start();
	try {
		await client.createCredential({
			name: CREDENTIALS.telegram,
			type: 'telegramApi',
			data: apps.telegramCredential,
		});
		await client.createCredential({
			name: CREDENTIALS.discord,
			type: 'discordWebhookApi',
			data: apps.discordCredential,
		});
		await checks.check(
			'notify-when-an-order-finishes and bridge-by-hand: a hash from the form, one Telegram and one Discord message with the summary',
			async () => {
				const notifying = await imported(
					scene,
					'notify-when-an-order-finishes',
					FILL_IN['notify-when-an-order-finishes']([], { acceptOrders: true }, true),
				);
				await client.publish(notifying.id);
				const posting = await imported(
					scene,
					'bridge-by-hand',
					FILL_IN['bridge-by-hand'](ordersUrl(n8n.url, notifying)),
				);
				await client.publish(posting.id);
				const [hash = ''] = await control.openOrders(1);
				const form = posting.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
				await axios.postForm(`${n8n.url}/form/${String(form?.webhookId)}`, {
					'field-0': ` ${hash}\n`,
					'field-1': 'Rent in May',
				});
				await control.furtherChecksOf(hash, 1, PATIENCE_SECONDS);
				await control.end(hash, 'completed');
				await until('both messages', () => apps.messages.length >= 2, {
					seconds: PATIENCE_SECONDS,
				});
				const byApp = new Map(apps.messages.map(({ app, body }) => [app, body]));
				assert.equal(apps.messages.length, 2);
				assert.match(String(byApp.get('telegram')?.text), SENTENCE);
				assert.equal(byApp.get('discord')?.content, byApp.get('telegram')?.text);
				for (const { id } of [notifying, posting]) await client.unpublish(id);
			},
		);
	} finally {
		await apps.stop();
	}
}

async function checkOneMessageADay(scene: Scene): Promise<void> {
	const { rehearsal, checks, mails } = scene;
	const { client, control } = rehearsal;
	await checks.check(
		'one-message-a-day: one email with a line for each finished order, again after one that failed, none without orders',
		async () => {
			const hashes = await control.openOrders(2);
			const workflow = await imported(
				scene,
				'one-message-a-day',
				FILL_IN['one-message-a-day'](hashes),
			);
			assertSuccess(await client.runManually(workflow, 'Click Once'));
			await client.publish(workflow.id);
			await control.end(hashes[0] ?? '', 'completed');
			await control.end(hashes[1] ?? '', 'refunded');
			await until(
				'both orders to be saved',
				async () => {
					const executions = await client.executions(workflow.id);
					return (
						executions.filter(({ mode, status }) => mode === 'trigger' && status === 'success')
							.length === 2
					);
				},
				{ seconds: PATIENCE_SECONDS },
			);
			await client.unpublish(workflow.id);

			const lines = (): string[] => mails.mailsAbout('- ').map(({ text }) => text);
			mails.refuseNext('- ');
			assert.equal((await client.runManually(workflow, 'Every Day at 8')).status, 'error');
			assert.deepEqual(lines(), []);
			assertSuccess(await client.runManually(workflow, 'Every Day at 8'));
			const text = only(lines(), 'email');
			// Two executions at the same moment: either may be the first to save.
			assert.match(
				text.trim().split('\n').sort().join('\n'),
				/^- .* arrived on .*\n- .* was refunded/,
			);
			assertSuccess(await client.runManually(workflow, 'Every Day at 8'));
			only(lines(), 'email');
		},
	);
}
