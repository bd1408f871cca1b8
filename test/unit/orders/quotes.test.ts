import fs from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';

import { PLAIN_DISPLAY, type Display } from '../../../nodes/CrossChainBridge/orders/display';
import { orderItem } from '../../../nodes/CrossChainBridge/orders/orderItem';
import {
	areOwnNames,
	otherToken,
	quoteItem,
	statedInputDecimals,
} from '../../../nodes/CrossChainBridge/orders/quotes';
import type { PlainObject } from '../../../nodes/CrossChainBridge/orders/values';

const NOW = Date.UTC(2025, 0, 1, 12, 0, 0);
const ZERO = `0x${'0'.repeat(40)}`;
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const BASE_ETH = { baseToken: 'ETH', decimals: 18 };
const DISPLAY: Display = {
	...PLAIN_DISPLAY,
	networks: [
		{ chainID: 1, name: 'Ethereum', ...BASE_ETH, tokens: { NATIVE: ZERO, USDC } },
		{ chainID: 2, name: 'Base', ...BASE_ETH, tokens: { NATIVE: ZERO } },
	],
};
const WALLETS = { sourceAddress: '0xsender', destinationAddress: '0xrecipient' };
const WAY = { inputNetwork: '1', outputNetwork: '2' };
const ASKED = { ...WAY, ...WALLETS, inputTokenAmount: '500000000000000000' };
const TRANSACTIONS = [
	{ type: 'bridge', to: '0xgateway', data: '0x', gasLimit: '210000', extra: 1 },
];
const ETH = { symbol: 'ETH', address: ZERO, decimals: 18 };
const OUT = { ...ETH, amount: '499250000000000000', amountUSD: '1248.12' };
const PARTS = { builder: '100000000000000', solverIncentive: '250000000000000' };
const PUBLISHED = {
	tokenIn: { ...ETH, amount: '500000000000000000', amountUSD: '1250.00' },
	tokenOut: { ...OUT, minAmount: '496753750000000000' },
	fees: { ...PARTS, platform: '400000000000000', total: '750000000000000', percentage: '0.15' },
	priceImpact: '0.01',
	rewardPoints: 10,
	balanceCheck: { sufficient: true, balance: '1', required: '1' },
	transactions: TRANSACTIONS,
	expiry: NOW / 1000 + 25,
};

const simplified = (
	quote: object,
	display: Display = DISPLAY,
	asked: Record<string, string> = ASKED,
) => quoteItem({ quote: quote as Record<string, unknown>, asked }, display, NOW).full;
const summaryOf = (...given: Parameters<typeof simplified>) => simplified(...given).summary;

test('the published shape becomes one flat item, ten fields first', () => {
	expect(simplified(PUBLISHED)).toEqual({
		summary: '0.5 ETH on Ethereum gives about 0.49925 ETH on Base; valid for 25 s',
		sent: '0.5 ETH',
		received: '0.49925 ETH',
		receivedAmount: 0.49925,
		receivedAtLeast: '0.49675375 ETH',
		receivedAtLeastAmount: 0.49675375,
		fees: PUBLISHED.fees,
		route: 'Ethereum → Base',
		expiresAt: '2025-01-01T12:00:25.000Z',
		transactions: TRANSACTIONS,
		quoteId: null,
		balanceSufficient: true,
		sentAmount: 0.5,
		inputChainId: 1,
		inputNetwork: 'Ethereum',
		inputToken: ZERO,
		inputTokenSymbol: 'ETH',
		inputAmount: '500000000000000000',
		inputAmountReadable: '0.5',
		inputDecimalsFrom: 'service',
		inputAmountUsd: '1250.00',
		inputAddress: '0xsender',
		outputChainId: 2,
		outputNetwork: 'Base',
		outputToken: ZERO,
		outputTokenSymbol: 'ETH',
		outputAmount: '499250000000000000',
		outputAmountReadable: '0.49925',
		outputDecimalsFrom: 'service',
		outputAmountUsd: '1248.12',
		outputAddress: '0xrecipient',
		outputMinAmount: '496753750000000000',
		outputMinAmountReadable: '0.49675375',
		priceImpact: '0.01',
		quote: PUBLISHED,
	});
});

test('the older shape: what it states is there, all else is null', () => {
	const transaction = ['0x1', '0x2'].map((to) => ({ type: 'swap', txData: { to } }));
	const quote = { quoteId: 'q-1', quote: { expiry: NOW / 1000 + 60 }, fees: {}, data: {} };
	expect(simplified({ ...quote, message: 'ok', balanceCheck: false, transaction })).toMatchObject({
		summary:
			"A quote for 0.5 ETH from Ethereum to Base; valid for 60 s; the sender's balance is too low",
		quoteId: 'q-1',
		inputAmount: ASKED.inputTokenAmount,
		inputAmountReadable: '0.5',
		inputDecimalsFrom: 'networkConfig',
		inputToken: null,
		outputAmount: null,
		outputAmountReadable: null,
		outputTokenSymbol: 'ETH',
		fees: {},
		receivedAmount: null,
		balanceSufficient: false,
		expiresAt: '2025-01-01T12:01:00.000Z',
		transactions: transaction,
	});
});

const A_QUOTE = 'A quote for 0.5 ETH from Ethereum to Base';
const VALID = '; valid for 25 s';
const UNREADABLE = { symbol: 'USDC', address: USDC, amount: '1248125000' };
const RAW = '1248125000 smallest units of USDC';
const HARMFUL = { symbol: 'E\u202eTH\n\u0000', address: USDC, decimals: 0, amount: '7' };

test.each<[string, object, string]>([
	['an expired quote', { expiry: NOW / 1000 }, '0.49925 ETH on Base; expired'],
	['no expiry', { expiry: null }, '0.49925 ETH on Base'],
	['a token without decimals', { tokenOut: UNREADABLE }, `${RAW} on Base${VALID}`],
	['names that would do harm', { tokenOut: HARMFUL }, `7 of token 0xa0b8…eb48 on Base${VALID}`],
])('the summary of %s', (_name, changes, summary) => {
	expect(summaryOf({ ...PUBLISHED, ...changes })).toBe(
		`0.5 ETH on Ethereum gives about ${summary}`,
	);
});

const BOTH = { inputNetwork: '7', outputNetwork: '8' };

test.each<[string, object, Display, Record<string, string>, string]>([
	['no amount', { ...PUBLISHED, tokenOut: {} }, DISPLAY, ASKED, `${A_QUOTE}${VALID}`],
	['nothing stated', {}, DISPLAY, ASKED, A_QUOTE],
	['nothing known', {}, PLAIN_DISPLAY, {}, 'A quote'],
	['no amount asked', {}, DISPLAY, WAY, 'A quote from Ethereum to Base'],
	['only an amount to receive', { tokenOut: OUT }, DISPLAY, WAY, 'A quote from Ethereum to Base'],
	['no names', {}, PLAIN_DISPLAY, BOTH, 'A quote from network 7 to network 8'],
])('the summary with %s', (_what, quote, display, asked, summary) => {
	expect(summaryOf(quote, display, asked)).toBe(summary);
});

test('the option Token Decimals makes readable what the service does not', () => {
	const display = { ...DISPLAY, tokenDecimals: new Map([[USDC, 6]]) };
	const address = USDC.toUpperCase().replace('0X', '0x');
	const tokenOut = { address, amount: '1248125000', minAmount: '1241884375' };
	expect(simplified({ ...PUBLISHED, tokenOut }, display)).toMatchObject({
		outputAmountReadable: '1248.125',
		outputDecimalsFrom: 'tokenDecimalsOption',
		outputMinAmountReadable: '1241.884375',
	});
});

/** The published quote with these amounts, as it would be shown. */
const withAmounts = (sent: unknown, received: unknown = OUT.amount, least: unknown = '4967') =>
	simplified({
		...PUBLISHED,
		tokenIn: { ...ETH, amount: sent },
		tokenOut: { ...ETH, amount: received, minAmount: least },
	});
const NO_OUTPUT = {
	received: null,
	receivedAmount: null,
	receivedAtLeast: null,
	receivedAtLeastAmount: null,
	outputAmount: null,
	outputAmountReadable: null,
	outputMinAmount: null,
};

test.each([
	...['500000000000000000', ' 0500000000000000000', 5e17, '500000000000000000.0'],
	...[null, undefined, ''],
])('a quote whose amount is stated as %j is in the smallest unit', (amount) => {
	expect(withAmounts(amount)).toMatchObject({
		summary: '0.5 ETH on Ethereum gives about 0.49925 ETH on Base; valid for 25 s',
		received: '0.49925 ETH',
		outputMinAmount: '4967',
	});
});

test.each<[unknown, string]>([
	['499000000000000000', ' (499000000000000000)'],
	['5000000000000000000', ' (5000000000000000000)'],
	['0', ' (0)'],
	[0, ' (0)'],
	['0.499', ' (0.499)'],
	[0.499, ' (0.499)'],
	['1.0', ' (1.0)'],
	[`1.${'0'.repeat(97)}1`, ` (1.${'0'.repeat(97)}1)`],
	[`1.${'0'.repeat(98)}1`, ''],
])(
	'another amount than was asked for, %j, is said first, and its output is not',
	(amount, said) => {
		expect(withAmounts(amount)).toMatchObject({
			...NO_OUTPUT,
			summary: `⚠️ The bridge states a different amount${said} than you asked for. ${A_QUOTE}${VALID}`,
			sent: '0.5 ETH',
			transactions: TRANSACTIONS,
		});
	},
);

test.each(['0.5 ETH', '0x6f05b59d3b20000', '500,000,000,000,000,000', '-5', '.5', { value: '5' }])(
	'an amount that cannot be read, %j, may be the one that was asked for, but the output is in no certain unit',
	(amount) => {
		expect(withAmounts(amount)).toMatchObject({ ...NO_OUTPUT, summary: `${A_QUOTE}${VALID}` });
	},
);

test('an amount of a token without decimals that is stated as zero is another one, too', () => {
	const tokenIn = { address: USDC, amount: 0 };
	expect(simplified({ ...PUBLISHED, tokenIn })).toMatchObject({
		...NO_OUTPUT,
		summary: expect.stringContaining('different amount (0) than you asked for'),
	});
});

test('if no amount was asked for, none is another one', () => {
	const tokenIn = { ...ETH, amount: '0.5' };
	expect(summaryOf({ ...PUBLISHED, tokenIn }, DISPLAY, WAY)).toBe(
		'A quote from Ethereum to Base; valid for 25 s',
	);
});

test('how long a quote is valid is by the clock of the bridge', () => {
	for (const clockAheadMs of [600_000, -600_000]) {
		const quote = { ...PUBLISHED, expiry: (NOW - clockAheadMs) / 1000 + 25 };
		const { summary } = quoteItem({ quote, asked: ASKED, clockAheadMs }, DISPLAY, NOW).simple;
		expect(summary).toMatch(/; valid for 25 s$/);
	}
});

test.each(['0.5', '0.500', 0.5])('a quote of %j ETH is in token units', (amount) => {
	expect(withAmounts(amount, '0.49925', 0.4967)).toMatchObject({
		summary: '0.5 ETH on Ethereum gives about 0.49925 ETH on Base; valid for 25 s',
		received: '0.49925 ETH',
		receivedAmount: 0.49925,
		receivedAtLeast: '0.4967 ETH',
		receivedAtLeastAmount: 0.4967,
		outputAmount: '499250000000000000',
		outputAmountReadable: '0.49925',
		outputMinAmount: '496700000000000000',
	});
	expect(withAmounts(amount, '1248.125', '1241.5')).toMatchObject({
		received: '1248.125 ETH',
		receivedAtLeast: '1241.5 ETH',
	});
});

test.each<[string, unknown, unknown]>([
	['a whole number, which could be in either unit', '1248', '496753750000000000'],
	['more decimals than the token has', `0.${'1'.repeat(19)}`, `0.${'1'.repeat(300)}`],
	['a number that may have lost digits', 0.1234567890123456, 0.1234567890123456],
	['no number', '0.49925 ETH', 'half'],
])('of a quote in token units, %s is not read', (_what, received, least) => {
	expect(withAmounts('0.5', received, least)).toMatchObject({
		...NO_OUTPUT,
		summary: `${A_QUOTE}${VALID}`,
	});
});

test('nor is an amount of a token without decimals', () => {
	const quote = {
		tokenIn: { ...ETH, amount: '0.5' },
		tokenOut: { address: USDC, amount: '1248.5' },
	};
	expect(simplified(quote)).toMatchObject(NO_OUTPUT);
});

/** With another ETH than the native token. */
const TWO_ETH: Display = {
	...PLAIN_DISPLAY,
	networks: [{ chainID: 1, ...BASE_ETH, tokens: { NATIVE: '0xee', ETH: '0xe7', WSOL: '0x50' } }],
};
/** As a bridge may call them. */
const OWN_NAMES = { fromChain: '101', toChain: '102', srcToken: USDC, amount: '5000000' };

const OF_USDC = { ...ASKED, inputTokenContract: USDC, inputTokenAmount: '5000000' };

test.each<[string, object, Record<string, string>, Display, string | null]>([
	['the same', PUBLISHED, ASKED, DISPLAY, null],
	['nothing stated', {}, ASKED, DISPLAY, null],
	['another amount', { tokenIn: { amount: '4' } }, ASKED, DISPLAY, null],
	['the older shape', { quote: { tokenIn: { address: '0xbad' } } }, OF_USDC, DISPLAY, 'Contract'],
	['the listed native address', { tokenIn: { address: '0xEE' } }, ASKED, TWO_ETH, null],
	['wrapped ETH', { tokenIn: { address: '0xe7', symbol: 'WETH' } }, ASKED, TWO_ETH, null],
	['wrapped SOL', { tokenIn: { address: '0x50', symbol: 'WSOL' } }, ASKED, TWO_ETH, 'Contract'],
	['another ETH', { tokenIn: { address: '0xe7', symbol: 'ETH' } }, ASKED, TWO_ETH, null],
	['no configuration', { tokenIn: { address: '0x2::sui::SUI' } }, ASKED, PLAIN_DISPLAY, null],
	['no configuration, zeros', { tokenIn: { address: ZERO } }, OF_USDC, PLAIN_DISPLAY, 'Contract'],
	[
		'a symbol, no configuration',
		{ tokenIn: { address: ZERO } },
		{ ...ASKED, inputTokenContract: 'ETH' },
		PLAIN_DISPLAY,
		null,
	],
	[
		'a symbol, no configuration, but the one of the native token is stated',
		{ tokenIn: { address: ZERO, symbol: 'ETH' } },
		{ ...ASKED, inputTokenContract: 'USDC' },
		PLAIN_DISPLAY,
		'Contract',
	],
	['a token asked for by another name', PUBLISHED, OWN_NAMES, DISPLAY, null],
	['USDC, asked for by another name', { tokenIn: { address: USDC } }, OWN_NAMES, DISPLAY, null],
	[
		'USDC, which another name next to the documented ones may have asked for',
		{ tokenIn: { address: USDC } },
		{ ...ASKED, srcToken: USDC },
		DISPLAY,
		'Contract',
	],
	[
		'USDC, with a parameter that names no token',
		{ tokenIn: { address: USDC } },
		{ ...ASKED, referral: 'us' },
		DISPLAY,
		'Contract',
	],
])(
	'whether a quote is for another token than was asked for: %s',
	(_what, quote, asked, display, other) => {
		const source = { quote: quote as Record<string, unknown>, asked };
		const found = otherToken(source, 'input', display);
		expect(found?.parameter ?? null).toEqual(other && expect.stringContaining(other));
		expect(otherToken(source, 'output', display)).toBeNull();
	},
);

const SOL = 'So11111111111111111111111111111111111111112';
const OWN = `0x${'1010'.padStart(40, '0')}`;
const UNLISTED = `0x${'ab'.repeat(20)}`;
const WRAPPED = `0x${'c0'.repeat(20)}`;

/** The native token's symbol, the other tokens that are listed, what is asked for and what is stated: its address and symbol. */
test.each<
	[
		native: string,
		others: object,
		asked: string,
		address: string,
		symbol?: string | null,
		isOther?: boolean,
	]
>([
	['xDAI', {}, '', UNLISTED, 'WXDAI'],
	['xDAI', {}, '', UNLISTED, 'WxDAI'],
	['xDAI', {}, '', UNLISTED, 'wxDAI'],
	['xDAI', {}, '', UNLISTED, 'XDAI'],
	['SOL', {}, '', SOL, 'wSOL'],
	['SOL', {}, '', SOL, null],
	['POL', {}, '', OWN, 'MATIC'],
	['POL', {}, '', OWN, null],
	['POL', {}, '', UNLISTED, 'WMATIC'],
	['ETH', {}, '', UNLISTED, null],
	['ETH', { WETH: WRAPPED }, '', WRAPPED, null],
	['ETH', { ETH: WRAPPED }, '', UNLISTED, 'eth'],
	['CELO', { CELO: WRAPPED }, '', WRAPPED, 'CELO'],
	['CELO', { CELO: WRAPPED }, '', WRAPPED, null],
	['CELO', { CELO: WRAPPED }, WRAPPED, ZERO, 'CELO'],
	['CELO', { CELO: WRAPPED, USDC }, '', USDC, 'CELO', true],
	['CELO', { CELO: WRAPPED, USDC }, USDC, WRAPPED, 'CELO', true],
	['ETH', { USDC }, '', UNLISTED, 'usdc', true],
	['ETH', { USDC }, '', USDC, null, true],
	['ETH', { USDC }, '', USDC, 'ETH', true],
	['SOL', {}, SOL, ZERO, 'SOL'],
	['SOL', {}, SOL, ZERO, null],
	['POL', {}, OWN, ZERO, 'POL'],
	['POL', {}, OWN, ZERO, null],
	['POL', {}, OWN, UNLISTED, 'WPOL'],
	['ETH', { WETH: WRAPPED }, WRAPPED, ZERO, 'ETH'],
	['ETH', {}, WRAPPED, ZERO, 'WETH'],
	['SOL', {}, SOL, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC', true],
	['ETH', {}, '', UNLISTED, 'X'],
	['ETH', { WETH: WRAPPED }, WRAPPED, UNLISTED, null, true],
	['ETH', { USDC }, USDC, ZERO, 'WETH', true],
	['ETH', {}, USDC, ZERO, 'ETH', true],
	['ETH', {}, USDC, ZERO, null, true],
	['ETH', { USDC }, 'USDC', ZERO, 'ETH', true],
	['ETH', { USDC }, ' usdc ', ZERO, null, true],
	['ETH', { USDC }, 'USDC', UNLISTED, 'USDC', true],
	['ETH', { USDC }, ` ${USDC}\n`, UNLISTED, 'USDC', true],
	['ETH', { USDC }, USDC, ` ${USDC} `, null],
	['ETH', { USDC }, USDC, ` ${ZERO} `, null, true],
	['ETH', { USDC }, 'USDC', USDC.toUpperCase().replace('X', 'x'), null],
	['ETH', { USDC, 'USDC ': UNLISTED }, 'USDC', UNLISTED, null],
	['ETH', { USDC, 'USDC ': UNLISTED }, 'USDC', ZERO, null, true],
	['ETH', { USDC }, 'USDC', 'USDC', 'USDC'],
	['ETH', {}, 'USDC', UNLISTED, 'ETH'],
	['ETH', {}, 'USDC', ZERO, 'ETH', true],
	['ETH', {}, 'null', ZERO, null, true],
	['ETH', {}, 'null', UNLISTED, null],
	['ETH', {}, 'undefined', `0x${'e'.repeat(40)}`, null, true],
	['SOL', {}, 'null', SOL, null, true],
	['ETH', { WETH: WRAPPED }, 'null', WRAPPED, null, true],
	['ETH', { USDC }, '0xa0b8…eb48', ZERO, 'ETH', true],
	['ETH', { USDC }, '0xa0b8…eb48', USDC, null],
	['ETH', {}, 'eth', ZERO, null],
	['ETH', { USDC }, 'ETH', USDC, null, true],
	['ETH', { ETH: WRAPPED }, 'ETH', WRAPPED, null],
	['ETH', {}, 'WETH', ZERO, 'ETH'],
	['ETH', { WETH: WRAPPED }, 'WETH', ZERO, 'ETH'],
	['ETH', {}, 'Native', ZERO, null],
	['POL', {}, 'MATIC', ZERO, 'MATIC'],
])(
	'the native token %s, with %j listed: asked for %j, a quote states %j with the symbol %j',
	(baseToken, others, inputTokenContract, address, symbol = null, isOther = false) => {
		const networks = [{ chainID: 1, baseToken, tokens: { NATIVE: ZERO, ...others } }];
		const isEmpty = inputTokenContract === '';
		const source = {
			quote: { tokenIn: { address, symbol } },
			asked: { ...WAY, ...(isEmpty ? {} : { inputTokenContract }) },
		};
		expect(otherToken(source, 'input', { ...DISPLAY, networks }) !== null).toBe(isOther);
		const sourceOfOutput = {
			quote: { tokenOut: { address, symbol } },
			asked: {
				outputNetwork: '1',
				...(isEmpty ? {} : { outputTokenContract: inputTokenContract }),
			},
		};
		expect(otherToken(sourceOfOutput, 'output', { ...DISPLAY, networks })).toEqual(
			isOther
				? {
						parameter: 'outputTokenContract',
						asked: isEmpty ? 'the native token' : inputTokenContract.trim(),
						stated: address.trim(),
					}
				: null,
		);
	},
);

test.each<[string, PlainObject[] | null, string | null]>([
	['ETH', [{ chainID: 1, tokens: { NATIVE: ZERO } }], null],
	['ETH', null, null],
	['WETH', null, 'ETH'],
	['USDC', null, ' '],
])(
	'asked for %j, a quote for the native token is not another one if %j does not say how that is called, with the symbol %j',
	(inputTokenContract, networks, symbol) => {
		const source = {
			quote: { tokenIn: { address: ZERO, symbol } },
			asked: { ...WAY, inputTokenContract },
		};
		expect(otherToken(source, 'input', { ...DISPLAY, networks })).toBeNull();
	},
);

test.each([
	['0.49925', '4967'],
	['4993', 0.4967],
	['.5', '4967'],
	[0.1234567890123456789, '4967'],
])('an output of %j and at least %j is not in the smallest unit', (received, least) => {
	for (const sent of [ASKED.inputTokenAmount, null])
		expect(withAmounts(sent, received, least)).toMatchObject({
			...NO_OUTPUT,
			outputMinAmountReadable: null,
			summary: `${A_QUOTE}${VALID}`,
		});
});

test.each([4.9925e21, '4.9925e21', 'a.b', { amount: 0.5 }])(
	'one of %j may still be in it',
	(received) => {
		expect(withAmounts(ASKED.inputTokenAmount, received)).toMatchObject({
			outputMinAmount: '4967',
		});
	},
);

const EXACT = '1234567890123456789';

test('an amount in the smallest unit that lost digits as a number is in the same unit', () => {
	const tokenIn = { ...PUBLISHED.tokenIn, amount: 1234567890123456800 };
	const asked = { ...ASKED, inputTokenAmount: EXACT };
	expect(simplified({ ...PUBLISHED, tokenIn }, DISPLAY, asked)).toMatchObject({
		inputAmount: EXACT,
		outputAmount: OUT.amount,
	});
});

test.each<[string[], boolean]>([
	[['fromChain', 'toChain', 'slippage'], true],
	[['inputToken', 'outputAsset'], true],
	[['inputNetwork', 'toChain'], false],
	[['fromChain', 'outputTokenContract'], false],
	[[], true],
])('a bridge has its own names for the route of %j: %j', (parameters, expected) => {
	expect(areOwnNames(parameters)).toBe(expected);
});

test.each<[object, number | null]>([
	[PUBLISHED, 18],
	[{ quote: { tokenIn: { decimals: '6' } } }, 6],
	[{ tokenIn: { decimals: 256 } }, null],
	[{ tokenIn: null }, null],
	[{}, null],
])('%j states the decimals %j of the token to bridge', (quote, decimals) => {
	expect(statedInputDecimals(quote as Record<string, unknown>)).toBe(decimals);
});

test('the output schema has these fields, in this order, each with its type', () => {
	const file = path.join(
		__dirname,
		'../../../nodes/CrossChainBridge/__schema__/v1.0.0/getQuote.json',
	);
	const { properties } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
		properties: Record<string, { type: string }>;
	};
	const source = { quote: { ...PUBLISHED, quoteId: 'q' }, asked: ASKED };
	const item = quoteItem(source, DISPLAY, NOW).simple;
	expect(Object.keys(properties)).toEqual(Object.keys(item));
	expect(Object.keys(item)).toHaveLength(10);
	for (const [name, value] of Object.entries(item)) {
		const type = Array.isArray(value) ? 'array' : typeof value;
		expect([name, properties[name]?.type]).toEqual([name, type]);
	}
});

test('any quote of any shape becomes an item of the same fields', () => {
	const partly = (fields: Record<string, fc.Arbitrary<unknown>>) =>
		fc.oneof(fc.jsonValue(), fc.record(fields, { requiredKeys: [] }));
	const any = fc.jsonValue();
	const amount = fc.oneof(fc.constantFrom('5', '0', '5000000000000000000', '0.5'), any);
	const decimals = fc.oneof(fc.constantFrom(6, '18', 255), any);
	const amounts = { amount, minAmount: amount, amountUSD: any };
	const token = partly({ symbol: any, address: any, decimals, ...amounts });
	const tokens = { tokenIn: token, tokenOut: token, fees: any };
	const lists = { balanceCheck: any, transactions: any, transaction: any };
	const parts = partly({ ...tokens, ...lists, expiry: any });
	const quote = fc.oneof(parts, partly({ quote: parts })).map(Object);
	const names = Object.keys(simplified(PUBLISHED));
	fc.assert(
		fc.property(quote, fc.constantFrom(DISPLAY, PLAIN_DISPLAY), (value, display) => {
			const item = simplified(value, display);
			expect(Object.keys(item)).toEqual(names);
			expect(item.summary).toMatch(/^\S.*\S$/);
			for (const name of ['inputAmountReadable', 'outputAmountReadable']) {
				if (item[name] !== null) expect(item[name]).toMatch(/^\d+(\.\d+)?$/);
			}
			if (item.outputAmountReadable !== null) expect(item.outputAmount).toMatch(/^\d+$/);
		}),
		{ numRuns: 2000 },
	);
});

test.each<[unknown, unknown]>([
	[PUBLISHED.fees, PUBLISHED.fees],
	[
		{ total: '0.00075', percentage: '15' },
		{ total: '0.00075', percentage: '15' },
	],
	[
		{ total: 5, any: { deep: [1] } },
		{ total: 5, any: { deep: [1] } },
	],
	['0.00075', '0.00075'],
	[[{ name: 'gas', amount: '1' }], [{ name: 'gas', amount: '1' }]],
	[null, null],
])('the fees %j are %j: as they came, because no document gives their unit', (fees, expected) => {
	const item = simplified({ ...PUBLISHED, fees });
	expect(item.fees).toEqual(expected);
	expect(item.summary).toBe('0.5 ETH on Ethereum gives about 0.49925 ETH on Base; valid for 25 s');
});

test.each<[amount: string, decimals: number | null, number: number | null]>([
	['1248125000', 6, 1248.125],
	['1', 18, 1e-18],
	['0', 6, 0],
	['123456789123456789123', 18, 123.45678912345679],
	['1248125000', null, null],
	['9'.repeat(400), 0, null],
])(
	'an amount of %s with %j decimals is the number %j, for comparisons',
	(amount, decimals, number) => {
		const tokenOut = { symbol: 'USDC', address: USDC, decimals, amount, minAmount: amount };
		expect(simplified({ ...PUBLISHED, tokenOut })).toMatchObject({
			receivedAmount: number,
			// Zero is no minimum.
			receivedAtLeastAmount: number === 0 ? null : number,
		});
	},
);

test.each<[string, unknown]>([
	['solana', 'solana'],
	['123456789012345', 123456789012345],
	['1234567890123456', '1234567890123456'],
	['x1', 'x1'],
	['1x', '1x'],
	['', null],
])('the network that was asked for as %j is %j', (inputNetwork, id) => {
	expect(simplified({}, DISPLAY, { inputNetwork }).inputChainId).toBe(id);
});

test('values may be numbers', () => {
	const quote = { tokenIn: { amountUSD: 1250.5 }, priceImpact: 0.01 };
	const expected = { inputAmountUsd: '1250.5', priceImpact: '0.01' };
	expect(simplified(quote)).toMatchObject(expected);
	expect(simplified({ priceImpact: Number.NaN }).priceImpact).toBeNull();
});

test.each<[unknown, boolean | null]>([
	[{ sufficient: true }, true],
	[{ sufficient: false }, false],
	[{ sufficient: null }, null],
	[{ sufficient: 'no' }, null],
	...['false', ' False\n', '0', 0].map((no): [unknown, boolean] => [{ sufficient: no }, false]),
	...['true', 'TRUE', '1', 1].map((yes): [unknown, boolean] => [{ sufficient: yes }, true]),
	[{ sufficient: 2, balance: '1', required: '5' }, null],
	[{ sufficient: 'no', balance: '5', required: '1' }, null],
	[{ sufficient: true, balance: '1', required: '5' }, true],
	[{ balance: '1', required: '5' }, false],
	[{ sufficient: null, balance: '4', required: 5 }, false],
	[{ sufficient: ' ', balance: '0', required: '0005' }, false],
	[{ balance: '5', required: '5' }, true],
	[{ balance: '10', required: '9' }, true],
	[{ balance: '1234567890123456788', required: '1234567890123456789' }, false],
	[{ balance: '1.5', required: '5' }, null],
	[{ balance: '1', required: '5 ETH' }, null],
	[{ balance: '-1', required: '5' }, null],
	[{ balance: '1', required: null }, null],
	[{ required: '5' }, null],
	[true, true],
	[false, false],
	['false', false],
	['no', null],
	[null, null],
])('with the balance check %j the balance is sufficient: %j', (balanceCheck, expected) => {
	const item = simplified({ balanceCheck });
	expect(item.balanceSufficient).toBe(expected);
	expect(item.summary.endsWith("; the sender's balance is too low")).toBe(expected === false);
});

test('one transaction is a list of one, and the newer name counts', () => {
	const [to, other] = [[{ to: '0x1' }], [{ to: '0x2' }]];
	expect(simplified({ transactions: '0x1' }).transactions).toBeNull();
	expect(simplified({ transaction: { to: '0x1' } }).transactions).toEqual(to);
	expect(simplified({ transactions: to, transaction: other }).transactions).toEqual(to);
	expect(simplified({ transactions: [], transaction: { to: '0x1' } }).transactions).toEqual(to);
	expect(simplified({ transactions: [] }).transactions).toEqual([]);
});

test('what was asked for names token, network and address where the quote does not', () => {
	const asked = { ...ASKED, inputTokenContract: USDC, outputTokenContract: USDC };
	expect(simplified({ tokenOut: { amount: '5', decimals: 1 } }, DISPLAY, asked)).toMatchObject({
		inputToken: USDC,
		inputTokenSymbol: 'USDC',
		inputAddress: '0xsender',
		outputToken: USDC,
		outputTokenSymbol: null,
		outputAmountReadable: '0.5',
		outputAddress: '0xrecipient',
	});
});

test('the smallest amount to receive may be stated without the amount', () => {
	const expected = { outputMinAmount: '5', outputMinAmountReadable: '0.5' };
	const token = { address: USDC, decimals: 1 };
	expect(simplified({ tokenOut: { ...token, minAmount: '5' } })).toMatchObject(expected);
	expect(simplified({ tokenOut: { ...token, amount: '6', minAmount: 'five' } })).toMatchObject({
		outputMinAmount: null,
		outputMinAmountReadable: null,
	});
});

test('a minimum of nothing is none, because the order could not be compared with it', () => {
	const tokenOut = { ...OUT, minAmount: '0' };
	const expected = { receivedAtLeast: null, receivedAtLeastAmount: null, outputMinAmount: '0' };
	expect(simplified({ ...PUBLISHED, tokenOut })).toMatchObject(expected);
});

test('a token has the name that the orders of its network have, so that the minimum of the quote can be compared', () => {
	const [ethereum, base] = DISPLAY.networks ?? [];
	const networks = [{ ...ethereum }, { ...base, tokens: { NATIVE: ZERO, USDC } }];
	const display = { ...DISPLAY, networks, tokenDecimals: new Map([[USDC, 6]]) };
	const token = { address: USDC, symbol: 'USDC.e', decimals: 6 };
	const tokenOut = { ...token, amount: '99850000', minAmount: '99350000' };
	const { received, receivedAtLeast: minimumReceived } = simplified(
		{ ...PUBLISHED, tokenOut },
		display,
		{ ...ASKED, outputTokenContract: USDC },
	);
	expect(received).toBe('99.85 USDC');
	const order = { status: 'completed', output: { chainId: 2, token: USDC, amount: '99350000' } };
	const source = { sourceHash: '0xab', order, expected: { recipient: null, minimumReceived } };
	expect(orderItem(source, display, NOW).simple.asExpected).toBe(true);
});

test('fields side by side count more than those in quote', () => {
	const quote = { quoteId: 'q', priceImpact: '1', expiry: NOW / 1000 };
	const item = simplified({ quoteId: null, priceImpact: '2', quote });
	const expected = { quoteId: 'q', priceImpact: '2', expiresAt: '2025-01-01T12:00:00.000Z' };
	expect(item).toMatchObject(expected);
	expect(item.summary).toBe('A quote for 0.5 ETH from Ethereum to Base; expired');
});

describe('a quote that names no token is for the native one only if nothing says otherwise', () => {
	const ANSWER = {
		tokenIn: { amount: '500000000000000000' },
		tokenOut: { amount: '5' },
	};
	const NATIVE_IN = {
		inputTokenSymbol: 'ETH',
		inputAmountReadable: '0.5',
		inputDecimalsFrom: 'networkConfig',
	};
	const UNKNOWN_IN = {
		inputToken: null,
		inputAmount: '500000000000000000',
		inputAmountReadable: null,
		inputDecimalsFrom: null,
	};
	const symbol = (of: unknown) => ({ ...ANSWER, tokenIn: { ...ANSWER.tokenIn, symbol: of } });

	const FURTHER = { ...ASKED, inputToken: USDC };
	test.each<[string, object, Record<string, string>]>([
		['with all that is documented', ANSWER, { ...ASKED, slippage: '1', showBridgeData: 'true' }],
		['with the native token’s symbol', symbol('ETH'), ASKED],
		['with a parameter that names no token', ANSWER, { ...ASKED, referral: 'us' }],
		['with empty addresses', ANSWER, { ...ASKED, inputTokenContract: '', outputTokenContract: '' }],
	])('%s it is', (_what, answer, asked) => {
		expect(simplified(answer, DISPLAY, asked)).toMatchObject(NATIVE_IN);
	});

	test.each<[string, object, Record<string, string>, string | null]>([
		['asked with a parameter that may name a token', ANSWER, FURTHER, null],
		['with one in another case', ANSWER, { ...ASKED, inputtokencontract: USDC }, null],
		['with the symbol of another token', symbol('USDC'), ASKED, 'USDC'],
		['with both', symbol('ETH'), FURTHER, 'ETH'],
	])('%s it may not be', (_what, answer, asked, inputTokenSymbol) => {
		expect(simplified(answer, DISPLAY, asked)).toMatchObject({ ...UNKNOWN_IN, inputTokenSymbol });
	});

	test('each side counts by itself, and what the answer states counts in any case', () => {
		const expected = { outputTokenSymbol: 'ETH', outputDecimalsFrom: 'networkConfig' };
		expect(simplified(symbol('USDC'))).toMatchObject(expected);
		const stating = { ...ANSWER, tokenIn: { symbol: 'USDC', amount: '500000', decimals: 6 } };
		const wanted = { inputAmountReadable: '0.5', inputDecimalsFrom: 'service' };
		const asked = { ...ASKED, inputToken: USDC, inputTokenAmount: '500000' };
		expect(simplified(stating, DISPLAY, asked)).toMatchObject(wanted);
		const named = { ...ANSWER, tokenIn: { ...ANSWER.tokenIn, address: ZERO } };
		expect(simplified(named, DISPLAY, FURTHER)).toMatchObject({
			...NATIVE_IN,
			outputTokenSymbol: null,
		});
	});

	test('a symbol that cannot be compared, without the configuration, is another one', () => {
		const byHand: Display = { ...PLAIN_DISPLAY, tokenDecimals: new Map([[ZERO, 18]]) };
		const expected = { inputAmountReadable: '0.5', inputDecimalsFrom: 'tokenDecimalsOption' };
		expect(simplified(ANSWER, byHand)).toMatchObject(expected);
		expect(simplified(symbol('ETH'), byHand)).toMatchObject(UNKNOWN_IN);
	});
});
