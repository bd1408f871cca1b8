import {
	CLOCKS_DIFFER_MS,
	completedAtMs,
	createdAtMs,
	expiryMs,
	type FinalStatus,
	isFinalStatus,
	statusOf,
} from '../orders/orders';
import type { PlainObject } from '../orders/values';
import type { CheckResult, EventOf, OrderEmission, Reduced } from './events';
import { digestOf, isWanted, withFinished } from './finished';
import { type Milestone, MILESTONES, marksAfter } from './milestones';
import { DAY_MS, WATCH_ENDED, type WatchRules } from './rules';
import {
	changed,
	isOpen,
	keyOf,
	type WatchedOrder,
	type WatchState,
	withOrder,
	withoutRecent,
} from './state';

/** A status check of one order: what is known before it, and what it has shown. */
interface Check {
	state: WatchState;
	rules: WatchRules;
	/** When the result is applied. */
	now: number;
	/** When the bridge responded, by its clock. */
	at: number;
	/** Since when the order may have been listed or posted, by the clock of the bridge. */
	listedAfter: number;
	/** How far the clock of n8n was ahead of that of the bridge then, in milliseconds. */
	clockAheadMs: number;
	/** The order before it. */
	before: WatchedOrder;
	result: CheckResult;
	/** The order as the bridge has shown it, and its status; null if it has not. */
	order: PlainObject | null;
	status: string | null;
	/** When the order began, as far as is known. */
	beganAt: number;
}

/** The state after a status check, and the event that it brings. */
export function applyCheck(
	state: WatchState,
	checked: EventOf<'checked'>,
	rules: WatchRules,
	now: number,
): Reduced {
	const { key, clockAheadMs = 0 } = checked;
	const at = checked.at - clockAheadMs;
	const known = state.orders.get(key);
	if (known === undefined || !isOpen(known)) return { state, effects: [] };
	const result = ofThisOrder(checked.result, key, state);
	const order = result.kind === 'order' ? result.order : null;
	const status = order === null ? null : statusOf(order);
	// The clock of n8n may have gone back since the order was listed or posted.
	const before = { ...known, since: Math.min(known.since, now) };
	const since = before.since - clockAheadMs;
	const beganAt = beginning(order, at, before.startedAt ?? since);
	const check: Check = {
		state,
		rules,
		now,
		at,
		listedAfter: Math.min(since, (before.listedAfter ?? now) - clockAheadMs),
		clockAheadMs,
		before,
		result,
		order,
		status,
		beganAt,
	};
	return order === null || !isFinalStatus(status) ? stillOpen(check) : finish(check, status, order);
}

/** A response that names another order which is or was watched was given for the wrong question, so that it shows nothing. */
function ofThisOrder(
	result: CheckResult,
	key: string,
	{ orders, finished }: WatchState,
): CheckResult {
	const shownKey = result.kind === 'order' ? result.shownKey : null;
	if (shownKey === null || shownKey === key) return result;
	const isReplacement = orders.get(key)?.replaced === shownKey;
	if (!isReplacement && !orders.has(shownKey) && !finished.has(digestOf(shownKey))) return result;
	const why = 'The bridge responded with the data of another order of this trigger';
	return { kind: 'nothingShown', isOwn: true, isAnswered: true, why };
}

/** When the order began, by the clock of the bridge: as the bridge states it, or its caller, or otherwise when it was listed or posted. */
function beginning(order: PlainObject | null, at: number, known: number): number {
	const createdAt = order === null ? null : createdAtMs(order);
	// A time in the future is no beginning.
	if (createdAt !== null && createdAt <= at + CLOCKS_DIFFER_MS) return createdAt;
	return Math.min(at, known);
}

function stillOpen(check: Check): Reduced {
	const { state, before, result, order, status, now, beganAt } = check;
	const expiresAt = (order === null ? null : expiryMs(order)) ?? before.expiresAt;
	const { overdueSince, isOver } = overdue(check, expiresAt);
	const seen: WatchedOrder = {
		...before,
		status: status ?? before.status,
		hasResponse: before.hasResponse || order !== null || result.kind === 'notFound',
		expiresAt,
		overdueSince,
	};
	if (isOver) return stopWatching(check);
	const event = milestone(seen, check);
	if (event === null) return { state: withOrder(state, seen, now), effects: [] };
	const after: WatchedOrder = { ...seen, ...marksAfter(seen, event), hasResponse: true };
	const redelivered = before[event] === 'again';
	return emitting(check, withOrder(state, after, now), { event, redelivered, beganAt });
}

/** The milestone that the order, as it is after this check, has reached, if its event is chosen and was not emitted. */
function milestone(order: WatchedOrder, { result, rules, at, beganAt }: Check): Milestone | null {
	// As long as the bridge does not work, nothing is known of the order.
	if (result.kind === 'nothingShown' && !result.isOwn) return null;
	// Of two transactions, one of which was sent in place of the other, only one is ever found.
	if (order.replaced !== null && order.status === null) return null;
	const isReached: Record<Milestone, boolean> = {
		expired: at >= (order.expiresAt ?? beganAt + DAY_MS),
		delayed: at >= beganAt + rules.delayedAfterMs,
	};
	const isDue = (event: Milestone): boolean =>
		isReached[event] && rules.events.has(event) && order[event] !== 'emitted';
	return MILESTONES.find(isDue) ?? null;
}

function finish(check: Check, status: FinalStatus, order: PlainObject): Reduced {
	const { state, before, rules, now, listedAfter } = check;
	const finishedBefore = state.finished.get(digestOf(keyOf(before))) ?? null;
	const finished = {
		status,
		at: now,
		// If it is watched again because its event was chosen later, what was found the first time counts.
		wasBefore:
			finishedBefore?.wasBefore ?? (!before.hasResponse && hadFinishedBy(order, listedAfter)),
		until: before.posted === null ? (finishedBefore?.until ?? 0) : now + DAY_MS,
	};
	const wasEmitted = finishedBefore?.emitted === true;
	const isEvent = isWanted(finished, rules) && !wasEmitted;
	const emitted = isEvent || wasEmitted;
	const orders = new Map(state.orders);
	orders.delete(keyOf(before));
	const remembered = withFinished(state.finished, keyOf(before), {
		...finished,
		emitted,
		listed: before.listed,
	});
	const interruption = state.interruption && {
		...state.interruption,
		finished: state.interruption.finished + 1,
	};
	const recent = withoutRecent(state.recent, before);
	const after = changed(state, { orders, finished: remembered, interruption, recent }, now);
	if (!isEvent) return { state: after, effects: [] };
	return emitting(check, after, { event: status, finishedBefore });
}

/**
 * Whether the order finished before it was listed or posted, by the time that the bridge states. Its beginning is no proof: it may have
 * taken long, and have been seen open before n8n stopped. Without the time, the order counts as one that finished afterwards, because
 * people notice a message too many, but not one that is missing.
 */
function hadFinishedBy(order: PlainObject, since: number): boolean {
	const finishedAt = completedAtMs(order);
	// The bridge states whole seconds.
	const listedAt = Math.floor(since / 1_000) * 1_000;
	return finishedAt !== null && finishedAt < listedAt - CLOCKS_DIFFER_MS;
}

/** How long an order that only a post names is watched after its expiry, or after the post if it states none. */
const WATCHED_AFTER_EXPIRY_MS = DAY_MS;
const WATCHED_WITHOUT_EXPIRY_MS = 2 * DAY_MS;

/** How much longer if it cannot be checked, so that nothing keeps its place for ever. */
const WATCHED_UNCHECKED_MS = 30 * DAY_MS;

/** An expiry that is longer after the post than this is not believed. */
const LATEST_EXPIRY_MS = 30 * DAY_MS;

/** A second check has to confirm that the time is over this much later, because a clock may be wrong for a moment. */
const OVERDUE_CONFIRMED_MS = 5 * 60_000;

/** So much later if only the checks of this order fail, because it may have finished. */
const UNANSWERED_CONFIRMED_MS = DAY_MS;

/** Since when the order is past the time for which it is watched, null if it is not, and whether that is confirmed. The node's list has no such time. */
function overdue({ before, result, at, now }: Check, expiresAt: number | null) {
	const { posted } = before;
	if (before.listed || posted === null) return { overdueSince: null, isOver: false };
	// An order that is posted after its own expiry is watched for a day.
	const end =
		expiresAt === null
			? posted.at + WATCHED_WITHOUT_EXPIRY_MS
			: Math.min(Math.max(expiresAt, posted.at), posted.at + LATEST_EXPIRY_MS) +
				WATCHED_AFTER_EXPIRY_MS;
	if (at < end) return { overdueSince: null, isOver: false };
	const hasFailed = result.kind === 'nothingShown';
	// An outage says nothing of the order, until it has lasted for so long.
	if (hasFailed && !result.isOwn && at < end + WATCHED_UNCHECKED_MS)
		return { overdueSince: before.overdueSince, isOver: false };
	const isUnanswered = hasFailed && result.isOwn && !result.isAnswered;
	const confirmedMs = isUnanswered ? UNANSWERED_CONFIRMED_MS : OVERDUE_CONFIRMED_MS;
	const since = before.overdueSince ?? now;
	return { overdueSince: since, isOver: now - since >= confirmedMs };
}

function stopWatching(check: Check): Reduced {
	const { state, before, rules, now, beganAt } = check;
	const orders = new Map(state.orders);
	orders.delete(keyOf(before));
	// An order that the list has not named for less than a day may come back in it, because an expression may give nothing for one poll. So
	// it is remembered, without its post.
	const { unlistedAt } = before;
	if (unlistedAt !== null && now < unlistedAt + DAY_MS)
		orders.set(keyOf(before), { ...before, posted: null, overdueSince: null });
	const after = changed(state, { orders }, now);
	if (!rules.events.has(WATCH_ENDED)) return { state: after, effects: [] };
	return emitting(check, after, { event: WATCH_ENDED, beganAt });
}

/** An event with the state after it. With At Least Once, what a repetition needs is kept, unless it is one. */
function emitting(
	{ before, result, order, status, rules, now, clockAheadMs }: Check,
	after: WatchState,
	event: Pick<OrderEmission, 'event'> & Partial<OrderEmission>,
): Reduced {
	const emission: OrderEmission = {
		kind: 'order',
		before,
		finishedBefore: null,
		order,
		previousStatus: before.status === status ? null : before.status,
		beganAt: null,
		clockAheadMs,
		whyNotChecked: 'why' in result ? result.why : null,
		redelivered: before.redelivered,
		...event,
	};
	const recent = withoutRecent(after.recent, before);
	if (rules.redelivers && !emission.redelivered)
		recent.set(keyOf(before), { order: before, at: now });
	return { state: { ...after, recent }, effects: [{ kind: 'emit', emission }] };
}
