import type { IDataObject } from 'n8n-workflow';

import type { Emission, WatchEmission } from '../watch/events';
import { interruptionSummary } from '../orders/summary';
import { referenceOf } from '../watch/state';
import { type ItemForm, triggerItem } from './item';

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

/** An event of the trigger itself has the fields of every item, so that the same workflow can send it. */
function watchItem(
	{ event, why, isOfFields, watching, before }: WatchEmission,
	{ simplify }: ItemForm,
	now: number,
): IDataObject {
	const orders = watching === 1 ? '1 order' : `${watching} orders`;
	const unchecked =
		watching === 0
			? 'no orders are checked'
			: `${orders} ${watching === 1 ? 'is' : 'are'} not checked`;
	const consequence = isOfFields === true ? 'the trigger goes on with what it can read' : unchecked;
	const summary =
		why === null
			? `✅ Watching ${orders} again. Finished in the meantime: ${before?.finished ?? 0}.`
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
