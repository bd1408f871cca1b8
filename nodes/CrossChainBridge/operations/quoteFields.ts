import type { INodeProperties } from 'n8n-workflow';

import { networkField, tokenField } from './locatorFields';

const IN_FIELDS = { show: { specifyQuote: ['fields'] } };

const SPECIFY_QUOTE: INodeProperties = {
	displayName: 'Specify Quote',
	name: 'specifyQuote',
	type: 'options',
	default: 'fields',
	description: 'How to say what to quote',
	options: [
		{ name: 'Using Fields Below', value: 'fields' },
		{ name: 'Using JSON', value: 'json' },
	],
};

const ROUTE: INodeProperties[] = [
	networkField({
		displayName: 'From Network',
		name: 'fromNetwork',
		required: true,
		whenEmpty: 'Choose a network...',
		description: "The network to bridge from: the service's own network ID, a whole number as Get Config shows it in chainID",
	}),
	tokenField({
		displayName: 'From Token',
		name: 'fromToken',
		networkField: 'fromNetwork',
		searchMethod: 'searchFromTokens',
		whenEmpty: 'Native token',
		description:
			'The token to bridge, by its address on the source network. Leave empty for the native token. Another From Network clears this field.',
	}),
	networkField({
		displayName: 'To Network',
		name: 'toNetwork',
		required: true,
		whenEmpty: 'Choose a network...',
		description: "The network to bridge to: the service's own network ID, a whole number as Get Config shows it in chainID",
	}),
	tokenField({
		displayName: 'To Token',
		name: 'toToken',
		networkField: 'toNetwork',
		searchMethod: 'searchToTokens',
		whenEmpty: 'Native token',
		description:
			'The token to receive, by its address on the destination network. Leave empty for the native token. Another To Network clears this field.',
	}),
];

const AMOUNT: INodeProperties[] = [
	{
		displayName: 'Amount Unit',
		name: 'amountUnit',
		type: 'options',
		noDataExpression: true,
		// Workflows that were saved before this field existed have no value for it and take the default: their amounts are
		// in the smallest unit, and read as token units they would be a million times what was meant, or more.
		default: 'smallestUnit',
		description: 'How the Amount is written',
		options: [
			{
				name: 'Smallest Unit',
				value: 'smallestUnit',
				description: "A whole number of the token's smallest unit, as the service takes it: 0.5 of a token with 18 decimals is 500000000000000000",
			},
			{
				name: 'Token Units',
				value: 'tokenUnits',
				description: 'As people write it: 0.5. For a token other than the native one, add the option Token Decimals.',
			},
		],
	},
	{
		displayName: 'Amount',
		name: 'amount',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 500000000000000000',
		description: "How much to bridge, in the token's smallest unit, digits only: 0.5 of a token with 18 decimals is 500000000000000000",
		displayOptions: { show: { amountUnit: ['smallestUnit'] } },
	},
	{
		displayName: 'Amount',
		name: 'amount',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 0.5',
		description: 'How much to bridge, in units of the token, with a dot before the decimals and without separators for thousands: 1246.87',
		displayOptions: { show: { amountUnit: ['tokenUnits'] } },
	},
];

const WALLETS: INodeProperties[] = [
	{
		displayName: 'Sender',
		name: 'sender',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 0x52908400098527886e0f7030069857d2e4169ee7',
		description: 'The wallet address that sends, as the source network writes addresses',
	},
	{
		displayName: 'Recipient',
		name: 'recipient',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 0x52908400098527886e0f7030069857d2e4169ee7',
		description: 'The wallet address that receives, as the destination network writes addresses',
	},
];

const JSON_PARAMETERS: INodeProperties = {
	displayName: 'Query Parameters',
	name: 'quoteJson',
	type: 'json',
	required: true,
	default:
		'{\n  "inputNetwork": 1,\n  "outputNetwork": 2,\n  "inputTokenAmount": "500000000000000000",\n  "sourceAddress": "",\n  "destinationAddress": ""\n}',
	description:
		"All query parameters of the quote as a JSON object, under the names the service gives them. Amounts are in the token's smallest unit; put them in quotes.",
	displayOptions: { show: { specifyQuote: ['json'] } },
};

const OPTIONS: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
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
							placeholder: 'e.g. my-wallet',
							description: 'The value to send, as text',
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
		{
			displayName: 'Token Decimals',
			name: 'inputDecimals',
			// Text, since a number field would begin with a number that nobody chose.
			type: 'string',
			default: '',
			placeholder: 'e.g. 6',
			description:
				"How many decimals the From Token has, a whole number from 0 to 255. Needed for an Amount in Token Units of any token but the native one, whose decimals the service's configuration states.",
		},
	],
};

/** The fields of Get Quote, in the editor's order. */
export const QUOTE_FIELDS: INodeProperties[] = [
	SPECIFY_QUOTE,
	...[...ROUTE, ...AMOUNT, ...WALLETS].map(inFields),
	JSON_PARAMETERS,
	inFields(OPTIONS),
];

/** A field that belongs to the way with fields, besides any condition it has already. */
function inFields(property: INodeProperties): INodeProperties {
	return { ...property, displayOptions: { show: { ...IN_FIELDS.show, ...property.displayOptions?.show } } };
}
