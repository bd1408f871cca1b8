import { createHash } from 'crypto';

import { FINAL_STATUSES, type FinalStatus } from '../orders/orders';
import { caselessHex, exactTextOrNull, field, type PlainObject } from '../orders/values';

/**
 * Finished orders that are remembered, so that none starts the workflow a second time. Of each only digests, its status and
 * a time are kept: n8n writes all that is remembered with each change. Pure.
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
	/** What the service calls the order, as a digest; null where its answer did not say. */
	identity: string | null;
}

/** By the digest of the hash key; those that finished first come first. */
export type FinishedOrders = ReadonlyMap<string, FinishedOrder>;

/** Beyond so many the oldest are forgotten; never one that the list names. */
export const MOST_REMEMBERED = 5_000;

/** How long a posted order is remembered once it has finished, so that posting it again does not emit it again. */
const REMEMBERED_MS = 24 * 3_600_000;

/** 72 bits: among 10,000 orders two have the same digest once in 10^14 triggers. */
const DIGEST_LENGTH = 12;

/** Twelve characters that stand for a hash key. */
export function digestOf(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LENGTH);
}

/**
 * What the service's answer calls the order, whatever the spelling under which it was asked for: its `orderId` and the
 * transaction hash of its input, as a digest. Both where both are stated, so that a service that gives all orders one
 * `orderId` swallows none. null where neither is stated.
 */
export function identityOf(order: PlainObject): string | null {
	const orderId = exactTextOrNull(field(order, 'orderId'));
	const txHash = exactTextOrNull(field(field(order, 'input'), 'txHash'));
	return orderId === null && txHash === null
		? null
		: digestOf(JSON.stringify(['order', spelled(orderId), spelled(txHash)]));
}

/** Hexadecimal text in one spelling, with or without 0x. */
function spelled(text: string | null): string | null {
	if (text === null) return null;
	const trimmed = text.trim();
	return /^[0-9a-f]+$/i.test(trimmed) ? `0x${trimmed.toLowerCase()}` : caselessHex(trimmed);
}

export function wasEmitted(finished: FinishedOrders, identity: string | null): boolean {
	if (identity === null) return false;
	for (const order of finished.values())
		if (order.emitted && order.identity === identity) return true;
	return false;
}

/** With one more; the oldest are forgotten if there are too many. */
export function withFinished(
	finished: FinishedOrders,
	digest: string,
	order: FinishedOrder,
): FinishedOrders {
	const after = new Map(finished);
	after.delete(digest);
	after.set(digest, { ...order, at: 1000 * (FIRST_SECOND + secondsOf(order.at)) });
	for (const [oldest, { listed }] of after) {
		if (after.size <= MOST_REMEMBERED) break;
		if (!listed) after.delete(oldest);
	}
	return after;
}

/** Those that the list names are marked so; those that nothing keeps any more are forgotten. The same map if nothing changes. */
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
	const isForgotten = ({ listed, at }: FinishedOrder): boolean =>
		!listed && now - at >= REMEMBERED_MS + 1000;
	const forgotten = [...finished].filter(([, order]) => isForgotten(order));
	if (forgotten.length === 0) return finished;
	const after = new Map(finished);
	for (const [digest] of forgotten) after.delete(digest);
	return after;
}

/** Seconds are counted from here, so that five characters last until 2059. */
const FIRST_SECOND = Date.UTC(2025, 0, 1) / 1000;
const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const TIME_LENGTH = 5;
const STORED = new RegExp(
	`^([\\w-]{${DIGEST_LENGTH}})([\\w-]{${DIGEST_LENGTH}})?([\\w-])([\\w-]{${TIME_LENGTH}})$`,
);

/** What each is written as, behind its digest: with each event all of them are written again. */
const texts = new WeakMap<FinishedOrder, string>();

/** All of them as one text, up to 31 characters each. */
export function storedFinished(finished: FinishedOrders): string {
	return [...finished].map(([digest, order]) => digest + textOf(order)).join(',');
}

function textOf(order: FinishedOrder): string {
	const known = texts.get(order);
	if (known !== undefined) return known;
	const { status, at, emitted, listed, posted, identity } = order;
	const sign = SIGNS.charAt(
		FINAL_STATUSES.indexOf(status) * 8 + Number(emitted) * 4 + Number(listed) * 2 + Number(posted),
	);
	const text = `${identity ?? ''}${sign}${timeText(secondsOf(at))}`;
	texts.set(order, text);
	return text;
}

/** And back; null for anything that `storedFinished` did not write. */
export function readFinished(stored: unknown): FinishedOrders | null {
	if (typeof stored !== 'string') return null;
	const finished = new Map<string, FinishedOrder>();
	for (const entry of stored === '' ? [] : stored.split(',')) {
		const [, digest = '', identity = null, sign = '', time = ''] = STORED.exec(entry) ?? [];
		const marks = SIGNS.indexOf(sign);
		const status = FINAL_STATUSES[marks >> 3];
		if (digest === '' || status === undefined) return null;
		const at = 1000 * (FIRST_SECOND + numberOf(time));
		finished.set(digest, {
			status,
			at,
			emitted: (marks & 4) > 0,
			listed: (marks & 2) > 0,
			posted: (marks & 1) > 0,
			identity,
		});
	}
	return finished;
}

function secondsOf(at: number): number {
	return Math.min(64 ** TIME_LENGTH - 1, Math.max(0, Math.floor(at / 1000) - FIRST_SECOND));
}

function timeText(seconds: number): string {
	return Array.from({ length: TIME_LENGTH }, (_, place) =>
		SIGNS.charAt(Math.floor(seconds / 64 ** (TIME_LENGTH - 1 - place)) % 64),
	).join('');
}

function numberOf(text: string): number {
	return [...text].reduce((sum, sign) => 64 * sum + SIGNS.indexOf(sign), 0);
}
