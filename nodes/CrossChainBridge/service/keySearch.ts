import { isPlainObject } from '../orders/values';

/** In characters: any text could contain a shorter key by chance. */
const MIN_SEARCHED_KEY = 6;

/** How much of a key is searched for, in characters: the time must not grow with it. */
const MAX_PATTERN = 32;

/** What the interface itself says, in small letters: no key is found in it. */
const OWN_WORDS = new Set(
	(
		'success data networks chainid name basetoken decimals gateway tokens native orderid status input output solver timing txhash token amount address timestamp assignedat createdat expiry completedat duration error code message ' +
		'pending executing completed refunded failed invalid_parameter insufficient_liquidity unauthorized not_found rate_limited internal_error'
	).split(' '),
);

/**
 * Finds a key in text: as it is written, in any case, in compatibility letters, URL-encoded, JSON-escaped, in hexadecimal
 * and in Base64, in linear time. A key that is too short is never found.
 */
export function searchFor(apiKey: string): (text: string) => boolean {
	if (apiKey.length < MIN_SEARCHED_KEY) return () => false;
	const written = [...folded(apiKey).slice(0, MAX_PATTERN)].map((sign) => {
		const code = sign.charCodeAt(0).toString(16);
		if (sign === '\\') return '\\\\?';
		return `(?:${sign.replace(/\W/, '\\$&')}|%${code}|\\\\u00${code})`;
	});
	const start = Buffer.from(apiKey.slice(0, MAX_PATTERN));
	const hex = start.toString('hex');
	// Base64 depends on where the key begins in its text; what its neighbors change is left out.
	const base64 = [0, 1, 2].map((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), start]);
		const [first, end] = [Math.ceil((8 * before) / 6), Math.floor((8 * bytes.length) / 6)];
		const own = bytes.toString('base64').slice(first, end);
		return own.replaceAll('+', '[+-]').replaceAll('/', '[/_]');
	});
	// A key of nothing but backslashes is lost among those of escapes.
	const forms = [written.join(''), hex, ...base64].filter((form) => form !== '');
	const pattern = new RegExp(forms.join('|'), 'i');
	return (text) =>
		pattern.test(folded(text)) || (ESCAPE.test(text) && pattern.test(folded(unescaped(text))));
}

/** A character by its number, as JSON may write any; half of a pair for those beyond 16 bits. */
const ESCAPE = /\\u([\da-f]{4})/i;

function unescaped(text: string): string {
	return text.replace(new RegExp(ESCAPE, 'gi'), (_escape, digits: string) =>
		String.fromCharCode(Number.parseInt(digits, 16)),
	);
}

/** In plain letters, without invisible characters and without backslashes, which may escape any character. */
function folded(text: string): string {
	const plain = /[^\x20-\x7e]/.test(text)
		? text.normalize('NFKC').replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
		: text;
	return plain.replace(/\\(?!u[\da-f]{4})|%5c|\\u005c/gi, '');
}

/** The value with null for each text that contains the key, and without fields named with it; the interface's own words and numbers stay. */
export function withoutKey(value: unknown, contains: (text: string) => boolean): unknown {
	const isKey = (text: string) => !isOwn(text) && contains(text);
	if (typeof value === 'string') return isKey(value) ? null : value;
	if (Array.isArray(value)) return value.map((inner) => withoutKey(inner, contains));
	if (!isPlainObject(value)) return value;
	const kept = Object.entries(value).filter(([name]) => !isKey(name));
	return Object.fromEntries(kept.map(([name, inner]) => [name, withoutKey(inner, contains)]));
}

function isOwn(text: string): boolean {
	return OWN_WORDS.has(text.trim().toLowerCase()) || /^[\d.]+$/.test(text);
}
