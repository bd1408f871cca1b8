import type { IDataObject } from 'n8n-workflow';

import { DISPLAY_PROPERTIES, displayOptionsOf } from '../fields/displayFields';
import { optionsProperty } from '../fields/fieldTypes';
import { itemError, type OperationInput } from '../fields/parameters';
import {
	askedForStatus,
	ORDER_OUTPUT_PROPERTIES,
	shownOrder,
	SOURCE_HASH_PROPERTY,
	sourceHashOf,
	throwIfAddressIsWrong,
} from '../fields/orderFields';
import { isNotFound } from '../service/errors';
import { type Operation, runItems } from './operation';

async function execute(input: OperationInput): Promise<IDataObject[]> {
	const { context, itemIndex, service, networks } = input;
	const given = sourceHashOf(input);
	const notFound = context.getNodeParameter('options.notFound', itemIndex, 'stop');
	const options = displayOptionsOf(input);

	const asked = service.status(given.sourceHash);
	// Not with the first order, so that a wrong key is sent once.
	if (itemIndex > 0) void networks.ask();
	const response = await asked;
	const isMissing = !response.ok && isNotFound(response.error);
	if (isMissing) await throwIfAddressIsWrong(input);
	if (!response.ok && !(isMissing && notFound === 'item')) {
		throw itemError(input, response.error, askedForStatus(given.sourceHash, response.error));
	}
	const order = response.ok ? response.data : null;
	return [await shownOrder(input, { ...given, order }, options)];
}

export const getStatus: Operation = {
	option: {
		name: 'Get Status',
		value: 'getStatus',
		description: 'Get the current status of an order by its source transaction hash',
		action: 'Get order status',
	},
	properties: [
		SOURCE_HASH_PROPERTY,
		...ORDER_OUTPUT_PROPERTIES,
		optionsProperty([
			...DISPLAY_PROPERTIES,
			{
				displayName: 'If Not Found',
				name: 'notFound',
				type: 'options',
				default: 'stop',
				description: 'What to do when the bridge does not know the order (yet)',
				options: [
					{
						name: 'Stop',
						value: 'stop',
						description: 'Stop the workflow with a message',
					},
					{
						name: 'Return an Item',
						value: 'item',
						description: 'Return an item with the status notFound and continue',
					},
				],
			},
		]),
	],
	run: async (input) => await runItems(input, execute),
};
