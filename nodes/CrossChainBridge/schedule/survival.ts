/** The share still open at an age in seconds, with straight lines between: most finish after 5 to 15 s, as the interface says. */
const OPEN_AT: ReadonlyArray<readonly [age: number, open: number]> = [
	[4, 0.988],
	[5, 0.965],
	[15, 0.066],
	[22, 0.056],
	[30, 0.046],
	[60, 0.038],
	[120, 0.03],
	[300, 0.024],
	[330, 0.015],
	[600, 0.011],
	[3_600, 0.005],
	[86_400, 0.0012],
	[864_000, 0.0002],
];

/** The probability that an order has finished by `age` that was open at `since` (seconds). */
export function chanceFinished(since: number, age: number): number {
	return 1 - at(Math.max(since, age)).open / at(since).open;
}

/** For how long on average an order has been finished at `age` that was open at `since` (seconds). */
export function expectedDelay(since: number, age: number): number {
	if (age <= since) return 0;
	const from = at(since);
	return age - since - (at(age).area - from.area) / from.open;
}

/** The share open at an age, and the area under the curve up to it. */
function at(age: number): { open: number; area: number } {
	let [ageBefore, openBefore, area] = [0, 1, 0];
	for (const [ageAfter, openAfter] of OPEN_AT) {
		const passed = Math.min(age, ageAfter) - ageBefore;
		const slope = (openAfter - openBefore) / (ageAfter - ageBefore);
		const open = openBefore + slope * passed;
		area += (passed * (openBefore + open)) / 2;
		if (age < ageAfter) return { open, area };
		[ageBefore, openBefore] = [ageAfter, openAfter];
	}
	return { open: openBefore, area: area + (age - ageBefore) * openBefore };
}
