import type { RequestBudget } from '../budget/requestBudget';
import type { TenantOrders } from '../schedule/dueOrders';
import type { Beginning, ScheduledOrder } from '../schedule/order';
import type { ServiceError } from '../service/errors';
import type { BridgeService } from '../service/service';
import { Circuit } from './circuit';
import type { CheckOutcome } from './outcome';

/** An order to check. Times in milliseconds since 1970. */
export interface OpenOrder extends Beginning {
	sourceHash: string;
}

/** What one status check has shown. */
export interface Seen {
	/** See orderKey. */
	key: string;
	outcome: CheckOutcome;
	/** When the service responded, in milliseconds since 1970. */
	at: number;
	/** How far the clock of n8n was ahead of that of the service then, in milliseconds. */
	clockAheadMs: number;
	/**
	 * Whether the service works, although the checks of this order fail: since they began to fail it has responded about another order,
	 * or its configuration was sound, and that was lately or after the check before this one. Then a failed check is the fault of this order.
	 */
	isServiceSound: boolean;
}

/** What checks have shown since this was last read; as it is before the first. */
export const emptyTally = () => ({
	/** Checks with a response about their order. */
	responses: 0,
	/** Whether one of them showed an order: any server can respond with 404, but only the service can show an order. */
	hasShownOrder: false,
	/** Why the last check without a response about its order got none. */
	error: null as ServiceError | null,
	/** A fault in this package's code; the checks of other orders have continued. */
	fault: null as Error | null,
});

export type Tally = ReturnType<typeof emptyTally>;

/** What the configuration has shown; 'notSent' if the budget has no room, or the response came too late. */
export type Probed = 'sound' | 'notSent' | ServiceError;

const TICK_MS = 1_000;
/** How long the checks for a tick may begin. That time ends as long before the tick as a response is expected to take, so that it is there and fresh. */
const BEGIN_MS = 60;
/** Responses are expected to take this many times as long as they did on average, and at least so long. */
const MARGIN = 1.5;
const MIN_RESPONSE_MS = 60;
/** Slower ones count as if they took this long, so that one that hangs does not make the checks after it much too early. */
const MAX_RESPONSE_MS = 400;
/** How much the last response counts in that average. */
const RESPONSE_PART = 0.1;

/** For how long checks that are wanted may begin. */
const MAX_ROUND_MS = 30_000;

/** How long the checks of an order fail before the configuration is asked whether the service works. */
const UNEXPLAINED_AFTER_MS = 60_000;

/** For how long a service that has worked is taken for one that works. */
const LATELY_MS = 120_000;

/** The share of a tenant in the budget depends on its checks within this time. */
const BEGUN_WITHIN_MS = 60_000;

/**
 * A tenant of a request budget: one trigger, or one execution that waits. Its Checker and the CheckSender of the budget share this object.
 * The Checker writes which orders are to be checked, and until when checks begin; it takes out what was seen. The CheckSender begins the checks,
 * and writes what they have shown.
 *
 * Checks begin in three ways: whenever they are due, until a time (`run`); whenever they are due within the window before the next tick
 * (`runBeforeNextTick`); and one for each order, due or not (`wantEach`). `update` opens the window, and ends what is over. Times in milliseconds of
 * the clock.
 */
export class Tenant implements TenantOrders {
	/** The orders to check, by their order keys. The Checker puts them in; the CheckSender takes out one that has finished. */
	readonly orders = new Map<string, ScheduledOrder>();

	/** Those that a check has shown as finished, moved here by the CheckSender. If the outcome was not theirs, the Checker moves them back, with their rhythm. */
	readonly done = new Map<string, ScheduledOrder>();

	/** All orders of the Checker, which alone writes this, by their order keys. */
	open: ReadonlyMap<string, OpenOrder> = new Map();

	/** Outcomes that the Checker has not taken yet. `receive` adds them. */
	seen: Seen[] = [];

	/** What checks have shown since the Checker last took it. */
	tally = emptyTally();

	/** Written by `receive`, which suspects, and by the CheckSender, which probes. */
	circuit = new Circuit();

	/** When the service last showed that it works, by a response about an order or a sound configuration. */
	soundAt = -Infinity;

	/** Since when the checks of an order have failed, and when the last one did, by its key. */
	private readonly failing = new Map<string, { since: number; last: number }>();

	/** The request for the configuration that is under way; null if none is. Written by the CheckSender. */
	probing: Promise<Probed> | null = null;

	/** Checks begin, whenever they are due, until this time; -Infinity if they do not. `run` sets it. */
	runsUntil = -Infinity;

	/** When the window before the next tick opens; Infinity if there is none. `runBeforeNextTick` sets it. */
	private windowOpensAt = Infinity;

	/** When the last tick was. */
	private tickedAt = -Infinity;

	/** How long responses take on average. */
	private responseMs = 0;

	/** Each order whose check is wanted gets one until this time; -Infinity if none is wanted. `wantEach` sets it. */
	private wantsUntil = -Infinity;

	/** Requests per Minute of its credential, as the CheckSender has read it with its last step. */
	limit = 1;

	/** When the checks of the last minute began. */
	private begunAt: number[] = [];

	/** Those who wait for a change; see `change`. */
	private waiting: Array<{ until: number; error: ServiceError | null; resolve(): void }> = [];

	constructor(
		public service: BridgeService,
		public budget: RequestBudget,
	) {}

	/** Whether checks begin now, whenever they are due. */
	get isRunning(): boolean {
		return this.runsUntil > -Infinity;
	}

	/** Whether any check may begin now, due or wanted. */
	get mayBegin(): boolean {
		return this.circuit.error === null && (this.isRunning || this.wantsUntil > -Infinity);
	}

	/** The checks that it has begun in the last minute. */
	get begun(): number {
		return this.begunAt.length;
	}

	/** Whether an outcome, or the response to a probe, may still come. */
	get isComing(): boolean {
		const isInFlight = [...this.orders.values()].some(({ check }) => check !== null);
		const begins = this.isRunning || this.wantsUntil > -Infinity || this.windowOpensAt < Infinity;
		return begins || isInFlight || this.probing !== null;
	}

	/** When the time itself next changes something; Infinity if it does not. */
	get changesAt(): number {
		const ends = [this.runsUntil, this.wantsUntil, ...this.waiting.map(({ until }) => until)];
		return Math.min(this.windowOpensAt, ...ends.filter((end) => end > -Infinity));
	}

	/** Checks begin, whenever they are due, until this time at least. */
	run(until: number): void {
		this.runsUntil = Math.max(this.runsUntil, until);
	}

	/** Checks begin shortly before the tick that follows the one at this time. */
	runBeforeNextTick(now: number): void {
		const leadMs = BEGIN_MS + Math.max(MIN_RESPONSE_MS, MARGIN * this.responseMs);
		this.windowOpensAt = Math.min(this.windowOpensAt, now + TICK_MS - leadMs);
		this.tickedAt = now;
	}

	/** Each order gets one check, due or not. */
	wantEach(now: number): void {
		if (this.circuit.error !== null) return;
		for (const order of this.orders.values()) order.isWanted = order.check === null;
		this.wantsUntil = now + MAX_ROUND_MS;
	}

	/** Gives up the checks in flight, those that are wanted and those that are to begin. */
	end(): void {
		for (const key of this.orders.keys()) this.abort(key);
		Object.assign(this, { runsUntil: -Infinity, windowOpensAt: Infinity, wantsUntil: -Infinity });
	}

	/** Gives up the check of this order. */
	abort(key: string): void {
		const order = this.orders.get(key);
		order?.check?.abort();
		if (order !== undefined) Object.assign(order, { check: null, isWanted: false });
	}

	/** Gives up an order, and keeps nothing of it. */
	forget(key: string): void {
		this.abort(key);
		this.orders.delete(key);
		this.done.delete(key);
		this.failing.delete(key);
	}

	/** To be called when the credential leads to another account. What the one before has shown says nothing of it. */
	changeAccount(): void {
		this.budget = this.service.budget;
		this.circuit = new Circuit();
		this.soundAt = -Infinity;
		this.failing.clear();
	}

	/** To be called when a check of this order begins. */
	begin(order: ScheduledOrder, check: AbortController, now: number): void {
		// The checks for a tick begin before it by as long as responses take, which varies. So the interval counts from the tick before, for any
		// check within a second after it: counted from the check itself, it would often not be over in time for a later tick.
		const checkedAt = now - this.tickedAt <= TICK_MS ? this.tickedAt : now;
		Object.assign(order, { check, checkedAt, isWanted: false });
		this.begunAt.push(now);
	}

	/** To be called with what a check has shown. */
	receive(
		seen: Omit<Seen, 'isServiceSound'>,
		{ sentAt, now }: { sentAt: number; now: number },
	): void {
		const { outcome, key } = seen;
		const isSuspect = outcome.kind === 'suspect';
		const tookMs = Math.min(now - sentAt, MAX_RESPONSE_MS);
		this.responseMs += RESPONSE_PART * (tookMs - this.responseMs);
		const before = this.failing.get(key) ?? { since: now, last: now };
		if (outcome.kind === 'order' || outcome.kind === 'notFound') {
			this.soundAt = now;
			this.failing.delete(key);
		} else this.failing.set(key, { ...before, last: now });
		// The service may have broken down since it last worked. So it counts as working only if that was lately, or after the check before this one.
		const isServiceSound =
			this.soundAt >= before.since &&
			(this.soundAt >= before.last || now - this.soundAt < LATELY_MS);
		this.seen.push({ ...seen, isServiceSound });
		// The configuration is asked again before what it has shown is too old.
		const isUnexplained = now - Math.max(before.since, this.soundAt) >= UNEXPLAINED_AFTER_MS;
		if (isSuspect || isUnexplained) this.circuit.suspect();
		if (outcome.kind === 'transient' || isSuspect) {
			this.tally.error = outcome.error;
			return;
		}
		this.tally.responses++;
		this.tally.hasShownOrder ||= outcome.kind === 'order';
	}

	/** Resolves when something can be taken, nothing more is coming, the circuit opens or closes, or at `until`. */
	async change(until: number): Promise<void> {
		const { error } = this.circuit;
		await new Promise<void>((resolve) => this.waiting.push({ until, error, resolve }));
	}

	/** To be called after each change, and as time passes. */
	update(now: number): void {
		if (now >= this.windowOpensAt) {
			// If the loop wakes late, checks still begin for a moment, though their responses may miss the tick.
			this.run(Math.max(this.windowOpensAt + BEGIN_MS, now + MIN_RESPONSE_MS));
			this.windowOpensAt = Infinity;
		}
		if (now >= this.runsUntil) this.runsUntil = -Infinity;
		const orders = [...this.orders.values()];
		if (now >= this.wantsUntil) for (const order of orders) order.isWanted = false;
		if (orders.every(({ isWanted }) => !isWanted)) this.wantsUntil = -Infinity;
		while ((this.begunAt[0] ?? now) <= now - BEGUN_WITHIN_MS) this.begunAt.shift();
		const { circuit, waiting, seen, isComing } = this;
		const isOver = ({ until, error }: (typeof waiting)[number]): boolean =>
			seen.length > 0 || !isComing || now >= until || error !== circuit.error;
		this.waiting = waiting.filter((each) => !isOver(each));
		for (const each of waiting) if (!this.waiting.includes(each)) each.resolve();
	}
}
