import type { IDataObject } from 'n8n-workflow';

import { NetworksInTime } from '../service/networksInTime';
import { isFinalStatus, notFoundOrder, outcomeOf, simplifyOrder, statusOf } from '../orders/orders';
import { isNotFound } from '../service/errors';
import type { PlainObject } from '../orders/values';
import { itemError, type OperationInput } from '../fields/parameters';
import { type Operation, shownFor } from './operation';
import { allFailed, runItems } from './runItems';
import {
	simplifies,
	SIMPLIFY_PROPERTY,
	SOURCE_HASH_PROPERTY,
	sourceHashOf,
} from '../fields/commonFields';
import { STATUS_LABELS } from './parameterLabels';
import { READING_PROPERTIES, readingOptionsOf } from '../fields/readingFields';

async function execute(input: OperationInput, networks: NetworksInTime): Promise<IDataObject[]> {
	const { context, itemIndex, service } = input;
	const sourceHash = sourceHashOf(input);
	const simplify = simplifies(context.getNodeParameter('simplify', itemIndex, true));
	const notFound = context.getNodeParameter('options.notFound', itemIndex, 'stop');

	const reading = simplify ? readingOptionsOf(input) : null;

	const asked = service.status(sourceHash);
	// The first order is asked for before the others, so that a wrong key is sent once; the names must not wait behind all of them.
	if (reading !== null && itemIndex > 0) void networks.ask();
	const answer = await asked;
	if (answer.ok) {
		if (reading === null) return [rawItem(sourceHash, answer.data)];
		return [simplifyOrder(sourceHash, answer.data, { ...reading, networks: await networks.get() })];
	}
	if (isNotFound(answer.error) && notFound === 'item') {
		return [
			simplify ? notFoundOrder(sourceHash) : { ...rawItem(sourceHash, null), status: 'notFound' },
		];
	}
	throw itemError(input, answer.error, { asked: 'status', labels: STATUS_LABELS });
}

/** The order as the service gave it, in a field of its own: n8n's Retry On Fail runs a node again whose item has a field `error`. */
function rawItem(sourceHash: string, order: PlainObject | null): IDataObject {
	const status = order === null ? null : statusOf(order);
	return {
		sourceHash,
		status,
		isFinal: isFinalStatus(status),
		outcome: outcomeOf(status),
		order: order as IDataObject | null,
	};
}

export const getStatus: Operation = {
	option: {
		name: 'Get Status',
		value: 'getStatus',
		description: 'Get the current status of a bridge order by its source transaction hash',
		action: 'Get the status of an order',
	},
	properties: shownFor('getStatus', [
		SOURCE_HASH_PROPERTY,
		SIMPLIFY_PROPERTY,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				...READING_PROPERTIES,
				{
					displayName: 'If Not Found',
					name: 'notFound',
					type: 'options',
					default: 'stop',
					description: 'What to do when the service does not know the order (yet)',
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
			],
		},
	]),
	run: async (input) => {
		const networks = new NetworksInTime(input.service);
		return await runItems(input, async (item) => await execute(item, networks));
	},
	allFailed,
};
