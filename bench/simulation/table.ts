import Table from 'cli-table3';

/** A figure that a bench has measured, and what it has to reach. */
export interface Row {
	/** The columns before the figures. */
	name: readonly string[];
	/** Figures by the heads of their columns. */
	figures: Readonly<Record<string, number>>;
	/** The figure is bounded: no more than this, */
	max?: Readonly<Record<string, number>>;
	/** or no less. */
	min?: Readonly<Record<string, number>>;
}

/** Names of the figures that miss their bounds. */
function missed({ figures, max = {}, min = {} }: Row): string[] {
	return Object.entries(figures)
		.filter(([name, value]) => value > (max[name] ?? Infinity) || value < (min[name] ?? -Infinity))
		.map(([name]) => name);
}

/** A bound may be missed by this factor: the schedule is made for many worlds, of which a bench measures a few. */
const LEEWAY = 1.05;

/** An upper bound with its leeway, rounded. */
export function withLeeway(bound: number): number {
	return rounded(LEEWAY * bound, 2);
}

/** Prints the rows with their bounds, or with `--json` as JSON; sets the exit code where one is missed. */
export function report(about: string, heads: readonly string[], rows: readonly Row[]): void {
	if (rows.some((row) => missed(row).length > 0)) process.exitCode = 1;
	if (process.argv.includes('--json')) {
		console.log(JSON.stringify({ rows }));
		return;
	}
	const figures = [...new Set(rows.flatMap((row) => Object.keys(row.figures)))];
	const table = new Table({
		head: [...heads, ...figures],
		style: { head: [], border: [], compact: true },
	});
	for (const row of rows) {
		const wrong = missed(row);
		const text = (name: string): string => {
			const [most, least] = [row.max?.[name], row.min?.[name]];
			const bound = most !== undefined ? ` ≤ ${most}` : least !== undefined ? ` ≥ ${least}` : '';
			return `${row.figures[name] ?? ''}${bound}${wrong.includes(name) ? ' !' : ''}`;
		};
		table.push([...row.name, ...figures.map(text)]);
	}
	console.log(`${about}\n${table.toString()}`);
}

/** The mean, rounded to some places. */
export function mean(values: readonly number[], places = 2): number {
	return rounded(values.reduce((sum, value) => sum + value, 0) / values.length, places);
}

/** The value that this part of all does not exceed, rounded to a place. */
export function quantile(values: readonly number[], part: number): number {
	const sorted = [...values].sort((one, other) => one - other);
	return rounded(sorted[Math.ceil(part * sorted.length) - 1] ?? 0, 1);
}

export function rounded(value: number, places: number): number {
	return Math.round(value * 10 ** places) / 10 ** places;
}
