import fc from 'fast-check';

import { displayOptions } from '../../../nodes/CrossChainBridge/fields/displayFields';
import { fieldsWith, problemOf } from './reading';

const USDC = '0xA0b86991c6218b36c1d19d4a2e9eb0ce3606eB48';
const tokens = (...token: unknown[]) => ({ tokenDecimals: { token } });
const explorers = (...explorer: unknown[]) => ({ blockExplorers: { explorer } });

const read = (options: Record<string, unknown>) => displayOptions(fieldsWith(options, true));
const problem = (options: Record<string, unknown>) => problemOf(() => read(options));

test('rows become decimals by address, whatever its case, and explorers by network', () => {
	const options = {
		...tokens(
			{ address: ` ${USDC}\n`, decimals: '6' },
			{ address: '4BCkqJvPiVKgaL2jnhyGVrEHXUygHQuLvMKbyW24brGE', decimals: 9 },
			{ address: '0x1::coin\u200b::USDC', decimals: 0 },
		),
		...explorers(
			{ network: 101, address: ' https://etherscan.io/tx/ ' },
			{
				network: { __rl: true, mode: 'list', value: '201', cachedResultName: 'Solana (201)' },
				address: 'https://solscan.io/tx/{hash}',
			},
			{ network: { mode: 'id', value: 'BNB Smart Chain' }, address: 'https://bscscan.com/tx/' },
		),
		orderPage: ' https://bridge.example.com/orders/{orderId} ',
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
			['BNB Smart Chain', 'https://bscscan.com/tx/'],
		]),
		orderPage: 'https://bridge.example.com/orders/{orderId}',
	});
	expect(read({})).toEqual({ tokenDecimals: new Map(), explorers: new Map(), orderPage: null });
});

const token = (address: unknown, decimals: unknown = 6) => ({ address, decimals });
const PAGE = 'https://etherscan.io/tx/';
const EMPTY = { __rl: true, mode: 'list', value: '' };

test.each<[Record<string, unknown>, string, RegExp]>([
	[
		tokens(token('USDC')),
		"Row 1 of 'Token Decimals': 'Token Address' cannot be 'USDC'",
		/A symbol is/,
	],
	[tokens(token('0xnothex')), "Row 1 of 'Token Decimals': 'Token Address' cannot be", /as orders/],
	[tokens({}), "Row 1 of 'Token Decimals': 'Token Address' is empty", /^Fill in/],
	[tokens(token(USDC), token('0x1', '')), "Row 2 of 'Token Decimals': 'Decimals' is empty", /Fill/],
	[tokens(token(USDC, 256)), "Row 1 of 'Token Decimals': 'Decimals' cannot be '256'", /0 to 255/],
	[tokens(token(USDC, 6.5)), "Row 1 of 'Token Decimals': 'Decimals' cannot be '6.5'", /0 to 255/],
	[tokens(token(USDC, '-6')), "Row 1 of 'Token Decimals': 'Decimals' cannot be '-6'", /0 to 255/],
	[tokens({ address: USDC }), "Row 1 of 'Token Decimals': 'Decimals' is empty", /^Fill in/],
	[
		tokens(token(USDC), token(USDC.toLowerCase(), 18)),
		"Row 2 of 'Token Decimals': it contradicts a row above it",
		/^Keep the row that is right/,
	],
	[tokens(), "'Token Decimals' has no rows", /^Add a row/],
	[
		explorers({ network: '', address: PAGE }),
		"Row 1 of 'Block Explorers': 'Network' is empty",
		/Fill/,
	],
	[
		explorers({ network: EMPTY, address: PAGE }),
		"Row 1 of 'Block Explorers': 'Network' is",
		/Fill/,
	],
	[
		explorers({ network: 1, address: 'https://etherscan.io' }),
		"Row 1 of 'Block Explorers': 'Address' cannot be 'https://etherscan.io'",
		/up to the hash/,
	],
	[
		explorers({ network: 1, address: 'javascript:alert(1)' }),
		"Row 1 of 'Block Explorers': 'Address' cannot be 'javascript:alert(1)'",
		/up to the hash/,
	],
	[
		explorers({ network: 1, address: `${PAGE}0x${'a1'.repeat(32)}` }),
		`Row 1 of 'Block Explorers': 'Address' cannot be '${PAGE.slice(0, 24)}…a1a1a1a1a1a1'`,
		/up to the hash/,
	],
	[explorers({ network: 1 }), "Row 1 of 'Block Explorers': 'Address' is empty", /^Fill in/],
	[{ orderPage: '' }, "'Order Page' is empty", /^Fill in/],
	[{ orderPage: 'https://a.example/orders/' }, "'Order Page' cannot be", /\{orderId\} or \{hash\}/],
	[{ orderPage: 'orders/{orderId}' }, "'Order Page' cannot be", /\{orderId\} or \{hash\}/],
	[{ orderPage: 'https://{orderId}.example/' }, "'Order Page' cannot be", /\{orderId\} or/],
	[{ orderPage: 'https://a.example/{order}/{hash}' }, "'Order Page' cannot be", /\{orderId\} or/],
])('%j: %s', (options, message, remedy) => {
	expect(problem(options)?.message).toContain(message);
	expect(problem(options)?.description).toMatch(remedy);
});

test('the first row that is wrong is named, those of Token Decimals before those of Block Explorers', () => {
	const wrong = tokens(token(USDC), token('A'), token(USDC, 'x'));
	expect(problem(wrong)?.message).toContain("Row 2 of 'Token Decimals'");
	expect(problem({ ...explorers({}), ...wrong })?.message).toContain('Token Decimals');
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
	expect(problem(tokens({ address, decimals: 6 })) === null).toBe(isOne);
});

test('saying the same twice contradicts nothing', () => {
	const same = tokens(token(USDC), token(USDC.toLowerCase(), '6'));
	expect(read(same).tokenDecimals).toEqual(new Map([[USDC.toLowerCase(), 6]]));
});

test('options of any shape are read or refused by name', () => {
	const any = fc.jsonValue();
	const partly = (fields: Record<string, fc.Arbitrary<unknown>>) =>
		fc.oneof(any, fc.record(fields, { requiredKeys: [] }));
	const rows = fc.oneof(any, fc.array(partly({ address: any, decimals: any, network: any })));
	const groups = {
		tokenDecimals: partly({ token: rows }),
		blockExplorers: partly({ explorer: rows }),
		orderPage: any,
	};
	fc.assert(
		fc.property(fc.record(groups, { requiredKeys: [] }), (value) => {
			const wrong = problem(value);
			if (wrong !== null) {
				expect(wrong.message).toMatch(/'(Token Decimals|Block Explorers|Order Page)'/);
				return;
			}
			const { tokenDecimals, explorers: byNetwork } = read(value);
			for (const decimals of tokenDecimals.values())
				expect(Number.isInteger(decimals) && decimals >= 0 && decimals <= 255).toBe(true);
			for (const address of byNetwork.values()) expect(address).toMatch(/^https?:\/\//i);
		}),
	);
});
