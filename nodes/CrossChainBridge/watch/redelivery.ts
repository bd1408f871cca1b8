import { orderKey } from '../orders/sourceHash';
import type { OrderEmission } from './events';
import { digestOf } from './finished';
import type { WatchRules } from './rules';
import { changed, hashKeys, orderWith, type WatchedOrder, type WatchState } from './state';

/** Longer than this after the last save, a repetition is of no use any more. */
const REDELIVERED_WITHIN_MS = 10 * 60_000;

/** The state as another process takes it over: with At Least Once, the events that may have been lost come again. */
export function applyTakeover(
	state: WatchState,
	{ redelivers }: WatchRules,
	now: number,
): WatchState {
	if (state.recent.size === 0) return state;
	const orders = new Map(state.orders);
	const finished = new Map(state.finished);
	const isUseful = redelivers && now - state.revision < REDELIVERED_WITHIN_MS;
	for (const [key, { order: before }] of isUseful ? state.recent : []) {
		const watched = orderWithAny(orders, before);
		if (watched === null) {
			orders.set(key, { ...before, redelivered: true });
			for (const each of hashKeys(before)) finished.delete(digestOf(each));
			continue;
		}
		// The order is still watched, so that the event was a milestone.
		const present = watched.order;
		orders.set(watched.key, {
			...present,
			delayed: isAgain(before.delayed, present.delayed),
			expired: isAgain(before.expired, present.expired),
		});
	}
	return changed(state, { orders, finished, recent: new Map() }, now);
}

/** The order as it is in the state now, by any of its hashes, because a post may have made it one with another; null if it is not there. */
function orderWithAny(orders: WatchState['orders'], order: WatchedOrder) {
	for (const hashKey of hashKeys(order)) {
		const watched = orderWith(orders, hashKey);
		if (watched !== null) return watched;
	}
	return null;
}

function isAgain(
	before: WatchedOrder['delayed'],
	present: WatchedOrder['delayed'],
): WatchedOrder['delayed'] {
	return before === null && present === 'emitted' ? 'again' : present;
}

/** The state as if this event had not been emitted, because n8n has not started the workflow; what has changed since then stays. */
export function undoOrderEvent(
	state: WatchState,
	{ key, event, before, finishedBefore }: OrderEmission,
	now: number,
): WatchState {
	const { key: place, order: present } = orderWithAny(state.orders, before) ?? {
		key,
		order: undefined,
	};
	const isMilestone = event === 'delayed' || event === 'expired';
	// A milestone leaves the order watched; it may have finished since. After any other event it may have been posted again.
	if (isMilestone ? present?.[event] !== 'emitted' : present !== undefined) return state;
	const { delayed, expired, hasResponse } = before;
	const order = present === undefined ? before : { ...present, delayed, expired, hasResponse };
	const finished = new Map(state.finished);
	for (const each of hashKeys(before)) finished.delete(digestOf(each));
	if (finishedBefore !== null) finished.set(digestOf(orderKey(before.sourceHash)), finishedBefore);
	const recent = new Map(state.recent);
	recent.delete(place);
	const orders = new Map([[place, order], ...state.orders]).set(place, order);
	return changed(state, { orders, finished, recent }, now);
}
