import { once } from 'node:events';
import { connect } from 'node:net';
import type { OrderSummary } from '../../sandbox';
import {
	API,
	EVM_HASH,
	EVM_WALLET,
	expectError,
	OTHER_HASH,
	rehearse,
	rehearseTogether,
	SOLANA_WALLET,
	USDC_ON_ETHEREUM,
} from './rehearsal';
import type { Rehearsal } from './rehearsal';

const together = rehearseTogether();

const PARAMS = {
	inputNetwork: 101,
	outputNetwork: 102,
	inputTokenAmount: '5000000',
	inputTokenContract: USDC_ON_ETHEREUM,
	sourceAddress: EVM_WALLET,
	destinationAddress: `0x${'2b'.repeat(20)}`,
};

interface Quote {
	success: boolean;
	data: { tokenOut: { amount: string }; transactions: Array<{ data: string }> };
}

const quoteOf = async ({ ask }: Rehearsal, params: object = PARAMS): Promise<Quote> =>
	(await ask('quote', params)).data as Quote;
const submit = async ({ client }: Rehearsal, body: unknown) =>
	await client.post<OrderSummary>('/sandbox/transactions', body);

describe('POST /sandbox/transactions: the part of the chain', () => {
	/** The ways in which a workflow may hand a quote on. */
	test.each<[string, (quote: Quote) => unknown]>([
		["the quote's data", (quote) => quote.data],
		['the whole answer', (quote) => quote],
		['the bridge transaction', (quote) => quote.data.transactions[1]],
		["only the bridge transaction's data", (quote) => ({ data: quote.data.transactions[1]?.data })],
		['the quote parameters', () => PARAMS],
		[
			'the quote parameters as text',
			() => ({ ...PARAMS, inputNetwork: '101', outputNetwork: '102' }),
		],
	])('%s makes the quoted order, which begins now', async (_form, bodyOf) => {
		const rehearsal = await rehearse();
		const quote = await quoteOf(rehearsal);
		const submitted = await submit(rehearsal, bodyOf(quote));
		expect(submitted.status).toBe(201);
		const { sourceHash } = submitted.data;
		expect(sourceHash).toMatch(/^0x[0-9a-f]{64}$/);
		const { inputTokenContract: token, inputTokenAmount: amount } = PARAMS;
		expect(await rehearsal.order(sourceHash)).toMatchObject({
			status: 'pending',
			input: { chainId: 101, token, amount, address: EVM_WALLET },
		});
		rehearsal.clock.advance(15);
		expect(await rehearsal.order(sourceHash)).toMatchObject({
			status: 'completed',
			output: {
				chainId: 102,
				amount: quote.data.tokenOut.amount,
				address: PARAMS.destinationAddress,
			},
		});
	});

	test('a Solana-like quote can be submitted too, and gets a base58 hash', async () => {
		const rehearsal = await rehearse();
		const { data } = await quoteOf(rehearsal, {
			inputNetwork: 201,
			outputNetwork: 101,
			inputTokenAmount: '1000000000',
			sourceAddress: SOLANA_WALLET,
			destinationAddress: EVM_WALLET,
		});
		const { sourceHash } = (await submit(rehearsal, data)).data;
		expect(sourceHash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
		expect(await rehearsal.order(sourceHash)).toMatchObject({
			input: { chainId: 201, amount: '1000000000', address: SOLANA_WALLET },
		});
	});

	test('how and when it finishes, and its hash, can be chosen', async () => {
		const rehearsal = await rehearse();
		const { order, clock } = rehearsal;
		const { data } = await quoteOf(rehearsal);
		const chosen = { sourceHash: EVM_HASH, end: 'refunded' };
		expect((await submit(rehearsal, { ...data, ...chosen, endsAfterSeconds: 30 })).data).toEqual({
			...chosen,
			status: 'pending',
			startsAt: new Date(clock.ms).toISOString(),
			endsAt: new Date(clock.ms + 30_000).toISOString(),
		});
		clock.advance(30);
		expect(await order()).toMatchObject({ status: 'refunded' });
	});

	test('without any body there is an order of defaults, each time another', async () => {
		const rehearsal = await rehearse();
		const made = [await submit(rehearsal, undefined), await submit(rehearsal, {})];
		expect(made.map(({ status }) => status)).toEqual([201, 201]);
		expect(new Set(made.map(({ data }) => data.sourceHash)).size).toBe(2);
	});

	test.each<[string, (quote: Quote) => unknown]>([
		['the approval', ({ data }) => data.transactions[0]],
		['no bridge transaction', ({ data }) => ({ transactions: data.transactions.slice(0, 1) })],
		['no transaction at all', () => ({ transactions: [] })],
		['foreign data', () => ({ data: '0xdeadbeef' })],
		['data that is cut off', ({ data }) => ({ data: data.transactions[1]?.data.slice(0, 60) })],
		['data that is no text', () => ({ data: 5 })],
		['an unknown final status', () => ({ end: 'lost' })],
		['a time below zero', () => ({ endsAfterSeconds: -1 })],
	])('%s is rejected', async (_what, bodyOf) => {
		const body = bodyOf(await quoteOf(together()));
		expectError(await submit(together(), body), 'INVALID_PARAMETER');
		expect(await together().orders()).toEqual([]);
	});
});

describe('POST /sandbox/announcements: hashes known now that begin later', () => {
	test('NOT_FOUND until the begin, then the plan runs', async () => {
		const { announce, ask, order, clock } = await rehearse();
		const announced = await announce(
			{ sourceHash: EVM_HASH, beginsAfterSeconds: 60, end: 'failed', endsAfterSeconds: 10 },
			{ beginsAfterSeconds: 90, end: 'never' },
		);
		expect(announced).toEqual([
			{
				sourceHash: EVM_HASH,
				status: 'announced',
				startsAt: new Date(clock.ms + 60_000).toISOString(),
				endsAt: new Date(clock.ms + 70_000).toISOString(),
				end: 'failed',
			},
			{
				sourceHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
				status: 'announced',
				startsAt: new Date(clock.ms + 90_000).toISOString(),
				endsAt: null,
				end: 'never',
			},
		]);
		clock.advance(59.999);
		expectError(await ask('status', { sourceHash: EVM_HASH }), 'NOT_FOUND');
		clock.advance(0.001);
		const timing = { createdAt: clock.seconds };
		expect(await order()).toMatchObject({ status: 'pending', timing });
		clock.advance(10);
		expect(await order()).toMatchObject({ status: 'failed', timing: { duration: 10 } });
	});

	test('all or none: a known hash, or one twice in any case, is CONFLICT and nothing is announced', async () => {
		const { announce, client, orders } = await rehearse();
		await announce({ sourceHash: EVM_HASH });
		for (const second of [EVM_HASH, OTHER_HASH.toUpperCase()]) {
			const both = [OTHER_HASH, second].map((sourceHash) => ({ sourceHash }));
			expectError(await client.post('/sandbox/announcements', { orders: both }), 'CONFLICT');
		}
		expect(await orders()).toMatchObject([{ sourceHash: EVM_HASH }]);
	});

	test.each<[string, object, string, string]>([
		['no list', {}, 'INVALID_PARAMETER', 'orders'],
		[
			'an unknown field',
			{ orders: [{ endAfterSeconds: 5 }] },
			'INVALID_PARAMETER',
			'endAfterSeconds',
		],
		['a hash that is none', { orders: [{ sourceHash: '0x12' }] }, 'INVALID_PARAMETER', '0x12'],
		['an unknown final status', { orders: [{ end: 'lost' }] }, 'INVALID_PARAMETER', 'end'],
		['an unknown network', { orders: [{ inputNetwork: 5 }] }, 'NOT_FOUND', '5'],
	])('%s is rejected with a sentence', async (_what, body, code, named) => {
		expectError(await together().client.post('/sandbox/announcements', body), code, named);
	});
});

describe('POST /sandbox/orders/:sourceHash/end', () => {
	const end = async ({ client }: Rehearsal, status?: string, hash = EVM_HASH) =>
		await client.post<OrderSummary>(`/sandbox/orders/${hash}/end`, status && { status });

	test.each(['completed', 'refunded', 'failed'] as const)(
		'finishes an open order now: %s',
		async (status) => {
			const rehearsal = await rehearse();
			const { announce, order, clock } = rehearsal;
			await announce({ sourceHash: EVM_HASH, end: 'never', executesAfterSeconds: 2 });
			clock.advance(100);
			expect(await end(rehearsal, status)).toMatchObject({
				status: 200,
				data: { status, end: status, endsAt: new Date(clock.ms).toISOString() },
			});
			const timing = { duration: 100, completedAt: clock.seconds };
			expect(await order()).toMatchObject({ status, timing });
		},
	);

	test('a pending order that is completed now got its solver now; an announced one begins and finishes now', async () => {
		const rehearsal = await rehearse();
		const { announce, order, clock } = rehearsal;
		await announce(
			{ sourceHash: EVM_HASH, end: 'never', executesAfterSeconds: 50 },
			{ sourceHash: OTHER_HASH, beginsAfterSeconds: 500 },
		);
		clock.advance(3);
		await end(rehearsal, 'completed');
		expect(await order()).toMatchObject({ solver: { assignedAt: clock.seconds } });
		await end(rehearsal, 'failed', OTHER_HASH);
		const timing = { createdAt: clock.seconds, duration: 0 };
		expect(await order(OTHER_HASH)).toMatchObject({ status: 'failed', timing });
	});

	test('a final status is final: a second one is CONFLICT and changes nothing', async () => {
		const rehearsal = await rehearse();
		await rehearsal.announce({ sourceHash: EVM_HASH, end: 'never' });
		await end(rehearsal, 'failed');
		expectError(await end(rehearsal, 'completed'), 'CONFLICT');
		expect(await rehearsal.order()).toMatchObject({ status: 'failed' });
	});

	test('an unknown hash is NOT_FOUND, an unknown status or none INVALID_PARAMETER', async () => {
		const rehearsal = await rehearse();
		await rehearsal.announce({ sourceHash: EVM_HASH });
		expectError(await end(rehearsal, 'failed', OTHER_HASH), 'NOT_FOUND');
		expectError(await end(rehearsal, 'pending'), 'INVALID_PARAMETER');
		expectError(await end(rehearsal), 'INVALID_PARAMETER');
	});
});

describe('PATCH /sandbox/orders/:sourceHash', () => {
	const change = async ({ client }: Rehearsal, body: object, hash = EVM_HASH) =>
		await client.patch<OrderSummary>(`/sandbox/orders/${hash}`, body);

	test('an unknown status word, null and absent parts, while the list shows the true status; and back again', async () => {
		const rehearsal = await rehearse();
		const { announce, order, clock } = rehearsal;
		await announce({ sourceHash: EVM_HASH, endsAfterSeconds: 5 });
		clock.advance(5);
		const before = await order();
		await change(rehearsal, {
			answer: { status: 'settling', solver: null, output: { amount: null }, note: 'new field' },
			absent: ['input', 'output.txHash', 'timing.nothing.here'],
		});
		const shown = await order();
		const output = { amount: null, chainId: 102 };
		expect(shown).toMatchObject({ status: 'settling', solver: null, output, note: 'new field' });
		expect(shown).not.toHaveProperty('input');
		expect(shown.output).not.toHaveProperty('txHash');
		expect(await rehearsal.orders()).toMatchObject([{ status: 'completed' }]);
		await change(rehearsal, { answer: {}, absent: [] });
		expect(await order()).toEqual(before);
	});

	test('an unknown hash is NOT_FOUND, an unknown field INVALID_PARAMETER', async () => {
		const rehearsal = await rehearse();
		await rehearsal.announce({ sourceHash: EVM_HASH });
		expectError(await change(rehearsal, {}, OTHER_HASH), 'NOT_FOUND');
		expectError(await change(rehearsal, { status: 'failed' }), 'INVALID_PARAMETER');
	});
});

test('GET /sandbox/orders shows each state; DELETE forgets all', async () => {
	const { announce, client, clock, orders } = await rehearse();
	await announce(
		{ beginsAfterSeconds: 100 },
		{ executesAfterSeconds: 50, endsAfterSeconds: 60 },
		{ executesAfterSeconds: 5, endsAfterSeconds: 60 },
		...(['completed', 'refunded', 'failed'] as const).map((end) => ({ end, endsAfterSeconds: 8 })),
	);
	clock.advance(10);
	const states = ['announced', 'pending', 'executing', 'completed', 'refunded', 'failed'];
	expect((await orders()).map(({ status }) => status)).toEqual(states);
	expect((await client.delete('/sandbox/orders')).status).toBe(204);
	expect(await orders()).toEqual([]);
});

test('GET /sandbox/requests lists what arrived, with the fact of a key and never its value; DELETE clears', async () => {
	const { ask, as, client, clock, requests, sandbox } = await rehearse();
	const at = new Date(clock.ms).toISOString();
	await ask('config', { chainID: '101' });
	clock.advance(1);
	await as().ask('status');
	await client.get('/page/anything');
	const listed = await requests();
	const method = 'GET';
	expect(listed).toEqual([
		{ at, method, path: `${API}/config`, query: { chainID: '101' }, status: 200, hasKey: true },
		{
			at: new Date(clock.ms).toISOString(),
			method,
			path: `${API}/status`,
			query: {},
			status: 401,
			hasKey: false,
		},
		expect.objectContaining({ path: '/page/anything', status: 200, hasKey: true }),
	]);
	expect(JSON.stringify(listed)).not.toContain(sandbox.apiKey);
	expect((await client.delete('/sandbox/requests')).status).toBe(204);
	expect(await requests()).toEqual([]);
});

test.each([
	['/', 200],
	['/page', 200],
	[`/page${API}/config`, 200],
	[`/wrong${API}/config`, 404],
])(
	'%s, an address for people or a wrong one, is a web page with status %i',
	async (path, status) => {
		const response = await together().client.get<string>(path);
		expect(response.status).toBe(status);
		expect(response.headers['content-type']).toMatch(/^text\/html/);
		if (status === 200) expect(response.data).toContain('/sandbox/announcements');
	},
);

test('each sandbox has a free port and its own memory; stopping twice is no harm', async () => {
	const [one, two] = [await rehearse(), await rehearse()];
	expect(one.sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	await one.announce({ sourceHash: EVM_HASH });
	expectError(await two.ask('status', { sourceHash: EVM_HASH }), 'NOT_FOUND');
	await one.sandbox.stop();
	await one.sandbox.stop();
	const [error] = (await once(
		connect(Number(new URL(one.sandbox.url).port), '127.0.0.1'),
		'error',
	)) as [Error];
	expect(error).toMatchObject({ code: 'ECONNREFUSED' });
	expect((await two.client.get<unknown>('/sandbox/health')).data).toEqual({ ok: true });
});
