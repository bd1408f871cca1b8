import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	isNotFound,
	isOrderError,
	type NodeErrorOptions,
	parameterNamed,
	type ServiceError,
} from '../service/errors';
import { type KnownDecimals, PLAIN_DISPLAY } from '../orders/display';
import { parsedOrNull } from '../orders/exactJson';
import { isAllZeroAddress } from '../orders/networks';
import {
	isDocumented,
	isForToken,
	QUOTE_LABELS,
	quoteItem,
	type QuoteSource,
	statedInputDecimals,
} from '../orders/quotes';
import { field, isPlainObject, type PlainObject, trimmedText } from '../orders/values';
import { throwIfAddressIsWrong } from '../fields/orderFields';
import { outputProperties, shapedItem } from '../fields/outputFields';
import {
	emptyError,
	inputError,
	itemError,
	type OperationInput,
	optionalText,
	requiredText,
} from '../fields/parameters';
import {
	type AmountOf,
	checkDecimals,
	enteredAmount,
	inSmallestUnit,
	knownDecimals,
	type Learned,
	learnedDecimals,
	type LearnedDecimals,
	unknownDecimalsError,
} from './quoteAmount';
import { displayOptionsOf, TOKEN_DECIMALS } from '../fields/displayFields';
import {
	networkField,
	optionsProperty,
	rowsField,
	shownWith,
	textField,
	tokenField,
} from '../fields/fieldTypes';
import { type Operation, runItems } from './operation';

interface QuoteInput extends OperationInput {
	learned: LearnedDecimals;
}

async function execute(input: QuoteInput): Promise<IDataObject[]> {
	const options = displayOptionsOf(input);
	const isJson =
		input.context.getNodeParameter('specifyQuote', input.itemIndex, 'fields') === 'json';
	const source = isJson
		? // Who enters JSON knows the parameters by the service's names.
			await ask(input, parametersFromJson(input), {})
		: await quoteFromFields(input, options.tokenDecimals);
	const display = { ...options, networks: await input.networks.get() };
	return [shapedItem(input, 'quoteId', quoteItem(source, display, Date.now()), display)];
}

async function ask(
	input: QuoteInput,
	asked: IDataObject,
	labels?: NodeErrorOptions['labels'],
): Promise<QuoteSource> {
	const response = await input.service.quote(asked);
	if (!response.ok) throw await quoteError(input, response.error, labels);
	return { asked, quote: response.data };
}

async function quoteError(
	input: QuoteInput,
	error: ServiceError,
	labels: NodeErrorOptions['labels'] = QUOTE_LABELS,
) {
	if (isNotFound(error)) await throwIfAddressIsWrong(input);
	return itemError(input, error, { asked: 'quote', labels });
}

async function quoteFromFields(
	input: QuoteInput,
	tokenDecimals: AmountOf['tokenDecimals'],
): Promise<QuoteSource> {
	const parameters = parametersFromFields(input);
	// A further query parameter replaces the Amount.
	if (parameters.inputTokenAmount !== undefined) return await ask(input, parameters);
	const { isInTokenUnits, text } = enteredAmount(input);
	if (!isInTokenUnits) return await ask(input, { ...parameters, inputTokenAmount: text });

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
		(await knownDecimals(input, of)) ?? (await decimalsFromQuotes(input, of, parameters));
	const inputTokenAmount = inSmallestUnit(input, text, known.decimals);
	const quoted = await ask(input, { ...parameters, inputTokenAmount });
	checkDecimals(input, known, statedInputDecimals(quoted.quote));
	return quoted;
}

/** One token of 6, 18 and 9 decimals: one of these suits any token. */
const SMALL_AMOUNTS = [6, 18, 9].map((decimals) => `1${'0'.repeat(decimals)}`);

async function decimalsFromQuotes(
	input: QuoteInput,
	of: AmountOf,
	parameters: IDataObject,
): Promise<KnownDecimals> {
	const said = await learnedDecimals(input.learned, of, parameters, () =>
		askForDecimals(input, of, parameters),
	);
	if (typeof said === 'number') return { decimals: said, from: 'service' };
	if (said === 'otherToken')
		throw inputError(
			input,
			"The quote is for another token than 'From Token'",
			"Its decimals were not used. Check 'From Token', or enter 'Amount' in the smallest unit.",
		);
	if (said === null || isAboutAmount(said)) throw unknownDecimalsError(input, said);
	throw await quoteError(input, said);
}

async function askForDecimals(
	{ service }: QuoteInput,
	{ token }: AmountOf,
	parameters: IDataObject,
): Promise<Learned> {
	let error: ServiceError | null = null;
	for (const inputTokenAmount of SMALL_AMOUNTS) {
		const response = await service.quote({ ...parameters, inputTokenAmount });
		if (response.ok)
			return isForToken(response.data, token) ? statedInputDecimals(response.data) : 'otherToken';
		({ error } = response);
		if (!isAboutAmount(error)) break;
	}
	return error;
}

/** Any rejection but that of a network may stand for too little or too much. */
function isAboutAmount(error: ServiceError): boolean {
	const named = parameterNamed(error, QUOTE_LABELS);
	const isOfNetwork = named === 'inputNetwork' || named === 'outputNetwork';
	return isOrderError(error) && !isNotFound(error) && !isOfNetwork;
}

/** The query parameters without the Amount; a further parameter of the same name wins. */
function parametersFromFields(input: OperationInput): IDataObject {
	const options = input.context.getNodeParameter('options', input.itemIndex, {}) as IDataObject;
	const parameters: IDataObject = {
		inputNetwork: requiredText(input, 'From Network', 'fromNetwork'),
		outputNetwork: requiredText(input, 'To Network', 'toNetwork'),
		sourceAddress: requiredText(input, 'Sender', 'sender'),
		destinationAddress: requiredText(input, 'Recipient', 'recipient'),
		inputTokenContract: contractOf(input, 'From Token', 'fromToken'),
		outputTokenContract: contractOf(input, 'To Token', 'toToken'),
		slippage: optionalText(input, 'Slippage', 'options.slippage'),
		showBridgeData: options.showBridgeData,
	};
	const given = Object.entries(parameters).filter(([, value]) => (value ?? '') !== '');
	return { ...Object.fromEntries(given), ...furtherParameters(input, options) };
}

/** Empty for the list's native token, which the published example leaves out. */
function contractOf(input: OperationInput, label: string, name: string): string {
	const address = optionalText(input, label, name);
	const isFromList =
		field(input.context.getNodeParameter(name, input.itemIndex, ''), 'mode') === 'list';
	return isFromList && isAllZeroAddress(address) ? '' : address;
}

function furtherParameters(input: OperationInput, options: IDataObject): IDataObject {
	const rows = field(options.queryParameters, 'parameter');
	const named = (Array.isArray(rows) ? rows : []).filter(isPlainObject).map(({ name, value }) => {
		const label = trimmedText(name);
		if (label !== '' && (value ?? null) === null)
			throw emptyError(input, label, `Fill in '${label}'`);
		return [label, value];
	});
	return queryParameters(input, Object.fromEntries(named));
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

function queryParameters(input: OperationInput, given: PlainObject): IDataObject {
	const parameters: IDataObject = {};
	for (const [name, value] of Object.entries(given)) {
		if (name === '' || value === null || value === undefined) continue;
		if (typeof value === 'object') {
			throw inputError(
				input,
				`The value of "${name}" must be text, a number or a boolean`,
				'Lists and nested objects cannot be sent.',
			);
		}
		if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
			throw inputError(
				input,
				`The number in "${name}" may have lost digits`,
				'Put its digits in quotes, so that it stays exact.',
			);
		}
		parameters[name] = typeof value === 'boolean' ? value : trimmedText(value);
	}
	return parameters;
}

function endOfRoute(end: 'From' | 'To', token: string): INodeProperties[] {
	const name = end.toLowerCase();
	return [
		networkField({
			displayName: `${end} Network`,
			name: `${name}Network`,
			required: true,
			description: `The network to bridge ${name}`,
		}),
		tokenField(
			end,
			`${token} Leave empty for the network's native token, such as ETH on Ethereum. Choosing another ${end} Network clears this field.`,
		),
	];
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
	{
		...textField(
			'Amount',
			'amount',
			'0.5',
			"How much to bridge, in the unit of 'Amount Unit': 0.5 in token units, digits only in the smallest unit. No thousands separators.",
		),
		required: true,
	},
	walletField('Sender', 'sender', 'The wallet that sends, as an address of the source network'),
	walletField(
		'Recipient',
		'recipient',
		'The wallet that receives, as an address of the destination network',
	),
];

const QUERY_OPTIONS: INodeProperties[] = [
	rowsField(
		'Further Query Parameters',
		'queryParameters',
		"Additional query parameters, by the bridge's names. They override the field that sends the same parameter, for example inputTokenAmount for Amount.",
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

export const getQuote: Operation = {
	option: {
		name: 'Get Quote',
		value: 'getQuote',
		description:
			'Get the fees and the amount received for a transfer, with the transaction data to submit',
		action: 'Get quote',
	},
	properties: [
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
	],
	run: async (input) => {
		const learned: LearnedDecimals = new Map();
		return await runItems(input, async (item) => await execute({ ...item, learned }));
	},
};
