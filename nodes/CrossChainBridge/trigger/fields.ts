import type { INodeProperties } from 'n8n-workflow';

import { DISPLAY_PROPERTIES } from '../fields/displayFields';
import { DEFAULT_INTERVAL_SECONDS } from '../fields/parameters';
import { DELAYED } from '../state/applyCheck';
import { DEFAULT_DELAYED_AFTER_MINUTES } from './settings';

/** How often the trigger checks; most workflows leave it as it is. */
export const CHECKING_PROPERTIES: INodeProperties[] = [
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

export const DELAYED_AFTER: INodeProperties = {
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
export const TRIGGER_OPTIONS: INodeProperties[] = [
	...DISPLAY_PROPERTIES,
	DELIVERY,
	INCLUDE_FINISHED,
	LIST_BY_WEBHOOK,
].sort((a, b) => a.displayName.localeCompare(b.displayName));
