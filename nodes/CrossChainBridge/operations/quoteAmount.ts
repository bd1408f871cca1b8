import { exactAmount, toSmallestUnit } from '../orders/amounts';
import { emptyError, inputError, type OperationInput } from '../fields/parameters';

/** The Amount as the user enters it; throws for a mistake that shows without the token's decimals. */
export function enteredAmount(input: OperationInput) {
	const { context, itemIndex } = input;
	const isInTokenUnits =
		context.getNodeParameter('amountUnit', itemIndex, 'tokenUnits') === 'tokenUnits';
	const text = exactAmount(context.getNodeParameter('amount', itemIndex, ''));
	const example = `for example ${isInTokenUnits ? '0.5' : '500000000000000000'}`;
	const wrong = (what: string, remedy: string) => inputError(input, `'Amount' ${what}`, remedy);

	if (text === null)
		throw wrong(
			'is a number that may have lost digits',
			'Pass the amount as text, for example with quotes around it, so that it stays exact.',
		);
	if (text === '') throw emptyError(input, 'Amount', "Fill in 'Amount'");
	if (/^[+\-\u2212]/.test(text))
		throw wrong('has a sign', `Enter the amount without plus or minus, ${example}.`);
	if (/^[\d.]+e[+-]?\d+$/i.test(text))
		throw wrong(
			'is in scientific notation',
			`Write all digits out, ${example}. A number from a previous node must come as text, so that no digit is lost.`,
		);
	if (/^[\d.]*,[\d.,]*$/.test(text))
		throw wrong(
			'has a comma',
			isInTokenUnits
				? 'Use a dot before the decimals, and no separators between thousands: 1246.87.'
				: `Enter digits only, ${example}.`,
		);
	if (!/^(\d+(\.\d*)?|\.\d+)$/.test(text))
		throw wrong(
			'is not a number',
			`Enter digits only${isInTokenUnits ? ', with a dot before the decimals' : ''}, ${example}.`,
		);
	// In the smallest unit "1.000" may well mean a thousand.
	if (!isInTokenUnits && text.includes('.'))
		throw wrong(
			'has a dot, but the smallest unit has no decimals',
			"Enter digits only, or choose Token Units as 'Amount Unit'.",
		);
	if (/^[0.]*$/.test(text)) throw wrong('is zero', `Enter how much to bridge, ${example}.`);
	return { isInTokenUnits, text: isInTokenUnits ? text : inSmallestUnit(input, text, 0) };
}

/** Token units in the smallest unit; throws if the token has too few decimals. */
export function inSmallestUnit(input: OperationInput, text: string, decimals: number): string {
	const amount = toSmallestUnit(text, decimals);
	if (amount !== null) return amount;
	throw inputError(
		input,
		"'Amount' has more decimals than the token",
		`Remove the extra decimals (this token has ${decimals}). Nothing is rounded, so that the amount is exactly what you enter.`,
	);
}
