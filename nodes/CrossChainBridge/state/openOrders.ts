import { isFinalStatus } from '../orders/orders';
import type { OpenOrder } from '../checks/statusChecks';
import type { WatchedOrder, WatchRules, WatchState } from './state';

/** Which orders are still checked, how often, and how many more may be. */

/** How many orders may be posted to one trigger, or listed by it. More would make it spend ten minutes of a standard limit on a single check of each order. */
export const MOST_WATCHED = 1000;

/** How far apart the checks are of a listed order that the service has not known for a day. */
export const SLOW_CHECK_MS = 3_600_000;

/** Whether the order is still checked: it may yet start the workflow under these rules. */
export function isOpen(order: WatchedOrder, rules: WatchRules): boolean {
	if (order.finishedBefore && !rules.includeFinished) return false;
	return !isFinalStatus(order.status) || rules.events.includes(order.status);
}

/** Keys of the orders that are still checked. */
export function openOrders(state: WatchState, rules: WatchRules): string[] {
	return [...state.orders].filter(([, order]) => isOpen(order, rules)).map(([key]) => key);
}

/** The orders to check under these rules, by hash key. */
export function ordersToCheck(state: WatchState, rules: WatchRules): Map<string, OpenOrder> {
	const open = new Map<string, OpenOrder>();
	for (const [key, order] of state.orders) {
		if (!isOpen(order, rules)) continue;
		const { sourceHash, posted, since, startedAt, expired, status } = order;
		open.set(key, {
			sourceHash,
			// Of one that was not found yet the latest post is the best guess.
			...(posted === null ? {} : { postedAt: status === null ? posted.at : since }),
			...(startedAt === null ? {} : { startedAt }),
			...(expired ? { intervalMs: SLOW_CHECK_MS } : {}),
		});
	}
	return open;
}

/** How many more orders may be watched. */
export function roomIn(state: WatchState, rules: WatchRules): number {
	return Math.max(0, MOST_WATCHED - openOrders(state, rules).length);
}
