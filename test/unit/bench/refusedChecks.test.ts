import { seededRandom } from '../../../bench/simulation/random';
import {
	runRefusedChecks,
	type RefusedChecksOutcome,
} from '../../../bench/simulation/refusedChecks';

describe('24 open orders while one check in ten is answered with 429 and Retry-After: 3', () => {
	const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);
	const COUNT = 24;

	const mean = (outcomes: readonly RefusedChecksOutcome[]): number =>
		outcomes.reduce((sum, { meanSeconds }) => sum + meanSeconds, 0) / outcomes.length;

	async function runs(
		refusedShare: number,
		place: (index: number, random: () => number) => { startsAt: number; endsAt: number },
	): Promise<RefusedChecksOutcome[]> {
		const outcomes: RefusedChecksOutcome[] = [];
		for (const seed of SEEDS) {
			const drawn = seededRandom(1_000 + seed);
			const orders = Array.from({ length: COUNT }, (_, index) => place(index, drawn));
			outcomes.push(
				await runRefusedChecks({
					orders,
					refusedShare,
					retryAfterMs: 3_000,
					random: seededRandom(seed),
					fate: seededRandom(2_000 + seed),
				}),
			);
		}
		return outcomes;
	}

	it.each([
		[
			'begin at once and finish after 5 to 15 s',
			(_index: number, random: () => number) => ({
				startsAt: 0,
				endsAt: 5_000 + 10_000 * random(),
			}),
		],
		[
			'come one every 2.5 s and finish after 5 to 15 s',
			(index: number, random: () => number) => ({
				startsAt: 2_500 * index,
				endsAt: 2_500 * index + 5_000 + 10_000 * random(),
			}),
		],
	])('are seen after up to 1.5 times the mean delay without 429s: %s', async (_name, place) => {
		const [clean, limited] = [await runs(0, place), await runs(0.1, place)];
		expect(clean.every((outcome) => outcome.refused === 0)).toBe(true);
		expect(limited.every((outcome) => outcome.refused > 0)).toBe(true);
		expect(mean(limited) / mean(clean)).toBeLessThanOrEqual(1.5);
	});
});
