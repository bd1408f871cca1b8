import {
	hashesIn,
	type HashProblem,
	MAX_HASH_LENGTH,
	readHash,
} from '../../../nodes/CrossChainBridge/orders/sourceHash';

const A = `0x${'a1'.repeat(32)}`;
const B = `0x${'B2'.repeat(32)}`;
const CONTRACT = `0x${'d'.repeat(40)}`;
const BASE64 = 'k9n8LqI7mZ1wXyY+3/uV0aBcDeFgHiJkLmNoPqRsTuU=';
const UUID = 'd290f1ee-6c54-4b01-90e6-d701748f0851';
const LETTERS_32 = 'abcdefghijklmnopABCDEFGHIJKLMNOP';

const found = (text: string) => hashesIn(text).map(({ hash }) => hash);

test.each<[string, string, string | null]>([
	['a hash', A, A],
	['a hash between white space', `\t${A}\n`, A],
	['two hashes', `${A} ${B}`, null],
	['a hash with a sign before it', `(${A}`, null],
	['a hash with a sign behind it', `${A})`, null],
	['a hash with a label before it', `Ann-${A}`, null],
	['a link', `https://etherscan.io/tx/${A}`, A],
	['a link with a sign behind it', `https://etherscan.io/tx/${A}>`, null],
	['nothing', ' ', null],
])('the one hash of %s', (_name, text, hash) => {
	const read = readHash(text);
	expect(read.ok ? read.hash : null).toBe(hash);
});

test.each<[string, string, HashProblem]>([
	['a wallet’s address', CONTRACT, 'walletAddress'],
	['one in capitals, with white space', ` 0X${'AB'.repeat(20)}\n`, 'walletAddress'],
	['a link to a wallet’s page', `https://etherscan.io/address/${CONTRACT}`, 'walletAddress'],
	['a hash with a space inside', `${A.slice(0, 20)} ${A.slice(20)}`, 'space'],
	['one with two, and no 0x', `${A.slice(2, 40)}  ${A.slice(40)}`, 'space'],
	['a hash that is cut', `${A.slice(0, 20)}…`, 'noHash'],
	['words', 'not a hash', 'noHash'],
	['nothing', '', 'noHash'],
])('%s is refused', (_what, text, problem) => {
	expect(readHash(text)).toEqual({ ok: false, problem });
});

test.each<[string, string]>([
	['another number of digits', `0x${'a'.repeat(63)}`],
	['41 digits', `0x${'a'.repeat(41)}`],
	['no 0x', 'a'.repeat(64)],
	['40 digits without 0x', 'a'.repeat(40)],
])('%s is accepted as it is', (_what, hash) => {
	expect(readHash(hash)).toEqual({ ok: true, hash, link: null });
});

test('the link that a hash came in is kept', () => {
	const others = [`https://etherscan.io/tx/${A}?a=${CONTRACT}`, `HTTP://a.example/#/tx/${A}?tab=1`];
	for (const link of others) expect(readHash(` ${link} `)).toEqual({ ok: true, hash: A, link });
});

test('each hash has its place in the text, a label that is tied to it left out, a link whole', () => {
	const link = `https://etherscan.io/tx/${B}?x`;
	const text = `Invoice-${A}, ${link} and ${BASE64}.`;
	expect(hashesIn(text).map(({ hash, start, end }) => [hash, text.slice(start, end)])).toEqual([
		[A, A],
		[B, link],
		[BASE64, BASE64],
	]);
	const expected = [8, text.indexOf(link), text.indexOf(BASE64)];
	expect(hashesIn(text).map(({ start }) => start)).toEqual(expected);
});

test.each<[string, string, string[]]>([
	['32 letters and digits', LETTERS_32, [LETTERS_32]],
	['31', LETTERS_32.slice(1), []],
	['31 and signs', `${LETTERS_32.slice(1)}-_/+`, []],
	['base64', BASE64, [BASE64]],
	['base64 with two signs at the end', `${LETTERS_32}==`, [`${LETTERS_32}==`]],
	['no third sign', `${LETTERS_32}===`, [`${LETTERS_32}==`]],
	['a sign of base64 before', `_${LETTERS_32}`, [LETTERS_32]],
	['the longest hash', 'a'.repeat(MAX_HASH_LENGTH), ['a'.repeat(MAX_HASH_LENGTH)]],
	['a longer word', 'a'.repeat(MAX_HASH_LENGTH + 1), []],
	['a UUID', UUID, []],
	['a UUID in capitals', UUID.toUpperCase(), []],
	['more than a UUID', `x${UUID} ${UUID}x`, [`x${UUID}`, `${UUID}x`]],
	['hexadecimal behind a label', `ref_${A}`, [A]],
	['hexadecimal in capitals behind a label', `ref_0X${'AB'.repeat(32)}`, [`0X${'AB'.repeat(32)}`]],
	['hexadecimal of 32 digits behind a label', `a-0x${'1'.repeat(32)}`, [`0x${'1'.repeat(32)}`]],
	['hexadecimal of 31 digits behind a label', `a-0x${'1'.repeat(31)}`, [`a-0x${'1'.repeat(31)}`]],
	['hexadecimal that letters precede', `ref${A}`, [`ref${A}`]],
	['hexadecimal that other letters follow', `a-${A}xyz`, [`a-${A}xyz`]],
	['hexadecimal that a sign follows', `${A}-paid`, [A]],
	['the longest hexadecimal behind a label', `a-0x${'1'.repeat(254)}`, [`0x${'1'.repeat(254)}`]],
	['longer hexadecimal behind a label', `a-0x${'1'.repeat(255)}`, []],
	['a hash that ends a sentence', `${A}. Thanks`, [A]],
	['a hash with an ellipsis behind', `${A}…`, []],
	['a hash with two dots behind', `${A}..`, []],
	['a hash with an ellipsis before', `…${A}`, []],
	['a hash with two dots before', `..${A}`, []],
	['a hash with three dots before', `...${A}`, []],
	['the second sentence', `It is done.${A}. Next`, [A]],
	['a hash with an ellipsis some way off', `… ${A} …`, [A]],
	['several, whatever stands between them', `"${A}",'${B}'|${BASE64}`, [A, B, BASE64]],
])('words: %s', (_name, text, hashes) => {
	expect(found(text)).toEqual(hashes);
});

test.each<[string, string, string[]]>([
	['in capitals', `HTTPS://ETHERSCAN.IO/TX/${A}`, [A]],
	['without s', `http://127.0.0.1:4000/${A}`, [A]],
	['a name that only looks like a hash', `https://${LETTERS_32}/tx`, []],
	['a query behind', `https://a.example/tx/${A}?network=1`, [A]],
	['in the query', `https://a.example/?tx=${A}&network=1`, [A]],
	['as the second parameter', `https://a.example/?network=1&${A}`, [A]],
	['in the fragment', `https://a.example/#${A}`, [A]],
	['an ending', `https://a.example/${A}.html`, [A]],
	['a colon', `https://a.example/tx:${A}:0`, [A]],
	['brackets', `https://a.example/tx(${A})`, [A]],
	['encoded base64', `https://a.example/${encodeURIComponent(BASE64)}`, [BASE64]],
	['base64 with two encoded signs', `https://a.example/${LETTERS_32}%3D%3D`, [`${LETTERS_32}==`]],
	['three are too many', `https://a.example/${LETTERS_32}%3D%3D%3D`, []],
	['an encoded space before', `https://a.example/%20${A}`, []],
	['an encoded space behind', `https://a.example/${A}%20`, []],
	['a broken code beside it', `https://a.example/%E0/${A}`, [A]],
	['a broken code in it', `https://a.example/%E0${A}`, []],
	['an account before', `https://a.example/${CONTRACT}/${A}`, [A]],
	['an account behind', `https://a.example/${A}/${CONTRACT}`, [A]],
	['two of one length: the first counts', `https://a.example/${A}/${B}`, [A]],
	['nothing in it', 'https://a.example/tx/', []],
	['cut', `https://a.example/tx/${A}…`, []],
	['cut by two dots', `https://a.example/tx/${A}..`, []],
	['cut by three dots', `https://a.example/tx/${A}...`, []],
	['the end of a sentence', `https://a.example/tx/${A}.`, [A]],
])('links: %s', (_name, text, hashes) => {
	expect(found(text)).toEqual(hashes);
});

test.each([...' \t,;"\'`<>[]{}|\\^'])('a link ends at %j', (sign) => {
	expect(found(`https://a.example/tx/${A}${sign}${B}`)).toEqual([A, B]);
});
