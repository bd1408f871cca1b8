import { type ILoadOptionsFunctions, type INodeListSearchResult, NodeApiError } from 'n8n-workflow';

import { chainIdOf, idText, networksWithId, tokenList } from '../orders/networks';
import { plainText } from '../orders/plainText';
import { toNodeError } from '../service/errors';
import { connectToService } from '../service/service';
import { field, type PlainObject, textOrNull, trimmedText } from '../orders/values';
import type { SearchMethod } from '../fields/fieldTypes';

/** The pause after a 429 without Retry-After is never longer. */
const MAX_PAUSE_MS = 5_000;

export const listSearch: Record<
	SearchMethod,
	(this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>
> = {
	async searchNetworks(filter) {
		const networks = await networksFor(this, 'Until then, use By ID to enter the network.');
		const results = networks.flatMap((network) => {
			const id = idText(chainIdOf(network));
			const name = textOrNull(field(network, 'name')) ?? id;
			if (id === '' || !matches(filter, [name, id])) return [];
			return { name: safeName(name) + (name === id ? '' : ` (${safeName(id)})`), value: id };
		});
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
	const id = trimmedText(field(chosen, 'value') ?? chosen);
	if (id === '')
		throw listError(`Choose '${displayName}' first`, 'Each network has tokens of its own.');
	if (id.startsWith('=')) {
		throw listError(
			`'${displayName}' is an expression that has no value yet`,
			`Run the previous node first, or use ${BY_ADDRESS} to enter the token.`,
		);
	}
	const networks = await networksFor(context, `Until then, use ${BY_ADDRESS} to enter the token.`);
	const [network] = networksWithId(networks, id);
	if (network === undefined) {
		throw listError(
			`The network in '${displayName}' is not supported`,
			`Choose it from the list of '${displayName}', or check the ID there.`,
		);
	}
	const tokens = tokenList(network);
	if (tokens.length === 0) {
		throw listError(
			`The bridge lists no tokens for the network in '${displayName}'`,
			`Use ${BY_ADDRESS} to enter the token, or leave the field empty for the native token.`,
		);
	}
	const results = tokens.flatMap(({ symbol, address, isNative }) => {
		if (!matches(filter, [symbol, address, isNative ? NATIVE : ''])) return [];
		const kind = isNative ? NATIVE : safeName(shortened(address));
		return { name: `${safeName(symbol)} (${kind})`, value: address };
	});
	return { results };
}

const BY_ADDRESS = 'the Address mode';

const NATIVE = 'native token';

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

const MAX_NAME = 60;

function safeName(text: string): string {
	return plainText(text, MAX_NAME) ?? '?';
}

function shortened(address: string): string {
	return address.length <= 14 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`;
}
