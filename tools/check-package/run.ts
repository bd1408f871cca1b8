import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';

import { ensureFolderInstalled } from '../../realN8n/install/installFolder';
import { PACKAGE_NAME, PROJECT_FOLDER } from '../../realN8n/machine/paths';
import { run } from '../../realN8n/machine/processes';
import { type DescribedNode, foreignCredentials, hiddenCredentials } from './credentials';
import { type LintPart, newestLintFindings, yaraFindings } from './hints';

/** What the scanner says of one folder. */
interface Analysis {
	passed: boolean;
	/** Why it has not passed, or that there was nothing to check. */
	message?: string;
	/** The findings, as ESLint prints them. */
	details?: string;
}

/** The scanner's own functions, as far as they are called here. */
interface Scanner {
	analyzePackage(folder: string, filePatterns: string[]): Promise<Analysis>;
	/** The whole verification of a published version: its provenance, the source that this names, the tarball. */
	analyzePackageByName(name: string, version: string): Promise<Analysis>;
	SOURCE_FILE_PATTERNS: string[];
	buildScanConfig(): Promise<LintPart[]>;
}

/** One of the two things that n8n's verification reads. */
interface Leg {
	what: string;
	filePatterns: string[];
	/** Puts the files to read into an empty folder. */
	fill(folder: string): Promise<void>;
	/** What else is wrong with them, in sentences. */
	examine(folder: string): string[];
	/** Prints what the verification may find tomorrow. */
	hint(folder: string): Promise<void>;
}

const LINT_CONFIG = join(PROJECT_FOLDER, 'tools', 'eslint.config.mjs');
const SCANNER_FOLDER = join(__dirname, 'node_modules', '@n8n', 'scan-community-package');

/** analyzePackageByName() of the scanner has this list inside. */
const TARBALL_FILE_PATTERNS = ['**/*.js', 'package.json'];

async function fillWithSource(folder: string): Promise<void> {
	const archive = join(folder, 'source.tar');
	await run('git', ['archive', '--output', archive, 'HEAD'], { cwd: PROJECT_FOLDER });
	await run('tar', ['-xf', archive, '-C', folder], { cwd: PROJECT_FOLDER });
	rmSync(archive);
}

/** @param given a tarball that exists; undefined: it is made now */
async function fillWithTarball(folder: string, given: string | undefined): Promise<void> {
	const tarball = given === undefined ? await pack(folder) : resolve(PROJECT_FOLDER, given);
	await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], {
		cwd: PROJECT_FOLDER,
	});
	if (given === undefined) rmSync(tarball);
}

/** @returns the path of the tarball that npm would publish, in that folder */
async function pack(folder: string): Promise<string> {
	await run('npm', ['run', 'build'], { cwd: PROJECT_FOLDER });
	const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: PROJECT_FOLDER,
	});
	const [entry] = Object.values(JSON.parse(packed) as Record<string, { filename: string }>);
	if (entry === undefined) throw new Error('npm pack made no tarball.');
	return join(folder, entry.filename);
}

/** A node that no verification may let through: a scanner that finds nothing here finds nothing anywhere. */
async function fillWithFaults(folder: string): Promise<void> {
	const nodes = join(folder, 'nodes', 'Faulty');
	mkdirSync(nodes, { recursive: true });
	writeFileSync(
		join(folder, 'package.json'),
		JSON.stringify({ name: 'faulty', version: '0.0.0', dependencies: { axios: '1.0.0' } }),
	);
	writeFileSync(
		join(nodes, 'Faulty.node.ts'),
		"import fs from 'fs';\nconsole.log(process.env.HOME, fs);\n",
	);
}

async function inTemporaryFolder<Result>(
	use: (folder: string) => Promise<Result>,
): Promise<Result> {
	const folder = mkdtempSync(join(tmpdir(), 'check-package-'));
	try {
		return await use(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** How many files a leg reads, counted as the scanner does. */
function countFiles(folder: string, filePatterns: string[]): number {
	const require = createRequire(join(SCANNER_FOLDER, 'package.json'));
	const glob = require('fast-glob') as { sync(patterns: string[], options: object): string[] };
	return glob.sync(filePatterns, { cwd: folder, ignore: ['node_modules/**'] }).length;
}

async function checkScanner(scanner: Scanner): Promise<void> {
	const { passed, details = '' } = await inTemporaryFolder(async (folder) => {
		await fillWithFaults(folder);
		return await scanner.analyzePackage(folder, scanner.SOURCE_FILE_PATTERNS);
	});
	const rules = [
		'no-runtime-dependencies',
		'package-name-convention',
		'no-restricted-imports',
		'no-restricted-globals',
		'no-console',
	];
	const missed = rules.filter((rule) => !details.includes(rule));
	if (passed || missed.length > 0)
		throw new Error(`The scanner misses what it must find: ${missed.join(', ')}.\n${details}`);
	console.log(`The scanner finds what it must find: ${rules.join(', ')}.`);
}

/** What a configuration demands; plugins and parsers by name only, because each installation has its own. */
function demandsOf(parts: LintPart[]): object[] {
	return parts.map(({ files, ignores, rules, plugins = {}, languageOptions = {} }) => ({
		files,
		ignores,
		rules,
		plugins: Object.keys(plugins),
		hasParser: languageOptions.parser !== undefined,
	}));
}

/** @throws where `npm run lint` would find less, or more, than the verification does */
async function checkLintConfig(scanner: Scanner): Promise<void> {
	const { default: ours } = (await import(pathToFileURL(LINT_CONFIG).href)) as {
		default: LintPart[];
	};
	if (!isDeepStrictEqual(demandsOf(ours), demandsOf(await scanner.buildScanConfig())))
		throw new Error('tools/eslint.config.mjs differs from buildScanConfig() of the scanner.');
	console.log('npm run lint has the rules of the scanner.');
}

/** @returns whether nothing was found */
async function checkLeg(
	scanner: Scanner,
	{ what, filePatterns, fill, examine, hint }: Leg,
): Promise<boolean> {
	return await inTemporaryFolder(async (folder) => {
		await fill(folder);
		const count = countFiles(folder, filePatterns);
		const { passed, message, details = '' } = await scanner.analyzePackage(folder, filePatterns);
		const isClean = passed && message === undefined && count > 0;
		console.log(
			`${what} (${filePatterns.join(', ')}): ${count} files, ${isClean ? 'no findings' : (message ?? 'nothing to check at')}`,
		);
		if (!isClean) console.log(details);
		const wrong = examine(folder);
		for (const sentence of wrong) console.log(sentence);
		await hint(folder);
		return isClean && wrong.length === 0;
	});
}

/** What the sources in a folder say of credentials. */
function hiddenIn(folder: string): string[] {
	return readdirSync(join(folder, 'nodes'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join('nodes', file))
		.flatMap((file) => hiddenCredentials(file, readFileSync(join(folder, file), 'utf8')));
}

interface Manifest {
	n8n: { nodes: string[]; credentials: string[] };
}

/** What the built nodes in a folder say of credentials, loaded as n8n loads them. */
function foreignIn(folder: string): string[] {
	// the only package that n8n gives them
	mkdirSync(join(folder, 'node_modules'));
	symlinkSync(
		join(PROJECT_FOLDER, 'node_modules', 'n8n-workflow'),
		join(folder, 'node_modules', 'n8n-workflow'),
		'junction',
	);
	const require = createRequire(join(folder, 'package.json'));
	const { n8n } = require('./package.json') as Manifest;
	const classesIn = (files: string[]): object[] =>
		files
			.flatMap((file) => Object.values(require(`./${file}`) as Record<string, new () => object>))
			.map((Class) => new Class());
	const nodes = classesIn(n8n.nodes) as Array<{ description: DescribedNode }>;
	const credentials = classesIn(n8n.credentials) as Array<{ name: string }>;
	return foreignCredentials(
		nodes.map(({ description }) => description),
		credentials.map(({ name }) => name),
	);
}

function printHints(of: string, findings: string[]): void {
	console.log(`A hint, which does not count: ${of}: ${findings.length} findings`);
	for (const finding of findings) console.log(`  ${finding}`);
}

/** @returns whether both legs are without findings */
async function checkBeforePublishing(
	scanner: Scanner,
	tarball: string | undefined,
	yaraRules: string | undefined,
): Promise<boolean> {
	const commit = (
		await run('git', ['rev-parse', '--short', 'HEAD'], { cwd: PROJECT_FOLDER })
	).trim();
	const legs: Leg[] = [
		{
			what: `The source at ${commit}`,
			filePatterns: scanner.SOURCE_FILE_PATTERNS,
			fill: fillWithSource,
			examine: hiddenIn,
			hint: async (folder) => {
				const { version, findings } = await newestLintFindings(
					folder,
					scanner.SOURCE_FILE_PATTERNS,
				);
				printHints(`the lint plugin ${version}`, findings);
			},
		},
		{
			what: tarball ?? 'The tarball of npm pack',
			filePatterns: TARBALL_FILE_PATTERNS,
			fill: async (folder) => await fillWithTarball(folder, tarball),
			examine: foreignIn,
			hint: async (folder) => {
				if (yaraRules === undefined) return;
				const { count, findings } = await yaraFindings(resolve(yaraRules), folder);
				printHints(`${count} files of YARA rules`, findings);
			},
		},
	];
	let isClean = true;
	for (const leg of legs) isClean = (await checkLeg(scanner, leg)) && isClean;
	console.log('Not checked before publishing: the provenance.');
	return isClean;
}

/** A new version takes a while to be seen everywhere: how many times it is looked for, and the pause between two of them. */
const TRIES = 20;
const PAUSE_MS = 30_000;

/** @returns whether the version that the registry gives passes the verification */
async function checkPublished(scanner: Scanner, version: string, tries: number): Promise<boolean> {
	for (let tried = 1; ; tried++) {
		const {
			passed,
			message,
			details = '',
		} = await scanner.analyzePackageByName(PACKAGE_NAME, version);
		console.log(
			`${PACKAGE_NAME} ${version}, try ${tried}: ${passed ? 'passed' : (message ?? 'not passed')}`,
		);
		if (passed) return true;
		// findings do not go away by waiting
		if (details !== '' || tried >= tries) {
			console.log(details);
			return false;
		}
		await delay(PAUSE_MS);
	}
}

const HELP = `npm run check -- package [flags]

What n8n's verification finds in this package, by n8n's own scanner: in the source as git has it at HEAD, and in the tarball
as npm would publish it; whether each credential of a node is this package's own, and named by a literal; and, as a hint that does
not count, what the newest lint plugin finds. Only the proof of origin (provenance) is left out, which a version has once it is published.

  --tarball <file>       that tarball, and not one that is built and packed now
  --yara <folder>        also those YARA rules, as a hint. n8n plans to run DataDog's, which are in no package: clone
                         DataDog/guarddog, and name its folder guarddog/analyzer/sourcecode
  --published <version>  instead: the whole verification of a version that is in the public registry
  --tries <n>            how many times such a version is looked for, half a minute apart (default ${TRIES})
  --help                 this text
`;

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			tarball: { type: 'string' },
			yara: { type: 'string' },
			published: { type: 'string' },
			tries: { type: 'string', default: String(TRIES) },
			help: { type: 'boolean', default: false },
		},
	});
	if (flags.help) {
		process.stdout.write(HELP);
		return;
	}
	await ensureFolderInstalled(__dirname, 'the scanner of n8n’s verification', (line) =>
		console.log(line),
	);
	const scanner = (await import(
		pathToFileURL(join(SCANNER_FOLDER, 'scanner', 'scanner.mjs')).href
	)) as Scanner;
	await checkScanner(scanner);
	await checkLintConfig(scanner);
	const passed =
		flags.published === undefined
			? await checkBeforePublishing(scanner, flags.tarball, flags.yara)
			: await checkPublished(scanner, flags.published, Number(flags.tries));
	if (!passed) throw new Error('The verification refuses this package.');
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
