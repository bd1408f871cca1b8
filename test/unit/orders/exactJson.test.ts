import {
	ExcessiveJson,
	MAX_LEVELS,
	parseJsonExactly,
	plainJson,
	tidyJson,
} from '../../../nodes/CrossChainBridge/orders/exactJson';

const MAX_PARTS = 400_000;

test.each<[string, unknown]>([
	['9007199254740991', Number.MAX_SAFE_INTEGER],
	['9007199254740992', '9007199254740992'],
	['-9007199254740991', Number.MIN_SAFE_INTEGER],
	['-9007199254740993', '-9007199254740993'],
	['123456789012345', 123456789012345],
	['0.1', 0.1],
	['12345678901234567890.5', 12345678901234567890.5],
	['1e5', 1e5],
	['1e22', 1e22],
	['1e-400', 0],
	['1e400', '1e400'],
	['1E400', '1E400'],
	['1e+400', '1e+400'],
	['-12.5e400', '-12.5e400'],
	['[1,12345678901234567890,2]', [1, '12345678901234567890', 2]],
	['{"1234567890123456789":1234567890123456789}', { '1234567890123456789': '1234567890123456789' }],
	['["1234567890123456789"]', ['1234567890123456789']],
	[
		String.raw`["\"1234567890123456789",1234567890123456789]`,
		['"1234567890123456789', '1234567890123456789'],
	],
	[String.raw`["\\",1234567890123456789,"1e400\\\""]`, ['\\', '1234567890123456789', '1e400\\"']],
	['["",1234567890123456789,"\\\\\\\\"]', ['', '1234567890123456789', '\\\\']],
	[' { "a" : 1234567890123456789 , "b" : [ ] } ', { a: '1234567890123456789', b: [] }],
	['null', null],
	['"text"', 'text'],
])('%s is read without losing a digit', (text, value) => {
	expect(parseJsonExactly(text)).toEqual(value);
});

test.each(['', '{', '[1', '{"a":1,}', '1234567890123456789x', '"open', '"1234567890123456789'])(
	'%j is no JSON',
	(text) => {
		expect(() => parseJsonExactly(text)).toThrow(SyntaxError);
	},
);

test('a field named __proto__ is left out wherever it stands', () => {
	const read = parseJsonExactly(
		'{"a":[{"__proto__":{"x":1},"b":{"__proto__":5,"c":1}}],"__proto__":{"y":2}}',
	);
	expect(JSON.stringify(read)).toBe('{"a":[{"b":{"c":1}}]}');
});

test.each<[string, string, string]>([
	['lists', '[', ']'],
	['objects', '{"a":', '}'],
])('%s may be nested in 100 levels, and no deeper', (_name, open, close) => {
	const nested = (levels: number) =>
		`${open.repeat(levels)}1${close.repeat(levels)}`.replace(/1$/, '');
	expect(() => parseJsonExactly(nested(MAX_LEVELS))).not.toThrow();
	expect(() => parseJsonExactly(nested(MAX_LEVELS + 1))).toThrow(ExcessiveJson);
});

test('levels next to one another do not add up, and brackets in text do not count', () => {
	expect(parseJsonExactly(`[${'[],{},'.repeat(150)}0]`)).toHaveLength(301);
	const text = String.raw`[[["${'[{'.repeat(150)}\"[[",1]]]`;
	expect(parseJsonExactly(text)).toEqual([[[`${'[{'.repeat(150)}"[[`, 1]]]);
	const quoted = String.raw`["\"${'['.repeat(150)}"]`;
	expect(parseJsonExactly(quoted)).toEqual([`"${'['.repeat(150)}`]);
	expect(() => parseJsonExactly(`${'"",'.repeat(2)}${'['.repeat(MAX_LEVELS + 1)}`)).toThrow(
		ExcessiveJson,
	);
});

test.each<[string, string]>([
	['numbers', '0'],
	['texts', '""'],
])('400,000 values are read, one more is not: %s', (_name, value) => {
	const list = (commas: number) => `[${`${value},`.repeat(commas)}${value}]`;
	expect(parseJsonExactly(list(MAX_PARTS - 1))).toHaveLength(MAX_PARTS);
	expect(() => parseJsonExactly(list(MAX_PARTS))).toThrow(ExcessiveJson);
});

test('lists count as values, and commas in text do not', () => {
	expect(() => parseJsonExactly(`[${'[],'.repeat(MAX_PARTS / 2)}[]]`)).toThrow(ExcessiveJson);
	expect(parseJsonExactly(`["${','.repeat(MAX_PARTS + 1)}"]`)).toHaveLength(1);
});

/** A value nested in so many lists. */
function nestedIn(levels: number): unknown {
	let value: unknown = 1;
	for (let level = 0; level < levels; level++) value = [value];
	return value;
}

test('a value from elsewhere is tidied, if it is one that n8n can work with', () => {
	const value = JSON.parse('{"a":[1,null,"x",{"__proto__":1,"b":2}],"__proto__":{}}') as unknown;
	expect(tidyJson(value)).toBe(true);
	expect(JSON.stringify(value)).toBe('{"a":[1,null,"x",{"b":2}]}');
	expect([null, undefined, 5, 'x', {}].map(tidyJson)).toEqual([true, true, true, true, true]);
	const wanted = [true, false];
	expect([MAX_LEVELS, MAX_LEVELS + 1].map((levels) => tidyJson(nestedIn(levels)))).toEqual(wanted);
	const objects = (count: number) => new Array<object>(count).fill({});
	const expected = [true, false];
	expect([MAX_PARTS - 1, MAX_PARTS].map((count) => tidyJson(objects(count)))).toEqual(expected);
});

test('a copy of JSON shares nothing with it; there is none of what is nested in itself', () => {
	const value = { a: [{ b: 1 }] };
	const copy = plainJson(value) as typeof value;
	expect(copy).toEqual(value);
	expect(copy.a[0]).not.toBe(value.a[0]);
	expect([5, 'x', false, null, undefined].map(plainJson)).toEqual([5, 'x', false, null, null]);
	const endless: unknown[] = [];
	endless.push(endless);
	expect(plainJson(endless)).toBeNull();
	expect(plainJson(nestedIn(MAX_LEVELS + 1))).toBeNull();
});
