import type { Expected } from '../orders/expectation';
import { orderKey } from '../orders/hashForms';
import type { FinishedOrders } from './finished';
import { type Marks, marksBy } from './milestones';

/** How many open orders one trigger watches: one check of each takes ten minutes of a standard limit. */
export const MAX_WATCHED = 1_000;

/** The size of a reference, as JSON in UTF-8. */
export const MAX_REFERENCE_BYTES = 2 * 1024;

/** An order that has not finished, as far as the bridge has shown. */
export interface WatchedOrder extends Marks {
	/** As it was entered. */
	sourceHash: string;
	/** When it was first listed or posted. */
	since: number;
	/** The earliest time at which the list may have named it first, if n8n was not running then; otherwise null, and `since` counts. */
	listedAfter: number | null;
	/** When it began, if the caller that posted it has stated that. */
	startedAt: number | null;
	/** Whether the node's list names this hash. */
	listed: boolean;
	/** The name in the list, as it was read last. */
	listReference: unknown;
	/** Since when the list does not name it; null while it does. If the list is an expression, the order is kept for a day without checks, in case it comes back. */
	unlistedAt: number | null;
	/** What the last post said; null if no post named it. */
	posted: Posted | null;
	/** The last status word; null until the bridge has shown the order with one. */
	status: string | null;
	/** Whether the bridge has responded to a check of it, be it with "not found", or an event has been emitted for it. */
	hasResponse: boolean;
	/** The expiry that the bridge has stated. */
	expiresAt: number | null;
	/** Since when a posted order is past the time for which it is watched; null before. */
	overdueSince: number | null;
	/** The key of the transaction that a post says was sent in its place; null if none was. So if the bridge does not find this one, nothing is late. */
	replaced: string | null;
	/** Whether its next event may be a repetition. */
	redelivered: boolean;
}

export interface Posted {
	/** When it was last posted. */
	at: number;
	/** Any JSON; null if none was sent. */
	reference: unknown;
	/** The page of a block explorer that was posted as the hash. */
	link?: string;
	/** What has to arrive; compared when the order is completed. */
	expected?: Expected;
}

/** Since when the orders of a trigger are not checked, or a field of it is wrong, and what has happened meanwhile. */
export interface Interruption {
	since: number;
	/** How many orders have finished since then. */
	finished: number;
	/** Why. `fields`: only a field of the node is wrong, so that orders are checked with what can be read. `transient`: it may pass by itself. */
	cause: 'fields' | 'transient' | 'toCorrect';
}

/** An event that was emitted lately, with what it has changed, so that it can be repeated. */
export interface RecentEvent {
	/** When it was emitted. */
	at: number;
	/** The order before the event. */
	order: WatchedOrder;
}

/** What a trigger knows of its orders. It is never changed in place. */
export interface WatchState {
	/** The higher one of two copies is the newer. It is a time, so that copies of different processes compare. */
	revision: number;
	/** By the order key of their `sourceHash`. Each reading of the list puts the listed orders first, in the order of the list. */
	orders: ReadonlyMap<string, WatchedOrder>;
	finished: FinishedOrders;
	/** By order key, like `orders`. Kept for At Least Once only. */
	recent: ReadonlyMap<string, RecentEvent>;
	/** Since when no order could be checked; null while checks work. */
	uncheckedSince: number | null;
	/** Null unless the event Watching Interrupted was emitted, and not yet the one that ends it. */
	interruption: Interruption | null;
	/** The time of the last call that was read from the inbox of the durable engine. The usual engine reads it, too, when it takes over. */
	inboxOffset: number;
	/** Durable engine: until when a poll claims the state, so that no other one begins; 0 without one. */
	leaseUntil: number;
}

export const EMPTY_STATE: WatchState = {
	revision: 0,
	orders: new Map(),
	finished: new Map(),
	recent: new Map(),
	uncheckedSince: null,
	interruption: null,
	inboxOffset: 0,
	leaseUntil: 0,
};

/** An order that no check has shown yet. */
export function unseenOrder(sourceHash: string, now: number): WatchedOrder {
	return {
		sourceHash,
		since: now,
		listedAfter: null,
		startedAt: null,
		listed: false,
		listReference: null,
		unlistedAt: null,
		posted: null,
		status: null,
		hasResponse: false,
		...marksBy(() => null),
		expiresAt: null,
		overdueSince: null,
		replaced: null,
		redelivered: false,
	};
}

/** The reference of the post, or otherwise the name in the list. */
export function referenceOf({ posted, listReference }: WatchedOrder): unknown {
	return posted?.reference ?? listReference;
}

/** Whether the order is checked; an order that only an expression named, and no longer does, is not. */
export function isOpen(order: WatchedOrder): boolean {
	return order.listed || order.posted !== null;
}

/** The order's key in the state. */
export function keyOf({ sourceHash }: WatchedOrder): string {
	return orderKey(sourceHash);
}

/** The events that may be repeated, without that of this order. */
export function withoutRecent(
	recent: WatchState['recent'],
	order: WatchedOrder,
): Map<string, RecentEvent> {
	const after = new Map(recent);
	after.delete(keyOf(order));
	return after;
}

/** The orders that are checked, by order key. */
export function openOrders({ orders }: WatchState): Map<string, WatchedOrder> {
	return new Map([...orders].filter(([, order]) => isOpen(order)));
}

/** How many orders the trigger watches, and for how many more it has room. */
export function placesIn(state: WatchState) {
	const watching = openOrders(state).size;
	return { watching, room: Math.max(0, MAX_WATCHED - watching) };
}

/** How long after an event its execution may still be missing in the database, although the state that says so is saved, in milliseconds. */
const MAYBE_LOST_MS = 30_000;

/** The state with these changes, and a new revision. Of the recent events, those that are certainly saved by now are left out. */
export function changed(state: WatchState, changes: Partial<WatchState>, now: number): WatchState {
	const after = { ...state, ...changes, revision: Math.max(state.revision + 1, now) };
	const young = [...after.recent].filter(([, { at }]) => Math.abs(now - at) < MAYBE_LOST_MS);
	return young.length === after.recent.size ? after : { ...after, recent: new Map(young) };
}

/** The state with an order in another form; the same state if nothing is different. */
export function withOrder(state: WatchState, order: WatchedOrder, now: number): WatchState {
	const key = keyOf(order);
	const before = state.orders.get(key);
	const names = Object.keys(order) as Array<keyof WatchedOrder>;
	if (names.every((name) => order[name] === before?.[name])) return state;
	return changed(state, { orders: new Map(state.orders).set(key, order) }, now);
}

/** The state with the highest revision. */
export function newestOf(states: ReadonlyArray<WatchState | null>): WatchState {
	return states.reduce<WatchState>(
		(newest, state) => (state !== null && state.revision > newest.revision ? state : newest),
		EMPTY_STATE,
	);
}
