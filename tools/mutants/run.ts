import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { ensureFolderInstalled } from '../../realN8n/install/installFolder';
import { nodeRuntimeFor } from '../../realN8n/install/nodeRuntime';
import { CACHE_FOLDER, PROJECT_FOLDER } from '../../realN8n/machine/paths';
import { run } from '../../realN8n/machine/processes';

const HELP = `npm run check -- mutants [flags]

Changes the code of nodes/ in one place at a time (Stryker), and sees whether a test notices: a unit test, or if none does, one of
the engine suite, or otherwise of the security suite or the histories; not those that take long. Prints the changes that none notices, and the score.

  --count <n>    the size of the random sample of changes (300)
  --seed <n>     another sample (1)
  --only <glob>  only changes in these files (nodes/**/*.ts)
  --help         this text
`;

/** Where Stryker copies the project to, and writes its reports: as JSON, and to be read in a browser. */
const FOLDER = join(CACHE_FOLDER, 'mutants');
const STRYKER = join(__dirname, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
const NODE_MAJORS = { first: 22, last: Number.POSITIVE_INFINITY };

/** The suites that judge one after the other, the quick one first, by their folders. The engine suite waits most of its time, so more of it runs at the same time. */
const STAGES = [
	{ name: 'unit', suites: ['unit'], concurrency: 2 },
	{ name: 'engine', suites: ['engine'], concurrency: 4 },
	{ name: 'others', suites: ['security', 'histories'], concurrency: 2 },
];

/** A change of the source, as Stryker's report has it. Lines and columns are counted from 1. */
interface Mutant {
	id: string;
	status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'CompileError' | 'RuntimeError';
	mutatorName: string;
	replacement: string;
	location: { start: Position; end: Position };
}

interface Position {
	line: number;
	column: number;
}

interface Report {
	files: Record<string, { source: string; mutants: Mutant[] }>;
}

/** Runs Stryker on a sample of the mutants, with the tests of one stage. @returns its report */
async function judge(
	{ name, suites, concurrency }: (typeof STAGES)[number],
	only: string,
	sample: Record<string, string>,
): Promise<Report> {
	const report = join(FOLDER, `${name}.json`);
	const config = join(FOLDER, `${name}.config.json`);
	writeFileSync(
		config,
		JSON.stringify({
			mutate: [only],
			plugins: ['@stryker-mutator/jest-runner', join(__dirname, 'sample.mjs')],
			checkers: ['sample'],
			testRunner: 'jest',
			jest: {
				configFile: 'jest.config.js',
				config: {
					roots: suites.map((suite) => `<rootDir>/test/${suite}`),
					testPathIgnorePatterns: ['\\.long\\.test', '/test/unit/(?:tools|e2e)/'],
					testEnvironment: join(__dirname, 'environment.js'),
				},
				// nearly every test is related to nearly every file, which takes long to find out
				enableFindRelatedTests: false,
			},
			coverageAnalysis: 'perTest',
			concurrency,
			// one that has judged a hundred mutants has gigabytes of memory, and takes ten times as long for the next one
			maxTestRunnerReuse: 20,
			// a machine that does other work as well makes no mutant too slow
			timeoutMS: 60_000,
			timeoutFactor: 4,
			dryRunTimeoutMinutes: 30,
			disableTypeChecks: false,
			ignorePatterns: ['.cache', '.data', 'dist'],
			tempDirName: join(FOLDER, 'copy'),
			cleanTempDir: 'always',
			reporters: ['json', 'html', 'progress-append-only'],
			jsonReporter: { fileName: report },
			htmlReporter: { fileName: join(FOLDER, `${name}.html`) },
		}),
	);
	const { program } = nodeRuntimeFor('Stryker', { folder: __dirname, nodeMajors: NODE_MAJORS });
	await run(program, [STRYKER, 'run', config], {
		cwd: PROJECT_FOLDER,
		env: { ...process.env, ...sample },
		visible: true,
	});
	return JSON.parse(readFileSync(report, 'utf8')) as Report;
}

/** Those of the sample that a report has judged; all others are in it as changes that do not compile. */
function judged({ files }: Report): Array<{ mutant: Mutant; described: string }> {
	return Object.entries(files).flatMap(([file, { source, mutants }]) =>
		mutants
			.filter(({ status }) => status !== 'CompileError')
			.map((mutant) => ({ mutant, described: `${file}:${describe(mutant, source)}` })),
	);
}

function describe(
	{ mutatorName, replacement, location: { start, end } }: Mutant,
	source: string,
): string {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	lines[lines.length - 1] = (lines.at(-1) ?? '').slice(0, end.column - 1);
	lines[0] = (lines[0] ?? '').slice(start.column - 1);
	const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 100);
	return `${start.line} ${mutatorName}: ${short(lines.join('\n'))} -> ${short(replacement)}`;
}

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			count: { type: 'string', default: '300' },
			seed: { type: 'string', default: '1' },
			only: { type: 'string', default: 'nodes/**/*.ts' },
			help: { type: 'boolean', default: false },
		},
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	await ensureFolderInstalled(__dirname, 'Stryker', (line) => console.log(line));
	rmSync(FOLDER, { recursive: true, force: true });
	mkdirSync(FOLDER, { recursive: true });
	let sample: Record<string, string> = { MUTANTS_COUNT: flags.count, MUTANTS_SEED: flags.seed };
	let total = 0;
	let alive: string[] = [];
	for (const stage of STAGES) {
		const results = judged(await judge(stage, flags.only, sample));
		total = Math.max(total, results.length);
		const survivors = results.filter(
			({ mutant: { status } }) => status === 'Survived' || status === 'NoCoverage',
		);
		alive = survivors.map(({ described }) => described);
		console.log(
			`\n${alive.length} of ${total} changes are left after ${stage.suites.join(' and ')}.`,
		);
		if (alive.length === 0) break;
		// the same change has the same number in each run
		sample = { MUTANTS_IDS: survivors.map(({ mutant: { id } }) => id).join(',') };
	}
	const killed = total - alive.length;
	console.log(`\nNo test notices:\n${alive.join('\n')}`);
	console.log(
		`\nSeed ${flags.seed}: of ${total} mutants ${killed} killed, ${((100 * killed) / Math.max(1, total)).toFixed(1)} %`,
	);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
