/** Signs that are no letters, digits or marks of a text: controls, directions, zero width, half pairs; and all kinds of space. */
const INVISIBLE = /[\p{C}\p{Z}]+/gu;

/**
 * What came from outside, as a part of a sentence or an entry of a list: one line without control, direction and zero-width
 * signs, up to `longest` signs long (with an ellipsis behind if there were more); null if nothing is left. In a time bounded by
 * `longest`, however long the text is.
 */
export function plainText(text: string | null, longest: number): string | null {
	// A sign takes up to two units; among ten times as many there is enough to show.
	const start = (text ?? '').slice(0, 20 * longest);
	const signs = [...start.replace(INVISIBLE, ' ').trim()];
	if (signs.length === 0) return null;
	const isWhole = signs.length <= longest && start.length === (text ?? '').length;
	return isWhole ? signs.join('') : `${signs.slice(0, longest).join('')}…`;
}

/**
 * The same for a message that is sent as it is: what HTML, Telegram, Slack or Discord would take for markup, a mention, an
 * emoji code or a link is written with similar signs (full-width forms), so that every app shows it as it stands.
 */
export function messageText(text: string | null, longest: number): string | null {
	const plain = plainText(text, longest);
	if (plain === null) return null;
	return plain
		.replace(LIST_MARK, '')
		.replace(MARKUP, fullWidth)
		.replace(COMMAND, fullWidth)
		.replace(DOT_OF_A_DOMAIN, ONE_DOT_LEADER);
}

/** Markup, mentions, channels, emoji codes, the start of an address. */
const MARKUP = /[&<>@#*_~`|[\]\\:]/g;

/** A word that begins with a slash is a bot's command in Telegram. */
const COMMAND = /(?<=^|\s)\/(?=\w)/g;

/** At the beginning of a line these make a list; the text may be the beginning of the message. */
const LIST_MARK = /^(?:(?:[-+]|\d+[.)])\s+)+/;

/** Top-level domains have two letters or more, so that "USDC.e" stays as it is. */
const DOT_OF_A_DOMAIN = /(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu;

const ONE_DOT_LEADER = '\u2024';

/** The full-width form of a visible ASCII sign. */
function fullWidth(sign: string): string {
	return String.fromCharCode(sign.charCodeAt(0) + 0xfee0);
}
