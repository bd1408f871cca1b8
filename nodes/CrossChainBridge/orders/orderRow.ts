import { parsedOrNull } from './exactJson';
import { fieldNamed, lettersAndDigits } from './fieldNames';
import { field, isEmpty, isPlainObject, onlyText, type PlainObject } from './values';

/* A row of a table, or an item of n8n, that has an order: which of its fields are read, and what they are. */

/** What n8n itself puts next to the fields of an item. */
const OF_N8N = 'json binary pairedItem error metadata index evaluationData sendMessage'.split(' ');

/**
 * The fields of a row, by their names without what nobody sees; a hash that is alone in a list is taken out of it. The items of another node
 * have them one level down. What somebody has put next to them counts as well, unless a field that is read then has two values: then it
 * is no item.
 */
export function fieldsOfRow(row: PlainObject): PlainObject {
	const named = (fields: PlainObject): PlainObject =>
		Object.fromEntries(
			Object.entries(fields).map(([name, value]) => [
				name,
				isHashColumn(name) ? onlyText(value) : value,
			]),
		);
	const own = named(row);
	const item = field(own, 'json');
	if (!isPlainObject(item) || Object.keys(own).some(isHashColumn)) return own;
	const outer = Object.entries(own).filter(([name]) => !OF_N8N.includes(name));
	const fields = { ...Object.fromEntries(outer), ...named(item) };
	const isAmbiguous = outer.some(
		([name, value]) => fieldNamed(name) !== null && fields[name] !== value,
	);
	return isAmbiguous ? own : fields;
}

/**
 * Which field of an item that says what has to arrive is not read there, because the hash is next to the item; null if each of them is next
 * to it as well, with the same value.
 */
export function unreadInItem(row: PlainObject): string | null {
	const item = field(row, 'json');
	if (!isPlainObject(item)) return null;
	const isUnread = ([name, value]: [string, unknown]): boolean => {
		const meant = fieldNamed(name);
		if ((meant !== 'recipient' && meant !== 'minimumReceived') || isEmpty(value)) return false;
		return !Object.entries(row).some(([own, one]) => fieldNamed(own) === meant && one === value);
	};
	return Object.entries(item).find(isUnread)?.[0] ?? null;
}

/** What a row has as its name, in the first of these columns that is filled in. */
export function nameOfRow(row: PlainObject): unknown {
	const fields = fieldsOfRow(row);
	const columns = ['reference', 'name'].flatMap((column) =>
		Object.keys(fields).filter((name) => fieldNamed(name) === column),
	);
	return columns.map((name) => fields[name]).find((value) => !isEmpty(value)) ?? null;
}

/** The object or list that a text is as JSON; null for any other text. */
export function jsonIn(text: string): object | null {
	const json = /^\s*[[{]/.test(text) ? parsedOrNull(text) : null;
	return typeof json === 'object' ? json : null;
}

/** The row that a text is as JSON, alone in a list or not; null for any other text. */
export function rowIn(text: string): PlainObject | null {
	let row: unknown = jsonIn(text);
	while (Array.isArray(row) && row.length === 1) [row] = row;
	return isPlainObject(row) ? row : null;
}

const HASH_COLUMN = /^(?:source)?(?:(?:tx|txn|transaction)(?:hash|id)?|hash)$/;

/** Whether a field of this name has the hash of its order. */
export function isHashColumn(name: string): boolean {
	return HASH_COLUMN.test(lettersAndDigits(name));
}

/** A value that is no text, as a message names it. */
export function kindOf(value: unknown): string {
	if (Array.isArray(value))
		return `a list of ${value.length} ${value.length === 1 ? 'entry' : 'entries'}`;
	if (typeof value === 'object' && value !== null) return 'an object';
	return ['function', 'symbol'].includes(typeof value) ? `a ${typeof value}` : String(value);
}
