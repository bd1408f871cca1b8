import {
	completedAtMs,
	expiryMs,
	type FinalStatus,
	isFinalStatus,
	statusOf,
} from '../orders/orders';
import { epochMsOrNull, field, type PlainObject } from '../orders/values';
import type { CheckOutcome } from '../checks/outcome';
import { BELIEVED_AGE_MS } from '../schedule/schedule';
import { digestOf, identityOf, wasEmitted, withFinished } from './finished';
import {
	changed,
	doneWith,
	type WatchedOrder,
	type WatchRules,
	type WatchState,
	withRecent,
} from './state';

/** A final status that the workflow is to be started for. */
export interface OrderEvent {
	sourceHash: string;
	event: FinalStatus;
	/** What the order was posted or listed with; null otherwise. */
	reference: unknown;
	previousStatus: string | null;
	/** The same event may have been emitted just before n8n stopped. */
	redelivered: boolean;
	order: PlainObject;
}

/**
 * Applies the result of a check. An event only when the order has reached a final status among the chosen events, and once,
 * whatever the spellings under which it is watched; the state that comes with an event has it as emitted.
 */
export function applyCheck(
	state: WatchState,
	key: string,
	check: CheckOutcome,
	rules: WatchRules,
	now: number,
): { state: WatchState; event: OrderEvent | null } {
	const before = state.orders.get(key);
	if (before === undefined || check.kind === 'orderError' || check.kind === 'transient')
		return { state, event: null };
	if (check.kind === 'notFound')
		return { state: withOrder(state, key, { ...before, answered: true }, now), event: null };
	const { order } = check;
	const status = statusOf(order);
	// An answer without a status says nothing of the order.
	const seen = { ...before, status, answered: true, expired: before.expired && status === null };
	if (!isFinalStatus(status)) {
		const expiresAt = before.posted === null ? null : (expiryMs(order) ?? before.expiresAt);
		return {
			state: withOrder(
				state,
				key,
				{ ...seen, finishedBefore: false, finishedSeenAt: null, expiresAt },
				now,
			),
			event: null,
		};
	}
	const finishedBefore =
		before.finishedBefore || (!before.answered && hadFinishedBy(before, order));
	const after = {
		...seen,
		finishedBefore,
		finishedSeenAt: before.finishedSeenAt ?? now,
		expiresAt: null,
	};
	const isWanted = rules.events.includes(status) && (rules.includeFinished || !finishedBefore);
	// The events may yet be chosen otherwise; the list then brings back what it names.
	if (!isWanted && before.listed) return { state: withOrder(state, key, after, now), event: null };
	const identity = identityOf(order);
	const isRepeated = wasEmitted(state.finished, identity);
	const orders = new Map(state.orders);
	orders.delete(key);
	const finished = withFinished(state.finished, digestOf(key), {
		...doneWith(after, status, now),
		emitted: isWanted,
		identity,
	});
	const { sourceHash, redelivered } = before;
	const reference = before.posted?.reference ?? before.listReference;
	const previousStatus = before.status === status ? null : before.status;
	const event =
		isWanted && !isRepeated
			? { sourceHash, event: status, reference, previousStatus, redelivered, order }
			: null;
	const recent = event === null ? state.recent : withRecent(state, key, before, rules, now);
	return { state: changed({ ...state, recent }, orders, now, finished), event };
}

/**
 * Whether a finished order that was never seen otherwise had finished before it was listed or posted (`since`, ms since 1970).
 * Its stated times decide, as far as two clocks agree; if it states none, it had.
 */
function hadFinishedBy(
	{ since, startedAt }: { since: number; startedAt: number | null },
	order: PlainObject,
): boolean {
	const createdAt = epochMsOrNull(field(field(order, 'timing'), 'createdAt'));
	const sentAt = epochMsOrNull(field(field(order, 'input'), 'timestamp'));
	const finishedNotBefore = completedAtMs(order) ?? createdAt ?? sentAt ?? startedAt;
	// The service states whole seconds.
	return (
		finishedNotBefore === null ||
		finishedNotBefore < Math.floor(since / 1000) * 1000 - BELIEVED_AGE_MS
	);
}

const COMPARED = [
	'status',
	'answered',
	'finishedBefore',
	'finishedSeenAt',
	'expired',
	'expiresAt',
] as const;

function withOrder(state: WatchState, key: string, after: WatchedOrder, now: number): WatchState {
	const before = state.orders.get(key);
	if (before !== undefined && COMPARED.every((name) => before[name] === after[name])) return state;
	return changed(state, new Map(state.orders).set(key, after), now);
}
