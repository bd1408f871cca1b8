import type { OrderWatcher } from './orderWatcher';
import type { Clock } from './requestBudget';

const TICK_MS = 1000;

/** The looks of a tick begin this long before the next one, and twice the time that an answer takes. */
const LEAST_LEAD_MS = 200;

/** Looks go on for a little longer than to the next tick, which may come late. */
const REACH_MS = 50;

/** With each answer the memory of earlier ones fades: about the last eight count. */
const NEWEST_SHARE = 1 / 8;

/**
 * Drives a watcher by ticks a second apart, where what a look has shown is taken in by the next tick alone. So looks are
 * made shortly before a tick: one that is made just after it would be old by the time it counts. Without a further tick
 * the looks end.
 */
export class TickDriver {
	private answerMs = 0;

	constructor(
		private readonly watcher: OrderWatcher,
		private readonly clock: Clock,
	) {}

	/** How long an answer took, in milliseconds. */
	noteAnswer(ms: number): void {
		this.answerMs += NEWEST_SHARE * (ms - this.answerMs);
	}

	/** To be called at each tick; resolves when the looks that it drives have begun. */
	async tick(): Promise<void> {
		const leadMs = Math.min(TICK_MS, LEAST_LEAD_MS + 2 * this.answerMs);
		await this.clock.sleep(TICK_MS - leadMs);
		await this.watcher.run(this.clock.now() + leadMs + REACH_MS);
	}
}
