import Table from 'cli-table3';

import { orderPostedAt } from './simulation/arrivals';
import { heavyTailed, uniform } from './simulation/models';
import type { SimulatedOrder } from './simulation/policies';
import { type Random, seededRandom } from './simulation/random';
import { runWaiting, type WaitingOutcome, type WaitingRun } from './simulation/waiting';

/**
 * How long Wait for Completion takes to see that orders have finished, in simulated time, with the shipped watcher and budget;
 * Check Every 5. `--json` prints rows and nothing else.
 */

interface Row {
	case: string;
	orders: number;
	/** Seconds from the final status until it is known, */
	meanSeconds: number;
	/** and until all have finished, from the beginning of the run. */
	seconds: number;
	requestsPerOrder: number;
	refused: number;
	/** Processor time of the run, simulation included, as a part of one core while it lasts. */
	processorShare: number;
}

const RUNS = 8;

/** Whoever submits an order hands it over so soon, in ms. */
const HANDED_OVER_MS = 2_000;

/** Executions begin within so long. */
const EXECUTIONS_WITHIN_MS = 3_000;

const waitedFor = (
	addedAt: number,
	age: number,
	random: Random,
	model = uniform,
): SimulatedOrder => ({ ...orderPostedAt(addedAt, model, random, age), stated: {} });
const each = <T>(count: number, make: (index: number) => T): T[] =>
	Array.from({ length: count }, (_, index) => make(index));

const items = (
	count: number,
	random: Random,
	age = () => HANDED_OVER_MS * random(),
): Omit<WaitingRun, 'random'> => ({
	orders: each(count, () => waitedFor(0, age(), random)),
	executions: [{ process: 0, orders: each(count, (index) => index) }],
	retryAfter: false,
});

const executions = (
	count: number,
	random: Random,
	age = () => HANDED_OVER_MS * random(),
	model = uniform,
): Omit<WaitingRun, 'random'> => ({
	orders: each(count, () => waitedFor(EXECUTIONS_WITHIN_MS * random(), age(), random, model)),
	executions: each(count, (index) => ({ process: 0, orders: [index] })),
	retryAfter: false,
});

/** As `npm run e2e -- queue` has it: ten lists over two workers, and a trigger on the main to which an order is posted every 30 s. */
const queue = (count: number, random: Random, retryAfter: boolean): Omit<WaitingRun, 'random'> => {
	const LIST = 50;
	const POSTED = 10;
	const lists = each(count / LIST, (list) => ({
		process: list % 2,
		orders: each(LIST, (place) => list * LIST + place),
	}));
	return {
		orders: [
			...each(count, () => waitedFor(0, 0, random)),
			...each(POSTED, (number) => orderPostedAt(30_000 * (number + 1), uniform, random)),
		],
		executions: [...lists, { process: 2, orders: each(POSTED, (number) => count + number) }],
		retryAfter,
	};
};

interface Case {
	name: string;
	counts: readonly number[];
	draw: (count: number, random: Random) => Omit<WaitingRun, 'random'>;
}

const OLD_MS = 600_000;
const LATER_MS = 12_000;
const CASES: readonly Case[] = [
	{ name: 'items of one execution', counts: [10, 50, 100, 200], draw: items },
	{ name: 'an execution for each', counts: [10, 50, 100, 200, 1_000], draw: executions },
	{
		name: 'an execution for each, heavy-tailed',
		counts: [50],
		draw: (count, random) => executions(count, random, undefined, heavyTailed),
	},
	{
		name: 'items that begin up to 12 s later',
		counts: [50],
		draw: (count, random) => items(count, random, () => -LATER_MS * random()),
	},
	{
		name: 'an execution for each, half of the orders long finished',
		counts: [50],
		draw: (count, random) =>
			executions(count, random, () => (random() < 0.5 ? OLD_MS : HANDED_OVER_MS * random())),
	},
	{
		name: 'two workers beside a trigger',
		counts: [500],
		draw: (count, random) => queue(count, random, false),
	},
	{
		name: 'two workers beside a trigger, with Retry-After',
		counts: [500],
		draw: (count, random) => queue(count, random, true),
	},
];

function rowOf(name: string, orders: number, outcomes: readonly WaitingOutcome[]): Row {
	const mean = (value: (outcome: WaitingOutcome) => number, places = 2): number =>
		Number(
			(outcomes.reduce((sum, outcome) => sum + value(outcome), 0) / outcomes.length).toFixed(
				places,
			),
		);
	return {
		case: name,
		orders,
		meanSeconds: mean(
			({ delays }) => delays.reduce((sum, delay) => sum + delay, 0) / delays.length,
		),
		seconds: mean(({ seconds }) => seconds, 1),
		requestsPerOrder: mean(({ requests }) => requests / orders),
		refused: mean(({ refused }) => refused, 1),
		processorShare: mean(({ processorSeconds, seconds }) => processorSeconds / seconds, 3),
	};
}

async function main(): Promise<void> {
	const isJson = process.argv.includes('--json');
	const rows: Row[] = [];
	for (const { name, counts, draw } of CASES) {
		for (const count of counts) {
			const outcomes: WaitingOutcome[] = [];
			for (let run = 0; run < RUNS; run++) {
				const random = seededRandom(1_000 + run);
				outcomes.push(await runWaiting({ ...draw(count, random), random }));
			}
			rows.push(rowOf(name, count, outcomes));
		}
	}
	if (isJson) {
		process.stdout.write(`${JSON.stringify({ rows })}\n`);
		return;
	}
	console.log(
		`Orders are handed over up to ${HANDED_OVER_MS / 1000} s after they began; executions begin within ${EXECUTIONS_WITHIN_MS / 1000} s. ${RUNS} runs each.`,
	);
	const table = new Table({
		head: ['waited for', 'orders', 'mean', 'all after', 'requests/order', '429', 'of a core'],
		style: { head: [], border: [], compact: true },
	});
	for (const row of rows) {
		table.push([
			row.case,
			row.orders,
			`${row.meanSeconds.toFixed(2)} s`,
			`${row.seconds.toFixed(0)} s`,
			row.requestsPerOrder.toFixed(2),
			row.refused.toFixed(1),
			`${(100 * row.processorShare).toFixed(1)} %`,
		]);
	}
	console.log(table.toString());
}

void main();
