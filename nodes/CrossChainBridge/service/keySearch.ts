import { isPlainObject } from '../orders/values';

/** In characters: any text could contain a shorter key by chance. */
const MIN_SEARCHED_KEY = 6;

/** Base64 of a key of few signs is + and / mainly. */
const MIN_BASE64 = 4;

/** How much of a key is searched for, in characters: the time must not grow with it. */
const MAX_PATTERN = 40;

const MAX_DECODED = 4;

type Search = (text: string) => boolean;

/** The value with null for each text and number that contains the key, and without fields named with it. */
export function withoutKey(value: unknown, apiKey: string): unknown {
	const contains = searchFor(apiKey);
	if (contains === null) return value;
	// One search for almost all responses; "|" takes part in no escape.
	return contains(textsIn(value).join('|')) ? without(value, contains) : value;
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'string' || typeof value === 'number') return [String(value)];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

function without(value: unknown, contains: Search): unknown {
	if (typeof value === 'string' || typeof value === 'number')
		return contains(String(value)) ? null : value;
	if (Array.isArray(value)) return value.map((inner) => without(inner, contains));
	if (!isPlainObject(value)) return value;
	const kept = Object.entries(value).filter(([name]) => !contains(name));
	return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner, contains)]));
}

/** Finds the key in all forms that SECURITY.md names, in linear time; null for too short a key. */
function searchFor(apiKey: string): Search | null {
	if (apiKey.length < MIN_SEARCHED_KEY) return null;
	// Decoded as the text is, since a key may look like an escape.
	const keys = decodings(visible(apiKey));
	const bare = [
		...patterns(keys.map(lettersAndDigits)),
		...patterns(base64Forms(apiKey), MIN_BASE64),
	];
	const whole = patterns(keys.filter((key) => lettersAndDigits(key).length < MIN_SEARCHED_KEY));
	const [hex = ''] = patterns([Buffer.from(apiKey).toString('hex')]);
	const isIn = (text: string): boolean => {
		const letters = lettersAndDigits(text);
		return (
			bare.some((each) => letters.includes(each)) ||
			whole.some((each) => text.includes(each)) ||
			letters.replace(/0x|[^\da-f]+/g, '').includes(hex)
		);
	};
	return (text) => {
		const plain = visible(text);
		if (decodings(plain).some(isIn)) return true;
		// A line break or tab inside the key, as JSON inside JSON writes it.
		const unbroken = plain.replace(/\\[bfnrtv]/g, '');
		return unbroken.length < plain.length && decodings(unbroken).some(isIn);
	};
}

function patterns(forms: string[], minLength = MIN_SEARCHED_KEY): string[] {
	return forms
		.filter(({ length }) => length >= minLength)
		.map((form) => form.slice(0, MAX_PATTERN));
}

/** The visible ASCII signs, in small letters. */
function visible(text: string): string {
	return text.replace(/[^\x21-\x7e]+/g, '').toLowerCase();
}

function lettersAndDigits(text: string): string {
	return text.replace(/[^a-z\d]+/g, '');
}

function decodings(text: string): string[] {
	const texts = [text];
	for (let last = text; texts.length <= MAX_DECODED; texts.push(last)) {
		const next = decode(last);
		if (next.length === last.length) break;
		last = next;
	}
	return texts;
}

/** The escapes of URLs, JavaScript and HTML; a backslash before any other sign means nothing. */
const ESCAPE =
	/(?:%|\\x)([\da-f]{2})|\\u(?:([\da-f]{4})|\{([\da-f]{1,8})\}?)|&#(?:x([\da-f]{1,8})|(\d{1,8}));?|&([a-z]{2,6});|\\/y;

/** Writes into bytes: a text that grows by each sign costs ever more memory. */
function decode(text: string): string {
	if (!/[%\\&]/.test(text)) return text;
	const decoded = Buffer.alloc(text.length);
	let length = 0;
	for (let at = 0; at < text.length; ) {
		ESCAPE.lastIndex = at;
		const escape = ESCAPE.exec(text);
		const code = escape === null ? null : charCodeOf(escape);
		if (escape === null || code === null) decoded[length++] = text.charCodeAt(at++);
		else {
			if (code > 0x20 && code < 0x7f) decoded[length++] = code;
			at += escape[0].length;
		}
	}
	return decoded.toString('latin1', 0, length).toLowerCase();
}

/** Null for a name that HTML does not know. */
function charCodeOf([, byte, unicode, braced, hex, decimal, name]: RegExpExecArray): number | null {
	if (name !== undefined) return HTML_NAMES.get(name)?.charCodeAt(0) ?? null;
	return Number(decimal ?? `0x${byte ?? unicode ?? braced ?? hex ?? 0}`);
}

const HTML_NAMES: ReadonlyMap<string, string> = new Map(
	(
		'excl! quot" num# dollar$ percnt% amp& apos\' lpar( rpar) ast* midast* plus+ comma, period. sol/ colon: semi; ' +
		'lt< equals= gt> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_ grave` lcub{ lbrace{ verbar| vert| ' +
		'rcub} rbrace}'
	)
		.split(' ')
		.map((named) => [named.slice(0, -1), named.slice(-1)]),
);

/** The key's Base64 without what depends on its neighbours, for each place where it may begin. */
function base64Forms(apiKey: string): string[] {
	return [0, 1, 2].map((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(apiKey)]);
		const own = bytes
			.toString('base64')
			.slice(Math.ceil((8 * before) / 6), Math.floor((8 * bytes.length) / 6));
		return lettersAndDigits(visible(own));
	});
}
