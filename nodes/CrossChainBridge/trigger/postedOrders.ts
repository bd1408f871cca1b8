import { hashKey } from '../bridge/orders';
import { type FinishedOrder, withoutForgotten } from './finished';
import { MOST_SOURCE_HASHES } from './sourceHashes';
import { changed, finishedOrder, isOpen, openOrders, unseenOrder, type WatchedOrder, type WatchRules, type WatchState } from './state';

/**
 * What the webhook and the passing of time do to a watch: posted orders are added, removed, and expire. Pure; states are
 * never changed in place.
 */

const HOUR_MS = 3_600_000;
const EXPIRED_AFTER_EXPIRY_MS = 24 * HOUR_MS;
const EXPIRED_WITHOUT_EXPIRY_MS = 48 * HOUR_MS;

/** A listed order that the service has not known for so long is reported once, and checked once an hour. */
const LISTED_UNKNOWN_MS = 24 * HOUR_MS;

/** A stated expiry beyond this is not waited for: nothing may keep its place for ever. */
const LATEST_EXPIRY_MS = 30 * 24 * HOUR_MS;

/** A stated beginning is believed within these bounds. */
const OLDEST_START_MS = 30 * 24 * HOUR_MS;

/** An order as it is posted. */
export interface PostedOrder {
	sourceHash: string;
	/** Any JSON; undefined where none was sent. */
	reference: unknown;
	/** When the order began, as the poster says, in milliseconds since 1970; null where nothing was said. */
	startedAt: number | null;
}

/** How many more orders may be watched. */
export function roomIn(state: WatchState, rules: WatchRules): number {
	return Math.max(0, MOST_SOURCE_HASHES - openOrders(state, rules).length);
}

/** What became of posted orders. */
export interface Posting {
	state: WatchState;
	/** How many are watched from now on. */
	accepted: number;
	/** Those that were watched before. */
	alreadyWatched: Array<{ sourceHash: string; reference: 'replaced' | 'kept' }>;
	/** Those that are known to have finished. */
	alreadyFinished: Array<{ sourceHash: string; status: string | null; finishedSeenAt: number | null }>;
}

/** The state with these orders watched, each once; null if there is no room for all of the new ones. */
export function withPosted(state: WatchState, posted: readonly PostedOrder[], rules: WatchRules, now: number, room = roomIn(state, rules)): Posting | null {
	const orders = new Map(state.orders);
	const posting: Omit<Posting, 'state'> = { accepted: 0, alreadyWatched: [], alreadyFinished: [] };
	for (const { sourceHash, reference, startedAt } of posted) {
		const key = hashKey(sourceHash);
		const known = orders.get(key);
		const began = startedAt === null ? null : Math.min(now, Math.max(now - OLDEST_START_MS, startedAt));
		const finished = known === undefined ? finishedOrder(state, sourceHash) : null;
		if (finished !== null && !mayYetBeEmitted(finished, rules)) {
			posting.alreadyFinished.push({ sourceHash, status: finished.status, finishedSeenAt: finished.at });
		} else if (known === undefined) {
			const order = unseenOrder(sourceHash, { listed: false, posted: { at: now, reference: reference ?? null } }, now);
			orders.set(key, { ...order, startedAt: began });
			posting.accepted++;
		} else if (isOpen(known, rules)) {
			const kept = known.posted?.reference ?? null;
			const again = { at: now, reference: reference === undefined ? kept : reference };
			orders.set(key, { ...known, posted: again, startedAt: began ?? known.startedAt, expired: false });
			posting.alreadyWatched.push({ sourceHash, reference: reference === undefined ? 'kept' : 'replaced' });
		} else {
			posting.alreadyFinished.push({ sourceHash, status: known.status, finishedSeenAt: known.finishedSeenAt });
		}
	}
	if (posting.accepted > room) return null;
	const isNew = posting.accepted + posting.alreadyWatched.length > 0;
	return { ...posting, state: isNew ? changed(state, orders, now) : state };
}

/** One that finished while its status was not among the events, and would start the workflow now. */
function mayYetBeEmitted({ emitted, status }: FinishedOrder, rules: WatchRules): boolean {
	return !emitted && rules.includeFinished && rules.events.includes(status);
}

/** What became of orders that are no longer to be watched. */
export interface Removal {
	state: WatchState;
	removed: number;
	/** They stay watched, since the list in the node's field names them. */
	listed: string[];
	/** Unknown here, or finished. */
	notWatched: string[];
}

/**
 * The state without these orders, as far as they were posted. What has finished stays remembered. `listIsOlder`: the list names some
 * of them that it did not name when they were removed; it is read again, and decides.
 */
export function withoutPosted(state: WatchState, sourceHashes: readonly string[], rules: WatchRules, now: number, listIsOlder = false): Removal {
	const orders = new Map(state.orders);
	const removal: Omit<Removal, 'state'> = { removed: 0, listed: [], notWatched: [] };
	for (const sourceHash of sourceHashes) {
		const key = hashKey(sourceHash);
		const known = orders.get(key);
		if (known === undefined || !isOpen(known, rules)) removal.notWatched.push(sourceHash);
		else if (known.listed && !listIsOlder) removal.listed.push(sourceHash);
		else {
			if (known.listed) orders.set(key, { ...known, posted: null });
			else orders.delete(key);
			removal.removed++;
		}
	}
	return { ...removal, state: removal.removed === 0 ? state : changed(state, orders, now) };
}

/**
 * The state without what is no longer needed: posted orders that finished a day ago, and those whose watch has
 * expired since they are still open long after they should have finished. An order of the list that the service has not
 * known for a day expires as well: it stays, marked as `expired`. `watchExpired` has those that have just expired, as they
 * were.
 * `answeredAt`: when the service last answered for each order, by hash key. The time since then expires nothing: it may have passed
 * while n8n was down or the service away, and the order may have finished meanwhile. `most`: how many may expire now.
 */
export function withoutExpired(
	state: WatchState,
	rules: WatchRules,
	answeredAt: ReadonlyMap<string, number>,
	now: number,
	most = Number.POSITIVE_INFINITY,
): { state: WatchState; watchExpired: WatchedOrder[] } {
	const finished = withoutForgotten(state.finished, now);
	const expired = [...state.orders].filter(([key, order]) => isOpen(order, rules) && !order.expired && (answeredAt.get(key) ?? 0) >= expiresAt(order)).slice(0, most);
	if (expired.length === 0 && finished === state.finished) return { state, watchExpired: [] };
	const orders = new Map(state.orders);
	for (const [key, order] of expired) {
		if (order.listed) orders.set(key, { ...order, expired: true });
		else orders.delete(key);
	}
	return { state: changed(state, orders, now, finished), watchExpired: expired.map(([, order]) => order) };
}

/** When the watch of an order expires. One that was posted after its expiry is watched for a day all the same. */
function expiresAt(order: WatchedOrder): number {
	const postedAt = order.posted?.at ?? order.since;
	if (order.listed) return order.status === null ? postedAt + LISTED_UNKNOWN_MS : Number.POSITIVE_INFINITY;
	if (order.expiresAt === null) return postedAt + EXPIRED_WITHOUT_EXPIRY_MS;
	return Math.min(Math.max(order.expiresAt, postedAt), postedAt + LATEST_EXPIRY_MS) + EXPIRED_AFTER_EXPIRY_MS;
}
