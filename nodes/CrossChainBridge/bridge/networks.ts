import type { IDataObject } from 'n8n-workflow';

import { field, isPlainObject, type PlainObject, textOrNull } from './values';

export interface NetworkToken extends IDataObject {
	symbol: string;
	address: string;
	isNative: boolean;
}

/** The key under which a network's token map holds its native token. */
const NATIVE_KEY = 'NATIVE';

/** The networks of a configuration answer, in the service's own field names; null if there is no such list. */
export function networksOf(config: PlainObject): PlainObject[] | null {
	const networks = field(config, 'networks');
	return Array.isArray(networks) ? networks.filter(isPlainObject) : null;
}

/** The network's identifier as text; the configuration spells it chainID, an order chainId. */
export function networkId(network: PlainObject): string | null {
	const id = field(network, 'chainID') ?? field(network, 'chainId');
	return typeof id === 'number' || typeof id === 'string' ? String(id) : null;
}

/** The network's tokens as a list, the native one first (under the symbol of the base token), the others in the service's order. */
export function tokenList(network: PlainObject): NetworkToken[] {
	const tokens = field(network, 'tokens');
	if (!isPlainObject(tokens)) return [];
	const list = Object.entries(tokens).flatMap(([symbol, value]): NetworkToken[] => {
		const address = textOrNull(value);
		if (address === null) return [];
		if (symbol !== NATIVE_KEY) return [{ symbol, address, isNative: false }];
		return [{ symbol: textOrNull(field(network, 'baseToken')) ?? NATIVE_KEY, address, isNative: true }];
	});
	return [...list.filter((token) => token.isNative), ...list.filter((token) => !token.isNative)];
}
