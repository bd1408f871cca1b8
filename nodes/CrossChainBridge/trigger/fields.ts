import type { INodeProperties } from 'n8n-workflow';

import { DISPLAY_PROPERTIES } from '../fields/displayFields';
import { choiceField, numberField, optionsProperty, switchField } from '../fields/fieldTypes';
import { CHECK_EVERY } from '../fields/parameters';
import { DELAYED, EXPIRED } from '../watch/milestones';
import { INTERRUPTED, WATCH_ENDED } from '../watch/rules';

/* The trigger's own fields: the editor shows them, and the settings are read by what they say. */

export const ANY_EVENT = 'anyEvent';
export const ANY_FINAL_STATUS = 'anyFinalStatus';

export const SOURCE_HASHES: INodeProperties = {
	displayName: 'Source Transaction Hashes',
	name: 'sourceHashes',
	type: 'string',
	typeOptions: { rows: 10 },
	default: '',
	placeholder: 'e.g. Rent: 0x5c504ed432cb51138bcf…',
	description:
		'The orders to watch, one per line, up to 1,000. Enter the hash of the transaction that started the transfer, or its block explorer link. You can put a name in front: "Invoice 4711: 0x…".',
};

export const ACCEPT_ORDERS: INodeProperties = {
	...switchField(
		'Accept Orders by Webhook',
		'acceptOrders',
		false,
		"Whether other workflows and apps can add orders by sending a source transaction hash to this trigger's webhook URL. The workflow starts when the order finishes.",
	),
	// It decides which URLs n8n registers.
	noDataExpression: true,
};

export const KEEP_CHECKING = switchField(
	'Keep Checking Between Polls',
	'keepChecking',
	true,
	'Whether to check open orders between polls, so that the workflow starts within seconds. If turned off, each order is checked once per poll.',
);

/** After this time a pending order may be refunded, says the interface. */
const DELAYED_AFTER_MINUTES = 5;

export const DELAYED_AFTER: INodeProperties = {
	...numberField(
		'Delayed After (Minutes)',
		'delayedAfter',
		1,
		DELAYED_AFTER_MINUTES,
		"How many minutes may pass before an order that hasn't finished, can't be found, or can't be checked is reported as delayed. The time counts from when the order was created or, if unknown, from when you added it.",
	),
	displayOptions: { show: { events: [DELAYED, ANY_EVENT] } },
};

export const DELIVERY = choiceField(
	'Delivery',
	'delivery',
	'atMostOnce',
	"How to handle an event if n8n is killed, or its database fails, while delivering it. This option has no effect if you use n8n's durable poll engine.",
	[
		[
			'At Least Once',
			'atLeastOnce',
			'If n8n is back within ten minutes of its last save, start the workflow again if the last event of an order may have been lost. The item then has redelivered set to true.',
		],
		[
			'At Most Once',
			'atMostOnce',
			'Never start the workflow twice for the same event. The event may be lost.',
		],
	],
);

export const INCLUDE_FINISHED = switchField(
	'Include Already Finished Orders',
	'includeFinished',
	true,
	"Whether to start the workflow for orders that had already finished when you added them. If the bridge doesn't state when an order finished, it counts as finished after you added it.",
);

export const TRIGGER_OPTIONS = optionsProperty([
	...DISPLAY_PROPERTIES,
	CHECK_EVERY,
	DELIVERY,
	INCLUDE_FINISHED,
	KEEP_CHECKING,
]);

export const EVENTS: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	default: [ANY_FINAL_STATUS],
	description: 'What starts the workflow',
	// Each is an entry of the nodes panel as well, in this order.
	options: [
		{
			name: 'Any Event',
			value: ANY_EVENT,
			action: 'On any event',
			description:
				'Everything below. You miss nothing, and you also hear if orders can no longer be checked.',
		},
		{
			name: 'Any Final Status',
			value: ANY_FINAL_STATUS,
			action: 'On any final status',
			description: 'The order is completed, refunded or failed',
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
				"The order takes longer than Delayed After, or it can't be found or checked for that long. It is reported once. The trigger keeps watching it.",
		},
		{
			name: 'Expired',
			value: EXPIRED,
			action: 'On order expired',
			description:
				'The order is still open after the expiry that the bridge states, or after 24 hours if it states none. It is reported once. The trigger keeps watching it.',
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
			name: 'Watch Ended',
			value: WATCH_ENDED,
			action: 'On watch ended',
			description:
				'The trigger gives up on an order that was sent by webhook and is still open 24 hours after it expired, or 48 hours after it was sent if it has no expiry',
		},
		{
			name: 'Watching Interrupted',
			value: INTERRUPTED,
			action: 'On watching interrupted',
			description:
				'No order could be checked for ten minutes, or the key, the Base URL or a field is wrong. The workflow starts once more when checks work again.',
		},
	],
};
