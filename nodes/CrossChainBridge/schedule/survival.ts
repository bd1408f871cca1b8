/**
 * How long orders stay open: the share that is still open at an age in seconds, straight lines between. Most finish after 5 to
 * 15 s, as the service's interface says; of the others, the longer one has been open, the longer it may stay so.
 */
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

/** The area under the curve up to each of its points. */
const AREA_AT = OPEN_AT.reduce<number[]>((areas, [age, open], index) => {
	const [ageBefore, openBefore] = OPEN_AT[index - 1] ?? [age, open];
	return [...areas, (areas[index - 1] ?? 0) + ((age - ageBefore) * (open + openBefore)) / 2];
}, []);

/** The probability that an order has finished by `age`, where it was still open at `since`. Ages in seconds. */
export function chanceFinished(since: number, age: number): number {
	const { open } = at(since);
	return open === 0 ? 1 : 1 - at(Math.max(since, age)).open / open;
}

/** For how long an order has been finished at `age`, on average, where it was still open at `since`. All in seconds. */
export function expectedDelay(since: number, age: number): number {
	if (age <= since) return 0;
	const from = at(since);
	return from.open === 0 ? age - since : age - since - (at(age).area - from.area) / from.open;
}

/** The share that is still open at an age, and the area under the curve up to it. */
function at(age: number): { open: number; area: number } {
	const next = OPEN_AT.findIndex(([point]) => point > age);
	const [ageAfter, openAfter] = OPEN_AT[next] ?? [0, 0];
	const [ageBefore, openBefore] = OPEN_AT[next - 1] ?? [0, 0];
	if (next < 0) return { open: 0, area: AREA_AT[AREA_AT.length - 1] ?? 0 };
	if (next === 0) return { open: 1, area: 0 };
	const open = openBefore + ((openAfter - openBefore) * (age - ageBefore)) / (ageAfter - ageBefore);
	return {
		open,
		area: (AREA_AT[next - 1] ?? 0) + ((age - ageBefore) * (openBefore + open)) / 2,
	};
}
