import { completedAtMs, type EndStatus, hashKey, isEndStatus, statusOf } from '../bridge/orders';
import { field, isPlainObject, type PlainObject } from '../bridge/values';

/**
 * Which watched orders have news. Pure: state and what was seen go in, the next state and the news come out.
 * States are never changed in place.
 */

/** What is remembered of one watched order. */
export interface WatchedOrder {
	/** In the spelling of the list. */
	sourceHash: string;
	/** When it was first listed, in milliseconds since 1970. */
	since: number;
	/** The last status word seen; null if the service has not shown the order yet. */
	status: string | null;
	/** Whether the service has said anything about this hash, be it that it does not know it. */
	answered: boolean;
	/** Its end has started the workflow. */
	told: boolean;
	/** It had ended before it was listed, and such orders are not wanted. */
	endedBefore: boolean;
}

export interface WatchState {
	/** Grows with every change worth keeping; the newer of two copies is the one with the higher number. */
	revision: number;
	/** By hash key, in the order of the list. */
	orders: ReadonlyMap<string, WatchedOrder>;
}

/** What the user wants to hear of. */
export interface WatchRules {
	events: readonly EndStatus[];
	/** Whether an order that had ended before it was listed is news as well. */
	includeEnded: boolean;
}

/** What a look at an order brought. Refusals bring nothing and leave the state as it is. */
export type Look = { kind: 'order'; order: PlainObject } | { kind: 'notFound' };

/** An end that the workflow is to be started for. */
export interface News {
	sourceHash: string;
	event: EndStatus;
	previousStatus: string | null;
	order: PlainObject;
}

export const EMPTY_STATE: WatchState = { revision: 0, orders: new Map() };

/** The state for this list: new hashes come in as unseen, those no longer listed leave, the others stay as they are. */
export function withList(state: WatchState, sourceHashes: readonly string[], now: number): WatchState {
	const orders = new Map<string, WatchedOrder>();
	for (const sourceHash of sourceHashes) {
		const key = hashKey(sourceHash);
		const known = state.orders.get(key);
		orders.set(
			key,
			known === undefined
				? { sourceHash, since: now, status: null, answered: false, told: false, endedBefore: false }
				: { ...known, sourceHash },
		);
	}
	const sameKeys = orders.size === state.orders.size && [...orders.keys()].every((key) => state.orders.has(key));
	return sameKeys ? { ...state, orders } : changed(state, orders, now);
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
	if (before === undefined || before.told) return { state, news: null };
	if (look.kind === 'notFound') {
		return { state: withOrder(state, key, { ...before, answered: true }, now), news: null };
	}
	const status = statusOf(look.order);
	const ended = isEndStatus(status);
	const endedBefore = ended && (before.endedBefore || endedBeforeListed(before, look.order));
	const isNews = ended && rules.events.includes(status) && (rules.includeEnded || !endedBefore);
	const after: WatchedOrder = { ...before, status, answered: true, told: isNews, endedBefore };
	return {
		state: withOrder(state, key, after, now),
		news: isNews
			? {
					sourceHash: before.sourceHash,
					event: status,
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

function withOrder(state: WatchState, key: string, after: WatchedOrder, now: number): WatchState {
	const before = state.orders.get(key);
	if (
		before !== undefined &&
		before.status === after.status &&
		before.answered === after.answered &&
		before.told === after.told &&
		before.endedBefore === after.endedBefore
	) {
		return state;
	}
	return changed(state, new Map(state.orders).set(key, after), now);
}

/** Revisions are times, so that copies made in different processes can be compared. */
function changed(state: WatchState, orders: ReadonlyMap<string, WatchedOrder>, now: number): WatchState {
	return { revision: Math.max(state.revision + 1, now), orders };
}

export function newestOf(states: ReadonlyArray<WatchState | null>): WatchState {
	return states.reduce<WatchState>(
		(newest, state) => (state !== null && state.revision > newest.revision ? state : newest),
		EMPTY_STATE,
	);
}

const VERSION = 1;

/** The state as n8n keeps it. A list, so that no hash can collide with an object's own names. */
export interface StoredWatch {
	version: typeof VERSION;
	revision: number;
	orders: Array<{ hash: string; since: number; status?: string; answered?: true; told?: true; endedBefore?: true }>;
}

export function storedWatch(state: WatchState): StoredWatch {
	return {
		version: VERSION,
		revision: state.revision,
		orders: [...state.orders.values()].map((order) => ({
			hash: order.sourceHash,
			since: order.since,
			...(order.status === null ? {} : { status: order.status }),
			...(order.answered ? { answered: true } : {}),
			...(order.told ? { told: true } : {}),
			...(order.endedBefore ? { endedBefore: true } : {}),
		})),
	};
}

/** The state out of what n8n kept; null for anything that this version did not write. */
export function readStoredWatch(stored: unknown): WatchState | null {
	const revision = field(stored, 'revision');
	const entries = field(stored, 'orders');
	if (field(stored, 'version') !== VERSION || typeof revision !== 'number' || !Number.isFinite(revision)) return null;
	if (!Array.isArray(entries)) return null;
	const orders = new Map<string, WatchedOrder>();
	for (const entry of entries) {
		const sourceHash = field(entry, 'hash');
		const since = field(entry, 'since');
		const status = field(entry, 'status');
		if (!isPlainObject(entry) || typeof sourceHash !== 'string' || typeof since !== 'number') return null;
		orders.set(hashKey(sourceHash), {
			sourceHash,
			since,
			status: typeof status === 'string' ? status : null,
			answered: field(entry, 'answered') === true,
			told: field(entry, 'told') === true,
			endedBefore: field(entry, 'endedBefore') === true,
		});
	}
	return { revision, orders };
}
