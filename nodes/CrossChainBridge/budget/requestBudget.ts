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
	/** Those with one key wait for each other only. */
	queueKey: string;
	signal?: AbortSignal;
}

interface Waiter {
	readonly limit: number;
	grant(permit: Permit): void;
}

/** One grant in this many goes to a batch that waits. */
const BATCH_EVERY = 4;

/** Who may send when: first users, then batches, each queue key in its turn. */
export class RequestBudget {
	private readonly log: RequestLog;

	/** By queue key, in the order of their turns. */
	private readonly queues: Record<Priority, Map<string, Set<Waiter>>> = {
		interactive: new Map(),
		batch: new Map(),
	};

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
		const asker: Asker = { use: 'interactive', limit };
		return !this.isWaitedFor() && this.mayGoNow(asker) ? this.issue(asker) : null;
	}

	/** For a check that may be sent at once; while others wait, checks get a quarter of the limit. */
	tryCheck(limit: number): Permit | null {
		const asker: Asker = { use: 'check', limit };
		const now = this.clock.now();
		const isContended = this.isWaitedFor();
		const hasRoom = !isContended || this.log.leftForChecks(limit, now) > 0;
		const isGranted = hasRoom && this.mayGoNow(asker);
		if (isContended || !isGranted) this.log.keepForChecks(now);
		return isGranted ? this.issue(asker) : null;
	}

	/** Rejects with the signal's reason as soon as it is aborted. */
	async acquire({ priority, limit, queueKey, signal }: AcquireOptions): Promise<Permit> {
		signal?.throwIfAborted();
		return await new Promise<Permit>((resolve, reject) => {
			const queue = this.queues[priority];
			const waiters = queue.get(queueKey) ?? new Set();
			const listensNoMore = onAbort(signal, () => {
				waiters.delete(waiter);
				if (waiters.size === 0) queue.delete(queueKey);
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
			queue.set(queueKey, waiters.add(waiter));
			this.serve();
		});
	}

	private isWaitedFor(): boolean {
		return this.queues.interactive.size > 0 || this.queues.batch.size > 0;
	}

	private mayGoNow(asker: Asker): boolean {
		const now = this.clock.now();
		return this.log.earliest(asker, now) <= now;
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
		while (this.isWaitedFor()) {
			const now = this.clock.now();
			const waiting = [...this.firstsOf('interactive', now), ...this.firstsOf('batch', now)];
			const ready = waiting.filter(({ at }) => at <= now);
			const isForBatch = this.grants % BATCH_EVERY === BATCH_EVERY - 1;
			const next = (isForBatch && ready.find(({ asker }) => asker.use === 'batch')) || ready[0];
			if (next === undefined) {
				this.wake(Math.min(...waiting.map(({ at }) => at)), now);
				return;
			}
			this.grants++;
			const { asker, queueKey, waiters, first } = next;
			const queue = this.queues[asker.use];
			waiters.delete(first);
			// Its queue key becomes the last.
			queue.delete(queueKey);
			if (waiters.size > 0) queue.set(queueKey, waiters);
			first.grant(this.issue(asker));
		}
	}

	/** The first waiter of each queue key, and when it may go. */
	private firstsOf(use: Priority, now: number) {
		return [...this.queues[use]].flatMap(([queueKey, waiters]) =>
			[...waiters].slice(0, 1).map((first) => {
				const asker = { use, limit: first.limit };
				return { queueKey, waiters, first, asker, at: this.log.earliest(asker, now) };
			}),
		);
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
