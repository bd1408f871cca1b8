import { isPlainObject } from './values';

/** n8n walks items by recursion, and fails on thousands of levels. */
export const MAX_LEVELS = 100;

/** A configuration of 1,000 networks with 50 tokens each has about 60,000 values. */
const MAX_PARTS = 200_000;

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The text has more levels or values than n8n should be given. */
export class ExcessiveJson extends Error {}

/** JSON.parse in linear time that gives large whole numbers as text, so that they lose no digits, and leaves out fields named `__proto__`. */
export function parseJsonExactly(text: string): unknown {
	if (!isModestText(text))
		throw new ExcessiveJson(`More than ${MAX_LEVELS} levels or ${MAX_PARTS} values`);
	const rounded: unknown = JSON.parse(text);
	const isRepresentable = !/\d{16}|\d[eE]\+?\d\d/.test(text);
	const parsed: unknown = isRepresentable ? rounded : JSON.parse(withLargeNumbersQuoted(text));
	tidyJson(parsed);
	return parsed;
}

/** JSON with all digits of its numbers; null for what is no JSON. */
export function parsedOrNull(text: string): unknown {
	try {
		return parseJsonExactly(text);
	} catch {
		return null;
	}
}

const [QUOTE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'",[]{}'].map((sign) =>
	sign.charCodeAt(0),
);

/** Counts levels and values before anything is parsed. */
function isModestText(text: string): boolean {
	let level = 0;
	let parts = 0;
	for (let at = 0; at < text.length; at++) {
		const sign = text.charCodeAt(at);
		if (sign === QUOTE) at = endOfString(text, at) - 1;
		else if (sign === COMMA) parts++;
		else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) level--;
		else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
			parts++;
			level++;
		}
		if (level > MAX_LEVELS || parts > MAX_PARTS) return false;
	}
	return true;
}

/** Removes fields named `__proto__` from a value; false if it has more levels or parts than n8n should be given. */
export function tidyJson(value: unknown): boolean {
	const open: Array<{ part: unknown; level: number }> = [{ part: value, level: 0 }];
	let parts = 0;
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const { part, level } = next;
		if (typeof part !== 'object' || part === null) continue;
		parts++;
		if (level >= MAX_LEVELS || parts > MAX_PARTS) return false;
		if (isPlainObject(part) && Object.hasOwn(part, '__proto__'))
			Reflect.deleteProperty(part, '__proto__');
		for (const inner of Object.values(part))
			if (typeof inner === 'object' && inner !== null) open.push({ part: inner, level: level + 1 });
	}
	return true;
}

/** A copy of a JSON value; null for one that n8n should not be given. */
export function plainJson(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value ?? null;
	return tidyJson(value) ? (JSON.parse(JSON.stringify(value)) as unknown) : null;
}

/** Valid JSON with quotes around the numbers that a JavaScript number cannot represent. */
function withLargeNumbersQuoted(text: string): string {
	const pieces: string[] = [];
	for (let at = 0; at < text.length; ) {
		const quote = text.indexOf('"', at);
		const end = quote === -1 ? text.length : quote;
		pieces.push(
			text
				.slice(at, end)
				.replace(NUMBER, (number) => (isRepresentable(number) ? number : `"${number}"`)),
		);
		at = quote === -1 ? end : endOfString(text, quote);
		pieces.push(text.slice(end, at));
	}
	return pieces.join('');
}

function isRepresentable(number: string): boolean {
	const value = Number(number);
	return Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?\d+$/.test(number));
}

function endOfString(text: string, start: number): number {
	for (
		let quote = text.indexOf('"', start + 1);
		quote !== -1;
		quote = text.indexOf('"', quote + 1)
	) {
		let before = quote;
		while (text[before - 1] === '\\') before--;
		if ((quote - before) % 2 === 0) return quote + 1;
	}
	return text.length;
}
