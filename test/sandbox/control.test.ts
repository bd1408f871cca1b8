import { once } from 'node:events';
import { connect } from 'node:net';
import axios from 'axios';
import { startSandbox } from '../../sandbox';
import type { LoggedRequest, OrderSummary } from '../../sandbox';
import { RequestLog } from '../../sandbox/requestLog';
import {
	API,
	clientOf,
	errorBody,
	EVM_HASH,
	EVM_WALLET,
	rehearse,
	rehearseTogether,
	stopAll,
} from './rehearsal';

afterEach(stopAll);
const together = rehearseTogether();

const OTHER_HASH = `0x${'cd'.repeat(32)}`;
const USDC_ON_ETHEREUM = '0x166cab27f2cbb40426a5742c477d609e0716128b';
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
	data: {
		tokenOut: { amount: string };
		transactions: Array<{ type: string; to: string; data: string }>;
	};
}

describe('POST /sandbox/transactions: the part of the chain', () => {
	/** The ways in which a workflow may hand a quote on. */
	const forms: Array<[form: string, of: (quote: Quote) => unknown]> = [
		["the quote's data", (quote) => quote.data],
		['the whole answer', (quote) => quote],
		['the bridge transaction', (quote) => quote.data.transactions[1]],
		["only the bridge transaction's data", (quote) => ({ data: quote.data.transactions[1]?.data })],
		['the quote parameters', () => PARAMS],
		[
			'the quote parameters with ids as text',
			() => ({ ...PARAMS, inputNetwork: '101', outputNetwork: '102' }),
		],
	];

	test.each(forms)('%s makes the quoted order, which begins now', async (_form, bodyOf) => {
		const { client, status, clock } = await rehearse();
		const quote = (await client.get<Quote>(`${API}/quote`, { params: PARAMS })).data;
		const submitted = await client.post<OrderSummary>('/sandbox/transactions', bodyOf(quote));
		expect(submitted.status).toBe(201);
		const { sourceHash } = submitted.data;
		expect(sourceHash).toMatch(/^0x[0-9a-f]{64}$/);
		expect((await status(sourceHash)).data).toMatchObject({
			data: {
				status: 'pending',
				input: { chainId: 101, token: USDC_ON_ETHEREUM, amount: '5000000', address: EVM_WALLET },
			},
		});
		clock.advance(15);
		expect((await status(sourceHash)).data).toMatchObject({
			data: {
				status: 'completed',
				output: {
					chainId: 102,
					amount: quote.data.tokenOut.amount,
					address: PARAMS.destinationAddress,
				},
			},
		});
	});

	test('a Solana-like quote can be submitted too, and gets a base58 hash', async () => {
		const { client, status } = await rehearse();
		const params = {
			inputNetwork: 201,
			outputNetwork: 101,
			inputTokenAmount: '1000000000',
			sourceAddress: '4BCkqJvPiVKgaL2jnhyGVrEHXUygHQuLvMKbyW24brGE',
			destinationAddress: EVM_WALLET,
		};
		const quote = (await client.get<Quote>(`${API}/quote`, { params })).data;
		const { sourceHash } = (await client.post<OrderSummary>('/sandbox/transactions', quote.data))
			.data;
		expect(sourceHash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
		expect((await status(sourceHash)).data).toMatchObject({
			data: { input: { chainId: 201, amount: '1000000000', address: params.sourceAddress } },
		});
	});

	test('how and when it finishes, and its hash, can be chosen', async () => {
		const { client, status, clock } = await rehearse();
		const quote = (await client.get<Quote>(`${API}/quote`, { params: PARAMS })).data;
		const response = await client.post<OrderSummary>('/sandbox/transactions', {
			...quote.data,
			sourceHash: EVM_HASH,
			end: 'refunded',
			endsAfterSeconds: 30,
		});
		expect(response.data).toEqual({
			sourceHash: EVM_HASH,
			status: 'pending',
			startsAt: new Date(clock.ms).toISOString(),
			endsAt: new Date(clock.ms + 30_000).toISOString(),
			end: 'refunded',
		});
		clock.advance(30);
		expect((await status(EVM_HASH)).data).toMatchObject({ data: { status: 'refunded' } });
	});

	test('without any body there is an order of defaults, each time another', async () => {
		const { sandbox } = await rehearse();
		const anyone = clientOf(sandbox.url);
		const first = await anyone.post<OrderSummary>('/sandbox/transactions');
		const second = await anyone.post<OrderSummary>('/sandbox/transactions', {});
		expect([first.status, second.status]).toEqual([201, 201]);
		expect(first.data.sourceHash).not.toBe(second.data.sourceHash);
	});

	test.each([
		['the approval', (quote: Quote) => quote.data.transactions[0]],
		[
			'no bridge transaction',
			(quote: Quote) => ({ transactions: quote.data.transactions.slice(0, 1) }),
		],
		['no transaction at all', () => ({ transactions: [] })],
		['foreign data', () => ({ data: '0xdeadbeef' })],
		[
			'data that is cut off',
			(quote: Quote) => ({ data: quote.data.transactions[1]?.data.slice(0, 60) }),
		],
		['data that is no text', () => ({ data: 5 })],
		['an unknown final status', () => ({ end: 'lost' })],
		['a time below zero', () => ({ endsAfterSeconds: -1 })],
	])('%s is rejected', async (_what, bodyOf) => {
		const { client } = together();
		const quote = (await client.get<Quote>(`${API}/quote`, { params: PARAMS })).data;
		const response = await client.post<unknown>('/sandbox/transactions', bodyOf(quote));
		expect(response.status).toBe(400);
		expect(response.data).toEqual(errorBody('INVALID_PARAMETER'));
		expect((await client.get<unknown>('/sandbox/orders')).data).toEqual({ orders: [] });
	});
});

describe('POST /sandbox/announcements: hashes known now that begin later', () => {
	test('NOT_FOUND until the begin, then the plan runs', async () => {
		const { announce, status, clock } = await rehearse();
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
		const early = await status(EVM_HASH);
		expect(early.status).toBe(404);
		expect(early.data).toEqual(errorBody('NOT_FOUND'));
		clock.advance(0.001);
		const begun = await status(EVM_HASH);
		expect(begun.data).toMatchObject({
			data: { status: 'pending', timing: { createdAt: clock.seconds } },
		});
		clock.advance(10);
		expect((await status(EVM_HASH)).data).toMatchObject({
			data: { status: 'failed', timing: { duration: 10 } },
		});
	});

	test('all or none: a known hash, or one twice in any case, is 409 and nothing is announced', async () => {
		const { announce, client } = await rehearse();
		await announce({ sourceHash: EVM_HASH });
		for (const sourceHashes of [
			[OTHER_HASH, EVM_HASH],
			[OTHER_HASH, OTHER_HASH.toUpperCase()],
		]) {
			const orders = sourceHashes.map((sourceHash) => ({ sourceHash }));
			const response = await client.post<unknown>('/sandbox/announcements', { orders });
			expect(response.status).toBe(409);
			expect(response.data).toEqual(errorBody('CONFLICT'));
		}
		const { orders } = (await client.get<{ orders: OrderSummary[] }>('/sandbox/orders')).data;
		expect(orders.map(({ sourceHash }) => sourceHash)).toEqual([EVM_HASH]);
	});

	test.each([
		['no list', {}, 'orders'],
		['an unknown field', { orders: [{ endAfterSeconds: 5 }] }, 'endAfterSeconds'],
		['a hash that is none', { orders: [{ sourceHash: '0x12' }] }, '0x12'],
		['an unknown final status', { orders: [{ end: 'lost' }] }, 'end'],
	])('%s is rejected with a sentence', async (_what, body, named) => {
		const { client } = together();
		const response = await client.post<{ error: { message: string } }>(
			'/sandbox/announcements',
			body,
		);
		expect(response.status).toBe(400);
		expect(response.data).toEqual(errorBody('INVALID_PARAMETER'));
		expect(response.data.error.message).toContain(named);
	});

	test('an unknown network is 404', async () => {
		const { client } = together();
		const response = await client.post<unknown>('/sandbox/announcements', {
			orders: [{ inputNetwork: 5 }],
		});
		expect(response.status).toBe(404);
		expect(response.data).toEqual(errorBody('NOT_FOUND'));
	});

	test('a thousand orders can be announced at once', async () => {
		const { announce } = await rehearse();
		const announced = await announce(...Array.from({ length: 1000 }, () => ({})));
		expect(new Set(announced.map(({ sourceHash }) => sourceHash)).size).toBe(1000);
	});
});

describe('POST /sandbox/orders/:sourceHash/end', () => {
	test.each(['completed', 'refunded', 'failed'] as const)(
		'finishes an open order now: %s',
		async (end) => {
			const { announce, client, status, clock } = await rehearse();
			await announce({ sourceHash: EVM_HASH, end: 'never', executesAfterSeconds: 2 });
			clock.advance(100);
			const response = await client.post<OrderSummary>(`/sandbox/orders/${EVM_HASH}/end`, {
				status: end,
			});
			expect(response.status).toBe(200);
			expect(response.data).toMatchObject({
				status: end,
				end,
				endsAt: new Date(clock.ms).toISOString(),
			});
			expect((await status(EVM_HASH)).data).toMatchObject({
				data: { status: end, timing: { duration: 100, completedAt: clock.seconds } },
			});
		},
	);

	test('a pending order that is completed now got its solver now', async () => {
		const { announce, client, status, clock } = await rehearse();
		await announce({ sourceHash: EVM_HASH, end: 'never', executesAfterSeconds: 50 });
		clock.advance(3);
		await client.post(`/sandbox/orders/${EVM_HASH}/end`, { status: 'completed' });
		expect((await status(EVM_HASH)).data).toMatchObject({
			data: { solver: { assignedAt: clock.seconds } },
		});
	});

	test('an announced order begins and finishes now', async () => {
		const { announce, client, status, clock } = await rehearse();
		await announce({ sourceHash: EVM_HASH, beginsAfterSeconds: 500 });
		await client.post(`/sandbox/orders/${EVM_HASH}/end`, { status: 'failed' });
		expect((await status(EVM_HASH)).data).toMatchObject({
			data: { status: 'failed', timing: { createdAt: clock.seconds, duration: 0 } },
		});
	});

	test('a final status is final: a second one is 409 and changes nothing', async () => {
		const { announce, client, status } = await rehearse();
		await announce({ sourceHash: EVM_HASH, end: 'never' });
		await client.post(`/sandbox/orders/${EVM_HASH}/end`, { status: 'failed' });
		const second = await client.post<unknown>(`/sandbox/orders/${EVM_HASH}/end`, {
			status: 'completed',
		});
		expect(second.status).toBe(409);
		expect(second.data).toEqual(errorBody('CONFLICT'));
		expect((await status(EVM_HASH)).data).toMatchObject({ data: { status: 'failed' } });
	});

	test('an unknown hash is 404, an unknown status 400', async () => {
		const { announce, client } = await rehearse();
		await announce({ sourceHash: EVM_HASH });
		expect(
			(await client.post(`/sandbox/orders/${OTHER_HASH}/end`, { status: 'failed' })).status,
		).toBe(404);
		expect(
			(await client.post(`/sandbox/orders/${EVM_HASH}/end`, { status: 'pending' })).status,
		).toBe(400);
		expect((await client.post(`/sandbox/orders/${EVM_HASH}/end`)).status).toBe(400);
	});
});

describe('PATCH /sandbox/orders/:sourceHash', () => {
	test('changes how and when an order finishes', async () => {
		const { announce, client, status, clock } = await rehearse({ speed: 2 });
		await announce({ sourceHash: EVM_HASH, endsAfterSeconds: 20 });
		const change = { end: 'refunded', endsAfterSeconds: 60, executesAfterSeconds: null };
		const response = await client.patch<OrderSummary>(`/sandbox/orders/${EVM_HASH}`, change);
		expect(response.data).toMatchObject({
			end: 'refunded',
			endsAt: new Date(clock.ms + 30_000).toISOString(),
		});
		clock.advance(29.999);
		expect((await status(EVM_HASH)).data).toMatchObject({ data: { status: 'pending' } });
		clock.advance(0.001);
		expect((await status(EVM_HASH)).data).toMatchObject({ data: { status: 'refunded' } });
	});

	test('an order that was never to finish does not finish in the past', async () => {
		const { announce, client, status, clock } = await rehearse();
		await announce({ sourceHash: EVM_HASH, end: 'never' });
		clock.advance(1000);
		await client.patch(`/sandbox/orders/${EVM_HASH}`, { end: 'completed' });
		expect((await status(EVM_HASH)).data).toMatchObject({
			data: { status: 'completed', timing: { completedAt: clock.seconds } },
		});
	});

	test('an unknown status word, null and absent parts; and back again', async () => {
		const { announce, client, status, clock } = await rehearse();
		await announce({ sourceHash: EVM_HASH, endsAfterSeconds: 5 });
		clock.advance(5);
		const before = (await status(EVM_HASH)).data;
		await client.patch(`/sandbox/orders/${EVM_HASH}`, {
			answer: { status: 'settling', solver: null, output: { amount: null }, note: 'new field' },
			absent: ['input', 'output.txHash', 'timing.nothing.here'],
		});
		const { data } = (await status(EVM_HASH)).data as {
			data: Record<string, Record<string, unknown>>;
		};
		expect(data).toMatchObject({
			status: 'settling',
			solver: null,
			output: { amount: null, chainId: 102 },
		});
		expect(data.note).toBe('new field');
		expect(data).not.toHaveProperty('input');
		expect(data.output).not.toHaveProperty('txHash');
		await client.patch(`/sandbox/orders/${EVM_HASH}`, { answer: {}, absent: [] });
		expect((await status(EVM_HASH)).data).toEqual(before);
	});

	test('the list still shows the true status', async () => {
		const { announce, client } = await rehearse();
		await announce({ sourceHash: EVM_HASH, answer: { status: 'settling' } });
		const { orders } = (await client.get<{ orders: OrderSummary[] }>('/sandbox/orders')).data;
		expect(orders[0]?.status).toBe('pending');
	});

	test('an unknown hash is 404, an unknown field 400', async () => {
		const { announce, client } = await rehearse();
		await announce({ sourceHash: EVM_HASH });
		expect((await client.patch(`/sandbox/orders/${OTHER_HASH}`, {})).status).toBe(404);
		expect((await client.patch(`/sandbox/orders/${EVM_HASH}`, { status: 'failed' })).status).toBe(
			400,
		);
	});
});

test('GET /sandbox/orders shows each state; DELETE forgets all', async () => {
	const { announce, client, clock } = await rehearse();
	await announce(
		{ beginsAfterSeconds: 100 },
		{ executesAfterSeconds: 50, endsAfterSeconds: 60 },
		{ executesAfterSeconds: 5, endsAfterSeconds: 60 },
		...(['completed', 'refunded', 'failed'] as const).map((end) => ({ end, endsAfterSeconds: 8 })),
	);
	clock.advance(10);
	const { orders } = (await client.get<{ orders: OrderSummary[] }>('/sandbox/orders')).data;
	expect(orders.map(({ status }) => status)).toEqual([
		'announced',
		'pending',
		'executing',
		'completed',
		'refunded',
		'failed',
	]);
	expect((await client.delete('/sandbox/orders')).status).toBe(204);
	expect((await client.get<unknown>('/sandbox/orders')).data).toEqual({ orders: [] });
});

describe('GET /sandbox/requests', () => {
	test('lists what arrived, with the fact of a key and never its value; DELETE clears', async () => {
		const { client, sandbox, clock } = await rehearse();
		await client.get(`${API}/config?chainID=101`);
		clock.advance(1);
		await clientOf(sandbox.url).get(`${API}/status`);
		await client.get('/page/anything');
		const listed = await client.get<{ requests: LoggedRequest[] }>('/sandbox/requests');
		expect(listed.data.requests).toEqual([
			{
				at: new Date(clock.ms - 1000).toISOString(),
				method: 'GET',
				path: `${API}/config`,
				query: { chainID: '101' },
				status: 200,
				hasKey: true,
			},
			{
				at: new Date(clock.ms).toISOString(),
				method: 'GET',
				path: `${API}/status`,
				query: {},
				status: 401,
				hasKey: false,
			},
			expect.objectContaining({ path: '/page/anything', status: 200, hasKey: true }),
		]);
		expect(JSON.stringify(listed.data)).not.toContain(sandbox.apiKey);
		expect((await client.delete('/sandbox/requests')).status).toBe(204);
		expect((await client.get<unknown>('/sandbox/requests')).data).toEqual({ requests: [] });
	});

	test('keeps the last 10,000', () => {
		const log = new RequestLog();
		for (let arrival = 0; arrival < 10_001; arrival += 1) {
			log.arrived({}, { at: String(arrival), method: 'GET', path: '/', query: {}, hasKey: false });
		}
		expect(log.all()).toHaveLength(10_000);
		expect(log.all()[0]?.at).toBe('1');
	});
});

describe('for people and wrong addresses', () => {
	test.each(['/', '/page', `/page${API}/config`])('%s is a web page', async (path) => {
		const { client } = together();
		const response = await client.get<string>(path);
		expect(response.status).toBe(200);
		expect(response.headers['content-type']).toMatch(/^text\/html/);
		expect(response.data).toContain('/sandbox/announcements');
	});

	test('any other path is a web page that says 404', async () => {
		const { client } = together();
		const response = await client.get<string>(`/wrong${API}/config`);
		expect(response.status).toBe(404);
		expect(response.headers['content-type']).toMatch(/^text\/html/);
	});

	test('GET /sandbox/health', async () => {
		const { client } = together();
		expect((await client.get<unknown>('/sandbox/health')).data).toEqual({ ok: true });
	});
});

describe('startSandbox', () => {
	test('each on a free port, each with its own memory; stopping twice is no harm', async () => {
		const [one, two] = [await rehearse(), await rehearse()];
		expect(one.sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		expect(one.sandbox.url).not.toBe(two.sandbox.url);
		await one.announce({ sourceHash: EVM_HASH });
		expect((await two.status(EVM_HASH)).status).toBe(404);
		await one.sandbox.stop();
		await one.sandbox.stop();
		const [error] = (await once(
			connect(Number(new URL(one.sandbox.url).port), '127.0.0.1'),
			'error',
		)) as [Error];
		expect(error).toMatchObject({ code: 'ECONNREFUSED' });
		expect((await two.client.get('/sandbox/health')).status).toBe(200);
	});

	test('a taken port is said so', async () => {
		const { sandbox } = await rehearse();
		await expect(startSandbox({ port: Number(new URL(sandbox.url).port) })).rejects.toMatchObject({
			code: 'EADDRINUSE',
		});
	});

	test.each([
		[{ speed: 0 }],
		[{ speed: Number.NaN }],
		[{ requestsPerMinute: -1 }],
		[{ requestsPerMinute: 1.5 }],
	])('%p is rejected', async (options) => {
		await expect(startSandbox(options)).rejects.toThrow(RangeError);
	});

	test('a body that is not JSON is rejected', async () => {
		const { sandbox } = together();
		const response = await axios.post<unknown>(`${sandbox.url}/sandbox/faults`, '{"kind":', {
			validateStatus: () => true,
		});
		expect(response.status).toBe(400);
		expect(response.data).toEqual(errorBody('INVALID_PARAMETER'));
	});
});
