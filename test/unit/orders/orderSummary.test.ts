import fc from 'fast-check';

import { notFoundOrder, simplifyOrder } from '../../../nodes/CrossChainBridge/orders/orders';
import {
	type OrderReading,
	PLAIN_READING,
} from '../../../nodes/CrossChainBridge/orders/orderReading';
import {
	assetWords,
	durationWords,
	networkWords,
	optional,
	type SummaryLeg,
	summaryOfNotFound,
	summaryOfWatchExpired,
} from '../../../nodes/CrossChainBridge/orders/orderSummary';

const ZERO = `0x${'0'.repeat(40)}`;
const USDC = '0x166cab27f2cbb40426a5742c477d609e0716128b';

const KNOWN: OrderReading = {
	networks: [
		{ chainID: 101, name: 'Ethereum', baseToken: 'ETH', decimals: 18, tokens: { NATIVE: ZERO } },
		{
			chainID: 102,
			name: 'Arbitrum',
			baseToken: 'ETH',
			decimals: 18,
			tokens: { NATIVE: ZERO, USDC },
		},
	],
	tokenDecimals: new Map([[USDC, 6]]),
	explorers: new Map(),
};
const ONLY_NAMES: OrderReading = { ...KNOWN, tokenDecimals: new Map() };

const input = { chainId: 101, token: ZERO, amount: '500000000000000000' };
const output = { chainId: 102, token: USDC, amount: '1246870000' };
const timing = { duration: 12 };

test.each<[string, object, OrderReading, string]>([
	[
		'all is known',
		{ status: 'completed', input, output, timing },
		KNOWN,
		'0.5 ETH from Ethereum arrived on Arbitrum as 1246.87 USDC after 12 s',
	],
	[
		'the decimals of one token are not',
		{ status: 'completed', input, output, timing },
		ONLY_NAMES,
		'0.5 ETH from Ethereum arrived on Arbitrum as USDC (1246870000 in the smallest unit, see the option Token Decimals) after 12 s',
	],
	[
		'there is no configuration',
		{ status: 'completed', input, output, timing },
		PLAIN_READING,
		`Token ${ZERO} (500000000000000000 in the smallest unit, see the option Token Decimals) from network 101 arrived on network 102 as token ${USDC} (1246870000 in the smallest unit, see the option Token Decimals) after 12 s`,
	],
	[
		'nor a symbol',
		{ status: 'completed', input: { ...input, decimals: 18 }, output: { ...output, decimals: 6 } },
		PLAIN_READING,
		`0.5 of token ${ZERO} from network 101 arrived on network 102 as 1246.87 of token ${USDC}`,
	],
	[
		'the tokens are not stated',
		{
			status: 'completed',
			input: { chainId: 101, amount: '5' },
			output: { chainId: 102, amount: '15', decimals: 1 },
		},
		KNOWN,
		'An amount of 5 in the smallest unit from Ethereum arrived on Arbitrum as an amount of 1.5',
	],
	[
		'nor the amounts',
		{ status: 'completed', input: { token: ZERO, chainId: 101 }, output: { chainId: 102 } },
		KNOWN,
		'ETH from Ethereum arrived on Arbitrum',
	],
	[
		'nothing is stated of the output',
		{ status: 'completed', input, timing },
		KNOWN,
		'The bridge of 0.5 ETH from Ethereum was completed after 12 s',
	],
	[
		'the network of the output is not stated',
		{ status: 'completed', input, output: { token: USDC, amount: '15', decimals: 1 } },
		KNOWN,
		`0.5 ETH from Ethereum arrived as 1.5 of token ${USDC}`,
	],
	[
		'nor its token',
		{
			status: 'completed',
			input: { ...input, chainId: null, decimals: 18 },
			output: { chainId: 102 },
		},
		PLAIN_READING,
		`0.5 of token ${ZERO} arrived on network 102`,
	],
	[
		'an amount of unknown token with decimals comes first',
		{ status: 'completed', input: { amount: '5', decimals: 1 }, output: { chainId: 102 } },
		KNOWN,
		'An amount of 0.5 arrived on Arbitrum',
	],
	[
		'an amount of unknown token',
		{ status: 'pending', input: { amount: '5' } },
		KNOWN,
		'The bridge of an amount of 5 in the smallest unit is still open (pending)',
	],
	[
		'nothing but the output is stated',
		{ status: 'completed', output },
		KNOWN,
		'The bridge to Arbitrum was completed',
	],
	['nothing is stated', { status: 'completed' }, KNOWN, 'Order 0xAB was completed'],
	[
		'refunded',
		{ status: 'refunded', input, output: { chainId: 102 }, timing: { duration: 312 } },
		KNOWN,
		'The bridge of 0.5 ETH from Ethereum to Arbitrum was refunded after 5 min 12 s',
	],
	['refunded, unknown', { status: 'refunded', input: null }, KNOWN, 'Order 0xAB was refunded'],
	[
		'failed',
		{ status: 'failed', input, timing: { duration: 0 } },
		KNOWN,
		'The bridge of 0.5 ETH from Ethereum failed after less than 1 s',
	],
	[
		'failed late',
		{ status: 'failed', input: { chainId: 7 }, timing: { duration: 7261 } },
		KNOWN,
		'The bridge from network 7 failed after 2 h 1 min',
	],
	[
		'pending',
		{ status: 'pending', input },
		KNOWN,
		'The bridge of 0.5 ETH from Ethereum is still open (pending)',
	],
	['executing', { status: 'executing' }, KNOWN, 'Order 0xAB is still open (executing)'],
	[
		'a status we do not know',
		{ status: 'Completed', input, output },
		KNOWN,
		'The bridge of 0.5 ETH from Ethereum to Arbitrum is still open (Completed)',
	],
	[
		'no status',
		{ input: { ...input, token: USDC } },
		ONLY_NAMES,
		`The bridge of token ${USDC} (500000000000000000 in the smallest unit, see the option Token Decimals) from Ethereum is still open`,
	],
	[
		'an amount that is no amount is left out',
		{ status: 'pending', input: { ...input, amount: '-5' } },
		KNOWN,
		'The bridge of ETH from Ethereum is still open (pending)',
	],
	[
		'one that nobody could read as well',
		{ status: 'pending', input: { ...input, amount: '9'.repeat(2000) } },
		KNOWN,
		'The bridge of ETH from Ethereum is still open (pending)',
	],
])('%s', (_name, order, reading, summary) => {
	expect(simplifyOrder('0xAB', order as Record<string, unknown>, reading).summary).toBe(summary);
});

test('orders that are not known, and those that are no longer watched', () => {
	expect(notFoundOrder('0xAB').summary).toBe('Order 0xAB is not known to the bridge service (yet)');
	expect(summaryOfWatchExpired('0xAB')).toBe(
		'Order 0xAB is not finished, and its watch has expired',
	);
	expect(summaryOfWatchExpired('a'.repeat(5000))).toBe(
		`Order ${'a'.repeat(100)}… is not finished, and its watch has expired`,
	);
});

test('what the service writes stays one line of bounded length, without control and direction signs', () => {
	const long = 'N'.repeat(5000);
	const networks = [
		{
			chainID: 101,
			name: `Ether\u0000eum\r\n\u202eevil ${long}`,
			baseToken: '\u200b \u2028',
			decimals: 18,
			tokens: { NATIVE: ZERO },
		},
	];
	const { summary } = simplifyOrder(
		'0xAB',
		{ status: 'a\tb\u009b', input },
		{ ...KNOWN, networks },
	);
	expect(summary).toBe(
		`The bridge of 0.5 of token ${ZERO} from Ether eum evil ${'N'.repeat(85)}… is still open (a b)`,
	);
	fc.assert(
		fc.property(
			fc.string({ unit: 'binary' }),
			fc.string({ unit: 'binary' }),
			fc.string({ unit: 'binary' }),
			(name, status, hash) => {
				const order = {
					status,
					input: { chainId: 1, token: name, amount: status },
					output: { chainId: name },
				};
				const sentence = simplifyOrder(hash, order, {
					...KNOWN,
					networks: [{ chainID: 1, name, baseToken: name }],
				}).summary;
				expect(sentence).not.toMatch(/[\p{C}]|[^\S ]| {2}/u);
				expect(sentence.length).toBeLessThan(1500);
			},
		),
	);
});

test('an amount is said as it is, or as one in the smallest unit, or not at all', () => {
	fc.assert(
		fc.property(
			fc.bigInt({ min: 1n, max: 2n ** 256n }),
			fc.option(fc.integer({ min: 0, max: 40 })),
			(amount, decimals) => {
				const leg = { chainId: 101, token: USDC, amount: String(amount), decimals };
				const item = simplifyOrder('0xAB', { status: 'pending', input: leg }, ONLY_NAMES);
				if (decimals === null) {
					expect(item.inputAmountReadable).toBeNull();
					expect(item.summary).toContain(
						`(${amount} in the smallest unit, see the option Token Decimals)`,
					);
				} else {
					expect(item.inputDecimalsFrom).toBe('service');
					expect(item.summary).toContain(` ${String(item.inputAmountReadable)} of token`);
				}
			},
		),
	);
});

const LEG: SummaryLeg = {
	chainId: null,
	network: null,
	token: null,
	tokenSymbol: null,
	amount: null,
	amountReadable: null,
};

test.each<[Partial<SummaryLeg>, string | null, string | null]>([
	[{}, null, null],
	[{ tokenSymbol: 'ETH' }, 'ETH', 'ETH'],
	[{ token: '0xab' }, 'Token 0xab', 'token 0xab'],
	[{ tokenSymbol: 'ETH', token: '0xab' }, 'ETH', 'ETH'],
	[{ amountReadable: '0.5', tokenSymbol: 'ETH' }, '0.5 ETH', '0.5 ETH'],
	[{ amountReadable: '0.5', token: '0xab' }, '0.5 of token 0xab', '0.5 of token 0xab'],
	[{ amountReadable: '0.5' }, 'An amount of 0.5', 'an amount of 0.5'],
	[{ amountReadable: '0.5', amount: '5', tokenSymbol: 'ETH' }, '0.5 ETH', '0.5 ETH'],
	[{ amount: '5' }, 'An amount of 5 in the smallest unit', 'an amount of 5 in the smallest unit'],
	[
		{ amount: '5', tokenSymbol: 'ETH' },
		'ETH (5 in the smallest unit)',
		'ETH (5 in the smallest unit)',
	],
	[
		{ amount: '5', tokenSymbol: 'ETH', token: '0xab' },
		'ETH (5 in the smallest unit, see the option Token Decimals)',
		'ETH (5 in the smallest unit, see the option Token Decimals)',
	],
	[
		{ amount: '5', token: '0xab' },
		'Token 0xab (5 in the smallest unit, see the option Token Decimals)',
		'token 0xab (5 in the smallest unit, see the option Token Decimals)',
	],
	[
		{ amountReadable: '9'.repeat(100), tokenSymbol: 'ETH' },
		`${'9'.repeat(100)} ETH`,
		`${'9'.repeat(100)} ETH`,
	],
	[{ amountReadable: '9'.repeat(101), tokenSymbol: 'ETH' }, 'ETH', 'ETH'],
	[{ amountReadable: '1.25', tokenSymbol: 'ETH' }, '1.25 ETH', '1.25 ETH'],
	[{ amountReadable: '1.', tokenSymbol: 'ETH' }, 'ETH', 'ETH'],
	[{ amountReadable: '-1', tokenSymbol: 'ETH' }, 'ETH', 'ETH'],
	[{ amountReadable: '1 <b>', tokenSymbol: 'ETH' }, 'ETH', 'ETH'],
])('%j is called %j, and %j within a sentence', (leg, start, inside) => {
	expect([
		assetWords({ ...LEG, ...leg }, 'start'),
		assetWords({ ...LEG, ...leg }, 'inside'),
	]).toEqual([start, inside]);
});

test.each<[Partial<SummaryLeg>, string | null]>([
	[{ network: 'Base', chainId: 1 }, 'Base'],
	[{ chainId: 1 }, 'network 1'],
	[{ chainId: 0 }, 'network 0'],
	[{ network: '\u200b', chainId: 'solana' }, 'network solana'],
	[{ chainId: '\u200b' }, null],
	[{}, null],
])('the network of %j is called %j', (leg, words) => {
	expect(networkWords({ ...LEG, ...leg })).toBe(words);
});

test('what is not known is left out with the words before it', () => {
	expect([optional(' of ', 'ETH'), optional(' of ', null)]).toEqual([' of ETH', '']);
	expect(summaryOfNotFound('')).toBe(
		'Order without a hash is not known to the bridge service (yet)',
	);
});

test.each<[number, string]>([
	[0, 'less than 1 s'],
	[0.4, 'less than 1 s'],
	[0.5, '1 s'],
	[59.6, '60 s'],
	[119, '119 s'],
	[120, '2 min'],
	[121, '2 min 1 s'],
	[3599, '59 min 59 s'],
	[3600, '1 h'],
	[3659, '1 h'],
	[3660, '1 h 1 min'],
	[12_000, '3 h 20 min'],
	[90_000, '25 h'],
])('%d seconds are %s', (seconds, words) => {
	expect(durationWords(seconds)).toBe(words);
});
