import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { listSearch } from './methods/listSearch';
import { SIMPLIFY_PROPERTY } from './fields/outputFields';
import { knownState, poll } from './n8n/poll';
import { takeForEditor } from './trigger/editorCalls';
import {
	ANY_EVENT,
	ANY_FINAL_STATUS,
	CHECKING_PROPERTIES,
	DELAYED_AFTER,
	EVENTS,
	SOURCE_HASHES,
	TRIGGER_OPTIONS,
} from './trigger/fields';
import { watchedOrdersNow } from './trigger/testEvent';
import { ACCEPT_ORDERS_PROPERTIES, ORDERS_WEBHOOKS } from './webhook/description';
import { receiveOrders } from './webhook/handler';

/** The events by their names: "Completed, Watch Expired". */
const TRIGGER_SUBTITLE =
	'={{ $parameter["events"].map((event) => event.charAt(0).toUpperCase() + event.slice(1).replace(/([A-Z])/g, " $1")).join(", ") }}';

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
		credentials: [{ name: 'crossChainBridgeApi', required: true }],
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
			EVENTS,
			{
				displayName:
					'Refunds and failures start nothing. Choose Any Final Status to be notified of every outcome.',
				name: 'eventsNotice',
				type: 'notice',
				default: '',
				displayOptions: { hide: { events: [ANY_EVENT, ANY_FINAL_STATUS, 'refunded', 'failed'] } },
			},
			DELAYED_AFTER,
			...CHECKING_PROPERTIES,
			SIMPLIFY_PROPERTY,
			TRIGGER_OPTIONS,
		],
	};

	methods = { listSearch };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		if (this.getMode() === 'manual')
			return [takeForEditor(this, Date.now()) ?? (await watchedOrdersNow(this, knownState(this)))];
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
