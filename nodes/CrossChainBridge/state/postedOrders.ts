import { hashKey } from '../orders/orders';
import { digestOf } from './finished';
import {
	changed,
	finishedOrder,
	isOpen,
	placesIn,
	unseenOrder,
	type WatchRules,
	type WatchState,
} from './state';

/** A stated beginning before this is taken for a mistake, in milliseconds. */
const OLDEST_START_MS = 30 * 24 * 3_600_000;

export interface PostedOrder {
	sourceHash: string;
	/** Any JSON for the item; undefined where none was sent. */
	reference: unknown;
	/** The block explorer's link that was posted as the hash. */
	link?: string;
	/** When the order began, as its poster says, in milliseconds since 1970. */
	startedAt: number | null;
}

interface Posting {
	state: WatchState;
	accepted: number;
	alreadyWatched: Array<{ sourceHash: string; reference: 'replaced' | 'kept' }>;
	alreadyFinished: Array<{
		sourceHash: string;
		status: string | null;
		finishedSeenAt: number | null;
	}>;
}

/** The state with these orders watched; null if there is no room for all of the new ones. */
export function withPosted(
	state: WatchState,
	given: readonly PostedOrder[],
	rules: WatchRules,
	now: number,
	room = placesIn(state, rules).room,
): Posting | null {
	const orders = new Map(state.orders);
	const remembered = new Map(state.finished);
	let isSame = true;
	const posting: Omit<Posting, 'state'> = { accepted: 0, alreadyWatched: [], alreadyFinished: [] };
	for (const { sourceHash, reference, link, startedAt } of given) {
		const key = hashKey(sourceHash);
		const known = orders.get(key);
		const began =
			startedAt === null ? null : Math.min(now, Math.max(now - OLDEST_START_MS, startedAt));
		const finished = known === undefined ? finishedOrder(state, sourceHash) : null;
		// One that finished while its status was not among the events may start the workflow now.
		const mayYetStart =
			finished?.emitted === false &&
			rules.includeFinished &&
			rules.events.includes(finished.status);
		if (finished !== null && !mayYetStart) {
			const { status, at, posted } = finished;
			isSame &&= posted;
			remembered.set(digestOf(key), { ...finished, posted: true });
			posting.alreadyFinished.push({ sourceHash, status, finishedSeenAt: at });
			continue;
		}
		isSame = false;
		if (known === undefined) {
			const posted = { at: now, reference: reference ?? null, link };
			const from = { listed: false, posted };
			orders.set(key, unseenOrder(sourceHash, { ...from, startedAt: began }, now));
			posting.accepted++;
		} else {
			const kept = known.posted?.reference ?? null;
			orders.set(key, {
				...known,
				posted: {
					at: now,
					reference: reference === undefined ? kept : reference,
					link: link ?? known.posted?.link,
				},
				startedAt: began ?? known.startedAt,
			});
			const { status, finishedSeenAt } = known;
			if (!isOpen(known, rules))
				posting.alreadyFinished.push({ sourceHash, status, finishedSeenAt });
			else
				posting.alreadyWatched.push({
					sourceHash,
					reference: reference === undefined ? 'kept' : 'replaced',
				});
		}
	}
	if (posting.accepted > room) return null;
	return { ...posting, state: isSame ? state : changed(state, orders, now, remembered) };
}

interface Removal {
	state: WatchState;
	removed: number;
	/** They stay watched while the list names them. */
	listed: string[];
	/** They are not known, or have finished. */
	notWatched: string[];
}

/** The state without these orders, as far as they were posted. */
export function withoutPosted(
	state: WatchState,
	sourceHashes: readonly string[],
	rules: WatchRules,
	now: number,
): Removal {
	const orders = new Map(state.orders);
	const recent = new Map(state.recent);
	let isSame = true;
	const removal: Omit<Removal, 'state'> = { removed: 0, listed: [], notWatched: [] };
	for (const sourceHash of sourceHashes) {
		const key = hashKey(sourceHash);
		const known = orders.get(key);
		if (known === undefined || !isOpen(known, rules)) removal.notWatched.push(sourceHash);
		else if (known.listed) {
			removal.listed.push(sourceHash);
			if (known.posted === null) continue;
			orders.set(key, { ...known, posted: null });
			isSame = false;
		} else {
			orders.delete(key);
			recent.delete(key);
			removal.removed++;
			isSame = false;
		}
	}
	return { ...removal, state: isSame ? state : changed({ ...state, recent }, orders, now) };
}
