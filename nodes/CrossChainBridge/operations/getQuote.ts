import type { IDataObject } from 'n8n-workflow';

import { parseJsonExactly } from '../bridge/exactJson';
import { isAllZeroAddress } from '../bridge/networks';
import { field, isPlainObject, type PlainObject } from '../bridge/values';
import { inputError, locatorParameter, type Operation, type OperationInput, refusalError, shownFor, textParameter, trimmedText } from './operation';
import { quoteAmount } from './quoteAmount';
import { QUOTE_FIELDS } from './quoteFields';
import { runItems } from './runItems';

async function execute(input: OperationInput): Promise<IDataObject[]> {
	const specify = input.context.getNodeParameter('specifyQuote', input.itemIndex, 'fields');
	const answer = await input.service.quote(specify === 'json' ? parametersFromJson(input) : await parametersFromFields(input));
	if (!answer.ok) throw refusalError(input, answer.refusal);
	return [answer.data as IDataObject];
}

/** The query parameters by the names that are publicly documented; a further parameter of the same name wins. */
async function parametersFromFields(input: OperationInput): Promise<IDataObject> {
	const options = input.context.getNodeParameter('options', input.itemIndex, {}) as IDataObject;
	const inputNetwork = required(input, 'From Network', locatorParameter(input, 'fromNetwork'));
	const outputNetwork = required(input, 'To Network', locatorParameter(input, 'toNetwork'));
	const sourceAddress = required(input, 'Sender', textParameter(input, 'sender'));
	const destinationAddress = required(input, 'Recipient', textParameter(input, 'recipient'));
	const fromToken = locatorParameter(input, 'fromToken');
	const inputTokenAmount = await quoteAmount(input, { network: inputNetwork, token: fromToken, options });
	const optional: IDataObject = {
		inputTokenContract: contractOf(input, 'fromToken'),
		outputTokenContract: contractOf(input, 'toToken'),
		slippage: trimmedText(options.slippage),
		showBridgeData: options.showBridgeData,
	};
	const parameters: IDataObject = { inputNetwork, outputNetwork, inputTokenAmount, sourceAddress, destinationAddress };
	for (const [name, value] of Object.entries(optional)) {
		if (value !== '' && value !== undefined) parameters[name] = value;
	}
	return { ...parameters, ...furtherParameters(options) };
}

/**
 * The token's address as the service is asked for it. The published example leaves the native token out, so what the list
 * calls native is left out, too; an address that the user gave is sent as it is.
 */
function contractOf(input: OperationInput, name: string): string {
	const address = locatorParameter(input, name);
	const isFromList = field(input.context.getNodeParameter(name, input.itemIndex, ''), 'mode') === 'list';
	return isFromList && isAllZeroAddress(address) ? '' : address;
}

function furtherParameters(options: IDataObject): IDataObject {
	const entries = isPlainObject(options.queryParameters) ? options.queryParameters.parameter : undefined;
	if (!Array.isArray(entries)) return {};
	const named = entries.filter(isPlainObject).map((entry) => [trimmedText(entry.name), trimmedText(entry.value)] as const);
	return Object.fromEntries(named.filter(([name]) => name !== ''));
}

function required(input: OperationInput, label: string, value: string): string {
	if (value !== '') return value;
	throw inputError(input, `${label} is empty`, `Fill in ${label}. If it comes from an expression, check that the previous step gives it for this item.`);
}

function parametersFromJson(input: OperationInput): IDataObject {
	const given = input.context.getNodeParameter('quoteJson', input.itemIndex, '');
	const parsed = typeof given === 'string' ? parseOrNull(given) : given;
	if (!isPlainObject(parsed)) {
		throw inputError(input, 'The JSON is not an object with query parameters', 'Enter an object such as { "inputNetwork": 1, "outputNetwork": 2 }.');
	}
	return queryParameters(input, parsed);
}

function parseOrNull(text: string): unknown {
	try {
		return parseJsonExactly(text);
	} catch {
		return null;
	}
}

function queryParameters(input: OperationInput, parsed: PlainObject): IDataObject {
	const parameters: IDataObject = {};
	for (const [name, value] of Object.entries(parsed)) {
		if (value === null || value === undefined) continue;
		if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
			throw inputError(input, `The JSON holds in "${name}" a number that cannot be held exactly`, 'Put the digits in quotes, so that none is lost.');
		}
		if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
			throw inputError(input, `The JSON holds in "${name}" something other than text, a number or a boolean`, 'A query parameter has one plain value.');
		}
		parameters[name] = value;
	}
	return parameters;
}

export const getQuote: Operation = {
	option: {
		name: 'Get Quote',
		value: 'getQuote',
		description: 'Get a quote for a bridge with its fees and the transaction data to submit',
		action: 'Get quote',
	},
	properties: shownFor('getQuote', QUOTE_FIELDS),
	run: async (input) => await runItems(input, execute),
};
