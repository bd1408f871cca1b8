import type { Experience } from './law';
import { NO_EXPERIENCE, withBegin, withEnd } from './law';
import { planLooks } from './plan';
import type { Clock, RequestBudget, Ticket } from './requestBudget';
import type { WatchedOrder } from './schedule';
import { bornAt } from './schedule';

/** What a look has shown. Times in milliseconds; null where the service gave none. */
export type LookAnswer =
	| { kind: 'open'; createdAtMs: number | null; expiresAtMs: number | null }
	| { kind: 'notFound' }
	/** The order is final, or of no interest any more: it is watched no longer. */
	| { kind: 'ended' }
	/** No answer about the order (429, 5xx, network): it is asked again after a while. */
	| { kind: 'failed' };

export interface OrderWatcherOptions {
	budget: RequestBudget;
	clock: Clock;
	/** Least time between two looks at one order. */
	intervalMs: number;
	/** Names this watcher among those that wait for the same budget. */
	lane: string;
	/**
	 * Sends the one request of a look and tells what it showed. It settles the ticket when the answer is there
	 * (with `limited` for a 429); what it leaves unsettled is settled after it. A rejection counts as 'failed'.
	 */
	look(key: string, ticket: Ticket, signal: AbortSignal): Promise<LookAnswer>;
}

export interface AddOptions {
	/** The order is known to begin at this time (ms): then the first look is not now but when it may have ended. */
	beginsAt?: number;
	/** When another watcher last asked for it (ms): what has waited longer goes before it. */
	askedAt?: number;
}

interface Entry {
	order: WatchedOrder;
	/** When the last look that did not find it was sent, and when the first answer that did came. */
	notFoundAt: number | null;
	foundAt: number | null;
	look: AbortController | null;
}

/** A watcher that has not stepped for this long claims nothing of the shared budget any more. */
const CLAIM_MS = 5_000;

/**
 * So many looks of one watcher are under way at once: n8n 2.40 spends some 57 ms of processor time on sending each, and
 * answers nothing else while many are sent in one go.
 */
const MOST_UNDER_WAY = 20;

/** Looks that are held back begin when no more than that are under way: each step plans anew for all orders. */
const ROOM_AGAIN_AT = MOST_UNDER_WAY / 2;

/** Who watches with the same budget: they plan together, or each would spend the whole of it, and learn together. */
interface Fellowship {
	watchers: Set<OrderWatcher>;
	experience: Experience;
}

const fellowships = new WeakMap<RequestBudget, Fellowship>();

let watchersMade = 0;

/**
 * Watches any number of orders inside a shared budget. Two ways to drive it: `step` starts what is due and says when
 * to step again; `run` does so until a time, or until nothing is left to watch. It never sends anything by itself.
 */
export class OrderWatcher {
	private readonly entries = new Map<string, Entry>();

	private readonly prefix = `${watchersMade++}:`;

	private readonly stopping = new AbortController();

	private readonly fellowship: Fellowship;

	private steppedAt = Number.NEGATIVE_INFINITY;

	private queued = 0;

	private runningUntil: number | null = null;

	private underWay = 0;

	/** Whether the last step left looks that were due to later ones. */
	private isHoldingBack = false;

	private readonly sleepers = new Set<() => void>();

	constructor(private readonly options: OrderWatcherOptions) {
		this.fellowship = fellowships.get(options.budget) ?? { watchers: new Set(), experience: NO_EXPERIENCE };
		fellowships.set(options.budget, this.fellowship);
	}

	/** How many orders are being watched. */
	get size(): number {
		return this.entries.size;
	}

	has(key: string): boolean {
		return this.entries.has(key);
	}

	/** Watches one more order from now on. One that is watched already stays as it is. */
	add(key: string, { beginsAt, askedAt }: AddOptions = {}): void {
		if (this.stopping.signal.aborted || this.entries.has(key)) return;
		const order: WatchedOrder = {
			key: this.prefix + key,
			bornAt: beginsAt ?? this.options.clock.now(),
			lastLookAt: null,
			askedBeforeAt: askedAt ?? null,
			seenOpenAt: null,
			found: beginsAt !== undefined,
			expiresAt: null,
			intervalMs: this.options.intervalMs,
			failures: 0,
			looking: false,
		};
		if (beginsAt !== undefined) this.noteBegin(beginsAt);
		this.entries.set(key, { order, notFoundAt: null, foundAt: null, look: null });
		this.wake();
	}

	/** Watches this order no longer; a look at it that is in the air is aborted. */
	remove(key: string): void {
		const entry = this.entries.get(key);
		this.entries.delete(key);
		entry?.look?.abort();
		if (this.entries.size === 0) this.wake();
	}

	/** Ends everything at once and for good: no further request, looks in the air are aborted, `run` returns. */
	stop(): void {
		this.stopping.abort();
		this.fellowship.watchers.delete(this);
		for (const key of [...this.entries.keys()]) this.remove(key);
		this.wake();
	}

	/** Starts the looks that are due now. Returns when to call again (ms): at most a second later; Infinity: nothing to watch. */
	step(): number {
		this.isHoldingBack = false;
		if (this.stopping.signal.aborted || this.entries.size === 0) return Number.POSITIVE_INFINITY;
		const { budget, clock } = this.options;
		const now = clock.now();
		this.steppedAt = now;
		this.fellowship.watchers.add(this);
		const { due, nextAt } = planLooks({
			orders: this.claims(now),
			now,
			budget: budget.view(),
			experience: this.fellowship.experience,
		});
		const own = due.filter((name) => name.startsWith(this.prefix));
		const fitting = own.slice(0, Math.max(0, MOST_UNDER_WAY - this.underWay));
		this.isHoldingBack = fitting.length < own.length;
		for (const name of fitting) this.startLook(name.slice(this.prefix.length));
		return nextAt;
	}

	/** Steps until nothing that is due is held back, until `until` (ms) at most. */
	async stepThrough(until: number): Promise<void> {
		const { clock } = this.options;
		for (this.step(); this.isHoldingBack && clock.now() < until; this.step()) await this.sleep(until - clock.now());
	}

	/**
	 * Steps whenever something is due, until `until` (ms) or until nothing is left to watch. While it runs, a further
	 * call only puts off the end and returns at once: so ticks can keep it alive, and it ends soon after the last tick.
	 */
	async run(until: number): Promise<void> {
		if (this.runningUntil !== null) {
			this.runningUntil = Math.max(this.runningUntil, until);
			return;
		}
		const { clock } = this.options;
		for (this.runningUntil = until; clock.now() < this.runningUntil && this.entries.size > 0; ) {
			const next = Math.min(this.step(), this.runningUntil);
			await this.sleep(next - clock.now());
		}
		this.runningUntil = null;
	}

	/** Sleeps for so long, or until something has changed that a step would act upon. */
	private async sleep(ms: number): Promise<void> {
		let awake: () => void = () => undefined;
		await new Promise<void>((resolve) => {
			awake = resolve;
			this.sleepers.add(awake);
			void this.options.clock.sleep(Math.max(1, ms)).then(awake);
		});
		this.sleepers.delete(awake);
	}

	private wake(): void {
		for (const awake of this.sleepers) awake();
	}

	private noteBegin(beganAt: number): void {
		const { fellowship } = this;
		fellowship.experience = withBegin(fellowship.experience, beganAt, this.options.clock.now());
	}

	/** All open orders that share the budget: our own, and those of watchers that are alive. */
	private claims(now: number): WatchedOrder[] {
		const orders: WatchedOrder[] = [];
		for (const fellow of this.fellowship.watchers) {
			if (now - fellow.steppedAt > CLAIM_MS) {
				// Nobody stops the watcher of a workflow that is unpublished: held here, each would stay for as long as the key is used.
				this.fellowship.watchers.delete(fellow);
				continue;
			}
			for (const { order } of fellow.entries.values()) orders.push(order);
		}
		return orders;
	}

	private startLook(key: string): void {
		const entry = this.entries.get(key);
		if (entry === undefined || entry.order.looking) return;
		const { budget, lane } = this.options;
		const ticket = budget.tryTake('watch');
		if (ticket === null && this.queued > 0) return;
		entry.order.looking = true;
		entry.look = new AbortController();
		const { signal } = entry.look;
		if (ticket !== null) {
			void this.lookWith(ticket, key, entry, signal);
			return;
		}
		this.queued++;
		void budget.take({ priority: 'watch', lane, signal }).then(
			(granted) => {
				this.queued--;
				void this.lookWith(granted, key, entry, signal);
			},
			() => {
				this.queued--;
				entry.order.looking = false;
			},
		);
	}

	private async lookWith(ticket: Ticket, key: string, entry: Entry, signal: AbortSignal): Promise<void> {
		const { clock, look } = this.options;
		const { order } = entry;
		if (signal.aborted) {
			// Stopped between the grant and now: nothing may be sent any more.
			ticket.giveBack();
			return;
		}
		const sentAt = clock.now();
		order.lastLookAt = sentAt;
		this.underWay++;
		const looked = (async () => await look(key, ticket, signal))();
		const answer = await looked.catch((): LookAnswer => ({ kind: 'failed' }));
		this.underWay--;
		if (this.isHoldingBack && this.underWay <= ROOM_AGAIN_AT) this.wake();
		ticket.settle({ unanswered: signal.aborted });
		order.looking = false;
		entry.look = null;
		if (this.entries.get(key) !== entry) return;
		switch (answer.kind) {
			case 'ended':
				if (order.found) {
					const openAge = ((order.seenOpenAt ?? order.bornAt) - order.bornAt) / 1000;
					this.fellowship.experience = withEnd(this.fellowship.experience, openAge);
				}
				this.remove(key);
				return;
			case 'open':
				order.failures = 0;
				order.expiresAt = answer.expiresAtMs;
				order.seenOpenAt = sentAt;
				entry.foundAt ??= clock.now();
				if (answer.createdAtMs !== null || !order.found) {
					const { notFoundAt, foundAt } = entry;
					order.bornAt = bornAt({ createdAtMs: answer.createdAtMs, notFoundAt, foundAt });
				}
				if (!order.found) this.noteBegin(order.bornAt);
				order.found = true;
				return;
			case 'notFound':
				// Found before and gone now is a slip of the service, not news about when the order began.
				if (entry.foundAt !== null) {
					order.failures++;
					return;
				}
				order.failures = 0;
				order.found = false;
				entry.notFoundAt = sentAt;
				return;
			case 'failed':
				order.failures++;
		}
	}
}
