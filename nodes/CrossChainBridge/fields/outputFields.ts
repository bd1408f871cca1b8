import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Display } from '../orders/display';
import { booleanOf } from '../orders/values';
import type { OperationInput } from './parameters';

export const SIMPLIFY_PROPERTY: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Simplify, or Output for an agent's tool; `example` is an item with all fields. */
export function outputProperties(id: string, example: IDataObject): INodeProperties[] {
	return [
		{ ...SIMPLIFY_PROPERTY, displayOptions: { show: { '@tool': [false] } } },
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			default: 'simplified',
			description: 'How much of the response the agent gets',
			displayOptions: { show: { '@tool': [true] } },
			options: [
				{ name: 'Raw', value: 'raw', description: 'All fields' },
				{
					name: 'Selected Fields',
					value: 'selectedFields',
					description: 'Only the fields that you select',
				},
				{ name: 'Simplified', value: 'simplified', description: 'The ten most useful fields' },
			],
		},
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'multiOptions',
			default: ['summary'],
			description: `The fields that the agent gets. ${titleOf(id)} is always included.`,
			displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
			options: Object.keys(example)
				.filter((name) => name !== id)
				.map((name) => ({ name: titleOf(name), value: name }))
				.sort((a, b) => a.name.localeCompare(b.name)),
		},
	];
}

/** "Input Tx Hash" for "inputTxHash". */
function titleOf(name: string): string {
	const words = name.replace(/([A-Z])/g, ' $1');
	return (
		words.charAt(0).toUpperCase() +
		words.slice(1).replace(/\b(?:Id|Usd|Url)\b/g, (word) => word.toUpperCase())
	);
}

/** Whether the node is an agent's tool, for which n8n has a node type of its own. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

const NO_DECIMALS =
	"The bridge does not state the decimals of a token, so its amount is shown in the smallest unit. To see it in token units, add the option 'Token Decimals'.";

const NO_CONFIGURATION =
	"The bridge's configuration was not available in time, so amounts are shown in the smallest unit. Run this node again to see them in token units.";

/** The item in the shape that the user has chosen; an agent always gets `id`. */
export function shapedItem(
	{ context, itemIndex, onRawAmount }: OperationInput,
	id: string,
	{ simple, full }: { simple: IDataObject; full: IDataObject },
	{ networks }: Display,
): IDataObject {
	const isRaw = (shown: string, readable: string): boolean =>
		full[shown] !== null && full[readable] === null;
	if (isRaw('sent', 'inputAmountReadable') || isRaw('received', 'outputAmountReadable'))
		onRawAmount(networks === null ? NO_CONFIGURATION : NO_DECIMALS);
	if (!isTool(context))
		return booleanOf(context.getNodeParameter('simplify', itemIndex, true), true) ? simple : full;
	const output = context.getNodeParameter('output', itemIndex, 'simplified');
	if (output !== 'selectedFields') return output === 'raw' ? full : simple;
	// A list, or text by an expression.
	const chosen: string[] =
		String(context.getNodeParameter('fields', itemIndex, '')).match(/\w+/g) ?? [];
	const isChosen = (name: string): boolean => name === id || chosen.includes(name);
	return Object.fromEntries(Object.entries(full).filter(([name]) => isChosen(name)));
}
