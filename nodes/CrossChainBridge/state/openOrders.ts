import { isFinalStatus } from '../orders/orders';
import type { OpenOrder } from '../checks/checker';
import { MAX_WATCHED, type WatchedOrder, type WatchRules, type WatchState } from './state';

/** Whether the order is still checked: it may yet start the workflow under these rules. */
export function isOpen(order: WatchedOrder, rules: WatchRules): boolean {
	if (order.finishedBefore && !rules.includeFinished) return false;
	return !isFinalStatus(order.status) || rules.events.includes(order.status);
}

/** By hash key. */
export function openOrders(state: WatchState, rules: WatchRules): Map<string, OpenOrder> {
	const open = new Map<string, OpenOrder>();
	for (const [key, order] of state.orders) {
		if (!isOpen(order, rules)) continue;
		const { sourceHash, posted, since, startedAt, status } = order;
		open.set(key, {
			sourceHash,
			// Until the service has shown it, its latest post is the best guess of its beginning.
			...(posted === null ? {} : { postedAt: status === null ? posted.at : since }),
			...(startedAt === null ? {} : { startedAt }),
		});
	}
	return open;
}

/** How many more open orders the trigger may watch. */
export function roomIn(state: WatchState, rules: WatchRules): number {
	return Math.max(0, MAX_WATCHED - openOrders(state, rules).size);
}
