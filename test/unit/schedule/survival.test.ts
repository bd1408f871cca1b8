import fc from 'fast-check';

import { chanceFinished, expectedDelay } from '../../../nodes/CrossChainBridge/schedule/survival';

test('most orders finish after 5 to 15 seconds, and what is open then may stay so', () => {
	expect(chanceFinished(0, 4)).toBeLessThan(0.05);
	expect(chanceFinished(0, 10)).toBeCloseTo(0.48, 1);
	expect(chanceFinished(0, 15)).toBeCloseTo(0.934, 3);
	expect(chanceFinished(60, 65)).toBeLessThan(0.05);
	expect(chanceFinished(86_400, 864_000)).toBeCloseTo(0.833, 3);
	expect(chanceFinished(9e6, 9e6 + 1)).toBe(0);
	expect(expectedDelay(9e6, 9e6 + 5)).toBeCloseTo(0, 6);
});

const ages = fc.tuple(fc.double({ min: 0, max: 2e6 }), fc.double({ min: 0, max: 2e6 }));

test('the chance is one, and grows with the time that has passed', () => {
	fc.assert(
		fc.property(ages, fc.double({ min: 0, max: 1e6 }), ([since, passed], more) => {
			const chance = chanceFinished(since, since + passed);
			expect(chance).toBeGreaterThanOrEqual(0);
			expect(chance).toBeLessThanOrEqual(chanceFinished(since, since + passed + more) + 1e-9);
			expect(chanceFinished(since, since + passed + more)).toBeLessThanOrEqual(1);
		}),
	);
});

test('the expected delay is the area under that chance', () => {
	fc.assert(
		fc.property(
			fc.double({ min: 0, max: 700, noNaN: true }),
			fc.double({ min: 0.1, max: 60, noNaN: true }),
			(since, passed) => {
				const parts = 400;
				const width = passed / parts;
				let area = 0;
				for (let part = 0; part < parts; part++)
					area += width * chanceFinished(since, since + (part + 0.5) * width);
				expect(expectedDelay(since, since + passed)).toBeCloseTo(area, 2);
			},
		),
	);
});

test('before an order begins nothing is expected of it', () => {
	expect([chanceFinished(0, -5), expectedDelay(0, -5), expectedDelay(5, 5)]).toEqual([0, 0, 0]);
});
