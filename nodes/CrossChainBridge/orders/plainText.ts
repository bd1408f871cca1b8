/** Signs that are no letters, digits or marks of a text: controls, directions, zero width, half pairs; and all kinds of space. */
const INVISIBLE = /[\p{C}\p{Z}]+/gu;

/**
 * What came from outside, as a part of an error or an entry of a list: one line without control, direction and zero-width
 * signs, up to `longest` signs long (with an ellipsis behind if there were more); null if nothing is left. In a time bounded by
 * `longest`, however long the text is.
 */
export function plainText(text: string | null, longest: number): string | null {
	return cut(text, longest, (start) => start.replace(INVISIBLE, ' ').trim());
}

/**
 * What came from outside, as a part of a sentence that is sent as it is: its words and the spaces between them, at the
 * same lengths. All other signs become spaces, so that no app finds markup, a command, an address or a formula in it.
 */
export function messageText(text: string | null, longest: number): string | null {
	// One form of each sign: full-width letters and dots are those that apps take them for.
	return cut(text, longest, (start) =>
		(start.normalize('NFKC').match(WORD) ?? []).map(withHarmlessDot).join(' '),
	);
}

/**
 * A letter with up to three marks (some scripts write vowels as marks), or a digit; none that nobody sees. The
 * tugrik sign stands for a letter in the symbol of a stablecoin.
 */
const SIGN = String.raw`(?!\p{DI})(?:[\p{L}₮](?:(?!\p{DI})[\p{Mn}\p{Mc}]){0,3}|\p{Nd})`;

const WORD = new RegExp(`(?:${SIGN})+(?:[.-](?:${SIGN})+)*`, 'gu');

/** One dot that makes no address, since no top-level domain is one letter or begins with a digit: "1.25", "USDC.e". */
const HARMLESS_DOT = /^[^.]+(?<=\d)\.\d[^.]*$|^[^.]+\.[A-Za-z]$/;

function withHarmlessDot(word: string): string {
	return HARMLESS_DOT.test(word) ? word : word.replaceAll('.', ' ');
}

function cut(text: string | null, longest: number, read: (start: string) => string): string | null {
	// A sign takes up to two units; among ten times as many there is enough to show.
	const start = (text ?? '').slice(0, 20 * longest);
	const signs = [...read(start)];
	if (signs.length === 0) return null;
	const isWhole = signs.length <= longest && start.length === (text ?? '').length;
	return isWhole ? signs.join('') : `${signs.slice(0, longest).join('')}…`;
}
