import type { IDataObject } from 'n8n-workflow';

import { runAction } from './n8n';
import { rehearse, type Rehearsal } from './sandboxed';

let bridge: Rehearsal;
beforeEach(async () => {
	bridge = await rehearse();
});
afterEach(async () => await bridge.sandbox.stop());

const USDC = '0x166cab27f2cbb40426a5742c477d609e0716128b';
const NATIVE = `0x${'0'.repeat(40)}`;
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
const listed = (value: string) => ({ __rl: true, mode: 'list', value });
const address = (value: string) => ({ __rl: true, mode: 'address', value });
const fields = {
	operation: 'getQuote',
	fromNetwork: listed('101'),
	toNetwork: listed('102'),
	fromToken: listed(''),
	toToken: listed(''),
	amountUnit: 'tokenUnits',
	amount: '0.5',
	sender: WALLET,
	recipient: WALLET,
};

async function quote(parameters: IDataObject, items?: IDataObject[]) {
	const ran = await runAction(bridge.credentials, { ...fields, ...parameters }, items === undefined ? {} : { items: items.map((json) => ({ json })) });
	const sent = (await bridge.requests()).filter(({ path }) => path.endsWith('/quote')).map(({ query }) => query);
	return { ...ran, sent };
}

test.each<[string, IDataObject, string]>([
	['the native token with nothing chosen', {}, '500000000000000000'],
	['the native token from the list', { fromToken: listed(NATIVE) }, '500000000000000000'],
	['the native token by its address', { fromToken: address(NATIVE) }, '500000000000000000'],
	['the native token of another network', { fromNetwork: listed('102'), toNetwork: listed('101') }, '500000000000000000'],
	['a token with the option Token Decimals', { fromToken: listed(USDC), options: { inputDecimals: '6' } }, '500000'],
	['decimals as a number from an expression', { fromToken: listed(USDC), options: { inputDecimals: '={{ 6 }}' } }, '500000'],
	['the native token with its decimals given, too', { options: { inputDecimals: '18' } }, '500000000000000000'],
	['digits that no number holds', { amount: '123.123456789123456789' }, '123123456789123456789'],
	['a number from an expression', { amount: '={{ 0.1 }}' }, '100000000000000000'],
])('in token units: %s', async (_name, parameters, amount) => {
	const { sent, error, outputs } = await quote(parameters);
	expect(error).toBeUndefined();
	expect(sent.map(({ inputTokenAmount }) => inputTokenAmount)).toEqual([amount]);
	expect(outputs[0]?.[0]?.json).toMatchObject({ tokenIn: { amount }, tokenOut: expect.anything(), transactions: expect.anything() });
});

test('Solana’s native token has nine decimals, and its address is 32 ones', async () => {
	const solana = 'FQgnSfTJ9TtxazfKFQuw11XLDkbuTFGy4Aeo4ubnXsTB';
	const { sent } = await quote({ fromNetwork: listed('201'), fromToken: listed('1'.repeat(32)), toNetwork: listed('101'), sender: solana });
	expect(sent).toEqual([expect.objectContaining({ inputTokenAmount: '500000000' })]);
	expect(sent[0]).not.toHaveProperty('inputTokenContract');
});

test('many items ask for the configuration once', async () => {
	const { sent } = await quote({ amount: '={{ $json.amount }}' }, Array.from({ length: 30 }, (_unused, index) => ({ amount: `${index + 1}.5` })));
	expect(sent).toHaveLength(30);
	expect(await bridge.requests()).toHaveLength(31);
});

test('a workflow that was saved before there was a unit still means the smallest one', async () => {
	const { amountUnit: _later, ...saved } = fields;
	await runAction(bridge.credentials, {
		...saved,
		fromNetwork: { __rl: true, mode: 'id', value: '101' },
		toNetwork: { __rl: true, mode: 'id', value: '102' },
		fromToken: address(''),
		toToken: address(NATIVE),
		amount: '500000000000000000',
	});
	expect((await bridge.requests()).map(({ query }) => query)).toEqual([
		expect.objectContaining({ inputNetwork: '101', outputNetwork: '102', inputTokenAmount: '500000000000000000', outputTokenContract: NATIVE }),
	]);
});

test('the native token from the list is left out of the query, one by address is sent as it is', async () => {
	const { sent } = await quote({ fromToken: listed(NATIVE), toToken: address(NATIVE) });
	expect(sent[0]).toMatchObject({ outputTokenContract: NATIVE });
	expect(sent[0]).not.toHaveProperty('inputTokenContract');
});

test.each<[string, IDataObject, string]>([
	['a comma', { amount: '1,5' }, 'The Amount holds a comma'],
	['separators for thousands', { amount: '1,000.5' }, 'The Amount holds a comma'],
	['an exponent', { amount: '1e18' }, 'The Amount is written with an exponent'],
	['a sign', { amount: '-1' }, 'The Amount has a sign'],
	['words', { amount: 'half' }, 'The Amount is not a number'],
	['nothing', { amount: '={{ "" }}' }, 'Amount is empty'],
	['zero', { amount: '0.00' }, 'The Amount is zero'],
	['more decimals than the token has', { amount: '0.1234567', fromToken: listed(USDC), options: { inputDecimals: '6' } }, 'The Amount has more decimals than the token'],
	['a number that has lost digits', { amount: '={{ 0.1 + 0.2 }}' }, 'The Amount is a number that cannot be held exactly'],
	['a number with an exponent', { amount: '={{ 1e21 }}' }, 'The Amount is a number that cannot be held exactly'],
	['a token whose decimals nobody knows', { fromToken: listed(USDC) }, 'The decimals of the token are not known'],
	['a network that the service does not have', { fromNetwork: { __rl: true, mode: 'id', value: '999' } }, 'The decimals of the token are not known'],
	['decimals that are none', { options: { inputDecimals: 'six' } }, 'Token Decimals is not a whole number from 0 to 255'],
	['decimals that are another token’s', { options: { inputDecimals: '6' } }, 'Token Decimals is 6, but the native token of this network has 18'],
])('in token units, %s gets a sentence and no quote is asked for', async (_name, parameters, message) => {
	const { error, sent } = await quote(parameters);
	expect(error?.message).toBe(`${message} [item 0]`);
	expect(error?.description).toMatch(/\.$/);
	expect(sent).toEqual([]);
});

test('a configuration without the decimals of the native token is no reason to guess', async () => {
	await bridge.fault({ kind: 'fields', answer: { networks: [{ chainID: 101, tokens: { NATIVE } }] } });
	const { error, sent } = await quote({});
	expect(error?.message).toBe('The decimals of the token are not known [item 0]');
	expect(sent).toEqual([]);
});

describe('when the configuration cannot be had', () => {
	beforeEach(async () => await bridge.fault({ kind: 'error', endpoint: 'config', code: 'INTERNAL_ERROR', times: 'always' }));

	test('what it is needed for is said, with the way around', async () => {
		const { error } = await quote({});
		expect(error).toMatchObject({ message: 'The bridge service has trouble answering', httpCode: '500', description: expect.stringContaining('Token Decimals') });
	});

	test('given decimals do', async () => {
		const { sent } = await quote({ options: { inputDecimals: '18' } });
		expect(sent).toHaveLength(1);
	});

	test('the smallest unit does without it', async () => {
		const { sent } = await quote({ amountUnit: 'smallestUnit', amount: '5000' });
		expect(sent).toHaveLength(1);
		expect(await bridge.requests()).toHaveLength(1);
	});
});
