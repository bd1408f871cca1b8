import type { INodeProperties, IWebhookDescription } from 'n8n-workflow';

/** What n8n and the editor are told of the webhook: none is registered, and no address shown, while the switch is off. */

const PATH_IF_ACCEPTED = '={{ $parameter["acceptOrders"] ? "orders" : undefined }}';
const HIDDEN_IF_NOT_ACCEPTED = '={{ !$parameter["acceptOrders"] }}';

/**
 * n8n saves what the handler has kept before it sends the answer that the handler returns, and gives it this status: so
 * an order that was answered with 202 is in the database.
 */
export const ORDERS_WEBHOOKS: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		responseCode: '={{ 202 }}',
		path: PATH_IF_ACCEPTED,
		// For calls of the test address, which alone start a workflow.
		responseData: 'The orders are shown in the editor.',
		ndvHideUrl: HIDDEN_IF_NOT_ACCEPTED,
	},
	{
		name: 'setup',
		// n8n takes several methods as one text; the editor shows the address of the first webhook alone.
		httpMethod: 'GET,DELETE',
		responseMode: 'onReceived',
		responseCode: '={{ 200 }}',
		path: PATH_IF_ACCEPTED,
		ndvHideUrl: true,
	},
];

export const ACCEPT_ORDERS_PROPERTIES: INodeProperties[] = [
	{
		displayName: 'Accept Orders by Webhook',
		name: 'acceptOrders',
		type: 'boolean',
		default: false,
		description:
			'Whether orders may add themselves to the watch: whatever posts a source transaction hash to the webhook address of this trigger is answered at once, and the workflow starts when that order ends',
	},
	{
		displayName:
			'Send a POST request to the Production URL above with <code>{"sourceHash": "0x…", "reference": "your own text"}</code>, from another workflow or a script. It is answered at once, and this workflow starts with the same reference when the order has ended.',
		name: 'acceptOrdersNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { acceptOrders: [true] } },
	},
];
