import type { IPollFunctions } from 'n8n-workflow';

import { needsTheUser } from '../bridge/errors';
import { type BridgeService, connectToService, n8nClock } from '../bridge/service';
import { within } from '../checks/within';
import { mergedInbox, untaken, withInbox } from '../state/inbox';
import { withList } from '../state/listedOrders';
import { openOrders } from '../state/openOrders';
import { newestOf, renewed, type WatchState, withRedelivery } from '../state/state';
import { checkOrders, finishCommits } from './checkOrders';
import { CommitQueue } from './commitQueue';
import { expireOrders } from './emit';
import { engineOf } from './engine';
import { afterPoll, isShown, type PollOccasion } from './health';
import { brokenPoll, NOTHING, type Polled, type Problem, uncaughtProblem, visibleError } from './problem';
import { forgetSession, isInCharge, noteDurablePoll, type Session, sessionOf } from './session';
import { readSettings, type TriggerSettings } from './settings';
import { changeState, isStoredDurably, loadState, readInbox, storeState } from './store';
import { isDrivenByOtherCode, stopOtherCode, tickingSession } from './ticks';
import { type DurableTimes, durableTimes } from './timing';

/** A poll that n8n runs while it publishes or starts waits no longer for checks than this, whatever the service does; */
const FIRST_POLL_MS = 5_000;

/** for the configuration, which decides whether the workflow may be published, no longer than this. */
const REFUSAL_MS = 3_500;

/** Longer than n8n needs to commit an execution, also on a busy machine (11 seconds were seen). */
const LONGEST_COMMIT_MS = 60_000;

/** Registrations that have polled: the usual engine passes one context object to all polls of a registration. */
const seen = new WeakSet<IPollFunctions>();

/** Registrations that a newer one has replaced; n8n may go on polling them, also when their session was lost. */
const replaced = new WeakSet<IPollFunctions>();

/**
 * One poll of a published trigger:
 * - while n8n registers the workflow: whether it may be published, one check of each open order, then the ticks take over;
 * - later in the usual engine: the fields and the credential are read again; the checks are the ticks' (without Keep Checking, one
 *   round a poll);
 * - in the durable engine: checks until shortly before the next poll is due, since no tick may work there.
 * Each event starts the workflow at the moment it is seen. Throws only what has to become visible now (health.ts).
 */
export async function poll(context: IPollFunctions): Promise<void> {
	const session = tickingSession(context) ?? sessionOf(context);
	const isReplaced = replaced.has(context) || (seen.has(context) && session.context !== null && session.context !== context);
	if (isReplaced || session.polls.has(context)) return;
	const occasion = occasionOf(context);
	session.polls.add(context);
	session.polledAt = Date.now();
	try {
		const polled = await pollInTime(session, context, occasion).catch((error: unknown) => brokenPoll(error));
		if (occasion === 'scheduled') session.health = afterPoll(session.health, polled.problem?.kind ?? null, polled.answered);
		// n8n saves this copy of the workflow's data after publishing: what another trigger has emitted meanwhile must be in it.
		else if (isInCharge(session, context)) storeState(session);
		showProblem(session, context, occasion, polled.problem);
	} finally {
		session.polls.delete(context);
		if (session.candidate === context) session.candidate = null;
		if (session.context === null && session.polls.size === 0) forgetSession(context);
	}
}

/** Throws the problem if it has to become visible now. Publishing that was accepted never fails. */
function showProblem(session: Session, context: IPollFunctions, occasion: PollOccasion, problem: Problem | null): void {
	if (problem === null || !isShown(problem.kind, occasion, session.health)) return;
	if (occasion === 'publishedByPerson' && session.context === context) return;
	throw visibleError(context, problem, session.health[problem.kind], session.engine);
}

function occasionOf(context: IPollFunctions): PollOccasion {
	// Also a registration whose session was lost keeps polling.
	if (seen.has(context) || engineOf(context) === 'durable' || isDrivenByOtherCode(context)) return 'scheduled';
	const mode = context.getActivationMode();
	return mode === 'init' || mode === 'leadershipChange' ? 'startedByN8n' : 'publishedByPerson';
}

/** A durable poll commits what it has begun to start before it is over, also where it has nothing to check or finds no credential. */
async function pollInTime(session: Session, context: IPollFunctions, occasion: PollOccasion): Promise<Polled> {
	if (engineOf(context) !== 'durable') return await pollOnce(session, context, occasion, null);
	const times = durableTimes(context);
	try {
		return await pollOnce(session, context, occasion, times);
	} finally {
		await finishCommits(session, context, times.until);
	}
}

async function pollOnce(session: Session, context: IPollFunctions, occasion: PollOccasion, times: DurableTimes | null): Promise<Polled> {
	const startedAt = n8nClock.now();
	const isPublishing = occasion === 'publishedByPerson';
	const isFirst = isPublishing || session.context !== context;
	seen.add(context);
	if (isPublishing) session.candidate = context;
	else if (isFirst && !takeOver(session, context)) return NOTHING;
	const read = readSettings(context, engineOf(context));
	if (!read.ok) return { problem: { kind: 'settings', cause: read.error }, answered: false };
	const { settings } = read;
	let service: BridgeService | null = null;
	if (isPublishing) {
		service = await connectToService(context);
		const refused = await refusal(service, startedAt + REFUSAL_MS);
		if (refused !== null) return { problem: refused, answered: true };
		// While this one waited, the workflow may have been published again.
		if (session.candidate !== context) return NOTHING;
		session.candidate = null;
		if (!takeOver(session, context)) return NOTHING;
	}
	if (!isInCharge(session, context)) return NOTHING;
	applySettings(session, context, settings);
	if (!isPublishing && !settings.acceptsOrders && openOrders(session.state, settings.rules).length === 0) return nothingToCheck(session);
	service ??= await connectToService(context);
	if (!isInCharge(session, context)) return NOTHING;
	const until = times?.until ?? (isFirst ? startedAt + FIRST_POLL_MS : Number.POSITIVE_INFINITY);
	return await checkOrders(session, context, service, { isFirst, until, checksUntil: times?.checksUntil ?? null });
}

/**
 * Makes this registration the one that may emit. False where it must not: a durable poll that was handed less than has been
 * emitted. A new registration starts from the newest state there is; in the durable engine the committed state is the truth.
 */
function takeOver(session: Session, context: IPollFunctions): boolean {
	// No await in between, so everything that another version of this code has emitted is in the stored state.
	stopOtherCode(context);
	const stored = loadState(context);
	const isCommitted = isStoredDurably(context);
	if (isCommitted && isCommitUnderWay(session, stored)) return false;
	session.isCommitted = isCommitted;
	session.engine = engineOf(context);
	if (isCommitted) {
		if (session.engine === 'durable') noteDurablePoll();
		session.committed = stored;
		session.inbox = untaken(session.inbox, stored, Date.now());
	}
	// What another process emitted just before it stopped may have to be emitted again.
	const isOfAnother = session.context === null || stored.revision > session.state.revision;
	session.isInherited = isOfAnother && !isCommitted && !isDrivenByOtherCode(context);
	session.state = isCommitted ? stored : newestOf([session.state, stored]);
	if (session.context !== null && session.context !== context) replaced.add(session.context);
	session.context = context;
	session.commitQueue = session.engine === 'durable' ? new CommitQueue(n8nClock, () => session.context === context && session.checker?.pause()) : null;
	session.pending = [];
	// What went wrong for another registration is no reason to fail this one.
	session.uncaught = null;
	// Each poll of the durable engine has a registration of its own: there the rhythm continues.
	if (session.engine === 'durable') session.checker?.pause();
	else session.checker?.restart();
	session.checker?.takeFindings();
	return true;
}

/**
 * A durable poll may begin while another one still checks (n8n repeats what a killed process had begun), or while its commits wait
 * for the database: the state handed to this poll then lacks events that have been emitted. It emits nothing then. If a commit is
 * still missing after so long, n8n has dropped it, and the event has to be emitted again.
 */
function isCommitUnderWay({ lastEmit }: Session, stored: WatchState): boolean {
	return stored.revision < lastEmit.revision && Date.now() - lastEmit.at < LONGEST_COMMIT_MS;
}

function applySettings(session: Session, context: IPollFunctions, settings: TriggerSettings): void {
	const now = Date.now();
	session.settings = settings;
	const state = session.isInherited && settings.rules.redelivers ? withRedelivery(session.state, now) : session.state;
	session.isInherited = false;
	const withCalls = withInbox(state, mergedInbox(readInbox(context), session.inbox), settings.rules, now);
	changeState(session, renewed(withList(withCalls, settings.listed, now), now));
	expireOrders(session, now);
}

function nothingToCheck(session: Session): Polled {
	session.checker?.setOrders(new Map());
	return { problem: uncaughtProblem(session), answered: false };
}

/** Whether key and address lead to the service, by the configuration. What passes by itself never keeps a workflow from being published. */
async function refusal(service: BridgeService, until: number): Promise<Problem | null> {
	const permit = service.budget.tryAcquire('interactive');
	if (permit === null) return null;
	const answer = await within(n8nClock, until, service.config(undefined, { permit }));
	if (answer === undefined) return null;
	return !answer.ok && needsTheUser(answer.error, 'config') ? { kind: 'account', cause: answer.error } : null;
}

