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
	/** When orders were last checked to learn how old they are. */
	sampledAt: Readonly<Record<Way, number>>;
	/** When the next order that is not found or failing may be checked. */
	calmUntil: number;
}

export interface DueOrder<W extends Watching> {
	order: ScheduledOrder;
	watcher: W;
	/** Of which way its check is to show the age. */
	samples: Way | null;
}

interface DueOrders<W extends Watching> {
	/** Best first. */
	due: Array<DueOrder<W>>;
	calmStepMs: number;
	/** How long nothing more is likely to be due. */
	restMs: number;
}

/** The expected delay that a check has to save. */
const MAX_PRICE_S = 5;
const MIN_PRICE_S = 0.008;
/** An order that has finished with this probability is due at any price. */
const CERTAIN = 0.93;
/** Older orders weigh less in the load, since they are checked less often. */
const YOUNG_S = 250;
/** The part of the limit for orders that are not found or failing, all together. */
const CALM_PART = 1 / 3;
const MAX_ARREARS_MS = 5_000;
const MIN_CALM_GAP_MS = 2_000;
/** No order waits longer than this while the budget can carry all of them. */
const MAX_GAP_MS = 600_000;
const MAX_FAILURE_GAP_MS = 30_000;
/** How long a learnt age is valid; then a few new orders are checked first, and the others wait for these. */
const LEARNT_FOR_MS = 60_000;
const SAMPLE_EVERY_MS = 5_000;
const SAMPLES: Readonly<Record<Way, number>> = { posted: 1, listed: 5 };
/** Checks in a minute that are within a watcher's share, however many watchers there are. */
const MIN_CHECKS_A_MINUTE = 5;
/** An order that was not due is seen again after this part of what it has waited. */
const REST_PART = 1 / 250;
const MINUTE_MS = 60_000;

interface Candidate<W extends Watching> extends DueOrder<W> {
	isFirst: boolean;
	chance: number;
	waitsSince: number;
}

/** The orders to check now: first watchers within their share, then overdue and wanted orders, then the likeliest to have finished. */
export function dueOrders<W extends Watching>(situation: Situation<W>): DueOrders<W> {
	const { watchers, now, budget, usual, calmUntil } = situation;
	const all = watchers.flatMap((watcher) =>
		[...watcher.orders.values()].map((order) => {
			return { order, watcher, beganAt: probablyBeganAt(order, usual) };
		}),
	);
	const weight = all.reduce(
		(sum, { order, beganAt }) => sum + (isHealthy(order) ? weightAt(now - (beganAt ?? now)) : 0),
		0,
	);
	const price = priceOf(weight, budget);
	const calmStepMs = calmStep(weight, budget);
	const maxGapMs = Math.max(MAX_GAP_MS, (2 * all.length * MINUTE_MS) / budget.perMinute);
	const samples = samplesOf(situation);

	const healthy: Array<Candidate<W>> = [];
	const calm: Array<Candidate<W>> = [];
	let restMs = Number.POSITIVE_INFINITY;
	for (const { order, watcher, beganAt } of all) {
		if (!watcher.isDriven || order.check !== null) continue;
		const waitsSince = order.checkedAt ?? order.addedAt;
		const untilAllowed = notBefore(order) - now;
		restMs = Math.min(restMs, Math.max(untilAllowed, (now - waitsSince) * REST_PART));
		const candidate = {
			order,
			watcher,
			samples: samples.get(order) ?? null,
			isFirst: order.isWanted || now - waitsSince >= maxGapMs,
			chance: 0,
			// Wanted ones that were never checked go first, as they came.
			waitsSince: order.isWanted ? (order.checkedAt ?? 0) : waitsSince,
		};
		if (candidate.isFirst || candidate.samples !== null) healthy.push(candidate);
		else if (untilAllowed > 0) continue;
		else if (!isHealthy(order)) calm.push(candidate);
		else if (beganAt !== null && !waitsForSample(order, situation)) {
			const since = Math.max(0, (order.seenOpenAt ?? beganAt) - beganAt) / 1000;
			const age = (now - beganAt) / 1000;
			const chance = chanceFinished(since, age);
			if (chance >= CERTAIN || expectedDelay(since, age) >= price)
				healthy.push({ ...candidate, chance });
		}
	}
	const share = Math.max(MIN_CHECKS_A_MINUTE, budget.perMinute / watchers.length);
	const best = (one: Candidate<W>, other: Candidate<W>): number =>
		Number(one.watcher.begun >= share) - Number(other.watcher.begun >= share) ||
		Number(other.isFirst) - Number(one.isFirst) ||
		other.chance - one.chance ||
		one.waitsSince - other.waitsSince;
	const arrears = now - afterCalmCheck(calmUntil, now, 0);
	const isCalmDue = arrears >= 0 && Number.isFinite(calmStepMs);
	const calmCount = isCalmDue ? 1 + Math.floor(arrears / calmStepMs) : 0;
	const due = [...healthy, ...calm.sort(best).slice(0, calmCount)].sort(best);
	return { due, calmStepMs, restMs: due.length > 0 ? 0 : restMs };
}

/** When the next calm order may be checked after one, in milliseconds of the clock. */
export function afterCalmCheck(calmUntil: number, now: number, calmStepMs: number): number {
	// An order that is checked for another reason while there is no room holds up none after it.
	const stepMs = Number.isFinite(calmStepMs) ? calmStepMs : 0;
	return Math.max(calmUntil, now - MAX_ARREARS_MS) + stepMs;
}

function weightAt(ageMs: number): number {
	return Math.min(1, Math.sqrt((1000 * YOUNG_S) / Math.max(1, ageMs)));
}

/** In seconds; cubic, since an order can use only few checks. */
function priceOf(weight: number, { freeSoon }: BudgetView): number {
	const load = Math.min(1, weight / Math.max(1, freeSoon));
	return Math.max(MIN_PRICE_S, MAX_PRICE_S * load ** 3);
}

/** In milliseconds; calm orders use a part of what the healthy ones leave. */
function calmStep(weight: number, { freeSoon, perMinute }: BudgetView): number {
	const left = Math.min(4 * (freeSoon - 2 * weight), perMinute * CALM_PART);
	return left <= 0 ? Number.POSITIVE_INFINITY : MINUTE_MS / left;
}

function notBefore({
	checkedAt,
	intervalMs,
	failures,
	isNotShown,
	addedAt,
}: ScheduledOrder): number {
	if (checkedAt === null) return Number.NEGATIVE_INFINITY;
	const afterFailures =
		failures === 0 ? 0 : Math.min(MAX_FAILURE_GAP_MS, 1000 * 2 ** (failures - 1));
	const missingSeconds = Math.max(0, checkedAt - addedAt) / 1000;
	const calmMs = Math.min(MAX_GAP_MS, Math.max(MIN_CALM_GAP_MS, 1000 * Math.sqrt(missingSeconds)));
	return checkedAt + Math.max(intervalMs, afterFailures, isNotShown ? calmMs : 0);
}

function waitsForSample(
	{ way, beganAt, notFoundAt }: ScheduledOrder,
	{ usual, now }: Pick<Situation<Watching>, 'usual' | 'now'>,
): boolean {
	if (beganAt !== null || notFoundAt !== null || way === null) return false;
	return now - usual[way].learntAt > LEARNT_FOR_MS;
}

function samplesOf<W extends Watching>(situation: Situation<W>): Map<ScheduledOrder, Way> {
	const { watchers, now, sampledAt } = situation;
	const samples = new Map<ScheduledOrder, Way>();
	const left = { ...SAMPLES };
	const waiting = watchers
		.flatMap(({ orders, isDriven }) => (isDriven ? [...orders.values()] : []))
		.filter((order) => order.check === null && waitsForSample(order, situation));
	// One whose checks fail is the least likely to show the age of its way.
	for (const order of waiting.sort((a, b) => a.failures - b.failures)) {
		const { way } = order;
		if (way === null || left[way] === 0 || now < notBefore(order)) continue;
		// One that came since has its turn, whoever took the last.
		if (now - sampledAt[way] < SAMPLE_EVERY_MS && order.addedAt <= sampledAt[way]) continue;
		left[way]--;
		samples.set(order, way);
	}
	return samples;
}
