import { agreedDecimals } from './amounts';
import { field, idOrNull, isPlainObject, type PlainObject, textOrNull } from './values';

const NATIVE_KEY = 'NATIVE';

export const NATIVE_ADDRESS = `0x${'0'.repeat(40)}`;

/** A configuration's networks; null without a list. */
export function networksOf(config: PlainObject): PlainObject[] | null {
	const networks = field(config, 'networks');
	return Array.isArray(networks) ? networks.filter(isPlainObject) : null;
}

/** The ID of a leg or a network; orders spell it chainId, the configuration chainID. */
export function chainIdOf(source: unknown): number | string | null {
	return idOrNull(field(source, 'chainId') ?? field(source, 'chainID'));
}

/** Text by which IDs are compared; empty without one. */
export function idText(id: number | string | null): string {
	return String(id ?? '').trim();
}

/** All networks with this ID, since the service may list one twice. */
export function networksWithId(
	networks: readonly PlainObject[] | null,
	id: number | string | null,
): PlainObject[] {
	const wanted = idText(id);
	return (networks ?? []).filter(
		(network) => wanted !== '' && idText(chainIdOf(network)) === wanted,
	);
}

/** The native token's decimals in the configuration; null for others, or where two entries differ. */
export function configuredDecimals(
	networks: readonly PlainObject[] | null,
	id: number | string | null,
	token: string,
): number | null {
	const isNative = (network: PlainObject) =>
		isAllZeroAddress(token) || field(field(network, 'tokens'), NATIVE_KEY) === token;
	const found = networksWithId(networks, id).filter(isNative);
	return agreedDecimals(found.map((network) => field(network, 'decimals')));
}

/** Whether an address is 0, in hexadecimal or base58, which means the native token. */
export function isAllZeroAddress(address: string): boolean {
	return /^((0x)?0+|1{32})$/i.test(address);
}

/** The network's tokens, the native one first, under the base token's symbol. */
export function tokenList(network: PlainObject) {
	const tokens = field(network, 'tokens');
	if (!isPlainObject(tokens)) return [];
	const list = Object.entries(tokens).flatMap(([key, value]) => {
		const address = textOrNull(value);
		const isNative = key === NATIVE_KEY;
		const symbol = (isNative ? textOrNull(field(network, 'baseToken')) : null) ?? key;
		return address === null ? [] : [{ symbol, address, isNative }];
	});
	return list.sort((a, b) => Number(b.isNative) - Number(a.isNative));
}
