import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');

function filesIn(folder: string, ending: RegExp): string[] {
	return fs
		.readdirSync(path.join(ROOT, folder))
		.filter((name) => ending.test(name))
		.map((name) => path.join(folder, name));
}

/** Pictures that a document shows, from the project's folder: of Markdown, and of `<picture>`. */
function picturesShown(document: string): string[] {
	const text = fs.readFileSync(path.join(ROOT, document), 'utf8');
	const targets = [...text.matchAll(/!\[[^\]]*\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)"/g)].map(
		([, markdown, html]) => markdown ?? html ?? '',
	);
	return targets
		.filter((target) => !/^https?:/.test(target))
		.map((target) => path.join(path.dirname(document), target));
}

const documents = ['.', 'docs', 'docs/internals/decisions', 'docs/internals', 'examples'].flatMap(
	(folder) => filesIn(folder, /\.md$/),
);
const shown = documents.flatMap(picturesShown);
const stored = ['docs/images', 'examples/images'].flatMap((folder) =>
	filesIn(folder, /\.(?:png|svg)$/),
);

test('each picture that a document shows is there, and each that is there is shown', () => {
	expect([...new Set(shown)].sort()).toEqual([...stored].sort());
});

const DARK = /-dark\.\w+$/;

test('each picture has a light and a dark form', () => {
	const light = stored.filter((name) => !DARK.test(name));
	const dark = stored.filter((name) => DARK.test(name));
	expect(dark.sort()).toEqual(light.map((name) => name.replace(/\.(\w+)$/, '-dark.$1')).sort());
});
