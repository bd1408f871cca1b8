import { type FinalStatus, expiryMs, hashKey, isFinalStatus, statusOf } from '../bridge/orders';
import type { PlainObject } from '../bridge/values';
import type { CheckOutcome } from '../checks/outcome';
import { digestOf, type FinishedOrder, type FinishedOrders, hadFinishedBy, identityOf, wasEmitted, withFinished, withListed } from './finished';

/**
 * Which watched orders have an event. Pure: a state and the result of a check go in, the next state and the event come out.
 * States are never changed in place.
 */

/** What is remembered of a watched order that has not started the workflow. */
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
	/** A listed order that the service does not know after a day: checked once an hour from then on. */
	expired: boolean;
	/** It may have started the workflow just before n8n stopped: its event is emitted again. */
	redelivered: boolean;
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
	/** By hash key; those of the list first, in its order, then those that were posted. */
	orders: ReadonlyMap<string, WatchedOrder>;
	/** Those that are done with: they have started the workflow, or were posted and finished without an event. */
	finished: FinishedOrders;
	/** With Delivery set to At Least Once: the orders that have just started the workflow, as they were before, by hash key. */
	recent: ReadonlyMap<string, RecentOrder>;
	/** The durable engine: up to when the calls that each process has accepted are part of this state (ms since 1970, by writer). */
	taken: ReadonlyMap<string, number>;
}

export interface RecentOrder {
	order: WatchedOrder;
	/** When it was emitted, in milliseconds since 1970. */
	at: number;
}

/** Which final statuses the user wants to start the workflow. */
export interface WatchRules {
	events: readonly FinalStatus[];
	/** Whether an order that had finished before it was listed or posted starts the workflow as well. */
	includeFinished: boolean;
	/** Whether what was emitted just before n8n stopped is emitted once more. */
	redelivers?: boolean;
}

/** An entry of the list in the node's field. */
export interface ListedOrder {
	sourceHash: string;
	/** Any JSON; comes back in the item. null without one. */
	reference: unknown;
}

/** A final status that the workflow is to be started for. */
export interface OrderEvent {
	sourceHash: string;
	event: FinalStatus;
	/** What the order was posted or listed with; null otherwise. */
	reference: unknown;
	previousStatus: string | null;
	/** The same event may have been emitted just before n8n stopped. */
	redelivered: boolean;
	order: PlainObject;
}

export const EMPTY_STATE: WatchState = { revision: 0, orders: new Map(), finished: new Map(), recent: new Map(), taken: new Map() };

/** An order that nothing is known of yet. */
export function unseenOrder(sourceHash: string, from: Pick<WatchedOrder, 'listed' | 'posted'> & Partial<WatchedOrder>, now: number): WatchedOrder {
	const nothingSeen = { status: null, answered: false, finishedBefore: false, finishedSeenAt: null, expired: false, redelivered: false, expiresAt: null };
	return { sourceHash, since: now, startedAt: null, listReference: null, ...nothingSeen, ...from };
}

/** Whether this order is done with, by its source hash, and how it finished; null if it is not, or no longer remembered. */
export function finishedOrder({ finished }: WatchState, sourceHash: string): FinishedOrder | null {
	return finished.size === 0 ? null : (finished.get(digestOf(hashKey(sourceHash))) ?? null);
}

/**
 * The state for this list: new hashes are added as unseen; those no longer listed are removed, unless they were posted as well; the
 * others stay as they are, and so do those that are done with.
 */
export function withList(state: WatchState, list: ReadonlyArray<string | ListedOrder>, now: number): WatchState {
	const orders = new Map<string, WatchedOrder>();
	const digests = new Set<string>();
	for (const entry of list) {
		const { sourceHash, reference } = typeof entry === 'string' ? { sourceHash: entry, reference: null } : entry;
		const key = hashKey(sourceHash);
		const known = state.orders.get(key);
		// One that has finished without an event is checked again: the events may have been chosen otherwise.
		const digest = known === undefined && state.finished.size > 0 ? digestOf(key) : '';
		if (state.finished.get(digest)?.emitted === true) digests.add(digest);
		else orders.set(key, { ...(known ?? unseenOrder(sourceHash, { listed: true, posted: null }, now)), sourceHash, listed: true, listReference: reference });
	}
	let finished = withListed(state.finished, (digest) => digests.has(digest));
	for (const [key, known] of state.orders) {
		if (known.posted === null || orders.has(key)) continue;
		if (isFinalStatus(known.status)) finished = withFinished(finished, digestOf(key), doneWith(known, known.status, now));
		else orders.set(key, { ...known, listed: false, listReference: null, expired: false });
	}
	const isSame = finished === state.finished && orders.size === state.orders.size && [...orders].every(([key, { listed }]) => state.orders.get(key)?.listed === listed);
	return isSame ? { ...state, orders } : changed(state, orders, now, finished);
}

/** Whether the order is still checked: it may yet start the workflow under these rules. */
export function isOpen(order: WatchedOrder, rules: WatchRules): boolean {
	if (order.finishedBefore && !rules.includeFinished) return false;
	return !isFinalStatus(order.status) || rules.events.includes(order.status);
}

/** Keys of the orders that are still checked. */
export function openOrders(state: WatchState, rules: WatchRules): string[] {
	return [...state.orders].filter(([, order]) => isOpen(order, rules)).map(([key]) => key);
}

/** How far apart the checks of a slow order are. */
export const SLOW_CHECK_MS = 3_600_000;

/** Whether one check an hour is enough for this order: the service has not known it for a day. */
export function isSlow(order: WatchedOrder): boolean {
	return order.expired;
}

/**
 * Applies the result of a check. An event only when the order has reached a final status among the chosen events, and once,
 * whatever the spellings under which it is watched; the state that comes with an event has it as emitted.
 */
export function applyCheck(
	state: WatchState,
	key: string,
	check: CheckOutcome,
	rules: WatchRules,
	now: number,
): { state: WatchState; event: OrderEvent | null } {
	const before = state.orders.get(key);
	if (before === undefined || check.kind === 'orderError' || check.kind === 'transient') return { state, event: null };
	if (check.kind === 'notFound') return { state: withOrder(state, key, { ...before, answered: true }, now), event: null };
	const { order } = check;
	const status = statusOf(order);
	const seen = { ...before, status, answered: true, expired: false };
	if (!isFinalStatus(status)) {
		const expiresAt = before.posted === null ? null : (expiryMs(order) ?? before.expiresAt);
		return { state: withOrder(state, key, { ...seen, finishedBefore: false, finishedSeenAt: null, expiresAt }, now), event: null };
	}
	const finishedBefore = before.finishedBefore || (!before.answered && hadFinishedBy(before, order));
	const after = { ...seen, finishedBefore, finishedSeenAt: before.finishedSeenAt ?? now, expiresAt: null };
	const isWanted = rules.events.includes(status) && (rules.includeFinished || !finishedBefore);
	// The events may yet be chosen otherwise; the list then brings back what it names.
	if (!isWanted && before.listed) return { state: withOrder(state, key, after, now), event: null };
	const identity = identityOf(order);
	const isRepeated = wasEmitted(state.finished, identity);
	const orders = new Map(state.orders);
	orders.delete(key);
	const finished = withFinished(state.finished, digestOf(key), { ...doneWith(after, status, now), emitted: isWanted, identity });
	const { sourceHash, redelivered } = before;
	const reference = before.posted?.reference ?? before.listReference;
	const previousStatus = before.status === status ? null : before.status;
	const event = isWanted && !isRepeated ? { sourceHash, event: status, reference, previousStatus, redelivered, order } : null;
	// What is emitted a second time is not emitted a third time.
	const isKept = event !== null && rules.redelivers === true && !redelivered;
	const recent = isKept ? new Map(state.recent).set(key, { order: before, at: now }) : state.recent;
	return { state: changed({ ...state, recent }, orders, now, finished), event };
}

function doneWith({ finishedSeenAt, listed, posted }: WatchedOrder, status: FinalStatus, now: number): FinishedOrder {
	return { status, at: finishedSeenAt ?? now, emitted: false, listed, posted: posted !== null, identity: null };
}

const COMPARED = ['status', 'answered', 'finishedBefore', 'finishedSeenAt', 'expired', 'expiresAt'] as const;

function withOrder(state: WatchState, key: string, after: WatchedOrder, now: number): WatchState {
	const before = state.orders.get(key);
	if (before !== undefined && COMPARED.every((name) => before[name] === after[name])) return state;
	return changed(state, new Map(state.orders).set(key, after), now);
}

/** What was emitted so long before the newest saved state may have been lost when n8n stopped: n8n saves the state first, then makes the execution. */
const MAYBE_LOST_MS = 30_000;

/** So long after the newest saved state a repetition is of no use any more. */
const REDELIVERED_WITHIN_MS = 10 * 60_000;

/** The state as another process takes it over: what was emitted just before it was saved last is open again, to be emitted once more. */
export function withRedelivery(state: WatchState, now: number): WatchState {
	if (state.recent.size === 0) return state;
	const orders = new Map(state.orders);
	const finished = new Map(state.finished);
	if (now - state.revision < REDELIVERED_WITHIN_MS) {
		for (const [key, { order }] of state.recent) {
			orders.set(key, { ...order, redelivered: true });
			finished.delete(digestOf(key));
		}
	}
	return changed({ ...state, recent: new Map() }, orders, now, finished);
}

/** Revisions are times, so that copies made in different processes can be compared. */
export function changed(state: WatchState, orders: WatchState['orders'], now: number, finished = state.finished): WatchState {
	const isOld = [...state.recent.values()].some(({ at }) => now - at >= MAYBE_LOST_MS);
	const recent = isOld ? new Map([...state.recent].filter(([, { at }]) => now - at < MAYBE_LOST_MS)) : state.recent;
	return { ...state, revision: Math.max(state.revision + 1, now), orders, finished, recent };
}

export function newestOf(states: ReadonlyArray<WatchState | null>): WatchState {
	return states.reduce<WatchState>((newest, state) => (state !== null && state.revision > newest.revision ? state : newest), EMPTY_STATE);
}
