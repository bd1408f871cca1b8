import { survival, SLOW_SHARES } from './survivalModel';

/**
 * When an order is due again, in closed form: as soon as the delay to be expected since its last check equals the price of
 * a request (the seconds of delay that one request is worth), or as soon as it has very probably finished. Where little
 * happens this is the classical spacing sqrt(2 price / hazard). The orders meet only in the price: plan.ts raises it until
 * all their checks fit the budget.
 *
 * Ages and gaps are in seconds. Rows are fine where orders typically finish, and 3 % of the age apart later on.
 */

/**
 * Prices, ascending. The least keeps even a lone old order from being checked for nothing (its gap is about a fifth of the
 * square root of its age); the greatest (5 s) makes orders wait until they have very probably finished. A still greater one would
 * make slow orders wait for long without serving the others any sooner.
 */
export const PRICES: readonly number[] = Array.from(
	{ length: 30 },
	(_, index) => 0.0078 * 1.25 ** index,
);

/** So probably finished since its last check, an order is due at any price: the request is next to never in vain. */
const NEARLY_FINISHED = 0.93;

const FINE_STEP_S = 0.25;
const FINE_UNTIL_S = 30;
const COARSE_FACTOR = 1.03;
const LOG_FACTOR = Math.log(COARSE_FACTOR);
const OLDEST_S = 86_400;
const FINE_ROWS = FINE_UNTIL_S / FINE_STEP_S;

const AGES: readonly number[] = (() => {
	const ages = Array.from({ length: FINE_ROWS + 1 }, (_, index) => index * FINE_STEP_S);
	for (let age = FINE_UNTIL_S * COARSE_FACTOR; age < OLDEST_S; age *= COARSE_FACTOR) ages.push(age);
	return ages;
})();

const LAST_AGE_S = AGES[AGES.length - 1] ?? 0;

const tables = new Map<number, SurvivalTable>();

/** The table for SLOW_SHARES[slowIndex]; made when first used, then kept. */
export function survivalTable(slowIndex: number): SurvivalTable {
	const known = tables.get(slowIndex) ?? new SurvivalTable(SLOW_SHARES[slowIndex] ?? 0);
	tables.set(slowIndex, known);
	return known;
}

/** The survival model with one share of slow orders, quick to read. */
export class SurvivalTable {
	private readonly open: Float64Array;

	/** Area under `open` up to each of AGES. */
	private readonly area: Float64Array;

	/** By price: the gap after each of AGES; made when first asked for. */
	private readonly gaps: Float64Array[] = [];

	constructor(slowShare: number) {
		this.open = Float64Array.from(AGES, (age) => survival(age, slowShare));
		this.area = new Float64Array(AGES.length);
		for (let row = 1; row < AGES.length; row++) {
			const width = at(AGES, row) - at(AGES, row - 1);
			this.area[row] =
				at(this.area, row - 1) + (width * (at(this.open, row) + at(this.open, row - 1))) / 2;
		}
	}

	/** Share of orders still open at `age` among those open at `since`. */
	stillOpen(since: number, age: number): number {
		return age <= since ? 1 : read(this.open, age) / read(this.open, since);
	}

	/** Seconds of delay to be expected at `age` since a check at `since` that found the order open. */
	delay(since: number, age: number): number {
		return this.delayAfter(
			{ age: since, open: read(this.open, since), area: this.areaUpTo(since) },
			age,
		);
	}

	private delayAfter(since: { age: number; open: number; area: number }, age: number): number {
		return age - since.age - (this.areaUpTo(age) - since.area) / since.open;
	}

	/** Seconds from a check at `age` that found the order open until it is due again at this price. */
	gap(priceIndex: number, age: number): number {
		const gap = read((this.gaps[priceIndex] ??= this.gapsAt(PRICES[priceIndex] ?? 0)), age);
		// Beyond the table a power law continues: the gap grows with the square root of the age.
		return age > LAST_AGE_S ? gap * Math.sqrt(age / LAST_AGE_S) : gap;
	}

	private gapsAt(price: number): Float64Array {
		const gaps = Float64Array.from(AGES.slice(0, -1), (age, row) => {
			// Read once: twenty tables are made soon after a start.
			const since = { age, open: at(this.open, row), area: at(this.area, row) };
			return firstTime(
				(gap) =>
					this.delayAfter(since, age + gap) >= price ||
					read(this.open, age + gap) <= since.open * (1 - NEARLY_FINISHED),
			);
		});
		// After the last row nothing is known to change, so what it would find there is no gap.
		const last = at(gaps, gaps.length - 1) * Math.sqrt(COARSE_FACTOR);
		return Float64Array.of(...gaps, last);
	}

	private areaUpTo(age: number): number {
		const row = Math.floor(placeOf(age));
		const width = age - at(AGES, row);
		return at(this.area, row) + (width * (at(this.open, row) + read(this.open, age))) / 2;
	}
}

/** The least number of seconds, up to a day, from which on this is true. */
export function firstTime(isTrueAt: (seconds: number) => boolean): number {
	let low = 0;
	let high = 0.25;
	while (high < OLDEST_S && !isTrueAt(high)) {
		low = high;
		high *= 2;
	}
	for (let round = 0; round < 12; round++) {
		const middle = (low + high) / 2;
		if (isTrueAt(middle)) high = middle;
		else low = middle;
	}
	return Math.min(high, OLDEST_S);
}

/** The place of an age among AGES: its row, and how far it is on the way to the next. */
function placeOf(age: number): number {
	if (age <= FINE_UNTIL_S) return Math.max(0, age) / FINE_STEP_S;
	return Math.min(AGES.length - 1, FINE_ROWS + Math.log(age / FINE_UNTIL_S) / LOG_FACTOR);
}

/** A value at any age, linear between the rows. */
function read(values: ArrayLike<number>, age: number): number {
	const place = placeOf(age);
	const row = Math.floor(place);
	const low = at(values, row);
	return low + (at(values, row + 1) - low) * (place - row);
}

function at(values: ArrayLike<number>, index: number): number {
	return values[index] ?? 0;
}
