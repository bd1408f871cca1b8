import type { BudgetView } from '../budget/requestLog';
import { chanceBetween, effortBetween, expectedDelay } from './curve';
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

/** The part of the greatest possible price that leaves some requests for what nobody expects. */
const PRICE_PART = 0.35;
const MIN_PRICE_S = 0.008;
const MAX_PRICE_S = 60;
/** The checks that orders need are counted from a little before now, as some are late, to when requests become free again. */
const PAST_S = 10;
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
const KEPT_PART = 0.1;

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
	const ofAll = new Demand();
	const ofWithin = new Demand();
	const all = watchers.flatMap((watcher) =>
		[...watcher.orders.values()].map((order) => {
			const weight = WORTH_AFTER_FAILURE ** Math.min(COUNTED_FAILURES, order.failures);
			const life = lifeOf(order, learnt, now);
			ofAll.add(life, weight);
			if (!isOver(watcher)) ofWithin.add(life, weight);
			return { order, watcher, weight, life };
		}),
	);
	const [price, priceWithin] = [ofAll.price(freeSoon), ofWithin.price(freeSoon)];
	const maxGapMs = Math.max(MAX_GAP_MS, (2 * all.length * MINUTE_MS) / perMinute);
	const free = all
		.filter(({ order, watcher }) => watcher.isDriven && order.check === null)
		.map((each) => ({
			...each,
			waitedMs: now - (each.order.checkedAt ?? each.order.addedAt),
			gapMs: minGapMs(each.order),
		}));
	const samples = samplesOf(
		free.filter(({ waitedMs, gapMs }) => waitedMs >= gapMs).map(({ order }) => order),
		situation,
	);

	const due: Array<DueOrder<W>> = [];
	let restMs = Infinity;
	for (const { order, watcher, weight, life, waitedMs, gapMs } of free) {
		restMs = Math.min(restMs, Math.max(gapMs - waitedMs, waitedMs * REST_PART));
		const sampleOf = samples.has(order) ? order.way : null;
		const isFirst = order.isWanted || waitedMs >= Math.max(maxGapMs, order.intervalMs);
		const { curve, since, age } = life;
		const chance = chanceBetween(curve, since, age);
		const worth =
			(weight * expectedDelay(curve, since, age)) / Math.max(1 - chance, Number.EPSILON);
		const candidate = { order, watcher, sampleOf, isFirst, worth };
		if (isFirst || sampleOf !== null) due.push(candidate);
		else if (waitedMs < gapMs || waitsForSample(order, situation)) continue;
		else if (
			chance < UNLIKELY &&
			watcher.begun >= MIN_CHECKS_A_MINUTE &&
			freeSoon < KEPT_PART * perMinute
		)
			continue;
		else if (worth >= (isOver(watcher) ? price : priceWithin)) due.push(candidate);
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
	// What those within their share need soon is kept for them.
	let left = freeSoon - ofWithin.neededSoon;
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

	private changes = 0;

	add({ curve, since, age }: ReturnType<typeof lifeOf>, weight: number): void {
		const soon = age + SOON_S;
		this.effort += weight * effortBetween(curve, since, [age - PAST_S, soon]);
		this.changes += weight * chanceBetween(curve, since, soon);
	}

	/** The checks that find what changes soon, and one before each. */
	get neededSoon(): number {
		return 2 * this.changes;
	}

	/** What a check must be worth, in seconds, so that the checks of all orders fit. */
	price(freeSoon: number): number {
		const left = Math.max(1, freeSoon - this.changes / 2);
		return Math.min(MAX_PRICE_S, Math.max(MIN_PRICE_S, PRICE_PART * (this.effort / left) ** 2));
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
