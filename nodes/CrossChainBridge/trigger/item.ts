import type { GenericValue, IDataObject } from 'n8n-workflow';

import type { Display } from '../orders/display';
import { plainJson } from '../orders/exactJson';
import { orderItem, type OrderSource } from '../orders/orderItem';
import { canonicalHash, hashKey } from '../orders/orders';
import { summaryOfWatchExpired } from '../orders/summary';
import { WATCH_EXPIRED } from '../state/expiry';
import { referenceOf, type WatchedOrder } from '../state/state';

export interface TriggerItemSource extends OrderSource {
	/** A final status or another event; null in a test event of an order that is still open. */
	event: string | null;
	previousStatus: string | null;
	redelivered?: boolean;
	/** When the event was seen, in milliseconds since 1970. */
	detectedAt: number;
}

export interface ItemForm {
	simplify: boolean;
	display: Display;
	/** The block explorer links of the list, by hash key. */
	links?: ReadonlyMap<string, string>;
}

/** The item for one order; `eventId` is the same on any repetition of an event, in whichever spelling of the hash. */
export function triggerItem(source: TriggerItemSource, form: ItemForm): IDataObject {
	const { sourceHash, event, reference, previousStatus, redelivered, detectedAt } = source;
	const link = form.links?.get(hashKey(sourceHash)) ?? source.link;
	const { simple, full } = orderItem({ ...source, link }, form.display, detectedAt);
	const { summary, status, sent, received, route, finishedAt, ...others } = form.simplify
		? simple
		: full;
	return {
		event,
		summary: event === WATCH_EXPIRED ? summaryOfWatchExpired(sourceHash, reference) : summary,
		reference: plainJson(reference ?? null) as GenericValue,
		sent,
		received,
		route,
		finishedAt,
		link: others.link,
		sourceHash,
		// A test event of an open order has none; its status says more.
		...(event === null ? { status } : { eventId: `${canonicalHash(sourceHash)}:${event}` }),
		...(redelivered === true ? { redelivered } : {}),
		...(form.simplify
			? {}
			: {
					status,
					...others,
					previousStatus,
					detectedAt: new Date(detectedAt).toISOString(),
				}),
	};
}

/** The item for an order whose watch has expired; only its last status is known. */
export function watchExpiredItem(
	expired: WatchedOrder,
	detectedAt: number,
	form: ItemForm,
): IDataObject {
	const { sourceHash, status, since, redelivered } = expired;
	const item = triggerItem(
		{
			sourceHash,
			order: null,
			lastStatus: status,
			reference: referenceOf(expired),
			link: expired.posted?.link,
			event: WATCH_EXPIRED,
			previousStatus: status,
			redelivered,
			detectedAt,
		},
		form,
	);
	return form.simplify ? item : { ...item, watchedSince: new Date(since).toISOString() };
}
