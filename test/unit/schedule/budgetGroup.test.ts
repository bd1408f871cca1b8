import { VirtualClock } from '../../../bench/simulation/virtualClock';
import {
	BudgetGroup,
	budgetGroupOf,
	type GroupMember,
} from '../../../nodes/CrossChainBridge/schedule/budgetGroup';
import { NO_EXPERIENCE } from '../../../nodes/CrossChainBridge/schedule/plan';
import { OrderWatcher } from '../../../nodes/CrossChainBridge/schedule/orderWatcher';
import { RequestBudget } from '../../../nodes/CrossChainBridge/budget/requestBudget';
import type { WatchedOrder } from '../../../nodes/CrossChainBridge/schedule/schedule';
import { SlidingWindowLog } from '../../../nodes/CrossChainBridge/budget/slidingWindowLog';
import { newEntry } from '../../../nodes/CrossChainBridge/schedule/watchedEntry';

const watched = (key: string): WatchedOrder => ({
	key,
	startedAt: 0,
	beginning: 'unknown',
	listedAt: 0,
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
});
const member = (steppedAt: number, ...keys: string[]): GroupMember => ({
	steppedAt,
	watchedOrders: () => keys.map(watched),
});
const keysOf = (group: BudgetGroup, now: number): string[] =>
	group.orders(now).map(({ key }) => key);

test('the watchers of a budget are one group, which begins without experience', () => {
	const [one, other] = [
		new RequestBudget(10, new VirtualClock()),
		new RequestBudget(10, new VirtualClock()),
	];
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

describe('a plan for many orders', () => {
	const view = new SlidingWindowLog(100).view(0);
	const group = (orders: number): { group: BudgetGroup; one: GroupMember; other: GroupMember } => {
		const [one, other] = [
			member(0, ...Array.from({ length: orders - 1 }, (_, index) => `a${index}`)),
			member(0, 'b'),
		];
		const all = new BudgetGroup();
		for (const each of [one, other]) all.join(each);
		return { group: all, one, other };
	};

	test('serves all members, each once, as long as it is fresh', () => {
		const { group: all, one, other } = group(200);
		const plan = all.planFor(one, 0, view);
		expect(plan.due.length).toBeGreaterThan(0);
		expect(plan.freshUntil).toBe(10);
		expect(all.planFor(other, 9, view)).toBe(plan);
		const next = all.planFor(one, 9, view);
		expect(next).not.toBe(plan);
		expect(all.planFor(other, next.freshUntil, view)).not.toBe(next);
	});

	test.each<[string, (all: BudgetGroup) => void]>([
		['a member leaves', (all) => all.leave(member(0))],
		['another one joins', (all) => all.join(member(0))],
		['something else changes', (all) => all.replan()],
		[
			'a check is answered',
			(all) =>
				void all.learn(
					newEntry('x', {}, { intervalMs: 1_000, now: 0 }),
					{ kind: 'notFound' },
					{ sentAt: 0, now: 0 },
				),
		],
	])('is made again when %s', (_what, change) => {
		const { group: all, one, other } = group(200);
		const plan = all.planFor(one, 0, view);
		change(all);
		expect(all.planFor(other, 0, view)).not.toBe(plan);
	});

	test('is not needed where a plan costs little: each member makes its own', () => {
		const { group: all, one, other } = group(100);
		expect(all.planFor(one, 0, view)).not.toBe(all.planFor(other, 0, view));
	});

	test('knows of a 429: not more than one watcher queues for the pause to end', async () => {
		const clock = new VirtualClock(1_000_000);
		const budget = new RequestBudget(100, clock);
		const queues = jest.spyOn(budget, 'acquire');
		const watchers = Array.from({ length: 300 }, (_, index) => {
			const watcher = new OrderWatcher({
				budget,
				clock,
				intervalMs: 5_000,
				queueKey: String(index),
				async check(_key, permit) {
					await clock.sleep(5);
					permit.settle({ limited: true, retryAfterMs: 20_000 });
					return { kind: 'limited' };
				},
			});
			watcher.add('x', { startedAt: 970_000 });
			watcher.steppedAt = clock.now();
			budgetGroupOf(budget).join(watcher);
			return watcher;
		});
		for (const [index, watcher] of watchers.entries())
			clock.at(1_000_000 + Math.floor(index / 5), () => void watcher.step());
		await clock.run(1_000_100);
		expect(queues.mock.calls.length).toBeLessThanOrEqual(1);
	});

	test('knows an order that a watcher adds or restates', () => {
		const clock = new VirtualClock();
		const budget = new RequestBudget(100, clock);
		const replan = jest.spyOn(budgetGroupOf(budget), 'replan');
		const watcher = new OrderWatcher({
			budget,
			clock,
			intervalMs: 5_000,
			queueKey: 'x',
			check: async () => ({ kind: 'notFound' }),
		});
		watcher.add('a');
		watcher.restate('a', { startedAt: 0 });
		expect(replan).toHaveBeenCalledTimes(2);
	});
});

describe('orders that nobody has checked', () => {
	const added = { startedAt: 9_000, listedAt: 9_000 };
	const seenOnes = (): WatchedOrder[] =>
		['a', 'b', 'c'].map((key) => ({
			...watched(key),
			beginning: 'known',
			startedAt: 6_000,
			listedAt: 9_000,
			listedBegunAt: 6_000,
			lastCheckAt: 9_000,
			seenOpenAt: 9_000,
		}));
	/** When `fresh` have begun, as far as is known at 10 s, where so many of five listed orders had finished. */
	const begunAt = (
		lists: WatchedOrder[][],
		finished = 0,
	): { group: BudgetGroup; fresh: WatchedOrder } => {
		const group = new BudgetGroup();
		const fresh = { ...watched('d'), ...added };
		group.experience = { ...NO_EXPERIENCE, listed: { count: 5, finished } };
		for (const list of lists) group.join({ steppedAt: 10_000, watchedOrders: () => list });
		const orders = [...(lists.length === 0 ? seenOnes() : []), fresh];
		group.join({ steppedAt: 10_000, watchedOrders: () => orders });
		group.orders(10_000);
		return { group, fresh };
	};

	test('have begun with those added with them that say so, unless lists are old', () => {
		expect(begunAt([], 1).fresh).toMatchObject({ beginning: 'assumed', startedAt: 6_000 });
		expect(begunAt([], 2).fresh).toMatchObject({ beginning: 'unknown', startedAt: 9_000 });
	});

	test('also where those are of other watchers, as with an execution for each order', () => {
		const seen = seenOnes();
		expect(begunAt([seen]).fresh).toMatchObject({ beginning: 'assumed', startedAt: 6_000 });
		expect(begunAt(seen.map((order) => [order])).fresh).toMatchObject({
			beginning: 'assumed',
			startedAt: 6_000,
		});
		expect(begunAt([seen.slice(1)]).fresh).toMatchObject({
			beginning: 'unknown',
			startedAt: 9_000,
		});
	});

	test('not any more once nothing is to be assumed of those that say so', () => {
		const seen = seenOnes().map((order) => ({ ...order, listedAt: null }));
		expect(begunAt([seen]).fresh).toMatchObject({ beginning: 'unknown', startedAt: 9_000 });
	});

	test.each<[string, boolean[], boolean]>([
		['two that had not', [true, true], true],
		['three that had not', [true, true, true], false],
		[
			'four that had not, among others that had',
			[true, false, true, false, true, false, true],
			true,
		],
		['three that had not, after others that had', [false, false, true, true, true], false],
	])('%s', (_what, answers, isAssumed) => {
		const { group, fresh } = begunAt([]);
		for (const isWrong of answers) {
			const entry = newEntry('x', {}, { intervalMs: 1_000, now: 9_000 });
			Object.assign(entry.order, { beginning: 'assumed', startedAt: 6_000 });
			group.learn(
				entry,
				isWrong ? { kind: 'notFound' } : { kind: 'finished', createdAtMs: 6_000 },
				{ sentAt: 20_000, now: 20_000 },
			);
		}
		expect(fresh).toMatchObject(
			isAssumed
				? { beginning: 'assumed', startedAt: 6_000 }
				: { beginning: 'unknown', ...added, listedAt: null },
		);
	});
});
