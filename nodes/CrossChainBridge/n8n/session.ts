import type { IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Checker } from '../checks/checker';
import type { Networks } from '../service/configCache';
import type { BridgeService } from '../service/service';
import { type Health, HEALTHY } from '../trigger/health';
import type { TriggerSettings } from '../trigger/settings';
import type { CallEvent, Effect } from '../watch/events';
import type { WatchRules } from '../watch/rules';
import { EMPTY_STATE, type WatchState } from '../watch/state';
import { MAX_COMMIT_WAIT_MS } from './commits';
import type { TriggerContext } from './internals';

/** What this process knows of one trigger, whichever runner is in charge. */
export interface Session {
	/** As this process knows it, which may be newer than what n8n has saved. */
	state: WatchState;
	/** The node's fields as the runner in charge read them last; null before the first time. */
	settings: TriggerSettings | null;
	checker: Checker | null;
	/** The networks that items name, and the budget of the account that they are of. */
	names: { budget: BridgeService['budget']; networks: Networks } | null;
	/** An error that nothing could catch; the next poll shows it. */
	unreportedError: Error | null;
	health: Health;
	/** The newest runner; null before the first one. It alone may emit, and only when it is in charge. */
	runner: Runner | null;
	/** What the polls of the durable engine leave for each other in this process. */
	readonly durable: DurableMemory;
	/** The last poll or tick, in milliseconds since 1970. */
	aliveAt: number;
}

interface DurableMemory {
	/** The revision that went with the last start, and when that was, in milliseconds since 1970. */
	lastStart: { revision: number; at: number };
	/** The lease of the last poll of this process, which is over, so that this lease claims nothing any more. */
	ownLease: number;
	/** How long the next start waits for the commit of the one before it, in milliseconds. */
	commitWaitMs: number;
}

/**
 * What runs a trigger in this process. In the usual engine that is one object for each registration of n8n, which lasts from when the trigger is
 * published, or n8n starts, until it is unpublished: all polls of a registration have one context. In the durable engine it is one object for
 * each poll, because each poll has a context of its own.
 *
 * A runner may emit if it is the session's newest one and is in charge. While it is being published, by a person or by n8n as it starts, nobody
 * emits, because n8n saves its copy of the state afterwards. A runner that was replaced never emits again, although some versions of n8n still
 * poll it.
 */
export abstract class Runner {
	/** New: it has not been polled yet. */
	state: 'new' | 'publishing' | 'inCharge' | 'replaced' = 'new';

	/** While it is being published: the one that is in charge again if that fails; null if there is none. */
	before: Runner | null = null;

	constructor(
		readonly session: Session,
		readonly context: IPollFunctions,
	) {}

	/** Whether this process runs the trigger, so that it keeps what it accepts. */
	abstract isAtWork(): boolean;

	/** Applies a call to the webhook; n8n saves what it changes before it answers. */
	abstract accept(call: IWebhookFunctions, event: CallEvent, rules: WatchRules): Promise<Effect[]>;
}

/** By workflow ID, then by node ID, because the triggers of a workflow share its saved data. */
const sessions = new Map<string, Map<string, Session>>();

/** Without a poll or tick for this long a workflow is probably not published in this process. n8n does not say so. */
const ABANDONED_MS = 70 * 60_000;

/** The sessions of all triggers of the workflow, by node ID. */
export function sessionsOfWorkflow(context: TriggerContext): ReadonlyMap<string, Session> {
	return sessions.get(workflowIdOf(context)) ?? new Map<string, Session>();
}

/** The trigger's session; null if this process knows of none. */
export function knownSession(context: TriggerContext): Session | null {
	return sessionsOfWorkflow(context).get(context.getNode().id) ?? null;
}

/** The trigger's session; a fresh one if this process knows of none. */
export function sessionOf(context: TriggerContext): Session {
	return keepSession(context, knownSession(context) ?? freshSession(Date.now()));
}

/** To be called at each poll and tick: the session stays known, also after a computer has slept for long. */
export function keepSession(context: TriggerContext, session: Session): Session {
	session.aliveAt = Date.now();
	const workflowId = workflowIdOf(context);
	const ofWorkflow = sessions.get(workflowId) ?? new Map<string, Session>();
	sessions.set(workflowId, ofWorkflow.set(context.getNode().id, session));
	return session;
}

/** Leaves nothing of a trigger whose first publishing was refused. */
export function forgetSession(context: TriggerContext, session: Session): void {
	session.checker?.stop();
	sessions.get(workflowIdOf(context))?.delete(context.getNode().id);
}

function freshSession(now: number): Session {
	for (const [workflowId, ofWorkflow] of sessions) {
		const all = [...ofWorkflow.values()];
		if (all.every(({ aliveAt }) => now - aliveAt >= ABANDONED_MS)) sessions.delete(workflowId);
	}
	return {
		state: EMPTY_STATE,
		settings: null,
		checker: null,
		names: null,
		unreportedError: null,
		health: HEALTHY,
		runner: null,
		durable: {
			lastStart: { revision: 0, at: 0 },
			ownLease: 0,
			commitWaitMs: MAX_COMMIT_WAIT_MS,
		},
		aliveAt: now,
	};
}

export function workflowIdOf(context: TriggerContext): string {
	return String(context.getWorkflow().id ?? '');
}

/** Whether this runner may start the workflow now. */
export function mayEmit({ runner }: Session, asking: Runner): boolean {
	return runner === asking && asking.state === 'inCharge';
}

/** Makes a runner the newest one, which nobody has put in charge yet. */
export function beginPublishing(session: Session, runner: Runner): void {
	const { runner: newest } = session;
	if (newest === runner) return;
	Object.assign(runner, { state: 'publishing', before: newest });
	if (newest?.state === 'publishing') {
		// A person publishes again, before the first time was over.
		runner.before = newest.before;
		newest.state = 'replaced';
	}
	session.runner = runner;
}

/** If a publishing was refused, the runner before it continues. */
export function endPublishing(session: Session, runner: Runner): void {
	if (runner.state !== 'publishing') return;
	runner.state = 'replaced';
	if (session.runner === runner) session.runner = runner.before;
}

/** Puts the newest runner in charge, with this state. */
export function putInCharge(session: Session, runner: Runner, state: WatchState): void {
	for (const other of [session.runner, runner.before])
		if (other !== null && other !== runner) other.state = 'replaced';
	Object.assign(runner, { state: 'inCharge', before: null });
	session.runner = runner;
	session.state = state;
	// The new runner does not fail for what went wrong in another one.
	session.unreportedError = null;
	session.checker?.takeTally();
}

/** The runner that keeps the state: the newest one, or the one before it while it is being published; null before the first. */
export function keeperOf({ runner }: Session): Runner | null {
	return runner?.state === 'publishing' ? runner.before : runner;
}
