import { leastMeanSeconds } from '../../../bench/simulation/least';

test.each([
	['one order: half of the 5 seconds between checks', 1, 2.5],
	['as many as can be checked twice', 63, 2.5],
	['more than that', 80, 4.0625],
	['as many as can be checked once', 95, 5],
	['5 that wait a minute', 100, 8],
	['55 that wait a minute', 150, 27],
	['95 that wait a minute, and 10 that wait two', 200, 39.5],
])(
	'the least mean of %s (%i orders), as a solver of linear programs finds it',
	(_, orders, seconds) => {
		expect(leastMeanSeconds(orders)).toBeCloseTo(seconds, 9);
	},
);

/** Where a check is priced at 5 seconds every way to check one order costs 10 or more, so its mean is 10 less the price of the checks that there is room for. */
test('no way to check an order comes below the least mean', () => {
	const open = (age: number): number => Math.min(1, Math.max(0, (15 - age) / 10));
	const grid = Array.from({ length: 81 }, (_, index) => index / 4);
	const costs = grid.flatMap((first) =>
		grid
			.filter((gap) => gap >= 5)
			.flatMap((gap) => {
				const ages = [first, first + gap, first + gap + 5, first + gap + 10, first + gap + 15];
				let [checks, seconds, before] = [0, 0, 0];
				for (const age of ages) {
					checks += open(before);
					// What has finished since the check before has waited from then on.
					for (let at = before; at < age; at += 0.05)
						seconds += (open(at) - open(at + 0.05)) * (age - at - 0.025);
					before = age;
				}
				return [5 * checks + seconds];
			}),
	);
	expect(Math.min(...costs)).toBeCloseTo(10, 1);
	for (const orders of [64, 80, 95])
		expect(leastMeanSeconds(orders)).toBeCloseTo(Math.max(2.5, 10 - (5 * 95) / orders), 9);
});
