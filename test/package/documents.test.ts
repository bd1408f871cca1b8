import path from 'node:path';

import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { CrossChainBridgeApi } from '../../credentials/CrossChainBridgeApi.credentials';
import { CrossChainBridge } from '../../nodes/CrossChainBridge/CrossChainBridge.node';
import { CrossChainBridgeTrigger } from '../../nodes/CrossChainBridge/CrossChainBridgeTrigger.node';
import { undocumented } from '../../tools/itemFields';
import { checkWords } from '../../tools/words/project';
import { QUOTED } from '../../tools/words/rules';
import { DOCUMENTS, exists, filesIn, read } from './files';

/** The text without blocks of code, whose brackets are no links. */
function proseOf(document: string): string {
	return read(document).replace(/^```[\s\S]*?^```/gm, '');
}

/** The names under which GitHub lets a document's headings be linked to. */
function anchorsOf(document: string): string[] {
	const seen = new Map<string, number>();
	return [...proseOf(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
		const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
		const slug = text
			.trim()
			.toLowerCase()
			.replace(/[^\p{L}\p{N}_ -]/gu, '')
			.replaceAll(' ', '-');
		const before = seen.get(slug) ?? 0;
		seen.set(slug, before + 1);
		return before === 0 ? slug : `${slug}-${before}`;
	});
}

test.each(DOCUMENTS)('what %s links to is there', (document) => {
	for (const [, target = ''] of proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)) {
		if (/^(https?|mailto):/.test(target)) continue;
		const [file = '', anchor] = target.split('#');
		const linked = file === '' ? document : path.join(path.dirname(document), file);
		expect([target, exists(linked)]).toEqual([target, true]);
		if (anchor !== undefined && linked.endsWith('.md')) expect(anchorsOf(linked)).toContain(anchor);
	}
});

/** The pages that n8n's editor leads to: from the credential's form, and from each node's. */
function pagesOfTheEditor(): string[] {
	const inNodes = filesIn('nodes/CrossChainBridge', /\.node\.json$/).flatMap((file) => {
		const { resources } = JSON.parse(read(file)) as {
			resources: Record<string, Array<{ url: string }>>;
		};
		return Object.values(resources).flatMap((pages) => pages.map(({ url }) => url));
	});
	return [...new Set([new CrossChainBridgeApi().documentationUrl, ...inNodes])];
}

test.each(pagesOfTheEditor())('the page that the editor leads to is there: %s', (url) => {
	const { repository } = JSON.parse(read('package.json')) as { repository: { url: string } };
	const files = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/HEAD/`;
	expect(url.startsWith(files)).toBe(true);
	const [file = '', anchor] = url.slice(files.length).split('#');
	expect(DOCUMENTS).toContain(file);
	if (anchor !== undefined) expect(anchorsOf(file)).toContain(anchor);
});

test('no document, no text of the editor and no code has a word that is ruled out', () => {
	expect(checkWords()).toEqual(new Map());
});

test.each(QUOTED)('%s has the words of others that may stand there: %s', (file, text) => {
	expect(read(file)).toContain(text);
});

test('SECURITY.md names every file of the suite security, and no other', () => {
	const lines = proseOf('SECURITY.md')
		.split('\n')
		.filter((line) => line.startsWith('Tests: '));
	const named = lines.flatMap((line) => [...line.matchAll(/`(\w+)`/g)].map(([, name]) => name));
	const files = filesIn('test/security', /\.test\.ts$/).map((file) =>
		path.basename(file).replace(/(?:\.long)?\.test\.ts$/, ''),
	);
	expect([...new Set(named)].sort()).toEqual(files.sort());
});

test('each line of the checklist for n8n’s verification has a state, and says why if it is not simply met', () => {
	const rows = proseOf('docs/internals/verification-checklist.md')
		.split('\n')
		.filter((line) => line.startsWith('| ') && !/^\| (?:Guideline|Rule) /.test(line))
		.map((line) => line.replace(/ ?\|$/, '').split(' | '));
	expect(rows.length).toBeGreaterThan(30);
	for (const [, state = '', where = ''] of rows) {
		expect(state).toMatch(/^(?:Met|Partly|Reviewer|Publisher|Does not apply)(?: \|)?$/);
		if (/^(?:Partly|Reviewer)/.test(state)) expect(where).toMatch(/because|isn't/);
	}
});

test.each([
	['Get Quote', 'All fields of a quote'],
	['Get Status', 'All fields of an order'],
	['Wait for Completion', 'All fields of an order'],
] as const)('the documents explain each field of an item of %s', (kind, heading) => {
	const section = read('docs/cross-chain-bridge.md').split(`\n## ${heading}\n`)[1] ?? '';
	expect(undocumented(kind, section.split('\n## ')[0] ?? '')).toEqual([]);
});

test('no message of docs/errors.md has a word that n8n rules out in messages', () => {
	const messages = [...proseOf('docs/errors.md').matchAll(/^\| ([^|]+) \|/gm)].map(
		([, message = '']) => message,
	);
	expect(messages.length).toBeGreaterThan(30);
	expect(
		messages.filter((message) => /\b(?:error|problem|failure|mistake)s?\b/i.test(message)),
	).toEqual([]);
});

/** The names of a node's fields and options, which its page must have: all but headings, and what is shown to AI tools only. */
function fieldsAndOptions(properties: INodeProperties[]): string[] {
	const names = properties.flatMap((property) => {
		if (property.type === 'notice' || property.displayOptions?.show?.['@tool']?.includes(true))
			return [];
		if (property.type !== 'collection') return [property.displayName];
		return ((property.options ?? []) as INodePropertyCollection[]).map(
			({ displayName }) => displayName,
		);
	});
	return [...new Set(names)];
}

const OPERATIONS = new CrossChainBridge().description.properties.find(
	({ name }) => name === 'operation',
)?.options as Array<{ name: string; value: string }>;

test.each([
	...OPERATIONS.map(({ name, value }): [string, string, INodeProperties[]] => [
		name,
		proseOf('docs/cross-chain-bridge.md').split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '',
		new CrossChainBridge().description.properties.filter(({ displayOptions }) =>
			displayOptions?.show?.operation?.includes(value),
		),
	]),
	[
		'the trigger',
		proseOf('docs/cross-chain-bridge-trigger.md'),
		new CrossChainBridgeTrigger().description.properties,
	] as [string, string, INodeProperties[]],
])('each field and option of %s has a row in the documents', (_, page, properties) => {
	const rows = [...page.matchAll(/^\| ([^|]+) \|/gm)]
		.map(([, cell = '']) => cell)
		.flatMap((cell) => cell.replace(/^Options? /, '').split(/, |; options /));
	expect(fieldsAndOptions(properties).filter((name) => !rows.includes(name))).toEqual([]);
});

/** Pictures that a document shows: of Markdown, and of `<picture>`. */
function picturesShown(document: string): string[] {
	const shown = /!\[[^\]]*\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)"/g;
	return [...read(document).matchAll(shown)]
		.map(([, markdown, html]) => markdown ?? html ?? '')
		.filter((target) => !/^https?:/.test(target))
		.map((target) => path.join(path.dirname(document), target));
}

const PICTURES = ['docs/images', 'examples/images'].flatMap((folder) =>
	filesIn(folder, /\.(?:png|svg)$/),
);

test('each picture that a document shows is there, and each that is there is shown', () => {
	expect([...new Set(DOCUMENTS.flatMap(picturesShown))].sort()).toEqual([...PICTURES].sort());
});

test('each picture has a light and a dark form', () => {
	const light = PICTURES.filter((name) => !/-dark\.\w+$/.test(name));
	const dark = light.map((name) => name.replace(/\.(\w+)$/, '-dark.$1'));
	expect([...light, ...dark].sort()).toEqual([...PICTURES].sort());
});
