/**
 * How long orders take: what is known before anything has been measured, and what is learnt. The interface description
 * gives two facts: typically 5 to 15 s after creation, and after 300 s pending a refund may happen. So an order is taken to
 * be one of two kinds: fast as described, or slow with a cautious tail (the longer one has been open, the longer it may
 * still be; after 300 s something may happen again). How many are slow is learnt (likeliestSlowShare).
 */

/** [age in seconds, share still open at that age], ages ascending. */
type Knots = ReadonlyArray<readonly [number, number]>;

/** An order pending for longer than this may be refunded (interface description, "Other constants"): a hazard peak. */
export const REFUND_AGE_S = 300;

const FAST: Knots = [
	[0, 1],
	[2, 0.998],
	[4, 0.985],
	[5, 0.96],
	[15, 0.012],
	[22, 0],
];

const SLOW: Knots = [
	[0, 1],
	[5, 0.97],
	[15, 0.8],
	[30, 0.64],
	[60, 0.5],
	[120, 0.38],
	[REFUND_AGE_S, 0.3],
	[330, 0.18],
	[600, 0.13],
	[3_600, 0.06],
	[86_400, 0.015],
];

/** From here on the slow kind follows a power law between its knots. */
const TAIL_FROM_S = 15;

/** The shares of slow orders that are distinguished, and how likely each is before anything was seen. */
export const SLOW_SHARES: readonly number[] = [0.03, 0.08, 0.13, 0.2, 0.35, 0.6, 0.9];
const LIKELY_BEFORE: readonly number[] = [0.8, 0.08, 0.04, 0.02, 0.02, 0.02, 0.02];

/** With each finished order the memory of earlier ones fades: about the last fifty count. */
const MEMORY = 0.98;
/** An order seen open at this age was slow. */
const SLOW_FROM_S = 18;

/** What the orders that finished have shown, fading: how many, and how many of them were slow. */
export interface FinishedOrders {
	count: number;
	slow: number;
}

/** One more finished order: `openAge` is the age (s) at which it was last seen open. */
export function withFinished({ count, slow }: FinishedOrders, openAge: number): FinishedOrders {
	return { count: count * MEMORY + 1, slow: slow * MEMORY + (openAge >= SLOW_FROM_S ? 1 : 0) };
}

/**
 * One more finished order that no check has seen open: the first, at this age (s), came too late. It counts as a fast one, weighted with
 * the chance that a slow one would still be open. Without these, the orders of an old list would seem slow: only slow ones are seen open.
 */
export function withFinishedUnseen({ count, slow }: FinishedOrders, age: number): FinishedOrders {
	const weight = between(SLOW, age);
	return { count: count * MEMORY ** weight + weight, slow: slow * MEMORY ** weight };
}

/** Share of orders still open at this age (seconds), between 1 and 0, never rising, when `slowShare` of all are slow. */
export function survival(age: number, slowShare: number): number {
	return (1 - slowShare) * between(FAST, age) + slowShare * between(SLOW, age);
}

/**
 * The likeliest of SLOW_SHARES (its index), given the finished orders and the ages (s) at which the open ones of the last
 * minutes were last seen open. Twenty orders all open at 10 s show that these are not the fast ones of the description,
 * long before the first finishes.
 */
export function likeliestSlowShare(
	{ count, slow }: FinishedOrders,
	openAges: readonly number[],
): number {
	let best = 0;
	let most = Number.NEGATIVE_INFINITY;
	SLOW_SHARES.forEach((share, index) => {
		let likely =
			Math.log(LIKELY_BEFORE[index] ?? 0) +
			slow * Math.log(share) +
			(count - slow) * Math.log(1 - share);
		for (const age of openAges) likely += Math.log(survival(age, share));
		if (likely > most) {
			most = likely;
			best = index;
		}
	});
	return best;
}

function between(knots: Knots, age: number): number {
	let before = knots[0] ?? [0, 1];
	let slope = 0;
	for (const point of knots) {
		const [to, openAt] = point;
		const [from, openFrom] = before;
		const powerLaw = from >= TAIL_FROM_S && openAt > 0;
		if (powerLaw) slope = Math.log(openAt / openFrom) / Math.log(to / from);
		if (age <= to) {
			if (to === from) return openAt;
			if (powerLaw) return openFrom * (age / from) ** slope;
			return openFrom + ((openAt - openFrom) * (Math.max(age, from) - from)) / (to - from);
		}
		before = point;
	}
	const [last, openAtLast] = before;
	return openAtLast * (age / last) ** slope;
}
