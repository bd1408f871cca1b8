import type { IPollFunctions } from 'n8n-workflow';

import { emptyTally, type LookTally } from './lookTally';
import type { KnownNetworks } from './networkNames';
import type { OrderLooks } from './orderLooks';
import type { TriggerSettings } from './settings';
import type { NodeWatch, PollEngine, TriggerContext } from './stateStore';
import { EMPTY_STATE, type Look, openOrders, type WatchState } from './watchState';

/**
 * What this n8n process knows of one trigger between polls: one object per workflow and node, whichever registration
 * polls. It is newer than anything saved, since n8n saves with an emission only.
 */
export interface LiveWatch {
	state: WatchState;
	/** n8n commits the state together with what it tells, and may drop both: what is in memory alone is never kept. */
	isCommitted: boolean;
	/** The newest state with which this process has started the workflow, and when (ms since 1970). */
	lastStart: { revision: number; at: number };
	/** The registration that may emit: n8n's context object of the newest one. An older one finds itself replaced. */
	owner: IPollFunctions | null;
	/** What the last poll read of the node's fields; ticks go by it. */
	settings: TriggerSettings | null;
	/** The looks of the owner; null while none are to be made. */
	looks: OrderLooks | null;
	/** Looks that no tick has taken in yet. */
	unread: Array<{ key: string; look: Look }>;
	/** When the service was last asked for each order, and when it last answered for it; by hash key, in milliseconds since 1970. */
	askedAt: Map<string, number>;
	lookedAt: Map<string, number>;
	/** When the owner's ticks last came, in milliseconds since 1970: the sign that this process runs the trigger. 0 before the first. */
	tickedAt: number;
	/** The networks whose names items show; null while they are not known. */
	known: KnownNetworks | null;
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

function workflowIdOf(context: TriggerContext): string {
	return String(context.getWorkflow().id ?? '');
}

export function liveWatchOf(context: IPollFunctions): LiveWatch {
	const ofWorkflow = watchesOf(workflowIdOf(context));
	const nodeId = context.getNode().id;
	const known = ofWorkflow.get(nodeId);
	if (known !== undefined) return known;
	const fresh: LiveWatch = {
		state: EMPTY_STATE,
		isCommitted: false,
		lastStart: { revision: 0, at: 0 },
		owner: null,
		settings: null,
		looks: null,
		unread: [],
		askedAt: new Map(),
		lookedAt: new Map(),
		tickedAt: 0,
		known: null,
		tickError: null,
		troubledPolls: 0,
		sincePoll: emptyTally(),
	};
	ofWorkflow.set(nodeId, fresh);
	return fresh;
}

/** Ticks come once a second; without one for so long, another process has become the one that runs triggers. */
const TICKS_MISSED_MS = 5_000;

/** The watch of a registration that is at work in this process, with what its last poll read of the fields; null otherwise. */
export function watchAtWork(context: TriggerContext, now: number): WatchAtWork | null {
	const live = watches.get(workflowIdOf(context))?.get(context.getNode().id);
	if (live === undefined || live.owner === null || live.settings === null || now - live.tickedAt > TICKS_MISSED_MS) return null;
	return { live, owner: live.owner, settings: live.settings };
}

export interface WatchAtWork {
	live: LiveWatch;
	owner: IPollFunctions;
	settings: TriggerSettings;
}

/** The live watches of all our triggers of the workflow, this one among them, as far as memory is the newest there is. */
export function siblingsOf(context: TriggerContext): NodeWatch[] {
	return [...watchesOf(workflowIdOf(context))].flatMap(([nodeId, { state, isCommitted }]) => (isCommitted ? [] : [{ nodeId, state }]));
}

/** The open orders: hash key to source hash; those that nobody has asked for for the longest time first. */
export function openHashes(live: LiveWatch, { rules }: TriggerSettings): Map<string, string> {
	const keys = openOrders(live.state, rules).sort((a, b) => (live.askedAt.get(a) ?? 0) - (live.askedAt.get(b) ?? 0));
	return new Map(keys.map((key) => [key, live.state.orders.get(key)?.sourceHash ?? key]));
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
