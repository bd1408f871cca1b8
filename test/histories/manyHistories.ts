import fc from 'fast-check';

import { Census } from './census';
import { historyOf, run } from './history';
import type { WorldOptions } from './world';

/**
 * How many histories `npm run test:all` takes of each engine; HISTORIES=10000 takes as many. They are the same each time, so that
 * the result is that of the code. SEED takes others, and with PATH_TO_IT as well, both as a failure prints them, the one that
 * failed is seen again.
 */
export const MANY = Number(process.env.HISTORIES ?? 1000);
const SEED = Number(process.env.SEED ?? 20_261_121);

/** Among so many histories a kind that does not occur is never generated. */
const ENOUGH_FOR_ALL_KINDS = 10_000;

/**
 * Whatever happens in a history: each final status of a watched order is emitted, once, with the newest reference, and what n8n
 * keeps stays small.
 */
export function testHistories(name: string, engine: WorldOptions['engine'], count: number): void {
	test(
		`${name}, in ${count} random histories: nothing lost, nothing twice, nothing made up`,
		async () => {
			const census = new Census(engine);
			await fc.assert(
				fc.asyncProperty(
					historyOf(engine),
					async (history) => void (await run(history, census.beginHistory())),
				),
				{
					numRuns: count,
					seed: SEED,
					...(process.env.PATH_TO_IT === undefined ? {} : { path: process.env.PATH_TO_IT }),
				},
			);
			if (process.env.HISTORIES !== undefined) console.info(`SEED=${SEED}: ${census.table()}`);
			if (count >= ENOUGH_FOR_ALL_KINDS && process.env.PATH_TO_IT === undefined)
				expect(census.missing()).toEqual([]);
		},
		// Far more than it takes: the machine may have much other work.
		600_000 + count * 600,
	);
}
