import type { IPollFunctions } from 'n8n-workflow';

import { isDurablePoll, type PollOccasion } from './pollTimes';
import { forgetSession, type Session, sessionOf } from './session';
import { isDrivenByOtherCode, tickingSession } from './ticks';

/** Contexts that have polled: n8n makes one each time it publishes or starts a workflow, and in the durable engine for each poll. */
const seen = new WeakSet<IPollFunctions>();

/** Registrations that a newer one has replaced: n8n may still poll them, also when their session was lost. */
const replaced = new WeakSet<IPollFunctions>();

/** Begins a poll; null where it was replaced, or another of its registration is under way. */
export function enter(
	context: IPollFunctions,
): { session: Session; occasion: PollOccasion } | null {
	const occasion = occasionOf(context);
	const session = tickingSession(context) ?? sessionOf(context);
	const { registration } = session;
	const isReplaced =
		replaced.has(context) ||
		(seen.has(context) && registration.context !== null && registration.context !== context);
	if (isReplaced || registration.polls.has(context)) return null;
	seen.add(context);
	registration.polls.add(context);
	registration.aliveAt = Date.now();
	return { session, occasion };
}

/** Ends a poll, and forgets a session that was never in charge. */
export function leave({ registration, engine }: Session, context: IPollFunctions): void {
	registration.polls.delete(context);
	if (registration.candidate === context) registration.candidate = null;
	// A post may have made the session before the first poll that takes over.
	if (registration.context === null && registration.polls.size === 0 && engine === null)
		forgetSession(context);
}

function occasionOf(context: IPollFunctions): PollOccasion {
	// Also a registration whose session was lost keeps polling.
	if (seen.has(context) || isDurablePoll(context) || isDrivenByOtherCode(context))
		return 'scheduled';
	const mode = context.getActivationMode();
	return mode === 'init' || mode === 'leadershipChange' ? 'startedByN8n' : 'publishedByPerson';
}

/** Puts this registration in charge; the one before never emits again. */
export function putInCharge({ registration, watch }: Session, context: IPollFunctions): void {
	const { context: before } = registration;
	if (before !== null && before !== context) replaced.add(before);
	registration.context = context;
	watch.isConnected = false;
	// What went wrong for another registration is no reason to fail this one.
	watch.uncaught = null;
}

/** Whether this registration may emit. */
export function isInCharge({ registration }: Session, context: IPollFunctions | null): boolean {
	return context !== null && registration.context === context && registration.candidate === null;
}
