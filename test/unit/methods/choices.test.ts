import fc from 'fast-check';

import { networkChoices, tokenChoices } from '../../../nodes/CrossChainBridge/methods/choices';
import type { PlainObject } from '../../../nodes/CrossChainBridge/orders/values';

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

test('a short address is shown whole', () => {
	expect(tokenChoices({ tokens: { X: 'short' } })).toEqual([{ name: 'X (short)', value: 'short' }]);
});

test.each<[string, number, string]>([
	['fourteen signs', 14, 'x'.repeat(14)],
	['more', 15, 'xxxxxx…xxxx'],
])('an address of %s', (_what, length, shown) => {
	expect(tokenChoices({ tokens: { X: 'x'.repeat(length) } })).toEqual([
		{ name: `X (${shown})`, value: 'x'.repeat(length) },
	]);
});

test('an entry shows visible signs only, one line of 60, and a question mark where nothing is left', () => {
	expect(
		networkChoices([
			{ chainID: 1, name: 'A\u202eb\nc' },
			{ chainID: 2, name: '\u200b' },
			{ chainID: 3, name: 'n'.repeat(61) },
		]),
	).toEqual([
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
	expect(
		['eTH', 'abc', ' 2 ', '', 'x'].map((filter) =>
			networkChoices(networks, filter).map(({ value }) => value),
		),
	).toEqual([['ABC'], ['ABC'], ['2'], ['ABC', '2'], []]);
});

test('a network whose identifier is empty text is not offered: there is nothing to choose', () => {
	expect(networkChoices([{ chainID: '' }, { chainID: '', name: 'Nameless' }])).toEqual([]);
});

test('whatever a configuration contains, every entry has a name and the searched text, and none is invented', () => {
	const network = fc.oneof(
		fc.record(
			{ chainID: fc.jsonValue(), name: fc.jsonValue(), tokens: fc.jsonValue() },
			{ requiredKeys: [] },
		),
		fc.record({
			chainID: fc.nat(),
			name: fc.string(),
			baseToken: fc.string(),
			tokens: fc.dictionary(fc.string(), fc.string()),
		}),
	);
	fc.assert(
		fc.property(fc.array(network), fc.string({ maxLength: 2 }), (list, filter) => {
			const networks = list as PlainObject[];
			const shown = networkChoices(networks, filter);
			const wanted = filter.trim().toLowerCase();
			for (const { name, value } of shown) {
				expect(name).not.toBe('');
				expect(`${name} ${value}`.toLowerCase()).toContain(wanted);
			}
			expect(shown.length).toBeLessThanOrEqual(networkChoices(networks).length);
			for (const each of networks) {
				const all = tokenChoices(each).map(({ value }) => value);
				for (const { value } of tokenChoices(each, filter)) expect(all).toContain(value);
			}
		}),
	);
});
