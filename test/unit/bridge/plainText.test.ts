import { plainText } from '../../../nodes/CrossChainBridge/bridge/plainText';

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
])('%j is shown as %j', (text, shown) => {
	expect(plainText(text, 10)).toBe(shown);
});
