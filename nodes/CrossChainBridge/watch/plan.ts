import type { Experience } from './law';
import { beginsPerSecond, likeliestSlowShare } from './law';
import type { LookTable } from './lookTable';
import { lookTable, PRICES } from './lookTable';
import type { BudgetView } from './requestLedger';
import type { WatchedOrder } from './schedule';
import { expectNewcomers, longestGapMs, nextLookForUnfound, notBefore, OrderCourse } from './schedule';

/** Which orders to look at now, best first, and when to ask again. */
export interface LookPlan {
	due: string[];
	/** Milliseconds of the same clock, after `now`; Infinity when there is nothing to watch. */
	nextAt: number;
}

export interface PlanInput {
	/** All open orders that share the budget. */
	orders: readonly WatchedOrder[];
	now: number;
	budget: BudgetView;
	/** What earlier orders of this service have shown. */
	experience: Experience;
}

/** Looks that the plan foresees must fit what the budget gives within each of these times. */
const HORIZONS_MS: readonly number[] = [2_000, 4_000, 7_000, 10_000, 15_000, 20_000, 30_000, 45_000, 60_000];
/** Prices change with every answer and every freed slot: plan again at least this often. */
const REPLAN_MS = 1_000;
/** But not at once again: a plan takes some 0.02 ms an order, and watching must stay light for the process it lives in. */
const LEAST_PAUSE_MS = 10;
const LEAST_PAUSE_PER_ORDER_MS = 0.1;
/** Open orders older than this are left-overs and say little about those that begin now. */
const RECENT_MS = 600_000;
/** Orders that are yet to come are reckoned with, but less than those that are there. */
const NEWCOMERS_WEIGHT = 0.6;
/** Looks for hashes not found yet are spread evenly: within this time they take no more than its share of a minute. */
const EVEN_SPAN_MS = 5_000;

/**
 * The heart of watching: pure. Every found order has its own best looks at a given price of a request;
 * the price is the least at which all their expected looks fit the budget, now and in the coming minute.
 * What is over then goes to hashes not found yet, evenly. No order starves: see longestGapMs.
 */
export function planLooks({ orders, now, budget, experience }: PlanInput): LookPlan {
	const waiting = orders.filter((order) => !order.looking);
	if (orders.length === 0) return { due: [], nextAt: Number.POSITIVE_INFINITY };
	const slowIndex = slowIndexNow(orders, now, experience);
	const found = orders
		.filter((order) => order.found)
		.map((order) => ({ order, course: new OrderCourse(order, slowIndex) }));
	const interval = Math.min(...orders.map(({ intervalMs }) => intervalMs));
	const { priceIndex, demand } = leastPrice(
		found.map(({ course }) => course),
		{ table: lookTable(interval, slowIndex), perSecond: NEWCOMERS_WEIGHT * beginsPerSecond(experience, now) },
		now,
		budget,
	);

	const longest = longestGapMs(orders.length, budget.perMinute);
	const overdue = waiting
		.filter((order) => now >= waitsSince(order) + longest && now >= notBefore(order))
		.sort((one, other) => waitsSince(one) - waitsSince(other));

	let nextAt = now + REPLAN_MS;
	const ready: Array<{ order: WatchedOrder; chance: number }> = [];
	for (const { order, course } of found) {
		if (order.looking) continue;
		const at = course.nextLook(priceIndex);
		if (at <= now) ready.push({ order, chance: course.chanceEnded(now) });
		else nextAt = Math.min(nextAt, at);
	}
	// Where not all can be served, each request goes where it is most likely to find an end.
	ready.sort((one, other) => other.chance - one.chance || waitsSince(one.order) - waitsSince(other.order));

	const sought: WatchedOrder[] = [];
	for (const order of waiting) {
		if (order.found) continue;
		const at = nextLookForUnfound(order);
		if (at <= now) sought.push(order);
		else nextAt = Math.min(nextAt, at);
	}
	// Never asked here before the others; among them never asked at all, then the one that has waited longest for its turn.
	sought.sort(
		(one, other) =>
			Number(other.lastLookAt === null) - Number(one.lastLookAt === null) ||
			(one.lastLookAt === null ? (one.askedBeforeAt ?? 0) - (other.askedBeforeAt ?? 0) : 0) ||
			nextLookForUnfound(one) - nextLookForUnfound(other),
	);

	// Somebody else queues for slots: one look at a time takes its turn among them.
	const slots = budget.contended ? 1 : budget.free;
	const due = new Set<string>();
	const choose = (candidates: readonly WatchedOrder[], most: number): void => {
		let chosen = 0;
		for (const order of candidates) {
			if (chosen >= most || due.size >= slots) return;
			if (due.has(order.key)) continue;
			due.add(order.key);
			chosen++;
		}
	};
	choose(overdue, slots);
	choose(ready.map(({ order }) => order), slots);
	const spare = Math.min(...HORIZONS_MS.map((ms, index) => budget.freeBy(now + ms) - (demand[index] ?? 0)));
	choose(sought, budget.contended ? slots : soughtNow(sought, orders, spare, { now, budget, demand }));
	if (budget.free === 0 && !budget.contended) nextAt = Math.max(nextAt, Math.min(budget.nextFreeAt, now + REPLAN_MS));
	const soonest = now + Math.min(REPLAN_MS, LEAST_PAUSE_MS + LEAST_PAUSE_PER_ORDER_MS * orders.length);
	return { due: [...due], nextAt: Math.max(nextAt, soonest) };
}

/** The place in SLOW_SHARES that ends and still open orders make likeliest. */
function slowIndexNow(orders: readonly WatchedOrder[], now: number, experience: Experience): number {
	const openAges: number[] = [];
	for (const { found, seenOpenAt, bornAt } of orders) {
		if (!found || seenOpenAt === null || now - bornAt > RECENT_MS) continue;
		openAges.push(Math.max(0, seenOpenAt - bornAt) / 1000);
	}
	return likeliestSlowShare(experience, openAges);
}

/** Since when the order has waited for a look: the last one, be it before it came here, or its begin. */
function waitsSince(order: WatchedOrder): number {
	return order.lastLookAt ?? order.askedBeforeAt ?? order.bornAt;
}

/** The least price at which the looks expected within every horizon fit the budget, and those looks. */
function leastPrice(
	courses: readonly OrderCourse[],
	newcomers: { table: LookTable; perSecond: number },
	now: number,
	budget: BudgetView,
): { priceIndex: number; demand: Float64Array } {
	const supply = HORIZONS_MS.map((ms) => budget.freeBy(now + ms));
	const demandAt = (priceIndex: number): Float64Array => {
		const demand = new Float64Array(HORIZONS_MS.length);
		expectNewcomers(newcomers.table, priceIndex, newcomers.perSecond, HORIZONS_MS, demand);
		for (const course of courses) course.expectLooks(priceIndex, now, HORIZONS_MS, demand);
		return demand;
	};
	const fits = (demand: Float64Array): boolean => supply.every((free, index) => (demand[index] ?? 0) <= free);
	let low = 0;
	let demand = demandAt(low);
	if (fits(demand)) return { priceIndex: low, demand };
	let high = PRICES.length - 1;
	demand = demandAt(high);
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		const tried = demandAt(middle);
		if (fits(tried)) {
			high = middle;
			demand = tried;
		} else low = middle;
	}
	return { priceIndex: high, demand };
}

/**
 * How many hashes not found yet may be asked for now. Hashes never asked yet may take half of what is spare at once
 * (a list was just published); beyond that they share, evenly over time, what the found orders leave of a minute.
 */
function soughtNow(
	sought: readonly WatchedOrder[],
	orders: readonly WatchedOrder[],
	spare: number,
	{ now, budget, demand }: { now: number; budget: BudgetView; demand: Float64Array },
): number {
	if (spare < 1) return 0;
	const leftPerMinute = Math.max(0, budget.perMinute - (demand[demand.length - 1] ?? 0));
	const asked = orders.filter((order) => !order.found && order.lastLookAt !== null);
	const askedWithin = (ms: number): number =>
		asked.filter((order) => now - (order.lastLookAt ?? now) < ms).length;
	const evenly = Math.floor((leftPerMinute * EVEN_SPAN_MS) / 60_000) - askedWithin(EVEN_SPAN_MS);
	const atLeast = leftPerMinute > 0 && askedWithin(60_000 / leftPerMinute) === 0 ? 1 : 0;
	const fresh = sought.filter((order) => order.lastLookAt === null).length;
	const atOnce = Math.min(fresh, Math.floor(spare / 2) - askedWithin(60_000));
	return Math.min(Math.floor(spare), Math.max(evenly, atLeast, atOnce));
}
