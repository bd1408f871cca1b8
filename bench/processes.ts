import Table from 'cli-table3';

import { seededRandom } from './simulation/random';
import { SERVICE_LIMIT } from './simulation/service';
import { runSharedKey, wholeLimit, type SharedKeyOutcome } from './simulation/sharedKey';

/**
 * Several n8n processes with one key, each with the whole limit in its credential: how do they divide it by what they hear?
 * In simulated time, with the shipped budget. `--json` prints rows and nothing else.
 */

const MINUTES = 60;
const SEEDS = [1, 2, 3];
const ALL_IT_GETS = Number.POSITIVE_INFINITY;
const FEW_PER_MINUTE = 5;
const EVEN_TOTAL = 80;

export interface Row {
	processes: number;
	/** All have more than they can send; one has and the others want 5 a minute; together they want 80 a minute, evenly. */
	pattern: 'allBusy' | 'oneBusy' | 'even';
	/** Whether the service's 429 says when to come again. */
	retryAfter: boolean;
	/** Requests a minute, all processes together. */
	served: number;
	refused: number;
	/** Jain's index of what each was served as a part of its max-min fair share. */
	jain: number;
	/** The longest time that a busy process was without an answer (allBusy), or that a request of the others took (otherwise). */
	longestSeconds: number;
	servedByProcess: number[];
}

const PATTERNS: ReadonlyArray<{ pattern: Row['pattern']; wants: (count: number) => number[] }> = [
	{ pattern: 'allBusy', wants: (count) => Array.from({ length: count }, () => ALL_IT_GETS) },
	{
		pattern: 'oneBusy',
		wants: (count) => [ALL_IT_GETS, ...Array.from({ length: count - 1 }, () => FEW_PER_MINUTE)],
	},
	{ pattern: 'even', wants: (count) => Array.from({ length: count }, () => EVEN_TOTAL / count) },
];

async function measure(): Promise<Row[]> {
	const rows: Row[] = [];
	for (const { pattern, wants } of PATTERNS) {
		for (const processes of [2, 4, 8]) {
			for (const retryAfter of [false, true]) {
				const outcomes: SharedKeyOutcome[] = [];
				for (const seed of SEEDS) {
					outcomes.push(
						await runSharedKey({
							processes: wholeLimit(wants(processes)),
							minutes: MINUTES,
							retryAfter,
							random: seededRandom(seed),
						}),
					);
				}
				rows.push({ processes, pattern, retryAfter, ...summaryOf(pattern, outcomes) });
			}
		}
	}
	return rows;
}

/** Means over the runs; of fairness the worst, of times the longest. */
function summaryOf(
	pattern: Row['pattern'],
	outcomes: readonly SharedKeyOutcome[],
): Omit<Row, 'processes' | 'pattern' | 'retryAfter'> {
	const mean = (value: (outcome: SharedKeyOutcome) => number): number =>
		Math.round(
			(100 * outcomes.reduce((sum, outcome) => sum + value(outcome), 0)) / outcomes.length,
		) / 100;
	const servedByProcess = (outcomes[0]?.servedPerMinute ?? []).map((_, index) =>
		mean(({ servedPerMinute }) => servedPerMinute[index] ?? 0),
	);
	return {
		served: mean(({ servedPerMinute }) => servedPerMinute.reduce((sum, each) => sum + each, 0)),
		refused: mean(({ refusedPerMinute }) => refusedPerMinute),
		jain: Math.round(1000 * Math.min(...outcomes.map(({ fairness }) => fairness))) / 1000,
		longestSeconds: Math.round(
			Math.max(
				...outcomes.map((outcome) =>
					pattern === 'allBusy' ? outcome.longestGapSeconds : outcome.longestWaitSeconds,
				),
			),
		),
		servedByProcess,
	};
}

/** Whether a row reaches what is promised of its pattern. */
function reachesGoals({
	pattern,
	served,
	refused,
	jain,
	longestSeconds,
	servedByProcess,
}: Row): boolean {
	switch (pattern) {
		case 'allBusy':
			return served >= 93 && refused <= 5 && jain >= 0.98 && longestSeconds <= 60;
		case 'oneBusy':
			return (
				served >= 90 &&
				longestSeconds <= 30 &&
				servedByProcess.slice(1).every((each) => each >= 0.95 * FEW_PER_MINUTE)
			);
		case 'even':
			return refused === 0;
	}
}

const NAMES: Record<Row['pattern'], string> = {
	allBusy: 'all have more than they can send',
	oneBusy: `one has, the others want ${FEW_PER_MINUTE} a minute`,
	even: `together ${EVEN_TOTAL} a minute, evenly`,
};

function print(rows: readonly Row[]): void {
	const table = new Table({
		head: [
			'load',
			'processes',
			'Retry-After',
			'served a minute',
			'least',
			'most',
			'429 a minute',
			'fairness',
			'longest',
		],
		style: { head: [], border: [], compact: true },
	});
	for (const {
		pattern,
		processes,
		retryAfter,
		served,
		servedByProcess,
		refused,
		jain,
		longestSeconds,
	} of rows) {
		table.push([
			NAMES[pattern],
			processes,
			retryAfter ? 'yes' : 'no',
			served.toFixed(1),
			Math.min(...servedByProcess).toFixed(1),
			Math.max(...servedByProcess).toFixed(1),
			refused.toFixed(2),
			jain.toFixed(3),
			`${longestSeconds} s`,
		]);
	}
	console.log(
		`The service serves ${SERVICE_LIMIT} requests of the key in any 60 s, and each process has all ${SERVICE_LIMIT} in its credential. ${MINUTES} simulated minutes after the first five, ${SEEDS.length} runs each.`,
	);
	console.log(table.toString());
}

async function main(): Promise<void> {
	const rows = await measure();
	if (process.argv.includes('--json')) console.log(JSON.stringify({ rows }));
	else print(rows);
	if (!rows.every(reachesGoals)) process.exitCode = 1;
}

void main();
