import type { Checker } from '../checks/checker';
import { orderKey } from '../orders/sourceHash';
import type { Networks } from '../service/configCache';
import type { BridgeService } from '../service/service';
import { type Health, HEALTHY } from '../trigger/health';
import type { TriggerSettings } from '../trigger/settings';
import { EMPTY_STATE, openOrders, type WatchState } from '../watch/state';
import { MAX_COMMIT_WAIT_MS } from './commits';
import type { TriggerContext } from './internals';
import type { Runner } from './runner';

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
	/** The newest runner; null before the first one. It alone may emit. */
	runner: Runner | null;
	/** What the polls of the durable engine leave for each other in this process. */
	readonly durable: DurableMemory;
	/** The last poll or tick, in milliseconds since 1970. */
	aliveAt: number;
}

interface DurableMemory {
	/** The revision that went with the last start, and when that was, in milliseconds since 1970. */
	lastStart: { revision: number; at: number };
	/** The lease of the last poll of this process that is over: it claims nothing any more. */
	ownLease: number;
	/** How long the next start waits for the commit of the one before it, in milliseconds. */
	commitWaitMs: number;
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

/** The error that no poll has shown yet; it is forgotten by this. */
export function takeUnreported(session: Session): Error | null {
	const { unreportedError } = session;
	session.unreportedError = null;
	return unreportedError;
}

/** Has the checker check just the orders that are open now. */
export function setOpenOrders({ checker, state }: Session): void {
	const open = [...openOrders(state).values()].flatMap(
		({ sourceHash, others, posted, status, since, startedAt: stated }) => {
			const startedAt = stated ?? undefined;
			// Until the bridge has shown the order, its latest post is the best guess of its beginning.
			const postedAt = posted === null ? undefined : status === null ? posted.at : since;
			return [
				{ sourceHash, postedAt, startedAt },
				...others.map((other) => ({
					sourceHash: other.sourceHash,
					postedAt: other.since,
					startedAt: other.startedAt ?? undefined,
				})),
			];
		},
	);
	checker?.setOrders(new Map(open.map((order) => [orderKey(order.sourceHash), order])));
}
