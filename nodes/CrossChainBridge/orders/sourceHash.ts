import { parsedOrNull } from './exactJson';
import { fieldNamed, lettersAndDigits } from './fieldNames';
import { shownText } from './plainText';
import {
	caselessHex,
	field,
	isEmpty,
	isPlainObject,
	type PlainObject,
	singleSpaced,
	trimmedText,
	visibleText,
	withoutInvisible,
} from './values';

/*
 * Reads what people enter as an order, in the same way wherever they enter it: a hash, a link, a name with either, or a row as JSON.
 * 1. Invisible characters are removed. Links that are percent-encoded, or lie within another link, are opened.
 * 2. `0x` with 64 digits goes before 64 bare digits, and these go before all other forms, which count as whole words only.
 * 3. In a link, what is named after a transaction goes first, then the surer form, and of equal ones the path goes before query and
 *    fragment. A tracking parameter never counts, nor does a link in it. In any other parameter, other forms than `0x` with 64 digits
 *    count only if it is named after a transaction or a search, or has no name.
 * 4. Addresses are refused by name, and so is what is said to be anything but a transaction on the source network. What is named a
 *    secret in the same sentence is refused before all else, and never shown again.
 * 5. If there are two hashes, neither is taken, in whatever forms: one may be that of the transaction on the destination network.
 * 6. The text around the hash is its name. If a part of it can be meant as another order, the whole text is refused. A wallet is
 *    none next to a hash that is certain, nor is anything shortened, unless it has an entry between commas that does not say that it
 *    is a wallet.
 */

const COMPLETE =
	"Enter the complete hash of the transaction on the source network, or the link to the transaction's page in a block explorer.";

/** Why a text names no order, in words for people: what is wrong, and what to do. Of several the first explains best. */
const PROBLEMS = {
	secret: [
		"'{found}' names something that must stay secret",
		`Remove it: anyone who has it can take the funds. ${COMPLETE}`,
	],
	safe: [
		"'{found}' has a hash of the Safe, which is not the hash of a transaction",
		"When the Safe has executed the transaction, copy 'Transaction hash' from its details.",
	],
	address: [
		"'{found}' looks like a wallet address, not like a transaction hash",
		'Enter the hash of the transaction. A wallet address usually has 40 digits after 0x, a transaction hash 64.',
	],
	page: [
		'\'{found}\' is about "{detail}", not about a transaction on the source network',
		COMPLETE,
	],
	cut: ["'{found}' is shortened", COMPLETE],
	digits: ["'{found}' has {detail} digits after 0x instead of 64", COMPLETE],
	noHash: ["'{found}' is not a transaction hash", COMPLETE],
	broken: [
		"The hash in '{found}' is broken by a space or a new line",
		'Join the pieces, or copy the hash again.',
	],
	several: [
		"'{found}' and '{detail}' could both be the hash",
		'Keep the hash of the transaction on the source network. If these are two orders, enter each of them separately.',
	],
	noColumn: [
		'there is no field sourceHash, {found}',
		'Give the field that has the hash one of these names: sourceHash, txHash, transactionHash, hash or tx.',
	],
} as const;

/** `found` is the text, cut for a message; `detail` is a page, the number of digits, or another hash. */
export interface HashProblem {
	kind: keyof typeof PROBLEMS;
	found: string;
	detail?: string;
}

/** Why a part of the text, `found`, is no hash. */
interface Doubt extends HashProblem {
	/** Whether it is no problem next to a hash. If this is left out, a wallet or what is shortened is none next to a hash that is certain. */
	mayBeName?: boolean;
}

/** A problem in words for people: what is wrong, and what to do. */
export function hashProblemWords(problem: HashProblem): [what: string, remedy: string] {
	const [what, remedy] = PROBLEMS[problem.kind];
	const { found, detail = '' } = problem;
	return [what.replace(/\{(\w+)\}/g, (_, name) => (name === 'found' ? found : detail)), remedy];
}

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

/** The key of an order: the same for every spelling of its hash, with or without `0x` and in any case. */
export function orderKey(hash: string): string {
	const [, digits] = /^(?:0x)?([\da-f]{56,})$/i.exec(hash) ?? [];
	if (digits !== undefined) return `0x${digits.toLowerCase().padStart(64, '0')}`;
	// Base64 has a second alphabet for links, and may come without its padding.
	const letters = caselessHex(hash).replaceAll('+', '-').replaceAll('/', '_');
	return letters.replace(/={1,2}$/, '');
}

const FILECOIN = 'bafy2bz[a-z2-7]{55}';
const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
const MIXED_CASE = String.raw`(?=\S*[a-z])(?=\S*[A-Z])`;

/** Transaction hashes that are neither `0x` with 64 digits nor 64 bare digits. */
const OTHER_FORM = wholeText(
	String.raw`0x[\da-fA-F]{56,63}`, // Starknet, without the zeros at the beginning
	String.raw`(?:0x)?[\da-fA-F]{96}`, // Hedera
	`${MIXED_CASE}${BASE58}{86,88}`, // Solana
	`${MIXED_CASE}${BASE58}{43,44}`, // Sui and NEAR; and addresses of Solana
	String.raw`${MIXED_CASE}[\w+/-]{42}[AEIMQUYcgkosw048]=?`, // TON and Arweave: 32 bytes as base64
	`o${BASE58}{50}`, // Tezos
	'[A-Z2-7]{52}', // Algorand
	FILECOIN,
);

/** Forms that addresses have, and no transaction hash has. */
const ADDRESS = wholeText(
	String.raw`(?:0[xX])?[\da-fA-F]{40}`, // EVM
	'[a-z]{1,16}1[02-9ac-hj-np-z]{38,110}', // bech32: Bitcoin, Cosmos, Cardano
	`${MIXED_CASE}(?=\\S*[1-9])${BASE58}{25,62}`, // Tron, Bitcoin, XRP, Polkadot
	'1{32}', // Solana's system program
	String.raw`[EUk0]Q[\w-]{46}`, // TON
	'G[A-Z2-7]{55}', // Stellar
	'[A-Z2-7]{58}', // Algorand
);

function wholeText(...forms: string[]): RegExp {
	return new RegExp(`^(?:${forms.join('|')})$`);
}

/** Whether the text is a transaction hash and nothing else. */
export function isHash(text: string): boolean {
	return /^(?:0x)?[\da-f]{64}$/i.test(text) || OTHER_FORM.test(text);
}

function isAddress(text: string): boolean {
	return !isHash(text) && ADDRESS.test(text);
}

/** The text without the signs that nobody sees, and with the `&` of links that come from HTML. */
export function readable(text: string): string {
	return withoutInvisible(text).replaceAll('&amp;', '&');
}

/** The one order that a text names. */
export function readHash(given: string): HashRead {
	const text = readable(given).trim();
	const secret = secretIn(text);
	if (secret !== null) return problem('secret', secret);
	const inJson = readJsonRow(text);
	if (inJson !== null) return inJson;
	const broken = brokenHash(text);
	if (broken !== null) return broken.read;
	const { found, doubts } = scan(text);
	const [first] = [...found].sort((one, other) => one.form - other.form);
	if (first === undefined) return refused(doubts, text);
	const { hash, key } = first;
	const own = found.filter((each) => each.key === key);
	const around = gaps(text, own);
	const rest = around.join(' ');
	const inRest = scan(rest);
	const second = [...found, ...inRest.found].find((each) => each.key !== key);
	if (second !== undefined) return problem('several', hash, second.hash);
	// Only Starknet and Move's chains have wallets of such a form.
	const isCertain = first.form < 2 || hash.length > 80;
	const others = otherOrders(around, inRest.doubts, isCertain);
	const other = gravest(others.filter((doubt) => !isPartOf(doubt.found, first)));
	if (other !== undefined) return problem(other.kind, other.found, other.detail);
	const label = otherLabel(around.slice(0, -1), rest);
	if (label !== null) return problem('page', text, label);
	const link = own.find((each) => each.link !== null)?.link ?? null;
	return { ok: true, hash, key, link, name: nameIn(rest, first) };
}

/** Why a text has no hash. */
function refused(doubts: readonly Doubt[], text: string): HashRead {
	const [words] = /(?:seed[\s_-]?phrase|mnemonic)(?=[^.!?\n]{0,40}[:=](?!\/))/i.exec(text) ?? [];
	if (words !== undefined) return problem('secret', words);
	const whole: Doubt = { kind: IS_CUT.test(text) ? 'cut' : 'noHash', found: text };
	const { kind, detail } = gravest([...doubts, whole]) ?? whole;
	return problem(kind, text, detail);
}

function problem(kind: HashProblem['kind'], found: string, detail?: string): HashRead {
	const shownDetail = detail && shownText(detail);
	return { ok: false, problem: { kind, found: shownText(found), detail: shownDetail } };
}

/** The orders of a line: one with its name, or several with commas, tabs or spaces between them. */
export function readLine(given: string): HashRead[] {
	const line = readable(given);
	if (/^[\s,;"'`[\]{}()]*$/.test(line)) return [];
	const { found } = scan(line);
	if (new Set(found.map(({ key }) => key)).size < 2 || secretIn(line) !== null)
		return [readHash(line)];
	const parts = line.split(BETWEEN_ORDERS);
	if (parts.length === 1)
		return isPureList(line, found)
			? found.map(({ hash, key, link }) => ({ ok: true, hash, key, link, name: null }))
			: [readHash(line)];
	const reads = parts.flatMap((part) =>
		readLine(part).map((read) => ({ part, read, isWords: hasNothingOfHash(part, read) })),
	);
	const words = reads.filter(({ isWords }) => isWords);
	const isPlaceholder = ({ part }: { part: string }): boolean =>
		PLACEHOLDER.test(within(part, EDGE_OR_BRACKET));
	const isPairWithName =
		words.length === 1 &&
		!words.some(isPlaceholder) &&
		reads.filter(({ read }) => read.ok).length === 2;
	// Words in a part of their own, as in a cell of a row, name one order, and no one knows of which hash.
	const isRow =
		(line.includes('\t') ? words.length > 0 : isPairWithName) &&
		reads.every(({ read }) => !read.ok || read.name === null);
	return isRow ? [readHash(line)] : reads.map(({ read }) => read);
}

const BETWEEN_ORDERS = /[,;\t]/;
/** What expressions and sheets have for a value that is missing, without signs around it. */
const PLACEHOLDER = /^(?:null|undefined|none|n\/a|nan|pending|tbd|empty|)$/i;

/** Whether these are orders without names. Hashes of different forms may be of the two networks of one order, and so may two of one link. */
function isPureList(line: string, found: readonly Found[]): boolean {
	const isApart = ({ form, start }: Found, index: number): boolean =>
		form === found[0]?.form && start >= (found[index - 1]?.end ?? 0);
	return found.every(isApart) && gaps(line, found).every((gap) => /^[\s|"'`[\]{}()<>]*$/.test(gap));
}

/** What n8n itself puts next to the fields of an item. */
const OF_N8N = 'json binary pairedItem error metadata index evaluationData sendMessage'.split(' ');

/**
 * The fields of a row, by their names without what nobody sees. The items of another node have them one level down. What somebody has put
 * next to them counts as well, unless a field that is read then has two values: then it is no item.
 */
export function fieldsOfRow(row: PlainObject): PlainObject {
	const named = (fields: PlainObject): PlainObject =>
		Object.fromEntries(Object.entries(fields).map(([name, value]) => [visibleText(name), value]));
	const own = named(row);
	const item = field(own, 'json');
	if (!isPlainObject(item) || Object.keys(own).some(isHashColumn)) return own;
	const outer = Object.entries(own).filter(([name]) => !OF_N8N.includes(name));
	const fields = { ...Object.fromEntries(outer), ...named(item) };
	const isAmbiguous = outer.some(
		([name, value]) => fieldNamed(name) !== null && fields[name] !== value,
	);
	return isAmbiguous ? own : fields;
}

/** What a row has as its name, in the first of these columns that is filled in. */
export function nameOfRow(row: PlainObject): unknown {
	const fields = fieldsOfRow(row);
	const columns = ['reference', 'name'].flatMap((column) =>
		Object.keys(fields).filter((name) => fieldNamed(name) === column),
	);
	return columns.map((name) => fields[name]).find((value) => !isEmpty(value)) ?? null;
}

/** The object or list that a text is as JSON; null for any other text. */
export function jsonIn(text: string): object | null {
	const json = /^\s*[[{]/.test(text) ? parsedOrNull(text) : null;
	return typeof json === 'object' ? json : null;
}

/** The row that a text is as JSON, alone in a list or not; null for any other text. */
export function rowIn(text: string): PlainObject | null {
	let row: unknown = jsonIn(text);
	while (Array.isArray(row) && row.length === 1) [row] = row;
	return isPlainObject(row) ? row : null;
}

/** The order of such a row. */
function readJsonRow(text: string): HashRead | null {
	const row = rowIn(text);
	if (row === null) return null;
	const read = readRow(row) ?? refused([], text);
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
	return scan(readable(text)).doubts.length === 0;
}

const HASH_COLUMN =
	/^(?:source)?(?:(?:tx|txn|transaction)(?:hash|id)|hash)$|^(?:tx|txn|transaction)$/;

/** Whether a field of this name has the hash of its order. */
export function isHashColumn(name: string): boolean {
	return HASH_COLUMN.test(lettersAndDigits(name));
}

/** A value that is no text, as a message names it. */
export function kindOf(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object' && value !== null) return 'an object';
	return ['function', 'symbol'].includes(typeof value) ? `a ${typeof value}` : String(value);
}

interface Found {
	hash: string;
	key: string;
	/** 0 is the surest. */
	form: number;
	isInLink: boolean;
	/** See OrderNamed. */
	link: string | null;
	/** Its place in the text, with its link. */
	start: number;
	end: number;
}

/** What stands before, between and after these. */
function gaps(text: string, found: readonly Found[]): string[] {
	return [...found, null].map((each, index) => text.slice(found[index - 1]?.end ?? 0, each?.start));
}

const TOKEN = /[^\s,;|"'`<>[\]{}()\\^“”„«»‘’]+/g;
/** Where a link begins, with or without its scheme. */
const LINK = /^(?:[a-z\d-]{1,63}\.)+[a-z]{2,24}(?::\d{1,5})?\/.|https?:\/\//i;

/** All hashes of a text, and which parts are no hash and why, in linear time. */
function scan(text: string): { found: Found[]; doubts: Doubt[] } {
	const found: Found[] = [];
	const doubts: Doubt[] = [];
	for (const { 0: token, index } of text.matchAll(TOKEN)) {
		const end = index + token.length;
		const opened = /https?%(?:25)*3a/i.test(token) ? decoded(token) : token;
		const linkAt = opened.search(LINK);
		if (linkAt < 0) {
			for (const { hash, form, at, length } of hashesIn(token, doubts)) {
				const place = { start: index + at, end: index + at + length };
				found.push({ hash, key: orderKey(hash), form, isInLink: false, link: null, ...place });
			}
			continue;
		}
		// Without the sign that ends its sentence.
		const link = opened.slice(linkAt).replace(/[.!?:*]$/, '');
		const place = { start: index + (opened === token ? linkAt : 0), end };
		const inLink = hashesInLink(/^http/i.test(link) ? link : `https://${link}`, doubts);
		const best = Math.min(...inLink.map(({ rank }) => rank));
		for (const { hash, form, link, rank } of inLink)
			if (rank === best)
				found.push({ hash, key: orderKey(hash), form, isInLink: true, link, ...place });
	}
	return { found, doubts };
}

/** The hashes of a word, each with the length of the text that belongs to it; notes in `doubts` which parts are no hash, and why. */
function hashesIn(word: string, doubts: Doubt[]) {
	const found: Array<{ hash: string; form: number; at: number; length: number }> = [];
	for (const { 0: piece, 1: hash = '', index: at } of word.matchAll(PREFIXED)) {
		const { length } = hash;
		const digits = length - 2;
		if (OF_SAFE.test(word.slice(Math.max(0, at - 60), at)))
			doubts.push({ kind: 'safe', found: piece });
		else if (digits === 40 || PADDED_ADDRESS.test(hash))
			doubts.push({ kind: 'address', found: hash });
		else if (digits === 64) {
			if (!/[\da-z]/i.test(word.charAt(at + length))) found.push({ hash, form: 0, at, length });
		} else if (piece !== hash) doubts.push({ kind: 'cut', found: piece });
		else {
			const mayBeName = digits <= MAX_NAME_DIGITS;
			const last = doubts.at(-1);
			// Once for many of the same, because each takes memory.
			if (last?.kind !== 'digits' || last.found !== hash)
				doubts.push({ kind: 'digits', detail: String(digits), found: hash, mayBeName });
		}
	}
	if (found.length > 0) return found;
	for (const { 0: piece, 1: hash = '', index: at } of word.matchAll(BARE_DIGITS)) {
		const isOfTon = /^(?:0|-1):$/.test(word.slice(0, at));
		if (isOfTon || PADDED_ADDRESS.test(hash))
			doubts.push({ kind: 'address', found: isOfTon ? word : hash });
		else found.push({ hash, form: 1, at, length: piece.length });
	}
	if (found.length > 0) return found;
	for (const { 0: hash, index: at } of word.matchAll(WORD)) {
		const { length } = hash;
		if (OTHER_FORM.test(hash)) found.push({ hash, form: 2, at, length });
		else if (isAddress(hash)) doubts.push({ kind: 'address', found: hash, mayBeName: true });
		else if (SHORTENED.test(hash)) doubts.push({ kind: 'cut', found: hash });
		else
			for (const [run] of hash.matchAll(LONG_RUN))
				if (/\d/.test(run) || /^[a-f]*$/i.test(run)) doubts.push({ kind: 'noHash', found: run });
	}
	return found;
}

/** Digits after 0x, and, if they are shortened, what is left after the ellipsis. */
const PREFIXED = /(0x[\da-f]+)(?:(?:…|\.{2,})[\da-f]*(?!x))?/gi;
/** Digits after 0x that can be a name, such as 0xBABE: a number of 64 bits has no more. */
const MAX_NAME_DIGITS = 16;
/** More letters and digits in a row than a name has, such as a digest in base64, if they are neither a number nor a wallet in 32 bytes. */
const LONG_RUN = /(?<![\da-z])(?!\d+(?![\da-z])|(?:0x)?0{24})[\da-z]{45,}/gi;
/** A hash without 0x as apps shorten it; not "10th...12th" or "INV001...INV005". */
const SHORTENED = wholeText(
	String.raw`(?=\S*(?:\d[a-fA-F]|[a-fA-F]\d))[\da-fA-F]{4,}(?:…|\.{2,3})[\da-fA-F]{3,}`,
	String.raw`(?=\S*\d)(?=\S*(?:[a-z][A-Z]|\d[A-Za-z]))${MIXED_CASE}${BASE58}{4,}(?:…|\.{2,3})${BASE58}{4,}`,
);
/** A wallet of 40 digits in 32 bytes, as logs of events and messages between chains have it. No hash begins with so many zeros. */
const PADDED_ADDRESS = /^(?:0x)?0{24}(?!0{16})/i;
/** Before the hash that a Safe gives to a transaction that is to be signed. */
const OF_SAFE = /multisig_0x[\da-f]{40}_$/i;
/** With the number of an output, as Bitcoin and Cardano write it after its transaction. */
const BARE_DIGITS =
	/(?<![\p{L}\p{N}…]|\.\.)([\da-f]{64})(?![\p{L}\p{N}…]|\.\.)(?:[:#]\d{1,3}(?![\p{L}\p{N}]))?/giu;
const WORD = /(?:[\p{L}\p{N}_+/…-]|\.(?=[.\p{L}\p{N}]))+={0,2}/gu;

/** Links within links, and text that is encoded more than once, are followed so far. */
const MAX_DEPTH = 3;

const TRACKING =
	/^(?:utm_\w+|\w{0,3}clk?id|[gw]braid|igshid|mc_[ce]id|_ga|_gl|_hs\w+|ref|referrer)$/i;
const TRANSACTION_PARAMETER =
	/^(?:(?:source|src|origin|from|deposit)?[_-]?(?:(?:tx|txn|txs|transaction)[_-]?(?:hash|id)?|hash)|sig|signature)$/i;
/** What can be a transaction among other things; also no name at all. */
const SEARCH_PARAMETER = /^(?:(?:source)?_?(?:id)?|q|query|search)$/i;
const OTHER_PAGE =
	/^(?:address(?:es)?|accounts?|wallets?|contracts?|tokens?|assets?|coins?|nfts?|collections?|objects?|packages?|blocks?|slots?|validators?|users?|profile|messages?|msg|user_?ops?|ops?|blobs?|uncles?|pools?|pairs?|markets?|proposals?|attestations?|checkpoints?|epochs?|batch(?:es)?)$/i;
/** What has an ID or a hash of its own, also the transaction on the destination network: the name of a parameter, or what a text has before a hash. */
const OF_OTHER = new RegExp(
	[
		String.raw`(?:^|[^\p{L}\p{N}])(?:guid|(?:order|quote|message|msg|packet|intent|transfer|deposit|request|swap)[ _-]?id|(?:block|message|msg|order|intent|user[ _-]?op(?:eration)?|safe[ _-]?tx)[ _-]?hash)`,
		String.raw`(?:^to|(?:^|[^\p{L}\p{N}])(?:dest(?:ination)?|dst|output))(?:[ _-]?chain)?[ _-]?(?:tx|txn|transaction|hash)(?:[ _-]?(?:hash|id))?`,
		String.raw`(?:^|[^\p{L}\p{N}])(?:dest(?:ination)?|dst)`,
	]
		.map((form) => `(?:${form})(?: is)?$`)
		.join('|'),
	'iu',
);
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

/** Where in a label its last words name something else than a transaction; -1 if they don't. */
function otherAt(label: string): number {
	return label.replace(/([a-z])([A-Z])/g, '$1 $2').search(OF_OTHER);
}

interface InLink extends Pick<Found, 'hash' | 'form' | 'link'> {
	/** 0 is the surest: of the hashes of one link only those of the lowest rank count. */
	rank: number;
}

/** The hashes of a link; notes in `doubts` which parts are no hash, and why. */
function hashesInLink(link: string, doubts: Doubt[], depth = MAX_DEPTH): InLink[] {
	const [, authority = '', path = '', query = '', fragment = ''] =
		/^https?:\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(link) ?? [];
	// Many block explorers have their own paths and queries in the fragment.
	const [route = '', ...routeQuery] = /^!?\//.test(fragment) ? fragment.split('?') : ['', fragment];
	const steps = [...path.split('/'), ...route.split('/')];
	const parts = [
		...steps.map((value, index) => ({ name: steps[index - 1] ?? '', value, place: 0 })),
		...[query, ...routeQuery].flatMap(parametersOf).map((part) => ({ ...part, place: 1 })),
	];
	const isOfSafe = /(?:^|\.)safe\.global(?::|$)/i.test(authority);
	const inner: InLink[] = [];
	const own: Array<Pick<Found, 'hash' | 'form'> & { place: number; isNamed: boolean }> = [];
	let isDamaged = false;
	for (const { name, value: encoded, place } of parts) {
		if (place === 1 && TRACKING.test(name)) continue;
		const value = decoded(encoded);
		const isNamed = (place === 0 ? TRANSACTION_STEP : TRANSACTION_PARAMETER).test(name);
		const [innerLink] = /https?:\/\/\S*/i.exec(value) ?? [];
		if (innerLink !== undefined && depth > 0) {
			const ofInner = hashesInLink(innerLink, doubts, depth - 1);
			for (const each of ofInner) inner.push(each);
			isDamaged ||= isNamed && ofInner.length === 0;
			continue;
		}
		const isOfOther =
			(OTHER_PAGE.test(name) || otherAt(name) >= 0) && !FILECOIN_MESSAGE.test(`${name}/${value}`);
		const doubtsHere: Doubt[] = [];
		const found = hashesIn(value, doubtsHere).filter(({ hash, form }) =>
			place === 0
				? isOfOther || isNamed || !OF_SOLANA_TOO.test(hash)
				: form === 0 || isNamed || SEARCH_PARAMETER.test(name),
		);
		if (isNamed && found.length === 0 && /[\da-z](?:…|\.\.)/i.test(value))
			doubtsHere.push({ kind: 'cut', found: value });
		for (const doubt of doubtsHere) {
			const { kind, mayBeName = kind === 'noHash' || undefined } = doubt;
			doubts.push({ ...doubt, mayBeName: isNamed ? false : mayBeName });
			// "/transactions/" can also come before a wallet.
			const isOfWallet = kind === 'address' && place === 0;
			isDamaged ||= isNamed && found.length === 0 && !isOfWallet;
		}
		if (found.length > 0 && (isOfOther || isOfSafe))
			doubts.push({ kind: isOfOther ? 'page' : 'safe', detail: name, found: link });
		else for (const { hash, form } of found) own.push({ hash, form, place, isNamed });
	}
	// What is named after a transaction goes first; if it is in the path, all of the path.
	const isAnyNamed = own.some(({ isNamed }) => isNamed);
	if (isDamaged && !isAnyNamed) return inner;
	const isPathNamed = own.some(({ isNamed, place }) => isNamed && place === 0);
	const kept = shownLink(link);
	const ranked = own.map(({ hash, form, place, isNamed }) => {
		const isFirst = isNamed || (place === 0 && isPathNamed);
		return { hash, form, link: kept, rank: (isFirst ? 0 : 10) + 2 * form + place };
	});
	return [...inner, ...ranked];
}

/** Filecoin has messages for transactions. */
const FILECOIN_MESSAGE = new RegExp(`^messages?/${FILECOIN}$`, 'i');
/** Hashes of Sui and NEAR have the form of Solana's addresses, which stand in links to wallets and tokens, whatever is before them. */
const OF_SOLANA_TOO = wholeText(`${BASE58}{43,44}`);
/** Also "txs", "transactions" and "transaction-viewer". */
const TRANSACTION_STEP = /^(?:tx|transaction)/i;

function parametersOf(query: string): Array<{ name: string; value: string }> {
	return query.split(/[&;]/).map((parameter) => {
		const at = parameter.indexOf('=');
		// "?0x…" has a value only.
		return { name: parameter.slice(0, Math.max(0, at)), value: parameter.slice(at + 1) };
	});
}

/** Without percent-encoding. */
function decoded(text: string): string {
	let last = text;
	for (let depth = 0; depth < MAX_DEPTH && /%[\da-f]{2}/i.test(last); depth++) {
		try {
			last = decodeURIComponent(last);
		} catch {
			return last;
		}
	}
	return last;
}

/** The link, if everybody sees where it leads: nothing stands before its host, and no letter looks like another. */
function shownLink(link: string): string | null {
	return /^https?:\/\/[a-z\d.-]+(?::\d{1,5})?(?:[/?#]|$)/i.test(link) && URL.canParse(link)
		? link
		: null;
}

/** Digits with white space between them. */
const PIECES = /(?<![\da-z])(?:0x)?[\da-f]+(?:\s+[\da-f]{1,63})+(?![\da-z])/gi;

/**
 * A whole hash of Starknet, which may have fewer digits, and a number after it: an amount, or that of the next item of a list. Digits that
 * have a line of their own are a piece of a hash.
 */
const HASH_AND_NUMBER =
	/^0x[\da-f]{56,63}(?:[^\S\n\r\u2028\u2029]+\d{1,8}(?![\da-z])|\s+\d{1,8}(?![\da-z])(?=.*\S))/i;

/** The first hash that white space has broken into pieces, with the line, from 0, in which it begins; null without one. */
export function brokenHash(text: string): { line: number; read: HashRead } | null {
	for (const { 0: match, index } of text.matchAll(PIECES)) {
		const isPrefixed = /^0x/i.test(match);
		let digits = 0;
		for (const piece of match.replace(/^0x/i, '').split(/\s+/, 64)) {
			if (digits >= 64 || (!isPrefixed && piece.length < 8)) break;
			digits += piece.length;
			if (digits === 64 && piece.length < 64 && !HASH_AND_NUMBER.test(text.slice(index))) {
				const line = text.slice(0, index).split(LINE_END).length - 1;
				const whole = text.split(LINE_END)[line] ?? '';
				// A private key may be in pieces, too.
				const secret = secretIn(whole);
				const read = secret === null ? problem('broken', whole) : problem('secret', secret);
				return { line, read };
			}
		}
	}
	return null;
}

export const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

/** What can be meant as an order in the text around a hash, with what `scan` doubts there. `isCertain`: whether the hash can be nothing else. */
function otherOrders(
	around: readonly string[],
	doubts: readonly Doubt[],
	isCertain: boolean,
): Doubt[] {
	const isWallet = ({ kind }: Doubt): boolean => kind === 'address' || kind === 'cut';
	const bare = (text: string): string => within(text, EDGE_OR_BRACKET);
	// The vertical tab stands for the hash, whose own entry may have a wallet in its name.
	const text = around.join(' \v ');
	const entries = /[,;]/.test(text) ? text.split(/[,;]/) : [];
	// Tabs separate the cells of one row.
	const mayHaveWallet = (entry: string): boolean =>
		text.includes('\t') || entry.includes('\v') || OF_WALLET.test(entry);
	return [
		...doubts.filter((doubt) => !(doubt.mayBeName ?? (isCertain && isWallet(doubt)))),
		...entries.flatMap((entry) =>
			scan(entry).doubts.filter(
				(doubt) => isWallet(doubt) && (bare(doubt.found) === bare(entry) || !mayHaveWallet(entry)),
			),
		),
	];
}

/** Words for a wallet, a contract or a token, also within a longer word. */
const OF_WALLET =
	/(?<!\p{L})(?:from|to|by)(?!\p{L})|sender|recipient|receiver|payee|payer|signer|beneficiary|wallet|address|account|owner|contract|token/iu;

/** Whether a text is the hash once more, cut or shortened. */
function isPartOf(text: string, { hash, key }: Found): boolean {
	const [start = '', end = ''] = text.toLowerCase().split(/…|\.{2,}/);
	return [hash.toLowerCase(), key, key.slice(2)].some(
		(whole) => whole.startsWith(start) && whole.endsWith(end),
	);
}

/** Whose ID or hash it is according to the text before it, or to all of the text around it; null for a transaction. */
function otherLabel(before: readonly string[], rest: string): string | null {
	const [all = '', ...labels] = [rest, ...before].map((text) =>
		within(withoutWrapping(text), EDGE_OR_BRACKET),
	);
	return labels.find((label) => otherAt(label) >= 0) ?? (otherAt(all) === 0 ? all : null);
}

const IS_CUT = /0x[\da-f]*(?:…|\.\.)|[\da-z]{4}(?:…|\.{2,3})[\da-z]{3}/i;

/** What explains best why a text has no hash. */
function gravest(doubts: readonly Doubt[]): Doubt | undefined {
	const firstOf = (kind: string) => doubts.find((doubt) => doubt.kind === kind);
	return Object.keys(PROBLEMS)
		.map(firstOf)
		.find((doubt) => doubt !== undefined);
}

/** Of HTML that was copied. */
const TAG = /<\/?(?:a|b|br|code|div|em|i|li|p|span|strong|td|th|tr)(?:\s[^<>]*)?>/gi;
const EMPTY_WRAPPING = /\(\s*\)|\[\s*\]|\{\s*\}|<\s*>|"\s*"|'\s*'|`\s*`|“\s*”|„\s*“|«\s*»/g;
const EDGE = /[\s,;:|=>"'`<*_~#•·–—→./!?…-]/;
const EDGE_OR_BRACKET = new RegExp(`${EDGE.source}|[()[\\]{}]`);
/** The chain as CAIP writes it. */
const CHAIN = /^(?:eip155|bip122|cosmos|solana):[\w-]{1,32}$/i;

/** The text around a hash; null for a column's name in pasted JSON, or the hash once more for people. */
function nameIn(rest: string, found: Found): string | null {
	const name = singleSpaced(within(withoutWrapping(rest), EDGE));
	const words = within(name, EDGE_OR_BRACKET);
	const isHashAgain = /^0x[\da-f]+(?:…|\.{2})/i.test(words) && isPartOf(words, found);
	return words === '' || isHashColumn(words) || CHAIN.test(name) || isHashAgain ? null : name;
}

function withoutWrapping(text: string): string {
	return text.replace(TAG, ' ').replace(EMPTY_WRAPPING, ' ');
}

/** The text without these signs at its start and end. */
function within(text: string, edge: RegExp): string {
	let start = 0;
	let end = text.length;
	// A regular expression would take the square of their number.
	while (start < end && edge.test(text.charAt(start))) start++;
	while (end > start && edge.test(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}
