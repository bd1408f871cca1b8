import type { Clock, Permit, RequestBudget } from '../budget/requestBudget';
import { afterCalmCheck, type DueOrder, dueOrders, type Watching } from './dueOrders';
import { type CheckResult, isHealthy, learn, NOTHING_LEARNT, type UsualAges } from './order';

/** A watcher that has not been driven for this long claims nothing of the budget any more. */
const CLAIM_MS = 5_000;
/** The time between two steps; more while nothing is likely to be due. */
const STEP_MS = 20;
const MAX_STEP_MS = 1_000;
/** The rest of the process gets at least this time between two steps, and more with many orders. */
const MIN_STEP_MS = 10;
const STEP_MS_PER_ORDER = 0.1;
/** Checks that begin in one step. */
const MAX_AT_ONCE = 25;
/** Checks that are in flight. */
const MAX_IN_FLIGHT = 75;
/** The same where the process is so busy that a step comes late. */
const MAX_IN_FLIGHT_IF_LATE = 25;
const LATE_MS = 25;

/** What a check has shown. */
export interface Checked {
	result: CheckResult;
	/** Called when the schedule has learnt from the result: what hears of it may remove the order at once. */
	report?(): void;
}

/** A watcher as the scheduler drives it. */
export interface Driven extends Watching {
	/** The time until which it is driven, or was, in milliseconds of the clock. */
	readonly drivenUntil: number;
	/** Requests per Minute of the credential that it checks with. */
	readonly limit: number;
	/** Drives it no longer if its time has come, or if nothing is left to do. */
	endIfOver(now: number): void;
	/** A check has begun; it is over when what it has shown is reported. */
	noteCheck(now: number, check: Promise<void>): void;
	/** Brings `begun` up to date. */
	forgetBegun(now: number): void;
	/** Sends the one request of a check. */
	send(key: string, permit: Permit, signal: AbortSignal): Promise<Checked>;
	/** The order has finished. */
	remove(key: string): void;
}

/** Begins the checks of one budget: it knows the open orders of all watchers, and what one order shows counts for all. */
export class Scheduler {
	private usual: UsualAges = NOTHING_LEARNT;

	private readonly probedAt = {
		posted: Number.NEGATIVE_INFINITY,
		listed: Number.NEGATIVE_INFINITY,
	};

	private calmUntil = Number.NEGATIVE_INFINITY;

	/** The watchers that are driven, or were lately. */
	private readonly watchers = new Set<Driven>();

	private inFlight = 0;

	private isRunning = false;

	private wakeUp = (): void => undefined;

	constructor(
		private readonly budget: RequestBudget,
		private readonly clock: Clock,
	) {}

	/** Begins the checks of this watcher when they are due, for as long as it is driven. */
	drive(watcher: Driven): void {
		this.watchers.add(watcher);
		this.wake();
		if (!this.isRunning) void this.run();
	}

	/** Forgets this watcher. */
	leave(watcher: Driven): void {
		this.watchers.delete(watcher);
	}

	/** Something has changed that a step would act upon. */
	wake(): void {
		this.wakeUp();
	}

	private async run(): Promise<void> {
		const { clock } = this;
		this.isRunning = true;
		let isLate = false;
		for (let end = this.nextEnd(); end !== null; end = this.nextEnd()) {
			// Made before the least sleep, or what happens meanwhile would wake nobody.
			const woken = new Promise<void>((resolve) => (this.wakeUp = resolve));
			const restMs = this.step(isLate);
			const leastMs = MIN_STEP_MS + STEP_MS_PER_ORDER * this.count();
			const now = clock.now();
			const next = Math.min(end, now + Math.max(leastMs, Math.min(restMs, MAX_STEP_MS)));
			await clock.sleep(Math.min(end - now, leastMs));
			if (next > clock.now()) await Promise.race([woken, clock.sleep(next - clock.now())]);
			isLate = clock.now() - next > LATE_MS;
		}
		this.isRunning = false;
	}

	/** Ends what is over, and returns when the next watcher is; null where none is driven any more. */
	private nextEnd(): number | null {
		const now = this.clock.now();
		for (const watcher of this.watchers) {
			watcher.endIfOver(now);
			// Nobody stops the watcher of a workflow that is unpublished: kept here, each would stay for as long as the key is used.
			if (now - watcher.drivenUntil > CLAIM_MS) this.watchers.delete(watcher);
		}
		const driven = [...this.watchers].filter(({ isDriven }) => isDriven);
		return driven.length === 0 ? null : Math.min(...driven.map(({ drivenUntil }) => drivenUntil));
	}

	private count(): number {
		return [...this.watchers].reduce((sum, { orders }) => sum + orders.size, 0);
	}

	/** Begins the checks that are due. Returns how long nothing more is likely to be due, in milliseconds. */
	private step(isLate: boolean): number {
		const { budget, usual, probedAt, calmUntil } = this;
		const now = this.clock.now();
		const watchers = [...this.watchers];
		for (const watcher of watchers) watcher.forgetBegun(now);
		const view = budget.view(Math.max(...watchers.map(({ limit }) => limit)));
		const situation = { watchers, now, budget: view, usual, probedAt, calmUntil };
		const { due, calmStepMs, restMs } = dueOrders(situation);
		const maxInFlight = isLate ? MAX_IN_FLIGHT_IF_LATE : MAX_IN_FLIGHT;
		let room = Math.min(MAX_AT_ONCE, maxInFlight - this.inFlight);
		const refusedLimits = new Set<number>();
		for (const next of due) {
			const { order, watcher, probes } = next;
			if (room <= 0) break;
			// Each goes by its own limit: where one has no room now, others may have some.
			const permit = refusedLimits.has(watcher.limit) ? null : budget.tryCheck(watcher.limit);
			if (permit === null) {
				refusedLimits.add(watcher.limit);
				order.isWanted = false;
				continue;
			}
			room--;
			if (probes !== null) this.probedAt[probes] = now;
			if (!isHealthy(order)) this.calmUntil = afterCalmCheck(this.calmUntil, now, calmStepMs);
			watcher.noteCheck(now, this.check(next, permit));
		}
		return Math.max(STEP_MS, restMs);
	}

	private async check({ order, watcher }: DueOrder<Driven>, permit: Permit): Promise<void> {
		const sentAt = this.clock.now();
		const { signal } = (order.check = new AbortController());
		order.checkedAt = sentAt;
		order.isWanted = false;
		this.inFlight++;
		const { result, report } = await watcher
			.send(order.key, permit, signal)
			.catch((): Checked => ({ result: { kind: 'failed' } }));
		this.inFlight--;
		permit.settle({ unanswered: signal.aborted });
		order.check = null;
		this.wake();
		if (signal.aborted) return;
		this.usual = learn(order, result, { sentAt, now: this.clock.now() }, this.usual);
		if (result.kind === 'finished') watcher.remove(order.key);
		report?.();
	}
}

const schedulers = new WeakMap<RequestBudget, Scheduler>();

/** The scheduler of this budget; the clock is that of the first caller. */
export function schedulerOf(budget: RequestBudget, clock: Clock): Scheduler {
	const scheduler = schedulers.get(budget) ?? new Scheduler(budget, clock);
	schedulers.set(budget, scheduler);
	return scheduler;
}
