import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { parseJsonExactly } from '../bridge/exactJson';
import { isPlainObject, type PlainObject } from '../bridge/values';
import { inputError, locatorParameter, type Operation, type OperationInput, refusalError, shownFor, textParameter, trimmedText } from './operation';
import { runItems } from './runItems';

async function execute(input: OperationInput): Promise<IDataObject[]> {
	const specify = input.context.getNodeParameter('specifyQuote', input.itemIndex, 'fields');
	const answer = await input.service.quote(specify === 'json' ? parametersFromJson(input) : parametersFromFields(input));
	if (!answer.ok) throw refusalError(input, answer.refusal);
	return [answer.data as IDataObject];
}

/** The query parameters by the names that are publicly documented; a further parameter of the same name wins. */
function parametersFromFields(input: OperationInput): IDataObject {
	const options = input.context.getNodeParameter('options', input.itemIndex, {}) as IDataObject;
	const parameters: IDataObject = {
		inputNetwork: required(input, 'From Network', locatorParameter(input, 'fromNetwork')),
		outputNetwork: required(input, 'To Network', locatorParameter(input, 'toNetwork')),
		inputTokenAmount: amountOf(input),
		sourceAddress: required(input, 'Sender', textParameter(input, 'sender')),
		destinationAddress: required(input, 'Recipient', textParameter(input, 'recipient')),
	};
	const optional: IDataObject = {
		inputTokenContract: locatorParameter(input, 'fromToken'),
		outputTokenContract: locatorParameter(input, 'toToken'),
		slippage: trimmedText(options.slippage),
		showBridgeData: options.showBridgeData,
	};
	for (const [name, value] of Object.entries(optional)) {
		if (value !== '' && value !== undefined) parameters[name] = value;
	}
	return { ...parameters, ...furtherParameters(options) };
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

/** Digits only: a number type would round what is larger than 2^53. */
function amountOf(input: OperationInput): string {
	const given = input.context.getNodeParameter('amount', input.itemIndex, '');
	if (typeof given === 'number' && !Number.isSafeInteger(given)) {
		throw inputError(input, 'The Amount is a number that cannot be held exactly', 'Give the amount as text, for example with quotes around it, so that no digit is lost.');
	}
	const amount = required(input, 'Amount', trimmedText(given));
	if (!/^\d+$/.test(amount)) {
		throw inputError(input, 'The Amount must be digits only', "Enter the amount in the token's smallest unit, without dot, comma, sign or letters: 0.5 of a token with 18 decimals is 500000000000000000.");
	}
	if (/^0+$/.test(amount)) throw inputError(input, 'The Amount is zero', "Enter the amount in the token's smallest unit, for example 500000000000000000.");
	return amount;
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

function networkField(displayName: string, name: string, description: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'id', value: '' },
		description,
		modes: [{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 1' }],
		displayOptions: { show: { specifyQuote: ['fields'] } },
	};
}

function tokenField(displayName: string, name: string, description: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'address', value: '' },
		description,
		modes: [
			{
				displayName: 'By Address',
				name: 'address',
				type: 'string',
				placeholder: 'e.g. 0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
			},
		],
		displayOptions: { show: { specifyQuote: ['fields'] } },
	};
}

function textField(displayName: string, name: string, placeholder: string, description: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		required: true,
		default: '',
		placeholder,
		description,
		displayOptions: { show: { specifyQuote: ['fields'] } },
	};
}

export const getQuote: Operation = {
	option: {
		name: 'Get Quote',
		value: 'getQuote',
		description: 'Get a quote for a bridge with its fees and the transaction data to submit',
		action: 'Get quote',
	},
	properties: shownFor('getQuote', [
		{
			displayName: 'Specify Quote',
			name: 'specifyQuote',
			type: 'options',
			default: 'fields',
			description: 'How to say what to quote',
			options: [
				{ name: 'Using Fields Below', value: 'fields' },
				{ name: 'Using JSON', value: 'json' },
			],
		},
		networkField('From Network', 'fromNetwork', "The network to bridge from, by the service's own network ID"),
		tokenField('From Token', 'fromToken', 'The token to bridge, by its address on the source network. Leave empty for the native token.'),
		networkField('To Network', 'toNetwork', "The network to bridge to, by the service's own network ID"),
		tokenField('To Token', 'toToken', 'The token to receive, by its address on the destination network. Leave empty for the native token.'),
		textField('Amount', 'amount', 'e.g. 500000000000000000', "How much to bridge, in the token's smallest unit, digits only: 0.5 of a token with 18 decimals is 500000000000000000"),
		textField('Sender', 'sender', 'e.g. 0x52908400098527886e0f7030069857d2e4169ee7', 'The wallet address that sends on the source network'),
		textField('Recipient', 'recipient', 'e.g. 0x52908400098527886e0f7030069857d2e4169ee7', 'The wallet address that receives on the destination network'),
		{
			displayName: 'Query Parameters',
			name: 'quoteJson',
			type: 'json',
			required: true,
			default: '{\n  "inputNetwork": 1,\n  "outputNetwork": 2,\n  "inputTokenAmount": "500000000000000000",\n  "sourceAddress": "",\n  "destinationAddress": ""\n}',
			description: 'All query parameters of the quote as a JSON object, under the names the service gives them. Put large amounts in quotes.',
			displayOptions: { show: { specifyQuote: ['json'] } },
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			displayOptions: { show: { specifyQuote: ['fields'] } },
			options: [
				{
					displayName: 'Further Query Parameters',
					name: 'queryParameters',
					type: 'fixedCollection',
					typeOptions: { multipleValues: true },
					placeholder: 'Add parameter',
					default: {},
					description: 'Query parameters that have no field here. One that has a field replaces it.',
					options: [
						{
							displayName: 'Parameter',
							name: 'parameter',
							values: [
								{
									displayName: 'Name',
									name: 'name',
									type: 'string',
									default: '',
									placeholder: 'e.g. referral',
									description: 'The name of the query parameter, as the service spells it',
								},
								{
									displayName: 'Value',
									name: 'value',
									type: 'string',
									default: '',
									description: 'The value to send',
								},
							],
						},
					],
				},
				{
					displayName: 'Show Bridge Data',
					name: 'showBridgeData',
					type: 'boolean',
					default: true,
					description: 'Whether the quote should hold the transaction data to submit',
				},
				{
					displayName: 'Slippage',
					name: 'slippage',
					type: 'string',
					default: '',
					placeholder: 'e.g. 0.5',
					description: 'The slippage to allow, passed on as you enter it: ask the service for its unit',
				},
			],
		},
	]),
	run: async (input) => await runItems(input, execute),
};
