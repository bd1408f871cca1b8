import type { IDataObject } from 'n8n-workflow';

import { agreedDecimals } from './amounts';
import { field, idOrNull, isPlainObject, type PlainObject, textOrNull } from './values';

interface NetworkToken extends IDataObject {
	symbol: string;
	address: string;
	isNative: boolean;
}

/** The key of the native token in a network's token map. */
const NATIVE_KEY = 'NATIVE';

/** The networks of a configuration answer, in the service's own field names; null if there is no such list. */
export function networksOf(config: PlainObject): PlainObject[] | null {
	const networks = field(config, 'networks');
	return Array.isArray(networks) ? networks.filter(isPlainObject) : null;
}

/** The network's identifier as text; the configuration spells it chainID, an order chainId. Empty text is none. */
export function networkId(network: PlainObject): string | null {
	const id = idOrNull(field(network, 'chainID') ?? field(network, 'chainId'));
	return id === null ? null : String(id);
}

/** The network of an identifier, which is compared as text; null if there is none. */
export function networkById(networks: readonly PlainObject[], id: string): PlainObject | null {
	return networks.find((network) => networkId(network) === id) ?? null;
}

/** The network's name; where it has none, its identifier. */
export function networkLabel(network: PlainObject): string | null {
	return textOrNull(field(network, 'name')) ?? networkId(network);
}

/** The native token's decimals, the only ones that a configuration states; none where two entries of a network differ. */
export function agreedNativeDecimals(networks: readonly PlainObject[]): number | null {
	return agreedDecimals(networks.map((network) => field(network, 'decimals')));
}

/** Whether an address is the all-zero one, which denotes the native token: in hexadecimal, or 32 bytes in base58. */
export function isAllZeroAddress(address: string): boolean {
	return /^(0x)?0+$/i.test(address) || /^1{32}$/.test(address);
}

/** Whether an address denotes the network's native token: the all-zero address, or what the configuration calls NATIVE. */
export function isNativeAddress(network: PlainObject, address: string): boolean {
	const native = textOrNull(field(field(network, 'tokens'), NATIVE_KEY));
	return isAllZeroAddress(address) || native === address;
}

/** The network's tokens as a list, the native one first (under the symbol of the base token), the others in the service's order. */
export function tokenList(network: PlainObject): NetworkToken[] {
	const tokens = field(network, 'tokens');
	if (!isPlainObject(tokens)) return [];
	const list = Object.entries(tokens).flatMap(([symbol, value]): NetworkToken[] => {
		const address = textOrNull(value);
		if (address === null) return [];
		if (symbol !== NATIVE_KEY) return [{ symbol, address, isNative: false }];
		return [
			{ symbol: textOrNull(field(network, 'baseToken')) ?? NATIVE_KEY, address, isNative: true },
		];
	});
	return [...list.filter((token) => token.isNative), ...list.filter((token) => !token.isNative)];
}
