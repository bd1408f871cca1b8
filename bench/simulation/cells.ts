import { type DurationModel, heavyTailed, uniform } from './models';
import { normal, poissonTimes, type Random, seededRandom } from './random';
import { type Outcome, type Run, shipped, type SimulatedOrder } from './run';
import { mean } from './table';

/**
 * A cell: when the service finds an order / how long the order takes / the clock of that: B from its beginning, S from when it is
 * found / arrivals / what lies next to them. s2, u30: found within so many seconds, uniformly; e20, e60: after so many; ln30:
 * lognormal with a median of 30 s; exp600: exponential with a mean of 10 minutes. u515, u60180, u60360: finishes after 5 to 15, 60 to
 * 180, 60 to 360 s; bi: 90 % after 5 to 15 s, 10 % after 10 to 60 minutes. b50: 50 sent at once; st40: 40 a minute; ls50: 50 in a
 * list. stuck50: 50 orders that stay open; inv50: 50 wrong hashes; with +, of another trigger; fail20: 20 % of the checks fail.
 */
export const CELLS: readonly string[] = [
	...cells('s2/u515/B', 'b10 b50 b200 st10 st40 st60 st80 ls50'),
	...cells('s2/heavy/B', 'b50 b200 st40 st60 st80'),
	...cells('s2/u60180/B', 'b10 b50 b200 st10 st40 st60'),
	...cells('s2/bi/B', 'b50 st10 st40 st60'),
	...cells('u30/u515/B', 'b10 b50 st40 st60 st80'),
	...cells('e20/u515/B', 'b50 st10 st40 st60 st80'),
	...cells('e60/u515/B', 'b10 b50 b200 st10 st40 st60 st80'),
	...cells('ln30/u515/B', 'b50 b200 st10 st40 st60 st80'),
	...cells('exp600/u515/B', 'b50 st10 st40'),
	...cells('u30/u515/S', 'b50 st40 st60'),
	...cells('e60/u515/S', 'b50 st40 st60'),
	...cells('ln30/u515/S', 'b50 st40 st60'),
	...cells('exp600/u515/S', 'st10 st40'),
	'ln30/heavy/S/st40',
	'e60/u60180/B/st40',
	'ln30/bi/S/st40',
	'ln30/u60180/B/b50',
	...cells('s2/u515/B', 'b50/stuck50 b50/inv50 b50/inv300 b50/+stuck50 b50/+inv50 b50/+inv300'),
	...cells('s2/u515/B', 'st40/stuck50 st40/inv50 st40/inv300 st60/inv300 b50/fail20 st40/fail20'),
	...cells('ln30/u515/B', 'st40/inv50 st40/inv300 b50/inv50 b50/stuck50'),
	'e60/u515/B/st40/inv50',
	...cells('s2/u60180/B', 'ls10 ls20 ls50'),
	...cells('s2/u60360/B', 'ls10 ls20 ls50'),
];

function cells(world: string, arrivals: string): string[] {
	return arrivals.split(' ').map((each) => `${world}/${each}`);
}

/** When an order is found, in seconds from its beginning. */
const FOUND: Readonly<Record<string, (random: Random) => number>> = {
	s2: (random) => 2 * random(),
	u30: (random) => 30 * random(),
	e20: () => 20,
	e60: () => 60,
	ln30: (random) => 30 * Math.exp(normal(random)),
	exp600: (random) => -600 * Math.log(1 - random()),
};

const DURATIONS: Readonly<Record<string, DurationModel['draw']>> = {
	u515: uniform.draw,
	heavy: heavyTailed.draw,
	u60180: (random) => 60 + 120 * random(),
	u60360: (random) => 60 + 300 * random(),
	bi: (random) => (random() < 0.9 ? 5 + 10 * random() : 600 + 3_000 * random()),
};

/** Orders at once are drawn until about this many have been seen, at least this often. */
const ORDERS_SEEN = 300;
const MIN_RUNS = 3;
const STREAM_RUNS = 1;
const STREAM_MS = 900_000;
const LISTED_MS = 60_000;
const FAILING_PART = 0.2;

const NEVER = Number.POSITIVE_INFINITY;

export async function measureCell(
	name: string,
	policy: (run: Run) => Promise<Outcome> = shipped,
): Promise<number> {
	const [, , , arrivals = ''] = name.split('/');
	const [, way = '', count = ''] = /^([a-z]+)(\d+)$/.exec(arrivals) ?? [];
	const runs =
		way === 'st' ? STREAM_RUNS : Math.max(MIN_RUNS, Math.ceil(ORDERS_SEEN / Number(count)));
	const delays: number[] = [];
	for (let run = 0; run < runs; run++)
		delays.push(
			...(await policy(runOf(name, way, Number(count), seededRandom(2_000 + run)))).delays,
		);
	return mean(delays.map((ms) => ms / 1000));
}

function runOf(name: string, way: string, count: number, random: Random): Run {
	const [found = '', duration = '', clock = '', , neighborhood = ''] = name.split('/');
	const times = way === 'st' ? poissonTimes(random, count, STREAM_MS) : zeros(count);
	const own = times.map((addedAt): SimulatedOrder => {
		const beganAt = addedAt - (way === 'ls' ? LISTED_MS * random() : 0);
		const foundFrom = beganAt + 1000 * (FOUND[found]?.(random) ?? NaN);
		const takes = 1000 * (DURATIONS[duration]?.(random) ?? NaN);
		// A clock that starts when the order is found is also what the service states.
		const createdAt = clock === 'S' ? foundFrom : beganAt;
		const stated = way === 'ls' ? {} : { postedAt: addedAt };
		return { beganAt: createdAt, foundFrom, finishedAt: createdAt + takes, addedAt, stated };
	});
	const [, isOther = '', kind = '', number = '0'] = /^(\+?)([a-z]+)(\d+)$/.exec(neighborhood) ?? [];
	const others = zeros(kind === 'fail' ? 0 : Number(number)).map((): SimulatedOrder => ({
		beganAt: 0,
		foundFrom: kind === 'inv' ? NEVER : 0,
		finishedAt: NEVER,
		addedAt: 0,
		stated: { postedAt: 0 },
	}));
	const orders = [...own, ...others];
	const places = [...orders.keys()];
	const tenants =
		isOther === ''
			? [{ orders: places, ticks: true }]
			: [places.slice(0, own.length), places.slice(own.length)].map((each) => ({
					orders: each,
					ticks: true,
				}));
	const failingPart = kind === 'fail' ? FAILING_PART : 0;
	return { orders, tenants, intervalMs: 5_000, random, failingPart };
}

const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

interface Neighbors {
	name: string;
	/** Seconds. */
	max: number;
	draw(random: Random): Run;
	/** The slowest order counts, not their mean. */
	isWorst?: boolean;
}

/** A good order, added and begun at this time. */
const good = (at: number, random: Random): SimulatedOrder => ({
	beganAt: at,
	foundFrom: at + 2_000 * random(),
	finishedAt: at + 1000 * uniform.draw(random),
	addedAt: at,
	stated: { postedAt: at },
});

const wrong = (addedAt: number): SimulatedOrder => ({
	beganAt: addedAt,
	foundFrom: NEVER,
	finishedAt: NEVER,
	addedAt,
	stated: { postedAt: addedAt },
});

const failing = (): SimulatedOrder => ({ ...wrong(0), foundFrom: 0, fails: true });

function withNeighbors(
	own: readonly SimulatedOrder[],
	others: readonly SimulatedOrder[],
	random: Random,
	isSameTrigger = false,
): Run {
	const orders = [...own, ...others];
	const places = [...orders.keys()];
	const groups = isSameTrigger ? [places] : [places.slice(0, own.length), places.slice(own.length)];
	const tenants = groups.map((each) => ({ orders: each, ticks: true }));
	return { orders, tenants, intervalMs: 5_000, random };
}

const TWO_MINUTES = 120_000;

/** What others have sent two minutes before, or their whole list, slows orders little. */
export const NEIGHBORS: readonly Neighbors[] = [
	{
		name: "an order next to another's 999 wrong hashes",
		max: 10,
		isWorst: true,
		draw: (random) =>
			withNeighbors(
				[0, 1, 2, 3, 4, 5].map((count) => good(300_000 * count, random)),
				zeros(999).map(wrong),
				random,
			),
	},
	{
		name: '20 a minute after 100 failing ones',
		max: 7,
		draw: (random) =>
			withNeighbors(
				poissonTimes(random, 20, STREAM_MS).map((at) => good(TWO_MINUTES + at, random)),
				zeros(100).map(failing),
				random,
				true,
			),
	},
	{
		name: "50 next to another's 100 failing ones",
		max: 12,
		draw: (random) =>
			withNeighbors(
				zeros(50).map(() => good(TWO_MINUTES, random)),
				zeros(100).map(failing),
				random,
			),
	},
	{
		name: "50 next to another's 200 listed ones",
		max: 12,
		draw: (random) =>
			withNeighbors(
				zeros(50).map(() => good(TWO_MINUTES, random)),
				zeros(200).map(() => ({ ...wrong(0), stated: {} })),
				random,
			),
	},
];

const NEIGHBOR_RUNS = 3;

export async function measureNeighbors({ draw, isWorst = false }: Neighbors): Promise<number> {
	const delays: number[] = [];
	for (let run = 0; run < NEIGHBOR_RUNS; run++) {
		const outcome = await shipped(draw(seededRandom(3_000 + run)));
		delays.push(...outcome.delays.map((ms) => ms / 1000));
	}
	return mean([isWorst ? Math.max(...delays) : mean(delays)]);
}
