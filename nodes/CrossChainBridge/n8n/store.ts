import type { IDataObject } from 'n8n-workflow';

import { field, listOf } from '../orders/values';
import { type InboxCall, readInbox } from '../watch/inboxCalls';
import { newestOf, type WatchState } from '../watch/state';
import { readStoredWatch, storedWatch } from '../watch/stored';
import { nodesOfWorkflow, type TriggerContext } from './internals';
import { workflowIdOf } from './session';

/*
 * What n8n keeps for the triggers, in its static data:
 * - the durable engine: the state in the node's own data (NODE_KEY), which that engine saves together with an execution; and in the
 *   workflow's data the calls to the webhook (INBOX_KEY), because a call cannot write the node's. The next poll takes them into the state.
 * - the usual engine: the states of all triggers of a workflow in the workflow's data (WATCHES_KEY), by node ID, because that engine loses
 *   the data of a node that is renamed. A call writes there, too.
 */
const NODE_KEY = 'watch';
const WATCHES_KEY = 'crossChainBridgeWatches';
const INBOX_KEY = 'crossChainBridgeInbox';

/** How long after its last change the state of a trigger that is no longer in the workflow is kept, in case the deletion is undone. In milliseconds. */
const DELETED_KEPT_MS = 24 * 3_600_000;

/** The newest stored state of this trigger: the node's, or the workflow's, because n8n may have changed its engine. */
export function loadState(context: TriggerContext): WatchState {
	return newestOf([
		readStoredWatch(context.getWorkflowStaticData('node')[NODE_KEY]),
		readStoredWatch(
			storedWatches(context.getWorkflowStaticData('global')).get(context.getNode().id),
		),
	]);
}

/** For the durable engine: n8n saves it with the next start, or when the poll is over. */
export function storeWithNode(context: TriggerContext, state: WatchState): void {
	context.getWorkflowStaticData('node')[NODE_KEY] = asData(storedWatch(state));
}

/**
 * The copies of the workflow's static data that the registrations of our triggers have, by workflow ID, those of replaced ones, too. If n8n
 * registers only the triggers that were edited, any other trigger keeps the older copy, and n8n saves that whole when this trigger starts.
 */
const copiesByWorkflow = new Map<string, Set<WeakRef<IDataObject>>>();

/** To be called for each registration. */
export function keepCopy(context: TriggerContext): void {
	const id = workflowIdOf(context);
	const data = context.getWorkflowStaticData('global');
	const kept = copiesByWorkflow.get(id) ?? new Set();
	const others = [...kept].filter((copy) => ![undefined, data].includes(copy.deref()));
	copiesByWorkflow.set(id, new Set([...others, new WeakRef(data)]));
}

/** The copies of all registrations, and the context's own. */
function copiesOf(context: TriggerContext): Set<IDataObject> {
	const kept = [...(copiesByWorkflow.get(workflowIdOf(context)) ?? [])];
	const present = kept
		.map((copy) => copy.deref())
		.filter((copy): copy is IDataObject => copy !== undefined);
	return new Set([context.getWorkflowStaticData('global'), ...present]);
}

/**
 * For the usual engine: n8n saves it with the next start, after a publication, and before it answers a call to the webhook. One column of its
 * database has the states of all triggers of the workflow, and each registration has a copy of it. So the states (by node ID) are written into
 * all of these copies; a state that a copy already has stays if its revision is higher. A trigger that was added after a registration is not in
 * its copy of the workflow, so that none that this process knows is taken for deleted.
 */
export function storeWithWorkflow(
	context: TriggerContext,
	states: ReadonlyMap<string, WatchState>,
	now: number,
): void {
	const nodes = nodesOfWorkflow(context)?.map(({ id }) => id);
	for (const copy of copiesOf(context)) {
		const watches = storedWatches(copy);
		for (const [nodeId, state] of states)
			if (state.revision >= revisionOf(watches.get(nodeId)))
				watches.set(nodeId, { ...storedWatch(state), nodeId });
		const present = [...watches].filter(([nodeId, stored]) => {
			const isDeleted = nodes !== undefined && !nodes.includes(nodeId) && !states.has(nodeId);
			return !isDeleted || now - revisionOf(stored) < DELETED_KEPT_MS;
		});
		copy[WATCHES_KEY] = asData({ watches: present.map(([, stored]) => stored) });
	}
}

/** By node ID. */
function storedWatches(copy: IDataObject): Map<string, unknown> {
	const watches = field(copy[WATCHES_KEY], 'watches');
	return new Map(
		listOf(watches).flatMap((stored) => {
			const nodeId = field(stored, 'nodeId');
			return typeof nodeId === 'string' ? [[nodeId, stored]] : [];
		}),
	);
}

function revisionOf(stored: unknown): number {
	const revision = field(stored, 'revision');
	return typeof revision === 'number' ? revision : -1;
}

/** The calls that are stored for all triggers of the workflow. */
export function loadInbox(context: TriggerContext): InboxCall[] {
	return readInbox(field(context.getWorkflowStaticData('global')[INBOX_KEY], 'calls'));
}

/** n8n saves them before it answers the call. */
export function storeInbox(context: TriggerContext, calls: readonly InboxCall[]): void {
	// Cloned, because n8n may keep it for longer than this process keeps its own.
	for (const copy of copiesOf(context))
		copy[INBOX_KEY] = asData({ calls: structuredClone([...calls]) });
}

/**
 * The value as n8n keeps it. It has to be a fresh object: in a workflow's static data n8n notices only that a top-level key was assigned (a
 * durable cursor it compares by its content).
 */
function asData(value: object): IDataObject {
	return value as IDataObject;
}
