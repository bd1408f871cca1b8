import { isPlainObject, valueOr } from './values';

/** n8n walks items by recursion, and fails on thousands of levels. */
export const MAX_LEVELS = 100;

/** More levels or values than n8n should be given. */
export class ExcessiveJson extends Error {}

/** A configuration of 1,000 networks with 150 tokens each has about 160,000 values. */
const MAX_VALUES = 400_000;

/** JSON.parse that keeps all digits of large whole numbers, as text, and leaves out fields named `__proto__`; throws ExcessiveJson. */
export function parseJsonExactly(text: string, maxValues = MAX_VALUES): unknown {
	if (!isModest(text, maxValues)) throw new ExcessiveJson();
	const rounded: unknown = JSON.parse(text);
	const exact: unknown = LARGE_NUMBER.test(text) ? JSON.parse(withNumbersQuoted(text)) : rounded;
	tidyJson(exact);
	return exact;
}

/** What parseJsonExactly reads; null if it throws. */
export function parsedOrNull(text: string): unknown {
	return valueOr(() => parseJsonExactly(text), null);
}

/** Whether a JSON text has few levels and values; counted before anything is made of it. */
function isModest(text: string, maxValues: number): boolean {
	let isInText = false;
	let level = 0;
	let values = 0;
	for (let at = 0; at < text.length; at++) {
		const sign = text[at];
		if (sign === '\\') at++;
		else if (sign === '"') isInText = !isInText;
		else if (isInText) continue;
		else if (sign === ',') values++;
		else if (sign === ']' || sign === '}') level--;
		else if (sign === '[' || sign === '{') {
			values++;
			level++;
		}
		if (level > MAX_LEVELS || values > maxValues) return false;
	}
	return true;
}

/** Removes fields named `__proto__`; false for more levels or values than n8n should be given. */
export function tidyJson(value: unknown): boolean {
	const open: Array<{ part: unknown; level: number }> = [{ part: value, level: 0 }];
	let values = 0;
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const { part, level } = next;
		if (typeof part !== 'object' || part === null) continue;
		if (level >= MAX_LEVELS || ++values > MAX_VALUES) return false;
		if (isPlainObject(part) && Object.hasOwn(part, '__proto__'))
			Reflect.deleteProperty(part, '__proto__');
		for (const inner of Object.values(part))
			if (typeof inner === 'object') open.push({ part: inner, level: level + 1 });
	}
	return true;
}

/** A copy of a JSON value; null for one that n8n should not be given. */
export function plainJson(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value ?? null;
	return tidyJson(value) ? (JSON.parse(JSON.stringify(value)) as unknown) : null;
}

/** A number that a JavaScript number may not represent, outside of text or in it. */
const LARGE_NUMBER = /(?:^|[[:,\s])-?\d(?:[\d.]{15}|[\d.]*e)/i;

/** JSON with quotes around the numbers that a JavaScript number cannot represent. */
function withNumbersQuoted(text: string): string {
	let isInText = false;
	return text.replace(/\\.|"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi, (found) => {
		if (found === '"') isInText = !isInText;
		return isInText || !/\d$/.test(found) || isRepresentable(found) ? found : `"${found}"`;
	});
}

function isRepresentable(number: string): boolean {
	const value = Number(number);
	return Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?\d+$/.test(number));
}
