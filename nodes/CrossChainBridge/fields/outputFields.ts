import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isTool } from '../n8n/internals';
import type { Display } from '../orders/display';
import { choiceField, switchField } from './fieldTypes';
import type { ItemInput, RunInput } from './parameters';

export const SIMPLIFY_PROPERTY = switchField(
	'Simplify',
	'simplify',
	true,
	'Whether to return a simplified version of the response instead of the raw data',
);

const OUTPUT = choiceField(
	'Output',
	'output',
	'simplified',
	'How much of the response the agent gets',
	[
		['Raw', 'raw', 'All fields'],
		['Selected Fields', 'selectedFields', 'Only the fields that you select'],
		['Simplified', 'simplified', 'The ten most useful fields'],
	],
);

/** Gives an item the shape that was chosen, with a hint if an amount could not be made readable. */
export type Shape = (
	item: { simple: IDataObject; full: IDataObject },
	display: Display,
) => IDataObject;

/**
 * How much of an item the node gives: Simplify, or Output for an agent's tool, which always gets `id`. `example` has all
 * fields of an item.
 */
export function outputFields(id: string, example: IDataObject) {
	const selected: INodeProperties = {
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		default: ['summary'],
		description: `The fields that the agent gets. ${titleOf(id)} is always included.`,
		options: Object.keys(example)
			.filter((name) => name !== id)
			.map((name) => ({ name: titleOf(name), value: name }))
			.sort((a, b) => a.name.localeCompare(b.name)),
	};
	const properties: INodeProperties[] = [
		{ ...SIMPLIFY_PROPERTY, displayOptions: { show: { '@tool': [false] } } },
		{ ...OUTPUT, displayOptions: { show: { '@tool': [true] } } },
		{ ...selected, displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } } },
	];
	const shapeOf = ({ context, fields, hint }: RunInput & ItemInput): Shape => {
		const simplified = () => (fields.isOn(SIMPLIFY_PROPERTY) ? 'simplified' : 'raw');
		const output = isTool(context) ? fields.choice(OUTPUT) : simplified();
		const names = output === 'selectedFields' ? [id, ...fields.choices(selected)] : null;
		return ({ simple, full }, { networks }) => {
			const isRaw = (shown: string, readable: string): boolean =>
				full[shown] !== null && full[readable] === null;
			if (isRaw('sent', 'inputAmountReadable') || isRaw('received', 'outputAmountReadable'))
				hint(networks === null ? NO_CONFIGURATION : NO_DECIMALS);
			if (names === null) return output === 'raw' ? full : simple;
			return Object.fromEntries(Object.entries(full).filter(([name]) => names.includes(name)));
		};
	};
	return { properties, shapeOf };
}

/** "Input Tx Hash" for "inputTxHash". */
function titleOf(name: string): string {
	const words = name.replace(/([A-Z])/g, ' $1');
	return words.replace(/^.|\b(?:Id|Usd|Url)\b/g, (part) => part.toUpperCase());
}

const NO_DECIMALS =
	"The bridge doesn't state the decimals of a token, so its amount is shown in the smallest unit. To see it in token units, add the option 'Token Decimals'.";

const NO_CONFIGURATION =
	"The bridge's configuration was not available in time, so amounts are shown in the smallest unit. Run this node again to see them in token units.";
