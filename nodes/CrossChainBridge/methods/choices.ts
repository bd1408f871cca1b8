import type { INodeListSearchItems } from 'n8n-workflow';

import { networkId, networkLabel, tokenList } from '../orders/networks';
import { plainText } from '../orders/plainText';
import type { PlainObject } from '../orders/values';

/** The networks whose name or ID contains the searched text, as "Ethereum (101)". */
export function networkChoices(
	networks: readonly PlainObject[],
	filter = '',
): INodeListSearchItems[] {
	return networks.flatMap((network) => {
		const id = networkId(network);
		const name = networkLabel(network);
		if (id === null || name === null || !matches(filter, [name, id])) return [];
		return [
			{ name: name === id ? safeName(id) : `${safeName(name)} (${safeName(id)})`, value: id },
		];
	});
}

/** The network's tokens whose symbol or address contains the searched text. */
export function tokenChoices(network: PlainObject, filter = ''): INodeListSearchItems[] {
	return tokenList(network)
		.filter(({ symbol, address, isNative }) =>
			matches(filter, [symbol, address, isNative ? NATIVE_WORDS : '']),
		)
		.map(({ symbol, address, isNative }) => ({
			name: `${safeName(symbol)} (${isNative ? NATIVE_WORDS : safeName(shortened(address))})`,
			value: address,
		}));
}

const NATIVE_WORDS = 'native token';

function matches(filter: string, texts: string[]): boolean {
	const wanted = filter.trim().toLowerCase();
	return texts.some((text) => text.toLowerCase().includes(wanted));
}

function safeName(text: string): string {
	return plainText(text, MAX_NAME) ?? NAMELESS;
}

const MAX_NAME = 60;
const NAMELESS = '?';

/** A whole address is wider than the list. */
function shortened(address: string): string {
	return address.length <= 14 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`;
}
