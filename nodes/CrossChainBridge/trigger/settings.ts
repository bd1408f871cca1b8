import { NodeOperationError } from 'n8n-workflow';

import { FINAL_STATUSES } from '../orders/orders';
import { booleanOf, errorOf, field } from '../orders/values';
import { type DisplayOptions, displayOptions } from '../fields/displayFields';
import { DEFAULT_INTERVAL_SECONDS } from '../fields/parameters';
import { DELAYED, WATCH_EXPIRED } from '../state/applyCheck';
import { MAX_REFERENCE_BYTES, MAX_WATCHED, type WatchRules } from '../state/state';
import { type GivenOrder, type ListProblem, parseSourceHashes } from './orderList';
import type { TriggerContext } from './pollTimes';

/** The trigger's fields, read again at each poll. */
export interface TriggerSettings {
	/** By hash key. */
	listed: ReadonlyMap<string, GivenOrder>;
	acceptsOrders: boolean;
	/** Whether the webhook also lists and removes orders. */
	listsByWebhook: boolean;
	rules: WatchRules;
	simplify: boolean;
	display: DisplayOptions;
	keepChecking: boolean;
	/** Minimum time between checks of the same order, in milliseconds. */
	intervalMs: number;
}

type SettingsRead = { ok: true; settings: TriggerSettings } | { ok: false; error: Error };

export const ANY_FINAL_STATUS = 'anyFinalStatus';

/** After this time a pending order may be refunded, says the interface. */
export const DEFAULT_DELAYED_AFTER_MINUTES = 5;

/** The fields, or what the user has to correct; `redelivers`: whether the engine ever repeats an event. */
export function readSettings(context: TriggerContext, redelivers = false): SettingsRead {
	try {
		return { ok: true, settings: readFields(context, redelivers) };
	} catch (error) {
		return { ok: false, error: errorOf(error) };
	}
}

function readFields(context: TriggerContext, redelivers: boolean): TriggerSettings {
	const refused = (message: string, description: string): NodeOperationError => {
		// n8n's durable engine reads `failure`: to try again corrects nothing.
		const options = { description, failure: { cause: 'configuration-invalid' } };
		return new NodeOperationError(context.getNode(), message, options);
	};
	const isOn = (name: string, otherwise: boolean): boolean =>
		booleanOf(context.getNodeParameter(name, otherwise), otherwise);
	// n8n gives nothing for many failing expressions.
	const given = (name: string, label: string, otherwise: unknown): unknown => {
		const value: unknown = context.getNodeParameter(name, otherwise);
		if (value === null || value === undefined)
			throw refused(
				`'${label}' has no value: its expression gives nothing`,
				'Correct the expression, or what it reads.',
			);
		return value;
	};
	const atLeastOne = (value: unknown, otherwise: number): number => {
		const number = Number(value);
		return Number.isFinite(number) && number >= 1 ? number : otherwise;
	};
	const hashes = given('sourceHashes', 'Source Transaction Hashes', '');
	const { orders: listed, problems } = parseSourceHashes(hashes);
	const [first] = problems;
	if (first !== undefined) throw refused(...textsOf(first, problems.length - 1));
	if (listed.size > MAX_WATCHED)
		throw refused(
			`The list has ${listed.size} source transaction hashes; one trigger watches up to ${MAX_WATCHED}`,
			'Spread them over several triggers, or remove orders that have finished.',
		);
	const acceptsOrders = isOn('acceptOrders', false);
	// Without a webhook ID n8n makes the address from the workflow's ID and the trigger's name.
	if (acceptsOrders && (context.getNode().webhookId ?? '') === '')
		throw refused(
			'The trigger has no webhook address of its own: open the workflow in the editor, move the trigger, save, and publish again',
			'n8n would make an address that can be guessed. The editor gives each trigger its own address; workflows that were created by an API or a command line may have none.',
		);
	const options = context.getNodeParameter('options', {});
	const display = displayOptions(options, refused);
	// An expression may give one event as text.
	const chosen = [context.getNodeParameter('events', [ANY_FINAL_STATUS]) as unknown].flat();
	const isChosen = (event: string): boolean => chosen.includes(event);
	if (![ANY_FINAL_STATUS, ...FINAL_STATUSES, DELAYED, WATCH_EXPIRED].some(isChosen))
		throw refused("No event is chosen in 'Events'", 'Choose at least one event.');
	const delayedAfter = isChosen(DELAYED)
		? given('delayedAfter', 'Delayed After', DEFAULT_DELAYED_AFTER_MINUTES)
		: null;
	const checkEvery = context.getNodeParameter('checkEvery', DEFAULT_INTERVAL_SECONDS);
	return {
		listed,
		acceptsOrders,
		listsByWebhook: booleanOf(field(options, 'listByWebhook'), false),
		rules: {
			events: FINAL_STATUSES.filter((status) => isChosen(status) || isChosen(ANY_FINAL_STATUS)),
			delayedAfterMs:
				delayedAfter === null
					? undefined
					: 60_000 * atLeastOne(delayedAfter, DEFAULT_DELAYED_AFTER_MINUTES),
			emitsWatchExpired: isChosen(WATCH_EXPIRED),
			includeFinished: booleanOf(field(options, 'includeFinished'), true),
			redelivers: redelivers && field(options, 'delivery') === 'atLeastOnce',
		},
		simplify: isOn('simplify', true),
		display,
		keepChecking: isOn('keepChecking', true),
		intervalMs: 1000 * atLeastOne(checkEvery, DEFAULT_INTERVAL_SECONDS),
	};
}

/** Message and description; `more`: how many other problems there are. */
function textsOf({ line, text, kind }: ListProblem, more: number): [string, string] {
	const place = `Line ${line} of 'Source Transaction Hashes'`;
	const texts: Record<ListProblem['kind'], [string, string]> = {
		walletAddress: [
			`${place} looks like a wallet address. Enter the hash of the transaction.`,
			'A wallet address has 40 digits behind 0x, a transaction hash 64.',
		],
		space: [`${place}: the hash contains a space`, 'Remove the space, or copy the hash again.'],
		noHash: [
			`${place}, '${text}', is not a transaction hash`,
			'Enter the complete hash of the transaction on the source network (at least 32 letters and digits), or its block explorer link, one on each line. A label may stand before it: "Invoice 4711: 0x…".',
		],
		referenceTooLarge: [
			`${place}: the reference is larger than ${MAX_REFERENCE_BYTES / 1024} KB`,
			'Shorten the reference of this order.',
		],
	};
	const [message, remedy] = texts[kind];
	const others = more === 1 ? ' One more line needs' : ` ${more} more lines need`;
	return [message, more === 0 ? remedy : `${remedy}${others} a correction.`];
}
