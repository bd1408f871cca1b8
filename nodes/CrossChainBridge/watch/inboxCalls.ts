import { plainJson } from '../orders/exactJson';
import { orderKey } from '../orders/hashForms';
import { field, listOf } from '../orders/values';
import type { PostedOrder } from './events';
import { timeOrNull } from './finished';
import { applyPost, applyRemoval } from './posts';
import { DAY_MS, type WatchRules } from './rules';
import { expectedField, linkField } from './stored';
import type { WatchState } from './state';

/** A call that a trigger in the durable engine has accepted. A poll reads those that are later than its offset, and then moves the offset. */
export interface InboxCall {
	/** The node's ID, because all triggers of a workflow share one inbox. */
	nodeId: string;
	/** When it came; higher for each call. */
	at: number;
	removes: boolean;
	orders: PostedOrder[];
}

/** A poll reads a call within minutes, or the usual engine does when it takes over. One that has waited this long is for a trigger that is gone. */
const KEPT_MS = 7 * DAY_MS;

/** The calls of both lists, each once, in the order in which they came, without those that nobody will read. */
export function mergedInbox(
	one: readonly InboxCall[],
	other: readonly InboxCall[],
	now: number,
): InboxCall[] {
	const calls = new Map([...one, ...other].map((call) => [`${call.at} ${call.nodeId}`, call]));
	return [...calls.values()].filter(({ at }) => now - at < KEPT_MS).sort((a, b) => a.at - b.at);
}

/** The state after the calls for this trigger that it has not read yet. There was room for their orders when they came. */
export function withInbox(
	state: WatchState,
	calls: readonly InboxCall[],
	nodeId: string,
	rules: WatchRules,
): WatchState {
	return calls
		.filter((call) => call.nodeId === nodeId && call.at > state.inboxOffset)
		.reduce((before, { removes, orders, at }) => {
			const { state: after } = removes
				? applyRemoval(before, orders, at)
				: applyPost(before, orders, rules, at, Number.POSITIVE_INFINITY);
			return { ...after, inboxOffset: at, revision: Math.max(after.revision, at) };
		}, state);
}

/** The calls out of the data that n8n has kept. An entry that cannot be read costs that entry. */
export function readInbox(stored: unknown): InboxCall[] {
	return listOf(stored).flatMap((entry) => {
		const [nodeId, orders] = [field(entry, 'nodeId'), field(entry, 'orders')];
		const at = timeOrNull(field(entry, 'at'));
		if (typeof nodeId !== 'string' || at === null || !Array.isArray(orders)) return [];
		const read = listOf(orders).flatMap(readPostedOrder);
		return [{ nodeId, at, removes: field(entry, 'removes') === true, orders: read }];
	});
}

function readPostedOrder(stored: unknown): PostedOrder[] {
	const sourceHash = field(stored, 'sourceHash');
	if (typeof sourceHash !== 'string') return [];
	const [reference, replaces] = ['reference', 'replaces'].map((name) => field(stored, name));
	return [
		{
			key: orderKey(sourceHash),
			sourceHash,
			startedAt: timeOrNull(field(stored, 'startedAt')),
			// An absent reference stays absent, because it replaces none.
			...(reference === undefined ? {} : { reference: plainJson(reference) }),
			...linkField(field(stored, 'link')),
			...expectedField(field(stored, 'expected')),
			...(typeof replaces === 'string' ? { replaces } : {}),
		},
	];
}
