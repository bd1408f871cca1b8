import type { IDataObject } from 'n8n-workflow';

import { notFoundOrder, simplifyOrder } from '../bridge/orders';
import { isNotFound } from '../bridge/refusal';
import { type Operation, type OperationInput, refusalError, shownFor } from './operation';
import { runItems } from './runItems';
import { SIMPLIFY_PROPERTY, SOURCE_HASH_PROPERTY, sourceHashOf } from './commonFields';

async function execute(input: OperationInput): Promise<IDataObject[]> {
	const { context, itemIndex, service } = input;
	const sourceHash = sourceHashOf(input);
	const simplify = context.getNodeParameter('simplify', itemIndex, true) === true;
	const notFound = context.getNodeParameter('options.notFound', itemIndex, 'stop');

	const answer = await service.status(sourceHash);
	if (answer.ok) return [simplify ? simplifyOrder(sourceHash, answer.data) : (answer.data as IDataObject)];
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
	run: async (input) => await runItems(input, execute),
};
