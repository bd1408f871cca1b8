import type { IDataObject } from 'n8n-workflow';

import { RequestBudget } from '../../nodes/CrossChainBridge/budget/requestBudget';
import { QUOTE_LABELS } from '../../nodes/CrossChainBridge/orders/quotes';
import { runAction } from './n8n';
import { byId, GET_QUOTE, NATIVE, USDC_ON_BASE, WALLET } from './quoteFields';
import { ranAction } from './ranAction';
import { quotesAskedFor, rehearse, type Rehearsal } from './sandboxed';

let bridge: Rehearsal;
beforeEach(async () => void (bridge = await rehearse()));

const run = async (parameters: IDataObject, items?: IDataObject[]) =>
	await runAction(
		bridge.credentials,
		parameters,
		items === undefined ? {} : { items: items.map((json) => ({ json })) },
	);

describe('Get Config', () => {
	const config = async (network: unknown, options: IDataObject = {}, items?: IDataObject[]) =>
		await run({ operation: 'getConfig', network: byId(network), options }, items);

	test('one item a network, in the service’s own names, with the symbols of its tokens in a line', async () => {
		const { outputs } = await config('');
		const networks = outputs[0] ?? [];
		expect(networks.length).toBeGreaterThan(2);
		for (const { json, pairedItem } of networks) {
			expect(pairedItem).toEqual({ item: 0 });
			expect(json).toEqual({
				chainID: expect.any(Number),
				name: expect.any(String),
				baseToken: expect.any(String),
				decimals: expect.any(Number),
				gateway: expect.any(String),
				tokens: expect.objectContaining({ NATIVE: expect.any(String) }),
				tokenList: expect.stringMatching(new RegExp(`^${String(json.baseToken)} \\(native\\), `)),
			});
			const symbols = String(json.tokenList).split(', ');
			expect(symbols).toHaveLength(Object.keys(json.tokens as object).length);
		}
		expect(networks[0]?.json.tokenList).toBe('ETH (native), USDC, USDT, WBTC, DAI');
	});

	test('one item a token, with its network', async () => {
		const { outputs } = await config('Base', { oneItemPerToken: true });
		const base = { chainID: 102, network: 'Base' };
		expect(outputs[0]?.map(({ json }) => json)).toEqual([
			{ symbol: 'ETH', address: NATIVE, isNative: true, decimals: 18, ...base },
			{ symbol: 'USDC', address: USDC_ON_BASE, isNative: false, decimals: null, ...base },
			{ symbol: 'WETH', address: expect.any(String), isNative: false, decimals: null, ...base },
		]);
	});

	test('each item asks for its network, as n8n’s own nodes do', async () => {
		const wanted = ['102', 'Base', ''];
		const { outputs } = await config(
			'={{ $json.id }}',
			{},
			wanted.map((id) => ({ id })),
		);
		const found = outputs[0]?.map(({ json, pairedItem }) => [json.chainID, pairedItem]);
		expect(found?.slice(0, 3)).toEqual([
			[102, { item: 0 }],
			[102, { item: 1 }],
			[101, { item: 2 }],
		]);
		expect(found).toHaveLength(8);
	});

	test('by ID the filter is sent, and applied here again, because the service sends all', async () => {
		const { outputs } = await config(' 102 ');
		expect(outputs[0]?.map(({ json }) => json.chainID)).toEqual([102]);
		expect((await bridge.requests()).map(({ query }) => query)).toEqual([{ chainID: '102' }]);
	});

	test.each(['Polygon', ' polygon\n', 'Polygon (103)'])(
		'a network by its name: %j',
		async (name) => {
			const { outputs } = await config(name);
			expect(outputs[0]?.map(({ json }) => json.chainID)).toEqual([103]);
			expect((await bridge.requests()).map(({ query }) => query)).toEqual([{}]);
		},
	);

	test.each([
		['9999', 'Ethereum (101), Base (102), Polygon (103), '],
		['Polygom', 'Polygon (103), Ethereum (101), Base (102), '],
		['Ether', 'Ethereum (101), Base (102), '],
		['101x', 'Ethereum (101), Base (102), '],
	])(
		'a network that the bridge does not have (%s) gets a sentence with those like it',
		async (value, names) => {
			expect((await config(value)).error).toMatchObject({
				message: `'Network': '${value}' is not a network of this bridge`,
				description: expect.stringContaining(`It has: ${names}`),
			});
			// Only what can be an ID is asked for as one.
			const asksById = (await bridge.requests()).some(({ query }) => 'chainID' in query);
			expect(asksById).toBe(value === '9999');
		},
	);

	test('where the service complains about chainID, the error speaks of Network', async () => {
		const fault = { kind: 'error', endpoint: 'config', code: 'INVALID_PARAMETER' } as const;
		await bridge.fault({ ...fault, message: 'bad chainID', times: 'always' });
		expect((await config('101')).error?.description).toContain('bad Network');
	});

	test.each(['={{ $json.missing }}', '={{ null }}', '={{ [] }}', '={{ true }}'])(
		'a network that an expression does not give (%s) is not all of them',
		async (value) => {
			const { error } = await config(value);
			expect(error?.message).toMatch(/^'Network' (is empty|cannot be (a list|'true'))$/);
			expect(await bridge.requests()).toEqual([]);
		},
	);

	test('a configuration without networks is an error, and one without any network gives no items', async () => {
		await bridge.fault({ kind: 'fields', endpoint: 'config', absent: ['networks'] });
		expect((await run({ operation: 'getConfig' })).error).toMatchObject({
			message: "The bridge's response could not be read",
			description: expect.stringContaining('no list of networks'),
		});
		await bridge.fault({ kind: 'fields', endpoint: 'config', answer: { networks: [] } });
		const { outputs, error, hints } = await ranAction(bridge, { operation: 'getConfig' });
		expect([outputs, error]).toEqual([[[]], undefined]);
		expect(hints).toBe('The bridge lists no networks.');
	});

	test('networks without tokens give no items of tokens, which a hint says', async () => {
		const networks = [
			{ chainID: 1, name: 'Ethereum', tokens: { NATIVE } },
			{ chainID: 2, name: 'Base (8453)', tokens: {} },
			{ chainID: 3, name: 'Polygon' },
		];
		const fault = { kind: 'fields', endpoint: 'config', answer: { networks } } as const;
		await bridge.fault({ ...fault, times: 'always' });
		const tokens = { operation: 'getConfig', options: { oneItemPerToken: true } };
		const all = await ranAction(bridge, tokens);
		expect(all.outputs).toMatchObject([[{ json: { chainID: 1 } }]]);
		expect(all.hints).toBe('The bridge lists no tokens for Base (2) and Polygon (3).');
		const { outputs, hints } = await ranAction(bridge, { ...tokens, network: byId('2') });
		expect(outputs).toEqual([[]]);
		expect(hints).toBe('The bridge lists no tokens for Base (2).');
		expect((await ranAction(bridge, { ...tokens, network: byId('1') })).hints).toBe('');
	});

	test.each(['NOT_FOUND', 'INVALID_PARAMETER'])(
		'a service that says %s of one network is asked for all: what they are is said as well',
		async (code) => {
			const fault = { kind: 'error', endpoint: 'config', code } as const;
			await bridge.fault(fault);
			expect((await config('7')).error).toMatchObject({
				message: "'Network': '7' is not a network of this bridge",
				description: expect.stringContaining('It has: Ethereum (101), Base (102), '),
			});
			await bridge.fault(fault);
			const { outputs } = await config('102');
			expect(outputs[0]?.map(({ json }) => json.chainID)).toEqual([102]);
		},
	);

	test.each([
		[401, 'The bridge does not accept the API key. Correct it in the credential.'],
		[404, 'The Base URL does not lead to the bridge. Correct it in the credential.'],
		[503, 'The bridge is temporarily unavailable'],
	])('HTTP %i means the same for one network as for all', async (status, message) => {
		await bridge.fault({ kind: 'error', endpoint: 'config', status, times: 'always' });
		expect((await config('101')).error?.message).toBe(message);
		// Only a 404 may concern the network alone, so that all of them are asked for.
		const asksForAll = (await bridge.requests()).some(({ query }) => !('chainID' in query));
		expect(asksForAll).toBe(status === 404);
	});
});

test('an operation that does not exist gets a sentence, and nothing is sent', async () => {
	const { error } = await run({ operation: 'else' });
	expect(error).toMatchObject({
		message: "'Operation' cannot be 'else'",
		description: 'Choose Get Config, Get Quote, Get Status or Wait for Completion.',
	});
	expect(await bridge.requests()).toEqual([]);
});

test.each([
	[10, 0],
	[11, 11],
])(
	'of a node with %i items, %i let other requests with the same key go first',
	async (count, expected) => {
		const asked = jest.spyOn(RequestBudget.prototype, 'acquire');
		const items = Array.from({ length: count }, () => ({ hash: `0x${'ab'.repeat(32)}` }));
		const notFound = { operation: 'getStatus', sourceHash: '={{ $json.hash }}' };
		await run({ ...notFound, options: { notFound: 'item' } }, items);
		const turns = asked.mock.calls.map(([{ priority }]) => priority);
		asked.mockRestore();
		expect(turns.length).toBeGreaterThanOrEqual(count);
		expect(turns.filter((turn) => turn === 'batch')).toHaveLength(expected);
	},
);

describe('Get Quote', () => {
	const fields = { ...GET_QUOTE, amountUnit: 'smallestUnit', amount: '500000000000000000' };
	const quote = async (parameters: IDataObject = {}, items?: IDataObject[]) =>
		await run({ ...fields, ...parameters }, items);
	const json = (quoteJson: string) => ({ operation: 'getQuote', specifyQuote: 'json', quoteJson });
	const sentQuotes = async () => await quotesAskedFor(bridge);

	test('fields become the documented query parameters; without Simplify the answer comes whole', async () => {
		const { outputs, error } = await quote({
			simplify: false,
			options: {
				slippage: '0.5',
				showBridgeData: false,
				queryParameters: { parameter: [{ name: 'referral', value: 'us' }] },
			},
		});
		expect(error).toBeUndefined();
		expect((await sentQuotes())[0]).toEqual({
			inputNetwork: '101',
			outputNetwork: '102',
			inputTokenAmount: '500000000000000000',
			sourceAddress: WALLET,
			destinationAddress: WALLET,
			slippage: '0.5',
			showBridgeData: 'false',
			referral: 'us',
		});
		expect(outputs[0]?.[0]?.json).toMatchObject({
			inputAmount: '500000000000000000',
			inputAddress: WALLET,
			quote: {
				tokenIn: { amount: '500000000000000000' },
				tokenOut: { amount: expect.any(String) },
			},
		});
	});

	test('by default it is one flat item of ten fields', async () => {
		const { outputs, error } = await quote({ amountUnit: 'tokenUnits', amount: '0.5' });
		expect(error).toBeUndefined();
		expect(outputs).toEqual([[expect.objectContaining({ pairedItem: { item: 0 } })]]);
		expect(outputs[0]?.[0]?.json).toEqual({
			summary: expect.stringMatching(
				/^0\.5 ETH on Ethereum gives about 0\.49925 ETH on Base; valid for (5 min|4 min 5\d s|299 s|300 s)$/,
			),
			sent: '0.5 ETH',
			received: '0.49925 ETH',
			receivedAmount: 0.49925,
			receivedAtLeast: '0.49675375 ETH',
			receivedAtLeastAmount: 0.49675375,
			fees: {
				platform: '400000000000000',
				builder: '100000000000000',
				solverIncentive: '250000000000000',
				total: '750000000000000',
				percentage: '0.15',
			},
			route: 'Ethereum → Base',
			expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
			transactions: [
				{
					type: 'bridge',
					to: expect.any(String),
					data: expect.any(String),
					value: '500000000000000000',
					gasLimit: expect.any(String),
				},
			],
		});
	});

	test('what the service does not state is null, and fields that are not known stay without Simplify', async () => {
		const data = {
			message: 'ok',
			quoteId: 'q',
			quote: { memo: 1 },
			transaction: [{ type: 'swap' }],
		};
		const body = JSON.stringify(data);
		await bridge.fault({ kind: 'body', endpoint: 'quote', body, times: 2 });
		const older = await quote();
		expect(older.outputs[0]?.[0]?.json).toMatchObject({
			received: null,
			expiresAt: null,
			fees: null,
			transactions: [{ type: 'swap' }],
		});
		const raw = await quote({ simplify: false });
		expect(raw.outputs[0]?.[0]?.json).toMatchObject({
			quoteId: 'q',
			outputAmount: null,
			sentAmount: 0.5,
			quote: data,
		});
	});

	test.each([
		['fromNetwork', 'From Network'],
		['fromToken', 'From Token'],
		['toNetwork', 'To Network'],
		['toToken', 'To Token'],
		['sender', 'Sender'],
		['recipient', 'Recipient'],
	])('without %s nothing is sent, and the sentence names the field', async (name, label) => {
		const { error } = await quote({ [name]: "={{ ' ' }}" });
		expect(error).toMatchObject({
			message: `'${label}' is empty`,
			description: `Fill in '${label}'. If it comes from an expression, check the data that it reads.`,
		});
		expect(await bridge.requests()).toEqual([]);
	});

	test.each([
		['inputNetwork', 'From Network'],
		['outputNetwork', 'To Network'],
		['inputTokenContract', 'From Token'],
		['outputTokenContract', 'To Token'],
		['inputTokenAmount', 'Amount'],
		['sourceAddress', 'Sender'],
		['destinationAddress', 'Recipient'],
		['slippage', 'Slippage'],
		['showBridgeData', 'Show Bridge Data'],
	])(
		'where the service complains about %s, the error speaks of %s; with JSON of the parameter itself',
		async (parameter, label) => {
			await bridge.fault({
				kind: 'error',
				endpoint: 'quote',
				code: 'INVALID_PARAMETER',
				message: `bad ${parameter}`,
				times: 2,
			});
			const { error } = await quote();
			expect(error).toMatchObject({
				message: `'${label}' was not accepted`,
				description: expect.stringContaining(`bad ${label}`),
			});
			const byJson = await run(json('{"inputNetwork": 1}'));
			expect(byJson.error).toMatchObject({
				message: expect.stringMatching(/^(The bridge says: "bad |A value was not accepted$)/),
				description: expect.stringContaining(`bad ${parameter}`),
			});
		},
	);

	test('white space around further query parameters is left out', async () => {
		const parameter = [
			{ name: ' referral ', value: ' us ' },
			{ name: 'count', value: 5 },
		];
		await quote({ options: { slippage: ' 1 ', queryParameters: { parameter } } });
		const [query] = await sentQuotes();
		expect(query).toMatchObject({ referral: 'us', count: '5', slippage: '1' });
		expect(Object.keys(query ?? {})).toHaveLength(8);
	});

	test('a further query parameter without a name is refused with its row', async () => {
		const parameter = [
			{ name: 'count', value: 5 },
			{ name: ' ', value: 'x' },
		];
		const { error } = await quote({ options: { queryParameters: { parameter } } });
		expect(error?.message).toBe("Row 2 of 'Additional Query Parameters': 'Name' is empty");
		expect(await sentQuotes()).toEqual([]);
	});

	const furtherBy = (...parameter: IDataObject[]) => ({
		options: { queryParameters: { parameter } },
	});
	const further = async (value: unknown) =>
		await quote(furtherBy({ name: 'memo', value: '={{ $json.value }}' }), [
			{ value } as IDataObject,
		]);

	test.each<[unknown, string]>([
		[true, 'true'],
		[false, 'false'],
		[1500, '1500'],
		[0.5, '0.5'],
		['1234567890123456789', '1234567890123456789'],
		[' us\n', 'us'],
	])('the further query parameter %j is sent as %j', async (value, sent) => {
		expect((await further(value)).error).toBeUndefined();
		expect((await sentQuotes())[0]?.memo).toBe(sent);
	});

	const NOT_PLAIN = [
		'The value of "memo" must be text, a number or a boolean',
		'Lists and nested objects cannot be sent.',
	] as const;

	test.each<[unknown, string, string]>([
		[
			1234567890123456789,
			'The number in "memo" may have lost digits',
			'Put its digits in quotation marks, so that it stays exact.',
		],
		[[1], ...NOT_PLAIN],
		[{ a: 1 }, ...NOT_PLAIN],
		...[null, '', ' \u200b'].map((empty): [unknown, string, string] => [
			empty,
			"Row 1 of 'Additional Query Parameters': 'Value' is empty",
			"Fill in 'Value'. If it comes from an expression, check the data that it reads.",
		]),
	])('the further query parameter %j is rejected by name', async (value, message, description) => {
		expect((await further(value)).error).toMatchObject({ message, description });
		expect(await bridge.requests()).toEqual([]);
	});

	test('two further query parameters of one name are refused if their values differ', async () => {
		const row = (value: string) => ({ name: 'referral', value });
		const { error } = await quote(furtherBy(row('us'), row('them')));
		expect(error).toMatchObject({
			message: "Row 2 of 'Additional Query Parameters': it contradicts a row above it",
			description: 'Keep the row that is right and remove the other.',
		});
		expect(await sentQuotes()).toEqual([]);
		expect((await quote(furtherBy(row('us'), row('us')))).error).toBeUndefined();
	});

	test('a query parameter for a token is never empty, because that would stand for the native token', async () => {
		const refused = {
			message: 'The value of "inputTokenContract" is empty',
			description: 'Enter the address of the token. For the native token, leave out the parameter.',
		};
		for (const empty of ['""', '" "', '"\u200b"', 'null'])
			expect(
				(await run(json(`{"inputNetwork": 1, "inputTokenContract": ${empty}}`))).error,
			).toMatchObject(refused);
		expect(await sentQuotes()).toEqual([]);
	});

	test('nor is any other one in JSON', async () => {
		for (const name of ['destinationAddress', 'inputTokenAmount', 'outputNetwork', 'slippage'])
			expect((await run(json(`{"inputNetwork": 1, "${name}": ""}`))).error).toMatchObject({
				message: `The value of "${name}" is empty`,
				description: 'Enter a value, or leave out the parameter.',
			});
		expect(await sentQuotes()).toEqual([]);
	});

	test.each<[string, string]>([
		...Object.entries(QUOTE_LABELS),
		['input_network', 'From Network'],
		['fromNetwork', 'From Network'],
		['To Token', 'To Token'],
		['inputTokenAddress', 'From Token'],
		['amount', 'Amount'],
		['SENDER', 'Sender'],
		['recipientAddress', 'Recipient'],
		['Slippage', 'Slippage'],
		['show-bridge-data', 'Show Bridge Data'],
		['toNetwork', 'To Network'],
		['inputToken', 'From Token'],
		['fromToken', 'From Token'],
		['outputToken', 'To Token'],
		['outputTokenAddress', 'To Token'],
		['inputAmount', 'Amount'],
		['senderAddress', 'Sender'],
	])('the further query parameter %s is refused, because %s is a field', async (name, label) => {
		for (const value of ['5', '', "={{ '0xab' }}", WALLET]) {
			const { error } = await quote(furtherBy({ name: 'referral', value: 'us' }, { name, value }));
			expect(error).toMatchObject({
				message: `Row 2 of 'Additional Query Parameters': "${name}" has a field of its own`,
				// The parameter of the amount is in the smallest unit, which the field is not by default.
				description:
					label === 'Amount'
						? "Choose Smallest Unit as 'Amount Unit', enter the value in 'Amount', and remove this row."
						: `Enter the value in '${label}', and remove this row.`,
			});
		}
		expect(await bridge.requests()).toEqual([]);
	});

	test.each<[string, unknown]>([
		['={{ Number($json.value) }}', '12a'],
		['={{ $json.value / 0 }}', 1],
	])('an expression that computes no number is not sent: %s', async (value, given) => {
		const { error } = await quote(furtherBy({ name: 'tag', value }), [{ value: given as string }]);
		expect(error?.message).toMatch(/^The value of "tag" cannot be '(NaN|Infinity)'$/);
		expect(await sentQuotes()).toEqual([]);
	});

	test.each<[string, string, string]>([
		['no slippage', '"slippage": ""', 'The value of "slippage" is empty'],
		['no tag, without which funds can be lost', '"tag": ""', 'The value of "tag" is empty'],
		['null for a tag', '"tag": null', 'The value of "tag" is empty'],
		['null for the amount', '"inputTokenAmount": null', 'of "inputTokenAmount" is empty'],
		['null for a wallet', '"destinationAddress": null', 'of "destinationAddress" is empty'],
		...[
			['inputTokenAddress', 'inputTokenContract'],
			['inputtokencontract', 'inputTokenContract'],
			['input_token_contract', 'inputTokenContract'],
			['inputToken', 'inputTokenContract'],
			['outputTokenAddress', 'outputTokenContract'],
			['Output Token Contract', 'outputTokenContract'],
			['recipient', 'destinationAddress'],
			['amount', 'inputTokenAmount'],
		].map(([name = '', meant = '']): [string, string, string] => [
			`${name}, which the bridge would ignore`,
			`"${name}": "5"`,
			`"${name}" is probably the query parameter "${meant}"`,
		]),
		...['1e-7', '-5', '0.5', '"0.5 ETH"', '"0,5"', '0', '"5,000"', 'true'].map(
			(amount): [string, string, string] => [
				`the amount ${amount}`,
				`"inputTokenAmount": ${amount}`,
				'The value of "inputTokenAmount" cannot be ',
			],
		),
		['an expression without a wallet', '"sourceAddress": "undefined"', '"sourceAddress" cannot be'],
		['zeros', `"destinationAddress": "${NATIVE}"`, '"destinationAddress" cannot be'],
		['a slippage with a unit', '"slippage": "0.5%"', '"slippage" cannot be \'0.5%\''],
	])(
		'a query parameter that cannot be read for certain is refused: %s',
		async (_what, row, words) => {
			const byJson = await run(json(`{"inputNetwork": 1, "outputNetwork": 2, ${row}}`));
			expect(byJson.error?.message).toContain(words);
			expect(byJson.error?.description).toMatch(/\.$/);
			expect(await bridge.requests()).toEqual([]);
		},
	);

	test.each([
		['inputTokenContrct', '"outputTokenContract": "0xab"', 'inputTokenContract'],
		['output token', '"inputTokenContract": "0xab"', 'outputTokenContract'],
	])(
		'a token in JSON is never the native one because of a misspelled name: %s',
		async (name, other, missing) => {
			const { error } = await run(json(`{"inputNetwork": 1, "${name}": "0xcd", ${other}}`));
			expect(error?.message).toMatch(new RegExp(`"${name}" .*"${missing}"`));
			expect(error?.description).toMatch(/^Correct the name, .*\.$/);
			expect(await sentQuotes()).toEqual([]);
			const both = `"${name}": "0xcd", ${other}, "${missing}": "0xab"`;
			await run(json(`{"inputNetwork": 1, ${both}}`));
			expect(await sentQuotes()).toHaveLength(name === 'output token' ? 0 : 1);
		},
	);

	test.each<[string, IDataObject]>([
		['networks by name', { fromNetwork: '1', toNetwork: '2', destinationAddress2: 'memo' }],
		['slippage, as many bridges call it', { fromChainId: '1', toChainId: '2', slippage: '0.5' }],
		['documented wallets', { fromChainId: '1', sourceAddress: WALLET, destinationAddress: WALLET }],
	])('JSON can have the names of a bridge that has its own: %s', async (_what, names) => {
		const tokens = { fromToken: '0xab', toToken: '0xab', amount: '5' };
		const given = { ...tokens, sender: WALLET, recipient: WALLET, ...names };
		expect((await run(json(JSON.stringify(given)))).error?.message ?? '').not.toContain('probably');
		expect(await sentQuotes()).toEqual([given]);
	});

	test('null and undefined in JSON stand for a parameter that is left out if no money depends on it', async () => {
		await run(json('{"inputNetwork": 1, " slippage": null, "showBridgeData ": null}'));
		await run(json('={{ $json }}'), [{ inputNetwork: 1, slippage: undefined }]);
		expect(await sentQuotes()).toEqual([{ inputNetwork: '1' }, { inputNetwork: '1' }]);
	});

	test.each([
		...[
			'inputNetwork',
			'outputNetwork',
			'outputTokenContract',
			'inputTokenAmount',
			'sourceAddress',
		],
		...['fromChainId', 'toToken', 'amount', 'fromAddress', 'recipient', 'receiver', 'wallet'],
	])('but not for %s, on which money depends', async (name) => {
		const { error } = await run(json(`{"slippage": 1, "${name}": null}`));
		expect(error?.message).toBe(`The value of "${name}" is empty`);
		expect(await sentQuotes()).toEqual([]);
	});

	test('white space around a name in JSON is left out', async () => {
		await run(json('{" inputNetwork": 1, "inputTokenContract ": "0xab"}'));
		expect(await sentQuotes()).toEqual([{ inputNetwork: '1', inputTokenContract: '0xab' }]);
	});

	test('nor does it make a documented name one of the bridge’s own, next to which a misspelled token is sent', async () => {
		const { error } = await run(json('{" inputNetwork": 1, "inputTokenAddress": "0xab"}'));
		expect(error?.message).toBe(
			'"inputTokenAddress" is probably the query parameter "inputTokenContract"',
		);
		expect(await sentQuotes()).toEqual([]);
	});

	test('of documented parameters in JSON no sign is sent that nobody sees; one of the bridge’s own stays as it is', async () => {
		const wallet = `${WALLET.slice(0, 9)}\u200b${WALLET.slice(9)}`;
		const word = 'می\u200cخواهم';
		const given = { inputNetwork: 1, destinationAddress: wallet, tag: ` ${word} ` };
		await run(json(JSON.stringify(given)));
		expect(await sentQuotes()).toEqual([
			{ inputNetwork: '1', destinationAddress: WALLET, tag: word },
		]);
	});

	test.each([
		['1', '1'],
		['50', '50'],
		['0.25', '0.25'],
		['"12.5"', '12.5'],
		['-1', null],
		['"-0.5"', null],
		['".5"', null],
		['"0,5"', null],
	])('the slippage %s in JSON is sent as %j', async (slippage, sent) => {
		const { error } = await run(json(`{"inputNetwork": 1, "slippage": ${slippage}}`));
		if (sent === null) expect(error?.message).toContain('The value of "slippage" cannot be ');
		expect((await sentQuotes()).map((query) => query.slippage)).toEqual(
			sent === null ? [] : [sent],
		);
	});

	test('two names in JSON that differ in white space alone are refused by name', async () => {
		const { error } = await run(json('{"inputNetwork": 1, "tag": "5", "tag ": "6"}'));
		expect(error).toMatchObject({
			message: 'The query parameter "tag" is there twice',
			description: 'Keep the one that is right and remove the other.',
		});
		expect(await sentQuotes()).toEqual([]);
	});

	test('a value in JSON without a name is left out', async () => {
		await run(json('{"inputNetwork": 1, "": [1], " ": ""}'));
		expect(await sentQuotes()).toEqual([{ inputNetwork: '1' }]);
	});

	test.each(['Sender', 'Recipient'])('what is no wallet is refused by name: %s', async (label) => {
		for (const wallet of [
			...['null', 'undefined', '#N/A', '[object Object]', '0x5290…9ee7', `${WALLET} ann`],
			...[WALLET.slice(0, -1), `https://etherscan.io/address/${WALLET}`, '0x0'],
			...(label === 'Recipient' ? [NATIVE] : []),
		]) {
			const { error } = await quote({ [label.toLowerCase()]: wallet });
			expect(error).toMatchObject({
				message: expect.stringMatching(new RegExp(`^'${label}' cannot be '`)),
				description: expect.stringMatching(/^Enter the complete address of the wallet\./),
			});
			// For the price alone, the sender may be zeros.
			if (label === 'Recipient')
				expect(error?.description).toMatch(/ belongs to nobody\. .*any wallet of your own /);
		}
		// It may be an account of another chain, and the bridge knows better.
		const account = `0x${'5c'.repeat(32)}`;
		await quote({ [label.toLowerCase()]: account });
		expect(await sentQuotes()).toMatchObject([
			{ [label === 'Sender' ? 'sourceAddress' : 'destinationAddress']: account },
		]);
	});

	test.each([
		['0,5', '0.5'],
		['.5', '0.5'],
		['50', '50'],
		['={{ 0.5 }}', '0.5'],
		['0.5%', null],
		['5 %', null],
		['abc', null],
		['null', null],
		['-1', null],
	])('the slippage %j is sent as %j', async (slippage, sent) => {
		const { error } = await quote({ options: { slippage } });
		if (sent === null) expect(error?.message).toBe(`'Slippage' cannot be '${slippage}'`);
		expect((await sentQuotes()).map((query) => query.slippage)).toEqual(
			sent === null ? [] : [sent],
		);
	});

	test.each<[unknown, string]>([
		['0.5', "'Amount' cannot be '0.5'"],
		[1e21, "'Amount' may have lost digits"],
	])(
		'the amount %j in the smallest unit is rejected before anything is sent',
		async (amount, message) => {
			const { error } = await quote({ amount: '={{ $json.amount }}' }, [{ amount } as IDataObject]);
			expect(error?.message).toBe(`${message}`);
			expect(error?.description).toBeTruthy();
			expect(await bridge.requests()).toEqual([]);
		},
	);

	test('more than the route can bear gets a sentence with the bridge’s own words', async () => {
		const { error } = await quote({ amount: '900000000000000000000000000' });
		expect(error).toMatchObject({
			message: 'There is not enough liquidity for this route',
			description: expect.stringContaining('INSUFFICIENT_LIQUIDITY'),
			context: { code: 'INSUFFICIENT_LIQUIDITY' },
		});
	});

	test('in JSON the user names every parameter; large whole numbers stay exact', async () => {
		await runAction(
			bridge.credentials,
			json('{"inputNetwork": 1, "inputTokenAmount": 123456789012345678901, "any": true}'),
		);
		expect((await bridge.requests())[0]?.query).toEqual({
			inputNetwork: '1',
			inputTokenAmount: '123456789012345678901',
			any: 'true',
		});
	});

	const NO_OBJECT = 'Enter an object such as { "inputNetwork": 1, "outputNetwork": 2 }.';
	const NO_JSON =
		'It cannot be read as JSON. An expression in it may have returned nothing. Check its expressions, quotation marks and commas.';
	test.each([
		['[1]', NO_OBJECT],
		['"text"', NO_OBJECT],
		['5', NO_OBJECT],
		['null', NO_OBJECT],
		[' null\n', NO_OBJECT],
		['', NO_OBJECT],
		[' ', NO_OBJECT],
		['{broken', NO_JSON],
		['={ "inputNetwork": 101, "inputTokenAmount": {{ $json.missing }} }', NO_JSON],
	])('what is no JSON object (%s) is rejected', async (text, description) => {
		const { error } = await run(json(text));
		expect(error).toMatchObject({
			message: "'Query Parameters' must be a JSON object",
			description,
		});
		expect(await bridge.requests()).toEqual([]);
	});

	test('an object from an expression is accepted; a whole number in it that may have lost digits is rejected', async () => {
		const quoteFor = async (inputTokenAmount: number) =>
			await run(json('={{ $json.parameters }}'), [
				{ parameters: { inputNetwork: 101, inputTokenAmount } },
			]);
		await quoteFor(1500);
		expect((await sentQuotes())[0]).toEqual({ inputNetwork: '101', inputTokenAmount: '1500' });
		await bridge.forgetRequests();
		for (const inexact of [2 ** 53, -(2 ** 53), 12_345_678_901_234_567_890])
			expect((await quoteFor(inexact)).error).toMatchObject({
				message: 'The number in "inputTokenAmount" may have lost digits',
				description: 'Put its digits in quotation marks, so that it stays exact.',
			});
		expect(await bridge.requests()).toEqual([]);
	});
});
