import type { IPollFunctions } from 'n8n-workflow';

import { keepSession, type Session } from './session';

const EVERY_SECOND = '* * * * * *';

/** Registrations that this code drives between polls, each with its session. */
const ticking = new WeakMap<IPollFunctions, Session>();

/** What the schedule of a registration calls once a second. */
interface Schedule {
	onTick: () => void;
}

/** Name of the schedule at n8n's context, the same in all versions of this code: n8n accepts no second one after an update. */
const SCHEDULE = Symbol.for('n8n-nodes-cross-chain-bridge.schedule');

function scheduleOf(context: IPollFunctions): Schedule | null {
	return (Reflect.get(context, SCHEDULE) as Schedule | undefined) ?? null;
}

export function isTicking(context: IPollFunctions): boolean {
	return ticking.has(context);
}

/** The session of a registration that ticks, though it may have been swept; null if the registration is not in charge. */
export function tickingSession(context: IPollFunctions): Session | null {
	const session = ticking.get(context);
	return session?.registration.context === context ? keepSession(context, session) : null;
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
 * Lets n8n's scheduler call once a second while this registration lives; false where it does already, or never will. A
 * schedule that is registered after the workflow was unpublished would stay, and lose what it emits.
 */
export function startTicks(session: Session, context: IPollFunctions, onTick: () => void): boolean {
	if (ticking.has(context) || typeof context.helpers.registerCron !== 'function') return false;
	ticking.set(context, session);
	const known = scheduleOf(context);
	const schedule: Schedule = known ?? { onTick };
	schedule.onTick = () => {
		if (session.registration.context === context) keepSession(context, session);
		onTick();
	};
	if (known !== null) return true;
	Reflect.set(context, SCHEDULE, schedule);
	context.helpers.registerCron({ expression: EVERY_SECOND }, () => schedule.onTick());
	return true;
}
