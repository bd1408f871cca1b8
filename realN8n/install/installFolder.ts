import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { run } from '../machine/processes';
import { fingerprint } from './fingerprint';

const MARK_NAME = '.installed-from';

// What matters is said on the command line: npm hands the project's own .npmrc to its scripts as environment variables,
// and those would win over the .npmrc of the folder.
const CLEAN_INSTALL = [
	'ci',
	'--ignore-scripts',
	'--legacy-peer-deps=false',
	'--no-audit',
	'--no-fund',
	'--loglevel=error',
];

/**
 * Makes sure that a folder with a package.json and a lockfile of its own is installed exactly as these say. No install
 * script runs. Does nothing when that is so already.
 * @param what names what is installed, for the person who waits
 * @param say receives lines for that person
 * @throws with npm's last lines when npm refuses
 */
export async function ensureFolderInstalled(
	folder: string,
	what: string,
	say: (line: string) => void,
): Promise<void> {
	const mark = join(folder, 'node_modules', MARK_NAME);
	const wanted = fingerprint(folder, ['package.json', 'package-lock.json']);
	if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
	say(`Installing ${what} into ${folder} (once only)`);
	// npm ci removes what was there before, the old mark too
	await run('npm', CLEAN_INSTALL, { cwd: folder });
	writeFileSync(mark, wanted);
}
