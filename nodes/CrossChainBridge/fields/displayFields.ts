import type { INodeProperties } from 'n8n-workflow';

import { decimalsOrNull } from '../orders/amounts';
import { isExplorerAddress, type Display } from '../orders/display';
import { caselessHex, field, trimmedText } from '../orders/values';
import { networkField, rowsField, textField } from './fieldTypes';
import { inputError, type ItemInput } from './parameters';

export const TOKEN_DECIMALS = rowsField(
	'Token Decimals',
	'tokenDecimals',
	"Decimals of tokens for which the bridge does not state them. You can find them on the token's page in a block explorer. Native tokens need no row.",
	{
		displayName: 'Token',
		name: 'token',
		values: [
			textField(
				'Token Address',
				'address',
				'0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
				'The address of the token contract, as orders and quotes show it. The row applies on every network that has a token at this address.',
			),
			// Text, since a number field would start with a guess.
			textField(
				'Decimals',
				'decimals',
				'6',
				'How many decimals the token has, a whole number from 0 to 255',
			),
		],
	},
);

const BLOCK_EXPLORERS = rowsField(
	'Block Explorers',
	'blockExplorers',
	"A block explorer for each network, so that items contain links to an order's transactions",
	{
		displayName: 'Block Explorer',
		name: 'explorer',
		values: [
			networkField({
				displayName: 'Network',
				name: 'network',
				description: 'The network whose transactions this block explorer shows',
			}),
			textField(
				'Address',
				'address',
				'https://etherscan.io/tx/',
				'The address of a transaction page up to the hash. If anything follows the hash, put {hash} where the hash goes.',
			),
		],
	},
);

export const DISPLAY_PROPERTIES: INodeProperties[] = [BLOCK_EXPLORERS, TOKEN_DECIMALS];

export type DisplayOptions = Pick<Display, 'tokenDecimals' | 'explorers'>;

type Reject = (message: string, description: string) => Error;

/** What Options say of display; throws what `reject` makes of the first row that cannot be used. */
export function displayOptions(options: unknown, reject: Reject): DisplayOptions {
	return {
		tokenDecimals: readRows(options, TOKEN_DECIMALS, 'token', tokenDecimals, reject),
		explorers: readRows(options, BLOCK_EXPLORERS, 'explorer', blockExplorer, reject),
	};
}

/** The item's display options; throws for a row that cannot be used. */
export function displayOptionsOf(input: ItemInput): DisplayOptions {
	const options = input.context.getNodeParameter('options', input.itemIndex, {});
	return displayOptions(options, (message, remedy) => inputError(input, message, remedy));
}

/** Hexadecimal, also of a Move module, or too long for a symbol. */
const TOKEN_ADDRESS = /^0x[0-9a-f]+(::\S+)?$|^(?!0x)\S{20,}$/i;

function tokenDecimals(row: unknown, reject: Reject): [key: string, value: number] {
	const address = trimmedText(field(row, 'address'));
	if (!TOKEN_ADDRESS.test(address))
		throw reject(
			'has no token address',
			'Enter the address of the token contract as orders show it, for example in inputToken. A symbol is not an address.',
		);
	const decimals = decimalsOrNull(field(row, 'decimals'));
	if (decimals === null)
		throw reject(
			'has no valid number of decimals',
			'Enter a whole number from 0 to 255, for example 6.',
		);
	return [caselessHex(address), decimals];
}

function blockExplorer(row: unknown, reject: Reject): [key: string, value: string] {
	const chosen = field(row, 'network');
	const network = trimmedText(field(chosen, 'value') ?? chosen);
	if (network === '' || /\s/.test(network))
		throw reject(
			'has no network',
			'Choose the network from the list, or enter its ID as Get Config shows it in chainID.',
		);
	const address = trimmedText(field(row, 'address'));
	if (!isExplorerAddress(address))
		throw reject(
			'has no address of a transaction page',
			'Enter the address up to the hash, for example https://etherscan.io/tx/, or with {hash} in the place of the hash.',
		);
	return [network, address];
}

function readRows<T>(
	options: unknown,
	{ name, displayName }: INodeProperties,
	group: string,
	read: (row: unknown, reject: Reject) => [key: string, value: T],
	reject: Reject,
): Map<string, T> {
	const rows = field(field(options, name), group);
	const values = new Map<string, T>();
	for (const [index, row] of (Array.isArray(rows) ? rows : []).entries()) {
		const rejectRow: Reject = (message, remedy) =>
			reject(`Row ${index + 1} of '${displayName}' ${message}`, remedy);
		const [key, value] = read(row, rejectRow);
		if ((values.get(key) ?? value) !== value)
			throw rejectRow(
				'contradicts a row above it',
				'Keep the row that is right and remove the other.',
			);
		values.set(key, value);
	}
	return values;
}
