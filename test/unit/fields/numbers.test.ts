import fc from 'fast-check';

import { readNumber } from '../../../nodes/CrossChainBridge/fields/numbers';

test.each<[text: string, number: string]>([
	['5', '5'],
	['0.5', '0.5'],
	['.5', '0.5'],
	['5.', '5'],
	['1.000', '1.000'],
	['007', '007'],
	[' 5\n', '5'],
	['0\u200b.5\u00ad', '0.5'],
	['0,5', '0.5'],
	[',5', '0.5'],
	['0,125', '0.125'],
	['1,25', '1.25'],
	['1,2345', '1.2345'],
	['1234,567', '1234.567'],
	['1 246.87', '1246.87'],
	['1 246,87', '1246.87'],
	['1\u00a0246,875', '1246.875'],
	['1\u202f246\u202f000', '1246000'],
	['1\u2009246', '1246'],
	["1'246.87", '1246.87'],
	['1’246’000,5', '1246000.5'],
	['1,246.87', '1246.87'],
	['1.246,87', '1246.87'],
	['1.246.870', '1246870'],
	['1,246,870', '1246870'],
	['12,34,567.8', '1234567.8'],
	['1,23,456', '123456'],
	['1,23,45,678', '12345678'],
	['123 456', '123456'],
	["123'456", '123456'],
	['123.456.789', '123456789'],
	['123,456,789', '123456789'],
	['9'.repeat(400), '9'.repeat(400)],
])('%j is %s', (text, number) => {
	expect(readNumber(text)).toEqual({ ok: true, text: number });
});

test.each<[text: string, decimal: string, whole: string]>([
	['1,125', '1.125', '1125'],
	['100,000', '100.000', '100000'],
	['12,340', '12.340', '12340'],
])('%j can stand for %s or %s', (text, decimal, whole) => {
	expect(readNumber(text)).toEqual({
		ok: false,
		ambiguity: expect.stringContaining(`It could mean ${decimal} or ${whole}. `),
	});
});

test.each([
	...[
		'',
		' ',
		'.',
		',',
		'5,',
		'x',
		'-1',
		'+1',
		'\u22121',
		'1e3',
		'1E-7',
		'0x10',
		'1_000',
		'٣',
		'１',
	],
	...['1.2.3', '1,2,3', '1 2', '1 00', '1 246 87', '1,246.87.1', '1.246,87,1', '1.000.00'],
	...['-1 246', "-1'246", '-1.246.870', '-1,246,870', '-12,34,567', '-0,5', '1 246 USDC'],
	...["1'246'87", '0.500.000', "0'500", '1\r000', '1\r\n000', '-1,125', '1,125 USDC'],
	...['1\n000', '0 500', '0,500,000', "1'2", '10 min', '5 USDC', '$5', '5%', '1 246’870', 'NaN'],
])('%j is no number that can be read for certain', (text) => {
	expect(readNumber(text)).toEqual({ ok: false, ambiguity: null });
});

test('a number that is read has the digits of the text, and no others', () => {
	const sign = fc.constantFrom(..."0123456789.,’' \u00a0x-");
	fc.assert(
		fc.property(fc.string({ unit: sign, maxLength: 12 }), (text) => {
			const read = readNumber(text);
			if (!read.ok) return;
			expect(read.text).toMatch(/^\d+(\.\d+)?$/);
			const digits = (of: string) => of.replace(/\D/g, '').replace(/^0+/, '');
			expect(digits(read.text)).toBe(digits(text));
		}),
		{ numRuns: 5_000 },
	);
});
