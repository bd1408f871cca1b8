import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';

import { listSearch } from '../../../nodes/CrossChainBridge/methods/listSearch';
import { nodeWith } from '../node';

let accounts = 0;

/** What the lists of networks and of the tokens of one show, where this is the configuration. */
export function listsOf(config: string | { networks: unknown }) {
	const body = `{"success":true,"data":${typeof config === 'string' ? config : JSON.stringify(config)}}`;
	const baseUrl = 'https://bridge.example.com';
	// An account of its own, because the configuration of an account is remembered.
	const apiKey = `sk-list-${++accounts}`;
	let chosen: unknown = null;
	const context = {
		getCredentials: async () => await Promise.resolve({ baseUrl, apiKey } as IDataObject),
		getWorkflow: () => ({ id: 'w1' }),
		getNode: () => nodeWith(),
		getCurrentNodeParameter: () => chosen,
		helpers: {
			httpRequestWithAuthentication: async () =>
				await Promise.resolve({ statusCode: 200, headers: {}, body }),
		},
	} as unknown as ILoadOptionsFunctions;
	return {
		networks: async (filter?: string): Promise<INodeListSearchItems[]> =>
			(await listSearch.searchNetworks.call(context, filter)).results,
		tokens: async (network: unknown, filter?: string): Promise<INodeListSearchItems[]> => {
			chosen = network;
			return (await listSearch.searchFromTokens.call(context, filter)).results;
		},
	};
}
