import { fork } from 'node:child_process';
import { cpus } from 'node:os';

import { CELLS, measureCell, measureNeighbors, NEIGHBORS } from './simulation/cells';
import { BASELINE } from './simulation/baseline';
import { mean, report, type Row, rounded, withLeeway } from './simulation/table';

/**
 * The schedule in a matrix of worlds: how late the service finds orders, how long they take, how they arrive, and what lies next to
 * them. Each cell is compared with the better of the schedule before this one and an even round robin (simulation/baseline.ts).
 */

/** In no cell more than this many times the better of the two, */
const WORST = 1.6;
/** in nine of ten at most this many times, */
const USUAL = 1.25;
const USUAL_PART = 0.9;
/** and the geometric mean. */
const GEOMETRIC_MEAN = 0.95;

const PROCESSES = Math.max(1, Math.min(2, cpus().length));

async function measureOne(name: string): Promise<number> {
	const neighbor = NEIGHBORS.find((each) => each.name === name);
	return neighbor === undefined ? await measureCell(name) : await measureNeighbors(neighbor);
}

/** Measures cells in processes of their own, which take the next cell when they have finished one. */
async function measureAll(names: readonly string[]): Promise<Map<string, number>> {
	const results = new Map<string, number>();
	const left = [...names];
	const work = async (): Promise<void> => {
		const child = fork(__filename, ['--worker'], { execArgv: process.execArgv });
		await new Promise<void>((resolve, reject) => {
			const next = (): void => {
				const name = left.shift();
				if (name === undefined) child.disconnect();
				else child.send(name);
			};
			child.on('message', (message) => {
				const { name, seconds } = message as { name: string; seconds: number };
				results.set(name, seconds);
				next();
			});
			child.on('error', reject);
			child.on('exit', (code) => {
				if (code === 0) resolve();
				else reject(new Error(`A process of the matrix ended with ${String(code)}`));
			});
			next();
		});
	};
	await Promise.all(Array.from({ length: PROCESSES }, work));
	return results;
}

async function main(): Promise<void> {
	const [only] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
	const isWanted = (name: string): boolean => only === undefined || new RegExp(only).test(name);
	const neighbors = NEIGHBORS.filter(({ name }) => isWanted(name));
	const cells = CELLS.filter(isWanted);
	// The longest first, so that no process waits for another at the end.
	const results = await measureAll([...neighbors.map(({ name }) => name), ...cells].reverse());
	const rows: Row[] = neighbors.map(({ name, max }) => ({
		name: [name],
		figures: { seconds: results.get(name) ?? Infinity },
		max: { seconds: withLeeway(max) },
	}));
	const ratios: number[] = [];
	for (const name of cells) {
		const seconds = results.get(name) ?? Infinity;
		const [before = Infinity, roundRobin = Infinity] = BASELINE[name] ?? [];
		const ratio = rounded(seconds / Math.min(before, roundRobin), 2);
		const wasMeasured = Number.isFinite(before);
		if (wasMeasured) ratios.push(ratio);
		rows.push({
			name: [name],
			figures: {
				seconds,
				...(wasMeasured ? { before } : {}),
				'round robin': roundRobin,
				ratio,
			},
			max: { ratio: WORST },
		});
	}
	const logarithms = ratios.map((ratio) => Math.log(ratio));
	rows.push(
		{
			name: ['nine of ten cells'],
			figures: { ratio: usual(ratios) },
			max: { ratio: USUAL },
		},
		{
			name: ['geometric mean'],
			figures: { ratio: rounded(Math.exp(mean(logarithms, 6)), 3) },
			max: { ratio: GEOMETRIC_MEAN },
		},
	);
	report(
		'Mean seconds until a final status is reported, and how many times the better of the schedule before this one and an even round robin.',
		['cell'],
		rows,
	);
}

/** The ratio that nine of ten cells do not exceed. */
function usual(ratios: readonly number[]): number {
	const sorted = [...ratios].sort((one, other) => one - other);
	return sorted[Math.ceil(USUAL_PART * sorted.length) - 1] ?? Infinity;
}

if (process.argv.includes('--worker'))
	process.on('message', (name: string) => {
		void measureOne(name).then((seconds) => process.send?.({ name, seconds }));
	});
else void main();
