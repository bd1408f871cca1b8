import fc from 'fast-check';

import { displayOptions } from '../../../nodes/CrossChainBridge/fields/displayFields';

const USDC = '0xA0b86991c6218b36c1d19d4a2e9eb0ce3606eB48';
const tokens = (...token: unknown[]) => ({ tokenDecimals: { token } });
const explorers = (...explorer: unknown[]) => ({ blockExplorers: { explorer } });

class Rejected extends Error {
	constructor(
		override readonly message: string,
		readonly description: string,
	) {
		super(message);
	}
}

const read = (options: unknown) =>
	displayOptions(options, (message, description) => new Rejected(message, description));

/** What is wrong with the options. */
function problemOf(options: unknown): { message: string; description: string } | null {
	try {
		read(options);
		return null;
	} catch (error) {
		if (!(error instanceof Rejected)) throw error;
		return { message: error.message, description: error.description };
	}
}

test('rows become decimals by address, whatever its case, and explorers by network ID', () => {
	const options = {
		...tokens(
			{ address: ` ${USDC}\n`, decimals: '6' },
			{ address: '4BCkqJvPiVKgaL2jnhyGVrEHXUygHQuLvMKbyW24brGE', decimals: 9 },
			{ address: '0x1::coin::USDC', decimals: 0 },
		),
		...explorers(
			{ network: 101, address: ' https://etherscan.io/tx/ ' },
			{
				network: { __rl: true, mode: 'list', value: '201', cachedResultName: 'Solana (201)' },
				address: 'https://solscan.io/tx/{hash}',
			},
		),
	};
	expect(read(options)).toEqual({
		tokenDecimals: new Map([
			[USDC.toLowerCase(), 6],
			['4BCkqJvPiVKgaL2jnhyGVrEHXUygHQuLvMKbyW24brGE', 9],
			['0x1::coin::USDC', 0],
		]),
		explorers: new Map([
			['101', 'https://etherscan.io/tx/'],
			['201', 'https://solscan.io/tx/{hash}'],
		]),
	});
});

const token = (address: unknown, decimals: unknown = 6) => ({ address, decimals });
const PAGE = 'https://etherscan.io/tx/';
const EMPTY = { __rl: true, mode: 'list', value: '' };

type Problem = readonly [what: string, description: string];
const NO_TOKEN: Problem = [
	"'Token Decimals' has no token address",
	'Enter the address of the token contract as orders show it, for example in inputToken. A symbol is not an address.',
];
const NO_DECIMALS: Problem = [
	"'Token Decimals' has no valid number of decimals",
	'Enter a whole number from 0 to 255, for example 6.',
];
const TWO_WORDS: Problem = [
	"'Token Decimals' contradicts a row above it",
	'Keep the row that is right and remove the other.',
];
const NO_NETWORK: Problem = [
	"'Block Explorers' has no network",
	'Choose the network from the list, or enter its ID as Get Config shows it in chainID.',
];
const NO_PAGE: Problem = [
	"'Block Explorers' has no address of a transaction page",
	'Enter the address up to the hash, for example https://etherscan.io/tx/, or with {hash} in the place of the hash.',
];

test.each<[object, number, Problem]>([
	[tokens(token('USDC')), 1, NO_TOKEN],
	[tokens(token('0xnothex')), 1, NO_TOKEN],
	[tokens({}), 1, NO_TOKEN],
	[tokens(token(USDC), token('0x1', '')), 2, NO_DECIMALS],
	[tokens(token(USDC, 256)), 1, NO_DECIMALS],
	[tokens(token(USDC, 6.5)), 1, NO_DECIMALS],
	[tokens(token(USDC, '-6')), 1, NO_DECIMALS],
	[tokens({ address: USDC }), 1, NO_DECIMALS],
	[tokens(token(USDC), token(USDC.toLowerCase(), 18)), 2, TWO_WORDS],
	[explorers({ network: '', address: PAGE }), 1, NO_NETWORK],
	[explorers({ network: EMPTY, address: PAGE }), 1, NO_NETWORK],
	[explorers({ network: '1 2', address: PAGE }), 1, NO_NETWORK],
	[explorers({}), 1, NO_NETWORK],
	[explorers({ network: 1, address: 'https://etherscan.io' }), 1, NO_PAGE],
	[explorers({ network: 1, address: 'javascript:alert(1)' }), 1, NO_PAGE],
	[explorers({ network: 1 }), 1, NO_PAGE],
])('%j: row %d is named, with what to enter', (options, row, [what, description]) => {
	expect(problemOf(options)).toEqual({ message: `Row ${row} of ${what}`, description });
});

test('the first row that is wrong is named, those of Token Decimals before those of Block Explorers', () => {
	const wrong = tokens(token(USDC), token('A'), token(USDC, 'x'));
	expect(problemOf(wrong)?.message).toBe("Row 2 of 'Token Decimals' has no token address");
	expect(problemOf({ ...explorers({}), ...wrong })?.message).toContain('Token Decimals');
});

test.each<[string, boolean]>([
	['0x', false],
	['0xg', false],
	['0xA', true],
	['0x1::', false],
	['0x1::coin::USDC', true],
	['0x1::a b', false],
	[' 0x1 ', true],
	['a0x1', false],
	['x'.repeat(19), false],
	['x'.repeat(20), true],
	[`${'x'.repeat(20)} y`, false],
	[`y ${'x'.repeat(20)}`, false],
	[`0X${'g'.repeat(30)}`, false],
])('%j is the address of a token: %s', (address, isOne) => {
	expect(problemOf(tokens({ address, decimals: 6 })) === null).toBe(isOne);
});

test('rows that are no list are none', () => {
	const nothing = { tokenDecimals: new Map(), explorers: new Map() };
	for (const rows of [{}, 'rows', null, { length: 1, 0: {} }]) {
		const options = { tokenDecimals: { token: rows }, blockExplorers: { explorer: rows } };
		expect(read(options)).toEqual(nothing);
	}
});

test('saying the same twice contradicts nothing', () => {
	const same = tokens(token(USDC), token(USDC.toLowerCase(), '6'));
	expect(read(same).tokenDecimals).toEqual(new Map([[USDC.toLowerCase(), 6]]));
});

test('options of any shape are read', () => {
	const any = fc.jsonValue();
	const partly = (fields: Record<string, fc.Arbitrary<unknown>>) =>
		fc.oneof(any, fc.record(fields, { requiredKeys: [] }));
	const rows = fc.oneof(any, fc.array(partly({ address: any, decimals: any, network: any })));
	const groups = {
		tokenDecimals: partly({ token: rows }),
		blockExplorers: partly({ explorer: rows }),
	};
	const options = partly(groups);
	fc.assert(
		fc.property(options, (value) => {
			const problem = problemOf(value);
			if (problem !== null) {
				expect(problem.message).toMatch(/^Row \d+ of '(Token Decimals|Block Explorers)' /);
				return;
			}
			const { tokenDecimals, explorers: byNetwork } = read(value);
			for (const decimals of tokenDecimals.values())
				expect(Number.isInteger(decimals) && decimals >= 0 && decimals <= 255).toBe(true);
			for (const address of byNetwork.values()) expect(address).toMatch(/^https?:\/\//i);
		}),
	);
	expect(problemOf({})).toBeNull();
	expect(problemOf(null)).toBeNull();
});
