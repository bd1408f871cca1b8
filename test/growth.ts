/** How the time that something takes grows with what it is given. No test says how long anything takes. */

const SMALLEST = 1_024;

/** Runs on up to this many characters. Code that is quick at this size does not grow with the square. */
const LARGEST = 16_384;

/** Long enough to stand out from what else the process does, in milliseconds. */
const MEASURABLE_MS = 1;

/** In the middle between 16, with which time in proportion to the length grows for 16 times as much, and 256, with which its square does. */
const MAX_RATIO = 64;

/** What grows with the square does so at each of these sizes; other work of the machine spoils one or two of them. */
const MAX_SIZES = 4;
const NEXT_SIZE = 1.3;

/**
 * The best of some runs is what the others are disturbed from, most of all by the garbage collection of a large heap. Long ones end
 * with the first that is not too long, so that more of them cost nothing where the time grows in proportion.
 */
const RUNS = { short: 6, long: 5 };

export type Measure = (text: string, run: (text: string) => void) => number;

/**
 * The growth of what `run` does with `made(size)` (the caller makes it about `size` characters long): null if at one of four growing
 * sizes 16 times as much takes up to 64 times as long, otherwise the least ratio of them.
 */
export function excessiveGrowth(
	made: (size: number) => string,
	run: (text: string) => void,
	measure: Measure = msOf,
): number | null {
	if (measure(flat(made(LARGEST)), run) < MEASURABLE_MS) return null;
	let least = Infinity;
	let sizes = 0;
	for (let size = SMALLEST; sizes < MAX_SIZES && least > MAX_RATIO;) {
		const best = (length: number, runs: number, enoughMs: number) =>
			bestMs(flat(made(Math.round(length))), { run, measure, runs, enoughMs });
		const ms = best(size, RUNS.short, MEASURABLE_MS);
		if (ms >= MEASURABLE_MS) {
			sizes++;
			least = Math.min(least, best(16 * size, RUNS.long, MAX_RATIO * ms) / ms);
			size *= NEXT_SIZE;
		} else if (size >= LARGEST) return null;
		else size *= 2;
	}
	return least > MAX_RATIO ? least : null;
}

interface Repeated {
	run(text: string): void;
	measure: Measure;
	runs: number;
	enoughMs: number;
}

/** The best of some runs; ends early with one that takes less than `enoughMs`. */
function bestMs(text: string, { run, measure, runs, enoughMs }: Repeated): number {
	let best = Infinity;
	for (let count = 0; count < runs && best >= enoughMs; count++)
		best = Math.min(best, measure(text, run));
	return best;
}

/** What the processor worked for it: what other processes do meanwhile is not counted. */
function msOf(text: string, run: (text: string) => void): number {
	const before = process.cpuUsage();
	run(text);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** A repeated text is kept as a tree until somebody reads it. */
function flat(text: string): string {
	return Buffer.from(text).toString();
}
