import assert from 'node:assert/strict';

import axios from 'axios';

import { ordersUrl } from '../../realN8n/rehearsal/examples';
import { until } from '../../realN8n/machine/until';
import type { StoredWorkflow } from '../../realN8n/server/types';
import type { ChatApps } from '../standIns/chatApps';
import { FilledForm } from './examplesForm';
import {
	assertSuccess,
	FILL_IN,
	imported,
	only,
	refilled,
	SENTENCE,
	type Scene,
} from './examplesScene';
import { PATIENCE_SECONDS, watchingWorkflow } from './stage';

/** The examples that notify by other apps than email, collect messages, and take orders from a form. */
export async function checkAppExamples(scene: Scene): Promise<void> {
	await checkChatApps(scene);
	await checkOneMessageADay(scene);
	await checkApproval(scene);
	await checkErrorWorkflow(scene);
}

/** Telegram and Discord, whose addresses can be set in n8n; and the form for transfers by hand, which hands them their order. */
async function checkChatApps(scene: Scene): Promise<void> {
	const { rehearsal, checks, apps } = scene;
	const { client, control, n8n } = rehearsal;
	await checks.check(
		'notify-when-an-order-finishes and bridge-by-hand: a hash from the form, one Telegram and one Discord message with its name',
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
			const form = await FilledForm.submit(scene, posting, ['my transfer', '']);
			await form.shows(/Not watched.*is not a transaction hash.*Try again/s);
			await form.next([` ${hash}\n`, '<b>Rent</b> in May']);
			await form.shows(/Now watching/);
			await form.next([hash, 'Rent in May']);
			await form.shows(
				/Already watched.*“Rent in May”.* ETH from Ethereum.* is still (pending|executing).*You are notified when it finishes/s,
			);
			assert.ok(form.pages.every((page) => !page.includes('<b>Rent')));
			const unknown = `0x${'cd'.repeat(32)}`;
			await form.next([unknown, '']);
			await form.shows(/Now watching.*has not found/s);
			await control.furtherChecksOf(hash, 1, PATIENCE_SECONDS);
			await control.end(hash, 'completed');
			const about = () =>
				apps.messages.filter(({ body }) => JSON.stringify(body).includes('Rent in May'));
			await until('both messages', () => about().length >= 2, { seconds: PATIENCE_SECONDS });
			const byApp = new Map(about().map(({ app, body }) => [app, body]));
			assert.equal(about().length, 2);
			assert.match(String(byApp.get('telegram')?.text), SENTENCE);
			assert.equal(byApp.get('discord')?.content, byApp.get('telegram')?.text);
			for (const { id } of [notifying, posting]) await client.unpublish(id);
		},
	);
}

async function checkOneMessageADay(scene: Scene): Promise<void> {
	const { checks, mails, apps, rehearsal } = scene;
	const { client } = rehearsal;
	await checks.check(
		'one-message-a-day: one email with a line for each finished and each open order, again after one that failed, and one without finished orders',
		async () => {
			const { workflow } = await collected(scene, 'Mailed', ['completed', 'refunded'], false);
			const lines = (): string[] => mails.mailsAbout('Mailed ').map(({ text }) => text);
			mails.refuseNext('Mailed ');
			assert.equal((await client.runManually(workflow, 'Every Day at 8')).status, 'error');
			assert.deepEqual(lines(), []);
			assertSuccess(await client.runManually(workflow, 'Every Day at 8'));
			const text = only(lines(), 'email').trim().split('\n');
			// Two executions at the same moment: either may be the first to save.
			const [first = '', second = ''] = text.slice(0, 2).sort(byLabel);
			assert.match(first, /“Mailed 0”: .* arrived on /);
			assert.match(second, /“Mailed 1”: .* was refunded/);
			const open = /^⏳ “Mailed open” 0x\w{4}…\w{4}: (pending|executing), added \d+ \w+ ago$/;
			assert.match(text[2] ?? '', open);
			assert.match(text[3] ?? '', /^❓ “Mailed wrong” .* no status yet, added /);
			assert.deepEqual(text.slice(4), ['The last checks worked.']);
			assertSuccess(await client.runManually(workflow, 'Every Day at 8'));
			const [, quiet = ''] = lines();
			assert.match(quiet, /^No order has finished since the last message\.\n⏳ “Mailed open”/);
			await client.unpublish(workflow.id);
			assertSuccess(await client.runManually(workflow, 'Every Day at 8'));
			const [unread = ''] = mails.mailsAbout('could not be listed').map((mail) => mail.text);
			assert.match(unread, /⚠️ The open orders could not be listed: .*not registered/);
		},
	);

	await checks.check(
		'one-message-a-day: by Telegram, 21 orders come in two messages, each order once',
		async () => {
			const statuses = Array.from({ length: 21 }, () => 'completed' as const);
			const { workflow, labels } = await collected(scene, 'Chatted', statuses, true);
			assertSuccess(await client.runManually(workflow, 'Every Day at 8'));
			const texts = apps.telegrams.filter((text) => text.includes('Chatted '));
			assert.deepEqual(
				texts.map((text) => text.split('\n').length),
				[23, 1],
			);
			const came = [...texts.join('\n').matchAll(/Chatted \d+(?=”)/g)].map(([label]) => label);
			assert.deepEqual(came.sort(), [...labels].sort());
			await client.unpublish(workflow.id);
		},
	);
}

const byLabel = (one: string, other: string): number =>
	Number(/\d+(?=”)/.exec(one)?.[0]) - Number(/\d+(?=”)/.exec(other)?.[0]);

/** The example one-message-a-day with its table, published, after orders of these labels have finished and were saved; one is open, has been checked, and one is not found. */
async function collected(
	scene: Scene,
	label: string,
	statuses: ReadonlyArray<'completed' | 'refunded'>,
	byChat: boolean,
): Promise<{ workflow: StoredWorkflow; labels: string[] }> {
	const { client, control } = scene.rehearsal;
	const [open = '', ...hashes] = await control.openOrders(statuses.length + 1);
	const labels = hashes.map((_, index) => `${label} ${index}`);
	const lines = [
		...hashes.map((hash, index) => `${labels[index]}: ${hash}`),
		`${label} open: ${open}`,
		`${label} wrong: 0x${'ef'.repeat(32)}`,
	];
	const empty = await imported(
		scene,
		'one-message-a-day',
		FILL_IN['one-message-a-day'](lines, byChat),
	);
	const url = ordersUrl(scene.rehearsal.n8n.url, empty);
	const workflow = await refilled(scene, empty, 'Get Open Orders', { url });
	assertSuccess(await client.runManually(workflow, 'Set Up (Run Once)'));
	await client.publish(workflow.id);
	for (const [index, status] of statuses.entries()) await control.end(hashes[index] ?? '', status);
	// The checks of an order follow each other: with the third one the answer to the second one is known.
	await control.furtherChecksOf(open, 3, PATIENCE_SECONDS);
	await until(
		'the orders to be saved',
		async () => {
			const executions = await client.executions(workflow.id);
			return (
				executions.filter(({ mode, status }) => mode === 'trigger' && status === 'success')
					.length === statuses.length
			);
		},
		{ seconds: PATIENCE_SECONDS },
	);
	return { workflow, labels };
}

async function checkApproval(scene: Scene): Promise<void> {
	const { rehearsal, checks, apps } = scene;
	const { client, control } = rehearsal;
	const wallet = `${control.sandbox.url}/sandbox/transactions`;

	/** Runs the example and presses one of the buttons that came with the quote; its Telegram texts. */
	const run = async (
		button: 'Bridge it' | 'No',
		meanwhile: () => Promise<void>,
	): Promise<string[]> => {
		const before = apps.messages.length;
		const workflow = await imported(
			scene,
			'approve-bridge-wait',
			FILL_IN['approve-bridge-wait'](wallet),
		);
		const running = client.runManually(workflow, 'When Clicking Execute', PATIENCE_SECONDS);
		const pressed = async (): Promise<void> => {
			const urls = await until('the quote with its buttons', () => buttonsOf(apps, before), {
				seconds: PATIENCE_SECONDS,
			});
			// n8n answers robots with an empty page, and with an error while it is still writing down that the execution waits
			const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0' };
			const press = async (): Promise<boolean> =>
				(
					await axios.get(urls.get(button) ?? '', {
						proxy: false,
						headers,
						validateStatus: () => true,
					})
				).status === 200;
			await until('n8n to take the answer', press, { seconds: PATIENCE_SECONDS });
			await meanwhile();
		};
		const [execution] = await Promise.all([running, pressed()]);
		assertSuccess(execution);
		return apps.messages.slice(before).map(({ body }) => String(body.text));
	};

	await checks.check(
		'approve-bridge-wait: an approved quote is submitted, and a second message says how it went',
		async () => {
			const known = new Set((await control.orders()).map(({ sourceHash }) => sourceHash));
			const [quote = '', ending = '', ...others] = await run('Bridge it', async () => {
				const { sourceHash } = await until(
					'the transaction to be submitted',
					async () => (await control.orders()).find((order) => !known.has(order.sourceHash)),
					{ seconds: PATIENCE_SECONDS },
				);
				await control.end(sourceHash, 'completed');
			});
			assert.match(quote, /0\.5 ETH on Ethereum gives about 1248\.125 USDC on Base/);
			assert.match(ending, SENTENCE);
			assert.match(ending, /arrived on Base as 1248125000 smallest units of USDC/);
			assert.deepEqual(others, []);
		},
	);

	await checks.check('approve-bridge-wait: a declined quote is not submitted', async () => {
		const before = (await control.orders()).length;
		const [, ending = ''] = await run('No', async () => undefined);
		assert.match(ending, /^Nothing was sent/);
		assert.equal((await control.orders()).length, before);
	});
}

/** The addresses of the buttons of the first message that has some, by what stands on them. */
function buttonsOf(apps: ChatApps, before: number): Map<string, string> | null {
	for (const { body } of apps.messages.slice(before)) {
		const markup = body.reply_markup as
			{ inline_keyboard?: Array<Array<{ text: string; url: string }>> } | undefined;
		const buttons = markup?.inline_keyboard?.flat() ?? [];
		if (buttons.length > 0) return new Map(buttons.map(({ text, url }) => [text, url]));
	}
	return null;
}

async function checkErrorWorkflow(scene: Scene): Promise<void> {
	const { rehearsal, checks, apps } = scene;
	const { client, control } = rehearsal;
	await checks.check(
		'error-workflow: a poll that fails since the key is wrong sends one message that says so',
		async () => {
			const errors = await imported(scene, 'error-workflow', FILL_IN['error-workflow']());
			await client.publish(errors.id);
			const name = 'Watches with a key of its own';
			const rotated = async (apiKey: string) =>
				await rehearsal.credential('A key of its own', { ...rehearsal.rightCredential, apiKey });
			const credential = await rotated(rehearsal.rightCredential.apiKey);
			const [hash = ''] = await control.openOrders(1);
			const watching = await client.createWorkflow({
				...watchingWorkflow({ ...scene, credential }, name, [hash]),
				settings: { executionOrder: 'v1', errorWorkflow: errors.id },
			});
			await client.publish(watching.id);
			await control.furtherChecksOf(hash, 1, PATIENCE_SECONDS);
			await rotated('wrong');
			const about = () => apps.telegrams.filter((text) => text.includes(name));
			await until('the message', () => about().length > 0, { seconds: PATIENCE_SECONDS });
			assert.match(about()[0] ?? '', /^⚠️ .*: .*API key/);
			await client.unpublish(watching.id);
			only(about(), 'message');
			await client.unpublish(errors.id);
		},
	);
}
