import type { INodeProperties } from 'n8n-workflow';

import { decimalsOrNull } from '../orders/amounts';
import { type Display, isExplorerAddress, isOrderPage } from '../orders/display';
import { isTokenAddress } from '../orders/networks';
import { shownText } from '../orders/plainText';
import { readHash } from '../orders/sourceHash';
import { caselessHex } from '../orders/values';
import { networkField, rowsField, textField } from './fieldTypes';
import type { FieldReader } from './reader';

const TOKEN_ADDRESS = textField(
	'Token Address',
	'address',
	'0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
	'The address of the token contract, as orders and quotes show it. The row applies to every network that has a token at this address.',
);

/** Text, because a number field would start with a guess. */
const DECIMALS = textField(
	'Decimals',
	'decimals',
	'6',
	'How many decimals the token has, a whole number from 0 to 255',
);

export const TOKEN_DECIMALS = rowsField(
	'Token Decimals',
	'tokenDecimals',
	"Decimals of tokens for which the bridge doesn't state them. The token's page in a block explorer shows them. Native tokens usually need no row.",
	{ displayName: 'Token', name: 'token', values: [TOKEN_ADDRESS, DECIMALS] },
);

const EXPLORER_NETWORK = networkField({
	displayName: 'Network',
	name: 'network',
	description: 'The network whose transactions this block explorer shows',
});

const EXPLORER_ADDRESS = textField(
	'Address',
	'address',
	'https://etherscan.io/tx/',
	'The address of a transaction page up to the hash. If anything follows the hash, put {hash} where the hash goes.',
);

const BLOCK_EXPLORERS = rowsField(
	'Block Explorers',
	'blockExplorers',
	"A block explorer for each network, so that items contain links to an order's transactions",
	{
		displayName: 'Block Explorer',
		name: 'explorer',
		values: [EXPLORER_NETWORK, EXPLORER_ADDRESS],
	},
);

/** What is said of a network in it that `strangeExplorers` gives. */
export function strangeExplorerWords(network: string): string {
	return `'${BLOCK_EXPLORERS.displayName}': '${shownText(network)}' matches no network of this bridge, or more than one, so this block explorer is not used`;
}

const ORDER_PAGE = textField(
	'Order Page',
	'orderPage',
	'https://bridge.example.com/orders/{orderId}',
	"The page on which your bridge shows an order, with {orderId} or {hash} where that goes. It becomes the link if no block explorer fits and the hash didn't come as a link. Messages about failed and late orders show it, too.",
);

export const DISPLAY_PROPERTIES: INodeProperties[] = [BLOCK_EXPLORERS, ORDER_PAGE, TOKEN_DECIMALS];

export type DisplayOptions = Omit<Display, 'networks'>;

/** What Options say of display. Throws for the first row that cannot be used. */
export function displayOptions(options: FieldReader): DisplayOptions {
	return {
		tokenDecimals: tokenDecimals(options),
		explorers: rowsByKey(options, BLOCK_EXPLORERS, (row) => [
			row.located(EXPLORER_NETWORK).text,
			row.checked(
				EXPLORER_ADDRESS,
				// With the hash of one transaction every link would lead to that.
				(address) => isExplorerAddress(address) && !readHash(address).ok,
				'Enter the address of a transaction page up to the hash, for example https://etherscan.io/tx/, or with {hash} in place of the hash.',
			),
		]),
		orderPage: options.has(ORDER_PAGE)
			? options.checked(
					ORDER_PAGE,
					isOrderPage,
					'Enter the address of the page with {orderId} or {hash} in it, for example https://bridge.example.com/orders/{orderId}.',
				)
			: null,
	};
}

export function tokenDecimals(options: FieldReader): ReadonlyMap<string, number> {
	return rowsByKey(options, TOKEN_DECIMALS, (row) => {
		const address = row.checked(
			TOKEN_ADDRESS,
			isTokenAddress,
			'Enter the address of the token contract as orders show it, for example in inputToken. A symbol is not an address.',
		);
		const decimals = row.checked(
			DECIMALS,
			(text) => decimalsOrNull(text) !== null,
			'Enter a whole number from 0 to 255, for example 6.',
		);
		return [caselessHex(address), Number(decimals)];
	});
}

/** What the rows of a field say, by key. Throws for two that contradict each other. */
export function rowsByKey<T>(
	options: FieldReader,
	field: INodeProperties,
	read: (row: FieldReader) => [key: string, value: T],
): Map<string, T> {
	const values = new Map<string, T>();
	for (const row of options.rows(field)) {
		const [key, value] = read(row);
		if ((values.get(key) ?? value) !== value)
			throw row.refuse(
				'it contradicts a row above it',
				'Keep the row that is right and remove the other.',
			);
		values.set(key, value);
	}
	return values;
}
