import type { Clock } from '../budget/clock';
import type { Permit, RequestBudget } from '../budget/requestBudget';
import { type DueOrder, dueOrders, type Watching } from './dueOrders';
import {
	type AddOptions,
	learn,
	newOrder,
	NOTHING_LEARNT,
	type Observation,
	type ScheduledOrder,
} from './order';

interface OrderWatcherOptions {
	budget: RequestBudget;
	clock: Clock;
	/** Between two checks of one order. */
	intervalMs: number;
	/** Requests per Minute of the credential, as it is now. */
	limit(): number;
	/** Sends the one request of a check and settles the permit. */
	check(key: string, permit: Permit, signal: AbortSignal): Promise<Checked>;
}

export interface Checked {
	observed: Observation;
	/** Called when the schedule has learnt from it. */
	report?(): void;
}

const BEGUN_WITHIN_MS = 60_000;

const TICK_MS = 1_000;
/** Checks begin this long before a tick, so that their responses are fresh. */
const LEAD_MS = 150;
/** The response to what is sent later may miss the tick. */
const LAST_MS = 60;

/** Watches orders inside a shared budget while it is driven. Times in milliseconds of the clock. */
export class OrderWatcher implements Watching {
	readonly orders = new Map<string, ScheduledOrder>();

	drivenUntil = -Infinity;

	private readonly scheduler: Scheduler;

	private driving: { isOver(): boolean; end(): void; ended: Promise<void> } | null = null;

	private begunAt: number[] = [];

	private readonly inFlight = new Set<Promise<void>>();

	constructor(readonly options: OrderWatcherOptions) {
		this.scheduler = schedulerOf(options.budget, options.clock);
	}

	get isDriven(): boolean {
		return this.driving !== null;
	}

	get begun(): number {
		return this.begunAt.length;
	}

	/** Does nothing for an order that is watched. */
	add(key: string, options: AddOptions = {}): void {
		if (this.orders.has(key)) return;
		this.orders.set(key, this.newOrder(key, options));
		this.scheduler.wake();
	}

	/** Says more of the beginning of an order that no check has found yet. */
	restate(key: string, options: AddOptions): void {
		const order = this.orders.get(key);
		if (order === undefined || order.foundAt !== null) return;
		const { way, addedAt, beganAt } = this.newOrder(key, options);
		if (way === 'listed') return;
		Object.assign(order, { way, addedAt, beganAt, seenOpenAt: null, isNotShown: false });
		this.scheduler.wake();
	}

	remove(key: string): void {
		const order = this.orders.get(key);
		if (order === undefined) return;
		order.check?.abort();
		order.isWanted = false;
		this.orders.delete(key);
		this.scheduler.wake();
	}

	/** Makes the checks that are due, until then or until nothing is left to watch; another call extends it. */
	async run(until: number): Promise<void> {
		await this.drive(until, () => this.orders.size === 0);
	}

	/** To be called at a tick: makes the checks whose responses the next one applies. */
	async runBeforeNextTick(): Promise<void> {
		const { clock } = this.options;
		const nextTick = clock.now() + TICK_MS;
		await clock.sleep(TICK_MS - LEAD_MS);
		await this.run(Math.max(nextTick - LAST_MS, clock.now() + LAST_MS));
	}

	/** Begins a check of each order, due or not, as far as the budget has room, until then. */
	async checkEach(until: number): Promise<void> {
		const orders = [...this.orders.values()];
		for (const order of orders) order.isWanted = order.check === null;
		await this.drive(until, () => orders.every(({ isWanted }) => !isWanted));
		for (const order of orders) order.isWanted = false;
	}

	/** Resolves when all checks in flight are reported. */
	async settled(): Promise<void> {
		while (this.inFlight.size > 0) await Promise.all(this.inFlight);
	}

	/** Drops what is in flight; the orders stay, with their rhythm. */
	pause(): void {
		for (const { check } of this.orders.values()) check?.abort();
		this.end();
	}

	/** Drops what is in flight, and the orders. */
	stop(): void {
		this.pause();
		this.orders.clear();
		this.scheduler.watchers.delete(this);
	}

	/** To be called before each step of the scheduler. */
	update(now: number): void {
		if (now >= this.drivenUntil || this.driving?.isOver() === true) this.end();
		while ((this.begunAt[0] ?? now) <= now - BEGUN_WITHIN_MS) this.begunAt.shift();
	}

	noteCheck(now: number, check: Promise<void>): void {
		this.begunAt.push(now);
		this.inFlight.add(check);
		void check.finally(() => this.inFlight.delete(check));
	}

	private newOrder(key: string, options: AddOptions): ScheduledOrder {
		const { clock, intervalMs } = this.options;
		return newOrder(key, options, { now: clock.now(), intervalMs });
	}

	private async drive(until: number, isOver: () => boolean): Promise<void> {
		if (this.driving === null && (isOver() || this.options.clock.now() >= until)) return;
		this.drivenUntil = Math.max(this.drivenUntil, until);
		if (this.driving === null) {
			let end = (): void => undefined;
			const ended = new Promise<void>((resolve) => (end = resolve));
			this.driving = { isOver, end, ended };
			this.scheduler.drive(this);
		}
		await this.driving.ended;
	}

	private end(): void {
		this.driving?.end();
		this.driving = null;
		this.drivenUntil = Math.min(this.drivenUntil, this.options.clock.now());
	}
}

/** A watcher that is not driven for this long claims nothing of the budget any more. */
const CLAIM_MS = 5_000;
/** Between two steps; the part for each order leaves time for the rest of the process. */
const STEP_MS = 20;
/** Between two steps where nothing is due. */
const MAX_REST_MS = 1_000;
const STEP_MS_PER_ORDER = 0.1;
const MAX_AT_ONCE = 25;
const MAX_IN_FLIGHT = 75;
/** Orders not found or failing catch up on no more than this. */
const MAX_ARREARS_MS = 5_000;

/** Begins the checks of all watchers of one budget, which learn from each other's. */
class Scheduler {
	private usual = NOTHING_LEARNT;

	private readonly sampledAt = { posted: -Infinity, listed: -Infinity };

	private calmUntil = -Infinity;

	/** Those driven, now or lately. */
	readonly watchers = new Set<OrderWatcher>();

	private inFlight = 0;

	private isRunning = false;

	/** To be called when an order may be due earlier, or a watcher may be done. */
	wake = (): void => undefined;

	constructor(
		private readonly budget: RequestBudget,
		private readonly clock: Clock,
	) {}

	drive(watcher: OrderWatcher): void {
		this.watchers.add(watcher);
		this.wake();
		if (!this.isRunning) void this.run();
	}

	private async run(): Promise<void> {
		this.isRunning = true;
		for (let end = this.nextEnd(); end !== null; end = this.nextEnd()) {
			const woken = new Promise<void>((resolve) => (this.wake = resolve));
			const rested = this.clock.sleep(Math.min(end - this.clock.now(), this.step(), MAX_REST_MS));
			const count = [...this.watchers].reduce((sum, { orders }) => sum + orders.size, 0);
			const stepMs = STEP_MS + STEP_MS_PER_ORDER * count;
			await this.clock.sleep(Math.min(end - this.clock.now(), stepMs));
			await Promise.race([woken, rested]);
		}
		this.isRunning = false;
	}

	/** Ends what is over, and returns when the next watcher is; null where none is driven. */
	private nextEnd(): number | null {
		const now = this.clock.now();
		for (const watcher of this.watchers) {
			watcher.update(now);
			// Nobody stops the watcher of a workflow that is unpublished.
			if (now - watcher.drivenUntil > CLAIM_MS) this.watchers.delete(watcher);
		}
		const driven = [...this.watchers].filter(({ isDriven }) => isDriven);
		return driven.length === 0 ? null : Math.min(...driven.map(({ drivenUntil }) => drivenUntil));
	}

	/** Begins the checks that are due, and returns for how long none is likely to be. */
	private step(): number {
		const now = this.clock.now();
		this.calmUntil = Math.max(this.calmUntil, now - MAX_ARREARS_MS);
		const { budget, usual, sampledAt, calmUntil } = this;
		const watchers = [...this.watchers];
		const view = budget.view(Math.max(...watchers.map(({ options }) => options.limit())));
		const situation = { watchers, now, budget: view, usual, sampledAt, calmUntil };
		const { due, restMs } = dueOrders(situation);
		let room = Math.min(MAX_AT_ONCE, MAX_IN_FLIGHT - this.inFlight);
		const refusedLimits = new Set<number>();
		for (const next of due) {
			const { order, watcher, sampleOf, calmMs } = next;
			if (room <= 0) break;
			// Each goes by its own limit: others may have room.
			const limit = watcher.options.limit();
			const permit = refusedLimits.has(limit) ? null : budget.tryCheck(limit);
			if (permit === null) {
				refusedLimits.add(limit);
				order.isWanted = false;
				continue;
			}
			room--;
			if (sampleOf !== null) this.sampledAt[sampleOf] = now;
			this.calmUntil += calmMs;
			watcher.noteCheck(now, this.check(next, permit));
		}
		return restMs;
	}

	private async check(next: DueOrder<OrderWatcher>, permit: Permit): Promise<void> {
		const { order, watcher, sampleOf } = next;
		const sentAt = this.clock.now();
		const { signal } = (order.check = new AbortController());
		order.checkedAt = sentAt;
		order.isWanted = false;
		this.inFlight++;
		const { observed, report } = await watcher.options
			.check(order.key, permit, signal)
			.catch((): Checked => ({ observed: { kind: 'failed' } }));
		this.inFlight--;
		permit.settle({ unanswered: signal.aborted });
		order.check = null;
		if (signal.aborted) return;
		// Others may show the age.
		if (sampleOf !== null && observed.kind === 'failed') this.sampledAt[sampleOf] = -Infinity;
		this.usual = learn(order, observed, { sentAt, now: this.clock.now() }, this.usual);
		if (observed.kind === 'finished') watcher.remove(order.key);
		report?.();
	}
}

const schedulers = new WeakMap<RequestBudget, Scheduler>();

function schedulerOf(budget: RequestBudget, clock: Clock): Scheduler {
	const scheduler = schedulers.get(budget) ?? new Scheduler(budget, clock);
	schedulers.set(budget, scheduler);
	return scheduler;
}
