import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { isEndStatus, statusOf } from '../bridge/orders';
import { type Refusal, refusalToNodeError } from '../bridge/refusal';
import { connectToService } from '../bridge/service';
import { lookAtEach } from './lookRound';
import { readSettings } from './settings';
import { triggerItem } from './triggerItem';

/** A test is there to see what items look like; more orders would spend the budget that published triggers need. */
const MOST_IN_TEST = 50;

/**
 * What Fetch Test Event shows: the first watched orders as they are now, in the order of the list. Touches no state.
 * Throws a sentence where there is nothing to show.
 */
export async function watchedOrdersNow(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const read = readSettings(context);
	if (!read.ok) throw read.error;
	const { sourceHashes, simplify } = read.settings;
	if (sourceHashes.length === 0) {
		throw new NodeOperationError(context.getNode(), 'The list of source transaction hashes is empty', {
			description: 'Enter at least one hash in Source Transaction Hashes, one on each line.',
		});
	}
	const wanted = sourceHashes.slice(0, MOST_IN_TEST);
	const items = new Map<string, INodeExecutionData>();
	const service = await connectToService(context);
	const tally = await lookAtEach(wanted, service.status, (sourceHash, look) => {
		if (look.kind !== 'order') return;
		const status = statusOf(look.order);
		const event = isEndStatus(status) ? status : null;
		const source = { sourceHash, order: look.order, event, previousStatus: null, detectedAt: Date.now() };
		items.set(sourceHash, { json: triggerItem(source, simplify) });
	});
	const shown = wanted.flatMap((sourceHash) => items.get(sourceHash) ?? []);
	if (shown.length > 0) return shown;
	throw nothingToShow(context, wanted.length, tally.trouble);
}

function nothingToShow(context: IPollFunctions, count: number, trouble: Refusal | null) {
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
