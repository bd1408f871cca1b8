import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isNotFound, isOrderError, parameterNamed, type ServiceError } from '../service/errors';
import { configuredDecimals, isAllZeroAddress, NATIVE_ADDRESS } from '../orders/networks';
import { exactAmount, toSmallestUnit } from '../orders/amounts';
import type { KnownDecimals } from '../orders/display';
import { QUOTE_LABELS } from '../orders/quotes';
import { caselessHex } from '../orders/values';
import { choiceField, shownWith, textField } from '../fields/fieldTypes';
import type { FieldReader } from '../fields/reader';
import {
	inputError,
	itemError,
	type NetworksResponse,
	type OperationInput,
	placeOf,
} from '../fields/parameters';

const AMOUNT_UNIT: INodeProperties = {
	...choiceField(
		'Amount Unit',
		'amountUnit',
		'tokenUnits',
		'The unit in which you enter the amount',
		[
			[
				'Token Units',
				'tokenUnits',
				"The way you normally write it, such as 0.5. The token's decimals come from the bridge.",
			],
			[
				'Smallest Unit',
				'smallestUnit',
				"A whole number in the token's smallest unit. For example, 0.5 of a token with 18 decimals is 500000000000000000.",
			],
		],
	),
	// It decides which fields are shown.
	noDataExpression: true,
};

const AMOUNT: INodeProperties = {
	...textField('Amount', 'amount', '0.5', 'How much to bridge, in token units, such as 0.5'),
	required: true,
};

const AMOUNT_IN_SMALLEST_UNIT: INodeProperties = {
	...textField(
		'Amount',
		'amount',
		'500000000000000000',
		"How much to bridge, as a whole number in the token's smallest unit",
	),
	required: true,
};

export const AMOUNT_PROPERTIES: INodeProperties[] = [
	AMOUNT_UNIT,
	...shownWith({ amountUnit: ['tokenUnits'] }, [AMOUNT]),
	...shownWith({ amountUnit: ['smallestUnit'] }, [AMOUNT_IN_SMALLEST_UNIT]),
];

/** The Amount in plain digits, in token units with a dot before decimals. Throws for a mistake that shows without the token's decimals. */
export function enteredAmount(fields: FieldReader): { isInTokenUnits: boolean; text: string } {
	const isInTokenUnits = fields.choice(AMOUNT_UNIT) === 'tokenUnits';
	const amount = isInTokenUnits ? AMOUNT : AMOUNT_IN_SMALLEST_UNIT;
	const given = fields.value(amount);
	const exact = exactAmount(given);
	if (exact === null)
		throw fields.refuse(
			"'Amount' may have lost digits",
			'It arrived as a number that JavaScript cannot store exactly. Pass it as text, for example in quotes.',
		);
	const text = fields.digits(amount, typeof given === 'number' ? exact : given);
	if (/^[0.]*$/.test(text))
		throw fields.refuse("'Amount' is zero", 'Enter how much to bridge, for example 0.5.');
	if (!isInTokenUnits && text.includes('.'))
		throw fields.wrong(
			amount,
			given,
			"The smallest unit has no decimals. Enter digits only, or choose Token Units as 'Amount Unit'.",
		);
	return { isInTokenUnits, text: isInTokenUnits ? text : (toSmallestUnit(text, 0) ?? text) };
}

/** Token units in the smallest unit. Throws if the token has too few decimals. */
export function inSmallestUnit(input: OperationInput, text: string, decimals: number): string {
	const amount = toSmallestUnit(text, decimals);
	if (amount !== null) return amount;
	throw inputError(
		input,
		"'Amount' has more decimals than the token",
		`Remove the extra decimals (this token has ${decimals}). Nothing is rounded, so that the amount is exactly what you enter.`,
	);
}

/** The token of an amount, as the query names it. */
export interface AmountOf {
	network: string;
	/** Empty for the native token. */
	token: string;
	/** The option Token Decimals, by address as `caselessHex` writes it. */
	tokenDecimals: ReadonlyMap<string, number>;
}

/** The decimals that are known without a quote; null if a quote may state them. */
export function knownDecimals(
	input: OperationInput,
	{ network, token, tokenDecimals }: AmountOf,
	configuration: NetworksResponse,
): KnownDecimals | null {
	const address = token === '' ? NATIVE_ADDRESS : token;
	const networks = configuration.ok ? configuration.networks : null;
	const stated = configuredDecimals(networks, network, address);
	if (stated !== null) return { decimals: stated, from: 'networkConfig' };
	const given = tokenDecimals.get(caselessHex(address));
	if (given !== undefined) return { decimals: given, from: 'tokenDecimalsOption' };
	if (!isAllZeroAddress(address)) return null;
	if (!configuration.ok) {
		throw itemError(input, configuration.error, {
			asked: 'config',
			note: "The node needs the bridge's configuration to find the token's decimals. To work without it, enter 'Amount' in the smallest unit, or add the option 'Token Decimals'.",
		});
	}
	throw inputError(
		input,
		UNKNOWN,
		`The bridge's configuration doesn't state those of this network's native token. ${LOOK_UP}`,
	);
}

const UNKNOWN = 'The number of decimals of this token is unknown';

const LOOK_UP =
	"Find it on the token's page in a block explorer, then add the option 'Token Decimals' with the token's address, or enter 'Amount' in the smallest unit.";

/** The decimals that a quote states (null: none), or why there are none. */
export type Learned = number | null | 'otherToken' | ServiceError;

/** Of one execution: by token what the last quote said, and to which question. */
export type LearnedDecimals = Map<string, Promise<{ said: Learned; question: string }>>;

/** Asks for one item of a token after another until its decimals are known, and never again what was rejected. */
export async function learnDecimals(
	learned: LearnedDecimals,
	{ network, token }: AmountOf,
	parameters: IDataObject,
	ask: () => Promise<Learned>,
): Promise<Learned> {
	const key = JSON.stringify([network, caselessHex(token)]);
	const question = JSON.stringify(parameters);
	const before = learned.get(key);
	const result = (async () => {
		const known = await before;
		const isSettled = known !== undefined && !isError(known.said);
		const isRejected =
			known?.question === question && isError(known.said) && isOrderError(known.said);
		return isSettled || isRejected ? known : { said: await ask(), question };
	})();
	learned.set(key, result);
	return (await result).said;
}

export function isError(said: Learned): said is ServiceError {
	return typeof said === 'object' && said !== null;
}

/** The first quote is asked for as if the token had these, as most stablecoins have. Only decimals that the bridge states count. */
export const ASSUMED_DECIMALS = 6;

/** Any rejection but that of a network may stand for too little or too much. */
export function isAboutAmount(error: ServiceError): boolean {
	const named = parameterNamed(error, QUOTE_LABELS);
	const isOfNetwork = named === 'inputNetwork' || named === 'outputNetwork';
	return isOrderError(error) && !isNotFound(error) && !isOfNetwork;
}

/** The error that the decimals are not known, with the reason. */
export function unknownDecimalsError(input: OperationInput, said: Exclude<Learned, number>): Error {
	if (said === 'otherToken')
		return inputError(
			input,
			"The quote is for another token than 'From Token'",
			"Its decimals were not used. Check 'From Token', or enter 'Amount' in the smallest unit.",
		);
	if (said === null) return inputError(input, UNKNOWN, `The bridge doesn't state it. ${LOOK_UP}`);
	const named = parameterNamed(said, QUOTE_LABELS);
	// The user has not entered the amount of this quote.
	const isOfField = named !== null && named !== 'inputTokenAmount';
	return itemError(input, said, {
		asked: 'quote',
		labels: QUOTE_LABELS,
		...(isOfField ? {} : { title: UNKNOWN + placeOf(input) }),
		lead: `To find it, the node asked for a quote as if the token had ${ASSUMED_DECIMALS} decimals, and the bridge rejected it:`,
		note: LOOK_UP,
	});
}

/** Throws if a quote states other decimals than its amount was made with. */
export function assertDecimalsMatch(
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
					`The bridge gave two different numbers of decimals for this token (${decimals}, then ${stated})`,
					"Enter 'Amount' in the smallest unit, or ask your bridge which number is correct.",
				];
	throw inputError(
		input,
		message,
		`The quote was discarded because it may be for a different amount. ${remedy}`,
	);
}
