import { MAX_LEVELS, parsedOrNull, tidyJson } from '../orders/exactJson';
import { type HashProblem, readHash } from '../orders/sourceHash';
import { epochMsOrNull, field, isPlainObject, type PlainObject } from '../orders/values';
import type { PostedOrder } from '../state/postedOrders';
import { isModestReference, linkField } from '../state/codec';
import { MAX_REFERENCE_BYTES, MAX_WATCHED } from '../state/state';
import { saying, type WebhookAnswer } from './answers';

const MAX_BODY_BYTES = 256 * 1024;

interface Call {
	query: unknown;
	/** Parsed by n8n: JSON, form fields or text. */
	body: unknown;
	/** The body's bytes, which n8n does not keep of a multipart form. */
	rawBody: unknown;
}

type BadCall = WebhookAnswer & { ok: false };

export type CallRead = { ok: true; orders: PostedOrder[] } | BadCall;

/** All orders that a call names; one bad order makes the whole call bad. */
export function readCall({ query, body, rawBody }: Call): CallRead {
	const sent = Buffer.isBuffer(rawBody) ? rawBody : JSON.stringify(formFields(body) ?? {});
	if (Buffer.byteLength(sent) > MAX_BODY_BYTES)
		return tooLarge(`The body is larger than ${MAX_BODY_BYTES / 1024} KB`);
	const given = fieldsOf(query, exactBody(body, rawBody));
	if (given === null) return badCall('The body is not JSON.');
	const list = listOf(given);
	if (list === null) return badCall('"orders" is not a list.');
	const hasHash = (field(given, 'sourceHash') ?? '') !== '';
	if (list !== undefined && hasHash)
		return badCall('There are both "orders" and "sourceHash". Send one of them.');
	if (list === undefined && !hasHash)
		return badCall(
			'There is no source hash. Send {"sourceHash": "0x…"} or {"orders": [{"sourceHash": "0x…"}]}.',
		);
	if (list !== undefined && list.length > MAX_WATCHED)
		return tooLarge(`The list has more than ${MAX_WATCHED} orders`);
	const orders: PostedOrder[] = [];
	// A workflow may have had nothing to post.
	for (const entry of list ?? [given]) {
		const read = readPostedOrder(typeof entry === 'string' ? { sourceHash: entry } : entry);
		if (typeof read !== 'string') orders.push(read);
		else if (list === undefined) return badCall(`${read.charAt(0).toUpperCase()}${read.slice(1)}.`);
		else {
			const position = orders.length + 1;
			return badCall(
				`Order ${position} of the list: ${read}. No order of the list was accepted.`,
				position,
			);
		}
	}
	return { ok: true, orders };
}

/** `position`: of the bad order in the posted list, from 1. */
function badCall(message: string, position?: number): BadCall {
	return { ok: false, httpStatus: 400, body: { message, position } };
}

function tooLarge(message: string): BadCall {
	return { ok: false, ...saying(413, `${message}. Send the orders in several requests.`) };
}

const LARGE_NUMBER = /\d{16}/;
/** In all the encodings that n8n may have decoded. */
const ASCII = /^[\x20-\x7e\s]*$/;

/** JSON as it was sent, where n8n may have rounded its numbers. */
function exactBody(body: unknown, rawBody: unknown): unknown {
	const isParsed = typeof body === 'object' && Buffer.isBuffer(rawBody);
	const text = isParsed ? rawBody.toString() : '';
	const isMeant = LARGE_NUMBER.test(text) && ASCII.test(text);
	return (isMeant ? parsedOrNull(text) : null) ?? body;
}

/** The named values of a call, of the body before the query; a bare list is a list of orders. */
function fieldsOf(query: unknown, body: unknown): PlainObject | null {
	const isText = typeof body === 'string' && body.trim() !== '';
	const values = isText ? parsedOrNull(body) : (formFields(body) ?? body);
	if (Array.isArray(values)) return { orders: values };
	if (isText && !isPlainObject(values)) return null;
	return { ...(isPlainObject(query) ? query : {}), ...(isPlainObject(values) ? values : {}) };
}

/** n8n puts the fields of a multipart form one level down, beside its files; null for any other body. */
function formFields(body: unknown): PlainObject | null {
	const fields = field(body, 'data');
	return isPlainObject(fields) && isPlainObject(field(body, 'files')) ? fields : null;
}

/** `orders`, which a form sends as text; undefined without it, null for no list. */
function listOf(given: PlainObject): unknown[] | null | undefined {
	const orders = field(given, 'orders');
	if (orders === undefined || orders === null || orders === '') return undefined;
	const parsed = typeof orders === 'string' ? parsedOrNull(orders) : orders;
	return Array.isArray(parsed) ? parsed : null;
}

/** One order, or what is wrong with it. */
function readPostedOrder(entry: unknown): PostedOrder | string {
	const given = field(entry, 'sourceHash');
	if (typeof given !== 'string') return 'the source hash is missing, or is not text';
	const read = readHash(given);
	if (!read.ok) return POSTED_HASH_PROBLEMS[read.problem];
	const sourceHash = read.hash;
	const stated = field(entry, 'startedAt');
	const startedAt = epochMsOrNull(stated);
	const isStated = stated !== undefined && stated !== null && stated !== '';
	if (isStated && startedAt === null)
		return 'the field startedAt is not a time; send ISO text or Unix seconds';
	const named = field(entry, 'reference');
	// A form sends an empty field.
	const reference = named === '' ? undefined : named;
	// n8n has parsed the body, at whatever depth.
	if (!tidyJson(reference)) return `the reference is nested deeper than ${MAX_LEVELS} levels`;
	if (!isModestReference(reference))
		return `the reference is larger than ${MAX_REFERENCE_BYTES / 1024} KB`;
	return { sourceHash, reference, startedAt, ...linkField(read.link) };
}

const POSTED_HASH_PROBLEMS: Readonly<Record<HashProblem, string>> = {
	walletAddress: 'the source hash looks like a wallet address; send the hash of the transaction',
	space: 'the source hash contains a space',
	noHash: 'the source hash is not a transaction hash; send only the hash, a name has its own field',
};
