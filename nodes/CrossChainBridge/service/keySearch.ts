import { isPlainObject } from '../orders/values';

/** In characters; any text could contain a shorter key by chance, so that it is not searched for. */
export const SHORTEST_SEARCHED_KEY = 6;

/** Letters and digits of the key's Base64; fewer than seven only where a key of few signs gives + and /. */
const SHORTEST_BASE64 = 4;

/** Of each form of the key this much is searched for, so that the search takes linear time whatever key and text repeat. */
const MAX_PATTERN = 40;

/** Escapes may stand inside escapes this many times. */
const MAX_DECODED = 4;

/** Takes part in no escape, so that texts joined by it are decoded as they are one by one. */
const BETWEEN_TEXTS = '|';

/**
 * The JSON value without the key: a text or number that contains it in any form becomes null, and a field whose name
 * contains it is left out. The value itself is given back where nothing is found, and never changed.
 */
export function withoutKey(value: unknown, apiKey: string): unknown {
	const contains = searchFor(apiKey);
	if (contains === null) return value;
	const texts: string[] = [];
	collectTexts(value, texts);
	// Almost all answers contain nothing: one search shows it.
	return contains(texts.join(BETWEEN_TEXTS)) ? without(value, contains) : value;
}

type Search = (text: string) => boolean;

function collectTexts(value: unknown, texts: string[]): void {
	if (typeof value === 'string') texts.push(value);
	else if (typeof value === 'number') texts.push(String(value));
	else if (Array.isArray(value)) for (const inner of value) collectTexts(inner, texts);
	else if (isPlainObject(value)) {
		for (const [name, inner] of Object.entries(value)) {
			texts.push(name);
			collectTexts(inner, texts);
		}
	}
}

function without(value: unknown, contains: Search): unknown {
	if (typeof value === 'string' || typeof value === 'number')
		return contains(String(value)) ? null : value;
	if (Array.isArray(value)) return value.map((inner) => without(inner, contains));
	if (!isPlainObject(value)) return value;
	const kept = Object.entries(value).filter(([name]) => !contains(name));
	return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner, contains)]));
}

/**
 * Finds the key in a text: as it is or in any case, as hexadecimal digits of its bytes, as Base64 of
 * either alphabet behind anything, each of them with other signs in between, and escaped as URLs, JSON, JavaScript and HTML
 * do, four times over. Null for a key that is too short to be searched for. Linear in text and key.
 */
export function searchFor(apiKey: string): Search | null {
	if (apiKey.length < SHORTEST_SEARCHED_KEY) return null;
	// What is decoded in a text is decoded in the key as well, which may look like an escape itself.
	const keys = decodings(visible(apiKey));
	const bare = [
		...patterns(keys.map(lettersAndDigits)),
		...patterns(base64Forms(apiKey), SHORTEST_BASE64),
	];
	const whole = patterns(
		keys.filter((key) => lettersAndDigits(key).length < SHORTEST_SEARCHED_KEY),
	);
	const hex = patterns([Buffer.from(Buffer.from(apiKey).toString('hex'))]);
	const isIn = (text: Buffer): boolean => {
		const letters = lettersAndDigits(text);
		return (
			bare.some((each) => letters.includes(each)) ||
			whole.some((each) => text.includes(each)) ||
			hex.some((each) => hexDigits(letters).includes(each))
		);
	};
	return (text) => {
		const plain = visible(text);
		if (decodings(plain).some(isIn)) return true;
		const unbroken = withoutEscapedBreaks(plain);
		return unbroken.length < plain.length && decodings(unbroken).some(isIn);
	};
}

function patterns(forms: Buffer[], shortest = SHORTEST_SEARCHED_KEY): Buffer[] {
	return forms
		.filter(({ length }) => length >= shortest)
		.map((form) => form.subarray(0, MAX_PATTERN));
}

/** A byte for each small visible ASCII sign of the text: white space, invisible and foreign signs are left out. */
function visible(text: string): Buffer {
	const signs = Buffer.allocUnsafe(text.length);
	let length = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (isVisible(code)) signs[length++] = small(code);
	}
	return signs.subarray(0, length);
}

function isVisible(code: number): boolean {
	return code > 0x20 && code < 0x7f;
}

function small(code: number): number {
	return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

function lettersAndDigits(text: Buffer): Buffer {
	return filtered(text, (code) => digitOf(code) < 36);
}

/** Of letters and digits, with 0x in front of each byte or not. */
function hexDigits(text: Buffer): Buffer {
	return filtered(text, (code, at) => digitOf(code) < 16 && !(code === ZERO && text[at + 1] === X));
}

/** A line break or tab inside the key, as JSON inside JSON writes it. */
function withoutEscapedBreaks(text: Buffer): Buffer {
	const isBreak = (at: number): boolean =>
		text[at] === BACKSLASH && BREAKS.includes(text[at + 1] ?? 0);
	return filtered(text, (_code, at) => !isBreak(at) && !isBreak(at - 1));
}

function filtered(text: Buffer, isKept: (code: number, at: number) => boolean): Buffer {
	const signs = Buffer.allocUnsafe(text.length);
	let length = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text[at] ?? 0;
		if (isKept(code, at)) signs[length++] = code;
	}
	return signs.subarray(0, length);
}

/** What the sign is worth as a digit of up to 36, small letters among them; more for every other sign. */
function digitOf(code: number): number {
	if (code >= ZERO && code < ZERO + 10) return code - ZERO;
	return code >= SMALL_A && code < SMALL_A + 26 ? code - SMALL_A + 10 : Number.POSITIVE_INFINITY;
}

/** The visible text, and what it becomes when it is decoded again and again. */
function decodings(text: Buffer): Buffer[] {
	const texts = [text];
	for (let last = text; texts.length <= MAX_DECODED; texts.push(last)) {
		const next = decode(last);
		if (next.length === last.length) break;
		last = next;
	}
	return texts;
}

const [PERCENT, BACKSLASH, AND, NUMBER_SIGN, SEMICOLON, OPEN, CLOSE, SMALL_A, U, X, ZERO] = [
	0x25, 0x5c, 0x26, 0x23, 0x3b, 0x7b, 0x7d, 0x61, 0x75, 0x78, 0x30,
];
const BREAKS = Buffer.from('bfnrtv');

/** Digits of one sign, leading zeros included, and letters of a name. */
const MAX_DIGITS = 8;

/** Each escape becomes its sign, or nothing where that is not visible. */
function decode(text: Buffer): Buffer {
	const signs = Buffer.allocUnsafe(text.length);
	let length = 0;
	for (let at = 0; at < text.length; ) {
		const escape = escapeAt(text, at);
		const code = escape === null ? (text[at] ?? 0) : small(escape.code);
		if (isVisible(code)) signs[length++] = code;
		at = escape === null ? at + 1 : escape.end;
	}
	return signs.subarray(0, length);
}

/** The sign that an escape stands for, and the place behind the escape. */
interface Escape {
	code: number;
	end: number;
}

function escapeAt(text: Buffer, at: number): Escape | null {
	const second = text[at + 1];
	switch (text[at]) {
		case PERCENT:
			return numberAt(text, at + 1, { exactly: 2 });
		case BACKSLASH:
			// Before any other sign it means nothing.
			return (
				(second === X
					? numberAt(text, at + 2, { exactly: 2 })
					: second === U
						? unicodeAt(text, at + 2)
						: null) ?? { code: 0, end: at + 1 }
			);
		case AND:
			if (second !== NUMBER_SIGN) return namedAt(text, at + 1);
			return text[at + 2] === X
				? numberAt(text, at + 3, { last: SEMICOLON })
				: numberAt(text, at + 2, { base: 10, last: SEMICOLON });
		default:
			return null;
	}
}

function unicodeAt(text: Buffer, at: number): Escape | null {
	return text[at] === OPEN
		? numberAt(text, at + 1, { last: CLOSE })
		: numberAt(text, at, { exactly: 4 });
}

function numberAt(
	text: Buffer,
	start: number,
	{ base = 16, exactly, last }: { base?: number; exactly?: number; last?: number },
): Escape | null {
	let [code, end] = [0, start];
	for (; end < start + (exactly ?? MAX_DIGITS) && digitOf(text[end] ?? 0) < base; end++)
		code = code * base + digitOf(text[end] ?? 0);
	if (end === start || (exactly !== undefined && end < start + exactly)) return null;
	return { code, end: last !== undefined && text[end] === last ? end + 1 : end };
}

function namedAt(text: Buffer, start: number): Escape | null {
	let end = start;
	while (end < start + MAX_DIGITS && digitOf(text[end] ?? 0) < 36) end++;
	const sign =
		text[end] === SEMICOLON ? HTML_NAMES.get(text.toString('latin1', start, end)) : undefined;
	return sign === undefined ? null : { code: sign.charCodeAt(0), end: end + 1 };
}

/** HTML's names of ASCII signs, in small letters. */
const HTML_NAMES: ReadonlyMap<string, string> = new Map(
	Object.entries({
		'!': ['excl'],
		'"': ['quot'],
		'#': ['num'],
		$: ['dollar'],
		'%': ['percnt'],
		'&': ['amp'],
		"'": ['apos'],
		'(': ['lpar'],
		')': ['rpar'],
		'*': ['ast', 'midast'],
		'+': ['plus'],
		',': ['comma'],
		'.': ['period'],
		'/': ['sol'],
		':': ['colon'],
		';': ['semi'],
		'<': ['lt'],
		'=': ['equals'],
		'>': ['gt'],
		'?': ['quest'],
		'@': ['commat'],
		'[': ['lsqb', 'lbrack'],
		'\\': ['bsol'],
		']': ['rsqb', 'rbrack'],
		'^': ['hat'],
		_: ['lowbar'],
		'`': ['grave'],
		'{': ['lcub', 'lbrace'],
		'|': ['verbar', 'vert'],
		'}': ['rcub', 'rbrace'],
	}).flatMap(([sign, names]) => names.map((name): [string, string] => [name, sign])),
);

/**
 * Letters and digits of the part of the key's Base64 that does not depend on what stands before and after it, as in
 * `user:key`, for each of the three positions at which the key may begin. The alphabets differ in other signs only.
 */
function base64Forms(apiKey: string): Buffer[] {
	return [0, 1, 2].map((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(apiKey)]);
		const own = bytes
			.toString('base64')
			.slice(Math.ceil((8 * before) / 6), Math.floor((8 * bytes.length) / 6));
		return lettersAndDigits(visible(own));
	});
}
