import { type Clock, within } from '../budget/clock';
import type { Permit } from '../budget/requestBudget';
import type { AddOptions } from '../schedule/order';
import { type Checked, OrderWatcher } from '../schedule/watcher';
import { needsTheUser, type ServiceError } from '../service/errors';
import type { BridgeService } from '../service/service';
import { Circuit } from './circuit';
import { type CheckOutcome, checkOutcome, observationOf } from './outcome';

/** An order to check. Times in milliseconds since 1970. */
export interface OpenOrder extends AddOptions {
	sourceHash: string;
}

interface CheckerOptions {
	service: BridgeService;
	clock: Clock;
	/** Between two checks of one order. */
	intervalMs: number;
	onOutcome(key: string, outcome: CheckOutcome): void;
	/** The configuration says that the user has to correct key or address. */
	onAccountError?(error: ServiceError): void;
	/** The credential leads to another account. */
	onMoved?(): void;
}

/** What checks have shown since it was last read. */
interface Findings {
	/** Checks to which the service has responded. */
	responses: number;
	/** Only the service can show an order: any server responds with 404. */
	hasShownOrder: boolean;
	/** Of the last check to which it has not responded. */
	error: ServiceError | null;
}

const nothingFound = (): Findings => ({ responses: 0, hasShownOrder: false, error: null });

/** What the configuration has shown; 'notSent' where the budget has no room, or the response came too late. */
type Probed = 'sound' | 'notSent' | ServiceError;

/** Not sent, or nobody waits for it any more. */
const NOT_CHECKED: Checked = { observed: { kind: 'failed' } };

/** How long one check of each order may take, whatever the service does. */
const MAX_ROUND_MS = 30_000;

/** After this the circuit is read again. */
const STRETCH_MS = 250;

/** Makes status checks, for a trigger or an execution that waits. Times in milliseconds of the clock. */
export class Checker {
	service: BridgeService;

	/** By hash key. */
	private orders = new Map<string, OpenOrder>();

	private watcher: OrderWatcher;

	private circuit = new Circuit();

	private found = nothingFound();

	private probing: Promise<Probed> | null = null;

	private intervalMs: number;

	/** After a pause no `checkUntil` from before it continues. */
	private pauses = 0;

	private readonly clock: Clock;

	constructor(private readonly options: CheckerOptions) {
		this.service = options.service;
		this.clock = options.clock;
		this.intervalMs = options.intervalMs;
		this.watcher = this.newWatcher();
	}

	get size(): number {
		return this.orders.size;
	}

	/** What the user has to correct before anything is checked. */
	get accountError(): ServiceError | null {
		return this.circuit.error;
	}

	takeFindings(): Findings {
		const { found } = this;
		this.found = nothingFound();
		return found;
	}

	/** Another account or interval starts a fresh schedule. */
	use(service: BridgeService, intervalMs: number): void {
		const isMoved = service.budget !== this.service.budget;
		const isOther = isMoved || intervalMs !== this.intervalMs;
		this.service = service;
		this.intervalMs = intervalMs;
		if (isMoved) this.circuit = new Circuit();
		if (isOther) this.restart();
	}

	/** Checks just these orders, by hash key, from now on; known ones keep their rhythm. */
	setOrders(open: ReadonlyMap<string, OpenOrder>): void {
		const before = this.orders;
		this.orders = new Map(open);
		for (const key of before.keys()) if (!open.has(key)) this.watcher.remove(key);
		for (const [key, order] of open) {
			const { startedAt, postedAt } = before.get(key) ?? order;
			// Also one whose final status was seen, and could not be applied.
			if (!this.watcher.orders.has(key)) this.watcher.add(key, this.asAdded(order));
			else if (order.startedAt !== startedAt || order.postedAt !== postedAt)
				this.watcher.restate(key, this.asAdded(order));
		}
	}

	remove(key: string): void {
		this.orders.delete(key);
		this.watcher.remove(key);
	}

	/** One check of each order, as far as the budget has room; resolves after their responses, or then. */
	async checkEach(until: number): Promise<void> {
		const end = Math.min(until, this.clock.now() + MAX_ROUND_MS);
		await this.watcher.checkEach(end);
		await this.settled(end);
	}

	/** Makes the checks that are due now; resolves after their responses, or then. */
	async checkDue(until: number): Promise<void> {
		await this.watcher.run(Math.min(until, this.clock.now() + STRETCH_MS));
		await this.settled(until);
	}

	/** To be called once a second. */
	async tick(): Promise<void> {
		this.probeIfDue();
		if (this.accountError === null) await this.watcher.runBeforeNextTick();
	}

	/** Makes the checks that are due, until then and while `isNeeded`; a newer call takes over. */
	async checkUntil(until: number, isNeeded: () => boolean): Promise<void> {
		this.pause();
		const { pauses } = this;
		while (pauses === this.pauses && this.clock.now() < until && isNeeded()) {
			this.probeIfDue();
			const stretchEnd = Math.min(until, this.clock.now() + STRETCH_MS);
			const canCheck = this.accountError === null && this.size > 0;
			if (canCheck) await this.watcher.run(stretchEnd);
			// Where finished orders are still to be applied, a run returns at once.
			const restMs = stretchEnd - this.clock.now();
			if (restMs > 0 && (!canCheck || this.size > 0)) await this.clock.sleep(restMs);
		}
	}

	/** Asks the configuration whether key and address work, if the budget has room. */
	async probe(until = Infinity): Promise<Probed> {
		this.probing ??= this.askConfiguration().finally(() => (this.probing = null));
		return (await within(this.clock, until, this.probing)) ?? 'notSent';
	}

	/** Waits for the checks in flight and the probe that they led to, until then. */
	async settled(until: number): Promise<void> {
		const settled = this.watcher.settled().then(async () => await this.probing);
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
		this.orders.clear();
	}

	/** Drops what is in flight, and begins a fresh schedule. */
	restart(): void {
		this.watcher.stop();
		this.watcher = this.newWatcher();
		for (const [key, order] of this.orders) this.watcher.add(key, this.asAdded(order));
	}

	private newWatcher(): OrderWatcher {
		const { clock, intervalMs } = this;
		return new OrderWatcher({
			budget: this.service.budget,
			clock,
			intervalMs,
			limit: () => this.service.requestsPerMinute,
			check: async (...asked) => await this.check(...asked),
		});
	}

	private async check(key: string, permit: Permit, signal: AbortSignal): Promise<Checked> {
		const order = this.orders.get(key);
		if (order === undefined || this.accountError !== null) {
			permit.release();
			return NOT_CHECKED;
		}
		const response = await this.service.status(order.sourceHash, { permit, signal });
		if (signal.aborted || this.hasMoved()) return NOT_CHECKED;
		const outcome = checkOutcome(response);
		this.note(outcome);
		const observed = observationOf(outcome);
		if ('createdAtMs' in observed) observed.createdAtMs = this.onClock(observed.createdAtMs);
		return { observed, report: () => this.options.onOutcome(key, outcome) };
	}

	private note(outcome: CheckOutcome): void {
		const isSuspect = outcome.kind === 'orderError' && outcome.isSuspect;
		if (isSuspect) {
			this.circuit.suspect();
			this.probeIfDue();
		}
		if (outcome.kind === 'transient' || isSuspect) {
			this.found.error = outcome.error;
			return;
		}
		this.found.responses++;
		this.found.hasShownOrder ||= outcome.kind === 'order';
	}

	private probeIfDue(): void {
		if (this.circuit.isProbeDue(this.clock.now())) void this.probe();
	}

	private async askConfiguration(): Promise<Probed> {
		const { budget } = this.service;
		const response = await this.service.configNow();
		if (response === null || this.hasMoved() || budget !== this.service.budget) return 'notSent';
		const error = response.ok ? null : response.error;
		const isAccountError = error !== null && needsTheUser(error, 'config');
		this.circuit.probed(error, isAccountError, this.clock.now());
		if (isAccountError) {
			this.watcher.pause();
			this.options.onAccountError?.(error);
		}
		return error ?? 'sound';
	}

	/** Whether the credential leads to another account by now; then a fresh schedule begins. */
	private hasMoved(): boolean {
		if (this.watcher.options.budget === this.service.budget) return false;
		this.restart();
		this.options.onMoved?.();
		return true;
	}

	private asAdded({ startedAt, postedAt }: OpenOrder): AddOptions {
		return { startedAt: this.onClock(startedAt), postedAt: this.onClock(postedAt) };
	}

	/** Posts and the service state times of the wall clock. */
	private onClock<T extends number | null | undefined>(wallMs: T): T | number {
		return typeof wallMs === 'number' ? (this.clock.ofWallTime?.(wallMs) ?? wallMs) : wallMs;
	}
}
