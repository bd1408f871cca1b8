import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { toSmallestUnit } from '../orders/amounts';
import { decimalsOf, type Display, type KnownDecimals, PLAIN_DISPLAY } from '../orders/display';
import { isAllZeroAddress, NATIVE_ADDRESS } from '../orders/networks';
import {
	mayNameToken,
	type OtherToken,
	otherToken,
	QUOTE_LABELS,
	type QuoteSource,
	statedInputDecimals,
} from '../orders/quotes';
import { shownText } from '../orders/plainText';
import { caselessHex, trimmedText } from '../orders/values';
import type { ServiceResponse } from '../service/envelope';
import {
	isNotFound,
	isRequestError,
	type NodeErrorOptions,
	parameterNamed,
	type ServiceError,
} from '../service/errors';
import type { NetworksResponse } from '../service/service';
import { choiceField, requiredTextField, shownWith } from '../fields/fieldTypes';
import { throwIfAddressIsWrong } from '../fields/orderFields';
import { itemError, type OperationInput, placeOf } from '../fields/parameters';
import type { FieldReader } from '../fields/reader';

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

const AMOUNT = requiredTextField(
	'Amount',
	'amount',
	'0.5',
	'How much to bridge, in token units, such as 0.5',
);

const AMOUNT_IN_SMALLEST_UNIT = requiredTextField(
	'Amount',
	'amount',
	'500000000000000000',
	"How much to bridge, as a whole number in the token's smallest unit",
);

export const AMOUNT_PROPERTIES: INodeProperties[] = [
	AMOUNT_UNIT,
	...shownWith({ amountUnit: ['tokenUnits'] }, [AMOUNT]),
	...shownWith({ amountUnit: ['smallestUnit'] }, [AMOUNT_IN_SMALLEST_UNIT]),
];

/** The Amount in plain digits, in token units with a dot before decimals. Throws for a mistake that shows without the token's decimals. */
export function enteredAmount(fields: FieldReader): { isInTokenUnits: boolean; text: string } {
	const isInTokenUnits = fields.choice(AMOUNT_UNIT) === 'tokenUnits';
	const amount = isInTokenUnits ? AMOUNT : AMOUNT_IN_SMALLEST_UNIT;
	fields.throwIfInexact(amount);
	const text = fields.digits(amount);
	if (/^[0.]*$/.test(text))
		throw fields.refuse("'Amount' is zero", 'Enter how much to bridge, for example 0.5.');
	if (!isInTokenUnits && text.includes('.'))
		throw fields.wrong(
			amount,
			fields.value(amount),
			"The smallest unit has no decimals. Enter digits only, or choose Token Units as 'Amount Unit'.",
		);
	return { isInTokenUnits, text: isInTokenUnits ? text : (toSmallestUnit(text, 0) ?? text) };
}

export interface QuoteInput extends OperationInput {
	/** Of one execution, by token: the last quote that was to state its decimals. */
	firstQuotes: Map<string, Promise<FirstQuote>>;
}

interface FirstQuote {
	/** The query without its amount. */
	question: string;
	asked: IDataObject;
	response: ServiceResponse;
}

/** Without labels a message has the service's own names of the parameters. */
export async function askForQuote(
	input: OperationInput,
	asked: IDataObject,
	labels: Readonly<Record<string, string>> = QUOTE_LABELS,
): Promise<QuoteSource> {
	return await quoteIn(input, asked, await input.service.quote(asked), { labels });
}

async function quoteIn(
	input: OperationInput,
	asked: IDataObject,
	response: ServiceResponse,
	words: Omit<NodeErrorOptions, 'asked'>,
): Promise<QuoteSource> {
	if (response.ok) return { asked, quote: response.data, clockAheadMs: response.clockAheadMs };
	if (isNotFound(response.error)) await throwIfAddressIsWrong(input);
	throw itemError(input, response.error, { asked: 'quote', ...words });
}

export interface TokenUnits {
	amount: string;
	/** The query without its amount. */
	parameters: IDataObject;
	configuration: NetworksResponse;
	/** The option Token Decimals, by address as `caselessHex` writes it. */
	tokenDecimals: ReadonlyMap<string, number>;
}

/** The quote of an amount in token units. Throws if nothing states the token's decimals. */
export async function quoteOfTokenUnits(
	input: QuoteInput,
	{ amount, parameters, configuration, tokenDecimals }: TokenUnits,
): Promise<QuoteSource> {
	const named = trimmedText(parameters.inputTokenContract);
	const other = Object.keys(parameters).find(mayNameToken);
	if (named === '' && other !== undefined) {
		throw input.fields.refuse(
			`The query parameter "${other}" may name a different token than 'From Token'`,
			"Choose the token in 'From Token', or enter 'Amount' in the smallest unit.",
		);
	}
	const token = named === '' ? NATIVE_ADDRESS : named;
	const networks = configuration.ok ? configuration.networks : null;
	const of = { chainId: trimmedText(parameters.inputNetwork), token };
	const display = { ...PLAIN_DISPLAY, networks, tokenDecimals };
	let known = decimalsOf(of, display);
	if (known === null) {
		if (isAllZeroAddress(token)) throw unknownNativeError(input, configuration);
		const assumed = toSmallestUnit(amount, ASSUMED_DECIMALS);
		const inputTokenAmount = assumed ?? `1${'0'.repeat(ASSUMED_DECIMALS)}`;
		const asked = { ...parameters, inputTokenAmount };
		const key = JSON.stringify([of.chainId, caselessHex(token)]);
		const first = await firstQuote(input, key, { question: JSON.stringify(parameters), asked });
		const { quoted, decimals } = await decimalsStated(input, first, display);
		if (first.asked === asked && decimals === ASSUMED_DECIMALS && assumed !== null) return quoted;
		known = { decimals, from: 'service' };
	}
	const inputTokenAmount = inSmallestUnit(input, amount, known.decimals);
	const quoted = await askForQuote(input, { ...parameters, inputTokenAmount });
	assertDecimalsMatch(input, known, statedInputDecimals(quoted.quote));
	return quoted;
}

/** Token units in the smallest unit. Throws if the token has too few decimals. */
function inSmallestUnit({ fields }: OperationInput, text: string, decimals: number): string {
	const amount = toSmallestUnit(text, decimals);
	if (amount !== null) return amount;
	throw fields.refuse(
		"'Amount' has more decimals than the token",
		`Remove the extra decimals (this token has ${decimals}). Nothing is rounded, so that the amount is exactly what you enter.`,
	);
}

const UNKNOWN = 'The number of decimals of this token is unknown';

const LOOK_UP =
	"Find the number of decimals on the token's page in a block explorer, then add the option 'Token Decimals' with the token's address, or enter 'Amount' in the smallest unit.";

function unknownNativeError(input: OperationInput, configuration: NetworksResponse): Error {
	if (configuration.ok)
		return input.fields.refuse(
			UNKNOWN,
			`The bridge's configuration doesn't state it for this network's native token. ${LOOK_UP}`,
		);
	const note =
		"The node needs the bridge's configuration to find the token's decimals. To work without it, enter 'Amount' in the smallest unit, or add the option 'Token Decimals'.";
	return itemError(input, configuration.error, { asked: 'config', note });
}

/** The first quote is asked for as if the token had these, as most stablecoins have. Only decimals that the bridge states count. */
const ASSUMED_DECIMALS = 6;

/** Asks for one item of a token after another until there is a quote, and never again what was rejected. */
async function firstQuote(
	{ service, firstQuotes }: QuoteInput,
	token: string,
	{ question, asked }: Omit<FirstQuote, 'response'>,
): Promise<FirstQuote> {
	const before = firstQuotes.get(token);
	const result = (async () => {
		const known = await before;
		if (known !== undefined) {
			const { response } = known;
			const isRejected = !response.ok && isRequestError(response.error);
			if (response.ok || (isRejected && known.question === question)) return known;
		}
		return { question, asked, response: await service.quote(asked) };
	})();
	firstQuotes.set(token, result);
	return await result;
}

/** The first quote with the decimals that it states. Throws if it states none. */
async function decimalsStated(
	input: OperationInput,
	{ asked, response }: FirstQuote,
	display: Display,
) {
	const { fields } = input;
	const words = response.ok ? {} : wordsOfFirst(input, response.error);
	const quoted = await quoteIn(input, asked, response, { labels: QUOTE_LABELS, ...words });
	const other = otherToken(quoted, 'input', display);
	if (other !== null) throw otherTokenError(input, other, QUOTE_LABELS);
	const decimals = statedInputDecimals(quoted.quote);
	if (decimals === null) throw fields.refuse(UNKNOWN, `The bridge doesn't state it. ${LOOK_UP}`);
	return { quoted, decimals };
}

/** The words for a first quote that is rejected: any rejection but that of a network may stand for too little or too much. */
function wordsOfFirst(input: OperationInput, error: ServiceError): Partial<NodeErrorOptions> {
	const named = parameterNamed(error, QUOTE_LABELS);
	const isOfNetwork = named === 'inputNetwork' || named === 'outputNetwork';
	if (!isRequestError(error) || isNotFound(error) || isOfNetwork) return {};
	// The user has not entered the amount of this quote.
	const isOfField = named !== null && named !== 'inputTokenAmount';
	return {
		...(isOfField ? {} : { title: UNKNOWN + placeOf(input) }),
		lead: `To find the token's number of decimals, the node asked for a quote as if the token had ${ASSUMED_DECIMALS} decimals, and the bridge rejected that request.`,
		note: LOOK_UP,
	};
}

/** The error of a quote for another token than was asked for. Its transactions would move that. */
export function otherTokenError(
	{ fields }: OperationInput,
	{ parameter, asked, stated }: OtherToken,
	labels: Readonly<Record<string, string>>,
): Error {
	const label = labels[parameter];
	const name = label === undefined ? `"${parameter}"` : `'${label}'`;
	return fields.refuse(
		`The quote is for a different token than ${name}`,
		`The node asked for ${shownText(asked)}, but the quote says ${shownText(stated)}. It was discarded with its transactions, so that nothing else is sent. Check ${name}, or ask your bridge.`,
	);
}

/** Throws if a quote states other decimals than its amount was made with. */
function assertDecimalsMatch(
	{ fields }: OperationInput,
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
	throw fields.refuse(
		message,
		`The quote was discarded because it may be for a different amount. ${remedy}`,
	);
}
