import fc from 'fast-check';
import { NO_EXPERIENCE } from '../../../nodes/CrossChainBridge/watch/law';
import { lookTable, PRICES } from '../../../nodes/CrossChainBridge/watch/lookTable';
import { planLooks } from '../../../nodes/CrossChainBridge/watch/plan';
import { RequestLedger } from '../../../nodes/CrossChainBridge/watch/requestLedger';
import type { WatchedOrder } from '../../../nodes/CrossChainBridge/watch/schedule';
import {
	BELIEVED_AGE_MS,
	bornAt,
	LONGEST_FAILURE_GAP_MS,
	longestGapMs,
	nextLookForUnfound,
	notBefore,
	OrderCourse,
} from '../../../nodes/CrossChainBridge/watch/schedule';

const CHEAPEST = 0;

function order(changes: Partial<WatchedOrder> = {}): WatchedOrder {
	return {
		key: 'order',
		bornAt: 0,
		askedBeforeAt: null,
		lastLookAt: null,
		seenOpenAt: null,
		found: true,
		expiresAt: null,
		intervalMs: 5_000,
		failures: 0,
		looking: false,
		...changes,
	};
}

/** An order last seen open at this age (s). */
function seenAt(age: number, changes: Partial<WatchedOrder> = {}): WatchedOrder {
	return order({ lastLookAt: age * 1000, seenOpenAt: age * 1000, ...changes });
}

/** Seconds from the last look to the next when the budget is plentiful. */
function gapAfter(age: number, changes: Partial<WatchedOrder> = {}): number {
	return new OrderCourse(seenAt(age, changes), 0).nextLook(CHEAPEST) / 1000 - age;
}

describe('when one order is looked at', () => {
	it('first when it may have ended, then every interval while it is young', () => {
		const first = new OrderCourse(order(), 0).nextLook(CHEAPEST);
		expect(first).toBeGreaterThan(3_000);
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
		expect(gapAfter(310, { intervalMs: 1_000 })).toBeLessThan(gapAfter(250, { intervalMs: 1_000 }) / 2);
		expect(gapAfter(1_810, { expiresAt })).toBeLessThan(gapAfter(1_700, { expiresAt }) * 0.6);
		expect(gapAfter(1_810)).toBeGreaterThan(gapAfter(1_810, { expiresAt }));
	});

	it('does not sleep through its expiry', () => {
		const dear = PRICES.length - 10;
		const asleep = new OrderCourse(seenAt(1_750), 0).nextLook(dear) / 1000;
		const awake = new OrderCourse(seenAt(1_750, { expiresAt: 1_800_000 }), 0).nextLook(dear) / 1000;
		expect(awake).toBeGreaterThan(1_800);
		expect(awake).toBeLessThan(asleep);
	});

	it('later when a look is dearer, and never sooner than the interval', () => {
		fc.assert(
			fc.property(
				fc.double({ min: 0, max: 1e6, noNaN: true }),
				fc.integer({ min: 0, max: PRICES.length - 1 }),
				fc.constantFrom(1_000, 2_500, 5_000, 60_000),
				fc.integer({ min: 0, max: 6 }),
				(age, price, interval, slowIndex) => {
					const gap = lookTable(interval, slowIndex).gap(price, age);
					return gap >= interval / 1000 && Number.isFinite(gap);
				},
			),
			{ seed: 7 },
		);
		const gaps = PRICES.map((_, price) => lookTable(1_000, 0).gap(price, 100));
		expect([...gaps].sort((one, other) => one - other)).toEqual(gaps);
	});

	it('after failures at doubling gaps, up to half a minute', () => {
		const waits = [0, 1, 2, 3, 4, 5, 6, 20].map((failures) => notBefore(order({ lastLookAt: 0, intervalMs: 1_000, failures })));
		expect(waits).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 16_000, LONGEST_FAILURE_GAP_MS, LONGEST_FAILURE_GAP_MS]);
	});

	it('while not found: at once, then calmly', () => {
		const unfound = { found: false, intervalMs: 1_000 };
		expect(nextLookForUnfound(order(unfound))).toBe(0);
		const gaps = [0, 4, 100, 3_600].map((age) => nextLookForUnfound(order({ ...unfound, lastLookAt: age * 1000 })) / 1000 - age);
		expect(gaps).toEqual([2, 2, 10, 60]);
	});
});

describe('bornAt', () => {
	const foundAt = 1_000_000;

	it('is what the service says', () => {
		expect(bornAt({ createdAtMs: foundAt - 7_000, notFoundAt: null, foundAt })).toBe(foundAt - 7_000);
	});

	it('lies between the last look that did not find it and the first that did, whatever the clocks say', () => {
		expect(bornAt({ createdAtMs: foundAt - 90_000, notFoundAt: foundAt - 4_000, foundAt })).toBe(foundAt - 4_000);
		expect(bornAt({ createdAtMs: foundAt + 90_000, notFoundAt: foundAt - 4_000, foundAt })).toBe(foundAt);
		expect(bornAt({ createdAtMs: null, notFoundAt: foundAt - 4_000, foundAt })).toBe(foundAt - 4_000);
	});

	it('is at most a minute before the first sight when we know no better', () => {
		expect(bornAt({ createdAtMs: 0, notFoundAt: null, foundAt })).toBe(foundAt - BELIEVED_AGE_MS);
		expect(bornAt({ createdAtMs: null, notFoundAt: null, foundAt })).toBe(foundAt);
	});
});

describe('planLooks', () => {
	const plan = (orders: WatchedOrder[], now: number, ledger = new RequestLedger(100)): ReturnType<typeof planLooks> =>
		planLooks({ orders, now, budget: ledger.view(now), experience: NO_EXPERIENCE });

	it('has nothing to do for nobody', () => {
		expect(plan([], 0)).toEqual({ due: [], nextAt: Number.POSITIVE_INFINITY });
	});

	it('looks when it is time, and says when that is', () => {
		const young = order();
		const { due, nextAt } = plan([young], 4_600);
		expect(due).toEqual([]);
		expect(nextAt).toBeGreaterThan(4_600);
		expect(nextAt).toBeLessThanOrEqual(5_600);
		expect(plan([young], nextAt).due).toEqual(['order']);
	});

	it('leaves alone what is being looked at', () => {
		expect(plan([order({ looking: true })], 20_000).due).toEqual([]);
		expect(plan([order({ found: false, looking: true })], 20_000).due).toEqual([]);
	});

	it('gives what there is to the likeliest ends, and never more', () => {
		const now = 20_000;
		const orders = [16, 9, 14, 15, 17].map((age) => {
			const bornAt = now - age * 1000;
			return order({ key: `${age}`, bornAt, lastLookAt: bornAt + 6_000, seenOpenAt: bornAt + 6_000, intervalMs: 1_000 });
		});
		expect(plan(orders, now, new RequestLedger(4)).due).toEqual(['17', '16', '15']);
	});

	it('gives hashes that are not found only what found orders leave', () => {
		const found = Array.from({ length: 95 }, (_, index) => order({ key: `found ${index}`, bornAt: -8_000 }));
		const unfound = Array.from({ length: 20 }, (_, index) => order({ key: `unfound ${index}`, found: false }));
		expect(plan([...found, ...unfound], 0).due.filter((key) => key.startsWith('unfound'))).toEqual([]);
		expect(plan(unfound, 0).due).toHaveLength(20);
	});

	it('asks for a long new list in parts, so that the first found need not wait a minute', () => {
		const unfound = Array.from({ length: 500 }, (_, index) => order({ key: `${index}`, found: false }));
		const { due } = plan(unfound, 0);
		expect(due.length).toBeGreaterThanOrEqual(40);
		expect(due.length).toBeLessThanOrEqual(48);
	});

	it('lets nobody wait longer than stated: the overdue go first, the longest wait before the others', () => {
		const longest = longestGapMs(62, 95);
		const old = seenAt(0, { key: 'old', found: false });
		const older = seenAt(-1, { key: 'older', found: false, bornAt: -1_000 });
		const busy = Array.from({ length: 60 }, (_, index) => seenAt((longest - 14_000) / 1000, { key: `${index}`, bornAt: longest - 15_000 }));
		const ledger = new RequestLedger(3);
		ledger.take(longest);
		const { due } = planLooks({
			orders: [...busy, old, older],
			now: longest,
			budget: { ...ledger.view(longest), perMinute: 95 },
			experience: NO_EXPERIENCE,
		});
		expect(due).toEqual(['older']);
	});

	it('counts what was asked for before it came here, for its turn among those not asked yet and for what is overdue', () => {
		const longest = longestGapMs(62, 95);
		const unfound = (key: string, askedBeforeAt: number | null) => order({ key, found: false, bornAt: longest, askedBeforeAt });
		const lately = unfound('lately', longest - 30_000);
		expect(plan([lately, unfound('before', longest - 60_000), unfound('never', null)], longest).due).toEqual(['never', 'before', 'lately']);
		const busy = Array.from({ length: 60 }, (_, index) => seenAt((longest - 14_000) / 1000, { key: `${index}`, bornAt: longest - 15_000 }));
		const ledger = new RequestLedger(3);
		ledger.take(longest);
		const { due } = planLooks({
			orders: [...busy, lately, unfound('long ago', 0)],
			now: longest,
			budget: { ...ledger.view(longest), perMinute: 95 },
			experience: NO_EXPERIENCE,
		});
		expect(due).toEqual(['long ago']);
	});

	it('takes one turn at a time where others wait for the same budget', () => {
		const ledger = new RequestLedger(100);
		const orders = Array.from({ length: 10 }, (_, index) => order({ key: `${index}` }));
		const budget = { ...ledger.view(15_000, true), free: 0, freeBy: () => 0 };
		expect(planLooks({ orders, now: 15_000, budget, experience: NO_EXPERIENCE }).due).toHaveLength(1);
	});

	it('asks again within a second, and after now', () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.record({
						age: fc.integer({ min: 0, max: 100_000 }),
						since: fc.integer({ min: 0, max: 100_000 }),
						found: fc.boolean(),
						looking: fc.boolean(),
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
					const orders = shapes.map(({ age, since, found, looking, failures, expiresIn, interval }, index) => {
						const last = now - Math.min(age, since);
						return order({
							key: `${index}`,
							bornAt: now - age,
							lastLookAt: since > age ? null : last,
							seenOpenAt: since > age || !found ? null : last,
							found,
							looking,
							failures,
							expiresAt: expiresIn === null ? null : now + expiresIn,
							intervalMs: interval,
						});
					});
					const ledger = new RequestLedger(limit);
					for (let index = 0; index < Math.min(used, limit); index++) ledger.take(now);
					const view = ledger.view(now);
					const { due, nextAt } = planLooks({ orders, now, budget: view, experience: NO_EXPERIENCE });
					const allowed = due.every((key) => {
						const one = orders[Number(key)];
						return one !== undefined && !one.looking && notBefore(one) <= now;
					});
					return allowed && due.length <= view.free && new Set(due).size === due.length && nextAt > now && nextAt <= now + 1_000;
				},
			),
			{ numRuns: 300, seed: 7 },
		);
	});
});
