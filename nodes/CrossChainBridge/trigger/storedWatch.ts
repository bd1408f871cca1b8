import { hashKey } from '../bridge/orders';
import { field, isPlainObject } from '../bridge/values';
import type { Posted, WatchedOrder, WatchState } from './watchState';

/** The state as n8n keeps it, and back. Pure. */

const VERSION = 2;

/** Version 1 knew no posted orders: all were listed. */
const READABLE_VERSIONS: readonly unknown[] = [1, VERSION];

/** What is left out of an order is false, null or absent; a list, so that no hash can collide with an object's own names. */
export interface StoredWatch {
	version: typeof VERSION;
	revision: number;
	orders: StoredOrder[];
}

interface StoredOrder {
	hash: string;
	since: number;
	status?: string;
	answered?: true;
	told?: true;
	endedBefore?: true;
	endSeenAt?: number;
	expiresAt?: number;
	posted?: { at: number; reference?: unknown };
	/** A posted order that the list does not name. */
	unlisted?: true;
}

export function storedWatch(state: WatchState): StoredWatch {
	return { version: VERSION, revision: state.revision, orders: [...state.orders.values()].map(storedOrder) };
}

function storedOrder(order: WatchedOrder): StoredOrder {
	const { posted } = order;
	return {
		hash: order.sourceHash,
		since: order.since,
		...(order.status === null ? {} : { status: order.status }),
		...(order.answered ? { answered: true } : {}),
		...(order.told ? { told: true } : {}),
		...(order.endedBefore ? { endedBefore: true } : {}),
		...(order.endSeenAt === null ? {} : { endSeenAt: order.endSeenAt }),
		...(order.expiresAt === null ? {} : { expiresAt: order.expiresAt }),
		...(posted === null ? {} : { posted: { at: posted.at, ...(posted.reference === null ? {} : { reference: posted.reference }) } }),
		...(order.listed ? {} : { unlisted: true }),
	};
}

/** The state out of what n8n kept; null for anything that this package did not write. */
export function readStoredWatch(stored: unknown): WatchState | null {
	const revision = field(stored, 'revision');
	const entries = field(stored, 'orders');
	if (!READABLE_VERSIONS.includes(field(stored, 'version')) || !isTime(revision) || !Array.isArray(entries)) return null;
	const orders = new Map<string, WatchedOrder>();
	for (const entry of entries) {
		const order = readOrder(entry);
		if (order === null) return null;
		orders.set(hashKey(order.sourceHash), order);
	}
	return { revision, orders };
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
		// An order that was neither listed nor posted would never leave.
		listed: field(entry, 'unlisted') !== true || posted === null,
		posted,
		status: typeof status === 'string' ? status : null,
		answered: field(entry, 'answered') === true,
		told: field(entry, 'told') === true,
		endedBefore: field(entry, 'endedBefore') === true,
		endSeenAt: timeOrNull(field(entry, 'endSeenAt')),
		expiresAt: timeOrNull(field(entry, 'expiresAt')),
	};
}

function readPosted(stored: unknown): Posted | null {
	const at = field(stored, 'at');
	return isPlainObject(stored) && isTime(at) ? { at, reference: field(stored, 'reference') ?? null } : null;
}

function isTime(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value);
}

function timeOrNull(value: unknown): number | null {
	return isTime(value) ? value : null;
}
