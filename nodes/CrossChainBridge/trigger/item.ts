import type { GenericValue, IDataObject } from 'n8n-workflow';

import type { Display } from '../orders/display';
import { plainJson } from '../orders/exactJson';
import { orderItem } from '../orders/orderItem';
import { canonicalHash, hashKey, isFinalStatus, type OrderSource } from '../orders/orders';
import { WATCH_EXPIRED } from '../state/applyCheck';

interface TriggerItemSource extends OrderSource {
	/** A final status or another event; null in a test event of an order that is still open. */
	event: string | null;
	previousStatus: string | null;
	redelivered?: boolean;
	/** In milliseconds since 1970; shown where it says how long the order has been open. */
	watchedSince?: number;
	/** When the event was seen, in milliseconds since 1970. */
	detectedAt: number;
}

export interface ItemForm {
	simplify: boolean;
	display: Display;
	/** By hash key; the block explorer links of the list go before those of posts. */
	listed?: ReadonlyMap<string, { link: string | null }>;
}

/** The item for one order; `eventId` is the same on any repetition, of a final event in any spelling of the hash. */
export function triggerItem(source: TriggerItemSource, form: ItemForm): IDataObject {
	const { sourceHash, event, reference, previousStatus, redelivered, detectedAt } = source;
	const isOpen = event === null || event === WATCH_EXPIRED;
	const eventKey = isFinalStatus(event) ? canonicalHash(sourceHash) : hashKey(sourceHash);
	const watchedSince = isOpen ? source.watchedSince : undefined;
	const link = form.listed?.get(hashKey(sourceHash))?.link ?? source.link;
	const { simple, full } = orderItem({ ...source, link }, form.display, detectedAt);
	const { summary, status, sent, received, route, finishedAt, ...others } = form.simplify
		? simple
		: full;
	return {
		event,
		summary:
			event === WATCH_EXPIRED ? `${summary.replace(/\.$/, '')}. Its watch has expired.` : summary,
		reference: plainJson(reference ?? null) as GenericValue,
		sent,
		received,
		route,
		finishedAt,
		link: others.link,
		sourceHash,
		// A test event of an open order has none; its status says more.
		...(event === null ? { status } : { eventId: `${eventKey}:${event}` }),
		...(redelivered === true ? { redelivered } : {}),
		...(form.simplify
			? {}
			: {
					status,
					...others,
					previousStatus,
					detectedAt: new Date(detectedAt).toISOString(),
					...(watchedSince === undefined
						? {}
						: { watchedSince: new Date(watchedSince).toISOString() }),
				}),
	};
}
