import type { IDataObject } from 'n8n-workflow';

import { NetworksInTime } from '../bridge/networksInTime';
import { notFoundOrder, simplifyOrder } from '../bridge/orders';
import { isNotFound } from '../bridge/refusal';
import { type Operation, type OperationInput, refusalError, shownFor } from './operation';
import { runItems } from './runItems';
import { SIMPLIFY_PROPERTY, SOURCE_HASH_PROPERTY, sourceHashOf } from './commonFields';
import { READING_PROPERTIES, readingOptionsOf } from './readingFields';

async function execute(input: OperationInput, networks: NetworksInTime): Promise<IDataObject[]> {
	const { context, itemIndex, service } = input;
	const sourceHash = sourceHashOf(input);
	const simplify = context.getNodeParameter('simplify', itemIndex, true) === true;
	const notFound = context.getNodeParameter('options.notFound', itemIndex, 'stop');

	const reading = simplify ? readingOptionsOf(input) : null;

	const asked = service.status(sourceHash);
	// A first order goes alone, so that a key that is refused is sent once; the names must not wait behind all the others.
	if (reading !== null && itemIndex > 0) void networks.ask();
	const answer = await asked;
	if (answer.ok) {
		if (reading === null) return [answer.data as IDataObject];
		return [simplifyOrder(sourceHash, answer.data, { ...reading, networks: await networks.get() })];
	}
	if (isNotFound(answer.refusal) && notFound === 'item') {
		return [simplify ? notFoundOrder(sourceHash) : { status: 'notFound', sourceHash }];
	}
	throw refusalError(input, answer.refusal);
}

export const getStatus: Operation = {
	option: {
		name: 'Get Status',
		value: 'getStatus',
		description: 'Get the current status of a bridge order by its source transaction hash',
		action: 'Get status',
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
							description: 'Return an item with the status notFound and go on',
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
};
