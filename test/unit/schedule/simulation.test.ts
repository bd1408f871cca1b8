import { drawOrders, expectedBeginnings, type Arrivals } from '../../../bench/simulation/arrivals';
import { lowerBound, type BoundInput } from '../../../bench/simulation/lowerBound';
import { heavyTailed, uniform } from '../../../bench/simulation/models';
import type { Run } from '../../../bench/simulation/policies';
import { limitedLoop, plainLoop, shipped } from '../../../bench/simulation/policies';
import { seededRandom } from '../../../bench/simulation/random';

describe('the simulation behind the benchmark', () => {
	const run = (arrivals: Arrivals, count: number, intervalMs = 5_000): Run => {
		const random = seededRandom(5);
		return { orders: drawOrders(uniform, arrivals, count, random), intervalMs, random };
	};
	const meanSeconds = (delays: readonly number[]): number =>
		delays.reduce((sum, delay) => sum + delay, 0) / delays.length / 1000;

	it.each(['known', 'posted'] as const)(
		'reports fifty orders within seconds of their final status, where the usual loops are blind for a minute: %s',
		async (arrivals) => {
			const ours = await shipped(run(arrivals, 50));
			expect(ours.refused).toBe(0);
			expect(meanSeconds(ours.delays)).toBeLessThan(2.9);
			const loop = await plainLoop(run(arrivals, 50));
			expect(loop.refused).toBeGreaterThan(100);
			expect(meanSeconds(loop.delays)).toBeGreaterThan(40);
			const limited = await limitedLoop(run(arrivals, 50));
			expect(limited.refused).toBe(0);
			expect(meanSeconds(limited.delays)).toBeGreaterThan(40);
		},
	);

	it('lets nobody wait who was posted late: fifty that had finished by then are reported within two ticks', async () => {
		const { delays, refused } = await shipped(run('postedLate', 50));
		expect(refused).toBe(0);
		expect(Math.max(...delays)).toBeLessThan(2_100);
	});

	it('reports a list whose beginnings nobody knows, however long ago they were', async () => {
		const { delays, refused } = await shipped(run('listed', 50));
		expect(refused).toBe(0);
		expect(meanSeconds(delays)).toBeLessThan(1.5);
		expect(Math.max(...delays)).toBeLessThan(65_000);
	});

	it('notices with the first of fifty orders that are listed just after their beginning that all have just begun', async () => {
		const { orders, ...rest } = run('posted', 50);
		const { delays, refused } = await shipped({
			orders: orders.map((order) => ({ ...order, stated: {} })),
			...rest,
		});
		expect(refused).toBe(0);
		expect(meanSeconds(delays)).toBeLessThan(4);
	});

	it('notices each order of a steady stream of posts', async () => {
		const { delays, refused } = await shipped(run('stream', 40));
		expect(refused).toBe(0);
		expect(meanSeconds(delays)).toBeLessThan(3.3);
		expect(Math.max(...delays)).toBeLessThan(65_000);
	});

	it('is the same at every run', async () => {
		expect(await shipped(run('posted', 20))).toEqual(await shipped(run('posted', 20)));
	});

	describe('the lower bound', () => {
		const free: BoundInput = {
			model: uniform,
			beginnings: expectedBeginnings('known'),
			orders: 50,
			limit: 100,
			stepSeconds: 0.25,
			phase: 1,
			intervalSeconds: 0,
		};

		it('agrees with the published ones, where neither ticks nor an interval bind', () => {
			expect(lowerBound(free)).toBeGreaterThan(1.42);
			expect(lowerBound(free)).toBeLessThanOrEqual(1.51);
			const stream = { ...free, orders: null, perMinute: 60 };
			expect(lowerBound(stream)).toBeGreaterThan(1.85);
			expect(lowerBound(stream)).toBeLessThanOrEqual(1.95);
		});

		it('counts the ticks, the interval, and the check that notices an order', () => {
			const ticks = { ...free, orders: 1, stepSeconds: 1, phase: 0.5 };
			expect(lowerBound({ ...ticks, intervalSeconds: 1 })).toBeCloseTo(0.5, 1);
			expect(lowerBound({ ...ticks, intervalSeconds: 5 })).toBeCloseTo(2.5, 1);
			const late = {
				...ticks,
				beginnings: expectedBeginnings('postedLate'),
				limit: 95,
				intervalSeconds: 5,
			};
			expect(lowerBound({ ...late, orders: 50 })).toBeCloseTo(0.5, 2);
			// Five of a hundred have to wait for the next minute.
			expect(lowerBound({ ...late, orders: 100 })).toBeCloseTo(0.5 + 0.05 * 60, 1);
		});
	});

	it.each([uniform, heavyTailed])('draws from the model that it states: $name', (model) => {
		const random = seededRandom(3);
		const draws = Array.from({ length: 20_000 }, () => model.draw(random));
		for (const age of [6, 10, 14, 60, 310]) {
			const open = draws.filter((draw) => draw > age).length / draws.length;
			expect(Math.abs(open - model.survival(age))).toBeLessThan(0.012);
		}
	});
});
