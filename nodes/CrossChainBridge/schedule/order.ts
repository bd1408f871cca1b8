import { type Curve, FINDING, FINISHING, withObservation } from './curve';

/** What the schedule learns from a check; `createdAtMs` as the service states it. Times are in milliseconds of one clock. */
export type Observation =
	| { kind: 'open' | 'finished'; createdAtMs: number | null }
	/** The service does not know the order yet, or does not accept it. */
	| { kind: 'notFound' | 'rejected' }
	/** No response about the order. */
	| { kind: 'failed' };

/** What is known of an order's beginning: its known start, or the time of the post; listed orders have neither. In milliseconds of the clock here, and since 1970 in OpenOrder. */
export interface Beginning {
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
	/** As stated, or as a check shows. */
	beganAt: number | null;
	/** When a check was last sent (for one between two ticks: the tick before it), last saw it open, last did not find it. */
	checkedAt: number | null;
	seenOpenAt: number | null;
	notFoundAt: number | null;
	/** When the first response came that showed it. */
	foundAt: number | null;
	/** For the schedule only: checks in a row that did not show it, because there was no response about it, or because it was found before and is gone now. */
	failures: number;
	/** In flight. */
	check: AbortController | null;
	/** A check is wanted, due or not. */
	isWanted: boolean;
}

/** What the orders of one key have shown of orders in general. */
export interface Learnt {
	/** How old orders usually are when they are added, null if the service does not find them yet; and when that was last seen. */
	usual: Readonly<Record<Way, { ageMs: number | null; learntAt: number }>>;
	/** From sending to the final status, for an order that no check has shown anything of. */
	unchecked: Curve;
	/** From sending to being found, for one that was not found. */
	notFound: Curve;
	/** From creation to the final status, for one that was found. */
	found: Curve;
}

/** The age of a finished or listed order of which nothing is known. */
const FINISHED_AGE_MS = 20_000;

export const NOTHING_LEARNT: Learnt = {
	usual: {
		posted: { ageMs: 0, learntAt: -Infinity },
		listed: { ageMs: FINISHED_AGE_MS, learntAt: -Infinity },
	},
	unchecked: FINISHING,
	notFound: FINDING,
	found: FINISHING,
};

/** After so many failures in a row, an order is scheduled as one of this age, in milliseconds, that is not found: its check is worth little. */
const FAILING = 3;
const FAILING_AGE_MS = 300_000;
/** An order that is not found so soon after it was listed may have been sent a moment before, and says nothing of the others. */
const JUST_LISTED_MS = 5_000;
/** Older stated ages are capped, because clocks differ. */
const MAX_AGE_MS = 60_000;
/** Times in whole seconds are this much too early on average. */
const HALF_SECOND_MS = 500;
/** A usual age follows older orders faster than younger ones, so that a mixed list stays old. */
const OLDER_PART = 0.5;
const YOUNGER_PART = 0.1;

export function newOrder(
	key: string,
	{ startedAt, postedAt }: Beginning,
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
		checkedAt: null,
		failures: 0,
		check: null,
		isWanted: false,
	};
}

/** Says more of the beginning of an order that no check has found yet. */
export function restate(order: ScheduledOrder, beginning: Beginning, now: number): void {
	const { way, addedAt, beganAt } = newOrder(order.key, beginning, { ...order, now });
	if (order.foundAt !== null || way === 'listed') return;
	Object.assign(order, { way, addedAt, beganAt, notFoundAt: null });
}

export function probablyBeganAt(order: ScheduledOrder, learnt: Learnt): number {
	return order.beganAt ?? usuallyBeganAt(order, learnt);
}

/** When an order of its way usually began that was added then, whatever a check has shown of it. */
function usuallyBeganAt({ way, addedAt }: ScheduledOrder, learnt: Learnt): number {
	return way === null ? addedAt : addedAt - (learnt.usual[way].ageMs ?? FINISHED_AGE_MS);
}

/** When an order that is not found was probably sent: a list is made some time after that. */
function probablySentAt({ way, addedAt }: ScheduledOrder): number {
	return way === 'listed' ? addedAt - MAX_AGE_MS : addedAt;
}

/** On which curve an order is, up to which age nothing has happened to it, and its age now, in seconds. */
export function lifeOf(
	order: ScheduledOrder,
	learnt: Learnt,
	now: number,
): { curve: Curve; since: number; age: number } {
	const { foundAt, seenOpenAt, failures, checkedAt } = order;
	/** `seenAt`: when a check last showed that nothing has happened. */
	const life = (curve: Curve, start: number, seenAt: number) => {
		const since = Math.max(0, seenAt - start) / 1000;
		return { curve, since, age: Math.max(since, (now - start) / 1000) };
	};
	// Failures say something of the service, whatever the order's age is.
	if (failures >= FAILING && checkedAt !== null)
		return life(FINDING, checkedAt - FAILING_AGE_MS, checkedAt);
	const start = probablyBeganAt(order, learnt);
	if (foundAt !== null) return life(learnt.found, start, seenOpenAt ?? start);
	const notFoundAt = supposedNotFoundAt(order, learnt);
	if (notFoundAt !== null) return life(learnt.notFound, probablySentAt(order), notFoundAt);
	return life(learnt.unchecked, start, start);
}

/** If others of a list are not found, the same is supposed of one that has not been checked. */
function supposedNotFoundAt({ notFoundAt, way, addedAt }: ScheduledOrder, { usual }: Learnt) {
	if (notFoundAt !== null || way !== 'listed' || usual.listed.ageMs !== null) return notFoundAt;
	return Math.max(addedAt, usual.listed.learntAt);
}

/** Applies what a check has shown, and returns what is learnt now. */
export function learn(
	order: ScheduledOrder,
	observed: Observation,
	{ sentAt, now }: { sentAt: number; now: number },
	learnt: Learnt,
): Learnt {
	const next = withCurves(order, observed, sentAt, {
		...learnt,
		usual: withFirstResponse(order, observed, now, learnt.usual),
	});
	if ('createdAtMs' in observed) {
		order.foundAt ??= now;
		const { createdAtMs } = observed;
		// If the service does not state it: after the last check that did not find it.
		const began =
			createdAtMs === null
				? (order.notFoundAt ?? probablyBeganAt(order, next))
				: Math.max(order.foundAt - MAX_AGE_MS, createdAtMs);
		order.beganAt = Math.min(order.foundAt, began);
		Object.assign(order, { failures: 0, seenOpenAt: sentAt });
	} else if (observed.kind === 'failed' || order.foundAt !== null) {
		// Found before and gone now is a slip of the service.
		order.failures++;
	} else Object.assign(order, { failures: 0, notFoundAt: sentAt });
	return next;
}

/** What this check adds to the curves. Those of finishing (`unchecked`, `found`) learn only from orders that have finished, because others may never do so. */
function withCurves(
	order: ScheduledOrder,
	observed: Observation,
	sentAt: number,
	learnt: Learnt,
): Learnt {
	const { foundAt, notFoundAt, seenOpenAt } = order;
	const isShown = 'createdAtMs' in observed;
	const seconds = (start: number, time: number): number => Math.max(0, time - start) / 1000;
	let { unchecked, notFound, found } = learnt;
	const sent = probablySentAt(order);
	const saysIfFound = isShown || observed.kind === 'notFound';
	// The age at a first check depends on when it was made, so that it says nothing of when orders are found.
	if (saysIfFound && foundAt === null && notFoundAt !== null)
		notFound = withObservation(
			notFound,
			[seconds(sent, notFoundAt), seconds(sent, sentAt)],
			isShown,
		);
	if (observed.kind === 'finished') {
		const added = usuallyBeganAt(order, learnt);
		unchecked = withSpan(
			unchecked,
			seconds(added, seenOpenAt ?? notFoundAt ?? added),
			seconds(added, sentAt),
		);
		const began = observed.createdAtMs ?? probablyBeganAt(order, learnt);
		found = withSpan(found, seconds(began, seenOpenAt ?? began), seconds(began, sentAt));
	}
	return { ...learnt, unchecked, notFound, found };
}

/** The curve with an order that was open at the first age, and finished by the second. */
function withSpan(curve: Curve, openAt: number, finishedAt: number): Curve {
	return withObservation(withObservation(curve, [0, openAt], false), [openAt, finishedAt], true);
}

/** The first responses about an order show how old those of its way are. */
function withFirstResponse(
	{ way, addedAt, foundAt, notFoundAt }: ScheduledOrder,
	observed: Observation,
	now: number,
	usual: Learnt['usual'],
): Learnt['usual'] {
	if (way === null || foundAt !== null || notFoundAt !== null) return usual;
	if (way === 'listed' && observed.kind === 'notFound')
		return now - addedAt < JUST_LISTED_MS
			? usual
			: { ...usual, listed: { ageMs: null, learntAt: now } };
	const age = ageOf(observed, addedAt);
	if (age === null) return usual;
	const last = usual[way];
	const before = last.learntAt === -Infinity ? age : (last.ageMs ?? age);
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
