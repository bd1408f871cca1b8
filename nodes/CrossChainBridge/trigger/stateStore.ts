import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { field } from '../bridge/values';
import { newestOf, readStoredWatch, storedWatch, type WatchState } from './watchState';

/**
 * Where a watch is kept in n8n's static data, and why in two places.
 *
 * The node's own data is what the durable poll engine commits together with an execution. The default engine keys it
 * by the node's name and saves the whole workflow's data from the copy that the one registration holds: a renamed
 * trigger loses it, and a second trigger of the same workflow writes an old copy of it back. So in the default engine
 * the workflow's global data holds the watches of all our triggers of the workflow, by node ID, and each write puts in
 * the newest of each. Reading takes the newer copy.
 *
 * n8n notices assignments to top-level keys only, hence fresh objects each time.
 */

const NODE_KEY = 'watch';
const GLOBAL_KEY = 'crossChainBridgeWatches';

/** A watch that no trigger in this process holds, and that was not written for so long, belongs to a trigger that is gone. */
const FORGOTTEN_AFTER_MS = 90 * 24 * 3_600_000;

export type PollEngine = 'default' | 'durable';

/** The watch of one trigger node, by node ID. */
export interface NodeWatch {
	nodeId: string;
	state: WatchState;
}

/** Whether n8n keeps the node's data in a table of its own, as the durable engine does, and not as part of the workflow. */
export function isKeptDurably(context: IPollFunctions): boolean {
	// n8n notices changes of a workflow's static data by a field of this name.
	return !('__dataChanged' in context.getWorkflowStaticData('node'));
}

/** The newest kept state of this node; an empty one where nothing usable is kept. */
export function loadWatch(context: IPollFunctions, engine: PollEngine): WatchState {
	const own = readStoredWatch(context.getWorkflowStaticData('node')[NODE_KEY]);
	// The durable engine commits the node's data in one transaction with the execution; the global copy is not part of it.
	if (engine === 'durable') return newestOf([own]);
	const nodeId = context.getNode().id;
	const shared = readGlobal(context).find((watch) => watch.nodeId === nodeId);
	return newestOf([own, shared?.state ?? null]);
}

/** Puts the state where n8n saves it with the next emission. `siblings`: this process' live watches of the same workflow. */
export function keepWatch(
	context: IPollFunctions,
	engine: PollEngine,
	state: WatchState,
	siblings: readonly NodeWatch[],
	now: number,
): void {
	context.getWorkflowStaticData('node')[NODE_KEY] = asData(storedWatch(state));
	if (engine === 'durable') return;
	const newest = new Map<string, WatchState>();
	for (const { nodeId, state: other } of [...readGlobal(context), ...siblings]) {
		newest.set(nodeId, newestOf([newest.get(nodeId) ?? null, other]));
	}
	newest.set(context.getNode().id, state);
	const living = new Set(siblings.map(({ nodeId }) => nodeId));
	const watches = [...newest]
		.filter(([nodeId, other]) => living.has(nodeId) || now - other.revision < FORGOTTEN_AFTER_MS)
		.map(([nodeId, other]) => ({ nodeId, ...storedWatch(other) }));
	context.getWorkflowStaticData('global')[GLOBAL_KEY] = asData({ watches });
}

function readGlobal(context: IPollFunctions): NodeWatch[] {
	const watches = field(context.getWorkflowStaticData('global')[GLOBAL_KEY], 'watches');
	if (!Array.isArray(watches)) return [];
	return watches.flatMap((watch): NodeWatch[] => {
		const nodeId = field(watch, 'nodeId');
		const state = readStoredWatch(watch);
		return typeof nodeId === 'string' && state !== null ? [{ nodeId, state }] : [];
	});
}

/** Plain JSON data under n8n's name for it. */
function asData(value: object): IDataObject {
	return value as IDataObject;
}
