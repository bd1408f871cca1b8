import { type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { strangeExplorerWords } from '../fields/displayFields';
import { askedForStatus } from '../fields/orderFields';
import { toNodeError } from '../service/errors';
import { NetworksInTime } from '../service/networksInTime';
import { strangeExplorers } from '../orders/display';
import { isFinalStatus, type OrderSource, statusOf } from '../orders/orders';
import type { ServiceResponse } from '../service/envelope';
import { type BridgeService, connectToService } from '../service/service';
import { type CheckOutcome, checkOutcome, whyNotChecked } from '../checks/outcome';
import type { PostedOrder } from '../watch/events';
import { isOpen, referenceOf, type WatchedOrder, type WatchState } from '../watch/state';
import { triggerItem } from './item';
import type { TriggerContext } from '../n8n/internals';
import { settingsOf, type TriggerSettings } from './settings';

/** More orders would spend the budget that published triggers need. */
const MAX_IN_TEST = 50;
const BEYOND_A_TEST = `A test checks only the first ${MAX_IN_TEST} orders`;

/**
 * The watched orders, the first 50 as they are now: those of the node's list, and the posted ones of the published trigger's state, as far as
 * this execution can read it. It changes no state. Throws if there are none; `how`: whether n8n has polled, or the test URL was called.
 */
export async function watchedOrdersNow(
	context: TriggerContext,
	{ orders: known }: WatchState,
	how: 'poll' | 'call',
): Promise<INodeExecutionData[]> {
	const settings = settingsOf(context);
	const shown = new Map<string, OrderToShow>();
	for (const [key, order] of settings.listed) {
		const { posted, since, startedAt } = known.get(key) ?? {};
		const reference = posted?.reference ?? order.reference;
		const { link, expected } = posted ?? {};
		shown.set(key, { ...order, reference, link, expected, since, startedAt });
	}
	for (const [key, order] of known) {
		if (order.posted === null || shown.has(key) || !isOpen(order)) continue;
		const { sourceHash, since, startedAt, posted } = order;
		const { link, expected } = posted;
		const reference = referenceOf(order);
		shown.set(key, { sourceHash, since, startedAt, reference, link, expected });
	}
	if (shown.size === 0) {
		const [message, description] = nothingToShow(how, settings);
		throw new NodeOperationError(context.getNode(), message, { description });
	}
	return await itemsNow(context, settings, [...shown.values()]);
}

function nothingToShow(
	how: 'poll' | 'call',
	{ acceptsOrders }: TriggerSettings,
): [message: string, description: string] {
	if (how === 'call')
		return [
			'The test found no orders to watch',
			"Send an order to the Test URL with POST, or enter a hash in 'Source Transaction Hashes'.",
		];
	if (!acceptsOrders)
		return [
			'The list of source transaction hashes is empty',
			"Enter at least one hash in 'Source Transaction Hashes', one on each line.",
		];
	// n8n polls for such a test only after a call, whose orders have not arrived here.
	return [
		'The test did not receive the order you sent',
		"A worker runs the test, but another n8n process received the order. Enter the hash in 'Source Transaction Hashes' and test again, or publish the workflow and use the Production URL.",
	];
}

/** Posted orders as the workflow would get them now; changes no state. */
export async function postedOrdersNow(
	context: TriggerContext,
	orders: readonly PostedOrder[],
): Promise<INodeExecutionData[]> {
	return await itemsNow(context, settingsOf(context), orders);
}

type OrderToShow = Pick<OrderSource, 'sourceHash' | 'reference' | 'link' | 'line' | 'expected'> &
	Partial<Pick<WatchedOrder, 'since' | 'startedAt'>>;

type OrderChecked = OrderToShow & Pick<ServiceResponse, 'clockAheadMs'> & { outcome: CheckOutcome };

/** An item for each order, those that would start the workflow first. */
async function itemsNow(
	context: TriggerContext,
	{ simplify, display, listed, rules }: TriggerSettings,
	orders: readonly OrderToShow[],
): Promise<INodeExecutionData[]> {
	const service = await connectToService(context);
	const names = new NetworksInTime(service);
	const checked = await checkedNow(service, names, orders.slice(0, MAX_IN_TEST));
	const isAnyKnown = checked.some(({ outcome }) => outcome.kind === 'order');
	const networks = await names.get();
	if (!isAnyKnown && names.accountError !== null)
		throw toNodeError(context.getNode(), names.accountError, { asked: 'config' });
	const failed = checked.flatMap(({ sourceHash, outcome }) =>
		'error' in outcome ? [{ sourceHash, ...outcome }] : [],
	);
	// What may concern all orders says more.
	const general = failed.find(({ kind }) => kind !== 'orderError');
	const shown = general ?? failed[0];
	if (shown !== undefined && failed.length === checked.length) {
		const { sourceHash, error } = shown;
		const lead = general === undefined ? `The order is ${sourceHash}.` : undefined;
		throw toNodeError(context.getNode(), error, { ...askedForStatus(sourceHash, error), lead });
	}
	const [strange] = strangeExplorers({ ...display, networks });
	if (strange !== undefined)
		throw new NodeOperationError(context.getNode(), strangeExplorerWords(strange), {
			description: 'Select the network from the list, or enter its ID.',
		});
	const rest = orders
		.slice(MAX_IN_TEST)
		.map((order) => ({ ...order, outcome: null, clockAheadMs: 0 }));
	const form = { simplify, display: { ...display, networks }, listed };
	const rank = (outcome: CheckOutcome | null): number => {
		if (outcome?.kind !== 'order') return outcome?.kind === 'notFound' ? 3 : 4;
		const status = statusOf(outcome.order);
		if (!isFinalStatus(status)) return 2;
		return rules.events.has(status) ? 0 : 1;
	};
	return [...checked, ...rest]
		.sort((a, b) => rank(a.outcome) - rank(b.outcome))
		.map(({ outcome, clockAheadMs = 0, since, startedAt = null, ...given }) => {
			const order = outcome?.kind === 'order' ? outcome.order : null;
			const status = order === null ? null : statusOf(order);
			const source = {
				...given,
				order,
				clockAheadMs,
				beganAt: startedAt ?? (since === undefined ? null : since - clockAheadMs),
				watchedSince: since,
				previousStatus: null,
				event: isFinalStatus(status) ? status : null,
				whyNotChecked: outcome === null ? BEYOND_A_TEST : whyNotChecked(outcome),
				detectedAt: Date.now(),
			};
			return { json: triggerItem(source, form) };
		});
}

/** The first order is checked before the others, so that a wrong key costs one request. */
async function checkedNow(
	service: BridgeService,
	names: NetworksInTime,
	orders: readonly OrderToShow[],
): Promise<OrderChecked[]> {
	const check = async (order: OrderToShow): Promise<OrderChecked> => {
		const response = await service.status(order.sourceHash);
		return { ...order, outcome: checkOutcome(response), clockAheadMs: response.clockAheadMs };
	};
	const first = await Promise.all(orders.slice(0, 1).map(check));
	const mayConcernAll = first.some(
		({ outcome }) => outcome.kind === 'transient' || outcome.kind === 'suspect',
	);
	if (mayConcernAll && (await names.ask()) === null) return first;
	return [...first, ...(await Promise.all(orders.slice(1).map(check)))];
}
