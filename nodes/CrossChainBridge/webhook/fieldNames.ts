import { isHashColumn } from '../orders/sourceHash';
import type { PlainObject } from '../orders/values';

/** The fields of an order in a call; other names of the hash are read as well. */
export const FIELD_NAMES = [
	'sourceHash',
	'reference',
	'recipient',
	'minimumReceived',
	'startedAt',
	'replaces',
];

/** The names in an order that are no field. Apps and n8n's forms send some of their own, which are ignored. */
export function unknownNames(order: PlainObject): string[] {
	return Object.keys(order).filter((name) => !FIELD_NAMES.includes(name) && !isHashColumn(name));
}

/** So many letters of a name may be wrong. */
const MAX_TYPOS = 2;

/** The field that is probably meant by a name, whatever its case and the signs between its words; null if it is none. */
export function fieldMeant(name: string): string | null {
	const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
	const typed = letters(name);
	return FIELD_NAMES.find((field) => isNear(typed, letters(field), MAX_TYPOS)) ?? null;
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
