import { seededRandom } from './simulation/random';
import { SERVICE_LIMIT } from './simulation/service';
import { runSharedKey, type SharedKeyOutcome, wholeLimit } from './simulation/sharedKey';
import { mean, report, type Row, rounded } from './simulation/table';

/** Several n8n processes with one key, each with the whole limit in its credential: how they divide it by what they hear. In simulated time. */

const MINUTES = 60;
const SEEDS = [1, 2, 3];
const BUSY = Number.POSITIVE_INFINITY;
const FEW = 5;
const EVEN_TOTAL = 80;

const LOADS: ReadonlyArray<{
	name: string;
	wants: (count: number) => number[];
	bounds: Pick<Row, 'max' | 'min'>;
}> = [
	{
		name: 'all have more than they can send',
		wants: (count) => Array.from({ length: count }, () => BUSY),
		bounds: { min: { served: 92, fairness: 0.97 }, max: { refused: 5 } },
	},
	{
		name: `one has, the others want ${FEW} a minute`,
		wants: (count) => [BUSY, ...Array.from({ length: count - 1 }, () => FEW)],
		bounds: { min: { served: 88, least: 0.95 * FEW } },
	},
	{
		name: `together ${EVEN_TOTAL} a minute, evenly`,
		wants: (count) => Array.from({ length: count }, () => EVEN_TOTAL / count),
		bounds: { max: { refused: 0 } },
	},
];

async function main(): Promise<void> {
	const rows: Row[] = [];
	for (const { name, wants, bounds } of LOADS) {
		for (const count of [2, 4, 8]) {
			for (const retryAfter of [false, true]) {
				const outcomes: SharedKeyOutcome[] = [];
				for (const seed of SEEDS) {
					const random = seededRandom(seed);
					const processes = wholeLimit(wants(count));
					outcomes.push(await runSharedKey({ processes, minutes: MINUTES, retryAfter, random }));
				}
				const each = outcomes.map(({ servedPerMinute }) => servedPerMinute);
				rows.push({
					name: [name, String(count), retryAfter ? 'yes' : 'no'],
					figures: {
						served: mean(
							each.map((served) => served.reduce((sum, one) => sum + one, 0)),
							1,
						),
						least: mean(
							each.map((served) => Math.min(...served)),
							1,
						),
						most: mean(
							each.map((served) => Math.max(...served)),
							1,
						),
						refused: mean(outcomes.map(({ refusedPerMinute }) => refusedPerMinute)),
						fairness: rounded(Math.min(...outcomes.map(({ fairness }) => fairness)), 3),
						'longest wait': rounded(
							Math.max(
								...outcomes.map(({ longestGapSeconds, longestWaitSeconds }) =>
									wants(count).every((want) => want === BUSY)
										? longestGapSeconds
										: longestWaitSeconds,
								),
							),
							0,
						),
					},
					...bounds,
				});
			}
		}
	}
	report(
		`Requests a minute of ${SERVICE_LIMIT}, ${MINUTES} minutes after the first five, ${SEEDS.length} runs each. Fairness: Jain's index, the worst; waits in seconds, the longest.`,
		['load', 'processes', 'Retry-After'],
		rows,
	);
}

void main();
