export type PlainObject = Record<string, unknown>;

export function isPlainObject(value: unknown): value is PlainObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object's own field: a key such as `constructor` never reaches a prototype. */
export function field(source: unknown, key: string): unknown {
	return isPlainObject(source) && Object.hasOwn(source, key) ? source[key] : undefined;
}

/** A switch, which an expression may give as text. */
export function booleanOf(value: unknown, otherwise: boolean): boolean {
	const given = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (given === true || given === 'true') return true;
	return given === false || given === 'false' ? false : otherwise;
}

/** Null for empty text, too. */
export function textOrNull(value: unknown): string | null {
	return typeof value === 'string' && value !== '' ? value : null;
}

/** Text or a number as trimmed text; anything else is empty. */
export function trimmedText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** Text, or a whole number as text. */
export function exactTextOrNull(value: unknown): string | null {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
	return textOrNull(value);
}

/** The digits of a whole number from 0. */
export function digitsOrNull(value: unknown): string | null {
	const text = exactTextOrNull(value)?.trim();
	return text !== undefined && /^\d+$/.test(text) ? text : null;
}

/** A chain's ID as the service gave it. */
export function idOrNull(value: unknown): number | string | null {
	if (typeof value === 'number') return Number.isFinite(value) ? value : null;
	return textOrNull(value);
}

/** Text by which addresses and hashes are compared, hexadecimal in any case. */
export function caselessHex(text: string): string {
	return /^0x[0-9a-f]*$/i.test(text) ? text.toLowerCase() : text;
}

const ISO_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** In 2001; less is 0 for nothing, or a number of seconds from now. */
const MIN_PLAUSIBLE_SECONDS = 1_000_000_000;
const MAX_PLAUSIBLE_SECONDS = 100_000_000_000;

/** Milliseconds since 1970, of Unix seconds or milliseconds, or of ISO text, in UTC where it names no zone; null for anything else. */
export function epochMsOrNull(value: unknown): number | null {
	if (typeof value === 'string') {
		const text = value.trim();
		if (/^\d+$/.test(text)) return epochMsOrNull(Number(text));
		const [isTime = null, zone = ''] = ISO_TIME.exec(text) ?? [];
		// Not the zone of n8n's machine.
		const isUtc = zone === '' && text.includes(':');
		const parsed = isTime === null ? Number.NaN : Date.parse(isUtc ? `${text}Z` : text);
		return Number.isNaN(parsed) ? null : parsed;
	}
	if (typeof value !== 'number' || !(value >= MIN_PLAUSIBLE_SECONDS)) return null;
	const ms = value < MAX_PLAUSIBLE_SECONDS ? value * 1000 : value;
	return ms <= 8.64e15 ? ms : null;
}

/** What epochMsOrNull reads, as ISO text in UTC. */
export function isoTimeOrNull(value: unknown): string | null {
	const ms = epochMsOrNull(value);
	return ms === null ? null : new Date(ms).toISOString();
}

/** A number from 0, also as text. */
export function numberOrNull(value: unknown): number | null {
	const number =
		typeof value === 'string' && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}

export function errorOf(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
