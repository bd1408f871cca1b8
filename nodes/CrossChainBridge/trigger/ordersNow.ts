import {
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	type IWebhookFunctions,
	NodeOperationError,
} from 'n8n-workflow';

import { toNodeError } from '../service/errors';
import { NetworksInTime } from '../service/networksInTime';
import { hashKey, isFinalStatus, statusOf } from '../orders/orders';
import { type BridgeService, connectToService } from '../service/service';
import { type CheckOutcome, checkOutcome } from '../checks/outcome';
import { isOpen } from '../state/openOrders';
import type { PostedOrder } from '../state/postedOrders';
import { EMPTY_STATE, referenceOf, type WatchState } from '../state/state';
import { triggerItem } from './item';
import { knownSession } from './session';
import { readSettings, type TriggerSettings } from './settings';
import { loadState } from './store';

/** More orders would spend the budget that published triggers need. */
const MAX_IN_TEST = 50;

/**
 * The watched orders as they are now: those of the list, and open posted ones as far as this execution can read them.
 * Changes no state. Throws a sentence where nothing is watched.
 */
export async function watchedOrdersNow(
	context: IPollFunctions | IWebhookFunctions,
): Promise<INodeExecutionData[]> {
	const settings = settingsOf(context);
	const { listed, acceptsOrders, rules } = settings;
	const known = knownState(context).orders;
	const given: unknown = context.getNodeParameter('sourceHashes', '');
	const shown = new Map<string, OrderToShow>();
	for (const [index, { sourceHash, reference }] of listed.entries()) {
		const key = hashKey(sourceHash);
		const place = () => `line ${lineOf(sourceHash, given) ?? index + 1}`;
		shown.set(key, { sourceHash, reference, place, since: known.get(key)?.since });
	}
	for (const [key, order] of known) {
		if (order.posted === null || shown.has(key) || !isOpen(order, rules)) continue;
		const { sourceHash, since } = order;
		shown.set(key, {
			sourceHash,
			since,
			reference: referenceOf(order),
			place: () => 'a posted one',
		});
	}
	if (shown.size === 0) throw acceptsOrders ? nothingPosted(context) : emptyList(context);
	return await itemsNow(context, settings, [...shown.values()]);
}

/** What a call to the webhook's test URL shows: the posted orders as the workflow would get them now. Touches no state. */
export async function postedOrdersNow(
	context: IWebhookFunctions,
	orders: readonly PostedOrder[],
): Promise<INodeExecutionData[]> {
	const shown = orders.map(({ sourceHash, reference }, index): OrderToShow => {
		return { sourceHash, reference, place: () => `order ${index + 1}` };
	});
	return await itemsNow(context, settingsOf(context), shown);
}

function settingsOf(context: IPollFunctions | IWebhookFunctions): TriggerSettings {
	const read = readSettings(context);
	if (!read.ok) throw read.error;
	return read.settings;
}

/** What is known of the published trigger: in this process, or in the workflow's data if n8n gives them to a test. */
function knownState(context: IPollFunctions | IWebhookFunctions): WatchState {
	try {
		return knownSession(context)?.watch.state ?? loadState(context);
	} catch {
		// Where the durable engine keeps the state, only its polls can read it.
		return EMPTY_STATE;
	}
}

/** The line of the list that has this hash, from 1; null where the list is no text. */
function lineOf(sourceHash: string, given: unknown): number | null {
	if (typeof given !== 'string') return null;
	const lines = given.toLowerCase().split(/\r\n|\r|\n/);
	const index = lines.findIndex((line) => line.includes(sourceHash.toLowerCase()));
	return index === -1 ? null : index + 1;
}

interface OrderToShow {
	sourceHash: string;
	reference: unknown;
	/** Where it stands, for a hint. */
	place: () => string;
	/** Since when it is watched, in milliseconds since 1970; absent where it is not. */
	since?: number;
}

/** An item for each order: first finished orders that would start the workflow, last orders that were not found. */
async function itemsNow(
	context: IPollFunctions | IWebhookFunctions,
	{ simplify, display, links, rules }: TriggerSettings,
	orders: readonly OrderToShow[],
): Promise<INodeExecutionData[]> {
	const wanted = orders.slice(0, MAX_IN_TEST);
	const service = await connectToService(context);
	const outcomes = await outcomesNow(
		service,
		wanted.map(({ sourceHash }) => sourceHash),
	);
	const answered = wanted.flatMap((shown) => {
		const outcome = outcomes.get(shown.sourceHash);
		if (outcome?.kind !== 'order' && outcome?.kind !== 'notFound') return [];
		const order = outcome.kind === 'order' ? outcome.order : null;
		return [{ ...shown, order, status: order === null ? 'notFound' : statusOf(order) }];
	});
	if (answered.length === 0) throw nothingAnswered(context, outcomes);
	const isAnyKnown = answered.some(({ order }) => order !== null);
	const networks = isAnyKnown ? await new NetworksInTime(service).get() : null;
	const rank = (status: string | null): number => {
		if (isFinalStatus(status)) return rules.events.includes(status) ? 0 : 1;
		return status === 'notFound' ? 3 : 2;
	};
	const notFound = answered.filter(({ order }) => order === null);
	const unanswered = wanted.filter(({ sourceHash }) =>
		answered.every((shown) => shown.sourceHash !== sourceHash),
	);
	const unwanted = answered.map(({ status }) => status).filter((status) => rank(status) === 1);
	addHints(context, [
		...hintOf(notFound, wanted.length, notFound.length === 1 ? 'was not found' : 'were not found'),
		...hintOf(unanswered, wanted.length, 'could not be checked'),
		...[...new Set(unwanted)].map((status) => `Not among your Events: ${status}.`),
		...(orders.length > wanted.length ? [`A test shows the first ${MAX_IN_TEST} orders.`] : []),
	]);
	return answered
		.sort((a, b) => rank(a.status) - rank(b.status))
		.map(({ sourceHash, order, reference, status, since }) => {
			const event = isFinalStatus(status) ? status : null;
			const source = { sourceHash, order, event, reference, previousStatus: null, beganAt: since };
			const form = { simplify, display: { ...display, networks }, links };
			const item = triggerItem({ ...source, detectedAt: Date.now() }, form);
			return { json: simplify ? item : { ...item, ...watchedSince(since) } };
		});
}

/** One line that says which orders are not as they should be; none where all are. */
function hintOf(orders: readonly OrderToShow[], all: number, what: string): string[] {
	const places = [...new Set(orders.map(({ place }) => place()))].join(', ');
	return orders.length === 0 ? [] : [`${orders.length} of ${all} ${what}: ${places}`];
}

function watchedSince(since: number | undefined): IDataObject {
	return since === undefined ? {} : { watchedSince: new Date(since).toISOString() };
}

/** Lines above the output. n8n has them for actions; where it has none for triggers nothing is shown. */
function addHints(context: IPollFunctions | IWebhookFunctions, messages: readonly string[]): void {
	const add: unknown = Reflect.get(context, 'addExecutionHints');
	if (typeof add !== 'function' || messages.length === 0) return;
	add.call(context, ...messages.map((message) => ({ message, location: 'outputPane' })));
}

function emptyList(context: IPollFunctions | IWebhookFunctions): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		'The list of source transaction hashes is empty',
		{
			description: "Enter at least one hash in 'Source Transaction Hashes', one on each line.",
		},
	);
}

/** A test with the webhook listens for a post, and runs this only after one: here its order has not arrived. */
function nothingPosted(context: IPollFunctions | IWebhookFunctions): NodeOperationError {
	return new NodeOperationError(context.getNode(), 'The posted order did not reach this test', {
		description:
			'n8n runs this test in another process than the one that received the order, as it does where workers run manual executions. Enter the hash in Source Transaction Hashes and test again, or publish the workflow and post the order to the Production URL.',
	});
}

/** The first order is checked before the others, so that a wrong key costs one request. */
async function outcomesNow(
	service: BridgeService,
	[first = '', ...others]: string[],
): Promise<Map<string, CheckOutcome>> {
	const check = async (sourceHash: string) =>
		[sourceHash, checkOutcome(await service.status(sourceHash))] as const;
	const [, outcome] = await check(first);
	const mayConcernAll =
		outcome.kind === 'transient' || (outcome.kind === 'orderError' && outcome.isSuspect);
	const isHopeless = mayConcernAll && !(await service.networks()).ok;
	return new Map([[first, outcome], ...(isHopeless ? [] : await Promise.all(others.map(check)))]);
}

/** Why there was no response for any order, as n8n's own error. */
function nothingAnswered(
	context: IPollFunctions | IWebhookFunctions,
	outcomes: ReadonlyMap<string, CheckOutcome>,
): Error {
	const errors = [...outcomes.values()].flatMap((outcome) =>
		outcome.kind === 'order' || outcome.kind === 'notFound' ? [] : [outcome],
	);
	// What may concern all orders says more than what one of them is rejected for.
	const first = errors.find((outcome) => outcome.kind === 'transient' || outcome.isSuspect);
	const { error } = first ?? errors[0] ?? {};
	return error === undefined
		? new NodeOperationError(context.getNode(), 'The bridge responded for none of the orders')
		: toNodeError(context.getNode(), error, { asked: 'status' });
}
