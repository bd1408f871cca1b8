/** What the schedule learns from a check; `createdAtMs` as the service states it. Times are in milliseconds of one clock. */
export type Observation =
	| { kind: 'open' | 'finished'; createdAtMs: number | null }
	/** The service does not know the order yet, or does not accept it. */
	| { kind: 'notFound' | 'rejected' }
	/** No response about the order. */
	| { kind: 'failed' };

/** The known start, or the time of the post; listed orders have neither. */
export interface AddOptions {
	startedAt?: number;
	postedAt?: number;
}

export type Way = 'posted' | 'listed';

export interface ScheduledOrder {
	readonly key: string;
	/** How it came; null if its beginning is stated. */
	way: Way | null;
	/** Its stated beginning, or when it was posted, or added. */
	addedAt: number;
	readonly intervalMs: number;
	/** As stated, or as a check suggests. */
	beganAt: number | null;
	/** When a check was last sent, last saw it open, last did not find it. */
	checkedAt: number | null;
	seenOpenAt: number | null;
	notFoundAt: number | null;
	/** When the first response came that showed it. */
	foundAt: number | null;
	/** The service does not know or accept it. */
	isNotShown: boolean;
	/** In a row. */
	failures: number;
	/** In flight. */
	check: AbortController | null;
	/** A check is wanted, due or not. */
	isWanted: boolean;
}

/** How old orders usually are when they are added; null if that is not known, or they begin later. */
export type UsualAges = Readonly<Record<Way, { ageMs: number | null; learntAt: number }>>;

export const NOTHING_LEARNT: UsualAges = {
	posted: { ageMs: 0, learntAt: -Infinity },
	listed: { ageMs: null, learntAt: -Infinity },
};

const FAILING = 3;
/** An order not found this soon after it was added has only just begun. */
const FOUND_WITHIN_MS = 15_000;
/** A list may be made minutes before its orders begin. */
const LISTED_FOUND_WITHIN_MS = 5_000;
/** Older stated ages are capped, because clocks differ. */
const MAX_AGE_MS = 60_000;
/** The age of a finished or listed order of which nothing is known. */
const FINISHED_AGE_MS = 20_000;
/** Times in whole seconds are this much too early on average. */
const HALF_SECOND_MS = 500;
/** A usual age follows older orders faster than younger ones, so that a mixed list stays old. */
const OLDER_PART = 0.5;
const YOUNGER_PART = 0.1;

export function newOrder(
	key: string,
	{ startedAt, postedAt }: AddOptions,
	{ now, intervalMs }: { now: number; intervalMs: number },
): ScheduledOrder {
	return {
		key,
		way: startedAt !== undefined ? null : postedAt === undefined ? 'listed' : 'posted',
		addedAt: startedAt ?? Math.min(now, postedAt ?? now),
		intervalMs,
		beganAt: startedAt ?? null,
		seenOpenAt: null,
		notFoundAt: null,
		foundAt: null,
		isNotShown: false,
		checkedAt: null,
		failures: 0,
		check: null,
		isWanted: false,
	};
}

/** Says more of the beginning of an order that no check has found yet. */
export function restate(order: ScheduledOrder, options: AddOptions, now: number): void {
	const { way, addedAt, beganAt } = newOrder(order.key, options, { ...order, now });
	if (order.foundAt !== null || way === 'listed') return;
	Object.assign(order, { way, addedAt, beganAt, seenOpenAt: null, isNotShown: false });
}

/** Whether the survival curve says when to check the order. */
export function isHealthy({ isNotShown, failures }: ScheduledOrder): boolean {
	return !isNotShown && failures < FAILING;
}

export function probablyBeganAt(
	{ beganAt, way, addedAt }: ScheduledOrder,
	usual: UsualAges,
): number {
	if (beganAt !== null) return beganAt;
	return way === null ? addedAt : addedAt - (usual[way].ageMs ?? FINISHED_AGE_MS);
}

/** Applies what a check has shown, and returns the new usual ages. */
export function learn(
	order: ScheduledOrder,
	observed: Observation,
	{ sentAt, now }: { sentAt: number; now: number },
	usual: UsualAges,
): UsualAges {
	const learnt = withFirstResponse(order, observed, { sentAt, now }, usual);
	if ('createdAtMs' in observed) {
		order.foundAt ??= now;
		order.beganAt = foundBeganAt(order, observed.createdAtMs, order.foundAt, learnt);
		Object.assign(order, { failures: 0, isNotShown: false, seenOpenAt: sentAt });
	} else if (observed.kind === 'failed' || order.foundAt !== null) {
		// Found before and gone now is a slip of the service.
		order.failures++;
	} else {
		order.failures = 0;
		order.notFoundAt = sentAt;
		order.isNotShown = observed.kind === 'rejected' || !mayBeNew(order, sentAt);
		if (!order.isNotShown) Object.assign(order, { beganAt: sentAt, seenOpenAt: sentAt });
	}
	return learnt;
}

/** Between the last check that did not find it and the first that did. */
function foundBeganAt(
	order: ScheduledOrder,
	createdAtMs: number | null,
	foundAt: number,
	usual: UsualAges,
): number {
	const guess = order.isNotShown ? order.notFoundAt : probablyBeganAt(order, usual);
	if (createdAtMs === null) return Math.min(foundAt, guess ?? foundAt);
	return Math.min(foundAt, Math.max(order.notFoundAt ?? foundAt - MAX_AGE_MS, createdAtMs));
}

/** Whether an order that is not found by this check may have begun. */
function mayBeNew({ way, addedAt }: ScheduledOrder, sentAt: number): boolean {
	return sentAt - addedAt < (way === 'listed' ? LISTED_FOUND_WITHIN_MS : FOUND_WITHIN_MS);
}

/** The first responses about an order show how old those of its way are. */
function withFirstResponse(
	order: ScheduledOrder,
	observed: Observation,
	{ sentAt, now }: { sentAt: number; now: number },
	usual: UsualAges,
): UsualAges {
	const { way, addedAt, foundAt, notFoundAt, isNotShown } = order;
	if (way === null || foundAt !== null || isNotShown) return usual;
	if (way === 'posted' && notFoundAt !== null) return usual;
	if (way === 'listed' && observed.kind === 'notFound')
		return mayBeNew(order, sentAt) ? usual : { ...usual, listed: { ageMs: null, learntAt: now } };
	const age = ageOf(observed, addedAt);
	if (age === null) return usual;
	const before = usual[way].ageMs ?? age;
	const ageMs = before + (age - before) * (age > before ? OLDER_PART : YOUNGER_PART);
	return { ...usual, [way]: { ageMs, learntAt: now } };
}

/** The order's age when it was added; null if that is not shown. */
function ageOf(observed: Observation, addedAt: number): number | null {
	if (!('createdAtMs' in observed)) return observed.kind === 'notFound' ? 0 : null;
	const { kind, createdAtMs } = observed;
	if (createdAtMs === null) return kind === 'finished' ? FINISHED_AGE_MS : 0;
	return Math.min(MAX_AGE_MS, Math.max(0, addedAt - createdAtMs - HALF_SECOND_MS));
}
