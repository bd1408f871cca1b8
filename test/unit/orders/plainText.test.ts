import {
	messageText,
	plainText,
	shownText,
} from '../../../nodes/CrossChainBridge/orders/plainText';

test.each<[string | null, string | null]>([
	['no order', 'no order'],
	['  two\n\tlines \u00a0', 'two lines'],
	['a\u202e\u200b\u0000\u2028b', 'a b'],
	['e\u0301 💣', 'e\u0301 💣'],
	['\ud800x', 'x'],
	['', null],
	[' \u200b\n', null],
	[null, null],
	['1234567890', '1234567890'],
	['12345678901', '1234567890…'],
	['💣'.repeat(11), `${'💣'.repeat(10)}…`],
	[`${' '.repeat(500)}a`, null],
	[`ab${' '.repeat(500)}c`, 'ab…'],
	[`${' '.repeat(195)}abcde`, 'abcde'],
	[`${' '.repeat(195)}abcdef`, 'abcde…'],
])('%j is shown as %j', (text, shown) => {
	expect(plainText(text, 10)).toBe(shown);
});

test.each<[string | null, string | null]>([
	['two\n\tlines ', 'two lines'],
	['<b>@all</b> &amp; _x_', 'b all b & amp x'],
	['1.25', '1.25'],
	['v2.0', 'v2.0'],
	['1.2.3', '1 2 3'],
	['1. item', '1 item'],
	['.5 and 5.', '5 and 5'],
	['USDC.e', 'USDC.e'],
	['(USDC.e)', 'USDC.e'],
	['USDC.ee', 'USDC ee'],
	['USDC.e\u0301', 'USDC é'],
	['USDC.е', 'USDC е'],
	['a.b.c', 'a b c'],
	['1.5.e', '1 5 e'],
	['.e', 'e'],
	['a-b -c d- e--f -', 'a-b c d e f'],
	['USDC.e-LP', 'USDC e-LP'],
	['\u0301a', 'a'],
	['1\u0301', '1'],
	['q\u0323\u0301\u0302\u0303z', 'q\u0323\u0301\u0302 z'],
	['x\uFE0Fy', 'x y'],
	['\ud800x', 'x'],
	['x'.repeat(51), `${'x'.repeat(50)}…`],
	[`${'a '.repeat(30)}`, `${'a '.repeat(25)}…`],
	[`${'x'.repeat(48)}.e`, `${'x'.repeat(48)}.e`],
	[`${'x'.repeat(47)}.com`, `${'x'.repeat(47)} co…`],
	[`ab${' '.repeat(1000)}c`, 'ab…'],
	['\u200b', null],
	['₮', '₮'],
	['Car 0,5 ETH', 'Car 0,5 ETH'],
	['Rent & Co. (1,000 USDT)', 'Rent & Co 1,000 USDT'],
	['Büro & Miete', 'Büro & Miete'],
	['R&D', 'R & D'],
	['& a && b &', 'a & b'],
	['&lt;b&#62;', 'lt b & 62'],
	['A/B', 'A/B'],
	['Q1/Q2/2026', 'Q1/Q2/2026'],
	['//a //b/ c/', 'a b c'],
	['/start', 'start'],
	['a /start', 'a start'],
	['USDC.e/claim', 'USDC e claim'],
	['1.5/2', '1 5 2'],
	['evil.com/a', 'evil com a'],
	['http://a/b', 'http a/b'],
	['5 ETH\u02d0 x', '5 ETH x'],
	['5 ETH\ua789 x\u02ba', '5 ETH x'],
	['दुःख', 'दुःख'],
	['July 1,250.50 €, 5%', 'July 1,250.50 € 5%'],
	["O'Brien 'O’Neill'", 'O’Brien O’Neill'],
	['Rent 12:30', 'Rent 12:30'],
	['12:30:45 :30: a:b 1,a 5%20', '12 30 45 30 a b 1 a 5 20'],
	['$', null],
	['', null],
	[null, null],
])('in a message %j is shown as %j', (text, shown) => {
	expect(messageText(text, 50)).toBe(shown);
});

test('a value in the sentence of an error is one line without markup, with no word that its panel does not show whole', () => {
	expect(shownText('a\n<b>&\u202e')).toBe('a b');
	expect(shownText('x '.repeat(100))).toBe(`${'x '.repeat(35)}…`);
	const wallet = `0x${'8617e340b3'.repeat(4)}`;
	expect(shownText(`Rent: ${wallet}`)).toBe(`Rent: ${wallet}`);
	const damaged = `0x${'ab'.repeat(32)}7`;
	expect(shownText(damaged)).toBe(`${damaged.slice(0, 24)}…${damaged.slice(-12)}`);
	for (const text of ['x'.repeat(100), `${damaged},${damaged}`, `https://a.example/tx/${damaged}`])
		for (const word of shownText(text).split(' ')) expect(word.length).toBeLessThanOrEqual(44);
});
