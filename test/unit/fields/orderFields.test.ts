import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import { orderInput } from '../../../nodes/CrossChainBridge/fields/orderFields';
import { amountText } from '../../../nodes/CrossChainBridge/orders/summary';
import { fieldsWith, problemOf } from './reading';

const HASH = `0x${'5c'.repeat(32)}`;
const WALLET = '0x8617e340b3d01fa5f11f306f4090fd50e238070d';

function read(options: Record<string, unknown>, values: Record<string, unknown> = {}) {
	const fields = fieldsWith({ sourceHash: HASH, ...values });
	const item = { context: {} as IExecuteFunctions, itemIndex: 0, fields };
	return orderInput(item, fieldsWith(options, true));
}

test('an order has no name, no expectation and no page if these were left out', () => {
	const input = read({});
	expect(input).toMatchObject({ sourceHash: HASH, display: { orderPage: null } });
	expect(input.reference ?? null).toBeNull();
	expect(input.expected).toEqual({ recipient: null, minimumReceived: null });
});

test('a list of one text, as a lookup field gives it, is that text; one of more is refused', () => {
	expect(read({}, { sourceHash: [`Rent: ${HASH}`] })).toMatchObject({
		sourceHash: HASH,
		reference: 'Rent',
	});
	const refused = (sourceHash: unknown) => problemOf(() => read({}, { sourceHash }))?.message;
	expect(refused([' '])).toBe("'Source Transaction Hash' is empty");
	expect(refused([null])).toBe("'Source Transaction Hash' is empty");
	expect(refused([HASH, HASH])).toBe(
		"'Source Transaction Hash': 'a list of 2 entries' is not a transaction hash",
	);
});

test.each([
	['Rent', 'Rent'],
	['  Rent, Müller\n', 'Rent, Müller'],
	// These signs belong to the word.
	['می‌خواهم', 'می‌خواهم'],
	[2026, '2026'],
	['', null],
	[' \u200b ', null],
	[null, null],
	[undefined, null],
])('the name %j is %j', (reference, name) => {
	expect(read({}, { reference }).reference ?? null).toBe(name);
});

test.each([[{ a: 1 }], [['Rent']], [true]])('the name %j is refused', (reference) => {
	expect(problemOf(() => read({}, { reference }))?.message).toMatch(/^'Name' cannot be /);
});

test.each([
	['0.4967 ETH', '0.4967 ETH'],
	['  0.4967  ETH ', '0.4967 ETH'],
	['0,4967 ETH', '0.4967 ETH'],
	['0.4967ETH', '0.4967 ETH'],
	['1 246.87 USDC', '1246.87 USDC'],
	["1'246.87 USDC", '1246.87 USDC'],
	['1.246,87 USD₮0', '1246.87 USD₮0'],
	['5 1INCH', '5 1INCH'],
	['496700 smallest units', '496700 smallest units'],
	["496'700 smallest units of USDC", '496700 smallest units of USDC'],
	['0.4967 of token 0xA0b8', '0.4967 of token 0xA0b8'],
	['5XRP', '5 XRP'],
	['0.4967 ETH.', '0.4967 ETH'],
	['5 USDC.e;', '5 USDC.e'],
	['1 smallest unit', '1 smallest unit'],
	['0.4967 ETH,', '0.4967 ETH'],
])('the minimum %j is %j', (minimumReceived, expected) => {
	expect(read({ minimumReceived }).expected.minimumReceived).toBe(expected);
});

test('whatever Get Quote says of the least that arrives is read as a minimum', () => {
	const letters = fc.constantFrom(...'aEk1.+:/ -_币₮'.split(''), '0x', '::', 'of', 'token');
	const words = fc.constantFrom('WEI', 'Gwei', 'units', 'NULL', 'NaN', 'undefined', '5M');
	const name = fc.option(
		fc.oneof(fc.string({ unit: letters, minLength: 1, maxLength: 50 }), words),
	);
	const digits = fc.bigInt(1n, 10n ** 30n).map(String);
	fc.assert(
		fc.property(name, name, digits, fc.boolean(), (tokenSymbol, token, amount, isReadable) => {
			const amountReadable = isReadable ? amount : null;
			const leg = { tokenSymbol, token, amount, amountReadable, network: null, chainId: null };
			const text = amountText(leg);
			expect(text).toMatch(/^\d+ \S/);
			expect(read({ minimumReceived: text }).expected.minimumReceived).toBe(text);
		}),
	);
});

test.each([
	// Of which unit?
	'0.4967',
	0.4967,
	'1000',
	1000,
	496753750000000033,
	// It would always be met.
	'0 ETH',
	'0 smallest units',
	'1,125 USDC',
	'about 5 ETH',
	'-5 ETH',
	'ETH',
	'ETH 5',
	'5e17',
	'5e-7',
	'5e+17',
	'0x5',
	'5 ETH or more',
	'100k',
	'5 million',
	true,
	['5'],
])('the minimum %j is refused by name, with an example', (minimumReceived) => {
	const problem = problemOf(() => read({ minimumReceived }));
	expect(problem?.message).toMatch(/^'Minimum Received' cannot be /);
	expect(problem?.description).toMatch(/\.$/);
});

test('a minimum that can stand for two amounts is refused with both', () => {
	const problem = problemOf(() => read({ minimumReceived: '1,000 USDC' }));
	expect(problem?.description).toBe(
		'It could mean 1.000 or 1000. Enter it with a dot before the decimals and nothing between the thousands.',
	);
});

test('the expected recipient is a text without invisible signs', () => {
	const given = ` \u200b${WALLET}\n`;
	expect(read({ expectedRecipient: given }).expected.recipient).toBe(WALLET);
});

test.each(['', ' \u200b', null, undefined])(
	'an expectation of %j is none, as in a call of the webhook: the money is on its way',
	(nothing) => {
		const none = { recipient: null, minimumReceived: null };
		const options = { expectedRecipient: nothing, minimumReceived: nothing };
		expect(read(options).expected).toEqual(none);
		expect(read({ ...options, minimumReceived: '5 ETH' }).expected).toEqual({
			...none,
			minimumReceived: '5 ETH',
		});
	},
);

test.each([
	`https://etherscan.io/address/${WALLET}`,
	`${WALLET.slice(0, 6)}…${WALLET.slice(-4)}`,
	`${WALLET.slice(0, 6)}...${WALLET.slice(-4)}`,
	`Ann ${WALLET}`,
	'#N/A',
	`0x${'0'.repeat(40)}`,
])('the expected recipient %j is no address, and refused by name', (expectedRecipient) => {
	const problem = problemOf(() => read({ expectedRecipient }));
	expect(problem?.message).toMatch(/^'Expected Recipient' cannot be '/);
	expect(problem?.description).toContain('the complete address of the wallet');
});
