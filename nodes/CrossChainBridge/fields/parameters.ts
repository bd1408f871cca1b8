import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';

import { type NodeErrorOptions, type ServiceError, toNodeError } from '../service/errors';
import type { BridgeService } from '../service/service';

/** Between two checks of one order, as the service's polling guidance advises. */
export const DEFAULT_INTERVAL_SECONDS = 5;

export interface ItemInput {
	context: IExecuteFunctions;
	itemIndex: number;
}

export interface RunInput {
	context: IExecuteFunctions;
	service: BridgeService;
	/** Called for each item that shows an amount in the smallest unit. */
	onRawAmount(): void;
}

export interface OperationInput extends RunInput, ItemInput {}

/** Trimmed; empty where an expression gives no text or number. */
export function textParameter({ context, itemIndex }: ItemInput, name: string): string {
	return trimmedText(context.getNodeParameter(name, itemIndex, ''));
}

/** The value of a list, an ID or an address, trimmed; empty without one. */
export function locatorParameter({ context, itemIndex }: ItemInput, name: string): string {
	return trimmedText(context.getNodeParameter(name, itemIndex, '', { extractValue: true }));
}

/** A choice that may be left out; an expression without a value is a mistake. */
export function optionalLocator(input: ItemInput, label: string, name: string): string {
	const given = input.context.getNodeParameter(name, input.itemIndex, '', {
		extractValue: true,
	}) as unknown;
	const text = trimmedText(given);
	return typeof given === 'string' ? text : required(input, label, text);
}

/** The text, or an error that names the field. */
export function required(input: ItemInput, label: string, text: string): string {
	if (text !== '') return text;
	throw emptyError(input, label, `Fill in '${label}'`);
}

/** Says that the field is empty, and what to do. */
export function emptyError(input: ItemInput, label: string, remedy: string): NodeOperationError {
	return inputError(
		input,
		`'${label}' is empty`,
		`${remedy}. If it comes from an expression, check that the previous node gives it for this item.`,
	);
}

/** Text or a number as trimmed text; anything else is empty. */
export function trimmedText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** A service error as n8n's own, for this item. */
export function itemError(
	{ context, itemIndex }: ItemInput,
	error: ServiceError,
	asked: Omit<NodeErrorOptions, 'itemIndex'>,
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

/** An output item that n8n links to the input item it comes from. */
export function linkedItem(json: IDataObject, itemIndex: number): INodeExecutionData {
	return { json, pairedItem: { item: itemIndex } };
}
