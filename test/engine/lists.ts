import * as core from 'n8n-core';
import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	NodeApiError,
} from 'n8n-workflow';

import type { SearchMethod } from '../../nodes/CrossChainBridge/fields/fieldTypes';
import { CrossChainBridge } from '../../nodes/CrossChainBridge/CrossChainBridge.node';
import type { TestCredentials } from './credentials';
import { additionalDataOf, oneNode } from './oneNode';

/** The part of a real n8n that serves "From List": a workflow of one node that is never saved, as its service for dynamic parameters makes it. */

const bridge = new CrossChainBridge();

/** The context of a list of the action node, with the parameters as the editor has them at that moment. */
export function listContext(
	credentials: TestCredentials,
	parameters: IDataObject = {},
): ILoadOptionsFunctions {
	const { node, workflow } = oneNode(bridge, parameters);
	const additionalData = additionalDataOf(credentials, { currentNodeParameters: node.parameters });
	return new core.LoadOptionsContext(workflow, node, additionalData, 'parameters');
}

/** What the panel of a list shows: its entries, or why there are none. */
interface ShownList {
	entries: INodeListSearchItems[];
	error: { message: string; description: string; httpCode: string | null } | null;
}

/** What a list of the action node offers. */
export async function showList(
	credentials: TestCredentials,
	method: SearchMethod,
	{ parameters, filter }: { parameters?: IDataObject; filter?: string } = {},
): Promise<ShownList> {
	try {
		const { results } = await bridge.methods.listSearch[method].call(
			listContext(credentials, parameters),
			filter,
		);
		return { entries: results, error: null };
	} catch (error) {
		// n8n sends only the description of this class to the editor.
		if (!(error instanceof NodeApiError)) throw error;
		return {
			entries: [],
			error: {
				message: error.message,
				description: error.description ?? '',
				httpCode: error.httpCode,
			},
		};
	}
}
