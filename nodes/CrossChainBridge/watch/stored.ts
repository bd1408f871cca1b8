import { plainJson, tidyJson } from '../orders/exactJson';
import type { Expected } from '../orders/expectation';
import { field, listOf, numberOrNull, type PlainObject, textOrNull } from '../orders/values';
import { MAX_REMEMBERED, readFinished, storedFinished, timeOrNull } from './finished';
import { type Marks, marksBy } from './milestones';
import {
	type Interruption,
	keyOf,
	MAX_REFERENCE_BYTES,
	MAX_WATCHED,
	type Posted,
	type RecentEvent,
	type WatchedOrder,
	type WatchState,
} from './state';

/** The format that `storedWatch` writes, for later versions of this package: this one reads what it knows, whatever the number says. */
const VERSION = 6;

/** Far more orders than are ever watched, with those that were posted and left a list. */
const MAX_ENTRIES = 10 * MAX_WATCHED;

/** The state as plain JSON, which `readStoredWatch` reads. It has lists, so that no hash can be taken for a field of an object. */
export function storedWatch(state: WatchState): PlainObject {
	const { orders, finished, recent, ...others } = state;
	return {
		version: VERSION,
		...others,
		orders: [...orders.values()].map(storedOrder),
		finished: storedFinished(finished),
		recent: [...recent.values()].map(({ order, at }) => ({ at, order: storedOrder(order) })),
	};
}

/** An order without the fields that are null or false. */
function storedOrder(order: WatchedOrder): PlainObject {
	const fields = Object.entries(order);
	return Object.fromEntries(fields.filter(([, value]) => value !== null && value !== false));
}

/**
 * The state out of the data that n8n has kept; null for anything that is no state. An entry that cannot be read costs that entry,
 * because dropping the others as well would report every finished order of the list again.
 */
export function readStoredWatch(stored: unknown): WatchState | null {
	const revision = timeOrNull(field(stored, 'revision'));
	if (revision === null) return null;
	return {
		revision,
		orders: new Map(
			listOf(field(stored, 'orders'))
				.slice(0, MAX_ENTRIES)
				.flatMap(readOrder)
				.map((order) => [keyOf(order), order]),
		),
		finished: readFinished(field(stored, 'finished'), MAX_REMEMBERED + MAX_WATCHED),
		recent: new Map(listOf(field(stored, 'recent')).flatMap(readRecent)),
		uncheckedSince: timeOrNull(field(stored, 'uncheckedSince')),
		interruption: readInterruption(field(stored, 'interruption')),
		inboxOffset: timeOrNull(field(stored, 'inboxOffset')) ?? 0,
		leaseUntil: timeOrNull(field(stored, 'leaseUntil')) ?? 0,
	};
}

function readRecent(stored: unknown): Array<[key: string, recent: RecentEvent]> {
	const at = timeOrNull(field(stored, 'at'));
	if (at === null) return [];
	return readOrder(field(stored, 'order')).map((order) => [keyOf(order), { order, at }]);
}

function readInterruption(stored: unknown): Interruption | null {
	const since = timeOrNull(field(stored, 'since'));
	if (since === null) return null;
	const finished = numberOrNull(field(stored, 'finished')) ?? 0;
	const causes = ['fields', 'transient'] as const;
	const cause = causes.find((known) => known === field(stored, 'cause')) ?? 'toCorrect';
	return { since, finished, cause };
}

function readOrder(stored: unknown): WatchedOrder[] {
	const time = (name: string) => timeOrNull(field(stored, name));
	const isTrue = (name: string) => field(stored, name) === true;
	const sourceHash = field(stored, 'sourceHash');
	const since = time('since');
	if (typeof sourceHash !== 'string' || since === null) return [];
	const posted = readPosted(field(stored, 'posted'));
	const unlistedAt = time('unlistedAt');
	return [
		{
			sourceHash,
			since,
			listedAfter: time('listedAfter'),
			startedAt: time('startedAt'),
			// An order that was neither listed nor posted, nor on its way out of a list, would stay for ever.
			listed: isTrue('listed') || (posted === null && unlistedAt === null),
			listReference: readReference(field(stored, 'listReference')),
			unlistedAt,
			posted,
			status: textOrNull(field(stored, 'status')),
			hasResponse: isTrue('hasResponse'),
			...readMarks(stored),
			expiresAt: time('expiresAt'),
			overdueSince: time('overdueSince'),
			replaced: textOrNull(field(stored, 'replaced')),
			redelivered: isTrue('redelivered'),
		},
	];
}

function readMarks(stored: unknown): Marks {
	return marksBy((milestone) => {
		const mark = field(stored, milestone);
		return mark === 'emitted' || mark === 'again' ? mark : null;
	});
}

function readPosted(stored: unknown): Posted | null {
	const at = timeOrNull(field(stored, 'at'));
	if (at === null) return null;
	return {
		at,
		reference: readReference(field(stored, 'reference')),
		...linkField(field(stored, 'link')),
		...expectedField(field(stored, 'expected')),
	};
}

function readReference(stored: unknown): unknown {
	const reference = plainJson(stored);
	return isModestReference(reference) ? reference : null;
}

/** In characters; a link to a transaction has about a hundred. */
const MAX_LINK_LENGTH = 500;

/** A link as a field, if the state has room for it. */
export function linkField(link: unknown): { link?: string } {
	return typeof link === 'string' && link.length <= MAX_LINK_LENGTH ? { link } : {};
}

/** What is expected to arrive, as a field; none if nothing is. */
export function expectedField(stored: unknown): { expected?: Expected } {
	const recipient = textOrNull(field(stored, 'recipient'));
	const minimumReceived = textOrNull(field(stored, 'minimumReceived'));
	return recipient === null && minimumReceived === null
		? {}
		: { expected: { recipient, minimumReceived } };
}

/** Whether a reference is small enough to be kept with each order. */
export function isModestReference(reference: unknown): boolean {
	return (
		tidyJson(reference) &&
		Buffer.byteLength(JSON.stringify(reference ?? null)) <= MAX_REFERENCE_BYTES
	);
}
