import type { IDataObject } from 'n8n-workflow';

import type { Display } from '../orders/display';
import { orderItem } from '../orders/orderItem';
import { isFinalStatus, type OrderSource } from '../orders/orders';
import { orderKey } from '../orders/hashForms';
import { interruptionSummary } from '../orders/summary';
import type { Emission, WatchEmission } from '../watch/events';
import { WATCH_ENDED } from '../watch/rules';
import { referenceOf } from '../watch/state';

interface TriggerItemSource extends OrderSource {
	/** A final status or another event; null in a test event of an order that is still open. */
	event: string | null;
	previousStatus: string | null;
	redelivered?: boolean;
	/** In milliseconds since 1970; shown in a test event of an order that is still open, and in Watch Ended. */
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

/** The item with which an event starts the workflow. `now` is in milliseconds since 1970. */
export function emissionItem(emission: Emission, form: ItemForm, now: number): IDataObject {
	if (emission.kind === 'watch') return watchItem(emission, form, now);
	const { before, ...event } = emission;
	return triggerItem(
		{
			...event,
			sourceHash: before.sourceHash,
			reference: referenceOf(before),
			link: before.posted?.link ?? null,
			lastStatus: before.status,
			expected: before.posted?.expected,
			watchedSince: before.since,
			detectedAt: now,
		},
		form,
	);
}

/** The item for one order. Its hash and event together are the same on any repetition, and so is `eventId`, in any spelling of the hash. */
export function triggerItem(source: TriggerItemSource, form: ItemForm): IDataObject {
	const { sourceHash, event, previousStatus, redelivered, detectedAt, watchedSince } = source;
	const key = orderKey(sourceHash);
	const isWatchOver = event === WATCH_ENDED;
	const more = {
		link: form.listed?.get(key)?.link ?? source.link,
		needsPage: event !== null && !isFinalStatus(event),
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

/** An event of the trigger itself has the fields of every item, so that the same workflow can send it. */
function watchItem(
	{ event, why, isOfFields, watching, before }: WatchEmission,
	{ simplify }: ItemForm,
	now: number,
): IDataObject {
	const orders = watching === 1 ? '1 order is' : `${watching} orders are`;
	const unchecked = watching === 0 ? 'no orders are checked' : `${orders} not checked`;
	const consequence = isOfFields === true ? 'the trigger goes on with what it can read' : unchecked;
	const resolved =
		watching === 0
			? 'Watching is no longer interrupted. No orders are open'
			: `The problem is resolved. ${orders} watched`;
	const count = before?.finished ?? 0;
	const finished = count === 1 ? '1 has' : `${count === 0 ? 'None' : count} have`;
	const summary =
		why === null
			? `✅ ${resolved}. ${finished} finished in the meantime.`
			: interruptionSummary(why, consequence);
	const item = {
		event,
		summary,
		status: null,
		reference: null,
		sent: null,
		received: null,
		recipient: null,
		finishedAt: null,
		link: null,
		sourceHash: null,
	};
	return simplify ? item : { ...item, detectedAt: new Date(now).toISOString() };
}
