import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type ChartLine, chartOf, type Theme } from './chart';
import { drawOrders } from './simulation/arrivals';
import { leastMeanSeconds } from './simulation/least';
import { uniform } from './simulation/models';
import { seededRandom } from './simulation/random';
import { evenRoundRobin, onceAMinute, type Outcome, type Run, shipped } from './simulation/run';
import { mean } from './simulation/table';

/** Draws docs/limits.md's picture: mean seconds by orders that were posted at once, as the schedule is shipped, and of the usual ways. */

const IMAGES = join(__dirname, '..', 'docs', 'images');

const EVERY_SECONDS = 5;
const ORDERS_SEEN = 1_000;
const MIN_RUNS = 8;

/** Orders that are posted at once. */
const COUNTS = [1, 10, 20, 50, 100, 200];

async function meanSeconds(policy: (run: Run) => Promise<Outcome>, count: number): Promise<number> {
	const delays: number[] = [];
	const runs = Math.max(MIN_RUNS, Math.ceil(ORDERS_SEEN / count));
	for (let run = 0; run < runs; run++) {
		const random = seededRandom(1_000 + run);
		const orders = drawOrders(uniform, 'posted', count, random);
		const tenants = [{ orders: [...orders.keys()], ticks: true }];
		const outcome = await policy({ orders, tenants, intervalMs: 1000 * EVERY_SECONDS, random });
		delays.push(...outcome.delays);
	}
	return mean(delays.map((ms) => ms / 1000));
}

async function lineOf(
	name: string,
	kind: ChartLine['kind'],
	policy: (run: Run) => Promise<Outcome>,
): Promise<ChartLine> {
	const points: Array<{ orders: number; seconds: number }> = [];
	for (const orders of COUNTS) points.push({ orders, seconds: await meanSeconds(policy, orders) });
	console.log(`${name}: ${points.map(({ orders, seconds }) => `${orders} ${seconds}`).join(', ')}`);
	return { name, kind, points };
}

async function main(): Promise<void> {
	const lines: ChartLine[] = [
		await lineOf('one check a minute', 'minute', onceAMinute),
		await lineOf('an evenly paced loop', 'loop', evenRoundRobin),
		await lineOf('this trigger', 'ours', shipped),
		{
			name: 'the least possible',
			kind: 'bound',
			points: COUNTS.map((orders) => ({ orders, seconds: leastMeanSeconds(orders) })),
		},
	];
	const themes: ReadonlyArray<readonly [Theme, string]> = [
		['light', ''],
		['dark', '-dark'],
	];
	for (const [theme, ending] of themes)
		writeFileSync(join(IMAGES, `seconds-by-orders${ending}.svg`), chartOf(lines, theme));
}

void main();
