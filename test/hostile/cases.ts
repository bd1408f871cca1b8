import vm from 'node:vm';

import fc from 'fast-check';

/** How many random cases each file takes; `npm test` takes so many each time, and no fewer than 100,000 in all. */
export const CASES = { answers: 50_000, orders: 45_000, webhook: 15_000 };

let run = 0;

/** How many cases have really been run in this file. */
export function casesRun(): number {
	return run;
}

/** Holds for so many random cases, each of which is counted. */
export function holdsFor<T>(cases: number, arbitrary: fc.Arbitrary<T>, holds: (value: T) => void): void {
	fc.assert(
		fc.property(arbitrary, (value) => {
			run++;
			holds(value);
		}),
		{ numRuns: cases },
	);
}

/** Far above what anything here needs, far below what a search that takes the square of 5 million does. */
const ENDLESS_MS = 25_000;

/** Runs it, and fails if it does not come to an end: no test can look at a clock while the code it tests holds the thread. */
export function comesToAnEnd<T>(work: () => T): T {
	const result: unknown = vm.runInNewContext('work()', { work }, { timeout: ENDLESS_MS });
	return result as T;
}
