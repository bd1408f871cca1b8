/** Controls, directions, zero width, half surrogate pairs, and spaces of all kinds. */
const INVISIBLE = /[\p{C}\p{Z}]+/gu;

/** Foreign text for an error or a list: one line of up to `max` visible characters; null if nothing is left. */
export function plainText(text: string | null, max: number): string | null {
	return cutTo(text, max, (start) => start.replace(INVISIBLE, ' ').trim());
}

/**
 * A given value for the sentence of an error: one line, cut, and without markup, because the editor shows descriptions as HTML. A long
 * word is shortened in its middle, because the editor does not break it: the panel of the error would hide what follows.
 */
export function shownText(given: unknown): string {
	const words = String(given)
		.replace(/[<>&]/g, ' ')
		.replace(LONG_WORD, (word) => `${word.slice(0, WORD_START)}…${word.slice(-WORD_END)}`);
	return plainText(words, MAX_SHOWN) ?? '';
}

/** In characters. The address of a wallet is shown whole, and a line of the editor's error has no more. */
const LONG_WORD = /[^\s…]{45,}/g;
const WORD_START = 24;
const WORD_END = 12;
const MAX_SHOWN = 70;

/** Foreign text for a message, in which no app finds markup, a command, a link or a formula. */
export function messageText(text: string | null, max: number): string | null {
	return cutTo(text, max, harmless);
}

/** A name for a message, shortened in the middle, because names often differ in the last letters. */
export function nameText(text: string | null): string | null {
	const name = messageText(text, MAX_NAME_READ);
	const signs = [...(name ?? '')];
	if (signs.length <= MAX_NAME) return name;
	const [start, end] = [signs.slice(0, NAME_START), signs.slice(1 + NAME_START - MAX_NAME)];
	// A mark would stand on the ellipsis.
	return `${start.join('').trim()}…${end.join('').replace(/^[\p{M}\s]+/u, '')}`;
}

/** Characters of a name: a phone's preview shows all of them, and that they are set off. */
const MAX_NAME = 32;
const NAME_START = 20;
const MAX_NAME_READ = 200;

/**
 * A token's symbol for a message; null for one that could change how an amount reads (several words, digits first, a multiple, right to left),
 * or that would be the symbol of another token in a message, such as "ETH+", whose sign no message may contain.
 */
export function symbolText(symbol: string | null): string | null {
	const text = networkText(symbol);
	if (text === null || text !== symbol?.normalize('NFKC').trim()) return null;
	return /\s|^[₮€£¥]?\p{Nd}/u.test(text) || isNoSymbol(text) ? null : text;
}

/**
 * Whether a word after a number is not read as a token's symbol, although a token may have it: it makes another amount of the number ("5 M",
 * "5 million", "5 e18", "5 万"), is a unit that is not the token's, or is what a failed expression gives.
 */
export function isNoSymbol(word: string): boolean {
	return NO_SYMBOL.test(word);
}

const NO_SYMBOL =
	/^(?:null|undefined|nan|wei|units|[kmbt]|[mb]n|mio|mrd|(?:hundred|thousand|lakh|crore|[mbtr]+illion)s?|e\d+|[十百千万萬亿億兆].*)$/iu;

/** A network's name for a message, without an ID after it, which only we write there; null for one that reads right to left. */
export function networkText(name: string | null): string | null {
	const start = (name ?? '').slice(0, MAX_NAME_READ).normalize('NFKC');
	const text = messageText(start.replace(/\(\d*\)/g, ' '), MAX_NAME);
	return text === null || RIGHT_TO_LEFT.test(text) ? null : text;
}

const RIGHT_TO_LEFT =
	/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A visible letter with up to three marks (vowels in some scripts), a digit, or the sign of a currency. Letters that look
 * like a colon or a quotation mark are none.
 */
const SIGN = String.raw`(?:(?!\p{DI}|[\u02b0-\u02ff\ua700-\ua721\ua788-\ua78a])[\p{L}₮€£¥](?:(?!\p{DI})[\p{Mn}\p{Mc}]){0,3}|\p{Nd})`;

/** "1.25", "USDC.e", "1,250", "12:30", "O'Brien", "A/B"; between colons an app may find an emoji. */
const JOINT = String.raw`[.-]|(?<=\p{Nd}),(?=\p{Nd})|(?<=(?<![:\p{Nd}])\p{Nd}{1,2}):(?=\p{Nd}{2}(?![:\p{Nd}]))|(?<=\p{L})['’](?=\p{L})|\/`;

const WORD = new RegExp(
	`(?:${SIGN})+(?:(?:${JOINT})(?:${SIGN})+)*(?:(?<=\\p{Nd})%(?![\\p{L}\\p{Nd}]))?|&`,
	'gu',
);

function harmless(text: string): string {
	// Apps take full-width letters and dots for the usual ones.
	const words = (text.normalize('NFKC').match(WORD) ?? []).map(withHarmlessSigns);
	// Only between words and spaces no app takes it for the beginning of an entity.
	const isBetween = (index: number) =>
		index > 0 && index + 1 < words.length && words[index - 1] !== '&';
	return words.filter((word, index) => word !== '&' || isBetween(index)).join(' ');
}

/** No top-level domain is one letter or begins with a digit: "1.25", "USDC.e". */
const HARMLESS_DOT = /^[^./]+(?<=\d)\.\d[^./]*$|^[^./]+\.[A-Za-z]$/;

function withHarmlessSigns(word: string): string {
	const quoted = word.replaceAll("'", '’');
	if (!quoted.includes('.') || HARMLESS_DOT.test(quoted)) return quoted;
	// A path after what may be a host.
	return quoted.replaceAll('.', ' ').replaceAll('/', ' ');
}

function cutTo(text: string | null, max: number, read: (start: string) => string): string | null {
	// A character takes up to two units, and one in ten is enough to fill `max`.
	const start = (text ?? '').slice(0, 20 * max);
	const signs = [...read(start)];
	if (signs.length === 0) return null;
	const isWhole = signs.length <= max && start.length === (text ?? '').length;
	return isWhole ? signs.join('') : `${signs.slice(0, max).join('')}…`;
}
