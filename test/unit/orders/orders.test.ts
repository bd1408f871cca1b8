import fs from 'node:fs';
import path from 'node:path';
import { type Display, PLAIN_DISPLAY } from '../../../nodes/CrossChainBridge/orders/display';
import { orderItem } from '../../../nodes/CrossChainBridge/orders/orderItem';
import {
	completedAtMs,
	createdAtMs,
	expiryMs,
	hashShownBy,
	isFinalStatus,
	otherHashShownBy,
	outcomeOf,
	statusOf,
} from '../../../nodes/CrossChainBridge/orders/orders';
import type { PlainObject } from '../../../nodes/CrossChainBridge/orders/values';

const NOW = Date.parse('2025-01-01T00:00:20Z');

const fullItem = (sourceHash: string, order: object | null, display: Display = PLAIN_DISPLAY) =>
	orderItem({ sourceHash, order: order as PlainObject | null }, display, NOW).full;
const simpleItem = (order: object | null, display: Display = PLAIN_DISPLAY, more: object = {}) =>
	orderItem({ sourceHash: '0xAB', order: order as PlainObject | null, ...more }, display, NOW)
		.simple;

test.each<[string | null, boolean, string | null]>([
	['completed', true, 'success'],
	['refunded', true, 'unsuccessful'],
	['failed', true, 'unsuccessful'],
	['pending', false, null],
	['executing', false, null],
	['success', false, null],
	['notFound', false, null],
	['', false, null],
	[null, false, null],
])('the status %j: final %s, outcome %s', (status, final, outcome) => {
	expect(isFinalStatus(status)).toBe(final);
	expect(outcomeOf(status)).toBe(outcome);
});

test('both spellings of the chain’s ID are read, and null and absent are the same', () => {
	const wanted = { inputChainId: 7, outputChainId: '8' };
	expect(fullItem('h', { input: { chainID: 7 }, output: { chainId: '8' } })).toMatchObject(wanted);
	expect({ ...fullItem('h', { output: null }), order: {} }).toEqual(fullItem('h', {}));
});

/** The fields of an item. */
const LEG_FIELDS =
	'ChainId Network Token TokenSymbol Amount AmountReadable DecimalsFrom Address TxHash TxUrl Time';
const TEN_FIELDS =
	'summary status outcome reference sent received recipient finishedAt link sourceHash'.split(' ');
const FIELDS = [
	...TEN_FIELDS,
	...['isFinal', 'orderId', 'route'],
	...['input', 'output', 'refund'].flatMap((side) =>
		LEG_FIELDS.split(' ').map((name) => side + name),
	),
	...'solverAddress solverAssignedAt createdAt expiresAt completedAt durationSeconds order'.split(
		' ',
	),
];

test.each(['getStatus', 'waitForCompletion'])(
	'the output schema of %s is the simplified item with all options at their defaults: the ten fields, each with its type',
	(operation) => {
		const folder = path.join(__dirname, '../../../nodes/CrossChainBridge/__schema__/v1.0.0');
		const { properties } = JSON.parse(
			fs.readFileSync(path.join(folder, `${operation}.json`), 'utf8'),
		) as { properties: Record<string, { type: string }> };
		expect(Object.entries(properties).map(([name, { type }]) => [name, [type]])).toEqual(
			TEN_FIELDS.map((name) => [name, ['string']]),
		);
		expect(Object.keys(simpleItem({}))).toEqual(TEN_FIELDS);
	},
);

const A = `0x${'a1'.repeat(32)}`;
const B = `0x${'b2'.repeat(32)}`;
const SOLANA =
	'5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

test.each<[unknown, string, string | null, string | null]>([
	[A, A, A, null],
	[A.toUpperCase().replace('0X', '0x'), A, A, null],
	[A.slice(2), A, A, null],
	[` ${A} `, A, A, null],
	[B, A, B, B],
	[B, A.slice(2), B, B],
	[SOLANA, SOLANA, SOLANA, null],
	// One chain may write a hash in two forms.
	[SOLANA, A, SOLANA, null],
	[A, SOLANA, A, null],
	[A, '0xAB', A, null],
	['0xab', A, null, null],
	['x'.repeat(100_000), A, null, null],
	[{ hash: B }, A, null, null],
	[null, A, null, null],
	[undefined, A, null, null],
])('an order that states the hash %j, asked for by %s', (txHash, asked, shows, other) => {
	const order = { input: { txHash } };
	expect([hashShownBy(order), otherHashShownBy(order, asked)]).toEqual([shows, other]);
});

test('an order that states another hash says so in its item', () => {
	const order = { status: 'completed', input: { txHash: B } } as PlainObject;
	const { simple, full } = orderItem({ sourceHash: A, order }, PLAIN_DISPLAY, NOW);
	expect([simple.otherHash, full.otherHash]).toEqual([B, B]);
	expect(simpleItem({ status: 'completed' })).not.toHaveProperty('otherHash');
});

test('whether all is as expected is not certain if the response is about another transaction; that something is not, is', () => {
	const expected = { recipient: '0xrecipient', minimumReceived: '5 smallest units' };
	const itemOf = (amount: string) =>
		orderItem(
			{
				sourceHash: A,
				order: {
					status: 'completed',
					input: { txHash: B },
					output: { amount, address: '0xrecipient' },
				} as PlainObject,
				expected,
			},
			PLAIN_DISPLAY,
			NOW,
		).simple;
	expect(itemOf('5')).toMatchObject({ otherHash: B, asExpected: null });
	expect(itemOf('4')).toMatchObject({ otherHash: B, asExpected: false });
});

test('what was expected is compared once the order is completed', () => {
	const expected = { recipient: '0xrecipient', minimumReceived: '5 smallest units' };
	const itemOf = (status: string) =>
		simpleItem({ status, output: { amount: '4', address: '0xrecipient' } }, PLAIN_DISPLAY, {
			expected,
		});
	expect(itemOf('completed').asExpected).toBe(false);
	for (const status of ['pending', 'refunded', 'failed'])
		expect(itemOf(status).asExpected).toBeNull();
	expect(simpleItem({ status: 'completed' })).not.toHaveProperty('asExpected');
});

const ZERO = `0x${'0'.repeat(40)}`;
const FAKE = `0x${'fa'.repeat(20)}`;

test.each<[string, object, string, string, boolean | null]>([
	['the native token', { NATIVE: ZERO }, ZERO, '1 ETH', true],
	['the native token, next to another ETH', { NATIVE: ZERO, ETH: FAKE }, ZERO, '1 ETH', null],
	['another ETH than the native token', { NATIVE: ZERO, ETH: FAKE }, FAKE, '1 ETH', null],
	['one of two', { USDC: FAKE, 'usdc ': '0x5' }, FAKE, '1 USDC', null],
	['one that is listed by two names', { NATIVE: ZERO, ETH: ZERO }, ZERO, '1 ETH', true],
	[
		'one that is named by its address',
		{ NATIVE: ZERO, ETH: FAKE },
		FAKE,
		`1 of token ${FAKE}`,
		true,
	],
	['another one than is named', { NATIVE: ZERO, ETH: FAKE }, FAKE, `1 of token ${ZERO}`, null],
	['the native one, which is named', { NATIVE: ZERO, ETH: FAKE }, ZERO, '1 of token NATIVE', true],
	['another one than the native one', { NATIVE: ZERO, ETH: FAKE }, FAKE, '1 of token NATIVE', null],
])('a symbol that two tokens have names neither: %s', (_what, tokens, token, minimum, met) => {
	const network = { chainID: 2, name: 'Base', baseToken: 'ETH', decimals: 0, tokens };
	const elsewhere = {
		chainID: 3,
		baseToken: 'ETH',
		tokens: { NATIVE: ZERO, ETH: '0xe', USDC: '0xc' },
	};
	const display = { ...PLAIN_DISPLAY, networks: [elsewhere, network] };
	const output = { chainId: 2, token, amount: '5', decimals: 0 };
	const item = simpleItem({ status: 'completed', output }, display, {
		expected: { recipient: null, minimumReceived: minimum },
	});
	expect(item.asExpected).toBe(met);
	const isSaid = item.summary.includes(`could not be compared with the expected ${minimum}`);
	expect(isSaid).toBe(met === null);
});

const WRAPPED = `0x${'c0'.repeat(20)}`;
const UNLISTED = `0x${'ab'.repeat(20)}`;
const USDT = `0x${'d7'.repeat(20)}`;
const SOL = 'So11111111111111111111111111111111111111112';
const LISTED = { NATIVE: ZERO, FAKE, USDT, WETH: WRAPPED, SHARED: '0x1', 'shared ': '0x2' };
const CONFIGURED = [{ chainID: 2, name: 'Base', baseToken: 'ETH', decimals: 0, tokens: LISTED }];

test.each<[minimum: string, arrived: unknown, isOther: boolean]>([
	['9 ETH', FAKE, true],
	['9 eth', FAKE.toUpperCase().replace('X', 'x'), true],
	['9 NATIVE', FAKE, true],
	['9 ETH', ` ${FAKE}\n`, true],
	['9 of token NATIVE', FAKE, true],
	[`9 of token ${ZERO}`, FAKE, true],
	[`9 of token 0x${'e'.repeat(40)}`, FAKE, true],
	['9 smallest units of ETH', FAKE, true],
	['9 USDT', FAKE, true],
	['9 USDT', ZERO, true],
	['9 USDT', `0x${'e'.repeat(40)}`, true],
	['9 USDT', 'NATIVE', true],
	[`9 of token ${USDT}`, FAKE, true],
	[`9 of token ${UNLISTED}`, FAKE, true],
	[`9 of token ${UNLISTED}`, ZERO, true],
	// Nobody knows.
	['9 XYZ', FAKE, false],
	// It may have the same symbol, as bridged tokens do.
	['9 USDT', UNLISTED, false],
	['9 SHARED', FAKE, false],
	['9 of token 0xabab…abab', FAKE, false],
	['9 USDT', null, false],
	['9 USDT', '', false],
	['9 USDT', '0xfafa…fafa', false],
	['9 USDT', 'USDC', false],
	// The native token in another spelling, or wrapped.
	['9 ETH', `0x${'E'.repeat(40)}`, false],
	['9 ETH', 'ETH', false],
	['9 ETH', 'NATIVE', false],
	['9 ETH', '0x2::sui::SUI', false],
	['9 ETH', SOL, false],
	['9 ETH', UNLISTED, false],
	['9 ETH', WRAPPED, false],
	['9 WETH', ZERO, false],
])(
	'at least %s is expected, and 5 smallest units of %j arrive: certainly another token: %j',
	(minimumReceived, token, isOther) => {
		const expected = { recipient: null, minimumReceived };
		const itemOf = (networks: PlainObject[] | null, amount: string | null = '5') =>
			simpleItem(
				{ status: 'completed', output: { chainId: 2, token, amount } },
				{ ...PLAIN_DISPLAY, networks },
				{ expected },
			);
		const item = itemOf(CONFIGURED);
		expect(item.asExpected).toBe(isOther ? false : null);
		const only = `⚠️ Only ${String(item.received)} instead of at least ${minimumReceived} arrived on Base`;
		const unknown = `The amount could not be compared with the expected ${minimumReceived.replace('…', ' ')}.`;
		expect(item.summary).toContain(isOther ? only : unknown);
		const other = `⚠️ Something else instead of at least ${minimumReceived} arrived on Base`;
		// Zeros next to nothing else are no token.
		if (isOther)
			expect(itemOf(CONFIGURED, null).summary).toContain(token === ZERO ? unknown : other);
		for (const networks of [null, [], [{ ...CONFIGURED[0], chainID: 3 }]])
			expect(itemOf(networks)).toMatchObject({ asExpected: null });
	},
);

test('a token that the network does not list may be the native one in another form, also if that is listed at an address of its own', () => {
	const networks = [{ chainID: 2, baseToken: 'CELO', tokens: { NATIVE: WRAPPED, FAKE } }];
	const asExpected = (token: string) =>
		simpleItem(
			{ status: 'completed', output: { chainId: 2, token, amount: '5' } },
			{ ...PLAIN_DISPLAY, networks },
			{ expected: { recipient: null, minimumReceived: `9 of token ${WRAPPED}` } },
		).asExpected;
	expect([UNLISTED, FAKE].map(asExpected)).toEqual([null, false]);
});

test.each<[string, object, object]>([
	['nothing', { amount: '0' }, { outputToken: null, outputAmount: null }],
	['an amount', { amount: '5' }, { outputToken: ZERO, outputAmount: '5' }],
	['a wallet', { amount: '0', address: '0xw' }, { outputToken: ZERO, outputAmount: null }],
	['a transaction', { amount: '0', txHash: B }, { outputToken: ZERO, outputAmount: '0' }],
])('a token of zeros next to %s is the native one, if it is any', (_what, more, expected) => {
	const output = { chainId: 2, token: ZERO, ...more };
	expect(fullItem(A, { status: 'completed', output })).toMatchObject(expected);
});

test('the ID 0 stands for no network, unless the configuration has one with it', () => {
	const order = { input: { chainId: 0, token: '0xa', amount: '5' } };
	expect(fullItem(A, order)).toMatchObject({ inputChainId: null, inputNetwork: null });
	const networks = [{ chainID: 0, name: 'Zero' }];
	const expected = { inputChainId: 0, inputNetwork: 'Zero' };
	expect(fullItem(A, order, { ...PLAIN_DISPLAY, networks })).toMatchObject(expected);
});

test.each(['input', 'output', 'refund'])(
	'if the amount of the %s has decimals, no amount of the order is read in the smallest unit',
	(side) => {
		const leg = { chainId: 1, token: '0xa', amount: '5', txHash: B };
		const order = { status: 'refunded', input: leg, output: leg, refund: leg };
		const expected = { inputAmount: '5', outputAmount: '5', refundAmount: '5' };
		expect(fullItem(A, order)).toMatchObject(expected);
		expect(fullItem(A, { ...order, [side]: { ...leg, amount: '4.98' } })).toMatchObject({
			inputAmount: null,
			outputAmount: null,
			refundAmount: null,
		});
	},
);

test('what is known of a refund is in the item', () => {
	const back = { chainId: 1, token: '0xA', amount: '14', decimals: 1, txHash: B, address: '0xw' };
	const expected = {
		refundAmount: '14',
		refundAmountReadable: '1.4',
		refundToken: '0xA',
		refundAddress: '0xw',
		refundTxHash: B,
	};
	const input = { ...back, amount: '15', txHash: A };
	const shownOf = (more: object) => fullItem(A, { status: 'refunded', input, ...more });
	expect(shownOf({ output: back })).toMatchObject(expected);
	expect(shownOf({ refund: { ...back, txHash: null } })).toMatchObject({
		...expected,
		refundTxHash: null,
	});
	for (const more of [
		{ output: { ...back, chainId: 2 } },
		{ output: { ...back, txHash: null } },
		{},
	])
		expect(shownOf(more)).toMatchObject({ refundAmount: null, refundTxHash: null });
	expect(fullItem(A, { status: 'completed', input, output: back }).refundAmount).toBeNull();
	// What is stated as the refund goes before what the output has.
	for (const refund of [
		{ ...back, amount: '13', txHash: null },
		{ ...back, amount: null, txHash: A },
	])
		expect(shownOf({ output: back, refund })).toMatchObject({
			refundAmount: refund.amount,
			refundTxHash: refund.txHash,
		});
});

test('an order’s age counts from the earlier of what the bridge and the user say', () => {
	const summaryOf = (createdAt: number | null, beganAt?: number) =>
		simpleItem({ status: 'pending', timing: { createdAt } }, PLAIN_DISPLAY, { beganAt }).summary;
	const [now, minuteAgo, dayAhead] = [NOW, NOW - 60_000, NOW + 86_400_000];
	expect(summaryOf(dayAhead / 1000, minuteAgo)).toContain('after 60 s');
	expect(summaryOf(minuteAgo / 1000, now)).toContain('after 60 s');
	expect(summaryOf(null, minuteAgo)).toContain('after 60 s');
	expect(summaryOf(null)).toMatch(/is still pending$/);
});

test('the times of an order are by the clock of the bridge, also if that of n8n is ahead or behind', () => {
	for (const clockAheadMs of [600_000, -600_000]) {
		const now = NOW - clockAheadMs;
		const timing = { createdAt: now / 1000 - 180, expiry: now / 1000 + 60 };
		const { summary } = simpleItem({ status: 'executing', timing }, PLAIN_DISPLAY, {
			clockAheadMs,
		});
		expect(summary).toContain('is still executing after 3 min. It expires at');
	}
});

test('an order has not finished at a time that is yet to come, as far as clocks agree', () => {
	const finishedAt = (secondsAhead: number) =>
		simpleItem({
			status: 'completed',
			timing: { completedAt: NOW / 1000 + secondsAhead },
		}).finishedAt;
	expect([60, 61].map(finishedAt)).toEqual(['2025-01-01T00:01:20.000Z', null]);
});

test.each(['0001-01-01T00:00:00Z', 0, 253_402_300_799_000, 'soon'])(
	'the time %j is none: the item has no age, no expiry and no time of its finish',
	(time) => {
		const timing = { createdAt: time, expiry: time, completedAt: time };
		const item = fullItem('h', { status: 'completed', timing, input: { timestamp: time } });
		expect(item).toMatchObject({
			createdAt: null,
			expiresAt: null,
			completedAt: null,
			finishedAt: null,
			inputTime: null,
			durationSeconds: null,
		});
		const late = simpleItem({ status: 'pending', timing }).summary;
		expect(late).not.toMatch(/after|expire/);
	},
);

test('every field of an order has its place in the item', () => {
	const [began, ended] = [1735689600, 1735689612];
	const sent = { chainId: 1, token: '0xA', amount: '15', decimals: 1, address: '0xsender' };
	const arrived = { chainID: '2', token: '0xB', amount: 25, address: '0xrecipient' };
	const order = {
		orderId: 7,
		status: 'completed',
		input: { ...sent, txHash: '0x01', timestamp: began },
		output: { ...arrived, txHash: '0x02', timestamp: ended },
		solver: { address: '0xsolver', assignedAt: 1735689605 },
		timing: { createdAt: began, completedAt: ended, expiry: 1735690000 },
	};
	const display: Display = {
		networks: [{ chainID: 1, name: 'Ethereum', tokens: { DAI: '0xa' } }],
		tokenDecimals: new Map([['0xb', 2]]),
		explorers: new Map([['1', 'https://a.example/tx/']]),
	};
	const simple = {
		summary: '✅ 1.5 DAI from Ethereum arrived on network 2 as 0.25 of token 0xB after 12 s (0xAB)',
		status: 'completed',
		outcome: 'success',
		reference: null,
		sent: '1.5 DAI',
		received: '0.25 of token 0xB',
		recipient: '0xrecipient',
		finishedAt: '2025-01-01T00:00:12.000Z',
		link: 'https://a.example/tx/0x01',
		sourceHash: '0xAB',
	};
	expect(simpleItem(order, display)).toEqual(simple);
	const chat = { chatId: 7 };
	expect(simpleItem(order, display, { reference: chat }).reference).toEqual(chat);
	expect(Object.keys(fullItem('0xAB', order, display))).toEqual(FIELDS);
	expect(fullItem('0xAB', order, display)).toEqual({
		...simple,
		isFinal: true,
		orderId: '7',
		route: 'Ethereum → network 2',
		...Object.fromEntries(
			FIELDS.filter((name) => /^refund/.test(name)).map((name) => [name, null]),
		),
		inputChainId: 1,
		inputNetwork: 'Ethereum',
		inputToken: '0xA',
		inputTokenSymbol: 'DAI',
		inputAmount: '15',
		inputAmountReadable: '1.5',
		inputDecimalsFrom: 'service',
		inputAddress: '0xsender',
		inputTxHash: '0x01',
		inputTxUrl: 'https://a.example/tx/0x01',
		inputTime: '2025-01-01T00:00:00.000Z',
		outputChainId: '2',
		outputNetwork: null,
		outputToken: '0xB',
		outputTokenSymbol: null,
		outputAmount: '25',
		outputAmountReadable: '0.25',
		outputDecimalsFrom: 'tokenDecimalsOption',
		outputAddress: '0xrecipient',
		outputTxHash: '0x02',
		outputTxUrl: null,
		outputTime: '2025-01-01T00:00:12.000Z',
		solverAddress: '0xsolver',
		solverAssignedAt: '2025-01-01T00:00:05.000Z',
		createdAt: '2025-01-01T00:00:00.000Z',
		expiresAt: '2025-01-01T00:06:40.000Z',
		completedAt: '2025-01-01T00:00:12.000Z',
		durationSeconds: 12,
		order,
	});
	expect([createdAtMs, completedAtMs, expiryMs].map((read) => read(order))).toEqual([
		1735689600000, 1735689612000, 1735690000000,
	]);
});

test('decimals without an amount make nothing readable, and are not named', () => {
	const expected = { inputAmount: null, inputAmountReadable: null, inputDecimalsFrom: null };
	expect(fullItem('h', { input: { decimals: 6 } })).toMatchObject(expected);
	const wanted = { inputAmount: '5', inputAmountReadable: null, inputDecimalsFrom: null };
	expect(fullItem('h', { input: { amount: '5' } })).toMatchObject(wanted);
});

test('an order that is not known has the fields of an empty one, and says so', () => {
	const { summary, ...others } = fullItem('0xAB', null);
	expect(summary).toContain('has not found order 0xAB');
	expect(others).toEqual({ ...others, ...Object.fromEntries(NULLS), status: 'notFound' });
	expect([completedAtMs({}), expiryMs({ timing: 5 })]).toEqual([null, null]);
});

const NULLS = FIELDS.filter(
	(name) => !['summary', 'status', 'isFinal', 'sourceHash'].includes(name),
).map((name) => [name, null]);

test('what is to arrive has not been received, and what is open has not finished', () => {
	const leg = { token: '0xA', amount: '15', decimals: 1 };
	const order = { output: leg, timing: { completedAt: 1735689612 } };
	for (const status of ['pending', 'executing', 'refunded', 'failed', 'Reorged'])
		expect(simpleItem({ ...order, status }).received).toBeNull();
	expect(simpleItem({ ...order, status: 'completed' }).received).toBe('1.5 of token 0xA');
	expect(simpleItem({ ...order, status: 'executing' }).finishedAt).toBeNull();
	expect(simpleItem({ ...order, status: 'refunded' }).finishedAt).toBe('2025-01-01T00:00:12.000Z');
});

const PASTED = 'https://p.example/0xab';
const [AT_A, AT_B] = ['https://a.example/0x01', 'https://b.example/0x02'];
const NOWHERE = { input: null, output: null };

test.each<[string, object, object, string | null]>([
	['the user’s own before that of a post', { status: 'completed' }, { link: PASTED }, AT_B],
	['that of a post where there is no other', NOWHERE, { link: PASTED }, PASTED],
	['the bridge’s page', { ...NOWHERE, orderId: '7' }, {}, 'https://o.example/7/0xAB'],
	['none without the ID', NOWHERE, {}, null],
	['the destination’s when it has arrived', { status: 'completed' }, {}, AT_B],
	['the source’s before', { status: 'executing' }, {}, AT_A],
	['the source’s where there is no other', { status: 'completed', output: null }, {}, AT_A],
])('the link is %s', (_which, order, more, link) => {
	const legs = { input: { chainId: 1, txHash: '0x01' }, output: { chainId: 2, txHash: '0x02' } };
	const explorers = new Map([
		['1', 'https://a.example/'],
		['2', 'https://b.example/'],
	]);
	const display = { ...PLAIN_DISPLAY, explorers, orderPage: 'https://o.example/{orderId}/{hash}' };
	expect(simpleItem({ ...legs, ...order }, display, more).link).toBe(link);
});

test.each<[unknown, string | null]>([
	['executing', 'executing'],
	['COMPLETED', 'completed'],
	[' Completed\n', 'completed'],
	['FAILED\u00a0', 'failed'],
	['Reorged ', 'Reorged'],
	['complete', 'complete'],
	['   ', null],
	['x'.repeat(100), 'x'.repeat(100)],
	['x'.repeat(101), `${'x'.repeat(100)}…`],
	['', null],
	[5, null],
	[undefined, null],
])('the status word of %j is %j', (status, word) => {
	expect(statusOf({ status })).toBe(word);
});

test.each<[object, number | null]>([
	[{ createdAt: 1735689600, completedAt: 1735689600 }, 0],
	[{ createdAt: 1735689600, completedAt: 1735689599 }, null],
	[{ createdAt: 1735689600 }, null],
	[{ completedAt: 1735689600 }, null],
	[{ createdAt: 1735689600000, completedAt: 1735689600250 }, 0.25],
	[{ createdAt: 1735689600, completedAt: 1735689612, duration: 12000 }, 12],
	[{ completedAt: 1735689612, duration: 0 }, 0],
	[{ duration: 0 }, null],
	[{ createdAt: 1735689600, completedAt: 1735689612, duration: 'soon' }, 12],
	[{ createdAt: 1735689600000000, completedAt: 1735689612000000, duration: 12000000 }, 12],
	[{ completedAt: 1735689612000, duration: 12000 }, null],
	[{ expiry: 1735689612000000, duration: 12000000 }, null],
	[{ expiry: 1e11, duration: 12 }, null],
	[{ createdAt: NOW - 86_400_000, duration: 12000 }, null],
	[{ duration: 12 }, 12],
	[{ createdAt: '2025-01-01T00:00:00Z', duration: 12 }, 12],
	// Milliseconds, because the order is not that old.
	[{ createdAt: NOW / 1000 - 60, duration: 12000 }, null],
	[{ createdAt: new Date(NOW - 60_000).toISOString(), duration: 12000 }, null],
])('with %j the order took %j seconds', (timing, seconds) => {
	expect(fullItem('h', { timing }).durationSeconds).toBe(seconds);
});
