import { YOUNG_MS } from './listed';
import type { Experience } from './plan';
import { withPost } from './postAges';
import type { WatchedOrder } from './schedule';
import { FOUND_WITHIN_MS, startedAt } from './schedule';
import { likeliestSlowShare, withFinished, withFinishedUnseen } from './survivalModel';
import { survivalTable } from './survivalTable';

/** What a check has shown. Times in milliseconds since 1970; null where the service gave none. */
export type CheckResult =
	| { kind: 'open'; createdAtMs: number | null; expiresAtMs: number | null }
	| { kind: 'notFound' }
	/** The service does not accept the order: it is asked for as calmly as one that is not found. */
	| { kind: 'rejected' }
	/** The status is final, or the order is of no interest any more: it is watched no longer. */
	| { kind: 'finished'; createdAtMs?: number | null }
	/** The service asked to slow down: nothing is known of the order, and its turn comes again. */
	| { kind: 'limited' }
	/** No answer about the order (5xx, network): it is asked for again after a while, ever less often. */
	| { kind: 'failed' };

/** What is known of an order when it is added; nothing for one from a list. Times in milliseconds since 1970. */
export interface AddOptions {
	/** It begins, or began, at this time, as somebody states who knows: the first check comes when it may have finished. */
	startedAt?: number;
	/**
	 * It was posted at this time, which is the best guess of its beginning until the service states one. How late posts
	 * usually come is learnt, so the first check comes when it may have finished, at once where posts usually come late.
	 */
	postedAt?: number;
	/** Minimum time between its checks in milliseconds, where it is not that of all. */
	intervalMs?: number;
}

/** A watched order with what only its watcher needs to know. */
export interface Entry {
	readonly order: WatchedOrder;
	/** The time of its post, until its first answer has shown how late that was. */
	postedAt: number | null;
	/** When the first answer that found it came. */
	foundAt: number | null;
	/** Aborts the check in flight. */
	check: AbortController | null;
}

/** What a first check has shown counts for so much less with each that follows. */
const LISTED_KEPT = 0.9;

export function newEntry(
	key: string,
	options: AddOptions,
	{ intervalMs, now }: { intervalMs: number; now: number },
): Entry {
	const { startedAt: stated, postedAt: posted } = options;
	const postedAt = posted === undefined ? undefined : Math.min(now, posted);
	const began = stated ?? postedAt ?? null;
	const beginning = began === null ? 'unknown' : stated === undefined ? 'posted' : 'known';
	return {
		order: {
			key,
			startedAt: began ?? now,
			beginning,
			listedAt: beginning === 'unknown' ? now : null,
			listedBegunAt: null,
			lastCheckAt: null,
			notFoundAt: null,
			seenOpenAt: null,
			expiresAt: null,
			intervalMs: options.intervalMs ?? intervalMs,
			failures: 0,
			limitedInARow: 0,
			limitedAt: null,
			checking: false,
		},
		postedAt: beginning === 'posted' ? began : null,
		foundAt: null,
		check: null,
	};
}

/** Somebody has said more of an order that no check has found, or that nothing but a guess is known of: that is its beginning from now on. */
export function restate(entry: Entry, options: AddOptions, now: number): void {
	if (entry.order.beginning !== 'unknown' && entry.order.beginning !== 'assumed') return;
	const { order, postedAt } = newEntry(entry.order.key, options, {
		intervalMs: entry.order.intervalMs,
		now,
	});
	if (order.beginning === 'unknown') return;
	entry.postedAt = postedAt;
	const { startedAt, beginning, listedAt } = order;
	Object.assign(entry.order, { startedAt, beginning, listedAt });
}

/**
 * Applies what a check has shown to the entry, and returns what is known of this service's orders from now on.
 * `sentAt`: when the check was sent; `now`: when its answer came.
 */
export function applyResult(
	entry: Entry,
	result: CheckResult,
	{ sentAt, now }: { sentAt: number; now: number },
	experience: Experience,
): Experience {
	const { order } = entry;
	if (result.kind !== 'failed') Object.assign(order, { limitedInARow: 0, limitedAt: null });
	const learnt = withJudgedPost(
		entry,
		result,
		sentAt,
		withListedOrder(entry, result, sentAt, experience),
	);
	switch (result.kind) {
		case 'finished':
			return withFinishedOrder(order, result.createdAtMs ?? null, sentAt, learnt);
		case 'open':
			order.failures = 0;
			order.expiresAt = result.expiresAtMs;
			order.seenOpenAt = sentAt;
			entry.foundAt ??= now;
			if (result.createdAtMs !== null || order.beginning !== 'known') {
				const guess = order.beginning === 'unknown' ? undefined : order.startedAt;
				order.startedAt = startedAt({
					createdAtMs: result.createdAtMs,
					guess,
					notFoundAt: order.notFoundAt,
					foundAt: entry.foundAt,
				});
			}
			if (result.createdAtMs !== null && order.listedAt !== null && order.beginning !== 'known')
				order.listedBegunAt = order.startedAt;
			order.beginning = 'known';
			return learnt;
		case 'notFound':
		case 'rejected':
			// Found before and gone now is a slip of the service and says nothing about when the order began.
			if (entry.foundAt !== null) {
				order.failures++;
				return learnt;
			}
			order.failures = 0;
			if (result.kind === 'notFound') order.notFoundAt = sentAt;
			if (
				result.kind === 'notFound' &&
				order.beginning !== 'unknown' &&
				sentAt - order.startedAt < FOUND_WITHIN_MS
			) {
				order.beginning = 'known';
				order.seenOpenAt = sentAt;
			} else {
				order.beginning = 'unknown';
				order.seenOpenAt = null;
			}
			return learnt;
		default:
			order.failures++;
			return experience;
	}
}

/**
 * A 429 is no answer about the order: its turn comes again, as if nothing had been sent. `checkedBefore`: when its last check until then
 * was sent; `answeredAt`: when the last check that was answered, of whichever order, was sent.
 */
export function applyLimited(
	order: WatchedOrder,
	{
		sentAt,
		checkedBefore,
		answeredAt,
	}: { sentAt: number; checkedBefore: number | null; answeredAt: number },
): void {
	order.lastCheckAt = checkedBefore;
	if (order.limitedAt === null || order.limitedAt < answeredAt) order.limitedInARow++;
	order.limitedAt = sentAt;
}

/** Whether an answer about an order that was taken to have begun like others shows that it had not; null where it does not say. */
export function isWronglyAssumed(
	{ order }: Entry,
	result: CheckResult,
	sentAt: number,
): boolean | null {
	if (order.beginning !== 'assumed' || isNoAnswer(result.kind)) return null;
	if (result.kind === 'notFound') return sentAt - order.startedAt >= FOUND_WITHIN_MS;
	const createdAtMs = createdAtOf(result);
	return createdAtMs === null ? null : Math.abs(createdAtMs - order.startedAt) > YOUNG_MS;
}

function createdAtOf(result: CheckResult): number | null {
	return 'createdAtMs' in result ? (result.createdAtMs ?? null) : null;
}

/** Nothing that says something of other orders as well. */
function isNoAnswer(kind: CheckResult['kind']): kind is 'failed' | 'limited' | 'rejected' {
	return kind === 'failed' || kind === 'limited' || kind === 'rejected';
}

/** The first answer about an order of unknown beginning shows how old such orders are; the latest count most. */
function withListedOrder(
	entry: Entry,
	result: CheckResult,
	sentAt: number,
	experience: Experience,
): Experience {
	const { order, foundAt } = entry;
	const { kind } = result;
	const isFirst =
		order.notFoundAt === null &&
		foundAt === null &&
		(order.beginning === 'unknown' || isWronglyAssumed(entry, result, sentAt) === true);
	if (!isFirst || isNoAnswer(kind)) return experience;
	const { count, finished } = experience.listed;
	return {
		...experience,
		listed: {
			count: count * LISTED_KEPT + 1,
			finished: finished * LISTED_KEPT + (kind === 'finished' ? 1 : 0),
		},
	};
}

/** The first answer about a posted order shows how late the post was. */
function withJudgedPost(
	entry: Entry,
	result: CheckResult,
	sentAt: number,
	experience: Experience,
): Experience {
	const { postedAt } = entry;
	if (postedAt === null || isNoAnswer(result.kind)) return experience;
	entry.postedAt = null;
	const createdAtMs = createdAtOf(result);
	const { kind } = result;
	const sight =
		createdAtMs !== null
			? ({ kind: 'stated', age: (postedAt - createdAtMs) / 1000 } as const)
			: kind === 'notFound'
				? ({ kind } as const)
				: ({ kind, sincePost: (sentAt - postedAt) / 1000 } as const);
	const table = survivalTable(likeliestSlowShare(experience.finished, []));
	return { ...experience, posts: withPost(experience.posts, sight, table) };
}

/** Whether the order was slow: judged by the age at which it was last seen open, else by that of the check that showed it finished. */
function withFinishedOrder(
	order: WatchedOrder,
	createdAtMs: number | null,
	sentAt: number,
	experience: Experience,
): Experience {
	const { finished } = experience;
	if (order.seenOpenAt !== null)
		return {
			...experience,
			finished: withFinished(finished, (order.seenOpenAt - order.startedAt) / 1000),
		};
	if (createdAtMs === null && (order.beginning === 'unknown' || order.beginning === 'assumed'))
		return experience;
	return {
		...experience,
		finished: withFinishedUnseen(finished, (sentAt - (createdAtMs ?? order.startedAt)) / 1000),
	};
}
