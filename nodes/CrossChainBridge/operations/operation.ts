import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodePropertyOptions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { NetworksInTime } from '../service/networksInTime';
import { errorOf, field, textOrNull } from '../orders/values';
import { itemInput, linkedItem, type OperationInput, type RunInput } from '../fields/parameters';

export interface Operation {
	/** `value` is also the name of its output schema. */
	option: INodePropertyOptions & { value: string };
	/** What an agent gets to know of the operation as a tool. */
	toolDescription: string;
	properties: INodeProperties[];
	/** Gives the items of each output, and throws only n8n's own errors. */
	run(input: RunInput): Promise<INodeExecutionData[][]>;
	/** Under Continue On Fail where nothing could run; by default like runItems. */
	allFailed?(context: IExecuteFunctions, error: unknown): INodeExecutionData[][];
}

export type NodeError = NodeApiError | NodeOperationError;

const ITEMS_IN_FLIGHT = 100;

/** Items, or what makes them when no other one is waited for any more: a quote ages meanwhile. */
type Produced = IDataObject[] | (() => IDataObject[]);

/** Runs `work` on up to 100 items at once; one that fails stops all, or is an item with Continue On Fail. */
export async function runItems(
	input: RunInput,
	work: (input: OperationInput) => Promise<Produced>,
): Promise<INodeExecutionData[][]> {
	const { context, service } = input;
	const networks = new NetworksInTime(service);
	const count = context.getInputData().length;
	const results: Array<() => INodeExecutionData[]> = [];
	const stopped = context.getExecutionCancelSignal();
	let next = 0;
	let failed = false;

	const worker = async (): Promise<void> => {
		while (next < count && !failed && stopped?.aborted !== true) {
			const itemIndex = next++;
			try {
				const item = itemInput(context, itemIndex);
				const produced = await work({ ...input, ...item, networks });
				const items = typeof produced === 'function' ? produced : () => produced;
				results[itemIndex] = () => items().map((json) => linkedItem(json, itemIndex));
			} catch (error) {
				failed = !context.continueOnFail();
				const item = failedItem(context, error, itemIndex);
				results[itemIndex] = () => [item];
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(ITEMS_IN_FLIGHT, count) }, worker));
	return [results.flatMap((items) => items())];
}

export function allFailed(context: IExecuteFunctions, error: unknown): INodeExecutionData[][] {
	return [context.getInputData().map((_item, itemIndex) => failedItem(context, error, itemIndex))];
}

/** An error of n8n's own with the item, for Continue On Fail; without that it is thrown. */
export function keptError(
	context: IExecuteFunctions,
	thrown: unknown,
	itemIndex: number,
): NodeError {
	const error =
		thrown instanceof NodeApiError || thrown instanceof NodeOperationError
			? thrown
			: new NodeOperationError(context.getNode(), errorOf(thrown), { itemIndex });
	if (context.continueOnFail()) return error;
	throw error;
}

/** n8n's error output takes an item of nothing but `error`. */
function failedItem(
	context: IExecuteFunctions,
	thrown: unknown,
	itemIndex: number,
): INodeExecutionData {
	const error = keptError(context, thrown, itemIndex);
	return linkedItem({ error: errorDetails(error) }, itemIndex);
}

/** An error as later nodes read it, in plain text. */
export function errorDetails(error: NodeError): IDataObject {
	return {
		message: error.message,
		code: textOrNull(field(error.context, 'code')),
		httpCode: error instanceof NodeApiError ? error.httpCode : null,
		description: error.description ?? null,
	};
}
