import { listsOf } from './lists';

const tokensOf = async (network: object, filter?: string) =>
	await listsOf({ networks: [{ chainID: 4, ...network }] }).tokens(4, filter);
const networksOf = async (networks: object[], filter?: string) =>
	await listsOf({ networks }).networks(filter);

test('a token of the same name as the native one stands next to it', async () => {
	const tokens = { ETH: '0x3100e3886959585aac0d6212a9ec00deb6a85ed8', NATIVE: '0x00' };
	expect(await tokensOf({ baseToken: 'BNB', tokens })).toEqual([
		{ name: 'Native token (BNB)', value: '0x00' },
		{ name: 'ETH (0x3100…5ed8)', value: '0x3100e3886959585aac0d6212a9ec00deb6a85ed8' },
	]);
});

test.each<[number, string]>([
	[5, 'xxxxx'],
	[14, 'x'.repeat(14)],
	[15, 'xxxxxx…xxxx'],
])('an address of %d signs is shown as %s', async (length, shown) => {
	const value = 'x'.repeat(length);
	expect(await tokensOf({ tokens: { X: value } })).toEqual([{ name: `X (${shown})`, value }]);
});

test('an entry shows visible signs only, in one line of 80, and its ID if nothing is left of the name', async () => {
	const networks = [
		{ chainID: 1, name: 'A\u202eb\nc' },
		{ chainID: 2, name: '\u200b' },
		{ chainID: 3, name: 'n'.repeat(81) },
	];
	expect(await networksOf(networks)).toEqual([
		{ name: 'Ab c (1)', value: '1' },
		{ name: '2', value: '2' },
		{ name: `${'n'.repeat(80)}… (3)`, value: '3' },
	]);
});

test('a network without a name, or with its ID for a name, is shown only by its ID', async () => {
	expect(await networksOf([{ chainID: 7 }, { chainID: 8, name: '8' }])).toEqual([
		{ name: '7', value: '7' },
		{ name: '8', value: '8' },
	]);
});

test.each<[string, string[]]>([
	['', ['0x00', '0xabc']],
	['  USD ', ['0xabc']],
	['ABC', ['0xabc']],
	['token', ['0x00']],
	['none', []],
])(
	'the tokens that %j finds: by symbol, address, or as the native token',
	async (filter, values) => {
		const network = { baseToken: 'ETH', tokens: { usdc: '0xabc', NATIVE: '0x00' } };
		expect((await tokensOf(network, filter)).map(({ value }) => value)).toEqual(values);
	},
);

test('networks are found by name and ID, whatever the case', async () => {
	const networks = [
		{ chainID: 'ABC', name: 'Ethereum' },
		{ chainID: 2, name: 'Base' },
	];
	const found = async (filter: string) =>
		(await networksOf(networks, filter)).map(({ value }) => value);
	expect(await Promise.all(['eTH', 'abc', ' 2 ', '', 'x'].map(found))).toEqual([
		['ABC'],
		['ABC'],
		['2'],
		['ABC', '2'],
		[],
	]);
});

test('a network whose identifier is empty text is not offered: there is nothing to choose', async () => {
	expect(await networksOf([{ chainID: '' }, { chainID: '', name: 'Nameless' }])).toEqual([]);
});

test('nor one whose identifier has signs that nobody sees: it would look like another', async () => {
	const networks = [
		{ chainID: '102\u200b', name: 'Base' },
		{ chainID: 102, name: 'Base' },
	];
	expect(await networksOf(networks)).toEqual([{ name: 'Base (102)', value: '102' }]);
});

test('of very many tokens the first thousand are listed, and a search finds the others', async () => {
	const tokens = Object.fromEntries(
		Array.from({ length: 3_000 }, (_, index) => [`T${index}`, `0x${index.toString(16)}`]),
	);
	expect(await tokensOf({ tokens })).toHaveLength(1_000);
	expect(await tokensOf({ tokens }, 't2999')).toEqual([{ name: 'T2999 (0xbb7)', value: '0xbb7' }]);
});

test('the network next to a list of tokens may be entered by its name', async () => {
	const lists = listsOf({ networks: [{ chainID: 4, name: 'Four', tokens: { X: '0x1' } }] });
	expect(await lists.tokens({ mode: 'id', value: ' four ' })).toEqual([
		{ name: 'X (0x1)', value: '0x1' },
	]);
});

test('a name that two networks have is none: the tokens of either could be the wrong ones', async () => {
	const networks = [4, 5].map((chainID) => ({ chainID, name: 'Twin', tokens: { X: '0x1' } }));
	const lists = listsOf({ networks });
	await expect(lists.tokens({ mode: 'id', value: 'Twin' })).rejects.toThrow(
		"The network in 'From Network' is not one of this bridge's networks",
	);
	expect(await lists.tokens({ mode: 'id', value: '5' })).toEqual([
		{ name: 'X (0x1)', value: '0x1' },
	]);
});
