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

function show(file: string, findings: Finding[]): void {
	for (const { line, found, say } of findings) console.log(`${file}:${line}: "${found}" -> ${say}`);
}

/** Prints each word that is ruled out and the length of each shelf; with --strict it fails if there is something to do. */
function main(): void {
	const names = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'examples/README.md', ...filesBelow('docs', '.md')];
	const documents = new Map(names.map((name) => [name, read(name)]));
	const sources = ['nodes', 'credentials'].flatMap((folder) => filesBelow(folder, '.ts'));
	let count = 0;
	const all: Array<[string, Finding[]]> = [
		...[...documents].map(([name, text]): [string, Finding[]] => [name, findInDocument(text)]),
		...sources.map((file): [string, Finding[]] => [file, findInSource(file, read(file))]),
	];
	for (const [file, findings] of all) {
		show(file, findings);
		count += findings.length;
	}
	console.log(`\n${count} words that are ruled out`);
	let tooLong = 0;
	for (const shelf of SHELVES) {
		const words = wordsOnShelf(shelf, documents);
		console.log(`${shelf.name}: ${words} words of ${shelf.most}`);
		if (words > shelf.most) tooLong++;
	}
	if (process.argv.includes('--strict') && count + tooLong > 0) process.exitCode = 1;
}

main();
