import { isFinalStatus } from '../orders/orders';
import type { OpenOrder } from '../checks/statusChecks';
import { MAX_WATCHED, type WatchedOrder, type WatchRules, type WatchState } from './state';

/** Which orders are still checked, and how many more may be. */

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
		const { sourceHash, posted, since, startedAt, status } = order;
		open.set(key, {
			sourceHash,
			// Of one that was not found yet the latest post is the best guess.
			...(posted === null ? {} : { postedAt: status === null ? posted.at : since }),
			...(startedAt === null ? {} : { startedAt }),
		});
	}
	return open;
}

/** How many more orders may be watched. */
export function roomIn(state: WatchState, rules: WatchRules): number {
	return Math.max(0, MAX_WATCHED - openOrders(state, rules).length);
}
