import type { IPollFunctions } from 'n8n-workflow';

import { needsTheUser } from '../service/errors';
import { type BridgeService, connectToService, n8nClock } from '../service/service';
import { within } from '../checks/within';
import { mergedInbox, withInbox } from '../state/inbox';
import { withList } from '../state/listedOrders';
import { openOrders } from '../state/openOrders';
import { renewed, withRedelivery } from '../state/state';
import { checkOrders } from './checkOrders';
import { expireOrders, takeUncaught } from './emit';
import { type DurableTimes, engineOf, type PollOccasion } from './engine';
import {
	afterPoll,
	brokenPoll,
	isShown,
	NOTHING,
	type Polled,
	type Problem,
	settingsProblem,
	visibleError,
} from './health';
import { announcePoll, enter, leave, startTicksInTime, takeOver } from './registration';
import { isInCharge, type Session } from './session';
import { readSettings, type TriggerSettings } from './settings';
import { changeState, readInbox, storeState } from './store';

/** A poll that n8n runs while it publishes or starts waits no longer for checks than this, whatever the service does; */
const FIRST_POLL_MS = 5_000;

/** for the configuration, which decides whether the workflow may be published, no longer than this. */
const JUDGEMENT_MS = 3_500;

/**
 * One poll of a published trigger:
 * - while n8n registers the workflow: whether it may be published, and one check of each open order; from then on, the ticks;
 * - later in the usual engine: the fields and the credential are read again; the checks are the ticks' (without Keep Checking, one
 *   round a poll);
 * - in the durable engine: checks until shortly before the next poll is due, since no tick may work there.
 * Each event starts the workflow at the moment it is seen. Throws only what has to become visible now (health.ts).
 */
export async function poll(context: IPollFunctions): Promise<void> {
	const entered = enter(context);
	if (entered === null) return;
	const { session, occasion, times } = entered;
	try {
		const polled = await pollOnce(session, context, occasion, times)
			.finally(async () => await finishCommits(session, context, times))
			.catch((error: unknown) => brokenPoll(error));
		if (occasion === 'scheduled')
			session.health = afterPoll(session.health, polled.problem?.kind ?? null, polled.answered);
		// n8n saves this copy of the workflow's data after publishing: what another trigger has emitted meanwhile must be in it.
		else if (isInCharge(session, context)) storeState(session);
		showProblem(session, context, occasion, polled.problem);
	} finally {
		leave(session, context);
	}
}

async function pollOnce(
	session: Session,
	context: IPollFunctions,
	occasion: PollOccasion,
	times: DurableTimes | null,
): Promise<Polled> {
	const startedAt = n8nClock.now();
	const isPublishing = occasion === 'publishedByPerson';
	const isFirst = isPublishing || session.context !== context;
	const read = readSettings(context, engineOf(context));
	if (isPublishing && !read.ok) return brokenPoll(read.error);
	let service: BridgeService | null = null;
	if (isPublishing) {
		session.candidate = context;
		service = await connectToService(context);
		const refused = await accountProblem(service, startedAt + JUDGEMENT_MS);
		if (refused !== null) return { problem: refused, answered: true };
		// While this one waited, the workflow may have been published again.
		if (session.candidate !== context) return NOTHING;
		session.candidate = null;
	}
	if (isFirst) takeOver(session, context, times);
	if (!read.ok) return brokenPoll(read.error);
	// It may have been replaced, or was not allowed to take over.
	if (!isInCharge(session, context)) return NOTHING;
	const { settings } = read;
	applySettings(session, context, settings, times);
	startTicksInTime(session, context, { isFirst, occasion });
	if (
		!isPublishing &&
		!settings.acceptsOrders &&
		openOrders(session.state, settings.rules).length === 0
	) {
		session.checker?.setOrders(new Map());
		return { problem: settingsProblem(takeUncaught(session)), answered: false };
	}
	service ??= await connectToService(context);
	if (!isInCharge(session, context)) return NOTHING;
	const until = times?.until ?? (isFirst ? startedAt + FIRST_POLL_MS : Number.POSITIVE_INFINITY);
	return await checkOrders(session, context, service, {
		isFirst,
		until,
		checksUntil: times?.checksUntil ?? null,
	});
}

/** Throws the problem if it has to become visible now. Publishing that was accepted never fails. */
function showProblem(
	session: Session,
	context: IPollFunctions,
	occasion: PollOccasion,
	problem: Problem | null,
): void {
	if (problem === null || !isShown(problem.kind, occasion, session.health)) return;
	if (occasion === 'publishedByPerson' && session.context === context) return;
	throw visibleError(context, problem, session.health[problem.kind], engineOf(context));
}

/**
 * What a durable poll has begun to start is committed before it is over, also where it has nothing to check or finds no
 * credential: n8n drops what comes later.
 */
async function finishCommits(
	session: Session,
	context: IPollFunctions,
	times: DurableTimes | null,
): Promise<void> {
	const { commitQueue } = session;
	if (session.context !== context || commitQueue === null || times === null) return;
	await commitQueue.finish(times.until - n8nClock.now());
	if (session.context !== context) return;
	if (session.isCommitted && Date.now() >= times.overAt) {
		// The process stood still, and the next poll may have saved more: n8n saves nothing where nothing has changed.
		session.state = session.handedOver;
		storeState(session);
		return;
	}
	session.state = { ...session.state, polledUntil: 0 };
	// Whatever n8n has written last until now: with this change it writes the newest state at the end of the poll.
	if (commitQueue.isOrderUncertain)
		session.state = { ...session.state, revision: session.state.revision + 1 };
	storeState(session);
}

function applySettings(
	session: Session,
	context: IPollFunctions,
	settings: TriggerSettings,
	times: DurableTimes | null,
): void {
	const now = Date.now();
	session.settings = settings;
	const state =
		session.isInherited && settings.rules.redelivers
			? withRedelivery(session.state, now)
			: session.state;
	session.isInherited = false;
	const withCalls = withInbox(
		state,
		mergedInbox(readInbox(context), session.inbox),
		settings.rules,
		now,
	);
	changeState(session, renewed(withList(withCalls, settings.listed, now), now));
	if (times !== null && (session.state.orders.size > 0 || settings.acceptsOrders))
		announcePoll(session, context, times);
	expireOrders(session, now);
}

/** Whether key and address lead to the service, by the configuration. What passes by itself never keeps a workflow from being published. */
async function accountProblem(service: BridgeService, until: number): Promise<Problem | null> {
	const permit = service.tryAcquire();
	if (permit === null) return null;
	const answer = await within(n8nClock, until, service.config(undefined, { permit }));
	if (answer === undefined) return null;
	return !answer.ok && needsTheUser(answer.error, 'config')
		? { kind: 'account', cause: answer.error }
		: null;
}
