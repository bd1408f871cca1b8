import type { INodeProperties } from 'n8n-workflow';

import {
	idOf,
	isAllZeroAddress,
	isNative,
	isTokenAddress,
	listedSymbol,
	nameKey,
	networksNamed,
	networksWithId,
	networkTitle,
	shownName,
	type Token,
	tokenAt,
	tokenList,
	tokensNamed,
	tokenTitle,
} from '../orders/networks';
import { shownText } from '../orders/plainText';
import type { PlainObject } from '../orders/values';
import type { ServiceError } from '../service/errors';
import type { NetworksResponse } from '../service/service';
import { itemError, type OperationInput } from './parameters';
import { listed, nearest } from './reader';

/** A network with its ID for the service, and as the configuration has it or why that could not be read. */
type NetworkRead =
	{ id: string; network: PlainObject } | { id: string; network: null; error: ServiceError };

/** The network of a field, see networkOf; by its ID also without the configuration. */
export function readNetwork(
	input: OperationInput,
	field: INodeProperties,
	configuration: NetworksResponse,
): NetworkRead {
	if (!configuration.ok) {
		const { text } = input.fields.located(field);
		if (/^\d+$/.test(text)) return { id: text, network: null, error: configuration.error };
		throw notLookedUp(input, field, text, configuration.error);
	}
	const network = networkOf(input, field, configuration.networks);
	return { id: idOf(network), network };
}

/** The one of these networks that a field means, by its ID or by a name that no other network has. Throws with what fits instead. */
export function networkOf(
	input: OperationInput,
	field: INodeProperties,
	networks: readonly PlainObject[],
): PlainObject {
	const { mode, text, shown } = input.fields.located(field);
	const found = networksNamed(networks, text);
	const [network] = found;
	// Another bridge may have another network under the ID that was picked from the list of the first one.
	const named = networksNamed(networksWithId(networks, idOf(network)), shown);
	const isOther = mode === 'list' && shown !== '' && named.length === 0;
	if (network !== undefined && found.length === 1 && !isOther) return network;
	const all = networks.map(networkTitle);
	const fits = found.map(networkTitle);
	const entered = network !== undefined && isOther ? shown : text;
	throw notOne(input, field, entered, 'a network of this bridge', 'ID', fits, all);
}

/**
 * The address of a field's token for the service: the field has an address, a symbol that no other token of the network
 * has, or the word NATIVE; from the list only a token that the network has. Undefined means the native token, which is left
 * out, as in the published example. Throws with what fits instead.
 */
export function readToken(
	input: OperationInput,
	field: INodeProperties,
	of: NetworkRead,
): string | undefined {
	const { mode, text, shown } = input.fields.located(field);
	const isFromList = mode === 'list';
	const isSure = !isFromList || 'error' in of;
	if ((isNative(text) || isTokenAddress(text)) && isSure) {
		const isWord = isNative(text) && (isFromList || !isAllZeroAddress(text));
		return isWord ? undefined : text;
	}
	if ('error' in of) throw notLookedUp(input, field, text, of.error);
	const found = tokensMeant(of.network, text);
	const [token] = found;
	if (token !== undefined && found.length === 1 && !isOtherNative(token, shown))
		return token.isNative ? undefined : token.address;
	const fits = found.map((each) => tokenTitle(each, each.address));
	const some = tokenList(of.network).slice(0, MAX_NAMED);
	const titles = some.map((each) => tokenTitle(each));
	const what = `a token on ${shownName(of.network) ?? `network ${of.id}`}`;
	throw notOne(input, field, shown || text, what, 'address', fits, titles);
}

/** Among so many the nearest to what was entered is looked for. */
const MAX_NAMED = 1_000;

function tokensMeant(network: PlainObject, text: string): Token[] {
	if (isNative(text)) return tokenList(network).filter((token) => token.isNative);
	if (isTokenAddress(text)) return [tokenAt(network, text) ?? []].flat();
	return [...new Set([...tokensNamed(network, text), ...tokensTitled(network, text)])];
}

/** The tokens that a message has named so, "Native token (ETH)" or "USDC (0x166c…128b)", or Get Config, "ETH (native)". */
function tokensTitled(network: PlainObject, text: string): Token[] {
	const [, name = '', detail = ''] = /^(.+?)\s*\(([^()]*)\)$/.exec(text) ?? [];
	const isTitle = (title: string): boolean => nameKey(title) === nameKey(text);
	return [...new Set([name, detail])]
		.flatMap((symbol) => tokensNamed(network, symbol))
		.filter((token) =>
			[tokenTitle(token), tokenTitle(token, token.address), listedSymbol(token)].some(isTitle),
		);
}

/** Whether the field shows another network's native token, which has the same address. */
function isOtherNative({ symbol, isNative }: Token, shown: string): boolean {
	return isNative && shown.startsWith('Native token (') && !shown.includes(`(${symbol})`);
}

/** The error of a text that stands for none of `all`, or for several. `sure`: what tells those apart. */
function notOne(
	{ fields }: OperationInput,
	{ displayName }: INodeProperties,
	text: string,
	what: string,
	sure: 'ID' | 'address',
	fits: string[],
	all: string[],
): Error {
	const entered = `'${displayName}': '${shownText(text)}'`;
	if (fits.length > 1)
		return fields.refuse(
			`${entered} matches ${listed(fits.map(shownText), 'and')}`,
			`Enter the ${sure} of the one that you mean.`,
		);
	const names = listed(nearest(all, text).map(shownText), 'and');
	return fields.refuse(
		`${entered} is not ${shownText(what)}`,
		all.length === 0 ? 'It has none.' : `It has: ${names}. Choose one of them.`,
	);
}

/** The configuration's error, with what it was needed for. */
function notLookedUp(
	input: OperationInput,
	{ displayName }: INodeProperties,
	text: string,
	error: ServiceError,
): Error {
	const note = `The bridge's configuration was needed to find '${text}' ('${displayName}'). An ID or an address works without it.`;
	return itemError(input, error, { asked: 'config', note });
}
