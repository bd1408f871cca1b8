export type PlainObject = Record<string, unknown>;

export function isPlainObject(value: unknown): value is PlainObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object's own field: a key such as `constructor` never reaches a prototype. */
export function field(source: unknown, key: string): unknown {
	return isPlainObject(source) && Object.hasOwn(source, key) ? source[key] : undefined;
}

/** The entries of a list; none of anything else. */
export function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** The text of a list that has nothing else, as a table's lookup field gives one, and null of one that has none; any other value as it is. */
export function onlyText(value: unknown): unknown {
	if (!Array.isArray(value) || value.length > 1) return value;
	const text: unknown = value[0] ?? null;
	return typeof text === 'string' || text === null ? text : value;
}

/** Null for empty text, too. */
export function textOrNull(value: unknown): string | null {
	return typeof value === 'string' && value !== '' ? value : null;
}

/** Text or a number as trimmed text; anything else is empty. */
export function trimmedText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
	// JavaScript writes small numbers with an exponent: 0.0000001 is "1e-7".
	const [, sign, whole = '', decimals = '', zeros] =
		/^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? [];
	return zeros === undefined
		? text
		: `${sign}0.${'0'.repeat(Number(zeros) - 1)}${whole}${decimals}`;
}

/** Text without the signs that nobody sees: zero-width signs, soft hyphens, marks of direction, controls. */
export function withoutInvisible(text: string): string {
	return text.replace(/[\p{Cf}\p{DI}]|(?!\s)\p{Cc}/gu, '');
}

/** The same, trimmed. */
export function visibleText(text: string): string {
	return withoutInvisible(text).trim();
}

/** One space for each run of white space. Single spaces stay as they are, because to replace each of them by itself is slow for a long text. */
export function singleSpaced(text: string): string {
	return text.replace(/\s{2,}|[^\S ]/g, ' ');
}

/** Whether nothing stands there, or only signs that nobody sees. */
export function isEmpty(given: unknown): boolean {
	const text = given ?? '';
	return typeof text === 'string' && visibleText(text) === '';
}

/** Whether a text is nothing but zeros, which many services write for a hash, an address or a number that they do not have. */
export function isZeros(value: unknown): boolean {
	return /^(?:(?:0x)?0*|1{32,})$/i.test(trimmedText(value));
}

/** A boolean, also as a word in any case, or as 1 or 0. */
export function booleanOrNull(value: unknown): boolean | null {
	const text = (typeof value === 'boolean' ? String(value) : trimmedText(value)).toLowerCase();
	if (['true', '1'].includes(text)) return true;
	return ['false', '0'].includes(text) ? false : null;
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

/** The times that an order can have: from the first block of any chain on, in milliseconds since 1970. */
const FIRST_TIME = Date.UTC(2009, 0, 1);
const LAST_TIME = Date.UTC(2100, 0, 1);

/** Seconds, milliseconds, microseconds and nanoseconds, in milliseconds; no number is an order's time in two of them. */
const UNITS_MS = [1000, 1, 1e-3, 1e-6];

/** A time of an order in milliseconds since 1970, from Unix time in any usual unit or ISO text (UTC if it names no zone); null for a time that no order can have. */
export function epochMsOrNull(value: unknown): number | null {
	const number = numberOrNull(value);
	if (number !== null) {
		const times = UNITS_MS.map((ms) => plausible(Math.round(number * ms)));
		return times.find((time) => time !== null) ?? null;
	}
	const text = trimmedText(value);
	const [isTime = null, zone = ''] = ISO_TIME.exec(text) ?? [];
	if (isTime === null || !isDay(text.slice(0, 10))) return null;
	// Not the zone of n8n's machine.
	const isUtc = zone === '' && text.includes(':');
	// Date.parse wants minutes in a zone.
	const isHours = /^[+-]\d\d$/.test(zone);
	return plausible(Date.parse(text + (isUtc ? 'Z' : isHours ? ':00' : '')));
}

/** Date.parse takes 31 February for 3 March. */
function isDay(text: string): boolean {
	const midnight = Date.parse(text);
	return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
}

function plausible(ms: number): number | null {
	return ms >= FIRST_TIME && ms < LAST_TIME ? ms : null;
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

/** What a function gives, or the other value if it throws. */
export function valueOr<T, U>(read: () => T, otherwise: U): T | U {
	try {
		return read();
	} catch {
		return otherwise;
	}
}

export function errorOf(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
