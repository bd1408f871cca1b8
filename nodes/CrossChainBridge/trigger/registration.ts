import type { IPollFunctions } from 'n8n-workflow';

import type { WatchState } from '../state/state';
import type { Engine } from './engine';
import type { PollOccasion } from './pollTimes';
import { forgetSession, type Session, takeUncaught } from './session';
import { isDrivenByOtherCode } from './ticks';

/** Contexts that have polled: one for each publication or start, and for each durable poll. */
const seen = new WeakSet<IPollFunctions>();

/** Begins a poll, and says why n8n runs it; null for a registration that was replaced, or has a poll under way. */
export function enter(session: Session, engine: Engine): PollOccasion | null {
	const { context } = engine;
	const { polls } = session;
	const inCharge = session.engine?.context ?? context;
	if (polls.has(context) || (seen.has(context) && inCharge !== context)) return null;
	const occasion = occasionOf(engine);
	seen.add(context);
	polls.add(context);
	return occasion;
}

/** Ends a poll, and forgets a session that was never in charge. */
export function leave(session: Session, context: IPollFunctions): void {
	const { polls } = session;
	polls.delete(context);
	endPublishing(session, context);
	// A call may have been accepted before the first poll that takes over.
	const isUnused = session.engine === null && session.commits.accepted.length === 0;
	if (isUnused && polls.size === 0) forgetSession(context);
}

function occasionOf({ context, until }: Engine): PollOccasion {
	if (seen.has(context) || until !== null || isDrivenByOtherCode(context)) return 'scheduled';
	const mode = context.getActivationMode();
	return mode === 'init' || mode === 'leadershipChange' ? 'startedByN8n' : 'publishedByPerson';
}

/** False where the workflow was published again meanwhile. */
export function endPublishing(session: Session, context: IPollFunctions): boolean {
	if (session.candidate !== context) return false;
	session.candidate = null;
	return true;
}

/** Puts the engine's registration in charge; the one before never emits again. */
export function putInCharge(session: Session, engine: Engine, state: WatchState): void {
	session.engine = engine;
	session.watch.state = state;
	// What went wrong for another registration does not fail this one.
	takeUncaught(session.watch);
	session.watch.checker?.takeFindings();
}

/** Whether the engine's registration may emit. */
export function isInCharge(session: Session, engine: Engine): boolean {
	return session.engine === engine && session.candidate === null;
}
