/** The share still open at an age in seconds, with straight lines between: most finish after 5 to 15 s, as the interface says. */
const OPEN_AT: ReadonlyArray<readonly [age: number, open: number]> = [
	[0, 1],
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
	[864_000, 0],
];

/** The area under the curve up to each point. */
const AREA_AT = OPEN_AT.reduce<number[]>((areas, [age, open], index) => {
	const [ageBefore, openBefore] = OPEN_AT[index - 1] ?? [age, open];
	return [...areas, (areas[index - 1] ?? 0) + ((age - ageBefore) * (open + openBefore)) / 2];
}, []);

/** The probability that an order has finished by `age` that was open at `since` (seconds). */
export function chanceFinished(since: number, age: number): number {
	const { open } = at(since);
	return open === 0 ? 1 : 1 - at(Math.max(since, age)).open / open;
}

/** For how long on average an order has been finished at `age` that was open at `since` (seconds). */
export function expectedDelay(since: number, age: number): number {
	if (age <= since) return 0;
	const from = at(since);
	return from.open === 0 ? age - since : age - since - (at(age).area - from.area) / from.open;
}

function at(age: number): { open: number; area: number } {
	const next = OPEN_AT.findIndex(([point]) => point > age);
	const [ageAfter, openAfter] = OPEN_AT[next] ?? [0, 0];
	const [ageBefore, openBefore] = OPEN_AT[next - 1] ?? [0, 0];
	if (next < 0) return { open: 0, area: AREA_AT[AREA_AT.length - 1] ?? 0 };
	if (next === 0) return { open: 1, area: 0 };
	const open = openBefore + ((openAfter - openBefore) * (age - ageBefore)) / (ageAfter - ageBefore);
	const area = (AREA_AT[next - 1] ?? 0) + ((age - ageBefore) * (openBefore + open)) / 2;
	return { open, area };
}
