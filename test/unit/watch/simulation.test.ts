import { heavyLaw, uniformLaw } from '../../../bench/simulation/laws';
import { burstBound, steadyBound } from '../../../bench/simulation/lowerBound';
import { limitedLoop, plainLoop, shipped } from '../../../bench/simulation/policies';
import { seededRandom } from '../../../bench/simulation/random';

describe('the simulation behind the benchmark', () => {
	const burst = (count: number): Parameters<typeof shipped>[0] => {
		const random = seededRandom(5);
		return {
			orders: Array.from({ length: count }, () => ({ beginsAt: 0, endsAt: 1000 * uniformLaw.draw(random) })),
			intervalMs: 5_000,
			random,
		};
	};
	const meanSeconds = (delays: readonly number[]): number => delays.reduce((sum, delay) => sum + delay, 0) / delays.length / 1000;

	it('sees fifty orders end within seconds, where the usual loops are blind for a minute', async () => {
		const ours = await shipped(burst(50));
		expect(ours.refused).toBe(0);
		expect(meanSeconds(ours.delays)).toBeLessThan(2.9);
		const loop = await plainLoop(burst(50));
		expect(loop.refused).toBeGreaterThan(100);
		expect(meanSeconds(loop.delays)).toBeGreaterThan(40);
		const limited = await limitedLoop(burst(50));
		expect(limited.refused).toBe(0);
		expect(meanSeconds(limited.delays)).toBeGreaterThan(40);
	});

	it('is the same at every run', async () => {
		expect(await shipped(burst(20))).toEqual(await shipped(burst(20)));
	});

	it('knows a bound that agrees with the published ones', () => {
		expect(burstBound(uniformLaw, 50)).toBeGreaterThan(1.42);
		expect(burstBound(uniformLaw, 50)).toBeLessThanOrEqual(1.51);
		expect(steadyBound(uniformLaw, 60)).toBeGreaterThan(1.85);
		expect(steadyBound(uniformLaw, 60)).toBeLessThanOrEqual(1.95);
	});

	it.each([uniformLaw, heavyLaw])('draws from the law that it states: $name', (law) => {
		const random = seededRandom(3);
		const draws = Array.from({ length: 20_000 }, () => law.draw(random));
		for (const age of [6, 10, 14, 60, 310]) {
			const open = draws.filter((draw) => draw > age).length / draws.length;
			expect(Math.abs(open - law.open(age))).toBeLessThan(0.012);
		}
	});
});
