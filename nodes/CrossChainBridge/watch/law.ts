/**
 * When an order ends: what is known before anything has been measured. The interface description gives
 * two facts: typically 5 to 15 s after creation, and after 300 s pending a refund may happen. So an order
 * is taken to be one of two kinds: fast as described, or slow with a cautious tail (the longer one has
 * lasted, the longer it may still last: the chance per second falls with the age, so the time between looks grows
 * with its square root; after 300 s something may happen again). How many are slow is learnt (likeliestSlowShare).
 */

/** [age in seconds, share still open at that age], ages ascending. */
type Knots = ReadonlyArray<readonly [number, number]>;

/** An order pending for longer than this may be refunded (interface description, "Other constants"). */
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

/** From here on the slow kind's tail is followed in double logarithmic steps, as a power law wants it. */
const TAIL_FROM_S = 15;

/** The shares of slow orders that are told apart, and how likely each is before anything was seen. */
export const SLOW_SHARES: readonly number[] = [0.05, 0.08, 0.13, 0.2, 0.35, 0.6, 0.9];
const LIKELY_BEFORE: readonly number[] = [0.8, 0.08, 0.04, 0.02, 0.02, 0.02, 0.02];

/** With each end the memory of earlier ones fades: about the last fifty count. */
const MEMORY = 0.98;
/** An order seen open at this age was slow. */
const SLOW_FROM_S = 18;

/** The stream of new orders is judged by the last minute, in slices of this length. */
const BEGINS_SPAN_MS = 60_000;
const BEGINS_SLICE_MS = 1_000;
/** Fewer begins than this are no stream. */
const FEWEST_SLICES = 4;

/** What the ends seen so far have shown, fading. */
export interface Experience {
	ends: number;
	slow: number;
	/** When orders of the last minute began (ms), ended ones included. */
	begins: readonly number[];
}

export const NO_EXPERIENCE: Experience = { ends: 0, slow: 0, begins: [] };

/** One more end: `openAge` is the age (s) at which the order was last seen open. */
export function withEnd({ ends, slow, begins }: Experience, openAge: number): Experience {
	return { begins, ends: ends * MEMORY + 1, slow: slow * MEMORY + (openAge >= SLOW_FROM_S ? 1 : 0) };
}

/** One more order that began at `beganAt`; forgets those that began more than a minute before it was seen. */
export function withBegin(experience: Experience, beganAt: number, now: number): Experience {
	const begins = [...experience.begins, beganAt].filter((at) => at > now - BEGINS_SPAN_MS);
	return { ...experience, begins };
}

/**
 * Orders that may be expected to begin per second. Reckoned from how many of the last minute's slices saw a begin,
 * not from how many began: a burst is one event and promises no other, a steady stream goes on.
 */
export function beginsPerSecond({ begins }: Experience, now: number): number {
	const slices = new Set<number>();
	for (const at of begins) if (at > now - BEGINS_SPAN_MS) slices.add(Math.floor((now - at) / BEGINS_SLICE_MS));
	const all = BEGINS_SPAN_MS / BEGINS_SLICE_MS;
	if (slices.size < FEWEST_SLICES) return 0;
	// Poisson: the share of empty slices is exp(-rate x slice).
	return -Math.log(1 - Math.min(slices.size, all - 1) / all) / (BEGINS_SLICE_MS / 1000);
}

/** Share of orders still open at this age (seconds), between 1 and 0, never rising, when `slowShare` of all are slow. */
export function shareOpen(age: number, slowShare: number): number {
	return (1 - slowShare) * between(FAST, age) + slowShare * between(SLOW, age);
}

/**
 * The likeliest of SLOW_SHARES (its index), given the ends seen and the ages (s) at which the orders of
 * the last minutes were last seen open. Twenty orders all open at 10 s tell that these are not the fast ones of
 * the description, long before the first end.
 */
export function likeliestSlowShare({ ends, slow }: Experience, openAges: readonly number[]): number {
	let best = 0;
	let most = Number.NEGATIVE_INFINITY;
	SLOW_SHARES.forEach((share, index) => {
		let likely = Math.log(LIKELY_BEFORE[index] ?? 0) + slow * Math.log(share) + (ends - slow) * Math.log(1 - share);
		for (const age of openAges) likely += Math.log(shareOpen(age, share));
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
	return openAtLast === 0 ? 0 : openAtLast * (age / last) ** slope;
}
