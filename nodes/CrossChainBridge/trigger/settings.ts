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
	/** The node's list, in its order, by order key. If not all of it can be read, what can be, and the last one that could. */
	listed: ReadonlyMap<string, GivenOrder>;
	/** The last list that could be read as a whole; null if there was none in this process. */
	wholeList: ReadonlyMap<string, GivenOrder> | null;
	/** Whether a person has written the list by hand; otherwise it is an expression, which each poll evaluates again. */
	isListByHand: boolean;
	acceptsOrders: boolean;
	rules: WatchRules;
	/** Whether Events and Include Already Finished Orders, which say what is reported of finished orders, could be read at least once in this process. */
	areRulesKnown: boolean;
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

const ALL_EVENTS = [...FINAL_STATUSES, DELAYED, EXPIRED, INTERRUPTED, WATCH_ENDED] as const;

/**
 * The fields. One that cannot be read has the value that it had in `before`, the last settings of this process. If there are none, because
 * n8n has just started, it has its default, and the events are all of them: so nothing that is wrong in one field keeps the saved orders
 * from being watched. If it is not known what is reported of finished orders, nothing more is watched than the saved orders.
 */
export function readSettings(
	context: TriggerContext,
	before: TriggerSettings | null = null,
): SettingsRead {
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
	const errors: Error[] = [];
	const tried = <T>(value: () => T): T | undefined => {
		try {
			return value();
		} catch (error) {
			errors.push(errorOf(error));
			return undefined;
		}
	};
	const read = <T>(value: (from: FieldReader) => T, last: T | undefined): T =>
		tried(() => value(fields)) ?? last ?? value(LEFT_OUT_FIELDS);
	// A person who is told too much notices that, but not what is missing.
	const events = read(eventsIn, before?.rules.events ?? new Set(ALL_EVENTS));
	// Once, because n8n evaluates the expressions of all options each time.
	const options = tried(() => fields.inside(TRIGGER_OPTIONS));
	const option = <T>(value: (from: FieldReader) => T, last: T | undefined): T => {
		const present = options === undefined ? undefined : tried(() => value(options));
		return present ?? last ?? value(LEFT_OUT_FIELDS);
	};
	const includeFinished = option(
		(from) => from.isOn(INCLUDE_FINISHED),
		before?.rules.includeFinished,
	);
	// Other rules than before would report the finished orders of the list that were not reported by choice.
	const areRulesKnown = errors.length === 0 || before?.areRulesKnown === true;
	const isDelayedEvent = events.has(DELAYED);
	// Without the event, the time before was none.
	const lastDelayedAfterMs = before?.rules.events.has(DELAYED)
		? before.rules.delayedAfterMs
		: undefined;
	const rules = {
		events,
		delayedAfterMs: isDelayedEvent
			? read((from) => 60_000 * from.number(DELAYED_AFTER), lastDelayedAfterMs)
			: 0,
		includeFinished,
		redelivers: option((from) => from.choice(DELIVERY) === 'atLeastOnce', before?.rules.redelivers),
	};
	const settings = {
		isListByHand: !String(context.getNode().parameters.sourceHashes ?? '').startsWith('='),
		rules,
		areRulesKnown,
		acceptsOrders: read((from) => acceptsOrdersIn(context, from), before?.acceptsOrders),
		simplify: read((from) => from.isOn(SIMPLIFY_PROPERTY), before?.simplify),
		display: option(displayOptions, before?.display),
		keepChecking: option((from) => from.isOn(KEEP_CHECKING), before?.keepChecking),
		intervalMs: option((from) => 1000 * from.number(CHECK_EVERY), before?.intervalMs),
	};
	const { listed, error: ofList } = listIn(fields);
	const wholeList = ofList === null && areRulesKnown ? listed : (before?.wholeList ?? null);
	const readable = areRulesKnown ? listed : [];
	return {
		settings: { ...settings, listed: new Map([...(wholeList ?? []), ...readable]), wholeList },
		error: errors[0] ?? ofList,
	};
}

/** Fields in which nobody has entered anything. */
const LEFT_OUT_FIELDS = new FieldReader(
	(_field, otherwise) => otherwise,
	(message) => new Error(message),
);

/** The orders in the list, and what the user has to correct in it; null if it can be read as a whole. */
function listIn(fields: FieldReader): {
	listed: ReadonlyMap<string, GivenOrder>;
	error: Error | null;
} {
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

function acceptsOrdersIn(context: TriggerContext, fields: FieldReader): boolean {
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
