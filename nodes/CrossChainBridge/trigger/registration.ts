import type { IPollFunctions } from 'n8n-workflow';

import { n8nClock } from '../service/service';
import { untaken } from '../state/inbox';
import { isBeingPolled, newestOf, type WatchState } from '../state/state';
import { CommitQueue } from './commitQueue';
import { type DurableTimes, engineOf, pollBudgetMs, type PollOccasion, timesOf } from './engine';
import { forgetSession, noteDurablePoll, type Session, sessionOf } from './session';
import { isStoredDurably, loadState, storeState } from './store';
import { isDrivenByOtherCode, startTicks, stopOtherCode, tickingSession } from './ticks';

/**
 * Which registration of a trigger may emit. n8n makes one, a context object of its own, each time it publishes or starts a workflow,
 * and in the durable engine for each poll. It may continue to poll one that a newer one has replaced: that one does nothing.
 */

/** Longer than n8n needs to commit an execution, also on a busy machine (11 seconds were seen). */
const LONGEST_COMMIT_MS = 60_000;

/** Registrations that have polled: the usual engine passes one context object to all polls of a registration. */
const seen = new WeakSet<IPollFunctions>();

/** Registrations that a newer one has replaced; n8n may continue to poll them, also when their session was lost. */
const replaced = new WeakSet<IPollFunctions>();

/** A poll that begins: the trigger's session, why n8n runs it, and in the durable engine by when it has to be through. */
export interface Entered {
	session: Session;
	occasion: PollOccasion;
	times: DurableTimes | null;
}

/** Null where the poll has nothing to do: replaced, or another one of its registration is under way. */
export function enter(context: IPollFunctions): Entered | null {
	const occasion = occasionOf(context);
	const times = timesOf(context, { now: n8nClock.now(), wall: Date.now() });
	const session = tickingSession(context) ?? sessionOf(context);
	const isReplaced =
		replaced.has(context) ||
		(seen.has(context) && session.context !== null && session.context !== context);
	if (isReplaced || session.polls.has(context)) return null;
	seen.add(context);
	session.polls.add(context);
	session.polledAt = Date.now();
	return { session, occasion, times };
}

/** The end of a poll that has entered. */
export function leave(session: Session, context: IPollFunctions): void {
	session.polls.delete(context);
	if (session.candidate === context) session.candidate = null;
	// Where n8n commits the state, a post may have made the session before the first poll that takes over.
	if (session.context === null && session.polls.size === 0 && !session.isCommitted)
		forgetSession(context);
}

function occasionOf(context: IPollFunctions): PollOccasion {
	// Also a registration whose session was lost keeps polling.
	if (seen.has(context) || engineOf(context) === 'durable' || isDrivenByOtherCode(context))
		return 'scheduled';
	const mode = context.getActivationMode();
	return mode === 'init' || mode === 'leadershipChange' ? 'startedByN8n' : 'publishedByPerson';
}

/**
 * Makes this registration the one that may emit; not a durable poll that was handed less than has been emitted, or beside which
 * another one works. A new registration starts from the newest state there is; in the durable engine the committed state is the truth.
 */
export function takeOver(
	session: Session,
	context: IPollFunctions,
	times: DurableTimes | null,
): void {
	// No await in between, so everything that another version of this code has emitted is in the stored state.
	stopOtherCode(context);
	const stored = loadState(context);
	const isCommitted = isStoredDurably(context);
	if (isCommitted && times !== null) noteDurablePoll();
	if (isCommitted && isCommitUnderWay(session, stored)) return;
	// The poll that n8n runs while it publishes is no durable one: n8n has taken the lease of those before it away.
	if (isCommitted && times !== null && isBeingPolled(stored, pollBudgetMs(context), Date.now()))
		return;
	session.isCommitted = isCommitted;
	session.engine = engineOf(context);
	if (isCommitted) {
		session.committed = stored;
		session.inbox = untaken(session.inbox, stored, Date.now());
	}
	// What another process emitted just before it stopped may have to be emitted again.
	const isOfAnother = session.context === null || stored.revision > session.state.revision;
	session.isInherited = isOfAnother && !isCommitted && !isDrivenByOtherCode(context);
	session.handedOver = stored;
	session.state = {
		...(isCommitted ? stored : newestOf([session.state, stored])),
		polledUntil: 0,
	};
	if (session.context !== null && session.context !== context) replaced.add(session.context);
	session.context = context;
	session.commitQueue =
		times === null
			? null
			: new CommitQueue(
					n8nClock,
					() => session.context === context && session.checker?.pause(),
					() => Date.now() < times.overAt,
				);
	session.pending = [];
	session.isConnected = false;
	// What went wrong for another registration is no reason to fail this one.
	session.uncaught = null;
	// Each poll of the durable engine has a registration of its own: there the rhythm continues.
	if (session.engine === 'durable') session.checker?.pause();
	else session.checker?.restart();
	session.checker?.takeFindings();
}

/**
 * Has n8n commit that this poll is at work, before it starts anything: a poll that begins meanwhile, in whichever process, leaves at
 * once. Of two that begin within the time of that commit neither knows of the other.
 */
export function announcePoll(
	session: Session,
	context: IPollFunctions,
	{ overAt }: DurableTimes,
): void {
	const commitCursor: unknown = Reflect.get(context, '__commitCursor');
	if (!session.isCommitted || typeof commitCursor !== 'function') return;
	session.state = { ...session.state, polledUntil: overAt };
	storeState(session);
	session.handedOver = session.state;
	session.commitQueue?.begin(async () => void (await commitCursor.call(context)));
}

/**
 * Starts the ticks before the poll waits for anything. Not yet while a person publishes: a later publication may overtake this one, and
 * n8n refuses a second schedule for the same trigger. Nor in the poll that n8n runs when it publishes with the durable engine.
 */
export function startTicksInTime(
	session: Session,
	context: IPollFunctions,
	{ isFirst, occasion }: { isFirst: boolean; occasion: PollOccasion },
): void {
	if (
		session.engine !== 'usual' ||
		occasion === 'publishedByPerson' ||
		(isFirst && session.isCommitted && !isDrivenByOtherCode(context))
	)
		return;
	startTicks(session, context);
}

/**
 * A durable poll may begin while another one still checks (n8n repeats what a killed process had begun), or while its commits wait
 * for the database: the state handed to this poll then lacks events that have been emitted. It emits nothing then. If a commit is
 * still missing after so long, n8n has dropped it, and the event has to be emitted again.
 */
function isCommitUnderWay({ lastEmit }: Session, stored: WatchState): boolean {
	return stored.revision < lastEmit.revision && Date.now() - lastEmit.at < LONGEST_COMMIT_MS;
}
