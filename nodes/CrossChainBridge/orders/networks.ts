import type { IDataObject } from 'n8n-workflow';

import { agreedDecimals } from './amounts';
import { field, idOrNull, isPlainObject, type PlainObject, textOrNull } from './values';

interface NetworkToken extends IDataObject {
	symbol: string;
	address: string;
	isNative: boolean;
}

/** The native token's key in a network's token map. */
const NATIVE_KEY = 'NATIVE';

/** A configuration's networks; null without a list. */
export function networksOf(config: PlainObject): PlainObject[] | null {
	const networks = field(config, 'networks');
	return Array.isArray(networks) ? networks.filter(isPlainObject) : null;
}

/** The network's ID as text; the configuration spells it chainID, an order chainId. */
export function networkId(network: PlainObject): string | null {
	const id = idOrNull(field(network, 'chainID') ?? field(network, 'chainId'));
	return id === null ? null : String(id);
}

/** Null if the configuration has no network with this ID. */
export function networkById(networks: readonly PlainObject[], id: string): PlainObject | null {
	return networks.find((network) => networkId(network) === id) ?? null;
}

/** The network's name, or else its ID; null without both. */
export function networkLabel(network: PlainObject): string | null {
	return textOrNull(field(network, 'name')) ?? networkId(network);
}

/** The native token's decimals, the only ones that a configuration states; null where two entries differ. */
export function agreedNativeDecimals(networks: readonly PlainObject[]): number | null {
	return agreedDecimals(networks.map((network) => field(network, 'decimals')));
}

/** Whether an address is 0, in hexadecimal or as 32 bytes in base58, which means the native token. */
export function isAllZeroAddress(address: string): boolean {
	return /^(0x)?0+$/i.test(address) || /^1{32}$/.test(address);
}

/** Whether this address stands for the native token of the network. */
export function isNativeAddress(network: PlainObject, address: string): boolean {
	const native = textOrNull(field(field(network, 'tokens'), NATIVE_KEY));
	return isAllZeroAddress(address) || native === address;
}

/** The network's tokens in the service's order, but the native one first, under the base token's symbol. */
export function tokenList(network: PlainObject): NetworkToken[] {
	const tokens = field(network, 'tokens');
	if (!isPlainObject(tokens)) return [];
	const list = Object.entries(tokens).flatMap(([key, value]): NetworkToken[] => {
		const address = textOrNull(value);
		const isNative = key === NATIVE_KEY;
		const symbol = (isNative ? textOrNull(field(network, 'baseToken')) : null) ?? key;
		return address === null ? [] : [{ symbol, address, isNative }];
	});
	return list.sort((a, b) => Number(b.isNative) - Number(a.isNative));
}
