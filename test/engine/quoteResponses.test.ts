import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import {
	byAddress,
	byId,
	DAI,
	GET_QUOTE as QUOTE_OF_ETH,
	NATIVE,
	USDC,
	USDC_ON_BASE,
	WALLET,
} from './quoteFields';
import { ranAction } from './ranAction';
import { quotesAskedFor, rehearse, type Rehearsal, wallClockAhead } from './sandboxed';

/** What a quote says, and what it does not: of amounts, fees and times no more is shown than was asked for and stated. */

let bridge: Rehearsal;
beforeEach(async () => void (bridge = await rehearse()));

const GET_QUOTE = { ...QUOTE_OF_ETH, toToken: byAddress(USDC_ON_BASE) };
const OF_USDC = { ...GET_QUOTE, fromToken: byAddress(USDC) };

const JSON_QUOTE = {
	specifyQuote: 'json',
	quoteJson: {
		inputNetwork: 101,
		outputNetwork: 102,
		inputTokenAmount: '500000000000000000',
		sourceAddress: WALLET,
		destinationAddress: WALLET,
	},
};

const run = async (parameters: IDataObject) => await ranAction(bridge, parameters);
const always = async (fault: Fault) => await bridge.fault({ ...fault, times: 'always' });
const amountsAskedFor = async () =>
	(await quotesAskedFor(bridge)).map(({ inputTokenAmount }) => inputTokenAmount);

describe('a quote for another token than was asked for is refused, with its transactions', () => {
	const USDX = `0x${'ab'.repeat(20)}`;

	test.each<[string, IDataObject, IDataObject, RegExp]>([
		[
			'USDC for the native token',
			{},
			{ tokenIn: { address: USDC, symbol: 'USDC' } },
			/token than 'From Token'$/,
		],
		[
			'USDC for it in JSON',
			JSON_QUOTE,
			{ tokenIn: { address: USDC } },
			/token than "inputTokenContract"$/,
		],
		[
			'the native token for USDC',
			{ ...OF_USDC, amount: '5', amountUnit: 'smallestUnit' },
			{ tokenIn: { address: NATIVE } },
			/token than 'From Token'$/,
		],
		[
			'another token to receive',
			{},
			{ tokenOut: { address: USDX, symbol: 'SCAM' } },
			/token than 'To Token'$/,
		],
		[
			'the native token to receive',
			{},
			{ tokenOut: { address: NATIVE } },
			/token than 'To Token'$/,
		],
		[
			'another token to receive in JSON',
			JSON_QUOTE,
			{ tokenOut: { address: USDC_ON_BASE } },
			/token than "outputTokenContract"$/,
		],
	])('%s', async (_what, fields, answer, message) => {
		await always({ kind: 'fields', endpoint: 'quote', answer });
		const { error, item } = await run({ ...GET_QUOTE, ...fields });
		expect(item).toBeUndefined();
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(/^The node asked for .*, but the quote says .*discarded/);
	});

	test.each(['feeToken', 'tokenOut', 'srcToken'])(
		'the fields say which token, whatever further parameter there is: %s',
		async (name) => {
			const answer = { tokenOut: { address: USDC_ON_BASE, symbol: 'USDC', decimals: 6 } };
			await always({ kind: 'fields', endpoint: 'quote', answer });
			const { error, item } = await run({
				...OF_USDC,
				toToken: byAddress('NATIVE'),
				options: { queryParameters: { parameter: [{ name, value: USDC_ON_BASE }] } },
			});
			expect(item).toBeUndefined();
			expect(error?.message).toBe("The quote is for a different token than 'To Token'");
		},
	);

	test.each<[string, IDataObject, IDataObject]>([
		[
			'nothing stated',
			{},
			{ tokenIn: { amount: null, address: null }, tokenOut: { address: null } },
		],
		['the amount in token units', {}, { tokenIn: { amount: '0.5' } }],
		['the amount with zeros', {}, { tokenIn: { amount: '0.500' } }],
		['the amount in token units as a number', {}, { tokenIn: { amount: 0.5 } }],
		['the native token by its other address', {}, { tokenIn: { address: `0x${'Ee'.repeat(20)}` } }],
		[
			'the native token by an address of the network',
			{},
			{ tokenIn: { address: '0x2::sui::SUI' } },
		],
		[
			'the address in capitals',
			{},
			{ tokenOut: { address: USDC_ON_BASE.toUpperCase().replace('X', 'x') } },
		],
		['a symbol for an address', {}, { tokenOut: { address: 'USDC' } }],
		[
			'an address in the form of another chain',
			{},
			{ tokenOut: { address: 'So11111111111111111111111111111111111111112' } },
		],
	])('but it is the same with %s', async (_what, fields, answer) => {
		await always({ kind: 'fields', endpoint: 'quote', answer });
		const { error, item } = await run({ ...GET_QUOTE, ...fields });
		expect(error).toBeUndefined();
		expect(item).toMatchObject({ sent: '0.5 ETH', transactions: [expect.any(Object)] });
	});
});

describe('a token that is no address, which a bridge ignores, is not the native one', () => {
	const tokenIn = { symbol: 'ETH', address: NATIVE, decimals: 18, amount: '100000000' };
	const data = { tokenIn, transactions: [{ type: 'bridge', to: WALLET, value: '100000000' }] };
	const quotedFor = async (inputTokenContract: unknown) => {
		const body = JSON.stringify({ success: true, data });
		await always({ kind: 'body', endpoint: 'quote', body });
		const { quoteJson } = JSON_QUOTE;
		const given = { ...quoteJson, inputTokenContract, inputTokenAmount: '100000000' };
		return await run({ ...GET_QUOTE, ...JSON_QUOTE, quoteJson: given });
	};

	test.each(['USDC', 'usdc', 'null', 'undefined', '0x166c…128b', '0', true])(
		'%j in JSON is refused',
		async (token) => {
			const { error, item } = await quotedFor(token);
			expect(item).toBeUndefined();
			expect(error).toMatchObject({
				message: 'The quote is for a different token than "inputTokenContract"',
				description: expect.stringContaining(
					`The node asked for ${token}, but the quote says 0x0000`,
				),
			});
		},
	);

	test.each(['ETH', 'eth', 'WETH', 'native'])('but %s is', async (token) => {
		const { error, item } = await quotedFor(token);
		expect(error).toBeUndefined();
		expect(item).toMatchObject({ sent: '0.0000000001 ETH', transactions: data.transactions });
	});
});

describe('a quote that states another amount is never refused, and its summary begins with that', () => {
	const smallest = { ...OF_USDC, amount: '500000', amountUnit: 'smallestUnit' };

	test.each<[string, IDataObject, unknown]>([
		['less, after a fee on what is sent', GET_QUOTE, '499000000000000000'],
		['nothing', GET_QUOTE, '0'],
		['less in token units', GET_QUOTE, '0.499'],
		['ten times as much', GET_QUOTE, '5000000000000000000'],
		['less of a token', OF_USDC, '499999'],
		['more in the smallest unit', smallest, '5000000'],
	])('%s', async (_what, fields, amount) => {
		await always({ kind: 'fields', endpoint: 'quote', answer: { tokenIn: { amount } } });
		const { error, item, hints } = await run(fields);
		expect(error).toBeUndefined();
		expect(item).toMatchObject({
			summary: expect.stringContaining(
				`⚠️ The bridge states a different amount (${String(amount)}) than you asked for. A quote for 0.5 `,
			),
			received: null,
			receivedAtLeast: null,
			transactions: expect.arrayContaining([expect.any(Object)]),
		});
		expect(hints).not.toContain('Token Decimals');
	});
});

test('a quote in token units is read so if it has a dot', async () => {
	const answer = {
		tokenIn: { amount: '0.5' },
		tokenOut: { amount: '1248.125', minAmount: '1241.884375' },
	};
	await always({ kind: 'fields', endpoint: 'quote', answer });
	expect((await run(GET_QUOTE)).item).toMatchObject({
		received: '1248.125 USDC',
		receivedAtLeast: '1241.884375 USDC',
		receivedAtLeastAmount: 1241.884375,
	});
});

test.each<[object, number | null]>([
	[{ amount: '1748.125', minAmount: '1740' }, null],
	[{ amount: 1748.125, minAmount: 1740 }, null],
	[{ amount: '1749', minAmount: '1740.5' }, null],
	[{ amount: '1748.0', minAmount: '1740' }, null],
	[{ amount: 'about 1,748.125 USDC', minAmount: '1740' }, null],
	[{ amount: null, minAmount: '1740' }, 0.00174],
	[{ amount: '1748125000', minAmount: '1740' }, 0.00174],
])(
	'of %j no amount is in the smallest unit if one has a fraction, whatever is sent',
	async (tokenOut, least) => {
		await always({ kind: 'fields', endpoint: 'quote', answer: { tokenOut } });
		const { item } = await run(GET_QUOTE);
		expect(item).toMatchObject({ sent: '0.5 ETH', receivedAtLeastAmount: least });
		if (least === null)
			expect(item).toMatchObject({ received: null, receivedAmount: null, receivedAtLeast: null });
	},
);

describe('decimals that a test quote states', () => {
	test.each([NATIVE, DAI])('are not taken where it is for %s', async (address) => {
		await always({
			kind: 'fields',
			endpoint: 'quote',
			answer: { tokenIn: { address, decimals: 18 } },
		});
		const { error } = await run({ ...OF_USDC, amount: '100' });
		expect(error?.message).toContain("The quote is for a different token than 'From Token'");
		expect(await amountsAskedFor()).toHaveLength(1);
	});

	test('where the amount is not enough, the quote that was asked for is named', async () => {
		await always({ kind: 'error', endpoint: 'quote', status: 400, code: 'AMOUNT_TOO_LOW' });
		const { error } = await run(OF_USDC);
		expect(error?.description).toContain('asked for a quote as if the token had 6 decimals');
		expect(error?.description).toContain('AMOUNT_TOO_LOW');
		expect(await amountsAskedFor()).toEqual(['500000']);
	});

	test('a network that the bridge rejects is no question of decimals', async () => {
		await always({
			kind: 'error',
			endpoint: 'quote',
			code: 'INVALID_PARAMETER',
			message: 'inputNetwork is not supported',
		});
		const { error } = await run({ ...OF_USDC, fromNetwork: byId('99') });
		expect(`${String(error?.message)} ${String(error?.description)}`).toContain('From Network');
		expect(error?.message).not.toContain('decimals');
	});
});

test.each([
	['2', '4992'],
	['0.5', '1248'],
])(
	'of a quote in token units, only the %s that were asked for are said',
	async (amount, received) => {
		const answer = {
			tokenIn: { amount },
			tokenOut: { amount: received, minAmount: received },
			fees: { total: '0.003' },
		};
		await always({ kind: 'fields', endpoint: 'quote', answer });
		const { item, hints } = await run({ ...GET_QUOTE, amount });
		expect(item).toMatchObject({ sent: `${amount} ETH`, received: null, receivedAtLeast: null });
		expect(item?.summary).not.toMatch(/smallest|gives about/);
		expect(hints).not.toContain('Token Decimals');
	},
);

test.each([
	['in no unit', { total: '1250000' }],
	['with a fraction', { total: '750000000000000', percentage: '0.0015' }],
	['with basis points', { total: '750000000000000', percentage: '15' }],
])('fees %s are shown as they came, and in no other unit', async (_how, fees) => {
	await always({ kind: 'fields', endpoint: 'quote', answer: { fees } });
	const { item } = await run(GET_QUOTE);
	expect(item?.fees).toMatchObject(fees);
	expect(String(item?.summary)).toMatch(/^0\.5 ETH on Ethereum gives about (?!.*fee)/);
});

test.each<[object, boolean]>([
	[{ sufficient: 'false' }, false],
	[{ sufficient: 0 }, false],
	[{ sufficient: 'true', balance: '1', required: '5' }, true],
	[{ sufficient: null, balance: '1', required: '5' }, false],
	[{ sufficient: null, balance: '5', required: '5' }, true],
])('a balance check %j is read: %j', async (balanceCheck, isSufficient) => {
	await always({ kind: 'fields', endpoint: 'quote', answer: { balanceCheck } });
	const { item } = await run({ ...GET_QUOTE, simplify: false });
	expect(item?.balanceSufficient).toBe(isSufficient);
	expect(String(item?.summary).includes("the sender's balance is too low")).toBe(!isSufficient);
});

test('an expiry that is a number of seconds is no time in 1970', async () => {
	await always({ kind: 'fields', endpoint: 'quote', answer: { expiry: 300 } });
	const { item, hints } = await run(GET_QUOTE);
	expect(item).toMatchObject({ sent: '0.5 ETH', expiresAt: null });
	expect(`${String(item?.summary)} ${hints}`).not.toContain('expired');
});

describe('whether a quote has expired goes by the clock of the bridge, in any unit and for any token,', () => {
	const inSeconds = (seconds: number) => Math.floor(new Date().getTime() / 1000) + seconds;

	test.each<[string, number, number, RegExp]>([
		['if that of n8n is ten minutes ahead', 600_000, 30, /; valid for (2\d|30) s$/],
		['if that of n8n is ten minutes late', -600_000, -5, /; expired$/],
		['if the two agree', 0, 30, /; valid for (2\d|30) s$/],
		[
			'but not if they differ by more than a day, which no clock does',
			90_000_000,
			30,
			/; expired$/,
		],
	])('%s', async (_what, ahead, seconds, words) => {
		await always({ kind: 'fields', endpoint: 'quote', answer: { expiry: inSeconds(seconds) } });
		wallClockAhead(ahead);
		// The first of USDC is the quote that states its decimals.
		for (const parameters of [GET_QUOTE, OF_USDC, { ...GET_QUOTE, ...JSON_QUOTE }]) {
			const { item } = await run(parameters);
			expect(item?.summary).toMatch(words);
		}
	});
});

describe('an option of Get Quote by an expression without a usable value is an error', () => {
	const row = (value: string) => ({ queryParameters: { parameter: [{ name: 'minimum', value }] } });

	test.each<[string, IDataObject]>([
		['Slippage', { slippage: '={{ $json.missing }}' }],
		['Slippage', { slippage: '={{ null }}' }],
		['Slippage', { slippage: '={{ [0.5] }}' }],
		['Slippage', { slippage: '={{ ({ a: 1 }) }}' }],
		['Value', row('={{ $json.missing }}')],
		['Value', row('={{ null }}')],
	])('%s: %j', async (name, options) => {
		const { error } = await run({ ...GET_QUOTE, options });
		expect(error?.message).toContain(name);
		expect(await amountsAskedFor()).toEqual([]);
	});
});
