import { type FinalStatus, isFinalStatus } from '../orders/orders';
import type { OpenOrder } from '../checks/checker';
import { digestOf, type FinishedOrder, type FinishedOrders } from './finished';

/** One check each of more orders would take ten minutes of a standard limit. */
export const MAX_WATCHED = 1000;

export const MAX_REFERENCE_BYTES = 2 * 1024;

/** An order that has not started the workflow with its final status. */
export interface WatchedOrder {
	sourceHash: string;
	/** When it was first listed or posted, in milliseconds since 1970. */
	since: number;
	/** Its beginning as its poster says, in milliseconds since 1970. */
	startedAt: number | null;
	listed: boolean;
	/** Read from the list at each poll, so it is not stored. */
	listReference: unknown;
	/** Null for an order that only the list names. */
	posted: Posted | null;
	/** The last status word; null until the service has shown the order. */
	status: string | null;
	/** Whether the service has responded, be it "not found". */
	answered: boolean;
	/** Whether it finished before it was listed or posted. */
	finishedBefore: boolean;
	/** When its final status was seen, in milliseconds since 1970. */
	finishedSeenAt: number | null;
	/** Whether its event may have been lost when n8n stopped, and comes again. */
	redelivered: boolean;
	/** Whether Delayed was emitted; 'again' if that may have been lost when n8n stopped. */
	delayed: 'emitted' | 'again' | null;
	/** The stated expiry of a posted order, in milliseconds since 1970. */
	expiresAt: number | null;
}

export interface Posted {
	/** When it was last posted, in milliseconds since 1970. */
	at: number;
	/** Null where none was sent. */
	reference: unknown;
	/** The block explorer's link that was posted as the hash. */
	link?: string;
}

/** What a trigger knows of its orders; never changed in place. */
export interface WatchState {
	/** The higher one of two copies is the newer. */
	revision: number;
	/** By hash key, the listed orders first, in the order of the list. */
	orders: ReadonlyMap<string, WatchedOrder>;
	finished: FinishedOrders;
	/** Orders that have just started the workflow, by hash key; kept for At Least Once only. */
	recent: ReadonlyMap<string, RecentOrder>;
	/** The time of the last call taken of each process, in milliseconds since 1970; durable engine only. */
	taken: ReadonlyMap<string, number>;
	/** When n8n commits nothing more of the durable poll under way, in milliseconds since 1970; 0 without one. */
	polledUntil: number;
}

export interface RecentOrder {
	order: WatchedOrder;
	/** When it was emitted, in milliseconds since 1970. */
	at: number;
}

export interface WatchRules {
	events: readonly FinalStatus[];
	/** Whether orders that finished before they were listed or posted count. */
	includeFinished: boolean;
	/** Age at which an order is delayed, in milliseconds; absent where Delayed is not chosen. */
	delayedAfterMs?: number;
	/** Whether a posted order starts the workflow when its watch expires. */
	emitsWatchExpired?: boolean;
	/** Whether what may have been lost when n8n stopped comes again. */
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

/** Whether another poll works on this state; a time further ahead than two budgets is a clock's mistake. */
export function isBeingPolled({ polledUntil }: WatchState, budgetMs: number, now: number): boolean {
	return polledUntil > now && polledUntil <= now + 2 * budgetMs;
}

/** An order that no check has shown yet. */
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

/** The poster's reference, or else the label of the list. */
export function referenceOf({ posted, listReference }: WatchedOrder): unknown {
	return posted?.reference ?? listReference;
}

/** Whether the order is still checked: it may yet start the workflow under these rules. */
export function isOpen(order: WatchedOrder, rules: WatchRules): boolean {
	if (order.finishedBefore && !rules.includeFinished) return false;
	return !isFinalStatus(order.status) || rules.events.includes(order.status);
}

/** By hash key. */
export function openOrders(state: WatchState, rules: WatchRules): Map<string, OpenOrder> {
	const open = new Map<string, OpenOrder>();
	for (const [key, order] of state.orders) {
		if (!isOpen(order, rules)) continue;
		const { sourceHash, posted, since, startedAt, status } = order;
		open.set(key, {
			sourceHash,
			// Until the service has shown it, its latest post is the best guess of its beginning.
			...(posted === null ? {} : { postedAt: status === null ? posted.at : since }),
			...(startedAt === null ? {} : { startedAt }),
		});
	}
	return open;
}

/** How many open orders the trigger watches, and for how many more there is room. */
export function placesIn(state: WatchState, rules: WatchRules) {
	const watching = openOrders(state, rules).size;
	return { watching, room: Math.max(0, MAX_WATCHED - watching) };
}

/** Null for an order that has not finished, or is no longer remembered. */
export function finishedOrder({ finished }: WatchState, sourceHash: string): FinishedOrder | null {
	return finished.get(digestOf(sourceHash)) ?? null;
}

/** How an order is remembered once it has finished, without an event so far. */
export function asFinished(
	{ finishedSeenAt, listed, posted }: WatchedOrder,
	status: FinalStatus,
	now: number,
): FinishedOrder {
	return { status, at: finishedSeenAt ?? now, emitted: false, listed, posted: posted !== null };
}

/** n8n saves the state before the execution: an event this young when n8n stops may be lost. */
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

/** The state as another process takes it over: what may have been lost is open again. */
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

/** The state as if the order's event, between `before` and `after`, had not been emitted; what has changed since stays. */
export function withEventUndone(
	state: WatchState,
	key: string,
	before: WatchState,
	after: WatchState,
	now: number,
): WatchState {
	const orderBefore = before.orders.get(key);
	if (orderBefore === undefined) return state;
	const present = state.orders.get(key);
	// After Delayed an order stays, and may have finished since.
	const staysOpen = after.orders.has(key);
	if (staysOpen ? present?.delayed !== 'emitted' : present !== undefined) return state;
	const { delayed, answered } = orderBefore;
	const order = present === undefined ? orderBefore : { ...present, delayed, answered };
	const digest = digestOf(key);
	// Another spelling of the hash may have finished before.
	const known = before.finished.get(digest);
	const finished = new Map(state.finished);
	if (known === undefined) finished.delete(digest);
	else finished.set(digest, known);
	const recent = new Map(state.recent);
	recent.delete(key);
	const orders = new Map([[key, order], ...state.orders]).set(key, order);
	return changed({ ...state, recent }, orders, now, finished);
}

/** A new revision, which is a time, so that copies made in different processes compare. */
export function changed(
	state: WatchState,
	orders: WatchState['orders'],
	now: number,
	finished = state.finished,
): WatchState {
	const young = [...state.recent].filter(([, { at }]) => Math.abs(now - at) < MAYBE_LOST_MS);
	const recent = young.length === state.recent.size ? state.recent : new Map(young);
	return { ...state, revision: Math.max(state.revision + 1, now), orders, finished, recent };
}

/** The state with the highest revision. */
export function newestOf(states: ReadonlyArray<WatchState | null>): WatchState {
	return states.reduce<WatchState>(
		(newest, state) => (state !== null && state.revision > newest.revision ? state : newest),
		EMPTY_STATE,
	);
}
