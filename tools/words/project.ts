import fs from 'node:fs';
import path from 'node:path';

import { type Finding, findInCode, findInDocument, findInSource } from './findings';
import { ABOUT_WORDS } from './rules';

const ROOT = path.resolve(__dirname, '..', '..');

/** What runs in n8n: its texts are the editor's. */
const SHIPPED = ['nodes', 'credentials'];
const CODE_FOLDERS = [
	...SHIPPED,
	'sandbox',
	'realN8n',
	'start',
	'e2e',
	'bench',
	'test',
	'tools',
	'.github',
];
const CODE_FILES = [
	'index.js',
	'gulpfile.js',
	'jest.config.js',
	'.ci/run',
	'compose.yaml',
	'docker/Dockerfile',
];
const CODE = /\.(?:[cm]?[jt]s|ya?ml)$/;

function filesBelow(folder: string, names: RegExp): string[] {
	return fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
		const file = `${folder}/${entry.name}`;
		if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(file, names);
		return names.test(file) ? [file] : [];
	});
}

const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');

function findInFile(file: string): Finding[] {
	const inCode = findInCode(file, read(file));
	if (!SHIPPED.some((folder) => file.startsWith(`${folder}/`))) return inCode;
	const isNew = ({ line, found }: Finding): boolean =>
		!inCode.some((other) => other.line === line && other.found === found);
	return [...inCode, ...findInSource(file, read(file)).filter(isNew)];
}

/** The words that are ruled out and are there all the same, by file. */
export function checkWords(): Map<string, Finding[]> {
	const names = [
		'README.md',
		'CONTRIBUTING.md',
		'SECURITY.md',
		'CHANGELOG.md',
		'AGENTS.md',
		'CODE_OF_CONDUCT.md',
		'examples/README.md',
		...filesBelow('docs', /\.md$/),
	];
	const documents = new Map(names.map((name) => [name, read(name)]));
	const code = [
		...CODE_FILES,
		...CODE_FOLDERS.flatMap((folder) => filesBelow(folder, CODE)),
	].filter((file) => !ABOUT_WORDS.includes(file));
	const all: Array<[string, Finding[]]> = [
		...[...documents].map(([name, text]): [string, Finding[]] => [
			name,
			findInDocument(name, text),
		]),
		...code.map((file): [string, Finding[]] => [file, findInFile(file)]),
	];
	return new Map(all.filter(([, found]) => found.length > 0));
}
