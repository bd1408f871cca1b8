import type { BudgetView } from '../budget/requestLog';
import { isHealthy, probablyBeganAt, type ScheduledOrder, type UsualAges, type Way } from './order';
import { chanceFinished, expectedDelay } from './survival';

export interface Watching {
	readonly orders: ReadonlyMap<string, ScheduledOrder>;
	/** If not, its orders only count in the load. */
	readonly isDriven: boolean;
	/** Its checks in the last minute. */
	readonly begun: number;
}

export interface Situation<W extends Watching> {
	watchers: readonly W[];
	now: number;
	budget: BudgetView;
	usual: UsualAges;
	/** When samples of each way were last checked. */
	sampledAt: Readonly<Record<Way, number>>;
	/** When the next calm check may be made. */
	calmUntil: number;
}

export interface DueOrder<W extends Watching> {
	order: ScheduledOrder;
	watcher: W;
	/** It is to show how old orders of its way are. */
	isSample: boolean;
	/** It is not found or failing: together these get CALM_PART. */
	isCalm: boolean;
	/** It is overdue or wanted. */
	isFirst: boolean;
	/** That it has finished. */
	chance: number;
}

/** Of a check: the expected delay that it has to save. */
const MAX_PRICE_S = 5;
const MIN_PRICE_S = 0.008;
/** An order that has finished with this probability is due at any price. */
const CERTAIN = 0.93;
/** Older orders are checked less often, and weigh less in the load. */
const YOUNG_MS = 250_000;
/** Of the limit. */
const CALM_PART = 1 / 3;
const MIN_CALM_GAP_MS = 2_000;
/** No order waits longer while the budget can carry all of them. */
const MAX_GAP_MS = 600_000;
const MAX_FAILURE_GAP_MS = 30_000;
/** How long a learnt age is valid; then a few new orders are checked first, and the others wait for these. */
const LEARNT_FOR_MS = 60_000;
const SAMPLE_EVERY_MS = 5_000;
const SAMPLES: Readonly<Record<Way, number>> = { posted: 1, listed: 5 };
/** Checks in a minute that are within a watcher's share, however many watchers there are. */
const MIN_CHECKS_A_MINUTE = 5;
/** An order that was not due is considered again after this part of what it has waited. */
const REST_PART = 1 / 250;
const MINUTE_MS = 60_000;

/** The orders to check now, best first: of watchers within their share, overdue or wanted, the likeliest to have finished. */
export function dueOrders<W extends Watching>(
	situation: Situation<W>,
): {
	due: Array<DueOrder<W>>;
	calmStepMs: number;
	/** How long nothing more is likely to be due. */
	restMs: number;
} {
	const { watchers, now, budget, usual, calmUntil } = situation;
	const { freeSoon, perMinute } = budget;
	const all = watchers.flatMap((watcher) =>
		[...watcher.orders.values()].map((order) => {
			return { order, watcher, beganAt: probablyBeganAt(order, usual) };
		}),
	);
	let weight = 0;
	for (const { order, beganAt } of all)
		if (isHealthy(order))
			weight += Math.min(1, Math.sqrt(YOUNG_MS / Math.max(1, now - (beganAt ?? now))));
	const load = Math.min(1, weight / Math.max(1, freeSoon));
	// Cubic, since an order can use only few checks.
	const price = Math.max(MIN_PRICE_S, MAX_PRICE_S * load ** 3);
	const maxGapMs = Math.max(MAX_GAP_MS, (2 * all.length * MINUTE_MS) / perMinute);
	const free = all.filter(({ order, watcher }) => watcher.isDriven && order.check === null);
	const samples = samplesOf(
		free.map(({ order }) => order),
		situation,
	);

	const due: Array<DueOrder<W>> = [];
	const calm: Array<DueOrder<W>> = [];
	let restMs = Infinity;
	for (const { order, watcher, beganAt } of free) {
		const waitedMs = now - (order.checkedAt ?? order.addedAt);
		const untilAllowedMs = notBefore(order) - now;
		restMs = Math.min(restMs, Math.max(untilAllowedMs, waitedMs * REST_PART));
		const isSample = samples.has(order);
		const isFirst = order.isWanted || waitedMs >= maxGapMs;
		const candidate = { order, watcher, isSample, isCalm: false, isFirst, chance: 0 };
		if (isFirst || isSample) due.push(candidate);
		else if (untilAllowedMs > 0) continue;
		else if (!isHealthy(order)) calm.push({ ...candidate, isCalm: true });
		else if (beganAt !== null && !waitsForSample(order, situation)) {
			const since = Math.max(0, (order.seenOpenAt ?? beganAt) - beganAt) / 1000;
			const age = (now - beganAt) / 1000;
			const chance = chanceFinished(since, age);
			if (chance >= CERTAIN || expectedDelay(since, age) >= price)
				due.push({ ...candidate, chance });
		}
	}
	const share = Math.max(MIN_CHECKS_A_MINUTE, perMinute / watchers.length);
	const best = (one: DueOrder<W>, other: DueOrder<W>): number =>
		Number(one.watcher.begun >= share) - Number(other.watcher.begun >= share) ||
		Number(other.isFirst) - Number(one.isFirst) ||
		other.chance - one.chance ||
		(one.order.checkedAt ?? 0) - (other.order.checkedAt ?? 0);
	// Calm orders use a part of what the healthy ones leave.
	const left = Math.min(4 * (freeSoon - 2 * weight), perMinute * CALM_PART);
	const calmStepMs = MINUTE_MS / left;
	const hasRoom = left > 0 && now >= calmUntil;
	const calmCount = hasRoom ? 1 + Math.floor((now - calmUntil) / calmStepMs) : 0;
	due.push(...calm.sort(best).slice(0, calmCount));
	return { due: due.sort(best), calmStepMs, restMs: due.length > 0 ? 0 : restMs };
}

function notBefore({
	checkedAt,
	intervalMs,
	failures,
	isNotShown,
	addedAt,
}: ScheduledOrder): number {
	if (checkedAt === null) return -Infinity;
	const afterFailures =
		failures === 0 ? 0 : Math.min(MAX_FAILURE_GAP_MS, 1000 * 2 ** (failures - 1));
	const missingSeconds = Math.max(0, checkedAt - addedAt) / 1000;
	const calmMs = Math.min(MAX_GAP_MS, Math.max(MIN_CALM_GAP_MS, 1000 * Math.sqrt(missingSeconds)));
	return checkedAt + Math.max(intervalMs, afterFailures, isNotShown ? calmMs : 0);
}

function waitsForSample(
	{ way, beganAt, notFoundAt }: ScheduledOrder,
	{ usual, now }: Situation<Watching>,
): boolean {
	if (beganAt !== null || notFoundAt !== null || way === null) return false;
	return now - usual[way].learntAt > LEARNT_FOR_MS;
}

function samplesOf(
	free: readonly ScheduledOrder[],
	situation: Situation<Watching>,
): Set<ScheduledOrder> {
	const { now, sampledAt } = situation;
	const samples = new Set<ScheduledOrder>();
	for (const way of ['posted', 'listed'] as const) {
		const isTime = now - sampledAt[way] >= SAMPLE_EVERY_MS;
		free
			.filter((order) => order.way === way && waitsForSample(order, situation))
			// One that came since has its turn, whoever took the last.
			.filter((order) => now >= notBefore(order) && (isTime || order.addedAt > sampledAt[way]))
			// One whose checks fail is the least likely to show the age of its way.
			.sort((one, other) => one.failures - other.failures)
			.slice(0, SAMPLES[way])
			.forEach((order) => samples.add(order));
	}
	return samples;
}
