import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { PROJECT_FOLDER } from '../e2e/paths';
import { releaseForThisNode, releaseOf } from '../e2e/releases';
import { BENCHMARKS, measuredBy, withResults, type Benchmark, type Circumstances, type Measured } from './resultTable';

const HELP = `npm run bench -- [flags]

Runs the benchmarks one after another and writes their results into docs/performance.md. All of them take about half an hour.

  --only <names>   some of them, with commas between: ${BENCHMARKS.join(', ')}; rows of the others stay
  --n8n <line>     2.8 or 2.40, for batch and live (default: the one that fits this Node.js)
  --help           this text
`;

const PAGE = join(PROJECT_FOLDER, 'docs', 'performance.md');
const IN_REAL_N8N: readonly Benchmark[] = ['batch', 'live'];
const GIBIBYTE = 1024 ** 3;

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: { only: { type: 'string', default: BENCHMARKS.join(',') }, n8n: { type: 'string' }, help: { type: 'boolean', default: false } },
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	const wanted = flags.only.split(',');
	const unknown = wanted.filter((name) => !BENCHMARKS.some((known) => known === name));
	if (unknown.length > 0) throw new Error(`There is no benchmark "${unknown.join(', ')}". Try --help.`);
	const release = flags.n8n === undefined ? releaseForThisNode() : releaseOf(flags.n8n);

	const fallenShort: Benchmark[] = [];
	for (const benchmark of BENCHMARKS.filter((name) => wanted.includes(name))) {
		console.log(`bench:${benchmark}`);
		const isInN8n = IN_REAL_N8N.includes(benchmark);
		const { document, reachedGoals } = await runBenchmark(benchmark, isInN8n ? ['--n8n', release.line] : []);
		if (!reachedGoals) fallenShort.push(benchmark);
		const circumstances: Circumstances = {
			machine: `${os.cpus().length} cores, ${Math.round(os.totalmem() / GIBIBYTE)} GB`,
			node: process.versions.node,
			n8n: isInN8n ? release.version : null,
			date: new Date().toISOString().slice(0, 10),
		};
		// After each one: an interruption loses nothing that was measured.
		write(benchmark, measuredBy(benchmark, document), circumstances);
	}
	if (fallenShort.length > 0) {
		console.log(`Goals were missed by: ${fallenShort.join(', ')}. The results were written all the same.`);
		process.exitCode = 1;
	}
}

function write(benchmark: Benchmark, measured: Measured[], circumstances: Circumstances): void {
	writeFileSync(PAGE, withResults(readFileSync(PAGE, 'utf8'), new Map([[benchmark, { measured, circumstances }]])));
}

/**
 * Runs one benchmark, whose output is shown, and reads the JSON document on its last line.
 * @throws when it ends without one
 */
async function runBenchmark(benchmark: Benchmark, flags: string[]): Promise<{ document: unknown; reachedGoals: boolean }> {
	const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, `${benchmark}.ts`), '--json', ...flags], {
		cwd: PROJECT_FOLDER,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let output = '';
	child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
	const [code] = (await once(child, 'close')) as [number | null];
	const lines = output.trimEnd().split('\n');
	const last = lines.pop() ?? '';
	console.log(lines.join('\n'));
	if (!last.startsWith('{')) throw new Error(`bench:${benchmark} ended with ${String(code)} and printed no results: ${last}`);
	return { document: JSON.parse(last) as unknown, reachedGoals: code === 0 };
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
