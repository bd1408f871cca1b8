import { withoutForgotten } from './finished';
import { isOpen } from './openOrders';
import { changed, type WatchedOrder, type WatchRules, type WatchState } from './state';

/** What the passing of time does to a state: what has finished is forgotten, and the watch of a posted order expires. */

/** The event of a posted order whose watch has expired although it has not finished. */
export const WATCH_EXPIRED = 'watchExpired';

const HOUR_MS = 3_600_000;
const EXPIRED_AFTER_EXPIRY_MS = 24 * HOUR_MS;
const EXPIRED_WITHOUT_EXPIRY_MS = 48 * HOUR_MS;

/** A stated expiry beyond this is not waited for: nothing may keep its place for ever. */
const LATEST_EXPIRY_MS = 30 * 24 * HOUR_MS;

/**
 * The state without posted orders that finished a day ago, or whose watch has expired because they are still open long after they
 * should have finished. `watchExpired`: the orders whose watch has just expired, as they were.
 * `answeredAt`: when the service last answered for each order, by hash key. The time since then expires nothing: it may have passed
 * while n8n was down or the service away, and the order may have finished meanwhile. `max`: how many may expire now.
 */
export function withoutExpired(
	state: WatchState,
	rules: WatchRules,
	answeredAt: ReadonlyMap<string, number>,
	now: number,
	max = Number.POSITIVE_INFINITY,
): { state: WatchState; watchExpired: WatchedOrder[] } {
	const finished = withoutForgotten(state.finished, now);
	const expired = [...state.orders]
		.filter(
			([key, order]) =>
				!order.listed && isOpen(order, rules) && (answeredAt.get(key) ?? 0) >= expiresAt(order),
		)
		.slice(0, max);
	if (expired.length === 0 && finished === state.finished) return { state, watchExpired: [] };
	const orders = new Map(state.orders);
	for (const [key] of expired) orders.delete(key);
	return {
		state: changed(state, orders, now, finished),
		watchExpired: expired.map(([, order]) => order),
	};
}

/** When the watch of a posted order expires. One that was posted after its expiry is watched for a day all the same. */
function expiresAt({ posted, since, expiresAt: stated }: WatchedOrder): number {
	const postedAt = posted?.at ?? since;
	if (stated === null) return postedAt + EXPIRED_WITHOUT_EXPIRY_MS;
	return (
		Math.min(Math.max(stated, postedAt), postedAt + LATEST_EXPIRY_MS) + EXPIRED_AFTER_EXPIRY_MS
	);
}
