import type { IDataObject } from 'n8n-workflow';

import { notFoundOrder, simplifyOrder } from '../bridge/orders';
import { isNotFound } from '../bridge/refusal';
import { inputError, type Operation, type OperationInput, refusalError, shownFor, textParameter } from './operation';

async function execute(input: OperationInput): Promise<IDataObject[]> {
	const { context, itemIndex, service } = input;
	const sourceHash = textParameter(input, 'sourceHash');
	if (sourceHash === '') {
		throw inputError(input, 'The Source Transaction Hash is empty', 'Enter the hash of the transaction that started the bridge on the source chain. If it comes from an expression, check that the previous step gives it for this item.');
	}
	if (/\s/.test(sourceHash)) {
		throw inputError(input, 'The Source Transaction Hash holds more than one word', 'Enter one hash here. To look up several orders, give this node one item for each.');
	}
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
		{
			displayName: 'Source Transaction Hash',
			name: 'sourceHash',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
			description: 'The hash of the transaction that started the bridge on the source chain. Hashes of any chain are taken.',
		},
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
		},
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
	execute,
};
