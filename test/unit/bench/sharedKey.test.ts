import { seededRandom } from '../../../bench/simulation/random';
import { SlidingWindow } from '../../../bench/simulation/service';
import { itsShare, runSharedKey, wholeLimit } from '../../../bench/simulation/sharedKey';

describe('several processes with one key, simulated', () => {
	const busy = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
	const run = async (processes: ReturnType<typeof itsShare>, retryAfter = false) =>
		await runSharedKey({ processes, minutes: 20, retryAfter, random: seededRandom(3) });

	it('are refused nothing where each says its share, and get the same', async () => {
		const { servedPerMinute, refusedPerMinute, fairness } = await run(itsShare(2, busy));
		expect(refusedPerMinute).toBe(0);
		expect(fairness).toBeCloseTo(1, 3);
		// 47 of 50: looks leave a twentieth to what a person waits for.
		for (const served of servedPerMinute) expect(served).toBeGreaterThan(44);
	});

	it.each([false, true])('are refused some where each says the whole limit, and get no more than it (Retry-After: %p)', async (retryAfter) => {
		const { servedPerMinute, refusedPerMinute } = await run(wholeLimit(2, busy), retryAfter);
		expect(refusedPerMinute).toBeGreaterThan(0);
		expect(servedPerMinute.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(100);
	});

	it('serve a quiet process all that it wants where each says its share', async () => {
		const { servedPerMinute } = await run(itsShare(4, [Number.POSITIVE_INFINITY, 5, 5, 5]));
		for (const served of servedPerMinute.slice(1)) expect(Math.abs(served - 5)).toBeLessThan(0.5);
	});
});

describe('the simulated service', () => {
	it('says when a place in its window is free again', () => {
		const service = new SlidingWindow(2);
		expect(service.msUntilFree(0)).toBe(0);
		service.arrive(1_000);
		expect(service.msUntilFree(1_000)).toBe(0);
		service.arrive(5_000);
		expect(service.msUntilFree(11_000)).toBe(50_000);
		expect(service.arrive(60_999)).toBe(false);
		expect(service.msUntilFree(61_000)).toBe(0);
		expect(service.arrive(61_000)).toBe(true);
	});
});
