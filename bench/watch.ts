import Table from 'cli-table3';
import type { Arrivals } from './simulation/arrivals';
import { drawOrders, expectedBeginnings } from './simulation/arrivals';
import { lowerBound } from './simulation/lowerBound';
import type { DurationModel } from './simulation/models';
import { heavyTailed, uniform } from './simulation/models';
import type { Policy } from './simulation/policies';
import { limitedLoop, oncePerMinute, plainLoop, shipped } from './simulation/policies';
import { seededRandom } from './simulation/random';
import { ONE_WAY_MS, SERVICE_LIMIT } from './simulation/service';

/** How soon a final status is reported, with orders arriving as users have them: the shipped modules and the usual ways, in simulated time. */

interface Row {
	policy: string;
	arrivals: Arrivals;
	model: DurationModel['name'];
	/** Orders at once; with a stream, orders a minute. */
	orders: number;
	/** Least seconds between two checks of the same order. */
	interval: number;
	meanSeconds: number;
	p95Seconds: number;
	maxSeconds: number;
	/**
	 * No schedule with ticks of a second, this interval (5 s for one check a minute) and watching's share of the limit has a smaller mean;
	 * the way back of an answer is part of it.
	 */
	boundSeconds: number;
	requestsPerOrder: number;
	refused: number;
}

const AT_ONCE: readonly number[] = [1, 10, 20, 50, 100, 200];
const A_MINUTE: readonly number[] = [5, 20, 40, 60, 80];
const STREAM_RUNS = 3;
/** Orders at once are repeated until about so many have been seen, and at least so often. */
const ORDERS_SEEN = 1_000;
const FEWEST_RUNS = 8;

/** The part of the limit that watching may use, in any 60 s. */
const WATCH_LIMIT = SERVICE_LIMIT - Math.ceil(0.05 * SERVICE_LIMIT);

const POLICIES: ReadonlyArray<{ name: string; policy: Policy; intervals: readonly number[] }> = [
	{ name: 'shipped', policy: shipped, intervals: [1, 5] },
	{ name: 'loop', policy: plainLoop, intervals: [5] },
	{ name: 'loop with limiter', policy: limitedLoop, intervals: [5] },
	{ name: 'once a minute', policy: oncePerMinute, intervals: [60] },
];

/** What a check has shown is known only when its answer has come back: so much later, on average. */
const WAY_BACK_S = (ONE_WAY_MS[0] + ONE_WAY_MS[1]) / 2 / 1000;

/** Mean seconds to reach for orders posted at their beginning, by model, interval and number. */
const GOALS: Readonly<Record<string, Readonly<Record<number, number>>>> = {
	'uniform posted 1': { 1: 0.7, 10: 0.7, 20: 0.9, 50: 2.2, 100: 9.5, 200: 42 },
	'uniform posted 5': { 1: 2.7, 10: 2.7, 20: 2.7, 50: 2.9, 100: 9.5, 200: 42 },
	'heavyTailed posted 5': { 50: 4.5 },
	'heavyTailed stream 5': { 60: 12 },
};
/** Where beginnings are unknown: mean up to so many times the bound, and no order later than that while up to 50 are open. */
const TIMES_BOUND = 1.2;
const LATEST_S = 65;

interface Case {
	arrivals: Arrivals;
	model: DurationModel;
	orders: number;
}

async function measure(
	policy: Policy,
	{ arrivals, model, orders }: Case,
	interval: number,
): Promise<Omit<Row, 'policy' | 'boundSeconds'>> {
	const delays: number[] = [];
	let requests = 0;
	let refused = 0;
	const runs =
		arrivals === 'stream' ? STREAM_RUNS : Math.max(FEWEST_RUNS, Math.ceil(ORDERS_SEEN / orders));
	for (let run = 0; run < runs; run++) {
		const random = seededRandom(1_000 + run);
		const outcome = await policy({
			orders: drawOrders(model, arrivals, orders, random),
			intervalMs: interval * 1000,
			random,
		});
		delays.push(...outcome.delays);
		requests += outcome.requests;
		refused += outcome.refused;
	}
	delays.sort((one, other) => one - other);
	return {
		arrivals,
		model: model.name,
		orders,
		interval,
		meanSeconds: seconds(delays.reduce((sum, delay) => sum + delay, 0) / delays.length),
		p95Seconds: seconds(delays[Math.ceil(0.95 * delays.length) - 1] ?? 0),
		maxSeconds: seconds(delays[delays.length - 1] ?? 0),
		requestsPerOrder: Math.round((1000 * requests) / delays.length) / 1000,
		refused,
	};
}

function boundOf({ arrivals, model, orders }: Case, interval: number): number {
	const isStream = arrivals === 'stream';
	const noticed = lowerBound({
		model,
		beginnings: expectedBeginnings(arrivals),
		orders: isStream ? null : orders,
		perMinute: isStream ? orders : undefined,
		limit: WATCH_LIMIT,
		stepSeconds: 1,
		phase: 0.5,
		intervalSeconds: interval,
	});
	return noticed + WAY_BACK_S;
}

function seconds(ms: number): number {
	return Math.round(ms) / 1000;
}

async function rowsOf(one: Case, policies: typeof POLICIES): Promise<Row[]> {
	const rows: Row[] = [];
	const bounds = new Map(
		[1, 5].map((interval) => [interval, seconds(1000 * boundOf(one, interval))]),
	);
	for (const { name, policy, intervals } of policies) {
		for (const interval of intervals) {
			const boundSeconds = bounds.get(interval) ?? bounds.get(5) ?? 0;
			rows.push({ policy: name, ...(await measure(policy, one, interval)), boundSeconds });
		}
	}
	return rows;
}

/** What this row has to reach, as text; null where nothing is demanded. */
function goalOf({ policy, arrivals, model, orders, interval, boundSeconds }: Row): number | null {
	if (policy !== 'shipped') return null;
	if (arrivals === 'postedLate' || arrivals === 'listed') return TIMES_BOUND * boundSeconds;
	return GOALS[`${model} ${arrivals} ${interval}`]?.[orders] ?? null;
}

function fallsShort(row: Row): boolean {
	if (row.policy !== 'shipped') return false;
	const isTooLate =
		(row.arrivals === 'postedLate' || row.arrivals === 'listed') &&
		row.orders <= 50 &&
		row.maxSeconds > LATEST_S;
	return (
		row.refused > 0 || isTooLate || row.meanSeconds > (goalOf(row) ?? Number.POSITIVE_INFINITY)
	);
}

function print(rows: readonly Row[]): void {
	const table = new Table({
		head: [
			'finish',
			'arrive',
			'policy',
			'every',
			'mean',
			'goal',
			'bound',
			'95 % within',
			'latest',
			'requests/order',
			'refused',
		],
		colAligns: [
			'left',
			'left',
			'left',
			'right',
			'right',
			'right',
			'right',
			'right',
			'right',
			'right',
			'right',
		],
		style: { head: [], border: [], compact: true },
	});
	for (const row of rows) {
		table.push([
			row.model,
			`${row.orders}${row.arrivals === 'stream' ? ' a minute' : ` ${row.arrivals}`}`,
			row.policy,
			`${row.interval} s`,
			`${row.meanSeconds.toFixed(2)} s${fallsShort(row) ? ' !' : ''}`,
			goalOf(row)?.toFixed(2) ?? '',
			row.boundSeconds.toFixed(2),
			`${row.p95Seconds.toFixed(1)} s`,
			`${row.maxSeconds.toFixed(1)} s`,
			row.requestsPerOrder.toFixed(1),
			row.refused,
		]);
	}
	console.log(
		'Seconds from the final status (or the arrival, if it was later) until it is reported, in simulated time.',
	);
	console.log(
		`The service serves ${SERVICE_LIMIT} requests in any 60 s; a request takes ${ONE_WAY_MS.join(' to ')} ms each way.`,
	);
	console.log(table.toString());
	const short = rows.filter(fallsShort).length;
	console.log(
		short === 0
			? 'All goals are reached, and no request was refused.'
			: `${short} rows fall short (!).`,
	);
}

async function main(): Promise<void> {
	const flags = process.argv.slice(2);
	const policies = flags.includes('--shipped') ? POLICIES.slice(0, 1) : POLICIES;
	const rows: Row[] = [];
	for (const model of [uniform, heavyTailed]) {
		for (const arrivals of ['posted', 'postedLate', 'listed', 'known', 'stream'] as const) {
			for (const orders of arrivals === 'stream' ? A_MINUTE : AT_ONCE)
				rows.push(...(await rowsOf({ arrivals, model, orders }, policies)));
		}
	}
	if (flags.includes('--json')) process.stdout.write(`${JSON.stringify({ rows })}\n`);
	else print(rows);
	if (rows.some(fallsShort)) process.exitCode = 1;
}

void main();
