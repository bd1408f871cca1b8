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
	DELAYED_AFTER,
	EVENTS,
	SOURCE_HASHES,
	TRIGGER_OPTIONS,
} from './trigger/fields';
import { watchedOrdersNow } from './trigger/testEvent';
import { ACCEPT_ORDERS_PROPERTIES, ORDERS_WEBHOOKS } from './webhook/description';
import { receiveOrders } from './webhook/handler';

/** The events by their names: "Completed, Watch Ended". */
const TRIGGER_SUBTITLE =
	'={{ $parameter["events"].map((event) => event.charAt(0).toUpperCase() + event.slice(1).replace(/([A-Z])/g, " $1")).join(", ") }}';

/** For n8n's AI builder, from n8n 2.29 on; older versions ignore it. */
const BUILDER_HINT = {
	searchHint:
		'Starts a workflow when a bridge order that was sent earlier finishes, is late or expires. It remembers what it has emitted, so that no Remove Duplicates is needed after it. To wait for an order inside a running workflow, use the operation Wait for Completion of the Cross-Chain Bridge node. The hash is that of the transaction on the source network.',
};

export class CrossChainBridgeTrigger implements INodeType {
	description: INodeTypeDescription & { builderHint: typeof BUILDER_HINT } = {
		displayName: 'Cross-Chain Bridge Trigger',
		name: 'crossChainBridgeTrigger',
		icon: { light: 'file:bridge.svg', dark: 'file:bridge.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: TRIGGER_SUBTITLE,
		description:
			'Watches cross-chain bridge orders, and starts the workflow when one is completed, refunded or failed, or takes too long',
		defaults: { name: 'Cross-Chain Bridge Trigger' },
		eventTriggerDescription: 'Checking orders, or waiting for a call to the Test URL',
		activationMessage:
			'Your workflow is watching the orders and starts within seconds when one finishes.',
		triggerPanel: {
			header: 'Preview the order data',
			activationHint: {
				inactive: 'Once you publish the workflow, it starts automatically when an order finishes.',
				active:
					"The published workflow starts automatically when an order finishes. You don't see these executions here.",
			},
			executionsHelp:
				'<b>While building your workflow</b>, click Fetch Test Event. You see the current status of the orders that the trigger watches, finished orders first. If Accept Orders by Webhook is on, copy the Test URL first: n8n then waits until you open it in a browser or send an order to it.<br /><br /><b>Once your workflow is published</b>, it starts when an order finishes, usually within seconds. You find these executions in the <a data-key="executions">executions list</a>, not in the editor.',
		},
		hints: [
			{
				message:
					"There are no orders to watch yet. Enter a hash in 'Source Transaction Hashes', or turn on 'Accept Orders by Webhook'.",
				displayCondition:
					'={{ !$parameter["acceptOrders"] && String($parameter["sourceHashes"] ?? "").trim() === "" }}',
				whenToDisplay: 'always',
				location: 'ndv',
			},
			{
				message:
					'To test without a new transfer, copy the Test URL and click Fetch Test Event. Then open the Test URL in a browser to see the watched orders, or send an order to it.',
				displayCondition: '={{ $parameter["acceptOrders"] }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
		],
		builderHint: BUILDER_HINT,
		polling: true,
		webhooks: ORDERS_WEBHOOKS,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'crossChainBridgeApi', required: true }],
		properties: [
			{
				// n8n shows it right below Poll Times.
				displayName:
					'Keep the default Poll Times: open orders are checked every few seconds between polls. Add poll times only if your n8n uses its durable poll engine.',
				name: 'pollTimesNotice',
				type: 'notice',
				default: '',
			},
			{ ...SOURCE_HASHES, required: true, displayOptions: { show: { acceptOrders: [false] } } },
			{ ...SOURCE_HASHES, displayOptions: { show: { acceptOrders: [true] } } },
			...ACCEPT_ORDERS_PROPERTIES,
			EVENTS,
			{
				displayName:
					'Only the selected events start the workflow. Select Any Final Status to be notified of every outcome.',
				name: 'eventsNotice',
				type: 'notice',
				default: '',
				displayOptions: { hide: { events: [ANY_EVENT, ANY_FINAL_STATUS] } },
			},
			DELAYED_AFTER,
			SIMPLIFY_PROPERTY,
			TRIGGER_OPTIONS,
		],
	};

	methods = { listSearch };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		if (this.getMode() === 'manual')
			return [
				takeForEditor(this, Date.now()) ?? (await watchedOrdersNow(this, knownState(this), 'poll')),
			];
		await poll(this);
		// The workflow is started by `__emit` as events come: n8n gets nothing from the poll itself.
		return null;
	}

	/** Nothing has to be set up elsewhere: the URL works once n8n has registered it. */
	webhookMethods = {
		default: { checkExists: async () => true, create: async () => true, delete: async () => true },
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveOrders(this);
	}
}
