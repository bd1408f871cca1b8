import { parseJsonExactly } from '../orders/exactJson';
import { hashKey } from '../orders/orders';
import { plainText } from '../orders/plainText';
import { hashesIn, hashIn } from '../orders/sourceHash';
import { field, isPlainObject } from '../orders/values';
import type { ListedOrder } from '../state/listedOrders';
import { isModestReference } from '../state/codec';

/** Part of the list that names no order. */
export interface ListProblem {
	/** The line of the text, or the place in an array, from 1. */
	line: number;
	/** What stands there, short enough for a message. */
	text: string;
	kind: 'noHash' | 'referenceTooLarge';
}

export interface ParsedList {
	/** In the order given, each once; hexadecimal hashes that differ in case only are one. */
	orders: ListedOrder[];
	problems: ListProblem[];
}

/**
 * The orders in whatever the field contains: text of several lines, each with hashes, explorer links or a hash and a label,
 * which becomes the order's reference; pasted JSON; or what an expression gives: text, arrays (nested too), objects with
 * `sourceHash` and `reference`. Nothing that may have been meant as an order is passed over: what names none is a problem.
 */
export function parseSourceHashes(given: unknown): ParsedList {
	const parts = Array.isArray(given)
		? given
				.flat(Infinity)
				.map((part: unknown, index) => partsOf(part, index + 1))
				.flat()
		: partsOf(given, null);
	const byKey = new Map<string, ListedOrder>();
	const problems: ListProblem[] = [];
	for (const part of parts) {
		if ('kind' in part) {
			problems.push(part);
			continue;
		}
		const key = hashKey(part.sourceHash);
		const known = byKey.get(key);
		if (known === undefined) byKey.set(key, part);
		else known.reference ??= part.reference;
	}
	return { orders: [...byKey.values()], problems };
}

type Part = ListedOrder | ListProblem;

/** `place`: in the array that the value comes from; null where text is counted by its own lines. */
function partsOf(given: unknown, place: number | null): Part[] {
	if (typeof given === 'string') return partsOfText(given, place);
	if (given === null || given === undefined) return [];
	const line = place ?? 1;
	if (!isPlainObject(given)) return [noHash(line, String(given))];
	const sourceHash = field(given, 'sourceHash');
	// A row whose hash is not filled in yet.
	if (sourceHash === null || sourceHash === '') return [];
	const reference = field(given, 'reference') ?? null;
	const hash = typeof sourceHash === 'string' ? hashIn(sourceHash) : null;
	if (hash === null)
		return [
			noHash(line, typeof sourceHash === 'string' ? sourceHash : 'an object without sourceHash'),
		];
	if (!isModestReference(reference)) return [{ line, text: hash, kind: 'referenceTooLarge' }];
	return [{ sourceHash: hash, reference }];
}

function partsOfText(text: string, place: number | null): Part[] {
	const json = /^\s*[[{]/.test(text) ? jsonIn(text) : undefined;
	if (typeof json === 'object' && json !== null) {
		const entries: unknown[] = Array.isArray(json) ? json.flat(Infinity) : [json];
		return entries.flatMap((entry, index) => partsOf(entry, place ?? index + 1));
	}
	return text
		.split(/\r\n|[\n\r\u2028\u2029]/)
		.flatMap((line, index) => partsOfLine(line, place ?? index + 1));
}

/** undefined where the text is not JSON, or longer than any list may be. */
function jsonIn(text: string): unknown {
	try {
		return parseJsonExactly(text);
	} catch {
		return undefined;
	}
}

/** One hash with text beside it is a labelled order. Of several hashes, each is one between the commas. */
function partsOfLine(text: string, line: number): Part[] {
	if (WITHOUT_WORDS.test(text)) return [];
	const found = hashesIn(text);
	if (found.length === 0) return [noHash(line, text)];
	const rest = [...found, null]
		.map((each, index) => text.slice(found[index - 1]?.end ?? 0, each?.start))
		.join(' ');
	const [first] = found;
	if (WITHOUT_WORDS.test(rest))
		return found.map(({ hash }) => ({ sourceHash: hash, reference: null }));
	if (found.length === 1 && first !== undefined) return [labelled(first.hash, rest, line)];
	const pieces = text.split(/[,;\t]/);
	return pieces.length > 1
		? pieces.flatMap((piece) => partsOfLine(piece, line))
		: [noHash(line, rest)];
}

/** Nothing but what separates hashes in a list. */
const WITHOUT_WORDS = /^[\s,;:|=>"'`[\]{}()<>–—-]*$/;

function labelled(sourceHash: string, rest: string, line: number): Part {
	const reference = withoutEdges(rest).replace(/\s+/g, ' ');
	return isModestReference(reference)
		? { sourceHash, reference }
		: { line, text: sourceHash, kind: 'referenceTooLarge' };
}

/** What stands between a label and its hash. */
const EDGE = /[\s,;:|=>"'`<–—-]/;

/** A regular expression for signs at the end of a text takes the square of their number. */
function withoutEdges(text: string): string {
	let start = 0;
	let end = text.length;
	while (start < end && EDGE.test(text.charAt(start))) start++;
	while (end > start && EDGE.test(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}

function noHash(line: number, text: string): ListProblem {
	return { line, text: plainText(text, 60) ?? '', kind: 'noHash' };
}
