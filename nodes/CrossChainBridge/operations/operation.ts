import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { RunInput } from '../fields/parameters';

export interface Operation {
	/** `value` is also the name of its output schema. */
	option: INodePropertyOptions & { value: string };
	properties: INodeProperties[];
	/** Gives the items of each output, and throws only n8n's own errors. */
	run(input: RunInput): Promise<INodeExecutionData[][]>;
	/** The output under Continue On Fail where nothing could run, since n8n would put the input on the first output. */
	allFailed(context: IExecuteFunctions, error: unknown): INodeExecutionData[][];
}

/** The fields, shown for this operation only. */
export function shownFor(operation: string, properties: INodeProperties[]): INodeProperties[] {
	return properties.map((property) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { operation: [operation], ...property.displayOptions?.show },
		},
	}));
}
