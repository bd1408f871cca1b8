import type { INodeProperties } from 'n8n-workflow';

import { TOKEN_DECIMALS } from '../fields/displayFields';
import { networkField, rowsField, shownWith, textField, tokenField } from '../fields/fieldTypes';
import { optionsProperty, outputProperties } from '../fields/outputFields';
import { PLAIN_DISPLAY } from '../orders/display';
import { quoteItem } from '../orders/quotes';

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

function amountField(amountUnit: string, example: string, description: string): INodeProperties[] {
	const field = textField('Amount', 'amount', example, description);
	return shownWith({ amountUnit: [amountUnit] }, [{ ...field, required: true }]);
}

function walletField(displayName: string, name: string, description: string): INodeProperties {
	const example = '0x52908400098527886e0f7030069857d2e4169ee7';
	return { ...textField(displayName, name, example, description), required: true };
}

const FIELDS: INodeProperties[] = [
	...endOfRoute('From', 'The token to bridge, by its address on the source network.'),
	...endOfRoute('To', 'The token to receive, by its address on the destination network.'),
	{
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
	},
	...amountField(
		'smallestUnit',
		'500000000000000000',
		"How much to bridge, in the token's smallest unit, digits only: 0.5 of a token with 18 decimals is 500000000000000000",
	),
	...amountField(
		'tokenUnits',
		'0.5',
		'How much to bridge, in token units, for example 1246.87. No thousands separators.',
	),
	walletField('Sender', 'sender', 'The wallet that sends, as an address of the source network'),
	walletField(
		'Recipient',
		'recipient',
		'The wallet that receives, as an address of the destination network',
	),
];

/** Options without use where JSON has all query parameters. */
const QUERY_OPTIONS: INodeProperties[] = [
	rowsField(
		{
			displayName: 'Further Query Parameters',
			name: 'queryParameters',
			description:
				"Additional query parameters, by the bridge's names. They override the field that sends the same parameter, for example inputTokenAmount for Amount.",
		},
		{
			displayName: 'Parameter',
			name: 'parameter',
			values: [
				textField(
					'Name',
					'name',
					'referral',
					'The name of the query parameter, as the bridge spells it',
				),
				textField('Value', 'value', 'my-wallet', 'The value to send, as text'),
			],
		},
	),
	{
		displayName: 'Show Bridge Data',
		name: 'showBridgeData',
		type: 'boolean',
		default: true,
		description:
			'Whether the quote should contain the transaction data to submit. If not added, nothing is sent and the bridge decides.',
	},
	textField(
		'Slippage',
		'slippage',
		'0.5',
		'The maximum slippage, in the unit your bridge uses (percent or basis points). Sent exactly as entered.',
	),
];

export const QUOTE_FIELDS: INodeProperties[] = [
	{
		displayName: 'Specify Quote',
		name: 'specifyQuote',
		type: 'options',
		default: 'fields',
		description: 'Fill in fields, or enter all parameters as JSON',
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
	},
	...shownWith({ specifyQuote: ['fields'] }, FIELDS),
	{
		displayName: 'Query Parameters',
		name: 'quoteJson',
		type: 'json',
		required: true,
		default:
			'{\n  "inputNetwork": 1,\n  "outputNetwork": 2,\n  "inputTokenAmount": "500000000000000000",\n  "sourceAddress": "",\n  "destinationAddress": ""\n}',
		description:
			"All query parameters of the quote as a JSON object, under the names the bridge gives them. Amounts are in the token's smallest unit; put them in quotes.",
		displayOptions: { show: { specifyQuote: ['json'] } },
	},
	...outputProperties('quoteId', quoteItem({ quote: {}, asked: {} }, PLAIN_DISPLAY, 0).full),
	optionsProperty([...shownWith({ '/specifyQuote': ['fields'] }, QUERY_OPTIONS), TOKEN_DECIMALS]),
];
