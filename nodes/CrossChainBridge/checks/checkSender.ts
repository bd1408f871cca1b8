import type { Clock } from '../budget/clock';
import type { Permit, RequestBudget } from '../budget/requestBudget';
import { errorOf } from '../orders/values';
import { type DueOrder, dueOrders } from '../schedule/dueOrders';
import { learn, NOTHING_LEARNT, type Observation } from '../schedule/order';
import { isAccountError } from '../service/errors';
import { checkOutcome, observationOf } from './outcome';
import type { Probed, Watcher } from './watcher';

/** A watcher from which nothing has come for this long claims nothing of the budget any more. */
const CLAIM_MS = 5_000;
/** Between two steps; the part for each order leaves time for the rest of the process. */
const STEP_MS = 20;
const STEP_MS_PER_ORDER = 0.1;
/** Between two steps if nothing is due. */
const MAX_REST_MS = 1_000;
const MAX_AT_ONCE = 25;
const MAX_IN_FLIGHT = 75;

/** Begins the checks of all watchers of one budget, which learn from each other's. */
export class CheckSender {
	private learnt = NOTHING_LEARNT;

	private readonly sampledAt = { posted: -Infinity, listed: -Infinity };

	/** Those from which an outcome may still come, now or lately, and when that was last so. */
	private readonly watchers = new Map<Watcher, number>();

	private inFlight = 0;

	private isRunning = false;

	private wake = (): void => undefined;

	private constructor(
		private readonly budget: RequestBudget,
		private readonly clock: Clock,
	) {}

	static of(budget: RequestBudget, clock: Clock): CheckSender {
		const checkSender = checkSenders.get(budget) ?? new CheckSender(budget, clock);
		checkSenders.set(budget, checkSender);
		return checkSender;
	}

	/** To be called when the watcher has more to do, or less. */
	notice(watcher: Watcher): void {
		watcher.update(this.clock.now());
		// If a probe or check that began before the account changed ends now, the watcher already belongs to the sender of another budget.
		if (watcher.budget !== this.budget) this.watchers.delete(watcher);
		else if (watcher.isComing) this.watchers.set(watcher, this.clock.now());
		this.wake();
		if (!this.isRunning && this.watchers.size > 0) void this.run();
	}

	/** Forgets the watcher, and gives up what it has begun. */
	drop(watcher: Watcher): void {
		watcher.end();
		watcher.update(this.clock.now());
		this.watchers.delete(watcher);
		this.wake();
	}

	/** Asks the configuration whether key and address work, if the budget has room. */
	async probe(watcher: Watcher): Promise<Probed> {
		watcher.probing ??= this.askConfiguration(watcher).finally(() => {
			watcher.probing = null;
			this.notice(watcher);
		});
		return await watcher.probing;
	}

	private probeIfDue(watcher: Watcher): void {
		if (watcher.circuit.isProbeDue(this.clock.now())) void this.probe(watcher);
	}

	private async askConfiguration(watcher: Watcher): Promise<Probed> {
		const { circuit, service } = watcher;
		try {
			const response = await service.configNow();
			if (response === null || watcher.budget !== this.budget) return 'notSent';
			const error = response.ok ? null : response.error;
			const isOfAccount = error !== null && isAccountError(error, 'config');
			circuit.probed(error, isOfAccount, this.clock.now());
			if (error === null) watcher.soundAt = this.clock.now();
			if (isOfAccount) for (const key of watcher.orders.keys()) watcher.abort(key);
			return error ?? 'sound';
		} catch (error) {
			watcher.tally.fault = errorOf(error);
			return 'notSent';
		}
	}

	private async run(): Promise<void> {
		this.isRunning = true;
		while (this.watchers.size > 0) {
			const woken = new Promise<void>((resolve) => (this.wake = resolve));
			const { leastMs, mostMs } = this.rest(this.step());
			const rested = this.clock.sleep(mostMs);
			await this.clock.sleep(leastMs);
			await Promise.race([woken, rested]);
		}
		this.isRunning = false;
	}

	/** How long the loop sleeps, in milliseconds: until the time itself changes something, or something is due. */
	private rest(untilDueMs: number): { leastMs: number; mostMs: number } {
		let [changesAt, orders] = [Infinity, 0];
		for (const watcher of this.watchers.keys()) {
			changesAt = Math.min(changesAt, watcher.changesAt);
			orders += watcher.orders.size;
		}
		const mostMs = Math.max(0, Math.min(changesAt - this.clock.now(), MAX_REST_MS));
		const leastMs = Math.min(mostMs, STEP_MS + STEP_MS_PER_ORDER * orders);
		return { leastMs, mostMs: Math.min(mostMs, untilDueMs) };
	}

	/** Begins the checks that are due, and returns for how many milliseconds none is likely to be. A fault in one watcher costs the others nothing; one in the plan costs all of them this step. */
	private step(): number {
		const now = this.clock.now();
		for (const [watcher, drivenAt] of this.watchers) {
			try {
				watcher.update(now);
				if (watcher.isComing) this.watchers.set(watcher, now);
				// Nobody stops the watcher of a workflow that is unpublished.
				else if (now - drivenAt > CLAIM_MS || watcher.open.size === 0)
					this.watchers.delete(watcher);
				watcher.limit = watcher.service.requestsPerMinute;
				if (watcher.isRunning) this.probeIfDue(watcher);
			} catch (error) {
				// It is left out until it is driven again.
				watcher.tally.fault = errorOf(error);
				this.watchers.delete(watcher);
			}
		}
		try {
			return this.beginDue(now);
		} catch (error) {
			for (const watcher of this.watchers.keys()) watcher.tally.fault = errorOf(error);
			return MAX_REST_MS;
		}
	}

	private beginDue(now: number): number {
		const { learnt, sampledAt } = this;
		const watchers = [...this.watchers.keys()];
		const budget = this.budget.view(Math.max(1, ...watchers.map(({ limit }) => limit)));
		const { due, restMs } = dueOrders({ watchers, now, budget, learnt, sampledAt });
		let room = Math.min(MAX_AT_ONCE, MAX_IN_FLIGHT - this.inFlight);
		const refusedLimits = new Set<number>();
		for (const next of due) {
			const { order, watcher, sampleOf } = next;
			if (room <= 0) break;
			// If only checks of each order are wanted, no other is due.
			if (!watcher.isRunning && !order.isWanted) continue;
			// Each goes by its own limit: others may have room.
			const { limit } = watcher;
			const permit = refusedLimits.has(limit) ? null : this.budget.tryCheck(limit);
			if (permit === null) {
				refusedLimits.add(limit);
				order.isWanted = false;
				continue;
			}
			room--;
			if (sampleOf !== null) this.sampledAt[sampleOf] = now;
			void this.check(next, permit);
		}
		return restMs;
	}

	private async check({ order, watcher, sampleOf }: DueOrder<Watcher>, permit: Permit) {
		const { clock } = this;
		const sentAt = clock.now();
		const check = new AbortController();
		const { signal } = check;
		watcher.begin(order, check, sentAt);
		this.inFlight++;
		let observed: Observation = { kind: 'failed' };
		try {
			const { sourceHash = order.key } = watcher.open.get(order.key) ?? {};
			const response = await watcher.service.status(sourceHash, { permit, signal });
			if (signal.aborted) return;
			const outcome = checkOutcome(response);
			observed = observationOf(outcome);
			if ('createdAtMs' in observed)
				observed = { ...observed, createdAtMs: onClock(clock, observed.createdAtMs) };
			const { clockAheadMs = 0 } = response;
			const seen = { key: order.key, outcome, at: Date.now(), clockAheadMs };
			watcher.receive(seen, { sentAt, now: clock.now() });
			this.probeIfDue(watcher);
		} catch (error) {
			watcher.tally.fault = errorOf(error);
		} finally {
			this.inFlight--;
			permit.settle({ unanswered: signal.aborted });
			if (order.check === check) {
				order.check = null;
				// Others may show the age.
				if (sampleOf !== null && observed.kind === 'failed') this.sampledAt[sampleOf] = -Infinity;
				this.learnt = learn(order, observed, { sentAt, now: clock.now() }, this.learnt);
				if (observed.kind === 'finished') {
					watcher.orders.delete(order.key);
					watcher.done.set(order.key, order);
				}
			}
			this.notice(watcher);
		}
	}
}

const checkSenders = new WeakMap<RequestBudget, CheckSender>();

/** A time of the wall clock, as the service and posts state it, on this clock; null and undefined stay as they are. */
export function onClock<T>(clock: Clock, time: T): T | number {
	return typeof time === 'number' ? (clock.ofWallTime?.(time) ?? time) : time;
}
