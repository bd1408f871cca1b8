import { completedAtMs, type EndStatus, expiryMs, hashKey, isEndStatus, statusOf } from '../bridge/orders';
import type { PlainObject } from '../bridge/values';

/**
 * Which watched orders have news. Pure: state and what was seen go in, the next state and the news come out.
 * States are never changed in place.
 */

/** What is remembered of one watched order. */
export interface WatchedOrder {
	/** In the spelling in which it was listed or posted. */
	sourceHash: string;
	/** When it was first listed or posted, in milliseconds since 1970. */
	since: number;
	/** Whether the list in the node's field names it. */
	listed: boolean;
	/** What came with it when it was posted to the webhook; null for an order that the list alone names. */
	posted: Posted | null;
	/** The last status word seen; null if the service has not shown the order yet. */
	status: string | null;
	/** Whether the service has said anything about this hash, be it that it does not know it. */
	answered: boolean;
	/** Its end has started the workflow. */
	told: boolean;
	/** It had ended before it was listed or posted. */
	endedBefore: boolean;
	/** When its end was seen, in milliseconds since 1970; null while it is open. */
	endSeenAt: number | null;
	/** When it expires, as the service states it, in milliseconds since 1970; kept of posted orders alone, which are given up some time after. */
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
}

/** What the user wants to hear of. */
export interface WatchRules {
	events: readonly EndStatus[];
	/** Whether an order that had ended before it was listed is news as well. */
	includeEnded: boolean;
}

/** What the service answered to a look; `refused`: it takes no such hash. Where it did not answer there was no look. */
export type Look = { kind: 'order'; order: PlainObject } | { kind: 'notFound' } | { kind: 'refused' };

/** An end that the workflow is to be started for. */
export interface News {
	sourceHash: string;
	event: EndStatus;
	/** What the order was posted with; null otherwise. */
	reference: unknown;
	previousStatus: string | null;
	order: PlainObject;
}

export const EMPTY_STATE: WatchState = { revision: 0, orders: new Map() };

/** An order that nothing is known of yet. */
export function unseenOrder(sourceHash: string, from: { listed: boolean; posted: Posted | null }, now: number): WatchedOrder {
	const nothingSeen = { status: null, answered: false, told: false, endedBefore: false, endSeenAt: null, expiresAt: null };
	return { sourceHash, since: now, ...from, ...nothingSeen };
}

/**
 * The state for this list: new hashes come in as unseen; those no longer listed leave, unless they were posted as well;
 * the others stay as they are.
 */
export function withList(state: WatchState, sourceHashes: readonly string[], now: number): WatchState {
	const orders = new Map<string, WatchedOrder>();
	for (const sourceHash of sourceHashes) {
		const key = hashKey(sourceHash);
		const known = state.orders.get(key);
		orders.set(key, known === undefined ? unseenOrder(sourceHash, { listed: true, posted: null }, now) : { ...known, sourceHash, listed: true });
	}
	for (const [key, known] of state.orders) {
		if (known.posted !== null && !orders.has(key)) orders.set(key, { ...known, listed: false });
	}
	const isSame = orders.size === state.orders.size && [...orders].every(([key, { listed }]) => state.orders.get(key)?.listed === listed);
	return isSame ? { ...state, orders } : changed(state, orders, now);
}

/** The state with the list of `before` in force again: what that names is there as it was, or as it has become since. */
export function withListOf(before: WatchState, state: WatchState, now: number): WatchState {
	const orders = new Map<string, WatchedOrder>();
	for (const [key, known] of before.orders) {
		const present = state.orders.get(key) ?? (known.listed ? known : null);
		if (present !== null) orders.set(key, { ...present, listed: known.listed });
	}
	for (const [key, added] of state.orders) {
		if (!before.orders.has(key) && added.posted !== null) orders.set(key, { ...added, listed: false });
	}
	return changed(state, orders, now);
}

/** Whether the order is still looked at: it may yet become news under these rules. */
export function isOpen(order: WatchedOrder, rules: WatchRules): boolean {
	if (order.told) return false;
	if (order.endedBefore && !rules.includeEnded) return false;
	return !isEndStatus(order.status) || rules.events.includes(order.status);
}

/** Keys of the orders that are still looked at. */
export function openOrders(state: WatchState, rules: WatchRules): string[] {
	return [...state.orders].filter(([, order]) => isOpen(order, rules)).map(([key]) => key);
}

/**
 * Takes in what a look brought. News only when the order has reached an end among the chosen events, and once; the
 * state that comes with news has it as told.
 */
export function afterLook(
	state: WatchState,
	key: string,
	look: Look,
	rules: WatchRules,
	now: number,
): { state: WatchState; news: News | null } {
	const before = state.orders.get(key);
	if (before === undefined || before.told || look.kind === 'refused') return { state, news: null };
	if (look.kind === 'notFound') {
		return { state: withOrder(state, key, { ...before, answered: true }, now), news: null };
	}
	const status = statusOf(look.order);
	const ended = isEndStatus(status);
	const endedBefore = ended && (before.endedBefore || endedBeforeListed(before, look.order));
	const isNews = ended && rules.events.includes(status) && (rules.includeEnded || !endedBefore);
	const after: WatchedOrder = {
		...before,
		status,
		answered: true,
		told: isNews,
		endedBefore,
		endSeenAt: ended ? (before.endSeenAt ?? now) : null,
		// Once it has been told nobody asks for its reference any more, and it may be large.
		posted: before.posted === null || !isNews ? before.posted : { ...before.posted, reference: null },
		expiresAt: before.posted === null || ended ? null : (expiryMs(look.order) ?? before.expiresAt),
	};
	return {
		state: withOrder(state, key, after, now),
		news: isNews
			? {
					sourceHash: before.sourceHash,
					event: status,
					reference: before.posted?.reference ?? null,
					previousStatus: before.status === status ? null : before.status,
					order: look.order,
				}
			: null,
	};
}

/**
 * Whether the order had ended before it was listed. One that was ever seen open, or not yet known, had not. Else its
 * stated time of completion tells (in whole seconds); without one, an end at the very first answer was there before.
 */
function endedBeforeListed(before: WatchedOrder, order: PlainObject): boolean {
	if (before.answered) return false;
	const completedAt = completedAtMs(order);
	return completedAt === null || completedAt < Math.floor(before.since / 1000) * 1000;
}

const COMPARED = ['status', 'answered', 'told', 'endedBefore', 'endSeenAt', 'expiresAt'] as const;

function withOrder(state: WatchState, key: string, after: WatchedOrder, now: number): WatchState {
	const before = state.orders.get(key);
	if (before !== undefined && COMPARED.every((name) => before[name] === after[name])) return state;
	return changed(state, new Map(state.orders).set(key, after), now);
}

/** Revisions are times, so that copies made in different processes can be compared. */
export function changed(state: WatchState, orders: ReadonlyMap<string, WatchedOrder>, now: number): WatchState {
	return { revision: Math.max(state.revision + 1, now), orders };
}

export function newestOf(states: ReadonlyArray<WatchState | null>): WatchState {
	return states.reduce<WatchState>(
		(newest, state) => (state !== null && state.revision > newest.revision ? state : newest),
		EMPTY_STATE,
	);
}

