import {
	countWords,
	findInCode,
	findInDocument,
	findInSource,
	wordsOnShelf,
} from '../../../tools/words/findings';
import { QUOTED, SHELVES, WORD_RULES } from '../../../tools/words/rules';

const found = (markdown: string): string[] =>
	findInDocument(markdown).map((finding) => finding.found);

test.each([
	['The order is looked at every 5 seconds.', ['looked']],
	['Look up an order; it looks like a hash.', []],
	['Each end starts the workflow.', ['each end']],
	['By the end of the day the order has ended.', ['has ended']],
	['You are told of a refund, and of no other news.', ['news', 'told']],
	['At most 20 orders go on, at most once each.', ['go on', 'at most']],
	['Its option Delivery is At Most Once by default.', []],
	['The order finished; the trigger emits one event and continues.', []],
])('%s', (text, expected) => {
	expect(found(text).sort()).toEqual([...expected].sort());
});

test('code, links and comments are no prose, and lines keep their numbers', () => {
	const text = [
		'```sh',
		'echo look',
		'```',
		'See `told`, [the list](docs/news.md)',
		'<!-- mend',
		'it -->',
		'Mend it.',
	].join('\n');
	expect(findInDocument(text)).toEqual([{ line: 7, found: 'mend', say: 'fix' }]);
});

test('in sources the sentences are read, and names and comments are not', () => {
	const code = [
		'// tell nobody',
		"import { look } from './look';",
		"const kind = 'told';",
		"const description = 'How often to look at an order';",
		'const message = `${count} orders were told, and ${rest} hold on`;',
	].join('\n');
	expect(findInSource('a.ts', code).map(({ line, found: word }) => [line, word])).toEqual([
		[4, 'look'],
		[5, 'told'],
		[5, 'hold'],
	]);
});

test('in code everything is read, and a name as the words that it consists of', () => {
	const code = [
		'/**',
		' * An order that has',
		' * ended. What comes at most',
		' */',
		"import { refusalOf } from './refusals';",
		'// once more is',
		'// told.',
		"test('a list is anew', () => expect(toldOnce(IN_THE_AIR)).toBe(`${count}",
		'	alone`));',
		"const text = 'Up to 20\\nhold';",
		'const stronghold = retold;',
	].join('\n');
	expect(findInCode('test/newsFeed.ts', code).map(({ line, found: word }) => [line, word])).toEqual(
		[
			[1, 'news'],
			[2, 'has ended'],
			[3, 'at most'],
			[5, 'refusal'],
			[5, 'refusals'],
			[7, 'told'],
			[8, 'told'],
			[8, 'in the air'],
			[8, 'anew'],
			[9, 'alone'],
			[10, 'hold'],
		],
	);
});

test.each([
	['// told apart, held back, held', ['held']],
	['// What is looked for, and looked at. It holds up, and holds', ['looked', 'holds']],
	['// at first failure, at first', ['at first']],
	['const loopHeldUpMs = holdsLease && holdsMore;', ['holds']],
	['// Held\n// back, and told\n// apart', []],
])('idioms in code are no finding: %j', (code, expected) => {
	expect(findInCode('a.ts', code).map((finding) => finding.found)).toEqual(expected);
});

test('the same idioms are findings in a document and in a text of the editor', () => {
	const idioms = 'It is held back, told apart, looked for at first failure';
	const all = ['looked', 'told', 'held', 'at first'];
	expect(found(idioms)).toEqual(all);
	expect(findInSource('a.ts', `const text = '${idioms}';`).map((finding) => finding.found)).toEqual(
		all,
	);
	expect(findInCode('a.ts', `// ${idioms}`)).toEqual([]);
});

test.each(QUOTED)('the words of others are no finding in their own file: %s, %s', (file, text) => {
	const others = findInCode('a.ts', text);
	expect(others).not.toEqual([]);
	expect(findInCode(file, `${text}, told`)).toEqual([
		expect.objectContaining({ line: 1, found: 'told' }),
	]);
});

test('words are counted without code and marks', () => {
	expect(
		countWords('# Two words\n\n| a | b |\n|---|---|\n\n```\nnot these\n```\n- and `code` too'),
	).toBe(6);
});

test('a document is on one shelf or on none', () => {
	const documents = [
		'README.md',
		'docs/errors.md',
		'examples/README.md',
		'docs/internals/state.md',
		'docs/adr/0001.md',
		'CONTRIBUTING.md',
	];
	const shelvesOf = documents.map((document) =>
		SHELVES.filter(({ has }) => has(document)).map(({ name }) => name),
	);
	expect(shelvesOf).toEqual([
		['documents for users'],
		['documents for users'],
		['documents for users'],
		['docs/internals'],
		[],
		[],
	]);
	expect(
		SHELVES.map((shelf) =>
			wordsOnShelf(
				shelf,
				new Map([
					['README.md', 'three short words'],
					['docs/internals/a.md', 'two words'],
				]),
			),
		),
	).toEqual([3, 2]);
});

test('what is said instead is itself not ruled out', () => {
	expect(WORD_RULES.flatMap(({ say }) => found(say))).toEqual([]);
});
