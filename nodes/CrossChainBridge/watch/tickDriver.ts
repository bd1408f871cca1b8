import type { OrderWatcher } from './orderWatcher';
import type { Clock } from './requestBudget';

const TICK_MS = 1000;

/** The checks of a tick begin this long before the next one, and twice the time that an answer takes. */
const LEAST_LEAD_MS = 70;

/** Where many orders were added at once, their first checks take so much longer: one more answer for so many orders. */
const ORDERS_A_BATCH = 20;
const MOST_BATCHES = 5;

/** How long an answer takes, before the first has come. */
const USUAL_ANSWER_MS = 50;

/** With each answer the memory of earlier ones fades: about the last eight count. */
const NEWEST_SHARE = 1 / 8;

/**
 * Drives a watcher by ticks a second apart, where what a check has shown is applied by the next tick alone. So checks are
 * sent shortly before a tick: one sent just after it would be old by the time it counts. One whose answer would miss the
 * tick waits for the next one, too; sent now, it would count no sooner and push the one that is newer then out of its
 * interval. Without a further tick no check is sent.
 */
export class TickDriver {
	private answerMs = USUAL_ANSWER_MS;

	/** How many orders were watched when the last checks began. */
	private sizeBefore = 0;

	constructor(
		private readonly watcher: OrderWatcher,
		private readonly clock: Clock,
	) {}

	/** How long an answer took, or a time-out, in milliseconds. */
	noteAnswer(ms: number): void {
		this.answerMs += NEWEST_SHARE * (ms - this.answerMs);
	}

	/** To be called at each tick; resolves when the checks that it drives have been sent. */
	async tick(): Promise<void> {
		const { answerMs, clock, watcher } = this;
		const leadFor = (batches: number): number => Math.min(TICK_MS, LEAST_LEAD_MS + (2 + batches) * answerMs);
		const longestMs = leadFor(MOST_BATCHES);
		await clock.sleep(TICK_MS - longestMs);
		// Only now: most of what counts is added after the tick.
		const added = Math.max(0, watcher.size - this.sizeBefore);
		this.sizeBefore = watcher.size;
		const leadMs = leadFor(Math.min(MOST_BATCHES, Math.ceil(added / ORDERS_A_BATCH)));
		await clock.sleep(longestMs - leadMs);
		await watcher.run(clock.now() + Math.max(leadMs / 2, leadMs - 1.5 * answerMs), true);
	}
}
