import { MOST_LEVELS, parseJsonExactly, tidy } from '../orders/exactJson';
import { hashIn, MOST_HASH_LENGTH } from '../orders/sourceHash';
import { epochMsOrNull, field, isPlainObject, type PlainObject } from '../orders/values';
import type { PostedOrder } from '../state/postedOrders';
import { isModestReference } from '../state/codec';
import { MAX_REFERENCE_BYTES, MAX_WATCHED } from '../state/state';

/**
 * What is sent to the webhook -> the orders it names, or a sentence that says what is wrong with it. Pure.
 * Tools differ in what they can send: JSON, form fields, query parameters, text that contains JSON.
 */

export const MOST_BODY_BYTES = 256 * 1024;

/** A call as n8n hands it over: query and body parsed. `bytes`: size of the body as it was sent; null where n8n does not say. */
export interface Call {
	query: unknown;
	body: unknown;
	bytes: number | null;
}

export interface BadCall {
	ok: false;
	httpStatus: 400 | 413;
	message: string;
	/** Place in the posted list, from 1; null where the call is no list. */
	position: number | null;
}

export type CallRead = { ok: true; orders: PostedOrder[] } | BadCall;

/** All orders that a call names, in its order; one bad order makes the whole call bad, so that no call is accepted in part. */
export function readCall({ query, body, bytes }: Call): CallRead {
	if ((bytes ?? sizeUpTo(MOST_BODY_BYTES, formFields(body) ?? body)) > MOST_BODY_BYTES)
		return tooLarge(`The body is larger than ${MOST_BODY_BYTES / 1024} KB`);
	const given = fieldsOf(query, body);
	if (given === null) return badCall('The body is not JSON.');
	const list = listOf(given);
	if (list === null) return badCall('"orders" is not a list.');
	// An empty list is not an error: a workflow may have had nothing to post.
	if (list !== undefined)
		return list.length > MAX_WATCHED
			? tooLarge(`The list has more than ${MAX_WATCHED} orders`)
			: readList(list);
	const single = field(given, 'sourceHash');
	if (single === undefined || single === null || single === '') {
		return badCall(
			'There is no source hash. Send {"sourceHash": "0x…"} or {"orders": [{"sourceHash": "0x…"}]}.',
		);
	}
	const read = readPostedOrder(given);
	return typeof read === 'string'
		? badCall(`${read.charAt(0).toUpperCase()}${read.slice(1)}.`)
		: { ok: true, orders: [read] };
}

function badCall(message: string, position: number | null = null): BadCall {
	return { ok: false, httpStatus: 400, message, position };
}

function tooLarge(message: string): BadCall {
	return {
		ok: false,
		httpStatus: 413,
		message: `${message}. Send the orders in several requests.`,
		position: null,
	};
}

/** A lower bound of a parsed value's size as JSON, in bytes; beyond `most` it stops measuring. */
function sizeUpTo(most: number, value: unknown): number {
	let size = 0;
	const open: unknown[] = [value];
	while (open.length > 0 && size <= most) {
		const part = open.pop();
		size += typeof part === 'string' ? Buffer.byteLength(part) + 2 : 1;
		if (typeof part !== 'object' || part === null) continue;
		for (const key in part) {
			if (size > most) break;
			if (!Object.hasOwn(part, key)) continue;
			size += Array.isArray(part) ? 1 : Buffer.byteLength(key) + 3;
			open.push(Reflect.get(part, key));
		}
	}
	return size;
}

/** The named values of a call: those of the body go before query parameters. A bare list is a list of orders. */
function fieldsOf(query: unknown, body: unknown): PlainObject | null {
	const parsed = typeof body === 'string' && body.trim() !== '' ? parsedOrNull(body) : body;
	if (Array.isArray(parsed)) return { orders: parsed };
	const values = formFields(parsed) ?? parsed;
	if (isPlainObject(values)) return { ...(isPlainObject(query) ? query : {}), ...values };
	if (typeof body === 'string' && body.trim() !== '') return null;
	return isPlainObject(query) ? query : {};
}

/** n8n puts the fields of a multipart form one level down, beside its files; null for any other body. */
function formFields(body: unknown): PlainObject | null {
	const fields = field(body, 'data');
	return isPlainObject(fields) && isPlainObject(field(body, 'files')) ? fields : null;
}

/** The list under `orders`, which a form sends as text; undefined where there is none, null where it is something else. */
function listOf(given: PlainObject): unknown[] | null | undefined {
	const orders = field(given, 'orders');
	if (orders === undefined || orders === null || orders === '') return undefined;
	const parsed = typeof orders === 'string' ? parsedOrNull(orders) : orders;
	return Array.isArray(parsed) ? parsed : null;
}

function parsedOrNull(text: string): unknown {
	try {
		return parseJsonExactly(text);
	} catch {
		return null;
	}
}

function readList(list: readonly unknown[]): CallRead {
	const orders: PostedOrder[] = [];
	for (const [index, entry] of list.entries()) {
		const read = readPostedOrder(typeof entry === 'string' ? { sourceHash: entry } : entry);
		if (typeof read === 'string')
			return badCall(
				`Order ${index + 1} of the list: ${read}. No order of the list was accepted.`,
				index + 1,
			);
		orders.push(read);
	}
	return { ok: true, orders };
}

/** One order, or what is wrong with it. */
function readPostedOrder(entry: unknown): PostedOrder | string {
	const given = field(entry, 'sourceHash');
	if (typeof given !== 'string') return 'the source hash is missing, or is not text';
	const text = given.trim();
	// Hashes of any chain are accepted, and links of block explorers to them.
	const sourceHash = text.length > 8 * MOST_HASH_LENGTH ? null : hashIn(text);
	if (sourceHash === null) {
		return text.length > MOST_HASH_LENGTH
			? `the source hash is longer than ${MOST_HASH_LENGTH} characters`
			: 'the source hash is not a transaction hash';
	}
	const stated = field(entry, 'startedAt');
	const startedAt = epochMsOrNull(stated);
	const isStated = stated !== undefined && stated !== null && stated !== '';
	if (isStated && startedAt === null)
		return 'startedAt is not a time; send ISO text or Unix seconds';
	const reference = field(entry, 'reference');
	// n8n has parsed the body, at whatever depth.
	if (!tidy(reference)) return `the reference is nested deeper than ${MOST_LEVELS} levels`;
	if (!isModestReference(reference))
		return `the reference is larger than ${MAX_REFERENCE_BYTES / 1024} KB`;
	return { sourceHash, reference, startedAt };
}
