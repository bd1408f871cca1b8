import { withoutForgotten } from './finished';
import { changed, type WatchedOrder, type WatchState } from './state';

const HOUR_MS = 3_600_000;
const WATCHED_AFTER_EXPIRY_MS = 24 * HOUR_MS;
const WATCHED_WITHOUT_EXPIRY_MS = 48 * HOUR_MS;

/** A stated expiry beyond this after the post is not waited for: nothing may keep its place for ever. */
const MAX_EXPIRY_MS = 30 * 24 * HOUR_MS;

/** Whether the watch of an order that is still open has expired at this time, in milliseconds since 1970; a listed one's never does. */
export function hasWatchExpired(order: WatchedOrder, at: number): boolean {
	return !order.listed && at >= watchedUntil(order);
}

/** The state without posted orders that finished a day ago. */
export function withoutForgottenOrders(state: WatchState, now: number): WatchState {
	const finished = withoutForgotten(state.finished, now);
	return finished === state.finished ? state : changed(state, state.orders, now, finished);
}

/** When the watch of a posted order expires; one posted after its own expiry is watched for a day all the same. */
function watchedUntil({ posted, since, expiresAt }: WatchedOrder): number {
	const postedAt = posted?.at ?? since;
	if (expiresAt === null) return postedAt + WATCHED_WITHOUT_EXPIRY_MS;
	const believed = Math.min(Math.max(expiresAt, postedAt), postedAt + MAX_EXPIRY_MS);
	return believed + WATCHED_AFTER_EXPIRY_MS;
}
