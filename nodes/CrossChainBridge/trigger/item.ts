import type { GenericValue, IDataObject } from 'n8n-workflow';

import { plainJson } from '../orders/exactJson';
import {
	canonicalHash,
	type FinalStatus,
	notFoundOrder,
	type SimpleOrder,
	simplifyOrder,
} from '../orders/orders';
import type { OrderReading } from '../orders/orderReading';
import { durationWords, summaryOfWatchExpired } from '../orders/orderSummary';
import type { PlainObject } from '../orders/values';
import { DELAYED } from '../state/applyCheck';
import { WATCH_EXPIRED } from '../state/expiry';
import { referenceOf, type WatchedOrder } from '../state/state';

export interface TriggerItemSource {
	sourceHash: string;
	/** null where the service does not know it (yet). */
	order: PlainObject | null;
	/** What it was posted or listed with. */
	reference: unknown;
	/** null in a test event of an order that is still open. */
	event: FinalStatus | typeof DELAYED | null;
	previousStatus: string | null;
	/** The same event may have been emitted just before n8n stopped. */
	redelivered?: boolean;
	/** When the order began, as far as is known, in milliseconds since 1970. */
	beganAt?: number;
	/** Milliseconds since 1970. */
	detectedAt: number;
}

/** How the user wants orders to be shown. */
export interface ItemForm {
	simplify: boolean;
	reading: OrderReading;
}

/**
 * What a workflow gets for one order. `eventId` is the same each time the same final status of the same order is emitted,
 * whatever the spelling of its hash, so that a later node can recognise a repetition.
 */
export function triggerItem(
	source: TriggerItemSource,
	{ simplify, reading }: ItemForm,
): IDataObject {
	const { sourceHash, order, event, previousStatus } = source;
	const shown =
		order === null ? notFoundOrder(sourceHash) : simplifyOrder(sourceHash, order, reading);
	const simple = event === DELAYED ? { ...shown, summary: delayedSummary(shown, source) } : shown;
	return {
		event,
		...firstColumns(simple, simplify),
		reference: asJson(source.reference ?? null),
		eventId: `${canonicalHash(sourceHash)}:${event ?? simple.status ?? 'unknown'}`,
		...(simplify
			? simple
			: { sourceHash, status: simple.status, order: order as IDataObject | null }),
		previousStatus,
		...detected(source.detectedAt, source.redelivered),
	};
}

function delayedSummary(
	{ summary }: SimpleOrder,
	{ sourceHash, order, beganAt, detectedAt }: TriggerItemSource,
): string {
	const after = durationWords((detectedAt - (beganAt ?? detectedAt)) / 1000);
	return order === null
		? `The bridge has not found order ${shortHash(sourceHash)} after ${after}. Check the hash.`
		: `${summary} after ${after}`;
}

function shortHash(sourceHash: string): string {
	return `${sourceHash.slice(0, 6)}…${sourceHash.slice(-4)}`;
}

/** What a workflow gets for an order whose watch has expired. Of the order itself only its last status is known. */
export function watchExpiredItem(
	expired: WatchedOrder,
	detectedAt: number,
	{ simplify }: ItemForm,
): IDataObject {
	const { sourceHash, status, since, redelivered } = expired;
	const simple = {
		...notFoundOrder(sourceHash),
		status: status ?? 'notFound',
		summary: summaryOfWatchExpired(sourceHash),
	};
	return {
		event: WATCH_EXPIRED,
		...firstColumns(simple, simplify),
		reference: asJson(referenceOf(expired)),
		eventId: `${canonicalHash(sourceHash)}:${WATCH_EXPIRED}`,
		...(simplify ? simple : { sourceHash, status: simple.status, order: null }),
		previousStatus: status,
		watchedSince: new Date(since).toISOString(),
		...detected(detectedAt, redelivered),
	};
}

function detected(at: number, redelivered: boolean | undefined): IDataObject {
	return {
		detectedAt: new Date(at).toISOString(),
		...(redelivered === true ? { redelivered } : {}),
	};
}

/** n8n's table shows only the first columns, so what the user reads first stands there. */
function firstColumns({ summary }: SimpleOrder, simplify: boolean): IDataObject {
	return simplify ? { summary } : {};
}

/** A copy of its own: what a workflow does with its item changes nothing here. */
function asJson(reference: unknown): GenericValue {
	return plainJson(reference) as GenericValue;
}
