import type { BudgetView } from '../../../nodes/CrossChainBridge/budget/requestLog';
import { dueOrders, type Watching } from '../../../nodes/CrossChainBridge/schedule/dueOrders';
import {
	type AddOptions,
	newOrder,
	NOTHING_LEARNT,
	type ScheduledOrder,
} from '../../../nodes/CrossChainBridge/schedule/order';

const NOW = 100_000_000;
const S = 1_000;
const NEVER = Number.NEGATIVE_INFINITY;
const FREE: BudgetView = { freeSoon: 95, perMinute: 95 };
const SCARCE: BudgetView = { freeSoon: 1, perMinute: 95 };
const LEARNT = { ageMs: 0, learntAt: NOW };

type Situation = Parameters<typeof dueOrders<Watching>>[0];

let made = 0;
/** An order that began some seconds ago. */
const ADDED = { now: NOW, intervalMs: 5 * S };
const began = (secondsAgo: number, more: Partial<ScheduledOrder> = {}): ScheduledOrder => ({
	...newOrder(`order ${made++}`, { startedAt: NOW - secondsAgo * S }, ADDED),
	...more,
});
const added = (options: AddOptions, more: Partial<ScheduledOrder> = {}): ScheduledOrder => ({
	...newOrder(`order ${made++}`, options, ADDED),
	...more,
});
const unknown = (secondsAgo: number, checkedSecondsAgo: number): ScheduledOrder =>
	began(secondsAgo, { isNotShown: true, checkedAt: NOW - checkedSecondsAgo * S });

const watcher = (orders: ScheduledOrder[], more: Partial<Watching> = {}): Watching => ({
	orders: new Map(orders.map((order) => [order.key, order])),
	isDriven: true,
	begun: 0,
	...more,
});

function plan(orders: ScheduledOrder[] | Watching[], more: Partial<Situation> = {}) {
	const watchers = (orders.length > 0 && 'key' in (orders[0] ?? {})
		? [watcher(orders as ScheduledOrder[])]
		: orders) as unknown as Watching[];
	return dueOrders({
		watchers,
		now: NOW,
		budget: FREE,
		usual: { posted: LEARNT, listed: LEARNT },
		sampledAt: { posted: NEVER, listed: NEVER },
		calmUntil: NOW,
		...more,
	});
}
const due = (...given: Parameters<typeof plan>) => plan(...given).due.map(({ order }) => order);
/** Of each that is due, which part of the limit its like may use: 3 for a third. */
const parts = (...given: Parameters<typeof plan>) =>
	plan(...given).due.map(({ calmMs }) => Math.round((95 * calmMs) / 60_000));

describe('an order is due', () => {
	test('soon after it may have finished, where requests are free', () => {
		expect(due([began(1)])).toEqual([]);
		expect(due([began(6)])).toHaveLength(1);
	});

	test('only when its expected delay is worth the price, where they are scarce', () => {
		expect(due([began(9)])).toHaveLength(1);
		expect(due([began(9)], { budget: SCARCE })).toEqual([]);
		expect(due([began(14.9)], { budget: SCARCE })).toEqual([]);
		expect(
			due([began(22, { seenOpenAt: NOW - 8 * S, checkedAt: NOW - 8 * S })], { budget: SCARCE }),
		).toHaveLength(0);
	});

	test('at any price when it has most probably finished', () => {
		expect(due([began(15)], { budget: { ...SCARCE, freeSoon: 0 } })).toHaveLength(1);
	});

	test('no sooner than the interval allows, nor while a check is in flight', () => {
		expect(due([began(10, { checkedAt: NOW - 4_999 })])).toEqual([]);
		expect(due([began(10, { checkedAt: NOW - 5_000 })])).toHaveLength(1);
		expect(due([began(10, { check: new AbortController() })])).toEqual([]);
		expect(due([watcher([began(10)], { isDriven: false })])).toEqual([]);
	});

	test.each([
		[1, 1],
		[2, 2],
		[5, 16],
		[6, 30],
		[99, 30],
	])('after %d failures in a row not before %d s, beyond the interval', (failures, seconds) => {
		const failing = (ago: number) =>
			due([began(20, { failures, intervalMs: 0, checkedAt: NOW - ago })], { calmUntil: NEVER });
		expect(failing(seconds * S - 1)).toEqual([]);
		expect(failing(seconds * S)).toHaveLength(1);
	});

	test('once in ten minutes, where it has been open for longer than ten days, or in a longer interval', () => {
		const open = (checkedSecondsAgo: number, intervalMs = 5 * S) => {
			const checkedAt = NOW - checkedSecondsAgo * S;
			return due([began(11 * 86_400, { checkedAt, seenOpenAt: checkedAt, intervalMs })]).length;
		};
		expect([open(599), open(600)]).toEqual([0, 1]);
		expect([open(3_599, 3_600 * S), open(3_600, 3_600 * S)]).toEqual([0, 1]);
	});

	test('when one check of it is wanted, whatever else is so', () => {
		expect(due([began(0, { isWanted: true, failures: 9, checkedAt: NOW })])).toHaveLength(1);
	});
});

test('old orders weigh less than young ones', () => {
	const budget = { ...FREE, freeSoon: 50 };
	const old = Array.from({ length: 100 }, () =>
		began(100_000, { checkedAt: NOW, seenOpenAt: NOW }),
	);
	const young = Array.from({ length: 100 }, () => began(30, { checkedAt: NOW, seenOpenAt: NOW }));
	expect(due([began(8), ...old], { budget })).toHaveLength(1);
	expect(due([began(8), ...young], { budget })).toEqual([]);
});

describe('what comes first', () => {
	test('the likeliest to have finished, then who has waited longest', () => {
		const checked = { checkedAt: NOW - 5 * S };
		const orders = [began(8), began(14, checked), began(11), began(14)];
		expect(due(orders)).toEqual([orders[3], orders[1], orders[2], orders[0]]);
	});

	test('an order that has waited for ten minutes, before all', () => {
		const waiting = began(90_000, { checkedAt: NOW - 600 * S, seenOpenAt: NOW - 600 * S });
		expect(due([began(14), waiting])[0]).toBe(waiting);
		const many = Array.from({ length: 1_000 }, () => began(1, { checkedAt: NOW }));
		// Twice the time of one round through all of them.
		const later = { ...waiting, checkedAt: NOW - 1_300 * S };
		expect(due([began(15), waiting, ...many], { budget: SCARCE })[0]).not.toBe(waiting);
		expect(due([began(15), later, ...many], { budget: SCARCE })[0]).toBe(later);
	});

	test('orders of watchers within their share of the last minute', () => {
		const greedy = watcher([began(14.5)], { begun: 48 });
		const modest = watcher([began(8)], { begun: 47 });
		const order = due([greedy, modest]).map(({ key }) => key);
		expect(order).toEqual([...modest.orders.keys(), ...greedy.orders.keys()]);
		expect(due([{ ...greedy, begun: 47 }, modest])[0]?.key).toBe([...greedy.orders.keys()][0]);
	});

	test('and what these need soon is kept for them', () => {
		const greedy = watcher(
			Array.from({ length: 80 }, () => began(15)),
			{ begun: 48 },
		);
		const modest = watcher(Array.from({ length: 40 }, () => began(1)));
		// Two checks for each of the forty, most of which finish soon.
		expect(due([greedy, modest])).toHaveLength(21);
		expect(due([greedy, { ...modest, begun: 48 }])).toHaveLength(80);
		const checked = { checkedAt: NOW, seenOpenAt: NOW };
		const slow = watcher(Array.from({ length: 40 }, () => began(900, checked)));
		expect(due([greedy, slow])).toHaveLength(80);
		const late = () => began(9_000, { checkedAt: NOW - 600 * S });
		const both = [...Array.from({ length: 21 }, late), ...greedy.orders.values()];
		expect(due([watcher(both, { begun: 48 }), modest])).toHaveLength(21);
		const overdue = watcher([late()], { begun: 48 });
		expect(due([overdue, modest], { budget: { freeSoon: 0, perMinute: 95 } })).toHaveLength(1);
	});

	test('also while one watcher takes what has just become free', () => {
		const greedy = watcher(Array.from({ length: 80 }, () => began(15)));
		const modest = watcher([began(1)]);
		expect(due([greedy, modest])).toHaveLength(48);
	});

	test('with many watchers, five checks a minute are within the share', () => {
		const others = Array.from({ length: 100 }, () => watcher([]));
		const [greedy, modest] = [
			watcher([began(14)], { begun: 5 }),
			watcher([began(8)], { begun: 4 }),
		];
		expect(due([...others, greedy, modest])[0]?.key).toBe([...modest.orders.keys()][0]);
	});
});

describe('unknown and failing orders', () => {
	test('are each checked after the square root of the seconds since they were added', () => {
		const at = (ago: number, checkedAgo: number) =>
			due([unknown(ago + checkedAgo, checkedAgo)], { calmUntil: NEVER }).length;
		expect([at(100, 9.9), at(100, 10)]).toEqual([0, 1]);
		expect([at(10_000, 99), at(10_000, 100)]).toEqual([0, 1]);
	});

	test('follow the healthy ones', () => {
		const orders = [unknown(60, 30), began(8)];
		expect(due(orders, { calmUntil: NEVER })).toEqual([orders[1], orders[0]]);
	});

	test('get up to a third of the limit together, with what they have not used', () => {
		const many = Array.from({ length: 100 }, () => unknown(300, 30));
		const { due: all } = plan(many, { calmUntil: NOW - 5 * S });
		expect(all.map(({ calmMs }) => Math.round(calmMs))).toEqual(
			Array(3).fill(Math.round((3 * 60_000) / 95)),
		);
		expect(due(many, { calmUntil: NOW })).toHaveLength(1);
		expect(due(many, { calmUntil: NOW + 1 })).toHaveLength(0);
	});

	test.each(['listed', 'posted', null] as const)(
		'get all that is left for five minutes, because the bridge may show them late or their list be early: %s',
		(way) => {
			const gap = (secondsAgo: number, failures = 0) =>
				parts([{ ...unknown(secondsAgo, 30), way, failures }], { calmUntil: NEVER });
			expect([gap(299), gap(300), gap(60, 1)]).toEqual([[1], [3], [3]]);
		},
	);

	test('take turns by how often each would have been checked meanwhile, so that the old ones do not hold up a new one', () => {
		const old = Array.from({ length: 50 }, () => unknown(40_000, 300));
		const recent = unknown(60, 30);
		expect(due([...old, recent])[0]).toBe(recent);
	});

	test('get nothing where the healthy ones leave less than one check a minute, so that none waits for long', () => {
		const young = Array.from({ length: 11 }, () => began(3, { checkedAt: NOW }));
		const older = began(92, { checkedAt: NOW, seenOpenAt: NOW });
		const budget = { freeSoon: 24, perMinute: 95 };
		const calmMs = (...healthy: ScheduledOrder[]) =>
			plan([unknown(300, 30), ...healthy], { calmUntil: NEVER, budget }).due.map(
				(one) => one.calmMs,
			);
		expect(calmMs(...young, older)).toEqual([]);
		expect(Math.max(...calmMs(...young))).toBeLessThan(60 * S);
	});

	test('get their part of a limit of one or two requests a minute, too', () => {
		const { due: all } = plan([unknown(300, 30)], { budget: { freeSoon: 1, perMinute: 1 } });
		expect(all.map(({ calmMs }) => calmMs)).toEqual([3 * 60 * S]);
	});

	test('get nothing where the healthy ones need what is there, except a tenth in their first five minutes', () => {
		const young = Array.from({ length: 48 }, () => began(3, { checkedAt: NOW }));
		const after = (seconds: number) =>
			parts([unknown(seconds, 30), ...young], { calmUntil: NEVER });
		expect([after(299), after(300)]).toEqual([[10], []]);
	});
});

describe('orders whose age is not known', () => {
	const STALE = { posted: { ageMs: 0, learntAt: NOW - 61 * S }, listed: NOTHING_LEARNT.listed };
	const listed = (count: number) => Array.from({ length: count }, () => added({}));
	const posted = (count: number, secondsAgo = 9.9) =>
		Array.from({ length: count }, () => added({ postedAt: NOW - secondsAgo * S }));

	test('five listed and one posted are checked at once, and the others wait for what these show', () => {
		expect(due(listed(20), { usual: STALE })).toHaveLength(5);
		expect(due(posted(20), { usual: STALE })).toHaveLength(1);
		expect(plan(posted(2), { usual: STALE }).due[0]?.sampleOf).toBe('posted');
	});

	test('wait for ten seconds: then posted ones began when they were posted, and listed ones have probably finished', () => {
		expect(due(posted(20, 10), { usual: STALE })).toHaveLength(20);
		const listedAgo = (seconds: number) =>
			listed(20).map((order) => ({ ...order, addedAt: NOW - seconds * S }));
		expect(due(listedAgo(9.9), { usual: STALE })).toHaveLength(5);
		expect(due(listedAgo(10), { usual: STALE })).toHaveLength(20);
	});

	test('once in five seconds', () => {
		const sampledAt = { posted: NOW - 4_999, listed: NOW - 5_000 };
		expect(due([...posted(3), ...listed(9)], { usual: STALE, sampledAt })).toHaveLength(5);
	});

	test('are as old as others were when added, as long as these have shown it within a minute', () => {
		const usual = (ageMs: number) => ({
			posted: { ageMs, learntAt: NOW },
			listed: { ageMs, learntAt: NOW },
		});
		expect(due([added({}), added({ postedAt: NOW })], { usual: usual(0) })).toEqual([]);
		expect(due([added({}), added({ postedAt: NOW })], { usual: usual(20 * S) })).toHaveLength(2);
	});

	test('do not matter where the beginning is stated', () => {
		expect(due([began(1)], { usual: STALE })).toEqual([]);
	});
});

describe('listed orders, where others of the list have not begun', () => {
	const usual = (secondsAgo: number) => ({
		posted: LEARNT,
		listed: { ageMs: null, learntAt: NOW - secondsAgo * S },
	});
	const unchecked = Array.from({ length: 20 }, () => added({}, { addedAt: NOW - 12 * S }));

	test('are checked evenly for a minute, and not all at once', () => {
		expect(due(unchecked, { usual: usual(60) })).toHaveLength(1);
		expect(due(unchecked, { usual: usual(61) })).toHaveLength(20);
		const posted = added({ postedAt: NOW - 20 * S });
		expect(due([posted], { usual: usual(0), calmUntil: NOW + 1 })).toEqual([posted]);
	});

	test('get a third of the limit until they are unknown, and then a tenth, where the healthy ones need all', () => {
		const young = Array.from({ length: 48 }, () => began(3, { checkedAt: NOW }));
		expect(parts([...unchecked, ...young], { usual: usual(0) })).toEqual([3]);
		const checked = { checkedAt: NOW - 6 * S, notFoundAt: NOW - 6 * S, beganAt: NOW - 6 * S };
		const again = unchecked.map((order) => ({ ...order, ...checked }));
		const sampledAt = { posted: NOW, listed: NOW };
		expect(due([...again, ...young], { usual: usual(0), sampledAt })).toHaveLength(1);
		const missing = again.map((order) => ({ ...order, isNotShown: true }));
		expect(parts([...missing, ...young], { usual: usual(0) })).toEqual([10]);
		const old = missing.map((order) => ({ ...order, addedAt: NOW - 300 * S }));
		expect(due([...old, ...young], { usual: usual(0) })).toEqual([]);
	});

	test('count as load for their own watcher only, up to half of what is free', () => {
		const expected = Array.from({ length: 90 }, () => unknown(60, 1)).map(
			(order): ScheduledOrder => ({ ...order, way: 'listed' }),
		);
		const soon = () => [began(7), began(11)];
		const [own, others] = [soon(), soon()];
		const watchers = [watcher([...expected, ...own]), watcher(others)];
		expect(due(watchers)).toEqual([own[1], ...others].sort(byBeginning));
		const failing = expected.map((order) => ({ ...order, failures: 1 }));
		expect(due([watcher([...failing, ...own])])).toHaveLength(2);
	});

	test('are checked once more as a sample when they may be found', () => {
		const unsure = added({}, { notFoundAt: NOW - 5 * S, checkedAt: NOW - 5 * S, beganAt: NOW });
		expect(plan([unsure]).due.map(({ sampleOf }) => sampleOf)).toEqual(['listed']);
		expect(due([{ ...unsure, isNotShown: true }], { calmUntil: NOW + 1 })).toEqual([]);
		expect(due([{ ...unsure, foundAt: NOW - 5 * S }])).toEqual([]);
	});
});

const byBeginning = (one?: ScheduledOrder, other?: ScheduledOrder): number =>
	(one?.beganAt ?? 0) - (other?.beganAt ?? 0);

const LONG_AGO = { ageMs: 0, learntAt: NEVER };

describe('orders that learn nothing more of their way', () => {
	const rejected = (more: Partial<ScheduledOrder> = {}): ScheduledOrder =>
		added({}, { isNotShown: true, notFoundAt: NOW - 60 * S, checkedAt: NOW - 6 * S, ...more });
	const usual = { posted: LONG_AGO, listed: LONG_AGO };

	test('are not checked to learn it: one that was not found, or is rejected, keeps its own rhythm', () => {
		const checkedAt = NOW - 60 * S;
		const more = { usual, calmUntil: NOW + 1 };
		expect(due([rejected({ checkedAt })], more)).toEqual([]);
		expect(due([rejected({ checkedAt, notFoundAt: null, isNotShown: false })], more)).toHaveLength(
			1,
		);
	});

	test('nor is one whose checks fail, before its time', () => {
		const failing = (ago: number) => added({}, { failures: 4, checkedAt: NOW - ago * S });
		expect(due([failing(6)], { usual })).toEqual([]);
		expect(due([failing(9)], { usual })).toHaveLength(1);
	});
});

test('orders whose checks fail do not keep others of their way from being checked first', () => {
	const usual = { posted: LONG_AGO, listed: LONG_AGO };
	const failing = Array.from({ length: 30 }, (_, index) =>
		added({}, { failures: 1 + (index % 4), checkedAt: NOW - 60 * S }),
	);
	const fresh = Array.from({ length: 5 }, () => added({}));
	expect(due([...failing, ...fresh], { usual, calmUntil: NOW + 1 })).toEqual(fresh);
});

test('an order that comes after the last sample of its way is checked at once, whichever that was', () => {
	const usual = { posted: LONG_AGO, listed: LONG_AGO };
	const sampledAt = { posted: NOW - S, listed: NOW - S };
	const [before, since] = [2, 1].map((seconds) => added({}, { addedAt: NOW - seconds * S + 1 }));
	expect(due([before, since] as ScheduledOrder[], { usual, sampledAt })).toEqual([since]);
});

test('only the calm checks count as such: one that is wanted holds up none after it', () => {
	const orders = [unknown(60, 30), { ...unknown(60, 30), isWanted: true }];
	const { due: both } = plan(orders, { calmUntil: NEVER });
	expect(both.map(({ order, calmMs }) => [order, calmMs > 0])).toEqual([
		[orders[1], false],
		[orders[0], true],
	]);
});

test('nothing more is likely to be due until an interval is over, or a part of what an order has waited', () => {
	const checked = (secondsAgo: number) => {
		const at = NOW - secondsAgo * S;
		return began(90_000, { checkedAt: at, seenOpenAt: at });
	};
	const rest = (...orders: ScheduledOrder[]) => plan(orders, { budget: SCARCE }).restMs;
	expect([rest(checked(3)), rest(checked(100)), rest(checked(3), checked(100))]).toEqual([
		2 * S,
		0.4 * S,
		0.4 * S,
	]);
	expect([rest(began(15)), plan([]).restMs]).toEqual([0, Number.POSITIVE_INFINITY]);
});
