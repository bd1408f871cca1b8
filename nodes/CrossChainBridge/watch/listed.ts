import { FOUND_WITHIN_MS, type WatchedOrder } from './schedule';

/**
 * Orders of which nothing was known when they were added: those of a list, and the items of Wait for Completion. A few are
 * checked at once, and what these show says how old the others are likely to be.
 */

/** Such orders whose first check was answered, and those among them that were finished by then; the latest count most. */
export interface ListedOrders {
	count: number;
	finished: number;
}

/** So many are checked at once, to learn how old the list is; this share of finished ones says that it is old. */
export const LISTED_SAMPLE = 5;
const FINISHED_SHARE = 0.3;
/** So many that were seen open say that the others began with them, if all began within so short a time, not long ago. */
const TOGETHER_COUNT = 3;
const TOGETHER_MS = 5_000;
const YOUNG_MS = 15_000;

/** Whether much of what was listed turns out to be finished. */
export function areListedFinished({ count, finished }: ListedOrders): boolean {
	return count >= LISTED_SAMPLE / 2 && finished / count >= FINISHED_SHARE;
}

/** The share of listed orders that their first check showed finished; never as sure as what is known of one order. */
export function shareFinished({ count, finished }: ListedOrders): number {
	return Math.min(0.9, finished / count);
}

/** An order of a list of which much turns out to be finished: if the first check did not find it, it has only just begun. */
export function asBegun(order: WatchedOrder): WatchedOrder {
	const { beginning, notFoundAt, startedAt } = order;
	if (beginning !== 'unknown' || notFoundAt === null || notFoundAt - startedAt >= FOUND_WITHIN_MS) return order;
	return { ...order, beginning: 'known', startedAt: notFoundAt, seenOpenAt: notFoundAt };
}

/**
 * Fifty orders that are submitted and then watched have all just begun. Where the first of them state so, the others are taken
 * to have begun with them (their `beginning` and `startedAt` are set), so that no request is spent on noticing it of each.
 */
export function takeAsBegunTogether(orders: readonly WatchedOrder[], now: number): void {
	const isRecent = (time: number): boolean => now - time <= YOUNG_MS;
	const unchecked = orders.filter((order) => order.beginning === 'unknown' && order.lastCheckAt === null && !order.checking && isRecent(order.startedAt));
	if (unchecked.length === 0) return;
	const stated = orders.flatMap(({ listedBegunAt }) => (listedBegunAt !== null && isRecent(listedBegunAt) ? [listedBegunAt] : []));
	if (stated.length < TOGETHER_COUNT || Math.max(...stated) - Math.min(...stated) > TOGETHER_MS) return;
	const begunAt = stated.reduce((sum, time) => sum + time, 0) / stated.length;
	for (const order of unchecked) {
		order.beginning = 'known';
		order.startedAt = Math.min(order.startedAt, begunAt);
	}
}
