import fc from 'fast-check';

import {
	exactAmount,
	decimalsOrNull,
	toReadable,
	toSmallestUnit,
} from '../../../nodes/CrossChainBridge/orders/amounts';

const LONG = '123456789012345678901234567890';

test.each<[string, number, string]>([
	['0.5', 18, '500000000000000000'],
	['1', 18, '1000000000000000000'],
	['1246.87', 6, '1246870000'],
	['0.000000000000000001', 18, '1'],
	['.5', 1, '5'],
	['5.', 1, '50'],
	['.25', 2, '25'],
	['.0', 0, '0'],
	['1001', 0, '1001'],
	['007', 0, '7'],
	['1.500000000', 1, '15'],
	['0', 18, '0'],
	['0.0', 0, '0'],
	[`${LONG}.123456789012345678`, 18, `${LONG}123456789012345678`],
])('%j with %d decimals is %s in the smallest unit', (text, decimals, amount) => {
	expect(toSmallestUnit(text, decimals)).toBe(amount);
});

test('what has more decimals than the token is not rounded', () => {
	expect([toSmallestUnit('0.1234567', 6), toSmallestUnit('0.1', 0)]).toEqual([null, null]);
});

test.each<[string, number, string]>([
	['500000000000000000', 18, '0.5'],
	['1246870000', 6, '1246.87'],
	['1', 18, '0.000000000000000001'],
	['10', 0, '10'],
	['0', 18, '0'],
	['000', 2, '0'],
	['0100', 1, '10'],
	['1001', 0, '1001'],
	['1', 255, `0.${'0'.repeat(254)}1`],
])('%j with %d decimals reads %j', (amount, decimals, readable) => {
	expect(toReadable(amount, decimals)).toBe(readable);
});

const decimalsOf = fc.integer({ min: 0, max: 255 });
const amounts = fc.bigInt({ min: 0n, max: 2n ** 300n });

test('any amount comes back the same from its readable form, whatever the decimals', () => {
	fc.assert(
		fc.property(amounts, decimalsOf, (amount, decimals) => {
			const readable = toReadable(String(amount), decimals);
			expect(readable).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
			expect(toSmallestUnit(readable, decimals)).toBe(String(amount));
		}),
	);
});

test.each<[unknown, number | null]>([
	[18, 18],
	[0, 0],
	[255, 255],
	['6', 6],
	[' 6 ', 6],
	['18', 18],
	['255', 255],
	['256', null],
	['018', 18],
	['0018', 18],
	['x', null],
	[Number.POSITIVE_INFINITY, null],
	[[6], null],
	[256, null],
	[-1, null],
	[1.5, null],
	['', null],
	['six', null],
	['1e1', null],
	[Number.NaN, null],
	[null, null],
	[undefined, null],
	[true, null],
])('the decimals %j are %j', (value, decimals) => {
	expect(decimalsOrNull(value)).toBe(decimals);
});

test.each<[unknown, string | null]>([
	[' 0.5\n', '0.5'],
	[1500, '1500'],
	[0.5, '0.5'],
	[-1.5, '-1.5'],
	[123456.789012345, '123456.789012345'],
	[0.000001, '0.000001'],
	[0.000123456789012345, '0.000123456789012345'],
	[-0.00123456789012345, '-0.00123456789012345'],
	[1234567.890123456, null],
	[1.5e-7, '0.00000015'],
	[-1.2345678901234567e-10, null],
	[1.5e300, null],
	[0, '0'],
	[9007199254740991, '9007199254740991'],
	[9007199254740992, null],
	[0.1 + 0.2, null],
	[1e21, null],
	[1e-7, '0.0000001'],
	[1.25e-10, '0.000000000125'],
	[Number.NaN, 'NaN'],
	[Number.POSITIVE_INFINITY, 'Infinity'],
	[null, ''],
	[true, ''],
	[{}, ''],
])('the amount %j given to a field is the text %j', (given, text) => {
	expect(exactAmount(given)).toBe(text);
});

test('an amount that an expression gives as a BigInt keeps its digits', () => {
	expect(exactAmount(2n ** 64n)).toBe('18446744073709551616');
});

test('a number that has a text has exactly that value', () => {
	fc.assert(
		fc.property(
			fc.oneof(
				fc.double(),
				fc.integer(),
				fc.double({ min: 0, max: 1000 }).map((value) => Number(value.toFixed(6))),
			),
			(given) => {
				const text = exactAmount(given);
				if (text !== null) expect(Number(text)).toBe(given === 0 ? 0 : given);
			},
		),
	);
});
