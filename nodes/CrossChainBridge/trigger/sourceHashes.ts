import { hashKey } from '../bridge/orders';
import { field, isPlainObject } from '../bridge/values';

/** More would make one trigger spend ten minutes of a standard limit on a single look at each order. */
export const MOST_SOURCE_HASHES = 1000;

/**
 * The source hashes in whatever the field holds: text of several lines, a pasted list with commas, quotes or brackets,
 * or what an expression gives: text, numbers, arrays (nested too), objects with a `sourceHash`. In the order given,
 * each once; hexadecimal hashes that differ in case only are one.
 */
export function parseSourceHashes(given: unknown): string[] {
	const byKey = new Map<string, string>();
	for (const hash of wordsIn(given)) {
		const key = hashKey(hash);
		if (!byKey.has(key)) byKey.set(key, hash);
	}
	return [...byKey.values()];
}

function wordsIn(given: unknown): string[] {
	if (typeof given === 'string') return given.split(/[\s,;"'`[\]{}()<>]+/).filter((word) => word !== '');
	if (typeof given === 'number' || typeof given === 'bigint') return [String(given)];
	if (Array.isArray(given)) return given.flat(Infinity).flatMap((part) => (Array.isArray(part) ? [] : wordsIn(part)));
	if (isPlainObject(given)) return wordsIn(field(given, 'sourceHash'));
	return [];
}
