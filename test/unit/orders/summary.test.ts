import { type Display, PLAIN_DISPLAY } from '../../../nodes/CrossChainBridge/orders/display';
import { orderItem } from '../../../nodes/CrossChainBridge/orders/orderItem';
import type { PlainObject } from '../../../nodes/CrossChainBridge/orders/values';
import {
	amountText,
	durationWords,
	failureSummary,
	hashNote,
	interruptionSummary,
	networkWords,
	routeText,
	type SummaryLeg,
} from '../../../nodes/CrossChainBridge/orders/summary';

const ZERO = `0x${'0'.repeat(40)}`;
const USDC = '0x166cab27f2cbb40426a5742c477d609e0716128b';
const HASH = `0x9d23${'5'.repeat(56)}9999`;
const NOW = Date.UTC(2026, 10, 25, 12, 20);

const NATIVE_ETH = { baseToken: 'ETH', decimals: 18 };
const KNOWN: Display = {
	networks: [
		{ chainID: 101, name: 'Ethereum', ...NATIVE_ETH, tokens: { NATIVE: ZERO } },
		{ chainID: 102, name: 'Arbitrum', ...NATIVE_ETH, tokens: { NATIVE: ZERO, USDC } },
	],
	tokenDecimals: new Map([[USDC, 6]]),
	explorers: new Map(),
};
const ONLY_NAMES: Display = { ...KNOWN, tokenDecimals: new Map() };

const input = { chainId: 101, token: ZERO, amount: '500000000000000000' };
const output = { chainId: 102, token: USDC, amount: '1246870000' };
const timing = { duration: 12 };

const summaryWith = (order: object | null, more: object = {}, display = KNOWN): string => {
	const source = { sourceHash: HASH, order: order as PlainObject | null, ...more };
	return orderItem(source, display, NOW).simple.summary;
};

const ALL_STATED = { status: 'completed', input, output, timing };
const ARRIVED = 'the transfer to Arbitrum was completed';
const SENT = 'the transfer of 0.5 ETH from Ethereum';
const COMPLETED_OF = (sent: string, received: string, [from, to] = ['Ethereum', 'Arbitrum']) =>
	`✅ Order “Rent”: the ${sent} from ${from} arrived on ${to} as ${received} after 12 s`;
const RAW_USDC = '1246870000 smallest units of USDC';
const NAMELESS = COMPLETED_OF(
	'500000000000000000 smallest units of token 0x0000…0000',
	'1246870000 smallest units of token 0x166c…128b',
	['network 101', 'network 102'],
);
const REFUNDED = { status: 'refunded', input, output: { chainId: 102 }, timing: { duration: 80 } };
const ENDLESS = { status: 'pending', input: { ...input, amount: '9'.repeat(2000) } };

const FAILED = { status: 'failed', input, timing: { duration: 0, completedAt: 1735689600 } };
const OTHER = { status: 'Reorged', input, output };

test.each<[string, object, string, Display?]>([
	['all is known', ALL_STATED, COMPLETED_OF('0.5 ETH', '1246.87 USDC')],
	['decimals are not', ALL_STATED, COMPLETED_OF('0.5 ETH', RAW_USDC), ONLY_NAMES],
	['there is no configuration', ALL_STATED, NAMELESS, PLAIN_DISPLAY],
	[
		'no output',
		{ ...ALL_STATED, output: null },
		`✅ Order “Rent”: ${SENT} was completed after 12 s`,
	],
	['only an output', { ...OTHER, status: 'completed', input: null }, `✅ Order “Rent”: ${ARRIVED}`],
	[
		'nothing is stated',
		{ status: 'completed' },
		'✅ Order “Rent”: order 0x9d23…9999 was completed',
	],
	['refunded', REFUNDED, `↩️ Order “Rent”: ${SENT} to Arbitrum was refunded after 80 s`],
	['failed', FAILED, `❌ Order “Rent”: ${SENT} failed after less than 1 s`],
	['pending', { status: 'pending', input }, `⏳ Order “Rent”: ${SENT} is still pending`],
	['executing', { status: 'executing' }, '⏳ Order “Rent”: order 0x9d23…9999 is still executing'],
	[
		'another status',
		OTHER,
		`⏳ Order “Rent”: ${SENT} to Arbitrum has not finished. Its status is Reorged.`,
	],
	[
		'a status in capitals',
		{ ...ALL_STATED, status: ' COMPLETED ' },
		COMPLETED_OF('0.5 ETH', '1246.87 USDC'),
	],
	['no status', {}, '⏳ Order “Rent”: the bridge states no status for order 0x9d23…9999'],
	['an endless amount', ENDLESS, '⏳ Order “Rent”: the transfer from Ethereum is still pending'],
])('%s', (_name, order, summary, display = KNOWN) => {
	expect(summaryWith(order, { reference: 'Rent' }, display)).toBe(summary);
});

const minutesAgo = (minutes?: number) =>
	minutes === undefined ? undefined : NOW / 1000 - 60 * minutes;
const since = (minutes: number) => ({ beganAt: NOW - 60_000 * minutes });
const open = (status: string, created?: number, expired?: number) => ({
	status,
	timing: { createdAt: minutesAgo(created), expiry: minutesAgo(expired) },
});
const OF_RENT = { ...since(5), reference: 'Rent' };
const LAST = { ...since(6), lastStatus: 'pending' };
const ORDER = 'rder 0x9d23…9999';
const EXPIRES = 'It expires at 12:29 UTC.';
const NOT_FOUND = `has not found o${ORDER} after 5 min. Check the hash. If you have sped up the transaction in your wallet, it has a new hash: use that. If you have canceled it in time, there is no transfer.`;
const MAYBE = 'It may be refunded.';
const REFUND = `is still pending after 6 min. ${MAYBE}`;
const SEEN = { seenAt: NOW - 180_000 };

test.each<[string, object | null, string, object?]>([
	['pending', open('pending', 5, -9), `⏳ O${ORDER} is still pending after 5 min. ${EXPIRES}`],
	['long', { ...open('pending', 6.9, -9), input }, `Ethereum ${REFUND} ${EXPIRES} (0x9d23…9999)`],
	['executing for an hour', open('executing', 60), 'is still executing after 1 h'],
	['one that has expired', open('executing', undefined, 1), 'It expired at 12:19 UTC.'],
	['tomorrow', open('executing', undefined, -1_440), 'It expires on 2026-11-26 at 12:20 UTC.'],
	['by when it was listed', { status: 'pending' }, 'is still pending after 45 s', since(0.75)],
	['a clock ahead', open('pending', -0.15), 'is still pending after less than 1 s'],
	['not found', null, `⏳ The bridge has not found o${ORDER} yet. Check the hash.`],
	['not found for long', null, `⏳ Order “Rent”: the bridge ${NOT_FOUND}`, OF_RENT],
	['found before', null, `⏳ The bridge no longer finds o${ORDER}, which was pending`, LAST],
	['not found for 4 min', null, `has not found o${ORDER} after 4 min. Check the hash.`, since(4)],
	['not found, of a list', null, 'yet. Check the hash. See line 3 of the list.', { line: 3 }],
	['seen before', open('pending', 8), `⏳ O${ORDER} was pending 3 min ago. ${MAYBE}`, SEEN],
	[
		'seen before with another status',
		open('Reorged', 8),
		`⏳ O${ORDER} had not finished 3 min ago. Its status was Reorged.`,
		SEEN,
	],
	[
		'not checked',
		null,
		`⏳ O${ORDER} could not be checked. The hash is not accepted. See line 3 of the list.`,
		{ whyNotChecked: 'The hash is not accepted', line: 3 },
	],
])('an open order says its age and expiry: %s', (_what, order, words, more = {}) => {
	const summary = summaryWith(order, more);
	expect(summary).toContain(words);
	expect(summary.startsWith('⏳ ')).toBe(true);
	// Not one that somebody executes already.
	expect(summary.includes(MAYBE)).toBe(words.includes(MAYBE));
	// The transaction may have another hash only if the bridge should have found it by now.
	expect(summary.includes('sped up')).toBe(words.includes('sped up'));
});

test('without a label the short hash stands at the end, unless it is named before', () => {
	const completed = { status: 'completed', input, output };
	const arrived = '0.5 ETH from Ethereum arrived on Arbitrum as 1246.87 USDC';
	expect(summaryWith(completed)).toBe(`✅ ${arrived} (0x9d23…9999)`);
	const failed = 'The transfer of 0.5 ETH from Ethereum to Arbitrum failed';
	expect(summaryWith({ ...completed, status: 'failed' })).toBe(`❌ ${failed} (0x9d23…9999)`);
	expect(summaryWith({ status: 'failed' })).toBe(`❌ O${ORDER} failed`);
	expect(summaryWith(null, { sourceHash: '', reference: 'Car' })).toBe(
		'⏳ Order “Car”: the bridge has not found order without a hash yet. Check the hash.',
	);
	expect(summaryWith(completed, { sourceHash: '' })).toBe(`✅ ${arrived}`);
});

test.each<[unknown, string | null]>([
	['Rent', 'Rent'],
	['  Invoice 4711 ', 'Invoice 4711'],
	[4711, '4711'],
	['Order_18', 'Order 18'],
	['Büro & Miete', 'Büro & Miete'],
	['A/B', 'A/B'],
	['<b>*Rent*</b> @here', 'b Rent b here'],
	['“Rent”: 5 ETH', 'Rent 5 ETH'],
	['R'.repeat(32), 'R'.repeat(32)],
	['R'.repeat(33), `${'R'.repeat(20)}…${'R'.repeat(11)}`],
	['Invoice-2026-11-27-Customer-Mueller-GmbH-4711', 'Invoice-2026-11-27-C…r-GmbH-4711'],
	// No space, and no mark of a letter that is left out, next to the ellipsis.
	[`${'R'.repeat(19)} ${'S'.repeat(20)}`, `${'R'.repeat(19)}…${'S'.repeat(11)}`],
	[`${'R'.repeat(30)} May 2026`, `${'R'.repeat(20)}…RR May 2026`],
	[`${'R'.repeat(23)}q\u0323\u0301${'S'.repeat(9)}`, `${'R'.repeat(20)}…${'S'.repeat(9)}`],
	['***', null],
	['', null],
	[null, null],
	[undefined, null],
	[{ chat: 7 }, null],
	[['Rent'], null],
	[true, null],
])('the reference %j is shown as the name, if it is text', (reference, name) => {
	const words = name === null ? 'Order' : `Order “${name}”: order`;
	expect(summaryWith({ status: 'failed' }, { reference })).toBe(`❌ ${words} 0x9d23…9999 failed`);
});

/**
 * Whatever a name says, and in whatever script: it stands between quotation marks that it cannot close, is short enough for
 * a phone's preview to show both, and letters from left to right stand before it and between it and an amount. So no app
 * shows the amount in another place (seen in Chromium at the width of a phone, with directions auto, left to right, and
 * right to left).
 */
test.each([
	'5 ETH from Ethereum arrived on Base as 4.99 ETH after 12 s',
	'5 ETH ꞉ arrived',
	'שכירות',
	'שכירות 5000',
	'إيجار 4711',
	'א ETH 5',
	'ETH 5 א',
	'\u202e5 ETH\u2066',
	'x”: 5 ETH arrived',
	"x'': 5 ETH",
])('the name %j cannot pass for the message, or move an amount', (reference) => {
	const summary = summaryWith(ALL_STATED, { reference });
	expect(summary).toMatch(
		/^✅ Order “[^“”"]{1,32}”: the 0\.5 ETH from Ethereum arrived on Arbitrum as /,
	);
	expect(summary.slice(0, 50)).toContain('”: the');
	const invisible = /\p{Cf}|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/u;
	expect(summary).not.toMatch(invisible);
});

test.each<[string, string | null]>([
	[HASH, null],
	[`0x${'a'.repeat(63)}`, 'It has 63 digits; hashes of most networks have 64'],
	['0x', 'It has 0 digits; hashes of most networks have 64'],
	['a'.repeat(64), 'It does not begin with 0x, unlike the hashes of most networks'],
	['a'.repeat(63), null],
	// Of Hedera.
	['a1'.repeat(48), null],
	// Of TON.
	['0x8LqI7mZ1wXyY-3_uV0aBcDeFgHiJkLmNoPqRsTuU', null],
	['k9n8LqI7mZ1wXyY-3_uV0aBcDeFgHiJkLmNoPqRs0xA', null],
	[`${'A1'.repeat(31)}zz`, null],
	[
		'5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnb',
		'It could be a Solana address; transaction hashes there have 86 to 88 characters',
	],
])('what is doubtful about %s', (hash, note) => {
	expect(hashNote(hash)).toBe(note);
	const { summary } = orderItem({ sourceHash: hash, order: null }, KNOWN, NOW).simple;
	expect(summary.endsWith(note === null ? 'Check the hash.' : `Check the hash. ${note}.`)).toBe(
		true,
	);
});

const NOWHERE = { chainId: null, network: null };
const NO_TOKEN = { token: null, tokenSymbol: null };
const LEG: SummaryLeg = { ...NOWHERE, ...NO_TOKEN, amount: null, amountReadable: null };

test.each<[string, object, string]>([
	['another amount', { amount: '499000000000000000' }, '. 0.499 ETH came back.'],
	['the same amount', { amount: '500000000000000000' }, ''],
	['no amount', { amount: null }, ''],
	['another chain', { amount: '499000000000000000', chainId: 102 }, ''],
	['no transaction', { amount: '499000000000000000', txHash: null }, ''],
])('a refund of %s', (_what, more, words) => {
	const back = { chainId: 101, token: ZERO, txHash: `0x${'7'.repeat(64)}`, ...more };
	const summary = summaryWith({ status: 'refunded', input, output: back }, { reference: 'Rent' });
	// What came back went to no other network.
	const to = back.chainId === 101 ? '' : ' to Arbitrum';
	const transfer = `↩️ Order “Rent”: the transfer of 0.5 ETH from Ethereum${to} was refunded`;
	expect(summary.startsWith(transfer)).toBe(true);
	expect(summary.endsWith(`was refunded${words}`)).toBe(true);
});

test('a response about another transaction is said to be that', () => {
	const another = { ...input, txHash: `0x12ab${'0'.repeat(56)}cd34` };
	const words = "The bridge's response is about another transaction, 0x12ab…cd34.";
	const completed = summaryWith({ ...ALL_STATED, input: another }, { reference: 'Rent' });
	expect(completed).toMatch(/^⚠️ Order “Rent”: the 0\.5 ETH from .* after 12 s\. /);
	expect(completed.endsWith(words)).toBe(true);
	expect(summaryWith({ status: 'pending', input: another })).toContain(
		`is still pending. ${words}`,
	);
	for (const txHash of [HASH, HASH.slice(2).toUpperCase(), '0xab', 'x', null])
		expect(summaryWith({ status: 'pending', input: { ...input, txHash } })).not.toContain(
			'another',
		);
});

const WALLET = `0x12ab${'0'.repeat(32)}cd34`;
const AT = { ...output, address: WALLET };
const RENT = { reference: 'Rent' };

test.each<[string, object, object, string]>([
	[
		'enough',
		{ minimumReceived: '1246.87 USDC', recipient: WALLET.toUpperCase().replace('0X', '0x') },
		AT,
		'✅ Order “Rent”: the 0.5 ETH from Ethereum arrived on Arbitrum as 1246.87 USDC',
	],
	[
		'too little',
		{ minimumReceived: '1300 USDC', recipient: null },
		AT,
		'⚠️ Order “Rent”: only 1246.87 USDC instead of at least 1300 USDC arrived on Arbitrum',
	],
	[
		'too little, of a minimum in digits',
		{ minimumReceived: '1300000000 smallest units', recipient: null },
		AT,
		'⚠️ Order “Rent”: only 1246.87 USDC instead of at least 1300000000 smallest units arrived on Arbitrum',
	],
	[
		'another wallet',
		{ minimumReceived: '1 USDC', recipient: `0x${'d'.repeat(40)}` },
		AT,
		'⚠️ Order “Rent”: the 1246.87 USDC arrived at another wallet (0x12ab…cd34) on Arbitrum',
	],
	[
		'another wallet, and no amount stated',
		{ minimumReceived: null, recipient: `0x${'d'.repeat(40)}` },
		{ ...AT, amount: null },
		'⚠️ Order “Rent”: it arrived at another wallet (0x12ab…cd34) on Arbitrum',
	],
	[
		'both',
		{ minimumReceived: '1300 USDC', recipient: `0x${'d'.repeat(40)}` },
		AT,
		'⚠️ Order “Rent”: only 1246.87 USDC instead of at least 1300 USDC arrived at another wallet (0x12ab…cd34) on Arbitrum',
	],
	[
		'another token',
		{ minimumReceived: '0.4 ETH', recipient: null },
		AT,
		'⚠️ Order “Rent”: only 1246.87 USDC instead of at least 0.4 ETH arrived on Arbitrum',
	],
	[
		'a token that may be another one',
		{ minimumReceived: '0.4 ETHX', recipient: null },
		AT,
		'✅ Order “Rent”: the 0.5 ETH from Ethereum arrived on Arbitrum as 1246.87 USDC. The amount could not be compared with the expected 0.4 ETHX.',
	],
	[
		// Bridged tokens often have the symbol of the one that the network lists.
		'a token that the network does not list',
		{ minimumReceived: '1000 USDC', recipient: null },
		{ ...AT, token: `0x${'77'.repeat(20)}` },
		'✅ Order “Rent”: the 0.5 ETH from Ethereum arrived on Arbitrum as 1246870000 smallest units of token 0x7777…7777. The amount could not be compared with the expected 1000 USDC.',
	],
	[
		'such a token instead of one by its address',
		{ minimumReceived: `1000 of token ${USDC}`, recipient: null },
		{ ...AT, token: `0x${'77'.repeat(20)}` },
		`⚠️ Order “Rent”: only 1246870000 smallest units of token 0x7777…7777 instead of at least 1000 of token ${USDC} arrived on Arbitrum`,
	],
	[
		'no address stated',
		{ minimumReceived: null, recipient: WALLET },
		output,
		'✅ Order “Rent”: the 0.5 ETH from Ethereum arrived on Arbitrum as 1246.87 USDC. The recipient could not be compared with the expected one.',
	],
])('what was expected, and what has arrived: %s', (_what, expected, arrived, summary) => {
	const order = { status: 'completed', input, output: arrived };
	expect(summaryWith(order, { ...RENT, expected })).toBe(summary);
});

test('the bridge’s page of the order stands at the end of what is late or failed', () => {
	const display = { ...KNOWN, orderPage: 'https://bridge.example/o/{orderId}?h={hash}' };
	const page = `https://bridge.example/o/a%2Fb?h=${HASH}`;
	const order = (status: string) => ({ status, orderId: 'a/b', input });
	expect(summaryWith(order('failed'), RENT, display)).toBe(
		`❌ Order “Rent”: ${SENT} failed. ${page}`,
	);
	const late = { ...RENT, needsPage: true };
	expect(summaryWith(order('pending'), late, display)).toBe(
		`⏳ Order “Rent”: ${SENT} is still pending. ${page}`,
	);
	const withId = (orderId: string | null) => ({ ...order('failed'), orderId });
	expect(summaryWith(withId('f'.repeat(256)), RENT, display)).toContain('https');
	for (const other of [order('completed'), withId(null), withId('f'.repeat(257))])
		expect(summaryWith(other, RENT, display)).not.toContain('https');
	expect(summaryWith(null, { ...late, note: 'It is over' }, display)).toMatch(
		/hash\. It is over\.$/,
	);
});

test.each<[Partial<SummaryLeg>, string | null]>([
	[{}, null],
	[{ tokenSymbol: 'ETH' }, null],
	[{ amountReadable: '0.5', tokenSymbol: 'ETH' }, '0.5 ETH'],
	[{ amountReadable: '0.5', amount: '5', tokenSymbol: 'ETH', token: USDC }, '0.5 ETH'],
	[{ amountReadable: '0.5', token: '0xab' }, '0.5 of token 0xab'],
	[{ amountReadable: '0.5', token: USDC }, '0.5 of token 0x166c…128b'],
	// A minimum needs a unit.
	[{ amountReadable: '0.5', amount: '5000' }, '5000 smallest units'],
	[{ amountReadable: '0.5', amount: '5000', token: '0x1::a::b' }, '5000 smallest units'],
	[{ amountReadable: '0.5', amount: '5000', token: '*'.repeat(20) }, '5000 smallest units'],
	[{ amountReadable: '5', tokenSymbol: '000 ETH', token: USDC }, '5 of token 0x166c…128b'],
	[{ amountReadable: '5', amount: '5000', tokenSymbol: '000ETH' }, '5000 smallest units'],
	[{ amountReadable: '5', amount: '5000', tokenSymbol: '€000' }, '5000 smallest units'],
	[{ amountReadable: '5', amount: '5000', tokenSymbol: '٥٥ETH' }, '5000 smallest units'],
	[{ amountReadable: '5', amount: '5000', tokenSymbol: 'ETH and 7 BTC' }, '5000 smallest units'],
	[{ amountReadable: '5', tokenSymbol: 'שח', token: '0xab' }, '5 of token 0xab'],
	[{ amountReadable: '5', amount: '5000', tokenSymbol: 'E\u200bT\u3164H' }, '5000 smallest units'],
	[{ amountReadable: '5', tokenSymbol: 'million', token: USDC }, '5 of token 0x166c…128b'],
	...['K', 'M', 'bn', 'Mio', 'Thousands', 'trillion', 'e18', 'E6', '万', '億USD'].map(
		(tokenSymbol): [Partial<SummaryLeg>, string] => [
			{ amountReadable: '5', amount: '5000', tokenSymbol },
			'5000 smallest units',
		],
	),
	...['MNT', 'BTC', 'KAS', 'E', 'ETH2', 'MILLIONAIRE', 'X'].map(
		(tokenSymbol): [Partial<SummaryLeg>, string] => [
			{ amountReadable: '5', tokenSymbol },
			`5 ${tokenSymbol}`,
		],
	),
	// Without the sign that no message may contain, they would be the symbols of other tokens.
	...['ETH+', 'USD+', 'BTC++', '$WIF', 'USDC!', 'ETH*', 'USDC_e', 'a@b'].map(
		(tokenSymbol): [Partial<SummaryLeg>, string] => [
			{ amountReadable: '5', tokenSymbol, token: USDC },
			'5 of token 0x166c…128b',
		],
	),
	[{ amountReadable: '5', tokenSymbol: 'USDC.e' }, '5 USDC.e'],
	[{ amountReadable: '5', tokenSymbol: ' ETH ' }, '5 ETH'],
	[{ amountReadable: '5', tokenSymbol: 'USD₮' }, '5 USD₮'],
	[{ amount: '5' }, '5 smallest units'],
	[{ amount: '1', tokenSymbol: 'ETH' }, '1 smallest unit of ETH'],
	[{ amount: '5', tokenSymbol: 'ETH', token: USDC }, '5 smallest units of ETH'],
	[{ amount: '500000', token: USDC }, '500000 smallest units of token 0x166c…128b'],
	[{ amountReadable: '9'.repeat(100), tokenSymbol: 'ETH' }, `${'9'.repeat(100)} ETH`],
	[{ amountReadable: '9'.repeat(101), tokenSymbol: 'ETH' }, null],
])('%j is %j', (leg, text) => {
	expect(amountText({ ...LEG, ...leg })).toBe(text);
});

test.each<[Partial<SummaryLeg>, string | null]>([
	[{ network: 'Base', chainId: 1 }, 'Base'],
	[{ network: 'Base (1)', chainId: 1 }, 'Base (1)'],
	[{ network: 'Base (102)', chainId: 668 }, 'Base'],
	[{ network: 'Base (102) (668)', chainId: 668 }, 'Base (668)'],
	[{ network: 'Solana (solana)', chainId: 'solana' }, 'Solana (solana)'],
	[{ network: 'Base（102）', chainId: 668 }, 'Base'],
	[{ network: 'BNB Smart Chain', chainId: 104 }, 'BNB Smart Chain'],
	[{ network: 'BNB(1)Chain', chainId: 104 }, 'BNB Chain'],
	[{ network: 'רשת', chainId: 5 }, 'network 5'],
	[{ chainId: 1 }, 'network 1'],
	[{ chainId: 0 }, 'network 0'],
	[{ network: '\u200b', chainId: 'solana' }, 'network solana'],
	[{ chainId: '\u200b' }, null],
	[{}, null],
])('the network of %j is called %j', (leg, words) => {
	expect(networkWords({ ...LEG, ...leg })).toBe(words);
	expect(routeText({ ...LEG, ...leg }, LEG)).toBe(words === null ? null : `from ${words}`);
	expect(routeText(LEG, { ...LEG, ...leg })).toBe(words === null ? null : `to ${words}`);
});

test.each<[number, string]>([
	[0, 'less than 1 s'],
	[0.4, 'less than 1 s'],
	[0.5, '1 s'],
	[59.6, '60 s'],
	[119, '119 s'],
	[120, '2 min'],
	[121, '2 min 1 s'],
	[3599, '59 min 59 s'],
	[3600, '1 h'],
	[3659, '1 h'],
	[3660, '1 h 1 min'],
	[12_000, '3 h 20 min'],
	[90_000, '25 h'],
	[172_799, '47 h 59 min'],
	[172_800, '2 d'],
	[2_592_360, '30 d'],
	[2_613_600, '30 d 6 h'],
])('%d seconds are %s', (seconds, words) => {
	expect(durationWords(seconds)).toBe(words);
});

test.each<[string, string]>([
	["'Expected Recipient' cannot be '-'", 'Expected Recipient cannot be what was entered'],
	["'Minimum Received' cannot be '≥ 5 ETH'", 'Minimum Received cannot be what was entered'],
	["'Minimum Received' cannot be '1,000 USDC'", 'Minimum Received cannot be 1,000 USDC'],
	[
		"'Delayed After (Minutes)' cannot be '-5' (item 6 of 8)",
		'Delayed After Minutes cannot be what was entered',
	],
	["'Check Every (Seconds)' cannot be '0'", 'Check Every Seconds cannot be 0'],
	[
		"Row 1 of 'Token Decimals': 'Decimals' cannot be '-6'",
		'Row 1 of Token Decimals: Decimals cannot be what was entered',
	],
	["'Order Page' cannot be 'evil.example'", 'Order Page cannot be what was entered'],
	["'Minimum Received' cannot be a list", 'Minimum Received cannot be a list'],
	...[
		['👍', 'what was entered'],
		['INV_17', 'INV 17'],
		['Invoice #4711', 'Invoice 4711'],
		['USDC (0x166c…128b)', 'USDC 0x166c…128b'],
		['$10', 'what was entered'],
		['~5', 'what was entered'],
		['INV-17', 'INV-17'],
		["Rent, O'Brien: soon", 'Rent, O’Brien: soon'],
		['Rent.  Soon', 'what was entered'],
		[`0x${'ab'.repeat(12)}…abab`, `0x${'ab'.repeat(12)}…abab`],
	].map(([entered, shown]): [string, string] => [
		`'Source Transaction Hash': '${entered}' is not a transaction hash`,
		`Source Transaction Hash: ${shown} is not a transaction hash`,
	]),
	[
		"The nodes 'Watch #1' and 'Watch #2' have the same ID, so n8n treats them as one",
		'The nodes Watch 1 and Watch 2 have the same ID, so n8n treats them as one',
	],
	[
		"Turn off 'Always Output Data' in this node's settings",
		'Turn off Always Output Data in this node’s settings',
	],
	['One.  Two. ', 'One. Two.'],
	['One. Two.', 'One. Two.'],
])(
	'of the error %j the message shows what was entered as it is, or not at all',
	(message, shown) => {
		expect(failureSummary('Rent', message)).toBe(`⚠️ Order “Rent”: ${shown}`);
		expect(failureSummary(null, message)).toBe(`⚠️ ${shown}`);
		const [why] = message.split(' (item');
		expect(interruptionSummary(why ?? '', 'no orders are checked')).toBe(
			`⚠️ ${shown.replace(/\.$/, '')}. Until this is resolved, no orders are checked.`,
		);
	},
);
