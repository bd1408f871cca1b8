import { type FinalStatus, hashKey } from '../orders/orders';
import { digestOf, type FinishedOrder, type FinishedOrders } from './finished';

/** One check each of more orders would take ten minutes of a standard limit. */
export const MAX_WATCHED = 1000;

/** Bytes of JSON. */
export const MAX_REFERENCE_BYTES = 2 * 1024;

/** A listed or posted order that has not started the workflow with its final status. */
export interface WatchedOrder {
	/** As it was listed or posted. */
	sourceHash: string;
	/** When it was first listed or posted, in milliseconds since 1970. */
	since: number;
	/** When it began, as its poster says, in milliseconds since 1970. */
	startedAt: number | null;
	listed: boolean;
	/** Read from the list at each poll, so it is not stored. */
	listReference: unknown;
	/** Null for an order that only the list names. */
	posted: Posted | null;
	/** The last status word; null until the service has shown the order. */
	status: string | null;
	/** Whether the service has said anything of the order, be it "not found". */
	answered: boolean;
	/** Whether it had finished before it was listed or posted. */
	finishedBefore: boolean;
	/** When its final status was seen, in milliseconds since 1970. */
	finishedSeenAt: number | null;
	/** Whether its event is a repetition: the first may have been lost when n8n stopped. */
	redelivered: boolean;
	/** Whether Delayed was emitted; 'again' if that may have been lost when n8n stopped. */
	delayed: 'emitted' | 'again' | null;
	/** The expiry that the service states of a posted order, in milliseconds since 1970. */
	expiresAt: number | null;
}

export interface Posted {
	/** When it was last posted, in milliseconds since 1970. */
	at: number;
	/** Any JSON for the item; null where none was sent. */
	reference: unknown;
}

/** What a trigger knows of its orders; never changed in place. */
export interface WatchState {
	/** Grows with every change worth saving: the higher of two copies is the newer. */
	revision: number;
	/** By hash key: the listed orders as the list has them, then the posted ones. */
	orders: ReadonlyMap<string, WatchedOrder>;
	/** Orders that have started the workflow, or were posted and finished without an event. */
	finished: FinishedOrders;
	/** With At Least Once: the orders that have just started the workflow, by hash key. */
	recent: ReadonlyMap<string, RecentOrder>;
	/** Durable engine: the time of the last call taken of each process, in milliseconds since 1970. */
	taken: ReadonlyMap<string, number>;
	/** Durable engine: until when the poll under way may start the workflow, in milliseconds since 1970; 0 without one. */
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
	events: readonly FinalStatus[];
	/** Whether an order that had finished before it was listed or posted starts it too. */
	includeFinished: boolean;
	/** Age at which an order is delayed, in milliseconds; absent where Delayed is not chosen. */
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
 * Whether another poll works on this state, as when n8n repeats the poll of a process that stood still; a time further
 * ahead than two budgets is a clock's mistake.
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

/** What the order was posted with, else what the list gives it. */
export function referenceOf({ posted, listReference }: WatchedOrder): unknown {
	return posted?.reference ?? listReference;
}

/** Null for an order that has not finished, or is no longer remembered. */
export function finishedOrder({ finished }: WatchState, sourceHash: string): FinishedOrder | null {
	return finished.size === 0 ? null : (finished.get(digestOf(hashKey(sourceHash))) ?? null);
}

/** How an order is remembered once it has finished, without an event so far. */
export function asFinished(
	{ finishedSeenAt, listed, posted }: WatchedOrder,
	status: FinalStatus,
	now: number,
): FinishedOrder {
	return { status, at: finishedSeenAt ?? now, emitted: false, listed, posted: posted !== null };
}

/** n8n saves the state first, then makes the execution: what is this young when n8n stops may be lost. */
const MAYBE_LOST_MS = 30_000;

/** A repetition later than this after the last save is of no use. */
const REDELIVERED_WITHIN_MS = 10 * 60_000;

/** Keeps an order that starts the workflow now for a repetition, unless this is one. */
export function withRecent(
	state: WatchState,
	key: string,
	order: WatchedOrder,
	isRepetition: boolean,
	{ redelivers }: WatchRules,
	now: number,
): WatchState {
	return redelivers === true && !isRepetition
		? { ...state, recent: new Map(state.recent).set(key, { order, at: now }) }
		: state;
}

/** The state as another process takes it over: what was emitted just before the last save is open again. */
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

/** A new revision, which is a time, so that copies made in different processes compare. */
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

/** Gives a state that has not changed for a month a new revision: old ones are taken for those of deleted triggers. */
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
