import { agreedDecimals, decimalsOrNull, toReadable } from './amounts';
import {
	chainIdOf,
	configuredDecimals,
	idText,
	isAllZeroAddress,
	networksWithId,
	tokenList,
} from './networks';
import { caselessHex, exactTextOrNull, field, type PlainObject, textOrNull } from './values';

export interface Display {
	/** Null if the configuration is unavailable. */
	networks: readonly PlainObject[] | null;
	/** By token address, as `caselessHex` writes it. */
	tokenDecimals: ReadonlyMap<string, number>;
	/** By network ID: the address in front of a transaction hash, or one that contains {hash}. */
	explorers: ReadonlyMap<string, string>;
}

export const PLAIN_DISPLAY: Display = {
	networks: null,
	tokenDecimals: new Map(),
	explorers: new Map(),
};

/** The network's name in the configuration, with its ID where another has the same; null where it has none. */
export function networkName({ networks }: Display, id: number | string | null): string | null {
	const name = firstText(networksWithId(networks, id), 'name');
	const isShared = (networks ?? []).some(
		(network) => field(network, 'name') === name && idText(chainIdOf(network)) !== idText(id),
	);
	return name !== null && isShared ? `${name} (${idText(id)})` : name;
}

/** The symbol of a token; the native one has the base token's. */
export function tokenSymbol(
	display: Display,
	id: number | string | null,
	token: string | null,
): string | null {
	if (token === null) return null;
	const networks = networksWithId(display.networks, id);
	const wanted = caselessHex(token);
	const listed = networks.flatMap(tokenList).find(({ address }) => caselessHex(address) === wanted);
	if (listed !== undefined) return listed.symbol;
	return isAllZeroAddress(token) ? firstText(networks, 'baseToken') : null;
}

function firstText(networks: PlainObject[], name: string): string | null {
	const texts = networks.map((network) => textOrNull(field(network, name)));
	return texts.find((text) => text !== null && text.trim() !== '') ?? null;
}

export interface KnownDecimals {
	decimals: number;
	from: 'service' | 'networkConfig' | 'tokenDecimalsOption';
}

/** The decimals of a leg's token; null where nothing states them, since they are never guessed. */
export function decimalsOf(leg: unknown, display: Display): KnownDecimals | null {
	const stated = [field(leg, 'decimals'), field(leg, 'tokenDecimals')];
	if (stated.some((value) => decimalsOrNull(value) !== null))
		return known(agreedDecimals(stated), 'service');
	const token = exactTextOrNull(field(leg, 'token'));
	if (token === null) return null;
	return (
		known(configuredDecimals(display.networks, chainIdOf(leg), token), 'networkConfig') ??
		known(display.tokenDecimals.get(caselessHex(token)) ?? null, 'tokenDecimalsOption')
	);
}

function known(decimals: number | null, from: KnownDecimals['from']): KnownDecimals | null {
	return decimals === null ? null : { decimals, from };
}

/** The fields of an amount in the smallest unit. */
export function legAmount(amount: string | null, known: KnownDecimals | null) {
	if (amount === null || known === null)
		return { amount, amountReadable: null, decimalsFrom: null };
	return { amount, amountReadable: toReadable(amount, known.decimals), decimalsFrom: known.from };
}

const HASH_PLACE = '{hash}';

/** The transaction's page in the user's block explorer. */
export function transactionUrl(
	{ explorers }: Display,
	id: number | string | null,
	txHash: string | null,
): string | null {
	const explorer = explorers.get(idText(id));
	// Half of a surrogate pair cannot be written in an address.
	if (explorer === undefined || txHash === null || /\p{Cs}/u.test(txHash)) return null;
	const hash = encodeURIComponent(txHash).replace(
		/[!'()*]/g,
		(sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	if (explorer.includes(HASH_PLACE)) return explorer.replaceAll(HASH_PLACE, hash);
	return `${explorer}${/^[^?]*[\w-]$/.test(explorer) ? '/' : ''}${hash}`;
}

/** http or https, a host that the hash is no part of, and something behind it. */
const EXPLORER = /^https?:\/\/[^\s/?#\\@{}]+(?:\/(?=\S)|[?#])[^\s\\]*$/i;

/** Whether a text can be a block explorer's address; a bare host leads to no transaction. */
export function isExplorerAddress(text: string): boolean {
	const hasOtherPlaces = /[{}]/.test(text.replaceAll(HASH_PLACE, ''));
	return EXPLORER.test(text) && !hasOtherPlaces && URL.canParse(text);
}
