import { agreedDecimals, decimalsOrNull, toReadable } from './amounts';
import {
	agreedNativeDecimals,
	isAllZeroAddress,
	isNativeAddress,
	networkId,
	tokenList,
} from './networks';
import {
	caselessHex,
	exactTextOrNull,
	field,
	idOrNull,
	type PlainObject,
	textOrNull,
} from './values';

/** What an order or quote is shown with: names, decimals and links. */
export interface Display {
	/** The configuration's networks; null if they are unavailable. */
	networks: readonly PlainObject[] | null;
	/** The user's decimals by token address, as `caselessHex` writes it. */
	tokenDecimals: ReadonlyMap<string, number>;
	/** The user's block explorers by network ID: the address in front of a transaction hash, or one that contains {hash}. */
	explorers: ReadonlyMap<string, string>;
}

/** Shows an order by nothing but what it says itself. */
export const PLAIN_DISPLAY: Display = {
	networks: null,
	tokenDecimals: new Map(),
	explorers: new Map(),
};

/** The configured networks with this ID, given as number or text; more than one if the service lists it twice. */
function networksWithId({ networks }: Display, id: number | string | null): PlainObject[] {
	const wanted = idText(id ?? '');
	return (networks ?? []).filter(
		(network) => wanted !== '' && idText(networkId(network) ?? '') === wanted,
	);
}

/** The network's name; null where the configuration does not state it. */
export function networkName(display: Display, id: number | string | null): string | null {
	return firstText(networksWithId(display, id).map((network) => field(network, 'name')));
}

/** The symbol of a token on a network; the native token has that of the base token. Null where the configuration does not state it. */
export function tokenSymbol(
	display: Display,
	id: number | string | null,
	token: string | null,
): string | null {
	if (token === null) return null;
	const networks = networksWithId(display, id);
	const wanted = caselessHex(token);
	const listed = networks.flatMap(tokenList).find(({ address }) => caselessHex(address) === wanted);
	if (listed !== undefined) return listed.symbol;
	return isAllZeroAddress(token)
		? firstText(networks.map((network) => field(network, 'baseToken')))
		: null;
}

/** Where a token's decimals are known from. Items show these words. */
export type DecimalsSource = 'service' | 'networkConfig' | 'tokenDecimalsOption';

export interface KnownDecimals {
	decimals: number;
	from: DecimalsSource;
}

/** The decimals of a leg's token; null where nothing states them, since none is ever guessed. */
export function decimalsOf(leg: unknown, display: Display): KnownDecimals | null {
	const stated = [field(leg, 'decimals'), field(leg, 'tokenDecimals')];
	if (stated.some((value) => decimalsOrNull(value) !== null))
		return known(agreedDecimals(stated), 'service');
	const token = exactTextOrNull(field(leg, 'token'));
	if (token === null) return null;
	const native = agreedNativeDecimals(
		networksWithId(display, legChainId(leg)).filter((network) => isNativeAddress(network, token)),
	);
	return (
		known(native, 'networkConfig') ??
		known(display.tokenDecimals.get(caselessHex(token)) ?? null, 'tokenDecimalsOption')
	);
}

function known(decimals: number | null, from: DecimalsSource): KnownDecimals | null {
	return decimals === null ? null : { decimals, from };
}

/** An amount in the token's smallest unit, and in units of the token where its decimals are known. */
export interface LegAmount {
	amount: string | null;
	amountReadable: string | null;
	decimalsFrom: DecimalsSource | null;
}

export function legAmount(amount: string | null, decimals: KnownDecimals | null): LegAmount {
	const amountReadable =
		amount === null || decimals === null ? null : toReadable(amount, decimals.decimals);
	const decimalsFrom = amountReadable === null ? null : (decimals?.from ?? null);
	return { amount, amountReadable, decimalsFrom };
}

/** The page of a transaction in the user's block explorer for this network; null without one. */
export function transactionUrl(
	{ explorers }: Display,
	id: number | string | null,
	txHash: string | null,
): string | null {
	const explorer = id === null ? undefined : explorers.get(idText(id));
	// Half of a surrogate pair cannot be written in an address.
	if (explorer === undefined || txHash === null || /\p{Cs}/u.test(txHash)) return null;
	const hash = encodeURIComponent(txHash).replace(
		/[!'()*]/g,
		(sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	if (explorer.includes(HASH_PLACE)) return explorer.replaceAll(HASH_PLACE, hash);
	return `${explorer}${/^[^?]*[\w-]$/.test(explorer) ? '/' : ''}${hash}`;
}

const HASH_PLACE = '{hash}';

/** http or https, a host that the hash is no part of, and something behind it. */
const EXPLORER = /^https?:\/\/[^\s/?#\\@{}]+(?:\/(?=\S)|[?#])[^\s\\]*$/i;

/** Whether a text can be a block explorer's address: one of the web, and not the bare host, which leads to no transaction. */
export function isExplorerAddress(text: string): boolean {
	const hasOtherPlaces = /[{}]/.test(text.replaceAll(HASH_PLACE, ''));
	return EXPLORER.test(text) && !hasOtherPlaces && URL.canParse(text);
}

/** The leg's chain. The configuration spells it chainID, an order chainId; either may come. */
export function legChainId(leg: unknown): number | string | null {
	return idOrNull(field(leg, 'chainId') ?? field(leg, 'chainID'));
}

function idText(id: number | string): string {
	return String(id).trim();
}

function firstText(values: unknown[]): string | null {
	return values.map(textOrNull).find((text) => text !== null && text.trim() !== '') ?? null;
}
