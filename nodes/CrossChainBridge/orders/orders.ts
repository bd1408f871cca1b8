import { caselessHex, epochMsOrNull, field, type PlainObject, textOrNull } from './values';

/** An order as far as it is known. Times are in milliseconds since 1970. */
export interface OrderSource {
	sourceHash: string;
	/** Null if the service does not know the order or was not asked. */
	order: PlainObject | null;
	/** As it was seen last, where there is no order. */
	lastStatus?: string | null;
	/** Where the last check did not show the order. */
	seenAt?: number | null;
	/** A sentence in our own words. */
	whyNotChecked?: string | null;
	reference?: unknown;
	/** Of a block explorer. */
	link?: string | null;
	/** In the user's list, from 1. */
	line?: number;
	/** Presumed. */
	beganAt?: number | null;
}

export const FINAL_STATUSES = ['completed', 'refunded', 'failed'] as const;
export type FinalStatus = (typeof FINAL_STATUSES)[number];

/** The status as it came, cut if it is too long for a word. */
export function statusOf(order: PlainObject): string | null {
	const status = textOrNull(field(order, 'status'));
	return status === null || status.length <= MAX_STATUS
		? status
		: `${status.slice(0, MAX_STATUS)}…`;
}

const MAX_STATUS = 100;

/** Whether the status is final; any other word means open. */
export function isFinalStatus(status: string | null): status is FinalStatus {
	return FINAL_STATUSES.some((final) => final === status);
}

/** Null for an open order. */
export function outcomeOf(status: string | null): 'success' | 'unsuccessful' | null {
	if (!isFinalStatus(status)) return null;
	return status === 'completed' ? 'success' : 'unsuccessful';
}

export const createdAtMs = (order: PlainObject) => timeOf(order, 'createdAt');
export const completedAtMs = (order: PlainObject) => timeOf(order, 'completedAt');
export const expiryMs = (order: PlainObject) => timeOf(order, 'expiry');

/** Milliseconds since 1970. */
function timeOf(order: PlainObject, name: string): number | null {
	return epochMsOrNull(field(field(order, 'timing'), name));
}

/** The key of an order, the same whatever the case of hexadecimal digits. */
export function hashKey(sourceHash: string): string {
	return HEX_HASH.test(sourceHash) ? sourceHash.toLowerCase() : caselessHex(sourceHash);
}

/** A hexadecimal hash in lower case and with 0x, another one as it is. */
export function canonicalHash(sourceHash: string): string {
	return HEX_HASH.test(sourceHash)
		? `0x${sourceHash.replace(/^0x/i, '').toLowerCase()}`
		: hashKey(sourceHash);
}

/** Shorter ones may be numbers: "10" is not "0x10". */
const HEX_HASH = /^(0x)?[0-9a-f]{32,}$/i;
