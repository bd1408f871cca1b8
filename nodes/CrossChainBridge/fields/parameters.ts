import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';

import { type NodeErrorOptions, type ServiceError, toNodeError } from '../service/errors';
import { trimmedText } from '../orders/values';
import type { NetworksInTime } from '../service/networksInTime';
import type { BridgeService } from '../service/service';

/** As the service's polling guidance advises. */
export const DEFAULT_INTERVAL_SECONDS = 5;

export interface ItemInput {
	context: IExecuteFunctions;
	itemIndex: number;
}

export interface RunInput {
	context: IExecuteFunctions;
	service: BridgeService;
	/** Called for each item that shows an amount in the smallest unit, with why. */
	onRawAmount(hint: string): void;
}

export interface OperationInput extends RunInput, ItemInput {
	networks: NetworksInTime;
}

/** What a field or a locator gives, trimmed; empty where an expression gives no text or number. */
export function textParameter({ context, itemIndex }: ItemInput, name: string): string {
	return trimmedText(context.getNodeParameter(name, itemIndex, '', { extractValue: true }));
}

/** As textParameter, but never empty. */
export function requiredText(input: ItemInput, label: string, name: string): string {
	const text = textParameter(input, name);
	if (text !== '') return text;
	throw emptyError(input, label, `Fill in '${label}'`);
}

/** The text of a field that may be empty; an expression without a value is a mistake. */
export function optionalText(input: ItemInput, label: string, name: string): string {
	const { context, itemIndex } = input;
	const given: unknown = context.getNodeParameter(name, itemIndex, '', { extractValue: true });
	return typeof given === 'string' ? given.trim() : requiredText(input, label, name);
}

export function emptyError(input: ItemInput, label: string, remedy: string): NodeOperationError {
	return inputError(
		input,
		`'${label}' is empty`,
		`${remedy}. If it comes from an expression, check that the previous node gives it for this item.`,
	);
}

export function itemError(
	{ context, itemIndex }: ItemInput,
	error: ServiceError,
	asked: NodeErrorOptions,
) {
	return toNodeError(context.getNode(), error, { ...asked, itemIndex });
}

/** `message` says what is wrong with the user's input, `description` what to enter. */
export function inputError(
	{ context, itemIndex }: ItemInput,
	message: string,
	description: string,
) {
	return new NodeOperationError(context.getNode(), `${message} [item ${itemIndex}]`, {
		description,
		itemIndex,
	});
}

export function linkedItem(json: IDataObject, itemIndex: number): INodeExecutionData {
	return { json, pairedItem: { item: itemIndex } };
}
