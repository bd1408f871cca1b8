import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { run } from '../machine/processes';
import { fingerprint } from './fingerprint';
import { nodeRuntimeOf, type N8nRelease } from './releases';

/** What an installation was made from. When it says the same again, there is nothing to do. */
interface InstalledMark {
	lockfile: string;
	/** Native modules are made for one version of Node.js. */
	node: string | null;
}

const MARK_NAME = '.installed-for-e2e.json';

// npm hands the settings of a project's .npmrc to its scripts as environment variables, which would win over the
// .npmrc of the server's folder: so what matters is said on the command line.
const CLEAN_INSTALL = [
	'ci',
	'--ignore-scripts',
	'--legacy-peer-deps=false',
	'--no-audit',
	'--no-fund',
	// n8n's own dependencies make npm warn of a hundred things that nobody here can change
	'--loglevel=error',
];
const NATIVE_BUILD = ['rebuild', '--ignore-scripts=false'];

function readMark(path: string): InstalledMark | null {
	if (!existsSync(path)) return null;
	try {
		return JSON.parse(readFileSync(path, 'utf8')) as InstalledMark;
	} catch {
		// cut off by an interruption: install again
		return null;
	}
}

interface Lockfile {
	/** By path below the folder; binaries for one kind of machine say for which. */
	packages: Record<string, { os?: string[]; cpu?: string[]; libc?: string[] }>;
}

function isForThisMachine({
	os,
	cpu,
	libc,
}: {
	os?: string[];
	cpu?: string[];
	libc?: string[];
}): boolean {
	return (
		(os?.includes(process.platform) ?? true) &&
		(cpu?.includes(process.arch) ?? true) &&
		!libc?.includes('musl')
	);
}

/** Shows every few seconds how many of the lockfile's packages are there; returns the function that ends it. */
function showProgress(folder: string, say: (line: string) => void): () => void {
	const lockfile = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lockfile;
	const packages = Object.entries(lockfile.packages)
		.filter(([path, entry]) => path !== '' && isForThisMachine(entry))
		.map(([path]) => path);
	const start = Date.now();
	const timer = setInterval(() => {
		const there = packages.filter((path) => existsSync(join(folder, path, 'package.json'))).length;
		const seconds = Math.round((Date.now() - start) / 1000);
		say(`  ${seconds} s: ${there} of ${packages.length} packages unpacked`);
	}, 10_000);
	return () => clearInterval(timer);
}

async function installPackages(release: N8nRelease, say: (line: string) => void): Promise<void> {
	say(`Installing n8n ${release.version} into ${release.folder}`);
	say('  First start only: 2 to 5 minutes, about 2.5 GB on disk.');
	const stopProgress = showProgress(release.folder, say);
	try {
		await run('npm', CLEAN_INSTALL, { cwd: release.folder, visible: true });
	} finally {
		stopProgress();
	}
}

async function buildNativeModules(release: N8nRelease, say: (line: string) => void): Promise<void> {
	const { program, headers } = nodeRuntimeOf(release);
	say(`Preparing ${release.nativeModules.join(' and ')} for n8n ${release.version}`);
	say(
		'  First start only. If they have to be compiled, this takes up to 2 minutes and needs a C++ compiler and Python.',
	);
	const env = {
		...process.env,
		PATH: `${dirname(program)}${delimiter}${process.env.PATH ?? ''}`,
		...(headers === null ? {} : { npm_config_nodedir: headers }),
	};
	await run('npm', [...NATIVE_BUILD, ...release.nativeModules], { cwd: release.folder, env });
}

/**
 * Makes sure that a release is installed in its folder, exactly as its lockfile says, with its native modules
 * ready for the Node.js that will run it. Does nothing when that is so already.
 * @param say receives lines for the person who waits
 */
export async function ensureInstalled(
	release: N8nRelease,
	say: (line: string) => void,
): Promise<void> {
	const markPath = join(release.folder, 'node_modules', MARK_NAME);
	const lockfile = fingerprint(release.folder, ['package.json', 'package-lock.json']);
	const before = readMark(markPath);
	const isMade = before?.lockfile === lockfile;
	if (!isMade) {
		await installPackages(release, say);
		// npm ci has removed the old mark; a mark without Node.js says: native modules are still to come
		writeFileSync(markPath, JSON.stringify({ lockfile, node: null } satisfies InstalledMark));
	}
	const { program } = nodeRuntimeOf(release);
	const node = program === process.execPath ? process.version : 'packaged';
	if (isMade && before.node === node) return;
	await buildNativeModules(release, say);
	writeFileSync(markPath, JSON.stringify({ lockfile, node } satisfies InstalledMark));
	say(`n8n ${release.version} is installed.`);
}
