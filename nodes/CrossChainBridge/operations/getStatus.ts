import type { IDataObject } from 'n8n-workflow';

import { choiceField, optionsProperty } from '../fields/fieldTypes';
import { itemError, type OperationInput } from '../fields/parameters';
import {
	askedForStatus,
	ORDER_OPTIONS,
	ORDER_OUTPUT,
	ORDER_PROPERTIES,
	orderInput,
	shownOrder,
	throwIfAddressIsWrong,
} from '../fields/orderFields';
import { isNotFound } from '../service/errors';
import { type Operation, runItems } from './operation';

const IF_NOT_FOUND = choiceField(
	'If Not Found',
	'notFound',
	'stop',
	"What to do when the bridge doesn't know the order (yet)",
	[
		['Stop', 'stop', 'Stop the workflow with an error message'],
		['Return an Item', 'item', 'Return an item with the status notFound and continue'],
	],
);

const OPTIONS = optionsProperty([...ORDER_OPTIONS, IF_NOT_FOUND]);

async function execute(input: OperationInput): Promise<IDataObject[]> {
	const { fields, itemIndex, service, networks } = input;
	const options = fields.inside(OPTIONS);
	const { display, ...given } = orderInput(input, options);
	const returnsItem = options.choice(IF_NOT_FOUND) === 'item';
	const shape = ORDER_OUTPUT.shapeOf(input);

	const pending = service.status(given.sourceHash);
	// Not with the first order, so that a wrong key is sent once.
	if (itemIndex > 0) void networks.ask();
	const response = await pending;
	const isMissing = !response.ok && isNotFound(response.error);
	if (isMissing) await throwIfAddressIsWrong(input);
	if (!response.ok && !(isMissing && returnsItem))
		throw itemError(input, response.error, askedForStatus(given.sourceHash, response.error));
	const { clockAheadMs } = response;
	const order = response.ok ? response.data : null;
	return [await shownOrder(input, shape, { ...given, order, clockAheadMs }, display)];
}

export const getStatus: Operation = {
	option: {
		name: 'Get Status',
		value: 'getStatus',
		description: 'Get the current status of an order by its source transaction hash',
		action: 'Get order status',
	},
	toolDescription:
		'Get the status of a cross-chain transfer by the hash of the transaction that started it. Read summary, and outcome: success, unsuccessful, or null while the order is still open.',
	properties: [...ORDER_PROPERTIES, ...ORDER_OUTPUT.properties, OPTIONS],
	run: async (input) => await runItems(input, execute),
};
