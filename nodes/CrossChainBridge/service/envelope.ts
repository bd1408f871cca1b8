import { ExcessiveJson, parseJsonExactly } from '../orders/exactJson';
import { field, isPlainObject, type PlainObject, textOrNull, trimmedText } from '../orders/values';
import { withoutKey } from './keySearch';
import type { ServiceError, UnreadableBody } from './errors';

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

export type ServiceResponse = { ok: true; data: PlainObject } | Failed;

export const failed = (error: ServiceError): Failed => ({ ok: false, error });

/** Unpacked; a configuration of 1,000 networks is about 0.5 MB. */
export const MAX_RESPONSE_BYTES = 5_000_000;

/** The payload without what contains the key, or why there is none; only a quote may come without an envelope. */
export function readResponse(
	response: HttpResponse,
	{ now, envelope, apiKey }: { now: number; envelope: 'required' | 'optional'; apiKey: string },
): ServiceResponse {
	const { statusCode: status, headers } = response;
	const unreadable = (found: UnreadableBody) => failed({ kind: 'unreadable', status, found });
	if (status >= 300 && status < 400) return failed({ kind: 'redirected', status });

	const read = readBody(response, apiKey);
	if ('found' in read)
		return speaksForItself(status, read.found)
			? failed(rejected(status, headers, undefined, now))
			: unreadable(read.found);
	const { json } = read;
	if (status < 200 || status >= 400 || field(json, 'success') === false)
		return failed(rejected(status, headers, json, now));
	if (!isPlainObject(json)) return unreadable('noEnvelope');

	const hasSuccess = Object.hasOwn(json, 'success');
	const isBare = !hasSuccess && Object.keys(json).some((key) => key !== 'data');
	if (envelope === 'optional' && isBare) return { ok: true, data: json };
	const data = field(json, 'data');
	if (isPlainObject(data)) return { ok: true, data };
	return unreadable(hasSuccess || data !== undefined ? 'noData' : 'noEnvelope');
}

/** Whether the status counts although the body is a proxy's. */
function speaksForItself(status: number, found: UnreadableBody): boolean {
	if (found === 'empty') return status >= 400;
	return status === 401 || status === 429 || status >= 500 || (status === 403 && found !== 'html');
}

function readBody(
	{ body, cut }: HttpResponse,
	apiKey: string,
): { json: unknown } | { found: UnreadableBody } {
	if (cut !== undefined) return { found: cut };
	if (typeof body === 'object' && body !== null) return { json: withoutKey(body, apiKey) };
	const text = String(body ?? '').trim();
	if (text === '') return { found: 'empty' };
	if (text.length > MAX_RESPONSE_BYTES) return { found: 'tooLarge' };
	try {
		return { json: withoutKey(parseJsonExactly(text), apiKey) };
	} catch (error) {
		if (text.startsWith('<')) return { found: 'html' };
		if (!/^[[{"]/.test(text)) return { found: 'text' };
		return { found: error instanceof ExcessiveJson ? 'tooLarge' : 'brokenJson' };
	}
}

const SERVICE_CODE = /^[A-Z][A-Z0-9_]{2,63}$/;

/** Code and words from where services usually put them, since the interface does not show it. */
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
		retryAfterMs: retryAfterMs(
			[field(headers, 'retry-after')].flat()[0],
			// A date goes by the clock of whoever sent it.
			Date.parse(String(field(headers, 'date'))) || now,
		),
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
