import type { IDataObject } from 'n8n-workflow';

import { byId, GET_QUOTE, WALLET } from './quoteFields';
import { ranAction } from './ranAction';
import { wallClockAhead } from './sandboxed';
import { begun, bridge, events, messages, n8n, open, polling, polls, post, UNKNOWN } from './scene';

/** What a bridge may respond about an order without being asked for it by the interface: zeros, other units, other envelopes. */

const NO_HASH = `0x${'0'.repeat(64)}`;
const NOBODY = `0x${'0'.repeat(40)}`;
/** As services write a leg that does not exist yet. */
const UNSET = {
	chainId: 0,
	txHash: NO_HASH,
	token: NOBODY,
	amount: '0',
	address: NOBODY,
	timestamp: 0,
};

const statusOf = async (sourceHash: string, options: IDataObject = {}) =>
	await ranAction(bridge, { operation: 'getStatus', sourceHash, options });
const finished = async (answer: IDataObject) => {
	const [hash = ''] = await bridge.begin({ end: 'completed', endsAfterSeconds: 0, answer });
	return hash;
};
const always = async (answer: IDataObject) =>
	await bridge.fault({
		kind: 'body',
		endpoint: 'status',
		body: JSON.stringify(answer),
		times: 'always',
	});
/** After 60 seconds without a tick n8n would have stood still, and of them a poll takes some. */
const minutesOfPolls = async (poll: () => Promise<unknown>, minutes: number) => {
	for (let minute = 1; minute <= minutes; minute++) {
		wallClockAhead(55_000 * minute);
		await poll();
	}
};
const emitted = () => n8n.started.map(({ json }) => json);

describe('zeros stand for what the bridge does not have', () => {
	test.each<[string, IDataObject, IDataObject]>([
		['a whole output', { ...UNSET, chainId: 102 }, { received: null, asExpected: null }],
		['an output on no network', UNSET, { received: null, asExpected: null }],
		['the recipient alone', { address: NOBODY }, { asExpected: null }],
		['zeros without 0x', { address: '0'.repeat(40) }, { asExpected: null }],
	])('%s is neither another wallet nor nothing that arrived', async (_what, output, expected) => {
		const poll = await begun('usual');
		const sourceHash = await finished({ output });
		await post({ sourceHash, recipient: WALLET, minimumReceived: '0.0001 ETH' });
		await poll();
		expect(emitted()).toMatchObject([{ event: 'completed', recipient: null, ...expected }]);
	});

	test.each(['50 USDC', '100 smallest units of USDC'])(
		'nor another token than in the minimum %s',
		async (minimumReceived) => {
			const poll = await begun('usual');
			const sourceHash = await finished({ output: { ...UNSET, chainId: 102 } });
			await post({ sourceHash, minimumReceived });
			await poll();
			expect(emitted()).toMatchObject([{ event: 'completed', asExpected: null }]);
		},
	);

	test('the zeros of Solana are no wallet, either', async () => {
		const poll = await begun('usual');
		const sourceHash = await finished({ output: { address: '1'.repeat(32) } });
		await post({ sourceHash, recipient: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV' });
		await poll();
		expect(emitted()).toMatchObject([{ recipient: null, asExpected: null }]);
	});

	test('no amount of zero is sent', async () => {
		const [hash = ''] = await bridge.begin({ end: 'never', answer: { input: { amount: '0' } } });
		const { item } = await statusOf(hash);
		expect(item).toMatchObject({ status: 'pending', sent: null });
		expect(item?.summary).not.toMatch(/\b0 ETH/);
	});

	const AT_WALLET = { txHash: null, token: NOBODY, amount: '0', address: WALLET };
	test.each<[string, 'completed' | 'refunded', IDataObject, IDataObject]>([
		[
			'has arrived without a transaction',
			'completed',
			{ output: AT_WALLET },
			{ outputAmount: null, received: null, recipient: WALLET, asExpected: null },
		],
		[
			'came back without a transaction',
			'refunded',
			{ refund: { ...AT_WALLET, chainId: 101 } },
			{ refundAmount: null, refundAddress: WALLET },
		],
		[
			'came back by a transaction',
			'refunded',
			{ refund: { ...AT_WALLET, chainId: 101, txHash: UNKNOWN } },
			{ refundAmount: null, refundTxHash: UNKNOWN },
		],
	])('no amount of zero %s', async (_what, end, answer, expected) => {
		const poll = await begun('usual', { simplify: false });
		const [sourceHash = ''] = await bridge.begin({ end, endsAfterSeconds: 0, answer });
		await post({ sourceHash, recipient: WALLET, minimumReceived: '0.0001 ETH' });
		await poll();
		expect(emitted()).toMatchObject([expected]);
		expect(emitted()[0]?.summary).not.toMatch(/\b0 ETH/);
	});

	test('an amount of zero that arrived at a wallet is one', async () => {
		const poll = await begun('usual');
		const sourceHash = await finished({ output: { amount: '0' } });
		await post({ sourceHash, minimumReceived: '0.0001 ETH' });
		await poll();
		expect(emitted()).toMatchObject([{ received: '0 ETH', asExpected: false }]);
	});

	test('an open order without an output is not on its way to network 0', async () => {
		const solver = { address: NOBODY, assignedAt: 0 };
		const [hash = ''] = await bridge.begin({ end: 'never', answer: { output: UNSET, solver } });
		const { item } = await ranAction(bridge, {
			operation: 'getStatus',
			sourceHash: hash,
			simplify: false,
		});
		expect(item?.summary).not.toContain('network 0');
		expect(item).toMatchObject({
			recipient: null,
			outputChainId: null,
			outputTxHash: null,
			outputAmount: null,
			solverAddress: null,
		});
	});

	test('an order of nothing else is not found', async () => {
		const timing = { createdAt: 0, expiry: 0, completedAt: 0, duration: 0 };
		const data = { orderId: NO_HASH, status: '', input: UNSET, output: UNSET, timing };
		await always({ success: true, data });
		const { item } = await statusOf(UNKNOWN, { notFound: 'item' });
		expect(item).toMatchObject({ status: 'notFound' });
		expect(item).not.toHaveProperty('otherHash');
	});

	test('no link leads to a transaction of zeros, and no order is about it', async () => {
		const hash = await finished({ input: { txHash: NO_HASH }, output: { txHash: NO_HASH } });
		const address = 'https://scan.example/tx/';
		const explorer = ['101', '102'].map((network) => ({ network: byId(network), address }));
		const { item } = await statusOf(hash, { blockExplorers: { explorer } });
		expect(item).toMatchObject({ summary: expect.stringMatching(/^✅/), link: null });
		expect(item).not.toHaveProperty('otherHash');
	});

	const BACK = {
		txHash: `0x${'ab'.repeat(32)}`,
		token: NOBODY,
		amount: '499000000000000000',
		address: WALLET,
	};
	test.each<[string, IDataObject]>([
		['the output has network 0', { output: { ...BACK, chainId: 0 } }],
		['the refund is empty', { refund: {}, output: { ...BACK, chainId: 101 } }],
		['the refund is of zeros', { refund: UNSET, output: { ...BACK, chainId: 101 } }],
		[
			'the output went back as well',
			{
				refund: { ...BACK, chainId: 101 },
				output: { ...BACK, chainId: 101, txHash: UNKNOWN, amount: '1' },
			},
		],
	])('what came back is not lost where %s', async (_what, answer) => {
		const [hash = ''] = await bridge.begin({ end: 'refunded', endsAfterSeconds: 0, answer });
		const { item } = await ranAction(bridge, {
			operation: 'getStatus',
			sourceHash: hash,
			simplify: false,
		});
		expect(item).toMatchObject({ refundAmount: BACK.amount });
	});

	test('an ID of zeros leads to no page', async () => {
		const [hash = ''] = await bridge.begin({ end: 'never', answer: { orderId: NO_HASH } });
		const { item } = await statusOf(hash, { orderPage: 'https://bridge.example/orders/{orderId}' });
		expect(item?.link).toBeNull();
	});

	test('a refund of zeros is none', async () => {
		const [hash = ''] = await bridge.begin({
			end: 'refunded',
			endsAfterSeconds: 0,
			answer: { output: { ...UNSET, chainId: 101 } },
		});
		const { item } = await ranAction(bridge, {
			operation: 'getStatus',
			sourceHash: hash,
			simplify: false,
		});
		expect(item).toMatchObject({ status: 'refunded', refundAmount: null, refundTxHash: null });
	});
});

test('where one amount of an order has decimals, no other one is read in the smallest unit', async () => {
	const poll = await begun('usual');
	const orders: Array<[IDataObject, IDataObject, string]> = [
		[{ amount: '0.5' }, { amount: '1246', decimals: 6 }, '1000 smallest units'],
		[{ amount: '5' }, { amount: '4.98' }, '0.49 ETH'],
	];
	for (const [input, output, minimumReceived] of orders)
		await post({ sourceHash: await finished({ input, output }), minimumReceived });
	await poll();
	const unread = { asExpected: null, sent: null, received: null };
	expect(emitted()).toMatchObject([unread, unread]);
});

test.each<[string, (order: IDataObject) => IDataObject]>([
	['in a list', (order) => ({ orders: [order], total: 1 })],
	['in an object', (order) => ({ order })],
	['two levels deeper', (order) => ({ result: { order } })],
	['next to a message', (order) => ({ message: 'OK', order })],
	['next to a code', (order) => ({ code: 'SUCCESS', order })],
	['next to a status that is none of an order', (order) => ({ status: 'success', order })],
	['next to a hash', (order) => ({ hash: (order.input as IDataObject).txHash, order })],
	['next to its ID', (order) => ({ orderId: order.orderId, order })],
])(
	'an order that lies deeper is not taken for one without a status: %s',
	async (_what, wrapped) => {
		const [hash = ''] = await open();
		const order = { orderId: '0x1', status: 'completed', input: { txHash: hash } };
		await always({ success: true, data: wrapped(order) });
		const { error } = await statusOf(hash);
		expect(error?.message).toBe("The bridge's response could not be read");
		const watch = polling([hash], { events: ['completed', 'interrupted'] });
		await minutesOfPolls((await n8n.publish([watch])).poll, 16);
		expect(emitted().map(({ event }) => event)).toEqual(['interrupted']);
	},
);

test('an order that waits for its deposit, and has steps with a status of their own, is one', async () => {
	const [hash = ''] = await bridge.begin({
		end: 'never',
		answer: { status: 'waiting for deposit', steps: [{ name: 'deposit', status: 'pending' }] },
	});
	const { error, item } = await statusOf(hash);
	expect(error).toBeUndefined();
	expect(item).toMatchObject({ status: 'waiting for deposit', outcome: null });
});

test.each<[string, IDataObject, RegExp]>([
	['an error of its own', { code: 500, message: 'Something went wrong' }, /^The bridge is tempor/],
	['one as text', { statusCode: '503', message: 'Busy' }, /^The bridge is temporarily/],
	['one inside', { error: { code: 502, message: 'Upstream' } }, /^The bridge is temporarily/],
	['in a list', { errors: [{ code: 503, message: 'Maintenance' }] }, /^The bridge is temporarily/],
	['a bare number', { error: 503, message: 'Maintenance' }, /^The bridge is temporarily/],
	['the key', { code: 401, message: 'No' }, /^The bridge does not accept the API key/],
])(
	'a failure with HTTP 200 may have its HTTP status as the code: %s',
	async (_what, failure, words) => {
		const body = JSON.stringify({ success: false, ...failure });
		await bridge.fault({ kind: 'body', body, times: 'always' });
		const { error } = await ranAction(bridge, { operation: 'getConfig' });
		expect(error?.message).toMatch(words);
	},
);

test.each([500, 429])('one that says %d blames neither the key nor the address', async (code) => {
	const [hash = ''] = await open();
	const registered = await n8n.publish([polling([hash], { events: ['completed', 'interrupted'] })]);
	const body = JSON.stringify({ success: false, code, message: 'Something went wrong' });
	await bridge.fault({ kind: 'body', body, times: 'always' });
	await polls(registered, 3);
	expect(emitted()).toEqual([]);
	expect(messages().join()).not.toContain('API key');
});

test('a failure with an HTTP status of its own has that one', async () => {
	const body = JSON.stringify({ success: false, code: 503, message: 'no' });
	await bridge.fault({ kind: 'body', status: 401, body, times: 'always' });
	const { error } = await ranAction(bridge, { operation: 'getConfig' });
	expect(error?.message).toMatch(/^The bridge does not accept the API key/);
});

describe('HTTP 204 for an order is one that is not there yet', () => {
	beforeEach(
		async () =>
			await bridge.fault({ kind: 'empty', endpoint: 'status', status: 204, times: 'always' }),
	);

	test('in Get Status', async () => {
		const { item } = await statusOf(UNKNOWN, { notFound: 'item' });
		expect(item).toMatchObject({ status: 'notFound' });
	});

	test('in the trigger, which is not interrupted by it', async () => {
		const watch = polling([UNKNOWN], { events: ['interrupted'] });
		await minutesOfPolls((await n8n.publish([watch])).poll, 16);
		expect([events(), messages()]).toEqual([[], []]);
	});
});

describe('what is said of the API key is about the key', () => {
	const NOT_ACCEPTED = 'The bridge does not accept the API key. Correct it in the credential.';

	test.each<[number, string, string]>([
		[400, 'INVALID_PARAMETER', 'The x-api-key header is invalid'],
		[400, 'INVALID_PARAMETER', 'Missing API key'],
		[404, 'NOT_FOUND', 'API key not found'],
		[200, 'NOT_FOUND', 'API key not found'],
	])('HTTP %d, %s, %s', async (status, code, message) => {
		const [hash = ''] = await open();
		const registered = await n8n.publish([polling([hash], { events: ['interrupted'] })]);
		await bridge.fault({ kind: 'error', status, code, message, times: 'always' });
		const { error } = await ranAction(bridge, { operation: 'getConfig' });
		expect(error?.message).toBe(NOT_ACCEPTED);
		await minutesOfPolls(registered.poll, 8);
		expect(emitted()).toMatchObject([
			{ event: 'interrupted', summary: expect.stringContaining(NOT_ACCEPTED) },
		]);
	});
});

describe('what only mentions the key is not about it', () => {
	test.each([
		['destinationAddress is not whitelisted for this API key', "'Recipient' was not accepted"],
		['slippage above 1 is not allowed for this API key', "'Slippage' was not accepted"],
		['slippage is invalid for this API key', "'Slippage' was not accepted"],
	])('%s', async (message, expected) => {
		const fault = { kind: 'error', status: 400, code: 'INVALID_PARAMETER', message } as const;
		await bridge.fault({ ...fault, endpoint: 'quote', times: 'always' });
		const { error } = await ranAction(bridge, GET_QUOTE);
		expect(error?.message).toBe(expected);
	});

	test('a hash of another key is that order’s own, and interrupts nothing', async () => {
		const [hash = ''] = await open();
		const message = 'sourceHash was not created with this API key';
		const fault = { kind: 'error', status: 400, code: 'INVALID_PARAMETER', message } as const;
		await bridge.fault({ ...fault, endpoint: 'status', times: 'always' });
		const watch = polling([hash], { events: ['interrupted', 'delayed'] });
		await minutesOfPolls((await n8n.publish([watch])).poll, 16);
		expect(emitted()).toMatchObject([
			{ event: 'delayed', summary: expect.stringContaining('was not created with this API key') },
		]);
	});

	test('a wrong address whose 404 advertises keys is a wrong address', async () => {
		const body = JSON.stringify({ message: 'Unknown endpoint. Get your API key at https://x.com' });
		await bridge.fault({ kind: 'body', status: 404, body, times: 'always' });
		const { error } = await ranAction(bridge, { operation: 'getConfig' });
		expect(error?.message).toMatch(/^The Base URL does not lead to the bridge/);
	});
});

test('an order has not finished at a time that is yet to come', async () => {
	const now = Math.floor(Date.now() / 1000);
	const timing = { createdAt: now - 20, completedAt: now + 86_400, duration: 12 };
	const { item } = await statusOf(await finished({ timing }));
	expect(item).toMatchObject({ summary: expect.stringContaining('after 12 s'), finishedAt: null });
});
