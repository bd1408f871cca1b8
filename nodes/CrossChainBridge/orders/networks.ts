import { agreedDecimals } from './amounts';
import { plainText } from './plainText';
import {
	caselessHex,
	field,
	idOrNull,
	isPlainObject,
	type PlainObject,
	singleSpaced,
	textOrNull,
	visibleText,
} from './values';

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

/** The ID of a leg or a network as text. */
export function idOf(source: unknown): string {
	return idText(chainIdOf(source));
}

/** All networks with this ID, because the service may list one twice. */
export function networksWithId(
	networks: readonly PlainObject[] | null,
	id: number | string | null,
): PlainObject[] {
	const wanted = idText(id);
	return (networks ?? []).filter((network) => wanted !== '' && idOf(network) === wanted);
}

/** The native token's decimals in the configuration; null for others, or where two entries differ. */
export function configuredDecimals(
	networks: readonly PlainObject[] | null,
	id: number | string | null,
	token: string,
): number | null {
	const isListed = (network: PlainObject): boolean => {
		const address = textOrNull(field(field(network, 'tokens'), NATIVE_KEY));
		return address !== null && caselessHex(address) === caselessHex(token);
	};
	const found = networksWithId(networks, id).filter(
		(network) => isAllZeroAddress(token) || isListed(network),
	);
	return agreedDecimals(found.map((network) => field(network, 'decimals')));
}

/** Whether an address is 0, in hexadecimal or base58, which means the native token. */
export function isAllZeroAddress(address: string): boolean {
	return /^((0x)?0+|1{32})$/i.test(address);
}

/** Whether an entered text stands for the native token: the word NATIVE, or an address of zeros. A lone 0 does not. */
export function isNative(text: string): boolean {
	return text.toUpperCase() === NATIVE_KEY || (text.length > 2 && isAllZeroAddress(text));
}

/** Hexadecimal, also of a Move module, or too long for a symbol; neither shortened nor a link. */
export function isTokenAddress(text: string): boolean {
	return /^0x[0-9a-f]+(::\S+)?$|^(?!0x|https?:)[^\s…]{20,}$/i.test(text);
}

export interface Token {
	symbol: string;
	address: string;
	isNative: boolean;
}

/** Of each network once: one of 5 MB has 150,000 tokens, and many items ask for them. */
const tokensOf = onceForEach((network) => {
	const tokens = field(network, 'tokens');
	const list = Object.entries(isPlainObject(tokens) ? tokens : {}).flatMap(([key, value]) => {
		const address = textOrNull(value);
		const isNative = key === NATIVE_KEY;
		const symbol = (isNative ? textOrNull(field(network, 'baseToken')) : null) ?? key;
		return address === null ? [] : [{ symbol, address, isNative }];
	});
	list.sort((a, b) => Number(b.isNative) - Number(a.isNative));
	const byAddress = new Map<string, Token>();
	const bySymbol = new Map<string, Token[]>();
	for (const token of list) {
		const [address, symbol] = [caselessHex(token.address), nameKey(token.symbol)];
		byAddress.set(address, byAddress.get(address) ?? token);
		const alike = bySymbol.get(symbol) ?? [];
		alike.push(token);
		bySymbol.set(symbol, alike);
	}
	return { list, byAddress, bySymbol };
});

function onceForEach<T>(make: (network: PlainObject) => T): (network: PlainObject) => T {
	const made = new WeakMap<PlainObject, T>();
	return (network) => {
		const known = made.get(network) ?? make(network);
		made.set(network, known);
		return known;
	};
}

/** The network's tokens, the native one first, under the base token's symbol. */
export function tokenList(network: PlainObject): readonly Token[] {
	return tokensOf(network).list;
}

/** The network's token with this address, hexadecimal in any case. */
export function tokenAt(network: PlainObject, address: string): Token | undefined {
	return tokensOf(network).byAddress.get(caselessHex(address));
}

/** The networks that a person can mean: the one with this ID, otherwise those that are shown by this name, otherwise those to which the bridge gives it; in any case. */
export function networksNamed(networks: readonly PlainObject[], text: string): PlainObject[] {
	const byId = networksWithId(networks, text).slice(0, 1);
	if (byId.length > 0) return byId;
	const key = nameKey(text);
	const shown = networks.filter((network) => namesOf(network).includes(key));
	const isGiven = (network: PlainObject) => key !== '' && givenName(network) === key;
	const found = shown.length > 0 ? shown : networks.filter(isGiven);
	return [...new Map(found.map((network) => [idOf(network), network])).values()];
}

/** The tokens that a person can mean: the one with this address, otherwise those with this symbol in any case. */
export function tokensNamed(network: PlainObject, text: string): Token[] {
	const byAddress = tokenAt(network, text);
	if (byAddress !== undefined) return [byAddress];
	const found = new Map<string, Token>();
	for (const token of tokensOf(network).bySymbol.get(nameKey(text)) ?? []) {
		const key = caselessHex(token.address);
		// Of two entries with one address the native one is first.
		if (!found.has(key)) found.set(key, token);
	}
	return [...found.values()];
}

/** The name, and what lists show, as they are compared. */
const namesOf = onceForEach((network) =>
	[shownName(network) ?? '', networkTitle(network)].map(nameKey).filter((key) => key !== ''),
);

/** The name as the bridge and Get Config have it, with an ID in parentheses that need not be its own, as it is compared. */
const givenName = onceForEach((network) => nameKey(textOrNull(field(network, 'name')) ?? ''));

/** By which names and symbols are compared: without signs that nobody sees, in lower case, letters of all widths alike, with one space between words. */
export function nameKey(name: string): string {
	return singleSpaced(visibleText(name.normalize('NFKC')).toLowerCase());
}

/** The network's name without an ID in parentheses after it, which need not be its own; null if it has none. */
export function shownName(network: PlainObject): string | null {
	return textOrNull(withoutOwnId(textOrNull(field(network, 'name')) ?? ''));
}

/** Whether another network is shown by the same name. */
export function isNameShared(networks: readonly PlainObject[], network: PlainObject): boolean {
	const [name] = namesOf(network);
	return networks.some((other) => idOf(other) !== idOf(network) && namesOf(other)[0] === name);
}

/** "Ethereum (101)", or "101" for a network without a name. */
export function networkTitle(network: PlainObject): string {
	const id = idOf(network);
	const name = shownName(network) ?? id;
	return name === id ? plainName(id) : `${plainName(name)} (${plainName(id)})`;
}

/** "Native token (ETH)" or "USDC (0x166c…128b)" for each; the whole address if two would be alike. */
export function tokenTitles(tokens: readonly Token[]): Array<Token & { title: string }> {
	const titled = tokens.map((token) => ({ ...token, title: tokenTitle(token) }));
	const times = new Map<string, number>();
	for (const { title } of titled) times.set(title, (times.get(title) ?? 0) + 1);
	return titled.map((token) =>
		times.get(token.title) === 1 ? token : { ...token, title: tokenTitle(token, token.address) },
	);
}

/** How Get Config names a token in `tokenList`. */
export function listedSymbol({ symbol, isNative }: Token): string {
	return isNative ? `${symbol} (native)` : symbol;
}

/** How lists and sentences name a token. */
export function tokenTitle(token: Token, address = shortened(token.address)): string {
	const symbol = plainName(withoutOwnId(token.symbol));
	return token.isNative ? `Native token (${symbol})` : `${symbol} (${plainName(address)})`;
}

const MAX_NAME = 80;

const plainName = (text: string): string => plainText(visibleText(text), MAX_NAME) ?? '?';

/** A foreign name without an ID or address in parentheses after it, which need not be its own. */
function withoutOwnId(name: string): string {
	return visibleText(name.slice(0, 20 * MAX_NAME).normalize('NFKC')).replace(
		/(?:\s*\((?:\d+|0x[0-9a-f….]*)\))+$/i,
		'',
	);
}

function shortened(address: string): string {
	return address.length <= 14 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`;
}
