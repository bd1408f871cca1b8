import { SLOW_SHARES, survival } from '../../../nodes/CrossChainBridge/schedule/survivalModel';
import {
	firstTime,
	PRICES,
	SurvivalTable,
	survivalTable,
} from '../../../nodes/CrossChainBridge/schedule/survivalTable';

const A_DAY_S = 86_400;

/** Seconds that orders open at `since` and finished by `age` have waited for on average, summed up in small steps. */
function delayBySum(since: number, age: number, share: number): number {
	const steps = 2_000;
	const step = (age - since) / steps;
	let sum = 0;
	for (let index = 0; index < steps; index++)
		sum += step * (1 - survival(since + (index + 0.5) * step, share) / survival(since, share));
	return sum;
}

/** When an order seen open at this age is due again, step by step from the definition. */
function gapBySteps(price: number, age: number, share: number, step: number): number {
	const openAtCheck = survival(age, share);
	let delay = 0;
	for (let gap = 0; ; gap += step) {
		if (delay >= price || survival(age + gap, share) <= 0.07 * openAtCheck) return gap;
		delay += step * (1 - survival(age + gap + step / 2, share) / openAtCheck);
	}
}

test('prices rise from 8 ms to 5 s of delay, each a quarter above the one before', () => {
	expect(PRICES).toHaveLength(30);
	expect(PRICES[0]).toBe(0.0078);
	expect(PRICES[29]).toBeCloseTo(5.04, 2);
	for (let index = 1; index < PRICES.length; index++)
		expect((PRICES[index] ?? 0) / (PRICES[index - 1] ?? 1)).toBeCloseTo(1.25, 10);
});

describe('survivalTable', () => {
	test.each(SLOW_SHARES.map((share, index) => [index, share]))(
		'%p is the model where %p of all are slow',
		(index, share) => {
			const table = survivalTable(index);
			for (const age of [0, 0.25, 5, 12.75, 29.75, 30, 30 * 1.03, 30 * 1.03 ** 40])
				expect(table.stillOpen(0, age)).toBeCloseTo(survival(age, share), 12);
			for (const age of [3.1, 6.6, 45, 100, 310, 1_000, 20_000])
				expect(table.stillOpen(0, age)).toBeCloseTo(survival(age, share), 3);
			expect(table.stillOpen(10, 20)).toBeCloseTo(survival(20, share) / survival(10, share), 12);
		},
	);

	test('is made once', () => {
		expect(survivalTable(2)).toBe(survivalTable(2));
		expect(survivalTable(3)).not.toBe(survivalTable(2));
	});
});

describe('an order that was seen open', () => {
	const table = survivalTable(0);

	test.each([
		[10, 10],
		[10, 5],
		[0, -3],
		[-3, 0],
	])('at %p s was so at %p s', (since, age) => {
		expect(table.stillOpen(since, age)).toBe(1);
	});

	test('is open then, even where the model has no order as old', () => {
		expect(new SurvivalTable(0).stillOpen(50, 50)).toBe(1);
	});

	test('stays as likely to be open beyond a day', () => {
		const oldest = table.stillOpen(0, A_DAY_S);
		expect(oldest).toBeCloseTo(survival(A_DAY_S, 0.03), 5);
		expect(oldest).toBeGreaterThan(0);
		expect(table.stillOpen(0, 10 * A_DAY_S)).toBe(oldest);
	});

	test.each([
		[0, 4, 0.03],
		[0, 10, 0.03],
		[0, 30, 0.6],
		[5.1, 14.9, 0.03],
		[20, 60, 0.03],
		[100, 700, 0.6],
		[1_000, 5_000, 0.9],
	])(
		'at %p s is late by what the model expects at %p s, where %p of all are slow',
		(since, age, share) => {
			const expected = delayBySum(since, age, share);
			const delay = survivalTable(SLOW_SHARES.indexOf(share)).delay(since, age);
			expect(Math.abs(delay / expected - 1)).toBeLessThan(0.01);
		},
	);

	test.each([
		[0, 0, 0.001],
		[0, 5, 0.001],
		[0, 8.1, 0.001],
		[11, 5, 0.001],
		[16, 0, 0.001],
		[16, 100, 0.005],
		[23, 10, 0.001],
		[29, 0, 0.005],
		[29, 5, 0.005],
		[29, 15, 0.005],
		[29, 250, 0.01],
		[13, 600, 0.01],
		[13, 40_000, 0.5],
	])(
		'is due again at price %p after an age of %p s when the definition says so',
		(priceIndex, age, step) => {
			const expected = gapBySteps(PRICES[priceIndex] ?? 0, age, 0.03, step);
			expect(Math.abs(table.gap(priceIndex, age) / expected - 1)).toBeLessThan(0.03);
		},
	);

	test('is due at any price once it has very probably finished', () => {
		const gap = table.gap(29, 8);
		const openThen = survival(8 + gap, 0.03) / survival(8, 0.03);
		expect(openThen).toBeCloseTo(0.07, 2);
	});

	test.each([0, 13, 29])('is due again as before where the table ends (price %i)', (price) => {
		const [before, ...later] = [75_000, 80_000, 83_000, A_DAY_S, 90_000].map(
			(age) => table.gap(price, age) / Math.sqrt(age),
		);
		for (const gap of later) expect(Math.abs(gap / (before ?? 0) - 1)).toBeLessThan(0.1);
	});

	test('beyond a day is due with the square root of its age', () => {
		for (const price of [0, 13, 29]) {
			expect(table.gap(price, 8 * A_DAY_S) / table.gap(price, 2 * A_DAY_S)).toBeCloseTo(2, 10);
		}
	});
});

describe('firstTime', () => {
	test.each([0.01, 0.2, 0.25, 0.3, 1, 7, 1_000, 50_000, 86_000])('finds %p seconds', (wanted) => {
		const found = firstTime((seconds) => seconds >= wanted);
		expect(found).toBeGreaterThanOrEqual(wanted);
		expect(found - wanted).toBeLessThanOrEqual(Math.max(0.25, 2 * wanted) / 4096);
	});

	test('is next to nothing where the condition is met at once, and a day where it never is', () => {
		expect(firstTime(() => true)).toBe(0.25 / 4096);
		expect(firstTime(() => false)).toBe(A_DAY_S);
		expect(firstTime((seconds) => seconds > 100_000)).toBe(A_DAY_S);
	});
});
