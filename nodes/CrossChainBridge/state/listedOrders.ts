import { hashKey, isFinalStatus } from '../orders/orders';
import { digestOf, withFinished, withListed } from './finished';
import { changed, doneWith, unseenOrder, type WatchedOrder, type WatchState } from './state';

/** What the list in the node's field does to a state. */

/** An entry of the list in the node's field. */
export interface ListedOrder {
	sourceHash: string;
	/** Any JSON; comes back in the item. null without one. */
	reference: unknown;
}

/**
 * The state for this list: new hashes are added as unseen, hashes that are no longer listed are removed unless they were posted as
 * well; all others, and finished orders, stay as they are.
 */
export function withList(state: WatchState, list: readonly ListedOrder[], now: number): WatchState {
	const orders = new Map<string, WatchedOrder>();
	const digests = new Set<string>();
	for (const { sourceHash, reference } of list) {
		const key = hashKey(sourceHash);
		const known = state.orders.get(key);
		const digest = known === undefined && state.finished.size > 0 ? digestOf(key) : '';
		// One that has finished without an event is checked again: the events may have been chosen otherwise.
		if (state.finished.get(digest)?.emitted === true) digests.add(digest);
		else
			orders.set(key, {
				...(known ?? unseenOrder(sourceHash, { listed: true, posted: null }, now)),
				sourceHash,
				listed: true,
				listReference: reference,
			});
	}
	let finished = withListed(state.finished, (digest) => digests.has(digest));
	for (const [key, known] of state.orders) {
		if (known.posted === null || orders.has(key)) continue;
		if (isFinalStatus(known.status))
			finished = withFinished(finished, digestOf(key), doneWith(known, known.status, now));
		else orders.set(key, { ...known, listed: false, listReference: null });
	}
	const isSame =
		finished === state.finished &&
		orders.size === state.orders.size &&
		[...orders].every(([key, { listed }]) => state.orders.get(key)?.listed === listed);
	return isSame ? { ...state, orders } : changed(state, orders, now, finished);
}
