import { PostedSurvival } from '../../../nodes/CrossChainBridge/schedule/postAges';
import {
	longestGapMs,
	nextCheckForUnfound,
	notBefore,
	OrderSchedule,
	startedAt,
	waitsSince,
	type WatchedOrder,
} from '../../../nodes/CrossChainBridge/schedule/schedule';
import { survivalTable } from '../../../nodes/CrossChainBridge/schedule/survivalTable';

const BEGIN = 1_000_000_000;
const DEAR = 20;
const table = survivalTable(0);
const posted = new PostedSurvival([1, 0, 0, 0, 0, 0, 3], table);

function order(changes: Partial<WatchedOrder> = {}): WatchedOrder {
	return {
		key: 'order',
		startedAt: BEGIN,
		beginning: 'known',
		listedAt: null,
		listedBegunAt: null,
		lastCheckAt: null,
		notFoundAt: null,
		seenOpenAt: null,
		expiresAt: null,
		intervalMs: 1_000,
		failures: 0,
		limitedInARow: 0,
		limitedAt: null,
		checking: false,
		...changes,
	};
}

/** Last seen open at this age (s). */
const seenAt = (age: number, changes: Partial<WatchedOrder> = {}): WatchedOrder =>
	order({ lastCheckAt: BEGIN + 1000 * age, seenOpenAt: BEGIN + 1000 * age, ...changes });
const expiring = (age: number): Partial<WatchedOrder> => ({ expiresAt: BEGIN + 1000 * age });
const scheduleOf = (one: WatchedOrder): OrderSchedule => new OrderSchedule(one, table, posted);
const nextAge = (one: WatchedOrder, price = DEAR): number =>
	(scheduleOf(one).nextCheck(price) - BEGIN) / 1000;
const chanceAt = (one: WatchedOrder, age: number): number =>
	scheduleOf(one).chanceFinished(BEGIN + 1000 * age);

describe('when an order began', () => {
	test.each<[string, Partial<Parameters<typeof startedAt>[0]>, number]>([
		[
			'what the service states goes before a guess',
			{ createdAtMs: BEGIN - 5_000, guess: BEGIN - 9_000 },
			BEGIN - 5_000,
		],
		['a guess, where the service states nothing', { guess: BEGIN - 9_000 }, BEGIN - 9_000],
		[
			'a guess, but not before the last check that did not find it',
			{ guess: BEGIN - 9_000, notFoundAt: BEGIN - 2_000 },
			BEGIN - 2_000,
		],
		[
			'a guess after the last check that did not find it',
			{ guess: BEGIN - 1_000, notFoundAt: BEGIN - 2_000 },
			BEGIN - 1_000,
		],
		['the last check that did not find it', { notFoundAt: BEGIN - 2_000 }, BEGIN - 2_000],
		['a minute before it was found at the earliest', { guess: BEGIN - 61_000 }, BEGIN - 60_000],
		['when it was found, where nothing is known', {}, BEGIN],
	])('%s', (_what, known, at) => {
		expect(startedAt({ createdAtMs: null, notFoundAt: null, foundAt: BEGIN, ...known })).toBe(at);
	});
});

test.each([
	[100, 95, 600_000],
	[475, 95, 600_000],
	[950, 95, 1_200_000],
	[10, 0, 1_200_000],
])('of %p orders at %p requests a minute each is due within %p ms', (orders, perMinute, gap) => {
	expect(longestGapMs(orders, perMinute)).toBe(gap);
});

test('an order waits since its last check, or since its beginning', () => {
	expect([waitsSince(order()), waitsSince(seenAt(7))]).toEqual([BEGIN, BEGIN + 7_000]);
});

test.each<[string, Partial<WatchedOrder>, number]>([
	['at any time before the first check', { failures: 3 }, Number.NEGATIVE_INFINITY],
	['after the interval', { lastCheckAt: BEGIN, intervalMs: 5_000 }, BEGIN + 5_000],
	[
		'after the interval, where failures ask for less',
		{ lastCheckAt: BEGIN, intervalMs: 5_000, failures: 3 },
		BEGIN + 5_000,
	],
	[
		'after failures, where the interval asks for less',
		{ lastCheckAt: BEGIN, intervalMs: 5_000, failures: 4 },
		BEGIN + 8_000,
	],
	['at once without an interval or failures', { lastCheckAt: BEGIN, intervalMs: 0 }, BEGIN],
])('a check is allowed %s', (_what, changes, at) => {
	expect(notBefore(order(changes))).toBe(at);
});

test.each<[string, Partial<WatchedOrder>, number]>([
	['at its beginning', {}, BEGIN],
	['after 2 s', { lastCheckAt: BEGIN + 3_900 }, BEGIN + 5_900],
	['after the square root of its seconds', { lastCheckAt: BEGIN + 25_000 }, BEGIN + 30_000],
	['after ten minutes at the latest', { lastCheckAt: BEGIN + 400_000_000 }, BEGIN + 400_600_000],
	['after the interval', { lastCheckAt: BEGIN + 25_000, intervalMs: 9_000 }, BEGIN + 34_000],
	['after failures', { lastCheckAt: BEGIN + 25_000, failures: 5 }, BEGIN + 41_000],
	[
		'after 2 s, where it was checked before it began',
		{ lastCheckAt: BEGIN - 50_000 },
		BEGIN - 48_000,
	],
])('a hash that is not found is asked for %s', (_what, changes, at) => {
	expect(nextCheckForUnfound(order(changes))).toBe(at);
});

describe('the next check of an order', () => {
	test('is the first when one of its kind is due', () => {
		expect(nextAge(order())).toBeCloseTo(table.gap(DEAR, 0), 9);
		expect(nextAge(order({ beginning: 'posted' }))).toBeCloseTo(posted.firstCheck(DEAR), 9);
	});

	test('comes after the gap of its age', () => {
		expect(nextAge(seenAt(40))).toBeCloseTo(40 + table.gap(DEAR, 40), 6);
		expect(nextAge(seenAt(700))).toBeCloseTo(700 + table.gap(DEAR, 700), 6);
	});

	test('comes after its interval, and after failures', () => {
		expect(nextAge(seenAt(40, { intervalMs: 200_000 }))).toBeCloseTo(240, 6);
		expect(nextAge(seenAt(2, { failures: 6 }))).toBeCloseTo(32, 6);
	});

	test('of one that was seen open before it began is that of its beginning', () => {
		expect(nextAge(seenAt(-3, { lastCheckAt: BEGIN - 3_000 }))).toBeCloseTo(table.gap(DEAR, 0), 6);
	});

	const freshAfter = (peak: number, price: number): number => peak + table.gap(price, 300);

	test.each<[string, number, number, number, number]>([
		['its expiry', 895, 900, 895, 900],
		['300 s, where it has expired long before', 297, 100, 497, 300],
	])('comes soon after %s', (_what, age, expiry, modelAge, peak) => {
		expect(age + table.gap(DEAR, modelAge)).toBeGreaterThan(freshAfter(peak, DEAR));
		expect(nextAge(seenAt(age, expiring(expiry)))).toBeCloseTo(freshAfter(peak, DEAR), 6);
	});

	test('comes after its gap, where that ends soon after its expiry', () => {
		let age = 800;
		while (age + table.gap(DEAR, age) <= 901) age += 0.1;
		const next = age + table.gap(DEAR, age);
		expect([next > 900, next < freshAfter(900, DEAR)]).toEqual([true, true]);
		expect(nextAge(seenAt(age, expiring(900)))).toBeCloseTo(next, 6);
	});

	test('keeps its interval after 300 s', () => {
		expect(nextAge(seenAt(295, { intervalMs: 60_000 }))).toBeCloseTo(355, 6);
		expect(nextAge(seenAt(200, { intervalMs: 60_000 }))).toBeCloseTo(
			Math.min(200 + Math.max(60, table.gap(DEAR, 200)), 360),
			6,
		);
	});

	test('goes by the time since its expiry, and since 300 s where that was later', () => {
		expect(nextAge(seenAt(150, expiring(100)))).toBeCloseTo(150 + table.gap(DEAR, 350), 6);
		expect(nextAge(seenAt(910, expiring(900)))).toBeCloseTo(910 + table.gap(DEAR, 310), 6);
		expect(nextAge(seenAt(320, expiring(100)))).toBeCloseTo(320 + table.gap(DEAR, 320), 6);
		expect(nextAge(seenAt(40, expiring(-10)))).toBeCloseTo(40 + table.gap(DEAR, 40), 6);
	});
});

describe('the chance that an order has finished', () => {
	test.each<[string, WatchedOrder, number, number]>([
		['never seen', order(), 10, table.stillOpen(0, 10)],
		['never seen, and posted', order({ beginning: 'posted' }), 10, posted.survival(10)],
		['posted, and seen open', seenAt(5, { beginning: 'posted' }), 10, table.stillOpen(5, 10)],
		['seen open', seenAt(5), 10, table.stillOpen(5, 10)],
		['seen open later', seenAt(5), 3, 1],
		['at 300 s', seenAt(290), 300, 1],
		['since 300 s', seenAt(290), 310, table.stillOpen(300, 310)],
		['seen open after 300 s', seenAt(310), 330, table.stillOpen(310, 330)],
		['since its expiry', seenAt(90, expiring(100)), 130, table.stillOpen(300, 330)],
		['seen open after its expiry', seenAt(110, expiring(100)), 130, table.stillOpen(310, 330)],
		[
			'seen open after 300 s, long after its expiry',
			seenAt(310, expiring(100)),
			330,
			table.stillOpen(310, 330),
		],
		[
			'since its expiry, long after 300 s',
			seenAt(850, expiring(900)),
			920,
			table.stillOpen(300, 320),
		],
	])('%s', (_what, one, age, open) => {
		expect(chanceAt(one, age)).toBeCloseTo(1 - open, 9);
	});
});

describe('the checks to be expected', () => {
	const expected = (
		one: WatchedOrder,
		now: number,
		horizons: readonly number[],
		price = 5,
	): number[] => {
		const counts = new Float64Array(horizons.length);
		scheduleOf(one).expectChecks(price, now, horizons, counts);
		return [...counts];
	};

	test.each<[string, WatchedOrder, number]>([
		['young', order(), BEGIN + 1_000],
		['overdue', order(), BEGIN + 12_000],
		['posted', order({ beginning: 'posted' }), BEGIN + 500],
		['seen open', seenAt(6, { intervalMs: 2_500 }), BEGIN + 7_000],
		['about to expire', seenAt(280, expiring(310)), BEGIN + 281_000],
	])(
		'of an order that is %s are those of its schedule, as far as it has not finished before',
		(_what, one, now) => {
			const horizons = [1_000, 5_000, 20_000, 60_000, 900_000];
			const counts = horizons.map(() => 0);
			let next = Math.max(now, scheduleOf(one).nextCheck(5));
			let chance = 1;
			for (let seen = one; next - now <= 900_000 && chance >= 0.01; ) {
				horizons.forEach(
					(horizon, index) =>
						(counts[index] = (counts[index] ?? 0) + (next - now <= horizon ? chance : 0)),
				);
				chance *= 1 - scheduleOf(seen).chanceFinished(next);
				seen = { ...seen, seenOpenAt: next, lastCheckAt: next };
				next = scheduleOf(seen).nextCheck(5);
			}
			expect(counts[4]).toBeGreaterThan(1);
			expected(one, now, horizons).forEach((count, index) =>
				expect(count).toBeCloseTo(counts[index] ?? 0, 6),
			);
		},
	);

	test('include one at the very end of a horizon, and are added to those of other orders', () => {
		const counts = Float64Array.from([3, 3, 3]);
		scheduleOf(seenAt(5, { intervalMs: 5_000 })).expectChecks(
			0,
			BEGIN + 6_000,
			[3_999, 4_000, 4_001],
			counts,
		);
		expect([...counts]).toEqual([3, 4, 4]);
	});

	test('end with the last horizon', () => {
		expect(expected(seenAt(5, { intervalMs: 5_000 }), BEGIN + 6_000, [4_000], 0)).toEqual([1]);
		expect(expected(order(), BEGIN, [])).toEqual([]);
	});
});
