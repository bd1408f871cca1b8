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

const ITEMS_IN_FLIGHT = 100;

/**
 * Runs `work` on every input item, several at once, and keeps their order. The first item that fails stops the run; with
 * Continue On Fail it becomes an item that says why.
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

export function allFailed(context: IExecuteFunctions, error: unknown): INodeExecutionData[][] {
	return [
		context
			.getInputData()
			.map((_item, itemIndex) => failedItem(asNodeError(context, error, itemIndex), itemIndex)),
	];
}

/** The service's field `error` is renamed, since n8n's Retry On Fail runs a node again whose first item has one. */
function withoutErrorField(json: IDataObject): IDataObject {
	if (!Object.hasOwn(json, 'error')) return json;
	const { error, ...others } = json;
	return { ...others, serviceError: error };
}

/** n8n's own errors as they are; anything else, such as a failed expression, with its item. */
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

/** A failed item: only one of nothing but `error` goes to n8n's error output with all its details. */
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
