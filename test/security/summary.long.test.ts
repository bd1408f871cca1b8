import fc from 'fast-check';

import { orderItem } from '../../nodes/CrossChainBridge/orders/orderItem';
import { PLAIN_DISPLAY } from '../../nodes/CrossChainBridge/orders/display';
import { messageText } from '../../nodes/CrossChainBridge/orders/plainText';
import {
	failureSummary,
	interruptionSummary,
	summaryOf,
} from '../../nodes/CrossChainBridge/orders/summary';
import { quoteItem } from '../../nodes/CrossChainBridge/orders/quotes';
import { triggerItem } from '../../nodes/CrossChainBridge/trigger/item';

/** What takes part in a web address as a dot: the full stop, and what browsers and apps read as one. */
const DOT = '[.\\u3002\\uff0e\\uff61\\u2024]';

/** `summary` is sent as it is. What each app would not show as it stands, by its own documented rules. */
const APPS: Record<string, RegExp> = {
	// Tags, and entities such as &lt; or &#60;.
	'HTML mail': /[<>]|&(?! )/,
	// Tags and entities; an unknown tag is an error.
	'Telegram, HTML': /[<>]|&(?! )/,
	// _italic_ *bold* `code` [link](address); one without its partner is an error.
	'Telegram, Markdown': /[_*`[]|\\/,
	// Mentions, hashtags and cashtags are made in any mode, whatever sign stands before them; commands unless a letter or digit does.
	'Telegram, any mode': /@[\p{L}\d_]|#[\p{L}\d_]|\$[A-Za-z]|(?<![\p{L}\p{M}\p{N}])\/[A-Za-z\d_]/u,
	// <!channel> <@user> <address|text> &amp; *bold* _italic_ ~struck~ `code` :emoji:
	Slack: /[<>*_~`|]|&(?! )|@(?:channel|here|everyone)|:[\w+'-]+:/,
	// The same, ||hidden||, [text](address), @everyone, > quotes, # headings, -# notes and lists at the beginning of a line.
	Discord: /[<>*_~`|[\]\\]|@(?:everyone|here)|:\w+:|^\s*(?:#|-#|[-+*]\s|\d+[.)]\s)/,
	// A protocol or a host before a path; a name before two letters or more, because no top-level domain has one; an IPv4 address.
	'any app, web address': new RegExp(
		`:\\/|\\/\\/|[^\\s]*${DOT}\\S*\\/|[^\\s\\d]${DOT}(?:(?!\\.(?:\\s|$))[^\\s\\d),;:…”]){2}|${DOT}[\\p{L}\\p{M}]{2}|\\d${DOT}\\d+${DOT}\\d`,
		'u',
	),
	// A cell that begins with one of these is a formula.
	spreadsheet: /^[=+\-@\t\r]/,
	// Shown as a picture, or as nothing at all.
	'any app, emoji and invisible signs':
		/\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Default_Ignorable_Code_Point}|\p{C}/u,
};

const HOSTILE = [
	...`
		<a href="https://evil.example">Base</a> ¦ <script>alert(1)</script> ¦ <b> ¦ &lt;b&gt; ¦
		&#60;b&#62; ¦ <!channel> ¦ <!here|here> ¦ <@U012AB3CD> ¦ <https://evil.example|Base> ¦
		@everyone ¦ @here ¦ @channel ¦ @durov ¦ *bold* ¦ _italic_ ¦ my_token ¦ ~struck~ ¦
		~~struck~~ ¦ \`code\` ¦ \`\`\`code ¦ ||hidden|| ¦ [Base](https://evil.example) ¦
		![image](https://evil.example/a.png) ¦ :rotating_light: ¦ <:custom:123> ¦ <t:0:R> ¦
		# Heading ¦ -# note ¦ - list ¦ 1. list ¦ > quote ¦ >>> quote ¦ /start ¦ #hashtag ¦
		https://evil.example/claim ¦ claim-at-evil.example ¦ tg://resolve?domain=x ¦ \\*escaped ¦
		line\u2028> quote ¦ {{ $env.SECRET }} ¦ evil\uFE0F.com/claim ¦ evil.\uFE0Fcom/claim ¦
		evil\u034F.com ¦ evil.\u034Fcom ¦ evil\u200B.com ¦ evil.\u2060com ¦ evil.\u00ADcom ¦
		evil\u{E0100}.com ¦ evil\u180B.com ¦ evil\u3164.com ¦ evil\u0332.com/claim ¦
		evil.c\u0301om ¦ evi\u0301l\u0301.com ¦ \u0915\u093F.com/claim ¦ 💣.com/claim ¦ evil💣.com ¦
		1\uFE0F\u20E3.com ¦ 🇺🇸.com ¦ 1.2.3.4/claim ¦ 10.1.2.3 ¦ 1.2.3.4:8080/claim ¦ evil.com. ¦
		evil.co.e ¦ USDC.e/claim ¦ USDC.e.com ¦ www.evil.e ¦ evil.-com ¦ 1.5.com ¦ evil\u3002com ¦
		evil\uFF0Ecom ¦ evil\uFF61com ¦ evil\u2024com ¦ \uFF45vil\uFF0E\uFF43om ¦
		\u{1D41E}vil.\u{1D41C}om ¦ \u2488com ¦ рэп.рф ¦ 例え.テスト ¦ xn--e1afmkfd.xn--p1ai ¦
		localhost/claim ¦ javascript:alert(1) ¦ mailto:a@evil.example ¦ ann@evil.example ¦
		+4915112345678 ¦ (/start ¦ "/stop" ¦ ,/kick ¦ x/start@bot ¦ \uFF0Fstart ¦ \uFF20everyone ¦
		\uFF03hashtag ¦ \u26A0\uFE0F urgent ¦ $WIF ¦ ($WIF) ¦ \uFF04WIF ¦ =1+1 ¦
		=HYPERLINK("https://evil.example","Base") ¦ +1+1 ¦ -1+1 ¦ @SUM(1) ¦ \uFF1D1+1 ¦ '=1+1 ¦
		"=1+1 ¦ 1) list ¦ -- - ¦ \u202Emoc.live ¦ \u2066evil\u2069.com ¦
		Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307
	`
		.trim()
		.split(/\s*¦\s*/),
	'line\n# Heading',
	'\t=1+1',
];

/** All summaries with this text wherever something comes from outside. */
function summariesWith(text: string): string[] {
	const display = {
		...PLAIN_DISPLAY,
		networks: [
			{
				chainID: 1,
				name: text,
				baseToken: text,
				decimals: 0,
				tokens: { NATIVE: `0x${'0'.repeat(40)}`, [text]: '0xabc' },
			},
		],
	};
	const native = { chainId: 1, token: `0x${'0'.repeat(40)}`, amount: '5', address: text };
	const outside = { chainId: text, token: text, amount: text };
	const listed = { chainId: 1, token: '0xabc', amount: '5' };
	const orders = ['completed', 'refunded', 'failed', text].flatMap((status) =>
		[native, outside, listed, { token: '0xabc', chainId: 1 }].flatMap((input) =>
			[native, outside, listed].map((output) => ({ status, input, output })),
		),
	);
	const quotes = [
		{ symbol: text, address: text, amount: '5' },
		{ symbol: text, amount: '5', decimals: 1 },
		{ address: text, amount: text },
		null,
	].flatMap((token) =>
		[1, text].map((network) => {
			const asked = {
				inputNetwork: network,
				outputNetwork: network,
				inputTokenAmount: '7',
				inputTokenContract: text,
				sourceAddress: text,
			};
			const quote = {
				tokenIn: token,
				tokenOut: token,
				fees: { total: text, percentage: text },
				expiry: text,
				quoteId: text,
			};
			return quoteItem({ quote, asked }, display, 0).simple;
		}),
	);
	const timing = { createdAt: 1, expiry: 2, duration: 3 };
	const items = [
		...orders.flatMap((order) => [{ order }, { order: { ...order, timing }, beganAt: 5 }]),
		{ order: {} },
		{ order: null },
		{ order: null, beganAt: 5, lastStatus: text },
		{ order: null, whyNotChecked: 'The bridge did not respond in time' },
	].flatMap((source) =>
		[text, null].map((reference) => {
			const expected = reference === null ? { recipient: text, minimumReceived: text } : undefined;
			const about = { sourceHash: text, reference, expected, ...source };
			return orderItem(about, display, 600_000).simple;
		}),
	);
	return [
		...items.flatMap(({ summary, sent, received }) => [summary, sent, received]),
		...quotes.flatMap(({ summary, sent, received, receivedAtLeast }) => [
			...[summary, sent, received, receivedAtLeast],
		]),
		...[text, null].map((reference) => expiredSummary(text, reference)),
		...[
			`The bridge says: "${text}"`,
			`'Amount' cannot be '${text}'`,
			`'Hash': '${text}' is none`,
			`It says: ${text}…${text}, ${text}: ${text}. ${text}`,
		].flatMap((why) => [
			failureSummary(text, why),
			interruptionSummary(why, 'no orders are checked'),
		]),
	].filter((each) => each !== null);
}

function expiredSummary(sourceHash: string, reference: unknown): string {
	const known = { sourceHash, reference, order: null, previousStatus: null, detectedAt: 0 };
	const form = { simplify: true, display: PLAIN_DISPLAY };
	return String(triggerItem({ ...known, event: 'watchEnded' }, form).summary);
}

const NO_LEG = { chainId: null, network: null, token: null, tokenSymbol: null };
const NOTHING_KNOWN = { ...NO_LEG, amount: null, amountReadable: null, address: null };

/** The one that costs least, for a million of them. */
function notFoundSummary(sourceHash: string, reference: unknown): string {
	const legs = { input: NOTHING_KNOWN, output: NOTHING_KNOWN };
	const times = { ageMs: null, durationSeconds: null, expiresAt: null, now: 0 };
	const more = { refund: null, compared: null, otherHash: null, page: null };
	return summaryOf({
		sourceHash,
		reference,
		order: null,
		status: 'notFound',
		...times,
		...legs,
		...more,
	});
}

/** All signs of a sentence: letters with their marks, digits, spaces, a name's own signs, and our punctuation. */
const OF_A_SENTENCE = /^(?:\p{L}[\p{Mn}\p{Mc}]{0,3}|[\p{Nd} .,:;()%…'’“”₮€£¥/&-])*$/u;

/** How an order went, in front of its summary: the only picture in it. */
const SIGN = /^(?:✅|↩️|❌|⏳|⚠️) /u;

/** Throws where an app would show the text as more than text. */
function expectPlain(shown: string): void {
	if (APPS.spreadsheet?.test(shown)) throw new Error(`spreadsheet: ${shown}`);
	const summary = shown.replace(SIGN, '');
	for (const [app, rules] of Object.entries(APPS))
		if (rules.test(summary)) throw new Error(`${app}: ${summary}`);
	if (!OF_A_SENTENCE.test(summary)) throw new Error(`A sign of its own: ${summary}`);
}

test.each(HOSTILE)(
	'%j in names, symbols, status words and hashes is shown as it stands',
	(text) => {
		summariesWith(text).forEach(expectPlain);
	},
);

test('texts of any kind are', () => {
	const mixed = fc
		.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string(), fc.string({ unit: 'binary' })), {
			maxLength: 4,
		})
		.map((parts) => parts.join(' '));
	fc.assert(
		fc.property(mixed, (text) => summariesWith(text).forEach(expectPlain)),
		{ numRuns: 200 },
	);
});

test('every sign of Unicode, wherever it stands in an address', () => {
	for (let code = 0; code <= 0x10ffff; code++) {
		const sign = String.fromCodePoint(code);
		// More than half of all numbers stand for no sign.
		if (/\p{Cn}/u.test(sign)) continue;
		const text = `${sign}evil${sign}.${sign}com${sign}/${sign}a`;
		expectPlain(notFoundSummary(text, text));
		expectPlain(notFoundSummary(text, null));
	}
});

/** Names of networks and symbols of tokens as they are in use. */
const UNCHANGED = [
	...`
		Ethereum, BNB Smart Chain, Polygon zkEVM, Arbitrum One, Arbitrum Nova, OP Mainnet, Base,
		Immutable X, X Layer, zkSync Era, Avalanche C-Chain, Linea, Scroll, Blast, Mantle, Mode,
		Manta Pacific, Metis Andromeda, Gnosis, Celo, Fantom Opera, Cronos, Moonbeam, Kava EVM, Aurora,
		Boba Network, Fraxtal, Zora, opBNB, Unichain, World Chain, Ink, Soneium, Sonic, Berachain, HyperEVM,
		Solana, Bitcoin, Tron, TON, Sui, Aptos, NEAR, Base Sepolia, Core DAO, Polygon PoS, IOTA EVM,
		Rootstock, 5ireChain, WEMIX3.0, ETH, WETH, wstETH, stETH, rETH, cbETH, weETH, rsETH, USDC, USDC.e,
		USDbC, USDT, USD₮0, USD₮, DAI, DAI.e, sUSDe, USDe, crvUSD, GHO, LUSD, EURC, WBTC, BTC.b, cbBTC,
		tBTC, LBTC, 1INCH, UNI, UNI-V2, AAVE, aUSDC, LINK, MATIC, POL, WIF, BONK, PEPE, SHIB, GMX, ARB, OP,
		xDAI, WBNB, axlUSDC, ezETH, jitoSOL, mSOL, WETH.e, stETH-A, v2.0
	`.split(','),
	...`
		イーサリアム, ポリゴン, 以太坊, 币安智能链, 이더리움, Πόλυγον, Эфириум, إيثريوم, אתריום, सोलाना, हिन्दी, बिटकॉइन, இதரீயம்,
		ইথেরিয়াম, อีเธอเรียม, Việt, Éther, Español Ñandú
	`
		.normalize('NFKC')
		.split(','),
	'0x166cab27f2cbb40426a5742c477d609e0716128b',
	'5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnb',
	'still-open',
].map((name) => name.trim());

test('a hundred ordinary names stay as they are', () => {
	expect(UNCHANGED.length).toBeGreaterThan(100);
	expect(UNCHANGED.map((name) => messageText(name, 100))).toEqual(UNCHANGED);
});

test.each([
	['stETH/ETH', 'stETH/ETH'],
	['Arbitrum (Nova)', 'Arbitrum Nova'],
	["Moody's", 'Moody’s'],
	['B² Network', 'B2 Network'],
	['A+', 'A'],
	['in_progress', 'in progress'],
	['$WIF', 'WIF'],
	['yearn.finance', 'yearn finance'],
	['Ｅｔｈｅｒ', 'Ether'],
	['0x1::aptos_coin::AptosCoin', '0x1 aptos coin AptosCoin'],
	['US Dollar™', 'US DollarTM'],
	['🔥Base🔥', 'Base'],
])('%s is readable as %s', (name, shown) => expect(messageText(name, 100)).toBe(shown));

test('the raw fields stay raw', () => {
	const display = {
		...PLAIN_DISPLAY,
		networks: [{ chainID: 1, name: '<b>@everyone</b>', baseToken: '*E*' }],
	};
	const input = { chainId: 1, token: `0x${'0'.repeat(40)}`, address: '0xw' };
	const order = { status: 'a_b', input };
	const item = orderItem({ sourceHash: '0xab', order }, display, 0).full;
	expect(item).toMatchObject({
		status: 'a_b',
		inputNetwork: '<b>@everyone</b>',
		inputTokenSymbol: '*E*',
	});
});
