import fs from 'node:fs';
import path from 'node:path';

/** The project's files, by their path from its top. */

export const ROOT = path.join(__dirname, '..', '..');

export const read = (...segments: string[]): string =>
	fs.readFileSync(path.join(ROOT, ...segments), 'utf8');

export const exists = (...segments: string[]): boolean =>
	fs.existsSync(path.join(ROOT, ...segments));

/** The files in a folder that have such a name. */
export const filesIn = (folder: string, named: RegExp): string[] =>
	fs
		.readdirSync(path.join(ROOT, folder))
		.filter((name) => named.test(name))
		.map((name) => path.join(folder, name));

/** The documents for people. */
export const DOCUMENTS = [
	'.',
	'docs',
	'docs/internals',
	'docs/internals/decisions',
	'examples',
].flatMap((folder) => filesIn(folder, /\.md$/));
