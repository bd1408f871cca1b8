import {
	chainIdOf,
	configuredDecimals,
	isAllZeroAddress,
	networksOf,
	networksWithId,
	tokenList,
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
