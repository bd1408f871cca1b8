import type { BudgetView } from '../budget/requestLog';
import { isHealthy, probablyBeganAt, type ScheduledOrder, type UsualAges, type Way } from './order';
import { chanceFinished, expectedDelay } from './survival';

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
	usual: UsualAges;
	/** When samples of each way were last checked; -Infinity if one failed. */
	sampledAt: Readonly<Record<Way, number>>;
	/** When the next calm check may be made. */
	calmUntil: number;
}

export interface DueOrder<W extends Watching> {
	order: ScheduledOrder;
	watcher: W;
	/** The way of which it is to show the usual age, if any. */
	sampleOf: Way | null;
	/** It is overdue or wanted. */
	isFirst: boolean;
	/** The probability that it has finished. */
	chance: number;
	/** Added to the calm clock; 0 if exempt. */
	calmMs: number;
}

/** The expected delay that a check must save. */
const MAX_PRICE_S = 5;
const MIN_PRICE_S = 0.008;
/** An order that has finished with this probability is due at any price. */
const CERTAIN = 0.93;
/** Older orders weigh less in the load. */
const YOUNG_S = 90;
const SOON_S = 15;
/** Of the limit, for orders that are not found or failing. */
const CALM_PART = 1 / 3;
/** Younger orders that are not found may use all that is left. */
const EXPECTED_MS = 300_000;
/** The least part for young orders that are not found. */
const NOT_FOUND_PART = 1 / 10;
/** The most that a watcher's young orders not found add to the load. */
const MAX_EXPECTED_LOAD = 0.5;
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

/** The orders to check now, best first: of watchers within their share, overdue or wanted, the likeliest to have finished. */
export function dueOrders<W extends Watching>(
	situation: Situation<W>,
): {
	due: Array<DueOrder<W>>;
	/** How long nothing more is likely to be due. */
	restMs: number;
} {
	const { watchers, now, budget, usual, calmUntil } = situation;
	const { freeSoon, perMinute } = budget;
	const share = Math.max(MIN_CHECKS_A_MINUTE, perMinute / watchers.length);
	const isOver = ({ begun }: W): boolean => begun >= share;
	const all = watchers.flatMap((watcher) =>
		[...watcher.orders.values()].map((order) => {
			const beganAt = probablyBeganAt(order, usual);
			const since = Math.max(0, (order.seenOpenAt ?? beganAt) - beganAt) / 1000;
			const isOnCurve = isHealthy(order) && !beginsLater(order, situation);
			return { order, watcher, since, age: (now - beganAt) / 1000, isOnCurve };
		}),
	);
	let weight = 0;
	let neededSoon = 0;
	const expected = new Map<W, number>();
	for (const { order, watcher, since, age, isOnCurve } of all) {
		if (!isOnCurve) {
			expected.set(watcher, (expected.get(watcher) ?? 0) + Number(isExpected(order, now)));
			continue;
		}
		weight += YOUNG_S / Math.max(YOUNG_S, age);
		if (!isOver(watcher)) neededSoon += 2 * chanceFinished(since, age + SOON_S);
	}
	const priceFor = (watcher: W): number => {
		const room = Math.max(1, freeSoon);
		const added = Math.min(MAX_EXPECTED_LOAD, (expected.get(watcher) ?? 0) / room);
		// Cubic, because an order can use only few checks.
		return Math.max(MIN_PRICE_S, MAX_PRICE_S * Math.min(1, weight / room + added) ** 3);
	};
	const maxGapMs = Math.max(MAX_GAP_MS, (2 * all.length * MINUTE_MS) / perMinute);
	// In a minute.
	const leftByHealthy = 4 * (freeSoon - 2 * weight);
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
	const calm: Array<DueOrder<W> & { gaps: number }> = [];
	let restMs = Infinity;
	for (const { order, watcher, since, age, isOnCurve, waitedMs, gapMs } of free) {
		restMs = Math.min(restMs, Math.max(gapMs - waitedMs, waitedMs * REST_PART));
		const sampleOf = samples.has(order) ? order.way : null;
		const isFirst = order.isWanted || waitedMs >= Math.max(maxGapMs, order.intervalMs);
		const candidate = { order, watcher, sampleOf, isFirst, chance: 0, calmMs: 0 };
		if (isFirst || sampleOf !== null) due.push(candidate);
		else if (waitedMs < gapMs || waitsForSample(order, situation)) continue;
		else if (!isOnCurve) {
			const isNew = isExpected(order, now);
			// Healthy orders never hold up one that may have begun.
			const leastPart = isHealthy(order) ? CALM_PART : isNew ? NOT_FOUND_PART : 0;
			const rate = Math.max(perMinute * leastPart, leftByHealthy);
			const calmMs = MINUTE_MS / Math.min(rate, perMinute * (isNew ? 1 : CALM_PART));
			if (rate >= 1) calm.push({ ...candidate, calmMs, gaps: waitedMs / gapMs });
		} else {
			const chance = chanceFinished(since, age);
			if (chance >= CERTAIN || expectedDelay(since, age) >= priceFor(watcher))
				due.push({ ...candidate, chance });
		}
	}
	calm.sort(
		(one, other) =>
			Number(isOver(one.watcher)) - Number(isOver(other.watcher)) || other.gaps - one.gaps,
	);
	let nextCalmAt = calmUntil;
	for (const next of calm) {
		if (nextCalmAt > now) break;
		nextCalmAt += next.calmMs;
		due.push(next);
	}
	due.sort(
		(one, other) =>
			Number(other.isFirst) - Number(one.isFirst) ||
			other.chance - one.chance ||
			(one.order.checkedAt ?? 0) - (other.order.checkedAt ?? 0),
	);
	const counts = new Map<W, number>();
	const within: Array<DueOrder<W>> = [];
	const beyond: Array<DueOrder<W>> = [];
	// What those within their share need soon is kept for them.
	let left = freeSoon - neededSoon;
	for (const next of due) {
		const count = counts.get(next.watcher) ?? next.watcher.begun;
		counts.set(next.watcher, count + 1);
		if (count < share) within.push(next);
		else if (left-- > 0 || next.isFirst) beyond.push(next);
	}
	const first = [...within, ...beyond];
	return { due: first, restMs: first.length > 0 ? 0 : restMs };
}

/** Between its last check and the next. */
function minGapMs({
	checkedAt,
	intervalMs,
	failures,
	isNotShown,
	addedAt,
}: ScheduledOrder): number {
	if (checkedAt === null) return 0;
	const afterFailures =
		failures === 0 ? 0 : Math.min(MAX_FAILURE_GAP_MS, 1000 * 2 ** (failures - 1));
	const missingSeconds = isNotShown ? Math.max(0, checkedAt - addedAt) / 1000 : 0;
	return Math.max(intervalMs, afterFailures, 1000 * Math.sqrt(missingSeconds));
}

/** Whether other listed orders have shown that it may begin later. */
function beginsLater(
	{ way, foundAt }: ScheduledOrder,
	{ usual: { listed }, now }: Situation<Watching>,
): boolean {
	const isLearnt = now - listed.learntAt <= LEARNT_FOR_MS && listed.ageMs === null;
	return way === 'listed' && foundAt === null && isLearnt;
}

function isExpected({ failures, addedAt }: ScheduledOrder, now: number): boolean {
	return failures === 0 && now - addedAt < EXPECTED_MS;
}

/** Whether its next check shows if it has begun. */
function isUnsure({ way, foundAt, notFoundAt, isNotShown }: ScheduledOrder): boolean {
	return way === 'listed' && foundAt === null && notFoundAt !== null && !isNotShown;
}

function waitsForSample(
	{ way, addedAt, foundAt, isNotShown }: ScheduledOrder,
	{ usual, now }: Situation<Watching>,
): boolean {
	if (way === null || foundAt !== null || isNotShown) return false;
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
			.filter((order) => waitsForSample(order, situation) || isUnsure(order))
			// One whose checks fail is the least likely to show the age of its way.
			.sort((one, other) => one.failures - other.failures)
			.slice(0, SAMPLES[way])
			.forEach((order) => samples.add(order));
	}
	return samples;
}
