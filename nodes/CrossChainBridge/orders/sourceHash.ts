/** How a source transaction hash is recognised, of whatever chain. Pure. */

export const MOST_HASH_LENGTH = 256;

/** The one hash that a text is, or the one in the address of a block explorer that it is; null for anything else. */
export function hashIn(text: string): string | null {
	const trimmed = text.trim();
	const [found, another] = hashesIn(trimmed);
	return found !== undefined &&
		another === undefined &&
		found.start === 0 &&
		found.end === trimmed.length
		? found.hash
		: null;
}

interface Found {
	hash: string;
	start: number;
	end: number;
}

const LINK = /https?:\/\/[^\s,;"'`<>[\]{}|\\^]+/giy;
const WORD = /[A-Za-z0-9][A-Za-z0-9_+/-]*={0,2}/y;
/** A page shows a long hash cut: with an ellipsis. */
const CUT_AFTER = /^(?:…|\.\.)/;
const CUT_BEFORE = /(?:…|\.\.)$/;
const HEX_IN_WORD = /0x[0-9a-f]{32,}(?![A-Za-z0-9])/i;

/** All hashes of a line with their places, in a time linear in its length. */
export function hashesIn(text: string): Found[] {
	const found: Found[] = [];
	for (let at = 0; at < text.length; ) {
		const link = matchAt(LINK, text, at);
		const word = link ?? matchAt(WORD, text, at);
		if (word === null) {
			at++;
			continue;
		}
		const end = at + word.length;
		const isCut =
			CUT_BEFORE.test(text.slice(Math.max(0, at - 2), at)) ||
			CUT_AFTER.test(text.slice(end, end + 2)) ||
			CUT_BEFORE.test(link ?? '');
		const hash = isCut ? null : link === null ? hashOfWord(word) : hashOfLink(link);
		// A label may stand before a hash without a space.
		if (hash !== null)
			found.push(
				link === null ? placeOf(hash, word, at) : { hash, start: at, end: at + link.length },
			);
		at = end;
	}
	return found;
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
	pattern.lastIndex = at;
	return pattern.exec(text)?.[0] ?? null;
}

function placeOf(hash: string, word: string, at: number): Found {
	const start = at + word.indexOf(hash);
	return { hash, start, end: start + hash.length };
}

/** The longest part of the address that can be a hash: a contract's address is shorter. */
function hashOfLink(link: string): string | null {
	const parts = link
		.slice(link.indexOf('//') + 2)
		.split(/[/?#&=.:)(]/)
		.slice(1);
	const hashes = parts.map(decoded).flatMap((part) => (isPlausible(part) ? [part] : []));
	return hashes.reduce<string | null>(
		(longest, hash) => (longest === null || hash.length > longest.length ? hash : longest),
		null,
	);
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

function hashOfWord(word: string): string | null {
	const hex = HEX_IN_WORD.exec(word)?.[0];
	if (
		hex !== undefined &&
		hex.length <= MOST_HASH_LENGTH &&
		!/[A-Za-z0-9]/.test(word.charAt(word.indexOf(hex) - 1))
	)
		return hex;
	return isPlausible(word) ? word : null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One word of 32 letters and digits or more, as hexadecimal, base58 and base64 write them. */
function isPlausible(word: string): boolean {
	if (word.length > MOST_HASH_LENGTH || UUID.test(word) || !/^[A-Za-z0-9_+/-]+={0,2}$/.test(word))
		return false;
	return word.replace(/[^A-Za-z0-9]/g, '').length >= 32;
}
