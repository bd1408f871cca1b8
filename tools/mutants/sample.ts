/** A change of the source that some test should notice. */
export interface Mutant {
	id: string;
	fileName: string;
	mutatorName: string;
	replacement: string;
	/** Lines and columns from 0. */
	location: { start: Position; end: Position };
}

interface Position {
	line: number;
	column: number;
}

/** Mutants that behave as the source does, so that no test can notice them, each with the reason. */
interface Equivalent {
	fileName: string;
	/** The source that the mutant replaces, and what stands there instead. */
	original: string;
	replacement: string;
	why: string;
}

export const EQUIVALENT: Equivalent[] = [
	{
		fileName: 'nodes/CrossChainBridge/trigger/commitQueue.ts',
		original: '() => false',
		replacement: '() => undefined',
		why: 'only true says that n8n has dropped a start',
	},
];

/** What a mutant replaces. */
export function originalOf({ location: { start, end } }: Mutant, source: string): string {
	const lines = source.split('\n').slice(start.line, end.line + 1);
	if (lines.length > 0) lines[lines.length - 1] = (lines.at(-1) ?? '').slice(0, end.column);
	lines[0] = (lines[0] ?? '').slice(start.column);
	return lines.join('\n');
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** A sample of that size, each as likely as any other, in random order: whoever stops early has a sample as well. */
export function sampleOf<T>(all: readonly T[], count: number, random: () => number): T[] {
	const pool = [...all];
	for (let taken = 0; taken < Math.min(count, pool.length); taken++) {
		const other = taken + Math.floor(random() * (pool.length - taken));
		[pool[taken], pool[other]] = [pool[other] as T, pool[taken] as T];
	}
	return pool.slice(0, count);
}
