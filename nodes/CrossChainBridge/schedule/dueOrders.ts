import type { BudgetView } from '../budget/requestLog';
import { prospects } from './curve';
import { type Learnt, lifeOf, type ScheduledOrder, type Way } from './order';

/** The orders of one trigger, or of one execution that waits. All tenants of a budget share its requests. */
export interface TenantOrders {
	readonly orders: ReadonlyMap<string, ScheduledOrder>;
	/** Whether its orders can be due now; if not, they only count in the demand. */
	readonly mayBegin: boolean;
	/** Its checks in the last minute. */
	readonly begun: number;
}

interface Situation<T extends TenantOrders> {
	tenants: readonly T[];
	now: number;
	budget: BudgetView;
	learnt: Learnt;
	/** When samples of each way were last checked; -Infinity if one failed. */
	sampledAt: Readonly<Record<Way, number>>;
}

/** How much is to be checked with what is free: the effort of all orders, and how many of them change soon. */
interface Demand {
	effort: number;
	changes: number;
	/** What a check must be worth, in seconds. */
	price: number;
}

export interface DueOrder<T extends TenantOrders> {
	order: ScheduledOrder;
	tenant: T;
	/** That of its tenant. */
	demand: Demand;
	/** The probability that the order has changed since the last check. */
	chance: number;
	/**
	 * What the check is worth, in seconds: for how long something has probably changed already (the order is found, or has finished), divided by the
	 * chance that nothing has changed, so that a check that will almost certainly show a change goes before all others; and less after failures.
	 */
	worth: number;
	waitedMs: number;
	gapMs: number;
	/** The way of which it is to show the usual age, if any. */
	sampleOf: Way | null;
	/** It has waited for too long, or its check is wanted. */
	isUrgent: boolean;
}

/** Of the checks that are free, this many go to each order that finishes, whenever it is checked; the others are to find it early. */
const CHECKS_PER_CHANGE = 0.9;
const MIN_PRICE_S = 0.008;
const MAX_PRICE_S = 40;
/** The checks that orders need are counted from a little before now, as some are late, to when requests become free again. */
const PAST_S = 5;
const SOON_S = 15;
/** Each failure in a row multiplies the worth of a check by this, up to COUNTED_FAILURES of them. */
const WORTH_AFTER_FAILURE = 1 / 4;
const COUNTED_FAILURES = 3;
/** The longer the checks of an order fail, the more surely it seems to have finished: so it goes no further ahead of others than this. */
const MAX_FAILING_RANK_S = 25;
/** No order waits longer while the budget can carry all of them. */
const MAX_GAP_MS = 600_000;
const MAX_FAILURE_GAP_MS = 30_000;
/** How long a learnt age is valid; then a few orders show it, and the others wait. */
const LEARNT_FOR_MS = 60_000;
const WAIT_FOR_SAMPLE_MS = 10_000;
const SAMPLE_EVERY_MS = 5_000;
const SAMPLES: Readonly<Record<Way, number>> = { posted: 1, listed: 5 };
/** Every tenant's share is at least this. */
const MIN_CHECKS_A_MINUTE = 5;
/** An order that is not due rests for this part of what it has waited. */
const REST_PART = 1 / 250;
const MINUTE_MS = 60_000;
/**
 * A tenant that has used up its share leaves this part of the limit free for orders that other tenants may get. It does so for a check
 * that is less than LIKELY to show a change, and for all its checks if more of its orders are to change soon than a minute has requests,
 * because then they have to wait for long anyway.
 */
const KEPT_PART = 0.4;
const LIKELY = 0.5;

/**
 * The orders to check now, in their turn.
 *
 * A check is worth about as many seconds as something has probably been missed by now (see `worth`): that the order is found, or has finished.
 * It has a price in seconds, up to a limit so high that all checks that are worth it fit into the requests that are free (see `priceOf`). An
 * order is due if its check is worth the price and its interval is over; if its check is to show how old orders usually are; and, urgently, if
 * it is wanted or has waited for too long.
 *
 * First come the orders of tenants within their share of the requests: urgent ones, then by worth. What is left over goes to tenants beyond
 * their share (see `inTurn`). docs/internals/schedule.md has the reasons.
 */
export function dueOrders<T extends TenantOrders>(
	situation: Situation<T>,
): {
	due: Array<DueOrder<T>>;
	/** How long nothing more is likely to be due. */
	restMs: number;
} {
	const { tenants, now, budget, learnt } = situation;
	const demands = new Map<T, Demand>();
	const ofAll = { effort: 0, changes: 0 };
	const all: Array<DueOrder<T>> = [];
	for (const tenant of tenants) {
		const demand: Demand = { effort: 0, changes: 0, price: 0 };
		demands.set(tenant, demand);
		for (const order of tenant.orders.values()) {
			const { curve, ...ages } = lifeOf(order, learnt, now);
			const around = { pastS: PAST_S, soonS: SOON_S };
			const { chance, delay, soon, effort } = prospects(curve, ages, around);
			// Compared with an order without failures.
			const weight = WORTH_AFTER_FAILURE ** Math.min(COUNTED_FAILURES, order.failures);
			demand.effort += weight * effort;
			demand.changes += weight * soon;
			const worth = (weight * delay) / Math.max(1 - chance, Number.EPSILON);
			all.push({
				order,
				tenant,
				demand,
				chance,
				worth,
				waitedMs: now - (order.checkedAt ?? order.addedAt),
				gapMs: minGapMs(order),
				sampleOf: null,
				isUrgent: false,
			});
		}
		ofAll.effort += demand.effort;
		ofAll.changes += demand.changes;
	}
	const price = priceOf(ofAll, budget.freeSoon);
	// Others never make a check dearer than if all tenants had the demand that its own has.
	for (const demand of demands.values())
		demand.price = Math.min(price, priceOf(demand, budget.freeSoon, demands.size));
	const maxGapMs = Math.max(MAX_GAP_MS, (2 * all.length * MINUTE_MS) / budget.perMinute);
	const idle = all.filter(({ order, tenant }) => tenant.mayBegin && order.check === null);
	markSamples(idle, situation);
	const due: Array<DueOrder<T>> = [];
	let restMs = Infinity;
	for (const each of idle) {
		const { order, demand, worth, waitedMs, gapMs } = each;
		restMs = Math.min(restMs, Math.max(gapMs - waitedMs, waitedMs * REST_PART));
		each.isUrgent = order.isWanted || waitedMs >= Math.max(maxGapMs, order.intervalMs);
		const isInTime = waitedMs >= gapMs && !waitsForSample(order, situation);
		if (each.isUrgent || each.sampleOf !== null || (isInTime && worth >= demand.price))
			due.push(each);
	}
	const first = inTurn(due, demands, budget);
	return { due: first, restMs: first.length > 0 ? 0 : restMs };
}

/**
 * In which order they are checked. Those beyond the share of their tenant come last; they are left out, unless urgent, if
 * tenants within their share will need the requests soon.
 */
function inTurn<T extends TenantOrders>(
	due: ReadonlyArray<DueOrder<T>>,
	demands: ReadonlyMap<T, Demand>,
	{ freeSoon, perMinute }: BudgetView,
): Array<DueOrder<T>> {
	const share = Math.max(MIN_CHECKS_A_MINUTE, perMinute / demands.size);
	let left = freeSoon;
	// For each order that changes soon two checks are kept: one that shows the change, and one that comes a little too early.
	for (const [{ begun }, { changes }] of demands) if (begun < share) left -= 2 * changes;
	const best = [...due].sort(
		(one, other) =>
			Number(other.isUrgent) - Number(one.isUrgent) ||
			(one.isUrgent ? 0 : rankOf(other) - rankOf(one)) ||
			(one.order.checkedAt ?? 0) - (other.order.checkedAt ?? 0),
	);
	const counts = new Map<T, number>();
	const within: Array<DueOrder<T>> = [];
	const beyond: Array<DueOrder<T>> = [];
	for (const next of best) {
		const { tenant, demand, isUrgent, chance } = next;
		const count = counts.get(tenant) ?? tenant.begun;
		counts.set(tenant, count + 1);
		if (count < share) {
			within.push(next);
			continue;
		}
		const isPatient = chance < LIKELY || demand.changes > perMinute;
		const kept = isPatient ? KEPT_PART * perMinute : 0;
		if (!isUrgent && left <= kept) continue;
		left--;
		beyond.push(next);
	}
	return [...within, ...beyond];
}

/** The worth by which it has its turn, in seconds. */
function rankOf({ order, worth }: DueOrder<TenantOrders>): number {
	return order.failures > 0 ? Math.min(worth, MAX_FAILING_RANK_S) : worth;
}

/**
 * What a check must be worth, in seconds, so that the checks of all orders fit, if there are `times` demands like this one. An order of hazard
 * rate h that was last checked t seconds ago has changed with probability h·t, on average t/2 ago, so that its check is worth h·t²/2. At a
 * price p it is therefore checked every √(2p / h) seconds, and all orders together need effort / √(2p) checks, because the effort adds up their
 * √h (see `Prospects`). This is solved for p, with the requests that are left besides those that show the changes, within two limits.
 */
function priceOf({ effort, changes }: Omit<Demand, 'price'>, free: number, times = 1): number {
	const left = Math.max(1, free - CHECKS_PER_CHANGE * times * changes);
	return Math.min(MAX_PRICE_S, Math.max(MIN_PRICE_S, ((times * effort) / left) ** 2 / 2));
}

/** Between its last check and the next. */
function minGapMs({ checkedAt, intervalMs, failures }: ScheduledOrder): number {
	if (checkedAt === null) return 0;
	const afterFailures =
		failures === 0 ? 0 : Math.min(MAX_FAILURE_GAP_MS, 1000 * 2 ** (failures - 1));
	return Math.max(intervalMs, afterFailures);
}

function waitsForSample(
	{ way, addedAt, foundAt, notFoundAt }: ScheduledOrder,
	{ learnt: { usual }, now }: Situation<TenantOrders>,
): boolean {
	if (way === null || foundAt !== null || notFoundAt !== null) return false;
	return now - usual[way].learntAt > LEARNT_FOR_MS && now - addedAt < WAIT_FOR_SAMPLE_MS;
}

/** Chooses the orders that are to show the usual age of their way. */
function markSamples(
	idle: ReadonlyArray<DueOrder<TenantOrders>>,
	situation: Situation<TenantOrders>,
): void {
	const { now, sampledAt } = situation;
	for (const way of ['posted', 'listed'] as const) {
		const isTime = now - sampledAt[way] >= SAMPLE_EVERY_MS;
		idle
			.filter(({ order }) => order.way === way && (isTime || order.addedAt > sampledAt[way]))
			.filter(({ waitedMs, gapMs }) => waitedMs >= gapMs)
			.filter(({ order }) => waitsForSample(order, situation))
			// One whose checks fail is the least likely to show the age of its way.
			.sort((one, other) => one.order.failures - other.order.failures)
			.slice(0, SAMPLES[way])
			.forEach((sample) => (sample.sampleOf = way));
	}
}
