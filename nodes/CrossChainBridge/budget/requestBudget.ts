import { onAbort } from './abortListeners';
import { type Asker, type BudgetView, RequestLog, type Settlement } from './requestLog';

/** The clock that everything that waits works with: milliseconds now, and a pause that need not be abortable. */
export interface Clock {
	now(): number;
	sleep(ms: number): Promise<unknown>;
	/** What a time of the wall clock is on this one; absent where the two are the same. */
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

/** 'interactive': a user waits for it (quote, config, a single status). 'batch': one of many. */
export type Priority = 'interactive' | 'batch';

export interface AcquireOptions {
	priority: Priority;
	/** Requests per Minute of the credential that is asked with. */
	limit: number;
	/** Who asks (a node of a workflow, a batch). */
	queueKey?: string;
	signal?: AbortSignal;
}

interface BudgetSetup {
	/** Uniform in [0, 1): spreads what several processes would do at the same moment. */
	random?: () => number;
	/** When this process began, by the budget's clock: in the first minute after it the budget is paced. */
	begunAt?: number;
	/** Called whenever a permit is given. */
	onUse?: () => void;
}

interface Waiter {
	readonly limit: number;
	grant(permit: Permit): void;
}

/** One grant in this many goes to the queue that would have to wait. */
const OTHER_QUEUE_EVERY = 4;

/**
 * One request budget: who may send when. Interactive requests go before batches, but for every fourth; within a priority, queue
 * keys are served in rotation, so that none shuts out another. Each caller goes by its own limit, within the largest in use.
 */
export class RequestBudget {
	private readonly log: RequestLog;

	private readonly queues: Record<Priority, Map<string, Waiter[]>> = {
		interactive: new Map(),
		batch: new Map(),
	};

	private grants = 0;

	private wakeAt = Number.POSITIVE_INFINITY;

	constructor(
		private readonly clock: Clock,
		private readonly setup: BudgetSetup = {},
	) {
		const { random = Math.random, begunAt = Number.NEGATIVE_INFINITY } = setup;
		this.log = new RequestLog(random, begunAt);
	}

	/** What is free for checks with this limit, now and later. */
	view(limit: number): BudgetView {
		return this.log.view(limit, this.clock.now());
	}

	/** For how long nothing may be sent because the service said so, in milliseconds. */
	pausedMs(): number {
		return this.log.pausedMs(this.clock.now());
	}

	/** Whether no slot is in use, nobody waits, and no 429 is remembered. */
	isIdle(): boolean {
		return !this.isWaitedFor() && this.log.isIdle(this.clock.now());
	}

	/** A permit for an interactive request if one may be sent at once; else null. */
	tryAcquire(limit: number): Permit | null {
		const asker = { use: 'interactive', limit } as const;
		const now = this.clock.now();
		const isFree = !this.isWaitedFor() && this.log.earliest(asker, now) <= now;
		return isFree ? this.issue(asker, now) : null;
	}

	/** A permit for a check if one may be sent at once; else null. While others wait, checks get a quarter of the limit. */
	tryCheck(limit: number): Permit | null {
		const asker = { use: 'check', limit } as const;
		const now = this.clock.now();
		const isContended = this.isWaitedFor();
		const isGranted =
			(!isContended || this.log.leftForChecks(limit, now) > 0) &&
			this.log.earliest(asker, now) <= now;
		if (isContended || !isGranted) this.log.keepForChecks(now);
		return isGranted ? this.issue(asker, now) : null;
	}

	/** Waits for a permit. Rejects with the signal's reason as soon as it is aborted; the place in the queue is then gone. */
	async acquire({ priority, limit, queueKey = '', signal }: AcquireOptions): Promise<Permit> {
		return await new Promise<Permit>((resolve, reject) => {
			if (signal?.aborted === true) {
				reject(signal.reason);
				return;
			}
			const queue = this.queues[priority];
			const listensNoMore = onAbort(signal, () => {
				setWaiters(
					queue,
					queueKey,
					waitersOf(queue, queueKey).filter((each) => each !== waiter),
				);
				// It may have kept others waiting.
				this.serve();
				reject(signal?.reason);
			});
			const waiter: Waiter = {
				limit,
				grant(permit) {
					listensNoMore();
					resolve(permit);
				},
			};
			setWaiters(queue, queueKey, [...waitersOf(queue, queueKey), waiter]);
			this.serve();
		});
	}

	private isWaitedFor(): boolean {
		return this.queues.interactive.size > 0 || this.queues.batch.size > 0;
	}

	private issue(asker: Asker, now: number): Permit {
		const slot = this.log.take(asker, now);
		this.setup.onUse?.();
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
			const isOthersTurn = this.grants % OTHER_QUEUE_EVERY === OTHER_QUEUE_EVERY - 1;
			const uses: readonly Priority[] = isOthersTurn
				? ['batch', 'interactive']
				: ['interactive', 'batch'];
			const waiting = uses.flatMap((use) => this.firstsOf(use, now));
			const next = waiting.find(({ at }) => at <= now);
			if (next === undefined) {
				this.wake(Math.min(...waiting.map(({ at }) => at)), now);
				return;
			}
			this.grants++;
			const queue = this.queues[next.asker.use];
			const [first, ...others] = waitersOf(queue, next.queueKey);
			// Its queue key becomes the last.
			queue.delete(next.queueKey);
			setWaiters(queue, next.queueKey, others);
			first?.grant(this.issue(next.asker, now));
		}
	}

	/** The first waiter of each queue key, and when it may be served; in the order of their turns. */
	private firstsOf(use: Priority, now: number) {
		const times = new Map<number, number>();
		return [...this.queues[use]].map(([queueKey, [first]]) => {
			const asker = { use, limit: first?.limit ?? 1 };
			const at = times.get(asker.limit) ?? this.log.earliest(asker, now);
			times.set(asker.limit, at);
			return { queueKey, asker, at };
		});
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

function waitersOf(queue: ReadonlyMap<string, Waiter[]>, queueKey: string): Waiter[] {
	return queue.get(queueKey) ?? [];
}

function setWaiters(queue: Map<string, Waiter[]>, queueKey: string, waiters: Waiter[]): void {
	if (waiters.length > 0) queue.set(queueKey, waiters);
	else queue.delete(queueKey);
}
