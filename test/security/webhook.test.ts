import type { IDataObject } from 'n8n-workflow';

import { beginCompleted } from '../engine/sandboxed';
import { bridge, n8n, post } from '../engine/scene';

/** What somebody can do who knows the address of the trigger's webhook, in the real n8n-core; each probe fell once. */

const hashOf = (number: number) => `0x1${number.toString(16).padStart(63, '0')}`;
const accepting = (options: IDataObject = {}) => ({
	parameters: { acceptOrders: true, options: { keepChecking: false, ...options } },
});
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const keptBytes = () => bytesOf(n8n.database.get(n8n.workflowId) ?? {});

test.each<[string, IDataObject]>([
	['an unused field', { sourceHash: hashOf(1), note: 'x'.repeat(15_000_000) }],
	[
		'many fields',
		{
			sourceHash: hashOf(1),
			...Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`f${i}`, ''])),
		},
	],
])(
	'the size of a form in chunks, of which n8n keeps no bytes, is measured: %s',
	async (_name, body) => {
		await n8n.publish([accepting()]);
		const before = keptBytes();
		const answer = await n8n.call({ body, rawBody: null });
		expect(answer).toMatchObject({ status: 413 });
		expect(bytesOf(answer.body)).toBeLessThan(500);
		expect(keptBytes()).toBe(before);
	},
);

test('hundreds of orders that finish leave a state of a bounded size', async () => {
	const registered = await n8n.publish([accepting()]);
	for (let round = 0; round < 4; round++) {
		const hashes = Array.from({ length: 100 }, (_, i) => hashOf(1 + round * 100 + i));
		await beginCompleted(bridge, hashes);
		await post(hashes);
		await registered.poll();
		await n8n.untilStarted(100 * (round + 1));
	}
	expect(n8n.started).toHaveLength(400);
	await post({ sourceHash: hashOf(999_999) });
	expect(keptBytes()).toBeLessThan(70 * 400 + 1000);
});

test('what a workflow does with the reference of its item changes nothing for others', async () => {
	const [hash = ''] = await bridge.begin({ end: 'never' });
	const reference = { chat: { id: 7 } };
	const items = await n8n.testCall(
		{ acceptOrders: true },
		{ body: { sourceHash: hash, reference } },
	);
	Reflect.set(items.items?.[0]?.reference as object, 'chat', 'changed');
	expect(reference).toEqual({ chat: { id: 7 } });
});

test.each([
	'my orders',
	'0x1',
	'<script>',
	`0x${'a'.repeat(300)}`,
	'Invoice 4711: 0x00',
	'../../etc/passwd',
	'?chainID=1&',
	'0x\u202e00',
])('what cannot be a hash never reaches the service: %j', async (text) => {
	const registered = await n8n.publish([accepting()]);
	await bridge.forgetRequests();
	expect(await post([hashOf(1), text])).toMatchObject({
		status: 400,
		body: { position: 2 },
	});
	await registered.poll();
	expect(await bridge.requests()).toEqual([]);
});

describe('without a webhook ID, from which n8n would make an address that can be guessed', () => {
	const guessable = { ...accepting(), webhookId: null };

	test('it cannot be published, and the message says what to do', async () => {
		await expect(n8n.publish([guessable])).rejects.toThrow(/open the workflow in the editor/i);
		const [hash = ''] = await bridge.begin({ end: 'never' });
		await n8n.publish([
			{
				...guessable,
				parameters: {
					acceptOrders: false,
					sourceHashes: hash,
					options: { keepChecking: false },
				},
			},
		]);
	});

	test('n8n registers no address, also if it starts a workflow that was published by its command line', async () => {
		const registered = await n8n.publish([guessable], { mode: 'init' });
		await expect(post({ sourceHash: hashOf(1) })).rejects.toThrow('No webhook is registered');
		await registered.poll();
		expect(n8n.failures.map(({ message }) => message)).toEqual([
			expect.stringMatching(/open the workflow in the editor/i),
		]);
	});
});

describe.each(['usual', 'durable'])(
	'the Webhook Secret of the credential, in the %s engine',
	(engine) => {
		const secret = 'correct horse battery staple';
		const { parameters } = accepting();
		const watch = { id: 'same', parameters };
		/** A body that nobody may read. */
		const sealedBody = new Proxy(
			{},
			{
				get: () => {
					throw new Error('The body was read');
				},
			},
		);
		const callWith = async (method: 'POST' | 'GET' | 'DELETE', headers: IDataObject) =>
			await n8n.call({ method, headers, body: sealedBody, rawBody: null });
		const METHODS = ['POST', 'GET', 'DELETE'] as const;
		const sending = { 'x-webhook-secret': secret };
		const ask = (webhookSecret: string) =>
			Object.assign(n8n.credentials.data ?? {}, { webhookSecret });
		beforeEach(async () => {
			ask(secret);
			if (engine === 'usual') await n8n.publish([watch]);
			else {
				n8n.saveNodes([watch]);
				await n8n.durablePoll(watch, 36_000);
			}
		});

		test('lets in anyone who sends it, and nobody else, before the body is read', async () => {
			const body = { sourceHash: hashOf(1) };
			expect(await n8n.call({ body, headers: sending })).toMatchObject({ status: 202 });
			for (const method of METHODS) {
				expect(await callWith(method, { authorization: secret })).toMatchObject({
					status: 401,
					headers: { 'Cache-Control': 'no-store' },
					body: { message: expect.stringContaining('X-Webhook-Secret') },
				});
				for (const wrong of ['', secret.slice(0, -1), `${secret}!`, [secret]])
					expect(await callWith(method, { 'x-webhook-secret': wrong })).toMatchObject({
						status: 403,
					});
			}
			expect(await n8n.call({ method: 'GET', headers: sending })).toMatchObject({
				status: 200,
				body: { watching: 1 },
			});
			expect(await n8n.call({ method: 'DELETE', headers: sending, body })).toMatchObject({
				status: 200,
				body: { removed: 1 },
			});
		});

		test('counts at once if it is changed, and its absence opens neither the list nor the removal', async () => {
			ask('another one');
			expect(await callWith('POST', sending)).toMatchObject({ status: 403 });
			ask('');
			for (const method of ['GET', 'DELETE'] as const)
				for (const headers of [{}, sending, { 'x-webhook-secret': '' }])
					expect(await callWith(method, headers)).toMatchObject({ status: 403 });
			expect(await n8n.call({ body: { sourceHash: hashOf(2) } })).toMatchObject({ status: 202 });
		});

		test('is demanded with the switch as text, which n8n takes for another value', async () => {
			n8n.saveNodes([{ ...watch, parameters: { ...parameters, acceptOrders: 'true' } }]);
			expect(await callWith('POST', {})).toMatchObject({ status: 401 });
		});

		test.each(['POST', 'DELETE'] as const)('is demanded at the Test URL for %s', async (method) => {
			const call = { method, body: sealedBody, rawBody: null, headers: {} };
			expect(await n8n.testCall(parameters, call)).toMatchObject({ status: 401 });
		});

		test('is not demanded of a browser that opens the Test URL: only the editor shows the orders', async () => {
			const call = { method: 'GET', body: sealedBody, rawBody: null, headers: {} } as const;
			const listing = { ...parameters, sourceHashes: `Confidential: ${hashOf(1)}` };
			const { items, body } = await n8n.testCall(listing, call);
			expect(items).toMatchObject([{ reference: 'Confidential' }]);
			expect(JSON.stringify(body ?? null)).not.toContain('Confidential');
		});
	},
);
