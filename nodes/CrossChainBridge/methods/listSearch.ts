import { type ILoadOptionsFunctions, type INodeListSearchResult, NodeApiError } from 'n8n-workflow';

import { networkById } from '../orders/networks';
import { toNodeError } from '../service/errors';
import { connectToService } from '../service/service';
import { field, type PlainObject } from '../orders/values';
import type { SearchMethod } from '../fields/locatorFields';
import { trimmedText } from '../fields/parameters';
import { networkChoices, tokenChoices } from './choices';

/** The longest pause that a loading list waits out: the one after a 429 without Retry-After. */
const MAX_PAUSE_MS = 5_000;

export const listSearch: Record<
	SearchMethod,
	(this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>
> = {
	async searchNetworks(filter) {
		const networks = await networksFor(this, 'Until then, use By ID to enter the network.');
		return { results: networkChoices(networks, filter) };
	},
	async searchFromTokens(filter) {
		return await tokensOf(this, 'From Network', 'fromNetwork', filter);
	},
	async searchToTokens(filter) {
		return await tokensOf(this, 'To Network', 'toNetwork', filter);
	},
};

async function tokensOf(
	context: ILoadOptionsFunctions,
	displayName: string,
	name: string,
	filter?: string,
): Promise<INodeListSearchResult> {
	const id = chosenNetwork(context, name);
	if (id === '') {
		throw listError(
			context,
			`Choose '${displayName}' first`,
			'Each network has tokens of its own.',
		);
	}
	if (id.startsWith('=')) {
		throw listError(
			context,
			`'${displayName}' is an expression that has no value yet`,
			`Run the previous node first, or use ${BY_ADDRESS} to enter the token.`,
		);
	}
	const networks = await networksFor(context, `Until then, use ${BY_ADDRESS} to enter the token.`);
	const network = networkById(networks, id);
	if (network === null) {
		throw listError(
			context,
			`The network in '${displayName}' is not supported`,
			`Choose it from the list of '${displayName}', or check the ID there.`,
		);
	}
	const results = tokenChoices(network, filter);
	if (results.length === 0 && tokenChoices(network).length === 0) {
		throw listError(
			context,
			`The bridge lists no tokens for the network in '${displayName}'`,
			`Use ${BY_ADDRESS} to enter the token, or leave the field empty for the native token.`,
		);
	}
	return { results };
}

const BY_ADDRESS = 'the Address mode';

/** The network in the editor's field: a locator, or what an older workflow or an expression put there. */
function chosenNetwork(context: ILoadOptionsFunctions, name: string): string {
	const parameter = context.getCurrentNodeParameter(name);
	return trimmedText(field(parameter, 'value') ?? parameter);
}

async function networksFor(
	context: ILoadOptionsFunctions,
	note: string,
): Promise<readonly PlainObject[]> {
	const service = await connectToService(context, { waitOutMs: MAX_PAUSE_MS });
	const response = await service.networks();
	if (!response.ok) throw toNodeError(context.getNode(), response.error, { asked: 'config', note });
	return response.networks;
}

/** The panel of a list shows the description of this class only. */
function listError(
	context: ILoadOptionsFunctions,
	message: string,
	description: string,
): NodeApiError {
	return new NodeApiError(context.getNode(), {}, { message, description });
}
