import {
	completedAtMs,
	createdAtMs,
	expiryMs,
	type FinalStatus,
	isFinalStatus,
	statusOf,
} from '../orders/orders';
import { epochMsOrNull, field, type PlainObject } from '../orders/values';
import type { CheckOutcome } from '../checks/outcome';
import { digestOf, withFinished } from './finished';
import {
	changed,
	doneWith,
	referenceOf,
	type WatchedOrder,
	type WatchRules,
	type WatchState,
	withRecent,
} from './state';

/** The event of an order that takes longer than the user allows; it stays watched. */
export const DELAYED = 'delayed';

/** What the workflow is to be started for. */
interface OrderEvent {
	sourceHash: string;
	event: FinalStatus | typeof DELAYED;
	/** What the order was posted or listed with; null otherwise. */
	reference: unknown;
	previousStatus: string | null;
	/** The same event may have been emitted just before n8n stopped. */
	redelivered: boolean;
	/** null where the service does not know it. */
	order: PlainObject | null;
	/** Of a delayed order: when it began, as far as is known, in milliseconds since 1970. */
	beganAt?: number;
}

/** A state, and the event that it has as emitted; null without one. */
interface Applied {
	state: WatchState;
	event: OrderEvent | null;
}

/**
 * Applies the result of a check. An event only when the order has reached a final status among the chosen events, or takes too long, and
 * each once. `checkedAt`: when the service answered, in milliseconds since 1970; what has happened after that is not known.
 */
export function applyCheck(
	state: WatchState,
	key: string,
	check: CheckOutcome,
	rules: WatchRules,
	now: number,
	checkedAt = now,
): Applied {
	const before = state.orders.get(key);
	if (before === undefined || check.kind === 'orderError' || check.kind === 'transient')
		return { state, event: null };
	if (check.kind === 'notFound') {
		const after = { ...before, answered: true };
		return isFinalStatus(before.status)
			? { state: withOrder(state, key, after, now), event: null }
			: stillOpen(state, key, after, null, rules, { now, checkedAt });
	}
	const { order } = check;
	const status = statusOf(order);
	const seen = { ...before, status, answered: true };
	if (isFinalStatus(status)) return finish(state, key, seen, status, order, rules, now);
	const expiresAt = before.posted === null ? null : (expiryMs(order) ?? before.expiresAt);
	const after = { ...seen, finishedBefore: false, finishedSeenAt: null, expiresAt };
	return stillOpen(state, key, after, order, rules, { now, checkedAt });
}

/** An order that is open or was not found, as it is `after` the check: nothing to start for, unless it takes too long. */
function stillOpen(
	state: WatchState,
	key: string,
	after: WatchedOrder,
	order: PlainObject | null,
	{ delayedAfterMs, ...rules }: WatchRules,
	{ now, checkedAt }: { now: number; checkedAt: number },
): Applied {
	const before = state.orders.get(key) ?? after;
	const createdAt = order === null ? null : createdAtMs(order);
	const beganAt = createdAt ?? after.startedAt ?? after.since;
	// An answer without a status says nothing of the order.
	const isKnown = order === null || after.status !== null;
	const isDelayed =
		isKnown && delayedAfterMs !== undefined && checkedAt - beganAt >= delayedAfterMs;
	if (!isDelayed || before.delayed === 'emitted')
		return { state: withOrder(state, key, after, now), event: null };
	const redelivered = before.delayed === 'again';
	const recent = withRecent(state, key, before, redelivered, rules, now);
	return {
		state: withOrder({ ...state, recent }, key, { ...after, delayed: 'emitted' }, now),
		event: {
			sourceHash: after.sourceHash,
			event: DELAYED,
			reference: referenceOf(after),
			previousStatus: before.status === after.status ? null : before.status,
			redelivered,
			order,
			beganAt,
		},
	};
}

/** An order that has reached a final status: it starts the workflow if the user wants that, and if it has not before. */
function finish(
	state: WatchState,
	key: string,
	seen: WatchedOrder,
	status: FinalStatus,
	order: PlainObject,
	rules: WatchRules,
	now: number,
): Applied {
	const before = state.orders.get(key) ?? seen;
	const finishedBefore =
		before.finishedBefore || (!before.answered && hadFinishedBy(before, order));
	const finishedSeenAt = before.finishedSeenAt ?? now;
	const after = { ...seen, finishedBefore, finishedSeenAt, expiresAt: null };
	const isWanted = rules.events.includes(status) && (rules.includeFinished || !finishedBefore);
	// The events may yet be chosen otherwise; the list then brings back what it names.
	if (!isWanted && before.listed) return { state: withOrder(state, key, after, now), event: null };
	const digest = digestOf(key);
	const isRepeated = state.finished.get(digest)?.emitted === true;
	const orders = new Map(state.orders);
	orders.delete(key);
	const done = { ...doneWith(after, status, now), emitted: isWanted };
	const finished = withFinished(state.finished, digest, done);
	const isEvent = isWanted && !isRepeated;
	const { sourceHash, redelivered } = before;
	const recent = isEvent ? withRecent(state, key, before, redelivered, rules, now) : state.recent;
	return {
		state: changed({ ...state, recent }, orders, now, finished),
		event: isEvent
			? {
					sourceHash,
					event: status,
					reference: referenceOf(before),
					previousStatus: before.status === status ? null : before.status,
					redelivered,
					order,
				}
			: null,
	};
}

/** By how much the service's clock and this one may differ. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * Whether a finished order that was never seen otherwise had finished before it was listed or posted (`since`, ms since 1970).
 * Its stated times decide, as far as two clocks agree; if it states none, it had.
 */
function hadFinishedBy({ since, startedAt }: WatchedOrder, order: PlainObject): boolean {
	const sentAt = epochMsOrNull(field(field(order, 'input'), 'timestamp'));
	const finishedNotBefore = completedAtMs(order) ?? createdAtMs(order) ?? sentAt ?? startedAt;
	// The service states whole seconds.
	return (
		finishedNotBefore === null ||
		finishedNotBefore < Math.floor(since / 1000) * 1000 - CLOCKS_DIFFER_MS
	);
}

const COMPARED = [
	'status',
	'answered',
	'finishedBefore',
	'finishedSeenAt',
	'delayed',
	'expiresAt',
] as const;

function withOrder(state: WatchState, key: string, after: WatchedOrder, now: number): WatchState {
	const before = state.orders.get(key);
	if (before !== undefined && COMPARED.every((name) => before[name] === after[name])) return state;
	return changed(state, new Map(state.orders).set(key, after), now);
}
