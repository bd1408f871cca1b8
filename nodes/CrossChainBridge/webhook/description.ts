import type { INodeProperties, IWebhookDescription } from 'n8n-workflow';

import { ACCEPT_ORDERS } from '../trigger/fields';

/** No path while the switch is off, nor without a webhook ID, because the URL could be guessed, nor with one that would match other URLs. */
const PATH_IF_ACCEPTED =
	'={{ /^\\s*true\\s*$/i.test($parameter["acceptOrders"]) && /^[\\w-]+$/.test($webhookId ?? "") ? "orders" : undefined }}';
const HIDDEN_IF_NOT_ACCEPTED = '={{ !/^\\s*true\\s*$/i.test($parameter["acceptOrders"]) }}';

/** n8n saves what the handler has kept before it sends its answer, with this status. */
export const ORDERS_WEBHOOKS: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		responseCode: '={{ 202 }}',
		path: PATH_IF_ACCEPTED,
		ndvHideUrl: HIDDEN_IF_NOT_ACCEPTED,
	},
	{
		name: 'setup',
		// n8n takes several methods as one text; the editor shows only the first webhook's URL.
		httpMethod: 'GET,DELETE',
		responseMode: 'onReceived',
		responseCode: '={{ 200 }}',
		path: PATH_IF_ACCEPTED,
		ndvHideUrl: true,
	},
];

export const ACCEPT_ORDERS_PROPERTIES: INodeProperties[] = [
	ACCEPT_ORDERS,
	{
		displayName:
			'To add an order, send a POST request with <code>{"sourceHash": "0x…", "reference": "your own text"}</code> to the Production URL above. If the credential has a Webhook Secret, send it in the header X-Webhook-Secret. To test, copy the Test URL, click Fetch Test Event, and send the request to the Test URL.',
		name: 'acceptOrdersNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { acceptOrders: [true] } },
	},
];
