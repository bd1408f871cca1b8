import { messageText, plainText } from '../../../nodes/CrossChainBridge/bridge/plainText';

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
	['0.5 ETH (12 s), 3 % – "so"', '0.5 ETH (12 s), 3 % – "so"'],
	['&<>@#*', '＆＜＞＠＃＊'],
	['_~`|[]\\:', '＿～｀｜［］＼：'],
	['@here, @all', '＠here, ＠all'],
	['/start', '／start'],
	['then /start, and/or / end', 'then ／start, and/or / end'],
	['- item', 'item'],
	['+ item', 'item'],
	['1. item', 'item'],
	['12) item', 'item'],
	['- 1. - item', 'item'],
	['-5 and - 5', '-5 and - 5'],
	['1.5 and 1. 5', '1.5 and 1. 5'],
	['12 items', '12 items'],
	['-', '-'],
	['evil.com', 'evil\u2024com'],
	['a.évil.com', 'a\u2024évil\u2024com'],
	['0x.io', '0x\u2024io'],
	['USDC.e', 'USDC.e'],
	['1.25', '1.25'],
	['the end. Or not', 'the end. Or not'],
	['.com and (.com)', '.com and (.com)'],
	['  two\n\tlines ', 'two lines'],
	['x'.repeat(51), `${'x'.repeat(50)}…`],
	['\u200b', null],
	['', null],
	[null, null],
])('in a message %j is shown as %j', (text, shown) => {
	expect(messageText(text, 50)).toBe(shown);
});
