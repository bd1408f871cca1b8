import type { INodeProperties, IWebhookDescription } from 'n8n-workflow';

/** None while the switch is off, nor without a webhook ID, where the address could be guessed. */
const PATH_IF_ACCEPTED =
	'={{ String($parameter["acceptOrders"]) === "true" && $webhookId ? "orders" : undefined }}';
const HIDDEN_IF_NOT_ACCEPTED = '={{ String($parameter["acceptOrders"]) !== "true" }}';

/** Of the Test URL; n8n answers all others with what the handler returns. */
const TEST_RESPONSE = 'The orders are shown in the editor.';

/** n8n saves what the handler has kept before it sends its answer, with this status. */
export const ORDERS_WEBHOOKS: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		responseCode: '={{ 202 }}',
		path: PATH_IF_ACCEPTED,
		responseData: TEST_RESPONSE,
		ndvHideUrl: HIDDEN_IF_NOT_ACCEPTED,
	},
	{
		name: 'setup',
		// n8n takes several methods as one text; the editor shows only the first webhook's address.
		httpMethod: 'GET,DELETE',
		responseMode: 'onReceived',
		responseCode: '={{ 200 }}',
		path: PATH_IF_ACCEPTED,
		responseData: TEST_RESPONSE,
		ndvHideUrl: true,
	},
];

/** n8n's own credential of one header. */
export const HEADER_AUTH = 'httpHeaderAuth';

/** Shown unless the switch is off: n8n drops the values of hidden fields. */
const IF_ACCEPTED = { hide: { acceptOrders: [false] } };

export const IF_HEADER_AUTH = { ...IF_ACCEPTED, show: { authentication: ['headerAuth'] } };

export const ACCEPT_ORDERS_PROPERTIES: INodeProperties[] = [
	{
		displayName: 'Accept Orders by Webhook',
		name: 'acceptOrders',
		type: 'boolean',
		default: false,
		// It decides which addresses n8n registers.
		noDataExpression: true,
		description:
			'Whether other apps can add orders by webhook: whatever posts a source transaction hash to the address of this trigger is answered at once, and the workflow starts when that order finishes',
	},
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		noDataExpression: true,
		default: 'none',
		displayOptions: IF_ACCEPTED,
		description: 'Who may use the address of this trigger',
		options: [
			{
				name: 'Header Auth',
				value: 'headerAuth',
				description: 'Requests that send the name and value of a Header Auth credential',
			},
			{ name: 'None', value: 'none', description: 'Whoever knows the address' },
		],
	},
	{
		displayName:
			'Send a POST request to the Production URL above with <code>{"sourceHash": "0x…", "reference": "your own text"}</code>, from another workflow or a script, and with the header if Authentication is Header Auth. The workflow starts with the same reference when the order finishes. To test, click Fetch Test Event, then send it to the Test URL.',
		name: 'acceptOrdersNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { acceptOrders: [true] } },
	},
];
