import type { BudgetView, Priority, Settlement } from './requestLedger';
import { RequestLedger } from './requestLedger';

/** The clock that watch/ works with: milliseconds now, and a pause that need not be abortable. */
export interface Clock {
	now(): number;
	sleep(ms: number): Promise<unknown>;
}

/** Leave to send one request. One of the two must be called in the end; what comes after the first call does nothing. */
export interface Ticket {
	/** The request has ended, in whatever way. */
	settle(outcome?: Settlement): void;
	/** The request was not sent after all. */
	giveBack(): void;
}

export interface TakeOptions {
	priority: Priority;
	/** Who asks (a node of a workflow, a batch): lanes of one priority take turns, so that none shuts out another. */
	lane?: string;
	signal?: AbortSignal;
}

interface Waiter {
	grant(ticket: Ticket): void;
}

/**
 * One request budget: who may send when. A thin shell around RequestLedger that lets callers wait.
 * 'person' goes before 'watch'; within a priority, lanes take turns and each lane is first come, first served.
 */
export class RequestBudget {
	private readonly ledger: RequestLedger;

	private readonly queues: Record<Priority, Map<string, Waiter[]>> = { person: new Map(), watch: new Map() };

	private wakeAt = Number.POSITIVE_INFINITY;

	constructor(
		requestsPerMinute: number,
		private readonly clock: Clock,
	) {
		this.ledger = new RequestLedger(requestsPerMinute);
	}

	/** Another value of the credential's Requests per Minute has come. */
	setLimit(requestsPerMinute: number): void {
		this.ledger.setLimit(requestsPerMinute);
		this.serve();
	}

	/** What is free for watching, now and later. */
	view(): BudgetView {
		return this.ledger.view(this.clock.now(), this.isWaitedFor());
	}

	/** For how long nothing may be sent because the service said so, in milliseconds. */
	pausedMs(): number {
		return this.ledger.pausedMs(this.clock.now());
	}

	/** True when nothing of it is used and nobody waits. */
	isIdle(): boolean {
		return !this.isWaitedFor() && this.ledger.isIdle(this.clock.now());
	}

	/** A ticket if one may be sent at once and nobody waits for it already; else null. */
	tryTake(priority: Priority): Ticket | null {
		const now = this.clock.now();
		const others = this.queues.person.size > 0 || (priority === 'watch' && this.queues.watch.size > 0);
		return others || this.ledger.earliest(priority, now) > now ? null : this.issue(now);
	}

	/** Waits for a ticket. Rejects with the signal's reason as soon as it is aborted; the place in the queue is then gone. */
	async take({ priority, lane = '', signal }: TakeOptions): Promise<Ticket> {
		return await new Promise<Ticket>((resolve, reject) => {
			if (signal?.aborted === true) {
				reject(signal.reason);
				return;
			}
			const queue = this.queues[priority];
			const onAbort = (): void => {
				removeWaiter(queue, lane, waiter);
				reject(signal?.reason);
			};
			const waiter: Waiter = {
				grant(ticket) {
					signal?.removeEventListener('abort', onAbort);
					resolve(ticket);
				},
			};
			signal?.addEventListener('abort', onAbort, { once: true });
			const waiting = queue.get(lane);
			if (waiting === undefined) queue.set(lane, [waiter]);
			else waiting.push(waiter);
			this.serve();
		});
	}

	private isWaitedFor(): boolean {
		return this.queues.person.size > 0 || this.queues.watch.size > 0;
	}

	private issue(now: number): Ticket {
		const slot = this.ledger.take(now);
		return {
			settle: (outcome = {}) => {
				this.ledger.settle(slot, outcome, this.clock.now());
				this.serve();
			},
			giveBack: () => {
				this.ledger.giveBack(slot);
				this.serve();
			},
		};
	}

	/** Hands out what may leave now, and sees to it that it is called again when the next may. */
	private serve(): void {
		for (const priority of ['person', 'watch'] as const) {
			const queue = this.queues[priority];
			while (queue.size > 0) {
				const now = this.clock.now();
				const at = this.ledger.earliest(priority, now);
				if (at > now) {
					this.wake(at, now);
					// What a person waits for goes ahead: nothing of a lower priority overtakes it.
					return;
				}
				nextInTurn(queue)?.grant(this.issue(now));
			}
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

/** The oldest waiter of the first lane; that lane then goes to the end of the row. */
function nextInTurn(queue: Map<string, Waiter[]>): Waiter | undefined {
	for (const [lane, waiting] of queue) {
		queue.delete(lane);
		const waiter = waiting.shift();
		if (waiting.length > 0) queue.set(lane, waiting);
		if (waiter !== undefined) return waiter;
	}
	return undefined;
}

function removeWaiter(queue: Map<string, Waiter[]>, lane: string, waiter: Waiter): void {
	const waiting = queue.get(lane);
	const at = waiting?.indexOf(waiter) ?? -1;
	if (waiting === undefined || at < 0) return;
	waiting.splice(at, 1);
	if (waiting.length === 0) queue.delete(lane);
}
