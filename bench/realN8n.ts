import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { exitWhenInterrupted } from '../e2e/interruption';
import { CACHE_FOLDER } from '../e2e/paths';
import { Rehearsal } from '../e2e/rehearsal';
import { releaseForThisNode, releaseOf } from '../e2e/releases';
import type { SandboxOptions } from '../sandbox';

/** The flags of a benchmark in a real n8n. */
export interface BenchFlags {
	json: boolean;
	/** 2.8 or 2.40; default: the one that fits this Node.js. */
	n8n: string | undefined;
}

/**
 * Runs a measurement in a real n8n with the packed package and a sandbox, and ends both. With `--json` the last line is
 * what it returns, as one JSON document.
 */
export async function benchInRealN8n<Result>(
	sandbox: SandboxOptions,
	measure: (rehearsal: Rehearsal, say: (line: string) => void) => Promise<Result>,
): Promise<void> {
	const { values } = parseArgs({ options: { json: { type: 'boolean', default: false }, n8n: { type: 'string' } } });
	const release = values.n8n === undefined ? releaseForThisNode() : releaseOf(values.n8n);
	const say = (line: string) => console.log(line);
	mkdirSync(CACHE_FOLDER, { recursive: true });
	const userFolder = mkdtempSync(join(CACHE_FOLDER, 'bench-'));
	let rehearsal: Rehearsal | undefined;
	const clean = async () => {
		await rehearsal?.stop();
		rmSync(userFolder, { recursive: true, force: true });
	};
	exitWhenInterrupted(clean);
	try {
		rehearsal = await Rehearsal.start({ release, userFolder, sandbox, say });
		const result = await measure(rehearsal, say);
		if (values.json) say(JSON.stringify(result));
	} finally {
		await clean();
	}
}

export function mean(values: readonly number[]): number {
	return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function rounded(value: number, digits = 2): number {
	return Number(value.toFixed(digits));
}
