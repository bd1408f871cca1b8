/** Signs that are no letters, digits or marks of a text: controls, directions, zero width, half pairs; and all kinds of space. */
const INVISIBLE = /[\p{C}\p{Z}]+/gu;

/**
 * What came from outside, as a part of a sentence or an entry of a list: one line without control, direction and zero-width
 * signs, of `longest` signs at most (with an ellipsis behind if there were more); null if nothing is left. In a time bounded by
 * `longest`, however long the text is.
 */
export function plainText(text: string | null, longest: number): string | null {
	// A sign takes two units at most; among ten times as many there is enough to show.
	const start = (text ?? '').slice(0, 20 * longest);
	const signs = [...start.replace(INVISIBLE, ' ').trim()];
	if (signs.length === 0) return null;
	const isWhole = signs.length <= longest && start.length === (text ?? '').length;
	return isWhole ? signs.join('') : `${signs.slice(0, longest).join('')}…`;
}
