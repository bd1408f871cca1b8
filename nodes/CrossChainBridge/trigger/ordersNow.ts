import {
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

type Context = IPollFunctions | IWebhookFunctions;

/** The first 50 watched orders as they are now, with posted ones as far as this execution can read them; changes no state. */
export async function watchedOrdersNow(context: Context): Promise<INodeExecutionData[]> {
	const settings = settingsOf(context);
	const known = knownState(context).orders;
	const shown = new Map<string, OrderToShow>();
	for (const order of settings.listed) {
		const key = hashKey(order.sourceHash);
		shown.set(key, { ...order, since: known.get(key)?.since });
	}
	for (const [key, order] of known) {
		if (order.posted === null || shown.has(key) || !isOpen(order, settings.rules)) continue;
		const { sourceHash, since } = order;
		shown.set(key, { sourceHash, since, reference: referenceOf(order) });
	}
	if (shown.size === 0) throw nothingWatched(context, settings);
	return await itemsNow(context, settings, [...shown.values()]);
}

/** Posted orders as the workflow would get them now; changes no state. */
export async function postedOrdersNow(
	context: IWebhookFunctions,
	orders: readonly PostedOrder[],
): Promise<INodeExecutionData[]> {
	const shown = orders.map(({ sourceHash, reference }) => ({ sourceHash, reference }));
	return await itemsNow(context, settingsOf(context), shown);
}

function settingsOf(context: Context): TriggerSettings {
	const read = readSettings(context);
	if (!read.ok) throw read.error;
	return read.settings;
}

/** The published trigger's state, if n8n gives it to a test. */
function knownState(context: Context): WatchState {
	try {
		return knownSession(context)?.watch.state ?? loadState(context);
	} catch {
		// Where the durable engine keeps the state, only its polls can read it.
		return EMPTY_STATE;
	}
}

interface OrderToShow {
	sourceHash: string;
	reference: unknown;
	/** Since when it is watched, in milliseconds since 1970. */
	since?: number;
}

/** An item for each order: first finished orders that would start the workflow, last orders that were not found. */
async function itemsNow(
	context: Context,
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
	const form = { simplify, display: { ...display, networks }, links };
	const rank = (status: string | null): number => {
		if (isFinalStatus(status)) return rules.events.includes(status) ? 0 : 1;
		return status === 'notFound' ? 3 : 2;
	};
	return answered
		.sort((a, b) => rank(a.status) - rank(b.status))
		.map(({ sourceHash, order, reference, status, since }) => {
			const event = isFinalStatus(status) ? status : null;
			const source = { sourceHash, order, event, reference, previousStatus: null, beganAt: since };
			const item = triggerItem({ ...source, detectedAt: Date.now() }, form);
			return simplify || since === undefined
				? { json: item }
				: { json: { ...item, watchedSince: new Date(since).toISOString() } };
		});
}

function nothingWatched(context: Context, { acceptsOrders }: TriggerSettings): NodeOperationError {
	// A test with the webhook listens for a post, and runs this only after one: here its order has not arrived.
	const [message, description] = acceptsOrders
		? [
				'The posted order did not reach this test',
				'n8n runs this test in another process than the one that received the order, as it does where workers run manual executions. Enter the hash in Source Transaction Hashes and test again, or publish the workflow and post the order to the Production URL.',
			]
		: [
				'The list of source transaction hashes is empty',
				"Enter at least one hash in 'Source Transaction Hashes', one on each line.",
			];
	return new NodeOperationError(context.getNode(), message, { description });
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

function nothingAnswered(context: Context, outcomes: ReadonlyMap<string, CheckOutcome>): Error {
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
