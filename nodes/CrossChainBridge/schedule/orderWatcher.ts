import { type BudgetGroup, budgetGroupOf } from './budgetGroup';
import { Pace } from './pace';
import type { Clock, RequestBudget, Permit } from '../budget/requestBudget';
import type { WatchedOrder } from './schedule';
import { Sleepers } from './sleepers';
import {
	type AddOptions,
	applyLimited,
	type CheckResult,
	type Entry,
	newEntry,
	restate,
} from './watchedEntry';

export interface OrderWatcherOptions {
	budget: RequestBudget;
	clock: Clock;
	/** Least time between two checks of the same order, in milliseconds. */
	intervalMs: number;
	/** Names this watcher among those that wait for the same budget. */
	queueKey: string;
	/**
	 * Sends the one request of a check and resolves with what it showed. It settles the permit when the answer is there
	 * (with `limited` for a 429); what it leaves unsettled is settled after it. A rejection counts as 'failed'. What it does with an
	 * answer itself comes after `learn`: from an order that it removes nothing would be learnt any more.
	 */
	check(
		key: string,
		permit: Permit,
		signal: AbortSignal,
		learn: (result: CheckResult) => void,
	): Promise<CheckResult>;
}

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

	private readonly pace = new Pace();

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
		this.budgetGroup.replan();
		this.sleepers.wake();
	}

	/** More is known of the beginning of an order that is watched. */
	restate(key: string, options: AddOptions): void {
		const entry = this.entries.get(key);
		if (entry === undefined) return;
		restate(entry, options, this.options.clock.now());
		this.budgetGroup.replan();
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
		this.pace.isHoldingBack = false;
		if (this.stopping.signal.aborted || this.entries.size === 0) return Number.POSITIVE_INFINITY;
		const { budget, clock } = this.options;
		const now = clock.now();
		this.steppedAt = now;
		this.budgetGroup.join(this);
		const { due, nextAt } = this.budgetGroup.planFor(this, now, budget.view());
		const own = due.filter((name) => name.startsWith(this.prefix));
		for (const name of own.slice(0, this.pace.begin(own.length)))
			this.startCheck(name.slice(this.prefix.length));
		return this.pace.stepAt(now, nextAt);
	}

	/** Steps until nothing that is due is held back, or until `until` (ms). */
	async stepThrough(until: number): Promise<void> {
		const { clock } = this.options;
		for (let next = this.step(); this.pace.isHoldingBack && clock.now() < until; next = this.step())
			await this.sleepUntil(next, until);
	}

	/**
	 * Steps whenever something is due, until `until` (ms) or until nothing is left to watch (with `waitsForOrders`: until `until`
	 * even so). While it runs, a further call only lets it run for longer: so ticks keep it alive, and it ends soon after the last.
	 */
	async run(until: number, waitsForOrders = false): Promise<void> {
		if (this.running !== null) {
			this.running.until = Math.max(this.running.until, until);
			return;
		}
		const { clock } = this.options;
		const run = { until };
		this.running = run;
		const continues = (): boolean =>
			this.running === run &&
			!this.stopping.signal.aborted &&
			(waitsForOrders || this.entries.size > 0);
		while (clock.now() < run.until && continues()) {
			await this.sleepUntil(this.step(), run.until);
		}
		if (this.running === run) this.running = null;
	}

	/** Sleeps until it is time to step again, or `until`, or until somebody wakes it. */
	private async sleepUntil(next: number, until: number): Promise<void> {
		const { clock } = this.options;
		await this.sleepers.sleep(Math.min(next, until) - clock.now());
		this.pace.awake(clock.now(), next);
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
		// The plan counted on more room than there is.
		if (permit === null) this.budgetGroup.replan();
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

	private async checkWith(
		permit: Permit,
		key: string,
		entry: Entry,
		signal: AbortSignal,
	): Promise<void> {
		const { clock, check } = this.options;
		if (signal.aborted) {
			// Stopped between the grant and now: nothing may be sent any more.
			permit.release();
			entry.order.checking = false;
			entry.check = null;
			return;
		}
		const sentAt = clock.now();
		const { lastCheckAt: checkedBefore } = entry.order;
		entry.order.lastCheckAt = sentAt;
		let isLearnt = false;
		const learn = (result: CheckResult): void => {
			if (
				isLearnt ||
				result.kind === 'limited' ||
				this.entries.get(key) !== entry ||
				signal.aborted
			)
				return;
			isLearnt = true;
			if (this.budgetGroup.learn(entry, result, { sentAt, now: clock.now() })) this.sleepers.wake();
		};
		this.pace.inFlight++;
		const checked = (async () => await check(key, permit, signal, learn))();
		const result = await checked.catch((): CheckResult => ({ kind: 'failed' }));
		this.pace.inFlight--;
		permit.settle({ unanswered: signal.aborted });
		entry.order.checking = false;
		entry.check = null;
		learn(result);
		if (result.kind === 'limited') {
			applyLimited(entry.order, { sentAt, checkedBefore, answeredAt: this.budgetGroup.answeredAt });
			this.budgetGroup.replan();
		} else if (result.kind === 'finished' && this.entries.get(key) === entry && !signal.aborted)
			this.remove(key);
		if (this.pace.hasRoomAgain) this.sleepers.wake();
	}
}
