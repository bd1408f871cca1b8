/** Controls, directions, zero width, half surrogate pairs, and spaces of all kinds. */
const INVISIBLE = /[\p{C}\p{Z}]+/gu;

/** Foreign text for an error or a list: one line of up to `max` visible characters; null if nothing is left. */
export function plainText(text: string | null, max: number): string | null {
	return cut(text, max, (start) => start.replace(INVISIBLE, ' ').trim());
}

/** Foreign text for a message, in which no app finds markup, a command, a link or a formula. */
export function messageText(text: string | null, max: number): string | null {
	// Apps take full-width letters and dots for the usual ones.
	return cut(text, max, (start) =>
		(start.normalize('NFKC').match(WORD) ?? []).map(withHarmlessSigns).join(' '),
	);
}

/** A visible letter with up to three marks (vowels in some scripts), a digit, or the sign of a currency. */
const SIGN = String.raw`(?!\p{DI})(?:[\p{L}₮€£¥](?:(?!\p{DI})[\p{Mn}\p{Mc}]){0,3}|\p{Nd})`;

/** "1.25", "USDC.e", "1,250", "12:30", "O'Brien"; between colons an app may find an emoji. */
const JOINT = String.raw`[.-]|(?<=\p{Nd}),(?=\p{Nd})|(?<=(?<![:\p{Nd}])\p{Nd}{1,2}):(?=\p{Nd}{2}(?![:\p{Nd}]))|(?<=\p{L})['’](?=\p{L})`;

const WORD = new RegExp(
	`(?:${SIGN})+(?:(?:${JOINT})(?:${SIGN})+)*(?:(?<=\\p{Nd})%(?![\\p{L}\\p{Nd}]))?`,
	'gu',
);

/** No top-level domain is one letter or begins with a digit: "1.25", "USDC.e". */
const HARMLESS_DOT = /^[^.]+(?<=\d)\.\d[^.]*$|^[^.]+\.[A-Za-z]$/;

function withHarmlessSigns(word: string): string {
	const quoted = word.replaceAll("'", '’');
	return HARMLESS_DOT.test(quoted) ? quoted : quoted.replaceAll('.', ' ');
}

function cut(text: string | null, max: number, read: (start: string) => string): string | null {
	// A character takes up to two units, and one in ten is enough to fill `max`.
	const start = (text ?? '').slice(0, 20 * max);
	const signs = [...read(start)];
	if (signs.length === 0) return null;
	const isWhole = signs.length <= max && start.length === (text ?? '').length;
	return isWhole ? signs.join('') : `${signs.slice(0, max).join('')}…`;
}
