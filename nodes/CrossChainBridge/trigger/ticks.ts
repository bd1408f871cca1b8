import type { IPollFunctions } from 'n8n-workflow';

import { tryToApply } from './emit';
import { isInCharge, keepSession, type Session } from './session';

/**
 * What drives the checks between the polls of n8n's usual engine: ticks of n8n's own scheduler. They stop by themselves when the
 * workflow is unpublished, so results are applied by a tick only: nothing is marked as emitted for a workflow that is no longer
 * published.
 */

const EVERY_SECOND = '* * * * * *';

/** Registrations that this code drives, each with its session. */
const ticking = new WeakMap<IPollFunctions, Session>();

/** What the schedule of a registration calls once a second. */
interface Schedule {
	onTick: () => void;
}

/**
 * Where a registration's schedule is found: at n8n's context object, under a name that all versions of this code share. When the
 * package is updated, n8n loads the new code and keeps the registration, so the new code continues with the schedule of the old
 * one; n8n does not accept the same schedule twice.
 */
const SCHEDULE = Symbol.for('n8n-nodes-cross-chain-bridge.schedule');

function scheduleOf(context: IPollFunctions): Schedule | null {
	return (Reflect.get(context, SCHEDULE) as Schedule | undefined) ?? null;
}

export function isTicking(context: IPollFunctions): boolean {
	return ticking.has(context);
}

/** The session of a registration that ticks; after a long suspension it may have been swept. Null if it is not in charge. */
export function tickingSession(context: IPollFunctions): Session | null {
	const session = ticking.get(context);
	return session?.context === context ? keepSession(context, session) : null;
}

/** Whether another version of this code has driven this registration until now. */
export function isDrivenByOtherCode(context: IPollFunctions): boolean {
	return !ticking.has(context) && scheduleOf(context) !== null;
}

/** Stops what another version of this code does between polls: from here on it emits nothing more. */
export function stopOtherCode(context: IPollFunctions): void {
	const schedule = scheduleOf(context);
	if (schedule !== null && !ticking.has(context)) schedule.onTick = () => undefined;
}

/**
 * Lets n8n's scheduler call once a second, for as long as this registration lives. To be called before its poll waits for anything, if
 * possible: n8n never removes what is registered after the workflow was unpublished, and events that it emits are lost.
 */
export function startTicks(session: Session, context: IPollFunctions): void {
	if (ticking.has(context) || typeof context.helpers.registerCron !== 'function') return;
	ticking.set(context, session);
	session.tickedAt = Date.now();
	const known = scheduleOf(context);
	const schedule: Schedule = known ?? { onTick: () => undefined };
	schedule.onTick = () => tick(session, context);
	if (known !== null) return;
	Reflect.set(context, SCHEDULE, schedule);
	context.helpers.registerCron({ expression: EVERY_SECOND }, () => schedule.onTick());
}

/** One tick: applies what the checks have shown, and keeps them going. Never throws, since n8n's scheduler catches nothing. */
function tick(session: Session, context: IPollFunctions): void {
	if (session.context !== context || session.settings === null) return;
	session.tickedAt = Date.now();
	keepSession(context, session);
	if (!isInCharge(session, context)) return;
	// No await in between: n8n turns the state into text after this loop, so that writes which overtake each other are the same.
	for (let next = session.pending.shift(); next !== undefined; next = session.pending.shift())
		tryToApply(session, next);
	if (session.settings.keepChecking && session.isConnected) void session.checker?.tick();
}
