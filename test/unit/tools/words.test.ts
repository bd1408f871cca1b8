import { findInCode, findInDocument } from '../../../tools/words/findings';

const wordsIn = (text: string, document = 'docs/webhook.md') =>
	findInDocument(document, text).map(({ found }) => found.trim());

test.each([
	['It is null where nothing is known.', 'null where'],
	['It waits, since the bridge is down.', ', since'],
	['The ID stands behind the name.', 'behind'],
	['The list stands beside the name.', 'beside'],
	['Whoever knows it may call.', 'whoever'],
	['Everything but for the name.', 'but for'],
	['Send the secret, or else nothing happens.', 'or else'],
	['Fill it in. What is broken is dropped.', 'what is broken is'],
	['It is about behaviour.', 'behaviour'],
	['It says so after each end.', 'each end'],
])('%s', (text, found) => {
	expect(wordsIn(text)).toEqual([found]);
});

test.each([
	'Put the hash where the name is.',
	'It has been so since then, since 2.38, since when nobody knows.',
	'It leaves nothing behind.',
	'Look at it. Tell us at most once, at first alone, and go on with the next step.',
	'What does the bridge say?',
	'## Where does the state live?',
	'`whoever` is code, and so is ```else```.',
])('plain English stays: %s', (text) => {
	expect(wordsIn(text)).toEqual([]);
});

test('users read of names and of orders that are sent; developers may read of labels and posts', () => {
	const text = 'The label of a posted order.';
	expect(wordsIn(text)).toEqual(['label', 'posted']);
	expect(wordsIn(text, 'docs/internals/how-it-works.md')).toEqual([]);
});

test('code is read in comments, names and texts, a name as the words that it consists of', () => {
	const code =
		'/** Null\n * where nothing is. */\nconst ticketBeside = 1;\nif (a) b();\nelse c();\nconst { key, since } = order;';
	expect(findInCode('nodes/x.ts', code).map(({ found, line }) => [found, line])).toEqual([
		['null where', 1],
		['ticket', 3],
		['beside', 3],
	]);
});
