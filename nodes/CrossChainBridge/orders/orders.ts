import { caselessHex, epochMsOrNull, field, type PlainObject, textOrNull } from './values';

/** The three final statuses; the interface's polling guidance names them. */
export const FINAL_STATUSES = ['completed', 'refunded', 'failed'] as const;
export type FinalStatus = (typeof FINAL_STATUSES)[number];

/** What the status says about the transfer: it succeeded, it did not, or nothing yet. */
export type Outcome = 'success' | 'unsuccessful' | null;

/** The order's status word as it came, cut where it is far too long for a word; null if there is none. */
export function statusOf(order: PlainObject): string | null {
	const status = textOrNull(field(order, 'status'));
	return status === null || status.length <= MAX_STATUS
		? status
		: `${status.slice(0, MAX_STATUS)}…`;
}

const MAX_STATUS = 100;

/** Whether the order is finished. Any word other than the three is open: a status is never guessed. */
export function isFinalStatus(status: string | null): status is FinalStatus {
	return FINAL_STATUSES.some((final) => final === status);
}

export function outcomeOf(status: string | null): Outcome {
	if (!isFinalStatus(status)) return null;
	return status === 'completed' ? 'success' : 'unsuccessful';
}

/** Time of creation in milliseconds since 1970; null where the order does not state one. */
export function createdAtMs(order: PlainObject): number | null {
	return timeOf(order, 'createdAt');
}

/** Time of completion in milliseconds since 1970; null where the order does not state one. */
export function completedAtMs(order: PlainObject): number | null {
	return timeOf(order, 'completedAt');
}

/** Time at which the order expires, in milliseconds since 1970; null where the order does not state one. */
export function expiryMs(order: PlainObject): number | null {
	return timeOf(order, 'expiry');
}

function timeOf(order: PlainObject, name: string): number | null {
	return epochMsOrNull(field(field(order, 'timing'), name));
}

/** The key of a source hash: hexadecimal hashes that differ only in case have the same. */
export function hashKey(sourceHash: string): string {
	return caselessHex(sourceHash);
}

/** A source hash in one spelling: a hexadecimal one in lower case and with 0x, whether or not it came with it. */
export function canonicalHash(sourceHash: string): string {
	return HEX_HASH.test(sourceHash)
		? `0x${sourceHash.replace(/^0x/i, '').toLowerCase()}`
		: hashKey(sourceHash);
}

/** Shorter ones may be any number: "10" is not "0x10". */
const HEX_HASH = /^(0x)?[0-9a-f]{32,}$/i;
