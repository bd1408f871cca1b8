/** How the time that something takes grows with what it is given. No test says how long anything takes. */

const SMALLEST = 1_024;

/** Runs on up to this many characters. What is quick at this size does not grow with the square. */
const LARGEST = 16_384;

/** Long enough to stand out from what else the process does, in milliseconds. */
const MEASURABLE_MS = 1;

/** Twice as much takes up to 2.5 times as long, four times in a row. With its length it takes 16 times as long, with its square 256 times. */
const MAX_RATIO = 2.5 ** 4;

/** The best of some runs is what the others are disturbed from. */
const RUNS = 4;
const MAX_LONG_RUNS = 6;

/**
 * The growth of what `run` does with `made(size)` (the caller makes it about `size` characters long): null if 16 times as
 * much takes up to 39 times as long, else the ratio between the best of several runs of each.
 */
export function excessiveGrowth(
	made: (size: number) => string,
	run: (text: string) => void,
): number | null {
	let size = SMALLEST;
	let ms = bestMs(flat(made(size)), run);
	for (; ms < MEASURABLE_MS; ms = bestMs(flat(made(size)), run)) {
		if (size >= LARGEST) return null;
		size *= 2;
	}
	const longer = flat(made(16 * size));
	let ratio = Infinity;
	for (let count = 0; count < MAX_LONG_RUNS && ratio > MAX_RATIO; count++)
		ratio = Math.min(ratio, msOf(longer, run) / ms);
	return ratio > MAX_RATIO ? ratio : null;
}

/** Ends early with a run that is too short to be measured. */
function bestMs(text: string, run: (text: string) => void): number {
	let best = Infinity;
	for (let count = 0; count < RUNS && best >= MEASURABLE_MS; count++)
		best = Math.min(best, msOf(text, run));
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
