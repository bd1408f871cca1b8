import { FILECOIN, type Word, wordsIn } from './hashForms';
import { valueOr } from './values';

/*
 * Finds in a text what has the form of a hash or of what is taken for one, and in links also what it belongs to. In a link, the step of
 * the path before a value, or the parameter's name, says whether the value is of a transaction or of anything else; what is named after
 * a transaction goes first. In a text, the words before a hash say it in the same way.
 */

export interface Piece extends Omit<Word, 'kind'> {
	kind: Word['kind'] | 'page';
	/** The name in a link that says what the hash is of, if it is no transaction. */
	page?: string;
	/** The link that it is in, whose place is its own. */
	link: string | null;
	/** Whether it is in the path of the link. */
	isPath: boolean;
	/** Whether the link names it after a transaction. */
	isOfTransaction: boolean;
	/** The part of the text between commas or semicolons in which it stands, and whether that says that it has a wallet. */
	entry: { isOfWallet: boolean };
}

/** Words for a wallet, a contract or a token, also within a longer word. */
const OF_WALLET =
	/(?<!\p{L})(?:from|to|by)(?!\p{L})|sender|recipient|receiver|payee|payer|signer|beneficiary|wallet|address|account|owner|contract|token/iu;

export const TOKEN = /[^\s,;|"'`<>[\]{}()\\^“”„«»‘’]+/g;
/** Where a link begins, with or without its scheme. */
export const LINK = /^(?:[a-z\d-]{1,63}\.)+[a-z]{2,24}(?::\d{1,5})?\/.|https?:\/\//i;

/** What a text has of hashes and of what may be taken for one, in its order and in linear time. */
export function piecesIn(text: string): Piece[] {
	const pieces: Piece[] = [];
	let at = 0;
	for (const part of text.split(/[,;]/)) {
		const entry = { isOfWallet: OF_WALLET.test(part) };
		for (const { 0: token, index } of part.matchAll(TOKEN)) {
			const start = at + index;
			const opened = /https?%(?:25)*3a/i.test(token) ? decoded(token) : token;
			const linkAt = opened.search(LINK);
			// What touches a link may be another hash: "0x…=https://…".
			const before = linkAt < 0 ? token : opened.slice(0, linkAt);
			for (const word of wordsIn(before, start)) pieces.push(pieceOutsideLinks(word, entry));
			if (linkAt < 0) continue;
			// Without the sign that ends its sentence.
			const link = opened.slice(linkAt).replace(/[.!?:*]$/, '');
			const place = { start: opened === token ? start + linkAt : start, end: start + token.length };
			for (const piece of piecesInLink(/^http/i.test(link) ? link : `https://${link}`))
				pieces.push({ ...piece, entry, ...place });
		}
		at += part.length + 1;
	}
	return pieces;
}

function pieceOutsideLinks(word: Word, entry: Piece['entry']): Piece {
	// To spread a word takes seven times as long, and a text may have very many.
	const { kind, text, key, isSure, start, end } = word;
	const [link, isPath, isOfTransaction] = [null, false, false];
	return { kind, text, key, isSure, start, end, link, isPath, isOfTransaction, entry };
}

/** Links within links, and text that is encoded more than once, are followed so far. */
const MAX_DEPTH = 3;

/** Never counts, nor does a link in it. */
const TRACKING = /^(?:utm_\w+|\w*clk?id|ref|referrer)$/i;
/** "tx", "transactions", "source_tx_hash". What else begins so may be of the destination: "txOut". */
const OF_TRANSACTION =
	/^(?:source|src|origin|from|deposit)?(?:(?:txn?s?|transactions?)(?:hash|id|sig(?:nature)?|digest)?|hash|sig(?:nature)?)$/;
/** Of a path, also "txblock" and "transaction-viewer". */
const STEP_OF_TRANSACTION = /^(?:tx|transaction)/;
/** What can be a transaction among other things; also no name at all. */
const OF_SEARCH = /^(?:(?:source ?)?(?:id)?|q|query|search)$/;
/** What has a page of its own in explorers and wallets. */
const OTHER_PAGE =
	/^(?:address|account|wallet|contract|token|asset|coin|nft|collection|object|package|block|slot|validator|user|profile|message|msg|user ?op|op|blob|uncle|pool|pair|market|proposal|attestation|checkpoint|epoch|batch)(?:e?s)?$/;
/** Of the transaction on the destination network, if a label begins with it: later, it may be of a name, as in "Sold out tx". */
const TO = '(?<![^,])(?:to|out|fill|receiv(?:e|ed|ing))';
/** What has an ID or a hash of its own, also the transaction on the destination network, as the last words of a label. */
const OTHER_LABEL = new RegExp(
	[
		'guid',
		'(?:order|quote|message|msg|packet|intent|transfer|deposit|request|swap) ?id',
		'(?:block|message|msg|order|intent|user ?op(?:eration)?|safe ?tx) ?hash',
		`(?:${TO}|dest(?:ination)?|dst|output)(?: ?chain)? ?(?:tx|txn|transaction|hash)(?: ?(?:hash|id))?`,
		'(?<![^,])(?:tx|txn|transaction|hash)(?: ?(?:hash|id))? ?(?:to|out)',
		'dest(?:ination)?|dst',
	]
		.map((form) => `(?<![^ ,])(?:${form})(?: is)?$`)
		.join('|'),
);
/** Filecoin has messages for transactions. */
const FILECOIN_MESSAGE = new RegExp(`^messages?/${FILECOIN}$`, 'i');

/** Of HTML that was copied. */
export const TAG = /<\/?(?:a|b|br|code|div|em|i|li|p|span|strong|td|th|tr)(?:\s[^<>]*)?>/gi;

/** The words of a label in small letters: "destTxHash", "dest_tx_hash" and "(Dest TX-Hash):" say the same. Other signs are commas. */
function wordsOf(label: string): string {
	return label
		.replace(TAG, ' ')
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, (signs) => (/^[ _-]$/.test(signs) ? ' ' : ','))
		.replace(/^[ ,]|[ ,]$/g, '');
}

/** What a hash is of according to the last words before it, or to all that is around it, if it is no transaction on the source network. */
export function otherIn(label: string, isAllAround = false): string | null {
	const words = wordsOf(label);
	const at = words.search(OTHER_LABEL);
	return at === 0 || (at > 0 && !isAllAround) ? words.slice(at) : null;
}

interface Part {
	/** Of the parameter, or the step before it in the path. */
	name: string;
	value: string;
	isPath: boolean;
}

/** The steps of a path and the parameters of a query. */
function partsOf(path: string, query: string): Part[] {
	const steps = path.split('/');
	const parameters = query.split(/[&;]/).map((parameter) => {
		const at = parameter.indexOf('=');
		// "?0x…" has a value only.
		const [name, value] = [parameter.slice(0, Math.max(0, at)), parameter.slice(at + 1)];
		return { name, value, isPath: false };
	});
	return [
		...steps.map((value, index) => ({ name: steps[index - 1] ?? '', value, isPath: true })),
		...parameters.filter(({ name }) => !TRACKING.test(name)),
	];
}

type PieceOfLink = Omit<Piece, 'entry'>;

/** The pieces of a link; of its hashes only those that most certainly are of its transaction. */
function piecesInLink(link: string, depth = MAX_DEPTH): PieceOfLink[] {
	const [, host = '', path = '', query = '', fragment = ''] =
		/^https?:\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(link) ?? [];
	// Many block explorers have their own paths and queries in the fragment.
	const [route = '', ...routeQuery] = /^!?\//.test(fragment) ? fragment.split('?') : ['', fragment];
	const isOfSafe = /(?:^|\.)safe\.global(?::|$)/i.test(host);
	const parts = [...partsOf(path, query), ...partsOf(route, routeQuery.join('&'))];
	const pieces = parts.flatMap((part) => piecesInPart(part, { link, isOfSafe, depth }));
	const hashes = pieces.filter(({ key }) => key !== null);
	const inPath = hashes.filter(({ isPath }) => isPath);
	const named = hashes.filter(({ isOfTransaction }) => isOfTransaction);
	// If something is wrong with the hash of its transaction, no other one is it. "/transactions/" can also come before a wallet.
	const isDamaged =
		named.length === 0 &&
		pieces.some(
			({ isOfTransaction, isPath, kind }) => isOfTransaction && !(isPath && kind === 'address'),
		);
	const choices = [
		named.some(({ isPath }) => isPath) ? inPath : named,
		...(isDamaged ? [] : [inPath, hashes]),
	];
	const chosen = new Set(choices.find((choice) => choice.length > 0));
	return pieces.filter((piece) => piece.key === null || chosen.has(piece));
}

/** The pieces of a step or a parameter, and what its name says of them. */
function piecesInPart(
	{ name, value: encoded, isPath }: Part,
	{ link, isOfSafe, depth }: { link: string; isOfSafe: boolean; depth: number },
): PieceOfLink[] {
	const value = decoded(encoded);
	const [inner] = depth === 0 ? [] : (/https?:\/\/\S*/i.exec(value) ?? []);
	const ownWords = inner === undefined ? wordsIn(value) : [];
	const isCut = /[\da-z](?:…|\.\.)/i.test(value);
	// To read a name takes long, and a link may have very many.
	if (ownWords.length === 0 && inner === undefined && !isCut) return [];
	const words = wordsOf(name);
	const isOther =
		(OTHER_PAGE.test(words) || otherIn(name) !== null) &&
		!FILECOIN_MESSAGE.test(`${name}/${value}`);
	const letters = words.replaceAll(/[ ,]/g, '');
	const isOfTransaction =
		!isOther && (OF_TRANSACTION.test(letters) || (isPath && STEP_OF_TRANSACTION.test(letters)));
	const here = { link: shownLink(link), isPath, isOfTransaction };
	const pieceOf = (word: Word): PieceOfLink[] => {
		const piece = { ...word, ...here };
		if (word.key === null) return word.kind === 'noHash' && !isOfTransaction ? [] : [piece];
		const isPrefixed = /^0x/i.test(word.text);
		// A wallet or a token may have a page that does not say so, and parameters have values of all forms.
		const isCounted = isPath
			? isOther || word.isSure || isPrefixed
			: OF_SEARCH.test(words) || (word.isSure && isPrefixed);
		if (!isOfTransaction && !isCounted)
			return isPrefixed ? [{ ...piece, key: null, kind: 'digits' }] : [];
		if (!isOther && !isOfSafe) return [piece];
		return [{ ...piece, key: null, text: link, kind: isOther ? 'page' : 'safe', page: name }];
	};
	const found =
		inner === undefined
			? ownWords.flatMap(pieceOf)
			: piecesInLink(inner, depth - 1).map((piece) => ({
					...piece,
					isPath: !isOfTransaction,
					isOfTransaction: isOfTransaction || piece.isOfTransaction,
				}));
	// A value with such a name was meant as the hash of the transaction.
	if (isOfTransaction && (isCut || inner !== undefined) && found.every(({ key }) => key === null)) {
		const kind = isCut ? 'cut' : 'noHash';
		found.push({ kind, text: value, key: null, isSure: false, start: 0, end: 0, ...here });
	}
	return found;
}

/** Without percent-encoding. */
function decoded(text: string, depth = MAX_DEPTH): string {
	if (depth === 0 || !/%[\da-f]{2}/i.test(text)) return text;
	return valueOr(() => decoded(decodeURIComponent(text), depth - 1), text);
}

/** The link, if everybody sees where it leads: nothing stands before its host, and no letter looks like another. */
function shownLink(link: string): string | null {
	return /^https?:\/\/[a-z\d.-]+(?::\d{1,5})?(?:[/?#]|$)/i.test(link) && URL.canParse(link)
		? link
		: null;
}
