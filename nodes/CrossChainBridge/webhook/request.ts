import { ExcessiveJson, MAX_LEVELS, parseJsonExactly, tidyJson } from '../orders/exactJson';
import { isWallet, readMinimum } from '../orders/expectation';
import { shownText } from '../orders/plainText';
import {
	fieldsOfRow,
	hashProblemWords,
	isHashColumn,
	kindOf,
	readHash,
	readRow,
	rowIn,
} from '../orders/sourceHash';
import {
	epochMsOrNull,
	field,
	isEmpty,
	isPlainObject,
	trimmedText,
	visibleText,
} from '../orders/values';
import type { PostedOrder } from '../watch/events';
import { MAX_REFERENCE_BYTES, MAX_WATCHED } from '../watch/state';
import { expectedField, isModestReference, linkField } from '../watch/stored';
import { saying, type WebhookAnswer } from './answers';
import { nameMeant } from '../fields/names';
import { FIELDS, unknownNames } from './fieldNames';

const MAX_BODY_BYTES = 256 * 1024;

/** In characters. */
const MAX_RECIPIENT = 200;

/** `ignored`: the names in its orders that are no field. */
export type CallRead =
	{ ok: true; orders: PostedOrder[]; ignored: string[] } | { ok: false; answer: WebhookAnswer };

/**
 * The orders that a call names: one as a JSON object, or several as a JSON list. One bad order makes the whole call bad.
 * @param parsed the body as n8n has parsed it, by its Content-Type
 * @param rawBody the bytes of the body, if n8n has kept them
 */
export function readCall(parsed: unknown, rawBody: unknown): CallRead {
	const bytes = Buffer.isBuffer(rawBody) ? rawBody : Buffer.from(JSON.stringify(parsed ?? {}));
	if (bytes.length > MAX_BODY_BYTES)
		return tooLarge(`The body is larger than ${MAX_BODY_BYTES / 1024} KB`);
	const text = bytes.toString();
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
		return bad('The body is neither a JSON object nor a JSON list.');
	const entries: unknown[] = Array.isArray(body) ? body : [body];
	if (entries.length > MAX_WATCHED) return tooLarge(`The list has more than ${MAX_WATCHED} orders`);
	const orders: PostedOrder[] = [];
	const ignored = new Set<string>();
	for (const entry of entries) {
		const read = readOrder(entry);
		const position = orders.length + 1;
		if (typeof read === 'string')
			return isList
				? bad(
						`Order ${position} of the list: ${read}. No order of the list was accepted.`,
						position,
					)
				: bad(`${read.charAt(0).toUpperCase()}${read.slice(1)}.`);
		orders.push(read.order);
		for (const name of read.ignored) ignored.add(name);
	}
	return { ok: true, orders, ignored: [...ignored] };
}

/** The fields of a form, which n8n parses; of one with several parts it gives them next to the files, and keeps no bytes. */
function formFields(parsed: unknown): unknown {
	const data = field(parsed, 'data');
	return isPlainObject(data) && isPlainObject(field(parsed, 'files')) ? data : parsed;
}

/** `position`: of the bad order in the list, from 1. */
function bad(message: string, position?: number): CallRead {
	return { ok: false, answer: { httpStatus: 400, body: { message, position } } };
}

function tooLarge(message: string): CallRead {
	return { ok: false, answer: saying(413, `${message}. Send the orders in several requests.`) };
}

/** One order with the names in it that are no field, or what is wrong with it. */
function readOrder(given: unknown): { order: PostedOrder; ignored: string[] } | string {
	const row = typeof given === 'string' ? (rowIn(given) ?? { sourceHash: given }) : given;
	if (!isPlainObject(row)) return `it is ${kindOf(row)}; send {"sourceHash": "0x…"}`;
	const entry = fieldsOfRow(row);
	const ignored = unknownNames(entry);
	for (const name of ignored) {
		const meant = nameMeant(name, FIELDS);
		if (meant !== null)
			return `an order has no field '${shownText(name)}'; if you mean ${meant}, correct the name, otherwise leave the field out`;
	}
	// Of such a text, only the hash would be read.
	const nested = Object.keys(entry).find(
		(name) => isHashColumn(name) && rowIn(trimmedText(entry[name])) !== null,
	);
	if (nested !== undefined)
		return `the field ${shownText(nested)} is an object; send its fields themselves`;
	const read = readRow(entry);
	if (read === null) return 'the source hash is empty';
	if (!read.ok) return hashProblemWords(read.problem).join('. ').replace(/\.$/, '');
	const { hash: sourceHash, key, link, name } = read;
	const stated = field(entry, 'startedAt');
	const startedAt = epochMsOrNull(stated);
	if (startedAt === null && !isEmpty(stated))
		return 'the field startedAt is not a time; send ISO text or Unix seconds';
	// The order would seem to be as old as the day.
	if (/^\d{4}-\d\d-\d\d$/.test(trimmedText(stated)))
		return 'the field startedAt has no time of day; send a time, for example 2026-11-21T11:29:46Z, or leave the field out';
	const named = field(entry, 'reference');
	// A form sends an empty field.
	const reference = isEmpty(named) ? (name ?? undefined) : named;
	// n8n has parsed the body, at whatever depth.
	if (!tidyJson(reference)) return `the reference is nested deeper than ${MAX_LEVELS} levels`;
	if (!isModestReference(reference))
		return `the reference is larger than ${MAX_REFERENCE_BYTES / 1024} KB`;
	const old = field(entry, 'replaces');
	const replaced = isEmpty(old) ? null : readHash(typeof old === 'string' ? old : kindOf(old));
	if (replaced?.ok === false) return 'the field replaces is not a transaction hash';
	if (replaced?.key === key)
		return 'the field replaces has the same hash; send the new hash as sourceHash, and the old one as replaces';
	const [recipient, minimum] = ['recipient', 'minimumReceived'].map((name) => textOf(entry, name));
	if (recipient === undefined || minimum === undefined)
		return 'the fields recipient and minimumReceived must be text';
	if (minimum !== '' && readMinimum(minimum) === null)
		return `the field minimumReceived, '${shownText(minimum)}', is not an amount with its unit; send an amount above zero with its token, for example "0.4967 ETH", or "496700 smallest units"`;
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
		...expectedField({ recipient, minimumReceived: minimum }),
	};
	return { order, ignored };
}

/** The text or number of a field, empty if it is absent; undefined for any other value. */
function textOf(entry: unknown, name: string): string | undefined {
	const given = field(entry, name) ?? '';
	const isText = ['string', 'number'].includes(typeof given);
	return isText ? visibleText(trimmedText(given)) : undefined;
}
