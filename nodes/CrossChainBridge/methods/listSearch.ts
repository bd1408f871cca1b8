import { type ILoadOptionsFunctions, type INodeListSearchResult, NodeApiError } from 'n8n-workflow';

import {
	idOf,
	networksNamed,
	networkTitle,
	shownName,
	tokenList,
	tokenTitles,
} from '../orders/networks';
import { toNodeError } from '../service/errors';
import { connectToService } from '../service/service';
import { field, type PlainObject, trimmedText, visibleText } from '../orders/values';
import type { SearchMethod } from '../fields/fieldTypes';

/** The pause after a 429 without Retry-After is never longer. */
const MAX_PAUSE_MS = 5_000;

type Search = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

export const listSearch: Record<SearchMethod, Search> = {
	async searchNetworks(filter) {
		const networks = await networksFor(this, 'Until then, use By ID to enter the network.');
		const results = networks
			.map((network) => ({ name: networkTitle(network), value: idOf(network) }))
			.filter(({ name, value }) => isVisible(value) && matches(filter, [name]));
		return { results };
	},
	async searchFromTokens(filter) {
		return await tokensOf(this, 'From', filter);
	},
	async searchToTokens(filter) {
		return await tokensOf(this, 'To', filter);
	},
};

async function tokensOf(
	context: ILoadOptionsFunctions,
	end: 'From' | 'To',
	filter?: string,
): Promise<INodeListSearchResult> {
	// A list shows the description of this class only.
	const listError = (message: string, description: string) =>
		new NodeApiError(context.getNode(), {}, { message, description });
	const displayName = `${end} Network`;
	// A locator, or what an older workflow or an expression put there.
	const chosen = context.getCurrentNodeParameter(`${end.toLowerCase()}Network`);
	const entered = visibleText(trimmedText(field(chosen, 'value') ?? chosen));
	if (entered === '' || entered.startsWith('='))
		throw listError(
			`Choose '${displayName}' first`,
			`Each network has tokens of its own. If '${displayName}' is an expression, run the previous node first, or use ${BY_ADDRESS} to enter the token.`,
		);
	const networks = await networksFor(context, `Until then, use ${BY_ADDRESS} to enter the token.`);
	const [network, another] = networksNamed(networks, entered);
	if (network === undefined || another !== undefined) {
		throw listError(
			`The network in '${displayName}' is not one of this bridge's networks`,
			`Choose it from the list of '${displayName}', or check the ID or name there.`,
		);
	}
	const tokens = tokenList(network);
	if (tokens.length === 0)
		throw listError(
			`The bridge lists no tokens for ${shownName(network) ?? entered}`,
			`Use ${BY_ADDRESS} to enter the token, or NATIVE for the network's own token.`,
		);
	const found = tokens.filter(({ symbol, address, isNative }) =>
		matches(filter, [symbol, address, isNative ? 'native token' : '']),
	);
	const titled = tokenTitles(found.slice(0, MAX_ENTRIES));
	return { results: titled.map(({ title, address }) => ({ name: title, value: address })) };
}

/** More make the editor slow; a search finds the others. */
const MAX_ENTRIES = 1_000;

const BY_ADDRESS = 'the Address mode';

async function networksFor(
	context: ILoadOptionsFunctions,
	note: string,
): Promise<readonly PlainObject[]> {
	const service = await connectToService(context, { waitOutMs: MAX_PAUSE_MS });
	const response = await service.networks();
	if (!response.ok) throw toNodeError(context.getNode(), response.error, { asked: 'config', note });
	return response.networks;
}

function matches(filter: string | undefined, texts: string[]): boolean {
	const wanted = (filter ?? '').trim().toLowerCase();
	return texts.some((text) => text.toLowerCase().includes(wanted));
}

/** Whether no other ID can be mistaken for it. */
const isVisible = (id: string): boolean => id !== '' && visibleText(id) === id;
