import { NO_EXPERIENCE } from '../../../nodes/CrossChainBridge/schedule/plan';
import {
	areListedFinished,
	asBegun,
	assumeBegunTogether,
	assumeNothing,
	shareFinished,
} from '../../../nodes/CrossChainBridge/schedule/listed';
import {
	FOUND_WITHIN_MS,
	type WatchedOrder,
} from '../../../nodes/CrossChainBridge/schedule/schedule';
import {
	applyResult,
	isWronglyAssumed,
	newEntry,
} from '../../../nodes/CrossChainBridge/schedule/watchedEntry';

const NOW = 1_000_000_000;

describe('areListedFinished', () => {
	it.each([
		[0, 0, false],
		[2.4, 2.4, false],
		[2.5, 2.5, true],
		[2.5, 0.75, true],
		[2.5, 0.74, false],
		[9, 2.6, false],
	])('of %p listed orders %p had finished: %p', (count, finished, is) => {
		expect(areListedFinished({ count, finished })).toBe(is);
	});
});

it.each([
	[4, 1, 0.25],
	[9, 8, 8 / 9],
	[20, 19, 0.9],
])('of %p listed orders %p had finished, which is a share of %p', (count, finished, share) => {
	expect(shareFinished({ count, finished })).toBe(share);
});

/** An order that was added 2 s ago, of which nothing is known. */
const listed = (changes: Partial<WatchedOrder> = {}): WatchedOrder => ({
	key: 'order',
	startedAt: NOW - 2_000,
	beginning: 'unknown',
	listedAt: NOW - 2_000,
	listedBegunAt: null,
	lastCheckAt: null,
	notFoundAt: null,
	seenOpenAt: null,
	expiresAt: null,
	intervalMs: 5_000,
	failures: 0,
	limitedInARow: 0,
	limitedAt: null,
	checking: false,
	...changes,
});

describe('an order of a list that had finished, which its first check did not find', () => {
	it.each([1_000, 1_999])('has only just begun, if that was %p ms after it was added', (after) => {
		const order = listed({ notFoundAt: NOW - 2_000 + after });
		expect(asBegun(order)).toEqual({
			...order,
			beginning: 'known',
			startedAt: order.notFoundAt,
			seenOpenAt: order.notFoundAt,
		});
	});

	it.each<[string, Partial<WatchedOrder>]>([
		['it was found', {}],
		['it was posted', { beginning: 'posted', notFoundAt: NOW - 1_000 }],
		['the service should have known it by then', { notFoundAt: NOW - 2_000 + FOUND_WITHIN_MS }],
	])('nothing is said of it, if %s', (_what, changes) => {
		const order = listed(changes);
		expect(asBegun(order)).toBe(order);
	});
});

describe('orders of a list that were added together', () => {
	/** Such an order that was seen open, and that began so many ms ago as the service states. */
	const seen = (age: number): WatchedOrder =>
		listed({
			startedAt: NOW - age,
			beginning: 'known',
			listedBegunAt: NOW - age,
			lastCheckAt: NOW - 1_000,
			seenOpenAt: NOW - 1_000,
		});

	/** The age that is assumed of an order, in ms; null if nothing is. */
	const assumed = (others: WatchedOrder[], order = listed()): number | null => {
		const before = { ...order };
		assumeBegunTogether([...others, order], NOW);
		if (order.beginning === before.beginning) {
			expect(order).toEqual(before);
			return null;
		}
		expect(order).toEqual({ ...before, beginning: 'assumed', startedAt: order.startedAt });
		return NOW - order.startedAt;
	};

	it.each<[string, number[], number | null]>([
		['three that say so', [3_000, 4_000, 5_000], 4_000],
		['three of them, up to 5 s apart', [2_000, 3_000, 7_000], 4_000],
		['three of them, 15 s old', [15_000, 15_000, 15_000], 15_000],
		['three of them and an older one', [4_000, 4_000, 4_000, 15_001], 4_000],
		['nobody', [], null],
		['two', [4_000, 4_000], null],
		['three that are further apart', [3_000, 3_000, 8_001], null],
		['three of four, one of which began long before', [4_000, 4_000, 4_000, 60_000], 4_000],
		['three older ones', [15_001, 15_001, 15_001], null],
		['half of them', [1_000, 1_000, 1_000, 7_000, 8_000, 9_000], null],
		['two, and an older one', [4_000, 4_000, 15_001], null],
	])('have begun with %s', (_who, ages, age) => {
		expect(assumed(ages.map(seen))).toBe(age);
	});

	it.each<[string, number[], number[], number | null]>([
		[
			'were of the same age when they were added, though they did not begin together',
			[3_000, 2_000, 1_000],
			[3_500, 2_500, 1_500],
			2_500,
		],
		[
			'began together, though they were added one after another',
			[3_000, 2_000, 1_000],
			[4_000, 4_000, 4_000],
			4_000,
		],
		[
			'were of the same age when they were added, as most were',
			[3_000, 2_000, 1_000, 2_000],
			[3_500, 2_500, 1_500, 600_000],
			2_500,
		],
	])('have begun as those that %s', (_which, addedAgo, ages, age) => {
		const others = addedAgo.map((ago, index) => ({
			...seen(ages[index] ?? 0),
			listedAt: NOW - ago,
		}));
		expect(assumed(others)).toBe(age);
	});

	it.each([
		['less than 5 s after most had begun: no earlier than that', 5_001, 5_001],
		['5 s after: nothing', 5_000, null],
	])('have begun, of one that was not found %s', (_when, ago, age) => {
		const order = listed({
			startedAt: NOW - 6_000,
			listedAt: NOW - 6_000,
			lastCheckAt: NOW - ago,
			notFoundAt: NOW - ago,
		});
		expect(
			assumed(
				[10_000, 10_000, 10_000].map((each) => ({ ...seen(each), listedAt: NOW - 6_000 })),
				order,
			),
		).toBe(age);
	});

	it('is not wrong at once where others have begun after it was not found', () => {
		const entry = newEntry('x', {}, { intervalMs: 1_000, now: NOW - 4_000 });
		applyResult(
			entry,
			{ kind: 'notFound' },
			{ sentAt: NOW - 3_000, now: NOW - 3_000 },
			NO_EXPERIENCE,
		);
		expect(
			assumed(
				[1_000, 1_000, 1_000].map((age) => ({ ...seen(age), listedAt: NOW - 4_000 })),
				entry.order,
			),
		).toBe(1_000);
		expect(isWronglyAssumed(entry, { kind: 'notFound' }, NOW)).toBe(false);
	});

	it('have begun before they were added', () => {
		expect(assumed([500, 500, 500].map(seen))).toBe(2_000);
	});

	it.each<[string, Partial<WatchedOrder>]>([
		['was checked', { lastCheckAt: NOW - 100 }],
		['is being checked', { checking: true }],
		['was posted', { beginning: 'posted' }],
		['was added more than 15 s ago', { startedAt: NOW - 15_001, listedAt: NOW - 15_001 }],
		['was added 5 s before them', { startedAt: NOW - 7_001, listedAt: NOW - 7_001 }],
		['is not to be assumed of', { listedAt: null }],
	])('says nothing of one that %s', (_what, changes) => {
		expect(assumed([4_000, 4_000, 4_000].map(seen), listed(changes))).toBeNull();
	});

	it('says nothing of one that was added 5 s after them', () => {
		const earlier = [8_000, 8_000, 8_000].map((age) => ({ ...seen(age), listedAt: NOW - 7_001 }));
		expect(assumed(earlier)).toBeNull();
		expect(assumed(earlier.map((each) => ({ ...each, listedAt: NOW - 7_000 })))).toBe(8_000);
	});

	it('says nothing of one that was added 5 s after the first of them', () => {
		const one = [5_000, 2_000, 2_000].map((ago) => ({ ...seen(4_000), listedAt: NOW - ago }));
		expect(assumed(one, listed({ startedAt: NOW, listedAt: NOW }))).toBe(4_000);
		const further = [5_001, 2_000, 2_000].map((ago) => ({ ...seen(4_000), listedAt: NOW - ago }));
		expect(assumed(further, listed({ startedAt: NOW, listedAt: NOW }))).toBeNull();
	});

	it('says it of one that was added 5 s before them, not sooner', () => {
		expect(
			assumed(
				[4_000, 4_000, 4_000].map(seen),
				listed({ startedAt: NOW - 7_000, listedAt: NOW - 7_000 }),
			),
		).toBe(7_000);
	});

	it('says it whatever those are that state no beginning', () => {
		const silent = Array.from({ length: 4 }, () => ({ ...seen(4_000), listedBegunAt: null }));
		expect(assumed([...silent, ...[4_000, 4_000, 4_000].map(seen)])).toBe(4_000);
	});

	it('says nothing where no beginning is stated', () => {
		expect(
			assumed([4_000, 4_000, 4_000].map((age) => ({ ...seen(age), listedBegunAt: null }))),
		).toBeNull();
	});

	it('says nothing any more once that was wrong', () => {
		const [first, second] = [listed(), listed()];
		assumeBegunTogether([...[4_000, 4_000, 4_000].map(seen), first], NOW);
		assumeNothing([first, second]);
		expect([first, second]).toEqual([listed({ listedAt: null }), listed({ listedAt: null })]);
		for (const each of [first, second])
			expect(assumed([4_000, 4_000, 4_000].map(seen), each)).toBeNull();
	});
});
