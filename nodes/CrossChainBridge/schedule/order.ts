/** What is known of one open order, and what a check shows of it. Times in milliseconds of one clock. */

/** What a check has shown; createdAtMs is null where the service stated none. */
export type CheckResult =
	| { kind: 'open' | 'finished'; createdAtMs: number | null }
	/** The service does not know the order (yet). */
	| { kind: 'notFound' }
	/** The service does not accept the order: it is asked for as calmly as one that is not found. */
	| { kind: 'rejected' }
	/** No answer about the order (429, 5xx, network). */
	| { kind: 'failed' };

/** What is known of an order when it is added; nothing for one from a list. */
export interface AddOptions {
	/** It begins, or began, at this time, as somebody states who knows. */
	startedAt?: number;
	/** It was posted at this time, which is the best guess of its beginning until the service states one. */
	postedAt?: number;
}

/** How orders come whose beginning is not stated: posted at a time, or from a list. */
export type Way = 'posted' | 'listed';

export interface OpenOrder {
	readonly key: string;
	/** How it came; null where its beginning was stated. */
	way: Way | null;
	/** When it was posted or added, or its beginning where that was stated. */
	addedAt: number;
	/** Minimum time between two checks. */
	readonly intervalMs: number;
	/** When it began, as stated, as an answer showed, or as a missing one suggests; null while only the usual age is known. */
	beganAt: number | null;
	/** When the last check that saw it open was sent; null before that. */
	seenOpenAt: number | null;
	/** When the last check that did not find it was sent; null if there was none. */
	notFoundAt: number | null;
	/** When the first answer that showed it came; null before that. */
	foundAt: number | null;
	/** Whether the service does not know it, or does not accept it, so that nothing is known of its beginning. */
	isUnknown: boolean;
	/** When the last check was sent; null if there was none. */
	checkedAt: number | null;
	/** Checks in a row that failed. */
	failures: number;
	/** Aborts the check in flight; null if there is none. */
	check: AbortController | null;
	/** One check is asked for, whether it is due or not. */
	isWanted: boolean;
}

/** How old the orders of one way usually are when they are added. */
interface UsualAge {
	/** Milliseconds; null while nothing is known. */
	readonly ageMs: number | null;
	/** When a first answer last said so. */
	readonly learntAt: number;
}

export type UsualAges = Readonly<Record<Way, UsualAge>>;

export const NOTHING_LEARNT: UsualAges = {
	posted: { ageMs: 0, learntAt: Number.NEGATIVE_INFINITY },
	listed: { ageMs: null, learntAt: Number.NEGATIVE_INFINITY },
};

/** An order fails after this many failed checks in a row. */
const FAILING = 3;
/** An order that is not found this soon after it was added has only just begun. */
const FOUND_WITHIN_MS = 15_000;
/** The age that the service states is believed up to this, since its clock may differ. */
const MAX_AGE_MS = 60_000;
/** The age that counts for an order that has finished without saying when it began. */
const FINISHED_AGE_MS = 20_000;
/** Times in whole seconds are this much too early on average. */
const HALF_SECOND_MS = 500;
/** A usual age follows older orders by this part of the difference, and younger ones by less, so that a mixed list stays old. */
const OLDER_PART = 0.5;
const YOUNGER_PART = 0.1;

export function newOrder(
	key: string,
	{ startedAt, postedAt }: AddOptions,
	{ now, intervalMs }: { now: number; intervalMs: number },
): OpenOrder {
	return {
		key,
		way: startedAt !== undefined ? null : postedAt === undefined ? 'listed' : 'posted',
		addedAt: startedAt ?? Math.min(now, postedAt ?? now),
		intervalMs,
		beganAt: startedAt ?? null,
		seenOpenAt: null,
		notFoundAt: null,
		foundAt: null,
		isUnknown: false,
		checkedAt: null,
		failures: 0,
		check: null,
		isWanted: false,
	};
}

/** Whether the curve says when to check it: it is neither unknown to the service nor failing. */
export function isHealthy({ isUnknown, failures }: OpenOrder): boolean {
	return !isUnknown && failures < FAILING;
}

/** When the order probably began; null where nothing is known of its way. */
export function probablyBeganAt(
	{ beganAt, way, addedAt }: OpenOrder,
	usual: UsualAges,
): number | null {
	const ageMs = way === null ? 0 : usual[way].ageMs;
	return beganAt ?? (ageMs === null ? null : addedAt - ageMs);
}

/** Applies what a check has shown, and returns the usual ages as they are from now on. */
export function learn(
	order: OpenOrder,
	result: CheckResult,
	{ sentAt, now }: { sentAt: number; now: number },
	usual: UsualAges,
): UsualAges {
	const learnt = withFirstAnswer(order, result, now, usual);
	if (result.kind === 'open' || result.kind === 'finished') {
		order.foundAt ??= now;
		order.beganAt = foundBeganAt(order, result.createdAtMs, order.foundAt, usual);
		Object.assign(order, { failures: 0, isUnknown: false, seenOpenAt: sentAt });
	} else if (result.kind === 'failed' || order.foundAt !== null) {
		// Found before and gone now is a slip of the service, and says nothing about when the order began.
		order.failures++;
	} else {
		order.failures = 0;
		order.notFoundAt = sentAt;
		order.isUnknown = result.kind === 'rejected' || sentAt - order.addedAt >= FOUND_WITHIN_MS;
		if (!order.isUnknown) Object.assign(order, { beganAt: sentAt, seenOpenAt: sentAt });
	}
	return learnt;
}

/** When a found order began: as the service states, between the last check that did not find it and the first that did. */
function foundBeganAt(
	order: OpenOrder,
	createdAtMs: number | null,
	foundAt: number,
	usual: UsualAges,
): number {
	const guess = order.isUnknown ? order.notFoundAt : probablyBeganAt(order, usual);
	if (createdAtMs === null) return Math.min(foundAt, guess ?? foundAt);
	return Math.min(foundAt, Math.max(order.notFoundAt ?? foundAt - MAX_AGE_MS, createdAtMs));
}

/** The first answer about an order shows how old those of its way are. */
function withFirstAnswer(
	{ way, addedAt, foundAt, notFoundAt }: OpenOrder,
	result: CheckResult,
	now: number,
	usual: UsualAges,
): UsualAges {
	const age = ageOf(result, addedAt);
	if (way === null || foundAt !== null || notFoundAt !== null || age === null) return usual;
	const before = usual[way].ageMs ?? age;
	const ageMs = before + (age - before) * (age > before ? OLDER_PART : YOUNGER_PART);
	return { ...usual, [way]: { ageMs, learntAt: now } };
}

/** How old an order was when it was added, as this answer says; null where it does not. Milliseconds. */
function ageOf(result: CheckResult, addedAt: number): number | null {
	if (result.kind === 'failed' || result.kind === 'rejected') return null;
	if (result.kind === 'notFound') return 0;
	const unstated = result.kind === 'finished' ? FINISHED_AGE_MS : 0;
	const age =
		result.createdAtMs === null ? unstated : addedAt - (result.createdAtMs + HALF_SECOND_MS);
	return Math.min(MAX_AGE_MS, Math.max(0, age));
}
