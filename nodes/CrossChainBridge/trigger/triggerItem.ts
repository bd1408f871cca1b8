import type { GenericValue, IDataObject } from 'n8n-workflow';

import { type EndStatus, hashKey, notFoundOrder, type SimpleOrder, simplifyOrder } from '../bridge/orders';
import type { OrderReading } from '../bridge/orderReading';
import { summaryOfGivenUp } from '../bridge/orderSummary';
import type { PlainObject } from '../bridge/values';
import { GIVEN_UP } from './settings';
import type { WatchedOrder } from './watchState';

export interface TriggerItemSource {
	sourceHash: string;
	/** null where the service does not know it (yet). */
	order: PlainObject | null;
	/** What it was posted with. */
	reference: unknown;
	/** null in a test event of an order that is still open. */
	event: EndStatus | null;
	previousStatus: string | null;
	/** Milliseconds since 1970. */
	detectedAt: number;
}

/** How the user wants orders to be shown. */
export interface ItemForm {
	simplify: boolean;
	reading: OrderReading;
}

/**
 * What a workflow gets for one order. `eventId` is the same each time the same end of the same order is told, so that
 * a later step can recognise a repetition.
 */
export function triggerItem(source: TriggerItemSource, { simplify, reading }: ItemForm): IDataObject {
	const { sourceHash, order, event, previousStatus } = source;
	const simple = order === null ? notFoundOrder(sourceHash) : simplifyOrder(sourceHash, order, reading);
	return {
		event,
		...firstColumns(simple, simplify),
		reference: asJson(source.reference ?? null),
		eventId: `${hashKey(sourceHash)}:${simple.status ?? 'unknown'}`,
		...(simplify ? simple : { sourceHash, status: simple.status, order: order as IDataObject | null }),
		previousStatus,
		detectedAt: new Date(source.detectedAt).toISOString(),
	};
}

/** What a workflow gets for a posted order that is no longer watched. Of the order itself only its last status is known. */
export function givenUpItem({ sourceHash, status, posted, since }: WatchedOrder, detectedAt: number, { simplify }: ItemForm): IDataObject {
	const simple = { ...notFoundOrder(sourceHash), status: status ?? 'notFound', summary: summaryOfGivenUp(sourceHash) };
	return {
		event: GIVEN_UP,
		...firstColumns(simple, simplify),
		reference: asJson(posted?.reference ?? null),
		eventId: `${hashKey(sourceHash)}:${GIVEN_UP}`,
		...(simplify ? simple : { sourceHash, status: simple.status, order: null }),
		previousStatus: status,
		watchedSince: new Date(since).toISOString(),
		detectedAt: new Date(detectedAt).toISOString(),
	};
}

/** n8n's table shows the first columns alone, so what a person reads stands there. */
function firstColumns({ summary }: SimpleOrder, simplify: boolean): IDataObject {
	return simplify ? { summary } : {};
}

/** A reference came as JSON. */
function asJson(reference: unknown): GenericValue {
	return reference as GenericValue;
}
