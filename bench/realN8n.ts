import { parseArgs } from 'node:util';

import { releaseForThisNode, releaseOf, type N8nLine } from '../realN8n/install/releases';
import type { Rehearsal } from '../realN8n/rehearsal/rehearsal';
import { withTemporaryRehearsal } from '../realN8n/rehearsal/temporary';
import type { SandboxOptions } from '../sandbox';

type Say = (line: string) => void;

interface BenchInN8n {
	help: string;
	/** What `--only` may name. Default: nothing, all is measured. */
	names?: readonly string[];
	sandbox?: SandboxOptions;
	/** Further environment of n8n. */
	env?: Record<string, string>;
	/** The n8n that is measured unless `--n8n` names another. Default: the one that fits this Node.js. */
	line?: N8nLine;
}

/** What the person who runs a benchmark has asked for. */
interface BenchFlags {
	json: boolean;
	n8n: string | undefined;
	only: string[] | null;
}

/** @returns null if only the help was asked for @throws for a name that there is not */
export function readBenchFlags(help: string, names: readonly string[] = []): BenchFlags | null {
	const { values } = parseArgs({
		options: {
			json: { type: 'boolean', default: false },
			n8n: { type: 'string' },
			only: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		process.stdout.write(help);
		return null;
	}
	const only = values.only?.split(',') ?? null;
	const unknown = only?.filter((name) => !names.includes(name)) ?? [];
	if (unknown.length > 0) throw new Error(`There is no run "${unknown.join(', ')}". Try --help.`);
	return { json: values.json, n8n: values.n8n, only };
}

/** With `--json` standard output is one JSON document and nothing else; everything that is said goes to standard error. */
export function sayTo({ json }: BenchFlags): Say {
	return (line) => (json ? process.stderr : process.stdout).write(`${line}\n`);
}

/** Runs a measurement in a real n8n with the packed package and a sandbox, ends both, and prints what it returns if `--json` is given. */
export async function benchInRealN8n<Result>(
	{ help, names, sandbox, env, line }: BenchInN8n,
	measure: (rehearsal: Rehearsal, say: Say, only: string[] | null) => Promise<Result>,
): Promise<void> {
	const flags = readBenchFlags(help, names);
	if (flags === null) return;
	const wanted = flags.n8n ?? line;
	const release = wanted === undefined ? releaseForThisNode() : releaseOf(wanted);
	const say = sayTo(flags);
	const result = await withTemporaryRehearsal(
		{ release, sandbox, env, say },
		async (rehearsal) => await measure(rehearsal, say, flags.only),
	);
	if (flags.json) process.stdout.write(`${JSON.stringify(result)}\n`);
}

export function mean(values: readonly number[]): number {
	return values.length === 0
		? Number.NaN
		: values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function rounded(value: number, digits = 2): number {
	return Number(value.toFixed(digits));
}
