import { plainText, shownText } from '../orders/plainText';
import {
	brokenLine,
	type HashProblem,
	hashProblemWords,
	jsonIn,
	kindOf,
	LINE_END,
	nameOfRow,
	type OrderNamed,
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

/** Why a line or row names no order. */
export interface ListProblem {
	place: Place;
	/** Of the row; null if it has none, and for a line, whose text `found` has. */
	name: string | null;
	why:
		| HashProblem
		/** A value in which no order can stand. */
		| { kind: 'noText'; value: string }
		| { kind: 'referenceTooLarge' };
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
		if ('why' in part) {
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

/** `row`: in the array that the value comes from; null if the lines of a text are counted. */
function partsOf(given: unknown, row: Place | null): Part[] {
	if (given === null || given === undefined) return [];
	if (typeof given === 'string') return partsOfText(given, row);
	if (Array.isArray(given))
		return given.flatMap((entry: unknown, index) =>
			rowsOf([entry], [given]).flatMap((inner) =>
				partsOf(inner, row ?? { kind: 'row', number: index + 1 }),
			),
		);
	const place: Place = row ?? { kind: 'row', number: 1 };
	const value = given === ENDLESS ? 'a list that is nested without end' : kindOf(given);
	if (!isPlainObject(given)) return [{ place, name: null, why: { kind: 'noText', value } }];
	const read = readRow(given);
	if (read === null) return [];
	const own = nameOfRow(given);
	if (read.ok) return [ordered(read, own ?? read.name, place)];
	return [{ place, name: typeof own === 'string' ? own : null, why: read.problem }];
}

/** Lists within lists are opened so far. */
const MAX_DEPTH = 50;

/** In the place of a list that contains itself, or is nested as if it did. */
const ENDLESS = Symbol('endless');

/** The entries of a list, and of the lists in it. */
function rowsOf(list: unknown[], above: readonly unknown[] = []): unknown[] {
	return list.flatMap((entry: unknown) => {
		if (!Array.isArray(entry)) return [entry];
		const isEndless = above.includes(entry) || entry === list || above.length > MAX_DEPTH;
		return isEndless ? [ENDLESS] : rowsOf(entry, [...above, list]);
	});
}

function partsOfText(given: string, row: Place | null): Part[] {
	const json = jsonIn(given);
	if (json !== null) return partsOf(json, row);
	const text = readable(given);
	const broken = brokenLine(text);
	return text.split(LINE_END).flatMap((line, index) => {
		const place = row ?? { kind: 'line', number: index + 1 };
		// JSON Lines, or a part of a pasted list.
		const inLine = jsonIn(line.replace(/,\s*$/, ''));
		if (inLine !== null) return partsOf(inLine, place);
		if (index === broken)
			return [{ place, name: null, why: { kind: 'broken', found: shownText(line) } }];
		return readLine(line).map((read) =>
			read.ok ? ordered(read, read.name, place) : { place, name: null, why: read.problem },
		);
	});
}

function ordered({ hash, key, link }: OrderNamed, reference: unknown, place: Place): Part {
	const name = typeof reference === 'string' ? reference : null;
	return isModestReference(reference)
		? { sourceHash: hash, key, reference, link, line: place.number }
		: { place, name, why: { kind: 'referenceTooLarge' } };
}

/** Message and remedy of the first problem; `more`: how many other ones there are. */
export function listProblemWords(
	{ place, name, why }: ListProblem,
	more: number,
	label: string,
): [message: string, remedy: string] {
	const [what, remedy] = wordsOf(why);
	const rowName = name === null ? '' : ` (${plainText(name, MAX_NAME) ?? ''})`;
	const rest = more === 1 ? ` One more ${place.kind} needs` : ` ${more} more ${place.kind}s need`;
	return [
		`${place.kind === 'line' ? 'Line' : 'Row'} ${place.number}${rowName} of '${label}': ${what}`,
		more === 0 ? remedy : `${remedy}${rest} a correction.`,
	];
}

const MAX_NAME = 40;

function wordsOf(why: ListProblem['why']): [what: string, remedy: string] {
	switch (why.kind) {
		case 'noText':
			return [
				`it is ${why.value}`,
				'Give the hash as text, or an object with the fields sourceHash and reference.',
			];
		case 'referenceTooLarge':
			return [
				`the reference is larger than ${MAX_REFERENCE_BYTES / 1024} KB`,
				'Shorten the reference of this order.',
			];
		default:
			return hashProblemWords(why);
	}
}
