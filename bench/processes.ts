import Table from 'cli-table3';

import { seededRandom } from './simulation/random';
import { SERVICE_LIMIT } from './simulation/service';
import { itsShare, runSharedKey, wholeLimit, type SharedKeyOutcome } from './simulation/sharedKey';

/**
 * Several n8n processes with one key, which cannot count together: is it better to give each its share in the credential,
 * or the whole limit to each and let the service's refusals divide it? In simulated time, with the shipped budget.
 */

const MINUTES = 120;
const SEEDS = [1, 2, 3];
const ALL_IT_GETS = Number.POSITIVE_INFINITY;

interface Row extends SharedKeyOutcome {
	load: string;
	processes: number;
	credential: 'share' | 'whole limit';
	retryAfter: boolean;
}

const LOADS: ReadonlyArray<{ name: string; wants: (count: number) => number[] }> = [
	{ name: 'all have more than they can send', wants: (count) => Array.from({ length: count }, () => ALL_IT_GETS) },
	{ name: 'one has, the others want 5 a minute', wants: (count) => [ALL_IT_GETS, ...Array.from({ length: count - 1 }, () => 5)] },
	{ name: 'together 80 a minute, evenly', wants: (count) => Array.from({ length: count }, () => 80 / count) },
];

async function measure(): Promise<Row[]> {
	const rows: Row[] = [];
	for (const { name, wants } of LOADS) {
		for (const count of [2, 4, 8]) {
			for (const [credential, processesOf] of [['share', itsShare], ['whole limit', wholeLimit]] as const) {
				for (const retryAfter of [false, true]) {
					if (credential === 'share' && retryAfter) continue;
					const outcomes: SharedKeyOutcome[] = [];
					for (const seed of SEEDS) {
						const processes = processesOf(count, wants(count));
						outcomes.push(await runSharedKey({ processes, minutes: MINUTES, retryAfter, random: seededRandom(seed) }));
					}
					rows.push({ load: name, processes: count, credential, retryAfter, ...meanOf(outcomes) });
				}
			}
		}
	}
	return rows;
}

function meanOf(outcomes: readonly SharedKeyOutcome[]): SharedKeyOutcome {
	const mean = (value: (outcome: SharedKeyOutcome) => number): number =>
		Math.round((100 * outcomes.reduce((sum, outcome) => sum + value(outcome), 0)) / outcomes.length) / 100;
	const processes = outcomes[0]?.servedPerMinute.length ?? 0;
	return {
		servedPerMinute: Array.from({ length: processes }, (_, index) => mean(({ servedPerMinute }) => servedPerMinute[index] ?? 0)),
		refusedPerMinute: mean(({ refusedPerMinute }) => refusedPerMinute),
		fairness: mean(({ fairness }) => fairness),
		longestPauseSeconds: Math.max(...outcomes.map(({ longestPauseSeconds }) => Math.round(longestPauseSeconds))),
	};
}

function print(rows: readonly Row[]): void {
	const table = new Table({
		head: ['load', 'processes', 'credential', 'Retry-After', 'served a minute', 'least', 'most', '429 a minute', 'fairness', 'longest pause'],
		style: { head: [], border: [], compact: true },
	});
	for (const { load, processes, credential, retryAfter, servedPerMinute, refusedPerMinute, fairness, longestPauseSeconds } of rows) {
		const sum = servedPerMinute.reduce((total, each) => total + each, 0);
		table.push([
			load,
			processes,
			credential,
			credential === 'share' ? '' : retryAfter ? 'yes' : 'no',
			sum.toFixed(1),
			Math.min(...servedPerMinute).toFixed(1),
			Math.max(...servedPerMinute).toFixed(1),
			refusedPerMinute.toFixed(2),
			fairness.toFixed(2),
			`${longestPauseSeconds} s`,
		]);
	}
	console.log(`The service serves ${SERVICE_LIMIT} requests of the key in any 60 s. ${MINUTES} simulated minutes, mean of ${SEEDS.length} runs.`);
	console.log(table.toString());
}

async function main(): Promise<void> {
	const rows = await measure();
	print(rows);
	const shared = rows.filter(({ credential }) => credential === 'share');
	if (shared.some(({ refusedPerMinute }) => refusedPerMinute > 0)) process.exitCode = 1;
	if (process.argv.includes('--json')) console.log(JSON.stringify({ rows }));
}

void main();
