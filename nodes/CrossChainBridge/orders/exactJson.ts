import { isPlainObject } from './values';

/** n8n walks items by recursion, and fails on thousands of levels. */
export const MAX_LEVELS = 100;

/** A configuration of 1,000 networks with 50 tokens each has about 60,000 values. */
const MAX_PARTS = 200_000;

/** More levels or values than n8n should be given. */
export class ExcessiveJson extends Error {}

/** JSON.parse that keeps all digits of large whole numbers, as text, and leaves out fields named `__proto__`; throws ExcessiveJson. */
export function parseJsonExactly(text: string): unknown {
	if (!isModestText(text)) throw new ExcessiveJson();
	const rounded: unknown = JSON.parse(text);
	const isExact = !/\d{16}|\d[eE]\+?\d\d/.test(text);
	const parsed: unknown = isExact ? rounded : JSON.parse(withLargeNumbersQuoted(text));
	tidyJson(parsed);
	return parsed;
}

/** What parseJsonExactly reads; null where it throws. */
export function parsedOrNull(text: string): unknown {
	try {
		return parseJsonExactly(text);
	} catch {
		return null;
	}
}

/** Counts levels and values before anything is parsed. */
function isModestText(text: string): boolean {
	let isInText = false;
	let level = 0;
	let parts = 0;
	for (let at = 0; at < text.length; at++) {
		const sign = text[at];
		if (sign === '\\') at++;
		else if (sign === '"') isInText = !isInText;
		else if (isInText) continue;
		else if (sign === ',') parts++;
		else if (sign === ']' || sign === '}') level--;
		else if (sign === '[' || sign === '{') {
			parts++;
			level++;
		}
		if (level > MAX_LEVELS || parts > MAX_PARTS) return false;
	}
	return true;
}

/** Removes fields named `__proto__`; false for more levels or parts than n8n should be given. */
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
	let isInText = false;
	return text.replace(/\\.|"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (found) => {
		if (found === '"') isInText = !isInText;
		return isInText || !/\d$/.test(found) || isRepresentable(found) ? found : `"${found}"`;
	});
}

function isRepresentable(number: string): boolean {
	const value = Number(number);
	return Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?\d+$/.test(number));
}
