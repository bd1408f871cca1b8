import type { GenericValue, IDataObject } from 'n8n-workflow';

import {
	listedSymbol,
	networksOf,
	networksWithId,
	networkTitle,
	tokenList,
} from '../orders/networks';
import { field, type PlainObject } from '../orders/values';
import { isRequestError } from '../service/errors';
import { NO_NETWORKS } from '../service/service';
import { networkField, optionsProperty, switchField } from '../fields/fieldTypes';
import { itemError, type OperationInput } from '../fields/parameters';
import { listed } from '../fields/reader';
import { networkOf } from '../fields/route';
import { type Operation, runItems } from './operation';

const NETWORK = networkField(
	{
		displayName: 'Network',
		name: 'network',
		description:
			'The network to get, from the list or by ID or name. Leave it empty for all networks.',
	},
	'All networks',
);

const ONE_ITEM_PER_TOKEN = switchField(
	'One Item per Token',
	'oneItemPerToken',
	false,
	'Whether to return an item for each token of a network instead of one for each network',
);

const OPTIONS = optionsProperty([ONE_ITEM_PER_TOKEN]);

/** The networks that the item asks for: one, or all. */
async function networksAskedFor(input: OperationInput, text: string): Promise<PlainObject[]> {
	const { service } = input;
	const asked = { asked: 'config', labels: { chainID: 'Network' } } as const;
	if (/^\d+$/.test(text)) {
		const response = await service.config(text);
		// The service may ignore the filter.
		const found = response.ok ? networksWithId(networksOf(response.data), text) : [];
		if (found.length > 0) return found;
		// The bridge may reject a network that it does not have: the whole configuration says which it has.
		if (!response.ok && !isRequestError(response.error))
			throw itemError(input, response.error, asked);
	}
	const response = await service.config();
	if (!response.ok) throw itemError(input, response.error, asked);
	const networks = networksOf(response.data);
	if (networks === null) throw itemError(input, NO_NETWORKS, asked);
	return text === '' ? networks : [networkOf(input, NETWORK, networks)];
}

/** In the service's own names, with the tokens' symbols in one line that a table has room for. */
function networkItem(network: PlainObject): IDataObject {
	const symbols = tokenList(network).map(listedSymbol);
	return { ...(network as IDataObject), tokenList: symbols.join(', ') };
}

function tokenItems(network: PlainObject): IDataObject[] {
	const named = (name: string) => (field(network, name) ?? null) as GenericValue;
	return tokenList(network).map((token) => ({
		...token,
		// The configuration states those of the native token only.
		decimals: token.isNative ? named('decimals') : null,
		chainID: named('chainID'),
		network: named('name'),
	}));
}

async function execute(input: OperationInput): Promise<IDataObject[]> {
	const isPerToken = input.fields.inside(OPTIONS).isOn(ONE_ITEM_PER_TOKEN);
	const networks = await networksAskedFor(input, input.fields.located(NETWORK).text);
	if (networks.length === 0) input.hint('The bridge lists no networks.');
	if (!isPerToken) return networks.map(networkItem);
	const without = networks.filter((network) => tokenList(network).length === 0);
	if (without.length > 0)
		input.hint(`The bridge lists no tokens for ${listed(without.map(networkTitle), 'and')}.`);
	return networks.flatMap(tokenItems);
}

export const getConfig: Operation = {
	option: {
		name: 'Get Config',
		value: 'getConfig',
		description: 'Get the networks and tokens that the bridge supports',
		action: 'Get config with networks and tokens',
	},
	toolDescription:
		'Get the networks that the bridge supports, with their IDs (chainID), tokens and token addresses. Use it to find out which networks and tokens can be used for a quote.',
	properties: [NETWORK, OPTIONS],
	run: async (input) => await runItems(input, execute),
};
