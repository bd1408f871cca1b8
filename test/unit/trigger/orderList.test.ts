import fc from 'fast-check';

import { readHash } from '../../../nodes/CrossChainBridge/orders/sourceHash';
import { parseSourceHashes } from '../../../nodes/CrossChainBridge/trigger/orderList';
import { cases } from '../../randomCases';

const A = `0x${'a1'.repeat(32)}`;
const B = `0x${'b2'.repeat(32)}`;
const C = `0x${'C3'.repeat(32)}`;
const WALLET = `0x${'d4'.repeat(20)}`;
const SOLANA =
	'5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const TON = 'k9n8LqI7mZ1wXyY+3/uV0aBcDeFgHiJkLmNoPqRsTuU=';
const TON_URL = 'k9n8LqI7mZ1wXyY-3_uV0aBcDeFgHiJkLmNoPqRsTuU';
const UUID = 'd290f1ee-6c54-4b01-90e6-d701748f0851';
const LONG = 'a long name, '.repeat(17);
const CUT = '0x5c504ed432cb51138bcf09aa5e8a410dd4…2060';
const BITCOIN = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';

const NESTED = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as unknown;
const OBJECTS = [{ sourceHash: A, reference: 'r', txHash: B }, { sourceHash: C }];
const TIED = ['In-1', 'ref', 'Bill'].map((label, place) => [[A, B, C][place], label]);

const listed = (given: unknown) =>
	[...parseSourceHashes(given).orders.values()].map(({ sourceHash, reference }) =>
		reference === null ? sourceHash : [sourceHash, reference],
	);

test.each<[string, unknown, unknown[]]>([
	['lines', `${A}\n${B}\r\n${C}`, [A, B, C]],
	['commas, semicolons, tabs and spaces', ` ${A}, ${B};${C}\t\t${SOLANA} ,`, [A, B, C, SOLANA]],
	['a pasted JSON list', `["${A}", "${B}"]`, [A, B]],
	['a part of a pasted JSON list', `"${A}", "${B}",`, [A, B]],
	['a pasted column with quotes', `'${A}'\n\`${B}\``, [A, B]],
	['spaces that are not plain', `${A}\u00a0${B}\u2028${C}`, [A, B, C]],
	['nested arrays', [A, [B, [`${C} ${SOLANA}`]]], [A, B, C, SOLANA]],
	['objects of another node', [{ sourceHash: A }, { sourceHash: null }, { sourceHash: '' }], [A]],
	['an object', [{ sourceHash: A, reference: { chatId: 7 } }], [[A, { chatId: 7 }]]],
	['repetitions in another case', `${C} ${C.toLowerCase()}`, [C]],
	['a repetition that has the label', `${A}\nInvoice: ${A}`, [[A, 'Invoice']]],
	['base58 in two cases', `${SOLANA} ${SOLANA.toLowerCase()}`, [SOLANA, SOLANA.toLowerCase()]],
	['base64, and its form for addresses', `${TON}\n${TON_URL}`, [TON, TON_URL]],
	['hexadecimal without 0x', BITCOIN, [BITCOIN]],
	['a label before', `Invoice 4711: ${A}`, [[A, 'Invoice 4711']]],
	['a label before hexadecimal without 0x', `Ann: ${BITCOIN}`, [[BITCOIN, 'Ann']]],
	['a label behind', `${A} Invoice 4711`, [[A, 'Invoice 4711']]],
	['a label with a comma, a dash and a sign', `ACME, Inc. – 3 = ${A}`, [[A, 'ACME, Inc. – 3']]],
	['a label around', `from Ann ${A} to Bob`, [[A, 'from Ann to Bob']]],
	['a label without a space', `In-1:${A}\nref=${B}\nBill-${C}`, TIED],
	['a label that is a UUID', `${UUID}: ${A}`, [[A, UUID]]],
	['labels between commas', `Ann: ${A}, Bob: ${B}; ${C}`, [[A, 'Ann'], [B, 'Bob'], C]],
	['a block explorer', `https://etherscan.io/tx/${A}`, [A]],
	[
		'block explorers with more behind',
		`https://solscan.io/tx/${SOLANA}?cluster=mainnet\nhttps://tonviewer.com/transaction/${encodeURIComponent(TON)}#top`,
		[SOLANA, TON],
	],
	['an account as well', `https://a.example/account/${WALLET}/tx/${A}`, [A]],
	['a link with a label', `Invoice 4711 https://etherscan.io/tx/${A}`, [[A, 'Invoice 4711']]],
	['pasted JSON takes the fields, not every word', JSON.stringify(OBJECTS, null, 2), [[A, 'r'], C]],
	['pasted JSON of one', `{"sourceHash": "${A}"}`, [A]],
	['two labels for one order', `Ann: ${A}\nBob: ${A}\nAnn: ${A}`, [[A, 'Ann and Bob']]],
	['an order without and with a label', `${A}\nAnn: ${A}\n${A}`, [[A, 'Ann']]],
	['two labels that are too long together', `Ann: ${A}\n${LONG}: ${A}`, [[A, 'Ann']]],
	['a reference that is no text', [{ sourceHash: A, reference: 1 }, `Bob: ${A}`], [[A, 1]]],
	['a label with many spaces inside', `Invoice \t  4711: ${A}`, [[A, 'Invoice 4711']]],
	['a label between separators', `- ,;: Ann | (Bob) = "${A}" –-, `, [[A, 'Ann | (Bob)']]],
	['a label behind a dash', `${A} - Invoice 4711`, [[A, 'Invoice 4711']]],
	['a label in brackets', `${A} (Ann)`, [[A, '(Ann)']]],
	['pasted JSON behind white space', ` \n\t[{"sourceHash": "${A}", "txHash": "${B}"}]`, [A]],
	['pasted JSON that is nested', `[["${A}"], ["${B}", ["${C}"]]]`, [A, B, C]],
	['pasted JSON that breaks off', `["${A}", "${B}`, [A, B]],
	['an explorer link in an object', [{ sourceHash: `https://etherscan.io/tx/${A}` }], [A]],
	['nothing', '', []],
	['white space', ' \n\t', []],
	['null', null, []],
	['undefined', undefined, []],
])('%s', (_name, given, expected) => {
	expect(listed(given)).toEqual(expected);
	expect(parseSourceHashes(given).problems).toEqual([]);
});

const AGAIN: [number, string] = [4, 'again'];
const OOPS_AGAIN: Array<[number, string]> = [[2, 'oops'], AGAIN];

test.each<[string, unknown, unknown[], Array<[number, string]>]>([
	['words', `${A}\nmy orders\n${B}`, [A, B], [[2, 'my orders']]],
	['a short hash', '0x5c504ed4', [], [[1, '0x5c504ed4']]],
	['a hash that is cut', CUT, [], [[1, CUT]]],
	['a UUID', UUID, [], [[1, UUID]]],
	['a word too long for a hash', 'a'.repeat(257), [], [[1, `${'a'.repeat(60)}…`]]],
	['a link without a hash', 'https://etherscan.io/tx/', [], [[1, 'https://etherscan.io/tx/']]],
	['a number', 123, [], [[1, '123']]],
	['a boolean', true, [], [[1, 'true']]],
	['a place in an array', [A, 'oops', [B, 'again']], [A, B], OOPS_AGAIN],
	['no hash', [{ sourceHash: A }, { other: B }], [A], [[2, 'an object without sourceHash']]],
	['an entry of pasted JSON', `["${A}", "oops"]`, [A], [[2, 'oops']]],
	['an object whose hash is none', [{ sourceHash: A }, { sourceHash: 'oops' }], [A], [[2, 'oops']]],
	['a hash that is a number', { sourceHash: 5 }, [], [[1, 'an object without sourceHash']]],
	['lines of text in an array, which has places', [A, B, `${C}\noops`], [A, B, C], [[3, 'oops']]],
	['pasted JSON in an array', [A, `["${B}", "oops"]`], [A, B], [[2, 'oops']]],
	['an entry of nested JSON', `[["${A}"], ["${B}", "oops"]]`, [A, B], [[3, 'oops']]],
	['nothing but control characters', '\u0007', [], [[1, '']]],
	['several hashes with words among them', `${A} and ${B}`, [], [[1, 'and']]],
	['a piece without a hash', `Ann: ${A}, Bob, ${B}`, [A, B], [[1, 'Bob']]],
	['names of an object', '__proto__ constructor', [], [[1, '__proto__ constructor']]],
	['control characters', 'a\u0007\u202eb', [], [[1, 'a b']]],
])('no order: %s', (_name, given, orders, problems) => {
	const parsed = parseSourceHashes(given);
	expect([...parsed.orders.values()].map(({ sourceHash }) => sourceHash)).toEqual(orders);
	expect(parsed.problems).toEqual(problems.map(([line, text]) => ({ line, text, kind: 'noHash' })));
});

test.each<[string, unknown, boolean]>([
	['of 2 KB', [{ sourceHash: A, reference: 'x'.repeat(2046) }], true],
	['of one byte more', [{ sourceHash: A, reference: 'x'.repeat(2047) }], false],
	['of two bytes a sign', [{ sourceHash: A, reference: 'ü'.repeat(1024) }], false],
	['nested as deep as nothing can be', [{ sourceHash: A, reference: NESTED }], false],
	['that is a long label', `${'ab '.repeat(700)}: ${A}`, false],
])('a reference %s', (_what, given, isTaken) => {
	const { orders, problems } = parseSourceHashes(given);
	expect([orders.size, problems]).toEqual(
		isTaken ? [1, []] : [0, [{ line: 1, text: `${A.slice(0, 60)}…`, kind: 'referenceTooLarge' }]],
	);
});

test.each<[string, unknown, object]>([
	['a wallet’s address', `${A}\n${WALLET}`, { line: 2, text: WALLET }],
	['one with a label', `${A}\nRent: ${WALLET}`, { line: 2, text: `Rent: ${WALLET}` }],
	['the link of its page', `https://etherscan.io/address/${WALLET}`, {}],
	['one in an object', [{ sourceHash: WALLET }], { line: 1, text: WALLET }],
	['one beside a hash', `${A}, ${WALLET}`, { line: 1 }],
	['one with a space inside', `Rent: ${B.slice(0, 40)} ${B.slice(40)}`, { line: 1, kind: 'space' }],
])('%s is refused', (_what, given, problem) => {
	expect(parseSourceHashes(given).problems).toEqual([
		expect.objectContaining({ kind: 'walletAddress', ...problem }),
	]);
});

test('each order has the line or the place where it stands first', () => {
	const lines = [
		[A.toLowerCase(), 2],
		[C.toLowerCase(), 3],
	];
	const linesOf = (given: unknown) =>
		[...parseSourceHashes(given).orders].map(([key, { line }]) => [key, line]);
	expect(linesOf(`\n${A}\nRent: ${C}\n${A}`)).toEqual(lines);
	expect(linesOf(['', { sourceHash: A }, C])).toEqual(lines);
});

test('the links that hashes came in are kept, the first of each', () => {
	const link = `https://etherscan.io/tx/${C}`;
	const given = [`${A}\nRent: ${link}`, { sourceHash: `${link}?again` }, { sourceHash: link }];
	const links = [...parseSourceHashes(given).orders.values()].map((order) => order.link);
	expect(links).toEqual([null, link]);
});

test('whatever the field contains: hashes and problems, and each hash is found again in its own text', () => {
	fc.assert(
		fc.property(
			fc.oneof(
				fc.anything({ withBigInt: true }),
				fc.string({ maxLength: 300, unit: 'binary' }),
				fc.string({ unit: fc.constantFrom(...`${A} ,:\n{}[]"/=`) }),
			),
			(given) => {
				const { orders, problems } = parseSourceHashes(given);
				for (const { sourceHash } of orders.values())
					expect(readHash(sourceHash)).toMatchObject({ ok: true, hash: sourceHash });
				for (const { line, text } of problems)
					expect([line >= 1, text.length <= 121]).toEqual([true, true]);
			},
		),
		{ numRuns: cases(5000) },
	);
});
