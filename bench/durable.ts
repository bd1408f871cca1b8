import Table from 'cli-table3';

import { RELEASES } from '../realN8n/install/releases';
import { withTemporaryRehearsal } from '../realN8n/rehearsal/temporary';
import { DURABLE_ENGINE } from '../realN8n/server/environment';
import { readBenchFlags, sayTo } from './realN8n';
import { seededRandom } from './simulation/random';
import {
	evenlyFinishing,
	inSeconds,
	measureRun,
	type RunFigures,
	untilUnpaced,
	type WatchedRun,
} from './watchedRun';

/** The same orders in both poll engines of one n8n: what a trigger's Poll Times cost in the durable one. About 25 minutes. */

const HELP = `npm run bench -- durable [flags]

How soon a published trigger starts an execution in n8n ${RELEASES['2.41'].version}, in its usual poll engine and in its durable one.

  --json         standard output is one JSON document: {"runs": [{"engine", "workload", "pollTimes", "orders", "meanSeconds",
                 "p95Seconds", "lost", "twice"}]}; progress goes to standard error
  --only <runs>  some of the runs, with commas between, such as usual-listed-everyMinute or durable-listed-0-20-40
  --help         this text
`;

type Engine = 'usual' | 'durable';
type Workload = 'listed' | 'posted';
type PollTimes = '0,20,40' | '0,30' | 'everyMinute';

/** The most that a run's figures may be: in seconds, or as multiples of the usual engine's with the same orders. */
type Goal = { unit: 'seconds' | 'usual engine'; mean: number; p95: number };

interface EngineRun extends Omit<WatchedRun, 'apiKey'> {
	engine: Engine;
	workload: Workload;
	pollTimes: PollTimes;
	goal: Goal | null;
}

/** 45 orders, of which one begins every 4 s and finishes 6 to 14 s later; and 30, one posted every 6 s. */
const ORDERS = {
	listed: evenlyFinishing(45, seededRandom(1), (index) => 4 * index, { from: 6, to: 14 }),
	posted: evenlyFinishing(30, seededRandom(2), (index) => 6 * index),
};

function engineRun(
	engine: Engine,
	workload: Workload,
	pollTimes: PollTimes,
	goal: Goal | null,
): EngineRun {
	const name = [engine, workload, pollTimes.replaceAll(',', '-')].join('-');
	return {
		name,
		engine,
		workload,
		pollTimes,
		goal,
		arrival: workload,
		orders: ORDERS[workload],
		parameters: { pollTimes: pollTimesField(pollTimes) },
	};
}

/** The node's field Poll Times; seconds of the minute are cron expressions with a fixed second. */
function pollTimesField(pollTimes: PollTimes): { item: object[] } {
	if (pollTimes === 'everyMinute') return { item: [{ mode: 'everyMinute' }] };
	return {
		item: pollTimes
			.split(',')
			.map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` })),
	};
}

const RUNS: EngineRun[] = [
	engineRun('usual', 'listed', 'everyMinute', null),
	engineRun('usual', 'posted', 'everyMinute', null),
	engineRun('durable', 'listed', '0,20,40', { unit: 'usual engine', mean: 1.2, p95: 1.3 }),
	engineRun('durable', 'listed', '0,30', { unit: 'usual engine', mean: 1.3, p95: 1.4 }),
	engineRun('durable', 'listed', 'everyMinute', { unit: 'usual engine', mean: 2.2, p95: 2.2 }),
	engineRun('durable', 'posted', '0,20,40', { unit: 'seconds', mean: 4.5, p95: 12 }),
];

interface Measured {
	run: EngineRun;
	figures: RunFigures;
}

function isReached({ run, figures }: Measured, all: readonly Measured[]): boolean {
	const { meanSeconds, p95Seconds, lost, twice, refused } = figures;
	if (lost > 0 || twice > 0 || refused > 0) return false;
	if (run.goal === null) return true;
	const usual = all.find(
		(other) => other.run.engine === 'usual' && other.run.workload === run.workload,
	)?.figures;
	// without the usual engine's run there is nothing to judge it by
	if (run.goal.unit === 'usual engine' && usual === undefined) return true;
	const unit =
		run.goal.unit === 'seconds'
			? { mean: 1, p95: 1 }
			: { mean: usual?.meanSeconds ?? 0, p95: usual?.p95Seconds ?? 0 };
	return (
		(meanSeconds ?? 0) <= run.goal.mean * unit.mean && (p95Seconds ?? 0) <= run.goal.p95 * unit.p95
	);
}

async function main(): Promise<void> {
	const flags = readBenchFlags(
		HELP,
		RUNS.map(({ name }) => name),
	);
	if (flags === null) return;
	const say = sayTo(flags);
	const wanted = RUNS.filter(({ name }) => flags.only?.includes(name) ?? true);
	const measured: Measured[] = [];
	for (const engine of ['usual', 'durable'] as const) {
		const runs = wanted.filter((run) => run.engine === engine);
		if (runs.length === 0) continue;
		const options = {
			release: RELEASES['2.41'],
			sandbox: { furtherKeys: Object.fromEntries(runs.map(({ name }) => [name, 100])) },
			env: engine === 'durable' ? DURABLE_ENGINE : {},
			say,
		};
		await withTemporaryRehearsal(options, async (rehearsal) => {
			await untilUnpaced(say);
			for (const run of runs)
				measured.push({
					run,
					figures: await measureRun(rehearsal, { ...run, apiKey: run.name }, say),
				});
		});
	}

	const table = new Table({
		head: ['engine', 'orders', 'Poll Times', 'mean', '95 % within', 'lost', 'twice', 'refused', ''],
		style: { head: [], border: [] },
	});
	for (const each of measured) {
		const { engine, workload, pollTimes } = each.run;
		const { orders, meanSeconds, p95Seconds, lost, twice, refused } = each.figures;
		const reached = isReached(each, measured);
		if (!reached) process.exitCode = 1;
		table.push([
			engine,
			`${orders} ${workload}`,
			pollTimes,
			inSeconds(meanSeconds),
			inSeconds(p95Seconds),
			lost,
			twice,
			refused,
			reached ? '' : 'goal missed',
		]);
	}
	say(table.toString());
	const runs = measured.map(({ run: { engine, workload, pollTimes }, figures }) => ({
		engine,
		workload,
		pollTimes,
		...figures,
	}));
	if (flags.json) process.stdout.write(`${JSON.stringify({ runs })}\n`);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
