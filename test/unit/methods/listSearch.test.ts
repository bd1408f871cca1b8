import { networkChoices, tokenChoices } from '../../../nodes/CrossChainBridge/methods/listSearch';

test('a token of the same name as the native one stands beside it', () => {
	const network = {
		chainID: 4,
		baseToken: 'BNB',
		tokens: { ETH: '0x3100e3886959585aac0d6212a9ec00deb6a85ed8', NATIVE: '0x00' },
	};
	expect(tokenChoices(network)).toEqual([
		{ name: 'BNB (native token)', value: '0x00' },
		{ name: 'ETH (0x3100…5ed8)', value: '0x3100e3886959585aac0d6212a9ec00deb6a85ed8' },
	]);
});

test.each<[number, string]>([
	[5, 'xxxxx'],
	[14, 'x'.repeat(14)],
	[15, 'xxxxxx…xxxx'],
])('an address of %d signs is shown as %s', (length, shown) => {
	const value = 'x'.repeat(length);
	expect(tokenChoices({ tokens: { X: value } })).toEqual([{ name: `X (${shown})`, value }]);
});

test('an entry shows visible signs only, one line of 60, and a question mark where nothing is left', () => {
	const networks = [
		{ chainID: 1, name: 'A\u202eb\nc' },
		{ chainID: 2, name: '\u200b' },
		{ chainID: 3, name: 'n'.repeat(61) },
	];
	expect(networkChoices(networks)).toEqual([
		{ name: 'A b c (1)', value: '1' },
		{ name: '? (2)', value: '2' },
		{ name: `${'n'.repeat(60)}… (3)`, value: '3' },
	]);
});

test('a network without a name, or with its ID for a name, is shown only by its ID', () => {
	expect(networkChoices([{ chainID: 7 }, { chainID: 8, name: '8' }])).toEqual([
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
])('the tokens that %j finds: by symbol, address, or as the native token', (filter, values) => {
	const network = { baseToken: 'ETH', tokens: { usdc: '0xabc', NATIVE: '0x00' } };
	expect(tokenChoices(network, filter).map(({ value }) => value)).toEqual(values);
});

test('networks are found by name and ID, whatever the case', () => {
	const networks = [
		{ chainID: 'ABC', name: 'Ethereum' },
		{ chainID: 2, name: 'Base' },
	];
	const found = (filter: string) => networkChoices(networks, filter).map(({ value }) => value);
	const all = ['ABC', '2'];
	expect(['eTH', 'abc', ' 2 ', '', 'x'].map(found)).toEqual([['ABC'], ['ABC'], ['2'], all, []]);
});

test('a network whose identifier is empty text is not offered: there is nothing to choose', () => {
	expect(networkChoices([{ chainID: '' }, { chainID: '', name: 'Nameless' }])).toEqual([]);
});
