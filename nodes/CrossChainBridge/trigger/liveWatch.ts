import type { IPollFunctions } from 'n8n-workflow';

import { emptyTally, type LookTally } from './lookTally';
import type { OrderLooks } from './orderLooks';
import type { TriggerSettings } from './settings';
import type { NodeWatch, PollEngine } from './stateStore';
import { EMPTY_STATE, type Look, type WatchState } from './watchState';

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
	/** What the last poll read of the node's fields; ticks go by it. */
	settings: TriggerSettings | null;
	/** The looks of the owner; null while none are to be made. */
	looks: OrderLooks | null;
	/** Looks that no tick has taken in yet. */
	unread: Array<{ key: string; look: Look }>;
	/** When this process last looked at each order, by hash key, in milliseconds since 1970. */
	lookedAt: Map<string, number>;
	/** What went wrong in a tick; the next poll shows it. */
	tickError: Error | null;
	/** Scheduled polls in a row without a single answer. */
	troubledPolls: number;
	/** What the looks since the last poll have met with. */
	sincePoll: LookTally;
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
	const fresh: LiveWatch = {
		state: EMPTY_STATE,
		owner: null,
		polling: null,
		settings: null,
		looks: null,
		unread: [],
		lookedAt: new Map(),
		tickError: null,
		troubledPolls: 0,
		sincePoll: emptyTally(),
	};
	ofWorkflow.set(nodeId, fresh);
	return fresh;
}

/** The live watches of all our triggers of the workflow, this one among them. */
export function siblingsOf(context: IPollFunctions): NodeWatch[] {
	return [...watchesOf(workflowIdOf(context))].map(([nodeId, { state }]) => ({ nodeId, state }));
}

/** Poll budget that n8n reports where nothing bounds a poll (the default engine of 2.38 and later). */
const UNBOUNDED_BUDGET_MS = 300_000;

/** How long a poll may take, in milliseconds; n8n before 2.38 has no such bound. */
export function pollBudgetMs(context: IPollFunctions): number {
	const budget: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs : undefined;
	const ms: unknown = typeof budget === 'function' ? budget.call(context) : undefined;
	return typeof ms === 'number' ? ms : UNBOUNDED_BUDGET_MS;
}

/** Which of n8n's poll engines runs this poll: only the durable one has a poll budget of its own. */
export function pollEngineOf(context: IPollFunctions): PollEngine {
	return pollBudgetMs(context) === UNBOUNDED_BUDGET_MS ? 'default' : 'durable';
}
