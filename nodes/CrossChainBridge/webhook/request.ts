import { MAX_LEVELS, parsedOrNull, tidyJson } from '../orders/exactJson';
import { readMinimum } from '../orders/expectation';
import { plainText } from '../orders/plainText';
import { kindOf, MAX_SHOWN, readHash, readRow, hashProblemWords } from '../orders/sourceHash';
import { epochMsOrNull, field, isPlainObject, trimmedText } from '../orders/values';
import type { PostedOrder } from '../watch/events';
import { MAX_REFERENCE_BYTES, MAX_WATCHED } from '../watch/state';
import { expectedField, isModestReference, linkField } from '../watch/stored';
import { saying, type WebhookAnswer } from './answers';

const MAX_BODY_BYTES = 256 * 1024;

/** In characters. */
const MAX_RECIPIENT = 200;

export type CallRead = { ok: true; orders: PostedOrder[] } | { ok: false; answer: WebhookAnswer };

/**
 * The orders that a call names: one as a JSON object, or several as a JSON list. One bad order makes the whole call bad.
 * @param parsed the body as n8n has parsed it, by its Content-Type
 * @param rawBody the bytes of the body, if n8n has kept them
 */
export function readCall(parsed: unknown, rawBody: unknown): CallRead {
	const bytes = Buffer.isBuffer(rawBody) ? rawBody : Buffer.from(JSON.stringify(parsed ?? {}));
	if (bytes.length > MAX_BODY_BYTES)
		return tooLarge(`The body is larger than ${MAX_BODY_BYTES / 1024} KB`);
	// A body of JSON is read as JSON, whatever its Content-Type says; n8n parses the fields of a form.
	const body = parsedOrNull(bytes.toString()) ?? parsed;
	if (!isPlainObject(body) && !Array.isArray(body))
		return bad('The body is neither a JSON object nor a JSON list.');
	if (!Array.isArray(body)) {
		const read = readOrder(body);
		return typeof read === 'string' ? bad(`${capitalized(read)}.`) : { ok: true, orders: [read] };
	}
	if (body.length > MAX_WATCHED) return tooLarge(`The list has more than ${MAX_WATCHED} orders`);
	const orders: PostedOrder[] = [];
	for (const entry of body as unknown[]) {
		const read = readOrder(entry);
		const position = orders.length + 1;
		if (typeof read === 'string')
			return bad(
				`Order ${position} of the list: ${read}. No order of the list was accepted.`,
				position,
			);
		orders.push(read);
	}
	return { ok: true, orders };
}

/** `position`: of the bad order in the list, from 1. */
function bad(message: string, position?: number): CallRead {
	return { ok: false, answer: { httpStatus: 400, body: { message, position } } };
}

function tooLarge(message: string): CallRead {
	return { ok: false, answer: saying(413, `${message}. Send the orders in several requests.`) };
}

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One order, or what is wrong with it. */
function readOrder(given: unknown): PostedOrder | string {
	const entry = typeof given === 'string' ? { sourceHash: given } : given;
	if (!isPlainObject(entry)) return `it is ${kindOf(entry)}; send {"sourceHash": "0x…"}`;
	const read = readRow(entry);
	if (read === null) return 'the source hash is empty';
	if (!read.ok) return hashProblemWords(read.problem).join('. ').replace(/\.$/, '');
	const { hash: sourceHash, key, link, name } = read;
	const stated = field(entry, 'startedAt');
	const startedAt = epochMsOrNull(stated);
	if (startedAt === null && stated !== undefined && stated !== null && stated !== '')
		return 'the field startedAt is not a time; send ISO text or Unix seconds';
	const named = field(entry, 'reference');
	// A form sends an empty field.
	const reference =
		named === '' || named === null || named === undefined ? (name ?? undefined) : named;
	// n8n has parsed the body, at whatever depth.
	if (!tidyJson(reference)) return `the reference is nested deeper than ${MAX_LEVELS} levels`;
	if (!isModestReference(reference))
		return `the reference is larger than ${MAX_REFERENCE_BYTES / 1024} KB`;
	const replaces = replacedKey(entry);
	if (replaces === null) return 'the field replaces is not a transaction hash';
	const minimum = trimmedText(field(entry, 'minimumReceived'));
	if (minimum !== '' && readMinimum(minimum) === null)
		return `the field minimumReceived, '${plainText(minimum, MAX_SHOWN)}', is not an amount; send for example "0.4967 ETH", or digits of the smallest unit`;
	const recipient = trimmedText(field(entry, 'recipient'));
	if (recipient.length > MAX_RECIPIENT) return 'the field recipient is too long for an address';
	return {
		...{ key, sourceHash, startedAt },
		...(reference === undefined ? {} : { reference }),
		...linkField(link),
		...(replaces === undefined ? {} : { replaces }),
		...expectedField({ recipient, minimumReceived: minimum }),
	};
}

/** The key of the order that this one replaces; undefined without one, null if it cannot be read. */
function replacedKey(entry: unknown): string | null | undefined {
	const given = field(entry, 'replaces');
	if (given === undefined || given === null || given === '') return undefined;
	const read = typeof given === 'string' ? readHash(given) : null;
	return read?.ok === true ? read.key : null;
}
