import { type Arrivals, drawOrders } from './simulation/arrivals';
import { leastMeanSeconds } from './simulation/least';
import { type DurationModel, heavyTailed, uniform } from './simulation/models';
import { seededRandom } from './simulation/random';
import { evenRoundRobin, type Outcome, type Run, shipped } from './simulation/run';
import { SERVICE_LIMIT } from './simulation/service';
import { mean, quantile, report, type Row, withLeeway } from './simulation/table';

/**
 * How soon a final status is reported, in simulated time: what is shipped, driven by ticks, next to an even round robin, which is
 * what one would write oneself.
 */

interface Case {
	model: DurationModel;
	arrivals: Arrivals;
	/** Orders at once; with a stream, orders a minute. */
	orders: number;
	/** Check Every, in seconds. */
	every?: number;
	/** Mean seconds to reach. */
	max?: number;
	/** Stray 429s that the idle key has got until two minutes before; the mean may be 1.15 times that without. */
	strays?: number;
	/** n8n is busy with sending each request for this long, as in a real n8n (ms). */
	sendMs?: number;
}

/** Orders at once are repeated until about this many have been seen, and at least that often; streams take a quarter of an hour each. */
const ORDERS_SEEN = 1_000;
const MIN_RUNS = 8;
const STREAM_RUNS = 3;

const at = (arrivals: Arrivals, orders: number, max?: number, more: Partial<Case> = {}): Case => ({
	model: uniform,
	arrivals,
	orders,
	max,
	...more,
});
const CASES: readonly Case[] = [
	at('posted', 1),
	at('posted', 10),
	at('posted', 20),
	at('posted', 50, 2.75),
	at('posted', 100, 9.5),
	at('posted', 200, 42),
	at('posted', 10, 0.75, { every: 1 }),
	at('posted', 50, 2.3, { every: 1 }),
	at('postedLate', 50),
	at('shownLate', 50),
	at('listed', 50),
	at('stream', 40),
	at('stream', 60, 3.8),
	at('stream', 80, 6),
	at('posted', 50, undefined, { model: heavyTailed }),
	at('listed', 50, undefined, { model: heavyTailed }),
	at('stream', 60, 6.4, { model: heavyTailed }),
	at('stream', 80, undefined, { model: heavyTailed }),
	at('posted', 50, undefined, { sendMs: 4 }),
	...[3, 5, 8].map((strays) => at('posted', 50, undefined, { strays })),
];

async function measure(policy: (run: Run) => Promise<Outcome>, one: Case) {
	const { model, arrivals, orders: count, every = 5, strays = 0, sendMs } = one;
	const runs =
		arrivals === 'stream' ? STREAM_RUNS : Math.max(MIN_RUNS, Math.ceil(ORDERS_SEEN / count));
	const outcomes: Outcome[] = [];
	for (let run = 0; run < runs; run++) {
		const random = seededRandom(1_000 + run);
		const orders = drawOrders(model, arrivals, count, random);
		const tenants = [{ orders: [...orders.keys()], ticks: true }];
		const strayed = { count: strays, beforeMs: 120_000 };
		outcomes.push(
			await policy({ orders, tenants, intervalMs: 1000 * every, random, strays: strayed, sendMs }),
		);
	}
	const delays = outcomes.flatMap((each) => each.delays.map((ms) => ms / 1000));
	const sum = (value: (outcome: Outcome) => number): number =>
		outcomes.reduce((total, outcome) => total + value(outcome), 0);
	return {
		mean: mean(delays),
		'95 % within': quantile(delays, 0.95),
		latest: quantile(delays, 1),
		'requests/order': mean([sum(({ requests }) => requests) / delays.length]),
		refused: sum(({ refused }) => refused),
	};
}

async function main(): Promise<void> {
	const rows: Row[] = [];
	let clean = Number.NaN;
	for (const one of CASES) {
		const { model, arrivals, orders, every = 5, strays = 0, sendMs, max } = one;
		const isPlain = strays === 0 && sendMs === undefined;
		const isBurst = model === uniform && arrivals === 'posted' && every === 5 && isPlain;
		const ours = await measure(shipped, one);
		if (isBurst && orders === 50) clean = ours.mean;
		const bound = strays > 0 ? mean([1.15 * clean]) : max;
		const loop = strays > 0 ? null : await measure(evenRoundRobin, one);
		const ofStrays = strays > 0 ? `, ${strays} stray 429s` : '';
		const ofSending = sendMs === undefined ? '' : `, ${sendMs} ms to send each`;
		rows.push({
			name: [
				model.name,
				`${orders}${arrivals === 'stream' ? ' a minute' : ` ${arrivals}`}${ofStrays}${ofSending}`,
				`${every} s`,
			],
			figures: {
				...ours,
				...(loop === null ? {} : { 'round robin': loop.mean }),
				...(isBurst ? { least: mean([leastMeanSeconds(orders)]) } : {}),
			},
			max: { refused: 0, ...(bound === undefined ? {} : { mean: withLeeway(bound) }) },
		});
	}
	report(
		`Seconds from the final status (or the arrival, or when it is found, if that was later) until it is reported. The service serves ${SERVICE_LIMIT} requests in any 60 s.`,
		['finish', 'arrive', 'every'],
		rows,
	);
}

void main();
