import type { BudgetView } from '../budget/requestLog';
import { prospects, type Prospects } from './curve';
import { type Learnt, lifeOf, type ScheduledOrder, type Way } from './order';

export interface Watching {
	readonly orders: ReadonlyMap<string, ScheduledOrder>;
	/** Otherwise its orders count but are never due. */
	readonly isDriven: boolean;
	/** Its checks in the last minute. */
	readonly begun: number;
}

interface Situation<W extends Watching> {
	watchers: readonly W[];
	now: number;
	budget: BudgetView;
	learnt: Learnt;
	/** When samples of each way were last checked; -Infinity if one failed. */
	sampledAt: Readonly<Record<Way, number>>;
}

export interface DueOrder<W extends Watching> {
	order: ScheduledOrder;
	watcher: W;
	/** The way of which it is to show the usual age, if any. */
	sampleOf: Way | null;
	/** It is overdue or wanted. */
	isFirst: boolean;
	/** What the check is worth, in seconds. */
	worth: number;
}

/** Of the checks that are free, this many go to each order that finishes, whenever it is checked; the others are to find it early. */
const CHECKS_PER_CHANGE = 0.9;
const MIN_PRICE_S = 0.008;
const MAX_PRICE_S = 40;
/** The checks that orders need are counted from a little before now, as some are late, to when requests become free again. */
const PAST_S = 5;
const SOON_S = 15;
/** A check is worth so much less with each failure in a row, the first ones only. */
const WORTH_AFTER_FAILURE = 1 / 4;
const COUNTED_FAILURES = 3;
/** No order waits longer while the budget can carry all of them. */
const MAX_GAP_MS = 600_000;
const MAX_FAILURE_GAP_MS = 30_000;
/** How long a learnt age is valid; then a few orders show it, and the others wait. */
const LEARNT_FOR_MS = 60_000;
const WAIT_FOR_SAMPLE_MS = 10_000;
const SAMPLE_EVERY_MS = 5_000;
const SAMPLES: Readonly<Record<Way, number>> = { posted: 1, listed: 5 };
/** Every watcher's share is at least this. */
const MIN_CHECKS_A_MINUTE = 5;
/** An order that is not due rests for this part of what it has waited. */
const REST_PART = 1 / 250;
const MINUTE_MS = 60_000;
/** A check that probably shows nothing is made only if this part of the limit stays free. */
const UNLIKELY = 0.01;
const KEPT_PART = 0.4;

/** The orders to check now, best first: of watchers within their share, overdue or wanted, those whose check is worth most. */
export function dueOrders<W extends Watching>(
	situation: Situation<W>,
): {
	due: Array<DueOrder<W>>;
	/** How long nothing more is likely to be due. */
	restMs: number;
} {
	const { watchers, now, budget, learnt } = situation;
	const { freeSoon, perMinute } = budget;
	const share = Math.max(MIN_CHECKS_A_MINUTE, perMinute / watchers.length);
	const isOver = ({ begun }: W): boolean => begun >= share;
	const common = new Demand();
	const demands = new Map<W, Demand>();
	const all = watchers.flatMap((watcher) => {
		const own = new Demand();
		demands.set(watcher, own);
		return [...watcher.orders.values()].map((order) => {
			const weight = WORTH_AFTER_FAILURE ** Math.min(COUNTED_FAILURES, order.failures);
			const { curve, ...ages } = lifeOf(order, learnt, now);
			const expected = prospects(curve, ages, { pastS: PAST_S, soonS: SOON_S });
			common.add(expected, weight);
			own.add(expected, weight);
			return { order, watcher, weight, expected };
		});
	});
	const prices = new Map<W, number>();
	// What those within their share need soon is kept for them, and a part for orders that nobody expects.
	let left = freeSoon - KEPT_PART * perMinute;
	for (const [watcher, own] of demands) {
		// Others never make a check dearer than it would be with an equal part of what is free.
		const ownPrice = own.price(freeSoon / watchers.length);
		prices.set(watcher, Math.min(common.price(freeSoon), ownPrice));
		if (!isOver(watcher)) left -= 2 * own.changes;
	}
	const maxGapMs = Math.max(MAX_GAP_MS, (2 * all.length * MINUTE_MS) / perMinute);
	const idle = all
		.filter(({ order, watcher }) => watcher.isDriven && order.check === null)
		.map((each) => ({
			...each,
			waitedMs: now - (each.order.checkedAt ?? each.order.addedAt),
			gapMs: minGapMs(each.order),
		}));
	const samples = samplesOf(
		idle.filter(({ waitedMs, gapMs }) => waitedMs >= gapMs).map(({ order }) => order),
		situation,
	);

	const due: Array<DueOrder<W>> = [];
	let restMs = Infinity;
	for (const { order, watcher, weight, expected, waitedMs, gapMs } of idle) {
		restMs = Math.min(restMs, Math.max(gapMs - waitedMs, waitedMs * REST_PART));
		const sampleOf = samples.has(order) ? order.way : null;
		const isFirst = order.isWanted || waitedMs >= Math.max(maxGapMs, order.intervalMs);
		const candidate = { order, watcher, sampleOf, isFirst, worth: 0 };
		if (isFirst || sampleOf !== null) {
			due.push(candidate);
			continue;
		}
		if (waitedMs < gapMs || waitsForSample(order, situation)) continue;
		const { chance, delay } = expected;
		const mayBeUnlikely = watcher.begun < MIN_CHECKS_A_MINUTE || freeSoon >= KEPT_PART * perMinute;
		if (chance < UNLIKELY && !mayBeUnlikely) continue;
		const worth = (weight * delay) / Math.max(1 - chance, Number.EPSILON);
		if (worth >= (prices.get(watcher) ?? 0)) due.push({ ...candidate, worth });
	}
	due.sort(
		(one, other) =>
			Number(other.isFirst) - Number(one.isFirst) ||
			(one.isFirst ? 0 : other.worth - one.worth) ||
			(one.order.checkedAt ?? 0) - (other.order.checkedAt ?? 0),
	);
	const counts = new Map<W, number>();
	const within: Array<DueOrder<W>> = [];
	const beyond: Array<DueOrder<W>> = [];
	for (const next of due) {
		const count = counts.get(next.watcher) ?? next.watcher.begun;
		counts.set(next.watcher, count + 1);
		if (count < share) within.push(next);
		else if (left-- > 0 || next.isFirst) beyond.push(next);
	}
	const first = [...within, ...beyond];
	return { due: first, restMs: first.length > 0 ? 0 : restMs };
}

/** How much is to be checked with what is free. */
class Demand {
	private effort = 0;

	/** How many orders change soon. */
	changes = 0;

	add({ effort, soon }: Prospects, weight: number): void {
		this.effort += weight * effort;
		this.changes += weight * soon;
	}

	/** What a check must be worth, in seconds, so that the checks of all orders fit. */
	price(free: number): number {
		const left = Math.max(1, free - CHECKS_PER_CHANGE * this.changes);
		return Math.min(MAX_PRICE_S, Math.max(MIN_PRICE_S, (this.effort / left) ** 2 / 2));
	}
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
	{ learnt: { usual }, now }: Situation<Watching>,
): boolean {
	if (way === null || foundAt !== null || notFoundAt !== null) return false;
	return now - usual[way].learntAt > LEARNT_FOR_MS && now - addedAt < WAIT_FOR_SAMPLE_MS;
}

function samplesOf(
	allowed: readonly ScheduledOrder[],
	situation: Situation<Watching>,
): Set<ScheduledOrder> {
	const { now, sampledAt } = situation;
	const samples = new Set<ScheduledOrder>();
	for (const way of ['posted', 'listed'] as const) {
		const isTime = now - sampledAt[way] >= SAMPLE_EVERY_MS;
		allowed
			.filter((order) => order.way === way && (isTime || order.addedAt > sampledAt[way]))
			.filter((order) => waitsForSample(order, situation))
			// One whose checks fail is the least likely to show the age of its way.
			.sort((one, other) => one.failures - other.failures)
			.slice(0, SAMPLES[way])
			.forEach((order) => samples.add(order));
	}
	return samples;
}
