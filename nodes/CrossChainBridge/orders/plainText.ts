/** Signs that are no letters, digits or marks of a text: controls, directions, zero width, half pairs; and all kinds of space. */
const INVISIBLE = /[\p{C}\p{Z}]+/gu;

/** Text from outside as part of an error or a list: one line of visible signs, up to `max` of them; null if nothing is left. */
export function plainText(text: string | null, max: number): string | null {
	return cut(text, max, (start) => start.replace(INVISIBLE, ' ').trim());
}

/** Text from outside as part of a message: words and spaces only, so that no app finds markup, a command, an address or a formula in it. */
export function messageText(text: string | null, max: number): string | null {
	// One form of each sign: apps take full-width letters and dots for the usual ones.
	return cut(text, max, (start) =>
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

function cut(text: string | null, max: number, read: (start: string) => string): string | null {
	// A sign takes up to two units; among ten times as many there is enough to show.
	const start = (text ?? '').slice(0, 20 * max);
	const signs = [...read(start)];
	if (signs.length === 0) return null;
	const isWhole = signs.length <= max && start.length === (text ?? '').length;
	return isWhole ? signs.join('') : `${signs.slice(0, max).join('')}…`;
}
