import fs from 'node:fs';
import path from 'node:path';

import { type Finding, findInDocument, findInSource, wordsOnShelf } from './findings';
import { SHELVES } from './rules';

const ROOT = path.resolve(__dirname, '..', '..');

function filesBelow(folder: string, end: string): string[] {
	return fs
		.readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith(end))
		.map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
}

const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');

/** What is ruled out and yet there, by file, and how long each shelf of documents is, in words. */
export function lookThrough(): { findings: Map<string, Finding[]>; shelves: Array<{ name: string; words: number; most: number }> } {
	const names = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'examples/README.md', ...filesBelow('docs', '.md')];
	const documents = new Map(names.map((name) => [name, read(name)]));
	const sources = ['nodes', 'credentials'].flatMap((folder) => filesBelow(folder, '.ts'));
	const all: Array<[string, Finding[]]> = [
		...[...documents].map(([name, text]): [string, Finding[]] => [name, findInDocument(text)]),
		...sources.map((file): [string, Finding[]] => [file, findInSource(file, read(file))]),
	];
	return {
		findings: new Map(all.filter(([, found]) => found.length > 0)),
		shelves: SHELVES.map((shelf) => ({ name: shelf.name, words: wordsOnShelf(shelf, documents), most: shelf.most })),
	};
}
