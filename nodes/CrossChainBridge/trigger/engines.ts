import type { IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { n8nClock } from '../service/service';
import { DurablePoll, DurablePublication } from './durableEngine';
import { keepCall } from './durableInbox';
import type { Engine } from './engine';
import { timesOf } from './pollTimes';
import { knownSession, type Session, sessionOf } from './session';
import { readSettings, type TriggerSettings } from './settings';
import { isStoredDurably } from './store';
import { isDrivenByOtherCode } from './ticks';
import { UsualEngine } from './usualEngine';

/** The engine that runs this poll; a usual one stays with its context. */
export function engineOf(session: Session, context: IPollFunctions): Engine {
	const { engine } = session;
	if (engine instanceof UsualEngine && engine.context === context) return engine;
	const times = timesOf(context, { now: n8nClock.now(), wall: Date.now() });
	if (times !== null) return new DurablePoll(session, context, times);
	// A publication has no budget either; only the usual engine polls a context again, or has ticks.
	const publishesDurably =
		engine?.context !== context && isStoredDurably(context) && !isDrivenByOtherCode(context);
	return publishesDurably
		? new DurablePublication(session, context)
		: new UsualEngine(session, context);
}

interface Accepting {
	session: Session;
	engine: Pick<Engine, 'accept'>;
	settings: TriggerSettings;
}

/** Null where this process does not run the trigger: what it accepted would be lost. */
export function acceptingTrigger(context: IWebhookFunctions): Accepting | null {
	const known = knownSession(context);
	const engine = known?.engine ?? null;
	if (known !== null && engine !== null) {
		const { settings } = known.watch;
		const isReady = settings !== null && engine.isAtWork(Date.now());
		return isReady ? { session: known, engine, settings } : null;
	}
	// The first poll of the durable engine will find what comes before it.
	const read = DurablePoll.hasBegun ? readSettings(context) : null;
	if (read?.ok !== true) return null;
	const session = sessionOf(context);
	const accept: Engine['accept'] = async (call, change) => await keepCall(session, call, change);
	return { session, engine: { accept }, settings: read.settings };
}
