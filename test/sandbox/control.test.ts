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
const PARAMS_AS_TEXT = { ...PARAMS, inputNetwork: '101', outputNetwork: '102' };

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
		['the quote parameters as text', () => PARAMS_AS_TEXT],
	])('%s makes the quoted order, which begins now', async (_form, bodyOf) => {
		const rehearsal = await rehearse();
		const quote = await quoteOf(rehearsal);
		const { status, data } = await submit(rehearsal, bodyOf(quote));
		expect([status, data.sourceHash]).toEqual([201, expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
		const { inputTokenContract: token, inputTokenAmount: amount } = PARAMS;
		expect(await rehearsal.order(data.sourceHash)).toMatchObject({
			status: 'pending',
			input: { chainId: 101, token, amount, address: EVM_WALLET },
		});
		rehearsal.clock.advance(15);
		const { amount: received } = quote.data.tokenOut;
		expect(await rehearsal.order(data.sourceHash)).toMatchObject({
			status: 'completed',
			output: { chainId: 102, amount: received, address: PARAMS.destinationAddress },
		});
	});

	test('a Solana-like quote can be submitted too, and gets a base58 hash', async () => {
		const route = { inputNetwork: 201, outputNetwork: 101, inputTokenAmount: '1000000000' };
		const wallets = { sourceAddress: SOLANA_WALLET, destinationAddress: EVM_WALLET };
		const { data } = await quoteOf(together(), { ...route, ...wallets });
		const { sourceHash } = (await submit(together(), data)).data;
		expect(sourceHash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
		const input = { chainId: 201, amount: '1000000000', address: SOLANA_WALLET };
		expect(await together().order(sourceHash)).toMatchObject({ input });
		await together().client.delete('/sandbox/orders');
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

	test.each<[string, (quote: Quote) => unknown]>([
		['the approval', ({ data }) => data.transactions[0]],
		['no transaction at all', () => ({ transactions: [] })],
		['foreign data', () => ({ data: '0xdeadbeef' })],
		['data that is cut off', ({ data }) => ({ data: data.transactions[1]?.data.slice(0, 60) })],
		['an unknown final status', () => ({ end: 'lost' })],
	])('%s is rejected', async (_what, bodyOf) => {
		const body = bodyOf(await quoteOf(together()));
		expectError(await submit(together(), body), 'INVALID_PARAMETER');
		expect(await together().orders()).toEqual([]);
	});
});

describe('POST /sandbox/announcements: hashes known now that begin later', () => {
	test('NOT_FOUND until the begin, then the plan runs', async () => {
		const { announce, ask, order, clock } = await rehearse();
		const in60s = { sourceHash: EVM_HASH, end: 'failed' as const };
		const announced = await announce(
			{ ...in60s, beginsAfterSeconds: 60, endsAfterSeconds: 10 },
			{ beginsAfterSeconds: 90, end: 'never' },
		);
		const inSeconds = (seconds: number) => new Date(clock.ms + 1000 * seconds).toISOString();
		const sourceHash = expect.stringMatching(/^0x[0-9a-f]{64}$/) as string;
		const status = 'announced';
		expect(announced).toEqual([
			{ ...in60s, status, startsAt: inSeconds(60), endsAt: inSeconds(70) },
			{ sourceHash, status, startsAt: inSeconds(90), endsAt: null, end: 'never' },
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

	test.each([
		[{}, 'INVALID_PARAMETER', 'orders'],
		[{ orders: [{ endAfterSeconds: 5 }] }, 'INVALID_PARAMETER', 'endAfterSeconds'],
		[{ orders: [{ sourceHash: '0x12' }] }, 'INVALID_PARAMETER', '0x12'],
		[{ orders: [{ inputNetwork: 5 }] }, 'NOT_FOUND', '5'],
	])('%j is rejected with a sentence', async (body, code, named) => {
		expectError(await together().client.post('/sandbox/announcements', body), code, named);
	});
});

describe('POST /sandbox/orders/:sourceHash/end', () => {
	const end = async ({ client }: Rehearsal, status?: string, hash = EVM_HASH) =>
		await client.post<OrderSummary>(`/sandbox/orders/${hash}/end`, status && { status });

	test.each(['completed', 'refunded', 'failed'] as const)(
		'finishes an open order now, for good: %s',
		async (status) => {
			const rehearsal = await rehearse();
			const { announce, order, clock } = rehearsal;
			await announce({ sourceHash: EVM_HASH, end: 'never', executesAfterSeconds: 200 });
			clock.advance(100);
			expect(await end(rehearsal, status)).toMatchObject({
				status: 200,
				data: { status, end: status, endsAt: new Date(clock.ms).toISOString() },
			});
			const timing = { duration: 100, completedAt: clock.seconds };
			expect(await order()).toMatchObject({ status, timing });
			expectError(await end(rehearsal, 'completed'), 'CONFLICT');
			expect(await order()).toMatchObject({ status });
		},
	);

	test('an announced order begins and finishes now; an unknown hash is NOT_FOUND, an unknown status or none INVALID_PARAMETER', async () => {
		const rehearsal = await rehearse();
		await rehearsal.announce({ sourceHash: EVM_HASH, beginsAfterSeconds: 500 });
		expectError(await end(rehearsal, 'failed', OTHER_HASH), 'NOT_FOUND');
		expectError(await end(rehearsal, 'pending'), 'INVALID_PARAMETER');
		expectError(await end(rehearsal), 'INVALID_PARAMETER');
		await end(rehearsal, 'failed');
		const timing = { createdAt: rehearsal.clock.seconds, duration: 0 };
		expect(await rehearsal.order()).toMatchObject({ status: 'failed', timing });
	});
});

test('PATCH /sandbox/orders/:sourceHash: an unknown status word, null and absent parts, while the list shows the true status; and back again', async () => {
	const { announce, order, orders, clock, client } = await rehearse();
	const change = async (body: object, hash = EVM_HASH) =>
		await client.patch<OrderSummary>(`/sandbox/orders/${hash}`, body);
	await announce({ sourceHash: EVM_HASH, endsAfterSeconds: 5 });
	clock.advance(5);
	const before = await order();
	await change({
		answer: { status: 'settling', solver: null, output: { amount: null }, note: 'new field' },
		absent: ['input', 'output.txHash', 'timing.nothing.here'],
	});
	const shown = await order();
	const output = { amount: null, chainId: 102 };
	expect(shown).toMatchObject({ status: 'settling', solver: null, output, note: 'new field' });
	expect(shown).not.toHaveProperty('input');
	expect(shown.output).not.toHaveProperty('txHash');
	expect(await orders()).toMatchObject([{ status: 'completed' }]);
	await change({ answer: {}, absent: [] });
	expect(await order()).toEqual(before);
	expectError(await change({}, OTHER_HASH), 'NOT_FOUND');
	expectError(await change({ status: 'failed' }), 'INVALID_PARAMETER');
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
	const get = { method: 'GET', at: new Date(clock.ms).toISOString() };
	const chainID = { chainID: '101' };
	await ask('config', chainID);
	await as().ask('status');
	const listed = await requests();
	expect(listed).toEqual([
		{ ...get, path: `${API}/config`, query: chainID, status: 200, hasKey: true },
		{ ...get, path: `${API}/status`, query: {}, status: 401, hasKey: false },
	]);
	expect(JSON.stringify(listed)).not.toContain(sandbox.apiKey);
	expect((await client.delete('/sandbox/requests')).status).toBe(204);
	expect(await requests()).toEqual([]);
});

test.each([
	['/', 200],
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
