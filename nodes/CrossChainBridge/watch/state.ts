import type { Expected } from '../orders/expectation';
import type { FinishedOrders } from './finished';

/** How many open orders one trigger watches: one check of each takes ten minutes of a standard limit. */
export const MAX_WATCHED = 1_000;

/** The size of a reference, as JSON in UTF-8. */
export const MAX_REFERENCE_BYTES = 2 * 1024;

/** An order that has not finished, as far as the bridge has shown. */
export interface WatchedOrder {
	/** As it was entered. */
	sourceHash: string;
	/** When it was first listed or posted. */
	since: number;
	/** When it began, if the caller that posted it has stated that. */
	startedAt: number | null;
	/** Whether the node's list names it. */
	listed: boolean;
	/** The name in the list. It is read anew at each poll, and not stored. */
	listReference: unknown;
	/** When an expression stopped naming it. Until a day later it is kept, without checks, in case it comes back. */
	unlistedAt: number | null;
	/** What the last post said; null if no post named it. */
	posted: Posted | null;
	/** The last status word; null until the bridge has shown the order. */
	status: string | null;
	/** Whether the bridge has responded to a check of it, be it with "not found". */
	hasResponse: boolean;
	/** Which milestones were emitted; 'again' if that may have been lost when n8n stopped. */
	delayed: 'emitted' | 'again' | null;
	expired: 'emitted' | 'again' | null;
	/** The expiry that the bridge has stated. */
	expiresAt: number | null;
	/** The key of the order for which this one was posted, because its transaction was sped up; null if there is none. */
	replaces: string | null;
	/** Since when a posted order is past the time for which it is watched; null before. */
	overdueSince: number | null;
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

/** Why the orders of a trigger are not checked, since when, and what has happened meanwhile. */
export interface Interruption {
	since: number;
	/** How many orders have finished since then. */
	finished: number;
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
	/** By order key, the listed orders first, in the order of the list. */
	orders: ReadonlyMap<string, WatchedOrder>;
	finished: FinishedOrders;
	/** By order key. Kept for At Least Once only. */
	recent: ReadonlyMap<string, RecentEvent>;
	/** Since when no order could be checked; null while checks work. */
	uncheckedSince: number | null;
	/** Null unless the event Watching Interrupted was emitted, and not yet the one that ends it. */
	interruption: Interruption | null;
	/** Durable engine: the time of the last call that was read from the inbox. */
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
export function unseenOrder(
	sourceHash: string,
	now: number,
	from: Partial<WatchedOrder>,
): WatchedOrder {
	return {
		sourceHash,
		since: now,
		startedAt: null,
		listed: false,
		listReference: null,
		unlistedAt: null,
		posted: null,
		status: null,
		hasResponse: false,
		delayed: null,
		expired: null,
		expiresAt: null,
		replaces: null,
		overdueSince: null,
		redelivered: false,
		...from,
	};
}

/** The reference of the post, or otherwise the name in the list. */
export function referenceOf({ posted, listReference }: WatchedOrder): unknown {
	return posted?.reference ?? listReference;
}

/** Whether the order is checked; an order that only an expression named, and no longer does, is not. */
export function isOpen({ listed, posted }: WatchedOrder): boolean {
	return listed || posted !== null;
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

/** n8n saves the state before the execution: an event that is this young, in milliseconds, when n8n saves again may still be lost. */
const MAYBE_LOST_MS = 30_000;

/** The state with these changes, and a new revision. An event that is older by now has certainly been saved. */
export function changed(state: WatchState, changes: Partial<WatchState>, now: number): WatchState {
	const after = { ...state, ...changes, revision: Math.max(state.revision + 1, now) };
	const young = [...after.recent].filter(([, { at }]) => Math.abs(now - at) < MAYBE_LOST_MS);
	return young.length === after.recent.size ? after : { ...after, recent: new Map(young) };
}

/** The state with one order more, or in another form; the same state if nothing is different. */
export function withOrder(
	state: WatchState,
	key: string,
	order: WatchedOrder,
	now: number,
): WatchState {
	const before = state.orders.get(key);
	const isSame =
		before !== undefined &&
		(Object.keys(order) as Array<keyof WatchedOrder>).every((name) => order[name] === before[name]);
	return isSame ? state : changed(state, { orders: new Map(state.orders).set(key, order) }, now);
}

/** Whether another order was posted for this one. */
export function isReplaced(orders: WatchState['orders'], key: string): boolean {
	return [...orders.values()].some(({ replaces }) => replaces === key);
}

/**
 * All other orders of the chain C → B → A that this order is in. Each was posted for the next, so that all are one order: only one of their
 * transactions is ever found.
 */
export function twinsOf(orders: WatchState['orders'], key: string): Map<string, WatchedOrder> {
	const twins = new Map<string, WatchedOrder>();
	const isOne = (each: string | null) => each === key || (each !== null && twins.has(each));
	for (let before = -1; before < twins.size;) {
		before = twins.size;
		const replacedByOne = new Set(
			[...orders].flatMap(([each, { replaces }]) => (isOne(each) ? [replaces] : [])),
		);
		for (const [each, order] of orders)
			if (each !== key && (isOne(order.replaces) || replacedByOne.has(each)))
				twins.set(each, order);
	}
	return twins;
}

/** An order with what its twin has, because both are one order: they have one name, one expectation, and one event of each kind. */
export function asOneOrder(order: WatchedOrder, other: WatchedOrder): WatchedOrder {
	const { posted } = order;
	const { delayed, expired, since } = other;
	const reference = referenceOf(order) ?? referenceOf(other) ?? null;
	const expected = posted?.expected ?? other.posted?.expected;
	return {
		...order,
		delayed: order.delayed ?? delayed,
		expired: order.expired ?? expired,
		posted: { at: posted?.at ?? other.posted?.at ?? since, ...posted, reference, expected },
	};
}

/** Removes an order, and takes it out of its chain. */
export function removeOrder(orders: Map<string, WatchedOrder>, key: string): void {
	separate(orders, key);
	orders.delete(key);
}

/**
 * Takes an order out of the chain that it is in. If it is B in a chain C → B → A, in which each was posted for the next, C now replaces A, and A
 * keeps the milestones that B had, because all were one order.
 */
export function separate(orders: Map<string, WatchedOrder>, key: string): void {
	const separated = orders.get(key);
	if (separated === undefined) return;
	const { replaces: older, delayed, expired } = separated;
	orders.set(key, { ...separated, replaces: null });
	for (const [each, order] of orders) {
		if (order.replaces === key) orders.set(each, { ...order, replaces: older });
		else if (each === older)
			orders.set(each, {
				...order,
				delayed: order.delayed ?? delayed,
				expired: order.expired ?? expired,
			});
	}
}

/** The state with the highest revision. */
export function newestOf(states: ReadonlyArray<WatchState | null>): WatchState {
	return states.reduce<WatchState>(
		(newest, state) => (state !== null && state.revision > newest.revision ? state : newest),
		EMPTY_STATE,
	);
}
