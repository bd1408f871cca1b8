import vm from 'node:vm';

import fc from 'fast-check';

/** About how many random cases there are in all files. */
const IN_ALL = 50_000;

/** How the cases are shared out, in parts of the whole: each file, and in each file each property. */
const PARTS = { answers: 50_000, orders: 45_000, webhook: 15_000 };
const WHOLE = Object.values(PARTS).reduce((sum, part) => sum + part);

/** What a part of the whole comes to. */
function casesFor(part: number): number {
	return Math.ceil((part / WHOLE) * IN_ALL);
}

/** How many random cases each file takes at least. */
export const CASES = {
	answers: casesFor(PARTS.answers),
	orders: casesFor(PARTS.orders),
	webhook: casesFor(PARTS.webhook),
};

let run = 0;

/** How many cases have really been run in this file. */
export function casesRun(): number {
	return run;
}

/** Checks random cases, each of which is counted: as many as that part of the whole is. */
export function checkFor<T>(
	part: number,
	arbitrary: fc.Arbitrary<T>,
	check: (value: T) => void,
): void {
	fc.assert(
		fc.property(arbitrary, (value) => {
			run++;
			check(value);
		}),
		{ numRuns: casesFor(part) },
	);
}

/** Far above what anything here needs, far below what a search that takes the square of 5 million does. */
const ENDLESS_MS = 25_000;

/** Runs it, and fails if it does not finish: no test can read a clock while the code it tests occupies the thread. */
export function finishes<T>(work: () => T): T {
	const result: unknown = vm.runInNewContext('work()', { work }, { timeout: ENDLESS_MS });
	return result as T;
}
