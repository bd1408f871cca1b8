import { NodeOperationError } from 'n8n-workflow';

import { nodeWith } from '../node';
import type { OperationInput } from '../../../nodes/CrossChainBridge/fields/parameters';
import {
	enteredAmount,
	inSmallestUnit,
} from '../../../nodes/CrossChainBridge/operations/quoteAmount';

/** The Amount as the user enters it, and the sentences for what is none. */

const NODE = nodeWith();
const inputOf = (parameters: Record<string, unknown>): OperationInput =>
	({
		itemIndex: 3,
		context: {
			getNode: () => NODE,
			getNodeParameter: (name: string, _item: number, otherwise: unknown) =>
				name in parameters ? parameters[name] : otherwise,
		},
	}) as unknown as OperationInput;

function errorOf(step: () => unknown): {
	message: string;
	description: string | null | undefined;
	item: unknown;
} {
	try {
		step();
	} catch (error) {
		if (error instanceof NodeOperationError)
			return {
				message: error.message,
				description: error.description,
				item: error.context.itemIndex,
			};
		throw error;
	}
	throw new Error('It was accepted');
}

test.each<[unknown, string]>([
	['0.5', '0.5'],
	[' .5 ', '.5'],
	['10', '10'],
	['100.00', '100.00'],
	['5.', '5.'],
	['007', '007'],
	[1.25, '1.25'],
])('%j in token units, which are the default', (amount, text) => {
	const entered = { isInTokenUnits: true, text };
	expect(enteredAmount(inputOf({ amount }))).toEqual(entered);
	expect(enteredAmount(inputOf({ amount, amountUnit: 'tokenUnits' }))).toEqual(entered);
});

test.each([
	['500000', '500000'],
	['007', '7'],
	[1500, '1500'],
])('%j in the smallest unit', (given, amount) => {
	const expected = { isInTokenUnits: false, text: amount };
	expect(enteredAmount(inputOf({ amount: given, amountUnit: 'smallestUnit' }))).toEqual(expected);
});

const PREVIOUS = 'A number from a previous node must come as text, so that no digit is lost.';
const IN_SMALLEST = 'for example 500000000000000000';

type Remedy = (example: string) => string;
const FILL_IN =
	"Fill in 'Amount'. If it comes from an expression, check that the previous node gives it for this item.";
const AS_TEXT =
	'Pass the amount as text, for example with quotes around it, so that it stays exact.';
const WITH_DOT = 'Use a dot before the decimals, and no separators between thousands: 1246.87.';
const ONLY_DIGITS = 'Enter digits only, with a dot before the decimals, for example 0.5.';
const digits =
	(inTokenUnits: string): Remedy =>
	(example) =>
		example === IN_SMALLEST ? `Enter digits only, ${example}.` : inTokenUnits;

test.each<[unknown, string, Remedy]>([
	['', 'is empty', () => FILL_IN],
	['1,5', 'has a comma', digits(WITH_DOT)],
	['1e18', 'is in scientific notation', (one) => `Write all digits out, ${one}. ${PREVIOUS}`],
	['ten', 'is not a number', digits(ONLY_DIGITS)],
	[Number.NaN, 'is not a number', digits(ONLY_DIGITS)],
	[Number.POSITIVE_INFINITY, 'is not a number', digits(ONLY_DIGITS)],
	['0', 'is zero', (one) => `Enter how much to bridge, ${one}.`],
	[1e21, 'is a number that may have lost digits', () => AS_TEXT],
])('%j is no amount: it %s, and what to enter depends on the unit', (amount, what, remedy) => {
	for (const [unit, example] of [
		[{}, 'for example 0.5'],
		[{ amountUnit: 'smallestUnit' }, IN_SMALLEST],
	] as const)
		expect(errorOf(() => enteredAmount(inputOf({ amount, ...unit })))).toEqual({
			message: `'Amount' ${what} [item 3]`,
			description: remedy(example),
			item: 3,
		});
});

test.each<[string, string]>([
	['  ', 'is empty'],
	['1,000.5', 'has a comma'],
	[',', 'has a comma'],
	['1.5E-7', 'is in scientific notation'],
	['1e+18', 'is in scientific notation'],
	['+1', 'is not a number'],
	['-1', 'is not a number'],
	['\u22121', 'is not a number'],
	['x1e5', 'is not a number'],
	['1e5x', 'is not a number'],
	['x1,5', 'is not a number'],
	['1,5x', 'is not a number'],
	['1-', 'is not a number'],
	['.', 'is not a number'],
	['1.2.3', 'is not a number'],
	['1 000', 'is not a number'],
	['0x10', 'is not a number'],
	['1_000', 'is not a number'],
	['\u0661', 'is not a number'],
])('%j is no amount: it %s', (amount, what) => {
	for (const amountUnit of ['tokenUnits', 'smallestUnit'])
		expect(errorOf(() => enteredAmount(inputOf({ amount, amountUnit }))).message).toBe(
			`'Amount' ${what} [item 3]`,
		);
});

test.each(['0.00', '.0', '00'])('%j is zero', (amount) => {
	expect(errorOf(() => enteredAmount(inputOf({ amount }))).message).toBe(
		"'Amount' is zero [item 3]",
	);
});

test.each(['1.000', '0.5', '5.'])('%j has a dot, which the smallest unit never has', (amount) => {
	expect(
		errorOf(() => enteredAmount(inputOf({ amount, amountUnit: 'smallestUnit' }))),
	).toMatchObject({
		message: "'Amount' has a dot, but the smallest unit has no decimals [item 3]",
		description: "Enter digits only, or choose Token Units as 'Amount Unit'.",
	});
});

test.each([
	[1, 'this token has 1'],
	[0, 'this token has 0'],
])('more decimals than the %i of the token are not rounded', (decimals, words) => {
	expect(errorOf(() => inSmallestUnit(inputOf({}), '0.25', decimals))).toMatchObject({
		message: "'Amount' has more decimals than the token [item 3]",
		description: `Remove the extra decimals (${words}). Nothing is rounded, so that the amount is exactly what you enter.`,
	});
});
