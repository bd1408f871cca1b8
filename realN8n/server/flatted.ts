/**
 * n8n stores an execution's data in the "flatted" form: a JSON array whose first element is the root, and in
 * which every text inside an object or array is the position of the real value. The same value (also a cyclic
 * one) is stored once. This reads it back. An empty table stands for undefined: an execution has no data yet.
 */
export function parseFlatted(text: string): unknown {
	const table: unknown = JSON.parse(text);
	if (!Array.isArray(table)) throw new Error(`This is no flatted data: ${text.slice(0, 100)}`);
	const revived = new Map<number, unknown>();

	const valueAt = (position: number): unknown => {
		if (revived.has(position)) return revived.get(position);
		const stored: unknown = table[position];
		if (typeof stored !== 'object' || stored === null) return stored;
		const value: Record<string, unknown> | unknown[] = Array.isArray(stored) ? [] : {};
		// known before its parts are read, since a part may point back to it
		revived.set(position, value);
		for (const [key, part] of Object.entries(stored)) {
			Object.assign(value, { [key]: typeof part === 'string' ? valueAt(Number(part)) : part });
		}
		return value;
	};
	return valueAt(0);
}
