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
/** So many that were seen open say that those added so shortly before or after began with them, if they began so close to each other, not long ago. */
const TOGETHER_COUNT = 3;
const TOGETHER_MS = 5_000;
export const YOUNG_MS = 15_000;
/** For all that were added within this time one answer counts. */
const SAME_MOMENT_MS = 250;

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
	if (beginning !== 'unknown' || notFoundAt === null || notFoundAt - startedAt >= FOUND_WITHIN_MS)
		return order;
	return { ...order, beginning: 'known', startedAt: notFoundAt, seenOpenAt: notFoundAt };
}

/**
 * Orders that are submitted and then watched have all just begun, whether they come in one list or in several executions at once. If most
 * of those added together with an order that no check has found yet say so, it is taken to have begun like them (`beginning` and
 * `startedAt` are set): no request is spent on noticing it, and the plan counts the checks that it will need.
 */
export function assumeBegunTogether(orders: readonly WatchedOrder[], now: number): void {
	const stated = orders.flatMap(({ listedAt, listedBegunAt }) =>
		listedAt === null || listedBegunAt === null ? [] : [{ listedAt, listedBegunAt }],
	);
	if (stated.length < TOGETHER_COUNT) return;
	const known = new Map<number, number | null>();
	for (const order of orders) {
		const { beginning, lastCheckAt, notFoundAt, checking, listedAt } = order;
		const isUnseen = lastCheckAt === null || notFoundAt !== null;
		if (
			beginning !== 'unknown' ||
			!isUnseen ||
			checking ||
			listedAt === null ||
			now - listedAt > YOUNG_MS
		)
			continue;
		const moment = Math.floor(listedAt / SAME_MOMENT_MS);
		if (!known.has(moment)) known.set(moment, begunWith(stated, listedAt));
		const begunAt = known.get(moment) ?? null;
		if (
			begunAt === null ||
			now - begunAt > YOUNG_MS ||
			(notFoundAt !== null && notFoundAt - begunAt >= FOUND_WITHIN_MS)
		)
			continue;
		order.beginning = 'assumed';
		order.startedAt =
			notFoundAt === null ? Math.min(order.startedAt, begunAt) : Math.max(notFoundAt, begunAt);
	}
}

/** When an order added at that time has probably begun: most of those added about then began together, or were of the same age when added. Else null. */
function begunWith(
	stated: ReadonlyArray<{ listedAt: number; listedBegunAt: number }>,
	addedAt: number,
): number | null {
	const near = stated.filter(({ listedAt }) => Math.abs(listedAt - addedAt) <= TOGETHER_MS);
	const begun = majority(near.map(({ listedBegunAt }) => listedBegunAt));
	const age = majority(near.map(({ listedAt, listedBegunAt }) => listedAt - listedBegunAt));
	if (age !== null && (begun === null || age.spread < begun.spread)) return addedAt - age.mean;
	return begun?.mean ?? null;
}

/** The mean of the values close to the median, if those are the majority, and their mean distance from it; else null. */
function majority(values: number[]): { mean: number; spread: number } | null {
	const middle = values.sort((one, other) => one - other)[values.length >> 1] ?? 0;
	const together = values.filter((value) => Math.abs(value - middle) <= TOGETHER_MS);
	if (together.length < TOGETHER_COUNT || 2 * together.length <= values.length) return null;
	const mean = together.reduce((sum, value) => sum + value, 0) / together.length;
	return {
		mean,
		spread: together.reduce((sum, value) => sum + Math.abs(value - mean), 0) / together.length,
	};
}

/** Of these orders nothing is assumed any more. */
export function assumeNothing(orders: Iterable<WatchedOrder>): void {
	for (const order of orders) {
		if (order.beginning === 'assumed')
			Object.assign(order, { beginning: 'unknown', startedAt: order.listedAt });
		order.listedAt = null;
	}
}
