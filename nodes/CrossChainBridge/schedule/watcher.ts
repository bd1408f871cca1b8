import type { Clock, Permit, RequestBudget } from '../budget/requestBudget';
import { type AddOptions, newOrder, type OpenOrder } from './order';
import { type Checked, type Driven, type Scheduler, schedulerOf } from './scheduler';

interface OrderWatcherOptions {
	budget: RequestBudget;
	clock: Clock;
	/** Minimum time between two checks of the same order, in milliseconds. */
	intervalMs: number;
	/** Requests per Minute of the credential that it checks with, as it is now. */
	limit(): number;
	/** Sends the one request of a check and settles the permit; a rejection counts as failed. */
	check(key: string, permit: Permit, signal: AbortSignal): Promise<Checked>;
}

const BEGUN_WITHIN_MS = 60_000;

/** Watches orders inside a shared budget while it is driven: until a time, or through one check of each order. */
export class OrderWatcher implements Driven {
	readonly orders = new Map<string, OpenOrder>();

	/** The time until which it is driven, or was, in milliseconds of the clock. */
	drivenUntil = Number.NEGATIVE_INFINITY;

	private readonly scheduler: Scheduler;

	private driving: { isOver(): boolean; end(): void; ended: Promise<void> } | null = null;

	/** When checks have begun, in the last minute. */
	private begunAt: number[] = [];

	private readonly inFlight = new Set<Promise<void>>();

	private isStopped = false;

	constructor(private readonly options: OrderWatcherOptions) {
		this.scheduler = schedulerOf(options.budget, options.clock);
	}

	get isDriven(): boolean {
		return this.driving !== null;
	}

	get begun(): number {
		return this.begunAt.length;
	}

	get limit(): number {
		return this.options.limit();
	}

	/** Watches one more order from now on. One that is watched already stays as it is. */
	add(key: string, options: AddOptions = {}): void {
		if (this.isStopped || this.orders.has(key)) return;
		const { clock, intervalMs } = this.options;
		this.orders.set(key, newOrder(key, options, { now: clock.now(), intervalMs }));
		this.scheduler.wake();
	}

	/** More is known of the beginning of an order: that counts, unless a check has found it. */
	restate(key: string, options: AddOptions): void {
		const order = this.orders.get(key);
		if (order === undefined || order.foundAt !== null) return;
		const { clock, intervalMs } = this.options;
		const { way, addedAt, beganAt } = newOrder(key, options, { now: clock.now(), intervalMs });
		if (way === 'listed') return;
		Object.assign(order, { way, addedAt, beganAt, seenOpenAt: null, isUnknown: false });
		this.scheduler.wake();
	}

	/** Watches this order no longer; a check of it that is in flight is aborted. */
	remove(key: string): void {
		const order = this.orders.get(key);
		if (order === undefined) return;
		order.check?.abort();
		order.isWanted = false;
		this.orders.delete(key);
		if (this.driving?.isOver() === true) this.end();
	}

	/** Begins checks when they are due, until `until` (ms) or until nothing is left to watch; another call meanwhile extends it. */
	async run(until: number): Promise<void> {
		await this.drive(until, () => this.orders.size === 0);
	}

	/** One check of each order, whatever its interval; resolves when they have begun, or at `until` (ms). */
	async checkEach(until: number): Promise<void> {
		const orders = [...this.orders.values()];
		for (const order of orders) order.isWanted = order.check === null;
		await this.drive(until, () => orders.every(({ isWanted }) => !isWanted));
		for (const order of orders) order.isWanted = false;
	}

	/** Resolves when what the checks in flight show has been reported. */
	async settled(): Promise<void> {
		while (this.inFlight.size > 0) await Promise.all(this.inFlight);
	}

	/** Ends what drives it, and drops what is in flight; the orders stay, with their rhythm. */
	pause(): void {
		for (const { check } of this.orders.values()) check?.abort();
		this.end();
	}

	/** Stops everything at once and for good: no further request, checks in flight are aborted. */
	stop(): void {
		this.isStopped = true;
		this.pause();
		this.orders.clear();
		this.scheduler.leave(this);
	}

	endIfOver(now: number): void {
		if (now >= this.drivenUntil || this.driving?.isOver() === true) this.end();
	}

	noteCheck(now: number, check: Promise<void>): void {
		this.begunAt.push(now);
		this.inFlight.add(check);
		void check.finally(() => this.inFlight.delete(check));
	}

	forgetBegun(now: number): void {
		while ((this.begunAt[0] ?? now) <= now - BEGUN_WITHIN_MS) this.begunAt.shift();
	}

	async send(key: string, permit: Permit, signal: AbortSignal): Promise<Checked> {
		return await this.options.check(key, permit, signal);
	}

	private async drive(until: number, isOver: () => boolean): Promise<void> {
		if (this.driving === null) {
			if (this.isStopped || isOver() || this.options.clock.now() >= until) return;
			let end = (): void => undefined;
			const ended = new Promise<void>((resolve) => (end = resolve));
			this.driving = { isOver, end, ended };
			this.drivenUntil = until;
			this.scheduler.drive(this);
		}
		this.drivenUntil = Math.max(this.drivenUntil, until);
		await this.driving.ended;
	}

	private end(): void {
		this.driving?.end();
		this.driving = null;
		this.drivenUntil = Math.min(this.drivenUntil, this.options.clock.now());
	}
}
