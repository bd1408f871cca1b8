import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { connectToService, CREDENTIAL_NAME } from './service/service';
import { listSearch } from './methods/listSearch';
import { operationField, operations } from './operations';
import { hintsOf } from './operations/hints';
import type { Operation } from './operations/operation';
import { SUBTITLE } from './operations/subtitle';
import { WAIT_OUTPUTS } from './operations/waitForCompletion';

/** A run of more items must not delay the triggers that share its key. */
const LARGE_BATCH = 10;

export class CrossChainBridge implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cross-Chain Bridge',
		name: 'crossChainBridge',
		icon: { light: 'file:bridge.svg', dark: 'file:bridge.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: SUBTITLE,
		description:
			'Get quotes and configuration of a cross-chain bridge, and the status of its orders',
		defaults: { name: 'Cross-Chain Bridge' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: `={{ $parameter["operation"] === "waitForCompletion" ? ${JSON.stringify(WAIT_OUTPUTS)} : ["${NodeConnectionTypes.Main}"] }}`,
		credentials: [{ name: CREDENTIAL_NAME, required: true }],
		properties: [operationField(), ...operations.flatMap((operation) => operation.properties)],
	};

	methods = { listSearch };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const name = this.getNodeParameter('operation', 0, 'getStatus');
		const operation = operations.find(({ option }) => option.value === name);
		if (operation === undefined) {
			throw new NodeOperationError(this.getNode(), 'This operation does not exist', {
				description: 'Choose one of the operations in the list.',
			});
		}
		const stop = new AbortController();
		let hasRawAmount = false;
		const running = run(this, operation, stop.signal, () => (hasRawAmount = true));
		// A run that has failed sends nothing more, though other items may be in flight.
		void running.catch(() => stop.abort());
		const outputs = await (this.continueOnFail()
			? running.catch((error: unknown) => operation.allFailed(this, error))
			: running);
		const hints = hintsOf(name, outputs, hasRawAmount, Date.now());
		if (hints.length > 0) this.addExecutionHints(...hints);
		return outputs;
	}
}

async function run(
	context: IExecuteFunctions,
	operation: Operation,
	stop: AbortSignal,
	onRawAmount: () => void,
): Promise<INodeExecutionData[][]> {
	const cancelled = context.getExecutionCancelSignal();
	const service = await connectToService(context, {
		abortSignal: cancelled === undefined ? stop : AbortSignal.any([cancelled, stop]),
		priority: context.getInputData().length > LARGE_BATCH ? 'batch' : 'interactive',
	});
	return await operation.run({ context, service, onRawAmount });
}
