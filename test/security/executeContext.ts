import * as core from 'n8n-core';
import { createRunExecutionData, type INodeProperties, type INodeType } from 'n8n-workflow';

import type { TestCredentials } from '../engine/credentials';
import { additionalDataOf, oneNode } from '../engine/oneNode';

/** What n8n gives a node of another kind that uses the credential, and the kind. */
export function contextOfOtherNode(
	credentials: TestCredentials,
	properties: INodeProperties[] = [],
): { context: core.ExecuteContext; type: INodeType } {
	const type: INodeType = {
		description: {
			displayName: 'Temp',
			name: 'temp',
			group: [],
			version: 1,
			description: '',
			defaults: {},
			inputs: [],
			outputs: [],
			credentials: [{ name: 'crossChainBridgeApi', required: true }],
			properties,
		},
	};
	const { node, workflow } = oneNode(type, {}, { type: 'temp' });
	const context = new core.ExecuteContext(
		workflow,
		node,
		additionalDataOf(credentials),
		'internal',
		createRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	return { context, type };
}
