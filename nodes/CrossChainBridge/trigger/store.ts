import type { IDataObject } from 'n8n-workflow';

import { field, isPlainObject } from '../orders/values';
import { readStoredWatch, storedWatch } from '../state/codec';
import { type InboxCall, readStoredCalls, storedCall } from '../state/inbox';
import { EMPTY_STATE, newestOf, type WatchState } from '../state/state';
import type { TriggerContext } from './pollTimes';
import { type NodeWatch, siblingsOf } from './session';

/**
 * Where n8n's static data keep the state, and the calls that wait for a poll.
 *
 * The durable engine commits the node's own data together with an execution. The usual engine keys that data by the
 * node's name and saves one registration's copy of the whole workflow's data: a renamed trigger would lose it, and a
 * second trigger would write an old copy back. So there the workflow's global data contain the states of all our
 * triggers, by node ID, and each write puts in the newest of each.
 *
 * n8n notices assignments to top-level keys only, hence fresh objects each time.
 */

const NODE_KEY = 'watch';
const GLOBAL_KEY = 'crossChainBridgeWatches';
const INBOX_KEY = 'crossChainBridgeInbox';

/** A state without a session in this process that is older than this belongs to a trigger that is gone: polls renew theirs. */
const FORGOTTEN_AFTER_MS = 90 * 24 * 3_600_000;

/** While n8n starts, it polls one trigger after another: those whose turn comes later have no session yet. */
const STARTING_MS = 3_600_000;
const loadedAt = Date.now();

/** Whether n8n keeps the node's data in a table of its own, as the durable engine does, and not as part of the workflow. */
export function isStoredDurably(context: TriggerContext): boolean {
	// n8n notices changes of a workflow's static data by a field of this name.
	return !('__dataChanged' in context.getWorkflowStaticData('node'));
}

/**
 * The newest stored state of this node; an empty one where nothing usable is stored. The poll that n8n runs while it
 * publishes with the durable engine stores it with the workflow, as the usual engine does.
 */
export function loadState(context: TriggerContext): WatchState {
	const nodeId = context.getNode().id;
	const ofWorkflow =
		readGlobal(context).find((watch) => watch.nodeId === nodeId)?.state ?? EMPTY_STATE;
	return newestOf([
		readStoredWatch(context.getWorkflowStaticData('node')[NODE_KEY], Date.now()),
		ofWorkflow,
	]);
}

/** Puts the state where the durable engine commits it with the next start. */
export function storeWithNode(context: TriggerContext, state: WatchState): void {
	context.getWorkflowStaticData('node')[NODE_KEY] = asData(storedWatch(state));
}

/** Puts the state into this copy of the data that all triggers of the workflow share, with the newest state of each other one. */
export function storeWithWorkflow(context: TriggerContext, state: WatchState): void {
	const now = Date.now();
	const siblings = siblingsOf(context);
	const known = new Map(siblings.map(({ nodeId, state: { revision } }) => [nodeId, revision]));
	const newest = new Map<string, WatchState>();
	for (const { nodeId, state: other } of [...readGlobal(context, known), ...siblings])
		newest.set(nodeId, newestOf([newest.get(nodeId) ?? null, other]));
	newest.set(context.getNode().id, state);
	const isStarting = now - loadedAt < STARTING_MS;
	const watches = [...newest]
		.filter(
			([nodeId, { revision }]) =>
				isStarting || known.has(nodeId) || now - revision < FORGOTTEN_AFTER_MS,
		)
		.map(([nodeId, other]) => ({ nodeId, ...storedWatch(other) }));
	context.getWorkflowStaticData('global')[GLOBAL_KEY] = asData({ watches });
}

/** The kept watches of the workflow's triggers, as far as they are newer than the revisions that are known: reading a large one takes time. */
function readGlobal(
	context: TriggerContext,
	known: ReadonlyMap<string, number> = new Map(),
): NodeWatch[] {
	const watches = field(context.getWorkflowStaticData('global')[GLOBAL_KEY], 'watches');
	if (!Array.isArray(watches)) return [];
	return watches.flatMap((watch): NodeWatch[] => {
		const nodeId = field(watch, 'nodeId');
		if (typeof nodeId !== 'string' || Number(field(watch, 'revision')) <= (known.get(nodeId) ?? -1))
			return [];
		const state = readStoredWatch(watch, Date.now());
		return state !== null ? [{ nodeId, state }] : [];
	});
}

/** The calls that are stored for this trigger, oldest first for each writer. */
export function readInbox(context: TriggerContext): InboxCall[] {
	const stored = field(context.getWorkflowStaticData('global')[INBOX_KEY], context.getNode().id);
	return readStoredCalls(stored);
}

/** Stores the calls of this trigger where n8n saves them before it answers the present one. Those of other triggers stay. */
export function storeInbox(context: TriggerContext, calls: readonly InboxCall[]): void {
	const data = context.getWorkflowStaticData('global');
	const before: unknown = data[INBOX_KEY];
	data[INBOX_KEY] = asData({
		...(isPlainObject(before) ? before : {}),
		[context.getNode().id]: calls.map(storedCall),
	});
}

/** Plain JSON data under n8n's name for it. */
function asData(value: object): IDataObject {
	return value as IDataObject;
}
