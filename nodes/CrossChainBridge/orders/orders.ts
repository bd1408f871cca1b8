import type { Expected } from './expectation';
import { isHash, orderKey } from './hashForms';
import {
	epochMsOrNull,
	exactTextOrNull,
	field,
	isZeros,
	type PlainObject,
	textOrNull,
} from './values';

/** An order as far as it is known. Times are in milliseconds since 1970. */
export interface OrderSource {
	sourceHash: string;
	/** Null if the service does not know the order or was not asked. */
	order: PlainObject | null;
	/** As it was seen last, if there is no order. */
	lastStatus?: string | null;
	/** When that was, by the clock of the bridge, if the last check did not show the order. */
	seenAt?: number | null;
	/** Why it could not be checked, as a sentence of this package; null or missing if it was checked, also if it was not found. */
	whyNotChecked?: string | null;
	/** How far the clock of n8n was ahead of that of the bridge when the bridge responded, in milliseconds; missing if the two agree or nothing is known. */
	clockAheadMs?: number;
	/** Any JSON; a text or a number is the order's name. */
	reference?: unknown;
	/** Of a block explorer, as it came with the hash. */
	link?: string | null;
	/** In the user's list, from 1. */
	line?: number;
	/** When it was listed or posted, or what is presumed to be its beginning, by the clock of the bridge. */
	beganAt?: number | null;
	/** What is to arrive, if the user has said that. */
	expected?: Expected;
	/** Whether the item links the bridge's page of the order, if no explorer shows a transaction. The item of a failed order always does. */
	needsPage?: boolean;
	/** A further sentence of the message, in our own words. */
	note?: string;
}

export const FINAL_STATUSES = ['completed', 'refunded', 'failed'] as const;
export type FinalStatus = (typeof FINAL_STATUSES)[number];

/** The interface's words. */
const STATUSES: readonly string[] = ['pending', 'executing', ...FINAL_STATUSES];

/** The interface's word in small letters, or any other word as it came, cut if it is too long for a word. */
export function statusOf(order: PlainObject): string | null {
	const status = textOrNull(textOrNull(field(order, 'status'))?.trim());
	const known = status?.toLowerCase() ?? '';
	if (status === null || STATUSES.includes(known)) return known || null;
	return status.length <= MAX_STATUS ? status : `${status.slice(0, MAX_STATUS)}…`;
}

/** In characters. */
const MAX_STATUS = 100;

/** Whether the status is one of the interface's. */
export function isKnownStatus(status: string | null): boolean {
	return status !== null && STATUSES.includes(status);
}

/** Whether the status is final; any other word means open. */
export function isFinalStatus(status: string | null): status is FinalStatus {
	return FINAL_STATUSES.some((final) => final === status);
}

/** Null for an open order. */
export function outcomeOf(status: string | null): 'success' | 'unsuccessful' | null {
	if (!isFinalStatus(status)) return null;
	return status === 'completed' ? 'success' : 'unsuccessful';
}

/** The key of the source hash that an order itself states; null if it states none, or something else. */
export function hashShownBy(order: PlainObject): string | null {
	const stated = exactTextOrNull(field(field(order, 'input'), 'txHash'))?.trim() ?? '';
	return isHash(stated) && !isZeros(stated) ? orderKey(stated) : null;
}

/** The key that an order states, if it is not that of this hash. One chain may write a hash in two forms, which do not compare. */
export function otherHashShownBy(order: PlainObject, sourceHash: string): string | null {
	const [asked, shown] = [orderKey(sourceHash), hashShownBy(order)];
	const areAlike = shown?.startsWith('0x') === asked.startsWith('0x') && isHash(sourceHash);
	return areAlike && shown !== asked ? shown : null;
}

/** Stated times may differ from the clock of n8n by this much, in milliseconds. */
export const CLOCKS_DIFFER_MS = 60_000;

export const createdAtMs = (order: PlainObject) => timeOf(order, 'createdAt');
export const completedAtMs = (order: PlainObject) => timeOf(order, 'completedAt');
export const expiryMs = (order: PlainObject) => timeOf(order, 'expiry');

/** Milliseconds since 1970. */
function timeOf(order: PlainObject, name: string): number | null {
	return epochMsOrNull(field(field(order, 'timing'), name));
}
