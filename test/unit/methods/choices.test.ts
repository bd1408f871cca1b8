import fc from 'fast-check';

import { networkChoices, tokenChoices } from '../../../nodes/CrossChainBridge/methods/choices';
import type { PlainObject } from '../../../nodes/CrossChainBridge/bridge/values';

test('a token of the same name as the native one stands beside it', () => {
	const network = { chainID: 4, baseToken: 'BNB', tokens: { ETH: '0x3100e3886959585aac0d6212a9ec00deb6a85ed8', NATIVE: '0x00' } };
	expect(tokenChoices(network)).toEqual([
		{ name: 'BNB (native token)', value: '0x00' },
		{ name: 'ETH (0x3100…5ed8)', value: '0x3100e3886959585aac0d6212a9ec00deb6a85ed8' },
	]);
});

test('a short address is shown whole', () => {
	expect(tokenChoices({ tokens: { X: 'short' } })).toEqual([{ name: 'X (short)', value: 'short' }]);
});

test('a network whose identifier is empty text is not offered: there is nothing to choose', () => {
	expect(networkChoices([{ chainID: '' }, { chainID: '', name: 'Nameless' }])).toEqual([]);
});

test('whatever a configuration contains, every entry has a name and the searched text, and none is invented', () => {
	const network = fc.oneof(
		fc.record({ chainID: fc.jsonValue(), name: fc.jsonValue(), tokens: fc.jsonValue() }, { requiredKeys: [] }),
		fc.record({ chainID: fc.nat(), name: fc.string(), baseToken: fc.string(), tokens: fc.dictionary(fc.string(), fc.string()) }),
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
