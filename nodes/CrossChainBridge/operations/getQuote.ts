import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { PLAIN_DISPLAY } from '../orders/display';
import { parsedOrNull } from '../orders/exactJson';
import { isSender, isWallet } from '../orders/expectation';
import { nameReader } from '../orders/fieldNames';
import { shownText } from '../orders/plainText';
import {
	areOwnNames,
	isDocumented,
	mayNameToken,
	otherToken,
	QUOTE_LABELS,
	quoteItem,
	type QuoteSource,
} from '../orders/quotes';
import { isEmpty, isPlainObject, trimmedText, visibleText } from '../orders/values';
import { rowsByKey, TOKEN_DECIMALS, tokenDecimals } from '../fields/displayFields';
import {
	choiceField,
	networkField,
	optionsProperty,
	requiredTextField,
	rowsField,
	shownWith,
	switchField,
	textField,
	tokenField,
} from '../fields/fieldTypes';
import { outputFields } from '../fields/outputFields';
import type { FieldReader } from '../fields/reader';
import { readNetwork, readToken } from '../fields/route';
import {
	AMOUNT_PROPERTIES,
	askForQuote,
	enteredAmount,
	otherTokenError,
	type QuoteInput,
	quoteOfTokenUnits,
} from './quoteAmount';
import { type Operation, runItems } from './operation';

const SPECIFY_QUOTE = choiceField(
	'Specify Quote',
	'specifyQuote',
	'fields',
	'How to enter the quote: in fields, or with all query parameters as JSON',
	[
		['Using Fields Below', 'fields'],
		['Using JSON', 'json'],
	],
);

function endOfRoute(end: 'From' | 'To', does: string) {
	const side = end === 'From' ? 'source' : 'destination';
	return {
		network: networkField({
			displayName: `${end} Network`,
			name: `${end.toLowerCase()}Network`,
			required: true,
			description: `The network to bridge ${end.toLowerCase()}. In the By ID mode, enter the bridge's own network ID or the network's name, which Get Config returns as chainID and name.`,
		}),
		token: tokenField(
			end,
			`The token to ${does} on the ${side} network. In the Address mode, enter the token's address, its symbol, or NATIVE for the network's own token, such as ETH on Ethereum.`,
		),
	};
}

const FROM = endOfRoute('From', 'bridge');
const TO = endOfRoute('To', 'receive');

const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7';

const SENDER = requiredTextField(
	'Sender',
	'sender',
	WALLET,
	'The wallet that sends, as an address of the source network',
);

const RECIPIENT = requiredTextField(
	'Recipient',
	'recipient',
	WALLET,
	'The wallet that receives, as an address of the destination network',
);

const ROUTE = [FROM.network, FROM.token, TO.network, TO.token];
const FIELDS = [...ROUTE, ...AMOUNT_PROPERTIES, SENDER, RECIPIENT];

const QUERY_PARAMETERS: INodeProperties = {
	displayName: 'Query Parameters',
	name: 'quoteJson',
	type: 'json',
	required: true,
	default:
		'{\n  "inputNetwork": 1,\n  "outputNetwork": 2,\n  "inputTokenAmount": "500000000000000000",\n  "sourceAddress": "",\n  "destinationAddress": ""\n}',
	description:
		"All query parameters of the quote as a JSON object, under the bridge's own names. Amounts are in the token's smallest unit; put them in quotation marks. A token that you leave out is the native token.",
};

const PARAMETER_NAME = textField(
	'Name',
	'name',
	'referral',
	'The name of the query parameter, as the bridge spells it',
);

const PARAMETER_VALUE = textField('Value', 'value', 'my-wallet', 'The value to send, as text');

const FURTHER_PARAMETERS = rowsField(
	'Additional Query Parameters',
	'queryParameters',
	"More query parameters that your bridge accepts, under the bridge's own names. A parameter that has a field here, such as inputTokenAmount, is refused.",
	{ displayName: 'Parameter', name: 'parameter', values: [PARAMETER_NAME, PARAMETER_VALUE] },
);

const SHOW_BRIDGE_DATA = switchField(
	'Show Bridge Data',
	'showBridgeData',
	true,
	"Whether to include the transaction data that your wallet submits. If you don't add this option, the bridge decides.",
);

const SLIPPAGE = textField(
	'Slippage',
	'slippage',
	'0.5',
	'The maximum slippage, in the unit your bridge uses (percent or basis points). The number is sent as you enter it, with a dot before the decimals.',
);

const OPTIONS = optionsProperty([
	...shownWith({ '/specifyQuote': ['fields'] }, [FURTHER_PARAMETERS, SHOW_BRIDGE_DATA, SLIPPAGE]),
	TOKEN_DECIMALS,
]);

const OUTPUT = outputFields('quoteId', quoteItem({ quote: {}, asked: {} }, PLAIN_DISPLAY, 0).full);

async function execute(input: QuoteInput): Promise<() => IDataObject[]> {
	const { fields, networks } = input;
	const options = fields.inside(OPTIONS);
	const decimals = tokenDecimals(options);
	const shape = OUTPUT.shapeOf(input);
	const isJson = fields.choice(SPECIFY_QUOTE) === 'json';
	// Anyone who enters JSON knows the parameters by the service's names.
	const labels = isJson ? {} : QUOTE_LABELS;
	const source = isJson
		? await askForQuote(input, parametersFromJson(fields), labels)
		: await quoteFromFields(input, options, decimals);
	const display = { ...PLAIN_DISPLAY, tokenDecimals: decimals, networks: await networks.get() };
	const other = otherToken(source, 'input', display) ?? otherToken(source, 'output', display);
	if (other !== null) throw otherTokenError(input, other, labels);
	// A quote ages while others are asked for.
	return () => [shape(quoteItem(source, display, Date.now()), display)];
}

async function quoteFromFields(
	input: QuoteInput,
	options: FieldReader,
	tokenDecimals: ReadonlyMap<string, number>,
): Promise<QuoteSource> {
	const { fields } = input;
	// An empty one is refused before the configuration is asked for.
	for (const field of ROUTE) fields.located(field);
	const further = furtherParameters(options);
	const wallets = {
		sourceAddress: fields.checked(SENDER, isSender, COMPLETE_WALLET),
		destinationAddress: fields.checked(RECIPIENT, isWallet, OWN_WALLET),
	};
	const amount = enteredAmount(fields);
	const configuration = await input.service.networks();
	const endSent = (side: 'input' | 'output', { network, token }: typeof FROM): IDataObject => {
		const of = readNetwork(input, network, configuration);
		return { [`${side}Network`]: of.id, [`${side}TokenContract`]: readToken(input, token, of) };
	};
	// Undefined parameters are left out.
	const parameters: IDataObject = {
		...endSent('input', FROM),
		...endSent('output', TO),
		...wallets,
		slippage: options.has(SLIPPAGE) ? options.digits(SLIPPAGE) : undefined,
		showBridgeData: options.has(SHOW_BRIDGE_DATA) ? options.isOn(SHOW_BRIDGE_DATA) : undefined,
		...further,
	};
	if (!amount.isInTokenUnits)
		return await askForQuote(input, { inputTokenAmount: amount.text, ...parameters });
	const units = { amount: amount.text, parameters, configuration, tokenDecimals };
	return await quoteOfTokenUnits(input, units);
}

function furtherParameters(options: FieldReader): IDataObject {
	const rows = rowsByKey(options, FURTHER_PARAMETERS, (row) => {
		const name = row.text(PARAMETER_NAME);
		const meant = parameterMeant(name);
		if (meant !== null)
			throw row.refuse(
				`"${shownText(name)}" has a field of its own`,
				// The parameter is in the smallest unit, which the field is not by default.
				meant === 'inputTokenAmount'
					? `Choose Smallest Unit as 'Amount Unit', enter the value in '${LABELS[meant]}', and remove this row.`
					: `Enter the value in '${LABELS[meant]}', and remove this row.`,
			);
		const value = row.value(PARAMETER_VALUE);
		if (isEmpty(value)) throw row.empty(PARAMETER_VALUE);
		return [name, sendable(options, name, value)];
	});
	return Object.fromEntries(rows);
}

function parametersFromJson(fields: FieldReader): IDataObject {
	const given = fields.value(QUERY_PARAMETERS);
	const parsed = typeof given === 'string' ? parsedOrNull(given) : given;
	if (isPlainObject(parsed)) {
		const hasOwnNames = areOwnNames(Object.keys(parsed).map((name) => name.trim()));
		// No money depends on these. Of any other parameter null is no choice: without its tag, a deposit to an exchange can be lost.
		const isLeftOut = ([name, value]: [string, unknown]) =>
			(value ?? null) === null && ['slippage', 'showBridgeData'].includes(name.trim());
		const entries = Object.entries(parsed).filter((entry) => !isLeftOut(entry));
		const parameters = queryParameters(fields, entries, hasOwnNames);
		if (!hasOwnNames) throwIfTokenIsMisspelled(fields, parameters);
		return parameters;
	}
	const isBroken =
		typeof given === 'string' && parsed === null && !['', 'null'].includes(given.trim());
	throw fields.refuse(
		"'Query Parameters' must be a JSON object",
		isBroken
			? 'It cannot be read as JSON. An expression in it may have returned nothing. Check its expressions, quotation marks and commas.'
			: 'Enter an object such as { "inputNetwork": 1, "outputNetwork": 2 }.',
	);
}

/** A token under a name that the bridge does not read would become the native one. */
function throwIfTokenIsMisspelled(fields: FieldReader, parameters: IDataObject): void {
	const missing = ['inputTokenContract', 'outputTokenContract'].find(
		(name) => !(name in parameters),
	);
	const other = Object.keys(parameters).find(mayNameToken);
	if (missing !== undefined && other !== undefined)
		throw fields.refuse(
			`"${shownText(other)}" may be meant as "${missing}", which is missing`,
			'Correct the name, or leave out the parameter. A token that is left out is the native one.',
		);
}

/** Other names for documented query parameters: those of this node, and near ones. */
const SYNONYMS: Record<string, readonly string[]> = {
	inputNetwork: ['fromNetwork'],
	outputNetwork: ['toNetwork'],
	inputTokenContract: ['inputToken', 'inputTokenAddress', 'fromToken'],
	outputTokenContract: ['outputToken', 'outputTokenAddress', 'toToken'],
	inputTokenAmount: ['inputAmount', 'amount'],
	sourceAddress: ['sender', 'senderAddress'],
	destinationAddress: ['recipient', 'recipientAddress'],
};

const LABELS: Readonly<Record<string, string>> = QUOTE_LABELS;

const documentedBy = (synonyms: typeof SYNONYMS) =>
	nameReader(
		Object.fromEntries(Object.keys(QUOTE_LABELS).map((name) => [name, synonyms[name] ?? []])),
	);

/** Which documented query parameter a name means; null if it means none. */
const parameterMeant = documentedBy(SYNONYMS);

/** The same at a bridge that may have the synonyms for parameters of its own. */
const parameterMeantAtOther = documentedBy({});

const COMPLETE_WALLET = 'Enter the complete address of the wallet.';
const OWN_WALLET = `${COMPLETE_WALLET} An address of zeros belongs to nobody. For the price alone, any wallet of your own will do.`;

/** What the values of some documented query parameters must be, and what would fit. */
const CHECKED = new Map([
	['sourceAddress', { isRight: isSender, remedy: COMPLETE_WALLET }],
	['destinationAddress', { isRight: isWallet, remedy: OWN_WALLET }],
	[
		'inputTokenAmount',
		{
			isRight: (text: string) => /^0*[1-9]\d*$/.test(text),
			remedy: "Enter digits only, in the token's smallest unit, for example 500000000000000000.",
		},
	],
	[
		'slippage',
		{
			isRight: (text: string) => /^\d+(\.\d+)?$/.test(text),
			remedy: 'Enter a number with a dot before its decimals, for example 0.5.',
		},
	],
]);

function queryParameters(
	fields: FieldReader,
	entries: Array<[name: string, value: unknown]>,
	hasOwnNames: boolean,
): IDataObject {
	const nameMeant = hasOwnNames ? parameterMeantAtOther : parameterMeant;
	const parameters: IDataObject = {};
	for (const [key, value] of entries) {
		const name = key.trim();
		if (name === '') continue;
		if (Object.hasOwn(parameters, name))
			throw fields.refuse(
				`The query parameter "${shownText(name)}" is there twice`,
				'Keep the one that is right and remove the other.',
			);
		const meant = isDocumented(name) ? null : nameMeant(name);
		if (meant !== null)
			throw fields.refuse(
				`"${shownText(name)}" is probably the query parameter "${meant}"`,
				'Correct the name, or leave out the parameter. Under another name, the bridge may not read it.',
			);
		// The bridge takes a token without its address for the native one. A tag that is missing can lose the funds.
		const isToken = /TokenContract$/.test(name);
		if (isEmpty(value))
			throw fields.refuse(
				`The value of "${name}" is empty`,
				isToken
					? 'Enter the address of the token. For the native token, leave out the parameter.'
					: 'Enter a value, or leave out the parameter.',
			);
		const sent = sendable(fields, name, value);
		const text = visibleText(String(sent));
		const check = CHECKED.get(name);
		if (check?.isRight(text) === false)
			throw fields.refuse(`The value of "${name}" cannot be '${shownText(value)}'`, check.remedy);
		parameters[name] = typeof sent === 'string' && isDocumented(name) ? text : sent;
	}
	return parameters;
}

/** The value of a query parameter as it is sent. Throws for what no query can have, and for a number that may have lost digits. */
function sendable(fields: FieldReader, name: string, value: unknown): string | boolean {
	if (typeof value === 'object')
		throw fields.refuse(
			`The value of "${shownText(name)}" must be text, a number or a boolean`,
			'Lists and nested objects cannot be sent.',
		);
	if (Number.isInteger(value) && !Number.isSafeInteger(value))
		throw fields.refuse(
			`The number in "${shownText(name)}" may have lost digits`,
			'Put its digits in quotation marks, so that it stays exact.',
		);
	if (typeof value === 'number' && !Number.isFinite(value))
		throw fields.refuse(
			`The value of "${shownText(name)}" cannot be '${value}'`,
			'An expression computed it from something that is no number. Check the data that it reads.',
		);
	return typeof value === 'boolean' ? value : trimmedText(value);
}

export const getQuote: Operation = {
	option: {
		name: 'Get Quote',
		value: 'getQuote',
		description:
			'Get the fees and the amount received for a transfer, with the transaction data to submit',
		action: 'Get quote',
	},
	toolDescription:
		'Get a quote for a cross-chain transfer: what would arrive, the fees, and the transactions to submit. It moves no money. Networks are given by name or ID. Tokens are given by symbol or address, or as NATIVE for the native token of a network; both tokens are required.',
	properties: [
		SPECIFY_QUOTE,
		...shownWith({ specifyQuote: ['fields'] }, FIELDS),
		...shownWith({ specifyQuote: ['json'] }, [QUERY_PARAMETERS]),
		...OUTPUT.properties,
		OPTIONS,
	],
	run: async (input) => {
		const firstQuotes: QuoteInput['firstQuotes'] = new Map();
		return await runItems(input, async (item) => await execute({ ...item, firstQuotes }));
	},
};
