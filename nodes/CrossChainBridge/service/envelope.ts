import { ExcessiveJson, parseJsonExactly } from '../orders/exactJson';
import { isKnownStatus } from '../orders/orders';
import {
	booleanOrNull,
	epochMsOrNull,
	field,
	isPlainObject,
	isZeros,
	type PlainObject,
	textOrNull,
	trimmedText,
} from '../orders/values';
import {
	type Asked,
	codeIn,
	isHarmless,
	isReasonPhrase,
	meaningOf,
	REFUSING,
	saysNotFound,
	type ServiceError,
	type UnreadableBody,
} from './errors';
import { withoutKey } from './keySearch';

export interface HttpResponse {
	statusCode: number;
	headers: PlainObject;
	body: unknown;
	cut?: 'tooLarge' | 'brokenOff';
}

export interface Failed {
	ok: false;
	error: ServiceError;
}

export type ServiceResponse = ({ ok: true; data: PlainObject } | Failed) & {
	/** How far the clock of n8n is ahead of that of the service, in milliseconds; absent if the response states no time. */
	clockAheadMs?: number;
};

export const failed = (error: ServiceError): Failed => ({ ok: false, error });

/**
 * The size unpacked, and the number of lists, objects and what they contain. An order has some forty values, a quote a few
 * hundred; a configuration of 1,000 networks is about 0.5 MB.
 */
export const BOUNDS = {
	status: { bytes: 100_000, values: 5_000 },
	quote: { bytes: 100_000, values: 5_000 },
	config: { bytes: 5_000_000, values: 400_000 },
} as const satisfies Record<Asked, object>;

interface ReadOptions {
	asked: Asked;
	/** In milliseconds since 1970. */
	now: number;
	/** Finds the API key. */
	containsKey(text: string): boolean;
}

/** The payload without what contains the key, or why there is none; only a quote may come without an envelope. */
export function readResponse(response: HttpResponse, options: ReadOptions): ServiceResponse {
	const { statusCode: status } = response;
	const { asked } = options;
	const rejection = (body: unknown) => rejected(response, body, options);
	// 304 leads nowhere else.
	if (status >= 300 && status < 400 && status !== 304)
		return failed({ kind: 'redirected', status });

	const read = readBody(response, options);
	if ('found' in read) {
		const { found, words } = read;
		// No Content: there is no order (yet).
		if (asked === 'status' && status === 204)
			return failed({ ...rejection(null), meaning: 'NOT_FOUND' });
		return failed(
			speaksForItself(status, read) ? rejection(words) : { kind: 'unreadable', status, found },
		);
	}
	const { json } = read;
	const success = field(json, 'success');
	if (status < 200 || status >= 300 || booleanOrNull(success) === false)
		return failed(rejection(json));

	const isBare =
		asked === 'quote'
			? success === undefined && statesQuote(json)
			: asked === 'status' && statesOrder(json);
	const data = isBare ? json : field(json, 'data');
	const isNone = isNothing(data);
	// A configuration says itself what it lacks.
	const isPayload = isPlainObject(data) && (asked === 'config' || !isNone);
	const body = isPayload ? data : json;
	if (asked === 'status' && isPayload && hidesStatus(data))
		return failed({ kind: 'unreadable', status, found: 'noData' });
	const asError = rejection(body);
	const hasWords = (asError.code ?? asError.words) !== null;
	const saysNone = asked === 'status' && saysNotFound(trimmedText(field(body, 'status')));
	const isMissing = saysNone && !showsOrder(data);
	const told = { asked, saysSuccess: success === true, meaning: asError.meaning };
	if (isPayload && !isMissing && !(hasWords && isErrorInstead(data, told)))
		return { ok: true, data };
	const isEnvelope = success !== undefined || field(json, 'data') !== undefined;
	const isStated = {
		config: isPayload,
		quote: hasWords,
		status: isEnvelope && !saysNone && statesError(body, asError.code),
	}[asked];
	if (asError.meaning !== null || isStated) return failed(asError);
	// The service has responded and has no order (yet), whatever else it says.
	if (asked === 'status' && isEnvelope && (isNone || isPayload) && !showsOrder(json))
		return failed({ ...asError, meaning: 'NOT_FOUND' });
	return failed({ kind: 'unreadable', status, found: isEnvelope ? 'noData' : 'noEnvelope' });
}

/** A quote without an envelope needs at least one of these fields, which orders/quotes.ts reads. */
export const QUOTE_FIELDS =
	'quoteId tokenIn tokenOut fees balanceCheck transactions transaction expiry priceImpact'.split(
		' ',
	);

/** Some quotes have their fields one level deeper. */
function statesQuote(json: unknown): boolean {
	return [json, field(json, 'quote')].some((quote) =>
		QUOTE_FIELDS.some((name) => (field(quote, name) ?? null) !== null),
	);
}

/** Whether this is an order although it does not lie in `data`: no other response has all of this. */
function statesOrder(json: unknown): boolean {
	const [orderId, status, input] = ['orderId', 'status', 'input'].map((name) => field(json, name));
	const isFlat = isNothing(field(json, 'data')) && isPlainObject(input) && !isNothing(input);
	return isFlat && textOrNull(orderId) !== null && textOrNull(status) !== null;
}

/** Whether nothing is in it, on any level; a count of 0 and `false` are nothing, too. */
function isNothing(value: unknown): boolean {
	if (typeof value === 'string') return isZeros(value);
	if (typeof value !== 'object' || value === null) return !value;
	return Object.values(value).every(isNothing);
}

/** Where an order may state how it is, and what is shown of it. A response that has no order may repeat the hash. */
const STATES = ['status', 'state'];
const HASHES = ['txHash', 'hash'];

/** Whether an order lies deeper than it is read: nothing says what was sent and how this one is, but something that is no part of it does. */
function hidesStatus(data: PlainObject): boolean {
	const parts = ['input', 'output', 'refund', 'solver', 'timing'];
	const others = Object.entries(data).filter(([name]) => !parts.includes(name));
	const isOrder =
		!isNothing(field(data, 'input')) || !isHarmless(trimmedText(field(data, 'status')));
	return !isOrder && others.some(([, value]) => hasStatus(value));
}

function hasStatus(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	const isOne = isKnownStatus(trimmedText(field(value, 'status')).toLowerCase());
	return isOne || Object.values(value).some(hasStatus);
}

/** Whether an order, or a part of one, is in it, on any level. */
function showsOrder(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	const states = STATES.map((name) => trimmedText(field(value, name)));
	const isNone = states.some(saysNotFound);
	const names = ['orderId', 'input', 'output', ...(isNone ? [] : HASHES)];
	if (!names.every((name) => isNothing(field(value, name)))) return true;
	return !(isNone || states.every(isHarmless)) || Object.values(value).some(showsOrder);
}

/** Where a code may stand that is a number. */
const CODE_FIELDS = ['code', 'errorCode', 'statusCode'];

/** Whether an error, or something else that is not known to be harmless, is said next to no data. */
function statesError(body: unknown, code: string | null): boolean {
	const isGiven = !isNothing([field(body, 'error'), field(body, 'errors')]);
	const status = trimmedText(field(body, 'status'));
	const codes = CODE_FIELDS.map((name) => trimmedText(field(body, name)));
	const texts = [code ?? '', ...codes, ...wordsIn(body)];
	// The status of an order is no error.
	return isGiven || ![...texts, isKnownStatus(status) ? '' : status].every(isHarmless);
}

/** Where the words of an error may stand, the most telling first. */
const WORD_FIELDS = 'errors issues message error_description detail msg title reason'.split(' ');

/** Where a code or the words of an error may stand. */
const ERROR_FIELDS = ['error', 'code', 'errorCode', ...WORD_FIELDS];

/**
 * Whether a payload with a code or words is an error instead: in place of an order, it has nothing that an order has; otherwise it has nothing else or, unless
 * the response says that it is a success, no list and no object.
 */
function isErrorInstead(
	payload: PlainObject,
	{ asked, saysSuccess, meaning }: { asked: Asked; saysSuccess: boolean; meaning: unknown },
): boolean {
	const ofOrder = ['orderId', ...STATES, ...(meaning === null ? HASHES : [])];
	return Object.entries(payload).every(
		([name, value]) =>
			ERROR_FIELDS.includes(name) ||
			value === null ||
			(typeof value !== 'object' &&
				(asked === 'status' ? !ofOrder.includes(name) || isNothing(value) : !saysSuccess)),
	);
}

/** A difference says nothing of the clocks if it is this small, because a request takes so long, or this large, because the header is wrong. */
const MAX_CLOCK_AHEAD_MS = 12 * 3_600_000;
const REQUEST_TAKES_MS = 30_000;

/** By the header Date, which has whole seconds: up to a few seconds are the time that the response took. Of a response that a cache has kept (Age), it says nothing. */
export function clockAhead({ headers }: HttpResponse, now: number): { clockAheadMs?: number } {
	if (/[1-9]/.test(headerIn(headers, 'age'))) return {};
	const ahead = now - httpTime(headerIn(headers, 'date'));
	const isMeant = Math.abs(ahead) > REQUEST_TAKES_MS && Math.abs(ahead) <= MAX_CLOCK_AHEAD_MS;
	return isMeant ? { clockAheadMs: ahead } : {};
}

/** Whether the status, or what a plain text says, counts although it is no JSON. */
function speaksForItself(status: number, { found, means = null }: NoJson): boolean {
	if (found === 'empty') return status >= 400;
	if ([401, 404, 429, ...REFUSING].includes(status) || status >= 500) return true;
	return means === 'NOT_FOUND' || (status >= 400 && means !== null);
}

/** What came instead of JSON. */
interface NoJson {
	found: UnreadableBody;
	/** Of plain text; null if it contains the key. */
	words?: string | null;
	/** What plain text says, whatever the status. */
	means?: ReturnType<typeof meaningOf>;
}

function readBody({ body, cut }: HttpResponse, options: ReadOptions): { json: unknown } | NoJson {
	if (cut !== undefined) return { found: cut };
	const text = typeof body === 'string' ? body.trim() : JSON.stringify(body ?? null);
	const { bytes, values } = BOUNDS[options.asked];
	if (text === '' || (body ?? null) === null) return { found: 'empty' };
	if (text.length > bytes) return { found: 'tooLarge' };
	// One search for almost all responses.
	const hasKey = options.containsKey(text);
	try {
		const json = parseJsonExactly(text, values);
		return { json: hasKey ? withoutKey(json, options.containsKey) : json };
	} catch (error) {
		if (text.startsWith('<')) return { found: 'html' };
		if (/^[[{"]/.test(text))
			return { found: error instanceof ExcessiveJson ? 'tooLarge' : 'brokenJson' };
		const means = meaningOf({ status: 0, code: null, words: text }, options.asked);
		return { found: 'text', words: hasKey ? null : text, means };
	}
}

/** Looks for the code and the message in the usual places, because the interface does not show them. */
function rejected(
	{ statusCode: status, headers }: HttpResponse,
	body: unknown,
	{ asked, now }: ReadOptions,
) {
	const inner = field(body, 'error');
	// If nothing says that this is a success, the payload may be the error.
	const isHttpSuccess = status >= 200 && status < 300;
	const isFailure = booleanOrNull(field(body, 'success')) === false;
	const data = isHttpSuccess && !isFailure ? undefined : field(body, 'data');
	const [first] = [field(body, 'errors')].flat();
	const codes = [
		...[field(inner, 'code'), field(body, 'code'), inner, field(body, 'errorCode')],
		...[field(inner, 'type'), field(first, 'code'), field(data, 'code')],
	].filter((value) => typeof value === 'string');
	const written = codes.find((text) => codeIn(text) !== null);
	const messages = [...wordsIn(body), ...wordsIn(data)].filter((text) => text !== written);
	const texts = [...messages, ...codes.filter((text) => text !== '' && codeIn(text) === null)];
	const stated = {
		status,
		code: written === undefined ? null : codeIn(written),
		words: texts.find((text) => !isReasonPhrase(text)) ?? texts[0] ?? null,
	};
	// A failure with HTTP 200 may have the status that it stands for as its code.
	const meant = (isHttpSuccess && isFailure ? statusIn(body) : null) ?? status;
	return {
		kind: 'rejected' as const,
		...stated,
		meaning: meaningOf({ ...stated, status: meant }, asked),
		retryAfterMs: retryAfterMs(headers, now),
	};
}

/** The HTTP status that an error states; null if it states none. */
function statusIn(body: unknown): number | null {
	const [first] = [field(body, 'errors')].flat();
	const places = [field(body, 'error'), first, body, field(body, 'data')];
	const names = [...CODE_FIELDS, 'status'];
	const numbers = places.flatMap((place) =>
		[place, ...names.map((name) => field(place, name))].map(trimmedText),
	);
	const stated = numbers.find((text) => /^[45]\d\d$/.test(text));
	return stated === undefined ? null : Number(stated);
}

/** Of a list of errors: how many are read, and how many characters of each. */
const MAX_LISTED = 5;
const MAX_LISTED_LENGTH = 1_000;

/** The words of an error, the most telling first. */
function wordsIn(value: unknown): string[] {
	if (typeof value === 'string') return value === '' ? [] : [value];
	if (Array.isArray(value)) {
		const listed = value.slice(0, MAX_LISTED).flatMap(wordsOfListed);
		return listed.length === 0 ? [] : [listed.join('; ')];
	}
	if (!isPlainObject(value)) return [];
	const inner = field(value, 'error');
	const isNested = isPlainObject(inner);
	return [
		...(isNested ? wordsIn(inner) : []),
		...wordsIn(listedByParameter(field(value, 'errors'))),
		...WORD_FIELDS.flatMap((name) => wordsIn(field(value, name))),
		...(isNested ? [] : wordsIn(inner)),
	];
}

/** As one list of errors, from a list for each parameter. */
const listedByParameter = (errors: unknown): unknown[] =>
	Object.entries(isPlainObject(errors) ? errors : {}).flatMap(([param, list]) =>
		[list].flat().flatMap((message) => (typeof message === 'string' ? { param, message } : [])),
	);

/** One error of a list, after the name of its parameter if it does not say it itself. */
function wordsOfListed(listed: unknown): string[] {
	const words = wordsIn(listed)[0]?.slice(0, MAX_LISTED_LENGTH);
	if (words === undefined) return [];
	const names = ['param', 'path', 'field', 'property', 'loc'].map((name) => field(listed, name));
	const [name = ''] = names.map((each) => textOrNull([each].flat().at(-1)) ?? '').filter(Boolean);
	return [name === '' || words.split(/\W+/).includes(name) ? words : `${name}: ${words}`];
}

const MAX_RETRY_AFTER_MS = 3_600_000;

/** Date.parse takes almost any text with a number for a date. */
const HTTP_DATE = /^[a-z]{3}, \d\d [a-z]{3} \d{4} \d\d:\d\d:\d\d gmt$/i;

/** In milliseconds since 1970; NaN for any other text. */
function httpTime(text: string): number {
	return HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
}

/** The first of this name; empty if there is none. */
function headerIn(headers: PlainObject, name: string): string {
	return trimmedText([field(headers, name)].flat()[0]);
}

/** Milliseconds from now, up to an hour; null if absent or unreadable. It is a number of seconds, or a time, which some write as one since 1970. */
function retryAfterMs(headers: PlainObject, now: number): number | null {
	const text = headerIn(headers, 'retry-after');
	// A time goes by the clock of the server that sent it.
	const sentAt = httpTime(headerIn(headers, 'date')) || now;
	const isNumber = /^\d+(\.\d+)?$/.test(text);
	const time = isNumber ? epochMsOrNull(text) : httpTime(text);
	const ms = time === null ? Number(text) * 1000 : time - sentAt;
	return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}
