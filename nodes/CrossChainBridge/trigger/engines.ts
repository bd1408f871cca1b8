import type { IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { DurableEngine, hasDurablePolls } from './durableEngine';
import { isDurablePoll } from './pollTimes';
import { type Engine, knownSession, type Session, sessionOf } from './session';
import { readSettings, type TriggerSettings } from './settings';
import { isStoredDurably } from './store';
import { isDrivenByOtherCode } from './ticks';
import { UsualEngine } from './usualEngine';

/** Which of n8n's two poll engines runs a poll, or will run the polls after a call to the webhook. */

/** The poll that n8n runs when it publishes with the durable engine looks like a usual one, but n8n keeps the node's data apart. */
export function engineOf(session: Session, context: IPollFunctions): Engine {
	const { engine, registration } = session;
	if (engine instanceof UsualEngine && engine.context === context) return engine;
	const publishesDurably =
		registration.context !== context && isStoredDurably(context) && !isDrivenByOtherCode(context);
	return isDurablePoll(context) || publishesDurably
		? new DurableEngine(session, context)
		: new UsualEngine(session, context);
}

/** A trigger that accepts calls in this process, with what its last poll read of the fields. */
interface Accepting {
	session: Session;
	engine: Engine;
	settings: TriggerSettings;
}

/** Null where this process does not run the trigger: what it accepted would be lost. */
export function acceptingTrigger(context: IWebhookFunctions): Accepting | null {
	const known = knownSession(context);
	const engine = known?.engine ?? null;
	const settings = known?.watch.settings ?? null;
	if (known !== null && engine !== null && settings !== null)
		return engine.isAtWork(Date.now()) ? { session: known, engine, settings } : null;
	return known === null && hasDurablePolls() ? beforeFirstPoll(context) : null;
}

/** A call that comes before the first poll: the durable engine's will find it. */
function beforeFirstPoll(context: IWebhookFunctions): Accepting | null {
	const read = readSettings(context);
	if (!read.ok) return null;
	const session = sessionOf(context);
	const engine = new DurableEngine(session, null);
	session.engine = engine;
	session.watch.settings = read.settings;
	return { session, engine, settings: read.settings };
}
