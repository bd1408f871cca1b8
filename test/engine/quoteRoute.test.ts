import type { IDataObject } from 'n8n-workflow';

import { type ActionOptions, runAction } from './n8n';
import { byAddress, byId, GET_QUOTE, listed, NATIVE, USDC, USDC_ON_BASE } from './quoteFields';
import { quotesAskedFor, rehearse, type Rehearsal } from './sandboxed';

/** Networks and tokens of a quote: money depends on them, so nothing stands for one that nobody chose. */

let bridge: Rehearsal;
beforeEach(async () => void (bridge = await rehearse()));

const quote = async (
	parameters: IDataObject,
	items: IDataObject[] = [{}],
	options: ActionOptions = {},
) => {
	const { error, outputs } = await runAction(
		bridge.credentials,
		{ ...GET_QUOTE, amountUnit: 'smallestUnit', amount: '5000000', ...parameters },
		{ items: items.map((json) => ({ json })), ...options },
	);
	return { error, outputs, sent: await quotesAskedFor(bridge) };
};

/** As the editor stores what was picked from a list. */
const picked = (value: string, cachedResultName: string) => ({
	...listed(value),
	cachedResultName,
});

const ENDS: Array<[name: string, label: string, contract: string, network: string]> = [
	['fromToken', 'From Token', 'inputTokenContract', 'Ethereum'],
	['toToken', 'To Token', 'outputTokenContract', 'Base'],
];

describe.each(ENDS)('%s', (name, label, contract, network) => {
	const unit = ['tokenUnits', 'smallestUnit'];

	test.each<[string, unknown]>([
		['empty text', byAddress("={{ '' }}")],
		['blanks', byAddress("={{ ' ' }}")],
		['signs that nobody sees', byAddress("={{ '\\u200b' }}")],
		['a field that the item does not have', byAddress('={{ $json.missing }}')],
		['null', byAddress('={{ null }}')],
		['an object', byAddress('={{ ({ a: 1 }) }}')],
		['a list', byAddress('={{ [] }}')],
		['a switch', byAddress('={{ false }}')],
		['an empty list’s value', listed("={{ '' }}")],
		['nothing for the whole field', '={{ $json.missing }}'],
		['empty text for the whole field', "={{ '' }}"],
	])('by an expression that gives %s is no token: no quote is asked for', async (_what, token) => {
		for (const amountUnit of unit) {
			const { error, sent } = await quote({ amountUnit, [name]: token as IDataObject });
			expect(error?.message).toMatch(new RegExp(`^'${label}' (is empty|cannot be )`));
			expect(sent).toEqual([]);
		}
	});

	test.each<[string, unknown]>([
		['nothing chosen', listed('')],
		['nothing entered', byAddress('')],
		['an emptied list', { ...listed(''), cachedResultName: '', cachedResultUrl: '' }],
	])('with %s n8n does not run the workflow', async (_what, token) => {
		await expect(quote({ [name]: token as IDataObject })).rejects.toThrow(/issues/);
		expect(await bridge.requests()).toEqual([]);
	});

	test.each<[string, unknown]>([
		['from the list', listed(NATIVE)],
		['from the list, as the editor stores it', picked(NATIVE, 'Native token (ETH)')],
		['by the word', byAddress('NATIVE')],
		['by the word in any case', byAddress('={{ " native\\n" }}')],
		['by the word for the whole field', '={{ "Native" }}'],
		['by its symbol', byAddress('eth')],
		['by its symbol as the value of a list', listed('ETH')],
		['as Get Config lists it', byAddress('ETH (native)')],
	])('the native token %s is left out of the query', async (_what, token) => {
		const { error, sent } = await quote({ [name]: token as IDataObject });
		expect(error).toBeUndefined();
		expect(sent).toHaveLength(1);
		expect(sent[0]).not.toHaveProperty(contract);
	});

	test('the native token by its address is sent as it was entered', async () => {
		expect((await quote({ [name]: byAddress(NATIVE) })).sent[0]).toMatchObject({
			[contract]: NATIVE,
		});
	});

	test.each(['0', '0x', '={{ 0 }}', 'null', 'undefined', 'none', '-'])(
		'%j is not the native token',
		async (value) => {
			const { error, sent } = await quote({ [name]: byAddress(value) });
			expect(error?.message).toMatch(new RegExp(`^'${label}': '.*' is not a token on ${network}$`));
			expect(sent).toEqual([]);
		},
	);

	test.each(['USDC', ' usdc ', 'us\u200bdc', '={{ $json.token }}'])(
		'a symbol that one token has is that token: %j',
		async (value) => {
			const { sent } = await quote({ [name]: byAddress(value) }, [{ token: 'Usdc' }]);
			expect(sent[0]).toMatchObject({ [contract]: name === 'fromToken' ? USDC : USDC_ON_BASE });
		},
	);

	test('what the message lists is accepted, as a network’s is', async () => {
		const { error } = await quote({ [name]: byAddress('USDD') });
		const titles = String(error?.description).match(/(?:Native token|USDC) \([^()]*\)/g) ?? [];
		expect(titles).toHaveLength(2);
		for (const title of titles) await quote({ [name]: byAddress(title) });
		const contracts = (await quotesAskedFor(bridge)).map((query) => query[contract]);
		const usdc = name === 'fromToken' ? USDC : USDC_ON_BASE;
		expect(contracts).toEqual(titles.map((title) => (title.startsWith('USDC') ? usdc : undefined)));
		for (const other of ['USDC (0x0000…1111)', 'Native token (USDC)', 'USDC (native)']) {
			const { error } = await quote({ [name]: byAddress(other) });
			expect(error?.message).toBe(`'${label}': '${other}' is not a token on ${network}`);
		}
	});

	test.each(['USDD', 'USD', 'USDC.e'])(
		'a symbol that no token has is refused with those like it: %s',
		async (symbol) => {
			const { error, sent } = await quote({ [name]: byAddress(symbol) });
			expect(error).toMatchObject({
				message: `'${label}': '${symbol}' is not a token on ${network}`,
				description: expect.stringMatching(/^It has: USDC \(0x.*Native token \(ETH\).* Choose one/),
			});
			expect(sent).toEqual([]);
		},
	);

	test('an address that the configuration does not have goes through, in its own case', async () => {
		const other = `0x${'Ab'.repeat(20)}`;
		const { sent } = await quote({ [name]: byAddress(other) });
		expect(sent[0]).toMatchObject({ [contract]: other });
	});

	test('signs that nobody sees are not sent with an address', async () => {
		const seen = `0x${'Ab'.repeat(20)}`;
		const unseen = `${seen.slice(0, 9)}\u200b${seen.slice(9)}\u00ad`;
		const { sent } = await quote({ [name]: byAddress(unseen), sender: unseen, recipient: unseen });
		expect(sent).toMatchObject([
			{ [contract]: seen, sourceAddress: seen, destinationAddress: seen },
		]);
	});

	test('from the list it does not: the network was changed after the token', async () => {
		const other = picked(`0x${'ab'.repeat(20)}`, 'USDX (0xabab…abab)');
		const { error, sent } = await quote({ [name]: other });
		expect(error?.message).toBe(`'${label}': 'USDX (0xabab…abab)' is not a token on ${network}`);
		expect(sent).toEqual([]);
	});

	test('an address from the list counts in any case', async () => {
		const address = name === 'fromToken' ? USDC : USDC_ON_BASE;
		const { sent } = await quote({ [name]: listed(address.toUpperCase().replace('X', 'x')) });
		expect(sent[0]).toMatchObject({ [contract]: address });
	});
});

test('another network’s native token in the list is not this one’s, though its address is the same', async () => {
	const shown = picked(NATIVE, 'Native token (ETH)');
	const { error, sent } = await quote({ fromNetwork: listed('103'), fromToken: shown });
	expect(error).toMatchObject({
		message: "'From Token': 'Native token (ETH)' is not a token on Polygon",
		description: expect.stringContaining('Native token (POL)'),
	});
	expect(sent).toEqual([]);
	// On Base it is ETH as well.
	const onBase = { fromNetwork: listed('102'), toNetwork: listed('101'), fromToken: shown };
	expect((await quote(onBase)).error).toBeUndefined();
});

test('USDC of one network is not that of another: after another network was chosen it is refused', async () => {
	const usdc = picked(USDC, 'USDC (0x166c…128b)');
	const { error, sent } = await quote({ fromNetwork: listed('103'), fromToken: usdc });
	expect(error?.message).toBe("'From Token': 'USDC (0x166c…128b)' is not a token on Polygon");
	expect(sent).toEqual([]);
});

test('a whole row of names from a table', async () => {
	const fields = {
		fromNetwork: byId('={{ $json.from }}'),
		fromToken: byAddress('={{ $json.token }}'),
		toNetwork: '={{ $json.to }}',
		toToken: '={{ $json.token }}',
		amountUnit: 'tokenUnits',
		amount: '={{ $json.amount }}',
	};
	const row = { from: ' ethereum', to: 'BASE', token: 'USDC', amount: '0,5' };
	const { sent, outputs } = await quote(fields, [row]);
	expect(sent).toEqual([
		expect.objectContaining({
			inputNetwork: '101',
			outputNetwork: '102',
			inputTokenAmount: '500000',
			inputTokenContract: USDC,
			outputTokenContract: USDC_ON_BASE,
		}),
	]);
	expect(outputs[0]?.[0]?.json.sent).toBe('0.5 USDC');
});

describe('a network', () => {
	test.each<[string, unknown]>([
		['by its name in the list mode', listed('Ethereum')],
		['by the name that the list shows', byId('Ethereum (101)')],
		['by its ID as a number', byId('={{ 101 }}')],
	])('%s', async (_what, fromNetwork) => {
		const { sent } = await quote({ fromNetwork: fromNetwork as IDataObject });
		expect(sent[0]).toMatchObject({ inputNetwork: '101' });
	});

	test.each([
		['Ethereun', /^It has: Ethereum \(101\), Base \(102\), /],
		['999', /^It has: Ethereum \(101\), Base \(102\), /],
		['poligon', /^It has: Polygon \(103\), /],
	])(
		'that the bridge does not have, as %s, is refused in all units, with those like it',
		async (value, names) => {
			for (const amountUnit of ['tokenUnits', 'smallestUnit'])
				for (const [field, label] of [
					['fromNetwork', 'From Network'],
					['toNetwork', 'To Network'],
				] as const) {
					const { error, sent } = await quote({ amountUnit, [field]: byId(value) });
					expect(error).toMatchObject({
						message: `'${label}': '${value}' is not a network of this bridge`,
						description: expect.stringMatching(names),
					});
					expect(JSON.stringify(error)).not.toMatch(/decimals/i);
					expect(sent).toEqual([]);
				}
		},
	);

	const withNetworks = async (...networks: object[]) =>
		await bridge.fault({
			kind: 'fields',
			endpoint: 'config',
			answer: { networks },
			times: 'always',
		});
	const ETHEREUM = { chainID: 101, name: 'Ethereum', baseToken: 'ETH', tokens: { NATIVE } };
	const BASE = { chainID: 102, name: 'Base', baseToken: 'ETH', tokens: { NATIVE } };

	test('whose name two have is refused with both', async () => {
		await withNetworks(ETHEREUM, BASE, { chainID: 105, name: 'ETHEREUM' });
		const { error, sent } = await quote({ fromNetwork: byId('Ethereum') });
		expect(error).toMatchObject({
			message: "'From Network': 'Ethereum' matches Ethereum (101) and ETHEREUM (105)",
			description: expect.stringContaining('Enter the ID of the one that you mean.'),
		});
		expect(sent).toEqual([]);
	});

	test('is the one of that name, though the name of another begins with it', async () => {
		await withNetworks(ETHEREUM, BASE, { chainID: 105, name: 'Ethereum Classic' });
		const { sent } = await quote({ fromNetwork: byId('ethereum') });
		expect(sent[0]).toMatchObject({ inputNetwork: '101' });
	});

	test('has tokens whose symbol fits two: both are named', async () => {
		const tokens = { NATIVE, ETH: '0xe7', WETH: '0xe8', USDC, 'usdc\u200b': '0xc7' };
		await withNetworks({ ...ETHEREUM, tokens }, BASE);
		const fits = async (symbol: string) =>
			(await quote({ fromToken: byAddress(symbol) })).error?.message;
		expect(await fits('ETH')).toBe("'From Token': 'ETH' matches Native token (ETH) and ETH (0xe7)");
		expect(await fits('USDC')).toBe(`'From Token': 'USDC' matches USDC (${USDC}) and usdc (0xc7)`);
		expect((await quote({ fromToken: byAddress('USDC') })).error?.description).toBe(
			'Enter the address of the one that you mean.',
		);
		const { sent } = await quote({ fromToken: byAddress('WETH') });
		expect(sent).toEqual([expect.objectContaining({ inputTokenContract: '0xe8' })]);
	});

	test('has a token whose symbol is what Get Config calls the native one: both are named', async () => {
		await withNetworks({ ...ETHEREUM, tokens: { NATIVE, 'ETH (native)': USDC } }, BASE);
		const { error, sent } = await quote({ fromToken: byAddress('ETH (native)') });
		expect(error?.message).toBe(
			`'From Token': 'ETH (native)' matches ETH (native) (${USDC}) and Native token (ETH)`,
		);
		expect(sent).toEqual([]);
	});

	test('without a name is named by its ID', async () => {
		await withNetworks({ chainID: 101, tokens: { NATIVE, USDC } }, BASE);
		expect((await quote({ fromToken: byAddress('USDD') })).error?.message).toBe(
			"'From Token': 'USDD' is not a token on network 101",
		);
	});

	test('without tokens has none to name', async () => {
		await withNetworks({ ...ETHEREUM, tokens: {} }, BASE);
		expect((await quote({ fromToken: byAddress('USDC') })).error).toMatchObject({
			message: "'From Token': 'USDC' is not a token on Ethereum",
			description: 'It has none.',
		});
	});

	test('without a native token in its list has none to choose from the list', async () => {
		await withNetworks({ ...ETHEREUM, tokens: { USDC } }, BASE);
		expect((await quote({ fromToken: listed(NATIVE) })).error?.message).toContain(
			'is not a token on',
		);
		expect((await quote({ fromToken: byAddress('NATIVE') })).error).toBeUndefined();
	});
});

describe('while the configuration cannot be read', () => {
	beforeEach(
		async () => await bridge.fault({ kind: 'error', endpoint: 'config', times: 'always' }),
	);

	test('IDs and addresses go through as they are', async () => {
		const { sent } = await quote({ fromToken: byAddress(USDC), toToken: listed(USDC_ON_BASE) });
		expect(sent).toEqual([
			expect.objectContaining({ inputTokenContract: USDC, outputTokenContract: USDC_ON_BASE }),
		]);
	});

	test('the native token from the list is left out, as ever', async () => {
		const { sent } = await quote({});
		expect(sent).toHaveLength(1);
		for (const name of ['inputTokenContract', 'outputTokenContract'])
			expect(sent[0]).not.toHaveProperty(name);
	});

	test.each<[string, IDataObject, string]>([
		['a network', { fromNetwork: byId('Ethereum') }, "'Ethereum' ('From Network')"],
		['a token', { toToken: byAddress('USDC') }, "'USDC' ('To Token')"],
	])('%s by its name is refused with the reason', async (_what, field, named) => {
		const { error, sent } = await quote(field);
		expect(error).toMatchObject({
			message: 'The bridge is temporarily unavailable',
			description: expect.stringContaining(
				`The bridge's configuration was needed to find ${named}. An ID or an address works without it.`,
			),
		});
		expect(sent).toEqual([]);
	});
});

describe('a network that was picked from the list of another bridge', () => {
	test.each([
		['toNetwork', 'To Network', 'Base (103)'],
		['toNetwork', 'To Network', 'Base'],
		['fromNetwork', 'From Network', 'Ethereum Sepolia (103)'],
	])('is not the one that has its ID here: %s', async (name, label, shown) => {
		const native = { fromToken: byAddress('NATIVE'), toToken: byAddress('NATIVE') };
		const { error, sent } = await quote({ ...native, [name]: picked('103', shown) });
		expect(error).toMatchObject({
			message: `'${label}': '${shown}' is not a network of this bridge`,
			description: expect.stringContaining('Polygon (103)'),
		});
		expect(sent).toEqual([]);
	});

	test.each(['Polygon (103)', 'Polygon', ' polygon ', ''])(
		'but is if it is shown as %j',
		async (shown) => {
			const toNetwork = picked('103', shown);
			const { sent } = await quote({ toNetwork, toToken: byAddress('NATIVE') });
			expect(sent).toMatchObject([{ outputNetwork: '103' }]);
		},
	);

	test('an agent may fill in another one than had been picked', async () => {
		const toNetwork = picked('={{ $json.to }}', 'Base (102)');
		const { sent, error } = await quote({ toNetwork, toToken: byAddress('NATIVE') }, [
			{ to: '103' },
		]);
		expect(error).toBeUndefined();
		expect(sent).toMatchObject([{ outputNetwork: '103' }]);
	});

	test('what the list had shown says nothing of an ID that is entered', async () => {
		const toNetwork = { ...byId('103'), cachedResultName: 'Base (103)' };
		const { sent } = await quote({ toNetwork, toToken: byAddress('NATIVE') });
		expect(sent).toMatchObject([{ outputNetwork: '103' }]);
	});
});

test('in JSON the parameters are the service’s own: nothing is looked up', async () => {
	const quoteJson = JSON.stringify({ inputNetwork: 'Ethereum', inputTokenContract: 'USDC' });
	const { sent } = await quote({ specifyQuote: 'json', quoteJson });
	expect(sent).toEqual([{ inputNetwork: 'Ethereum', inputTokenContract: 'USDC' }]);
});

test('one row that is refused harms no other', async () => {
	const rows = ['Ethereum', 'Nowhere', 'Base'].map((from) => ({ from }));
	const { outputs } = await quote(
		{ fromNetwork: byId('={{ $json.from }}'), toNetwork: listed('103') },
		rows,
		{ onError: 'continueRegularOutput' },
	);
	expect(outputs[0]?.map(({ json }) => json.route ?? json.error)).toEqual([
		'Ethereum → Polygon',
		expect.objectContaining({
			message: "'From Network': 'Nowhere' is not a network of this bridge (item 2 of 3)",
		}),
		'Base → Polygon',
	]);
});
