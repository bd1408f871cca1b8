import type { BudgetGroup } from './budgetGroup';
import { budgetGroupOf } from './budgetGroup';
import { areListedFinished, planChecks } from './plan';
import type { Clock, RequestBudget, Permit } from './requestBudget';
import type { WatchedOrder } from './schedule';
import { Sleepers } from './sleepers';
import type { AddOptions, CheckResult, Entry } from './watchedEntry';
import { applyResult, newEntry } from './watchedEntry';

export interface OrderWatcherOptions {
	budget: RequestBudget;
	clock: Clock;
	/** Least time between two checks of the same order, in milliseconds. */
	intervalMs: number;
	/** Names this watcher among those that wait for the same budget. */
	queueKey: string;
	/**
	 * Sends the one request of a check and resolves with what it showed. It settles the permit when the answer is there
	 * (with `limited` for a 429); what it leaves unsettled is settled after it. A rejection counts as 'failed'.
	 */
	check(key: string, permit: Permit, signal: AbortSignal): Promise<CheckResult>;
}

/**
 * So many checks of one watcher begin at once, and so many are in flight while the process keeps up: n8n 2.40 spends some 57 ms of
 * processor time on sending each, and answers nothing else meanwhile. A step that comes late shows that the process does not keep up.
 */
const AT_ONCE = 25;
const MOST_IN_FLIGHT = 75;
const BREATH_MS = 15;
const LATE_MS = 25;

/** Where no more may be in flight, checks that are held back begin when no more than that are: each step plans anew for all orders. */
const ROOM_AGAIN_AT = AT_ONCE / 2;

let watchersMade = 0;

/**
 * Watches any number of orders inside a shared budget. Two ways to drive it: `step` starts what is due and says when
 * to step again; `run` does so until a time, or until nothing is left to watch. It never sends anything by itself.
 */
export class OrderWatcher {
	/** When `step` was last called, in milliseconds of the clock. */
	steppedAt = Number.NEGATIVE_INFINITY;

	private readonly entries = new Map<string, Entry>();

	/** Keeps the keys of this watcher apart from those of others that plan with it. */
	private readonly prefix = `${watchersMade++}:`;

	private readonly stopping = new AbortController();

	private readonly budgetGroup: BudgetGroup;

	private queued = 0;

	/** The run under way; a pause ends it, and the next one is another. */
	private running: { until: number } | null = null;

	private inFlight = 0;

	/** Whether the last step left checks that were due to later ones. */
	private isHoldingBack = false;

	/** Whether the last step that nobody woke came in time. */
	private keepsUp = true;

	/** Woken when something has changed that a step would act upon. */
	private readonly sleepers: Sleepers;

	constructor(private readonly options: OrderWatcherOptions) {
		this.budgetGroup = budgetGroupOf(options.budget);
		this.sleepers = new Sleepers(options.clock);
	}

	/** How many orders are being watched. */
	get size(): number {
		return this.entries.size;
	}

	has(key: string): boolean {
		return this.entries.has(key);
	}

	/** Watches one more order from now on. One that is watched already stays as it is. */
	add(key: string, options: AddOptions = {}): void {
		if (this.stopping.signal.aborted || this.entries.has(key)) return;
		const { clock, intervalMs } = this.options;
		this.entries.set(key, newEntry(this.prefix + key, options, { intervalMs, now: clock.now() }));
		this.sleepers.wake();
	}

	/** Watches this order no longer; a check of it that is in flight is aborted. */
	remove(key: string): void {
		const entry = this.entries.get(key);
		this.entries.delete(key);
		entry?.check?.abort();
		if (this.entries.size === 0) this.sleepers.wake();
	}

	/** Stops everything at once and for good: no further request, checks in flight are aborted, `run` returns. */
	stop(): void {
		this.stopping.abort();
		this.budgetGroup.leave(this);
		for (const key of [...this.entries.keys()]) this.remove(key);
		this.sleepers.wake();
	}

	/** Ends `run` and drops what is in flight; the orders stay, with their rhythm. */
	pause(): void {
		this.running = null;
		for (const entry of this.entries.values()) entry.check?.abort();
		this.sleepers.wake();
	}

	/** Starts the checks that are due now. Returns when to call again (ms): within a second; Infinity: nothing to watch. */
	step(): number {
		this.isHoldingBack = false;
		if (this.stopping.signal.aborted || this.entries.size === 0) return Number.POSITIVE_INFINITY;
		const { budget, clock } = this.options;
		const now = clock.now();
		this.steppedAt = now;
		this.budgetGroup.join(this);
		const { due, nextAt } = planChecks({
			orders: this.budgetGroup.orders(now),
			now,
			budget: budget.view(),
			experience: this.budgetGroup.experience,
		});
		const own = due.filter((name) => name.startsWith(this.prefix));
		const room = (this.keepsUp ? MOST_IN_FLIGHT : AT_ONCE) - this.inFlight;
		const fitting = own.slice(0, Math.max(0, Math.min(AT_ONCE, room)));
		this.isHoldingBack = fitting.length < own.length;
		for (const name of fitting) this.startCheck(name.slice(this.prefix.length));
		return this.isHoldingBack && this.keepsUp && room > AT_ONCE ? now + BREATH_MS : nextAt;
	}

	/** Steps until nothing that is due is held back, or until `until` (ms). */
	async stepThrough(until: number): Promise<void> {
		const { clock } = this.options;
		for (let next = this.step(); this.isHoldingBack && clock.now() < until; next = this.step()) await this.sleepUntil(next, until);
	}

	/**
	 * Steps whenever something is due, until `until` (ms) or until nothing is left to watch (with `waitsForOrders`: until
	 * `until` even so, since orders may be added meanwhile). While it runs, a further call
	 * only lets it run for longer and returns at once: so ticks can keep it alive, and it returns soon after the last tick.
	 */
	async run(until: number, waitsForOrders = false): Promise<void> {
		if (this.running !== null) {
			this.running.until = Math.max(this.running.until, until);
			return;
		}
		const { clock } = this.options;
		const run = { until };
		this.running = run;
		const goesOn = (): boolean => this.running === run && !this.stopping.signal.aborted && (waitsForOrders || this.entries.size > 0);
		while (clock.now() < run.until && goesOn()) {
			await this.sleepUntil(this.step(), run.until);
		}
		if (this.running === run) this.running = null;
	}

	/** Sleeps until the next step, or `until`, or until somebody wakes it. */
	private async sleepUntil(next: number, until: number): Promise<void> {
		const { clock } = this.options;
		await this.sleepers.sleep(Math.min(next, until) - clock.now());
		if (clock.now() >= next) this.keepsUp = clock.now() <= next + LATE_MS;
	}

	/** For the budget group. */
	*watchedOrders(): Iterable<WatchedOrder> {
		for (const { order } of this.entries.values()) yield order;
	}

	private startCheck(key: string): void {
		const entry = this.entries.get(key);
		if (entry === undefined || entry.order.checking) return;
		const { budget, queueKey } = this.options;
		const permit = budget.tryAcquire('watch');
		if (permit === null && this.queued > 0) return;
		entry.order.checking = true;
		entry.check = new AbortController();
		const { signal } = entry.check;
		if (permit !== null) {
			void this.checkWith(permit, key, entry, signal);
			return;
		}
		this.queued++;
		void budget.acquire({ priority: 'watch', queueKey, signal }).then(
			(granted) => {
				this.queued--;
				void this.checkWith(granted, key, entry, signal);
			},
			() => {
				this.queued--;
				entry.order.checking = false;
			},
		);
	}

	private async checkWith(permit: Permit, key: string, entry: Entry, signal: AbortSignal): Promise<void> {
		const { clock, check } = this.options;
		if (signal.aborted) {
			// Stopped between the grant and now: nothing may be sent any more.
			permit.release();
			entry.order.checking = false;
			entry.check = null;
			return;
		}
		const sentAt = clock.now();
		const { lastCheckAt } = entry.order;
		entry.order.lastCheckAt = sentAt;
		this.inFlight++;
		const checked = (async () => await check(key, permit, signal))();
		const result = await checked.catch((): CheckResult => ({ kind: 'failed' }));
		this.inFlight--;
		permit.settle({ unanswered: signal.aborted });
		entry.order.checking = false;
		entry.check = null;
		// The rate limit is no answer about the order: its turn comes again.
		if (result.kind === 'limited') entry.order.lastCheckAt = lastCheckAt;
		else if (this.entries.get(key) === entry && !signal.aborted) {
			const { budgetGroup } = this;
			const before = budgetGroup.experience;
			budgetGroup.experience = applyResult(entry, result, { sentAt, now: clock.now() }, before);
			const learnt = budgetGroup.experience;
			// The first post that is judged, or an old list, changes what is due of the others.
			if ((before.posts.length === 0 && learnt.posts.length > 0) || (areListedFinished(learnt) && !areListedFinished(before))) this.sleepers.wake();
			if (result.kind === 'ended') this.remove(key);
		}
		if (this.isHoldingBack && this.inFlight <= ROOM_AGAIN_AT) this.sleepers.wake();
	}
}
