import { spawn } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { CACHE_FOLDER, PROJECT_FOLDER } from '../../realN8n/machine/paths';
import { run } from '../../realN8n/machine/processes';
import { ensureFolderInstalled } from '../../realN8n/install/installFolder';
import { EQUIVALENT, type Mutant, originalOf, randomOf, sampleOf } from './sample';

const HELP = `npm run check -- mutants [flags]

Changes the code of nodes/ in one place at a time, and sees whether a test of the suites unit or engine notices.

  --count <n>        the size of the random sample of mutants (500)
  --seed <n>         another sample (1)
  --minutes <n>      begins no further mutant after that time (60)
  --suites <names>   unit,engine
  --only <text>      only mutants in files whose path contains it
  --tests <pattern>  only tests in files whose path has it
  --help             this text
`;

interface SourceFile {
	name: string;
	content: string;
	mutate: boolean;
}

interface Instrumenter {
	instrument(
		files: SourceFile[],
		options: object,
	): Promise<{ files: SourceFile[]; mutants: Mutant[] }>;
}

/** A copy of the project whose nodes/ has all mutants in it; the environment of a process says which one is active. */
const WORKSPACE = join(CACHE_FOLDER, 'mutants');
const COVERAGE = join(WORKSPACE, '.coverage');
const CONFIG = join(WORKSPACE, 'jest.mutants.config.js');
const ACTIVE_MUTANT = '__STRYKER_ACTIVE_MUTANT__';

/** A mutant is judged by the tests of its own file, then by the quickest of the others that pass by it, until they have taken this long. */
const MAX_TEST_MS = 120_000;
/** A mutant is noticed where it makes tests slower than this: loading, and several times what they take. */
const START_MS = 60_000;
const SLOWER = 4;
/** What a test file takes before its first test, about. */
const LOADING_MS = 2_000;
/** The simulations take several times as long where each line counts itself. */
const TEST_TIMEOUT_MS = 120_000;
/** More names than that are no command line: then all tests of the files run. */
const MAX_NAMES = 100;

async function instrument(): Promise<Mutant[]> {
	await ensureFolderInstalled(__dirname, 'what makes mutants', (line) => console.log(line));
	rmSync(WORKSPACE, { recursive: true, force: true });
	mkdirSync(COVERAGE, { recursive: true });
	const listed = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
		cwd: PROJECT_FOLDER,
	});
	for (const file of listed
		.split('\n')
		.filter((name) => name !== '' && existsSync(join(PROJECT_FOLDER, name)))) {
		cpSync(join(PROJECT_FOLDER, file), join(WORKSPACE, file));
	}
	rmSync(join(WORKSPACE, 'node_modules'), { recursive: true, force: true });
	symlinkSync(join(PROJECT_FOLDER, 'node_modules'), join(WORKSPACE, 'node_modules'), 'junction');
	const entry = pathToFileURL(
		join(__dirname, 'node_modules/@stryker-mutator/instrumenter/dist/src/index.js'),
	).href;
	const { Instrumenter: Class } = (await import(entry)) as {
		Instrumenter: new (logger: object) => Instrumenter;
	};
	const silent = Object.fromEntries(
		['trace', 'debug', 'info', 'warn', 'error'].map((level) => [level, () => undefined]),
	);
	const names = readdirSync(join(WORKSPACE, 'nodes'), { recursive: true, encoding: 'utf8' }).filter(
		(name) => name.endsWith('.ts'),
	);
	const sources = names
		.sort()
		.map((name) => join(WORKSPACE, 'nodes', name))
		.map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true }));
	const { files, mutants } = await new Class({ ...silent, isDebugEnabled: () => false }).instrument(
		sources,
		{ plugins: null, ignorers: [], excludedMutations: [], noHeader: false },
	);
	for (const { name, content } of files) writeFileSync(name, content);
	return mutants.map((mutant) => ({ ...mutant, fileName: relative(WORKSPACE, mutant.fileName) }));
}

function writeConfig(suites: string[]): void {
	const text = `const config = require('./jest.config.js');
const wanted = ${JSON.stringify(suites)};
const setupFilesAfterEnv = ['<rootDir>/tools/mutants/coverage.ts'];
module.exports = { ...config, testTimeout: ${TEST_TIMEOUT_MS}, reporters: ['default'], projects: config.projects.filter(({ displayName }) => wanted.includes(displayName)).map((project) => ({ ...project, setupFilesAfterEnv })) };
`;
	writeFileSync(CONFIG, text);
}

/** @returns the exit code of Jest; null: it took too long */
async function jest(
	flags: string[],
	env: NodeJS.ProcessEnv,
	mostMs: number,
): Promise<number | null> {
	const program = join(PROJECT_FOLDER, 'node_modules', 'jest', 'bin', 'jest.js');
	const child = spawn(
		process.execPath,
		[program, '--config', CONFIG, '--ci', '--silent', ...flags],
		{ cwd: WORKSPACE, env: { ...process.env, ...env }, stdio: 'ignore' },
	);
	return await new Promise((resolve) => {
		const late = setTimeout(() => {
			child.kill('SIGKILL');
			resolve(null);
		}, mostMs);
		child.on('exit', (code) => {
			clearTimeout(late);
			resolve(code ?? 1);
		});
	});
}

/** A test file, how long it takes as a whole and by test, and which mutants its loading and its tests pass by. */
interface TestFile {
	path: string;
	ms: number;
	testMs: Map<string, number>;
	loading: Set<string>;
	tests: Map<string, Set<string>>;
}

interface JestReport {
	testResults: Array<{
		name: string;
		status: string;
		startTime: number;
		endTime: number;
		assertionResults: Array<{ fullName: string; duration?: number | null }>;
	}>;
}

/** Runs the tests once, without any mutant. Files that fail then can judge nothing. */
async function measure(tests: string): Promise<TestFile[]> {
	const report = join(COVERAGE, 'report');
	await jest(
		['--json', '--outputFile', report, '--testPathPattern', tests],
		{ MUTANTS_COVERAGE: COVERAGE },
		3_600_000,
	);
	const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
	for (const { name, status } of testResults)
		if (status !== 'passed')
			console.log(`Left out, since it fails without any mutant: ${relative(WORKSPACE, name)}`);
	const passed = new Map(
		testResults.filter(({ status }) => status === 'passed').map((result) => [result.name, result]),
	);
	return readdirSync(COVERAGE)
		.filter((name) => name.endsWith('.json'))
		.map(
			(name) =>
				JSON.parse(readFileSync(join(COVERAGE, name), 'utf8')) as {
					testPath: string;
					loading: string[];
					tests: Record<string, string[]>;
				},
		)
		.flatMap(({ testPath, loading, tests }) => {
			const result = passed.get(testPath);
			if (result === undefined) return [];
			return {
				path: testPath,
				ms: result.endTime - result.startTime,
				testMs: new Map(
					result.assertionResults.map(({ fullName, duration }) => [fullName, duration ?? 0]),
				),
				loading: new Set(loading),
				tests: new Map(Object.entries(tests).map(([test, mutants]) => [test, new Set(mutants)])),
			};
		});
}

type Verdict = 'killed' | 'too slow' | 'survived' | 'not covered';

async function judge({ id, fileName }: Mutant, files: TestFile[]): Promise<Verdict> {
	const ownTest = `${basename(fileName, '.ts')}.test.ts`;
	const covering = files
		.map(({ path, ms, testMs, loading, tests }) => {
			const names = [...tests].filter(([, mutants]) => mutants.has(id)).map(([name]) => name);
			const takesAll = loading.has(id) || names.length > MAX_NAMES;
			return {
				path,
				names,
				takesAll,
				ms: takesAll
					? ms
					: LOADING_MS + names.reduce((sum, name) => sum + (testMs.get(name) ?? 0), 0),
			};
		})
		.filter(({ names, takesAll }) => takesAll || names.length > 0)
		.sort(
			(a, b) =>
				Number(basename(b.path) === ownTest) - Number(basename(a.path) === ownTest) || a.ms - b.ms,
		);
	if (covering.length === 0) return 'not covered';
	let spent = 0;
	for (const { path, ms, names, takesAll } of covering) {
		if (spent > 0 && spent + ms > MAX_TEST_MS) break;
		spent += ms;
		const filter = takesAll
			? []
			: [
					'--testNamePattern',
					`^(?:${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`,
				];
		const code = await jest(
			['--runInBand', '--bail', '--runTestsByPath', path, ...filter],
			{ [ACTIVE_MUTANT]: id },
			START_MS + SLOWER * ms,
		);
		if (code === null) return 'too slow';
		if (code !== 0) return 'killed';
	}
	return 'survived';
}

function describe(mutant: Mutant): string {
	const original = originalOf(mutant, readFileSync(join(PROJECT_FOLDER, mutant.fileName), 'utf8'));
	const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 100);
	return `${mutant.fileName}:${mutant.location.start.line + 1} ${mutant.mutatorName}: ${short(original)} -> ${short(mutant.replacement)}`;
}

function isEquivalent(mutant: Mutant): boolean {
	const original = originalOf(mutant, readFileSync(join(PROJECT_FOLDER, mutant.fileName), 'utf8'));
	return EQUIVALENT.some(
		(each) =>
			each.fileName === mutant.fileName &&
			each.original === original &&
			each.replacement === mutant.replacement,
	);
}

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			count: { type: 'string', default: '500' },
			seed: { type: 'string', default: '1' },
			minutes: { type: 'string', default: '60' },
			suites: { type: 'string', default: 'unit,engine' },
			only: { type: 'string', default: '' },
			tests: { type: 'string', default: '' },
			help: { type: 'boolean', default: false },
		},
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	const until = Date.now() + Number(flags.minutes) * 60_000;
	const all = (await instrument()).filter(({ fileName }) => fileName.includes(flags.only));
	const sample = sampleOf(all, Number(flags.count), randomOf(Number(flags.seed))).filter(
		(mutant) => !isEquivalent(mutant),
	);
	console.log(
		`${all.length} mutants; a sample of ${sample.length} is judged. First all tests run without one.`,
	);
	writeConfig(flags.suites.split(','));
	const files = await measure(flags.tests);
	console.log(
		`${files.length} test files, ${((Date.now() - until) / 60_000 + Number(flags.minutes)).toFixed(1)} minutes so far. Survivors:`,
	);

	const verdicts = new Map<Mutant, Verdict>();
	const waiting = [...sample];
	const worker = async (): Promise<void> => {
		for (
			let mutant = waiting.shift();
			mutant !== undefined && Date.now() < until;
			mutant = waiting.shift()
		) {
			const verdict = await judge(mutant, files);
			verdicts.set(mutant, verdict);
			if (verdict === 'survived' || verdict === 'not covered')
				console.log(describe(mutant), verdict === 'survived' ? '' : '(no test passes by)');
			if (verdicts.size % 25 === 0) console.log(`${verdicts.size} judged`);
		}
	};
	await Promise.all(Array.from({ length: availableParallelism() }, worker));

	const alive = [...verdicts.values()].filter(
		(verdict) => verdict === 'survived' || verdict === 'not covered',
	).length;
	for (const { fileName, original, replacement, why } of EQUIVALENT)
		console.log(`Equivalent: ${fileName}: ${original} -> ${replacement}: ${why}`);
	const killed = verdicts.size - alive;
	console.log(
		`\n${verdicts.size} of ${sample.length} mutants judged (seed ${flags.seed}): ${killed} killed, ${((100 * killed) / Math.max(1, verdicts.size)).toFixed(1)} %`,
	);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
