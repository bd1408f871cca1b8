import Table from 'cli-table3';
import type { DurationLaw } from './simulation/laws';
import { heavyLaw, uniformLaw } from './simulation/laws';
import { lowerBound } from './simulation/lowerBound';
import type { Outcome, Policy, SimulatedOrder } from './simulation/policies';
import { limitedLoop, oncePerMinute, plainLoop, shipped } from './simulation/policies';
import type { Random } from './simulation/random';
import { poissonTimes, seededRandom } from './simulation/random';
import { ONE_WAY_MS, SERVICE_LIMIT } from './simulation/service';

/** How soon the end of an order is seen: the shipped modules and the usual ways, in simulated time. */

type Arrivals = 'burst' | number;

interface Row {
	policy: string;
	law: string;
	/** All at once, or so many a minute. */
	arrivals: Arrivals;
	/** Orders in one run. */
	orders: number;
	/** Least seconds between two looks at one order; 0 where there is none. */
	interval: number;
	meanSeconds: number;
	p95Seconds: number | null;
	requestsPerOrder: number | null;
	refused: number;
}

const LAWS: readonly DurationLaw[] = [uniformLaw, heavyLaw];
const BURSTS: readonly number[] = [1, 10, 20, 50, 100, 200];
const RATES: readonly number[] = [5, 20, 40, 60, 80];
const STEADY_MINUTES = 15;
const STEADY_RUNS = 4;
/** Bursts are repeated until about so many orders have been seen, and at least so often. */
const BURST_ORDERS = 2_000;
const FEWEST_BURSTS = 10;

const POLICIES: ReadonlyArray<{ name: string; policy: Policy; intervals: readonly number[] }> = [
	{ name: 'shipped', policy: shipped, intervals: [1, 5] },
	{ name: 'loop', policy: plainLoop, intervals: [5] },
	{ name: 'loop with limiter', policy: limitedLoop, intervals: [5] },
	{ name: 'once a minute', policy: oncePerMinute, intervals: [60] },
];

/** Mean seconds to reach with the uniform law, by interval and number of orders at once. */
const GOALS: Readonly<Record<number, Readonly<Record<number, number>>>> = {
	1: { 1: 0.6, 10: 0.6, 20: 0.8, 50: 2.1, 100: 10, 200: 42 },
	5: { 1: 2.6, 10: 2.6, 20: 2.6, 50: 2.7, 100: 10, 200: 42 },
};

function drawOrders(law: DurationLaw, arrivals: Arrivals, orders: number, random: Random): SimulatedOrder[] {
	const begins =
		arrivals === 'burst'
			? Array.from({ length: orders }, () => 0)
			: poissonTimes(random, arrivals, STEADY_MINUTES * 60_000);
	return begins.map((beginsAt) => ({ beginsAt, endsAt: beginsAt + 1000 * law.draw(random) }));
}

async function measure(policy: Policy, law: DurationLaw, arrivals: Arrivals, orders: number, interval: number): Promise<Outcome> {
	const all: Outcome = { delays: [], requests: 0, refused: 0 };
	const runs = arrivals === 'burst' ? Math.max(FEWEST_BURSTS, Math.ceil(BURST_ORDERS / orders)) : STEADY_RUNS;
	for (let run = 0; run < runs; run++) {
		const random = seededRandom(1_000 + run);
		const outcome = await policy({
			orders: drawOrders(law, arrivals, orders, random),
			intervalMs: interval * 1000,
			random,
		});
		all.delays.push(...outcome.delays);
		all.requests += outcome.requests;
		all.refused += outcome.refused;
	}
	return all;
}

function rounded(value: number): number {
	return Math.round(value * 1000) / 1000;
}

async function allRows(): Promise<Row[]> {
	const rows: Row[] = [];
	const cases: Array<{ arrivals: Arrivals; orders: number }> = [
		...BURSTS.map((orders) => ({ arrivals: 'burst' as const, orders })),
		...RATES.map((arrivals) => ({ arrivals, orders: arrivals * STEADY_MINUTES })),
	];
	for (const law of LAWS) {
		for (const { arrivals, orders } of cases) {
			const about = { law: law.name, arrivals, orders };
			for (const { name, policy, intervals } of POLICIES) {
				for (const interval of intervals) {
					const { delays, requests, refused } = await measure(policy, law, arrivals, orders, interval);
					const sorted = [...delays].sort((one, other) => one - other);
					rows.push({
						policy: name,
						...about,
						interval,
						meanSeconds: rounded(delays.reduce((sum, delay) => sum + delay, 0) / delays.length / 1000),
						p95Seconds: rounded((sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0) / 1000),
						requestsPerOrder: rounded(requests / delays.length),
						refused,
					});
				}
			}
			const meanSeconds = rounded(lowerBound(law, arrivals, orders));
			rows.push({ policy: 'lower bound', ...about, interval: 0, meanSeconds, p95Seconds: null, requestsPerOrder: null, refused: 0 });
		}
	}
	return rows;
}

function goalOf({ policy, law, arrivals, orders, interval }: Row): number | null {
	if (policy !== 'shipped' || law !== uniformLaw.name || arrivals !== 'burst') return null;
	return GOALS[interval]?.[orders] ?? null;
}

/** A shipped row falls short when a request was refused or its goal is not reached. */
function fallsShort(row: Row): boolean {
	const goal = goalOf(row);
	return row.policy === 'shipped' && (row.refused > 0 || (goal !== null && row.meanSeconds > goal));
}

function print(rows: readonly Row[]): void {
	const table = new Table({
		head: ['ends', 'begin', 'policy', 'every', 'mean', 'goal', '95 % within', 'requests/order', 'refused'],
		colAligns: ['left', 'left', 'left', 'right', 'right', 'right', 'right', 'right', 'right'],
		style: { head: [], border: [], compact: true },
	});
	for (const row of rows) {
		const goal = goalOf(row);
		table.push([
			row.law,
			row.arrivals === 'burst' ? `${row.orders} at once` : `${row.arrivals} a minute`,
			row.policy,
			row.interval === 0 ? '' : `${row.interval} s`,
			`${row.meanSeconds.toFixed(2)} s`,
			goal === null ? '' : `${goal} s`,
			row.p95Seconds === null ? '' : `${row.p95Seconds.toFixed(1)} s`,
			row.requestsPerOrder === null ? '' : row.requestsPerOrder.toFixed(1),
			String(row.refused),
		]);
	}
	console.log('Seconds from the end of an order until it is seen, in simulated time.');
	console.log(`The service serves ${SERVICE_LIMIT} requests in any 60 s; a request takes ${ONE_WAY_MS.join(' to ')} ms each way.`);
	console.log(table.toString());
	const short = rows.filter(fallsShort);
	console.log(short.length === 0 ? 'All goals are reached, and no request was refused.' : `${short.length} rows fall short.`);
}

async function main(): Promise<void> {
	const rows = await allRows();
	print(rows);
	if (rows.some(fallsShort)) process.exitCode = 1;
	if (process.argv.includes('--json')) console.log(JSON.stringify({ rows }));
}

void main();
