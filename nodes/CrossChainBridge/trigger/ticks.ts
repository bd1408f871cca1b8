import type { IPollFunctions } from 'n8n-workflow';

import { tryToTakeIn, type Watch } from './news';

/**
 * What drives the looks between the polls of n8n's default engine: ticks of n8n's own scheduler. They stop by themselves
 * when the workflow is unpublished, so what a look has shown is taken in by a tick alone: nothing is marked as told for a
 * workflow that is no longer published.
 */

const EVERY_SECOND = '* * * * * *';

/** Registrations that this code drives. */
const ticking = new WeakSet<IPollFunctions>();

/** What the schedule of a registration calls once a second. */
interface Schedule {
	onTick: () => void;
}

/**
 * Where a registration's schedule is found: at n8n's context object, under a name that all versions of this code share. When
 * the package is updated, n8n loads the new code and lets the registration be, so the new code goes on with the schedule of
 * the old one; n8n refuses the same schedule twice.
 */
const SCHEDULE = Symbol.for('n8n-nodes-cross-chain-bridge.schedule');

function scheduleOf(context: IPollFunctions): Schedule | null {
	return (Reflect.get(context, SCHEDULE) as Schedule | undefined) ?? null;
}

export function isTicking(context: IPollFunctions): boolean {
	return ticking.has(context);
}

/** Whether another version of this code has driven this registration until now. */
export function isTakenFromOtherCode(context: IPollFunctions): boolean {
	return !ticking.has(context) && scheduleOf(context) !== null;
}

/** Ends what another version of this code does between polls: from here on it tells nothing more. */
export function stopOtherCode(context: IPollFunctions): void {
	const schedule = scheduleOf(context);
	if (schedule !== null) schedule.onTick = () => undefined;
}

/** Lets n8n's scheduler call once a second, for as long as this registration lives. */
export function startTicks(watch: Watch): void {
	const { context } = watch;
	if (ticking.has(context) || typeof context.helpers.registerCron !== 'function') return;
	ticking.add(context);
	watch.live.tickedAt = Date.now();
	const known = scheduleOf(context);
	const schedule: Schedule = known ?? { onTick: () => undefined };
	schedule.onTick = () => tick(watch);
	if (known !== null) return;
	Reflect.set(context, SCHEDULE, schedule);
	context.helpers.registerCron({ expression: EVERY_SECOND }, () => schedule.onTick());
}

/** One tick: takes in what the looks have shown, and keeps them going. Never throws, since n8n's scheduler catches nothing. */
function tick(watch: Watch): void {
	const { context, live } = watch;
	if (live.owner !== context || live.settings === null) return;
	live.tickedAt = Date.now();
	// Without a pause: n8n turns the state into text after this loop, so that writes which overtake each other are the same.
	for (let read = live.unread.shift(); read !== undefined; read = live.unread.shift()) {
		tryToTakeIn(watch, live.settings, read.key, read.look);
	}
	void live.looks?.lookUntilNextTick();
}
