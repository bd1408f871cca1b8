import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CACHE_FOLDER, PROJECT_FOLDER } from '../machine/paths';
import { oneAtATime } from '../machine/oneAtATime';
import { run } from '../machine/processes';
import { fingerprint } from './fingerprint';

const SOURCES = [
	'nodes',
	'credentials',
	'package.json',
	'tsconfig.json',
	'gulpfile.js',
	'index.js',
	'README.md',
	'LICENSE.md',
];

const PACKED_FOLDER = join(CACHE_FOLDER, 'packed');
const MARK = join(PACKED_FOLDER, 'made-from');
/** npm puts everything into a folder of this name inside a tarball. */
const UNPACKED = join(PACKED_FOLDER, 'package');

/**
 * Builds the package, packs it as for publishing and unpacks the tarball again: what n8n gets is exactly what
 * npm would deliver. Nothing is done while the sources are the same as last time.
 * @returns the folder of the unpacked package
 */
export async function packedPackage(say: (line: string) => void): Promise<string> {
	if (!isPackedFrom(sourcesNow()))
		await oneAtATime(join(CACHE_FOLDER, 'packing'), async () => await pack(say));
	return UNPACKED;
}

function sourcesNow(): string {
	return fingerprint(PROJECT_FOLDER, SOURCES);
}

function isPackedFrom(sources: string): boolean {
	return existsSync(MARK) && readFileSync(MARK, 'utf8') === sources;
}

async function pack(say: (line: string) => void): Promise<void> {
	const sources = sourcesNow();
	// another command may have done it meanwhile
	if (isPackedFrom(sources)) return;
	say('Building and packing the nodes');
	await run('npm', ['run', 'build'], { cwd: PROJECT_FOLDER });
	const fresh = `${PACKED_FOLDER}.new`;
	rmSync(fresh, { recursive: true, force: true });
	mkdirSync(fresh, { recursive: true });
	const packed = await run('npm', ['pack', '--json', '--pack-destination', fresh], {
		cwd: PROJECT_FOLDER,
	});
	await run('tar', ['-xzf', join(fresh, tarballName(packed)), '-C', fresh], {
		cwd: PROJECT_FOLDER,
	});
	writeFileSync(join(fresh, 'made-from'), sources);
	// only a whole one takes the place of the old
	rmSync(PACKED_FOLDER, { recursive: true, force: true });
	renameSync(fresh, PACKED_FOLDER);
}

/** @param output what `npm pack --json` wrote: a list with one entry a package */
function tarballName(output: string): string {
	const packed = JSON.parse(output) as
		Array<{ filename: string }> | Record<string, { filename: string }>;
	const [only] = Object.values(packed);
	if (!only) throw new Error('npm pack made no tarball.');
	return only.filename;
}
