import type { IDataObject } from 'n8n-workflow';

import { type ActionOptions, runAction } from './n8n';
import {
	byAddress,
	byId,
	DAI,
	decimals,
	GET_QUOTE,
	listed,
	NATIVE,
	USDC,
	USDC_ON_BASE,
	WALLET,
} from './quoteFields';
import { quotesAskedFor, rehearse, type Rehearsal } from './sandboxed';

let bridge: Rehearsal;
beforeEach(async () => void (bridge = await rehearse()));

const fields = { ...GET_QUOTE, simplify: false };

async function quote(parameters: IDataObject, items?: IDataObject[], options: ActionOptions = {}) {
	const ran = await runAction(
		bridge.credentials,
		{ ...fields, ...parameters },
		{ ...(items === undefined ? {} : { items: items.map((json) => ({ json })) }), ...options },
	);
	return { ...ran, sent: await sentQuotes() };
}

const amountsOf = (sent: Array<Record<string, string>>) =>
	sent.map(({ inputTokenAmount }) => inputTokenAmount);

const sentQuotes = async () => await quotesAskedFor(bridge);

const HALF = '500000000000000000';
const OF_USDC = { fromToken: listed(USDC) };
const UPPER_USDC = USDC.toUpperCase().replace('0X', '0x');
const items = (count: number, amountOf: (index: number) => string) =>
	Array.from({ length: count }, (_unused, index) => ({ amount: amountOf(index) }));
const BY_ITEM = { amount: '={{ $json.amount }}' };

test.each<[string, IDataObject, string]>([
	['the native token by its word', { fromToken: byAddress('native') }, HALF],
	['the native token by its symbol', { fromToken: byAddress('eth') }, HALF],
	['the native token from the list', { fromToken: listed(NATIVE) }, HALF],
	['the native token by its address', { fromToken: byAddress(NATIVE) }, HALF],
	['that of another network', { fromNetwork: listed('102'), toNetwork: listed('101') }, HALF],
	[
		'a token with the option Token Decimals',
		{ ...OF_USDC, ...decimals(UPPER_USDC, '6') },
		'500000',
	],
	['decimals from an expression', { ...OF_USDC, ...decimals(USDC, '={{ 6 }}') }, '500000'],
	['the native token with its decimals given, too', decimals(NATIVE, '18'), HALF],
	['the native token with the decimals of another one given', decimals(USDC, '6'), HALF],
	['digits beyond a number', { amount: '123.123456789123456789' }, '123123456789123456789'],
	['a number from an expression', { amount: '={{ 0.1 }}' }, '100000000000000000'],
])('in token units: %s', async (_name, parameters, amount) => {
	const { sent, error, outputs } = await quote(parameters);
	expect(error).toBeUndefined();
	expect(amountsOf(sent)).toEqual([amount]);
	expect(outputs[0]?.[0]?.json).toMatchObject({
		inputAmount: amount,
		outputAmount: expect.anything(),
		transactions: expect.anything(),
	});
});

test('Solana’s native token has nine decimals, and its address is 32 ones', async () => {
	const solana = 'FQgnSfTJ9TtxazfKFQuw11XLDkbuTFGy4Aeo4ubnXsTB';
	const { sent } = await quote({
		fromNetwork: listed('201'),
		fromToken: listed('1'.repeat(32)),
		toNetwork: listed('101'),
		sender: solana,
	});
	expect(sent).toEqual([expect.objectContaining({ inputTokenAmount: '500000000' })]);
	expect(sent[0]).not.toHaveProperty('inputTokenContract');
});

test('a further query parameter that may name the token: its decimals are not taken for the native token’s', async () => {
	const further = (name: string, value: string) => ({
		options: { queryParameters: { parameter: [{ name, value }] } },
	});
	const { error, sent } = await quote(further('srcToken', USDC));
	expect(error).toMatchObject({
		message: `The query parameter "srcToken" may name a different token than 'From Token'`,
		description: "Choose the token in 'From Token', or enter 'Amount' in the smallest unit.",
	});
	expect(sent).toEqual([]);
	await quote({ ...further('srcToken', USDC), amountUnit: 'smallestUnit', amount: '500000' });
	await quote(further('referrer', 'me'));
	expect(await sentQuotes()).toMatchObject([
		{ srcToken: USDC, inputTokenAmount: '500000' },
		{ referrer: 'me', inputTokenAmount: HALF },
	]);
});

test('one next to a token that is chosen says nothing of that token', async () => {
	const options = { queryParameters: { parameter: [{ name: 'feeToken', value: '0xfee' }] } };
	const { error, sent } = await quote({ options, fromToken: listed(USDC), amount: '0.25' });
	expect(error).toBeUndefined();
	expect(sent.at(-1)).toMatchObject({ feeToken: '0xfee', inputTokenAmount: '250000' });
});

test('many items ask for the configuration once', async () => {
	const { sent } = await quote(
		BY_ITEM,
		items(30, (index) => `${index + 1}.5`),
	);
	expect(sent).toHaveLength(30);
	expect(await bridge.requests()).toHaveLength(31);
});

describe('a token whose decimals only the service knows', () => {
	test('the first quote is asked for as if it had six; if the bridge says so, it is the quote', async () => {
		const { sent, error, outputs } = await quote({ fromToken: listed(USDC), amount: '0.25' });
		expect(error).toBeUndefined();
		expect(amountsOf(sent)).toEqual(['250000']);
		expect(outputs[0]?.[0]?.json).toMatchObject({
			inputAmount: '250000',
			inputAmountReadable: '0.25',
			inputTokenSymbol: 'USDC',
		});
	});

	test('if the bridge states others, the right amount is asked for', async () => {
		const route = { fromNetwork: listed('104'), fromToken: byAddress('USDC') };
		const { sent, error, outputs } = await quote({ ...route, amount: '5' });
		expect(error).toBeUndefined();
		expect(amountsOf(sent)).toEqual(['5000000', '5000000000000000000']);
		expect(outputs[0]?.[0]?.json).toMatchObject({ sent: '5 USDC' });
	});

	test('an amount with more decimals than six is no obstacle', async () => {
		const route = { fromNetwork: listed('104'), fromToken: byAddress('USDC') };
		const { sent } = await quote({ ...route, amount: '5.1234567' });
		expect(amountsOf(sent)).toEqual(['1000000', '5123456700000000000']);
	});

	test('they are asked for again in the next execution, whatever the case of the address', async () => {
		await quote({ fromToken: listed(USDC) });
		await bridge.forgetRequests();
		const again = await quote({
			fromToken: byAddress(USDC.toUpperCase().replace('0X', '0x')),
			amount: '2',
		});
		expect(amountsOf(again.sent)).toEqual(['2000000']);
	});

	test('many items ask for them once', async () => {
		const halves = items(30, (index) => `${index + 1}.5`);
		const { sent, outputs } = await quote({ ...OF_USDC, ...BY_ITEM }, halves);
		expect(sent).toHaveLength(30);
		expect(outputs[0]?.map(({ json }) => json.sentAmount)).toEqual(
			halves.map(({ amount }) => Number(amount)),
		);
	});

	test('many items ask once for decimals that nobody states', async () => {
		await bridge.fault({
			kind: 'fields',
			endpoint: 'quote',
			answer: { tokenIn: { decimals: null } },
			times: 'always',
		});
		const hundred = items(100, () => '1.5');
		const { outputs, sent } = await quote({ ...OF_USDC, ...BY_ITEM }, hundred, {
			onError: 'continueRegularOutput',
		});
		expect(outputs[0]).toHaveLength(100);
		expect(outputs[0]?.[99]?.json).toMatchObject({
			error: { message: 'The number of decimals of this token is unknown (item 100 of 100)' },
		});
		expect(sent).toHaveLength(1);
	});

	test('if the first quote is rejected for its amount, the option is named, in the bridge’s words', async () => {
		const route = { fromToken: listed(DAI), toToken: byAddress(USDC_ON_BASE) };
		const { sent, error } = await quote({ ...route, amount: '3' });
		expect(amountsOf(sent)).toEqual(['3000000']);
		expect(error).toMatchObject({
			message: 'The number of decimals of this token is unknown',
			description: expect.stringMatching(
				/as if the token had 6 decimals, and the bridge rejected that request\. .*too small for this route.*option 'Token Decimals'/,
			),
		});
		const several = await quote(
			{ ...route, ...BY_ITEM },
			items(2, () => '3'),
		);
		expect(several.error?.message).toMatch(
			/^The number of decimals of this token is unknown \(item [12] of 2\)$/,
		);
		const given = await quote({ ...route, amount: '3', ...decimals(DAI, '18') });
		expect(given.sent.at(-1)?.inputTokenAmount).toBe('3000000000000000000');
	});

	test('where a quote does not state them, the option is named, and where to find them', async () => {
		await bridge.fault({
			kind: 'fields',
			endpoint: 'quote',
			absent: ['tokenIn.decimals'],
			times: 'always',
		});
		const { error, sent } = await quote({ fromToken: listed(USDC) });
		expect(error).toMatchObject({
			message: 'The number of decimals of this token is unknown',
			description: expect.stringMatching(
				/^The bridge doesn't state it\. .*block explorer.*option 'Token Decimals'/,
			),
		});
		expect(sent).toHaveLength(1);
		const given = await quote({ ...OF_USDC, ...decimals(USDC, 6) });
		expect(given.sent.at(-1)?.inputTokenAmount).toBe('500000');
		expect(given.outputs[0]?.[0]?.json).toMatchObject({
			inputAmountReadable: '0.5',
			inputDecimalsFrom: 'tokenDecimalsOption',
		});
	});

	test('where no small quote is given, the message names the field, in the service’s own words', async () => {
		const { error, sent } = await quote({ fromToken: listed(USDC), recipient: 'me' });
		expect(error).toMatchObject({
			message: "'Recipient' was not accepted",
			description: expect.stringContaining('Recipient is not an address on Base'),
			httpCode: '400',
			context: { code: 'INVALID_PARAMETER' },
		});
		expect(sent).toHaveLength(1);
	});

	test('any other error stops it at once', async () => {
		const { error, sent } = await quote({ fromToken: byAddress(`0x${'9'.repeat(40)}`) });
		expect(error).toMatchObject({ context: { code: 'NOT_FOUND' } });
		expect(sent).toHaveLength(1);
	});

	test('a failure of one item is no other item’s', async () => {
		const parameters = { ...OF_USDC, recipient: '={{ $json.to }}' };
		const { outputs } = await quote(parameters, [{ to: 'me' }, { to: WALLET }], {
			onError: 'continueRegularOutput',
		});
		expect(outputs[0]?.map(({ json }) => json.inputAmount ?? 'error')).toEqual(['error', '500000']);
	});
});

test('a run that has failed sends nothing more, however many items were under way', async () => {
	await bridge.fault({
		kind: 'error',
		endpoint: 'quote',
		code: 'INVALID_PARAMETER',
		times: 'always',
	});
	const { error } = await quote(
		{ ...OF_USDC, ...BY_ITEM },
		items(100, (index) => `${index + 1}`),
	);
	expect(error).toMatchObject({ context: { code: 'INVALID_PARAMETER' } });
	const before = (await sentQuotes()).length;
	// Each of these takes as long as a request that would have followed.
	for (let asked = 0; asked < 100; asked++) await bridge.requests();
	const after = (await sentQuotes()).length;
	expect(before).toBeLessThan(10);
	expect(after).toBe(before);
});

describe('where a quote states other decimals than were used, it stops with both', () => {
	test('the option Token Decimals', async () => {
		const { error, outputs } = await quote({ ...OF_USDC, ...decimals(USDC, '2') });
		expect(error).toMatchObject({
			message: "'Token Decimals' is 2, but the bridge says that the token has 6 decimals",
			description: expect.stringContaining(
				"Correct the row of the option 'Token Decimals' or remove it",
			),
		});
		expect(outputs.flat()).toEqual([]);
	});

	test('a row for another token counts for nothing', async () => {
		const { sent, error } = await quote({ fromToken: listed(DAI), ...decimals(USDC, '6') });
		expect(error).toBeUndefined();
		expect(sent.at(-1)?.inputTokenAmount).toBe('500000000000000000');
	});

	test.each`
		what                           | token      | stated | message
		${'the configuration'}         | ${{}}      | ${6}   | ${'The bridge gave two different numbers of decimals for this token (18, then 6)'}
		${'what the first quote said'} | ${OF_USDC} | ${8}   | ${'The bridge gave two different numbers of decimals for this token (8, then 6)'}
	`('$what', async (row: { token: IDataObject; stated: number; message: string }) => {
		const answer = { tokenIn: { decimals: row.stated } };
		await bridge.fault({ kind: 'fields', endpoint: 'quote', answer });
		expect((await quote(row.token)).error?.message).toBe(`${row.message}`);
	});

	test('in the smallest unit no decimals are used', async () => {
		const { error, sent } = await quote({
			fromToken: listed(USDC),
			amountUnit: 'smallestUnit',
			amount: '5000000',
			...decimals(USDC, '2'),
		});
		expect(error).toBeUndefined();
		expect(sent).toHaveLength(1);
	});
});

test.each<[string, IDataObject, string]>([
	['two readings', { amount: '1,125' }, "'Amount' cannot be '1,125'"],
	['nothing', { amount: '={{ "" }}' }, "'Amount' is empty"],
	[
		'more decimals than the token has',
		{ amount: '0.1234567', ...OF_USDC, ...decimals(USDC, 6) },
		"'Amount' has more decimals than the token",
	],
	['a number with an exponent', { amount: '={{ 1e21 }}' }, "'Amount' may have lost digits"],
	[
		'decimals that are none',
		decimals(USDC, 'six'),
		"Row 1 of 'Token Decimals': 'Decimals' cannot be 'six'",
	],
])(
	'in token units, %s gets a sentence and no quote is asked for',
	async (_what, field, message) => {
		const { error, sent } = await quote(field);
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(/\.$/);
		expect(sent).toEqual([]);
	},
);

test('an amount that an expression computes is refused with what makes it exact', async () => {
	const computed = await quote({ amount: '={{ 100 / 3 }}', ...OF_USDC });
	expect(computed.error?.message).toBe("'Amount' may have lost digits");
	const [rounding = ''] = /\.toFixed\(6\)/.exec(String(computed.error?.description)) ?? [];
	const { error, sent } = await quote({ amount: `={{ (100 / 3)${rounding} }}`, ...OF_USDC });
	expect(error).toBeUndefined();
	expect(sent).toMatchObject([{ inputTokenAmount: '33333333' }]);
});

test.each<[unknown, string]>([
	['0,5', '500000'],
	['1 246.87', '1246870000'],
	["1'246.87", '1246870000'],
	['1.246,87', '1246870000'],
	['0.5\u200b', '500000'],
])('the amount %j, in the form of some country, asks for %s', async (amount, sentAmount) => {
	const { sent, error } = await quote({ ...OF_USDC, ...BY_ITEM }, [{ amount } as IDataObject]);
	expect(error).toBeUndefined();
	expect(amountsOf(sent)).toEqual([sentAmount]);
});

describe('when the configuration cannot be had', () => {
	beforeEach(
		async () => await bridge.fault({ kind: 'error', endpoint: 'config', times: 'always' }),
	);

	test.each<[string, IDataObject, object | null]>([
		['given decimals do', decimals(NATIVE, '18'), null],
		[
			'a quote states the decimals of any other token, all by ID, address or expression',
			{
				fromNetwork: byId('={{ 101 }}'),
				toNetwork: byId('102'),
				fromToken: byAddress(USDC),
				toToken: byAddress('NATIVE'),
			},
			{ inputAmount: '500000', inputAmountReadable: '0.5', inputNetwork: null },
		],
		['the smallest unit does without it', { amountUnit: 'smallestUnit', amount: '5000' }, null],
	])('%s', async (_what, parameters, item) => {
		const { sent, outputs } = await quote(parameters);
		expect(sent).toHaveLength(1);
		expect(outputs[0]?.[0]?.json).toMatchObject(item ?? { outputAmount: expect.any(String) });
	});
});
