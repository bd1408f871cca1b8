import type { INodeProperties } from 'n8n-workflow';

import { optionsProperty, outputProperties } from '../fields/outputFields';
import { PLAIN_DISPLAY } from '../orders/display';
import { quoteItem } from '../orders/quotes';
import { networkField, tokenField } from '../fields/locatorFields';
import { TOKEN_DECIMALS } from '../fields/displayFields';

const SPECIFY_QUOTE: INodeProperties = {
	displayName: 'Specify Quote',
	name: 'specifyQuote',
	type: 'options',
	default: 'fields',
	description: 'Fill in fields, or enter all parameters as JSON',
	options: [
		{ name: 'Using Fields Below', value: 'fields' },
		{ name: 'Using JSON', value: 'json' },
	],
};

function endOfRoute(end: 'From' | 'To', token: string): INodeProperties[] {
	const name = end.toLowerCase();
	return [
		networkField({
			displayName: `${end} Network`,
			name: `${name}Network`,
			required: true,
			whenEmpty: 'Choose a network...',
			description: `The network to bridge ${name}: the bridge's own network ID, a whole number as Get Config shows it in chainID`,
		}),
		tokenField({
			displayName: `${end} Token`,
			name: `${name}Token`,
			networkField: `${name}Network`,
			searchMethod: `search${end}Tokens`,
			whenEmpty: 'Native token',
			description: `${token} Leave empty for the network's native token, such as ETH on Ethereum. Choosing another ${end} Network clears this field.`,
		}),
	];
}

const ROUTE: INodeProperties[] = [
	...endOfRoute('From', 'The token to bridge, by its address on the source network.'),
	...endOfRoute('To', 'The token to receive, by its address on the destination network.'),
];

const AMOUNT_UNIT: INodeProperties = {
	displayName: 'Amount Unit',
	name: 'amountUnit',
	type: 'options',
	noDataExpression: true,
	default: 'tokenUnits',
	description: "Whether 'Amount' is in tokens (0.5) or in the token's smallest unit",
	options: [
		{
			name: 'Token Units',
			value: 'tokenUnits',
			description:
				"The way you normally write it, such as 0.5. The token's decimals come from the bridge.",
		},
		{
			name: 'Smallest Unit',
			value: 'smallestUnit',
			description:
				'Digits only, as the bridge counts: 0.5 of a token with 18 decimals is 500000000000000000',
		},
	],
};

function amountField(unit: string, placeholder: string, description: string): INodeProperties {
	return {
		displayName: 'Amount',
		name: 'amount',
		type: 'string',
		required: true,
		default: '',
		placeholder,
		description,
		displayOptions: { show: { amountUnit: [unit] } },
	};
}

const AMOUNT: INodeProperties[] = [
	AMOUNT_UNIT,
	amountField(
		'smallestUnit',
		'e.g. 500000000000000000',
		"How much to bridge, in the token's smallest unit, digits only: 0.5 of a token with 18 decimals is 500000000000000000",
	),
	amountField(
		'tokenUnits',
		'e.g. 0.5',
		'How much to bridge, in token units, for example 1246.87. No thousands separators.',
	),
];

function walletField(displayName: string, name: string, description: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 0x52908400098527886e0f7030069857d2e4169ee7',
		description,
	};
}

const WALLET_FIELDS: INodeProperties[] = [
	walletField('Sender', 'sender', 'The wallet that sends, as an address of the source network'),
	walletField(
		'Recipient',
		'recipient',
		'The wallet that receives, as an address of the destination network',
	),
];

const JSON_PARAMETERS: INodeProperties = {
	displayName: 'Query Parameters',
	name: 'quoteJson',
	type: 'json',
	required: true,
	default:
		'{\n  "inputNetwork": 1,\n  "outputNetwork": 2,\n  "inputTokenAmount": "500000000000000000",\n  "sourceAddress": "",\n  "destinationAddress": ""\n}',
	description:
		"All query parameters of the quote as a JSON object, under the names the bridge gives them. Amounts are in the token's smallest unit; put them in quotes.",
	displayOptions: { show: { specifyQuote: ['json'] } },
};

/** Options without use where JSON has all query parameters. */
const QUERY_OPTIONS: INodeProperties[] = [
	{
		displayName: 'Further Query Parameters',
		name: 'queryParameters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add parameter',
		default: {},
		description:
			"Additional query parameters, by the bridge's names. They override the field that sends the same parameter, for example inputTokenAmount for Amount.",
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
						description: 'The name of the query parameter, as the bridge spells it',
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
		description:
			'Whether the quote should contain the transaction data to submit. If not added, nothing is sent and the bridge decides.',
	},
	{
		displayName: 'Slippage',
		name: 'slippage',
		type: 'string',
		default: '',
		placeholder: 'e.g. 0.5',
		description:
			'The maximum slippage, in the unit your bridge uses (percent or basis points). Sent exactly as entered.',
	},
];

export const QUOTE_FIELDS: INodeProperties[] = [
	SPECIFY_QUOTE,
	...[...ROUTE, ...AMOUNT, ...WALLET_FIELDS].map((property) => ({
		...property,
		displayOptions: { show: { specifyQuote: ['fields'], ...property.displayOptions?.show } },
	})),
	JSON_PARAMETERS,
	...outputProperties('quoteId', quoteItem({ quote: {}, asked: {} }, PLAIN_DISPLAY, 0).full),
	optionsProperty([
		...QUERY_OPTIONS.map((option) => ({
			...option,
			displayOptions: { show: { '/specifyQuote': ['fields'] } },
		})),
		TOKEN_DECIMALS,
	]),
];
