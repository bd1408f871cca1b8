import { seededRandom } from '../../../bench/simulation/random';
import { SlidingWindow } from '../../../bench/simulation/service';
import {
	runSharedKey,
	wholeLimit,
	type SharedKeyOutcome,
} from '../../../bench/simulation/sharedKey';

const BUSY = Number.POSITIVE_INFINITY;

describe('several processes with one key and the whole limit in each credential, simulated', () => {
	const seeded = () => seededRandom(4);
	const run = async (wants: number[], retryAfter: boolean, minutes = 20) =>
		await runSharedKey({ processes: wholeLimit(wants), minutes, retryAfter, random: seeded() });
	const total = ({ servedPerMinute }: SharedKeyOutcome): number =>
		servedPerMinute.reduce((sum, each) => sum + each, 0);

	describe.each([false, true])('Retry-After: %p', (retryAfter) => {
		// bench:processes has all rows.
		it.each([4, 8])(
			'%p busy ones share it evenly, with few 429s, and none is shut out',
			async (count) => {
				const outcome = await run(new Array<number>(count).fill(BUSY), retryAfter, 60);
				expect(total(outcome)).toBeGreaterThanOrEqual(93);
				expect(outcome.refusedPerMinute).toBeLessThanOrEqual(5);
				expect(outcome.fairness).toBeGreaterThanOrEqual(0.98);
				expect(outcome.longestGapSeconds).toBeLessThanOrEqual(60);
			},
		);

		it.each([2, 8])(
			'of %p, a busy one leaves the others the 5 a minute they want',
			async (count) => {
				const wants = [BUSY, ...new Array<number>(count - 1).fill(5)];
				const outcome = await run(wants, retryAfter, 60);
				expect(total(outcome)).toBeGreaterThanOrEqual(90);
				for (const served of outcome.servedPerMinute.slice(1))
					expect(Math.abs(served - 5)).toBeLessThan(0.5);
				expect(outcome.longestWaitSeconds).toBeLessThanOrEqual(30);
			},
		);
		const pair = async (during: [number, number]): Promise<SharedKeyOutcome> => {
			const [busy, other] = wholeLimit([BUSY, BUSY]);
			if (busy === undefined || other === undefined) throw new Error('there are two');
			return await runSharedKey({
				processes: [busy, { ...other, during }],
				minutes: 10,
				retryAfter,
				random: seededRandom(4),
			});
		};

		it('one that comes later gets a good part of its half in the first ten minutes', async () => {
			const { servedPerMinute } = await pair([5, 15]);
			expect(servedPerMinute[1]).toBeGreaterThan(38);
		});

		it('one that comes after another has gone gets a good part of its half as well', async () => {
			const [busy, gone, third] = wholeLimit([BUSY, BUSY, BUSY]);
			if (busy === undefined || gone === undefined || third === undefined)
				throw new Error('there are three');
			const [early, late] = [{ during: [0, 2] as const }, { during: [12, 20] as const }];
			const processes = [busy, { ...gone, ...early }, { ...third, ...late }];
			const times = { minutes: 8, warmUpMinutes: 12 };
			const run = { processes, ...times, retryAfter, random: seededRandom(4) };
			const { servedPerMinute } = await runSharedKey(run);
			expect(servedPerMinute[2]).toBeGreaterThan(30);
		});

		it('one that is the only one left takes what the other had, within minutes', async () => {
			const { servedPerMinute } = await pair([0, 5]);
			expect(servedPerMinute[0]).toBeGreaterThan(65);
		});
	});

	it('gives no 429 to a single process, which uses the whole limit except the reserve', async () => {
		const outcome = await run([BUSY], false);
		expect(outcome.refusedPerMinute).toBe(0);
		// 95 in 60.5 s, of which 5 come back 4 s later.
		expect(total(outcome)).toBeGreaterThan(93);
	});

	it('gives no 429 to those that want less than the limit together', async () => {
		const outcome = await run([20, 20, 20, 20], false);
		expect(outcome.refusedPerMinute).toBe(0);
		expect(outcome.longestWaitSeconds).toBeLessThan(1);
	});
});

describe('the simulated service', () => {
	it('says when a place in its window is free again', () => {
		const service = new SlidingWindow(2);
		expect(service.retryAfterMs(0)).toBe(0);
		service.arrive(1_000);
		expect(service.retryAfterMs(1_000)).toBe(0);
		service.arrive(5_000);
		expect(service.retryAfterMs(11_000)).toBe(50_000);
		expect(service.arrive(60_999)).toBe(false);
		expect(service.retryAfterMs(61_000)).toBe(0);
		expect(service.arrive(61_000)).toBe(true);
	});
});
