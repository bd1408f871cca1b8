import { createHash } from 'crypto';

import { type FinalStatus, isFinalStatus } from '../orders/orders';
import { listOf } from '../orders/values';
import { DAY_MS, type WatchRules } from './rules';

/** An order that is remembered after it has finished, so that it does not start the workflow again. */
export interface FinishedOrder {
	status: FinalStatus;
	/** When its final status was seen, to the second. */
	at: number;
	/** Whether the workflow was started for it. */
	emitted: boolean;
	/** Whether it had finished before it was listed or posted. */
	wasBefore: boolean;
	/** Whether the node's list names it, so that it is remembered. */
	listed: boolean;
	/** Until when it is remembered otherwise; 0 if only a list named it. */
	until: number;
}

/** By digest of the order key, in the order in which they finished. */
export type FinishedOrders = ReadonlyMap<string, FinishedOrder>;

/** If there are more, the oldest are forgotten, except those that the list names. */
export const MAX_REMEMBERED = 5_000;

/** 72 bits: among 10,000 orders, two have the same digest once in 10^14 triggers. */
const DIGEST_LENGTH = 12;

/** The digest of an order key. It is short, because n8n writes all of them with each event. */
export function digestOf(key: string): string {
	return createHash('sha256').update(key).digest('base64url').slice(0, DIGEST_LENGTH);
}

/** Whether an order with this final status starts the workflow under these rules. */
export function isWanted(
	{ status, wasBefore }: Pick<FinishedOrder, 'status' | 'wasBefore'>,
	{ events, includeFinished }: WatchRules,
): boolean {
	return events.has(status) && (includeFinished || !wasBefore);
}

/** Whether nothing more is to be watched of a finished order. One without an event may start the workflow now, if its status is chosen by now. */
export function isOver(
	order: FinishedOrder | undefined,
	rules: WatchRules,
): order is FinishedOrder {
	return order !== undefined && (order.emitted || !isWanted(order, rules));
}

/** With one more order, as the last. Beyond MAX_REMEMBERED the oldest ones are forgotten. */
export function withFinished(
	finished: FinishedOrders,
	key: string,
	order: FinishedOrder,
): FinishedOrders {
	const after = new Map(finished);
	const digest = digestOf(key);
	after.delete(digest);
	after.set(digest, { ...order, at: Math.floor(order.at / 1_000) * 1_000 });
	for (const [oldest, { listed }] of after) {
		if (after.size <= MAX_REMEMBERED) break;
		if (!listed) after.delete(oldest);
	}
	return after;
}

/**
 * After the list was read: the orders that it names are remembered. One that has left it is remembered for a day more, because an expression
 * may give nothing for one poll; but if a person writes the list by hand, it is forgotten, because that is what removing it means. As long as a
 * part of the list cannot be read (`isWhole`), it may name any order, so that none is forgotten. Gives the same map if nothing changes.
 */
export function withListed(
	finished: FinishedOrders,
	digests: ReadonlySet<string>,
	{ isWhole, isListByHand }: { isWhole: boolean; isListByHand: boolean },
	now: number,
): FinishedOrders {
	const after = new Map<string, FinishedOrder>();
	for (const [digest, order] of finished) {
		const listed = digests.has(digest);
		const hasLeft = order.listed && !listed && !isListByHand;
		const until = hasLeft ? Math.max(order.until, now + DAY_MS) : order.until;
		if (listed || until > now || !isWhole) after.set(digest, { ...order, listed, until });
	}
	const isSame =
		after.size === finished.size &&
		[...after].every(([digest, { listed }]) => finished.get(digest)?.listed === listed);
	return isSame ? finished : after;
}

/** What the database keeps of one, readable there: [digest, status, seconds, seconds until it is forgotten, ...marks]. */
export function storedFinished(finished: FinishedOrders): unknown[] {
	return [...finished].map(([digest, order]) => [
		digest,
		order.status,
		order.at / 1_000,
		Math.ceil(order.until / 1_000),
		...FLAGS.filter((mark) => order[mark]),
	]);
}

const FLAGS = ['emitted', 'wasBefore', 'listed'] as const;

/** The newest of the stored orders. An entry that cannot be read costs that entry. */
export function readFinished(stored: unknown, most: number): FinishedOrders {
	const finished = new Map<string, FinishedOrder>();
	for (const entry of listOf(stored).slice(-most)) {
		const [digest, status, seconds, ...rest] = listOf(entry);
		const at = timeOrNull(seconds, 1_000);
		if (typeof digest !== 'string' || typeof status !== 'string' || !isFinalStatus(status))
			continue;
		if (at === null) continue;
		finished.set(digest, {
			status,
			at,
			emitted: rest.includes('emitted'),
			wasBefore: rest.includes('wasBefore'),
			listed: rest.includes('listed'),
			until: timeOrNull(rest[0], 1_000) ?? at + DAY_MS,
		});
	}
	return finished;
}

/** A number that a date can have; null for anything else. `unit` is in milliseconds. */
export function timeOrNull(value: unknown, unit = 1): number | null {
	return typeof value === 'number' && Math.abs(value * unit) <= 8.64e15 ? value * unit : null;
}
