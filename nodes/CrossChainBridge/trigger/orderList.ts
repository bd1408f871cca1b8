import { parsedOrNull } from '../orders/exactJson';
import { hashKey } from '../orders/orders';
import { plainText } from '../orders/plainText';
import { hashesIn, type HashProblem, problemIn, readHash } from '../orders/sourceHash';
import { field, isPlainObject } from '../orders/values';
import type { ListedOrder } from '../state/listedOrders';
import { isModestReference } from '../state/codec';

export interface ListProblem {
	/** Or its place in the array, from 1. */
	line: number;
	/** What stands there, cut for a message. */
	text: string;
	kind: HashProblem | 'referenceTooLarge';
}

export interface GivenOrder extends ListedOrder {
	/** Of a block explorer. */
	link: string | null;
	/** Or its place in the array, from 1. */
	line: number;
}

interface ParsedList {
	/** By hash key. */
	orders: Map<string, GivenOrder>;
	problems: ListProblem[];
}

/** The orders in text, pasted JSON or an expression's value; a part that names none is a problem. */
export function parseSourceHashes(given: unknown): ParsedList {
	const parts = Array.isArray(given)
		? given
				.flat(Infinity)
				.map((part: unknown, index) => partsOf(part, index + 1))
				.flat()
		: partsOf(given, null);
	const orders = new Map<string, GivenOrder>();
	const problems: ListProblem[] = [];
	for (const part of parts) {
		if ('kind' in part) {
			problems.push(part);
			continue;
		}
		const key = hashKey(part.sourceHash);
		const known = orders.get(key);
		if (known === undefined) orders.set(key, part);
		else {
			known.reference = bothLabels(known.reference, part.reference);
			known.link ??= part.link;
		}
	}
	return { orders, problems };
}

/** Where two lines have the same hash by mistake, its message shows both names. */
function bothLabels(known: unknown, another: unknown): unknown {
	if (known === null || known === '') return another;
	if (typeof known !== 'string' || typeof another !== 'string' || another === '') return known;
	const isTooLong = known.length + another.length > MAX_BOTH_LABELS;
	return isTooLong || known.split(' and ').includes(another) ? known : `${known} and ${another}`;
}

/** Characters; messages show fewer. */
const MAX_BOTH_LABELS = 200;

type Part = GivenOrder | ListProblem;

/** `place`: in the array that the value comes from; null where text is counted by lines. */
function partsOf(given: unknown, place: number | null): Part[] {
	if (typeof given === 'string') return partsOfText(given, place);
	if (given === null || given === undefined) return [];
	const line = place ?? 1;
	if (!isPlainObject(given)) return [problem('noHash', line, String(given))];
	const sourceHash = field(given, 'sourceHash');
	// A row whose hash is not filled in yet.
	if (sourceHash === null || sourceHash === '') return [];
	if (typeof sourceHash !== 'string')
		return [problem('noHash', line, 'an object without sourceHash')];
	const read = readHash(sourceHash);
	if (!read.ok) return [problem(read.problem, line, sourceHash)];
	return [ordered(read, field(given, 'reference') ?? null, line)];
}

function partsOfText(text: string, place: number | null): Part[] {
	const json = /^\s*[[{]/.test(text) ? parsedOrNull(text) : null;
	if (typeof json === 'object' && json !== null) {
		const entries: unknown[] = Array.isArray(json) ? json.flat(Infinity) : [json];
		return entries.flatMap((entry, index) => partsOf(entry, place ?? index + 1));
	}
	return text
		.split(/\r\n|[\n\r\u2028\u2029]/)
		.flatMap((line, index) => partsOfLine(line, place ?? index + 1));
}

/** One hash with text beside it is a labelled order; several are one each between the commas. */
function partsOfLine(text: string, line: number): Part[] {
	if (WITHOUT_WORDS.test(text)) return [];
	const mistake = problemIn(text);
	if (mistake !== null) return [problem(mistake, line, text)];
	const found = hashesIn(text);
	const [first, another] = found;
	if (first === undefined) return [problem('noHash', line, text)];
	const rest = [...found, null]
		.map((each, index) => text.slice(found[index - 1]?.end ?? 0, each?.start))
		.join(' ');
	if (WITHOUT_WORDS.test(rest)) return found.map((each) => ordered(each, null, line));
	if (another === undefined) return [ordered(first, withoutEdges(rest).replace(/\s+/g, ' '), line)];
	const pieces = text.split(/[,;\t]/);
	return pieces.length > 1
		? pieces.flatMap((piece) => partsOfLine(piece, line))
		: [problem('noHash', line, rest)];
}

const WITHOUT_WORDS = /^[\s,;:|=>"'`[\]{}()<>–—-]*$/;

function ordered(
	{ hash, link }: { hash: string; link: string | null },
	reference: unknown,
	line: number,
): Part {
	return isModestReference(reference)
		? { sourceHash: hash, reference, link, line }
		: problem('referenceTooLarge', line, hash);
}

const EDGE = /[\s,;:|=>"'`<–—-]/;

/** A regular expression for signs at the end would take the square of their number. */
function withoutEdges(text: string): string {
	let start = 0;
	let end = text.length;
	while (start < end && EDGE.test(text.charAt(start))) start++;
	while (end > start && EDGE.test(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}

function problem(kind: ListProblem['kind'], line: number, text: string): ListProblem {
	return { line, text: plainText(text, 60) ?? '', kind };
}
