import assert from 'node:assert/strict';

import { until } from '../../realN8n/machine/until';
import { ACTION_TYPE, CREDENTIAL_TYPE, STEPS } from '../../realN8n/rehearsal/examples';
import { itemsOf, type JsonObject, type StoredWorkflow } from '../../realN8n/server/types';
import { ChatApps } from '../standIns/chatApps';
import { ChatModel } from '../standIns/chatModel';
import { MailSink } from '../standIns/mailSink';
import {
	assertSuccess,
	CREDENTIALS,
	ETH_TO_USDC,
	FILL_IN,
	HEADER,
	imported,
	mailAbout,
	only,
	SENTENCE,
	type Scene,
} from './examplesScene';
import { checkAppExamples } from './examplesApps';
import { checkCallers } from './examplesCallers';
import { checkMcpServer } from './examplesMcp';
import { checkWatchListIsFilled, checkWatchListNotifies } from './examplesWatchList';
import { assertSimplified } from './schema';
import { PATIENCE_SECONDS, UNLIMITED_REQUESTS_PER_MINUTE, type Stage } from './stage';

/** The workflows of the examples folder, each imported into a real n8n and used as its sticky note says. */
export async function checkExamples(stage: Stage): Promise<void> {
	const { client, rightCredential } = stage.rehearsal;
	const mails = await MailSink.start();
	const model = await ChatModel.start();
	const apps = await ChatApps.start();
	try {
		const scene = { ...stage, mails, model, apps };
		const bridge = {
			...rightCredential,
			requestsPerMinute: UNLIMITED_REQUESTS_PER_MINUTE,
			webhookSecret: HEADER.value,
		};
		await client.createCredential({
			name: CREDENTIALS.bridge,
			type: CREDENTIAL_TYPE,
			data: bridge,
		});
		await client.createCredential({
			name: CREDENTIALS.mail,
			type: 'smtp',
			data: mails.credentialData,
		});
		await client.createCredential({
			name: CREDENTIALS.model,
			type: 'openAiApi',
			data: model.credentialData,
		});
		await client.createCredential({
			name: CREDENTIALS.telegram,
			type: 'telegramApi',
			data: apps.telegramCredential,
		});
		await client.createCredential({
			name: CREDENTIALS.header,
			type: 'httpHeaderAuth',
			data: HEADER,
		});
		await client.createCredential({
			name: CREDENTIALS.discord,
			type: 'discordWebhookApi',
			data: apps.discordCredential,
		});
		// the watch list's schedule comes by itself, once a minute: the other examples are run meanwhile
		const watchList = await checkWatchListIsFilled(scene);
		await checkNotify(scene);
		await checkBridgeAndWait(scene);
		await checkQuoteWatch(scene);
		await checkAgent(scene);
		await checkMcpServer(scene);
		await checkAppExamples(scene);
		await checkCallers(scene);
		if (watchList !== undefined) await checkWatchListNotifies(scene, watchList);
	} finally {
		await Promise.all([mails.stop(), model.stop(), apps.stop()]);
	}
}

async function checkNotify(scene: Scene): Promise<void> {
	const { rehearsal, checks, mails } = scene;
	const { client, control } = rehearsal;
	await checks.check(
		'notify-when-an-order-finishes: one email for each finished order, with its summary',
		async () => {
			const [completed = '', refunded = '', failed = '', endless = ''] =
				await control.openOrders(4);
			const hashes = [completed, refunded, failed, endless];
			const workflow = await imported(
				scene,
				'notify-when-an-order-finishes',
				FILL_IN['notify-when-an-order-finishes'](hashes),
			);
			await client.publish(workflow.id);
			await control.end(completed, 'completed');
			await control.end(refunded, 'refunded');
			await control.end(failed, 'failed');
			for (const [hash, subject] of [
				[completed, /completed$/],
				[refunded, /refunded$/],
				[failed, /failed$/],
			] as const) {
				const mail = await mailAbout(scene, hash);
				assert.match(mail.subject, subject);
				assert.deepEqual(mail.recipients, ['you@example.com']);
				// the mail goes out a moment before n8n has written its execution down
				const starts = await until(
					`the execution of ${hash}`,
					async () => {
						const found = (await emitted(scene, workflow)).filter(
							({ sourceHash }) => sourceHash === hash,
						);
						return found.length > 0 ? found : null;
					},
					{ seconds: PATIENCE_SECONDS },
				);
				const { summary } = only(starts, 'start');
				assert.match(String(summary), SENTENCE);
				assert.equal(mail.text, `${String(summary)}\n\nSource transaction: ${hash}`);
			}
			await control.furtherChecksOf(endless, 2, PATIENCE_SECONDS);
			for (const hash of [completed, refunded, failed])
				only(mails.mailsAbout(hash), 'mail an order');
			assert.equal(mails.mailsAbout(endless).length, 0, 'an open order sends no mail');
			await client.unpublish(workflow.id);
		},
	);
}

/** What the trigger gave to all executions of the workflow so far. */
async function emitted({ rehearsal }: Scene, { id }: StoredWorkflow): Promise<JsonObject[]> {
	const { client } = rehearsal;
	const executions = await Promise.all(
		(await client.executions(id)).map(async (each) => await client.execution(each.id)),
	);
	return executions.flatMap((execution) => itemsOf(execution, STEPS.trigger));
}

async function checkBridgeAndWait(scene: Scene): Promise<void> {
	const { rehearsal, checks } = scene;
	const { client, control } = rehearsal;
	// the chain's part of the sandbox is the wallet: it takes the quote's transactions and gives the source hash
	const wallet = `${control.sandbox.url}/sandbox/transactions`;
	const branches = ['It Has Arrived', 'It Did Not Arrive', 'It Is Still Open'];

	/** Runs the example; `meanwhile` gets the order's hash as soon as the wallet has submitted it. */
	const run = async (
		howLong: JsonObject,
		meanwhile: (sourceHash: string) => Promise<void>,
	): Promise<JsonObject[][]> => {
		const workflow = await imported(
			scene,
			'bridge-and-wait',
			FILL_IN['bridge-and-wait'](wallet, howLong),
		);
		const known = new Set((await control.orders()).map(({ sourceHash }) => sourceHash));
		const running = client.runManually(workflow, 'When Clicking Execute');
		const submitted = until(
			'the transaction to be submitted',
			async () => (await control.orders()).find(({ sourceHash }) => !known.has(sourceHash)),
			{ seconds: PATIENCE_SECONDS, everyMilliseconds: 50 },
		);
		await Promise.all([
			running,
			submitted.then(async ({ sourceHash }) => await meanwhile(sourceHash)),
		]);
		const execution = await running;
		assertSuccess(execution);
		return branches.map((step) => itemsOf(execution, step));
	};

	await checks.check('bridge-and-wait: a completed order goes the first way', async () => {
		const [arrived = [], ...others] = await run(
			{},
			async (hash) => await control.end(hash, 'completed'),
		);
		assert.deepEqual(others, [[], []]);
		const { text, ...order } = only(arrived, 'item');
		const { status, received } = order;
		assert.equal(status, 'completed');
		await assertSimplified(rehearsal, ACTION_TYPE, 'waitForCompletion', order);
		// An order does not state the decimals of its tokens.
		assert.equal(received, '1248125000 smallest units of USDC');
		assert.match(String(text), SENTENCE);
	});

	await checks.check('bridge-and-wait: a refunded order goes the second way', async () => {
		const [arrived, notArrived = [], open] = await run(
			{},
			async (hash) => await control.end(hash, 'refunded'),
		);
		assert.deepEqual([arrived, open], [[], []]);
		assert.equal(only(notArrived, 'item').status, 'refunded');
	});

	await checks.check(
		'bridge-and-wait: an order that takes longer than the wait goes the third way',
		async () => {
			const [arrived, notArrived, open = []] = await run(
				// The first check may come before the fault: of the later ones at least one is in time, on whatever machine.
				{ maxMinutes: 0.1, checkEvery: 1 },
				async (sourceHash) => {
					await control.addFault({
						kind: 'fields',
						endpoint: 'status',
						sourceHash,
						answer: { status: 'executing' },
						times: 'always',
					});
				},
			);
			await control.clearFaults();
			assert.deepEqual([arrived, notArrived], [[], []]);
			const { status, text } = only(open, 'item');
			assert.equal(status, 'executing');
			assert.match(String(text), SENTENCE);
		},
	);

	await checks.check('bridge-and-wait: an uncertain quote is not submitted', async () => {
		const workflow = await imported(scene, 'bridge-and-wait', FILL_IN['bridge-and-wait'](wallet));
		const before = (await control.orders()).length;
		await control.addFault({
			kind: 'fields',
			endpoint: 'quote',
			answer: { tokenIn: { amount: '400000000000000000' } },
			times: 'always',
		});
		try {
			const execution = await client.runManually(workflow, 'When Clicking Execute');
			assertSuccess(execution);
			const { text } = only(itemsOf(execution, 'It Was Not Sent'), 'item');
			assert.match(
				String(text),
				/^Nothing was sent, because the quote has no certain minimum: ⚠️ The bridge states a different amount/,
			);
		} finally {
			await control.clearFaults();
		}
		assert.equal((await control.orders()).length, before);
	});
}

const USDC_DECIMALS = { address: '0xb8d205cae123a8167397d526d56a965505738f8e', decimals: '6' };

async function checkQuoteWatch(scene: Scene): Promise<void> {
	const { rehearsal, checks, mails, apps } = scene;
	const { client, control } = rehearsal;
	const about = (target: string): string => `More than your target of ${target}: `;

	/** Runs the example by hand, because its schedule comes only once an hour; returns whether a mail was sent. */
	const run = async (target: string, tokenDecimals?: JsonObject): Promise<boolean> => {
		const workflow = await imported(
			scene,
			'quote-watch',
			FILL_IN['quote-watch'](target, ETH_TO_USDC, tokenDecimals),
		);
		const before = mails.mailsAbout(about(target)).length;
		assertSuccess(await client.runManually(workflow, 'Every Hour'));
		return mails.mailsAbout(about(target)).length === before + 1;
	};

	await checks.check(
		'quote-watch: an email above the target, none at the target or below',
		async () => {
			assert.equal(await run('1241.884374'), true);
			const [mail] = mails.mailsAbout(about('1241.884374'));
			assert.match(String(mail?.text), /: 0\.5 ETH on Ethereum gives about 1248\.125 USDC on Base/);
			assert.equal(await run('1241.884375'), false);
			assert.equal(await run('1249'), false);
		},
	);

	await checks.check('quote-watch: the same by Telegram', async () => {
		const workflow = await imported(
			scene,
			'quote-watch',
			FILL_IN['quote-watch']('1000', ETH_TO_USDC, undefined, true),
		);
		assertSuccess(await client.runManually(workflow, 'Every Hour'));
		const [text] = apps.telegrams.filter((each) => each.startsWith(about('1000')));
		assert.match(String(text), /1248\.125 USDC/);
	});

	/** Runs the example, which must fail: what it then says. */
	const complaint = async (target: string): Promise<string> => {
		const workflow = await imported(
			scene,
			'quote-watch',
			FILL_IN['quote-watch'](target, ETH_TO_USDC),
		);
		const { status, error } = await client.runManually(workflow, 'Every Hour');
		assert.equal(status, 'error');
		return `${error?.message} ${error?.description}`;
	};

	await checks.check(
		'quote-watch: what cannot be compared is an error that says what to do, and no mail',
		async () => {
			assert.match(await complaint('1,248'), /target.*number/);
			assert.match(await complaint(''), /Enter the amount you want to receive in Your Target/);
			await control.addFault({
				kind: 'fields',
				endpoint: 'quote',
				absent: ['tokenOut.decimals'],
				times: 'always',
			});
			try {
				assert.match(await complaint('2'), /Add the option Token Decimals to Get Quote/);
				assert.equal(await run('3', USDC_DECIMALS), true);
				assert.equal(await run('1241.884375', USDC_DECIMALS), false);
			} finally {
				await control.clearFaults();
			}
			for (const target of ['1,248', '2']) assert.deepEqual(mails.mailsAbout(about(target)), []);
		},
	);

	await checks.check('quote-watch: its schedule is published as it is', async () => {
		const workflow = await imported(scene, 'quote-watch', FILL_IN['quote-watch']('1', ETH_TO_USDC));
		await client.publish(workflow.id);
		await client.unpublish(workflow.id);
	});
}

async function checkAgent(scene: Scene): Promise<void> {
	const { rehearsal, checks, model } = scene;
	const { client, control } = rehearsal;

	await checks.check(
		'agent-where-is-my-order: the agent looks up the order with our node and says what it found',
		async () => {
			const workflow = await imported(
				scene,
				'agent-where-is-my-order',
				FILL_IN['agent-where-is-my-order'](),
			);
			const [ended = '', open = ''] = await control.openOrders(2);
			await control.end(ended, 'refunded');
			const ask = async (chatInput: string): Promise<string> => {
				const message = { action: 'sendMessage', sessionId: workflow.id, chatInput };
				const execution = await client.runManually(
					workflow,
					'When Chat Message Received',
					PATIENCE_SECONDS,
					message,
				);
				assertSuccess(execution);
				return String(only(itemsOf(execution, 'Bridge Agent'), 'answer').output);
			};

			assert.match(
				await ask(`Where is my bridge order ${ended}? It is late.`),
				/^Your order is refunded\. ↩️ The transfer of /,
			);
			assert.equal(await control.checksOf(ended), 1, 'the tool asked the service for this order');

			assert.match(await ask(`and ${open}?`), /^Your order is (pending|executing)\./);
			assert.ok(
				JSON.stringify(model.requests.at(-1)).includes(ended),
				'the conversation is remembered',
			);
			assert.match(await ask(`Where is 0x${'ab'.repeat(32)}?`), /^Your order is notFound\./);
			assert.match(await ask('Where is my bridge order?'), /source transaction hash/);
			assert.ok(
				!JSON.stringify(model.requests).includes(control.sandbox.apiKey),
				'the model does not get the key',
			);
		},
	);
}
