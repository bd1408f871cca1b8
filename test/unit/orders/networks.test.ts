import {
	agreedNativeDecimals,
	isAllZeroAddress,
	isNativeAddress,
	networkById,
	networkId,
	networkLabel,
	networksOf,
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

test.each<[object, string | null, string | null]>([
	[{ chainID: 1, name: 'Ethereum' }, '1', 'Ethereum'],
	[{ chainId: 2, name: '' }, '2', '2'],
	[{ chainID: 1, chainId: 2 }, '1', '1'],
	[{ chainID: null, chainId: 'solana', name: null }, 'solana', 'solana'],
	[{ chainID: 0 }, '0', '0'],
	[{ chainID: '', name: 'Nowhere' }, null, 'Nowhere'],
	[{}, null, null],
])('the network %j has the ID %j and is called %j', (network, id, label) => {
	expect(networkId(network as Record<string, unknown>)).toBe(id);
	expect(networkLabel(network as Record<string, unknown>)).toBe(label);
});

test('a network is found by its ID as text', () => {
	const networks = [{}, { chainID: 1 }, { chainId: '2' }];
	expect(networkById(networks, '1')).toBe(networks[1]);
	expect(networkById(networks, '2')).toBe(networks[2]);
	expect(networkById(networks, '3')).toBeNull();
	expect(networkById(networks, 'null')).toBeNull();
});

test.each<[unknown[], number | null]>([
	[[18], 18],
	[[18, '18', null], 18],
	[[0], 0],
	[[18, 9], null],
	[[null, 'x'], null],
	[[], null],
])('networks that state the native decimals %j agree on %j', (stated, agreed) => {
	expect(agreedNativeDecimals(stated.map((decimals) => ({ decimals })))).toBe(agreed);
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
	expect(isNativeAddress({}, address)).toBe(expected);
});

test('what the configuration calls NATIVE is the native token, to the letter', () => {
	const network = { tokens: { NATIVE: 'So11', USDC: '0xab' } };
	expect(
		['So11', 'so11', '0xab', ZERO].map((address) => isNativeAddress(network, address)),
	).toEqual([true, false, false, true]);
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
