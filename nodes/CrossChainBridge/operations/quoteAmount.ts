import type { IDataObject } from 'n8n-workflow';

import { isOrderError, parameterNamed, type ServiceError } from '../service/errors';
import {
	configuredDecimals,
	isAllZeroAddress,
	NATIVE_ADDRESS,
	networksWithId,
} from '../orders/networks';
import { exactAmount, toSmallestUnit } from '../orders/amounts';
import type { KnownDecimals } from '../orders/display';
import { QUOTE_LABELS } from '../orders/quotes';
import { caselessHex } from '../orders/values';
import { emptyError, inputError, itemError, type OperationInput } from '../fields/parameters';

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

export interface AmountOf {
	network: string;
	token: string;
	/** The option Token Decimals, by address as `caselessHex` writes it. */
	tokenDecimals: ReadonlyMap<string, number>;
}

/** The decimals that are known without a quote; null if a quote may state them. */
export async function knownDecimals(
	input: OperationInput,
	{ network, token, tokenDecimals }: AmountOf,
): Promise<KnownDecimals | null> {
	const address = token === '' ? NATIVE_ADDRESS : token;
	const isNative = isAllZeroAddress(address);
	const row = [...tokenDecimals].find(([known]) =>
		isNative ? isAllZeroAddress(known) : known === caselessHex(address),
	);
	const given: KnownDecimals | null =
		row === undefined ? null : { decimals: row[1], from: 'tokenDecimalsOption' };
	if (given !== null && !isNative) return given;

	const response = await input.service.networks();
	const networks = response.ok ? response.networks : null;
	const stated = configuredDecimals(networks, network, address);
	if (stated !== null) return { decimals: stated, from: 'networkConfig' };
	if (given !== null || !isNative) return given;
	if (!response.ok) {
		throw itemError(input, response.error, {
			asked: 'config',
			note: "The configuration was asked for the decimals of the token. With the option 'Token Decimals', or with 'Amount' in the smallest unit, the configuration is not needed.",
		});
	}
	throw inputError(
		input,
		UNKNOWN,
		networksWithId(networks, network).length === 0
			? "The bridge has no network with the ID in 'From Network'. Check it."
			: `The configuration does not state the decimals of this network's native token. ${LOOK_UP}`,
	);
}

const UNKNOWN = 'The decimals of the token are not known';

const LOOK_UP =
	"Find them on the token's page in a block explorer (usually named Decimals), then add the option 'Token Decimals' with the token's address, or enter 'Amount' in the smallest unit.";

/** An error that no quote states the decimals, with why there was none; null if there was one. */
export function unknownDecimalsError(input: OperationInput, error: ServiceError | null) {
	if (error === null)
		return inputError(input, UNKNOWN, `The bridge does not state them. ${LOOK_UP}`);
	const named = parameterNamed(error, QUOTE_LABELS);
	// The user has not entered the amount of the test quote.
	const isOfField = named !== null && named !== 'inputTokenAmount';
	return itemError(input, error, {
		asked: 'quote',
		labels: QUOTE_LABELS,
		...(isOfField ? {} : { title: `${UNKNOWN} [item ${input.itemIndex}]` }),
		lead: "A small test quote was requested to learn the token's decimals, but the bridge returned none:",
		note: LOOK_UP,
	});
}

/** Throws where a quote states other decimals than its amount was made with. */
export function checkDecimals(
	input: OperationInput,
	{ decimals, from }: KnownDecimals,
	stated: number | null,
): void {
	if (stated === null || stated === decimals) return;
	const [message, remedy] =
		from === 'tokenDecimalsOption'
			? [
					`'Token Decimals' is ${decimals}, but the bridge says that the token has ${stated} decimals`,
					"Correct the row of the option 'Token Decimals' or remove it: the bridge states the decimals of this token by itself.",
				]
			: [
					`The bridge said that the token has ${decimals} decimals, and now says ${stated}`,
					"Enter 'Amount' in the smallest unit, or ask the operator of the bridge which is right.",
				];
	throw inputError(
		input,
		message,
		`The quote was discarded because it is for a different amount than you entered. ${remedy}`,
	);
}

/** What a small quote states (null: nothing), or why there was none. */
export type Learned = number | null | 'otherToken' | ServiceError;

/** The last of an execution by token, and rejected ones by question. */
export type LearnedDecimals = Map<string, Promise<Learned>>;

/** Asks for one item of a token after another until its decimals are settled, and no rejected question again. */
export async function learnedDecimals(
	learned: LearnedDecimals,
	{ network, token }: AmountOf,
	question: IDataObject,
	ask: () => Promise<Learned>,
): Promise<Learned> {
	const ofToken = JSON.stringify([network, caselessHex(token)]);
	const ofQuestion = JSON.stringify(question);
	const before = learned.get(ofToken);
	const result = (async () => {
		const said = await before;
		if (said !== undefined && !isError(said)) return said;
		const rejected = learned.get(ofQuestion);
		if (rejected !== undefined) return await rejected;
		const mine = await ask();
		if (isError(mine) && isOrderError(mine)) learned.set(ofQuestion, Promise.resolve(mine));
		return mine;
	})();
	learned.set(ofToken, result);
	return await result;
}

function isError(said: Learned): said is ServiceError {
	return typeof said === 'object' && said !== null;
}
