import type { BudgetView, Priority, Settlement } from './slidingWindowLog';
import { SlidingWindowLog } from './slidingWindowLog';
import type { SlotUse } from './slotWindow';

/** The clock that watch/ works with: milliseconds now, and a pause that need not be abortable. */
export interface Clock {
	now(): number;
	sleep(ms: number): Promise<unknown>;
	/** What a time of the wall clock is on this one; where there is none, the two are the same. */
	ofWallTime?(ms: number): number;
}

/** Permission to send one request. One of the two must be called; further calls do nothing. */
export interface Permit {
	/** The budget that it was taken from. */
	readonly budget?: RequestBudget;
	/** The request is over, in whatever way. */
	settle(outcome?: Settlement): void;
	/** The request was not sent after all. */
	release(): void;
}

export interface AcquireOptions {
	priority: Priority;
	/** Who asks (a node of a workflow, a batch): queue keys of one priority are served in rotation, so that none shuts out another. */
	queueKey?: string;
	signal?: AbortSignal;
}

export interface BudgetSetup {
	/** Uniform in [0, 1): spreads what several processes would do at the same moment. */
	random?: () => number;
	/** Called whenever a permit is given. */
	onUse?: () => void;
}

interface Waiter {
	grant(permit: Permit): void;
}

/**
 * One request budget: who may send when. A thin shell around SlidingWindowLog that lets callers wait.
 * 'interactive' goes before 'watch', except for watching's guaranteed share; within a priority, queue keys are served in rotation
 * and each is first come, first served.
 */
export class RequestBudget {
	private readonly log: SlidingWindowLog;

	private readonly queues: Record<Priority, Map<string, Waiter[]>> = {
		interactive: new Map(),
		watch: new Map(),
	};

	private wakeAt = Number.POSITIVE_INFINITY;

	private readonly onUse: () => void;

	constructor(
		requestsPerMinute: number,
		private readonly clock: Clock,
		{ random = Math.random, onUse = () => undefined }: BudgetSetup = {},
	) {
		this.log = new SlidingWindowLog(requestsPerMinute, random);
		this.onUse = onUse;
	}

	/** Another value of the credential's Requests per Minute has come. */
	setLimit(requestsPerMinute: number): void {
		this.log.setLimit(requestsPerMinute);
		this.serve();
	}

	/** What is free for watching, now and later. */
	view(): BudgetView {
		return this.log.view(this.clock.now(), this.isWaitedFor());
	}

	/** For how long nothing may be sent because the service said so, in milliseconds. */
	pausedMs(): number {
		return this.log.pausedMs(this.clock.now());
	}

	/** True when no slot is in use and nothing waits. */
	isIdle(): boolean {
		return !this.isWaitedFor() && this.log.isIdle(this.clock.now());
	}

	/**
	 * A permit if one may be sent at once; else null. While others wait, watching gets what is left of its guaranteed share;
	 * that share is then kept for it until it asks again, up to a minute later.
	 */
	tryAcquire(priority: Priority): Permit | null {
		const now = this.clock.now();
		if (priority === 'interactive') {
			return this.queues.interactive.size > 0 || this.earliest('interactive', now) > now
				? null
				: this.issue('interactive', now);
		}
		const isContended = this.isWaitedFor();
		const isGranted =
			(!isContended || this.log.guaranteeLeft(now) > 0) && this.earliest('unqueued', now) <= now;
		if (isContended || !isGranted) this.log.keepShare('unqueued', now);
		return isGranted ? this.issue('unqueued', now) : null;
	}

	/** Waits for a permit. Rejects with the signal's reason as soon as it is aborted; the place in the queue is then gone. */
	async acquire({ priority, queueKey = '', signal }: AcquireOptions): Promise<Permit> {
		return await new Promise<Permit>((resolve, reject) => {
			if (signal?.aborted === true) {
				reject(signal.reason);
				return;
			}
			const queue = this.queues[priority];
			const onAbort = (): void => {
				removeWaiter(queue, queueKey, waiter);
				// It may have kept others waiting.
				this.serve();
				reject(signal?.reason);
			};
			const waiter: Waiter = {
				grant(permit) {
					signal?.removeEventListener('abort', onAbort);
					resolve(permit);
				},
			};
			signal?.addEventListener('abort', onAbort, { once: true });
			const waiting = queue.get(queueKey);
			if (waiting === undefined) queue.set(queueKey, [waiter]);
			else waiting.push(waiter);
			this.serve();
		});
	}

	private isWaitedFor(): boolean {
		return this.queues.interactive.size > 0 || this.queues.watch.size > 0;
	}

	private earliest(use: SlotUse, now: number): number {
		return this.log.earliest(use, now, this.queues.watch.size > 0);
	}

	private issue(use: SlotUse, now: number): Permit {
		const slot = this.log.take(now, use);
		this.onUse();
		return {
			budget: this,
			settle: (outcome = {}) => {
				this.log.settle(slot, outcome, this.clock.now());
				this.serve();
			},
			release: () => {
				this.log.release(slot, this.clock.now());
				this.serve();
			},
		};
	}

	/** Grants what may be sent now, and schedules itself for the time of the next. */
	private serve(): void {
		while (this.isWaitedFor()) {
			const now = this.clock.now();
			const waiting = (['interactive', 'watch'] as const).filter(
				(priority) => this.queues[priority].size > 0,
			);
			const next = waiting.find((priority) => this.earliest(priority, now) <= now);
			if (next === undefined) {
				this.wake(Math.min(...waiting.map((priority) => this.earliest(priority, now))), now);
				return;
			}
			if (next === 'watch' && waiting.includes('interactive')) this.log.keepShare('watch', now);
			nextInTurn(this.queues[next])?.grant(this.issue(next, now));
		}
	}

	private wake(at: number, now: number): void {
		if (at >= this.wakeAt) return;
		this.wakeAt = at;
		void this.clock.sleep(at - now).then(() => {
			if (this.wakeAt === at) this.wakeAt = Number.POSITIVE_INFINITY;
			this.serve();
		});
	}
}

/** The oldest waiter of the first queue key; that key then becomes the last. */
function nextInTurn(queue: Map<string, Waiter[]>): Waiter | undefined {
	for (const [queueKey, waiting] of queue) {
		queue.delete(queueKey);
		const waiter = waiting.shift();
		if (waiting.length > 0) queue.set(queueKey, waiting);
		if (waiter !== undefined) return waiter;
	}
	return undefined;
}

function removeWaiter(queue: Map<string, Waiter[]>, queueKey: string, waiter: Waiter): void {
	const waiting = queue.get(queueKey);
	const at = waiting?.indexOf(waiter) ?? -1;
	if (waiting === undefined || at < 0) return;
	waiting.splice(at, 1);
	if (waiting.length === 0) queue.delete(queueKey);
}
