import { createHash } from 'node:crypto';

import { findsIn, MARK, MARKED_KEY } from '../../../e2e/checks/marks';

const formsFound = (content: string | Buffer): string[] =>
	findsIn('here', content).map(({ form }) => form);
const characters = [...MARK].map((character) => character.charCodeAt(0).toString(16));

test.each([
	['as it is', MARKED_KEY],
	['as it is', JSON.stringify({ 'x-api-key': JSON.stringify(MARKED_KEY) })],
	['as it is', encodeURIComponent(MARKED_KEY)],
	['as it is', new URLSearchParams({ key: MARKED_KEY }).toString()],
	['URL escapes', characters.map((code) => `%${code}`).join('')],
	['JSON escapes', characters.map((code) => `\\u00${code}`).join('')],
	['hex', Buffer.from(MARKED_KEY).toString('hex')],
	['hex in capitals', Buffer.from(MARKED_KEY).toString('hex').toUpperCase()],
	['UTF-16', Buffer.from(MARKED_KEY, 'utf16le')],
])('a key is found %s: %s', (form, content) => {
	expect(formsFound(content)).toContain(form);
});

test.each(['base64', 'base64url'] as const)(
	'a key is found in %s at every position of a longer text',
	(encoding) => {
		for (const before of ['', 'k', 'ke', 'key', 'key=']) {
			for (const after of ['', '>', '>>', '>>>']) {
				expect(
					formsFound(Buffer.from(`${before}${MARKED_KEY}${after}`).toString(encoding)),
				).toContain(encoding);
				expect(formsFound(Buffer.from(`${before}${MARK}${after}`).toString(encoding))).toContain(
					encoding,
				);
			}
		}
	},
);

test('it is found between other bytes, and the place is named', () => {
	const bytes = Buffer.concat([Buffer.from([0, 255, 10]), Buffer.from(MARK), Buffer.from([0])]);
	expect(findsIn('a file', bytes)).toEqual([
		{ place: 'a file', form: 'as it is', around: `...${MARK}.` },
	]);
});

test('where no key is, nothing is found: a hash of it, a part of it, other texts', () => {
	const others = [
		createHash('sha256').update(MARKED_KEY).digest('hex'),
		MARK.slice(1),
		MARK.slice(0, -1),
		'',
		'sandbox-key',
	];
	for (const other of others) expect(formsFound(other)).toEqual([]);
});
