import type { IPollFunctions } from 'n8n-workflow';

import type { WatchState } from '../state/state';
import type { Engine } from './engine';
import type { PollOccasion } from './pollTimes';
import { forgetSession, type Session, takeUncaught } from './session';
import { isDrivenByOtherCode } from './ticks';

/** Contexts that have polled: n8n makes one each time it publishes or starts a workflow, and in the durable engine for each poll. */
const seen = new WeakSet<IPollFunctions>();

/** Registrations that a newer one has replaced: n8n may still poll them, also when their session was lost. */
const replaced = new WeakSet<IPollFunctions>();

/** Begins a poll, and says why n8n runs it; null where its registration was replaced, or has a poll under way. */
export function enter(session: Session, engine: Engine): PollOccasion | null {
	const { context } = engine;
	const { polls } = session.registration;
	const inCharge = session.engine?.context ?? context;
	const isReplaced = replaced.has(context) || (seen.has(context) && inCharge !== context);
	if (isReplaced || polls.has(context)) return null;
	const occasion = occasionOf(engine);
	seen.add(context);
	polls.add(context);
	return occasion;
}

/** Ends a poll, and forgets a session that was never in charge. */
export function leave(session: Session, context: IPollFunctions): void {
	const { polls } = session.registration;
	polls.delete(context);
	endPublishing(session, context);
	// A call may have been accepted before the first poll that takes over.
	const isUnused = session.engine === null && session.commits.accepted.length === 0;
	if (isUnused && polls.size === 0) forgetSession(context);
}

function occasionOf({ context, until }: Engine): PollOccasion {
	// Also a registration whose session was lost keeps polling.
	if (seen.has(context) || until !== null || isDrivenByOtherCode(context)) return 'scheduled';
	const mode = context.getActivationMode();
	return mode === 'init' || mode === 'leadershipChange' ? 'startedByN8n' : 'publishedByPerson';
}

/** False where the workflow was published again meanwhile. */
export function endPublishing({ registration }: Session, context: IPollFunctions): boolean {
	if (registration.candidate !== context) return false;
	registration.candidate = null;
	return true;
}

/** Puts the engine's registration in charge, with this state; the one before never emits again. */
export function putInCharge(session: Session, engine: Engine, state: WatchState): void {
	const before = session.engine?.context ?? engine.context;
	if (before !== engine.context) replaced.add(before);
	session.engine = engine;
	session.watch.state = state;
	// What went wrong for another registration is no reason to fail this one.
	takeUncaught(session.watch);
	session.watch.checker?.takeFindings();
}

/** Whether the engine's registration may emit. */
export function isInCharge(session: Session, engine: Engine): boolean {
	return session.engine === engine && session.registration.candidate === null;
}
