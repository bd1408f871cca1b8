import { withoutForgotten } from './finished';
import { isOpen } from './openOrders';
import { changed, type WatchedOrder, type WatchRules, type WatchState } from './state';

export const WATCH_EXPIRED = 'watchExpired';

const HOUR_MS = 3_600_000;
const WATCHED_AFTER_EXPIRY_MS = 24 * HOUR_MS;
const WATCHED_WITHOUT_EXPIRY_MS = 48 * HOUR_MS;

/** A stated expiry beyond this after the post is not waited for: nothing may keep its place for ever. */
const MAX_EXPIRY_MS = 30 * 24 * HOUR_MS;

/**
 * Keys of the posted orders whose watch had expired by `answeredAt`, the service's last response for each in
 * milliseconds since 1970: while n8n was down an order may have finished.
 */
export function expiredOrders(
	{ orders }: WatchState,
	rules: WatchRules,
	answeredAt: ReadonlyMap<string, number>,
): string[] {
	return [...orders].flatMap(([key, order]) =>
		hasWatchExpired(order, rules, answeredAt.get(key)) ? [key] : [],
	);
}

/** Whether nobody waits for a posted order any more; `answeredAt`: when the service last responded for it, in milliseconds since 1970. */
export function hasWatchExpired(order: WatchedOrder, rules: WatchRules, answeredAt = 0): boolean {
	return !order.listed && isOpen(order, rules) && answeredAt >= watchedUntil(order);
}

/** The state without these orders, and without posted ones that finished a day ago. */
export function withoutOrders(state: WatchState, keys: string[], now: number): WatchState {
	const finished = withoutForgotten(state.finished, now);
	if (keys.length === 0 && finished === state.finished) return state;
	const orders = new Map(state.orders);
	for (const key of keys) orders.delete(key);
	return changed(state, orders, now, finished);
}

/** When the watch of a posted order expires; one posted after its own expiry is watched for a day all the same. */
function watchedUntil({ posted, since, expiresAt }: WatchedOrder): number {
	const postedAt = posted?.at ?? since;
	if (expiresAt === null) return postedAt + WATCHED_WITHOUT_EXPIRY_MS;
	const believed = Math.min(Math.max(expiresAt, postedAt), postedAt + MAX_EXPIRY_MS);
	return believed + WATCHED_AFTER_EXPIRY_MS;
}
