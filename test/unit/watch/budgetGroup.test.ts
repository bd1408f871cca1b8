import { VirtualClock } from '../../../bench/simulation/virtualClock';
import { BudgetGroup, budgetGroupOf, type GroupMember } from '../../../nodes/CrossChainBridge/watch/budgetGroup';
import { NO_EXPERIENCE } from '../../../nodes/CrossChainBridge/watch/plan';
import { RequestBudget } from '../../../nodes/CrossChainBridge/watch/requestBudget';
import type { WatchedOrder } from '../../../nodes/CrossChainBridge/watch/schedule';

const watched = (key: string): WatchedOrder => ({ key, startedAt: 0, beginning: 'unknown', listedBegunAt: null, lastCheckAt: null, notFoundAt: null, seenOpenAt: null, expiresAt: null, intervalMs: 1_000, failures: 0, checking: false });
const member = (steppedAt: number, ...keys: string[]): GroupMember => ({ steppedAt, watchedOrders: () => keys.map(watched) });
const keysOf = (group: BudgetGroup, now: number): string[] => group.orders(now).map(({ key }) => key);

test('the watchers of a budget are one group, which has learnt nothing at first', () => {
	const [one, other] = [new RequestBudget(10, new VirtualClock()), new RequestBudget(10, new VirtualClock())];
	expect(budgetGroupOf(one)).toBe(budgetGroupOf(one));
	expect(budgetGroupOf(other)).not.toBe(budgetGroupOf(one));
	expect(budgetGroupOf(one).experience).toBe(NO_EXPERIENCE);
});

test('the orders of all are served in turn', () => {
	const group = new BudgetGroup();
	expect(group.orders(0)).toEqual([]);
	group.join(member(0, 'a1', 'a2', 'a3'));
	group.join(member(0));
	group.join(member(0, 'b1'));
	group.join(member(0, 'c1', 'c2'));
	expect(keysOf(group, 0)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('whoever leaves, or has not stepped for 5 s, claims nothing any more', () => {
	const group = new BudgetGroup();
	const leaving = member(0, 'leaving');
	group.join(leaving);
	group.join(member(0, 'quiet'));
	group.join(member(1, 'alive'));
	expect(keysOf(group, 5_000)).toEqual(['leaving', 'quiet', 'alive']);
	group.leave(leaving);
	expect(keysOf(group, 5_001)).toEqual(['alive']);
	expect(keysOf(group, 0)).toEqual(['alive']);
});

test('orders that nobody has checked have begun with those of the group that say so, unless its lists are old', () => {
	const seen = ['a', 'b', 'c'].map((key): WatchedOrder => ({ ...watched(key), beginning: 'known', startedAt: 6_000, listedBegunAt: 6_000, lastCheckAt: 9_000, seenOpenAt: 9_000 }));
	const begunAt = (finished: number): number => {
		const group = new BudgetGroup();
		group.experience = { ...NO_EXPERIENCE, listed: { count: 5, finished } };
		const fresh = { ...watched('d'), startedAt: 9_000 };
		group.join({ steppedAt: 10_000, watchedOrders: () => seen });
		group.join({ steppedAt: 10_000, watchedOrders: () => [fresh] });
		group.orders(10_000);
		return fresh.startedAt;
	};
	expect(begunAt(1)).toBe(6_000);
	expect(begunAt(2)).toBe(9_000);
});
