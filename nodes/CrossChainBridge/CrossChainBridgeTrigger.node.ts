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

import { CREDENTIAL_NAME } from './service/service';
import { listSearch } from './methods/listSearch';
import { DISPLAY_PROPERTIES } from './fields/displayFields';
import { optionsProperty } from './fields/fieldTypes';
import { SIMPLIFY_PROPERTY } from './fields/outputFields';
import { DEFAULT_INTERVAL_SECONDS } from './fields/parameters';
import { DELAYED, WATCH_EXPIRED } from './state/applyCheck';
import { poll } from './trigger/poll';
import { ANY_FINAL_STATUS, DEFAULT_DELAYED_AFTER_MINUTES } from './trigger/settings';
import { watchedOrdersNow } from './trigger/ordersNow';
import {
	ACCEPT_ORDERS_PROPERTIES,
	HEADER_AUTH,
	IF_HEADER_AUTH,
	ORDERS_WEBHOOKS,
} from './webhook/description';
import { takeForEditor } from './webhook/editorCalls';
import { receiveOrders } from './webhook/handler';

/** The events by their names: "Completed, Watch Expired". */
const TRIGGER_SUBTITLE =
	'={{ $parameter["events"].map((event) => event.charAt(0).toUpperCase() + event.slice(1).replace(/([A-Z])/g, " $1")).join(", ") }}';

const SOURCE_HASHES: INodeProperties = {
	displayName: 'Source Transaction Hashes',
	name: 'sourceHashes',
	type: 'string',
	typeOptions: { rows: 5 },
	default: '',
	placeholder: 'e.g. Rent: 0x5c504ed432cb51138bcf…',
	description:
		'The orders to watch, one on each line, up to 1,000: the hash of the transaction that started the transfer on the source network, or its block explorer link. Text beside a hash ("Invoice 4711: 0x…") becomes its label. Finished orders count too: remove them when the list is full. An expression may also give an array, or objects with sourceHash and reference.',
};

const CHECKING_PROPERTIES: INodeProperties[] = [
	{
		displayName: 'Keep Checking Between Polls',
		name: 'keepChecking',
		type: 'boolean',
		default: true,
		description:
			'Whether to check open orders between polls as well, so that the workflow starts within seconds. If off, each order is checked once per poll, as far as the request limit allows.',
	},
	{
		displayName: 'Check Every (Seconds)',
		name: 'checkEvery',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_INTERVAL_SECONDS,
		displayOptions: { show: { keepChecking: [true] } },
		description:
			"Minimum seconds between checks of the same order. With many open orders the checks are further apart, within the credential's request limit.",
	},
];

const DELAYED_AFTER: INodeProperties = {
	displayName: 'Delayed After (Minutes)',
	name: 'delayedAfter',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_DELAYED_AFTER_MINUTES,
	displayOptions: { show: { events: [DELAYED] } },
	description:
		'Minutes after which an order that has not finished, was not found, or whose hash is not accepted, starts the workflow as Delayed. They count from when the order was created, or else from when it was listed or posted.',
};

const LIST_BY_WEBHOOK: INodeProperties = {
	displayName: 'Allow Listing and Removing by Webhook',
	name: 'listByWebhook',
	type: 'boolean',
	default: false,
	displayOptions: { show: { '/acceptOrders': [true] } },
	description:
		'Whether a GET request to the webhook address lists the open orders with their references, and a DELETE request removes posted ones. If off, the address only accepts orders.',
};

const DELIVERY: INodeProperties = {
	displayName: 'Delivery',
	name: 'delivery',
	type: 'options',
	default: 'atMostOnce',
	description:
		"What to do about an order that finishes at the moment n8n is killed. It has no effect in n8n's durable poll engine, where events are neither lost nor repeated, with rare exceptions.",
	options: [
		{
			name: 'At Least Once',
			value: 'atLeastOnce',
			description:
				'The workflow may start again for it within ten minutes of a restart, with redelivered: true in the item',
		},
		{
			name: 'At Most Once',
			value: 'atMostOnce',
			description: 'The workflow never starts twice for it, and may not start at all',
		},
	],
};

const INCLUDE_FINISHED: INodeProperties = {
	displayName: 'Include Already Finished Orders',
	name: 'includeFinished',
	type: 'boolean',
	default: true,
	description:
		'Whether an order that had already finished when it was listed or posted starts the workflow as well',
};

/** In the order in which the editor lists them. */
const TRIGGER_OPTIONS: INodeProperties[] = [
	...DISPLAY_PROPERTIES,
	DELIVERY,
	INCLUDE_FINISHED,
	LIST_BY_WEBHOOK,
].sort((a, b) => a.displayName.localeCompare(b.displayName));

export class CrossChainBridgeTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cross-Chain Bridge Trigger',
		name: 'crossChainBridgeTrigger',
		icon: { light: 'file:bridge.svg', dark: 'file:bridge.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: TRIGGER_SUBTITLE,
		description:
			'Starts the workflow when an order of a cross-chain bridge is completed, refunded or failed, or takes too long',
		defaults: { name: 'Cross-Chain Bridge Trigger' },
		eventTriggerDescription: 'Checking orders (or waiting for a POST to the Test URL)',
		activationMessage:
			'Your workflow is watching the orders and starts within seconds when one finishes.',
		triggerPanel: {
			header: 'Preview the order data',
			activationHint: {
				inactive: 'Once you publish the workflow, it starts by itself when an order finishes.',
				active:
					'The published workflow starts by itself when an order finishes. Those executions are not shown here.',
			},
			executionsHelp:
				'<b>While building your workflow</b>, click Fetch Test Event. It shows the watched orders as they are now, finished ones first. With Accept Orders by Webhook it waits for a POST to the Test URL.<br /><br /><b>Once your workflow is published</b>, it starts when an order finishes, usually within seconds. These executions are in the <a data-key="executions">executions list</a>, not in the editor.',
		},
		hints: [
			{
				message:
					"No order is watched: the list is empty. Fill in 'Source Transaction Hashes', or switch on 'Accept Orders by Webhook'.",
				displayCondition:
					'={{ !$parameter["acceptOrders"] && String($parameter["sourceHashes"] ?? "").trim() === "" }}',
				whenToDisplay: 'always',
				location: 'ndv',
			},
			{
				message:
					'No transfer is needed: click Fetch Test Event, then open the Test URL in a browser to see the watched orders, or post an order to it.',
				displayCondition: '={{ $parameter["acceptOrders"] }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
		],
		polling: true,
		webhooks: ORDERS_WEBHOOKS,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: CREDENTIAL_NAME, required: true },
			{ name: HEADER_AUTH, required: true, displayOptions: IF_HEADER_AUTH },
		],
		properties: [
			{
				// n8n shows it right below Poll Times.
				displayName:
					'You can leave Poll Times as it is. Between polls, open orders are checked every few seconds.',
				name: 'pollTimesNotice',
				type: 'notice',
				default: '',
				displayOptions: { show: { keepChecking: [true] } },
			},
			{ ...SOURCE_HASHES, required: true, displayOptions: { show: { acceptOrders: [false] } } },
			{ ...SOURCE_HASHES, displayOptions: { show: { acceptOrders: [true] } } },
			...ACCEPT_ORDERS_PROPERTIES,
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				required: true,
				default: [ANY_FINAL_STATUS],
				description: 'What starts the workflow',
				// Each is an entry of the nodes panel as well, in this order.
				options: [
					{
						name: 'Any Final Status',
						value: ANY_FINAL_STATUS,
						action: 'On any final status',
						description: 'The order is completed, refunded or failed: no outcome is missed',
					},
					{
						name: 'Completed',
						value: 'completed',
						action: 'On order completed',
						description: 'The funds have arrived on the destination network',
					},
					{
						name: 'Delayed',
						value: DELAYED,
						action: 'On order delayed',
						description:
							'The order takes longer than usual, or was not found: once for each order. It stays watched.',
					},
					{
						name: 'Failed',
						value: 'failed',
						action: 'On order failed',
						description: 'The order has failed permanently',
					},
					{
						name: 'Refunded',
						value: 'refunded',
						action: 'On order refunded',
						description: 'The order expired or failed, and the funds were returned',
					},
					{
						name: 'Watch Expired',
						value: WATCH_EXPIRED,
						action: 'On watch expired',
						description:
							'The trigger stops watching a posted order that is still open 24 hours after its expiry (48 hours after the post if it has none)',
					},
				],
			},
			{
				displayName:
					'Refunds and failures start nothing. Choose Any Final Status to be notified of every outcome.',
				name: 'eventsNotice',
				type: 'notice',
				default: '',
				displayOptions: { hide: { events: [ANY_FINAL_STATUS, 'refunded', 'failed'] } },
			},
			DELAYED_AFTER,
			...CHECKING_PROPERTIES,
			SIMPLIFY_PROPERTY,
			optionsProperty(TRIGGER_OPTIONS),
		],
	};

	methods = { listSearch };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		if (this.getMode() === 'manual')
			return [takeForEditor(this, Date.now()) ?? (await watchedOrdersNow(this))];
		await poll(this);
		return null;
	}

	/** Nothing has to be set up elsewhere: the address works once n8n has registered it. */
	webhookMethods = {
		default: { checkExists: async () => true, create: async () => true, delete: async () => true },
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveOrders(this);
	}
}
