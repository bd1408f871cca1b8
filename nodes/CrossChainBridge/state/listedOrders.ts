import { hashKey, isFinalStatus } from '../orders/orders';
import { digestOf, withFinished, withListed } from './finished';
import {
	asFinished,
	changed,
	finishedOrder,
	unseenOrder,
	type WatchedOrder,
	type WatchState,
} from './state';

export interface ListedOrder {
	sourceHash: string;
	/** Any JSON for the item; null without one. */
	reference: unknown;
}

/** The state for this list: orders no longer listed are removed unless they were posted too, and what finished long ago is forgotten. */
export function withList(
	state: WatchState,
	list: readonly ListedOrder[],
	now: number,
	listedSince = now,
): WatchState {
	const orders = new Map<string, WatchedOrder>();
	const emitted = new Set<string>();
	for (const { sourceHash, reference } of list) {
		const key = hashKey(sourceHash);
		const known = state.orders.get(key);
		// One that has finished without an event is checked again: other events may be chosen by now.
		if (known === undefined && finishedOrder(state, key)?.emitted === true)
			emitted.add(digestOf(key));
		else
			orders.set(key, {
				...(known ?? unseenOrder(sourceHash, { listed: true, posted: null }, listedSince)),
				sourceHash,
				listed: true,
				listReference: reference,
			});
	}
	let finished = withListed(state.finished, emitted, now);
	for (const [key, known] of state.orders) {
		if (known.posted === null || orders.has(key)) continue;
		if (isFinalStatus(known.status))
			finished = withFinished(finished, digestOf(key), asFinished(known, known.status, now));
		else orders.set(key, { ...known, listed: false, listReference: null });
	}
	const isSame =
		finished === state.finished &&
		orders.size === state.orders.size &&
		[...orders].every(([key, { listed }]) => state.orders.get(key)?.listed === listed);
	return isSame ? { ...state, orders } : changed(state, orders, now, finished);
}
