import { caselessHex } from './values';

/*
 * What a word is by its form alone: a transaction hash, a wallet, a hash from which something is missing, or nothing of the kind.
 * One table says it, and its first form that fits counts. Whose hash it is depends on what is around it: see hashPlaces.ts.
 */

type Kind = 'hash' | 'safe' | 'address' | 'cut' | 'digits' | 'noHash';

const HEX = String.raw`[\da-fA-F]`;
const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
const MIXED_CASE = String.raw`(?=\S*[a-z])(?=\S*[A-Z])`;
/** Of base64, without its padding. */
const LAST_OF_32_BYTES = '[AEIMQUYcgkosw048]';
const ELLIPSIS = String.raw`(?:…|\.{2,})`;
const DIGIT_AT_LETTER = String.raw`(?=\S*(?:\d[a-fA-F]|[a-fA-F]\d))`;
const LETTERS_OF_BASE58 = String.raw`${MIXED_CASE}(?=\S*\d)(?=\S*(?:[a-z][A-Z]|\d[A-Za-z]))`;
export const FILECOIN = 'bafy2bz[a-z2-7]{55}';

/** Each form with the kind of word that it makes; `true` for a hash that can be neither a wallet nor a token. */
const FORMS: ReadonlyArray<readonly [Kind, RegExp, isSure?: boolean]> = [
	['digits', whole(`0[xX]${HEX}{1,16}`)], // First, because a text may have thousands of them, and each form that is tried takes time
	['noHash', whole('(?:0[xX])?0{56,96}')], // Written for a hash that is not known yet
	// The hash that a Safe gives to a transaction that is to be signed.
	['safe', whole('multisig_.*')],
	// A wallet of 40 digits in 32 bytes, as logs of events have it. No hash begins with so many zeros.
	['address', whole(`(?:0[xX])?0{24}(?!0{16})${HEX}{40}`)],
	['address', whole(`(?:0|-1):${HEX}{64}`)], // TON, raw
	['hash', whole(`0[xX]${HEX}{64}`), true],
	['hash', whole(`${HEX}{64}`), true],
	['hash', whole(`(?:0[xX])?${HEX}{96}`), true], // Hedera
	['hash', whole(`${MIXED_CASE}${BASE58}{86,88}`), true], // Solana
	['hash', whole(`o${BASE58}{50}`), true], // Tezos
	['hash', whole('[A-Z2-7]{52}'), true], // Algorand
	['hash', whole(FILECOIN), true],
	['hash', whole(String.raw`${MIXED_CASE}[\w+/-]{42}${LAST_OF_32_BYTES}=`), true], // TON
	['hash', whole(`0[xX]${HEX}{56,63}`)], // Starknet, without the zeros at the beginning
	['hash', whole(`${MIXED_CASE}${BASE58}{43,44}`)], // Sui and NEAR; wallets of Solana
	['hash', whole(String.raw`${MIXED_CASE}[\w+/-]{42}${LAST_OF_32_BYTES}`)], // TON; wallets of Arweave
	['address', whole(`(?:0[xX])?${HEX}{40}`)], // EVM
	['address', whole('[a-z]{1,16}1[02-9ac-hj-np-z]{38,110}')], // bech32: Bitcoin, Cosmos, Cardano
	['address', whole(String.raw`${MIXED_CASE}(?=\S*[1-9])${BASE58}{25,62}`)], // Tron, Bitcoin, XRP, Polkadot
	['address', whole('1{32}')], // Solana's system program
	['address', whole(String.raw`[EUk0]Q[\w-]{46}`)], // TON
	['address', whole('G[A-Z2-7]{55}')], // Stellar
	['address', whole('[A-Z2-7]{58}')], // Algorand
	['cut', new RegExp(`^0[xX]${HEX}*${ELLIPSIS}`)],
	// As apps shorten a hash without 0x; not "10th...12th" or "INV001...INV005".
	['cut', whole(`${DIGIT_AT_LETTER}${HEX}{4,}${ELLIPSIS}${HEX}{3,}`)],
	['cut', whole(`${LETTERS_OF_BASE58}${BASE58}{4,}${ELLIPSIS}${BASE58}{4,}`)],
	['digits', whole(String.raw`0[xX](?!${HEX}{64}(?!${HEX}))${HEX}+[\da-zA-Z]*`)],
	// More letters and digits in a row than a name has, unless they are a number or words.
	['noHash', /(?<![\da-z])(?!\d+(?![\da-z]))(?=[a-z]*\d|[a-f]+(?![\da-z]))[\da-z]{45,}/i],
];

/** In characters, if it does not begin with 0x: "3VQk…Jxm". */
const SHORTEST = 8;

/** A part of a text that a person may take for a hash. */
export interface Word {
	kind: Kind;
	text: string;
	/** Of a hash; null for anything else. */
	key: string | null;
	/** Whether it can be neither a wallet nor a token. */
	isSure: boolean;
	/** Its place in the text. */
	start: number;
	end: number;
}

/** What a text is searched for, one after the other, each time in what is left; the first group is the word itself. */
const PATTERNS = [
	// Digits after 0x, with what touches them: more than 16, because a number of 64 bits can be a name.
	/((?:multisig_0x[\da-f]{40}_)?0x(?:[\da-f]{64}(?![\da-z])|[\da-f]{40}(?![\da-f])|[\da-f]{17,}[\da-z]*(?:(?:…|\.{2,})[\da-f]*)?))/gi,
	// 64 digits, on TON after those of the workchain, and with the number of an output, as Bitcoin and Cardano write it after them.
	/(?<![\p{L}\p{N}…]|\.\.)((?:(?:0|-1):)?[\da-f]{64})(?![\p{L}\p{N}…]|\.\.)(?:[:#]\d{1,3}(?![\p{L}\p{N}]))?/giu,
	/((?:[\p{L}\p{N}_+/…-]|\.{2,}|\.(?=[\p{L}\p{N}]))+={0,2})/gu,
];

/** The words of a text that have one of the forms, in linear time. `at`: where it begins in the text of which it is a part. */
export function wordsIn(text: string, at = 0, step = 0, words: Word[] = []): Word[] {
	const pattern = PATTERNS[step];
	if (pattern === undefined) return words;
	let end = 0;
	for (const { 0: match, 1: word = '', index } of text.matchAll(pattern)) {
		wordsIn(text.slice(end, index), at + end, step + 1, words);
		end = index + match.length;
		const [kind, , isSure = false] = FORMS[formOf(word)] ?? [];
		const key = kind === 'hash' ? orderKey(word) : null;
		if (kind !== undefined)
			words.push({ kind, text: word, key, isSure, start: at + index, end: at + end });
	}
	return wordsIn(text.slice(end), at + end, step + 1, words);
}

/** The place in the table of the form that a word has; -1 if it has none. */
export function formOf(word: string): number {
	// Most words of a text are too short for any form.
	if (word.length < SHORTEST && !/^0x/i.test(word)) return -1;
	return FORMS.findIndex(([, form]) => form.test(word));
}

/** Whether the text is a transaction hash and nothing else. */
export function isHash(text: string): boolean {
	return FORMS[formOf(text)]?.[0] === 'hash';
}

/** The key of an order: the same for every spelling of its hash, with or without `0x` and in any case. */
export function orderKey(hash: string): string {
	const [, digits] = /^(?:0x)?([\da-f]{56,})$/i.exec(hash) ?? [];
	if (digits !== undefined) return `0x${digits.toLowerCase().padStart(64, '0')}`;
	// Base64 has a second alphabet for links, and may come without its padding.
	const letters = caselessHex(hash).replaceAll('+', '-').replaceAll('/', '_');
	return letters.replace(/={1,2}$/, '');
}

/** Whether a text is the hash once more, from which something is missing. `key`: that of the hash. */
export function isPartOf(
	text: string,
	{ text: hash, key }: { text: string; key: string },
): boolean {
	const [start = '', end = ''] = text.toLowerCase().split(/…|\.{2,}/);
	return [hash.toLowerCase(), key, key.slice(2)].some(
		(each) => each.startsWith(start) && each.endsWith(end),
	);
}

function whole(form: string): RegExp {
	return new RegExp(`^(?:${form})$`);
}
