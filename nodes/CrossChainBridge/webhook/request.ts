import { enteredMinimum } from '../fields/numbers';
import { listed } from '../fields/reader';
import { ExcessiveJson, MAX_LEVELS, parseJsonExactly, tidyJson } from '../orders/exactJson';
import { isWallet } from '../orders/expectation';
import { FIELD_NAMES, fieldNamed } from '../orders/fieldNames';
import { nameKey } from '../orders/networks';
import { shownText } from '../orders/plainText';
import {
	fieldsOfRow,
	isHashColumn,
	kindOf,
	nameOfRow,
	rowIn,
	unreadInItem,
} from '../orders/orderRow';
import { hashProblemWords } from '../orders/hashProblems';
import { readHash, readRow } from '../orders/sourceHash';
import {
	epochMsOrNull,
	field,
	isEmpty,
	isPlainObject,
	type PlainObject,
	trimmedText,
	visibleText,
} from '../orders/values';
import type { PostedOrder } from '../watch/events';
import { MAX_REFERENCE_BYTES, MAX_WATCHED } from '../watch/state';
import { expectedField, isModestReference, linkField } from '../watch/stored';
import { saying, type WebhookAnswer } from './answers';

const MAX_BODY_BYTES = 256 * 1024;

/** In characters. */
const MAX_RECIPIENT = 200;

/** `notes`: sentences that say what else the call has. */
export type CallRead =
	{ ok: true; orders: PostedOrder[]; notes: string[] } | { ok: false; answer: WebhookAnswer };

/**
 * The orders that a call names: one as a JSON object, or several as a JSON list. One bad order makes the whole call bad. Rows of a list whose
 * hash is not filled in yet are skipped.
 * @param parsed the body as n8n has parsed it, by its Content-Type
 * @param rawBody the bytes of the body, if n8n has kept them
 * @param query the parameters in the call's URL
 */
export function readCall(parsed: unknown, rawBody: unknown, query: unknown = {}): CallRead {
	const misplaced = fieldsInQuery(query);
	if (misplaced.length > 0)
		return bad(
			`The fields of an order are read from the body only. Send ${listed(misplaced, 'and')} in the body, not in the query of the URL.`,
		);
	const bytes = Buffer.isBuffer(rawBody) ? rawBody : Buffer.from(JSON.stringify(parsed ?? {}));
	if (bytes.length > MAX_BODY_BYTES)
		return tooLarge(`The body is larger than ${MAX_BODY_BYTES / 1024} KB`);
	// It may begin with a byte order mark.
	const text = bytes.toString().trim();
	let body = formFields(parsed);
	// A body of JSON is read as JSON, whatever its Content-Type says.
	try {
		if (Buffer.isBuffer(rawBody)) body = parseJsonExactly(text) ?? body;
	} catch (error) {
		const isMeantAsJson = /^\s*'?[[{]/.test(text) && !(error instanceof ExcessiveJson);
		if (isMeantAsJson) return bad('The body is not valid JSON.');
	}
	const isList = Array.isArray(body);
	if (!isPlainObject(body) && !isList)
		return bad('The body is neither a JSON object nor a JSON list. Send {"sourceHash": "0x…"}.');
	const entries: unknown[] = Array.isArray(body) ? body : [body];
	if (entries.length > MAX_WATCHED) return tooLarge(`The list has more than ${MAX_WATCHED} orders`);
	const orders: PostedOrder[] = [];
	const ignored = new Set<string>();
	const skipped: number[] = [];
	const stated: Stated = new Map();
	for (const [index, entry] of entries.entries()) {
		const read = readOrder(entry);
		if (read === null) skipped.push(index + 1);
		else if (typeof read === 'string') return bad(read, isList ? index + 1 : undefined);
		else {
			const contradiction = contradictionIn(read.order, index + 1, stated);
			if (contradiction !== null) return bad(contradiction, index + 1);
			orders.push(read.order);
			for (const name of read.ignored) ignored.add(name);
		}
	}
	if (skipped.length > 0 && orders.length === 0)
		return bad('the source hash is empty', isList ? 1 : undefined);
	return { ok: true, orders, notes: notesOn([...ignored], skipped) };
}

/** The names of an order's fields that a query has with a value. */
function fieldsInQuery(query: unknown): string[] {
	const given = isPlainObject(query) ? Object.entries(query) : [];
	return given
		.filter(([name, value]) => !isEmpty(value) && (isHashColumn(name) || fieldNamed(name) !== null))
		.map(([name]) => shownText(name));
}

/** What the caller is told of names that are no field, and of rows of a list, by their places, that have no hash. */
function notesOn(ignored: readonly string[], skipped: readonly number[]): string[] {
	const notes: string[] = [];
	const places = listed(skipped.map(String), 'and');
	const orders = skipped.length === 1 ? `Order ${places}` : `Orders ${places}`;
	const were = skipped.length === 1 ? 'was' : 'were';
	if (skipped.length > 0)
		notes.push(`${orders} of the list ${were} skipped, because the source hash is empty.`);
	const [names, fields] = [listed(ignored.map(shownText), 'and'), listed(FIELD_NAMES, 'and')];
	if (ignored.length > 0)
		notes.push(
			`Ignored, because orders have no such fields: ${names}. The fields of an order are ${fields}.`,
		);
	return notes;
}

/** The fields of a form, which n8n parses; of one with several parts it gives them next to the files, and keeps no bytes. */
function formFields(parsed: unknown): unknown {
	const data = field(parsed, 'data');
	return isPlainObject(data) && isPlainObject(field(parsed, 'files')) ? data : parsed;
}

/** `position`: of the bad order in the list, from 1. */
function bad(words: string, position?: number): CallRead {
	const what = words.replace(/\.$/, '');
	const message =
		position === undefined
			? `${what.charAt(0).toUpperCase()}${what.slice(1)}.`
			: `Order ${position} of the list: ${what}. Nothing was changed.`;
	return { ok: false, answer: { httpStatus: 400, body: { message, position } } };
}

function tooLarge(message: string): CallRead {
	return { ok: false, answer: saying(413, `${message}. Send the orders in several requests.`) };
}

/** One order with the names in it that are no field, or what is wrong with it; null if its hash is not filled in. */
function readOrder(given: unknown): { order: PostedOrder; ignored: string[] } | string | null {
	// An empty cell: only a list has one.
	if (given === null) return null;
	const object = typeof given === 'string' ? (rowIn(given) ?? { sourceHash: given }) : given;
	if (!isPlainObject(object)) return `it is ${kindOf(object)}; send {"sourceHash": "0x…"}`;
	const row = fieldsOfRow(object);
	// Of such a text, only the hash would be read.
	const nested = Object.keys(row).find(
		(name) => isHashColumn(name) && rowIn(trimmedText(row[name])) !== null,
	);
	if (nested !== undefined)
		return `the field ${shownText(nested)} is an object; send its fields themselves`;
	const read = readRow(row);
	if (read === null) return null;
	if (!read.ok) return hashProblemWords(read.problem).join('. ');
	const unread = unreadInItem(row);
	if (unread !== null)
		return `the hash is next to json, so the field ${shownText(unread)} in json is not read; send all fields of the order in one place`;
	const named = namedFields(row);
	if (typeof named === 'string') return named;
	const { entry, ignored } = named;
	const { hash: sourceHash, key, link, name } = read;
	const stated = field(entry, 'startedAt');
	const startedAt = epochMsOrNull(stated);
	if (startedAt === null && !isEmpty(stated))
		return 'the field startedAt is not a time; send ISO text or Unix seconds';
	// The order would seem to be as old as the day.
	if (/^\d{4}-\d\d-\d\d$/.test(trimmedText(stated)))
		return 'the field startedAt has no time of day; send a time, for example 2026-11-21T11:29:46Z, or leave the field out';
	const reference = nameOfRow(entry) ?? name ?? undefined;
	// n8n has parsed the body, at whatever depth.
	if (!tidyJson(reference)) return `the reference is nested deeper than ${MAX_LEVELS} levels`;
	if (!isModestReference(reference))
		return `the reference is larger than ${MAX_REFERENCE_BYTES / 1024} KB`;
	const old = field(entry, 'replaces');
	const replaced = isEmpty(old) ? null : readHash(typeof old === 'string' ? old : kindOf(old));
	if (replaced?.ok === false) return 'the field replaces is not a transaction hash';
	if (replaced?.key === key)
		return 'the field replaces has the same hash; send the new hash as sourceHash, and the old one as replaces';
	const [recipient, least] = ['recipient', 'minimumReceived'].map((name) => textOf(entry, name));
	if (recipient === undefined || least === undefined)
		return 'the fields recipient and minimumReceived must be text';
	const minimum = least === '' ? null : enteredMinimum(least);
	if (minimum?.ok === false)
		return `the field minimumReceived cannot be '${shownText(least)}'. ${minimum.remedy}`;
	if (recipient.length > MAX_RECIPIENT) return 'the field recipient is too long for an address';
	if (recipient !== '' && !isWallet(recipient))
		return `the field recipient, '${shownText(recipient)}', is not an address`;
	const order: PostedOrder = {
		key,
		sourceHash,
		startedAt,
		reference,
		replaces: replaced?.hash,
		...linkField(link),
		...expectedField({ recipient, minimumReceived: minimum?.minimum }),
	};
	return { order, ignored };
}

/** What the rows of a list expect, by order key and field, each with its place in the list, from 1. */
type Stated = Map<string, { value: string; position: number }>;

/** What this order expects otherwise than a row before it with the same hash; null if nothing. It is added to `stated`. */
function contradictionIn(order: PostedOrder, position: number, stated: Stated): string | null {
	for (const name of ['recipient', 'minimumReceived'] as const) {
		const value = order.expected?.[name] ?? null;
		if (value === null) continue;
		const place = `${order.key} ${name}`;
		const before = stated.get(place) ?? { value, position };
		if (nameKey(before.value) !== nameKey(value))
			return `it has the same hash as order ${before.position}, but a different ${name}; send only one of them`;
		stated.set(place, before);
	}
	return null;
}

/** The values of a row by the fields that their names mean, and the names that are no field. A form sends empty ones. */
function namedFields(row: PlainObject): { entry: PlainObject; ignored: string[] } | string {
	const entry: PlainObject = {};
	const ignored: string[] = [];
	for (const [name, value] of Object.entries(row)) {
		const meant = fieldNamed(name);
		if (isHashColumn(name)) continue;
		if (meant === null) ignored.push(name);
		else if (!isEmpty(value) && (entry[meant] ??= value) !== value)
			return `there are two values for ${meant}, one of them in the field ${shownText(name)}; send only one`;
	}
	return { entry, ignored };
}

/** The text or number of a field, empty if it is absent; undefined for any other value. */
function textOf(entry: unknown, name: string): string | undefined {
	const given = field(entry, name) ?? '';
	const isText = ['string', 'number'].includes(typeof given);
	return isText ? visibleText(trimmedText(given)) : undefined;
}
