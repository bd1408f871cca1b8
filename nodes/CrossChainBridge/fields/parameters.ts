import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	NodeOperationError,
} from 'n8n-workflow';

import { field, isPlainObject, trimmedText } from '../orders/values';
import { type NodeErrorOptions, type ServiceError, toNodeError } from '../service/errors';
import type { NetworksInTime } from '../service/networksInTime';
import type { BridgeService } from '../service/service';
import { numberField } from './fieldTypes';
import { FieldReader } from './reader';

/** By default as the service's polling guidance advises. */
export const CHECK_EVERY = numberField(
	'Check Every (Seconds)',
	'checkEvery',
	1,
	5,
	"Minimum number of seconds between two checks of the same order. With many orders, checks are less frequent to stay within the credential's request limit.",
);

export interface ItemInput {
	context: IExecuteFunctions;
	itemIndex: number;
	/** The node's fields for this item. */
	fields: FieldReader;
}

export interface RunInput {
	context: IExecuteFunctions;
	service: BridgeService;
	/** Says something above the output, once however many items say it. */
	hint(message: string): void;
}

export interface OperationInput extends RunInput, ItemInput {
	networks: NetworksInTime;
}

/** The item with a reader of its fields, which refuses by n8n's error. */
export function itemInput(context: IExecuteFunctions, itemIndex: number): ItemInput {
	const refuse = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message + placeOf({ context, itemIndex }), {
			description,
			itemIndex,
		});
	const given = ({ name }: INodeProperties, otherwise: unknown): unknown => {
		const value: unknown = context.getNodeParameter(name, itemIndex, otherwise);
		if (!isPlainObject(value) || !Object.hasOwn(value, 'cachedResultName')) return value;
		const asEntered = { rawExpressions: true };
		const raw: unknown = context.getNodeParameter(name, itemIndex, otherwise, asEntered);
		// With an expression, such as an agent's, n8n keeps the name of what had been picked from the list before it.
		const isComputed = trimmedText(field(raw, 'value')).startsWith('=');
		return isComputed ? { ...value, cachedResultName: '' } : value;
	};
	return { context, itemIndex, fields: new FieldReader(given, refuse) };
}

type ItemPlace = Pick<ItemInput, 'context' | 'itemIndex'>;

export function itemError(
	{ context, itemIndex }: ItemPlace,
	error: ServiceError,
	asked: NodeErrorOptions,
) {
	return toNodeError(context.getNode(), error, { ...asked, itemIndex });
}

/** " (item 6 of 8)", counted as people do; nothing if there is only one. n8n's own views count from 0. */
export function placeOf({ context, itemIndex }: ItemPlace): string {
	const count = context.getInputData().length;
	return count > 1 ? ` (item ${itemIndex + 1} of ${count})` : '';
}

export function linkedItem(json: IDataObject, itemIndex: number): INodeExecutionData {
	return { json, pairedItem: { item: itemIndex } };
}
