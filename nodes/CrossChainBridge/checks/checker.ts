import type { BridgeService } from '../service/service';
import type { Clock } from '../budget/requestBudget';
import type { AddOptions, CheckResult } from '../schedule/order';
import { checkBeforeNextTick } from '../schedule/ticks';
import { OrderWatcher } from '../schedule/watcher';
import { type CheckOutcome, resultOf } from './outcome';
import {
	type Findings,
	type OpenOrder,
	type Probed,
	StatusChecks,
	type StatusChecksOptions,
} from './statusChecks';
import { within } from './within';

interface CheckerOptions {
	service: BridgeService;
	clock: Clock;
	/** Minimum time between checks of the same order, in milliseconds. */
	intervalMs: number;
	/** Called for what each check has shown, by hash key. */
	onOutcome(key: string, outcome: CheckOutcome): void;
	onAccountError?: StatusChecksOptions['onAccountError'];
	onMoved?: StatusChecksOptions['onMoved'];
}

/** What one check of each order takes, where a service says nothing. */
const MAX_ROUND_MS = 30_000;

/** How long one stretch of checks lasts before the state of the circuit is read again. */
const STRETCH_MS = 1_000;

/** How often an idle checker asks whether there is work. */
const IDLE_MS = 250;

/** Makes status checks, for a trigger or an execution that waits; driven through one check of each order, by ticks, or until a time. */
export class Checker {
	private readonly checks: StatusChecks;

	private watcher: OrderWatcher;

	/** The budget of the account that the watcher checks with. */
	private watchedWith: BridgeService['budget'] | null = null;

	private intervalMs: number;

	/** Grows when a newer drive takes over. */
	private drive = 0;

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
				if (this.watchedWith === this.service.budget) return;
				this.restart();
				options.onMoved?.();
			},
		});
		this.watcher = this.newWatcher();
	}

	/** How many orders are open. */
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

	/** When the service last answered for each order, in milliseconds since 1970. */
	answeredAt(): ReadonlyMap<string, number> {
		return new Map(
			[...this.checks.orders].flatMap(([key, { answeredAt }]) =>
				answeredAt === undefined ? [] : [[key, answeredAt] as const],
			),
		);
	}

	/** What checks have shown since the last call. */
	takeFindings(): Findings {
		return this.checks.takeFindings();
	}

	/** Sends by this service from now on. Another account or interval starts a fresh schedule. */
	use(service: BridgeService, intervalMs: number): void {
		const isSame = service.budget === this.service.budget && intervalMs === this.intervalMs;
		const before = this.checks.service;
		this.checks.service = service;
		this.intervalMs = intervalMs;
		if (isSame) return;
		if (service.budget !== before.budget) this.checks.circuit.reset();
		this.restart();
	}

	/** Checks just these orders from now on, by hash key; known ones keep their rhythm. */
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

	/** Checks this order no longer; what is in flight is dropped. */
	remove(key: string): void {
		this.checks.orders.delete(key);
		this.watcher.remove(key);
	}

	/** One check of each open order, as far as the budget has room now; resolves when they are answered, or at `until` (ms). */
	async checkEach(until: number): Promise<void> {
		const end = Math.min(until, this.clock.now() + MAX_ROUND_MS);
		await this.watcher.checkEach(end);
		await this.settled(end);
	}

	/** To be called once a second: makes the checks that are due before the next tick, so that their answers are fresh by then. */
	async tick(): Promise<void> {
		if (this.checks.circuit.isProbeDue(this.clock.now())) void this.checks.probe();
		if (this.accountError === null) await checkBeforeNextTick(this.watcher, this.clock);
	}

	/** Makes the checks that are due until this time (ms) while `isNeeded`; a newer call takes over. */
	async checkUntil(until: number, isNeeded: () => boolean): Promise<void> {
		this.pause();
		const { checks, drive } = this;
		while (drive === this.drive && this.clock.now() < until && isNeeded()) {
			const now = this.clock.now();
			if (checks.circuit.isProbeDue(now)) void checks.probe();
			const stretchEnd = Math.min(until, now + STRETCH_MS);
			const canCheck = this.accountError === null && this.size > 0;
			if (canCheck) await this.watcher.run(stretchEnd);
			// It also returns at once while another run is not over yet.
			const isIdle = !canCheck || (this.clock.now() < stretchEnd && this.size > 0);
			if (isIdle) await this.clock.sleep(Math.min(IDLE_MS, stretchEnd - this.clock.now()));
		}
	}

	/** Asks the configuration whether key and address work, if the budget has room now; waits for the answer until then (ms). */
	async probe(until: number): Promise<Probed> {
		return (await within(this.clock, until, this.checks.probe())) ?? 'notSent';
	}

	/** Waits for the checks in flight until then (ms). */
	async settled(until: number): Promise<void> {
		const settled = this.watcher.settled().then(async () => await this.checks.probed());
		await within(this.clock, until, settled);
	}

	/** Stops driving, and drops what is in flight. The orders stay, with their rhythm. */
	pause(): void {
		this.drive++;
		this.watcher.pause();
	}

	/** Stops it for good. */
	stop(): void {
		this.pause();
		this.watcher.stop();
		this.checks.orders.clear();
	}

	/** Drops what is in flight, and begins a fresh schedule: each order is due. Whoever drives it drives the new one. */
	restart(): void {
		this.watcher.stop();
		this.watcher = this.newWatcher();
		for (const [key, order] of this.checks.orders) this.watcher.add(key, this.asAdded(order));
	}

	/** Posts have the time of the wall clock, and so has what the service states. */
	private onClock<T extends number | null | undefined>(wallMs: T): T | number {
		return typeof wallMs === 'number' ? (this.clock.ofWallTime?.(wallMs) ?? wallMs) : wallMs;
	}

	private asAdded({ startedAt, postedAt }: OpenOrder): AddOptions {
		return { startedAt: this.onClock(startedAt), postedAt: this.onClock(postedAt) };
	}

	private newWatcher(): OrderWatcher {
		const { clock, intervalMs, service } = this;
		this.watchedWith = service.budget;
		return new OrderWatcher({
			budget: service.budget,
			clock,
			intervalMs,
			limit: () => this.service.requestsPerMinute,
			check: async (key, permit, signal) => {
				const outcome = await this.checks.check(key, permit, signal);
				return {
					result: this.asLearnt(resultOf(outcome)),
					report: () => outcome !== null && this.options.onOutcome(key, outcome),
				};
			},
		});
	}

	private asLearnt(result: CheckResult): CheckResult {
		return 'createdAtMs' in result
			? { ...result, createdAtMs: this.onClock(result.createdAtMs) }
			: result;
	}
}
