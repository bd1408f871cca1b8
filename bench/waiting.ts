import { orderPostedAt } from './simulation/arrivals';
import { heavyTailed, uniform } from './simulation/models';
import { type Random, seededRandom } from './simulation/random';
import { type Run, shipped, type SimulatedOrder } from './simulation/run';
import { mean, report, type Row } from './simulation/table';

/** How long Wait for Completion takes to see that orders have finished, in simulated time; Check Every 5. */

/** Runs of a case: one of a few orders says more about its draw than about the schedule. */
const RUNS = 16;
const RUNS_OF_MANY = 4;
const MANY = 500;
/** Anyone who submits an order hands it over within this time. */
const HANDED_OVER_MS = 2_000;
/** Executions begin within this time. */
const EXECUTIONS_WITHIN_MS = 3_000;
const OLD_MS = 600_000;
const LATER_MS = 12_000;

type Setting = Pick<Run, 'orders' | 'tenants'>;

const listedAt = (
	addedAt: number,
	age: number,
	random: Random,
	model = uniform,
): SimulatedOrder => ({
	...orderPostedAt(addedAt, model, random, age),
	stated: {},
});
const each = <T>(count: number, make: (index: number) => T): T[] =>
	Array.from({ length: count }, (_, index) => make(index));
const justSubmitted = (random: Random): number => HANDED_OVER_MS * random();

const items = (count: number, random: Random, age = justSubmitted): Setting => ({
	orders: each(count, () => listedAt(0, age(random), random)),
	tenants: [{ orders: each(count, (index) => index), ticks: false }],
});

const executions = (
	count: number,
	random: Random,
	age = justSubmitted,
	model = uniform,
): Setting => ({
	orders: each(count, () => listedAt(EXECUTIONS_WITHIN_MS * random(), age(random), random, model)),
	tenants: each(count, (index) => ({ orders: [index], ticks: false })),
});

const CASES: ReadonlyArray<{
	name: string;
	/** Orders, with the mean seconds to reach where there is a bound. */
	counts: ReadonlyArray<[count: number, max?: number]>;
	draw: (count: number, random: Random) => Setting;
}> = [
	{ name: 'items of one execution', counts: [[10], [50, 2.9], [100], [200]], draw: items },
	{
		name: 'an execution for each',
		counts: [[10], [50], [100, 12], [200], [1_000]],
		draw: executions,
	},
	{
		name: 'an execution for each, heavy-tailed',
		counts: [[50]],
		draw: (count, random) => executions(count, random, undefined, heavyTailed),
	},
	{
		name: 'items that begin up to 12 s later',
		counts: [[50]],
		draw: (count, random) => items(count, random, () => -LATER_MS * random()),
	},
	{
		name: 'an execution for each, half of the orders long finished',
		counts: [[50, 4.5]],
		draw: (count, random) =>
			executions(count, random, () => (random() < 0.5 ? OLD_MS : HANDED_OVER_MS * random())),
	},
];

async function main(): Promise<void> {
	const rows: Row[] = [];
	for (const { name, counts, draw } of CASES) {
		for (const [count, max] of counts) {
			const outcomes = [];
			const before = process.cpuUsage();
			const runs = count < MANY ? RUNS : RUNS_OF_MANY;
			for (let run = 0; run < runs; run++) {
				const random = seededRandom(1_000 + run);
				outcomes.push(await shipped({ ...draw(count, random), intervalMs: 5_000, random }));
			}
			const { user, system } = process.cpuUsage(before);
			const seconds = outcomes.map((outcome) => outcome.seconds);
			rows.push({
				name: [name, String(count)],
				figures: {
					mean: mean(outcomes.flatMap(({ delays }) => delays.map((ms) => ms / 1000))),
					'all after': mean(seconds, 0),
					'requests/order': mean(outcomes.map(({ requests }) => requests / count)),
					429: mean(
						outcomes.map(({ refused }) => refused),
						1,
					),
					'% of a core': mean([(user + system) / 1e4 / (runs * mean(seconds))], 1),
				},
				...(max === undefined ? {} : { max: { mean: max } }),
			});
		}
	}
	report(
		`Seconds until a final status is known. Orders are handed over up to ${HANDED_OVER_MS / 1000} s after they began; executions begin within ${EXECUTIONS_WITHIN_MS / 1000} s.`,
		['waited for', 'orders'],
		rows,
	);
}

void main();
