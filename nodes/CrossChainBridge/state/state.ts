import { type FinalStatus, hashKey } from '../orders/orders';
import { digestOf, type FinishedOrder, type FinishedOrders } from './finished';

/**
 * What is known of the orders that one trigger watches. Pure, as is all of this folder: states are never changed in place.
 */

/** How many orders may be posted to one trigger, or listed by it. More would make it spend ten minutes of a standard limit on a single check of each order. */
export const MAX_WATCHED = 1000;

/** The largest reference that an order may have, in bytes of JSON. */
export const MAX_REFERENCE_BYTES = 2 * 1024;

/** What is remembered of a watched order that has not started the workflow with its final status. */
export interface WatchedOrder {
	/** In the spelling in which it was listed or posted. */
	sourceHash: string;
	/** When it was first listed or posted, in milliseconds since 1970. */
	since: number;
	/** When it began, as whoever posted it says, in milliseconds since 1970; null if not stated. */
	startedAt: number | null;
	/** Whether the list in the node's field names it. */
	listed: boolean;
	/** The reference that the list gives it; null without one. Read from the list at each poll, so it is not stored. */
	listReference: unknown;
	/** What came with it when it was posted to the webhook; null for an order that only the list names. */
	posted: Posted | null;
	/** The last status word seen; null if the service has not shown the order yet. */
	status: string | null;
	/** Whether the service has said anything about this hash, including "not found". */
	answered: boolean;
	/** It had finished before it was listed or posted. */
	finishedBefore: boolean;
	/** When its final status was seen, in milliseconds since 1970; null while it is open. */
	finishedSeenAt: number | null;
	/** It may have started the workflow just before n8n stopped: its event is emitted again. */
	redelivered: boolean;
	/** Whether its event Delayed was emitted; 'again' if that may have been just before n8n stopped. */
	delayed: 'emitted' | 'again' | null;
	/** When it expires, as the service states it, in milliseconds since 1970; kept of posted orders only, whose watch expires some time after. */
	expiresAt: number | null;
}

export interface Posted {
	/** When it was (last) posted, in milliseconds since 1970. */
	at: number;
	/** Any JSON; comes back in the item. null where none was sent. */
	reference: unknown;
}

export interface WatchState {
	/** Grows with every change worth keeping; the newer of two copies is the one with the higher number. */
	revision: number;
	/** By hash key: the listed orders in the order of the list, then the posted ones. */
	orders: ReadonlyMap<string, WatchedOrder>;
	/** Those that are done with: they have started the workflow, or were posted and finished without an event. */
	finished: FinishedOrders;
	/** With Delivery set to At Least Once: the orders that have just started the workflow, by hash key. */
	recent: ReadonlyMap<string, RecentOrder>;
	/** The durable engine: up to when the calls that each process has accepted are part of this state (ms since 1970, by writer). */
	taken: ReadonlyMap<string, number>;
	/** The durable engine: up to when the poll that saved this may start the workflow (ms since 1970); 0 while none is under way. */
	polledUntil: number;
}

export interface RecentOrder {
	/** The order as it was before its event. */
	order: WatchedOrder;
	/** When it was emitted, in milliseconds since 1970. */
	at: number;
}

/** What the user wants to start the workflow. */
export interface WatchRules {
	/** The final statuses that do. */
	events: readonly FinalStatus[];
	/** Whether an order that had finished before it was listed or posted does as well. */
	includeFinished: boolean;
	/** How long an order may take before it is called delayed, in milliseconds; absent where Delayed is not chosen. */
	delayedAfterMs?: number;
	/** Whether what was emitted just before n8n stopped is emitted once more. */
	redelivers?: boolean;
}

export const EMPTY_STATE: WatchState = {
	revision: 0,
	orders: new Map(),
	finished: new Map(),
	recent: new Map(),
	taken: new Map(),
	polledUntil: 0,
};

/**
 * Whether another poll is at work on this state. n8n lets polls of one trigger run side by side in several processes, as when it
 * repeats the poll of a process that stood still. No poll works longer than its budget, so a time further ahead is a clock's mistake;
 * twice that, since the clocks of two machines differ. Pure.
 */
export function isBeingPolled({ polledUntil }: WatchState, budgetMs: number, now: number): boolean {
	return polledUntil > now && polledUntil <= now + 2 * budgetMs;
}

/** An order that nothing is known of yet. */
export function unseenOrder(
	sourceHash: string,
	from: Pick<WatchedOrder, 'listed' | 'posted'> & Partial<WatchedOrder>,
	now: number,
): WatchedOrder {
	return {
		sourceHash,
		since: now,
		startedAt: null,
		listReference: null,
		status: null,
		answered: false,
		finishedBefore: false,
		finishedSeenAt: null,
		redelivered: false,
		delayed: null,
		expiresAt: null,
		...from,
	};
}

/** The reference of an order: what it was posted with, else what the list gives it. */
export function referenceOf({ posted, listReference }: WatchedOrder): unknown {
	return posted?.reference ?? listReference;
}

/** Whether this order is done with, by its source hash, and how it finished; null if it is not, or no longer remembered. */
export function finishedOrder({ finished }: WatchState, sourceHash: string): FinishedOrder | null {
	return finished.size === 0 ? null : (finished.get(digestOf(hashKey(sourceHash))) ?? null);
}

/** The order as it is remembered once it has finished, before it is known whether it has an event. */
export function doneWith(
	{ finishedSeenAt, listed, posted }: WatchedOrder,
	status: FinalStatus,
	now: number,
): FinishedOrder {
	return {
		status,
		at: finishedSeenAt ?? now,
		emitted: false,
		listed,
		posted: posted !== null,
	};
}

/** What was emitted this long before the newest saved state may have been lost when n8n stopped: n8n saves the state first, then makes the execution. */
const MAYBE_LOST_MS = 30_000;

/** After this time since the newest saved state a repetition is of no use any more. */
const REDELIVERED_WITHIN_MS = 10 * 60_000;

/** The orders that have just started the workflow, this one among them if its event may have to be emitted again: not a third time. */
export function withRecent(
	{ recent }: WatchState,
	key: string,
	order: WatchedOrder,
	isRepetition: boolean,
	{ redelivers }: WatchRules,
	now: number,
): WatchState['recent'] {
	return redelivers === true && !isRepetition
		? new Map(recent).set(key, { order, at: now })
		: recent;
}

/** The state as another process takes it over: what was emitted just before it was saved last is open again, to be emitted once more. */
export function withRedelivery(state: WatchState, now: number): WatchState {
	if (state.recent.size === 0) return state;
	const orders = new Map(state.orders);
	const finished = new Map(state.finished);
	if (now - state.revision < REDELIVERED_WITHIN_MS) {
		for (const [key, { order: before }] of state.recent) {
			const present = orders.get(key);
			if (present === undefined) {
				orders.set(key, { ...before, redelivered: true });
				finished.delete(digestOf(key));
			} else if (present.delayed === 'emitted' && before.delayed === null)
				orders.set(key, { ...present, delayed: 'again' });
			// Any other one was posted again since its watch expired: the newer post counts.
		}
	}
	return changed({ ...state, recent: new Map() }, orders, now, finished);
}

/** Revisions are times, so that copies made in different processes can be compared. */
export function changed(
	state: WatchState,
	orders: WatchState['orders'],
	now: number,
	finished = state.finished,
): WatchState {
	const young = [...state.recent].filter(([, { at }]) => now - at < MAYBE_LOST_MS);
	const recent = young.length === state.recent.size ? state.recent : new Map(young);
	return { ...state, revision: Math.max(state.revision + 1, now), orders, finished, recent };
}

const RENEWED_AFTER_MS = 30 * 24 * 3_600_000;

/** The state, with a new revision where nothing has changed for a month: its age shows what belongs to a trigger that is gone. */
export function renewed(state: WatchState, now: number): WatchState {
	return state.revision > 0 && now - state.revision > RENEWED_AFTER_MS
		? changed(state, state.orders, now)
		: state;
}

export function newestOf(states: ReadonlyArray<WatchState | null>): WatchState {
	return states.reduce<WatchState>(
		(newest, state) => (state !== null && state.revision > newest.revision ? state : newest),
		EMPTY_STATE,
	);
}
