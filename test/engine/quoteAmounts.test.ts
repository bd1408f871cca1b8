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
	['the native token with nothing chosen', {}, HALF],
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
	const { error, sent } = await quote(further('inputToken', USDC));
	expect(error).toMatchObject({
		message: `The query parameter "inputToken" may name a different token than 'From Token' [item 0]`,
	});
	expect(sent).toEqual([]);
	await quote({ ...further('inputToken', USDC), amountUnit: 'smallestUnit', amount: '500000' });
	await quote(further('referrer', 'me'));
	// One that replaces the amount is in the unit that the service takes.
	await quote(further('inputTokenAmount', '7000'));
	expect(await sentQuotes()).toMatchObject([
		{ inputToken: USDC, inputTokenAmount: '500000' },
		{ referrer: 'me', inputTokenAmount: HALF },
		{ inputTokenAmount: '7000' },
	]);
});

test('one beside a token that is chosen says nothing of that token', async () => {
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
	const SMALL = '1000000';

	test('a small quote states them, and the right amount is asked for', async () => {
		const { sent, error, outputs } = await quote({ fromToken: listed(USDC), amount: '0.25' });
		expect(error).toBeUndefined();
		expect(amountsOf(sent)).toEqual([SMALL, '250000']);
		expect(outputs[0]?.[0]?.json).toMatchObject({
			inputAmount: '250000',
			inputAmountReadable: '0.25',
			inputTokenSymbol: 'USDC',
		});
	});

	test('they are asked for again in the next execution, whatever the case of the address', async () => {
		await quote({ fromToken: listed(USDC) });
		await bridge.forgetRequests();
		const again = await quote({
			fromToken: byAddress(USDC.toUpperCase().replace('0X', '0x')),
			amount: '2',
		});
		expect(amountsOf(again.sent)).toEqual([SMALL, '2000000']);
	});

	test('many items ask for them once', async () => {
		const halves = items(30, (index) => `${index + 1}.5`);
		const { sent } = await quote({ ...OF_USDC, ...BY_ITEM }, halves);
		expect(sent).toHaveLength(31);
		expect(sent.filter(({ inputTokenAmount }) => inputTokenAmount === SMALL)).toHaveLength(1);
		expect(sent.map(({ inputTokenAmount }) => inputTokenAmount)).toContain('30500000');
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
			error: { message: 'The decimals of the token are not known [item 99]' },
		});
		expect(sent).toHaveLength(1);
	});

	test('where a small amount is too small, a larger one is asked for', async () => {
		const route = { fromToken: listed(DAI), toToken: byAddress(USDC_ON_BASE) };
		const { sent, error } = await quote({ ...route, amount: '3' });
		expect(error).toBeUndefined();
		expect(amountsOf(sent)).toEqual([SMALL, '1000000000000000000', '3000000000000000000']);
	});

	test.each([
		[400, 3],
		[500, 1],
	])(
		'also where the service says so without a code: after HTTP %i it asks %i times',
		async (status, times) => {
			await bridge.fault({
				kind: 'body',
				endpoint: 'quote',
				body: '{"message":"too small"}',
				status,
				times: 1,
			});
			const { sent } = await quote({ fromToken: listed(USDC) });
			expect(sent.filter(({ inputTokenAmount }) => inputTokenAmount !== '500000')).toHaveLength(
				times,
			);
		},
	);

	test('where a quote does not state them, the option is named, and where to find them', async () => {
		await bridge.fault({
			kind: 'fields',
			endpoint: 'quote',
			absent: ['tokenIn.decimals'],
			times: 'always',
		});
		const { error, sent } = await quote({ fromToken: listed(USDC) });
		expect(error).toMatchObject({
			message: 'The decimals of the token are not known [item 0]',
			description: expect.stringMatching(
				/^The bridge does not state them\. .*block explorer.*option 'Token Decimals'/,
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
		expect(sent).toHaveLength(3);
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
			message: "'Token Decimals' is 2, but the bridge says that the token has 6 decimals [item 0]",
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
		what                         | token      | stated | message
		${'the configuration'}       | ${{}}      | ${6}   | ${'The bridge said that the token has 18 decimals, and now says 6'}
		${'what a small quote said'} | ${OF_USDC} | ${8}   | ${'The bridge said that the token has 8 decimals, and now says 6'}
	`('$what', async (row: { token: IDataObject; stated: number; message: string }) => {
		const answer = { tokenIn: { decimals: row.stated } };
		await bridge.fault({ kind: 'fields', endpoint: 'quote', answer });
		expect((await quote(row.token)).error?.message).toBe(`${row.message} [item 0]`);
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

test('the native token from the list is left out of the query, one by address is sent as it is', async () => {
	const { sent } = await quote({ fromToken: listed(NATIVE), toToken: byAddress(NATIVE) });
	expect(sent[0]).toMatchObject({ outputTokenContract: NATIVE });
	expect(sent[0]).not.toHaveProperty('inputTokenContract');
});

test.each<[string, IDataObject]>([
	['a field that the item does not have', byAddress('={{ $json.missing }}')],
	['null', byAddress('={{ null }}')],
	['an object', byAddress('={{ ({ a: 1 }) }}')],
	['a list', byAddress('={{ [] }}')],
	['a switch', byAddress('={{ false }}')],
])(
	'a token by an expression that gives %s is not the native token: no quote is asked for',
	async (_name, token) => {
		for (const [name, label] of [
			['fromToken', 'From Token'],
			['toToken', 'To Token'],
		] as const) {
			for (const amountUnit of ['tokenUnits', 'smallestUnit']) {
				const { error, sent } = await quote({ amount: '5', amountUnit, [name]: token });
				expect(error).toMatchObject({
					message: `'${label}' is empty [item 0]`,
					description: `Fill in '${label}'. If it comes from an expression, check that the previous node gives it for this item.`,
				});
				expect(sent).toEqual([]);
			}
		}
	},
);

test.each(['', ' ', "={{ '' }}"])('real empty text (%j) is the native token', async (value) => {
	const { sent, error } = await quote({ fromToken: byAddress(value), toToken: listed('') });
	expect(error).toBeUndefined();
	expect(sent).toHaveLength(1);
	expect(sent[0]).not.toHaveProperty('inputTokenContract');
});

test.each`
	what                                          | field                                                        | message
	${'a comma'}                                  | ${{ amount: '1,5' }}                                         | ${"'Amount' has a comma"}
	${'nothing'}                                  | ${{ amount: '={{ "" }}' }}                                   | ${"'Amount' is empty"}
	${'more decimals than the token has'}         | ${{ amount: '0.1234567', ...OF_USDC, ...decimals(USDC, 6) }} | ${"'Amount' has more decimals than the token"}
	${'a number with an exponent'}                | ${{ amount: '={{ 1e21 }}' }}                                 | ${"'Amount' is a number that may have lost digits"}
	${'a network that the service does not have'} | ${{ fromNetwork: byId('999') }}                              | ${'The decimals of the token are not known'}
	${'decimals that are none'}                   | ${decimals(USDC, 'six')}                                     | ${"Row 1 of 'Token Decimals' has no valid number of decimals"}
`(
	'in token units, $what gets a sentence and no quote is asked for',
	async ({ field, message }: { field: IDataObject; message: string }) => {
		const { error, sent } = await quote(field);
		expect(error?.message).toBe(`${message} [item 0]`);
		expect(error?.description).toMatch(/\.$/);
		expect(sent).toEqual([]);
	},
);

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
				toToken: byAddress(''),
			},
			{ inputAmount: '500000', inputAmountReadable: '0.5', inputNetwork: null },
		],
		['the smallest unit does without it', { amountUnit: 'smallestUnit', amount: '5000' }, null],
	])('%s', async (_what, parameters, item) => {
		const { sent, outputs } = await quote(parameters);
		expect(sent).toHaveLength(item === null ? 1 : 2);
		expect(outputs[0]?.[0]?.json).toMatchObject(item ?? { outputAmount: expect.any(String) });
	});
});
