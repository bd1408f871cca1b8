import { type Arrivals, drawOrders, orderPostedAt } from '../../../bench/simulation/arrivals';
import { heavyTailed, uniform } from '../../../bench/simulation/models';
import { seededRandom } from '../../../bench/simulation/random';
import { evenRoundRobin, type Run, shipped } from '../../../bench/simulation/run';

/** What users notice of the schedule, in simulated time; the benches have the figures. */

const drawn = (arrivals: Arrivals, count: number, model = uniform): Run => {
	const random = seededRandom(5);
	const orders = drawOrders(model, arrivals, count, random);
	return {
		orders,
		tenants: [{ orders: [...orders.keys()], ticks: true }],
		intervalMs: 5_000,
		random,
	};
};
const mean = (delays: readonly number[]): number =>
	delays.reduce((sum, delay) => sum + delay, 0) / delays.length / 1000;

test('fifty posted orders are reported within seconds, sooner than by an even round robin', async () => {
	const { delays, refused } = await shipped(drawn('posted', 50));
	expect([refused, mean(delays) < 2.9]).toEqual([0, true]);
	expect(mean((await evenRoundRobin(drawn('posted', 50))).delays)).toBeGreaterThan(mean(delays));
});

test('fifty that had finished before they were posted are reported within two ticks', async () => {
	const { delays, refused } = await shipped(drawn('postedLate', 50));
	expect([refused, Math.max(...delays) < 2_200]).toEqual([0, true]);
});

test.each<[Arrivals, typeof uniform, number]>([
	['listed', uniform, 1.5],
	['listed', heavyTailed, 1.6],
	['stream', uniform, 3.3],
])('%s orders, whose beginnings nobody knows', async (arrivals, model, most) => {
	const { delays, refused } = await shipped(drawn(arrivals, 40, model));
	expect([refused, mean(delays) < most]).toEqual([0, true]);
});

test.each([3, 8])('%d stray 429s on an idle key slow nothing after two minutes', async (count) => {
	const clean = await shipped(drawn('posted', 50));
	const strays = { count, beforeMs: 120_000 };
	const { delays } = await shipped({ ...drawn('posted', 50), strays });
	expect(mean(delays)).toBeLessThan(1.15 * mean(clean.delays));
});

const listed = (beganAt: number, random: () => number, addedAt = 0) => ({
	...orderPostedAt(beganAt, uniform, random),
	addedAt,
	stated: {},
});
const NEVER = { foundFrom: Number.POSITIVE_INFINITY, finishedAt: Number.POSITIVE_INFINITY };

test.each([
	[1, 14],
	[2, 9],
	[4, 6.5],
	[8, 5.5],
])('orders of a list that was made before they begin, one every %s s', async (seconds, most) => {
	const random = seededRandom(6);
	const orders = Array.from({ length: 45 }, (_, index) => listed(1_000 * seconds * index, random));
	const tenants = [{ orders: [...orders.keys()], ticks: true }];
	const { delays } = await shipped({ orders, tenants, intervalMs: 5_000, random });
	expect(mean(delays)).toBeLessThan(most);
});

test('an order that the bridge finds late is not starved by others that fill the limit', async () => {
	const random = seededRandom(10);
	const stream = drawOrders(uniform, 'stream', 80, random);
	const late = Array.from({ length: 12 }, (_, index) => {
		const order = listed(60_000 * (index + 1), random, 60_000 * (index + 1));
		return { ...order, foundFrom: order.beganAt + 8_000 * random() };
	});
	const unknown = Array.from({ length: 20 }, (_, index) => ({
		...listed(0, random, 40_000 * index),
		...NEVER,
	}));
	const orders = [...stream, ...late, ...unknown];
	const places = (from: number, count: number) =>
		Array.from({ length: count }, (_, index) => from + index);
	const tenants = [
		{ orders: places(0, stream.length), ticks: true },
		...late.map((_, index) => ({ orders: [stream.length + index], ticks: false })),
		{ orders: places(stream.length + late.length, unknown.length), ticks: true },
	];
	const { delays } = await shipped({ orders, tenants, intervalMs: 5_000, random });
	expect(Math.max(...delays.slice(stream.length)) / 1000).toBeLessThan(40);
});

test('posted orders that the bridge shows a minute later, all of them, are reported within twenty seconds on average', async () => {
	expect(mean((await shipped(drawn('shownLate', 50))).delays)).toBeLessThan(20);
});

test('a posted order that the bridge shows late is not starved by others that fill the limit', async () => {
	const { orders, ...run } = drawn('stream', 80);
	const late = orders.map((order, index) =>
		index % 20 === 0 ? { ...order, foundFrom: order.beganAt + 20_000 } : order,
	);
	const { delays } = await shipped({ ...run, orders: late });
	expect(mean(delays.filter((_, index) => index % 20 === 0))).toBeLessThan(20);
	expect(mean(delays)).toBeLessThan(9);
});

test('a list of hashes that were never found does not hold up what is added to it', async () => {
	const random = seededRandom(6);
	const HOUR_MS = 3_600_000;
	const orders = [
		...Array.from({ length: 200 }, () => ({ ...listed(0, random), ...NEVER })),
		listed(HOUR_MS + 60_000, random, HOUR_MS),
	];
	const tenants = [{ orders: [...orders.keys()], ticks: true }];
	const { delays } = await shipped({ orders, tenants, intervalMs: 5_000, random });
	expect(mean(delays)).toBeLessThan(60);
});

describe('neighbors with the same key', () => {
	const random = seededRandom(7);
	const own = Array.from({ length: 3 }, (_, index) =>
		orderPostedAt(300_000 * index, uniform, random),
	);
	const invented = { ...orderPostedAt(0, uniform, random), ...NEVER };
	const withNeighbors = (
		neighbors: ReadonlyArray<readonly unknown[]>,
		order = invented,
		limit = 100,
	): Run => {
		const orders = [...own, ...neighbors.flat().map(() => order)];
		let next = own.length;
		return {
			orders,
			tenants: [
				{ orders: [...own.keys()], ticks: true },
				...neighbors.map((each) => ({ orders: each.map(() => next++), ticks: true })),
			],
			intervalMs: 5_000,
			random: seededRandom(8),
			limit,
		};
	};
	const hashes = (count: number): unknown[] => Array.from({ length: count });
	const slowest = async (run: Run) => Math.max(...(await shipped(run)).delays) / 1000;

	test.each<[string, Run, number]>([
		['999 invented hashes', withNeighbors([hashes(999)]), 15],
		[
			'three neighbors with 1,000 each',
			withNeighbors([hashes(1_000), hashes(1_000), hashes(1_000)]),
			20,
		],
	])('do not starve a tenant: %s', async (_what, run, most) => {
		expect(await slowest(run)).toBeLessThan(most);
	});

	const fifty = Array.from({ length: 50 }, () => orderPostedAt(120_000, uniform, random));
	const fiftyWith = (count: number, order: typeof invented): Run => ({
		...withNeighbors([]),
		orders: [...Array.from({ length: count }, () => order), ...fifty],
		tenants: [
			{ orders: hashes(count).map((_, index) => index), ticks: true },
			{ orders: fifty.map((_, index) => count + index), ticks: true },
		],
	});

	test.each<[string, Run]>([
		['300 that are not found', fiftyWith(300, invented)],
		['100 that fail', fiftyWith(100, { ...invented, foundFrom: 0, fails: true })],
		[
			'200 of a list that are not found',
			fiftyWith(200, { ...invented, addedAt: 90_000, stated: {} }),
		],
	])('whose posts came first do not hold up the orders of another: %s', async (_what, run) => {
		expect(mean((await shipped(run)).delays)).toBeLessThan(20);
	});

	test('that are always at work do not take all that becomes free', async () => {
		const slow = { ...orderPostedAt(0, uniform, random), finishedAt: Number.POSITIVE_INFINITY };
		const ten = Array.from({ length: 10 }, () => orderPostedAt(30_000, uniform, random));
		const waiting = Array.from({ length: 100 }, () => slow);
		const run: Run = {
			...withNeighbors([]),
			orders: [...ten, ...waiting],
			tenants: [
				{ orders: [...ten.keys()], ticks: true },
				{ orders: waiting.map((_, index) => ten.length + index), ticks: false },
			],
		};
		expect(mean((await shipped(run)).delays)).toBeLessThan(60);
	});

	test.each<[string, Run]>([
		['300 unknown hashes', withNeighbors([hashes(300)])],
		['100 that fail', withNeighbors([hashes(100)], { ...invented, foundFrom: 0, fails: true })],
	])('that need nothing soon slow it little: %s', async (_what, run) => {
		expect(await slowest(run)).toBeLessThan(12);
	});
});

test.each([
	[100, 12],
	// Most of these have not been checked yet, so that nobody knows that they fail.
	[300, 150],
])(
	'%d orders whose checks fail do not hold up those that are sent to the same trigger a minute later',
	async (count, most) => {
		const random = seededRandom(10);
		const failing = { ...orderPostedAt(0, uniform, random), ...NEVER, foundFrom: 0, fails: true };
		const sound = Array.from({ length: 20 }, () => orderPostedAt(60_000, uniform, random));
		const orders = [...Array.from({ length: count }, () => failing), ...sound];
		const tenants = [{ orders: [...orders.keys()], ticks: true }];
		const { delays } = await shipped({ orders, tenants, intervalMs: 5_000, random });
		expect([delays.length, mean(delays) < most]).toEqual([20, true]);
	},
);

test('an order is checked again after one and a half times the longest gap at the latest, however many there are', async () => {
	const random = seededRandom(9);
	const old = Array.from({ length: 300 }, (_, index) => ({
		...orderPostedAt(0, uniform, random, 86_400_000),
		finishedAt: index === 0 ? 1_000_000 : Number.POSITIVE_INFINITY,
	}));
	const tenants = [{ orders: [...old.keys()], ticks: true }];
	const { delays } = await shipped({ orders: old, tenants, intervalMs: 5_000, random });
	expect(delays[0]).toBeLessThan(900_000);
});
