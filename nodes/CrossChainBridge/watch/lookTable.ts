import { shareOpen, SLOW_SHARES } from './law';

/**
 * For one order alone the best next look is known: given that a look costs `price` (seconds of delay that
 * one request is worth) and that looks are at least `interval` apart, dynamic programming over the age
 * at the last look gives the gap to the next one that makes  E[delay] + price x E[looks]  least.
 * The orders meet only in the price: plan.ts raises it until all their looks fit the budget.
 *
 * Ages and gaps are in seconds. Steps are fine where orders typically end, and 3 % of the age later on.
 */

/** Prices, ascending. The least keeps even a lone old order from being looked at for nothing (gap about half the
 * square root of its age); the greatest makes every order wait until it has very probably ended. */
export const PRICES: readonly number[] = Array.from({ length: 38 }, (_, index) => 0.015 * 1.25 ** index);

const FINE_STEP_S = 0.25;
const FINE_UNTIL_S = 30;
const COARSE_FACTOR = 1.03;
const OLDEST_S = 86_400;
const FINE_ROWS = FINE_UNTIL_S / FINE_STEP_S;

const AGES: readonly number[] = (() => {
	const ages = Array.from({ length: FINE_ROWS + 1 }, (_, index) => index * FINE_STEP_S);
	for (let age = FINE_UNTIL_S * COARSE_FACTOR; age < OLDEST_S; age *= COARSE_FACTOR) ages.push(age);
	return ages;
})();

export interface LookTable {
	/** Seconds from a look at age `age` that found the order open to the next look. */
	gap(priceIndex: number, age: number): number;
	/** Age of the first look at an order known to begin at age 0. */
	firstLook(priceIndex: number): number;
	/** Share of orders still open at `age` among those open at `since`. */
	stillOpen(since: number, age: number): number;
}

/** Share open at each of AGES, and the area under it up to there. */
interface Law {
	open: Float64Array;
	area: Float64Array;
}

const tables = new Map<string, LookTable>();
/** Intervals are few in practice; should somebody compute them, the memory stays bounded. */
const MOST_TABLES = 40;

/** The table for looks at least `intervalMs` apart when SLOW_SHARES[slowIndex] of all orders are slow. Made at first use (some 20 ms), then kept. */
export function lookTable(intervalMs: number, slowIndex: number): LookTable {
	const name = `${intervalMs}:${slowIndex}`;
	const known = tables.get(name);
	if (known !== undefined) return known;
	if (tables.size >= MOST_TABLES) tables.clear();
	const table = makeTable(intervalMs / 1000, SLOW_SHARES[slowIndex] ?? 0);
	tables.set(name, table);
	return table;
}

function makeTable(interval: number, slowShare: number): LookTable {
	const open = Float64Array.from(AGES, (age) => shareOpen(age, slowShare));
	const area = new Float64Array(AGES.length);
	for (let row = 1; row < AGES.length; row++) {
		const width = at(AGES, row) - at(AGES, row - 1);
		area[row] = at(area, row - 1) + (width * (at(open, row) + at(open, row - 1))) / 2;
	}
	const rows = PRICES.map((price) => bestGaps({ open, area }, price, interval));
	return {
		gap: (priceIndex, age) => {
			const gap = read(rows[priceIndex]?.gaps ?? [], age);
			// Beyond the table a power law goes on: the gap grows with the square root of the age.
			return Math.max(interval, age > OLDEST_S ? gap * Math.sqrt(age / OLDEST_S) : gap);
		},
		firstLook: (priceIndex) => rows[priceIndex]?.firstLook ?? 0,
		stillOpen: (since, age) => (age <= since ? 1 : read(open, age) / read(open, since)),
	};
}

/**
 * The gap to the best next look for each of AGES, at least `interval`, and the best first look, which need not wait for
 * it. Later on the law is smooth, and the best gap is known in closed form (Keller 1974): sqrt(2 price / chance per second).
 */
function bestGaps({ open, area }: Law, price: number, interval: number): { gaps: Float64Array; firstLook: number } {
	const rows = AGES.length;
	const gaps = new Float64Array(rows);
	const cost = new Float64Array(rows);
	for (let row = rows - 1; row > FINE_ROWS; row--) {
		const step = at(AGES, row) - at(AGES, row - 1);
		const ended = at(open, row - 1) - at(open, row);
		const gap = Math.max(interval, Math.sqrt((2 * price * step * at(open, row)) / ended));
		gaps[row] = gap;
		// In this step: looks at those still open, and half a gap of delay for those that end.
		cost[row - 1] = at(cost, row) + (step * at(open, row) * price) / gap + (ended * gap) / 2;
	}
	const bestFrom = (row: number, floor: number): { least: number; gap: number } => {
		let least = Number.POSITIVE_INFINITY;
		let gap = floor;
		for (let next = row + 1; next < rows; next++) {
			const wait = at(AGES, next) - at(AGES, row);
			if (wait < floor) continue;
			const lateness = at(open, row) * wait - (at(area, next) - at(area, row));
			// Lateness only grows with the wait: nothing further away can be better.
			if (lateness > least) break;
			const total = lateness + at(open, row) * price + at(cost, next);
			if (total < least) {
				least = total;
				gap = wait;
			}
		}
		return { least, gap };
	};
	for (let row = FINE_ROWS; row >= 0; row--) {
		const best = bestFrom(row, interval);
		cost[row] = best.least;
		gaps[row] = best.gap;
	}
	return { gaps, firstLook: bestFrom(0, 0).gap };
}

/** A value at any age, linear between the rows. */
function read(values: ArrayLike<number>, age: number): number {
	if (age <= 0) return at(values, 0);
	const place =
		age <= FINE_UNTIL_S ? age / FINE_STEP_S : FINE_ROWS + Math.log(age / FINE_UNTIL_S) / Math.log(COARSE_FACTOR);
	const row = Math.min(Math.floor(place), AGES.length - 1);
	const low = at(values, row);
	if (row === AGES.length - 1) return low;
	return low + (at(values, row + 1) - low) * (place - row);
}

function at(values: ArrayLike<number>, index: number): number {
	return values[index] ?? 0;
}
