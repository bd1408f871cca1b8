import {
	completedAtMs,
	createdAtMs,
	expiryMs,
	type FinalStatus,
	isFinalStatus,
	type OrderSource,
	statusOf,
} from '../orders/orders';
import { epochMsOrNull, field, type PlainObject } from '../orders/values';
import type { CheckOutcome } from '../checks/outcome';
import { digestOf, withFinished } from './finished';
import {
	asFinished,
	changed,
	finishedOrder,
	referenceOf,
	type WatchedOrder,
	type WatchRules,
	type WatchState,
	withRecent,
} from './state';

/** The event of an order that takes longer than the user allows; it stays watched. */
export const DELAYED = 'delayed';

/** The event of a posted order for which nobody waits any more. */
export const WATCH_EXPIRED = 'watchExpired';

interface OrderEvent extends OrderSource {
	event: FinalStatus | typeof DELAYED | typeof WATCH_EXPIRED;
	previousStatus: string | null;
	redelivered: boolean;
	/** In milliseconds since 1970. */
	watchedSince: number;
}

interface Applied {
	state: WatchState;
	event: OrderEvent | null;
}

interface Check {
	state: WatchState;
	key: string;
	before: WatchedOrder;
	seen: WatchedOrder;
	order: PlainObject | null;
	rules: WatchRules;
	now: number;
}

/** The state after a check, and its event; `checkedAt`: when the service responded, in milliseconds since 1970. */
export function applyCheck(
	state: WatchState,
	key: string,
	outcome: CheckOutcome,
	rules: WatchRules,
	now: number,
	checkedAt = now,
): Applied {
	const before = state.orders.get(key);
	if (before === undefined) return { state, event: null };
	const order = outcome.kind === 'order' ? outcome.order : null;
	const status = order === null ? before.status : statusOf(order);
	const answered = before.answered || order !== null || outcome.kind === 'notFound';
	// The clock may have gone back since.
	const since = Math.min(before.since, now);
	const seen = { ...before, since, status, answered };
	const check: Check = { state, key, before, seen, order, rules, now };
	if (outcome.kind === 'transient' || (outcome.kind === 'orderError' && !outcome.isHashRejected)) {
		// Such errors change nothing, but the watch of the order may expire.
		const isOfOrder = outcome.kind === 'orderError' && !outcome.isSuspect;
		const at = isOfOrder ? checkedAt : checkedAt - MAX_WAIT_MS;
		const isOver = !isFinalStatus(status) && hasWatchExpired(seen, at);
		return isOver ? expire(check) : { state, event: null };
	}
	if (!isFinalStatus(status)) return stillOpen(check, checkedAt);
	return order === null ? withoutEvent(check, seen) : finish(check, status, order);
}

function stillOpen(check: Check, checkedAt: number): Applied {
	const { state, key, before, seen, order, rules, now } = check;
	const expiresAt =
		order === null || before.posted === null ? null : (expiryMs(order) ?? before.expiresAt);
	const after =
		order === null ? seen : { ...seen, finishedBefore: false, finishedSeenAt: null, expiresAt };
	const beganAt = (order && createdAtMs(order)) ?? before.startedAt ?? seen.since;
	const age = checkedAt - beganAt;
	// A response without a status says nothing of the order.
	const saysNothing = order !== null && seen.status === null;
	const isLate = !saysNothing && age >= (rules.delayedAfterMs ?? Number.POSITIVE_INFINITY);
	// Another spelling of the hash may have finished.
	const isReported = isLate && finishedOrder(state, key)?.emitted === true;
	if (!isLate || isReported || before.delayed === 'emitted')
		return hasWatchExpired(after, checkedAt) ? expire(check) : withoutEvent(check, after);
	const isRepetition = before.delayed === 'again';
	const kept = withRecent(state, key, before, isRepetition, rules, now);
	// Answered, so that its final status is never taken for one from before the watch.
	const reported = { ...after, delayed: 'emitted', answered: true } as const;
	return {
		state: withOrder(kept, key, reported, now),
		event: { ...eventOf(check, DELAYED), redelivered: isRepetition, beganAt },
	};
}

function expire(check: Check): Applied {
	return removed(check, check.rules.emitsWatchExpired === true ? WATCH_EXPIRED : null);
}

function finish(check: Check, status: FinalStatus, order: PlainObject): Applied {
	const { state, key, before, seen, rules, now } = check;
	const finishedBefore = before.finishedBefore || (!before.answered && hadFinishedBy(seen, order));
	const finishedSeenAt = before.finishedSeenAt ?? now;
	const after = { ...seen, finishedBefore, finishedSeenAt, expiresAt: null };
	const isWanted = rules.events.includes(status) && (rules.includeFinished || !finishedBefore);
	// The events may change; the list then brings back what it names.
	if (!isWanted && before.listed) return withoutEvent(check, after);
	const digest = digestOf(key);
	const isEvent = isWanted && state.finished.get(digest)?.emitted !== true;
	const done = { ...asFinished(after, status, now), emitted: isWanted };
	return removed(check, isEvent ? status : null, withFinished(state.finished, digest, done));
}

/** The order is no longer watched; `event`: that with which it starts the workflow. */
function removed(
	check: Check,
	event: OrderEvent['event'] | null,
	finished = check.state.finished,
): Applied {
	const { state, key, before, rules, now } = check;
	const orders = new Map(state.orders);
	orders.delete(key);
	if (event === null) return { state: changed(state, orders, now, finished), event };
	const kept = withRecent(state, key, before, before.redelivered, rules, now);
	return { state: changed(kept, orders, now, finished), event: eventOf(check, event) };
}

function eventOf({ before, seen, order }: Check, event: OrderEvent['event']): OrderEvent {
	const { sourceHash, status, since, redelivered } = before;
	const previousStatus = status === seen.status ? null : status;
	return {
		sourceHash,
		event,
		reference: referenceOf(before),
		link: before.posted?.link ?? null,
		previousStatus,
		redelivered,
		order,
		lastStatus: status,
		watchedSince: since,
	};
}

const CLOCKS_DIFFER_MS = 60_000;

/** Whether an order finished before it was listed or posted, by its stated times; without any it did. */
function hadFinishedBy({ since, startedAt }: WatchedOrder, order: PlainObject): boolean {
	const sentAt = epochMsOrNull(field(field(order, 'input'), 'timestamp'));
	const finishedNotBefore = completedAtMs(order) ?? createdAtMs(order) ?? sentAt ?? startedAt;
	// The service states whole seconds.
	return (
		finishedNotBefore === null ||
		finishedNotBefore < Math.floor(since / 1000) * 1000 - CLOCKS_DIFFER_MS
	);
}

function withoutEvent({ state, key, now }: Check, after: WatchedOrder): Applied {
	return { state: withOrder(state, key, after, now), event: null };
}

function withOrder(state: WatchState, key: string, after: WatchedOrder, now: number): WatchState {
	const before = Object.entries(state.orders.get(key) ?? {});
	return before.every(([name, value]) => value === field(after, name))
		? state
		: changed(state, new Map(state.orders).set(key, after), now);
}

const HOUR_MS = 3_600_000;
const WATCHED_AFTER_EXPIRY_MS = 24 * HOUR_MS;
const WATCHED_WITHOUT_EXPIRY_MS = 48 * HOUR_MS;

/** Nothing may keep its place for ever. */
const MAX_WAIT_MS = 30 * 24 * HOUR_MS;

/** Whether the watch of an open order has expired at this time, in milliseconds since 1970; a listed one's never does. */
function hasWatchExpired({ listed, posted, since, expiresAt }: WatchedOrder, at: number): boolean {
	if (listed) return false;
	const postedAt = posted?.at ?? since;
	if (expiresAt === null) return at >= postedAt + WATCHED_WITHOUT_EXPIRY_MS;
	// One posted after its own expiry is watched for a day.
	const believed = Math.min(Math.max(expiresAt, postedAt), postedAt + MAX_WAIT_MS);
	return at >= believed + WATCHED_AFTER_EXPIRY_MS;
}
