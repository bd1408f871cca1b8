import { createHash } from 'crypto';

import { canonicalHash, type FinalStatus, isFinalStatus } from '../orders/orders';

/**
 * Finished orders that are remembered, so that none starts the workflow a second time. Of the hash only a digest is kept, since n8n
 * writes all that is remembered with each change. Pure.
 */

export interface FinishedOrder {
	status: FinalStatus;
	/** When its final status was seen, in milliseconds since 1970, to the second. */
	at: number;
	/** It has started the workflow. False if its status was not among the chosen events. */
	emitted: boolean;
	/** The list in the node's field names it: then it is remembered for as long as it does. */
	listed: boolean;
	/** It was posted to the webhook: then it is remembered for a day. */
	posted: boolean;
}

/** By the digest of the source hash, in the order in which they finished. */
export type FinishedOrders = ReadonlyMap<string, FinishedOrder>;

/** Above this number the oldest are forgotten; never one that the list names. */
export const MAX_REMEMBERED = 5_000;

/** How long a posted order is remembered once it has finished, so that posting it again does not emit it again. */
const REMEMBERED_MS = 24 * 3_600_000;

/** 72 bits: among 10,000 orders two have the same digest once in 10^14 triggers. */
const DIGEST_LENGTH = 12;

/**
 * Twelve characters that stand for a source hash, in whichever spelling. The service's answer has no part in it: whatever names it gives
 * to orders, none of them can take another one's place.
 */
export function digestOf(sourceHash: string): string {
	return createHash('sha256')
		.update(canonicalHash(sourceHash))
		.digest('base64url')
		.slice(0, DIGEST_LENGTH);
}

/** With one more; the oldest are forgotten if there are too many. What is known of it under another spelling stays true. */
export function withFinished(
	finished: FinishedOrders,
	digest: string,
	order: FinishedOrder,
): FinishedOrders {
	const after = new Map(finished);
	const known = after.get(digest);
	after.delete(digest);
	after.set(digest, {
		status: order.status,
		at: Math.floor(order.at / 1000) * 1000,
		emitted: order.emitted || known?.emitted === true,
		listed: order.listed || known?.listed === true,
		posted: order.posted || known?.posted === true,
	});
	for (const [oldest, { listed }] of after) {
		if (after.size <= MAX_REMEMBERED) break;
		if (!listed) after.delete(oldest);
	}
	return after;
}

/** Marks the listed orders, and forgets what nothing keeps any more. The same map if nothing changes. */
export function withListed(
	finished: FinishedOrders,
	isListed: (digest: string) => boolean,
): FinishedOrders {
	const after = new Map<string, FinishedOrder>();
	let isSame = true;
	for (const [digest, order] of finished) {
		const listed = isListed(digest);
		isSame &&= listed === order.listed;
		if (listed || order.posted)
			after.set(digest, listed === order.listed ? order : { ...order, listed });
	}
	return isSame ? finished : after;
}

/** Without posted orders that finished a day ago. The same map if there are none. */
export function withoutForgotten(finished: FinishedOrders, now: number): FinishedOrders {
	// A second more, since times are kept to the second.
	const kept = [...finished].filter(
		([, { listed, at }]) => listed || now - at < REMEMBERED_MS + 1000,
	);
	return kept.length === finished.size ? finished : new Map(kept);
}

/** A finished order as n8n keeps it: its digest, status, seconds since 1970, and what is true of it. */
export type StoredFinished = [
	digest: string,
	status: FinalStatus,
	seconds: number,
	...marks: Mark[],
];

const MARKS = ['emitted', 'listed', 'posted'] as const;
type Mark = (typeof MARKS)[number];

export function storedFinished(finished: FinishedOrders): StoredFinished[] {
	return [...finished].map(([digest, order]) => [
		digest,
		order.status,
		order.at / 1000,
		...MARKS.filter((mark) => order[mark]),
	]);
}

/** And back; null for anything that `storedFinished` did not write. Of too many, the newest. */
export function readFinished(stored: unknown, max: number): FinishedOrders | null {
	if (!Array.isArray(stored)) return null;
	const finished = new Map<string, FinishedOrder>();
	for (const entry of stored.slice(-max) as unknown[]) {
		const [digest, status, seconds, ...marks]: unknown[] = Array.isArray(entry) ? entry : [];
		if (
			typeof digest !== 'string' ||
			digest.length !== DIGEST_LENGTH ||
			typeof status !== 'string' ||
			!isFinalStatus(status) ||
			typeof seconds !== 'number' ||
			!Number.isFinite(seconds)
		)
			return null;
		const [emitted = false, listed = false, posted = false] = MARKS.map((mark) =>
			marks.includes(mark),
		);
		finished.set(digest, { status, at: seconds * 1000, emitted, listed, posted });
	}
	return finished;
}
