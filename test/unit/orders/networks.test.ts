import {
	chainIdOf,
	configuredDecimals,
	isAllZeroAddress,
	isNative,
	isTokenAddress,
	listedSymbol,
	networksNamed,
	networksOf,
	networksWithId,
	networkTitle,
	shownName,
	tokenAt,
	tokenList,
	tokensNamed,
	tokenTitles,
} from '../../../nodes/CrossChainBridge/orders/networks';

const ZERO = `0x${'0'.repeat(40)}`;

test('a configuration’s networks are the objects of its list', () => {
	const wanted = [{ chainID: 1 }, { chainID: 2 }];
	expect(networksOf({ networks: [{ chainID: 1 }, null, 'x', [], { chainID: 2 }] })).toEqual(wanted);
	expect(networksOf({ networks: [] })).toEqual([]);
});

test.each([{}, { networks: null }, { networks: { 1: {} } }, { networks: 'none' }])(
	'%j has no list of networks',
	(config) => {
		expect(networksOf(config)).toBeNull();
	},
);

test.each<[unknown, number | string | null]>([
	[{ chainID: 1 }, 1],
	[{ chainId: 1, chainID: 2 }, 1],
	[{ chainId: null, chainID: 2 }, 2],
	[{ chainID: 'solana' }, 'solana'],
	[{ chainId: 0 }, 0],
	[{ chainId: '' }, null],
	[null, null],
])('the ID of %j is %j', (source, id) => {
	expect(chainIdOf(source)).toBe(id);
});

test('networks are found by their ID as text', () => {
	const networks = [{}, { chainID: 1 }, { chainId: '2' }, { chainID: 2 }, { chainID: '' }];
	const found = ['1', ' 2 ', 2, '3', '', 'null', null].map((id) => networksWithId(networks, id));
	expect(found).toEqual([
		[networks[1]],
		[networks[2], networks[3]],
		[networks[2], networks[3]],
		[],
		[],
		[],
		[],
	]);
	expect(networksWithId(null, '1')).toEqual([]);
});

test.each<[unknown[], number | null]>([
	[[18], 18],
	[[18, '18', null], 18],
	[[0], 0],
	[[18, 9], null],
	[[null, 'x'], null],
	[[], null],
])('entries of a network that state the native decimals %j agree on %j', (stated, agreed) => {
	const networks = stated.map((decimals) => ({ chainID: 1, decimals }));
	expect(configuredDecimals(networks, 1, ZERO)).toBe(agreed);
	expect(configuredDecimals(networks, 2, ZERO)).toBeNull();
});

test.each<[string, boolean]>([
	[ZERO, true],
	[ZERO.replace('x', 'X'), true],
	['0'.repeat(40), true],
	['0x0', true],
	['1'.repeat(32), true],
	['1'.repeat(31), false],
	['1'.repeat(33), false],
	['0x', false],
	['', false],
	['0x01', false],
	['0x10', false],
	['x0', false],
	['a0x0', false],
])('the address %s is all zeros: %s', (address, expected) => {
	expect(isAllZeroAddress(address)).toBe(expected);
});

test('what the configuration calls NATIVE is the native token, to the letter', () => {
	const networks = [{ chainID: 1, decimals: 9, tokens: { NATIVE: 'So11', USDC: '0xab' } }];
	const decimals = (token: string) => configuredDecimals(networks, '1', token);
	expect(['So11', 'so11', '0xab', ZERO].map(decimals)).toEqual([9, null, null, 9]);
});

test('a hexadecimal address of the native token is the same in any case', () => {
	const address = `0x${'Ee'.repeat(20)}`;
	const networks = [{ chainID: 1, decimals: 18, tokens: { NATIVE: address } }];
	for (const stated of [address, address.toLowerCase(), address.toUpperCase()])
		expect(configuredDecimals(networks, 1, stated)).toBe(18);
});

test('the native token is the first of the list, under the symbol of the base token', () => {
	const tokens = { USDC: '0x1', NONE: '', NATIVE: ZERO, LATER: null, DAI: '0x2' };
	expect(tokenList({ baseToken: 'ETH', tokens })).toEqual([
		{ symbol: 'ETH', address: ZERO, isNative: true },
		{ symbol: 'USDC', address: '0x1', isNative: false },
		{ symbol: 'DAI', address: '0x2', isNative: false },
	]);
	expect(tokenList({ tokens: { NATIVE: ZERO } })).toEqual([
		{ symbol: 'NATIVE', address: ZERO, isNative: true },
	]);
});

test.each([{}, { tokens: null }, { tokens: ['0x1'] }, { tokens: 'none' }])(
	'%j lists no tokens',
	(network) => {
		expect(tokenList(network)).toEqual([]);
	},
);

test.each<[string, boolean]>([
	['NATIVE', true],
	['native', true],
	[ZERO, true],
	['0x0', true],
	['1'.repeat(32), true],
	// A number that an expression gives.
	['0', false],
	['00', false],
	['', false],
	['nativ', false],
	['ETH', false],
])('%j stands for the native token: %j', (text, expected) => {
	expect(isNative(text)).toBe(expected);
});

test.each<[string, boolean]>([
	['0xab', true],
	['0x1::coin::USDC', true],
	['4BCkqJvPiVKgaL2jnhyGVrEHXUygHQuLvMKbyW24brGE', true],
	['USDC', false],
	['0xUSDC', false],
	['x'.repeat(19), false],
	['factory/osmo1q77cw0mmlluxu0wr29fcdd0tdnh78gzhkvhe4n6/token', true],
	['https://etherscan.io/token/0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', false],
	['http://127.0.0.1/token/0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', false],
	['4BCkqJvPiVKgaL2jnh…KMbyW24brGE', false],
])('%j is an address: %j', (text, expected) => {
	expect(isTokenAddress(text)).toBe(expected);
});

test('Get Config says which token of its list is the native one', () => {
	const tokens = { NATIVE: ZERO, USDC: '0x1' };
	const listed = tokenList({ baseToken: 'ETH', tokens }).map(listedSymbol);
	expect(listed).toEqual(['ETH (native)', 'USDC']);
});

describe('networks by what a person enters', () => {
	const ETHEREUM = { chainID: 101, name: 'Ethereum' };
	const CLASSIC = { chainID: 105, name: 'Ethereum Classic' };
	const BNB = { chainID: 104, name: 'BNB  Smart\u00a0Chain' };
	const SOLANA = { chainID: 'solana', name: 'Solana' };
	const networks = [ETHEREUM, CLASSIC, BNB, SOLANA, { chainID: 9 }, { name: 'No ID' }];

	test.each<[string, object[]]>([
		['101', [ETHEREUM]],
		['ethereum', [ETHEREUM]],
		['ETHEREUM\u200b', [ETHEREUM]],
		['Ethereum (101)', [ETHEREUM]],
		['Ethereum Classic', [CLASSIC]],
		['bnb smart chain', [BNB]],
		['solana', [SOLANA]],
		['９', [{ chainID: 9 }]],
		['Ether', []],
		['Ethereum (105)', []],
		['1', []],
	])('%j', (text, expected) => {
		expect(networksNamed(networks, text)).toEqual(expected);
	});

	test('a name that two have fits both; the same one twice is one', () => {
		const other = { chainID: 111, name: 'ETHEREUM ' };
		expect(networksNamed([...networks, other], 'Ethereum')).toEqual([ETHEREUM, other]);
		expect(networksNamed([...networks, { ...ETHEREUM }], 'Ethereum')).toHaveLength(1);
		expect(networksNamed([...networks, { ...ETHEREUM }], '101')).toHaveLength(1);
	});

	test('the ID of one goes before the name of another', () => {
		const named101 = { chainID: 7, name: '101' };
		expect(networksNamed([named101, ETHEREUM], '101')).toEqual([ETHEREUM]);
	});

	test.each<[string, string | null, string]>([
		['Base (102)', 'Base', 'Base (668)'],
		['Base\u200b (102)', 'Base', 'Base (668)'],
		['Base （102）', 'Base', 'Base (668)'],
		['Base (0x12…ab)', 'Base', 'Base (668)'],
		['Base (102) (102)', 'Base', 'Base (668)'],
		['Optimism (OP Mainnet)', 'Optimism (OP Mainnet)', 'Optimism (OP Mainnet) (668)'],
		['Base (1) Chain', 'Base (1) Chain', 'Base (1) Chain (668)'],
		['(102)', null, '668'],
		['\u200b', null, '668'],
	])('%j with the ID 668 is shown with its own ID: %j, %j', (name, shown, title) => {
		const network = { chainID: 668, name };
		expect([shownName(network), networkTitle(network)]).toEqual([shown, title]);
	});

	test('the name as the bridge has it counts if no other network is shown by it', () => {
		const ARBITRUM = { chainID: 301, name: 'Arbitrum (42161)' };
		const all = [...networks, ARBITRUM, { chainID: 302, name: ' ' }];
		for (const text of ['Arbitrum (42161)', ' arbitrum  (42161)', 'Arbitrum', 'Arbitrum (301)'])
			expect(networksNamed(all, text)).toEqual([ARBITRUM]);
		expect(networksNamed(all, 'Arbitrum (1)')).toEqual([]);
		expect(networksNamed(all, '')).toEqual([]);
		const alike = { chainID: 303, name: 'ARBITRUM (42161)' };
		expect(networksNamed([...all, alike], 'Arbitrum (42161)')).toEqual([ARBITRUM, alike]);
	});

	test('one that looks like another is not taken for it', () => {
		const BASE = { chainID: 102, name: 'Base' };
		for (const name of ['Base (102)', 'Base\u200b', 'ＢＡＳＥ']) {
			const networks = [{ chainID: 668, name }, BASE];
			expect(networksNamed(networks, 'Base')).toHaveLength(2);
			expect(networksNamed(networks, 'Base (102)')).toEqual([BASE]);
		}
	});
});

describe('tokens by what a person enters', () => {
	const USDC = '0x166cab27f2cbb40426a5742c477d609e0716128b';
	const WETH = `0x${'ee'.repeat(20)}`;
	const network = { baseToken: 'ETH', tokens: { NATIVE: ZERO, USDC, WETH, 'USDC.e': '0xe' } };
	const named = (text: string, of: object = network) =>
		tokensNamed(of as never, text).map(({ address }) => address);

	test('a native token that is listed by its symbol, too, is the native one', () => {
		const twice = { baseToken: 'CELO', tokens: { CELO: '0x471E', NATIVE: '0x471e' } };
		expect(tokensNamed(twice as never, 'celo')).toMatchObject([{ isNative: true }]);
	});

	test.each<[string, string[]]>([
		['USDC', [USDC]],
		['usdc', [USDC]],
		['us\u200bdc', [USDC]],
		['usdc.E', ['0xe']],
		['ETH', [ZERO]],
		['weth', [WETH]],
		[USDC.toUpperCase().replace('X', 'x'), [USDC]],
		['USD', []],
		['NATIVE', []],
		['', []],
	])('%j', (text, expected) => {
		expect(named(text)).toEqual(expected);
		expect(tokenAt(network, text)?.address).toBe(/^0x/.test(text) ? USDC : undefined);
	});

	test('a symbol that two have fits both; one token with two symbols has both', () => {
		const alike = { tokens: { USDC, 'USDC\u200b': '0x1', usdc: '0x2' } };
		expect(named('USDC', alike)).toEqual([USDC, '0x1', '0x2']);
		const twice = { baseToken: 'ETH', tokens: { NATIVE: ZERO, ETH: ZERO, USDC, 'USDC.e': USDC } };
		expect(named('ETH', twice)).toEqual([ZERO]);
		expect(named('USDC.e', twice)).toEqual([USDC]);
	});

	test('a base token next to a token of its symbol fits both', () => {
		expect(named('ETH', { baseToken: 'ETH', tokens: { NATIVE: ZERO, ETH: '0x1' } })).toEqual([
			...[ZERO, '0x1'],
		]);
	});

	test('each is shown so that no two are alike', () => {
		const titles = (tokens: object) =>
			tokenTitles(tokenList({ baseToken: 'ETH', tokens })).map(({ title }) => title);
		const padded = `ETH (native token)${'\u3164'.repeat(40)}`;
		expect(titles({ NATIVE: ZERO, [padded]: USDC, 'USDC (0x1234…abcd)': USDC })).toEqual([
			...['Native token (ETH)', 'ETH (native token) (0x166c…128b)', 'USDC (0x166c…128b)'],
		]);
		const [one, other] = [`0x166c${'a'.repeat(32)}128b`, `0x166c${'b'.repeat(32)}128b`];
		expect(titles({ USDC: one, 'USDC\u200b': other })).toEqual([
			...[`USDC (${one})`, `USDC (${other})`],
		]);
		expect(titles({ '\u3164': USDC })).toEqual(['? (0x166c…128b)']);
	});
});
