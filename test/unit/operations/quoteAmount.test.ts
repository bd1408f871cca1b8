import { enteredAmount } from '../../../nodes/CrossChainBridge/operations/quoteAmount';
import { fieldsWith, problemOf } from '../fields/reading';

/** The Amount as the user enters it, and the sentences for what is none. */

const SMALLEST = { amountUnit: 'smallestUnit' };

test.each<[unknown, string]>([
	['0.5', '0.5'],
	[' .5 ', '0.5'],
	['10', '10'],
	['100.00', '100.00'],
	['5.', '5'],
	[1.25, '1.25'],
	['0,5', '0.5'],
	['1 246.87', '1246.87'],
	["1'246.87", '1246.87'],
	['1.246,87', '1246.87'],
	['123.123456789123456789', '123.123456789123456789'],
])('%j in token units, which are the default', (amount, text) => {
	const entered = { isInTokenUnits: true, text };
	expect(enteredAmount(fieldsWith({ amount }))).toEqual(entered);
	expect(enteredAmount(fieldsWith({ amount, amountUnit: 'Token Units' }))).toEqual(entered);
});

test.each<[unknown, string]>([
	['500000', '500000'],
	['007', '7'],
	[1500, '1500'],
	['1 000 000', '1000000'],
	['1.000.000', '1000000'],
	['1,000,000', '1000000'],
])('%j in the smallest unit', (amount, text) => {
	const entered = { isInTokenUnits: false, text };
	expect(enteredAmount(fieldsWith({ amount, ...SMALLEST }))).toEqual(entered);
});

const problem = (amount: unknown, more: object = {}) =>
	problemOf(() => enteredAmount(fieldsWith({ amount, ...more })));

test.each<[unknown, string, string, string]>([
	['', "'Amount' is empty", "Fill in 'Amount'.", "Fill in 'Amount'."],
	['+1', "'Amount' cannot be '+1'", 'example 0.5.', 'example 500000000000000000.'],
	['-1', "'Amount' cannot be '-1'", 'example 0.5.', 'example 500000000000000000.'],
	['1e18', "'Amount' cannot be '1e18'", 'example 0.5.', 'example 500000000000000000.'],
	['five', "'Amount' cannot be 'five'", 'example 0.5.', 'example 500000000000000000.'],
	['1.2.3', "'Amount' cannot be '1.2.3'", 'example 0.5.', 'example 500000000000000000.'],
	['100 USDC', "'Amount' cannot be '100 USDC'", 'example 0.5.', '500000000000000000.'],
	['1,125', "'Amount' cannot be '1,125'", '1.125 or 1125.', '1.125 or 1125.'],
	['0.00', "'Amount' is zero", 'Enter how much', 'Enter how much'],
	[1e21, "'Amount' may have lost digits", 'Pass it as text', 'Pass it as text'],
	[12345678901234567890, "'Amount' may have lost digits", 'as text', 'as text'],
	[0.1234567890123456, "'Amount' may have lost digits", 'as text', 'as text'],
])('%j is no amount: %s', (amount, message, remedy, inSmallest) => {
	expect(problem(amount)).toMatchObject({ message });
	expect(problem(amount)?.description).toContain(remedy);
	expect(problem(amount, SMALLEST)?.message).toBe(message);
	expect(problem(amount, SMALLEST)?.description).toContain(inSmallest);
});

test.each(['1.000', '0.5', 0.5, '1 000,5'])(
	'%j has decimals, which the smallest unit has not',
	(amount) => {
		expect(problem(amount, SMALLEST)).toMatchObject({
			message: expect.stringContaining("'Amount' cannot be "),
			description:
				"The smallest unit has no decimals. Enter digits only, or choose Token Units as 'Amount Unit'.",
		});
	},
);
