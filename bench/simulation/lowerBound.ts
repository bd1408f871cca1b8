import type { DurationModel } from './models';

/**
 * No schedule can have a smaller mean delay than this. What it may do is bounded only by what `BoundInput` states;
 * it knows how long orders take and when they usually begin, but the beginning of one order only once a check found it open.
 *
 * A linear programme by weak duality: every window of 60 s has a price, and a check costs what the windows around it cost
 * together. At any prices, the least that one order can cost (a shortest path over the times at which it is checked) minus
 * what the budget is worth bounds the mean delay from below. The best prices that a subgradient search finds give the bound.
 */
export interface BoundInput {
	model: DurationModel;
	/** When an order begins, in seconds after it is known to the schedule (0 or negative), with the chance of each. */
	beginnings: ReadonlyArray<{ at: number; chance: number }>;
	/** Orders that become known at once; null for a steady stream of `perMinute`. */
	orders: number | null;
	perMinute?: number;
	/** Requests in any 60 s. */
	limit: number;
	/** Checks happen only at multiples of this (s), the first one `phase` of a step after the order is known. */
	stepSeconds: number;
	phase: number;
	/** Least seconds between two checks of the same order. */
	intervalSeconds: number;
}

const WINDOW_S = 60;
const WINDOW_EVERY_S = 5;
/** What is open after that costs nothing, which keeps the bound below the truth. */
const UNTIL_S = 400;
const WINDOWS = UNTIL_S / WINDOW_EVERY_S;
const ROUNDS = 50;
/** First steps of the search (s of price); which is best depends on how scarce requests are. */
const FIRST_STEPS: readonly number[] = [1, 8, 60];

/** Mean seconds from the final status (or from when the order became known, if that was later) until it is seen. */
export function lowerBound(input: BoundInput): number {
	const grid = makeGrid(input);
	return input.orders === null
		? steadyBound(input, grid)
		: burstBound(grid, input.orders, input.limit);
}

interface Grid {
	/** Seconds after the order is known. */
	times: number[];
	/** For each beginning: its chance, the share still open at each time, and the area under it up to there. */
	courses: Array<{ chance: number; open: Float64Array; area: Float64Array }>;
	intervalSteps: number;
}

function makeGrid({ model, beginnings, stepSeconds, phase, intervalSeconds }: BoundInput): Grid {
	const count = Math.floor(UNTIL_S / stepSeconds);
	const times = Array.from({ length: count }, (_, index) => (index + phase) * stepSeconds);
	const courses = beginnings.map(({ at: begin, chance }) => {
		const open = Float64Array.from(times, (time) => model.survival(time - begin));
		let area = 0;
		let from = 0;
		const areas = Float64Array.from(times, (time) => {
			const parts = Math.max(1, Math.ceil((time - from) / 0.05));
			const width = (time - from) / parts;
			for (let part = 0; part < parts; part++)
				area += width * model.survival(from + (part + 0.5) * width - begin);
			from = time;
			return area;
		});
		return { chance, open, area: areas };
	});
	return {
		times,
		courses,
		intervalSteps: Math.max(1, Math.ceil(intervalSeconds / stepSeconds - 1e-9)),
	};
}

function burstBound(grid: Grid, orders: number, limit: number): number {
	const { times } = grid;
	let best = 0;
	let bestPrices = new Float64Array(WINDOWS);
	for (const firstStep of FIRST_STEPS) {
		let prices = bestPrices;
		for (let round = 1; round <= ROUNDS; round++) {
			const { cost, checks } = cheapest(
				grid,
				Float64Array.from(times, (time) => priceAt(prices, time)),
			);
			const value = cost - (prices.reduce((sum, price) => sum + price, 0) * limit) / orders;
			if (value > best) {
				best = value;
				bestPrices = prices;
			}
			// A subgradient: dearer where more checks than the limit are wanted, cheaper where fewer are.
			const excess = prices.map((price, window) => {
				const part = checksIn(times, checks, window * WINDOW_EVERY_S) - limit / orders;
				return price === 0 ? Math.max(0, part) : part;
			});
			if (excess.every((part) => part === 0)) return Math.max(best, value);
			const size = Math.sqrt(excess.reduce((sum, part) => sum + part * part, 0)) || 1;
			prices = prices.map((price, window) =>
				Math.max(0, price + ((firstStep / round) * at(excess, window)) / size),
			);
		}
	}
	return best;
}

/** A steady stream has one price for all time. */
function steadyBound({ limit, perMinute = 1 }: BoundInput, grid: Grid): number {
	let best = 0;
	for (let price = 0.001; price < 60; price *= 1.35) {
		const { cost } = cheapest(grid, new Float64Array(grid.times.length).fill(price));
		best = Math.max(best, cost - (price * limit) / perMinute);
	}
	return best;
}

/** What all windows that contain this time cost together. */
function priceAt(prices: Float64Array, time: number): number {
	const last = Math.floor(time / WINDOW_EVERY_S);
	let sum = 0;
	for (let window = Math.max(0, last - WINDOW_S / WINDOW_EVERY_S + 1); window <= last; window++)
		sum += at(prices, window);
	return sum;
}

function checksIn(times: readonly number[], checks: Float64Array, begin: number): number {
	let sum = 0;
	for (let row = 0; row < times.length; row++)
		if (at(times, row) >= begin && at(times, row) < begin + WINDOW_S) sum += at(checks, row);
	return sum;
}

/** The cheapest checks of one order at these prices: its cost (delay and price, s), and the expected checks at each time. */
function cheapest(
	{ times, courses, intervalSteps }: Grid,
	prices: Float64Array,
): { cost: number; checks: Float64Array } {
	const rows = times.length;
	const first = new Float64Array(rows);
	const nextOf = courses.map(({ chance, open, area }) => {
		const costs = new Float64Array(rows);
		const nexts = new Int32Array(rows).fill(rows);
		for (let row = rows - 1; row >= 0; row--) {
			const openNow = at(open, row);
			let least = openNow > 1e-9 ? Number.POSITIVE_INFINITY : 0;
			for (let next = row + intervalSteps; least > 0 && next < rows; next++) {
				const delay =
					openNow * (at(times, next) - at(times, row)) - (at(area, next) - at(area, row));
				if (delay > least) break;
				const total = delay + openNow * at(prices, next) + at(costs, next);
				if (total < least) {
					least = total;
					nexts[row] = next;
				}
			}
			costs[row] = Number.isFinite(least) ? least : 0;
			first[row] = at(first, row) + chance * (at(times, row) - at(area, row) + at(costs, row));
		}
		return nexts;
	});
	let start = 0;
	for (let row = 0; row < rows; row++)
		if (at(first, row) + at(prices, row) < at(first, start) + at(prices, start)) start = row;
	const checks = new Float64Array(rows);
	checks[start] = 1;
	courses.forEach(({ chance, open }, index) => {
		const nexts = nextOf[index] ?? [];
		for (let row = start; at(nexts, row) < rows; row = at(nexts, row)) {
			const next = at(nexts, row);
			checks[next] = at(checks, next) + chance * at(open, row);
		}
	});
	return { cost: at(first, start) + at(prices, start), checks };
}

function at(values: ArrayLike<number>, index: number): number {
	return values[index] ?? 0;
}
