import { NodeOperationError } from 'n8n-workflow';

import { FINAL_STATUSES } from '../orders/orders';
import { errorOf } from '../orders/values';
import { type DisplayOptions, displayOptions } from '../fields/displayFields';
import { SIMPLIFY_PROPERTY } from '../fields/outputFields';
import { FieldReader } from '../fields/reader';
import type { TriggerContext } from '../n8n/internals';
import { DELAYED, EXPIRED, INTERRUPTED, WATCH_ENDED, type WatchRules } from '../watch/rules';
import { MAX_WATCHED } from '../watch/state';
import {
	ACCEPT_ORDERS,
	ANY_EVENT,
	ANY_FINAL_STATUS,
	CHECK_EVERY,
	DELAYED_AFTER,
	DELIVERY,
	EVENTS,
	INCLUDE_FINISHED,
	KEEP_CHECKING,
	SOURCE_HASHES,
	TRIGGER_OPTIONS,
} from './fields';
import { type GivenOrder, listProblemWords, readList } from './orderList';

/** The trigger's fields, read again at each poll. */
export interface TriggerSettings {
	/** The node's list, in its order, by order key; null if it cannot be read, so that the orders stay as they were. */
	listed: ReadonlyMap<string, GivenOrder> | null;
	/** Whether a person has written the list by hand; otherwise it is an expression, which each poll evaluates again. */
	isListByHand: boolean;
	acceptsOrders: boolean;
	rules: WatchRules;
	simplify: boolean;
	display: DisplayOptions;
	keepChecking: boolean;
	/** Minimum time between checks of the same order, in milliseconds. */
	intervalMs: number;
}

type SettingsRead =
	| { ok: true; settings: TriggerSettings }
	/** `withoutList`: the other fields, if only the list has to be corrected. */
	| { ok: false; error: Error; withoutList: TriggerSettings | null };

const ALL_EVENTS = [...FINAL_STATUSES, DELAYED, EXPIRED, INTERRUPTED, WATCH_ENDED] as const;

/** The fields, or what the user has to correct. */
export function readSettings(context: TriggerContext): SettingsRead {
	const refused = (message: string, description: string): NodeOperationError => {
		// n8n's durable engine reads `failure`: to try again corrects nothing.
		const options = { description, failure: { cause: 'configuration-invalid' } } as const;
		return new NodeOperationError(context.getNode(), message, options);
	};
	const fields = new FieldReader(({ name, displayName }, otherwise) => {
		try {
			return context.getNodeParameter(name, otherwise);
		} catch (error) {
			// n8n's message does not name the field.
			const message = `The expression in '${displayName}' fails with: ${errorOf(error).message}`;
			throw refused(message, 'Correct the expression, or check the data that it reads.');
		}
	}, refused);
	let settings: TriggerSettings | null = null;
	try {
		settings = otherFields(context, fields);
		return { ok: true, settings: { ...settings, listed: listIn(fields) } };
	} catch (error) {
		return { ok: false, error: errorOf(error), withoutList: settings };
	}
}

function listIn(fields: FieldReader): ReadonlyMap<string, GivenOrder> {
	const hashes = fields.value(SOURCE_HASHES);
	// n8n gives nothing for many failing expressions.
	if (hashes === null || hashes === undefined) throw fields.empty(SOURCE_HASHES);
	const { orders: listed, problems } = readList(hashes);
	const [first] = problems;
	if (first !== undefined)
		throw fields.refuse(
			...listProblemWords(first, problems.length - 1, 'Source Transaction Hashes'),
		);
	if (listed.size > MAX_WATCHED)
		throw fields.refuse(
			`The list has ${listed.size} source transaction hashes; one trigger watches up to ${MAX_WATCHED}`,
			'Remove orders that have finished, or use several triggers.',
		);
	return listed;
}

function otherFields(context: TriggerContext, fields: FieldReader): TriggerSettings {
	const acceptsOrders = fields.isOn(ACCEPT_ORDERS);
	if (acceptsOrders && !OWN_ADDRESS.test(context.getNode().webhookId ?? ''))
		throw fields.refuse(NO_WEBHOOK_URL, NO_WEBHOOK_URL_BECAUSE);
	const options = fields.inside(TRIGGER_OPTIONS);
	const chosen = new Set(fields.choices(EVENTS));
	const events = new Set(ALL_EVENTS.filter((event) => chosen.has(event) || chosen.has(ANY_EVENT)));
	if (chosen.has(ANY_FINAL_STATUS)) for (const status of FINAL_STATUSES) events.add(status);
	return {
		listed: null,
		isListByHand: !String(context.getNode().parameters.sourceHashes ?? '').startsWith('='),
		acceptsOrders,
		rules: {
			events,
			delayedAfterMs: 60_000 * (events.has(DELAYED) ? fields.number(DELAYED_AFTER) : 0),
			includeFinished: options.isOn(INCLUDE_FINISHED),
			redelivers: options.choice(DELIVERY) === 'atLeastOnce',
		},
		simplify: fields.isOn(SIMPLIFY_PROPERTY),
		display: displayOptions(options),
		keepChecking: options.isOn(KEEP_CHECKING),
		intervalMs: 1000 * options.number(CHECK_EVERY),
	};
}

/**
 * A webhook ID that stands for one address: without one, n8n makes the address from the workflow's ID and the trigger's
 * name; ":id" stands for any.
 */
const OWN_ADDRESS = /^[\w-]+$/;
const NO_WEBHOOK_URL =
	'This trigger has no webhook URL of its own yet: open the workflow in the editor, move the trigger, save, and publish again';
const NO_WEBHOOK_URL_BECAUSE =
	'This can happen to workflows created with an API or a command line: n8n would give them a URL that can be guessed.';
