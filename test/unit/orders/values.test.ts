import fc from 'fast-check';

import {
	caselessHex,
	digitsOrNull,
	epochMsOrNull,
	exactTextOrNull,
	field,
	idOrNull,
	isPlainObject,
	numberOrNull,
	singleSpaced,
	textOrNull,
	visibleText,
} from '../../../nodes/CrossChainBridge/orders/values';

test.each<[unknown, boolean]>([
	[{}, true],
	[{ a: 1 }, true],
	[[], false],
	[null, false],
	[undefined, false],
	['text', false],
	[5, false],
	[() => 1, false],
])('%j has named fields: %s', (value, expected) => {
	expect(isPlainObject(value)).toBe(expected);
});

test('a field is the object’s own, never one of a prototype, a list or a text', () => {
	expect(field({ a: 1 }, 'a')).toBe(1);
	expect(field({ a: 1 }, 'b')).toBeUndefined();
	expect(field({}, 'constructor')).toBeUndefined();
	expect(field(Object.create({ a: 1 }), 'a')).toBeUndefined();
	expect(field(['x'], '0')).toBeUndefined();
	expect(field('text', 'length')).toBeUndefined();
	expect(field(null, 'a')).toBeUndefined();
});

test.each<[string, string]>([
	[' 0xab\n', '0xab'],
	['0x\u00adab\u200b', '0xab'],
	['\ufeff0x\u2060ab\u202e', '0xab'],
	['a b', 'a b'],
	['\u200b \u3164', ''],
])('of %j what is seen is %j', (text, visible) => {
	expect(visibleText(text)).toBe(visible);
});

test('each run of white space becomes one space', () => {
	const pieces = fc.constantFrom(' ', '\t', '\n', '\r\n', '\u00a0', '\u2028', '\u3000', 'a', 'bc');
	fc.assert(
		fc.property(fc.array(pieces), (texts) => {
			const text = texts.join('');
			expect(singleSpaced(text)).toBe(text.replace(/\s+/g, ' '));
		}),
	);
});

test.each<[unknown, string | null, string | null, string | null]>([
	['12', '12', '12', '12'],
	[' 12 ', ' 12 ', ' 12 ', '12'],
	['0', '0', '0', '0'],
	['9'.repeat(80), '9'.repeat(80), '9'.repeat(80), '9'.repeat(80)],
	['x1', 'x1', 'x1', null],
	['1x', '1x', '1x', null],
	['-1', '-1', '-1', null],
	['0.5', '0.5', '0.5', null],
	['', null, null, null],
	[' ', ' ', ' ', null],
	[12, null, '12', '12'],
	[0, null, '0', '0'],
	[-1, null, '-1', null],
	[Number.MAX_SAFE_INTEGER, null, '9007199254740991', '9007199254740991'],
	[2 ** 53, null, null, null],
	[1.5, null, null, null],
	[Number.NaN, null, null, null],
	[true, null, null, null],
	[null, null, null, null],
	[undefined, null, null, null],
	[['12'], null, null, null],
])('%j is the text %j, the exact text %j and the digits %j', (value, text, exact, digits) => {
	const expected = [text, exact, digits];
	expect([textOrNull(value), exactTextOrNull(value), digitsOrNull(value)]).toEqual(expected);
});

test.each<[unknown, number | string | null]>([
	[7, 7],
	[0, 0],
	[1.5, 1.5],
	['7', '7'],
	['solana', 'solana'],
	['', null],
	[Number.NaN, null],
	[Number.POSITIVE_INFINITY, null],
	[true, null],
	[null, null],
	[undefined, null],
])('the ID %j is %j', (value, id) => {
	expect(idOrNull(value)).toBe(id);
});

test.each([
	['0xABcd', '0xabcd'],
	['0XAB', '0xab'],
	['0X', '0x'],
	['0xABG', '0xABG'],
	['x0xAB', 'x0xAB'],
	['ABCD', 'ABCD'],
	['', ''],
])('%j is compared as %j', (text, expected) => {
	expect(caselessHex(text)).toBe(expected);
});

const NEW_YEAR = Date.UTC(2025, 0, 1);

test.each<[unknown, number | null]>([
	// Seconds, milliseconds, microseconds, nanoseconds.
	[NEW_YEAR / 1000, NEW_YEAR],
	[NEW_YEAR / 1000 + 0.5, NEW_YEAR + 500],
	[NEW_YEAR, NEW_YEAR],
	[NEW_YEAR * 1000 + 1, NEW_YEAR],
	[NEW_YEAR * 1e6, NEW_YEAR],
	[`${NEW_YEAR / 1000}`, NEW_YEAR],
	['1735689600.5', NEW_YEAR + 500],
	[` ${NEW_YEAR}\n`, NEW_YEAR],
	['1735689600000000', NEW_YEAR],
	['1735689600000000000', NEW_YEAR],
	// From 2009 to 2099, in any form.
	[1_230_768_000, Date.UTC(2009, 0, 1)],
	[1_230_767_999, null],
	[4_102_444_799, Date.UTC(2100, 0, 1) - 1000],
	[4_102_444_800, null],
	['2008-12-31T23:59:59Z', null],
	['2100-01-01T00:00:00Z', null],
	['0001-01-01T00:00:00Z', null],
	['1970-01-01T00:00:00Z', null],
	['9999-12-31T23:59:59Z', null],
	[253_402_300_799, null],
	[8.64e15, null],
	[300, null],
	[0, null],
	[-0.001, null],
	[-1_735_689_600, null],
	[Number.NaN, null],
	[Number.POSITIVE_INFINITY, null],
	['0', null],
	['9'.repeat(400), null],
	['-1735689600', null],
	['2025-01-01', NEW_YEAR],
	[' 2025-01-01T00:00:00Z\n', NEW_YEAR],
	['2025-01-01T01:00:00.250+01:00', NEW_YEAR + 250],
	['2025-01-01T01:00:00+01', NEW_YEAR],
	['2024-12-31 22:00-02', NEW_YEAR],
	['2025-01-01T01:00:00+0100', NEW_YEAR],
	['2025-01-01 (paid)', null],
	['2025-13-01', null],
	['2025-02-29', null],
	['2025-02-30T10:00:00+01:00', null],
	['2025-04-31T00:00', null],
	['Start 2025-01-01', null],
	['1 Jan 2025', null],
	['2025', null],
	[true, null],
	[[5], null],
	[null, null],
	[undefined, null],
])('the time %j is %j ms since 1970', (value, ms) => {
	expect(epochMsOrNull(value)).toBe(ms);
});

test.each<[unknown, number | null]>([
	['12', 12],
	['1.25', 1.25],
	[' 9\n', 9],
	[0.5, 0.5],
	['0', 0],
	['1.', null],
	['.5', null],
	['x9', null],
	['1e3', null],
	['-1', null],
	['', null],
	['9'.repeat(400), null],
	[Number.NaN, null],
	[Number.POSITIVE_INFINITY, null],
	[-0.1, null],
	[true, null],
	[undefined, null],
])('%j is the number %j', (value, number) => {
	expect(numberOrNull(value)).toBe(number);
});
