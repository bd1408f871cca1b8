/** So many letters of a name may be wrong. */
const MAX_TYPOS = 2;

const lettersAndDigits = (text: string): string => text.toLowerCase().replace(/[^a-z\d]/g, '');

const digits = (text: string): string => text.replace(/\D/g, '');

/**
 * Which of the names is probably meant by another one, whatever its case and the signs between its words; null if it is none. A name with
 * other digits is another name.
 * `names`: each with other names for the same, which count only as they are spelled.
 */
export function nameMeant(
	name: string,
	names: Readonly<Record<string, readonly string[]>>,
): string | null {
	const typed = lettersAndDigits(name);
	const meant = Object.entries(names).find(
		([right, others]) =>
			(digits(typed) === digits(right) && isNear(typed, lettersAndDigits(right), MAX_TYPOS)) ||
			others.some((each) => lettersAndDigits(each) === typed),
	);
	return meant?.[0] ?? null;
}

/** Whether one text becomes the other by adding, removing or replacing up to so many letters. */
function isNear(one: string, other: string, edits: number): boolean {
	if (Math.abs(one.length - other.length) > edits) return false;
	if (one === '' || other === '') return true;
	const [oneRest, otherRest] = [one.slice(1), other.slice(1)];
	if (one[0] === other[0]) return isNear(oneRest, otherRest, edits);
	if (edits === 0) return false;
	return (
		isNear(oneRest, otherRest, edits - 1) ||
		isNear(oneRest, other, edits - 1) ||
		isNear(one, otherRest, edits - 1)
	);
}
