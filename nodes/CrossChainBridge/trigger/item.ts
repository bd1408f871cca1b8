import type { IDataObject } from 'n8n-workflow';

import type { Display } from '../orders/display';
import { orderItem } from '../orders/orderItem';
import { isFinalStatus, type OrderSource } from '../orders/orders';
import { orderKey } from '../orders/sourceHash';
import { WATCH_ENDED } from '../watch/rules';

interface TriggerItemSource extends OrderSource {
	/** A final status or another event; null in a test event of an order that is still open. */
	event: string | null;
	previousStatus: string | null;
	redelivered?: boolean;
	/** In milliseconds since 1970; shown if the order has not finished. */
	watchedSince?: number;
	/** When the event was seen, in milliseconds since 1970. */
	detectedAt: number;
}

export interface ItemForm {
	simplify: boolean;
	display: Display;
	/** By order key: the node's list, whose links go before those of posts. */
	listed?: ReadonlyMap<string, { link: string | null }> | null;
}

/** The item for one order. Its hash and event together are the same on any repetition, and so is `eventId`, in any spelling of the hash. */
export function triggerItem(source: TriggerItemSource, form: ItemForm): IDataObject {
	const { sourceHash, event, previousStatus, redelivered, detectedAt, watchedSince } = source;
	const key = orderKey(sourceHash);
	const isWatchOver = event === WATCH_ENDED;
	const more = {
		link: form.listed?.get(key)?.link ?? source.link,
		isLate: event !== null && !isFinalStatus(event),
		note: isWatchOver ? 'The trigger has stopped watching it' : undefined,
	};
	const { simple, full } = orderItem({ ...source, ...more }, form.display, detectedAt);
	const { outcome, ...shown } = form.simplify ? simple : full;
	const item = { event, ...shown, ...(redelivered === true ? { redelivered } : {}) };
	if (form.simplify) return item;
	const since = event === null || isWatchOver ? watchedSince : undefined;
	return {
		...item,
		outcome,
		eventId: event === null ? null : `${key}:${event}`,
		previousStatus,
		detectedAt: new Date(detectedAt).toISOString(),
		...(since === undefined ? {} : { watchedSince: new Date(since).toISOString() }),
	};
}
