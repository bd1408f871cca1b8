import { ExcessiveJson, parseJsonExactly } from '../orders/exactJson';
import { withoutKey } from './keySearch';
import type { ServiceError } from './serviceError';
import { field, isPlainObject, textOrNull, type PlainObject } from '../orders/values';

/** An HTTP response as n8n's helper gives it when asked for the full response as text. */
export interface HttpResponse {
	statusCode: number;
	headers: PlainObject;
	body: unknown;
	/** Why the body is not all that was sent: it is longer than MAX_RESPONSE_BYTES, or the connection broke. */
	cut?: CutBody | null;
}

type CutBody = 'tooLarge' | 'brokenOff';

export type ServiceResponse = { ok: true; data: PlainObject } | { ok: false; error: ServiceError };

/** Far above any response of the service: a configuration of 1,000 networks is about 0.5 MB. Unpacked. */
export const MAX_RESPONSE_BYTES = 5_000_000;

/**
 * The payload of an HTTP response, or why there is none; what contains the key that was sent is left out of both. With
 * `envelope: 'optional'` a JSON object without "success" is the payload, as an older form of the quote endpoint sends it.
 */
export function readResponse(
	response: HttpResponse,
	{ now, envelope, apiKey }: { now: number; envelope: 'required' | 'optional'; apiKey: string },
): ServiceResponse {
	const { statusCode: status, headers } = response;
	if (status >= 300 && status < 400) return failed({ kind: 'redirected', status });

	const read = readBody(response, apiKey);
	if (!read.ok) {
		if (speaksForItself(status, read.found)) {
			return failed(rejected(status, headers, undefined, now));
		}
		return failed({ kind: 'unreadable', status, found: read.found });
	}
	if (status < 200 || status >= 400 || field(read.json, 'success') === false) {
		return failed(rejected(status, headers, read.json, now));
	}
	if (!isPlainObject(read.json)) return failed({ kind: 'unreadable', status, found: 'noEnvelope' });

	const hasSuccess = Object.hasOwn(read.json, 'success');
	if (
		!hasSuccess &&
		envelope === 'optional' &&
		Object.keys(read.json).some((key) => key !== 'data')
	) {
		return { ok: true, data: read.json };
	}
	const data = field(read.json, 'data');
	if (isPlainObject(data)) return { ok: true, data };
	return failed({
		kind: 'unreadable',
		status,
		found: hasSuccess || data !== undefined ? 'noData' : 'noEnvelope',
	});
}

/** Whether the status counts although the body is not the service's: a proxy in front of it answers with pages of its own. */
function speaksForItself(status: number, found: string): boolean {
	if (found === 'empty') return status >= 400;
	return status === 401 || status === 429 || status >= 500 || (status === 403 && found !== 'html');
}

function failed(error: ServiceError): ServiceResponse {
	return { ok: false, error };
}

type BodyRead =
	| { ok: true; json: unknown }
	| { ok: false; found: 'html' | 'text' | 'brokenJson' | 'empty' | CutBody };

function readBody({ body, cut }: HttpResponse, apiKey: string): BodyRead {
	if (cut) return { ok: false, found: cut };
	if (typeof body !== 'string')
		return body === undefined || body === null
			? { ok: false, found: 'empty' }
			: { ok: true, json: withoutKey(body, apiKey) };
	if (body.length > MAX_RESPONSE_BYTES) return { ok: false, found: 'tooLarge' };
	const text = body.trim();
	if (text === '') return { ok: false, found: 'empty' };
	try {
		return { ok: true, json: withoutKey(parseJsonExactly(text), apiKey) };
	} catch (error) {
		if (text.startsWith('<')) return { ok: false, found: 'html' };
		if (!/^[[{"]/.test(text)) return { ok: false, found: 'text' };
		return { ok: false, found: error instanceof ExcessiveJson ? 'tooLarge' : 'brokenJson' };
	}
}

const SERVICE_CODE = /^[A-Z][A-Z0-9_]{2,63}$/;

/** Code and words are taken from where services usually put them, since the shape of an error body is not shown. */
function rejected(status: number, headers: PlainObject, body: unknown, now: number): ServiceError {
	const inner = field(body, 'error');
	const code = [
		field(inner, 'code'),
		field(body, 'code'),
		inner,
		field(body, 'errorCode'),
		field(inner, 'type'),
	].find((value): value is string => typeof value === 'string' && SERVICE_CODE.test(value));
	const words = [
		field(inner, 'message'),
		field(body, 'message'),
		field(body, 'error_description'),
		field(body, 'detail'),
		inner,
		body,
	]
		.map(textOrNull)
		.find((text) => text !== null && text !== code);
	return {
		kind: 'rejected',
		status,
		code: code ?? null,
		words: words ?? null,
		retryAfterMs: retryAfterMs([field(headers, 'retry-after')].flat()[0], now),
	};
}

const MAX_WAIT_MS = 3_600_000;

/** How dates begin; Date.parse by itself takes almost any text with a number in it for a date. */
const DATE =
	/^(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? |\d{4}-\d\d-\d\d)/i;

/** The milliseconds from now that Retry-After states (RFC 9110, 10.2.3), up to an hour; null if absent or unreadable. */
export function retryAfterMs(header: unknown, now: number): number | null {
	const text = typeof header === 'number' ? String(header) : textOrNull(header)?.trim();
	if (text === undefined) return null;
	// The oldest of HTTP's three forms ends with the year, and means UTC too.
	const date = / \d{4}$/.test(text) ? `${text} UTC` : text;
	const ms = /^\d+(\.\d+)?$/.test(text)
		? Number(text) * 1000
		: DATE.test(text)
			? Date.parse(date) - now
			: Number.NaN;
	return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_WAIT_MS);
}
