import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { RunInput } from '../fields/parameters';

/** One operation of the action node: how the editor shows it, and what it does. */
export interface Operation {
	/** Its entry in the Operation list; `value` is also the name of its output schema. */
	option: INodePropertyOptions & { value: string };
	/** Its fields; shown when the operation is chosen. */
	properties: INodeProperties[];
	/** The items of each output. Throws only n8n's own errors. */
	run(input: RunInput): Promise<INodeExecutionData[][]>;
	/** What it gives where no item could be worked on, under Continue On Fail: n8n would put the input on the first output. */
	allFailed(context: IExecuteFunctions, error: unknown): INodeExecutionData[][];
}

/** Shows the properties for this operation only, besides conditions of their own. */
export function shownFor(operation: string, properties: INodeProperties[]): INodeProperties[] {
	return properties.map((property) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { operation: [operation], ...property.displayOptions?.show },
		},
	}));
}
