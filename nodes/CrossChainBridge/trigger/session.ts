import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Networks } from '../service/configCache';
import type { BridgeService } from '../service/service';
import type { Checker } from '../checks/checker';
import type { CheckOutcome } from '../checks/outcome';
import type { InboxCall } from '../state/inbox';
import { ordersToCheck } from '../state/openOrders';
import type { PostedOrder } from '../state/postedOrders';
import { EMPTY_STATE, type WatchState } from '../state/state';
import { type Health, HEALTHY } from './health';
import type { PollOccasion, TriggerContext } from './pollTimes';
import type { TriggerSettings } from './settings';

/**
 * What this n8n process knows of one trigger, for as long as it runs there: one object per workflow and node, whichever
 * registration polls.
 */
export interface Session {
	readonly registration: Registration;
	readonly watch: Watch;
	readonly commits: Commits;
	/** How n8n runs the registration in charge; null before the first poll. */
	engine: Engine | null;
}

/** The registration in charge; registration.ts decides which one that is. */
export interface Registration {
	/** n8n's context of the registration that may emit; an older one finds itself replaced. Null before the first poll. */
	context: IPollFunctions | null;
	/** A registration that is being published, until it is known whether it may be. Nobody emits meanwhile. */
	candidate: IPollFunctions | null;
	/** Polls under way. */
	readonly polls: Set<IPollFunctions>;
	/** When it last polled or ticked, in milliseconds since 1970: the sign that this process runs the trigger. */
	aliveAt: number;
	/** Consecutive failed polls, by kind. */
	health: Health;
}

/** What is known of the orders, newer than anything saved, since n8n saves with an emission only; watch.ts changes it. */
export interface Watch {
	state: WatchState;
	/** The state comes from another process, and no poll of this one has used it yet. */
	isInherited: boolean;
	/** What the last poll read of the node's fields; ticks go by it. */
	settings: TriggerSettings | null;
	/** The status checks; null before the first. */
	checker: Checker | null;
	/** Whether the checker has the credential and the orders of the registration in charge, not those of the one before. */
	isConnected: boolean;
	/** The networks whose names items show, with the account that they are of; null while they are not known. */
	names: { account: BridgeService['budget']; networks: Networks } | null;
	/** What went wrong where nobody could catch it; the next poll shows it. */
	uncaught: Error | null;
}

/** What waits for a commit in n8n's durable engine; only durableEngine.ts uses it. */
export interface Commits {
	/** Calls that the webhook has accepted here, and that the committed state may not have taken yet. */
	inbox: InboxCall[];
	/** When the last of those calls was answered. */
	lastAnswered: Promise<void>;
	/** Up to which call of each process the committed state had taken, when this process last loaded it. */
	committed: Pick<WatchState, 'taken'>;
	/** The state that n8n was last given to commit, or has given to the present poll. */
	handedOver: WatchState;
	/** The newest state with which this process has started the workflow, and when (ms since 1970). */
	lastEmit: { revision: number; at: number };
}

/** What a check has shown, and when the service answered it, in milliseconds since 1970. */
export interface CheckResult {
	key: string;
	outcome: CheckOutcome;
	at: number;
}

/** What a call to the webhook wants to change, and what it is answered. */
export interface Change<Answer> {
	orders: PostedOrder[];
	removes: boolean;
	/** `state`: after the change; null where nothing changes. */
	decide(state: WatchState): { state: WatchState | null; answer: Answer };
	/** The answer where another process is about to save a call. */
	busy: Answer;
	/** The answer where nothing more can be kept. */
	full(state: WatchState): Answer;
}

/** An answer to a call; `isKept`: n8n has to save what it changes before it is given. */
export interface Accepted<Answer> {
	answer: Answer;
	isKept: boolean;
}

/** All that differs between n8n's two poll engines; chosen once for each registration (engines.ts). */
export interface Engine {
	/** When this poll has to be through, in milliseconds of n8nClock; null where nothing bounds it. */
	readonly until: number | null;
	/** Whether what was emitted just before n8n stopped may have to come again. */
	readonly redelivers: boolean;
	/** Whether n8n pauses a trigger for long where an error says by its code that the key is wrong. */
	readonly pausesForErrors: boolean;
	/** Makes its registration the one in charge, with the newest state there is, unless that one may not be. */
	takeOver(): void;
	/** The fields are read and applied, and the poll has waited for nothing since it took over. */
	begin(occasion: PollOccasion): void;
	/** This poll's part of checking, until then (ms of n8nClock). */
	check(
		checker: Checker,
		settings: TriggerSettings,
		until: number,
		isFirst: boolean,
	): Promise<void>;
	/** A check has shown this: it is applied as soon as it may be. */
	receive(result: CheckResult): void;
	/** Runs a step that may start the workflow, as soon as one may. */
	inTurn(step: () => void): void;
	/** Starts the workflow with this item; `undo` is called if n8n drops it later. Throws where n8n does not accept it. */
	start(json: IDataObject, undo: () => void): void;
	/** Puts the state where n8n saves it with the next start. */
	keep(): void;
	/** The end of a poll, whatever has happened in it. */
	finish(): Promise<void>;
	/** Whether this process may accept calls to the webhook. */
	isAtWork(now: number): boolean;
	/** Answers a call to the webhook; what it changes is where n8n saves it before it sends the answer. */
	accept<Answer>(
		context: TriggerContext,
		change: Change<Answer>,
		response: Closable,
	): Promise<Accepted<Answer>>;
	/** The state, if it is saved in the data that all triggers of the workflow share. */
	sharedState(): WatchState | null;
}

/** The response to a call. */
export interface Closable {
	closed: boolean;
	once(event: 'close', done: () => void): unknown;
}

/** By workflow, then by node: triggers of one workflow share its saved data. */
const sessions = new Map<string, Map<string, Session>>();

/** A session without a tick or poll for this time is dropped: its trigger is most likely no longer published here, else it gets another one. */
const ABANDONED_MS = 70 * 60_000;

/** Abandoned sessions are searched for no more often than this. */
const SWEEP_EVERY_MS = 60_000;
let sweptAt = 0;

/** When a tick or poll last came, of whichever trigger; and since when they come without such a silence, as that of a suspended computer. */
let cameAt = 0;
let unbrokenSince = 0;

/** The session of the trigger, if this process knows it. */
export function knownSession(context: TriggerContext): Session | null {
	return sessions.get(workflowIdOf(context))?.get(context.getNode().id) ?? null;
}

/** The session of the trigger; a fresh one if this process knows of none. */
export function sessionOf(context: TriggerContext): Session {
	return keepSession(context, knownSession(context) ?? freshSession());
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
	ofWorkflow?.get(nodeId)?.watch.checker?.stop();
	ofWorkflow?.delete(nodeId);
	if (ofWorkflow?.size === 0) sessions.delete(workflowIdOf(context));
}

/** Has the checker check just the orders that are open under the present settings. */
export function setOpenOrders({ watch: { checker, state, settings } }: Session): void {
	if (settings !== null) checker?.setOrders(ordersToCheck(state, settings.rules));
}

/** The state of one trigger node, by node ID. */
export interface NodeWatch {
	nodeId: string;
	state: WatchState;
}

/** The states of our triggers of the workflow, this one among them, as far as they are saved with it. */
export function siblingsOf(context: TriggerContext): NodeWatch[] {
	const ofWorkflow = sessions.get(workflowIdOf(context)) ?? new Map<string, Session>();
	return [...ofWorkflow].flatMap(([nodeId, { engine }]) => {
		const state = engine?.sharedState() ?? null;
		return state === null ? [] : [{ nodeId, state }];
	});
}

function freshSession(): Session {
	return {
		registration: {
			context: null,
			candidate: null,
			polls: new Set(),
			aliveAt: Date.now(),
			health: HEALTHY,
		},
		watch: {
			state: EMPTY_STATE,
			isInherited: false,
			settings: null,
			checker: null,
			isConnected: false,
			names: null,
			uncaught: null,
		},
		commits: {
			inbox: [],
			lastAnswered: Promise.resolve(),
			committed: EMPTY_STATE,
			handedOver: EMPTY_STATE,
			lastEmit: { revision: 0, at: 0 },
		},
		engine: null,
	};
}

/**
 * Drops sessions that have been silent for long, since n8n does not say when a workflow is unpublished. One stays
 * while another trigger of its workflow is alive, which saves the newest state of both, and all stay where all were
 * silent.
 */
function sweep(now: number): void {
	if (now - cameAt >= ABANDONED_MS) unbrokenSince = now;
	cameAt = now;
	if (now - sweptAt < SWEEP_EVERY_MS) return;
	sweptAt = now;
	for (const [workflowId, ofWorkflow] of sessions) {
		const silent = [...ofWorkflow.values()].filter(({ registration: { polls, aliveAt } }) => {
			const isSilent = now - Math.max(aliveAt, unbrokenSince) >= ABANDONED_MS;
			return polls.size === 0 && isSilent;
		});
		for (const { watch } of silent) watch.checker?.pause();
		if (silent.length === ofWorkflow.size) sessions.delete(workflowId);
	}
}

function workflowIdOf(context: TriggerContext): string {
	return String(context.getWorkflow().id ?? '');
}
