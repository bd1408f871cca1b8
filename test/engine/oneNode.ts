import {
	type IDataObject,
	type INode,
	type INodeType,
	type IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';

import type { TestCredentials } from './credentials';

/** A node with the credential in a workflow of its own, as n8n makes it for what is not a run of the workflow. */
export function oneNode(
	type: INodeType,
	parameters: IDataObject = {},
	more: Partial<INode> = {},
): { node: INode; workflow: Workflow } {
	const node: INode = {
		id: '1',
		name: 'Temp-Node',
		type: 'n8n-nodes-cross-chain-bridge.crossChainBridge',
		typeVersion: 1,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
		credentials: { crossChainBridgeApi: { id: '1', name: 'Bridge' } },
		...more,
	};
	const nodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	return {
		node,
		workflow: new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes }),
	};
}

/** What n8n adds to a node for that. */
export function additionalDataOf(
	credentialsHelper: TestCredentials,
	more: object = {},
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper,
		restApiUrl: 'http://127.0.0.1/rest',
		instanceBaseUrl: 'http://127.0.0.1/',
		webhookBaseUrl: 'http://127.0.0.1/webhook',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		webhookTestBaseUrl: 'http://127.0.0.1/webhook-test',
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		variables: {},
		userId: 'user',
		externalSecretsProxy: {},
		...more,
	} as unknown as IWorkflowExecuteAdditionalData;
}
