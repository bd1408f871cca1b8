import {
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { CREDENTIAL_NAME } from './bridge/service';
import { SIMPLIFY_PROPERTY } from './operations/commonFields';
import { READING_PROPERTIES } from './operations/readingFields';
import { pollWatch } from './trigger/pollWatch';
import { watchedOrdersNow } from './trigger/watchedOrdersNow';
import { ACCEPT_ORDERS_PROPERTIES, ORDERS_WEBHOOKS } from './trigger/webhook/description';
import { takeForEditor } from './trigger/webhook/editorCalls';
import { receiveOrders } from './trigger/webhook/receiveOrders';

/** The events by their names: "Completed, Given Up". */
const SUBTITLE =
	'={{ $parameter["events"].map((event) => event.charAt(0).toUpperCase() + event.slice(1).replace("U", " U")).join(", ") }}';

const SOURCE_HASHES: INodeProperties = {
	displayName: 'Source Transaction Hashes',
	name: 'sourceHashes',
	type: 'string',
	typeOptions: { rows: 5 },
	default: '',
	placeholder: 'e.g. 0x5c504ed432cb51138bcf09aa5e8a…',
	description:
		'The orders to watch, by the hash of the transaction that started each on the source chain: one on each line, a pasted list, or an expression. At most 1000. Hashes of any chain are taken.',
};

export class CrossChainBridgeTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cross-Chain Bridge Trigger',
		name: 'crossChainBridgeTrigger',
		icon: { light: 'file:bridge.svg', dark: 'file:bridge.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: SUBTITLE,
		description: 'Starts the workflow when a watched bridge order is completed, refunded or failed',
		defaults: { name: 'Cross-Chain Bridge Trigger' },
		eventTriggerDescription: 'Looking at the orders; with Accept Orders by Webhook, waiting for one at the Test URL',
		activationMessage: 'Your workflow now watches the orders, and starts within seconds of an end.',
		triggerPanel: {
			header: 'See what an order gives your workflow',
			activationHint: {
				inactive: 'Once it is published, the workflow starts by itself when an order ends (those executions won’t show up here).',
				active: 'The published workflow starts by itself when an order ends (those executions won’t show up here).',
			},
			executionsHelp:
				'<b>While building your workflow</b>, click the button. It shows the watched orders as they are now; with Accept Orders by Webhook it listens instead, for an order that is posted to the Test URL.<br /><br /><b>Once your workflow is published</b>, it starts when an order ends, usually within seconds. These executions are in the <a data-key="executions">executions list</a>, not in the editor.',
		},
		hints: [
			{
				message: 'No order is watched: the list is empty. Enter source transaction hashes, or switch on Accept Orders by Webhook.',
				displayCondition: '={{ !$parameter["acceptOrders"] && String($parameter["sourceHashes"] ?? "").trim() === "" }}',
				whenToDisplay: 'always',
				location: 'ndv',
			},
		],
		polling: true,
		webhooks: ORDERS_WEBHOOKS,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: CREDENTIAL_NAME, required: true }],
		properties: [
			{ ...SOURCE_HASHES, required: true, displayOptions: { show: { acceptOrders: [false] } } },
			{ ...SOURCE_HASHES, displayOptions: { show: { acceptOrders: [true] } } },
			...ACCEPT_ORDERS_PROPERTIES,
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				required: true,
				default: ['completed', 'refunded', 'failed'],
				description: 'What starts the workflow. An end that is not chosen here starts nothing: a workflow for Completed alone hears of no refund.',
				options: [
					{
						name: 'Completed',
						value: 'completed',
						action: 'On order completed',
						description: 'The funds have arrived on the destination network',
					},
					{
						name: 'Failed',
						value: 'failed',
						action: 'On order failed',
						description: 'The order has failed for good',
					},
					{
						name: 'Given Up',
						value: 'givenUp',
						action: 'On order given up',
						description:
							'An order that came by the webhook has not ended 24 hours after its expiry (without one: 48 hours after it was posted), and is no longer watched',
					},
					{
						name: 'Refunded',
						value: 'refunded',
						action: 'On order refunded',
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
					...READING_PROPERTIES,
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
		if (this.getMode() === 'manual') return [takeForEditor(this, Date.now()) ?? (await watchedOrdersNow(this))];
		await pollWatch(this);
		return null;
	}

	/** Nothing has to be set up anywhere else: the address works as soon as n8n has registered it. */
	webhookMethods = {
		default: {
			async checkExists() {
				return true;
			},
			async create() {
				return true;
			},
			async delete() {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveOrders(this);
	}
}
