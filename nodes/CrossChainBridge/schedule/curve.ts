/** The share still open at an age in seconds, with straight lines between; it begins with all open at 0. */
type Knot = readonly [age: number, open: number];

/** Part of the curve between two knots; `left` is the share of those open at its beginning that are open after it, as assumed. */
interface Segment {
	age: number;
	length: number;
	left: number;
	/** How many times as often as assumed it happens here, from what was learnt. */
	factor: number;
}

/**
 * At which age something happens to an order (it finishes, it is found): what is assumed, corrected by what was seen. Each segment
 * has a hazard rate of its own, with a gamma prior: `happened` and `expected` count what happened there, and what would have happened
 * as assumed during the time for which orders were observed there. Immutable. Ages in seconds.
 */
export interface Curve {
	readonly knots: readonly Knot[];
	/** So many observations does the assumption count for, in each segment. */
	readonly priorWeight: number;
	readonly happened: readonly number[];
	readonly expected: readonly number[];
	readonly segments: readonly Segment[];
}

/** When this much has happened or was expected, both are halved, so that the curve follows a change. */
const MEMORY = 200;
/** At most this hazard in one segment, so that shares stay above the precision of numbers. */
const MAX_HAZARD = 6;

/** From creation to the final status: most take 5 to 15 s, as the interface says. */
export const FINISHING = curveOf(
	[
		[4, 0.988],
		[5, 0.965],
		[15, 0.066],
		[22, 0.056],
		[30, 0.046],
		[60, 0.038],
		[120, 0.03],
		[300, 0.024],
		[330, 0.015],
		[600, 0.011],
		[3_600, 0.005],
		[86_400, 0.0012],
		[864_000, 0.0002],
	],
	1,
);

/** From sending to being found: a fifth is not found after 2 s, and with each doubling of the age half of these. */
export const FINDING = curveOf(
	Array.from({ length: 17 }, (_, doublings): Knot => [2 ** (1 + doublings), 0.2 / 2 ** doublings]),
	0.5,
);

/** What is to be expected of an order to which it had not happened at one age and whose age is another now, in seconds. */
interface Prospects {
	/** The probability that it has happened. */
	chance: number;
	/** For how long on average it has happened. */
	delay: number;
	/** The probability that it will have happened before long. */
	soon: number;
	/**
	 * How many checks it needs, in a unit of its own: the integral of the square root of the hazard rate, times the share still open, because
	 * checks are best made as often as is in proportion to that root (Keller, Optimum checking schedules, 1974).
	 */
	effort: number;
}

/** The effort counts from `pastS` seconds before now, because some checks are late, to `soonS` seconds after it. */
export function prospects(
	curve: Curve,
	{ since, age }: { since: number; age: number },
	{ pastS = 0, soonS = 0 }: { pastS?: number; soonS?: number } = {},
): Prospects {
	const from = Math.max(since, age - pastS);
	const [passed, before, around] = [
		between(curve, since, age),
		between(curve, since, from),
		between(curve, from, age + soonS),
	];
	return {
		chance: 1 - passed.open,
		delay: Math.max(0, age - since - passed.area),
		soon: 1 - before.open * around.open,
		effort: before.open * around.effort,
	};
}

/** The curve with one more order: it had not happened at the first age; `happened` says whether it had at the second. */
export function withObservation(
	curve: Curve,
	[from, to]: readonly [number, number],
	happened: boolean,
): Curve {
	if (to <= from) return curve;
	const last = between(curve, from, to).open;
	// How many of those to which it happened were still to wait for it at an age.
	const waiting = (age: number): number =>
		happened ? (between(curve, from, age).open - last) / Math.max(1 - last, Number.EPSILON) : 1;
	const [counts, expected] = [[...curve.happened], [...curve.expected]];
	curve.segments.forEach((segment, index) => {
		const [start, end] = [Math.max(from, segment.age), Math.min(to, segment.age + segment.length)];
		if (end <= start) return;
		const [before, after] = [waiting(start), waiting(end)];
		const assumed = Math.log(leftAt(segment, start) / leftAt(segment, end));
		expected[index] = (expected[index] ?? 0) + (assumed * (before + after)) / 2;
		if (happened) counts[index] = (counts[index] ?? 0) + before - after;
	});
	const isFull = Math.max(sum(counts), sum(expected)) > MEMORY;
	const kept = (numbers: number[]) => (isFull ? numbers.map((each) => each / 2) : numbers);
	return curveOf(curve.knots, curve.priorWeight, kept(counts), kept(expected));
}

function curveOf(
	knots: readonly Knot[],
	priorWeight: number,
	happened: readonly number[] = knots.map(() => 0),
	expected: readonly number[] = knots.map(() => 0),
): Curve {
	let [age, open] = [0, 1];
	const segments = knots.map(([nextAge, nextOpen], index): Segment => {
		const left = nextOpen / open;
		const learnt = ((happened[index] ?? 0) + priorWeight) / ((expected[index] ?? 0) + priorWeight);
		const factor = Math.min(learnt, MAX_HAZARD / -Math.log(left));
		const segment = { age, length: nextAge - age, left, factor };
		[age, open] = [nextAge, nextOpen];
		return segment;
	});
	return { knots, priorWeight, happened, expected, segments };
}

/**
 * What becomes of orders that are open at the age `from` until the age `to`: the share still open then, the area under the curve between
 * the two ages, and the effort between them (see `Prospects`). In each segment the share still open is the assumed one, which falls in a
 * straight line, raised to the power of the factor. The area is the integral of that share over the time, and the effort the integral of that
 * share times the square root of its hazard rate. After the last knot nothing happens any more.
 */
function between({ segments }: Curve, from: number, to: number) {
	let [age, open, area, effort] = [from, 1, 0, 0];
	for (const segment of segments) {
		if (age >= to) break;
		const end = segment.age + segment.length;
		if (age >= end) continue;
		const { length, factor } = segment;
		const before = leftAt(segment, age);
		age = Math.min(to, end);
		const share = leftAt(segment, age) / before;
		const kept = share ** factor;
		const fallen = (1 - segment.left) / length;
		area += (open * before * (1 - kept * share)) / (fallen * (factor + 1));
		effort +=
			open *
			Math.sqrt((before * factor) / fallen) *
			((1 - kept * Math.sqrt(share)) / (factor + 0.5));
		open *= kept;
	}
	return { open, area: area + Math.max(0, to - age) * open, effort };
}

/** Of those open at the beginning of a segment, the share open at an age in it, as assumed. */
function leftAt({ age: start, length, left }: Segment, age: number): number {
	return 1 - ((1 - left) * (age - start)) / length;
}

function sum(numbers: readonly number[]): number {
	return numbers.reduce((total, each) => total + each, 0);
}
