import { type Clock, onAbort } from './clock';
import type { BackoffSetup } from './backoff';
import { type Asker, type BudgetView, RequestLog, type Settlement } from './requestLog';

/** Permission to send one request; one of its functions must be called, further calls do nothing. */
export interface Permit {
	settle(outcome?: Settlement): void;
	/** For a request that was not sent. */
	release(): void;
}

/** 'interactive': a user waits for it. 'batch': one of many. */
export type Priority = 'interactive' | 'batch';

interface AcquireOptions {
	priority: Priority;
	/** Requests per Minute of the credential. */
	limit: number;
	/** Requests with the same key are served one after the other; the keys take turns. */
	queueKey: string;
	signal?: AbortSignal;
}

interface Waiter extends Asker {
	use: Priority;
	/** Of its priority and queue key. */
	queue: string;
	grant(permit: Permit): void;
}

/** One grant in this many goes to a batch that waits. */
const BATCH_EVERY = 4;

/** Who may send when: first users, then batches, each queue key in its turn. */
export class RequestBudget {
	private readonly log: RequestLog;

	/** None is empty; in the order of their turns. */
	private readonly queues = new Map<string, Set<Waiter>>();

	private grants = 0;

	private wakeAt = Infinity;

	constructor(
		private readonly clock: Clock,
		setup: BackoffSetup = {},
	) {
		this.log = new RequestLog(setup);
	}

	view(limit: number): BudgetView {
		return this.log.view(limit, this.clock.now());
	}

	/** How long the service wants nothing to be sent, in milliseconds. */
	pausedMs(): number {
		return this.log.pausedMs(this.clock.now());
	}

	/** For an interactive request that may be sent at once. */
	tryAcquire(limit: number): Permit | null {
		return this.queues.size === 0 ? this.tryNow({ use: 'interactive', limit }) : null;
	}

	/** For a check that may be sent at once; while others wait, checks get a quarter of the limit. */
	tryCheck(limit: number): Permit | null {
		const now = this.clock.now();
		const isContended = this.queues.size > 0;
		const hasRoom = !isContended || this.log.leftForChecks(limit, now) > 0;
		const permit = hasRoom ? this.tryNow({ use: 'check', limit }) : null;
		if (isContended || permit === null) this.log.keepForChecks(now);
		return permit;
	}

	/** Rejects with the signal's reason as soon as it is aborted. */
	async acquire({ priority, limit, queueKey, signal }: AcquireOptions): Promise<Permit> {
		signal?.throwIfAborted();
		return await new Promise<Permit>((resolve, reject) => {
			const listensNoMore = onAbort(signal, () => {
				this.remove(waiter);
				// It may have kept others waiting.
				this.serve();
				reject(signal?.reason);
			});
			const queue = `${priority} ${queueKey}`;
			const waiter: Waiter = {
				use: priority,
				limit,
				queue,
				grant(permit) {
					listensNoMore();
					resolve(permit);
				},
			};
			this.queues.set(queue, (this.queues.get(queue) ?? new Set()).add(waiter));
			this.serve();
		});
	}

	private remove(waiter: Waiter): void {
		const waiters = this.queues.get(waiter.queue);
		waiters?.delete(waiter);
		if (waiters?.size === 0) this.queues.delete(waiter.queue);
	}

	private tryNow(asker: Asker): Permit | null {
		const now = this.clock.now();
		return this.log.earliest(asker, now) <= now ? this.issue(asker) : null;
	}

	private issue(asker: Asker): Permit {
		const slot = this.log.take(asker, this.clock.now());
		return {
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

	private serve(): void {
		while (this.queues.size > 0) {
			const now = this.clock.now();
			const waiting = [...this.queues.values()]
				.flatMap((waiters) => [...waiters].slice(0, 1))
				.map((first) => ({ first, at: this.log.earliest(first, now) }));
			const ready = waiting.filter(({ at }) => at <= now).map(({ first }) => first);
			const goesFirst = this.grants % BATCH_EVERY === BATCH_EVERY - 1 ? 'batch' : 'interactive';
			const next = ready.find(({ use }) => use === goesFirst) ?? ready[0];
			if (next === undefined) {
				this.wake(Math.min(...waiting.map(({ at }) => at)), now);
				return;
			}
			this.grants++;
			this.remove(next);
			// Its queue becomes the last.
			const left = this.queues.get(next.queue);
			if (left !== undefined) {
				this.queues.delete(next.queue);
				this.queues.set(next.queue, left);
			}
			next.grant(this.issue(next));
		}
	}

	private wake(at: number, now: number): void {
		if (at >= this.wakeAt) return;
		this.wakeAt = at;
		void this.clock.sleep(at - now).then(() => {
			if (this.wakeAt === at) this.wakeAt = Infinity;
			this.serve();
		});
	}
}
