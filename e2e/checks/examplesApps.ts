import assert from 'node:assert/strict';

import axios from 'axios';

import { ordersUrl } from '../../realN8n/rehearsal/examples';
import { until } from '../../realN8n/machine/until';
import type { StoredWorkflow } from '../../realN8n/server/types';
import type { ChatApps } from '../standIns/chatApps';
import { assertSuccess, FILL_IN, imported, only, SENTENCE, type Scene } from './examplesScene';
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
			assert.match(
				await submitted(scene, posting, 'my transfer', ''),
				/Not watched.*is not a transaction hash/s,
			);
			const ending = await submitted(scene, posting, ` ${hash}\n`, 'Rent in May');
			assert.match(ending, /Now watching.*: 0x[0-9a-f]{64}\. You are notified when it finishes/s);
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

/** Submits the form as a browser does: the page that it ends with. */
async function submitted(
	{ rehearsal: { n8n } }: Scene,
	workflow: StoredWorkflow,
	hash: string,
	name: string,
): Promise<string> {
	const form = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	const { data } = await axios.postForm<{ formWaitingUrl: string }>(
		`${n8n.url}/form/${String(form?.webhookId)}`,
		{ 'field-0': hash, 'field-1': name },
	);
	return await until(
		'the ending of the form',
		async () => {
			// n8n may leave a request unanswered that comes while it is writing down that the execution waits
			const page = await axios
				.get<string>(data.formWaitingUrl, { timeout: 5_000, validateStatus: () => true })
				.catch(() => null);
			return page?.status === 200 ? page.data : null;
		},
		{ seconds: PATIENCE_SECONDS },
	);
}

async function checkOneMessageADay(scene: Scene): Promise<void> {
	const { checks, mails, apps, rehearsal } = scene;
	const { client } = rehearsal;
	await checks.check(
		'one-message-a-day: one email with a line for each finished order, again after one that failed, none without orders',
		async () => {
			const { workflow } = await collected(scene, 'Mailed', ['completed', 'refunded'], false);
			const lines = (): string[] => mails.mailsAbout('Mailed ').map(({ text }) => text);
			mails.refuseNext('Mailed ');
			assert.equal((await client.runManually(workflow, 'Every Day at 8')).status, 'error');
			assert.deepEqual(lines(), []);
			assertSuccess(await client.runManually(workflow, 'Every Day at 8'));
			const text = only(lines(), 'email');
			// Two executions at the same moment: either may be the first to save.
			const [first = '', second = ''] = text.trim().split('\n').sort(byLabel);
			assert.match(first, /“Mailed 0”: .* arrived on /);
			assert.match(second, /“Mailed 1”: .* was refunded/);
			assertSuccess(await client.runManually(workflow, 'Every Day at 8'));
			only(lines(), 'email');
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
				[20, 1],
			);
			const came = [...texts.join('\n').matchAll(/Chatted \d+(?=”)/g)].map(([label]) => label);
			assert.deepEqual(came.sort(), [...labels].sort());
		},
	);
}

const byLabel = (one: string, other: string): number =>
	Number(/\d+(?=”)/.exec(one)?.[0]) - Number(/\d+(?=”)/.exec(other)?.[0]);

/** The example one-message-a-day with its table, after orders of these labels have finished and were saved. */
async function collected(
	scene: Scene,
	label: string,
	statuses: ReadonlyArray<'completed' | 'refunded'>,
	byChat: boolean,
): Promise<{ workflow: StoredWorkflow; labels: string[] }> {
	const { client, control } = scene.rehearsal;
	const hashes = await control.openOrders(statuses.length);
	const labels = hashes.map((_, index) => `${label} ${index}`);
	const workflow = await imported(
		scene,
		'one-message-a-day',
		FILL_IN['one-message-a-day'](
			hashes.map((hash, index) => `${labels[index]}: ${hash}`),
			byChat,
		),
	);
	assertSuccess(await client.runManually(workflow, 'Click Once'));
	await client.publish(workflow.id);
	for (const [index, status] of statuses.entries()) await control.end(hashes[index] ?? '', status);
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
	await client.unpublish(workflow.id);
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
			| { inline_keyboard?: Array<Array<{ text: string; url: string }>> }
			| undefined;
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
