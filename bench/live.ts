import Table from 'cli-table3';

import { LINE_NAMES } from '../realN8n/install/releases';
import type { Rehearsal } from '../realN8n/rehearsal/rehearsal';
import type { OrderRequest } from '../sandbox';
import { benchInRealN8n } from './realN8n';
import { seededRandom } from './simulation/random';
import {
	evenlyFinishing,
	FINAL_STATUSES,
	inSeconds,
	measureRun,
	type RunFigures,
	untilUnpaced,
	type WatchedRun,
} from './watchedRun';

/**
 * How soon a published trigger starts an execution after an order has finished, in a real n8n at default settings, against a
 * sandbox with the standard limit, with orders that arrive as users have them. About 20 minutes.
 */

const HELP = `npm run bench -- live [flags]

How soon a published trigger starts an execution after an order has finished, in a real n8n.

  --json         standard output is one JSON document: {"runs": [{"name", "orders", "every", "meanSeconds", "p95Seconds",
                 "lost", "twice"}], "lost", "twice"}; progress goes to standard error
  --only <runs>  some of the runs, with commas between: posted-50, posted-10, posted-stream, listed-20,
                 announced-25
  --n8n <line>   ${LINE_NAMES} (default: the one that fits this Node.js)
  --help         this text
`;

const MINUTE = 60;
/** How long the runs listed-20 and announced-25 take. */
const MINUTES = 5;

interface LiveRun extends WatchedRun {
	/** Check Every, in seconds. */
	every: number;
	/** The most that its mean and 95 % may be, in seconds. */
	goal: { mean: number; p95?: number };
}

const random = seededRandom(7);

/** Each finishes at a random moment of its own twentieth of five minutes. */
const OPEN_ORDERS: OrderRequest[] = Array.from({ length: 20 }, (_, index) => ({
	end: anyFinalStatus(),
	endsAfterSeconds: MINUTE + (MINUTES * MINUTE * (index + random())) / 20,
}));

/** Every 20 s one to three begin, 25 in all, each to finish 5 to 15 s later; in the list from the start, not found until then. */
const ANNOUNCED_ORDERS: OrderRequest[] = Array.from(
	{ length: (MINUTES * MINUTE) / 20 },
	(_, turn) =>
		Array.from({ length: 1 + Math.floor(3 * random()) }, () => ({
			end: anyFinalStatus(),
			beginsAfterSeconds: 20 * turn,
			endsAfterSeconds: 5 + 10 * random(),
		})),
).flat();

function anyFinalStatus(): OrderRequest['end'] {
	return FINAL_STATUSES[Math.floor(FINAL_STATUSES.length * random())];
}

const RUNS: LiveRun[] = [
	{
		name: 'posted-50',
		every: 5,
		goal: { mean: 3.4, p95: 7 },
		arrival: 'posted' as const,
		orders: evenlyFinishing(50, seededRandom(1)),
	},
	{
		name: 'posted-10',
		every: 1,
		goal: { mean: 1.2 },
		arrival: 'posted' as const,
		orders: evenlyFinishing(10, seededRandom(2)),
	},
	{
		name: 'posted-stream',
		every: 5,
		goal: { mean: 4.5 },
		arrival: 'posted' as const,
		orders: evenlyFinishing(60, seededRandom(3), (index) => 3 * index),
	},
	{
		name: 'listed-20',
		every: 5,
		goal: { mean: 5 },
		arrival: 'listed' as const,
		orders: OPEN_ORDERS,
		ageSeconds: MINUTE,
	},
	{
		name: 'announced-25',
		every: 5,
		goal: { mean: 5 },
		arrival: 'listed' as const,
		orders: ANNOUNCED_ORDERS,
	},
].map((run) => ({
	...run,
	apiKey: `live-${run.name}`,
	parameters: { options: { checkEvery: run.every } },
}));

function isReached(
	{ goal }: LiveRun,
	{ meanSeconds, p95Seconds, lost, twice, refused }: RunFigures,
): boolean {
	const isSoon =
		meanSeconds !== null &&
		meanSeconds <= goal.mean &&
		(p95Seconds ?? 0) <= (goal.p95 ?? Number.POSITIVE_INFINITY);
	return isSoon && lost === 0 && twice === 0 && refused === 0;
}

async function measure(rehearsal: Rehearsal, say: (line: string) => void, only: string[] | null) {
	const table = new Table({
		head: ['run', 'orders', 'Check Every', 'mean', '95 % within', 'lost', 'twice', 'refused', ''],
		style: { head: [], border: [] },
	});
	const runs: Array<RunFigures & { name: string; every: number }> = [];
	await untilUnpaced(say);
	for (const run of RUNS.filter(({ name }) => only?.includes(name) ?? true)) {
		const figures = await measureRun(rehearsal, run, say);
		const { orders, meanSeconds, p95Seconds, lost, twice, refused } = figures;
		const reached = isReached(run, figures);
		if (!reached) process.exitCode = 1;
		table.push([
			run.name,
			orders,
			`${run.every} s`,
			inSeconds(meanSeconds),
			inSeconds(p95Seconds),
			lost,
			twice,
			refused,
			reached ? '' : 'goal missed',
		]);
		runs.push({ name: run.name, every: run.every, ...figures });
	}
	say(table.toString());
	const sum = (figure: 'lost' | 'twice'): number =>
		runs.reduce((total, run) => total + run[figure], 0);
	return { runs, lost: sum('lost'), twice: sum('twice') };
}

const furtherKeys = Object.fromEntries(RUNS.map(({ apiKey }) => [apiKey, 100]));

benchInRealN8n(
	{ help: HELP, names: RUNS.map(({ name }) => name), sandbox: { furtherKeys } },
	measure,
).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
