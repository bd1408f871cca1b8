import { NodeOperationError } from 'n8n-workflow';

import type { OperationInput } from '../../../nodes/CrossChainBridge/fields/parameters';
import {
	enteredAmount,
	inSmallestUnit,
} from '../../../nodes/CrossChainBridge/operations/quoteAmount';

/** The Amount as the user enters it, and the sentences for what is none. */

const NODE = {
	id: '1',
	name: 'Bridge',
	type: 'bridge',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
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

test.each<[unknown, object]>([
	['0.5', { unit: 'tokenUnits', text: '0.5' }],
	[' .5 ', { unit: 'tokenUnits', text: '.5' }],
	['10', { unit: 'tokenUnits', text: '10' }],
	['100.00', { unit: 'tokenUnits', text: '100.00' }],
	[1.25, { unit: 'tokenUnits', text: '1.25' }],
])('%j in token units, which are the default', (amount, entered) => {
	expect(enteredAmount(inputOf({ amount }))).toEqual(entered);
	expect(enteredAmount(inputOf({ amount, amountUnit: 'tokenUnits' }))).toEqual(entered);
});

test.each([
	['500000', '500000'],
	['007', '7'],
	[1500, '1500'],
])('%j in the smallest unit', (given, amount) => {
	expect(enteredAmount(inputOf({ amount: given, amountUnit: 'smallestUnit' }))).toEqual({
		unit: 'smallestUnit',
		text: amount,
	});
});

const PREVIOUS = 'A number from a previous node must come as text, so that no digit is lost.';
const IN_SMALLEST = 'for example 500000000000000000';

test.each<[unknown, string, string, string]>([
	[
		'',
		"'Amount' is empty",
		"Fill in 'Amount'. If it comes from an expression, check that the previous node gives it for this item.",
		"Fill in 'Amount'. If it comes from an expression, check that the previous node gives it for this item.",
	],
	[
		'1,5',
		"'Amount' has a comma",
		'Use a dot before the decimals, and no separators between thousands: 1246.87.',
		`Enter digits only, ${IN_SMALLEST}.`,
	],
	[
		'1e18',
		"'Amount' is in scientific notation",
		`Write all digits out, for example 0.5. ${PREVIOUS}`,
		`Write all digits out, ${IN_SMALLEST}. ${PREVIOUS}`,
	],
	[
		'-1',
		"'Amount' has a sign",
		'Enter the amount without plus or minus, for example 0.5.',
		`Enter the amount without plus or minus, ${IN_SMALLEST}.`,
	],
	[
		'ten',
		"'Amount' is not a number",
		'Enter digits only, with a dot before the decimals, for example 0.5.',
		`Enter digits only, ${IN_SMALLEST}.`,
	],
	[
		Number.NaN,
		"'Amount' is not a number",
		'Enter digits only, with a dot before the decimals, for example 0.5.',
		`Enter digits only, ${IN_SMALLEST}.`,
	],
	[
		Number.POSITIVE_INFINITY,
		"'Amount' is not a number",
		'Enter digits only, with a dot before the decimals, for example 0.5.',
		`Enter digits only, ${IN_SMALLEST}.`,
	],
	[
		'0',
		"'Amount' is zero",
		'Enter how much to bridge, for example 0.5.',
		`Enter how much to bridge, ${IN_SMALLEST}.`,
	],
	[
		1e21,
		"'Amount' is a number that may have lost digits",
		'Pass the amount as text, for example with quotes around it, so that it stays exact.',
		'Pass the amount as text, for example with quotes around it, so that it stays exact.',
	],
])(
	'%j is no amount, and what to enter depends on the unit',
	(amount, message, inTokenUnits, inTheSmallest) => {
		expect(errorOf(() => enteredAmount(inputOf({ amount })))).toEqual({
			message: `${message} [item 3]`,
			description: inTokenUnits,
			item: 3,
		});
		expect(errorOf(() => enteredAmount(inputOf({ amount, amountUnit: 'smallestUnit' })))).toEqual({
			message: `${message} [item 3]`,
			description: inTheSmallest,
			item: 3,
		});
	},
);

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

test('token units become digits of the smallest unit', () => {
	expect(inSmallestUnit(inputOf({}), '0.5', 6)).toBe('500000');
	expect(inSmallestUnit(inputOf({}), '1.50', 1)).toBe('15');
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
