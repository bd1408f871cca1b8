import { messageText, plainText } from '../../../nodes/CrossChainBridge/orders/plainText';

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
	['<b>@all</b> &amp; _x_', 'b all b amp x'],
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
	['$', null],
	['', null],
	[null, null],
])('in a message %j is shown as %j', (text, shown) => {
	expect(messageText(text, 50)).toBe(shown);
});
