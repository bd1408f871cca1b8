import fc from 'fast-check';

import { orderKey } from '../../../nodes/CrossChainBridge/orders/hashForms';
import { readHash } from '../../../nodes/CrossChainBridge/orders/sourceHash';
import { listProblemWords, readList } from '../../../nodes/CrossChainBridge/trigger/orderList';
import { shown } from '../shownWord';

/** The trigger's list; how a line or a row is read is in test/unit/orders/sourceHash. */

const A = `0x${'a1'.repeat(32)}`;
const B = `0x${'b2'.repeat(32)}`;
const C = `0x${'C3'.repeat(32)}`;
const WALLET = `0x${'d4'.repeat(20)}`;
const SOLANA =
	'5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const LONG = 'a long name, '.repeat(17);
const OBJECTS = [{ sourceHash: A, reference: 'r', txHash: B }, { sourceHash: C }];

const listed = (given: unknown) =>
	[...readList(given).orders.values()].map(({ sourceHash, reference }) =>
		reference === null ? sourceHash : [sourceHash, reference],
	);

test.each<[string, unknown, unknown[]]>([
	['lines', `${A}\n${B}\r\n${C}`, [A, B, C]],
	[
		'lines with names',
		`Ann: ${A}\n\nBob: ${B}`,
		[
			[A, 'Ann'],
			[B, 'Bob'],
		],
	],
	['spaces that are not plain', `${A}\u00a0${B}\u2028${C}`, [A, B, C]],
	['a pasted JSON list', `["${A}", "${B}"]`, [A, B]],
	['one over several lines', JSON.stringify([A, B], null, 2), [A, B]],
	['a part of one', `"${A}",\n"${B}",\n]`, [A, B]],
	['one that breaks off', `["${A}", "${B}`, [A, B]],
	['one of objects', JSON.stringify(OBJECTS, null, 2), [[A, 'r'], C]],
	['the same after an empty line', `\n ${JSON.stringify(OBJECTS, null, 2)}`, [[A, 'r'], C]],
	['one that is nested', `[["${A}"], ["${B}", ["${C}"]]]`, [A, B, C]],
	['one object', `{"txHash": "${A}", "name": "Rent"}`, [[A, 'Rent']]],
	['JSON Lines', `{"hash":"${A}","reference":"r"}\n{"hash":"${B}"},\n`, [[A, 'r'], B]],
	[
		'JSON Lines with references that are no text, with a comma after each, and spaces',
		`{"hash":"${A}","reference":{"chat":7}},\n{"hash":"${B}","reference":5},  `,
		[
			[A, { chat: 7 }],
			[B, 5],
		],
	],
	[
		'a row of a sheet in each line',
		`Rent\t${A}\nCar\t${B}`,
		[
			[A, 'Rent'],
			[B, 'Car'],
		],
	],
	[
		'a row with a wallet in each line',
		`Ann\t${A}\t${WALLET}\nBob\t${B}\t0x8617…070d`,
		[
			[A, `Ann ${WALLET}`],
			[B, 'Bob 0x8617…070d'],
		],
	],
	[
		'CSV with quotes',
		`"Rent","${A}"\n"Car","${B}"`,
		[
			[A, 'Rent'],
			[B, 'Car'],
		],
	],
	['nested arrays', [A, [B, [`${C}, ${SOLANA}`]]], [A, B, C, SOLANA]],
	['objects of another node', [{ sourceHash: A }, { sourceHash: null }, { txHash: '' }], [A]],
	[
		'columns of a sheet in capitals, with spaces and a mark of byte order',
		[
			{ Hash: A, Name: 'Ann' },
			{ '\ufeffSource Hash': B, 'Reference ': 'Bob' },
			{ SOURCE_HASH: C, 'REFERENCE:': 'Cem' },
		],
		[
			[A, 'Ann'],
			[B, 'Bob'],
			[C, 'Cem'],
		],
	],
	['a name that is not filled in', [{ hash: `Ann: ${A}`, reference: '', name: ' ' }], [[A, 'Ann']]],
	['a name next to an empty reference', [{ hash: A, reference: null, name: 'Ann' }], [[A, 'Ann']]],
	['a hash next to columns that are not filled in', [{ sourceHash: ' ', txHash: A, tx: '' }], [A]],
	['items of another node', [{ json: { txHash: A } }, { json: { txHash: B } }], [A, B]],
	[
		'their references',
		[{ json: { hash: A, reference: 7 } }, { json: { hash: B, name: 'Rent' } }],
		[
			[A, 7],
			[B, 'Rent'],
		],
	],
	['a name next to their fields', [{ json: { hash: A }, name: 'Rent' }], [[A, 'Rent']]],
	['any JSON as reference', [{ sourceHash: A, reference: { chatId: 7 } }], [[A, { chatId: 7 }]]],
	['a name in the hash of a row', [{ txHash: `Rent: ${A}` }], [[A, 'Rent']]],
	['JSON in a row', [{ hash: `{"tx":"${A}","name":"Rent"}` }], [[A, 'Rent']]],
	['an ID of one’s own next to a hash', [{ 'Tx Hash': A, 'Transaction ID': 'INV-17' }], [A]],
	['an order in two spellings', `${C}\n${C.slice(2).toLowerCase()}`, [C]],
	['a repetition that has the name', `${A}\nInvoice: ${A}`, [[A, 'Invoice']]],
	[
		'base58 in two cases',
		`${SOLANA}\n${SOLANA.slice(0, -1)}X`,
		[SOLANA, `${SOLANA.slice(0, -1)}X`],
	],
	['two names for one order', `Ann: ${A}\nBob: ${A.slice(2)}\nAnn: ${A}`, [[A, 'Ann and Bob']]],
	['two that are too long together', `Ann: ${A}\n${LONG}: ${A}`, [[A, 'Ann']]],
	['a reference that is no text', [{ sourceHash: A, reference: 1 }, `Bob: ${A}`], [[A, 1]]],
	[
		'an empty reference',
		[
			{ sourceHash: A, reference: '' },
			{ sourceHash: A, reference: 'r' },
		],
		[[A, 'r']],
	],
	['nothing', '', []],
	['white space', ' \n\t', []],
	['null', null, []],
	['undefined', undefined, []],
])('%s', (_name, given, expected) => {
	expect(listed(given)).toEqual(expected);
	expect(readList(given).problems).toEqual([]);
});

const endless: unknown[] = [A];
endless.push(endless);
const deep = JSON.parse(`${'['.repeat(90)}"${A}"${']'.repeat(90)}`) as unknown;

/** What is refused, and the beginning of the message. */
test.each<[string, unknown, unknown[], string]>([
	[
		'words',
		`${A}\nmy orders\n${B}`,
		[A, B],
		"Line 2 of 'Hashes': 'my orders' is not a transaction",
	],
	['null as text', `${A}\nnull`, [A], "Line 2 of 'Hashes': 'null' is not"],
	['a dash', `${A}\n-`, [A], "Line 2 of 'Hashes': '-' is not"],
	['an error of a sheet', `#N/A\n${A}`, [A], "Line 1 of 'Hashes': '#N/A' is not"],
	['a header', `hash,name\n${A},Rent`, [[A, 'Rent']], "Line 1 of 'Hashes': 'hash,name' is not"],
	[
		'a wallet with a name',
		`${A}\nRent: ${WALLET}`,
		[A],
		`Line 2 of 'Hashes': 'Rent: ${WALLET}' looks like a wallet address`,
	],
	[
		'a hash over two lines',
		`${A}\nRent: ${B.slice(0, 40)}\n${B.slice(40)}`,
		[A],
		"Line 2 of 'Hashes': The hash in 'Rent: 0xb2",
	],
	[
		'one over three',
		`${B.slice(0, 20)}\n${B.slice(20, 40)}\n${B.slice(40)}\n${A}`,
		[A],
		"Line 1 of 'Hashes': The hash in '0xb2",
	],
	[
		'a row with one name and two hashes',
		`${C}\nAnn\t${A}\t${B}`,
		[C],
		`Line 2 of 'Hashes': '${shown(A)}' and '${shown(B)}' could both be`,
	],
	[
		'a placeholder between two hashes',
		`${A}, null, ${B}`,
		[A, B],
		"Line 1 of 'Hashes': 'null' is not",
	],
	[
		'a shortened second one',
		`${C}\nRent: ${A}, Car: 0xb2b2…b2b2`,
		[C],
		"Line 2 of 'Hashes': '0xb2b2…b2b2' is shortened",
	],
	['a line with nothing but a wallet', `${A}\n${WALLET}`, [A], `Line 2 of 'Hashes': '${WALLET}' `],
	[
		'two hashes with words',
		`${A} and ${B}`,
		[],
		`Line 1 of 'Hashes': '${shown(A)}' and '${shown(B)}' could both be`,
	],
	[
		'a damaged second one',
		`${C}\nRent: ${A}, Car: ${B}b`,
		[C],
		`Line 2 of 'Hashes': '${shown(`${B}b`)}' has 65 digits after 0x`,
	],
	['an order’s ID as JSON', `{"orderId":"${A}"}`, [], "Row 1 of 'Hashes': there is no field"],
	['one that is not quite JSON', `{orderId: '${A}'}`, [], 'Line 1'],
	[
		'JSON in a row',
		[{ hash: `{"blockHash":"${A}"}` }],
		[],
		"Row 1 of 'Hashes': there is no field sourceHash, only blockHash",
	],
	[
		'a row without a hash',
		[{ sourceHash: A }, { id: B, note: 'x' }],
		[A],
		"Row 2 of 'Hashes': there is no field sourceHash, only id, note",
	],
	[
		'a row with a name',
		[{ hash: WALLET, name: 'Rent' }],
		[],
		`Row 1 (Rent) of 'Hashes': '${WALLET}' `,
	],
	[
		'a row with a reference that is no text, which is no name',
		[{ hash: WALLET, reference: { chatId: 7 } }],
		[],
		`Row 1 of 'Hashes': '${WALLET}' `,
	],
	['two hashes in a row', [{ hash: A, tx: B }], [], "Row 1 of 'Hashes': '0x"],
	['a number', [A, 123], [A], "Row 2 of 'Hashes': it is 123"],
	['a boolean', true, [], "Row 1 of 'Hashes': it is true"],
	['a function', [A, () => A], [A], "Row 2 of 'Hashes': it is a function"],
	['a symbol', [Symbol('x')], [], "Row 1 of 'Hashes': it is a symbol"],
	[
		'a date',
		[new Date(0)],
		[],
		"Row 1 of 'Hashes': there is no field sourceHash, and no other field",
	],
	['a bare object', [Object.create(null)], [], "Row 1 of 'Hashes': there is no field"],
	['an endless list', endless, [A], "Row 2 of 'Hashes': it is a list that is nested without end"],
	[
		'a list in far too many lists',
		deep,
		[],
		"Row 1 of 'Hashes': it is a list that is nested without end",
	],
	['a place in an array', [A, 'oops', [B, 'again']], [A, B], "Row 2 of 'Hashes': 'oops'"],
	['an entry of pasted JSON', `["${A}", "oops"]`, [A], "Row 2 of 'Hashes': 'oops'"],
	[
		'rows of a sheet as lists',
		[
			['hash', 'name'],
			[A, 'Ann'],
		],
		[A],
		"Row 1 of 'Hashes': 'hash' is not a transaction hash",
	],
	[
		'a place in the second list',
		[
			[A, B],
			[C, 'oops'],
		],
		[A, B, C],
		"Row 2 of 'Hashes': 'oops'",
	],
	['lines of text in an array', [A, B, `${C}\noops`], [A, B, C], "Row 3 of 'Hashes': 'oops'"],
	[
		'a bad line of JSON Lines',
		`{"hash":"${A}"}\n{"id":1}`,
		[A],
		"Line 2 of 'Hashes': there is no field",
	],
	[
		'a reference of more than 2 KB',
		[{ sourceHash: A, reference: 'x'.repeat(2047) }],
		[],
		'Row 1 (xxxx',
	],
	['a reference that is nested without end', [{ sourceHash: A, reference: deep }], [A], ''],
])('refused: %s', (_name, given, orders, beginning) => {
	const { problems } = readList(given);
	const [first] = problems;
	const message = first === undefined ? '' : listProblemWords(first, 0, 'Hashes')[0];
	expect(beginning === '' ? '' : message.slice(0, beginning.length)).toBe(beginning);
	if (beginning !== '') expect(listed(given)).toEqual(orders);
});

test('the message of the first problem says how many more there are', () => {
	const words = (given: unknown) => {
		const [first, ...more] = readList(given).problems;
		return first === undefined ? '' : listProblemWords(first, more.length, 'Hashes')[1];
	};
	expect(words('x y\nz\nz')).toMatch(/ 2 more lines need a correction\.$/);
	expect(words([5, 'x'])).toMatch(/ One more row needs a correction\.$/);
	expect(words([5])).toBe(
		'Enter the hash as text, or as an object with the fields sourceHash and reference.',
	);
});

test('each order has the line or the row where it stands first, and its key', () => {
	const places = (given: unknown) =>
		[...readList(given).orders].map(([key, order]) => [key, order.key, order.line]);
	const expected = [
		[orderKey(A), orderKey(A), 2],
		[orderKey(C), orderKey(C), 3],
	];
	expect(places(`\n${A}\nRent: ${C}\n${A}`)).toEqual(expected);
	expect(places(['', { sourceHash: A }, C])).toEqual(expected);
});

test('the links that hashes came in are kept, the first of each', () => {
	const link = `https://etherscan.io/tx/${C}`;
	const given = [`${A}\nRent: ${link}`, { sourceHash: `${link}?again` }, { sourceHash: link }];
	const links = [...readList(given).orders.values()].map((order) => order.link);
	expect(links).toEqual([null, link]);
	const [first] = readList(`${C}\n${link}`).orders.values();
	expect(first?.link).toBe(link);
});

test('whatever the field contains: hashes and problems, and each hash is found again in its own text', () => {
	fc.assert(
		fc.property(
			fc.oneof(
				fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
				fc.string({ maxLength: 300, unit: 'binary' }),
				fc.string({ unit: fc.constantFrom(...`${A} ,:\n{}[]"/=`) }),
			),
			(given) => {
				const { orders, problems } = readList(given);
				for (const { sourceHash, key } of orders.values())
					expect(readHash(sourceHash)).toMatchObject({ ok: true, hash: sourceHash, key });
				for (const problem of problems) {
					expect(problem.place.number).toBeGreaterThanOrEqual(1);
					expect(listProblemWords(problem, 1, 'Hashes').join('').length).toBeLessThan(900);
				}
			},
		),
		{ numRuns: 1_000 },
	);
});

test.each([
	`private key: ${A.slice(0, 30)} ${A.slice(30)}`,
	`${B}\nprivate key: ${A.slice(0, 30)} ${A.slice(30)}`,
	`private key: ${A.slice(0, 30)}\n${A.slice(30)}`,
	`${A.slice(0, 30)} ${A.slice(30)} (private key)`,
	`private key 1: ${A.slice(0, 30)} ${A.slice(30)}`,
	`${A.slice(0, 30)} ${A.slice(30)}, private key`,
])('no piece of a private key that white space has broken is shown: %j', (text) => {
	const [first, ...others] = readList(text).problems;
	if (first === undefined) throw new Error('It was read');
	const words = listProblemWords(first, others.length, 'Source Transaction Hashes').join();
	expect(words).toContain('names something that must stay secret');
	expect(words).not.toMatch(/(?:a1){3}/);
});

test('signs of other scripts next to a hash are no part of its name', () => {
	expect(listed(`房租：${A}`)).toEqual([[A, '房租']]);
	expect(listed(`房租（${A}）`)).toEqual([[A, '房租']]);
	expect(listed(`إيجار، ${A}`)).toEqual([[A, 'إيجار']]);
});

test('two columns whose names differ only in a space: two hashes are a problem, an empty one hides nothing', () => {
	expect(readList([{ 'Tx Hash': A, 'Tx Hash ': B }]).problems).toHaveLength(1);
	expect(listed([{ 'Tx Hash': A, 'Tx Hash ': '', Name: 'Rent', 'Name ': '' }])).toEqual([
		[A, 'Rent'],
	]);
});

test('zeros are no hash', () => {
	const { orders, problems } = readList(`Rent: 0x${'0'.repeat(64)}\nOffice: ${'0'.repeat(64)}`);
	expect([orders.size, problems.length]).toEqual([0, 2]);
});
