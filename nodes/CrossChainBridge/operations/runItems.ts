import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { plainDescription } from '../service/errors';
import { field } from '../orders/values';
import { linkedItem, type OperationInput, type RunInput } from '../fields/parameters';

/** How many items are worked on at once. */
const ITEMS_IN_FLIGHT = 100;

/**
 * Runs `work` on every input item, several at once, and keeps the items' order. With Continue On Fail an item that
 * fails becomes an item with the message, the service's code and the HTTP status; else the first one that fails
 * stops the run. When the execution is stopped, no further item is started.
 */
export async function runItems(
	{ context, service }: RunInput,
	work: (input: OperationInput) => Promise<IDataObject[]>,
): Promise<INodeExecutionData[][]> {
	const count = context.getInputData().length;
	const results: INodeExecutionData[][] = Array.from({ length: count }, () => []);
	const stopped = context.getExecutionCancelSignal();
	let next = 0;
	let failed = false;

	const worker = async (): Promise<void> => {
		while (next < count && !failed && stopped?.aborted !== true) {
			const itemIndex = next++;
			try {
				const produced = await work({ context, service, itemIndex });
				results[itemIndex] = produced.map((json) => linkedItem(withoutErrorField(json), itemIndex));
			} catch (error) {
				if (!context.continueOnFail()) {
					failed = true;
					throw asNodeError(context, error, itemIndex);
				}
				results[itemIndex] = [failedItem(asNodeError(context, error, itemIndex), itemIndex)];
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(ITEMS_IN_FLIGHT, count) }, worker));
	return [results.flat()];
}

/** Each item's error, where none could be worked on. */
export function allFailed(context: IExecuteFunctions, error: unknown): INodeExecutionData[][] {
	return [
		context
			.getInputData()
			.map((_item, itemIndex) => failedItem(asNodeError(context, error, itemIndex), itemIndex)),
	];
}

/** A field `error` of the service's is renamed: n8n's Retry On Fail runs a node again whose first item has one, whatever its value. */
function withoutErrorField(json: IDataObject): IDataObject {
	if (!Object.hasOwn(json, 'error')) return json;
	const { error, ...others } = json;
	return { ...others, serviceError: error };
}

/** n8n's own errors as they are; anything else (an expression that cannot be evaluated, say) with its item. */
export function asNodeError(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(context.getNode(), error instanceof Error ? error : String(error), {
		itemIndex,
	});
}

/**
 * The item that takes a failed item's place. An item of nothing but `error` is what n8n sends to the error output;
 * with an error object on the item itself n8n would cut the JSON down to the message.
 */
function failedItem(
	error: NodeApiError | NodeOperationError,
	itemIndex: number,
): INodeExecutionData {
	return linkedItem({ error: errorDetails(error) }, itemIndex);
}

/** What a node after this one can read of an error: `{{ $json.error.message }}` and so on. Plain text. */
export function errorDetails(error: NodeApiError | NodeOperationError): IDataObject {
	const code = field(error.context, 'code');
	return {
		message: error.message,
		code: typeof code === 'string' ? code : null,
		httpCode: error instanceof NodeApiError ? error.httpCode : null,
		description: plainDescription(error),
	};
}
