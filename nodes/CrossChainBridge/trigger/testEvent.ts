import {
	type INodeExecutionData,
	type IPollFunctions,
	type IWebhookFunctions,
	NodeOperationError,
} from 'n8n-workflow';

import { type ServiceError, toNodeError } from '../service/errors';
import { NetworksInTime } from '../service/networksInTime';
import { isFinalStatus, statusOf } from '../orders/orders';
import { type BridgeService, connectToService } from '../service/service';
import { type CheckOutcome, outcomeOf } from '../checks/outcome';
import type { ListedOrder } from '../state/listedOrders';
import type { PostedOrder } from '../state/postedOrders';
import { triggerItem } from './item';
import { readSettings, type TriggerSettings } from './settings';

/** A test shows what items are like; more orders would spend the budget that published triggers need. */
const MOST_IN_TEST = 50;

/**
 * What Fetch Test Event shows: the first watched orders as they are now. Touches no state. Throws a sentence where there is
 * nothing to show.
 */
export async function watchedOrdersNow(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const read = readSettings(context);
	if (!read.ok) throw read.error;
	const { listed, acceptsOrders } = read.settings;
	if (listed.length === 0) throw acceptsOrders ? postedElsewhere(context) : emptyList(context);
	return await itemsNow(context, listed, read.settings);
}

/**
 * What a call to the webhook's test URL shows: the posted orders as the workflow would get them now, also if the service
 * knows none of them (yet). Touches no state.
 */
export async function postedOrdersNow(
	context: IWebhookFunctions,
	orders: readonly PostedOrder[],
): Promise<INodeExecutionData[]> {
	const read = readSettings(context);
	if (!read.ok) throw read.error;
	return await itemsNow(context, orders, read.settings, { areAllNotFoundShown: true });
}

/** An order as a test shows it. */
interface Shown {
	item: INodeExecutionData;
	status: string | null;
}

/** Finished orders first, an example of what will start the workflow; those that were not found last. */
async function itemsNow(
	context: IPollFunctions | IWebhookFunctions,
	orders: ReadonlyArray<Pick<ListedOrder, 'sourceHash' | 'reference'>>,
	{ simplify, reading, rules }: TriggerSettings,
	{ areAllNotFoundShown = false } = {},
): Promise<INodeExecutionData[]> {
	const wanted = orders.slice(0, MOST_IN_TEST);
	const service = await connectToService(context);
	const outcomes = await outcomesNow(
		service,
		wanted.map(({ sourceHash }) => sourceHash),
	);
	const isAnswered = [...outcomes.values()].some(
		({ kind }) => kind === 'order' || kind === 'notFound',
	);
	const networks = simplify && isAnswered ? await new NetworksInTime(service).get() : null;
	const shown = wanted.flatMap(({ sourceHash, reference }): Shown[] => {
		const outcome = outcomes.get(sourceHash);
		if (outcome?.kind !== 'order' && outcome?.kind !== 'notFound') return [];
		const order = outcome.kind === 'order' ? outcome.order : null;
		const status = order === null ? 'notFound' : statusOf(order);
		const event = isFinalStatus(status) ? status : null;
		const source = {
			sourceHash,
			order,
			event,
			reference,
			previousStatus: null,
			detectedAt: Date.now(),
		};
		return [
			{
				item: { json: triggerItem(source, { simplify, reading: { ...reading, networks } }) },
				status,
			},
		];
	});
	const notFound = shown.filter(({ status }) => status === 'notFound').length;
	const isNothingFound = notFound === shown.length && !areAllNotFoundShown;
	if (shown.length === 0 || isNothingFound)
		throw nothingToShow(context, wanted.length, errorOf(outcomes));
	const rank = ({ status }: Shown): number => {
		if (isFinalStatus(status)) return rules.events.includes(status) ? 0 : 1;
		return status === 'notFound' ? 3 : 2;
	};
	addHints(context, [
		...(notFound > 0
			? [`${notFound} of ${wanted.length} orders ${notFound === 1 ? 'was' : 'were'} not found yet.`]
			: []),
		...[
			...new Set(
				shown.flatMap((each) =>
					rank(each) === 1 ? [`Not among your Events: ${each.status}.`] : [],
				),
			),
		],
		...(orders.length > wanted.length ? [`A test shows the first ${MOST_IN_TEST} orders.`] : []),
	]);
	return shown.sort((a, b) => rank(a) - rank(b)).map(({ item }) => item);
}

/** Lines above the output. n8n has them for actions; where it has none for triggers nothing is shown. */
function addHints(context: IPollFunctions | IWebhookFunctions, messages: readonly string[]): void {
	const add: unknown = Reflect.get(context, 'addExecutionHints');
	if (typeof add !== 'function' || messages.length === 0) return;
	add.call(context, ...messages.map((message) => ({ message, location: 'outputPane' })));
}

function emptyList(context: IPollFunctions): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		'The list of source transaction hashes is empty',
		{
			description: 'Enter at least one hash in Source Transaction Hashes, one on each line.',
		},
	);
}

/** A test with the webhook listens for a post, and runs this only after one: here its order has not arrived. */
function postedElsewhere(context: IPollFunctions): NodeOperationError {
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
		[sourceHash, outcomeOf(await service.status(sourceHash))] as const;
	const [, outcome] = await check(first);
	const mayConcernAll =
		outcome.kind === 'transient' || (outcome.kind === 'orderError' && outcome.isSuspect);
	const isHopeless = mayConcernAll && !(await service.networks()).ok;
	return new Map([[first, outcome], ...(isHopeless ? [] : await Promise.all(others.map(check)))]);
}

/** Why an order was not answered; null if it was. */
function errorOf(outcomes: ReadonlyMap<string, CheckOutcome>): ServiceError | null {
	for (const outcome of outcomes.values()) {
		if (outcome.kind === 'transient' || (outcome.kind === 'orderError' && outcome.isSuspect))
			return outcome.error;
	}
	return null;
}

function nothingToShow(
	context: IPollFunctions | IWebhookFunctions,
	count: number,
	error: ServiceError | null,
) {
	if (error !== null) return toNodeError(context.getNode(), error, { asked: 'status' });
	return new NodeOperationError(
		context.getNode(),
		count === 1 ? 'The order was not found yet' : `None of the ${count} orders was found yet`,
		{
			description:
				'An order becomes known some time after its transaction was sent on the source chain. Check the hashes, or publish the workflow: it waits until they are known.',
		},
	);
}
