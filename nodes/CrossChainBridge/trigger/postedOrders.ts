import { hashKey } from '../bridge/orders';
import { MOST_SOURCE_HASHES } from './sourceHashes';
import { changed, isOpen, openOrders, unseenOrder, type WatchedOrder, type WatchRules, type WatchState } from './watchState';

/**
 * What the webhook and the passing of time do to a watch: posted orders come in, are taken out again, and leave by
 * themselves. Pure; states are never changed in place.
 */

const HOUR_MS = 3_600_000;

/** How long the end of a posted order is remembered, so that posting it again does not tell it again. */
const ENDS_REMEMBERED_MS = 24 * HOUR_MS;

/** Beyond so many the oldest ends are forgotten earlier: n8n writes all that is remembered with each change. */
const MOST_ENDS_REMEMBERED = 5_000;

const GIVEN_UP_AFTER_EXPIRY_MS = 24 * HOUR_MS;
const GIVEN_UP_WITHOUT_EXPIRY_MS = 48 * HOUR_MS;

/** A stated expiry beyond this is not waited for: nothing may keep its place for ever. */
const LATEST_EXPIRY_MS = 30 * 24 * HOUR_MS;

/** An order as somebody posts it. */
export interface PostedOrder {
	sourceHash: string;
	/** Any JSON; undefined where none was sent. */
	reference: unknown;
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
	/** Those whose end is known. */
	alreadyEnded: Array<{ sourceHash: string; status: string | null; endSeenAt: number | null }>;
}

/** The state with these orders watched, each once; null if there is no room for all of the new ones. */
export function withPosted(state: WatchState, posted: readonly PostedOrder[], rules: WatchRules, now: number): Posting | null {
	const orders = new Map(state.orders);
	const posting: Omit<Posting, 'state'> = { accepted: 0, alreadyWatched: [], alreadyEnded: [] };
	for (const { sourceHash, reference } of posted) {
		const key = hashKey(sourceHash);
		const known = orders.get(key);
		if (known === undefined) {
			orders.set(key, unseenOrder(sourceHash, { listed: false, posted: { at: now, reference: reference ?? null } }, now));
			posting.accepted++;
		} else if (isOpen(known, rules)) {
			const kept = known.posted?.reference ?? null;
			orders.set(key, { ...known, posted: { at: now, reference: reference === undefined ? kept : reference } });
			posting.alreadyWatched.push({ sourceHash, reference: reference === undefined ? 'kept' : 'replaced' });
		} else {
			posting.alreadyEnded.push({ sourceHash, status: known.status, endSeenAt: known.endSeenAt });
		}
	}
	if (posting.accepted > roomIn(state, rules)) return null;
	const isNew = posting.accepted + posting.alreadyWatched.length > 0;
	return { ...posting, state: isNew ? changed(state, orders, now) : state };
}

/** What became of orders that are no longer to be watched. */
export interface Removal {
	state: WatchState;
	removed: number;
	/** They stay watched, since the list in the node's field names them. */
	listed: string[];
	/** Unknown here, or ended. */
	notWatched: string[];
}

/** The state without these orders, as far as they were posted. What has ended stays remembered. */
export function withoutPosted(state: WatchState, sourceHashes: readonly string[], rules: WatchRules, now: number): Removal {
	const orders = new Map(state.orders);
	const removal: Omit<Removal, 'state'> = { removed: 0, listed: [], notWatched: [] };
	for (const sourceHash of sourceHashes) {
		const key = hashKey(sourceHash);
		const known = orders.get(key);
		if (known === undefined || !isOpen(known, rules)) removal.notWatched.push(sourceHash);
		else if (known.listed) removal.listed.push(sourceHash);
		else {
			orders.delete(key);
			removal.removed++;
		}
	}
	return { ...removal, state: removal.removed === 0 ? state : changed(state, orders, now) };
}

/**
 * The state without posted orders that nobody waits for any more: ends that were seen a day ago, and orders that are
 * given up since they have not ended long after they should have. The list's own orders stay.
 * `lookedAt`: when the service last answered for each order, by hash key. Time alone gives nothing up: it may have passed
 * while n8n was down or the service away, and the order may have ended meanwhile.
 */
export function withoutOldPosted(
	state: WatchState,
	rules: WatchRules,
	lookedAt: ReadonlyMap<string, number>,
	now: number,
): { state: WatchState; givenUp: WatchedOrder[] } {
	const ours = [...state.orders].filter(([, order]) => order.posted !== null && !order.listed);
	const givenUp = ours.filter(([key, order]) => isOpen(order, rules) && (lookedAt.get(key) ?? 0) >= givenUpAt(order));
	const ended = ours.filter(([, order]) => order.endSeenAt !== null && !isOpen(order, rules)).sort(([, a], [, b]) => endOf(b) - endOf(a));
	const forgotten = ended.filter(([, order], place) => place >= MOST_ENDS_REMEMBERED || now - endOf(order) >= ENDS_REMEMBERED_MS);
	if (givenUp.length + forgotten.length === 0) return { state, givenUp: [] };
	const orders = new Map(state.orders);
	for (const [key] of [...givenUp, ...forgotten]) orders.delete(key);
	return { state: changed(state, orders, now), givenUp: givenUp.map(([, order]) => order) };
}

function endOf({ endSeenAt }: WatchedOrder): number {
	return endSeenAt ?? 0;
}

/** An order that was posted after its expiry is watched for a day all the same. */
function givenUpAt({ posted, since, expiresAt }: WatchedOrder): number {
	const postedAt = posted?.at ?? since;
	if (expiresAt === null) return postedAt + GIVEN_UP_WITHOUT_EXPIRY_MS;
	return Math.min(Math.max(expiresAt, postedAt), postedAt + LATEST_EXPIRY_MS) + GIVEN_UP_AFTER_EXPIRY_MS;
}
