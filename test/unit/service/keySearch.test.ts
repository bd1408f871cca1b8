import fc from 'fast-check';

import { withoutKey } from '../../../nodes/CrossChainBridge/service/keySearch';
import { excessiveGrowth } from '../../growth';
import { WRITTEN } from '../../written';

const KEYS = [
	'sk_live-51H8/x+y=Z"&<\'>',
	'abcdefgh12345678',
	'K1X-abc',
	'\\b\\n"quoted"',
	'%2F%41key',
	'$&.*+?^${}()|[]',
	'&amp;-\\u0041-key',
	'~~~~~~',
	'??????',
	'\\'.repeat(10),
	'12345678',
	'a'.repeat(3_000),
];

const isFound = (key: string, text: string): boolean => withoutKey(text, key) === null;

/** A key of backslashes only is lost among the backslashes of escapes. */
const IN_SMALL: ReadonlyArray<[string, string]> = [
	['\\'.repeat(10), 'in JSON with a line break inside'],
];

test.each(Object.entries(WRITTEN))('the key is found %s', (name, written) => {
	for (const key of KEYS) {
		const isException = IN_SMALL.some(([each, way]) => each === key && way === name);
		for (const text of [written(key), `Key ${written(key)} is not valid`, `"${written(key)}"`])
			if (!isException && !isFound(key, text))
				throw new Error(`${key.slice(0, 40)} in ${text.slice(0, 200)}`);
	}
});

test('keys of any visible signs are found, wherever they stand', () => {
	const visible = fc.string({
		unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
		minLength: 8,
		maxLength: 60,
	});
	// An escape that is cut off in front of the key takes signs of the key for its own.
	const before = fc.string().map((text) => text.replace(/[%\\&\da-fux#{]+$/i, ''));
	const ways = Object.entries(WRITTEN)
		.filter(([name]) => name !== 'in JSON with a line break inside')
		.map(([, written]) => written);
	fc.assert(
		fc.property(
			visible,
			before,
			fc.string(),
			fc.constantFrom(...ways),
			(key, front, after, written) => {
				if (!isFound(key, `${front} ${written(key)} ${after}`)) throw new Error(written(key));
			},
		),
		{ numRuns: 1_000 },
	);
});

test.each<[string, string]>([
	[
		'sk_live_51H8',
		'Network 999 is not supported: https://bridge.example.com/api?x=%2F &amp; "quoted" \\u0041 &unknown; %zz \\u{ \\u00 &# &#x; %',
	],
	['sk_live_51H8', 'sk_live_51H9'],
	['sk_live_51H8', 'sk_live_51'],
	['abcdefgh', 'YWJjZGVmZ'],
	['??????', '????? ?'.replace(/ /g, '!')],
	['K1X', 'K1X'],
	['12345', '12345'],
	['', ''],
])('the key %s is not seen in %s', (key, text) => {
	expect(isFound(key, text)).toBe(false);
});

test('of a value, what contains the key is left out and all else stays', () => {
	const value = {
		words: 'key: SECRET-KEY',
		list: ['secretkey', 1, null, true, { deep: 'x', 'a secret-key': 1 }],
		amount: 5,
	};
	const before = JSON.stringify(value);
	const expected = { words: null, list: [null, 1, null, true, { deep: 'x' }], amount: 5 };
	expect(withoutKey(value, 'secret-key')).toEqual(expected);
	expect(JSON.stringify(value)).toBe(before);
	expect(withoutKey(value, 'another-key')).toBe(value);
	expect(withoutKey({ a: 'secret', b: '-key' }, 'secret-key')).toEqual({ a: 'secret', b: '-key' });
	expect(withoutKey('secret-key', 'secret-key')).toBeNull();
});

test('a key of digits is found in numbers as well', () => {
	const found = { a: 12345678, b: 0.12345678, c: 1.2345678e25, e: 3132333435363738 };
	const left = { a: null, b: null, c: null, e: null };
	const value = { ...found, d: 1234567, f: '12345678000' };
	expect(withoutKey(value, '12345678')).toEqual({ ...left, d: 1234567, f: null });
});

const LONG_KEY = `${'a'.repeat(5_000)}b`;

test.each<[string, string, string]>([
	['backslashes', '\\'.repeat(12), '\\'],
	['backslashes in front of something else', `${'\\'.repeat(12)}/`, '\\'],
	['a key that repeats itself', LONG_KEY, 'a'],
	['a key that nearly repeats itself', `${'ab'.repeat(2_500)}c`, 'ab'],
	['hexadecimal digits that repeat themselves', LONG_KEY, '61'],
	['Base64 that repeats itself', LONG_KEY, 'YWFh'],
	['escapes of escapes', 'secret-key', '%25'],
	['escapes of HTML', 'secret-key', '&amp;'],
	['numbers of HTML', 'secret-key', '&#0'],
	['names of HTML', 'secret-key', '&a'],
	['escapes of JavaScript', 'secret-key', '\\u{0'],
	['white space', 'secret-key', ' \u200b'],
])('%s: the time grows no faster than the text', (_name, key, part) => {
	const made = (size: number): string => part.repeat(Math.ceil(size / part.length));
	expect(excessiveGrowth(made, (text) => withoutKey([text], key))).toBeNull();
});

test('a key of twice the length takes no longer to be searched for', () => {
	const made = (size: number): string => 'a'.repeat(size);
	const search = (text: string): unknown =>
		withoutKey([text], `${text.slice(0, text.length / 2)}b`);
	expect(excessiveGrowth(made, search)).toBeNull();
});
