import type { Clock } from '../budget/requestBudget';
import type { OrderWatcher } from './watcher';

const TICK_MS = 1_000;
/** Checks begin this long before the next tick: so their answers are there by then, and fresh. */
const LEAD_MS = 150;
/** An answer to what is sent later than this before the tick may miss it. */
const LAST_MS = 60;

/** Called at each tick, begins the checks whose answers the next tick, a second later, is to apply. */
export async function checkBeforeNextTick(watcher: OrderWatcher, clock: Clock): Promise<void> {
	const nextTick = clock.now() + TICK_MS;
	await clock.sleep(TICK_MS - LEAD_MS);
	await watcher.run(Math.max(nextTick - LAST_MS, clock.now() + LAST_MS));
}
