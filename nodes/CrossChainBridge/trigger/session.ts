import type { IPollFunctions } from 'n8n-workflow';

import type { Networks } from '../service/configCache';
import type { BridgeService } from '../service/service';
import type { Checker } from '../checks/checker';
import type { InboxCall } from '../state/inbox';
import { EMPTY_STATE, openOrders, type WatchState } from '../state/state';
import type { Engine } from './engine';
import { MAX_COMMIT_WAIT_MS } from './commitQueue';
import { type Health, HEALTHY } from './health';
import type { TriggerContext } from './pollTimes';
import type { TriggerSettings } from './settings';

/** What this process knows of one trigger, whichever registration polls. */
export interface Session {
	readonly watch: Watch;
	readonly commits: Commits;
	/** That of the registration in charge, which may emit; null before the first poll. */
	engine: Engine | null;
	/** The registration that is being published; nobody emits meanwhile. */
	candidate: IPollFunctions | null;
	/** The registrations with a poll under way. */
	readonly polls: Set<IPollFunctions>;
	health: Health;
	/** The last poll or tick, in milliseconds since 1970. */
	aliveAt: number;
}

/** What is known of the orders; newer than what n8n has saved. */
export interface Watch {
	state: WatchState;
	settings: TriggerSettings | null;
	checker: Checker | null;
	/** The networks that items name, and the account that they are of. */
	names: { account: BridgeService['budget']; networks: Networks } | null;
	/** An error that nothing could catch; the next poll shows it. */
	uncaught: Error | null;
}

/** What waits for a commit, in the durable engine. */
interface Commits {
	/** Calls accepted by this process that the committed state may not have taken. */
	accepted: InboxCall[];
	/** Resolves when the last of those calls was answered. */
	lastAnswered: Promise<void>;
	/** What the committed state had taken when it was last loaded. */
	takenAtLoad: WatchState['taken'];
	/** The revision that went with the last start, and when, in milliseconds since 1970. */
	lastEmit: { revision: number; at: number };
	/** The `polledUntil` of this process's last poll that is over; 0 before. */
	ownPolledUntil: number;
	/** How long the next start waits for the one before it, in milliseconds. */
	readonly wait: { ms: number };
}

/** By workflow, then by node: triggers of one workflow share its saved data. */
const sessions = new Map<string, Map<string, Session>>();

/** By registration, also those dropped while the computer slept. */
const ofRegistrations = new WeakMap<TriggerContext, Session>();

/** Without tick or poll for this long, in milliseconds, a workflow is probably not published here. */
const ABANDONED_MS = 70 * 60_000;

export function knownSession(context: TriggerContext): Session | null {
	return sessionsOfWorkflow(context).get(context.getNode().id) ?? null;
}

/** The trigger's session; a fresh one where this process knows of none. */
export function sessionOf(context: TriggerContext): Session {
	const session = knownSession(context) ?? ofRegistrations.get(context) ?? freshSession();
	if (!ofRegistrations.has(context)) ofRegistrations.set(context, session);
	session.aliveAt = Date.now();
	const workflowId = workflowIdOf(context);
	const ofWorkflow = sessions.get(workflowId) ?? new Map<string, Session>();
	sessions.set(workflowId, ofWorkflow);
	ofWorkflow.set(context.getNode().id, session);
	return session;
}

/** Leaves nothing of a trigger whose first publishing was refused. */
export function forgetSession(context: TriggerContext): void {
	const ofWorkflow = sessions.get(workflowIdOf(context));
	const nodeId = context.getNode().id;
	ofWorkflow?.get(nodeId)?.watch.checker?.stop();
	ofWorkflow?.delete(nodeId);
	ofRegistrations.delete(context);
}

/** Sets the state, and puts it where n8n saves it if it has a new revision. */
export function changeState(session: Session, state: WatchState): void {
	const isWorthSaving = state.revision !== session.watch.state.revision;
	session.watch.state = state;
	if (isWorthSaving) session.engine?.keep();
}

/** The error that no poll has shown yet; this forgets it. */
export function takeUncaught(watch: Watch): Error | null {
	const { uncaught } = watch;
	watch.uncaught = null;
	return uncaught;
}

/** Has the checker check just the orders that are open under the present settings. */
export function setOpenOrders({ engine, watch: { checker, state, settings } }: Session): void {
	if (settings === null) return;
	const open = openOrders(state, settings.rules);
	for (const key of engine?.seenFinal ?? []) open.delete(key);
	checker?.setOrders(open);
}

/** Of all triggers of the workflow, by node ID. */
export function sessionsOfWorkflow(context: TriggerContext): ReadonlyMap<string, Session> {
	return sessions.get(workflowIdOf(context)) ?? new Map<string, Session>();
}

/** Drops those that were silent for long, since n8n does not say when a workflow is unpublished. */
function freshSession(): Session {
	const now = Date.now();
	for (const [workflowId, ofWorkflow] of sessions) {
		const all = [...ofWorkflow.values()];
		if (all.every(({ aliveAt }) => now - aliveAt >= ABANDONED_MS)) sessions.delete(workflowId);
	}
	return {
		watch: { state: EMPTY_STATE, settings: null, checker: null, names: null, uncaught: null },
		commits: {
			accepted: [],
			lastAnswered: Promise.resolve(),
			takenAtLoad: new Map(),
			lastEmit: { revision: 0, at: 0 },
			ownPolledUntil: 0,
			wait: { ms: MAX_COMMIT_WAIT_MS },
		},
		engine: null,
		candidate: null,
		polls: new Set(),
		health: HEALTHY,
		aliveAt: now,
	};
}

function workflowIdOf(context: TriggerContext): string {
	return String(context.getWorkflow().id ?? '');
}
