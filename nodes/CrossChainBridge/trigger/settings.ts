import { type IPollFunctions, type IWebhookFunctions, NodeOperationError } from 'n8n-workflow';

import { FINAL_STATUSES } from '../orders/orders';
import { booleanOf, errorOf, field } from '../orders/values';
import { type DisplayOptions, displayOptions, displayProblem } from '../fields/displayFields';
import { DELAYED } from '../state/applyCheck';
import { WATCH_EXPIRED } from '../state/expiry';
import type { ListedOrder } from '../state/listedOrders';
import { MAX_REFERENCE_BYTES, MAX_WATCHED, type WatchRules } from '../state/state';
import { type ListProblem, parseSourceHashes } from './orderList';

/** What the user filled in, read again at each poll. */
export interface TriggerSettings {
	/** The list in the node's field, each order once. */
	listed: ListedOrder[];
	/** The block explorer links in it, by hash key. */
	links: ReadonlyMap<string, string>;
	/** Whether orders come by the webhook as well. */
	acceptsOrders: boolean;
	/** Whether the webhook also lists the watched orders and removes posted ones. */
	listsByWebhook: boolean;
	/** Whether an order whose watch expires starts the workflow. */
	emitsWatchExpired: boolean;
	rules: WatchRules;
	simplify: boolean;
	/** The user's decimals and block explorers. */
	display: DisplayOptions;
	/** Whether to keep checking between polls. */
	keepChecking: boolean;
	/** Minimum time between two checks of the same order. */
	intervalMs: number;
}

type SettingsRead = { ok: true; settings: TriggerSettings } | { ok: false; error: Error };

/** The trigger's fields, or what the user has to correct in them. `redelivers`: whether an event may have to come again at all. */
export function readSettings(
	context: IPollFunctions | IWebhookFunctions,
	redelivers = false,
): SettingsRead {
	try {
		return readFields(context, redelivers);
	} catch (error) {
		// An expression that cannot be evaluated.
		return { ok: false, error: errorOf(error) };
	}
}

function readFields(
	context: IPollFunctions | IWebhookFunctions,
	redelivers: boolean,
): SettingsRead {
	const refused = (message: string, description: string): SettingsRead => {
		// n8n's durable engine reads `failure`: to try again corrects nothing.
		const options = { description, failure: { cause: 'configuration-invalid' } };
		return { ok: false, error: new NodeOperationError(context.getNode(), message, options) };
	};
	const {
		orders: listed,
		links,
		problems,
	} = parseSourceHashes(context.getNodeParameter('sourceHashes', ''));
	const [first] = problems;
	if (first !== undefined)
		return refused(messageOf(first), descriptionOf(first, problems.length - 1));
	if (listed.length > MAX_WATCHED) {
		return refused(
			`The list has ${listed.length} source transaction hashes; one trigger watches up to ${MAX_WATCHED}`,
			'Spread them over several triggers, or remove orders that have finished.',
		);
	}
	const acceptsOrders = booleanOf(context.getNodeParameter('acceptOrders', false), false);
	if (acceptsOrders && !hasOwnAddress(context))
		return refused(
			'The trigger has no webhook address of its own: open the workflow in the editor, move the trigger, save, and publish again',
			'n8n would make an address that can be guessed. The editor gives each trigger its own address; workflows that were created by an API or a command line may have none.',
		);
	const options = context.getNodeParameter('options', {});
	const problem = displayProblem(options);
	if (problem !== null) return refused(problem.message, problem.description);
	const chosen: unknown = context.getNodeParameter('events', [ANY_FINAL_STATUS]);
	const isChosen = (event: string): boolean => Array.isArray(chosen) && chosen.includes(event);
	return {
		ok: true,
		settings: {
			listed,
			acceptsOrders,
			links,
			listsByWebhook: booleanOf(field(options, 'listByWebhook'), false),
			emitsWatchExpired: isChosen(WATCH_EXPIRED),
			rules: {
				events: FINAL_STATUSES.filter((status) => isChosen(status) || isChosen(ANY_FINAL_STATUS)),
				...(isChosen(DELAYED)
					? {
							delayedAfterMs:
								60_000 *
								atLeastOne(
									context.getNodeParameter('delayedAfter', DEFAULT_DELAYED_AFTER_MINUTES),
									DEFAULT_DELAYED_AFTER_MINUTES,
								),
						}
					: {}),
				includeFinished: booleanOf(field(options, 'includeFinished'), true),
				redelivers: redelivers && field(options, 'delivery') === 'atLeastOnce',
			},
			simplify: booleanOf(context.getNodeParameter('simplify', true), true),
			display: displayOptions(options),
			keepChecking: booleanOf(context.getNodeParameter('keepChecking', true), true),
			intervalMs:
				1000 *
				atLeastOne(
					context.getNodeParameter('checkEvery', DEFAULT_INTERVAL_SECONDS),
					DEFAULT_INTERVAL_SECONDS,
				),
		},
	};
}

/** Without a webhook ID n8n makes the address of the workflow's ID and the trigger's name. */
function hasOwnAddress(context: IPollFunctions | IWebhookFunctions): boolean {
	return (context.getNode().webhookId ?? '') !== '';
}

/** The event that stands for all three final statuses. */
export const ANY_FINAL_STATUS = 'anyFinalStatus';

/** What the service's polling guidance advises. */
export const DEFAULT_INTERVAL_SECONDS = 5;

/** After this time a pending order may be refunded, says the interface. */
export const DEFAULT_DELAYED_AFTER_MINUTES = 5;

function atLeastOne(given: unknown, otherwise: number): number {
	const number = Number(given);
	return Number.isFinite(number) && number >= 1 ? number : otherwise;
}

const LIST = "'Source Transaction Hashes'";

function messageOf({ line, text, kind }: ListProblem): string {
	switch (kind) {
		case 'walletAddress':
			return `Line ${line} of ${LIST} looks like a wallet address. Enter the hash of the transaction.`;
		case 'space':
			return `Line ${line} of ${LIST}: the hash contains a space`;
		case 'noHash':
			return `Line ${line} of ${LIST}, '${text}', is not a transaction hash`;
		case 'referenceTooLarge':
			return `Line ${line} of ${LIST}: the reference is larger than ${MAX_REFERENCE_BYTES / 1024} KB`;
	}
}

const REMEDIES: Readonly<Record<ListProblem['kind'], string>> = {
	walletAddress: 'A wallet address has 40 digits behind 0x, a transaction hash 64.',
	space: 'Remove the space, or copy the hash again.',
	noHash:
		'Enter the complete hash of the transaction on the source network (at least 32 letters and digits), or its block explorer link, one on each line. A label may stand before it: "Invoice 4711: 0x…".',
	referenceTooLarge: 'Shorten the reference of this order.',
};

function descriptionOf({ kind }: ListProblem, more: number): string {
	const remedy = REMEDIES[kind];
	return more === 0
		? remedy
		: `${remedy} ${more === 1 ? 'One more line needs' : `${more} more lines need`} a correction.`;
}
