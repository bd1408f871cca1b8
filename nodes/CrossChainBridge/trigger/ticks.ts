import type { IPollFunctions } from 'n8n-workflow';

import { takeIn, type Watch } from './news';

/**
 * What drives the looks between the polls of n8n's default engine: ticks of n8n's own scheduler. They stop by themselves
 * when the workflow is unpublished, so what a look has shown is taken in by a tick alone: nothing is marked as told for a
 * workflow that is no longer published.
 */

const EVERY_SECOND = '* * * * * *';

/** Registrations whose ticks run: n8n refuses the same schedule twice. */
const ticking = new WeakSet<IPollFunctions>();

export function isTicking(context: IPollFunctions): boolean {
	return ticking.has(context);
}

/** Lets n8n's scheduler call once a second, for as long as this registration lives. */
export function startTicks(watch: Watch): void {
	const { context } = watch;
	if (ticking.has(context) || typeof context.helpers.registerCron !== 'function') return;
	ticking.add(context);
	context.helpers.registerCron({ expression: EVERY_SECOND }, () => tick(watch));
}

/** One tick: takes in what the looks have shown, and keeps them going. Never throws, since n8n's scheduler catches nothing. */
function tick(watch: Watch): void {
	const { context, live } = watch;
	if (live.owner !== context || live.settings === null) return;
	try {
		for (let read = live.unread.shift(); read !== undefined; read = live.unread.shift()) {
			takeIn(watch, live.settings, read.key, read.look);
		}
	} catch (error) {
		live.tickError = error instanceof Error ? error : new Error(String(error));
	}
	if (live.settings.keepChecking) void live.looks?.lookUntilNextTick();
}
