import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { CREDENTIAL_NAME } from './bridge/service';
import { SIMPLIFY_PROPERTY } from './operations/commonFields';
import { pollWatch } from './trigger/pollWatch';
import { watchedOrdersNow } from './trigger/watchedOrdersNow';

export class CrossChainBridgeTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cross-Chain Bridge Trigger',
		name: 'crossChainBridgeTrigger',
		icon: { light: 'file:bridge.svg', dark: 'file:bridge.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description: 'Starts the workflow when a watched bridge order is completed, refunded or failed',
		defaults: { name: 'Cross-Chain Bridge Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: CREDENTIAL_NAME, required: true }],
		properties: [
			{
				displayName: 'Source Transaction Hashes',
				name: 'sourceHashes',
				type: 'string',
				typeOptions: { rows: 5 },
				required: true,
				default: '',
				placeholder: 'e.g. 0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
				description:
					'The orders to watch, by the hash of the transaction that started each on the source chain: one on each line, a pasted list, or an expression. At most 1000. Hashes of any chain are taken.',
			},
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				required: true,
				default: ['completed', 'refunded', 'failed'],
				description: 'The ends of an order that start the workflow',
				options: [
					{
						name: 'Completed',
						value: 'completed',
						description: 'The funds have arrived on the destination network',
					},
					{
						name: 'Failed',
						value: 'failed',
						description: 'The order has failed for good',
					},
					{
						name: 'Refunded',
						value: 'refunded',
						description: 'The order expired or failed, and the funds were returned',
					},
				],
			},
			{
				displayName: 'Keep Checking Between Polls',
				name: 'keepChecking',
				type: 'boolean',
				default: true,
				description:
					'Whether to go on looking at the open orders between polls, so that an end is seen within seconds, whatever the Poll Times are. Otherwise each order is looked at once a poll.',
			},
			{
				displayName: 'Check Every (Seconds)',
				name: 'checkEvery',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 5,
				displayOptions: { show: { keepChecking: [true] } },
				description:
					'The least number of seconds between two looks at one order. With many open orders the looks are further apart, so that the requests stay within the limit of the credential.',
			},
			SIMPLIFY_PROPERTY,
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					{
						displayName: 'Include Orders That Ended Before',
						name: 'includeEnded',
						type: 'boolean',
						default: true,
						description:
							'Whether an order that had already ended when it was added to the list starts the workflow as well',
					},
				],
			},
		],
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		if (this.getMode() === 'manual') return [await watchedOrdersNow(this)];
		await pollWatch(this);
		return null;
	}
}
