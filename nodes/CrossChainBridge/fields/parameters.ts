import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';

import { type NodeErrorOptions, type ServiceError, toNodeError } from '../service/errors';
import type { BridgeService } from '../service/service';

/** One item, as far as its fields go. */
export interface ItemInput {
	context: IExecuteFunctions;
	itemIndex: number;
}

/** What an operation is given to work on all items. */
export interface RunInput {
	context: IExecuteFunctions;
	service: BridgeService;
}

/** What an operation is given to work on one item. */
export interface OperationInput extends RunInput, ItemInput {}

/** A text field as the user means it: white space around it is not part of it, and a number counts as its digits. */
export function textParameter({ context, itemIndex }: ItemInput, name: string): string {
	return trimmedText(context.getNodeParameter(name, itemIndex, ''));
}

/** The ID or address chosen in a resource locator, or given by an expression. */
export function locatorParameter({ context, itemIndex }: ItemInput, name: string): string {
	return trimmedText(context.getNodeParameter(name, itemIndex, '', { extractValue: true }));
}

/** The same for a choice that may be left out: only empty text does that, since an expression without a value is a mistake. */
export function optionalLocator(input: ItemInput, label: string, name: string): string {
	const given = input.context.getNodeParameter(name, input.itemIndex, '', {
		extractValue: true,
	}) as unknown;
	const text = trimmedText(given);
	return typeof given === 'string' ? text : required(input, label, text);
}

/** Text that must be there. Throws a sentence that names the field. */
export function required(input: ItemInput, label: string, text: string): string {
	if (text !== '') return text;
	throw inputError(
		input,
		`'${label}' is empty`,
		`Fill in '${label}'. If it comes from an expression, check that the previous node gives it for this item.`,
	);
}

export function trimmedText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** For what the service answered: says what was asked for, in the editor's names of the parameters. */
export function itemError(
	{ context, itemIndex }: ItemInput,
	error: ServiceError,
	asked: Omit<NodeErrorOptions, 'itemIndex'>,
) {
	return toNodeError(context.getNode(), error, { ...asked, itemIndex });
}

/** For what the user entered: says which item, what is wrong with it and what to enter. */
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

/** An output item linked to the input item it came from. */
export function linkedItem(json: IDataObject, itemIndex: number): INodeExecutionData {
	return { json, pairedItem: { item: itemIndex } };
}
