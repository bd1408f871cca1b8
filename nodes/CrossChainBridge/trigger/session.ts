import type { IPollFunctions } from 'n8n-workflow';

import type { Networks } from '../service/configCache';
import type { BridgeService } from '../service/service';
import type { Checker } from '../checks/checker';
import type { InboxCall } from '../state/inbox';
import { openOrders } from '../state/openOrders';
import { EMPTY_STATE, type WatchState } from '../state/state';
import type { Engine } from './engine';
import { MAX_COMMIT_WAIT_MS } from './commitQueue';
import { type Health, HEALTHY } from './health';
import type { TriggerContext } from './pollTimes';
import type { TriggerSettings } from './settings';

/** What this process knows of one trigger, whichever registration polls. */
export interface Session {
	readonly registration: Registrations;
	readonly watch: Watch;
	readonly commits: Commits;
	/** That of the registration in charge, which may emit; null before the first poll. */
	engine: Engine | null;
}

/** The trigger's registrations: n8n makes a context for each. */
interface Registrations {
	/** One that is being published; nobody emits meanwhile. */
	candidate: IPollFunctions | null;
	readonly polls: Set<IPollFunctions>;
	/** The last poll or tick, in milliseconds since 1970. */
	aliveAt: number;
	health: Health;
}

/** What is known of the orders; newer than what is saved, since n8n saves a poll's data only when it emits. */
export interface Watch {
	state: WatchState;
	settings: TriggerSettings | null;
	checker: Checker | null;
	/** The networks that items name, and the account that they are of. */
	names: { account: BridgeService['budget']; networks: Networks } | null;
	/** An error that nothing could catch; the next poll shows it. */
	uncaught: Error | null;
}

/** What waits for a commit; only the durable engine uses it. */
interface Commits {
	/** Calls accepted by this process that the committed state may not have taken. */
	accepted: InboxCall[];
	/** Resolves when the last of those calls was answered. */
	lastAnswered: Promise<void>;
	/** What the committed state had taken when it was last loaded. */
	takenAtLoad: WatchState['taken'];
	/** The state that n8n last got to commit, or gave to the present poll. */
	stateAtN8n: WatchState;
	/** The state that went with the last start, and when, in milliseconds since 1970. */
	lastEmit: { revision: number; at: number };
	/** The `polledUntil` of this process's own last poll, once n8n has reported all of its starts; 0 until then. */
	ownPolledUntil: number;
	/** How long the next start waits for the one before it, in milliseconds. */
	readonly wait: { ms: number };
}

/** By workflow, then by node: triggers of one workflow share its saved data. */
const sessions = new Map<string, Map<string, Session>>();

/** Without tick or poll for this long, in milliseconds, a trigger is most likely not published here any more. */
const ABANDONED_MS = 70 * 60_000;

const SWEEP_EVERY_MS = 60_000;
let sweptAt = 0;

/** The trigger's session in this process; null if there is none. */
export function knownSession(context: TriggerContext): Session | null {
	return sessionsOfWorkflow(context).get(context.getNode().id) ?? null;
}

/** The trigger's session; a fresh one where this process knows of none. */
export function sessionOf(context: TriggerContext): Session {
	const session = knownSession(context) ?? freshSession();
	noteAlive(session);
	const workflowId = workflowIdOf(context);
	const ofWorkflow = sessions.get(workflowId) ?? new Map<string, Session>();
	sessions.set(workflowId, ofWorkflow);
	ofWorkflow.set(context.getNode().id, session);
	return session;
}

/** Notes a poll or tick of this trigger, and drops what was silent for long. */
export function noteAlive({ registration }: Session): void {
	registration.aliveAt = Date.now();
	sweep(registration.aliveAt);
}

/** Leaves nothing of a trigger whose first publishing was refused. */
export function forgetSession(context: TriggerContext): void {
	const ofWorkflow = sessions.get(workflowIdOf(context));
	const nodeId = context.getNode().id;
	ofWorkflow?.get(nodeId)?.watch.checker?.stop();
	ofWorkflow?.delete(nodeId);
	if (ofWorkflow?.size === 0) sessions.delete(workflowIdOf(context));
}

/** Sets a state that something else gives to n8n. */
export function setState({ watch }: Session, state: WatchState): void {
	watch.state = state;
}

/** Sets the state, and puts it where n8n saves it if it has a new revision. */
export function changeState(session: Session, state: WatchState): void {
	const isWorthSaving = state.revision !== session.watch.state.revision;
	setState(session, state);
	if (isWorthSaving) session.engine?.keep();
}

/** Has the checker check just the orders that are open under the present settings. */
export function setOpenOrders({ watch: { checker, state, settings } }: Session): void {
	if (settings !== null) checker?.setOrders(openOrders(state, settings.rules));
}

/** Those of all triggers of the workflow, by node ID. */
export function sessionsOfWorkflow(context: TriggerContext): ReadonlyMap<string, Session> {
	return sessions.get(workflowIdOf(context)) ?? new Map<string, Session>();
}

function freshSession(): Session {
	return {
		registration: {
			candidate: null,
			polls: new Set(),
			aliveAt: 0,
			health: HEALTHY,
		},
		watch: {
			state: EMPTY_STATE,
			settings: null,
			checker: null,
			names: null,
			uncaught: null,
		},
		commits: {
			accepted: [],
			lastAnswered: Promise.resolve(),
			takenAtLoad: new Map(),
			stateAtN8n: EMPTY_STATE,
			lastEmit: { revision: 0, at: 0 },
			ownPolledUntil: 0,
			wait: { ms: MAX_COMMIT_WAIT_MS },
		},
		engine: null,
	};
}

/** Drops the sessions of a workflow that is silent as a whole, since n8n does not say when one is unpublished; while one trigger lives, it saves the states of all. */
function sweep(now: number): void {
	const pauseMs = now - sweptAt;
	if (pauseMs < SWEEP_EVERY_MS) return;
	sweptAt = now;
	// All were silent, as in a suspended computer.
	if (pauseMs >= ABANDONED_MS) return;
	for (const [workflowId, ofWorkflow] of sessions) {
		const aliveAt = [...ofWorkflow.values()].map(({ registration }) => registration.aliveAt);
		if (now - Math.max(...aliveAt) >= ABANDONED_MS) sessions.delete(workflowId);
	}
}

function workflowIdOf(context: TriggerContext): string {
	return String(context.getWorkflow().id ?? '');
}
