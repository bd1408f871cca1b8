import { plainJson, tidyJson } from '../orders/exactJson';
import { hashKey } from '../orders/orders';
import { MAX_HASH_LENGTH } from '../orders/sourceHash';
import { field } from '../orders/values';
import { MAX_REMEMBERED, readFinished, storedFinished } from './finished';
import {
	MAX_REFERENCE_BYTES,
	MAX_WATCHED,
	type Posted,
	type RecentOrder,
	type WatchedOrder,
	type WatchState,
} from './state';

const VERSION = 4;

/** Far more than are ever open, with posts from before the list was replaced. */
const MAX_ENTRIES = 10 * MAX_WATCHED;

/** The state as plain JSON, which readStoredWatch reads: lists, so that no hash collides with an object's own names. */
export function storedWatch(state: WatchState) {
	const { revision, orders, finished, recent, taken, polledUntil } = state;
	return {
		version: VERSION,
		revision,
		orders: [...orders.values()].map(storedOrder),
		finished: storedFinished(finished),
		recent: [...recent.values()].map(({ order, at }) => ({ at, order: storedOrder(order) })),
		taken: [...taken],
		polledUntil,
	};
}

/** An order without what is false or null; the list states its references at each poll. */
function storedOrder({ listed, posted, ...order }: WatchedOrder): object {
	const kept = posted && { ...posted, reference: posted.reference ?? undefined };
	const fields = { ...order, listReference: null, posted: kept, unlisted: !listed };
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== null && value !== false),
	);
}

/** The state out of what n8n kept; null for anything that this package did not write. */
export function readStoredWatch(stored: unknown): WatchState | null {
	const revision = field(stored, 'revision');
	const entries = field(stored, 'orders');
	if (field(stored, 'version') !== VERSION || !isTime(revision) || !Array.isArray(entries))
		return null;
	const finished = readFinished(field(stored, 'finished'), MAX_REMEMBERED + MAX_WATCHED);
	if (finished === null) return null;
	const orders = new Map<string, WatchedOrder>();
	for (const entry of entriesOf(entries)) {
		const order = readWatchedOrder(entry);
		if (order === null) return null;
		orders.set(hashKey(order.sourceHash), order);
	}
	return {
		revision,
		orders,
		finished,
		recent: readRecent(field(stored, 'recent')),
		taken: readTaken(field(stored, 'taken')),
		polledUntil: timeOrNull(field(stored, 'polledUntil')) ?? 0,
	};
}

function readRecent(stored: unknown): WatchState['recent'] {
	const recent = new Map<string, RecentOrder>();
	for (const entry of entriesOf(stored)) {
		const order = readWatchedOrder(field(entry, 'order'));
		const at = field(entry, 'at');
		if (order !== null && isTime(at)) recent.set(hashKey(order.sourceHash), { order, at });
	}
	return recent;
}

function readTaken(stored: unknown): WatchState['taken'] {
	const taken = new Map<string, number>();
	for (const entry of entriesOf(stored)) {
		const [writer, at]: unknown[] = Array.isArray(entry) ? entry : [];
		if (typeof writer === 'string' && isTime(at)) taken.set(writer, at);
	}
	return taken;
}

function entriesOf(stored: unknown): unknown[] {
	return Array.isArray(stored) ? stored.slice(0, MAX_ENTRIES) : [];
}

function readWatchedOrder(stored: unknown): WatchedOrder | null {
	const sourceHash = field(stored, 'sourceHash');
	const since = field(stored, 'since');
	const status = field(stored, 'status');
	const delayed = field(stored, 'delayed');
	if (typeof sourceHash !== 'string' || sourceHash.length > MAX_HASH_LENGTH || !isTime(since))
		return null;
	const posted = readPosted(field(stored, 'posted'));
	return {
		sourceHash,
		since,
		startedAt: timeOrNull(field(stored, 'startedAt')),
		// An order that was neither listed nor posted would never be removed.
		listed: field(stored, 'unlisted') !== true || posted === null,
		listReference: null,
		posted,
		status: typeof status === 'string' ? status : null,
		answered: field(stored, 'answered') === true,
		finishedBefore: field(stored, 'finishedBefore') === true,
		finishedSeenAt: timeOrNull(field(stored, 'finishedSeenAt')),
		redelivered: field(stored, 'redelivered') === true,
		delayed: delayed === 'emitted' || delayed === 'again' ? delayed : null,
		expiresAt: timeOrNull(field(stored, 'expiresAt')),
	};
}

function readPosted(stored: unknown): Posted | null {
	const at = field(stored, 'at');
	if (!isTime(at)) return null;
	const reference = plainJson(field(stored, 'reference'));
	return {
		at,
		reference: isModestReference(reference) ? reference : null,
		...linkField(field(stored, 'link')),
	};
}

/** Characters; a link to a transaction has about a hundred. */
const MAX_LINK_LENGTH = 500;

/** A link as a field, if the state has room for it. */
export function linkField(link: unknown): { link?: string } {
	return typeof link === 'string' && link.length <= MAX_LINK_LENGTH ? { link } : {};
}

/** Whether a reference is small enough to be kept with each order. */
export function isModestReference(reference: unknown): boolean {
	return (
		tidyJson(reference) &&
		Buffer.byteLength(JSON.stringify(reference ?? null)) <= MAX_REFERENCE_BYTES
	);
}

/** Whether it is a number that a date can have, in milliseconds. */
export function isTime(value: unknown): value is number {
	return typeof value === 'number' && Math.abs(value) <= 8.64e15;
}

function timeOrNull(value: unknown): number | null {
	return isTime(value) ? value : null;
}
