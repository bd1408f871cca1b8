import { MOST_LEVELS, parseJsonExactly, tidy } from '../../bridge/exactJson';
import { field, isPlainObject, type PlainObject } from '../../bridge/values';
import type { PostedOrder } from '../postedOrders';

/**
 * What somebody sends to the webhook -> the orders it names, or a sentence that says what is wrong with it. Pure.
 * Tools differ in what they can send: JSON, form fields, query parameters, text that holds JSON.
 */

export const MOST_BODY_BYTES = 256 * 1024;
const MOST_REFERENCE_BYTES = 2 * 1024;
const MOST_HASH_LENGTH = 256;

/** A call as n8n hands it over: query and body parsed. `bytes`: size of the body. */
export interface Call {
	query: unknown;
	body: unknown;
	bytes: number;
}

export interface BadCall {
	ok: false;
	httpStatus: 400 | 413;
	message: string;
	/** Place in the posted list, from 1; null where the call is no list. */
	position: number | null;
}

export type CallRead = { ok: true; orders: PostedOrder[] } | BadCall;

/** All orders that a call names, in its order; one bad order makes the whole call bad, so that nothing is taken by halves. */
export function readCall({ query, body, bytes }: Call): CallRead {
	if (bytes > MOST_BODY_BYTES) {
		const message = `The body is larger than ${MOST_BODY_BYTES / 1024} KB. Send the orders in several requests.`;
		return { ok: false, httpStatus: 413, message, position: null };
	}
	const given = fieldsOf(query, body);
	if (given === null) return badCall('The body is not JSON.');
	const list = listOf(given);
	if (list === null) return badCall('"orders" is not a list.');
	// An empty list is no fault: a workflow may have had nothing to post.
	if (list !== undefined) return readList(list);
	const single = field(given, 'sourceHash');
	if (single === undefined || single === null || single === '') {
		return badCall('There is no source hash. Send {"sourceHash": "0x…"} or {"orders": [{"sourceHash": "0x…"}]}.');
	}
	const read = readOrder(given);
	return typeof read === 'string' ? badCall(`${read.charAt(0).toUpperCase()}${read.slice(1)}.`) : { ok: true, orders: [read] };
}

function badCall(message: string, position: number | null = null): BadCall {
	return { ok: false, httpStatus: 400, message, position };
}

/** The named values of a call: those of the body go before query parameters. A list alone is a list of orders. */
function fieldsOf(query: unknown, body: unknown): PlainObject | null {
	const parsed = typeof body === 'string' && body.trim() !== '' ? parsedOrNull(body) : body;
	if (Array.isArray(parsed)) return { orders: parsed };
	// n8n puts the fields of a multipart form one level down.
	const ofForm = field(parsed, 'data');
	const values = isPlainObject(ofForm) && isPlainObject(field(parsed, 'files')) ? ofForm : parsed;
	if (isPlainObject(values)) return { ...(isPlainObject(query) ? query : {}), ...values };
	if (typeof body === 'string' && body.trim() !== '') return null;
	return isPlainObject(query) ? query : {};
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
		const read = readOrder(typeof entry === 'string' ? { sourceHash: entry } : entry);
		if (typeof read === 'string') return badCall(`Order ${index + 1} of the list: ${read}. Nothing of the list was taken.`, index + 1);
		orders.push(read);
	}
	return { ok: true, orders };
}

/** One order, or what is wrong with it. */
function readOrder(entry: unknown): PostedOrder | string {
	const given = field(entry, 'sourceHash');
	if (typeof given !== 'string') return 'the source hash is missing, or is not text';
	const sourceHash = given.trim();
	// Hashes of any chain are taken; what separates hashes in a list cannot be part of one.
	if (!/^[^\s\p{C},;"'`[\]{}()<>]+$/u.test(sourceHash)) return 'the source hash is not a transaction hash';
	if (sourceHash.length > MOST_HASH_LENGTH) return `the source hash is longer than ${MOST_HASH_LENGTH} characters`;
	const reference = field(entry, 'reference');
	// n8n has parsed the body, at whatever depth.
	if (!tidy(reference)) return `the reference is nested deeper than ${MOST_LEVELS} levels`;
	const bytes = reference === undefined ? 0 : Buffer.byteLength(JSON.stringify(reference));
	if (bytes > MOST_REFERENCE_BYTES) return `the reference is larger than ${MOST_REFERENCE_BYTES / 1024} KB`;
	return { sourceHash, reference };
}
