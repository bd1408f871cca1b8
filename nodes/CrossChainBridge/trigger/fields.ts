import type { INodeProperties } from 'n8n-workflow';

import { DISPLAY_PROPERTIES } from '../fields/displayFields';
import { optionsProperty } from '../fields/fieldTypes';
import { DEFAULT_INTERVAL_SECONDS } from '../fields/parameters';
import { DELAYED, EXPIRED, INTERRUPTED, WATCH_ENDED } from '../watch/rules';

/** The trigger's own fields: the editor shows them, and the settings are read by what they say. */

export const ANY_EVENT = 'anyEvent';
export const ANY_FINAL_STATUS = 'anyFinalStatus';

export const SOURCE_HASHES: INodeProperties = {
	displayName: 'Source Transaction Hashes',
	name: 'sourceHashes',
	type: 'string',
	typeOptions: { rows: 5 },
	default: '',
	placeholder: 'e.g. Rent: 0x5c504ed432cb51138bcf…',
	description:
		'The orders to watch, one on each line, up to 1,000: the hash of the transaction that started the transfer on the source network, or its block explorer link. Text beside a hash ("Invoice 4711: 0x…") becomes its label. Finished orders count too: remove them when the list is full. An expression may also give an array, or objects with sourceHash and reference.',
};

export const ACCEPT_ORDERS: INodeProperties = {
	displayName: 'Accept Orders by Webhook',
	name: 'acceptOrders',
	type: 'boolean',
	default: false,
	// It decides which addresses n8n registers.
	noDataExpression: true,
	description:
		'Whether other apps can add orders by webhook: whatever posts a source transaction hash to the address of this trigger is answered at once, and the workflow starts when that order finishes',
};

export const KEEP_CHECKING: INodeProperties = {
	displayName: 'Keep Checking Between Polls',
	name: 'keepChecking',
	type: 'boolean',
	default: true,
	description:
		'Whether to check open orders between polls as well, so that the workflow starts within seconds. If off, each order is checked once per poll, as far as the request limit allows.',
};

export const CHECK_EVERY: INodeProperties = {
	displayName: 'Check Every (Seconds)',
	name: 'checkEvery',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_INTERVAL_SECONDS,
	displayOptions: { show: { keepChecking: [true] } },
	description:
		"Minimum seconds between checks of the same order. With many open orders the checks are further apart, within the credential's request limit.",
};

export const CHECKING_PROPERTIES: INodeProperties[] = [KEEP_CHECKING, CHECK_EVERY];

export const DELAYED_AFTER: INodeProperties = {
	displayName: 'Delayed After (Minutes)',
	name: 'delayedAfter',
	type: 'number',
	typeOptions: { minValue: 1 },
	// After this time a pending order may be refunded, says the interface.
	default: 5,
	displayOptions: { show: { events: [DELAYED, ANY_EVENT] } },
	description:
		'Minutes after which an order that has not finished, was not found, or whose hash is not accepted, starts the workflow as Delayed. They count from when the order was created, or else from when it was listed or posted.',
};

export const DELIVERY: INodeProperties = {
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

export const INCLUDE_FINISHED: INodeProperties = {
	displayName: 'Include Already Finished Orders',
	name: 'includeFinished',
	type: 'boolean',
	default: true,
	description:
		'Whether an order that had already finished when it was listed or posted starts the workflow as well',
};

export const TRIGGER_OPTIONS = optionsProperty([...DISPLAY_PROPERTIES, DELIVERY, INCLUDE_FINISHED]);

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
			description: 'All of the events below: you are notified of everything that happens',
		},
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
				'The order takes longer than usual, was not found, or cannot be checked. This happens once for each order, which stays watched.',
		},
		{
			name: 'Expired',
			value: EXPIRED,
			action: 'On order expired',
			description:
				'The order is still open after the expiry that the bridge states, or after 24 hours if it states none. This happens once for each order, which stays watched.',
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
				'The trigger stops watching a posted order that is still open 24 hours after its expiry, or 48 hours after the post if it has none',
		},
		{
			name: 'Watching Interrupted',
			value: INTERRUPTED,
			action: 'On watching interrupted',
			description:
				'No order could be checked for ten minutes, or the key, the address or a field is wrong. The workflow starts once more when checks work again.',
		},
	],
};
