import type { Clock } from '../budget/clock';
import type { Permit, RequestBudget } from '../budget/requestBudget';
import { errorOf } from '../orders/values';
import { type DueOrder, dueOrders } from '../schedule/dueOrders';
import { learn, NOTHING_LEARNT, type Observation } from '../schedule/order';
import { isAccountError } from '../service/errors';
import { checkOutcome, observationOf } from './outcome';
import type { Probed, Tenant } from './tenant';

/** A tenant from which nothing has come for this long claims nothing of the budget any more. */
const CLAIM_MS = 5_000;
/** Between two steps; the part for each order leaves time for the rest of the process. */
const STEP_MS = 20;
const STEP_MS_PER_ORDER = 0.1;
/** Between two steps if nothing is due. */
const MAX_REST_MS = 1_000;
const MAX_AT_ONCE = 25;
const MAX_IN_FLIGHT = 75;

/**
 * Begins the checks of all tenants of one budget, which learn from each other's.
 *
 * From n8n's tick to the request:
 * 1. `tick` (n8n/usual.ts) calls `planForNextTick` (checks/checker.ts). A poll calls `run` or `wantEach` of the Checker (`check` in n8n/usual.ts and n8n/durable.ts).
 * 2. The Checker notes in its `Tenant` (checks/tenant.ts) when checks may begin, and calls `notice` here, which wakes the loop or starts it.
 * 3. Each `step` of the loop (`run` here) has the Tenant begin when its time has come (`update` in checks/tenant.ts). Then `beginDue` asks
 *    `dueOrders` (schedule/dueOrders.ts) which orders are to be checked now, and why, and takes a permit for each of them, if the budget has
 *    one (`tryCheck` in budget/requestBudget.ts).
 * 4. `check` calls `status` (service/service.ts), which sends the request through n8n's helper (`sendRequest` in service/request.ts).
 * 5. What the response shows is put into the Tenant (`receive` in checks/tenant.ts), from which the next tick takes it.
 */
export class CheckSender {
	private learnt = NOTHING_LEARNT;

	private readonly sampledAt = { posted: -Infinity, listed: -Infinity };

	/** Those from which an outcome may still come, now or lately, and when that was last so. */
	private readonly tenants = new Map<Tenant, number>();

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

	/** To be called when the tenant has more to do, or less. */
	notice(tenant: Tenant): void {
		tenant.update(this.clock.now());
		// If a probe or check that began before the account changed ends now, the tenant already belongs to the sender of another budget.
		if (tenant.budget !== this.budget) this.tenants.delete(tenant);
		else if (tenant.isComing) this.tenants.set(tenant, this.clock.now());
		this.wake();
		if (!this.isRunning && this.tenants.size > 0) void this.run();
	}

	/** Forgets the tenant, and gives up what it has begun. */
	drop(tenant: Tenant): void {
		tenant.end();
		tenant.update(this.clock.now());
		this.tenants.delete(tenant);
		this.wake();
	}

	/** Asks the configuration whether key and address work, if the budget has room. */
	async probe(tenant: Tenant): Promise<Probed> {
		tenant.probing ??= this.askConfiguration(tenant).finally(() => {
			tenant.probing = null;
			this.notice(tenant);
		});
		return await tenant.probing;
	}

	private probeIfDue(tenant: Tenant): void {
		if (tenant.circuit.isProbeDue(this.clock.now())) void this.probe(tenant);
	}

	private async askConfiguration(tenant: Tenant): Promise<Probed> {
		const { circuit, service } = tenant;
		try {
			const response = await service.configNow();
			if (response === null || tenant.budget !== this.budget) return 'notSent';
			const error = response.ok ? null : response.error;
			const isOfAccount = error !== null && isAccountError(error, 'config');
			circuit.probed(error, isOfAccount, this.clock.now());
			if (error === null) tenant.soundAt = this.clock.now();
			if (isOfAccount) for (const key of tenant.orders.keys()) tenant.abort(key);
			return error ?? 'sound';
		} catch (error) {
			tenant.tally.fault = errorOf(error);
			return 'notSent';
		}
	}

	private async run(): Promise<void> {
		this.isRunning = true;
		while (this.tenants.size > 0) {
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
		for (const tenant of this.tenants.keys()) {
			changesAt = Math.min(changesAt, tenant.changesAt);
			orders += tenant.orders.size;
		}
		const mostMs = Math.max(0, Math.min(changesAt - this.clock.now(), MAX_REST_MS));
		const leastMs = Math.min(mostMs, STEP_MS + STEP_MS_PER_ORDER * orders);
		return { leastMs, mostMs: Math.min(mostMs, untilDueMs) };
	}

	/** Begins the checks that are due, and returns for how many milliseconds none is likely to be. A fault in one tenant costs the others nothing; one in the plan costs all of them this step. */
	private step(): number {
		const now = this.clock.now();
		for (const [tenant, drivenAt] of this.tenants) {
			try {
				tenant.update(now);
				if (tenant.isComing) this.tenants.set(tenant, now);
				// Nobody stops the tenant of a workflow that is unpublished.
				else if (now - drivenAt > CLAIM_MS || tenant.open.size === 0) this.tenants.delete(tenant);
				tenant.limit = tenant.service.requestsPerMinute;
				if (tenant.isRunning) this.probeIfDue(tenant);
			} catch (error) {
				// It is left out until `notice` is called for it.
				tenant.tally.fault = errorOf(error);
				this.tenants.delete(tenant);
			}
		}
		try {
			return this.beginDue(now);
		} catch (error) {
			for (const tenant of this.tenants.keys()) tenant.tally.fault = errorOf(error);
			return MAX_REST_MS;
		}
	}

	private beginDue(now: number): number {
		const { learnt, sampledAt } = this;
		const tenants = [...this.tenants.keys()];
		const budget = this.budget.view(Math.max(1, ...tenants.map(({ limit }) => limit)));
		const { due, restMs } = dueOrders({ tenants, now, budget, learnt, sampledAt });
		let room = Math.min(MAX_AT_ONCE, MAX_IN_FLIGHT - this.inFlight);
		const refusedLimits = new Set<number>();
		for (const next of due) {
			const { order, tenant, sampleOf } = next;
			if (room <= 0) break;
			// A tenant that only wants one check of each order gets no other.
			if (!tenant.isRunning && !order.isWanted) continue;
			// Each goes by its own limit: others may have room.
			const { limit } = tenant;
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

	private async check({ order, tenant, sampleOf }: DueOrder<Tenant>, permit: Permit) {
		const { clock } = this;
		const sentAt = clock.now();
		const check = new AbortController();
		const { signal } = check;
		tenant.begin(order, check, sentAt);
		this.inFlight++;
		let observed: Observation = { kind: 'failed' };
		try {
			const { sourceHash = order.key } = tenant.open.get(order.key) ?? {};
			const response = await tenant.service.status(sourceHash, { permit, signal });
			if (signal.aborted) return;
			const outcome = checkOutcome(response);
			observed = observationOf(outcome);
			if ('createdAtMs' in observed)
				observed = { ...observed, createdAtMs: onClock(clock, observed.createdAtMs) };
			const { clockAheadMs = 0 } = response;
			const seen = { key: order.key, outcome, at: Date.now(), clockAheadMs };
			tenant.receive(seen, { sentAt, now: clock.now() });
			this.probeIfDue(tenant);
		} catch (error) {
			tenant.tally.fault = errorOf(error);
		} finally {
			this.inFlight--;
			permit.settle({ unanswered: signal.aborted });
			if (order.check === check) {
				order.check = null;
				// Others may show the age.
				if (sampleOf !== null && observed.kind === 'failed') this.sampledAt[sampleOf] = -Infinity;
				this.learnt = learn(order, observed, { sentAt, now: clock.now() }, this.learnt);
				if (observed.kind === 'finished') {
					tenant.orders.delete(order.key);
					tenant.done.set(order.key, order);
				}
			}
			this.notice(tenant);
		}
	}
}

const checkSenders = new WeakMap<RequestBudget, CheckSender>();

/** A time of the wall clock, as the service and posts state it, on this clock; null and undefined stay as they are. */
export function onClock<T>(clock: Clock, time: T): T | number {
	return typeof time === 'number' ? (clock.ofWallTime?.(time) ?? time) : time;
}
