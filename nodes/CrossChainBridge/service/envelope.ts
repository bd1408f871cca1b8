import { ExcessiveJson, parseJsonExactly } from '../orders/exactJson';
import {
	exactTextOrNull,
	field,
	isPlainObject,
	type PlainObject,
	textOrNull,
	trimmedText,
} from '../orders/values';
import { type Asked, meaningOf, type ServiceError, type UnreadableBody } from './errors';
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
	/** Finds the API key; null if it is too short to be searched for. */
	containsKey: ((text: string) => boolean) | null;
}

/** The payload without what contains the key, or why there is none; only a quote may come without an envelope. */
export function readResponse(response: HttpResponse, options: ReadOptions): ServiceResponse {
	const { statusCode: status, headers } = response;
	const { asked } = options;
	const reject = (body: unknown) => failed(rejected(status, headers, body, options));
	// 304 leads nowhere else.
	if (status >= 300 && status < 400 && status !== 304)
		return failed({ kind: 'redirected', status });

	const read = readBody(response, options);
	if ('found' in read) {
		const { found } = read;
		return speaksForItself(status, found)
			? reject(undefined)
			: failed({ kind: 'unreadable', status, found });
	}
	const { json } = read;
	const names = isPlainObject(json) ? Object.keys(json) : [];
	const hasSuccess = names.includes('success');
	if (status < 200 || status >= 300 || isFalse(field(json, 'success'))) return reject(json);

	const isBare = !hasSuccess && names.some((name) => name !== 'data');
	const data = isBare && asked === 'quote' ? json : field(json, 'data');
	if (isPlainObject(data)) {
		const asError = rejected(status, headers, data, options);
		const saysSuccess = field(json, 'success') === true;
		return isErrorInstead(data, asError, { asked, saysSuccess })
			? failed(asError)
			: { ok: true, data };
	}
	const asError = rejected(status, headers, json, options);
	if (asError.meaning !== null) return failed(asError);
	const isEnvelope = hasSuccess || names.includes('data');
	// The service has responded, and has no order.
	const isNothing = data === undefined || data === null || (Array.isArray(data) && !data.length);
	if (asked === 'status' && isEnvelope && isNothing)
		return failed({ ...asError, meaning: 'NOT_FOUND' });
	return failed({ kind: 'unreadable', status, found: isEnvelope ? 'noData' : 'noEnvelope' });
}

const isFalse = (success: unknown): boolean =>
	success === false || /^(?:false|0)$/i.test(exactTextOrNull(success)?.trim() ?? '');

/** Where a code or the words of an error may stand. */
const ERROR_FIELDS = ['error', 'message', 'code', 'errorCode', 'error_description', 'detail'];

/**
 * Whether a payload is an error instead: it has a code or words, and nothing of what was asked for. If the response says that it is a success, any other
 * field is something.
 */
function isErrorInstead(
	payload: PlainObject,
	{ code, words }: { code: string | null; words: string | null },
	{ asked, saysSuccess }: { asked: Asked; saysSuccess: boolean },
): boolean {
	if ((code ?? words) === null) return false;
	const others = Object.entries(payload).filter(
		([name, value]) => !ERROR_FIELDS.includes(name) && value !== null,
	);
	const isOrder =
		asked === 'status' && ['status', 'orderId'].some((name) => textOrNull(payload[name]) !== null);
	return saysSuccess
		? others.length === 0
		: !isOrder && others.every(([, value]) => typeof value !== 'object');
}

/** A difference says nothing of the clocks if it is this small, because a request takes so long, or this large, because the header is wrong. */
const MAX_CLOCK_AHEAD_MS = 12 * 3_600_000;
const REQUEST_TAKES_MS = 30_000;

/** By the header Date, which has whole seconds: up to a few seconds are the time that the response took. */
export function clockAhead({ headers }: HttpResponse, now: number): { clockAheadMs?: number } {
	const date = trimmedText([field(headers, 'date')].flat()[0]);
	const ahead = HTTP_DATE.test(date) ? now - Date.parse(date) : Number.NaN;
	const isMeant = Math.abs(ahead) > REQUEST_TAKES_MS && Math.abs(ahead) <= MAX_CLOCK_AHEAD_MS;
	return isMeant ? { clockAheadMs: ahead } : {};
}

/** Whether the status counts although the body is a proxy's. */
function speaksForItself(status: number, found: UnreadableBody): boolean {
	if (found === 'empty') return status >= 400;
	const isFound = [401, 404, 429].includes(status) || status >= 500;
	return isFound || (status === 403 && found !== 'html');
}

/** Also text that is no JSON, if it says that the order is not found. */
function readBody(
	{ body, cut }: HttpResponse,
	options: ReadOptions,
): { json: unknown } | { found: UnreadableBody } {
	if (cut !== undefined) return { found: cut };
	const text = typeof body === 'string' ? body.trim() : JSON.stringify(body ?? null);
	const { bytes, values } = BOUNDS[options.asked];
	if (text === '' || (body ?? null) === null) return { found: 'empty' };
	if (text.length > bytes) return { found: 'tooLarge' };
	const { containsKey } = options;
	// One search for almost all responses.
	const hasKey = containsKey !== null && containsKey(text);
	const clean = (json: unknown) => ({ json: hasKey ? withoutKey(json, containsKey) : json });
	try {
		return clean(parseJsonExactly(text, values));
	} catch (error) {
		if (text.startsWith('<')) return { found: 'html' };
		if (/^[[{"]/.test(text))
			return { found: error instanceof ExcessiveJson ? 'tooLarge' : 'brokenJson' };
		const words = { status: 0, code: null, words: text };
		return meaningOf(words, options.asked) === 'NOT_FOUND' ? clean(text) : { found: 'text' };
	}
}

const SERVICE_CODE = /^[A-Z][A-Z0-9_]{2,63}$/;

/** Looks for the code and the message in the usual places, because the interface does not show them. */
function rejected(
	status: number,
	headers: PlainObject,
	body: unknown,
	{ asked, now }: ReadOptions,
) {
	const inner = field(body, 'error');
	const codes = [field(inner, 'code'), field(body, 'code'), inner, field(body, 'errorCode')];
	const code = [...codes, field(inner, 'type')].find(
		(value): value is string => typeof value === 'string' && SERVICE_CODE.test(value),
	);
	const texts = [field(inner, 'message'), field(body, 'message'), field(body, 'error_description')];
	const words = [...texts, field(body, 'detail'), inner, body]
		.map(textOrNull)
		.find((text) => text !== null && text !== code);
	const stated = { status, code: code ?? null, words: words ?? null };
	const sentAt = Date.parse(String(field(headers, 'date')));
	return {
		kind: 'rejected' as const,
		...stated,
		meaning: meaningOf(stated, asked),
		// A date goes by the clock of the server that sent it.
		retryAfterMs: retryAfterMs([field(headers, 'retry-after')].flat()[0], sentAt || now),
	};
}

const MAX_RETRY_AFTER_MS = 3_600_000;

/** Date.parse takes almost any text with a number for a date. */
const HTTP_DATE = /^[a-z]{3}, \d\d [a-z]{3} \d{4} \d\d:\d\d:\d\d gmt$/i;

/** Milliseconds from now, up to an hour; null if absent or unreadable. */
function retryAfterMs(header: unknown, now: number): number | null {
	const text = trimmedText(header);
	const ms = /^\d+(\.\d+)?$/.test(text)
		? Number(text) * 1000
		: HTTP_DATE.test(text)
			? Date.parse(text) - now
			: Number.NaN;
	return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}
