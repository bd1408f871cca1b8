import type { IPollFunctions } from 'n8n-workflow';

import type { Networks } from '../service/configCache';
import type { BridgeService } from '../service/service';
import type { Checker } from '../checks/checker';
import type { CheckOutcome } from '../checks/outcome';
import type { InboxCall } from '../state/inbox';
import { ordersToCheck } from '../state/openOrders';
import { EMPTY_STATE, type WatchState } from '../state/state';
import type { CommitQueue } from './commitQueue';
import type { PollEngine, TriggerContext } from './engine';
import { type Health, HEALTHY } from './health';
import type { TriggerSettings } from './settings';

/** What a check has shown, and when the service answered it, in milliseconds since 1970. */
export interface CheckResult {
	key: string;
	outcome: CheckOutcome;
	at: number;
}

/**
 * What this n8n process knows of one trigger, for as long as it runs there: one object per workflow and node, whichever
 * registration polls. It is newer than anything saved, since n8n saves with an emission only.
 */
export interface Session {
	state: WatchState;
	/** n8n's context of the registration that may emit; an older one finds itself replaced. Null before the first poll. */
	context: IPollFunctions | null;
	/** A registration that is being published, until it is known whether it may be. Nobody emits meanwhile. */
	candidate: IPollFunctions | null;
	engine: PollEngine;
	/** What the last poll read of the node's fields; ticks go by it. */
	settings: TriggerSettings | null;
	/** The status checks; null before the first. */
	checker: Checker | null;
	/** Whether the checker has the credential and the orders of the registration in charge, not those of the one before. */
	isConnected: boolean;
	/** Results that no tick has applied yet. */
	pending: CheckResult[];
	/** The networks whose names items show, with the account that they are of; null while they are not known. */
	names: { account: BridgeService['budget']; networks: Networks } | null;
	/** Consecutive failed polls, by kind. */
	health: Health;
	/** What went wrong where nobody could catch it; the next poll shows it. */
	uncaught: Error | null;
	/** When its ticks last came, in milliseconds since 1970: the sign that this process runs the trigger. 0 before the first. */
	tickedAt: number;
	/** When it last polled, in milliseconds since 1970. */
	polledAt: number;
	/** Polls under way. */
	polls: Set<IPollFunctions>;
	/** The durable engine: calls that the webhook has accepted here, and that the committed state may not have taken yet. */
	inbox: InboxCall[];
	/** When the last of those calls was answered. */
	lastAnswered: Promise<void>;
	/** What the committed state had taken when this process last loaded it. */
	committed: Pick<WatchState, 'taken'>;
	/** The durable engine: what the present poll emits, one after another. */
	commitQueue: CommitQueue | null;
	/** The durable engine: the state that n8n was last given to commit, or has given to the present poll. */
	handedOver: WatchState;
	/** n8n commits the state together with what is emitted, and may drop both: what is only in memory is not kept elsewhere. */
	isCommitted: boolean;
	/** The state comes from another process, and no poll of this one has used it yet. */
	isInherited: boolean;
	/** The newest state with which this process has started the workflow, and when (ms since 1970). */
	lastEmit: { revision: number; at: number };
}

/** By workflow, then by node: triggers of one workflow share its saved data. */
const sessions = new Map<string, Map<string, Session>>();

/** A session without a tick or poll for so long is dropped: its trigger is most likely no longer published here, else it gets another one. */
const ABANDONED_MS: Record<PollEngine, number> = { usual: 10 * 60_000, durable: 70 * 60_000 };

/** Abandoned sessions are searched for no more often than this. */
const SWEEP_EVERY_MS = 60_000;
let sweptAt = 0;

/** When a tick or poll last came, of whichever trigger; and since when they come without such a silence, as that of a suspended computer. */
let cameAt = 0;
const unbrokenSince: Record<PollEngine, number> = { usual: 0, durable: 0 };

/** The session of the trigger; a fresh one if this process knows of none. */
export function sessionOf(context: TriggerContext): Session {
	return keepSession(context, knownSession(context) ?? freshSession());
}

/** The session of the trigger, if this process knows it. */
export function knownSession(context: TriggerContext): Session | null {
	return sessions.get(workflowIdOf(context))?.get(context.getNode().id) ?? null;
}

/** Makes this session the trigger's own; also one that was swept although its registration lives, as after a long suspension. */
export function keepSession(context: TriggerContext, session: Session): Session {
	sweep(Date.now());
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
	const session = ofWorkflow?.get(nodeId);
	session?.checker?.stop();
	ofWorkflow?.delete(nodeId);
	if (ofWorkflow?.size === 0) sessions.delete(workflowIdOf(context));
}

/** A session whose trigger runs in this process, with what its last poll read of the fields. */
export interface SessionAtWork {
	session: Session;
	settings: TriggerSettings;
}

/** Ticks come once a second; without one for so long, another process has become the one that runs triggers. */
const TICKS_MISSED_MS = 5_000;

/**
 * The trigger's session if a registration is at work in this process; null otherwise. A poll of the durable engine may run in any
 * process, and what is accepted here reaches it; but only where n8n keeps its state apart from the workflow's data.
 */
export function sessionAtWork(context: TriggerContext, now: number): SessionAtWork | null {
	const session = knownSession(context);
	if (session === null || session.settings === null) return null;
	const isAtWork =
		session.isCommitted ||
		(session.engine === 'usual' && now - session.tickedAt <= TICKS_MISSED_MS);
	return isAtWork ? { session, settings: session.settings } : null;
}

let hasSeenDurablePolls = false;

/** One engine runs all triggers of a process, so one durable poll says which. */
export function noteDurablePoll(): void {
	hasSeenDurablePolls = true;
}

/** A session for a trigger that no poll of this process has run yet, where n8n's durable engine will; null where that is not known. */
export function sessionToCome(
	context: TriggerContext,
	read: () => TriggerSettings | null,
): SessionAtWork | null {
	if (!hasSeenDurablePolls || knownSession(context) !== null) return null;
	const settings = read();
	if (settings === null) return null;
	const session = sessionOf(context);
	Object.assign(session, {
		engine: 'durable',
		isCommitted: true,
		settings,
	} satisfies Partial<Session>);
	return { session, settings };
}

/** Whether this registration may emit. */
export function isInCharge(session: Session, context: IPollFunctions): boolean {
	return session.context === context && session.candidate === null;
}

/** Has the checker check just the orders that are open under the present settings. */
export function setOpenOrders({ checker, state, settings }: Session): void {
	if (settings !== null) checker?.setOrders(ordersToCheck(state, settings.rules));
}

/** The state of one trigger node, by node ID. */
export interface NodeWatch {
	nodeId: string;
	state: WatchState;
}

/** The states of all our triggers of the workflow, this one among them, as far as memory is the newest there is. */
export function siblingsOf(context: TriggerContext): NodeWatch[] {
	const ofWorkflow = sessions.get(workflowIdOf(context)) ?? new Map<string, Session>();
	return [...ofWorkflow].flatMap(([nodeId, { state, isCommitted }]) =>
		isCommitted ? [] : [{ nodeId, state }],
	);
}

/** How many sessions this process keeps. */
export function countSessions(): number {
	return [...sessions.values()].reduce((count, ofWorkflow) => count + ofWorkflow.size, 0);
}

function freshSession(): Session {
	return {
		state: EMPTY_STATE,
		context: null,
		candidate: null,
		engine: 'usual',
		settings: null,
		checker: null,
		isConnected: false,
		pending: [],
		names: null,
		health: HEALTHY,
		uncaught: null,
		tickedAt: 0,
		polledAt: Date.now(),
		polls: new Set(),
		inbox: [],
		lastAnswered: Promise.resolve(),
		committed: EMPTY_STATE,
		commitQueue: null,
		handedOver: EMPTY_STATE,
		isCommitted: false,
		isInherited: false,
		lastEmit: { revision: 0, at: 0 },
	};
}

/**
 * n8n does not say when a workflow is unpublished: what has been silent for long is dropped. Not while another trigger of the workflow
 * is alive: what that one saves contains all of them, and its own copy of this one may be older. Nor where all were silent.
 */
function sweep(now: number): void {
	for (const engine of ['usual', 'durable'] as const)
		if (now - cameAt >= ABANDONED_MS[engine]) unbrokenSince[engine] = now;
	cameAt = now;
	if (now - sweptAt < SWEEP_EVERY_MS) return;
	sweptAt = now;
	for (const [workflowId, ofWorkflow] of sessions) {
		const silent = [...ofWorkflow.values()].filter((session) => !isAlive(session, now));
		for (const { checker } of silent) checker?.pause();
		if (silent.length === ofWorkflow.size) sessions.delete(workflowId);
	}
}

function isAlive({ polls, tickedAt, polledAt, engine }: Session, now: number): boolean {
	return (
		polls.size > 0 ||
		now - Math.max(tickedAt, polledAt, unbrokenSince[engine]) < ABANDONED_MS[engine]
	);
}

function workflowIdOf(context: TriggerContext): string {
	return String(context.getWorkflow().id ?? '');
}
