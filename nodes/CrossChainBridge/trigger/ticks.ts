import type { IPollFunctions } from 'n8n-workflow';

const EVERY_SECOND = '* * * * * *';

/** Registrations that this code drives between polls. */
const ticking = new WeakSet<IPollFunctions>();

interface Schedule {
	onTick: () => void;
}

/** The same in all versions of this code, since n8n accepts no second schedule after an update. */
const SCHEDULE = Symbol.for('n8n-nodes-cross-chain-bridge.schedule');

function scheduleOf(context: IPollFunctions): Schedule | null {
	return (Reflect.get(context, SCHEDULE) as Schedule | undefined) ?? null;
}

/** Whether n8n gives the registration a scheduler. */
export function canTick({ helpers }: IPollFunctions): boolean {
	return typeof helpers.registerCron === 'function';
}

/** Whether this code drives the registration between polls. */
export function isTicking(context: IPollFunctions): boolean {
	return ticking.has(context);
}

/** Whether another version of this code has driven this registration. */
export function isDrivenByOtherCode(context: IPollFunctions): boolean {
	return !ticking.has(context) && scheduleOf(context) !== null;
}

/** Ends what another version of this code does between polls. */
export function stopOtherCode(context: IPollFunctions): void {
	const schedule = scheduleOf(context);
	if (schedule !== null && !ticking.has(context)) schedule.onTick = () => undefined;
}

/** Starts one tick a second; false if this registration ticks already, or cannot. */
export function startTicks(context: IPollFunctions, onTick: () => void): boolean {
	if (ticking.has(context) || !canTick(context)) return false;
	ticking.add(context);
	const known = scheduleOf(context);
	if (known === null) {
		const schedule: Schedule = { onTick };
		Reflect.set(context, SCHEDULE, schedule);
		context.helpers.registerCron({ expression: EVERY_SECOND }, () => schedule.onTick());
	} else known.onTick = onTick;
	return true;
}
