import Table from 'cli-table3';

import { orderPostedAt } from './simulation/arrivals';
import type { DurationModel } from './simulation/models';
import { heavyTailed, uniform } from './simulation/models';
import type { SimulatedOrder } from './simulation/policies';
import { shipped } from './simulation/policies';
import { poissonTimes, seededRandom } from './simulation/random';
import { SERVICE_LIMIT } from './simulation/service';

/** What so many orders a day, each posted at its beginning, evenly over the day, need at the standard limit: requests and seconds, in simulated time. */

interface Row {
	ordersPerDay: number;
	model: string;
	/** Orders that were simulated. */
	orders: number;
	requestsPerDay: number;
	meanSeconds: number;
	p95Seconds: number;
	refused: number;
}

const MINUTES_A_DAY = 1440;
const INTERVAL_MS = 5_000;

/** Simulated minutes of one run, and how many runs: some hundred orders at least. */
const CASES: ReadonlyArray<{ ordersPerDay: number; minutes: number; runs: number }> = [
	{ ordersPerDay: 10, minutes: 0, runs: 400 },
	{ ordersPerDay: 1_000, minutes: 300, runs: 3 },
	{ ordersPerDay: 10_000, minutes: 60, runs: 2 },
	{ ordersPerDay: 50_000, minutes: 30, runs: 2 },
	{ ordersPerDay: 100_000, minutes: 30, runs: 2 },
];

async function measure(
	model: DurationModel,
	{ ordersPerDay, minutes, runs }: (typeof CASES)[number],
): Promise<Row> {
	const delays: number[] = [];
	let requests = 0;
	let refused = 0;
	for (let run = 0; run < runs; run++) {
		const random = seededRandom(500 + run);
		// Ten a day meet so rarely that each is on its own.
		const begins =
			minutes === 0 ? [0] : poissonTimes(random, ordersPerDay / MINUTES_A_DAY, minutes * 60_000);
		const orders: SimulatedOrder[] = begins.map((beganAt) => orderPostedAt(beganAt, model, random));
		const outcome = await shipped({ orders, intervalMs: INTERVAL_MS, random });
		delays.push(...outcome.delays);
		requests += outcome.requests;
		refused += outcome.refused;
	}
	const sorted = [...delays].sort((a, b) => a - b);
	const seconds = (ms: number): number => Math.round(ms / 10) / 100;
	return {
		ordersPerDay,
		model: model.name,
		orders: delays.length,
		requestsPerDay: Math.round((ordersPerDay * requests) / delays.length),
		meanSeconds: seconds(delays.reduce((sum, delay) => sum + delay, 0) / delays.length),
		p95Seconds: seconds(sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0),
		refused,
	};
}

async function main(): Promise<void> {
	const rows: Row[] = [];
	for (const model of [uniform, heavyTailed])
		for (const each of CASES) rows.push(await measure(model, each));
	const table = new Table({
		head: [
			'orders a day',
			'finish',
			'simulated',
			'requests a day',
			'mean',
			'95 % within',
			'refused',
		],
		style: { head: [], border: [], compact: true },
	});
	for (const {
		ordersPerDay,
		model,
		orders,
		requestsPerDay,
		meanSeconds,
		p95Seconds,
		refused,
	} of rows) {
		table.push([
			ordersPerDay,
			model,
			orders,
			requestsPerDay,
			`${meanSeconds} s`,
			`${p95Seconds} s`,
			refused,
		]);
	}
	console.log(
		`Orders that are posted at their beginning, evenly over the day, Check Every 5 seconds, ${SERVICE_LIMIT} requests a minute.`,
	);
	console.log(table.toString());
	if (rows.some(({ refused }) => refused > 0)) process.exitCode = 1;
	if (process.argv.includes('--json')) console.log(JSON.stringify({ rows }));
}

void main();
