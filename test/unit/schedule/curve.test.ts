import fc from 'fast-check';

import {
	type Curve,
	FINDING,
	FINISHING,
	prospects,
	withObservation,
} from '../../../nodes/CrossChainBridge/schedule/curve';

const AROUND = { pastS: 5, soonS: 15 };
const chance = (curve: Curve, since: number, age: number) =>
	prospects(curve, { since, age }).chance;
const delay = (curve: Curve, since: number, age: number) => prospects(curve, { since, age }).delay;
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

type Seen = [from: number, took: number, happened: boolean];
const learnt = (curve: Curve, ...seen: Seen[]): Curve =>
	seen.reduce(
		(before, [from, took, happened]) => withObservation(before, [from, from + took], happened),
		curve,
	);
const times = (count: number, ...seen: Seen): Seen[] =>
	Array.from({ length: count }, (): Seen => seen);

test('most orders finish after 5 to 15 seconds, and what is open then may stay so', () => {
	expect(chance(FINISHING, 0, 4)).toBeLessThan(0.05);
	expect(chance(FINISHING, 0, 10)).toBeCloseTo(0.48, 1);
	expect(chance(FINISHING, 0, 15)).toBeCloseTo(0.934, 3);
	expect(chance(FINISHING, 60, 65)).toBeLessThan(0.05);
	expect(chance(FINISHING, 86_400, 864_000)).toBeCloseTo(0.833, 3);
	expect(chance(FINISHING, 9e6, 9e6 + 1)).toBe(0);
	expect(delay(FINISHING, 9e6, 9e6 + 5)).toBe(0);
});

test('four of five orders are found within two seconds, and of the others half with each doubling of the age', () => {
	expect(chance(FINDING, 0, 2)).toBeCloseTo(0.8, 9);
	for (const age of [2, 4, 64, 65_536]) expect(chance(FINDING, age, 2 * age)).toBeCloseTo(0.5, 9);
});

describe('whatever was learnt', () => {
	const age = fc.oneof(
		fc.double({ min: 0, max: 100, noNaN: true }),
		fc.double({ min: 0, max: 1e6, noNaN: true }),
		fc.constantFrom(0, 4, 15, 1e6),
	);
	const seen = fc.tuple(
		age,
		fc.oneof(fc.constantFrom(0, 1e-6), fc.double({ min: 0, max: 1e5, noNaN: true })),
		fc.boolean(),
	);
	const curve = fc
		.tuple(
			fc.constantFrom(FINISHING, FINDING),
			fc.array(seen, { maxLength: 12 }),
			fc.integer({ min: 1, max: 60 }),
		)
		.map(([assumed, orders, count]) =>
			learnt(assumed, ...orders.flatMap((each) => times(count, ...each))),
		);

	test('chances and delays are such, and grow with the time that has passed', () => {
		fc.assert(
			fc.property(curve, age, age, age, (each, since, passed, more) => {
				const now = prospects(each, { since, age: since + passed }, AROUND);
				const later = prospects(each, { since, age: since + passed + more }, AROUND);
				expect(now.chance).toBeGreaterThanOrEqual(0);
				expect(now.chance).toBeLessThanOrEqual(later.chance + 1e-9);
				expect(now.soon).toBeGreaterThanOrEqual(now.chance - 1e-9);
				expect(later.soon).toBeLessThanOrEqual(1);
				expect(now.delay).toBeGreaterThanOrEqual(0);
				expect(now.delay).toBeLessThanOrEqual(passed * now.chance + 1e-6);
				expect(now.delay).toBeLessThanOrEqual(later.delay + 1e-6);
				expect(now.effort).toBeGreaterThanOrEqual(0);
				expect(now.effort).toBeLessThan(Number.POSITIVE_INFINITY);
			}),
		);
	});

	test('nothing has happened to an order at the age at which it was seen', () => {
		fc.assert(
			fc.property(curve, age, (each, since) => {
				expect(prospects(each, { since, age: since })).toEqual({
					chance: 0,
					delay: 0,
					soon: 0,
					effort: 0,
				});
			}),
		);
	});

	/** By the midpoint rule. */
	const area = (from: number, to: number, height: (at: number) => number): number => {
		const parts = 400;
		const width = (to - from) / parts;
		return sum(
			Array.from({ length: parts }, (_, part) => width * height(from + (part + 0.5) * width)),
		);
	};
	const span = fc.tuple(
		fc.double({ min: 0, max: 700, noNaN: true }),
		fc.double({ min: 0.1, max: 60, noNaN: true }),
	);

	test('the expected delay is the area under the chance', () => {
		fc.assert(
			fc.property(curve, span, (each, [since, passed]) => {
				const under = area(since, since + passed, (at) => chance(each, since, at));
				expect(Math.abs(delay(each, since, since + passed) - under)).toBeLessThan(0.01 * passed);
			}),
		);
	});

	test('the effort is the area under the root of the hazard rate, as far as it is still open', () => {
		fc.assert(
			fc.property(curve, span, (each, [since, passed]) => {
				const [age, pastS, soonS] = [since + passed, 5, 15];
				const rootOfHazard = (at: number): number => {
					const step = 1e-3;
					const open = 1 - chance(each, since, at);
					return Math.sqrt(chance(each, at, at + step) / step) * open;
				};
				const from = Math.max(since, age - pastS);
				const under = area(from, age + soonS, rootOfHazard);
				const { effort } = prospects(each, { since, age }, { pastS, soonS });
				expect(Math.abs(effort - under)).toBeLessThan(0.05 + 0.05 * under);
			}),
		);
	});

	test('it is as if it had been learnt of at most two hundred orders', () => {
		fc.assert(
			fc.property(curve, ({ happened }) => {
				expect(sum(happened)).toBeLessThanOrEqual(200);
			}),
		);
	});
});

test('before an order begins nothing is expected of it', () => {
	expect(prospects(FINISHING, { since: 0, age: -5 })).toEqual({
		chance: 0,
		delay: 0,
		soon: 0,
		effort: 0,
	});
});

describe('what is seen', () => {
	// Between 5 and 15 s of age 0.066 of 0.965 stay open, as assumed; that is one segment.
	const LEFT = 0.066 / 0.965;

	test.each<[string, boolean, number]>([
		// The assumption counts for one order; one that finished there was open for half of the hazard on average.
		['one that finished', true, 2 / (1 - Math.log(LEFT) / 2)],
		['one that did not', false, 1 / (1 - Math.log(LEFT))],
	])(
		'changes how often it happens at that age, by the time that was observed: %s',
		(_which, happened, factor) => {
			const after = learnt(FINISHING, [5, 10, happened]);
			expect(1 - chance(after, 5, 15)).toBeCloseTo(LEFT ** factor, 9);
			for (const [since, age] of [
				[0, 5],
				[15, 60],
				[60, 600],
			] as const)
				expect(chance(after, since, age)).toBeCloseTo(chance(FINISHING, since, age), 9);
		},
	);

	test('outweighs the assumption: five hundred orders that finish between 40 and 50 s', () => {
		const after = learnt(FINISHING, ...times(500, 40, 10, true));
		expect(chance(FINISHING, 40, 50)).toBeLessThan(0.1);
		expect(chance(after, 40, 50)).toBeGreaterThan(0.75);
	});

	test('five hundred wrong hashes, which are never found, sink the chance that such are', () => {
		const after = learnt(FINDING, ...times(500, 2, 598, false));
		expect(chance(FINDING, 4, 8)).toBeCloseTo(0.5, 9);
		expect(chance(after, 4, 8)).toBeLessThan(0.02);
		expect(chance(after, 0, 2)).toBeCloseTo(0.8, 9);
	});

	test('changes nothing if no time had passed, or beyond the last age that is assumed', () => {
		expect(withObservation(FINISHING, [9, 9], true)).toBe(FINISHING);
		const beyond = learnt(FINISHING, [1e6, 5, true], [1e6, 5, false]);
		expect(sum(beyond.happened) + sum(beyond.expected)).toBe(0);
	});

	test('is halved when it comes from more than two hundred orders, and so follows a change', () => {
		const many = learnt(FINISHING, ...times(1_000, 5, 10, true));
		const wrong = learnt(FINDING, ...times(1_000, 2, 598, false));
		for (const { happened, expected } of [many, wrong])
			expect([sum(happened) <= 200, sum(expected) <= 200]).toEqual([true, true]);

		const slow: Seen[] = [
			[5, 10, false],
			[15, 7, true],
		];
		const changed = learnt(
			FINISHING,
			...times(2_000, 5, 10, true),
			...Array.from({ length: 500 }, () => slow).flat(),
		);
		const onlySlow = learnt(FINISHING, ...Array.from({ length: 500 }, () => slow).flat());
		expect(chance(onlySlow, 5, 15)).toBeLessThan(0.02);
		expect(chance(changed, 5, 15)).toBeLessThan(0.1);
	});

	test('does not change the curve that it was before', () => {
		const before = learnt(FINISHING, [5, 10, true]);
		const copy = structuredClone(before);
		learnt(before, [0, 600, false], [600, 9, true]);
		expect(before).toEqual(copy);
	});
});
