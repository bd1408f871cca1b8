import fc from 'fast-check';

import type { BudgetView } from '../../../nodes/CrossChainBridge/budget/requestLog';
import {
	type Curve,
	FINDING,
	withObservation,
} from '../../../nodes/CrossChainBridge/schedule/curve';
import { dueOrders, type TenantOrders } from '../../../nodes/CrossChainBridge/schedule/dueOrders';
import {
	type Beginning,
	type Learnt,
	newOrder,
	NOTHING_LEARNT,
	type ScheduledOrder,
} from '../../../nodes/CrossChainBridge/schedule/order';

const NOW = 100_000_000;
const S = 1_000;
const NEVER = Number.NEGATIVE_INFINITY;
const PER_MINUTE = 95;
const view = (freeSoon: number): BudgetView => ({ freeSoon, perMinute: PER_MINUTE });
const FREE = view(PER_MINUTE);
const SCARCE = view(1);
const LEARNT = { ageMs: 0, learntAt: NOW };

type Situation = Parameters<typeof dueOrders<TenantOrders>>[0];

const learnt = (usual: Learnt['usual'], notFound: Curve = FINDING): Learnt => ({
	...NOTHING_LEARNT,
	usual,
	notFound,
});

let made = 0;
/** An order that began some seconds ago. */
const ADDED = { now: NOW, intervalMs: 5 * S };
const began = (secondsAgo: number, more: Partial<ScheduledOrder> = {}): ScheduledOrder => ({
	...newOrder(`order ${made++}`, { startedAt: NOW - secondsAgo * S }, ADDED),
	...more,
});
const added = (options: Beginning, more: Partial<ScheduledOrder> = {}): ScheduledOrder => ({
	...newOrder(`order ${made++}`, options, ADDED),
	...more,
});
const notFound = (secondsAgo: number, checkedSecondsAgo: number): ScheduledOrder => {
	const checkedAt = NOW - checkedSecondsAgo * S;
	return began(secondsAgo, { notFoundAt: checkedAt, checkedAt });
};
const seenOpen = (secondsAgo: number, checkedSecondsAgo: number): ScheduledOrder => {
	const checkedAt = NOW - checkedSecondsAgo * S;
	return began(secondsAgo, { seenOpenAt: checkedAt, foundAt: checkedAt, checkedAt });
};
const many = (count: number, make: () => ScheduledOrder): ScheduledOrder[] =>
	Array.from({ length: count }, make);

const tenant = (orders: ScheduledOrder[], more: Partial<TenantOrders> = {}): TenantOrders => ({
	orders: new Map(orders.map((order) => [order.key, order])),
	mayBegin: true,
	begun: 0,
	...more,
});

function plan(orders: ScheduledOrder[] | TenantOrders[], more: Partial<Situation> = {}) {
	const tenants = (orders.length > 0 && 'key' in (orders[0] ?? {})
		? [tenant(orders as ScheduledOrder[])]
		: orders) as unknown as TenantOrders[];
	return dueOrders({
		tenants,
		now: NOW,
		budget: FREE,
		learnt: learnt({ posted: LEARNT, listed: LEARNT }),
		sampledAt: { posted: NEVER, listed: NEVER },
		...more,
	});
}
const due = (...given: Parameters<typeof plan>) => plan(...given).due.map(({ order }) => order);

describe('an order is due', () => {
	test('as soon as it may have finished, if requests are free', () => {
		// In the first four seconds, when 3 in 1,000 finish each second, after 2.3 s: then 0.0015 t² reaches the least price.
		expect(due([began(2.2)])).toEqual([]);
		expect(due([began(2.4)])).toHaveLength(1);
		// And again if it is still open, after the interval.
		expect(due([seenOpen(7.4, 5)])).toHaveLength(1);
	});

	test('only when its expected delay is worth the price, if they are scarce', () => {
		expect(due([began(9)])).toHaveLength(1);
		expect(due([began(9)], { budget: SCARCE })).toEqual([]);
		expect(due([began(13)], { budget: SCARCE })).toHaveLength(1);
		// The more need checks, the dearer they are.
		expect(due(many(50, () => began(13)))).toHaveLength(50);
		expect(
			due(
				many(50, () => began(13)),
				{ budget: view(20) },
			),
		).toEqual([]);
		expect(due([seenOpen(22, 8)], { budget: SCARCE })).toHaveLength(1);
		expect(
			due(
				many(50, () => seenOpen(22, 8)),
				{ budget: SCARCE },
			),
		).toEqual([]);
	});

	test('at any price when it has most probably finished', () => {
		const crowd = many(90, () => began(15));
		expect(due([began(14), ...crowd], { budget: view(0) })).toEqual(crowd);
	});

	test('no sooner than the interval allows, nor while a check is in flight', () => {
		expect(due([began(10, { checkedAt: NOW - 4_999 })])).toEqual([]);
		expect(due([began(10, { checkedAt: NOW - 5_000 })])).toHaveLength(1);
		expect(due([began(10, { check: new AbortController() })])).toEqual([]);
		expect(due([tenant([began(10)], { mayBegin: false })])).toEqual([]);
	});

	test.each([
		[1, 1],
		[2, 2],
		[5, 16],
		[6, 30],
		[99, 30],
	])('after %d failures in a row not before %d s, but within 30 s', (failures, seconds) => {
		const failing = (ago: number) =>
			due([began(20, { failures, intervalMs: 0, checkedAt: NOW - ago })]);
		expect(failing(seconds * S - 1)).toEqual([]);
		expect(failing(30 * S)).toHaveLength(1);
	});

	test('after two failures as soon as the gap allows it, whatever its age; after three a little later', () => {
		const failing = (failures: number, ago: number, secondsAgo = 20) =>
			due([began(secondsAgo, { failures, intervalMs: 0, checkedAt: NOW - ago })]).length;
		expect([failing(2, 2 * S), failing(3, 4 * S), failing(3, 25 * S)]).toEqual([1, 0, 1]);
		expect([failing(3, 4 * S, 90_000), failing(3, 25 * S, 90_000)]).toEqual([0, 1]);
	});

	test('once in ten minutes, if it has been open for longer than ten days, or in a longer interval', () => {
		const open = (checkedSecondsAgo: number, intervalMs = 5 * S) =>
			due([{ ...seenOpen(11 * 86_400, checkedSecondsAgo), intervalMs }]).length;
		expect([open(599), open(600)]).toEqual([0, 1]);
		expect([open(3_599, 3_600 * S), open(3_600, 3_600 * S)]).toEqual([0, 1]);
	});

	test('when one check of it is wanted, whatever else is so', () => {
		const wanted = began(0, { isWanted: true, failures: 9, checkedAt: NOW });
		expect(due([wanted], { budget: view(0) })).toHaveLength(1);
	});
});

test('old orders weigh less than young ones', () => {
	const budget = view(50);
	expect(due([began(8), ...many(100, () => seenOpen(100_000, 0))], { budget })).toHaveLength(1);
	expect(due([began(8), ...many(100, () => seenOpen(8, 0))], { budget })).toEqual([]);
});

test('the demand of others makes a check no dearer than an equal part of what is free would', () => {
	const crowd = many(500, () => began(8, { checkedAt: NOW }));
	const own = [began(6)];
	expect(due([...crowd, ...own])).toEqual([]);
	expect(due([tenant(crowd), tenant(own)])).toEqual(own);
	// Nor dearer than all of them together.
	const others = Array.from({ length: 50 }, () => tenant([]));
	expect(due([...others, tenant(own)], { budget: view(20) })).toEqual(own);
});

describe('what comes first', () => {
	test('what is worth most, then what has waited longest', () => {
		const checked = { checkedAt: NOW - 5 * S };
		const orders = [began(8), began(14, checked), began(11), began(14)];
		expect(due(orders)).toEqual([orders[3], orders[1], orders[2], orders[0]]);
		const [lately, before] = [5, 9].map((ago) => began(14, { checkedAt: NOW - ago * S }));
		for (const both of [
			[lately, before],
			[before, lately],
		] as ScheduledOrder[][])
			expect(due(both)).toEqual([before, lately]);
	});

	test('an order that has waited for ten minutes, before all', () => {
		const waiting = seenOpen(90_000, 600);
		expect(due([began(14), waiting])[0]).toBe(waiting);
		const crowd = many(1_000, () => began(1, { checkedAt: NOW }));
		// Twice the time of one round through all of them.
		const later = { ...waiting, checkedAt: NOW - 1_300 * S };
		expect(due([began(15), waiting, ...crowd], { budget: SCARCE })[0]).not.toBe(waiting);
		expect(due([began(15), later, ...crowd], { budget: SCARCE })[0]).toBe(later);
	});

	test('orders of tenants within their share of the last minute', () => {
		const greedy = tenant([began(14.5)], { begun: 48 });
		const modest = tenant([began(8)], { begun: 47 });
		const order = due([greedy, modest]).map(({ key }) => key);
		expect(order).toEqual([...modest.orders.keys(), ...greedy.orders.keys()]);
		expect(due([{ ...greedy, begun: 47 }, modest])[0]?.key).toBe([...greedy.orders.keys()][0]);
	});

	test('and what these need soon is kept for them', () => {
		const greedy = tenant(
			many(80, () => began(15)),
			{ begun: 48 },
		);
		const modest = tenant(many(10, () => began(1)));
		// Two checks for each of the ten, of which 0.935 finish within 15 s.
		expect(due([greedy, modest])).toHaveLength(77);
		expect(due([greedy, { ...modest, begun: 48 }])).toHaveLength(80);
		const slow = tenant(many(40, () => seenOpen(900, 0)));
		expect(due([greedy, slow])).toHaveLength(80);
		const late = () => began(9_000, { checkedAt: NOW - 600 * S });
		const both = [...many(21, late), ...greedy.orders.values()];
		expect(due([tenant(both, { begun: 48 }), modest], { budget: view(0) })).toHaveLength(21);
	});

	test('and two fifths of the limit from one that has more to check than a minute allows', () => {
		const greedy = (count: number) =>
			tenant(
				many(count, () => began(15)),
				{ begun: 48 },
			);
		const dueOf = (count: number, freeSoon: number) =>
			due([greedy(count), tenant([])], { budget: view(freeSoon) }).length;
		expect([dueOf(120, 38), dueOf(120, 40), dueOf(120, 95)]).toEqual([0, 2, 57]);
		expect([dueOf(80, 38), dueOf(80, 95)]).toEqual([38, 80]);
		const within = { ...greedy(120), begun: 0 };
		expect(due([within, tenant([])], { budget: view(38) })).toHaveLength(48);
	});

	test('and from a check that probably shows nothing', () => {
		const more = {
			learnt: learnt({ posted: LEARNT, listed: { ageMs: null, learntAt: NOW - 100 * S } }),
		};
		// Two in seven are found by now, if none was 100 s ago.
		const orders = many(30, () => added({}, { addedAt: NOW - 300 * S }));
		const dueOf = (begun: number, freeSoon: number) =>
			due([tenant(orders, { begun }), tenant([])], { budget: view(freeSoon), ...more }).length;
		expect([dueOf(48, 38), dueOf(48, 50), dueOf(0, 50)]).toEqual([0, 12, 30]);
	});

	test('also while one tenant takes what has just become free', () => {
		const greedy = tenant(many(80, () => began(15)));
		const modest = tenant([began(1)]);
		expect(due([greedy, modest])).toHaveLength(48);
	});

	test('with many tenants, five checks a minute are within the share', () => {
		const others = Array.from({ length: 100 }, () => tenant([]));
		const [greedy, modest] = [tenant([began(14)], { begun: 5 }), tenant([began(8)], { begun: 4 })];
		expect(due([...others, greedy, modest])[0]?.key).toBe([...modest.orders.keys()][0]);
	});
});

describe('failing orders', () => {
	const CHECKED = { checkedAt: NOW - 30 * S };

	test('count less, and so leave more to the others', () => {
		const with30 = (failures: number) => {
			const crowd = many(30, () => began(8, { failures, checkedAt: NOW }));
			return due([began(8), ...crowd], { budget: view(40) }).length;
		};
		expect([with30(0), with30(1)]).toEqual([0, 1]);
	});

	test('are worth less, the more often in a row they have failed', () => {
		const [twice, healthy, once] = [
			began(14, { ...CHECKED, failures: 2 }),
			began(11),
			began(14, { ...CHECKED, failures: 1 }),
		];
		// Worth 25.7 / 16, 4.4 and 25.7 / 4.
		expect(due([twice, healthy, once])).toEqual([once, healthy, twice]);
	});

	test('go no further ahead of others the longer they fail', () => {
		const [failing, healthy] = [began(90, { ...CHECKED, failures: 1 }), began(15)];
		expect(due([failing, healthy])).toEqual([healthy, failing]);
	});

	test('are due at any price no more after three failures', () => {
		const failing = (failures: number) => {
			const order = began(4_000, { ...CHECKED, failures });
			return due([order, ...many(20, () => began(1))], { budget: SCARCE }).includes(order);
		};
		expect([failing(2), failing(3)]).toEqual([true, false]);
	});
});

describe('orders that are not found', () => {
	const times = (count: number, ...order: [number, number, boolean]): Curve => {
		const [from, to, happened] = order;
		let curve = FINDING;
		for (let time = 0; time < count; time++) curve = withObservation(curve, [from, to], happened);
		return curve;
	};
	const dueOf = (order: ScheduledOrder, curve = FINDING) =>
		due([order], { learnt: learnt({ posted: LEARNT, listed: LEARNT }, curve) }).length;

	test('are checked the more rarely the older they are', () => {
		expect([dueOf(notFound(60, 5)), dueOf(notFound(7_200, 5))]).toEqual([1, 0]);
		expect([dueOf(notFound(7_200, 30)), dueOf(notFound(80_000, 30))]).toEqual([1, 0]);
	});

	test('are checked more rarely after others that were never found', () => {
		expect(dueOf(notFound(60, 5), times(500, 2, 600, false))).toBe(0);
	});

	test('are checked at the age at which others were found', () => {
		const late = times(100, 4_096, 8_192, true);
		const [young, old] = [notFound(7_200, 6), notFound(80_000, 30)];
		expect([dueOf(young), dueOf(young, late), dueOf(old, late)]).toEqual([0, 1, 0]);
	});

	test('wait if requests are scarce as those do not that have most probably finished', () => {
		expect(due(many(90, () => notFound(300, 30)))).toHaveLength(90);
		expect(
			due(
				many(90, () => notFound(300, 30)),
				{ budget: SCARCE },
			),
		).toEqual([]);
		expect(
			due(
				many(90, () => began(300)),
				{ budget: SCARCE },
			),
		).toHaveLength(90);
	});

	test('take turns by what a check is worth, so that the old ones do not hold up a new one', () => {
		const old = many(50, () => notFound(40_000, 300));
		const recent = notFound(60, 30);
		expect(due([...old, recent])[0]).toBe(recent);
	});

	test('hardly count when they are old, so that many leave enough to the others', () => {
		const crowd = (secondsAgo: number) => many(300, () => notFound(secondsAgo, 0));
		expect(due([began(6), ...crowd(86_400)])).toHaveLength(1);
		expect(due([began(6), ...crowd(2)])).toEqual([]);
	});
});

describe('orders whose age is not known', () => {
	const STALE = learnt({
		posted: { ageMs: 0, learntAt: NOW - 61 * S },
		listed: NOTHING_LEARNT.usual.listed,
	});
	const listed = (count: number) => Array.from({ length: count }, () => added({}));
	const posted = (count: number, secondsAgo = 9.9) =>
		Array.from({ length: count }, () => added({ postedAt: NOW - secondsAgo * S }));

	test('five listed and one posted are checked at once, and the others wait for what these show', () => {
		expect(due(listed(20), { learnt: STALE })).toHaveLength(5);
		expect(due(posted(20), { learnt: STALE })).toHaveLength(1);
		expect(plan(posted(2), { learnt: STALE }).due[0]?.sampleOf).toBe('posted');
	});

	test('wait for ten seconds: then posted ones began when they were posted, and listed ones have probably finished', () => {
		expect(due(posted(20, 10), { learnt: STALE })).toHaveLength(20);
		const listedAgo = (seconds: number) =>
			many(20, () => added({}, { addedAt: NOW - seconds * S }));
		expect(due(listedAgo(9.9), { learnt: STALE })).toHaveLength(5);
		expect(due(listedAgo(10), { learnt: STALE })).toHaveLength(20);
	});

	test('once in five seconds', () => {
		const sampledAt = { posted: NOW - 4_999, listed: NOW - 5_000 };
		expect(due([...posted(3), ...listed(9)], { learnt: STALE, sampledAt })).toHaveLength(5);
	});

	test('are as old as others were when added, as long as these have shown it within a minute', () => {
		const usual = (ageMs: number) => ({
			learnt: learnt({ posted: { ageMs, learntAt: NOW }, listed: { ageMs, learntAt: NOW } }),
		});
		expect(due([added({}), added({ postedAt: NOW })], usual(0))).toEqual([]);
		expect(due([added({}), added({ postedAt: NOW })], usual(20 * S))).toHaveLength(2);
	});

	test('do not matter if the beginning is stated', () => {
		expect(due([began(1)], { learnt: STALE })).toEqual([]);
	});
});

describe('listed orders, if others of the list are not found', () => {
	const usual = (secondsAgo: number, ageMs: number | null = null) => ({
		learnt: learnt({ posted: LEARNT, listed: { ageMs, learntAt: NOW - secondsAgo * S } }),
	});
	const unchecked = many(20, () => added({}, { addedAt: NOW - 12 * S }));

	test('are supposed not to have been found at that time either, and not checked all at once', () => {
		expect(due(unchecked, usual(0, 20 * S))).toHaveLength(20);
		expect(due(unchecked, usual(0))).toEqual([]);
		// Of those that are 67 s old, 4 in 100 are found within 5 s.
		expect(due(unchecked, usual(5))).toHaveLength(20);
		expect(due(unchecked, { ...usual(5), budget: SCARCE })).toEqual([]);
		const posted = added({ postedAt: NOW - 20 * S });
		expect(due([posted, ...unchecked], usual(0))).toEqual([posted]);
	});

	test('wait for none of them when that was long ago', () => {
		expect(due(unchecked, { ...usual(900), budget: view(40) })).toHaveLength(20);
	});
});

const LONG_AGO = { ageMs: 0, learntAt: NEVER };
const STALE = learnt({ posted: LONG_AGO, listed: LONG_AGO });

describe('orders that learn nothing more of their way', () => {
	test('are not checked to learn it: one that was not found, or is rejected, keeps its own rhythm', () => {
		const checked = (checkedAt: number) => added({}, { notFoundAt: checkedAt, checkedAt });
		expect(due([checked(NOW - S)], { learnt: STALE })).toEqual([]);
		const { due: later } = plan([checked(NOW - 30 * S), added({})], { learnt: STALE });
		expect(later.map(({ sampleOf }) => sampleOf).sort()).toEqual(['listed', null]);
	});

	test('nor is one whose checks fail, before its time', () => {
		const failing = (ago: number) => added({}, { failures: 4, checkedAt: NOW - ago * S });
		expect(due([failing(6)], { learnt: STALE })).toEqual([]);
		expect(due([failing(9)], { learnt: STALE })).toHaveLength(1);
	});
});

test('orders whose checks fail do not keep others of their way from being checked first', () => {
	const failing = Array.from({ length: 30 }, (_, index) =>
		added({}, { failures: 1 + (index % 4), checkedAt: NOW - 60 * S }),
	);
	const fresh = many(5, () => added({}));
	expect(due([...failing, ...fresh], { learnt: STALE })).toEqual(fresh);
});

test('an order that comes after the last sample of its way is checked at once, whichever that was', () => {
	const sampledAt = { posted: NOW - S, listed: NOW - S };
	const [before, since] = [2, 1].map((seconds) => added({}, { addedAt: NOW - seconds * S + 1 }));
	expect(due([before, since] as ScheduledOrder[], { learnt: STALE, sampledAt })).toEqual([since]);
});

test('nothing more is likely to be due until an interval is over, or a part of what an order has waited', () => {
	const rest = (...orders: ScheduledOrder[]) => plan(orders, { budget: SCARCE }).restMs;
	const [lately, before] = [seenOpen(90_000, 3), seenOpen(90_000, 100)];
	expect([rest(lately), rest(before), rest(lately, before)]).toEqual([2 * S, 0.4 * S, 0.4 * S]);
	expect([rest(began(15)), plan([]).restMs]).toEqual([0, Number.POSITIVE_INFINITY]);
});

test('whatever the orders are, none is due twice, in flight, before its time, or without its tenant', () => {
	const ago = fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 2e9 }));
	const maybe = fc.option(ago.map((ms) => NOW - ms));
	const order = fc
		.record({
			options: fc.record({ startedAt: fc.option(maybe), postedAt: fc.option(maybe) }),
			more: fc.record({
				checkedAt: maybe,
				seenOpenAt: maybe,
				notFoundAt: maybe,
				foundAt: maybe,
				failures: fc.constantFrom(0, 0, 1, 3, 9),
				isWanted: fc.boolean(),
				check: fc.constantFrom(null, null, new AbortController()),
			}),
		})
		.map(({ options, more }) =>
			added(
				{ startedAt: options.startedAt ?? undefined, postedAt: options.postedAt ?? undefined },
				more,
			),
		);
	const someTenant = fc
		.tuple(fc.array(order, { maxLength: 8 }), fc.boolean(), fc.nat(60))
		.map(([orders, mayBegin, begun]) => tenant(orders, { mayBegin, begun }));
	fc.assert(
		fc.property(fc.array(someTenant, { maxLength: 5 }), fc.nat(PER_MINUTE), (tenants, freeSoon) => {
			const { due: all, restMs } = plan(tenants, { learnt: STALE, budget: view(freeSoon) });
			expect(new Set(all.map((each) => each.order)).size).toBe(all.length);
			for (const each of all) {
				const { check, isWanted, checkedAt, intervalMs, key } = each.order;
				expect([check, each.tenant.mayBegin]).toEqual([null, true]);
				expect(each.tenant.orders.get(key)).toBe(each.order);
				expect(isWanted || checkedAt === null || NOW - checkedAt >= intervalMs).toBe(true);
				expect(each.worth).toBeGreaterThanOrEqual(0);
			}
			expect(restMs).toBeGreaterThanOrEqual(0);
			expect(restMs === 0 || all.length === 0).toBe(true);
		}),
	);
});
