import type { IPollFunctions } from 'n8n-workflow';

import type { NodeWatch, PollEngine } from './stateStore';
import { EMPTY_STATE, type WatchState } from './watchState';

/**
 * What this n8n process knows of one trigger between polls: one object per workflow and node, whichever registration
 * polls. It is newer than anything saved, since n8n saves with an emission only.
 */
export interface LiveWatch {
	state: WatchState;
	/** The registration that may emit: n8n's context object of the newest one. An older one finds itself replaced. */
	owner: IPollFunctions | null;
	/** The poll under way, so that an overlapping one of the same registration leaves at once. */
	polling: IPollFunctions | null;
	/** When this process last looked at each order, by hash key, in milliseconds since 1970. */
	lookedAt: Map<string, number>;
	/** Scheduled polls in a row without a single answer. */
	troubledPolls: number;
	/** Until when the service asked us to send nothing, in milliseconds since 1970. */
	quietUntil: number;
}

const watches = new Map<string, Map<string, LiveWatch>>();

/** Workflows whose triggers are remembered; beyond that the one that has been quiet longest is forgotten. */
const MOST_WORKFLOWS = 1000;

function watchesOf(workflowId: string): Map<string, LiveWatch> {
	const known = watches.get(workflowId) ?? new Map<string, LiveWatch>();
	watches.delete(workflowId);
	watches.set(workflowId, known);
	const oldest = watches.keys().next();
	if (watches.size > MOST_WORKFLOWS && oldest.done !== true) watches.delete(oldest.value);
	return known;
}

function workflowIdOf(context: IPollFunctions): string {
	return String(context.getWorkflow().id ?? '');
}

export function liveWatchOf(context: IPollFunctions): LiveWatch {
	const ofWorkflow = watchesOf(workflowIdOf(context));
	const nodeId = context.getNode().id;
	const known = ofWorkflow.get(nodeId);
	if (known !== undefined) return known;
	const fresh: LiveWatch = { state: EMPTY_STATE, owner: null, polling: null, lookedAt: new Map(), troubledPolls: 0, quietUntil: 0 };
	ofWorkflow.set(nodeId, fresh);
	return fresh;
}

/** The live watches of all our triggers of the workflow, this one among them. */
export function siblingsOf(context: IPollFunctions): NodeWatch[] {
	return [...watchesOf(workflowIdOf(context))].map(([nodeId, { state }]) => ({ nodeId, state }));
}

/** Poll budget that n8n reports where nothing bounds a poll (the default engine of 2.38 and later). */
const UNBOUNDED_BUDGET_MS = 300_000;

/** Which of n8n's poll engines runs this poll: only the durable one has a poll budget of its own. */
export function pollEngineOf(context: IPollFunctions): PollEngine {
	const budget: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs : undefined;
	if (typeof budget !== 'function') return 'default';
	const ms: unknown = budget.call(context);
	return typeof ms === 'number' && ms !== UNBOUNDED_BUDGET_MS ? 'durable' : 'default';
}
