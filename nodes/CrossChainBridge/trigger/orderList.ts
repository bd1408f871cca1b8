import { plainText } from '../orders/plainText';
import { jsonIn, kindOf, nameOfRow } from '../orders/orderRow';
import { hashProblemWords } from '../orders/hashProblems';
import {
	brokenHash,
	type HashRead,
	LINE_END,
	readLine,
	readRow,
	readable,
} from '../orders/sourceHash';
import { isPlainObject } from '../orders/values';
import type { ListedOrder } from '../watch/events';
import { MAX_REFERENCE_BYTES } from '../watch/state';
import { isModestReference } from '../watch/stored';

/** A line of text, or a row of an array; from 1. */
interface Place {
	kind: 'line' | 'row';
	number: number;
}

/** What is wrong, and what to do. */
type ProblemWords = [what: string, remedy: string];

/** A line or row that names no order. */
interface ListProblem {
	place: Place;
	/** Of the row; null if it has none, and for a line, whose text the words have. */
	name: string | null;
	words: ProblemWords;
}

export interface GivenOrder extends ListedOrder {
	/** The link that the hash came in. */
	link: string | null;
	/** Its line or row, from 1. */
	line: number;
}

type Part = GivenOrder | ListProblem;

/** The orders, by order key, in text, in pasted JSON or in what an expression gives. If two lines have one order, both names count. */
export function readList(given: unknown): {
	orders: Map<string, GivenOrder>;
	problems: ListProblem[];
} {
	const orders = new Map<string, GivenOrder>();
	const problems: ListProblem[] = [];
	for (const part of partsOf(given, null)) {
		if ('words' in part) {
			problems.push(part);
			continue;
		}
		const known = orders.get(part.key);
		if (known === undefined) orders.set(part.key, part);
		else {
			known.reference = bothNames(known.reference, part.reference);
			known.link ??= part.link;
		}
	}
	return { orders, problems };
}

/** In characters; messages show fewer. */
const MAX_BOTH_NAMES = 200;

function bothNames(known: unknown, another: unknown): unknown {
	if (known === null || known === '') return another;
	if (typeof known !== 'string' || typeof another !== 'string' || another === '') return known;
	const isTooLong = known.length + another.length > MAX_BOTH_NAMES;
	return isTooLong || known.split(' and ').includes(another) ? known : `${known} and ${another}`;
}

/** Lists within lists are opened so far. */
const MAX_DEPTH = 50;

/** `row`: in the array that the value comes from; null if the lines of a text are counted. `above`: the lists that the value is in. */
function partsOf(given: unknown, row: Place | null, above: readonly unknown[] = []): Part[] {
	if (given === null || given === undefined) return [];
	if (typeof given === 'string') return partsOfText(given, row);
	const place: Place = row ?? { kind: 'row', number: 1 };
	const isEndless = above.includes(given) || above.length > MAX_DEPTH;
	if (Array.isArray(given) && !isEndless)
		return given.flatMap((entry: unknown, index) =>
			partsOf(entry, row ?? { kind: 'row', number: index + 1 }, [...above, given]),
		);
	if (!isPlainObject(given)) {
		const value = Array.isArray(given) ? 'a list that is nested without end' : kindOf(given);
		const remedy =
			'Enter the hash as text, or as an object with the fields sourceHash and reference.';
		return [{ place, name: null, words: [`it is ${value}`, remedy] }];
	}
	const read = readRow(given);
	return read === null ? [] : [partOf(read, place, nameOfRow(given))];
}

function partsOfText(given: string, row: Place | null): Part[] {
	const json = jsonIn(given);
	if (json !== null) return partsOf(json, row);
	const text = readable(given);
	const broken = brokenHash(text);
	return text.split(LINE_END).flatMap((line, index) => {
		const place = row ?? { kind: 'line', number: index + 1 };
		// JSON Lines, or a part of a pasted list.
		const inLine = jsonIn(line.replace(/,\s*$/, ''));
		if (inLine !== null) return partsOf(inLine, place);
		const reads = index === broken?.line ? [broken.read] : readLine(line);
		return reads.map((read) => partOf(read, place));
	});
}

/** `rowName`: the reference that a row has next to its hash; null without one. */
function partOf(read: HashRead, place: Place, rowName: unknown = null): Part {
	const reference = rowName ?? (read.ok ? read.name : null);
	const name = typeof reference === 'string' ? reference : null;
	if (!read.ok) return { place, name, words: hashProblemWords(read.problem) };
	const { hash: sourceHash, key, link } = read;
	if (isModestReference(reference)) return { sourceHash, key, reference, link, line: place.number };
	const what = `the reference is larger than ${MAX_REFERENCE_BYTES / 1024} KB`;
	return { place, name, words: [what, 'Shorten the reference of this order.'] };
}

const MAX_NAME = 40;

/** Message and remedy of the first problem; `more`: how many other ones there are. */
export function listProblemWords(
	{ place: { kind, number }, name, words: [what, remedy] }: ListProblem,
	more: number,
	label: string,
): [message: string, remedy: string] {
	const place = `${kind === 'line' ? 'Line' : 'Row'} ${number}`;
	const rowName = name === null ? '' : ` (${plainText(name, MAX_NAME) ?? ''})`;
	const rest = more === 1 ? ` One more ${kind} needs` : ` ${more} more ${kind}s need`;
	return [
		`${place}${rowName} of '${label}': ${what}`,
		more === 0 ? remedy : `${remedy}${rest} a correction.`,
	];
}
