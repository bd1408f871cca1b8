export const MAX_HASH_LENGTH = 256;

export type HashProblem = 'walletAddress' | 'space' | 'noHash';

type HashRead =
	| { ok: true; hash: string; link: string | null }
	| { ok: false; problem: HashProblem };

/** The one hash of a text, or of a block explorer's link. */
export function readHash(text: string): HashRead {
	const trimmed = text.trim();
	const problem = problemIn(trimmed);
	if (problem !== null) return { ok: false, problem };
	const [found, another] = hashesIn(trimmed);
	const rest = trimmed.slice(0, found?.start) + trimmed.slice(found?.end);
	const isWhole = found !== undefined && another === undefined && /^["'`.,;]*$/.test(rest);
	return isWhole
		? { ok: true, hash: found.hash, link: found.link }
		: { ok: false, problem: 'noHash' };
}

/** Why the hash of a line cannot be right; null if nothing speaks against it. */
export function problemIn(line: string): HashProblem | null {
	if (isSplit(line)) return 'space';
	return hashesIn(line).some(({ hash }) => WALLET_ADDRESS.test(hash)) ? 'walletAddress' : null;
}

/** No transaction hash has this form. */
const WALLET_ADDRESS = /^0x[0-9a-f]{40}$/i;

/** Whether two pieces with a space between them have the 64 digits of a hash. */
function isSplit(line: string): boolean {
	const pieces = line.split(/\s+/);
	return pieces.some((piece, index) => {
		const [, before = ''] = /(?:^|[^0-9a-z])(?:0x)?([0-9a-f]+)$/i.exec(piece.slice(-67)) ?? [];
		const [, behind = ''] =
			/^([0-9a-f]+)(?![0-9a-z])/i.exec((pieces[index + 1] ?? '').slice(0, 65)) ?? [];
		return before !== '' && behind !== '' && before.length + behind.length === 64;
	});
}

const LINK_OR_WORD = /(https?:\/\/[^\s,;"'`<>[\]{}|\\^]+)|[A-Z0-9][A-Z0-9_+/-]*={0,2}/gi;
const CUT_AFTER = /^(?:…|\.\.)/;
const CUT_BEFORE = /(?:…|\.\.)$/;
const HEX_IN_WORD = /(?<![A-Z0-9])0x[0-9a-f]{32,254}(?![A-Z0-9])/i;

/** All hashes of a line with their places, in linear time. */
export function hashesIn(text: string) {
	return [...text.matchAll(LINK_OR_WORD)].flatMap(({ 0: word, 1: link = null, index }) => {
		const end = index + word.length;
		const isCut =
			CUT_BEFORE.test(text.slice(Math.max(0, index - 2), index)) ||
			CUT_AFTER.test(text.slice(end, end + 2)) ||
			CUT_BEFORE.test(link ?? '');
		const hash = link === null ? hashOfWord(word) : hashOfLink(link);
		if (isCut || hash === null) return [];
		if (link !== null) return { hash, link, start: index, end };
		// A label may precede a hash without a space.
		const start = index + word.indexOf(hash);
		return { hash, link, start, end: start + hash.length };
	});
}

const LINK_PART = /[^/?#&=.:)(]{32,}/g;

/** The longest part that can be a hash, since addresses are shorter. */
function hashOfLink(link: string): string | null {
	const address = link.slice(link.indexOf('//') + 2);
	const [host = ''] = /^[^/?#&=.:)(]*/.exec(address) ?? [];
	const [longest = null] = (address.slice(host.length).match(LINK_PART) ?? [])
		.map(decoded)
		.filter(isPlausible)
		.sort((a, b) => b.length - a.length);
	return longest;
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

function hashOfWord(word: string): string | null {
	return HEX_IN_WORD.exec(word)?.[0] ?? (isPlausible(word) ? word : null);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Hexadecimal, base58 and base64 hashes have 32 letters and digits or more. */
function isPlausible(word: string): boolean {
	if (word.length > MAX_HASH_LENGTH || UUID.test(word) || !/^[A-Za-z0-9_+/-]+={0,2}$/.test(word))
		return false;
	return word.replace(/[^A-Za-z0-9]/g, '').length >= 32;
}
