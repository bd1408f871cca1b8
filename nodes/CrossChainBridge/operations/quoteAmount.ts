import type { IDataObject } from 'n8n-workflow';

import { type AmountProblem, amountText, decimalsOrNull, formProblem, toSmallestUnit } from '../bridge/amounts';
import { agreedNativeDecimals, isAllZeroAddress, isNativeAddress, networkId } from '../bridge/networks';
import { refusalToNodeError } from '../bridge/refusal';
import { inputError, type OperationInput, trimmedText } from './operation';

/** What an amount is an amount of: a network's own ID and a token's address there, empty for the native token. */
export interface AmountOf {
	network: string;
	token: string;
	options: IDataObject;
}

/** The Amount in the token's smallest unit, digits only, whichever unit it was written in. Throws a sentence for what is no amount. */
export async function quoteAmount(input: OperationInput, of: AmountOf): Promise<string> {
	const { context, itemIndex } = input;
	const isInTokenUnits = context.getNodeParameter('amountUnit', itemIndex, 'smallestUnit') === 'tokenUnits';
	const text = amountText(context.getNodeParameter('amount', itemIndex, ''));
	if (text === null) {
		throw inputError(input, 'The Amount is a number that cannot be held exactly', 'Give the amount as text, for example with quotes around it, so that no digit is lost.');
	}
	const problem = formProblem(text);
	if (problem !== null) throw amountError(input, problem, isInTokenUnits);
	// In the smallest unit a dot never stands before decimals: "1.000" may well mean a thousand.
	if (!isInTokenUnits && text.includes('.')) {
		throw inputError(input, 'The Amount has a dot, but the smallest unit has no decimals', 'Enter digits alone, or choose Token Units as Amount Unit.');
	}
	const converted = toSmallestUnit(text, isInTokenUnits ? await decimalsOf(input, of) : 0);
	if (!converted.ok) throw amountError(input, converted.problem, isInTokenUnits);
	if (converted.amount === '0') throw inputError(input, 'The Amount is zero', `Enter how much to bridge, for example ${exampleOf(isInTokenUnits)}.`);
	return converted.amount;
}

function exampleOf(isInTokenUnits: boolean): string {
	return isInTokenUnits ? '0.5' : '500000000000000000';
}

function amountError(input: OperationInput, problem: AmountProblem, isInTokenUnits: boolean) {
	const example = `for example ${exampleOf(isInTokenUnits)}`;
	switch (problem.kind) {
		case 'empty':
			return inputError(input, 'Amount is empty', 'Fill in Amount. If it comes from an expression, check that the previous step gives it for this item.');
		case 'comma':
			return inputError(
				input,
				'The Amount holds a comma',
				isInTokenUnits ? 'Put a dot before the decimals, and no separators between thousands: 1246.87.' : `Enter digits alone, ${example}.`,
			);
		case 'exponent':
			return inputError(input, 'The Amount is written with an exponent', `Write all digits out, ${example}. A number from a previous step must come as text, so that no digit is lost.`);
		case 'sign':
			return inputError(input, 'The Amount has a sign', `Enter the amount without plus or minus, ${example}.`);
		case 'notANumber':
			return inputError(input, 'The Amount is not a number', `Enter digits alone${isInTokenUnits ? ', with a dot before the decimals' : ''}, ${example}.`);
		case 'tooManyDecimals':
			return inputError(input, 'The Amount has more decimals than the token', `It has ${problem.given} of them. Leave out what is too much: nothing is rounded here, so that the amount is exactly what you entered.`);
	}
}

/** The decimals of the token to bridge: as the configuration states them for the native token, else as the user does. Never guessed. */
async function decimalsOf(input: OperationInput, { network, token, options }: AmountOf): Promise<number> {
	const given = decimalsOption(input, options);
	const isNativeAnywhere = token === '' || isAllZeroAddress(token);
	if (given !== null && !isNativeAnywhere) return given;

	const answer = await input.service.networks();
	if (!answer.ok) {
		if (given !== null) return given;
		throw refusalToNodeError(input.context.getNode(), answer.refusal, {
			itemIndex: input.itemIndex,
			note: 'The configuration was asked for the decimals of the token: with the option Token Decimals, or an Amount in the Smallest Unit, it is not needed.',
		});
	}
	const found = answer.networks.filter((candidate) => networkId(candidate) === network);
	const native = found.filter((candidate) => isNativeAnywhere || isNativeAddress(candidate, token));
	const stated = agreedNativeDecimals(native);
	if (stated !== null && given !== null && stated !== given) {
		throw inputError(input, `Token Decimals is ${given}, but the native token of this network has ${stated}`, 'Correct the option Token Decimals or remove it, or choose the token you mean in From Token.');
	}
	const decimals = stated ?? given;
	if (decimals === null) {
		throw inputError(
			input,
			'The decimals of the token are not known',
			`${isNativeAnywhere && found.length === 0 ? 'The bridge service has no network with the ID in From Network. Check it, or add' : 'Add'} the option Token Decimals with the number of decimals that the From Token has, or enter the Amount in the Smallest Unit.`,
		);
	}
	return decimals;
}

function decimalsOption(input: OperationInput, options: IDataObject): number | null {
	const given = trimmedText(options.inputDecimals);
	if (given === '') return null;
	const decimals = decimalsOrNull(given);
	if (decimals === null) {
		throw inputError(input, 'Token Decimals is not a whole number from 0 to 255', 'Enter how many decimals the From Token has, for example 6.');
	}
	return decimals;
}
