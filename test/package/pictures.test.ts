import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');

function filesIn(folder: string, ending: string): string[] {
	return fs
		.readdirSync(path.join(ROOT, folder))
		.filter((name) => name.endsWith(ending))
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
	(folder) => filesIn(folder, '.md'),
);
const shown = documents.flatMap(picturesShown);
const stored = ['docs/images', 'examples/images'].flatMap((folder) => filesIn(folder, '.png'));

test('each picture that a document shows is there, and each that is there is shown', () => {
	expect([...new Set(shown)].sort()).toEqual([...stored].sort());
});

test('each picture has a light and a dark form', () => {
	const light = stored.filter((name) => !name.endsWith('-dark.png'));
	const dark = stored.filter((name) => name.endsWith('-dark.png'));
	expect(dark.sort()).toEqual(light.map((name) => name.replace('.png', '-dark.png')).sort());
});
