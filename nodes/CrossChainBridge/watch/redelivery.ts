import type { OrderEmission } from './events';
import { digestOf } from './finished';
import {
	isIncludedInEmitted,
	isMilestone,
	marksAgain,
	marksWithout,
	MILESTONES,
} from './milestones';
import type { WatchRules } from './rules';
import { changed, isOpen, keyOf, type WatchedOrder, type WatchState } from './state';

/** Longer than this after the last save, a repetition is of no use any more. */
const REDELIVERED_WITHIN_MS = 10 * 60_000;

/**
 * The state as this process takes it over from one that has stopped, perhaps before n8n saved its last events. With At Least Once, the last event
 * of each order comes again, unless the last save is so long ago that a repetition is of no use.
 */
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
		const present = orders.get(key);
		const isSame = MILESTONES.every((milestone) => present?.[milestone] === before[milestone]);
		if (present === undefined || (isSame && !isOpen(present))) {
			orders.set(key, { ...before, redelivered: true });
			finished.delete(digestOf(key));
			continue;
		}
		// The order is still watched. So the event was a milestone, which comes again by its mark; or it was Watch Ended, and the order was posted
		// once more since: then no mark differs, and nothing comes again, because its watch has not ended after all.
		orders.set(key, { ...present, ...marksAgain(present, before) });
	}
	return changed(state, { orders, finished, recent: new Map() }, now);
}

/** The state as if this event had not been emitted, because n8n did not start the workflow, or perhaps did not; what has changed since then stays. */
export function undoOrderEmission(
	state: WatchState,
	{ event, before, finishedBefore }: OrderEmission,
	now: number,
	mayHaveStarted = false,
): WatchState {
	const key = keyOf(before);
	const present = state.orders.get(key);
	let order: WatchedOrder;
	if (isMilestone(event)) {
		// The order may have finished since, or another event may have been emitted that includes this one.
		if (present?.[event] !== 'emitted' || isIncludedInEmitted(event, present)) return state;
		const marks = marksWithout(present, event, before, mayHaveStarted);
		order = { ...present, ...marks, hasResponse: before.hasResponse };
	} else {
		// The order may have been posted again since.
		if (present !== undefined && isOpen(present)) return state;
		order = { ...before, redelivered: before.redelivered || mayHaveStarted };
	}
	const finished = new Map(state.finished);
	finished.delete(digestOf(key));
	if (finishedBefore !== null) finished.set(digestOf(key), finishedBefore);
	const recent = new Map(state.recent);
	recent.delete(key);
	const orders = new Map([[key, order], ...state.orders]).set(key, order);
	return changed(state, { orders, finished, recent }, now);
}
