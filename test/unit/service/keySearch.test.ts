import fc from 'fast-check';

import { searchFor, withoutKey } from '../../../nodes/CrossChainBridge/service/keySearch';
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
	'a'.repeat(3_000),
];

const isFound = (key: string, text: string): boolean => searchFor(key)?.(text) === true;
const blanked = (value: unknown, key: string): unknown => {
	const contains = searchFor(key);
	return contains === null ? value : withoutKey(value, contains);
};

test.each(Object.entries(WRITTEN))('the key is found %s', (_name, written) => {
	for (const key of KEYS)
		for (const text of [written(key), `Key ${written(key)} is not valid`, `"${written(key)}"`])
			if (!isFound(key, text)) throw new Error(`${key.slice(0, 40)} in ${text.slice(0, 200)}`);
});

test('keys of any visible signs are found, wherever they stand', () => {
	const visible = fc.string({
		unit: fc
			.integer({ min: 0x21, max: 0x7e })
			.map((code) => String.fromCharCode(code))
			.filter((sign) => sign !== '\\'),
		minLength: 8,
		maxLength: 60,
	});
	fc.assert(
		fc.property(
			visible,
			fc.string(),
			fc.string(),
			fc.constantFrom(...Object.values(WRITTEN)),
			(key, front, after, written) => {
				if (!isFound(key, `${front} ${written(key)} ${after}`)) throw new Error(written(key));
			},
		),
		{ numRuns: 1_000 },
	);
});

/** JSON may write any character by its number, half of a pair for each. */
const byNumbers = (text: string): string =>
	text
		.split('')
		.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
		.join('');

test('the key is found in JSON that writes compatibility letters by their numbers', () => {
	for (const key of KEYS)
		for (const [name, written] of Object.entries(WRITTEN))
			if (!isFound(key, byNumbers(written(key))))
				throw new Error(`${key.slice(0, 40)} ${name}, by numbers`);
	const key = 'sklive7f3aQx92';
	for (const text of [
		String.raw`sk\uff4cive7f3aQx92`,
		String.raw`\ud835\udc2cklive7f3aQx92`,
		String.raw`SK\uFF4Cive7f3aQx92`,
		String.raw`sk\u200blive7f3aQx92`,
		String.raw`sk\\uff4cive7f3aQx92`,
	])
		expect([text, isFound(key, `"status":"${text}"`)]).toEqual([text, true]);
});

test.each<[string, string]>([
	[
		'sk_live_51H8',
		'Network 999 is not supported: https://bridge.example.com/api?x=%2F &amp; "quoted" \\u0041 %zz \\u{ \\u00 %',
	],
	['sk_live_51H8', 'sk_live_51H9'],
	['sk_live_51H8', 'sk_live_51'],
	['sk_live_51H8', 'sk live 51H8'],
	['abcdefgh', 'YWJjZGVmZ'],
	['K1X', 'K1X'],
	['12345', '12345'],
	['', ''],
])('the key %s is not seen in %s', (key, text) => {
	expect(isFound(key, text)).toBe(false);
});

test('a long key is found by its first characters', () => {
	expect(isFound('k'.repeat(31) + 'xyz', `${'k'.repeat(31)}x`)).toBe(true);
});

test('of a value, what contains the key is left out and all else stays', () => {
	const value = {
		words: 'key: SECRET-KEY',
		list: ['secret-key', 1, null, true, { deep: 'x', 'a secret-key': 1 }],
		amount: 5,
	};
	const before = JSON.stringify(value);
	const expected = { words: null, list: [null, 1, null, true, { deep: 'x' }], amount: 5 };
	expect(blanked(value, 'secret-key')).toEqual(expected);
	expect(JSON.stringify(value)).toBe(before);
	expect(blanked({ a: 'secret', b: '-key' }, 'secret-key')).toEqual({ a: 'secret', b: '-key' });
});

/** Everyday words as keys: the interface keeps its own words. */
const ORDER = {
	orderId: '0x0123456789abcdef',
	status: 'completed',
	input: { chainId: 101, token: '0x00', amount: '500000000000', txHash: '0xab', address: '0xcd' },
	timing: { createdAt: 1_735_689_600, completedAt: 1_735_689_612, duration: 12 },
};
const ERROR = { success: false, error: { code: 'NOT_FOUND', message: 'x' } };

test.each([
	...['complete', 'completed', 'success', 'status', 'pending', 'amount', 'tokens', 'timing'],
	...[
		'address',
		'input.',
		'not_found',
		'NOT_FO',
		'message',
		'createdAt',
		'chainId',
		'ETH',
		'order',
	],
	...['500000', '173568', '1735689600', '000000'],
])('the key %s blanks nothing of the interface', (key) => {
	expect(blanked(ORDER, key)).toEqual(ORDER);
	expect(blanked(ERROR, key)).toEqual(ERROR);
	expect(blanked({ status: ' COMPLETED ' }, key)).toEqual({ status: ' COMPLETED ' });
});

test('numbers stay, also as text', () => {
	const value = { a: 12345678, b: '12345678', c: '0.12345678', d: 'no 12345678', e: '12345678 no' };
	expect(blanked(value, '12345678')).toEqual({ ...value, d: null, e: null });
});

const LONG_KEY = `${'a'.repeat(5_000)}b`;

test.each<[string, string, string]>([
	['backslashes', 'a\\'.repeat(12), '\\'],
	['a key that repeats itself', LONG_KEY, 'a'],
	['a key that nearly repeats itself', `${'ab'.repeat(2_500)}c`, 'ab'],
	['a key of percent signs', '%25%25%25%25x', '%25'],
	['hexadecimal digits that repeat themselves', LONG_KEY, '61'],
	['Base64 that repeats itself', LONG_KEY, 'YWFh'],
	['escapes of escapes', 'secret-key', '%25'],
	['escapes of JSON', 'secret-key', '\\u0073'],
	['escapes of compatibility letters', 'secret-key', '\\uff53'],
	['escapes of letters that become many', 'secret-key', '\\ufdfa'],
	['escapes that are never complete', 'secret-key', '\\u00'],
	['white space', 'secret-key', ' \u200b'],
	['letters that become many', 'secret-key', 'ﷺ'],
])('%s: the time grows no faster than the text', (_name, key, part) => {
	const made = (size: number): string => part.repeat(Math.ceil(size / part.length));
	expect(excessiveGrowth(made, (text) => blanked([text], key))).toBeNull();
});
