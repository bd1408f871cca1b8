import type { IDataObject } from 'n8n-workflow';

import { describeError, type ServiceError } from '../service/errors';
import type { KnownDecimals } from '../orders/display';
import { parsedOrNull } from '../orders/exactJson';
import { isAllZeroAddress } from '../orders/networks';
import { NetworksInTime } from '../service/networksInTime';
import type { BridgeService } from '../service/service';
import {
	isDocumented,
	QUOTE_LABELS,
	quoteItem,
	type QuoteSource,
	statedInputDecimals,
} from '../orders/quotes';
import { field, isPlainObject, type PlainObject } from '../orders/values';
import { shapedItem } from '../fields/outputFields';
import {
	inputError,
	itemError,
	locatorParameter,
	optionalLocator,
	required,
	textParameter,
	trimmedText,
	type OperationInput,
} from '../fields/parameters';
import { enteredAmount, inSmallestUnit } from './quoteAmount';
import {
	type AmountOf,
	checkDecimals,
	knownDecimals,
	type Learned,
	learnedDecimals,
	type LearnedDecimals,
	unknownDecimalsError,
} from './quoteDecimals';
import { QUOTE_FIELDS } from './quoteFields';
import { displayOptionsOf } from '../fields/displayFields';
import { type Operation, runItems } from './operation';

async function execute(
	input: OperationInput,
	networks: NetworksInTime,
	learned: LearnedDecimals,
): Promise<IDataObject[]> {
	const options = displayOptionsOf(input);
	const isJson =
		input.context.getNodeParameter('specifyQuote', input.itemIndex, 'fields') === 'json';
	const source = isJson
		? // Who enters JSON knows the parameters by the service's names.
			await ask(input, parametersFromJson(input), {})
		: await quoteFromFields(input, options.tokenDecimals, learned);
	const display = { ...options, networks: await networks.get() };
	return [shapedItem(input, 'quoteId', quoteItem(source, display, Date.now()))];
}

async function ask(
	input: OperationInput,
	asked: IDataObject,
	labels: Readonly<Record<string, string>> = QUOTE_LABELS,
): Promise<QuoteSource> {
	const response = await input.service.quote(asked);
	if (!response.ok) throw itemError(input, response.error, { asked: 'quote', labels });
	return { asked, quote: response.data };
}

async function quoteFromFields(
	input: OperationInput,
	tokenDecimals: AmountOf['tokenDecimals'],
	learned: LearnedDecimals,
): Promise<QuoteSource> {
	const parameters = parametersFromFields(input);
	// A further query parameter replaces the Amount.
	if (parameters.inputTokenAmount !== undefined) return await ask(input, parameters);
	const { unit, text } = enteredAmount(input);
	if (unit === 'smallestUnit') return await ask(input, { ...parameters, inputTokenAmount: text });

	const of: AmountOf = {
		network: trimmedText(parameters.inputNetwork),
		token: trimmedText(parameters.inputTokenContract),
		tokenDecimals,
	};
	const other = Object.keys(parameters).find((name) => /token/i.test(name) && !isDocumented(name));
	if (of.token === '' && other !== undefined) {
		throw inputError(
			input,
			`The query parameter "${other}" may name a different token than 'From Token'`,
			"Choose the token in 'From Token', or enter 'Amount' in the smallest unit.",
		);
	}
	const known =
		(await knownDecimals(input, of)) ?? (await decimalsFromQuotes(input, of, parameters, learned));
	const inputTokenAmount = inSmallestUnit(input, text, known.decimals);
	const quoted = await ask(input, { ...parameters, inputTokenAmount });
	checkDecimals(input, known, statedInputDecimals(quoted.quote));
	return quoted;
}

/** One token of 6, 18 and 9 decimals: for any token one of these is neither too little nor too much for a quote. */
const SMALL_AMOUNTS = [6, 18, 9].map((decimals) => `1${'0'.repeat(decimals)}`);

async function decimalsFromQuotes(
	input: OperationInput,
	of: AmountOf,
	parameters: IDataObject,
	learned: LearnedDecimals,
): Promise<KnownDecimals> {
	const result = await learnedDecimals(
		learned,
		of,
		parameters,
		async () => await askForDecimals(input.service, parameters),
	);
	if (result.ok) return { decimals: result.decimals, from: 'service' };
	const { error } = result;
	if (error === null || isAboutAmount(error)) throw unknownDecimalsError(input, error);
	throw itemError(input, error, { asked: 'quote', labels: QUOTE_LABELS });
}

async function askForDecimals(service: BridgeService, parameters: IDataObject): Promise<Learned> {
	let error: ServiceError | null = null;
	for (const inputTokenAmount of SMALL_AMOUNTS) {
		const response = await service.quote({ ...parameters, inputTokenAmount });
		if (response.ok) {
			const decimals = statedInputDecimals(response.data);
			return decimals === null ? { ok: false, error: null } : { ok: true, decimals };
		}
		error = response.error;
		if (!isAboutAmount(error)) break;
	}
	return { ok: false, error };
}

/** Whether another amount may be accepted: these errors stand for too little and too much. */
function isAboutAmount(error: ServiceError): boolean {
	const { code, httpCode } = describeError(error, 'quote');
	return (
		code === 'INVALID_PARAMETER' ||
		code === 'INSUFFICIENT_LIQUIDITY' ||
		(code === undefined && httpCode === '400')
	);
}

/** The query parameters without the Amount; a further parameter of the same name wins. */
function parametersFromFields(input: OperationInput): IDataObject {
	const options = input.context.getNodeParameter('options', input.itemIndex, {}) as IDataObject;
	const parameters: IDataObject = {
		inputNetwork: required(input, 'From Network', locatorParameter(input, 'fromNetwork')),
		outputNetwork: required(input, 'To Network', locatorParameter(input, 'toNetwork')),
		sourceAddress: required(input, 'Sender', textParameter(input, 'sender')),
		destinationAddress: required(input, 'Recipient', textParameter(input, 'recipient')),
		inputTokenContract: contractOf(input, 'From Token', 'fromToken'),
		outputTokenContract: contractOf(input, 'To Token', 'toToken'),
		slippage: trimmedText(options.slippage),
		showBridgeData: options.showBridgeData,
	};
	const given = Object.entries(parameters).filter(
		([, value]) => value !== '' && value !== undefined,
	);
	return { ...Object.fromEntries(given), ...furtherParameters(input, options) };
}

/** The token's address; empty for the list's native token, which the published example leaves out. */
function contractOf(input: OperationInput, label: string, name: string): string {
	const address = optionalLocator(input, label, name);
	const isFromList =
		field(input.context.getNodeParameter(name, input.itemIndex, ''), 'mode') === 'list';
	return isFromList && isAllZeroAddress(address) ? '' : address;
}

function furtherParameters(input: OperationInput, options: IDataObject): IDataObject {
	const rows = field(options.queryParameters, 'parameter');
	const named = (Array.isArray(rows) ? rows : [])
		.filter(isPlainObject)
		.map(({ name, value }) => [
			trimmedText(name),
			typeof value === 'string' ? value.trim() : value,
		]);
	return queryParameters(input, Object.fromEntries(named.filter(([name]) => name !== '')));
}

function parametersFromJson(input: OperationInput): IDataObject {
	const given = input.context.getNodeParameter('quoteJson', input.itemIndex, '');
	const parsed = typeof given === 'string' ? parsedOrNull(given) : given;
	if (isPlainObject(parsed)) return queryParameters(input, parsed);
	throw inputError(
		input,
		'The JSON is not an object with query parameters',
		'Enter an object such as { "inputNetwork": 1, "outputNetwork": 2 }.',
	);
}

/** The parameters that have a value, each as the service can be asked for it. */
function queryParameters(input: OperationInput, given: PlainObject): IDataObject {
	const parameters: IDataObject = {};
	for (const [name, value] of Object.entries(given)) {
		if (value === null || value === undefined) continue;
		if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
			throw inputError(
				input,
				`The number in "${name}" may have lost digits`,
				'Put its digits in quotes, so that it stays exact.',
			);
		}
		if (typeof value === 'bigint') parameters[name] = String(value);
		else if (
			typeof value === 'string' ||
			typeof value === 'boolean' ||
			(typeof value === 'number' && Number.isFinite(value))
		)
			parameters[name] = value;
		else
			throw inputError(
				input,
				`The value of "${name}" must be text, a number or a boolean`,
				'Lists and nested objects cannot be sent.',
			);
	}
	return parameters;
}

export const getQuote: Operation = {
	option: {
		name: 'Get Quote',
		value: 'getQuote',
		description:
			'Get the fees and the amount received for a transfer, with the transaction data to submit',
		action: 'Get quote',
	},
	properties: QUOTE_FIELDS,
	run: async (input) => {
		const networks = new NetworksInTime(input.service);
		const learned: LearnedDecimals = new Map();
		return await runItems(input, async (item) => await execute(item, networks, learned));
	},
};
