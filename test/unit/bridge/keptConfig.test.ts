import fc from 'fast-check';

import { KeptConfig } from '../../../nodes/CrossChainBridge/bridge/keptConfig';

const MOST = 3;
const KEEP_MS = 1000;

function rehearsed() {
	const clock = { ms: 0 };
	return { clock, kept: new KeptConfig({ now: () => clock.ms, keepMs: KEEP_MS, most: MOST }) };
}

test('what was read is known until its time is over', () => {
	const { clock, kept } = rehearsed();
	const networks = [{ chainID: 1 }];
	expect(kept.read('a')).toBeNull();
	kept.keep('a', networks);
	clock.ms = KEEP_MS - 1;
	expect(kept.read('a')).toBe(networks);
	expect(kept.read('b')).toBeNull();
	clock.ms = KEEP_MS;
	expect(kept.read('a')).toBeNull();
	expect(kept.size).toBe(0);
});

test('a fresh configuration replaces the known one and begins its time anew', () => {
	const { clock, kept } = rehearsed();
	kept.keep('a', [{ chainID: 1 }]);
	clock.ms = KEEP_MS - 1;
	kept.keep('a', []);
	clock.ms = KEEP_MS + 1;
	expect(kept.read('a')).toEqual([]);
});

test('when there are too many, those read longest ago leave', () => {
	const { kept } = rehearsed();
	for (const account of ['a', 'b', 'c', 'a', 'd']) kept.keep(account, []);
	expect(['a', 'b', 'c', 'd'].filter((account) => kept.read(account) !== null)).toEqual(['a', 'c', 'd']);
});

test('whatever is kept in whatever order, the number stays bounded and the last one is known', () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.nat(2 * KEEP_MS))), (steps) => {
			const { clock, kept } = rehearsed();
			for (const [account, passes] of steps) {
				clock.ms += passes;
				const networks = [{ chainID: clock.ms }];
				kept.keep(account, networks);
				expect(kept.read(account)).toBe(networks);
				expect(kept.size).toBeLessThanOrEqual(MOST);
			}
		}),
	);
});
