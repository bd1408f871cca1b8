import fc from 'fast-check';

import { approximateBytes, ConfigCache } from '../../../nodes/CrossChainBridge/service/configCache';

const MOST = 3;
const KEEP_MS = 1000;
const MAX_BYTES = 10_000;

function rehearsed() {
	const clock = { ms: 0 };
	return {
		clock,
		kept: new ConfigCache({
			now: () => clock.ms,
			keepMs: KEEP_MS,
			maxEntries: MOST,
			maxBytes: MAX_BYTES,
		}),
	};
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

test('a fresh configuration replaces the known one and restarts its time', () => {
	const { clock, kept } = rehearsed();
	kept.keep('a', [{ chainID: 1 }]);
	clock.ms = KEEP_MS - 1;
	kept.keep('a', []);
	clock.ms = KEEP_MS + 1;
	expect(kept.read('a')).toEqual([]);
});

test('when there are too many, those read longest ago go', () => {
	const { kept } = rehearsed();
	for (const account of ['a', 'b', 'c', 'a', 'd']) kept.keep(account, []);
	expect(['a', 'b', 'c', 'd'].filter((account) => kept.read(account) !== null)).toEqual([
		'a',
		'c',
		'd',
	]);
});

test('whatever is kept in whatever order, the number stays bounded and the last one is known', () => {
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.nat(2 * KEEP_MS))),
			(uses) => {
				const { clock, kept } = rehearsed();
				for (const [account, passes] of uses) {
					clock.ms += passes;
					const networks = [{ chainID: clock.ms }];
					kept.keep(account, networks);
					expect(kept.read(account)).toBe(networks);
					expect(kept.size).toBeLessThanOrEqual(MOST);
				}
			},
		),
	);
});

test('expired ones are dropped whenever anything is read or kept', () => {
	const { clock, kept } = rehearsed();
	kept.keep('a', []);
	kept.keep('b', []);
	clock.ms = KEEP_MS;
	kept.read('c');
	expect(kept.size).toBe(0);
	kept.keep('a', []);
	clock.ms = 2 * KEEP_MS;
	kept.keep('b', []);
	expect(kept.size).toBe(1);
});

test('the memory is bounded: the ones read longest ago go, and one that is too large is not kept', () => {
	const { kept } = rehearsed();
	const large = [{ name: 'x'.repeat(2_000) }];
	for (const account of ['a', 'b', 'c']) kept.keep(account, large);
	expect(['a', 'b', 'c'].map((account) => kept.read(account) !== null)).toEqual([
		false,
		true,
		true,
	]);
	expect(kept.bytes).toBeLessThanOrEqual(MAX_BYTES);
	kept.keep('d', [{ name: 'x'.repeat(MAX_BYTES) }]);
	expect(kept.read('d')).toBeNull();
	kept.keep(
		'b',
		Array.from({ length: 500 }, () => ({})),
	);
	expect(kept.read('b')).toBeNull();
});

test('many small objects count for what they take, not for their text', () => {
	expect(approximateBytes(Array.from({ length: 200_000 }, () => ({})))).toBeGreaterThan(10_000_000);
	const network = {
		chainID: 1,
		name: 'Ethereum',
		baseToken: 'ETH',
		decimals: 18,
		gateway: '0x'.padEnd(42, '0'),
		tokens: Object.fromEntries(
			Array.from({ length: 10 }, (_, n) => [`T${n}`, '0x'.padEnd(42, '0')]),
		),
	};
	expect(approximateBytes(Array.from({ length: 1000 }, () => network))).toBeLessThan(4_000_000);
});

test('one that is too large takes nothing from the others', () => {
	const { kept } = rehearsed();
	kept.keep('a', [{ chainID: 1 }]);
	kept.keep('b', [{ name: 'x'.repeat(MAX_BYTES) }]);
	expect([kept.read('a'), kept.read('b')]).toEqual([[{ chainID: 1 }], null]);
	kept.keep('a', [{ name: 'x'.repeat(MAX_BYTES) }]);
	expect([kept.read('a'), kept.size, kept.bytes]).toEqual([null, 0, 0]);
});

test('as much is kept as the memory has room for, to the last byte', () => {
	const networks = [{ name: 'Ethereum' }];
	const bytes = approximateBytes(networks);
	const cacheOf = (maxBytes: number) =>
		new ConfigCache({ now: () => 0, keepMs: KEEP_MS, maxEntries: MOST, maxBytes });
	const keptIn = (maxBytes: number) => {
		const kept = cacheOf(maxBytes);
		for (const account of ['a', 'b']) kept.keep(account, networks);
		return [kept.read('a') !== null, kept.read('b') !== null, kept.bytes];
	};
	expect(keptIn(2 * bytes)).toEqual([true, true, 2 * bytes]);
	expect(keptIn(2 * bytes - 1)).toEqual([false, true, bytes]);
	expect(keptIn(bytes)).toEqual([false, true, bytes]);
	expect(keptIn(bytes - 1)).toEqual([false, false, 0]);
});

test.each<[unknown, number]>([
	[1, 16],
	[true, 16],
	[null, 16],
	['', 24],
	['abc', 30],
	[{}, 56],
	[[], 56],
	[{ ab: 1 }, 92],
	[[1, 1], 120],
	[{ a: ['xy'] }, 174],
])('%j takes about %d bytes', (value, bytes) => {
	expect(approximateBytes(value)).toBe(bytes);
});
