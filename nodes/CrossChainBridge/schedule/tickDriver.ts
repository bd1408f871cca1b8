import type { OrderWatcher } from './orderWatcher';
import type { Clock } from '../budget/requestBudget';

const TICK_MS = 1000;

/** Ticks come some milliseconds late, one more than another. */
const TICK_MARGIN_MS = 40;

/** Where orders were added, a sample of them is checked before the others: that takes the time of one more answer, and of one for each so many. */
const ORDERS_A_BATCH = 20;
const MOST_BATCHES = 5;

/** How long an answer takes, and by how much that varies, before the first has come. */
const USUAL_ANSWER_MS = 50;
const USUAL_DEVIATION_MS = 12;

/** How TCP estimates when an answer must have come (RFC 6298): what the newest one counts, and so many mean deviations above the mean. */
const NEWEST_SHARE = 1 / 8;
const NEWEST_DEVIATION_SHARE = 1 / 4;
const DEVIATIONS = 4;

/**
 * Drives a watcher by ticks a second apart, where what a check has shown is applied only by the next tick. So checks are
 * sent shortly before a tick: one sent just after it would be old by the time it counts. One whose answer would miss the
 * tick waits for the next one, too; sent now, it would count no sooner and push the one that is newer then out of its
 * interval. Without a further tick no check is sent.
 */
export class TickDriver {
	private answerMs = USUAL_ANSWER_MS;

	private deviationMs = USUAL_DEVIATION_MS;

	/** How many orders were watched when the last checks began. */
	private sizeBefore = 0;

	constructor(
		private readonly watcher: OrderWatcher,
		private readonly clock: Clock,
	) {}

	/** How long an answer took, or a time-out, in milliseconds. One that misses its tick misses it, however late it is. */
	noteAnswer(tookMs: number): void {
		const ms = Math.min(tookMs, TICK_MS);
		this.deviationMs += NEWEST_DEVIATION_SHARE * (Math.abs(ms - this.answerMs) - this.deviationMs);
		this.answerMs += NEWEST_SHARE * (ms - this.answerMs);
	}

	/** To be called at each tick; resolves when the checks that it drives have been sent. */
	async tick(): Promise<void> {
		const { clock, watcher } = this;
		const nextTick = clock.now() + TICK_MS;
		// One batch after another, since orders are added at any moment.
		let batches = MOST_BATCHES;
		await this.sleepUntil(nextTick - this.leadMs(batches));
		while (batches > 0 && watcher.size - this.sizeBefore <= ORDERS_A_BATCH * (batches - 1)) {
			batches--;
			await this.sleepUntil(nextTick - this.leadMs(batches));
		}
		this.sizeBefore = watcher.size;
		// Also in a process that comes late, and where answers take longer than a tick: without a check nobody would learn better.
		await watcher.run(
			Math.max(nextTick - this.answerMs, clock.now() + this.leadMs(batches) / 2),
			true,
		);
	}

	/** Where that has passed, not even for a moment: each sleep may last longer than it should. */
	private async sleepUntil(time: number): Promise<void> {
		const ms = time - this.clock.now();
		if (ms > 0) await this.clock.sleep(ms);
	}

	/** How long before the next tick checks begin, where so many batches of orders were added. */
	private leadMs(batches: number): number {
		const answers = batches === 0 ? 1 : 2 + batches;
		return Math.min(
			TICK_MS,
			TICK_MARGIN_MS + answers * this.answerMs + DEVIATIONS * this.deviationMs,
		);
	}
}
