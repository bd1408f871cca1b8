import {
	areListedFinished,
	asBegun,
	LISTED_SAMPLE,
	type ListedOrders,
	shareFinished,
} from './listed';
import type { PostAges } from './postAges';
import { postedSurvival } from './postAges';
import type { FinishedOrders } from './survivalModel';
import { likeliestSlowShare } from './survivalModel';
import { PRICES, survivalTable } from './survivalTable';
import type { BudgetView } from '../budget/slidingWindowLog';
import type { WatchedOrder } from './schedule';
import {
	FAILING,
	isPersistentlyLimited,
	longestGapMs,
	nextCheckForUnfound,
	notBefore,
	OrderSchedule,
	waitsSince,
} from './schedule';

/** What earlier orders of this service have shown. */
export interface Experience {
	finished: FinishedOrders;
	posts: PostAges;
	listed: ListedOrders;
}

export const NO_EXPERIENCE: Experience = {
	finished: { count: 0, slow: 0 },
	posts: [],
	listed: { count: 0, finished: 0 },
};

/** Which orders to check now, best first, and when to ask again. */
export interface CheckPlan {
	due: string[];
	/** Milliseconds of the same clock, after `now`; Infinity when there is nothing to watch. */
	nextAt: number;
	/** Until then (ms) it may serve other watchers as well, unless something has changed. */
	freshUntil: number;
}

export interface PlanInput {
	/** All open orders that share the budget. */
	orders: readonly WatchedOrder[];
	now: number;
	budget: BudgetView;
	experience: Experience;
	/** When the last check that brought no 429 was sent; -Infinity if there was none. */
	notLimitedAt: number;
}

/** Checks that the plan foresees must fit what the budget gives within each of these times. */
const HORIZONS_MS: readonly number[] = [
	2_000, 4_000, 7_000, 10_000, 15_000, 20_000, 30_000, 45_000, 60_000,
];
/** What is left over within this time is spread evenly over it: less of it would come in waves, more would not make up for a pause. */
const PACE_MS = 45_000;
/** Prices change with every answer and every freed slot: plan again at least this often. */
const REPLAN_MS = 1_000;
/** But not at once again: watching must stay light for the process it lives in. */
const LEAST_PAUSE_MS = 10;
const LEAST_PAUSE_PER_ORDER_MS = 0.1;
/** A plan for up to so many orders costs little, so each watcher makes its own. With 1,000 waiting executions, that would take most of a core. */
const CHEAP_ORDERS = 100;
/** Open orders older than this are left-overs and say little about those that begin now. */
const RECENT_MS = 600_000;
/** Checks for hashes not found yet are spread evenly: within this time they take no more than its share of a minute. */
const EVEN_SPAN_MS = 5_000;
/** Before the first post was judged, one posted order in so long is checked at once. */
const PROBE_EVERY_MS = 5_000;

/**
 * The heart of watching: pure. Every order whose beginning is known or guessed has its own best checks at a given price of
 * a request; the price is the least at which all their expected checks fit the budget, now and in the coming minute. What
 * is over then goes to hashes not found yet, evenly. No order starves: see longestGapMs.
 */
export function planChecks({
	orders: watched,
	now,
	budget,
	experience,
	notLimitedAt,
}: PlanInput): CheckPlan {
	const isOld = areListedFinished(experience.listed);
	const orders = isOld ? watched.map(asBegun) : watched;
	if (orders.length === 0) return { due: [], nextAt: Number.POSITIVE_INFINITY, freshUntil: now };
	const table = survivalTable(slowIndexOf(orders, now, experience));
	const posted = postedSurvival(experience.posts, table);
	const scheduled = orders
		.filter((order) => !isSought(order))
		.map((order) => new OrderSchedule(order, table, posted));
	const { priceIndex, demand } = leastPrice(scheduled, now, budget);

	const waiting = orders.filter(({ checking }) => !checking);
	const longest = longestGapMs(orders.length, budget.perMinute);
	const overdue = waiting
		.filter((order) => now >= waitsSince(order) + longest && now >= notBefore(order))
		.sort((one, other) => waitsSince(one) - waitsSince(other));

	let nextAt = now + REPLAN_MS;
	const ready: Array<{ order: WatchedOrder; chance: number }> = [];
	for (const schedule of scheduled) {
		if (schedule.order.checking) continue;
		const at = schedule.nextCheck(priceIndex);
		if (at <= now) ready.push({ order: schedule.order, chance: schedule.chanceFinished(now) });
		else nextAt = Math.min(nextAt, at);
	}
	// Where much of a list turns out to be finished, what was never checked is likely to be.
	if (isOld)
		for (const order of waiting)
			if (isSought(order) && !hadFirstCheck(order))
				ready.push({ order, chance: shareFinished(experience.listed) });
	// Where not all can be served, each request goes where it is most likely to find a finished order.
	ready.sort(
		(one, other) => other.chance - one.chance || waitsSince(one.order) - waitsSince(other.order),
	);

	const sought: WatchedOrder[] = [];
	for (const order of waiting) {
		if (!isSought(order)) continue;
		const at = nextCheckOfSought(order);
		if (at <= now) sought.push(order);
		else nextAt = Math.min(nextAt, at);
	}
	// Without a first check before the others; then the one that has waited longest for its turn.
	sought.sort(
		(one, other) =>
			Number(hadFirstCheck(one)) - Number(hadFirstCheck(other)) ||
			nextCheckOfSought(one) - nextCheckOfSought(other),
	);

	// Somebody else queues for slots: one check at a time takes its turn among them.
	const slots = budget.contended ? 1 : budget.free;
	const due = new Set<string>();
	const choose = (candidates: readonly WatchedOrder[], most: number): void => {
		const before = due.size;
		for (const { key } of candidates) if (due.size < Math.min(slots, before + most)) due.add(key);
	};
	// The service may limit some orders only: while nothing but 429s comes, each order has its turn before one has its second.
	const known = ready.map(({ order }) => order);
	const hadItsTurn = ({ limitedAt }: WatchedOrder) =>
		limitedAt !== null && limitedAt >= notLimitedAt;
	const turnToCome = (candidates: readonly WatchedOrder[]) =>
		candidates.filter((order) => !hadItsTurn(order));
	const again = [...new Set([...overdue, ...known, ...sought])]
		.filter(hadItsTurn)
		.sort((one, other) => (one.limitedAt ?? 0) - (other.limitedAt ?? 0));
	choose(turnToCome(overdue), slots);
	choose(turnToCome(probes(orders, now, experience)), 1);
	choose(turnToCome(known), slots);
	const spare = Math.min(
		...HORIZONS_MS.map((ms, index) => budget.freeBy(now + ms) - (demand[index] ?? 0)),
	);
	const mostSought = budget.contended
		? slots
		: soughtNow(sought, orders, spare, { now, budget, demand });
	choose(turnToCome(sought), Math.max(mostSought, again.length));
	choose(again, slots);
	if (budget.free === 0 && !budget.contended)
		nextAt = Math.max(nextAt, Math.min(budget.nextFreeAt, now + REPLAN_MS));
	const soonest =
		now + Math.min(REPLAN_MS, LEAST_PAUSE_MS + LEAST_PAUSE_PER_ORDER_MS * orders.length);
	const freshMs = Math.max(0, LEAST_PAUSE_PER_ORDER_MS * (orders.length - CHEAP_ORDERS));
	// Whole milliseconds, as clocks have them.
	return {
		due: [...due],
		nextAt: Math.ceil(Math.max(nextAt, soonest)),
		freshUntil: Math.min(soonest, now + freshMs),
	};
}

/**
 * Whether it takes its turn in what the others leave: a hash that is not found yet, and an order whose checks keep failing or
 * getting 429s, which would else take the turns of healthy ones, the more the longer it is not seen.
 */
function isSought(order: WatchedOrder): boolean {
	return order.beginning === 'unknown' || order.failures >= FAILING || isPersistentlyLimited(order);
}

/** Whether its first check was answered or failed; 429s that are for this order count as well. */
function hadFirstCheck(order: WatchedOrder): boolean {
	return order.lastCheckAt !== null || isPersistentlyLimited(order);
}

function nextCheckOfSought(order: WatchedOrder): number {
	return order.beginning === 'unknown' ? nextCheckForUnfound(order) : notBefore(order);
}

/** The place in SLOW_SHARES that finished and still open orders make likeliest. */
function slowIndexOf(
	orders: readonly WatchedOrder[],
	now: number,
	{ finished }: Experience,
): number {
	const openAges: number[] = [];
	for (const { beginning, seenOpenAt, startedAt } of orders) {
		if (beginning !== 'known' || seenOpenAt === null || now - startedAt > RECENT_MS) continue;
		openAges.push(Math.max(0, seenOpenAt - startedAt) / 1000);
	}
	return likeliestSlowShare(finished, openAges);
}

/**
 * As long as no post was judged, one posted order is checked at once, to learn whether posts come late: fifty orders that
 * had all finished before they were posted then wait for one answer, not for as long as orders usually take.
 */
function probes(
	orders: readonly WatchedOrder[],
	now: number,
	{ posts }: Experience,
): WatchedOrder[] {
	const unchecked =
		posts.length > 0
			? []
			: orders.filter((order) => order.beginning === 'posted' && !isSought(order));
	if (
		unchecked.some(
			({ checking, lastCheckAt }) =>
				checking || (lastCheckAt !== null && now - lastCheckAt < PROBE_EVERY_MS),
		)
	)
		return [];
	return unchecked.filter((order) => notBefore(order) <= now);
}

/** The least price at which the checks expected within every horizon fit the budget, and those checks. */
function leastPrice(
	schedules: readonly OrderSchedule[],
	now: number,
	budget: BudgetView,
): { priceIndex: number; demand: Float64Array } {
	const supply = HORIZONS_MS.map((ms) => budget.freeBy(now + ms));
	const fits = (demand: Float64Array): boolean =>
		supply.every((free, index) => (demand[index] ?? 0) <= free);
	/** Stops counting as soon as they do not fit: how many more there would be does not matter. */
	const demandAt = (priceIndex: number): { demand: Float64Array; isFitting: boolean } => {
		const demand = new Float64Array(HORIZONS_MS.length);
		for (const [index, schedule] of schedules.entries()) {
			schedule.expectChecks(priceIndex, now, HORIZONS_MS, demand);
			if (index % 16 === 0 && !fits(demand)) return { demand, isFitting: false };
		}
		return { demand, isFitting: fits(demand) };
	};
	let low = 0;
	let best = demandAt(low);
	if (best.isFitting) return { priceIndex: low, demand: best.demand };
	let high = PRICES.length - 1;
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		const tried = demandAt(middle);
		if (tried.isFitting) {
			high = middle;
			best = tried;
		} else low = middle;
	}
	return { priceIndex: high, demand: best.isFitting ? best.demand : demandAt(high).demand };
}

/**
 * How many hashes not found yet may be asked for now: evenly over time, what the others leave, so that they are not all
 * asked for in the same moment of each round. Only a sample of those never asked for is checked at once.
 */
function soughtNow(
	sought: readonly WatchedOrder[],
	orders: readonly WatchedOrder[],
	spare: number,
	{ now, budget, demand }: { now: number; budget: BudgetView; demand: Float64Array },
): number {
	if (spare < 1) return 0;
	// More than none: PACE_MS is one of the horizons that `spare` is of.
	const leftPerMinute =
		((budget.freeBy(now + PACE_MS) - (demand[HORIZONS_MS.indexOf(PACE_MS)] ?? 0)) * 60_000) /
		PACE_MS;
	const asked = orders.filter((order) => isSought(order) && hadFirstCheck(order));
	const askedWithin = (ms: number): number =>
		asked.filter((order) => now - waitsSince(order) < ms).length;
	const evenly = Math.floor((leftPerMinute * EVEN_SPAN_MS) / 60_000) - askedWithin(EVEN_SPAN_MS);
	const atLeast = askedWithin(60_000 / leftPerMinute) === 0 ? 1 : 0;
	const isFresh = sought.some((order) => !hadFirstCheck(order));
	const atOnce = isFresh ? LISTED_SAMPLE - askedWithin(EVEN_SPAN_MS) : 0;
	return Math.min(Math.floor(spare), Math.max(evenly, atLeast, atOnce));
}
