import fc from 'fast-check';

import { notFoundOrder, simplifyOrder } from '../../nodes/CrossChainBridge/bridge/orders';
import { PLAIN_READING } from '../../nodes/CrossChainBridge/bridge/orderReading';
import { summaryOfWatchExpired } from '../../nodes/CrossChainBridge/bridge/orderSummary';
import { messageText } from '../../nodes/CrossChainBridge/bridge/plainText';

/** `summary` is sent as it is. What each app would not show as it stands, by its own documented rules. */
const APPS: Record<string, RegExp> = {
	// Tags, and entities such as &lt; or &#60;.
	'HTML mail': /[<>]|&/,
	// Tags and entities; an unknown tag is an error.
	'Telegram, HTML': /[<>]|&/,
	// _italic_ *bold* `code` [link](address); one without its partner is an error.
	'Telegram, Markdown': /[_*`[]|\\/,
	// Mentions, hashtags, commands and links are made in any mode.
	'Telegram, any mode': /@\w|#[\p{L}\d_]|(?:^|\s)\/\w|:\/\/|[\p{L}\p{N}]\.\p{L}{2}/u,
	// <!channel> <@user> <address|text> &amp; *bold* _italic_ ~struck~ `code` :emoji: and links.
	'Slack': /[<>&*_~`|]|@(?:channel|here|everyone)|:[\w+'-]+:|:\/\//,
	// The same, ||hidden||, [text](address), @everyone, > quotes, # headings, -# notes and lists at the beginning of a line.
	'Discord': /[<>*_~`|[\]\\]|@(?:everyone|here)|:\w+:|:\/\/|^\s*(?:#|-#|[-+*]\s|\d+[.)]\s)/,
};

const HOSTILE = [
	'<a href="https://evil.example">Base</a>',
	'<script>alert(1)</script>',
	'<b>',
	'&lt;b&gt;',
	'&#60;b&#62;',
	'<!channel>',
	'<!here|here>',
	'<@U012AB3CD>',
	'<https://evil.example|Base>',
	'@everyone',
	'@here',
	'@channel',
	'@durov',
	'*bold*',
	'_italic_',
	'my_token',
	'~struck~',
	'~~struck~~',
	'`code`',
	'```code',
	'||hidden||',
	'[Base](https://evil.example)',
	'![image](https://evil.example/a.png)',
	':rotating_light:',
	'<:custom:123>',
	'<t:0:R>',
	'# Heading',
	'-# note',
	'- list',
	'1. list',
	'> quote',
	'>>> quote',
	'/start',
	'#hashtag',
	'https://evil.example/claim',
	'claim-at-evil.example',
	'tg://resolve?domain=x',
	'\\*escaped',
	'line\n# Heading',
	'line\u2028> quote',
	'{{ $env.SECRET }}',
];

/** All summaries with this text wherever something comes from outside. */
function summariesWith(text: string): string[] {
	const reading = { ...PLAIN_READING, networks: [{ chainID: 1, name: text, baseToken: text, decimals: 0, tokens: { NATIVE: `0x${'0'.repeat(40)}`, [text]: '0xabc' } }] };
	const native = { chainId: 1, token: `0x${'0'.repeat(40)}`, amount: '5' };
	const outside = { chainId: text, token: text, amount: text };
	const listed = { chainId: 1, token: '0xabc', amount: '5' };
	const orders = ['completed', 'refunded', 'failed', text].flatMap((status) =>
		[native, outside, listed, { token: '0xabc', chainId: 1 }].flatMap((input) => [native, outside, listed].map((output) => ({ status, input, output }))),
	);
	return [...orders.map((order) => simplifyOrder(text, order, reading).summary), simplifyOrder(text, {}).summary, notFoundOrder(text).summary, summaryOfWatchExpired(text)];
}

test.each(HOSTILE)('%j in names, symbols, status words and hashes is shown as it stands', (text) => {
	for (const summary of summariesWith(text)) {
		for (const [app, rules] of Object.entries(APPS)) if (rules.test(summary)) throw new Error(`${app}: ${summary}`);
	}
});

test('texts of any kind are', () => {
	const mixed = fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string(), fc.string({ unit: 'binary' })), { maxLength: 4 }).map((parts) => parts.join(' '));
	fc.assert(
		fc.property(mixed, (text) => {
			for (const summary of summariesWith(text)) {
				for (const [app, rules] of Object.entries(APPS)) if (rules.test(summary)) throw new Error(`${app}: ${summary}`);
			}
		}),
		{ numRuns: 200 },
	);
});

test.each(['Base', 'BNB Smart Chain', 'USDC.e', 'wstETH', 'stETH/ETH', 'USD₮0', '0x166cab27f2cbb40426a5742c477d609e0716128b', 'still-open', 'Arbitrum (Nova)', 'Πόλυγον', '以太坊', "Moody's", 'A+', '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnb'])(
	'the ordinary name %s stays as it is',
	(name) => expect(messageText(name, 100)).toBe(name),
);

test('Telegram’s MarkdownV2 can take no sentence with an amount: it wants each dot, hyphen and bracket escaped', () => {
	const RESERVED = /[_*[\]()~`>#+\-=|{}.!\\]/;
	const order = { status: 'completed', input: { chainId: 1, token: '0xabc', amount: '15', decimals: 1 }, output: { chainId: 2 } };
	expect(simplifyOrder('0xab', order).summary).toMatch(RESERVED);
	// What Telegram's own documentation asks for makes it whole again.
	expect(simplifyOrder('0xab', order).summary.replace(/[_*[\]()~`>#+\-=|{}.!\\]/g, '\\$&')).toBe('1\\.5 of token 0xabc from network 1 arrived on network 2');
});

test('the raw fields stay raw', () => {
	const reading = { ...PLAIN_READING, networks: [{ chainID: 1, name: '<b>@everyone</b>', baseToken: '*E*' }] };
	const item = simplifyOrder('0xab', { status: 'a_b', input: { chainId: 1, token: `0x${'0'.repeat(40)}` } }, reading);
	expect(item).toMatchObject({ status: 'a_b', inputNetwork: '<b>@everyone</b>', inputTokenSymbol: '*E*' });
});
