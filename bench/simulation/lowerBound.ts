import type { DurationLaw } from './laws';
import { uniformLaw } from './laws';
import { SERVICE_LIMIT } from './service';

/**
 * No policy whatever can have a smaller mean delay than this. Every window of 60 s that begins
 * at a multiple of five seconds has a price, and a look costs what the windows around it cost together; at any prices, what one order costs at least (a shortest path over the ages at which it is looked at) minus what the
 * budget is worth bounds the mean delay from below (weak duality), and the best prices found give the bound.
 * Looking only at the ages of a grid costs at most its step, which is taken off. Looks may happen at any age here and the whole limit is used: neither interval, latency nor reserve counts.
 */

/** Ages (s) at which looks may happen: fine where orders end, coarse later, every window's begin included. */
interface Grid {
	ages: number[];
	open: number[];
	/** Area under `open` up to each age. */
	area: number[];
}

const WINDOW_S = 60;
const WINDOW_EVERY_S = 5;
const UNTIL_S = 480;
const WINDOWS = UNTIL_S / WINDOW_EVERY_S;
const WINDOWS_AT_ONCE = WINDOW_S / WINDOW_EVERY_S;
/** The prices are sought on a rough grid; the bound is then reckoned on a fine one. Any prices give a valid bound. */
const SEARCH_STEP_S = 0.25;
const FINE_STEP_S = 0.02;
const FINE_UNTIL_S = 20;
const COARSE_STEP_S = 5;
const ROUNDS = 600;
/** First steps of the search for prices (s); which is best depends on how scarce requests are. */
const FIRST_STEPS: readonly number[] = [1, 10, 60];

/** Orders that begin at once, when the whole of the first window is unused. Mean seconds. */
export function burstBound(law: DurationLaw, orders: number): number {
	const rough = makeGrid(law, SEARCH_STEP_S);
	const bound = (grid: Grid, prices: readonly number[]): { value: number; looks: number[] } => {
		const { cost, looksAt } = cheapest(grid, (age) => around(prices, age));
		const looks = prices.map((_, window) => {
			const begin = window * WINDOW_EVERY_S;
			return looksAt.reduce((sum, [age, chance]) => sum + (age >= begin && age < begin + WINDOW_S ? chance : 0), 0);
		});
		const worth = prices.reduce((sum, price) => sum + price, 0) * SERVICE_LIMIT;
		return { value: cost - worth / orders, looks };
	};
	let best = 0;
	let bestPrices = new Array<number>(WINDOWS).fill(0);
	for (const firstStep of FIRST_STEPS) {
		let prices = bestPrices;
		for (let round = 1; round <= ROUNDS; round++) {
			const { value, looks } = bound(rough, prices);
			if (value > best) {
				best = value;
				bestPrices = prices;
			}
			// A subgradient: dearer where more looks than the limit are wanted, cheaper where fewer are.
			const excess = prices.map((_, window) => (looks[window] ?? 0) - SERVICE_LIMIT / orders);
			const size = Math.sqrt(excess.reduce((sum, part) => sum + part * part, 0)) || 1;
			prices = prices.map((price, window) => Math.max(0, price + ((firstStep / round) * (excess[window] ?? 0)) / size));
		}
	}
	return Math.max(0, bound(makeGrid(law, FINE_STEP_S), bestPrices).value - FINE_STEP_S);
}

/** The prices of all windows that hold this age. */
function around(prices: readonly number[], age: number): number {
	const last = Math.floor(age / WINDOW_EVERY_S);
	let sum = 0;
	for (let window = Math.max(0, last - WINDOWS_AT_ONCE + 1); window <= last; window++) sum += prices[window] ?? 0;
	return sum;
}

/** Steady arrivals of so many orders a minute. Mean seconds. */
export function steadyBound(law: DurationLaw, perMinute: number): number {
	const grid = makeGrid(law, FINE_STEP_S);
	let best = 0;
	for (let price = 0.001; price < 60; price *= 1.3) {
		best = Math.max(best, cheapest(grid, () => price).cost - (price * SERVICE_LIMIT) / perMinute);
	}
	return Math.max(0, best - FINE_STEP_S);
}

function makeGrid(law: DurationLaw, fineStep: number): Grid {
	const ages = [0];
	for (let index = 1; index * fineStep <= FINE_UNTIL_S; index++) ages.push(index * fineStep);
	for (let age = FINE_UNTIL_S + COARSE_STEP_S; age < UNTIL_S; age += COARSE_STEP_S) ages.push(age);
	const open = ages.map((age) => law.open(age));
	const area = [0];
	for (let row = 1; row < ages.length; row++) {
		const width = at(ages, row) - at(ages, row - 1);
		area.push(at(area, row - 1) + (width * (at(open, row) + at(open, row - 1))) / 2);
	}
	return { ages, open, area };
}

/** The cheapest looks at one order at these prices: its cost (delay and price, s), and when it is looked at, each with its chance of being needed. */
function cheapest({ ages, open, area }: Grid, priceAt: (age: number) => number): {
	cost: number;
	looksAt: Array<[age: number, chance: number]>;
} {
	const rows = ages.length;
	const prices = ages.map(priceAt);
	const costs = new Float64Array(rows);
	const nexts = new Int32Array(rows).fill(rows);
	for (let row = rows - 2; row >= 0; row--) {
		let least = Number.POSITIVE_INFINITY;
		for (let next = row + 1; next < rows; next++) {
			const delay = at(open, row) * (at(ages, next) - at(ages, row)) - (at(area, next) - at(area, row));
			if (delay > least) break;
			const total = delay + at(open, row) * at(prices, next) + at(costs, next);
			if (total < least) {
				least = total;
				nexts[row] = next;
			}
		}
		// What is open at the end of the grid costs nothing: that keeps the bound below the truth.
		costs[row] = Number.isFinite(least) ? least : 0;
	}
	const looksAt: Array<[age: number, chance: number]> = [];
	for (let row = 0; ; ) {
		const next = at(nexts, row);
		if (next >= rows || at(open, row) === 0) return { cost: at(costs, 0), looksAt };
		looksAt.push([at(ages, next), at(open, row)]);
		row = next;
	}
}

function at(values: ArrayLike<number>, index: number): number {
	return values[index] ?? 0;
}

/** The bounds of the linear programme over all sliding windows, for U(5,15): mean seconds by orders at once and by rate. */
const PUBLISHED_BURST: ReadonlyMap<number, number> = new Map([
	[1, 0.02],
	[10, 0.234],
	[20, 0.495],
	[50, 1.5],
	[100, 5],
	[200, 35],
]);
const PUBLISHED_STEADY: ReadonlyMap<number, number> = new Map([
	[5, 0.115],
	[20, 0.495],
	[40, 1.12],
	[60, 1.94],
	[80, 3.12],
]);

/** The published bound where there is one (it counts every sliding window, so it is the sharper); else our own. */
export function lowerBound(law: DurationLaw, arrivals: 'burst' | number, orders: number): number {
	if (arrivals === 'burst') {
		return (law === uniformLaw ? PUBLISHED_BURST.get(orders) : undefined) ?? burstBound(law, orders);
	}
	return (law === uniformLaw ? PUBLISHED_STEADY.get(arrivals) : undefined) ?? steadyBound(law, arrivals);
}
