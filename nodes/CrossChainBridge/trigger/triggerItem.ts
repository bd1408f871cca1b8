import type { IDataObject } from 'n8n-workflow';

import { type EndStatus, hashKey, simplifyOrder, statusOf } from '../bridge/orders';
import type { PlainObject } from '../bridge/values';

export interface TriggerItemSource {
	sourceHash: string;
	order: PlainObject;
	/** null in a test event of an order that is still open. */
	event: EndStatus | null;
	previousStatus: string | null;
	/** Milliseconds since 1970. */
	detectedAt: number;
}

/**
 * What a workflow gets for one order. `eventId` is the same each time the same end of the same order is told, so that
 * a later step can recognise a repetition.
 */
export function triggerItem(source: TriggerItemSource, simplify: boolean): IDataObject {
	const { sourceHash, order, event, previousStatus } = source;
	const status = statusOf(order);
	return {
		event,
		eventId: `${hashKey(sourceHash)}:${status ?? 'unknown'}`,
		...(simplify ? simplifyOrder(sourceHash, order) : { sourceHash, status, order: order as IDataObject }),
		previousStatus,
		detectedAt: new Date(source.detectedAt).toISOString(),
	};
}
