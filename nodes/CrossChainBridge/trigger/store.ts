import type { IDataObject } from 'n8n-workflow';

import { field, isPlainObject } from '../orders/values';
import { readStoredWatch, storedWatch } from '../state/codec';
import { type InboxCall, mergedInbox, readStoredCalls, untaken } from '../state/inbox';
import { newestOf, type WatchState } from '../state/state';
import type { TriggerContext } from './pollTimes';
import { sessionsOfWorkflow } from './session';

/** In the node's own data, which only the durable engine commits with an execution. */
const NODE_KEY = 'watch';

/** In the workflow's data, since the usual engine loses those of a renamed node. */
const GLOBAL_KEY = 'crossChainBridgeWatches';
const INBOX_KEY = 'crossChainBridgeInbox';

/** Whether n8n keeps the node's data in a table of its own, as the durable engine does. */
export function isStoredDurably(context: TriggerContext): boolean {
	// n8n notices changes of the workflow's data by this field; the table has none.
	return !('__dataChanged' in context.getWorkflowStaticData('node'));
}

/** The newest stored state: the node's, or the workflow's, as a durable publication leaves it. */
export function loadState(context: TriggerContext): WatchState {
	return newestOf([
		readStoredWatch(context.getWorkflowStaticData('node')[NODE_KEY]),
		withStored(context, new Map()).get(context.getNode().id) ?? null,
	]);
}

/** For the durable engine: n8n commits it with the next start, or when the poll ends. */
export function storeWithNode(context: TriggerContext, state: WatchState): void {
	context.getWorkflowStaticData('node')[NODE_KEY] = asData(storedWatch(state));
}

/** With the newest state of each other trigger, since n8n saves one copy for all. */
export function storeWithWorkflow(context: TriggerContext, state: WatchState): void {
	const shared = new Map<string, WatchState>();
	for (const [nodeId, { engine, watch }] of sessionsOfWorkflow(context))
		if (engine?.isShared === true) shared.set(nodeId, watch.state);
	const newest = withStored(context, shared);
	newest.set(context.getNode().id, state);
	const watches = [...newest].map(([nodeId, other]) => ({ nodeId, ...storedWatch(other) }));
	context.getWorkflowStaticData('global')[GLOBAL_KEY] = asData({ watches });
}

/** These states by node ID, with stored ones that are newer; no others are read, to save time. */
function withStored(
	context: TriggerContext,
	states: Map<string, WatchState>,
): Map<string, WatchState> {
	const watches = field(context.getWorkflowStaticData('global')[GLOBAL_KEY], 'watches');
	for (const watch of Array.isArray(watches) ? (watches as unknown[]) : []) {
		const nodeId = field(watch, 'nodeId');
		if (typeof nodeId !== 'string') continue;
		const known = states.get(nodeId)?.revision ?? -1;
		const isNewer = Number(field(watch, 'revision')) > known;
		const state = isNewer ? readStoredWatch(watch) : null;
		if (state !== null) states.set(nodeId, state);
	}
	return states;
}

/** The calls that are stored for this trigger. */
export function readInbox(context: TriggerContext): InboxCall[] {
	return readInboxes(context).get(context.getNode().id) ?? [];
}

/** Those for each trigger of the workflow, by node ID. */
export function readInboxes(context: TriggerContext): Map<string, InboxCall[]> {
	const stored = context.getWorkflowStaticData('global')[INBOX_KEY];
	const inboxes = isPlainObject(stored) ? Object.entries(stored) : [];
	return new Map(inboxes.map(([nodeId, calls]) => [nodeId, readStoredCalls(calls)]));
}

/** With the calls of each other trigger, since n8n saves one copy for all. */
export function storeInbox(context: TriggerContext, calls: readonly InboxCall[]): void {
	const inboxes = readInboxes(context);
	for (const [nodeId, { commits }] of sessionsOfWorkflow(context))
		inboxes.set(nodeId, mergedInbox(inboxes.get(nodeId) ?? [], commits.accepted));
	const now = Date.now();
	// Nobody takes those of a trigger that was deleted.
	const kept = new Map([...inboxes].map(([id, each]) => [id, untaken(each, new Map(), now)]));
	kept.set(context.getNode().id, [...calls]);
	const copies = structuredClone(Object.fromEntries(kept));
	context.getWorkflowStaticData('global')[INBOX_KEY] = asData(copies);
}

/** Always a fresh object, since n8n notices assignments to top-level keys only. */
function asData(value: object): IDataObject {
	return value as IDataObject;
}
