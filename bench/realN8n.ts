import { parseArgs } from 'node:util';

import type { Rehearsal } from '../e2e/rehearsal';
import { releaseForThisNode, releaseOf } from '../e2e/releases';
import { withTemporaryRehearsal } from '../e2e/temporaryRehearsal';
import type { SandboxOptions } from '../sandbox';

/**
 * Runs a measurement in a real n8n (`--n8n 2.8` or `2.40`; default: the one that fits this Node.js) with the packed
 * package and a sandbox, and ends both. With `--json` the last line is what it returns, as one JSON document.
 */
export async function benchInRealN8n<Result>(
	sandbox: SandboxOptions,
	measure: (rehearsal: Rehearsal, say: (line: string) => void) => Promise<Result>,
): Promise<void> {
	const { values } = parseArgs({ options: { json: { type: 'boolean', default: false }, n8n: { type: 'string' } } });
	const release = values.n8n === undefined ? releaseForThisNode() : releaseOf(values.n8n);
	const say = (line: string) => console.log(line);
	const result = await withTemporaryRehearsal({ release, sandbox, say }, async (rehearsal) => await measure(rehearsal, say));
	if (values.json) say(JSON.stringify(result));
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
