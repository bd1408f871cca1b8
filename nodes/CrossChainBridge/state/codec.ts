import { plainJson } from '../orders/exactJson';
import { hashKey } from '../orders/orders';
import { field, isPlainObject } from '../orders/values';
import { readFinished, storedFinished } from './finished';
import type { Posted, RecentOrder, WatchedOrder, WatchState } from './state';

/** The state as n8n keeps it, and back. Pure. */

const VERSION = 3;

/** A revision is a time. One further ahead than this was not written by this trigger. */
const BELIEVED_AHEAD_MS = 24 * 3_600_000;

/** The oldest there is: any other copy of the state wins, and without one nothing is lost. */
const OLDEST_REVISION = 1;

/** What is left out of an order is false, null or absent; a list, so that no hash can collide with an object's own names. */
export interface StoredWatch {
	version: typeof VERSION;
	revision: number;
	orders: StoredOrder[];
	/** As `storedFinished` writes it. */
	finished: string;
	recent?: Array<{ at: number; order: StoredOrder }>;
	taken?: Array<[writer: string, at: number]>;
	polledUntil?: number;
}

interface StoredOrder {
	hash: string;
	since: number;
	startedAt?: number;
	status?: string;
	answered?: true;
	finishedBefore?: true;
	seenAt?: number;
	expired?: true;
	redelivered?: true;
	expiresAt?: number;
	posted?: { at: number; reference?: unknown };
	/** A posted order that the list does not name. */
	unlisted?: true;
}

export function storedWatch(state: WatchState): StoredWatch {
	const orders = [...state.orders.values()].map(storedOrder);
	const recent = [...state.recent.values()].map(({ order, at }) => ({
		at,
		order: storedOrder(order),
	}));
	return {
		version: VERSION,
		revision: state.revision,
		orders,
		finished: storedFinished(state.finished),
		...(recent.length === 0 ? {} : { recent }),
		...(state.taken.size === 0 ? {} : { taken: [...state.taken] }),
		...(state.polledUntil === 0 ? {} : { polledUntil: state.polledUntil }),
	};
}

function storedOrder(order: WatchedOrder): StoredOrder {
	const { posted } = order;
	return {
		hash: order.sourceHash,
		since: order.since,
		...(order.startedAt === null ? {} : { startedAt: order.startedAt }),
		...(order.status === null ? {} : { status: order.status }),
		...(order.answered ? { answered: true } : {}),
		...(order.finishedBefore ? { finishedBefore: true } : {}),
		...(order.finishedSeenAt === null ? {} : { seenAt: order.finishedSeenAt }),
		...(order.expired ? { expired: true } : {}),
		...(order.redelivered ? { redelivered: true } : {}),
		...(order.expiresAt === null ? {} : { expiresAt: order.expiresAt }),
		...(posted === null
			? {}
			: {
					posted: {
						at: posted.at,
						...(posted.reference === null ? {} : { reference: posted.reference }),
					},
				}),
		...(order.listed ? {} : { unlisted: true }),
	};
}

/**
 * The state out of what n8n kept; null for anything that this package did not write. Plain data throughout, whatever n8n
 * wraps its own in.
 */
export function readStoredWatch(stored: unknown, now: number): WatchState | null {
	const revision = field(stored, 'revision');
	const entries = field(stored, 'orders');
	const finished = readFinished(field(stored, 'finished'));
	if (
		field(stored, 'version') !== VERSION ||
		!isTime(revision) ||
		!Array.isArray(entries) ||
		finished === null
	)
		return null;
	const orders = new Map<string, WatchedOrder>();
	for (const entry of entries) {
		const order = readOrder(entry);
		if (order === null) return null;
		orders.set(hashKey(order.sourceHash), order);
	}
	return {
		revision: revision > now + BELIEVED_AHEAD_MS ? OLDEST_REVISION : revision,
		orders,
		finished,
		recent: readRecent(field(stored, 'recent')),
		taken: readTaken(field(stored, 'taken')),
		polledUntil: timeOrNull(field(stored, 'polledUntil')) ?? 0,
	};
}

/** Entries that cannot be read are left out: they only serve to repeat an event. */
function readRecent(stored: unknown): WatchState['recent'] {
	const recent = new Map<string, RecentOrder>();
	for (const entry of Array.isArray(stored) ? stored : []) {
		const order = readOrder(field(entry, 'order'));
		const at = field(entry, 'at');
		if (order !== null && isTime(at)) recent.set(hashKey(order.sourceHash), { order, at });
	}
	return recent;
}

function readTaken(stored: unknown): WatchState['taken'] {
	const pairs = Array.isArray(stored) ? stored : [];
	return new Map(
		pairs
			.filter(
				(pair): pair is [string, number] =>
					Array.isArray(pair) && typeof pair[0] === 'string' && isTime(pair[1]),
			)
			.map(([writer, at]) => [writer, at]),
	);
}

function readOrder(entry: unknown): WatchedOrder | null {
	const sourceHash = field(entry, 'hash');
	const since = field(entry, 'since');
	const status = field(entry, 'status');
	if (typeof sourceHash !== 'string' || !isTime(since)) return null;
	const posted = readPosted(field(entry, 'posted'));
	return {
		sourceHash,
		since,
		startedAt: timeOrNull(field(entry, 'startedAt')),
		// An order that was neither listed nor posted would never be removed.
		listed: field(entry, 'unlisted') !== true || posted === null,
		listReference: null,
		posted,
		status: typeof status === 'string' ? status : null,
		answered: field(entry, 'answered') === true,
		finishedBefore: field(entry, 'finishedBefore') === true,
		finishedSeenAt: timeOrNull(field(entry, 'seenAt')),
		expired: field(entry, 'expired') === true,
		redelivered: field(entry, 'redelivered') === true,
		expiresAt: timeOrNull(field(entry, 'expiresAt')),
	};
}

function readPosted(stored: unknown): Posted | null {
	const at = field(stored, 'at');
	return isPlainObject(stored) && isTime(at)
		? { at, reference: plainJson(field(stored, 'reference')) }
		: null;
}

function isTime(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value);
}

function timeOrNull(value: unknown): number | null {
	return isTime(value) ? value : null;
}
