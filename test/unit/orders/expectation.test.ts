import fc from 'fast-check';

import { PLAIN_DISPLAY } from '../../../nodes/CrossChainBridge/orders/display';
import {
	compareAddresses,
	compareArrival as compareArrivalOn,
	type Expected,
	isSender,
	isWallet,
	readMinimum,
} from '../../../nodes/CrossChainBridge/orders/expectation';

/** What has arrived, compared with what was expected. */

test.each<[string, object | null]>([
	['0.4967 ETH', { amount: '0.4967', isInTokenUnits: true, symbol: 'ETH' }],
	['0.4967ETH', { amount: '0.4967', isInTokenUnits: true, symbol: 'ETH' }],
	[' 0.4967 ETH ', { amount: '0.4967', isInTokenUnits: true, symbol: 'ETH' }],
	['.5 ETH', { amount: '.5', isInTokenUnits: true, symbol: 'ETH' }],
	['5 币', { amount: '5', isInTokenUnits: true, symbol: '币' }],
	['5 ETH', { amount: '5', isInTokenUnits: true, symbol: 'ETH' }],
	['5 1INCH', { amount: '5', isInTokenUnits: true, symbol: '1INCH' }],
	['5 USDC.e', { amount: '5', isInTokenUnits: true, symbol: 'USDC.e' }],
	[
		'0.5 of token 0x166c…128b',
		{ amount: '0.5', isInTokenUnits: true, symbol: null, token: '0x166c…128b' },
	],
	// Of which unit? In the smallest one it would always be met.
	['1000', null],
	['0.4967', null],
	['496700000000000000', null],
	['0 ETH', null],
	['0.00 of token 0x16…', null],
	['0 smallest units', null],
	['0.5 smallest units', null],
	['-5 smallest units', null],
	['5 smallest units or 3 ETH', null],
	['5 smallest units', { amount: '5', isInTokenUnits: false, symbol: null }],
	['1 smallest unit of ETH', { amount: '1', isInTokenUnits: false, symbol: 'ETH' }],
	[
		'5 smallest units of token 0x16…',
		{ amount: '5', isInTokenUnits: false, symbol: null, token: '0x16…' },
	],
	['', null],
	['ETH', null],
	['0,5 ETH', null],
	['1,000 ETH', null],
	['1 000', null],
	['1 000 ETH', null],
	['1e18', null],
	['1e-18', null],
	['-5', null],
	['+5', null],
	['0x5', null],
	['5XRP', { amount: '5', isInTokenUnits: true, symbol: 'XRP' }],
	['5 KAS', { amount: '5', isInTokenUnits: true, symbol: 'KAS' }],
	...['100k', '5M', '5 million', '2 bn', '5 e18'].map((text): [string, null] => [text, null]),
	['5 ETH ETH', null],
	['5.', null],
	['1.2.3', null],
	['≥ 5 ETH', null],
	['9'.repeat(81), null],
	['null', null],
	...['undefined', 'null', 'NaN', 'wei', 'units'].map((unit): [string, null] => [
		`5 ${unit}`,
		null,
	]),
])('the minimum %j is read as %j', (text, expected) => {
	expect(readMinimum(text)).toEqual(expected && { token: null, ...expected });
});

const USDC = {
	chainId: 1,
	amount: '1246870000',
	amountReadable: '1246.87',
	token: '0x166c4084Ad2434E8F2425C64dabFE6875A0D128b',
	tokenSymbol: 'USDC',
};
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
const BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const POLKADOT = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5';
const TON = 'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2';
/** Without the configuration. */
const compareArrival = (expected: Expected, on: ReturnType<typeof arrived>) =>
	compareArrivalOn(expected, on, PLAIN_DISPLAY);
const arrived = (more: object = {}) => ({ ...USDC, address: WALLET, ...more });

test.each<[string, object, string]>([
	['1246.87 USDC', {}, 'met'],
	['1246.870 usdc', {}, 'met'],
	['1246.8700000001 USDC', {}, 'missed'],
	['1246.86 USDC', {}, 'met'],
	['1246870000 smallest units', {}, 'met'],
	['1246870001 smallest units', {}, 'missed'],
	['1246870000 smallest units of USDC', {}, 'met'],
	['1 USDT', {}, 'unknown'],
	['1 USDC', { tokenSymbol: null }, 'unknown'],
	['1 smallest unit of USDC', { tokenSymbol: null }, 'unknown'],
	['1 smallest unit', { tokenSymbol: null }, 'met'],
	[`1300 of token ${USDC.token}`, { tokenSymbol: null }, 'missed'],
	['1 of token 0x166c…128b', { tokenSymbol: null }, 'met'],
	['1300 of token 0x166C…128B', {}, 'missed'],
	[`1 smallest unit of token ${USDC.token.toLowerCase()}`, {}, 'met'],
	['1 of token 0x166c…128c', {}, 'unknown'],
	['1 of token 0x166c', {}, 'unknown'],
	['1 smallest unit of token 0x267c…128b', {}, 'unknown'],
	['1 of token 0x166c…128b', { token: null }, 'unknown'],
	['1.0 USDC', { amountReadable: null }, 'unknown'],
	['1246870000 smallest units', { amountReadable: null }, 'met'],
	['1 smallest unit', { amount: null, amountReadable: null }, 'unknown'],
	['1 smallest unit', { amount: '9'.repeat(100) }, 'met'],
	['1 smallest unit', { amount: '9'.repeat(101) }, 'unknown'],
	['1300', {}, 'unknown'],
	['0.1 USDC', { amountReadable: '0.09999999' }, 'missed'],
	['.1 USDC', { amountReadable: '0.1' }, 'met'],
	['0,5 USDC', {}, 'unknown'],
])('at least %j, of %j: %s', (minimumReceived, more, amount) => {
	const asExpected = { met: true, missed: false, unknown: null }[amount];
	expect(compareArrival({ recipient: null, minimumReceived }, arrived(more))).toEqual({
		recipient: null,
		amount,
		asExpected,
	});
});

const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

test.each<[string, string, string]>([
	['…', USDC.token, 'unknown'],
	['0x…', USDC.token, 'unknown'],
	['0x166c…8b', USDC.token, 'unknown'],
	['0x166c…9999…128b', USDC.token, 'unknown'],
	['…0x166c…128b', USDC.token, 'unknown'],
	['0x166c…128b…', USDC.token, 'unknown'],
	['NATIVE', USDC.token, 'unknown'],
	['NATIVE', `0x${'0'.repeat(40)}`, 'met'],
	[`0x${'0'.repeat(40)}`, '0x0', 'met'],
	[SOLANA, SOLANA, 'met'],
	['EPjFWd…Dt1v', SOLANA, 'met'],
	[SOLANA.toLowerCase(), SOLANA, 'unknown'],
	['epjfwd…dt1v', SOLANA, 'unknown'],
	['0x1::coin::USDC', '0x1::coin::usdc', 'unknown'],
])('1 of token %s, of %s: %s', (named, token, amount) => {
	const expected = { recipient: null, minimumReceived: `1 of token ${named}` };
	expect(compareArrival(expected, arrived({ token }))).toMatchObject({ amount });
});

test.each<[string, string | null, string]>([
	[WALLET, WALLET, 'met'],
	[WALLET.toLowerCase(), WALLET, 'met'],
	[` ${WALLET.slice(2)}\n`, WALLET, 'met'],
	[`0x${'0'.repeat(24)}${WALLET.slice(2)}`, WALLET, 'met'],
	['0x1', '0x0001', 'met'],
	[WALLET, ` ${WALLET}\n`, 'met'],
	[WALLET, `base:${WALLET}`, 'unknown'],
	[`0x${'d'.repeat(40)}`, WALLET, 'missed'],
	['TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'met'],
	['TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'tqn9y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'missed'],
	[BITCOIN.toUpperCase(), BITCOIN, 'met'],
	[BITCOIN, BITCOIN.replace('q', 'p'), 'missed'],
	[BITCOIN, null, 'unknown'],
	[BITCOIN, ' ', 'unknown'],
	[`U${TON.slice(1)}`, TON, 'met'],
	[`UQ${TON.slice(2, -3)}abc`, TON, 'met'],
	[`UQ${TON.slice(3)}a`, TON, 'missed'],
	[TON.replace('hJEM', 'hJEX'), TON, 'missed'],
	[TON.replaceAll('-', '+').replaceAll('_', '/'), TON, 'met'],
	[`0:${'a1'.repeat(32)}`, TON, 'unknown'],
	[`0:${'A1'.repeat(32)}`, `0:${'a1'.repeat(32)}`, 'met'],
	[`0:${'A1'.repeat(32)}`, `-1:${'a1'.repeat(32)}`, 'missed'],
	['A1'.repeat(32), 'a1'.repeat(32), 'met'],
	['A1'.repeat(32), `0x${'a1'.repeat(32)}`, 'met'],
	[`41A6${'1'.repeat(38)}`, `41a6${'1'.repeat(38)}`, 'met'],
	[`41A6${'1'.repeat(38)}`, `41a6${'2'.repeat(38)}`, 'missed'],
	// Tron writes one address in two ways.
	['TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', `41a6${'1'.repeat(38)}`, 'unknown'],
	// One account has an address for each network of Polkadot.
	[POLKADOT, '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', 'unknown'],
	[POLKADOT, POLKADOT.replace('X', 'Y'), 'missed'],
	[POLKADOT, BITCOIN, 'missed'],
	// An account under another one.
	[`${'5c'.repeat(32)}.near`, '5c'.repeat(32), 'unknown'],
	['ann.eth', WALLET, 'unknown'],
	['ann.eth', 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'unknown'],
	[WALLET, 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'unknown'],
	[WALLET, null, 'unknown'],
	[WALLET, '', 'unknown'],
])('the recipient %j, stated as %j: %s', (recipient, address, verdict) => {
	const compared = compareArrival({ recipient, minimumReceived: null }, arrived({ address }));
	expect(compared).toMatchObject({ recipient: verdict, amount: null });
});

test.each([
	['0x1::aptos_coin::AptosCoin', `0x${'0'.repeat(63)}1::aptos_coin::AptosCoin`, 'met'],
	['0xAb::coin::USDC', '0xab::coin::USDC', 'met'],
	['0x012::coin::USDC', '0x12::coin::USDC', 'met'],
	['0xab::coin::USDC', '0xab::coin::USDT', 'missed'],
])('a module %s, stated as %s: %s', (expected, stated, verdict) => {
	expect(compareAddresses(expected, stated)).toBe(verdict);
});

test.each<[string, boolean]>([
	[WALLET, true],
	[BITCOIN, true],
	[TON, true],
	[TON.replace('-', '/'), true],
	['ann.eth', true],
	// The order does not state for which network the wallet is.
	['eip155:1:0x52908400098527886E0F7030069857D2E4169EE7', false],
	['eip155:8453:0x52908400098527886E0F7030069857D2E4169EE7', false],
	['base:0x52908400098527886E0F7030069857D2E4169EE7', false],
	[`${WALLET}.`, false],
	[`${WALLET.slice(2)}0`, false],
	['0x5290…9EE7', false],
	['0x5290...9EE7', false],
	[`https://etherscan.io/address/${WALLET}`, false],
	[`etherscan.io/address/${WALLET}`, false],
	[`Ann ${WALLET}`, false],
	['0x5290', false],
	['null', false],
	['undefined', false],
	['NaN', false],
	['N/A', false],
	['none', false],
	['-', false],
	['---', false],
	['', false],
	['#N/A', false],
	['#REF!', false],
	['[object Object]', false],
	['true', false],
	['4.7e+47', false],
	['4.7e47', false],
	['0.0.1234567.8', false],
	['471285', false],
	[WALLET.slice(0, -1), false],
	[WALLET.replace('4', 'O'), false],
	[`0x${'0'.repeat(40)}`, false],
	['1'.repeat(32), false],
	['0xann.eth', true],
	...[
		`"${WALLET}"`,
		`'${WALLET}'`,
		`<${WALLET}>`,
		`‹${WALLET}>`,
		`(${WALLET})`,
		'{{recipient}}',
	].map((text): [string, boolean] => [text, false]),
	...['TBD', 'tba', 'pending', 'empty', 'unknown'].map((text): [string, boolean] => [text, false]),
	[`'${WALLET}`, false],
	[`0x${'5c'.repeat(28)}xyz`, false],
	// A digit too many.
	[`${WALLET}0`, false],
	[`0x${'5c'.repeat(27)}`, false],
	// It may be an account of another chain.
	[`0x${'5c'.repeat(32)}`, true],
])('%j can be a wallet: %j', (text, expected) => {
	expect(isWallet(text)).toBe(expected);
});

test.each([
	'0.0.1234567',
	'0.0.1234567-abcde',
	'0x0ae53cb6e3f42a79', // Flow
	'UQDtFpEwcFAEcRe5mLVh2N6C0x//hJEM7W61/JLnSF74p4q2',
	`0:${'5c'.repeat(32)}`,
	'cosmos1vl9h6qfzkz4vlq4ywnxqkffzd3n9aq6l8g9gpe',
	'secret1ap26qrlp8mcq2pg6r47w43l0y8zkqm8a450s03',
	'1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
	'3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
	'BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ',
	'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
	'DYw8jCTfwHNRJhhmFcbXvVDTqWMEVFBX6ZKUmG5CNSKK',
	`0x${'5c'.repeat(31)}`, // Sui, Aptos and Starknet, without the zeros at the beginning
	`0x${'5'.repeat(63)}`,
	'alice.near',
	'5c'.repeat(32),
	'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
	'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh',
	'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
	POLKADOT,
	'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
	'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb',
	'f1abjxfbp274xpdqcpuaykwkfb43omjotacm2p3za',
	'erd1qyu5wthldzr8wx5c9ucg8kjagg0jfs53s8nr3zpz3hypefsdd8ssycr6th',
	'vitalik.eth',
	'0x123.eth',
	'12345.eth',
	'pay.ann.x',
	'ann*stellar.org',
])('%j is a wallet of some network, or a name of one', (text) => {
	expect(isWallet(text)).toBe(true);
});

test.each([`0x${'0'.repeat(40)}`, `0x${'0'.repeat(64)}`, '1'.repeat(32)])(
	'an address of zeros, %j, may be the sender, because quotes for the price only have it, but receives nothing',
	(zeros) => {
		expect([isSender(zeros), isWallet(zeros)]).toEqual([true, false]);
	},
);

test.each(['0', '0x0', '', 'null', '1.234.567', '0.5', '1'.repeat(31)])(
	'%j is nobody’s wallet',
	(text) => {
		expect([isSender(text), isWallet(text)]).toEqual([false, false]);
	},
);

test('what was missed goes before what cannot be compared, and nothing is expected of nothing', () => {
	const both = { recipient: 'ann.eth', minimumReceived: '1300 USDC' };
	expect(compareArrival(both, arrived()).asExpected).toBe(false);
	expect(compareArrival({ ...both, minimumReceived: '1 USDC' }, arrived()).asExpected).toBeNull();
	expect(compareArrival({ recipient: null, minimumReceived: null }, arrived()).asExpected).toBe(
		true,
	);
});

test('amounts are compared exactly, whatever their length', () => {
	fc.assert(
		fc.property(fc.bigInt(0n, 10n ** 60n), fc.bigInt(1n, 10n ** 60n), (amount, least) => {
			const minimumReceived = `${least} smallest units`;
			const { asExpected } = compareArrival(
				{ recipient: null, minimumReceived },
				arrived({ amount: String(amount) }),
			);
			expect(asExpected).toBe(amount >= least);
		}),
	);
});
