import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { field } from '../bridge/values';
import { readStoredWatch, storedWatch } from './codec';
import type { PollEngine } from './session';
import { EMPTY_STATE, newestOf, type WatchState } from './state';

/**
 * Where a watch is kept in n8n's static data, one place for each poll engine.
 *
 * The durable engine commits the node's own data together with an execution. The default engine keys that by the node's
 * name and saves the whole workflow's data from the copy that one registration has: a renamed trigger would lose
 * it, and a second trigger of the same workflow would write an old copy of it back. So there the workflow's global data
 * contains the watches of all our triggers of the workflow, by node ID, and each write puts in the newest of each.
 *
 * n8n notices assignments to top-level keys only, hence fresh objects each time.
 */

const NODE_KEY = 'watch';
const GLOBAL_KEY = 'crossChainBridgeWatches';

/** A watch without a session in this process, and not written for so long, belongs to a trigger that is gone. */
const FORGOTTEN_AFTER_MS = 90 * 24 * 3_600_000;

/** n8n's context of a poll, or of a call to the webhook: which trigger is meant, and what n8n keeps for it. */
export type TriggerContext = Pick<IPollFunctions, 'getWorkflow' | 'getNode' | 'getWorkflowStaticData'>;

/** The watch of one trigger node, by node ID. */
export interface NodeWatch {
	nodeId: string;
	state: WatchState;
}

/** Whether n8n keeps the node's data in a table of its own, as the durable engine does, and not as part of the workflow. */
export function isStoredDurably(context: TriggerContext): boolean {
	// n8n notices changes of a workflow's static data by a field of this name.
	return !('__dataChanged' in context.getWorkflowStaticData('node'));
}

/**
 * The kept state of this node, the newer one of the two places; an empty one where nothing usable is kept. In the durable
 * engine the poll that n8n runs while it publishes keeps its state with the workflow, and so did the default engine before.
 */
export function loadState(context: TriggerContext): WatchState {
	const nodeId = context.getNode().id;
	const ofWorkflow = readGlobal(context).find((watch) => watch.nodeId === nodeId)?.state ?? EMPTY_STATE;
	return newestOf([readStoredWatch(context.getWorkflowStaticData('node')[NODE_KEY], Date.now()), ofWorkflow]);
}

/** Puts the state where n8n saves it with the next emission. `siblings`: the watches of this process' sessions of the same workflow. */
export function saveState(
	context: TriggerContext,
	engine: PollEngine,
	state: WatchState,
	siblings: readonly NodeWatch[],
	now: number,
): void {
	if (engine === 'durable') {
		context.getWorkflowStaticData('node')[NODE_KEY] = asData(storedWatch(state));
		return;
	}
	const newest = new Map<string, WatchState>();
	const known = new Map(siblings.map(({ nodeId, state: { revision } }) => [nodeId, revision]));
	for (const { nodeId, state: other } of [...readGlobal(context, known), ...siblings]) {
		newest.set(nodeId, newestOf([newest.get(nodeId) ?? null, other]));
	}
	newest.set(context.getNode().id, state);
	const living = new Set(siblings.map(({ nodeId }) => nodeId));
	const watches = [...newest]
		.filter(([nodeId, other]) => living.has(nodeId) || now - other.revision < FORGOTTEN_AFTER_MS)
		.map(([nodeId, other]) => ({ nodeId, ...storedWatch(other) }));
	context.getWorkflowStaticData('global')[GLOBAL_KEY] = asData({ watches });
}

/** The kept watches of the workflow's triggers, as far as they are newer than the revisions that are known: reading a large one takes time. */
function readGlobal(context: TriggerContext, known: ReadonlyMap<string, number> = new Map()): NodeWatch[] {
	const watches = field(context.getWorkflowStaticData('global')[GLOBAL_KEY], 'watches');
	if (!Array.isArray(watches)) return [];
	return watches.flatMap((watch): NodeWatch[] => {
		const nodeId = field(watch, 'nodeId');
		if (typeof nodeId !== 'string' || Number(field(watch, 'revision')) <= (known.get(nodeId) ?? -1)) return [];
		const state = readStoredWatch(watch, Date.now());
		return state !== null ? [{ nodeId, state }] : [];
	});
}

/** Plain JSON data under n8n's name for it. */
function asData(value: object): IDataObject {
	return value as IDataObject;
}
