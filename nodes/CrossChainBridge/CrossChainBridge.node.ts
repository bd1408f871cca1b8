import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { connectToService, CREDENTIAL_NAME } from './bridge/service';
import { operations } from './operations';
import { WAIT_OUTPUTS } from './operations/waitForCompletion';

/** More items than a person waits for one by one; such a run must not hold up the triggers that share its key. */
const LARGE_BATCH = 10;

export class CrossChainBridge implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cross-Chain Bridge',
		name: 'crossChainBridge',
		icon: { light: 'file:bridge.svg', dark: 'file:bridge.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ { getConfig: "Get Config", getQuote: "Get Quote", getStatus: "Get Status", waitForCompletion: "Wait for Completion" }[$parameter["operation"]] }}',
		description: 'Get quotes and configuration of a cross-chain bridge, and the status of its orders',
		defaults: { name: 'Cross-Chain Bridge' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: `={{ $parameter["operation"] === "waitForCompletion" ? ${JSON.stringify(WAIT_OUTPUTS)} : ["${NodeConnectionTypes.Main}"] }}`,
		credentials: [{ name: CREDENTIAL_NAME, required: true }],
		properties: [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				default: 'getStatus',
				options: operations.map((operation) => operation.option),
			},
			...operations.flatMap((operation) => operation.properties),
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const name = this.getNodeParameter('operation', 0, 'getStatus');
		const operation = operations.find(({ option }) => option.value === name);
		if (operation === undefined) {
			throw new NodeOperationError(this.getNode(), 'This operation does not exist', {
				description: 'Choose one of the operations in the list.',
			});
		}
		const service = await connectToService(this, {
			abortSignal: this.getExecutionCancelSignal(),
			priority: this.getInputData().length > LARGE_BATCH ? 'watch' : 'person',
		});
		return await operation.run({ context: this, service });
	}
}
