import { fieldNamed } from './fieldNames';
import { formOf, isPartOf } from './hashForms';
import { LINK, otherIn, type Piece, piecesIn, TAG, TOKEN } from './hashPlaces';
import type { HashProblem } from './hashProblems';
import { fieldsOfRow, isHashColumn, kindOf, nameOfRow, rowIn } from './orderRow';
import { shownText } from './plainText';
import { isEmpty, type PlainObject, singleSpaced, trimmedText, withoutInvisible } from './values';

/*
 * Reads what people enter as an order, in the same way wherever they enter it: a hash, a link, a name with either, or a row as JSON.
 * A text names an order if exactly one hash is in it, and nothing else that may have been meant as one: of two hashes, one may be that of
 * the transaction on the destination network. The text around the hash is its name.
 */

export interface OrderNamed {
	ok: true;
	/** As it was entered. */
	hash: string;
	/** See orderKey. */
	key: string;
	/** The link that the hash came in, if people may be shown it. */
	link: string | null;
	name: string | null;
}

export type HashRead = OrderNamed | { ok: false; problem: HashProblem };

/** The text without the signs that nobody sees, and with the `&` of links that come from HTML. */
export function readable(text: string): string {
	return withoutInvisible(text).replaceAll('&amp;', '&');
}

function isHashPiece(piece: Piece): piece is Piece & { key: string } {
	return piece.key !== null;
}

/** The one order that a text names. */
export function readHash(given: string): HashRead {
	const text = readable(given).trim();
	const secret = secretIn(text);
	if (secret !== null) return problem('secret', secret);
	const row = rowIn(text);
	if (row !== null) return readJsonRow(row, text);
	const broken = brokenHash(text);
	if (broken !== null) return broken.read;
	const pieces = piecesIn(text);
	const hash = pieces.find(isHashPiece);
	if (hash === undefined) return refused(text, pieces);
	const second = pieces.find((piece) => isHashPiece(piece) && piece.key !== hash.key);
	if (second !== undefined) return problem('several', hash.text, second.text);
	// The hash may be there several times, also shortened.
	const places = pieces.filter((piece) => isHashPiece(piece) || isPartOf(piece.text, hash));
	const other = worst(otherOrders(pieces, hash, places, text.includes('\t')));
	if (other !== null) return other;
	// What stands before, between and after these places.
	const around = [...places, null].map((each, index) =>
		text.slice(places[index - 1]?.end ?? 0, each?.start),
	);
	const label = labelIn(around);
	if (label !== null) return problem('page', text, label);
	const link = places.find((each) => isHashPiece(each) && each.link !== null)?.link ?? null;
	return { ok: true, hash: hash.text, key: hash.key, link, name: nameIn(around.join(' ')) };
}

/**
 * What the text around the places of a hash says that it is of, if that is no transaction on the source network, as "Order ID: 0x…" does
 * and the page of a link: right before one of the places, or in all of it. Null if it says nothing of the kind.
 */
function labelIn(around: readonly string[]): string | null {
	const before = around.slice(0, -1).map((text) => otherIn(text));
	return [...before, otherIn(around.join(' '), true)].find((label) => label !== null) ?? null;
}

/** Digits after 0x that can be a name, such as 0xBABE: a number of 64 bits has no more. */
const MAX_NAME_DIGITS = 16;

/**
 * Which pieces next to a hash can be meant as another order, so that the text is refused. A wallet, or something shortened, which may be
 * one, belongs to the name if it stands in the same entry between commas as the hash, or if its own entry calls it a wallet. In a row
 * with tabs it always does, because such a row is one order.
 */
function otherOrders(
	pieces: readonly Piece[],
	hash: Piece,
	places: readonly Piece[],
	isRow: boolean,
): Piece[] {
	// All that is in one link has the place of that link.
	const starts = new Set(places.map(({ start }) => start));
	const entries = new Set(places.map(({ entry }) => entry));
	const belongsToName = ({ kind, text, isOfTransaction, entry }: Piece): boolean => {
		if (isOfTransaction) return false;
		if (kind === 'digits') return text.length <= '0x'.length + MAX_NAME_DIGITS;
		const isWallet = kind === 'address' || kind === 'cut';
		const isHashSure = hash.isSure || hash.isOfTransaction;
		return isWallet && isHashSure && (isRow || entries.has(entry) || entry.isOfWallet);
	};
	return pieces.filter((piece) => !starts.has(piece.start) && !belongsToName(piece));
}

/** Why a text has no hash. */
function refused(text: string, pieces: readonly Piece[] = []): HashRead {
	const [words] = /(?:seed[\s_-]?phrase|mnemonic)(?=[^.!?\n]{0,40}[:=](?!\/))/i.exec(text) ?? [];
	if (words !== undefined) return problem('secret', words);
	return worst(pieces, text) ?? problem('noHash', text);
}

const GRAVEST_FIRST = ['safe', 'address', 'page', 'cut', 'digits', 'noHash'] as const;

/** The problem that explains best why these are no hash; null without any. `text`: what is shown instead of the piece itself. */
function worst(pieces: readonly Piece[], text?: string): HashRead | null {
	for (const kind of GRAVEST_FIRST) {
		const piece = pieces.find((each) => each.kind === kind);
		if (piece === undefined) continue;
		const digits = /[^\da-f]|$/i.exec(piece.text.slice(2))?.index;
		const detail = kind === 'digits' ? String(digits) : piece.page;
		return problem(kind, text ?? piece.text, detail);
	}
	return null;
}

function problem(kind: HashProblem['kind'], found: string, detail?: string): HashRead {
	const shownDetail = detail && shownText(detail);
	return { ok: false, problem: { kind, found: shownText(found), detail: shownDetail } };
}

const EMPTY_WRAPPING = /\(\s*\)|（\s*）|\[\s*\]|\{\s*\}|<\s*>|"\s*"|'\s*'|`\s*`|“\s*”|„\s*“|«\s*»/g;
/** What is no part of a name at its start and end, as in a set of a regular expression. */
const EDGE = String.raw`\s,;:：，；、。،؛|=>"'\x60<*_~#•·–—→./!?…\-`;
const WITHIN_EDGE = new RegExp(`[^${EDGE}](?:.*[^${EDGE}])?`, 's');
const NOT_ONLY_BRACKETS = new RegExp(`[^${EDGE}()[\\]{}]`);

/** The text around a hash as its name; null for a column's name in pasted JSON, or if there are only signs. */
function nameIn(rest: string): string | null {
	const text = rest.replace(TAG, ' ').replace(EMPTY_WRAPPING, ' ');
	const name = singleSpaced(WITHIN_EDGE.exec(text)?.[0] ?? '');
	return isHashColumn(name) || !NOT_ONLY_BRACKETS.test(name) ? null : name;
}

/** The orders of a line: one with its name, or several with commas, tabs or spaces between them. */
export function readLine(given: string): HashRead[] {
	const line = readable(given);
	if (/^[\s,;"'`[\]{}()]*$/.test(line)) return [];
	const hashes = piecesIn(line).filter(isHashPiece);
	if (new Set(hashes.map(({ key }) => key)).size < 2 || secretIn(line) !== null)
		return [readHash(line)];
	const parts = line.split(/[,;\t]/);
	if (parts.length === 1)
		return isPureList(line, hashes)
			? hashes.map(({ text: hash, key, link }) => ({ ok: true, hash, key, link, name: null }))
			: [readHash(line)];
	const reads = parts.flatMap((part) => readLine(part).map((read) => ({ part, read })));
	const isSheet = line.includes('\t');
	const isWords = ({ part, read }: { part: string; read: HashRead }): boolean =>
		hasNothingOfHash(part, read) && (isSheet || !PLACEHOLDER.test(nameIn(part) ?? ''));
	// Words in a part of their own, as in a cell, name one order, and nobody knows which of two hashes is that order's. Read as one, such a
	// line is refused because of its two hashes.
	const isOneOrder =
		reads.some(isWords) &&
		reads.every(({ read }) => (read.ok ? read.name === null : read.problem.kind !== 'secret')) &&
		(isSheet || reads.filter(({ read }) => read.ok).length === 2);
	return isOneOrder ? [readHash(line)] : reads.map(({ read }) => read);
}

/** What expressions and sheets have for a value that is missing. */
const PLACEHOLDER = /^(?:null|undefined|none|n\/a|nan|pending|tbd|empty|)$/i;

/**
 * Whether a line has these hashes and nothing else. Hashes of different forms may be of the two networks of one order, and so may two of
 * one link.
 */
function isPureList(line: string, hashes: readonly Piece[]): boolean {
	const ends = [0, ...hashes.map(({ end }) => end)];
	const isApart = hashes.every(({ start }, index) => start >= (ends[index] ?? 0));
	const gaps = ends.map((end, index) => line.slice(end, hashes[index]?.start));
	const forms = new Set(hashes.map(({ text }) => formOf(text)));
	return isApart && forms.size === 1 && gaps.every((gap) => /^[\s"'`[\](){}<>]*$/.test(gap));
}

function readJsonRow(row: PlainObject, text: string): HashRead {
	const read = readRow(row) ?? refused(text);
	const name = trimmedText(nameOfRow(row));
	return read.ok && name !== '' ? { ...read, name } : read;
}

/** The order of a row of a table; null if the row's hash is not filled in yet. */
export function readRow(given: PlainObject): HashRead | null {
	const row = fieldsOfRow(given);
	const columns = Object.keys(row).filter(isHashColumn);
	if (columns.length === 0) {
		const others = Object.keys(row).slice(0, MAX_COLUMNS).map(shownText).join(', ');
		const found = others === '' ? 'and no other field' : `only ${others}`;
		return { ok: false, problem: { kind: 'noColumn', found } };
	}
	const filled = columns.filter((name) => !isEmpty(row[name]));
	const own = filled.filter((name) => fieldNamed(name) === 'sourceHash');
	const named = own.length > 0 ? own : filled;
	// A sheet may have IDs of its own next to the hash.
	const all = named.map((name) => {
		const text = trimmedText(row[name]);
		return { text, read: readHash(text || kindOf(row[name])) };
	});
	const possible = all.filter(({ text, read }) => !hasNothingOfHash(text, read));
	const [first = null, ...others] = (possible.length > 0 ? possible : all).map(({ read }) => read);
	if (first?.ok !== true) return first;
	const second = others.find((each) => !each.ok || each.key !== first.key);
	return second?.ok === true ? problem('several', first.hash, second.hash) : (second ?? first);
}

const MAX_COLUMNS = 8;

/** Whether a text, which was read so, is as far from a hash as "INV-17"; not for a value that is no text. */
function hasNothingOfHash(text: string, read: HashRead): boolean {
	if (text === '' || read.ok || read.problem.kind !== 'noHash') return false;
	return piecesIn(readable(text)).length === 0;
}

const NAME_OF_SECRET = String.raw`(?:(?:private|secret)[\s_-]?keys?|seed[\s_-]?phrase|mnemonic)`;
/** As much of a private key as is enough to know it: a private key has the form of a hash. */
const VALUE_OF_SECRET = String.raw`(?:0x[\da-f]|[\da-f]{8}|[\w+/-]{42})`;
/**
 * What a text calls a value that gives away the funds: before it in the same sentence, but not in another field of JSON, or after it as
 * "(private key)", as "is the private key" or at the end of the line. Elsewhere it is a warning, as mail has it.
 */
const SECRET = new RegExp(
	[
		String.raw`${NAME_OF_SECRET}(?=(?:[^\p{L}\p{N}.!?]{1,9}|(?:(?!,\s?"[^"]{1,40}":)[^.!?\n\r\u2028\u2029]){0,40})${VALUE_OF_SECRET})`,
		String.raw`(?<=${VALUE_OF_SECRET}=?(?: is (?:the |my )?| ?\())${NAME_OF_SECRET}`,
		String.raw`(?<=${VALUE_OF_SECRET}[^\p{L}\p{N}]{1,9})${NAME_OF_SECRET}(?=[^\p{L}\p{N}\n]{0,9}$)`,
	].join('|'),
	'imu',
);
const IS_SECRET_IN_LINK = new RegExp(String.raw`${NAME_OF_SECRET}\w*=`, 'i');

/** The name of a secret whose value the text has; null without one. A hash in a link is none, unless the link itself says so. */
function secretIn(text: string): string | null {
	const outside = text.replace(TOKEN, (token) =>
		LINK.test(token) && !IS_SECRET_IN_LINK.test(token) ? ' ' : token,
	);
	return SECRET.exec(outside)?.[0] ?? null;
}

/** 64 digits, also with white space between them; without 0x not after other digits, whose hash they would follow. */
const DIGITS =
	/(?<![\da-z])(?=[\da-f])(?:0x|(?<![\da-f]{8}\s+))[\da-f](?:\s*[\da-f]){63}(?![\da-z])/gi;
/** Without 0x, what is shorter can be a word or a number. */
const SHORT_PIECE = /(?<!\S)\S{1,7}(?!\S)/;
/**
 * A whole hash of Starknet, which may have fewer digits, and a number after it: an amount, or that of the next item of a list. Digits that
 * have a line of their own are a piece of a hash.
 */
const HASH_AND_NUMBER =
	/^0x[\da-f]{56,63}(?:[^\S\n\r\u2028\u2029]+\d{1,8}(?![\da-z])|\s+\d{1,8}(?![\da-z])[^\S\n\r\u2028\u2029]*\S)/i;

/** The first hash that white space has broken into pieces, with the line, from 0, in which it begins; null without one. */
export function brokenHash(text: string): { line: number; read: HashRead } | null {
	for (const { 0: match, index } of text.matchAll(DIGITS)) {
		const isInPieces = /\s/.test(match) && (/^0x/i.test(match) || !SHORT_PIECE.test(match));
		if (!isInPieces || HASH_AND_NUMBER.test(text.slice(index))) continue;
		const line = text.slice(0, index).split(LINE_END).length - 1;
		const whole = text.split(LINE_END)[line] ?? '';
		// A private key may be in pieces, too.
		const secret = secretIn(whole);
		return { line, read: secret === null ? problem('broken', whole) : problem('secret', secret) };
	}
	return null;
}

export const LINE_END = /\r\n|[\n\r\u2028\u2029]/;
