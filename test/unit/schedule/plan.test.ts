import fc from 'fast-check';
import {
	type CheckPlan,
	type Experience,
	NO_EXPERIENCE,
	planChecks,
	type PlanInput,
} from '../../../nodes/CrossChainBridge/schedule/plan';
import { PostedSurvival } from '../../../nodes/CrossChainBridge/schedule/postAges';
import { PRICES, survivalTable } from '../../../nodes/CrossChainBridge/schedule/survivalTable';
import { SLOW_SHARES } from '../../../nodes/CrossChainBridge/schedule/survivalModel';
import {
	type BudgetView,
	SlidingWindowLog,
} from '../../../nodes/CrossChainBridge/budget/slidingWindowLog';
import type { WatchedOrder } from '../../../nodes/CrossChainBridge/schedule/schedule';
import {
	BELIEVED_AGE_MS,
	startedAt,
	LONGEST_FAILURE_GAP_MS,
	longestGapMs,
	nextCheckForUnfound,
	notBefore,
	OrderSchedule,
} from '../../../nodes/CrossChainBridge/schedule/schedule';

const CHEAPEST = 0;

/** A plan where nothing has been answered so far, if nothing else is said. */
function planned(input: Omit<PlanInput, 'notLimitedAt'> & { notLimitedAt?: number }): CheckPlan {
	return planChecks({ notLimitedAt: Number.NEGATIVE_INFINITY, ...input });
}

function order(changes: Partial<WatchedOrder> = {}): WatchedOrder {
	return {
		key: 'order',
		startedAt: 0,
		lastCheckAt: null,
		notFoundAt: null,
		listedAt: null,
		listedBegunAt: null,
		seenOpenAt: null,
		beginning: 'known',
		expiresAt: null,
		intervalMs: 5_000,
		failures: 0,
		limitedInARow: 0,
		limitedAt: null,
		checking: false,
		...changes,
	};
}

const table = survivalTable(0);

function scheduleOf(one: WatchedOrder, posts: readonly number[] = []): OrderSchedule {
	return new OrderSchedule(one, table, new PostedSurvival(posts, table));
}

/** An order last seen open at this age (s). */
function seenAt(age: number, changes: Partial<WatchedOrder> = {}): WatchedOrder {
	return order({ lastCheckAt: age * 1000, seenOpenAt: age * 1000, ...changes });
}

/** Seconds from the last check to the next when the budget is plentiful. */
function gapAfter(age: number, changes: Partial<WatchedOrder> = {}): number {
	return scheduleOf(seenAt(age, changes)).nextCheck(CHEAPEST) / 1000 - age;
}

describe('when one order is checked', () => {
	it('first when it may have finished, then every interval while it is young', () => {
		const first = scheduleOf(order()).nextCheck(CHEAPEST);
		expect(first).toBeGreaterThan(2_500);
		expect(first).toBeLessThanOrEqual(5_000);
		expect(gapAfter(5)).toBe(5);
		expect(gapAfter(5, { intervalMs: 1_000 })).toBeLessThan(1.5);
	});

	it('ever less often as it grows old, about with the square root of its age', () => {
		const gaps = [600, 2_400, 9_600, 38_400].map((age) => gapAfter(age));
		for (let index = 1; index < gaps.length; index++) {
			const growth = (gaps[index] ?? 0) / (gaps[index - 1] ?? 1);
			expect(growth).toBeGreaterThan(1.6);
			expect(growth).toBeLessThan(2.5);
		}
	});

	it('more often again around 300 s and around its expiry', () => {
		const expiresAt = 1_800_000;
		expect(gapAfter(310, { intervalMs: 1_000 })).toBeLessThan(
			gapAfter(250, { intervalMs: 1_000 }) / 2,
		);
		expect(gapAfter(1_810, { expiresAt, intervalMs: 1_000 })).toBeLessThan(
			gapAfter(1_700, { expiresAt }) * 0.6,
		);
		expect(gapAfter(1_810)).toBeGreaterThan(gapAfter(1_810, { expiresAt }));
	});

	it('does not sleep through its expiry', () => {
		const dear = PRICES.length - 10;
		const asleep = scheduleOf(seenAt(1_750)).nextCheck(dear) / 1000;
		const awake = scheduleOf(seenAt(1_750, { expiresAt: 1_800_000 })).nextCheck(dear) / 1000;
		expect(awake).toBeGreaterThan(1_800);
		expect(awake).toBeLessThan(asleep);
	});

	it('first, where it was posted, when it may have finished; at once where posts come late', () => {
		const one = order({ beginning: 'posted' });
		const dear = PRICES.length - 10;
		const onTime = Array<number>(7).fill(0);
		onTime[0] = 10;
		const late = Array<number>(7).fill(0);
		late[6] = 10;
		expect(scheduleOf(one, onTime).nextCheck(dear)).toBeGreaterThan(4_000);
		expect(scheduleOf(one, late).nextCheck(dear)).toBeLessThan(1);
		// A request that nobody else needs is spent on the few that come late all the same.
		expect(scheduleOf(one, onTime).nextCheck(CHEAPEST)).toBeLessThan(3_000);
	});

	it('later when a check is dearer, and never sooner than the interval', () => {
		fc.assert(
			fc.property(
				fc.double({ min: 0, max: 1e6, noNaN: true }),
				fc.integer({ min: 0, max: PRICES.length - 1 }),
				fc.constantFrom(1_000, 2_500, 5_000, 60_000),
				fc.integer({ min: 0, max: 6 }),
				(age, price, intervalMs, slowIndex) => {
					const model = survivalTable(slowIndex);
					const next = new OrderSchedule(
						seenAt(age, { intervalMs }),
						model,
						new PostedSurvival([], model),
					).nextCheck(price);
					return next >= 1000 * age + intervalMs && Number.isFinite(next);
				},
			),
			{ seed: 7 },
		);
		const gaps = PRICES.map((_, price) => table.gap(price, 100));
		expect([...gaps].sort((one, other) => one - other)).toEqual(gaps);
	});

	it('after failures at doubling gaps, up to half a minute', () => {
		const waits = [0, 1, 2, 3, 4, 5, 6, 20].map((failures) =>
			notBefore(order({ lastCheckAt: 0, intervalMs: 1_000, failures })),
		);
		expect(waits).toEqual([
			1_000,
			1_000,
			2_000,
			4_000,
			8_000,
			16_000,
			LONGEST_FAILURE_GAP_MS,
			LONGEST_FAILURE_GAP_MS,
		]);
	});

	it('while not found: at once, then calmly', () => {
		const unfound = { beginning: 'unknown' as const, intervalMs: 1_000 };
		expect(nextCheckForUnfound(order(unfound))).toBe(0);
		const gaps = [0, 4, 100, 3_600].map(
			(age) => nextCheckForUnfound(order({ ...unfound, lastCheckAt: age * 1000 })) / 1000 - age,
		);
		expect(gaps).toEqual([2, 2, 10, 60]);
	});
});

describe('startedAt', () => {
	const foundAt = 1_000_000;

	it('is what the service says', () => {
		expect(startedAt({ createdAtMs: foundAt - 7_000, notFoundAt: null, foundAt })).toBe(
			foundAt - 7_000,
		);
	});

	it('lies between the last check that did not find it and the first that did, whatever the clocks say', () => {
		expect(startedAt({ createdAtMs: foundAt - 90_000, notFoundAt: foundAt - 4_000, foundAt })).toBe(
			foundAt - 4_000,
		);
		expect(startedAt({ createdAtMs: foundAt + 90_000, notFoundAt: foundAt - 4_000, foundAt })).toBe(
			foundAt,
		);
		expect(startedAt({ createdAtMs: null, notFoundAt: foundAt - 4_000, foundAt })).toBe(
			foundAt - 4_000,
		);
	});

	it('is up to a minute before the first sight when we know no better', () => {
		expect(startedAt({ createdAtMs: 0, notFoundAt: null, foundAt })).toBe(
			foundAt - BELIEVED_AGE_MS,
		);
		expect(startedAt({ createdAtMs: null, notFoundAt: null, foundAt })).toBe(foundAt);
	});
});

describe('planChecks', () => {
	const plan = (
		orders: WatchedOrder[],
		now: number,
		log = new SlidingWindowLog(100),
	): ReturnType<typeof planChecks> =>
		planned({ orders, now, budget: log.view(now), experience: NO_EXPERIENCE });

	it('has nothing to do for nobody', () => {
		expect(plan([], 0)).toEqual({ due: [], nextAt: Number.POSITIVE_INFINITY, freshUntil: 0 });
	});

	it('checks when it is time, and says when that is', () => {
		const young = order();
		const { due, nextAt } = plan([young], 2_500);
		expect(due).toEqual([]);
		expect(nextAt).toBeGreaterThan(2_500);
		expect(nextAt).toBeLessThanOrEqual(3_500);
		expect(plan([young], nextAt).due).toEqual(['order']);
	});

	it('leaves out what is being checked', () => {
		expect(plan([order({ checking: true })], 20_000).due).toEqual([]);
		expect(plan([order({ beginning: 'unknown', checking: true })], 20_000).due).toEqual([]);
	});

	it('gives what there is to those most likely to have finished, and never more', () => {
		const now = 20_000;
		const orders = [16, 9, 14, 15, 17].map((age) => {
			const startedAt = now - age * 1000;
			return order({
				key: `${age}`,
				startedAt,
				lastCheckAt: startedAt + 6_000,
				seenOpenAt: startedAt + 6_000,
				intervalMs: 1_000,
			});
		});
		expect(plan(orders, now, new SlidingWindowLog(4)).due).toEqual(['17', '16', '15']);
	});

	it('serves those that have waited longest first, where all are equally likely to have finished', () => {
		const waited = [30_000, 10_000, 20_000].map((lastCheckAt) =>
			order({ key: `${lastCheckAt}`, lastCheckAt }),
		);
		expect(plan(waited, 100_000, new SlidingWindowLog(3)).due).toEqual(['10000', '20000']);
	});

	it('checks one posted order at once before the first was judged, and no more until its answer is there', () => {
		const posted = Array.from({ length: 50 }, (_, index) =>
			order({ key: `${index}`, beginning: 'posted' }),
		);
		expect(plan(posted, 500).due).toEqual(['0']);
		const [probe = order(), ...others] = posted;
		expect(plan([{ ...probe, checking: true, lastCheckAt: 500 }, ...others], 600).due).toEqual([]);
		// Its check failed: another one is asked for, after a while.
		const failed = { ...probe, lastCheckAt: 500, failures: 1 };
		expect(plan([failed, ...others], 600).due).toEqual([]);
	});

	it('checks posted orders at once where posts have come late, and waits where they have not', () => {
		const posted = Array.from({ length: 50 }, (_, index) =>
			order({ key: `${index}`, beginning: 'posted' }),
		);
		const dueAfter = (posts: readonly number[]): number =>
			planned({
				orders: posted,
				now: 500,
				budget: new SlidingWindowLog(100).view(500),
				experience: { ...NO_EXPERIENCE, posts },
			}).due.length;
		expect(dueAfter([0, 0, 0, 0, 0, 0, 1])).toBe(50);
		expect(dueAfter([1, 0, 0, 0, 0, 0, 0])).toBe(0);
	});

	it('gives hashes that are not found only what the others leave', () => {
		const found = Array.from({ length: 95 }, (_, index) =>
			order({ key: `found ${index}`, startedAt: -8_000 }),
		);
		const unfound = Array.from({ length: 20 }, (_, index) =>
			order({ key: `unfound ${index}`, beginning: 'unknown' }),
		);
		expect(plan([...found, ...unfound], 0).due.filter((key) => key.startsWith('unfound'))).toEqual(
			[],
		);
		expect(plan(unfound, 0).due).toHaveLength(10);
	});

	it('asks for a long new list in parts, so that the first found need not wait a minute', () => {
		const unfound = Array.from({ length: 500 }, (_, index) =>
			order({ key: `${index}`, beginning: 'unknown' }),
		);
		expect(plan(unfound, 0).due).toHaveLength(10);
		// A sample is asked for at once, however little the others leave.
		const found = Array.from({ length: 40 }, (_, index) =>
			order({ key: `found ${index}`, startedAt: -8_000 }),
		);
		expect(
			plan([...found, ...unfound], 0).due.filter((key) => !key.startsWith('found')).length,
		).toBeGreaterThanOrEqual(5);
	});

	it('checks the rest of a list first, and at once, where most of it turns out to be finished', () => {
		const fresh = Array.from({ length: 80 }, (_, index) =>
			order({ key: `fresh ${index}`, beginning: 'unknown' }),
		);
		const open = Array.from({ length: 40 }, (_, index) =>
			order({ key: `open ${index}`, startedAt: -12_000 }),
		);
		const dueAfter = (finished: number): string[] =>
			planned({
				orders: [...open, ...fresh],
				now: 0,
				budget: new SlidingWindowLog(100).view(0),
				experience: { ...NO_EXPERIENCE, listed: { count: 10, finished } },
			}).due;
		expect(dueAfter(8).slice(0, 80)).toEqual(fresh.map(({ key }) => key));
		expect(dueAfter(2)[0]).toMatch(/^open/);
	});

	it('lets nobody wait longer than stated: the overdue go first, the longest wait before the others', () => {
		const longest = longestGapMs(62, 95);
		const old = seenAt(0, { key: 'old', beginning: 'unknown' });
		const older = seenAt(-1, { key: 'older', beginning: 'unknown', startedAt: -1_000 });
		const busy = Array.from({ length: 60 }, (_, index) =>
			seenAt((longest - 14_000) / 1000, { key: `${index}`, startedAt: longest - 15_000 }),
		);
		const log = new SlidingWindowLog(3);
		log.take(longest);
		const { due } = planned({
			orders: [...busy, old, older],
			now: longest,
			budget: { ...log.view(longest), perMinute: 95 },
			experience: NO_EXPERIENCE,
		});
		expect(due).toEqual(['older']);
	});

	it('takes one turn at a time where others wait for the same budget', () => {
		const log = new SlidingWindowLog(100);
		const orders = Array.from({ length: 10 }, (_, index) => order({ key: `${index}` }));
		const budget = { ...log.view(15_000, true), free: 0, freeBy: () => 0 };
		expect(planned({ orders, now: 15_000, budget, experience: NO_EXPERIENCE }).due).toHaveLength(1);
	});

	it('asks again within a second, and after now', () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.record({
						age: fc.integer({ min: 0, max: 100_000 }),
						since: fc.integer({ min: 0, max: 100_000 }),
						beginning: fc.constantFrom('known' as const, 'posted' as const, 'unknown' as const),
						checking: fc.boolean(),
						failures: fc.integer({ min: 0, max: 9 }),
						expiresIn: fc.option(fc.integer({ min: -100_000, max: 1_000_000 })),
						interval: fc.constantFrom(1_000, 5_000),
					}),
					{ minLength: 1, maxLength: 40 },
				),
				fc.integer({ min: 1, max: 120 }),
				fc.integer({ min: 0, max: 120 }),
				(shapes, limit, used) => {
					const now = 200_000;
					const orders = shapes.map(
						({ age, since, beginning, checking, failures, expiresIn, interval }, index) => {
							const last = now - Math.min(age, since);
							return order({
								key: `${index}`,
								startedAt: now - age,
								lastCheckAt: since > age ? null : last,
								seenOpenAt: since > age || beginning !== 'known' ? null : last,
								beginning,
								checking,
								failures,
								expiresAt: expiresIn === null ? null : now + expiresIn,
								intervalMs: interval,
							});
						},
					);
					const log = new SlidingWindowLog(limit);
					for (let index = 0; index < Math.min(used, limit); index++) log.take(now);
					const view = log.view(now);
					const { due, nextAt } = planned({ orders, now, budget: view, experience: NO_EXPERIENCE });
					const allowed = due.every((key) => {
						const one = orders[Number(key)];
						return one !== undefined && !one.checking && notBefore(one) <= now;
					});
					return (
						allowed &&
						due.length <= view.free &&
						new Set(due).size === due.length &&
						nextAt > now &&
						nextAt <= now + 1_000
					);
				},
			),
			{ numRuns: 300, seed: 7 },
		);
	});
});

describe('planChecks, to the millisecond', () => {
	const NOW = 700_000;
	const PLENTY: BudgetView = {
		free: 100,
		freeBy: (time) => (time >= NOW ? 1_000 : 0),
		nextFreeAt: NOW,
		perMinute: 1_000,
		contended: false,
	};
	const planOf = (
		orders: WatchedOrder[],
		budget: Partial<BudgetView> = {},
		now = NOW,
		experience: Partial<Experience> = {},
	): ReturnType<typeof planChecks> =>
		planned({
			orders,
			now,
			budget: { ...PLENTY, ...budget },
			experience: { ...NO_EXPERIENCE, ...experience },
		});
	/** Last seen open 5 s after it began, due 5 s after that. */
	const dueAt = (at: number, changes: Partial<WatchedOrder> = {}): WatchedOrder =>
		order({ startedAt: at - 10_000, lastCheckAt: at - 5_000, seenOpenAt: at - 5_000, ...changes });
	const unfound = (key: string, changes: Partial<WatchedOrder> = {}): WatchedOrder =>
		order({ key, beginning: 'unknown', startedAt: NOW, intervalMs: 1_000, ...changes });
	/** Sought for so long that it is asked for once in ten minutes, last this long ago (ms). */
	const longSought = (key: string, ago: number): WatchedOrder =>
		unfound(key, { startedAt: NOW - 1e9, lastCheckAt: NOW - ago });

	describe('orders whose checks keep failing', () => {
		const failing = (failures: number, count = 60) =>
			Array.from({ length: count }, (_, index) =>
				dueAt(NOW - 60_000, { key: `failing ${index}`, failures }),
			);
		const healthy = Array.from({ length: 10 }, (_, index) =>
			dueAt(NOW - 60_000, { key: `healthy ${index}` }),
		);
		const namesOf = (orders: WatchedOrder[], free: number) =>
			planOf(orders, { free, freeBy: () => free }).due.map((key) => key.split(' ')[0]);

		it('take no turn of a healthy one', () => {
			expect(namesOf([...failing(3), ...healthy], 10)).toEqual(healthy.map(() => 'healthy'));
			expect(namesOf([...failing(2), ...healthy], 10)).not.toContain('healthy');
		});

		it('get what the others leave', () => {
			expect(namesOf([...failing(3), ...healthy], 70)).toContain('failing');
		});

		it('are asked for again when their pause is over', () => {
			const one = dueAt(NOW, { failures: 3, lastCheckAt: NOW - 3_800, intervalMs: 1_000 });
			expect(planOf([one])).toMatchObject({ due: [], nextAt: NOW + 200 });
			expect(planOf([one], {}, NOW + 200).due).toEqual([one.key]);
		});
	});

	describe('asks again', () => {
		it.each<[string, WatchedOrder, number]>([
			['when an order is due', dueAt(NOW + 300), NOW + 300],
			[
				'when a hash that is not found is asked for',
				unfound('a', { lastCheckAt: NOW - 1_700 }),
				NOW + 300,
			],
			['within a second', dueAt(NOW + 5_000), NOW + 1_000],
			[
				'within a second, where all is in flight',
				dueAt(NOW + 300, { checking: true }),
				NOW + 1_000,
			],
			['within a second, where all is due', dueAt(NOW), NOW + 1_000],
			['not before a pause', dueAt(NOW + 1), NOW + 11],
		])('%s', (_what, one, at) => {
			expect(planOf([one]).nextAt).toBe(at);
		});

		it('after a pause that grows with the number of orders', () => {
			const resting = Array.from({ length: 999 }, (_, index) =>
				unfound(`${index}`, { checking: true }),
			);
			expect(planOf([dueAt(NOW + 1), ...resting]).nextAt).toBe(NOW + 110);
		});

		it.each<[string, Partial<BudgetView>, number]>([
			['there is room again', { free: 0, nextFreeAt: NOW + 600 }, NOW + 600],
			['a second is over', { free: 0, nextFreeAt: NOW + 6_000 }, NOW + 1_000],
			['it is due, where there is room', { free: 1, nextFreeAt: NOW + 600 }, NOW + 300],
			[
				'it is due, where others wait',
				{ free: 0, nextFreeAt: NOW + 600, contended: true },
				NOW + 300,
			],
			['it is due, where there was room before', { free: 0, nextFreeAt: NOW + 100 }, NOW + 300],
		])('when %s', (_what, budget, at) => {
			expect(planOf([dueAt(NOW + 300)], budget).nextAt).toBe(at);
		});
	});

	it.each([
		[NOW - 1, []],
		[NOW, ['order']],
	])('at %p checks an order that is due at 700000: %p', (now, due) => {
		expect(planOf([dueAt(NOW)], {}, now).due).toEqual(due);
		expect(
			planOf([unfound('order', { lastCheckAt: NOW - 2_000, startedAt: NOW - 2_000 })], {}, now).due,
		).toEqual(due);
	});

	describe('the overdue', () => {
		const likely = dueAt(NOW - 5_000, { key: 'likely' });
		const old = order({
			key: 'old',
			startedAt: NOW - 1e9,
			lastCheckAt: NOW - 600_000,
			seenOpenAt: NOW - 600_000,
		});

		it.each([
			[NOW - 1, ['likely']],
			[NOW, ['old']],
		])('go first, at %p: %p', (now, due) => {
			expect(planOf([likely, old], { free: 1 }, now).due).toEqual(due);
		});

		it('keep their interval', () => {
			expect(planOf([{ ...old, intervalMs: 3_600_000 }]).due).toEqual([]);
		});

		it('are served by how long they have waited, and once', () => {
			const older = { ...old, key: 'older', lastCheckAt: NOW - 600_001 };
			expect(planOf([old, older]).due).toEqual(['older', 'old']);
		});

		it('do not count among those for which there is room to ask', () => {
			const orders = [
				longSought('a', 700_000),
				longSought('b', 690_000),
				longSought('c', 600_000),
				longSought('d', 600_000),
			].map((one, index) =>
				index < 2 ? one : { ...one, lastCheckAt: NOW - 599_999, startedAt: NOW - 590_000 },
			);
			expect(planOf(orders, { freeBy: () => 18 }).due).toEqual(['a', 'b', 'c', 'd']);
		});
	});

	it('asks first for hashes that were never asked for, then for those that have waited longest for their turn', () => {
		const orders = [
			unfound('late', { startedAt: NOW - 10_000, lastCheckAt: NOW - 6_000 }),
			unfound('fresh', { startedAt: NOW - 1_000 }),
			unfound('later', { startedAt: NOW - 200_000, lastCheckAt: NOW - 14_500 }),
			unfound('fresher', { startedAt: NOW - 500 }),
		];
		expect(planOf(orders).due).toEqual(['fresh', 'fresher', 'late', 'later']);
		expect(planOf(orders, { free: 0, contended: true }).due).toEqual(['fresh']);
	});

	describe('while nothing but 429s comes', () => {
		const limited = (ago: number) => ({ limitedInARow: 1, limitedAt: NOW - ago });
		const orders = [
			unfound('hash', { startedAt: NOW - 20_000, ...limited(3_000) }),
			dueAt(NOW - 60_000, { key: 'finished', ...limited(2_000) }),
			{ ...longSought('overdue', 700_000), ...limited(1_000) },
			unfound('fresh hash', { startedAt: NOW - 1_000 }),
			dueAt(NOW, { key: 'due' }),
		];
		const planAt = (notLimitedAt: number, budget: Partial<BudgetView> = {}) =>
			planned({
				orders,
				now: NOW,
				budget: { ...PLENTY, ...budget },
				experience: NO_EXPERIENCE,
				notLimitedAt,
			}).due;

		it('checks each order once before one of them again, whatever is due of it', () => {
			expect(planAt(NOW - 3_001)).toEqual(['due', 'fresh hash', 'hash', 'finished', 'overdue']);
			expect(planAt(NOW - 1_500)).toEqual(['finished', 'due', 'hash', 'fresh hash', 'overdue']);
			expect(planAt(NOW - 999)).toEqual(['overdue', 'finished', 'due', 'hash', 'fresh hash']);
		});

		it('leaves hashes that have not had their turn theirs, whatever the others may need', () => {
			expect(planAt(NOW - 3_001, { free: 1, freeBy: () => 0 })).toEqual(['fresh hash']);
		});
	});

	it('leaves orders that get 429s while others are answered what the others leave', () => {
		const persistent = (key: string, ago: number, changes: Partial<WatchedOrder> = {}) =>
			unfound(key, {
				startedAt: NOW - 900_000,
				limitedInARow: 5,
				limitedAt: NOW - ago,
				...changes,
			});
		const orders = [
			persistent('limited', 4_000),
			persistent('limited too lately', 3_999),
			persistent('limited for longer', 5_000, {
				intervalMs: 3_600_000,
				lastCheckAt: NOW - 3_700_000,
			}),
			dueAt(NOW, { key: 'due' }),
			unfound('asked', { startedAt: NOW - 20_000, lastCheckAt: NOW - 12_000 }),
		];
		const planAfter = (more: WatchedOrder[]) =>
			planned({
				orders: [...more, ...orders],
				now: NOW,
				budget: PLENTY,
				experience: NO_EXPERIENCE,
				notLimitedAt: NOW,
			}).due;
		expect(planAfter([])).toEqual(['due', 'asked', 'limited for longer', 'limited']);
		expect(planAfter([persistent('overdue', 600_000, { lastCheckAt: NOW - 3_700_000 })])[0]).toBe(
			'overdue',
		);
	});

	it('learns nothing about posts from orders that get 429s while others are answered', () => {
		const posted = order({ key: 'posted', beginning: 'posted', startedAt: NOW - 500 });
		const limited = { ...posted, key: 'limited', limitedInARow: 5, limitedAt: NOW - 60_000 };
		expect(planOf([limited, posted], { free: 1, freeBy: () => 1 }).due).toEqual(['posted']);
	});

	describe('of hashes that are not found asks for', () => {
		const many = Array.from({ length: 40 }, (_, index) => longSought(`${index}`, 100_000)).map(
			(one) => ({ ...one, startedAt: NOW - 101_000 }),
		);
		const fresh = Array.from({ length: 40 }, (_, index) => unfound(`${index}`));
		const asked = (...ago: number[]): WatchedOrder[] =>
			ago.map((ms, index) =>
				unfound(`asked ${index}`, { startedAt: NOW - 1e9, lastCheckAt: NOW - ms }),
			);
		const countOf = (orders: WatchedOrder[], freeBy: number): number =>
			planOf(orders, { freeBy: () => freeBy }).due.length;

		it.each<[string, WatchedOrder[], number, number]>([
			['a twelfth of what a minute leaves', many, 90, 10],
			[
				'so many less as were asked for in the last 5 s',
				[...many, ...asked(4_999, 4_999, 5_000, 6_000)],
				90,
				8,
			],
			[
				'none, where all of them were asked for',
				[...many, ...asked(...Array.from({ length: 12 }, () => 400))],
				90,
				0,
			],
			[
				'so many, whatever known orders were checked',
				[
					...many,
					...[1, 2, 3].map((index) =>
						dueAt(NOW + 4_000, { key: `known ${index}`, intervalMs: 200_000 }),
					),
				],
				90,
				10,
			],
			['a sample of new ones', fresh, 6, 5],
			[
				'a sample of new ones, less what was asked for in the last 5 s',
				[...fresh, ...asked(4_999, 1_000, 5_000)],
				6,
				3,
			],
			['as many of the sample as there is room for', fresh, 2, 2],
			['one, where there is room for one', fresh, 1, 1],
			['none, where there is no room', fresh, 0, 0],
			['one, where none was asked for lately', many, 1, 1],
			[
				'one, where the last was asked for as long ago as there is room for one',
				[...many, ...asked(45_000)],
				1,
				1,
			],
			['none, where one was asked for since', [...many, ...asked(44_999)], 1, 0],
		])('%s', (_what, orders, freeBy, count) => {
			expect(countOf(orders, freeBy)).toBe(count);
		});

		it('what known orders are expected to leave', () => {
			const known = Array.from({ length: 9 }, (_, index) =>
				order({
					key: `known ${index}`,
					startedAt: NOW - 5_000,
					lastCheckAt: NOW - 5_000,
					seenOpenAt: NOW - 5_000,
					intervalMs: 8_000,
				}),
			);
			const expectedIn = (ms: number): number => {
				const counts = new Float64Array(1);
				for (const one of known) scheduleOf(one).expectChecks(CHEAPEST, NOW, [ms], counts);
				return counts[0] ?? 0;
			};
			expect(expectedIn(45_000)).toBeGreaterThan(9);
			expect(countOf([...many, ...known], 90)).toBe(
				Math.floor(((90 - expectedIn(45_000)) * 60) / 45 / 12),
			);
			const justEnough = Math.ceil(expectedIn(60_000));
			expect([0, 1, 2].map((more) => countOf([...fresh, ...known], justEnough + more))).toEqual([
				0, 1, 2,
			]);
		});
	});

	describe('before the first post was judged', () => {
		const fresh = ['a', 'b'].map((key) => order({ key, beginning: 'posted', startedAt: NOW }));
		const failed = (ago: number): WatchedOrder =>
			order({
				key: 'failed',
				beginning: 'posted',
				startedAt: NOW - ago - 100,
				lastCheckAt: NOW - ago,
				failures: 1,
				intervalMs: 60_000,
			});

		it.each<[string, WatchedOrder[], number[], string[]]>([
			['one is checked at once', fresh, [], ['a']],
			[
				'none is, while another is being checked',
				[order({ key: 'c', beginning: 'posted', checking: true }), ...fresh],
				[],
				[],
			],
			['none is within 5 s of a failed check', [failed(4_999), ...fresh], [], []],
			['another is 5 s after a failed check', [failed(5_000), ...fresh], [], ['a']],
			['none is, once one was judged', fresh, [1, 0, 0, 0, 0, 0, 0], []],
			[
				'others are no hindrance',
				[dueAt(NOW + 4_000, { key: 'known', checking: true }), ...fresh],
				[],
				['a'],
			],
		])('%s', (_what, orders, posts, due) => {
			expect(planOf(orders, { freeBy: () => 5 }, NOW, { posts }).due).toEqual(due);
		});
	});

	describe('the share of slow orders', () => {
		/** When the first check of a young order is due, given what others show. */
		const firstGap = (slowIndex: number): number =>
			1000 * survivalTable(slowIndex).gap(CHEAPEST, 0);
		const isDueAt = (
			others: WatchedOrder[],
			afterMs: number,
			experience: Partial<Experience> = {},
		): boolean =>
			planOf(
				[order({ key: 'young', startedAt: NOW - afterMs }), ...others],
				{},
				NOW,
				experience,
			).due.includes('young');
		const isSlow = (others: WatchedOrder[], experience: Partial<Experience> = {}): boolean => {
			const slowest = SLOW_SHARES.length - 1;
			const [usual, slow] = [firstGap(0), firstGap(slowest)];
			const between = (usual + slow) / 2;
			return isDueAt(others, between, experience) === slow < usual;
		};
		const open = (changes: Partial<WatchedOrder> = {}): WatchedOrder[] =>
			Array.from({ length: 20 }, (_, index) =>
				order({
					key: `open ${index}`,
					startedAt: NOW - 600_000,
					seenOpenAt: NOW - 585_000,
					lastCheckAt: NOW - 1_000,
					checking: true,
					...changes,
				}),
			);

		it.each<[string, WatchedOrder[], Partial<Experience>, boolean]>([
			['nothing', [], {}, false],
			['finished ones that were slow', [], { finished: { count: 30, slow: 29 } }, true],
			['open ones that have taken long', open(), {}, true],
			[
				'open ones that began more than ten minutes ago',
				open({ startedAt: NOW - 600_001 }),
				{},
				false,
			],
			[
				'posted ones that were never seen open',
				open({ beginning: 'posted', seenOpenAt: null }),
				{},
				false,
			],
			['unknown ones', open({ beginning: 'unknown' }), {}, false],
			['known ones that were never seen open', open({ seenOpenAt: null }), {}, false],
			['ones seen open before they began', open({ seenOpenAt: NOW - 615_000 }), {}, false],
		])('is learnt from %s', (_what, others, experience, is) => {
			expect(isSlow(others, experience)).toBe(is);
		});
	});

	describe('the price of a check', () => {
		const HORIZONS = [2_000, 4_000, 7_000, 10_000, 15_000, 20_000, 30_000, 45_000, 60_000];
		const young = (count: number): WatchedOrder[] =>
			Array.from({ length: count }, (_, index) =>
				order({ key: `${index}`, startedAt: NOW - 200 * index, intervalMs: 1_000 }),
			);
		const demandAt = (orders: WatchedOrder[], price: number): Float64Array => {
			const demand = new Float64Array(HORIZONS.length);
			for (const one of orders) scheduleOf(one).expectChecks(price, NOW, HORIZONS, demand);
			return demand;
		};

		it.each([
			[10, 1.5],
			[30, 1.5],
			[45, 1.5],
			[70, 1.5],
			[90, 1.5],
			[120, 3],
		])(
			'of %p orders is the least at which their checks fit %p requests a second',
			(count, perSecond) => {
				const orders = young(count);
				const freeBy = (time: number): number => Math.floor(5 + (perSecond * (time - NOW)) / 1000);
				const fits = PRICES.map((_, price) =>
					demandAt(orders, price).every(
						(demand, index) => demand <= freeBy(NOW + (HORIZONS[index] ?? 0)),
					),
				);
				const least = fits.includes(true) ? fits.indexOf(true) : PRICES.length - 1;
				const due = orders
					.filter((one) => scheduleOf(one).nextCheck(least) <= NOW)
					.map(({ key }) => key);
				expect(planOf(orders, { free: 1_000, freeBy }).due.sort()).toEqual(due.sort());
			},
		);

		it('is the cheapest where the checks just fit', () => {
			const first = 1000 * table.gap(CHEAPEST, 0);
			const orders = Array.from({ length: 5 }, (_, index) =>
				order({ key: `${index}`, startedAt: NOW - first - 1, intervalMs: 200_000 }),
			);
			expect(planOf(orders, { freeBy: () => 5 }).due).toHaveLength(5);
			expect(planOf(orders, { freeBy: () => 4 }).due).toHaveLength(0);
		});
	});
});

describe('an order of a list that its first check did not find', () => {
	const log = new SlidingWindowLog(100);
	for (let taken = 0; taken < 70; taken++) log.settle(log.take(0), {}, 0);
	/** The first second at which it is checked, beside five young orders that take most of what is left; so many of the list had finished. */
	const checkedAt = (finished: number, lastCheckAt = 100): number => {
		const seconds = Array.from({ length: 200 }, (_, index) => 1 + index / 10);
		const isDue = (now: number): boolean => {
			const young = [1, 2, 3, 4, 5].map((index) =>
				order({
					key: `young ${index}`,
					startedAt: -6_000,
					lastCheckAt: now - 1_000,
					seenOpenAt: now - 1_000,
					intervalMs: 1_000,
				}),
			);
			const orders = [
				order({ beginning: 'unknown', lastCheckAt, notFoundAt: lastCheckAt, intervalMs: 1_000 }),
				...young,
			];
			return planned({
				orders,
				now,
				budget: log.view(now),
				experience: { ...NO_EXPERIENCE, listed: { count: 9, finished } },
			}).due.includes('order');
		};
		return seconds.find((second) => isDue(1000 * second)) ?? Number.POSITIVE_INFINITY;
	};

	it('has only just begun where others of it have finished, so it is checked when it may have finished', () => {
		expect(checkedAt(8)).toBeGreaterThan(3);
		expect(checkedAt(8)).toBeLessThan(8);
	});

	it('takes its turn in what others leave where none of them has, or where it was not found for five seconds', () => {
		expect(checkedAt(0)).toBeGreaterThan(10);
		expect(checkedAt(8, 5_000)).toBeGreaterThan(10);
	});

	it('has not just begun where its first check failed', () => {
		const failed = order({
			beginning: 'unknown',
			lastCheckAt: 100,
			failures: 1,
			intervalMs: 1_000,
		});
		const budget = new SlidingWindowLog(100).view(2_500);
		const { due } = planned({
			orders: [failed],
			now: 2_500,
			budget,
			experience: { ...NO_EXPERIENCE, listed: { count: 9, finished: 8 } },
		});
		expect(due).toEqual(['order']);
	});
});

it('where much of a list has finished, its other orders go before those that are less likely to have, and after the others', () => {
	const now = 20_000;
	const log = new SlidingWindowLog(100);
	for (let taken = 0; taken < 93; taken++) log.settle(log.take(now), {}, now);
	const seen = (key: string, age: number): WatchedOrder =>
		order({ key, startedAt: now - 1000 * age, lastCheckAt: now - 6_000, seenOpenAt: now - 6_000 });
	const listed = Array.from({ length: 50 }, (_, index) =>
		order({ key: `listed ${index}`, beginning: 'unknown', startedAt: now }),
	);
	const due = (finished: number) =>
		planned({
			orders: [...listed, seen('likely', 16)],
			now,
			budget: log.view(now),
			experience: { ...NO_EXPERIENCE, listed: { count: 10, finished } },
		}).due;
	expect(due(5)).toEqual(['likely', 'listed 0']);
	expect(due(10)).toEqual(expect.arrayContaining(['listed 0']));
});
