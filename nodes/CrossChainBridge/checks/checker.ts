import { type Clock, within } from '../budget/clock';
import type { AddOptions } from '../schedule/order';
import { OrderWatcher } from '../schedule/watcher';
import type { BridgeService } from '../service/service';
import { type CheckOutcome, observationOf } from './outcome';
import {
	type Findings,
	type OpenOrder,
	type Probed,
	StatusChecks,
	type StatusChecksOptions,
} from './statusChecks';

interface CheckerOptions extends Partial<StatusChecksOptions> {
	service: BridgeService;
	clock: Clock;
	/** Between two checks of one order, in milliseconds. */
	intervalMs: number;
	onOutcome(key: string, outcome: CheckOutcome): void;
}

/** One check of each order takes no longer, where a service says nothing. */
const MAX_ROUND_MS = 30_000;

/** After this long the state of the circuit is read again. */
const STRETCH_MS = 1_000;

const IDLE_MS = 250;

/** Makes status checks, for a trigger or an execution that waits. Times in milliseconds of the clock. */
export class Checker {
	private readonly checks: StatusChecks;

	private watcher: OrderWatcher;

	private intervalMs: number;

	/** Grows with each pause; a loop that began before it ends. */
	private pauses = 0;

	private readonly clock: Clock;

	constructor(private readonly options: CheckerOptions) {
		this.clock = options.clock;
		this.intervalMs = options.intervalMs;
		this.checks = new StatusChecks(options.service, options.clock, {
			onAccountError: (error) => {
				this.watcher.pause();
				options.onAccountError?.(error);
			},
			onMoved: () => {
				// Several checks in flight find out at the same time.
				if (this.watcher.options.budget === this.service.budget) return;
				this.restart();
				options.onMoved?.();
			},
		});
		this.watcher = this.newWatcher();
	}

	get size(): number {
		return this.checks.orders.size;
	}

	/** What the user has to correct before anything is checked; null if nothing. */
	get accountError() {
		return this.checks.circuit.error;
	}

	get service(): BridgeService {
		return this.checks.service;
	}

	takeFindings(): Findings {
		return this.checks.takeFindings();
	}

	/** Another account or interval starts a fresh schedule. */
	use(service: BridgeService, intervalMs: number): void {
		const isSameAccount = service.budget === this.service.budget;
		const isSame = isSameAccount && intervalMs === this.intervalMs;
		this.checks.service = service;
		this.intervalMs = intervalMs;
		if (!isSameAccount) this.checks.circuit.reset();
		if (!isSame) this.restart();
	}

	/** Checks just these orders, by hash key, from now on; known ones keep their rhythm. */
	setOrders(open: ReadonlyMap<string, OpenOrder>): void {
		const { orders } = this.checks;
		for (const key of orders.keys()) {
			if (!open.has(key)) this.remove(key);
		}
		for (const [key, order] of open) {
			const before = orders.get(key);
			const { startedAt, postedAt } = order;
			const saysMore =
				before !== undefined && (before.startedAt !== startedAt || before.postedAt !== postedAt);
			orders.set(key, Object.assign(before ?? { ...order }, { startedAt, postedAt }));
			// Also one whose final status was seen, and could not be applied.
			if (!this.watcher.orders.has(key)) this.watcher.add(key, this.asAdded(order));
			else if (saysMore) this.watcher.restate(key, this.asAdded(order));
		}
	}

	remove(key: string): void {
		this.checks.orders.delete(key);
		this.watcher.remove(key);
	}

	/** One check of each order, as far as the budget has room now; resolves after their responses, or then. */
	async checkEach(until: number): Promise<void> {
		const end = Math.min(until, this.clock.now() + MAX_ROUND_MS);
		await this.watcher.checkEach(end);
		await this.settled(end);
	}

	/** To be called once a second. */
	async tick(): Promise<void> {
		if (this.checks.circuit.isProbeDue(this.clock.now())) void this.checks.probe();
		if (this.accountError === null) await this.watcher.runBeforeNextTick();
	}

	/** Makes the checks that are due, until then and while `isNeeded`; a newer call takes over. */
	async checkUntil(until: number, isNeeded: () => boolean): Promise<void> {
		this.pause();
		const { checks, pauses } = this;
		while (pauses === this.pauses && this.clock.now() < until && isNeeded()) {
			const now = this.clock.now();
			if (checks.circuit.isProbeDue(now)) void checks.probe();
			const stretchEnd = Math.min(until, now + STRETCH_MS);
			const canCheck = this.accountError === null && this.size > 0;
			if (canCheck) await this.watcher.run(stretchEnd);
			// Where finished orders are still to be applied, a run returns at once.
			const isIdle = !canCheck || (this.clock.now() < stretchEnd && this.size > 0);
			if (isIdle) await this.clock.sleep(Math.min(IDLE_MS, stretchEnd - this.clock.now()));
		}
	}

	/** Asks the configuration whether key and address work, if the budget has room now. */
	async probe(until: number): Promise<Probed> {
		return (await within(this.clock, until, this.checks.probe())) ?? 'notSent';
	}

	/** Waits for the checks in flight, until then. */
	async settled(until: number): Promise<void> {
		const settled = this.watcher.settled().then(async () => await this.checks.probed());
		await within(this.clock, until, settled);
	}

	/** Drops what is in flight; the orders stay, with their rhythm. */
	pause(): void {
		this.pauses++;
		this.watcher.pause();
	}

	stop(): void {
		this.pause();
		this.watcher.stop();
		this.checks.orders.clear();
	}

	/** Drops what is in flight, and begins a fresh schedule. */
	restart(): void {
		this.watcher.stop();
		this.watcher = this.newWatcher();
		for (const [key, order] of this.checks.orders) this.watcher.add(key, this.asAdded(order));
	}

	/** Posts and the service state times of the wall clock. */
	private onClock<T extends number | null | undefined>(wallMs: T): T | number {
		return typeof wallMs === 'number' ? (this.clock.ofWallTime?.(wallMs) ?? wallMs) : wallMs;
	}

	private asAdded({ startedAt, postedAt }: OpenOrder): AddOptions {
		return { startedAt: this.onClock(startedAt), postedAt: this.onClock(postedAt) };
	}

	private newWatcher(): OrderWatcher {
		const { clock, intervalMs } = this;
		return new OrderWatcher({
			budget: this.service.budget,
			clock,
			intervalMs,
			limit: () => this.service.requestsPerMinute,
			check: async (key, permit, signal) => {
				const outcome = await this.checks.check(key, permit, signal);
				const observed = observationOf(outcome);
				if ('createdAtMs' in observed) observed.createdAtMs = this.onClock(observed.createdAtMs);
				return {
					observed,
					report: () => outcome !== null && this.options.onOutcome(key, outcome),
				};
			},
		});
	}
}
