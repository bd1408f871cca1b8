import { agreedDecimals, decimalsOrNull, toReadable } from './amounts';
import {
	chainIdOf,
	configuredDecimals,
	idOf,
	idText,
	isAllZeroAddress,
	isNameShared,
	isNative,
	nameKey,
	NATIVE_ADDRESS,
	networksNamed,
	networksWithId,
	shownName,
	tokenAt,
	tokensNamed,
} from './networks';
import {
	caselessHex,
	digitsOrNull,
	exactTextOrNull,
	field,
	type PlainObject,
	textOrNull,
} from './values';

export interface Display {
	/** Null if the configuration is unavailable. */
	networks: readonly PlainObject[] | null;
	/** By token address, as `caselessHex` writes it. */
	tokenDecimals: ReadonlyMap<string, number>;
	/** By network ID or name: the address in front of a transaction hash, or one that contains {hash}. */
	explorers: ReadonlyMap<string, string>;
	/** The bridge's own page of an order, with {orderId} or {hash}; null without one. */
	orderPage?: string | null;
}

export const PLAIN_DISPLAY: Display = {
	networks: null,
	tokenDecimals: new Map(),
	explorers: new Map(),
};

/** The network's name in the configuration, with its ID if another one has the same; null if it has none. */
export function networkName({ networks }: Display, id: number | string | null): string | null {
	const network = networksWithId(networks, id).find((each) => shownName(each) !== null);
	if (network === undefined) return null;
	const isShared = isNameShared(networks ?? [], network);
	return isShared ? `${shownName(network)} (${idText(id)})` : shownName(network);
}

/** The symbol of a token; the native one has the base token's. */
export function tokenSymbol(
	display: Display,
	id: number | string | null,
	token: string | null,
): string | null {
	if (token === null) return null;
	const networks = networksWithId(display.networks, id);
	const [listed] = networks.flatMap((network) => tokenAt(network, token) ?? []);
	if (listed !== undefined) return listed.symbol;
	const baseTokens = networks.map((network) => textOrNull(field(network, 'baseToken')) ?? '');
	return isAllZeroAddress(token)
		? (baseTokens.find((symbol) => symbol.trim() !== '') ?? null)
		: null;
}

/** Under which Solana and Polygon also have their native token, in lower case. */
const OWN_ADDRESSES = [
	'so11111111111111111111111111111111111111112',
	'0x0000000000000000000000000000000000001010',
];

/** By what a network's native token is recognized: bridges spell, wrap and address it in their own ways. */
export function nativeOn(display: Display, id: number | string | null) {
	const networks = networksWithId(display.networks, id);
	const listedAt = (address: string) =>
		networks.flatMap((network) => tokenAt(network, address) ?? []);
	const native = tokenSymbol(display, id, NATIVE_ADDRESS);
	// A network without a base token has no other symbol for it than that.
	const names = native === null || isNative(native) ? [] : [native, `w${native}`].map(nameKey);
	const isOf = (address: string): boolean =>
		isNative(address) ||
		/^0xe{40}$/i.test(address) ||
		listedAt(address).some((found) => found.isNative);
	// The list says what an address is, otherwise the symbol that is stated with it.
	const mayBe = (address: string, symbol = ''): boolean =>
		isOf(address) ||
		OWN_ADDRESSES.includes(address.toLowerCase()) ||
		names.includes(nameKey(listedAt(address)[0]?.symbol ?? symbol));
	return { names, isOf, mayBe };
}

/** Whether the symbol that is shown of a token is also that of another token of its network: one in the list may have the base token's. */
export function isSymbolShared(
	{ networks }: Display,
	{ chainId, tokenSymbol: symbol }: Pick<ShownToken, 'chainId' | 'tokenSymbol'>,
): boolean {
	const found = networksWithId(networks, chainId);
	return symbol !== null && found.some((network) => tokensNamed(network, symbol).length > 1);
}

export interface KnownDecimals {
	decimals: number;
	from: 'service' | 'networkConfig' | 'tokenDecimalsOption';
}

/** The decimals of a leg's token; null if nothing states them, because they are never guessed, or if leg and network contradict each other. */
export function decimalsOf(leg: unknown, display: Display): KnownDecimals | null {
	const stated = [field(leg, 'decimals'), field(leg, 'tokenDecimals')];
	const token = exactTextOrNull(field(leg, 'token'));
	const configured =
		token === null ? null : configuredDecimals(display.networks, chainIdOf(leg), token);
	if (stated.some((value) => decimalsOrNull(value) !== null)) {
		const decimals = agreedDecimals([...stated, configured]);
		return decimals === null ? null : { decimals, from: 'service' };
	}
	if (configured !== null) return { decimals: configured, from: 'networkConfig' };
	const decimals = display.tokenDecimals.get(caselessHex(token ?? ''));
	return decimals === undefined ? null : { decimals, from: 'tokenDecimalsOption' };
}

/** What a leg of an order or a side of a quote shows of its token, with its amount in the smallest unit. */
export function tokenOf(leg: unknown, display: Display) {
	const chainId = chainIdOf(leg);
	const token = exactTextOrNull(field(leg, 'token'));
	const amount = digitsOrNull(field(leg, 'amount'));
	const known = amount === null ? null : decimalsOf(leg, display);
	return {
		chainId,
		network: networkName(display, chainId),
		token,
		tokenSymbol: tokenSymbol(display, chainId, token),
		amount,
		amountReadable: amount && known && toReadable(amount, known.decimals),
		decimalsFrom: known && known.from,
	};
}

export type ShownToken = ReturnType<typeof tokenOf>;

const HASH_PLACE = '{hash}';
const ORDER_PLACE = '{orderId}';

/** The transaction's page in the user's block explorer. */
export function transactionUrl(
	{ explorers, networks }: Display,
	id: number | string | null,
	txHash: string | null,
): string | null {
	const isOf = (name: string): boolean => {
		const named = networksNamed(networks ?? [], name);
		return named.length === 1 && idOf(named[0]) === idText(id);
	};
	const name = [...explorers.keys()].find(isOf) ?? '';
	const explorer = explorers.get(idText(id)) ?? explorers.get(name);
	const hash = inAddress(txHash);
	if (explorer === undefined || hash === null) return null;
	if (explorer.includes(HASH_PLACE)) return explorer.replaceAll(HASH_PLACE, hash);
	return `${explorer}${/^[^?]*[\w-]$/.test(explorer) ? '/' : ''}${hash}`;
}

/** The networks of block explorers that the bridge does not have, or has several of, so that there are no links. */
export function strangeExplorers({ explorers, networks }: Display): string[] {
	if (networks === null || networks.length === 0) return [];
	return [...explorers.keys()].filter(
		(name) => !/^\d+$/.test(name) && networksNamed(networks, name).length !== 1,
	);
}

/** The order's page at the bridge; null if it needs an ID that the order does not state. */
export function orderPageUrl(
	{ orderPage = null }: Display,
	orderId: string | null,
	sourceHash: string,
): string | null {
	const id = inAddress(orderId);
	const hash = inAddress(sourceHash);
	if (orderPage === null || hash === null) return null;
	if (id === null && orderPage.includes(ORDER_PLACE)) return null;
	return orderPage.replaceAll(ORDER_PLACE, id ?? '').replaceAll(HASH_PLACE, hash);
}

/** Text as a part of an address; null if it cannot be one, as half of a surrogate pair. */
function inAddress(text: string | null): string | null {
	if (text === null || /\p{Cs}/u.test(text)) return null;
	return encodeURIComponent(text).replace(
		/[!'()*]/g,
		(sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}

/** http or https, a host that no place is a part of, and something after it. */
const PAGE = /^https?:\/\/[^\s/?#\\@{}]+(?:\/(?=\S)|[?#])[^\s\\]*$/i;

/** Whether a text can be a block explorer's address; a bare host leads to no transaction. */
export function isExplorerAddress(text: string): boolean {
	return isPage(text, [HASH_PLACE]);
}

/** Whether a text can be the address of the bridge's page of an order. */
export function isOrderPage(text: string): boolean {
	const places = [ORDER_PLACE, HASH_PLACE];
	return places.some((place) => text.includes(place)) && isPage(text, places);
}

function isPage(text: string, places: readonly string[]): boolean {
	const rest = places.reduce((left, place) => left.replaceAll(place, ''), text);
	return PAGE.test(text) && !/[{}]/.test(rest) && URL.canParse(text);
}
