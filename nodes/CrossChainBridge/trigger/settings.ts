import { NodeOperationError } from 'n8n-workflow';

import { FINAL_STATUSES } from '../orders/orders';
import { errorOf, valueOr } from '../orders/values';
import { type DisplayOptions, displayOptions } from '../fields/displayFields';
import { SIMPLIFY_PROPERTY } from '../fields/outputFields';
import { CHECK_EVERY } from '../fields/parameters';
import { FieldReader } from '../fields/reader';
import type { TriggerContext } from '../n8n/internals';
import { DELAYED, MILESTONES } from '../watch/milestones';
import { INTERRUPTED, WATCH_ENDED, type WatchRules } from '../watch/rules';
import { MAX_WATCHED } from '../watch/state';
import {
	ACCEPT_ORDERS,
	ANY_EVENT,
	ANY_FINAL_STATUS,
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
	/** The node's list, in its order, by order key. If not all of it can be read, the orders that can be, and those of the last list that could be read as a whole. */
	listed: ReadonlyMap<string, GivenOrder>;
	/** The last list that could be read as a whole; null if there was none in this process. */
	wholeList: ReadonlyMap<string, GivenOrder> | null;
	/** Whether all of the list could be read now. Otherwise it may name any order. */
	isListWhole: boolean;
	/** Whether a person has written the list by hand; otherwise it is an expression, which each poll evaluates again. */
	isListByHand: boolean;
	acceptsOrders: boolean;
	rules: WatchRules;
	/** Whether all fields except the list could be read at least once in this process. */
	areFieldsKnown: boolean;
	simplify: boolean;
	display: DisplayOptions;
	keepChecking: boolean;
	/** Minimum time between checks of the same order, in milliseconds. */
	intervalMs: number;
}

interface SettingsRead {
	settings: TriggerSettings;
	/** What the user has to correct first; null if all fields could be read. */
	error: Error | null;
}

/** What Any Event stands for. */
export const ALL_EVENTS = [...FINAL_STATUSES, ...MILESTONES, INTERRUPTED, WATCH_ENDED] as const;

/**
 * The fields. If one of them cannot be read, all except the list have the values that they had in `before`, the last settings of this process.
 * If there are none, because n8n has just started, see `fieldsAtFirst`: so nothing that is wrong in a field keeps the saved orders from being
 * watched. No other ones are watched then, because it may not be known what is reported of finished orders.
 */
export function readSettings(
	context: TriggerContext,
	before: TriggerSettings | null = null,
): SettingsRead {
	const refused = (message: string, description: string): NodeOperationError =>
		new NodeOperationError(context.getNode(), message, { description });
	const reader = new FieldReader(({ name, displayName }, otherwise) => {
		try {
			return context.getNodeParameter(name, otherwise);
		} catch (error) {
			// n8n's message does not name the field.
			const message = `The expression in '${displayName}' fails with: ${errorOf(error).message}`;
			throw refused(message, 'Correct the expression, or check the data that it reads.');
		}
	}, refused);
	let fields: ReturnType<typeof fieldsIn> | null = null;
	let error: Error | null = null;
	try {
		fields = fieldsIn(reader, context);
	} catch (thrown) {
		error = errorOf(thrown);
	}
	const areFieldsKnown = error === null || before?.areFieldsKnown === true;
	const list: ListRead = areFieldsKnown ? listIn(reader) : { listed: new Map(), error };
	const wholeList = list.error === null ? list.listed : (before?.wholeList ?? null);
	return {
		settings: {
			...(fields ?? before ?? fieldsAtFirst(reader, context)),
			areFieldsKnown,
			// n8n evaluates only what stands between {{ and }}, even if the field is switched to Expression.
			isListByHand: !/^=.*\{\{/s.test(String(context.getNode().parameters.sourceHashes ?? '')),
			listed: new Map([...(wholeList ?? []), ...list.listed]),
			wholeList,
			isListWhole: list.error === null,
		},
		error: error ?? list.error,
	};
}

/** The fields; throws what the user has to correct. */
export function settingsOf(context: TriggerContext): TriggerSettings {
	const { settings, error } = readSettings(context);
	if (error !== null) throw error;
	return settings;
}

/** All fields except the list; throws what is wrong with the first one that cannot be read. */
function fieldsIn(fields: FieldReader, context: TriggerContext) {
	const events = eventsIn(fields);
	// Once, because n8n evaluates the expressions of all options each time.
	const options = fields.inside(TRIGGER_OPTIONS);
	return {
		rules: {
			events,
			includeFinished: options.isOn(INCLUDE_FINISHED),
			delayedAfterMs: events.has(DELAYED) ? 60_000 * fields.number(DELAYED_AFTER) : 0,
			redelivers: options.choice(DELIVERY) === 'atLeastOnce',
		},
		acceptsOrders: acceptsOrdersIn(fields, context),
		simplify: fields.isOn(SIMPLIFY_PROPERTY),
		display: displayOptions(options),
		keepChecking: options.isOn(KEEP_CHECKING),
		intervalMs: 1000 * options.number(CHECK_EVERY),
	};
}

/** If a field cannot be read and none was before: the defaults, except that what starts the workflow, and how often, counts as far as it can be read. */
function fieldsAtFirst(fields: FieldReader, context: TriggerContext) {
	const { rules, ...others } = fieldsIn(LEFT_OUT_FIELDS, context);
	const options = valueOr(() => fields.inside(TRIGGER_OPTIONS), LEFT_OUT_FIELDS);
	return {
		...others,
		rules: {
			...rules,
			events: valueOr(() => eventsIn(fields), rules.events),
			includeFinished: valueOr(() => options.isOn(INCLUDE_FINISHED), rules.includeFinished),
			redelivers: valueOr(() => options.choice(DELIVERY) === 'atLeastOnce', rules.redelivers),
		},
	};
}

/** Fields in which nobody has entered anything, except all events: a person who is told too much notices that, but not what is missing. */
const LEFT_OUT_FIELDS = new FieldReader(
	(field, otherwise) => (field === EVENTS ? [ANY_EVENT] : otherwise),
	(message) => new Error(message),
);

interface ListRead {
	/** The orders that could be read. */
	listed: ReadonlyMap<string, GivenOrder>;
	/** What the user has to correct; null if all of it could be read. */
	error: Error | null;
}

function listIn(fields: FieldReader): ListRead {
	try {
		const hashes = fields.value(SOURCE_HASHES);
		// n8n gives nothing for many failing expressions.
		if (hashes === null || hashes === undefined) throw fields.empty(SOURCE_HASHES);
		const { orders: listed, problems } = readList(hashes);
		if (listed.size > MAX_WATCHED)
			throw fields.refuse(
				`The list has ${listed.size} source transaction hashes; one trigger watches up to ${MAX_WATCHED}`,
				'Remove orders that have finished, or use several triggers.',
			);
		const [first] = problems;
		if (first === undefined) return { listed, error: null };
		const words = listProblemWords(first, problems.length - 1, 'Source Transaction Hashes');
		return { listed, error: fields.refuse(...words) };
	} catch (error) {
		return { listed: new Map(), error: errorOf(error) };
	}
}

function acceptsOrdersIn(fields: FieldReader, context: TriggerContext): boolean {
	const acceptsOrders = fields.isOn(ACCEPT_ORDERS);
	if (acceptsOrders && !OWN_ADDRESS.test(context.getNode().webhookId ?? ''))
		throw fields.refuse(NO_WEBHOOK_URL, NO_WEBHOOK_URL_BECAUSE);
	return acceptsOrders;
}

function eventsIn(fields: FieldReader): WatchRules['events'] {
	const chosen = new Set(fields.choices(EVENTS));
	const events = new Set(ALL_EVENTS.filter((event) => chosen.has(event) || chosen.has(ANY_EVENT)));
	if (chosen.has(ANY_FINAL_STATUS)) for (const status of FINAL_STATUSES) events.add(status);
	return events;
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
