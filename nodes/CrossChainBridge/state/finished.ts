import { createHash } from 'crypto';

import { canonicalHash, type FinalStatus, isFinalStatus } from '../orders/orders';

/** A finished order that is remembered, so that it does not start the workflow again. */
export interface FinishedOrder {
	status: FinalStatus;
	/** When its final status was seen, in milliseconds since 1970, to the second. */
	at: number;
	emitted: boolean;
	/** Remembered while the list names it. */
	listed: boolean;
	/** Remembered for a day. */
	posted: boolean;
}

/** By the digest of the source hash, in the order in which they finished. */
export type FinishedOrders = ReadonlyMap<string, FinishedOrder>;

/** Beyond this the oldest are forgotten, except those that the list names. */
export const MAX_REMEMBERED = 5_000;

const REMEMBERED_MS = 24 * 3_600_000;

/** 72 bits: among 10,000 orders two have the same digest once in 10^14 triggers. */
const DIGEST_LENGTH = 12;

/** Of a source hash in any spelling; short, since n8n writes all of them with each change. */
export function digestOf(sourceHash: string): string {
	return createHash('sha256')
		.update(canonicalHash(sourceHash))
		.digest('base64url')
		.slice(0, DIGEST_LENGTH);
}

/** With one more order; its marks under another spelling of its hash stay. */
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

/** Marks just these as listed, and forgets what nothing keeps any more; the same map if nothing changes. */
export function withListed(
	finished: FinishedOrders,
	digests: ReadonlySet<string>,
	now: number,
): FinishedOrders {
	const kept = [...finished]
		.map(([digest, order]) => [digest, { ...order, listed: digests.has(digest) }] as const)
		// A second more, since times are kept to the second.
		.filter(([, { listed, posted, at }]) => listed || (posted && now - at < REMEMBERED_MS + 1000));
	const isSame =
		kept.length === finished.size &&
		kept.every(([digest, { listed }]) => finished.get(digest)?.listed === listed);
	return isSame ? finished : new Map(kept);
}

/** What a date can have. */
const MAX_SECONDS = 8.64e12;

/** [digest, status, seconds, ...marks]: readable in the database. */
export function storedFinished(finished: FinishedOrders) {
	return [...finished].map(([digest, order]) => [
		digest,
		order.status,
		order.at / 1000,
		...(['emitted', 'listed', 'posted'] as const).filter((mark) => order[mark]),
	]);
}

/** The newest `max` of the stored orders; null for anything that `storedFinished` did not write. */
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
			!(Math.abs(seconds) <= MAX_SECONDS)
		)
			return null;
		finished.set(digest, {
			status,
			at: seconds * 1000,
			emitted: marks.includes('emitted'),
			listed: marks.includes('listed'),
			posted: marks.includes('posted'),
		});
	}
	return finished;
}
