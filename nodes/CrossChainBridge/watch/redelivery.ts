import type { OrderEmission } from './events';
import { digestOf } from './finished';
import type { WatchRules } from './rules';
import {
	changed,
	hashKeys,
	isOpen,
	keyOf,
	orderWith,
	type WatchedOrder,
	type WatchState,
	withMarks,
} from './state';

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
	for (const { order: before } of isUseful ? state.recent.values() : []) {
		const present = orderWithAny(orders, before);
		const isSame = present?.delayed === before.delayed && present.expired === before.expired;
		if (present === null || (isSame && !isOpen(present))) {
			orders.set(keyOf(before), { ...before, redelivered: true });
			for (const each of hashKeys(before)) finished.delete(digestOf(each));
			continue;
		}
		// The order is still watched, so that the event was a milestone, or a post came after Watch Ended, and then no mark differs.
		orders.set(keyOf(present), withMarks(present, marksAgain(before, present)));
	}
	return changed(state, { orders, finished, recent: new Map() }, now);
}

/** The order as it is in the state now, by any of its hashes, because a post may have made it one with another; null if it is not there. */
function orderWithAny(orders: WatchState['orders'], order: WatchedOrder): WatchedOrder | null {
	const found = hashKeys(order).map((hashKey) => orderWith(orders, hashKey));
	return found.find((each) => each !== null) ?? null;
}

type Marks = Pick<WatchedOrder, 'delayed' | 'expired'>;

/** The present marks, with which the milestones that were emitted since `before` come again as repetitions. */
function marksAgain(before: Marks, present: Marks): Marks {
	const again = (milestone: keyof Marks) =>
		before[milestone] === null && present[milestone] === 'emitted' ? 'again' : present[milestone];
	return { delayed: again('delayed'), expired: again('expired') };
}

/** The state as if this event had not been emitted, because n8n has not started the workflow, or may not have; what has changed since then stays. */
export function undoOrderEvent(
	state: WatchState,
	{ event, before, finishedBefore }: OrderEmission,
	now: number,
	mayHaveStarted = false,
): WatchState {
	const present = orderWithAny(state.orders, before);
	const isMilestone = event === 'delayed' || event === 'expired';
	const isWatched = present !== null && isOpen(present);
	// A milestone leaves the order watched; it may have finished since. After any other event it may have been posted again.
	if (isMilestone ? present?.[event] !== 'emitted' : isWatched) return state;
	// Expired includes Delayed.
	if (event === 'delayed' && present?.expired === 'emitted') return state;
	const { delayed, expired, hasResponse } = before;
	const order =
		isMilestone && present !== null
			? withMarks(
					{ ...present, hasResponse },
					mayHaveStarted ? marksAgain(before, present) : { delayed, expired },
				)
			: { ...before, redelivered: before.redelivered || mayHaveStarted };
	const finished = new Map(state.finished);
	for (const each of hashKeys(before)) finished.delete(digestOf(each));
	if (finishedBefore !== null) finished.set(digestOf(keyOf(before)), finishedBefore);
	const recent = new Map(state.recent);
	recent.delete(keyOf(before));
	const orders = new Map([[keyOf(order), order], ...state.orders]).set(keyOf(order), order);
	return changed(state, { orders, finished, recent }, now);
}
