import { type INodeExecutionData, type IPollFunctions, type IWebhookFunctions, NodeOperationError } from 'n8n-workflow';

import { NetworksInTime } from '../bridge/networksInTime';
import { isEndStatus, statusOf } from '../bridge/orders';
import { type Refusal, refusalToNodeError } from '../bridge/refusal';
import { connectToService } from '../bridge/service';
import { lookAtEach } from './lookRound';
import type { PostedOrder } from './postedOrders';
import { readSettings, type TriggerSettings } from './settings';
import { triggerItem } from './triggerItem';
import type { Look } from './watchState';

/** A test is there to see what items look like; more orders would spend the budget that published triggers need. */
const MOST_IN_TEST = 50;

/**
 * What Fetch Test Event shows: the first watched orders as they are now, in the order of the list. Touches no state.
 * Throws a sentence where there is nothing to show.
 */
export async function watchedOrdersNow(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const read = readSettings(context);
	if (!read.ok) throw read.error;
	const { sourceHashes } = read.settings;
	if (sourceHashes.length === 0) {
		throw new NodeOperationError(context.getNode(), 'The list of source transaction hashes is empty', {
			description: 'Enter at least one hash in Source Transaction Hashes, one on each line.',
		});
	}
	const orders = sourceHashes.map((sourceHash) => ({ sourceHash, reference: null }));
	return await itemsNow(context, orders, read.settings, { showsNotFound: false });
}

/**
 * What a call to the webhook's test URL shows: the posted orders as the workflow would get them now, one that is not known
 * (yet) as well. Touches no state.
 */
export async function postedOrdersNow(context: IWebhookFunctions, orders: readonly PostedOrder[]): Promise<INodeExecutionData[]> {
	const read = readSettings(context);
	if (!read.ok) throw read.error;
	return await itemsNow(context, orders, read.settings, { showsNotFound: true });
}

async function itemsNow(
	context: IPollFunctions | IWebhookFunctions,
	orders: readonly PostedOrder[],
	{ simplify, reading }: TriggerSettings,
	{ showsNotFound }: { showsNotFound: boolean },
): Promise<INodeExecutionData[]> {
	const wanted = orders.slice(0, MOST_IN_TEST);
	const looks = new Map<string, Look>();
	const service = await connectToService(context);
	const hashes = wanted.map(({ sourceHash }) => sourceHash);
	const tally = await lookAtEach(hashes, service.status, (sourceHash, look) => void looks.set(sourceHash, look));
	const networks = simplify && looks.size > 0 ? await new NetworksInTime(service).get() : null;
	const items = wanted.flatMap(({ sourceHash, reference }): INodeExecutionData[] => {
		const look = looks.get(sourceHash);
		if (look === undefined || look.kind === 'refused' || (look.kind === 'notFound' && !showsNotFound)) return [];
		const order = look.kind === 'order' ? look.order : null;
		const status = order === null ? null : statusOf(order);
		const event = isEndStatus(status) ? status : null;
		const source = { sourceHash, order, event, reference, previousStatus: null, detectedAt: Date.now() };
		return [{ json: triggerItem(source, { simplify, reading: { ...reading, networks } }) }];
	});
	if (items.length > 0) return items;
	throw nothingToShow(context, wanted.length, tally.trouble);
}

function nothingToShow(context: IPollFunctions | IWebhookFunctions, count: number, trouble: Refusal | null) {
	if (trouble !== null) return refusalToNodeError(context.getNode(), trouble);
	return new NodeOperationError(
		context.getNode(),
		count === 1 ? 'The watched order was not found' : `None of the ${count} watched orders was found`,
		{
			description:
				'An order is known some time after its transaction was sent on the source chain. Check the hashes, or publish the workflow: it waits until they are known.',
		},
	);
}
