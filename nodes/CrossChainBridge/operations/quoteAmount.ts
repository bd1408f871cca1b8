import { type AmountProblem, amountText, formProblem, toSmallestUnit } from '../orders/amounts';
import { emptyError, inputError, type OperationInput } from '../fields/parameters';

/** The Amount in one of the two units, free of mistakes that can be seen without the token's decimals. */
type EnteredAmount =
	| { unit: 'smallestUnit'; amount: string }
	| { unit: 'tokenUnits'; text: string };

export function enteredAmount(input: OperationInput): EnteredAmount {
	const { context, itemIndex } = input;
	const isInTokenUnits =
		context.getNodeParameter('amountUnit', itemIndex, 'tokenUnits') === 'tokenUnits';
	const text = amountText(context.getNodeParameter('amount', itemIndex, ''));
	if (text === null) {
		throw inputError(
			input,
			"'Amount' is a number that may have lost digits",
			'Pass the amount as text, for example with quotes around it, so that it stays exact.',
		);
	}
	const problem = formProblem(text);
	if (problem !== null) throw amountError(input, problem, isInTokenUnits);
	if (isInTokenUnits) {
		if (/^[0.]*$/.test(text)) throw zeroError(input, '0.5');
		return { unit: 'tokenUnits', text };
	}
	// In the smallest unit a dot never stands before decimals: "1.000" may well mean a thousand.
	if (text.includes('.')) {
		throw inputError(
			input,
			"'Amount' has a dot, but the smallest unit has no decimals",
			"Enter digits only, or choose Token Units as 'Amount Unit'.",
		);
	}
	const converted = toSmallestUnit(text, 0);
	if (!converted.ok) throw amountError(input, converted.problem, false);
	if (converted.amount === '0') throw zeroError(input, EXAMPLE_IN_SMALLEST_UNIT);
	return { unit: 'smallestUnit', amount: converted.amount };
}

/** An amount in token units as digits in the smallest unit. */
export function inSmallestUnit(input: OperationInput, text: string, decimals: number): string {
	const converted = toSmallestUnit(text, decimals);
	if (converted.ok) return converted.amount;
	throw amountError(input, converted.problem, true, decimals);
}

const EXAMPLE_IN_SMALLEST_UNIT = '500000000000000000';

function zeroError(input: OperationInput, example: string) {
	return inputError(input, "'Amount' is zero", `Enter how much to bridge, for example ${example}.`);
}

function amountError(
	input: OperationInput,
	problem: AmountProblem,
	isInTokenUnits: boolean,
	decimals?: number,
) {
	const example = `for example ${isInTokenUnits ? '0.5' : EXAMPLE_IN_SMALLEST_UNIT}`;
	switch (problem.kind) {
		case 'empty':
			return emptyError(input, 'Amount', "Fill in 'Amount'");
		case 'comma':
			return inputError(
				input,
				"'Amount' has a comma",
				isInTokenUnits
					? 'Use a dot before the decimals, and no separators between thousands: 1246.87.'
					: `Enter digits only, ${example}.`,
			);
		case 'exponent':
			return inputError(
				input,
				"'Amount' is in scientific notation",
				`Write all digits out, ${example}. A number from a previous node must come as text, so that no digit is lost.`,
			);
		case 'sign':
			return inputError(
				input,
				"'Amount' has a sign",
				`Enter the amount without plus or minus, ${example}.`,
			);
		case 'notANumber':
			return inputError(
				input,
				"'Amount' is not a number",
				`Enter digits only${isInTokenUnits ? ', with a dot before the decimals' : ''}, ${example}.`,
			);
		case 'tooManyDecimals':
			return inputError(
				input,
				"'Amount' has more decimals than the token",
				`Remove the extra decimals (this token has ${decimals ?? 0}). Nothing is rounded, so that the amount is exactly what you enter.`,
			);
	}
}
