import { type Clock, within } from '../budget/clock';
import { type Beginning, newOrder, restate } from '../schedule/order';
import type { ServiceError } from '../service/errors';
import type { BridgeService } from '../service/service';
import { isFinal } from './outcome';
import { CheckSender, onClock } from './checkSender';
import type { OpenOrder, Probed, Seen, Tally } from './tenant';
import { emptyTally, Tenant } from './tenant';

/** After a shorter one a check may still be sent between two polls. */
const LONG_PAUSE_MS = 60_000;

interface CheckerOptions {
	service: BridgeService;
	clock: Clock;
	/** Minimum milliseconds between two checks of one order. */
	intervalMs: number;
}

/**
 * Has the orders of one trigger, or of one execution that waits, checked by the CheckSender of their budget. It begins checks when it is told to (`run`,
 * `planForNextTick`, `wantEach`), and keeps the outcomes until they are taken (`take`, `takeNext`; `next` waits for them). Times in milliseconds of the clock.
 */
export class Checker {
	private readonly clock: Clock;

	private readonly tenant: Tenant;

	private intervalMs: number;

	constructor({ service, clock, intervalMs }: CheckerOptions) {
		this.clock = clock;
		this.intervalMs = intervalMs;
		this.tenant = new Tenant(service, service.budget);
	}

	get service(): BridgeService {
		return this.tenant.service;
	}

	/** How many orders it has. */
	get size(): number {
		return this.tenant.open.size;
	}

	/** The circuit is open: no order is checked before the user has corrected this. */
	get accountError(): ServiceError | null {
		return this.tenant.circuit.error;
	}

	/** What checks have shown since this was last called; also that none can be sent, because the service has asked for a pause. */
	takeTally(): Tally {
		const { tally, open, service } = this.tenant;
		this.tenant.tally = emptyTally();
		const pause = open.size > 0 ? service.longPause(LONG_PAUSE_MS) : null;
		return { ...tally, error: tally.error ?? pause };
	}

	/** Another account or interval starts a fresh schedule. */
	use(service: BridgeService, intervalMs: number): void {
		const isOther = intervalMs !== this.intervalMs || service.budget !== this.tenant.budget;
		this.tenant.service = service;
		this.intervalMs = intervalMs;
		if (isOther) this.restart();
	}

	/** Checks just these orders, by their order keys, from now on; known ones keep their rhythm. */
	setOrders(open: ReadonlyMap<string, OpenOrder>): void {
		const { tenant } = this;
		const before = tenant.open;
		tenant.open = new Map(open);
		tenant.seen = tenant.seen.filter(({ key }) => open.has(key));
		for (const key of before.keys()) if (!open.has(key)) tenant.forget(key);
		for (const [key, order] of open) {
			const { startedAt, postedAt } = before.get(key) ?? order;
			const scheduled = tenant.orders.get(key);
			if (scheduled === undefined) this.schedule(key, order);
			else if (order.startedAt !== startedAt || order.postedAt !== postedAt)
				restate(scheduled, this.beginningOf(order), this.clock.now());
		}
		this.checkSender.notice(tenant);
	}

	/** Begins the checks that are due, again and again up to the time `until`; returns at once. Another call extends it. */
	run(until: number): void {
		this.tenant.run(until);
		this.checkSender.notice(this.tenant);
	}

	/** To be called at a tick: plans the checks whose outcomes the next tick, a second later, can take; returns at once. */
	planForNextTick(): void {
		this.tenant.runBeforeNextTick(this.clock.now());
		this.checkSender.notice(this.tenant);
	}

	/** Begins one check of each order, due or not, as far as the budget has room; returns at once. */
	wantEach(): void {
		this.tenant.wantEach(this.clock.now());
		this.checkSender.notice(this.tenant);
	}

	/** The outcomes that have come since this was last called; none of a check that was given up, or of an order that is not to be checked any more. */
	take(): Seen[] {
		return this.tenant.seen.splice(0);
	}

	/** The oldest of these outcomes; null if there is none. If it shows a final status, its order is scheduled again, because that may be the status of another order; `setOrders` ends it. */
	takeNext(): Seen | null {
		const { seen, open, orders } = this.tenant;
		const next = seen.shift();
		if (next === undefined) return null;
		const order = open.get(next.key);
		if (order !== undefined && !orders.has(next.key)) this.schedule(next.key, order);
		return next;
	}

	/**
	 * Resolves when an outcome can be taken, when nothing more is coming (nothing begins, and nothing is in flight), when the
	 * circuit opens or closes, or at this time; true if an outcome can be taken.
	 */
	async next(until: number): Promise<boolean> {
		const { tenant } = this;
		if (tenant.seen.length === 0) {
			const change = tenant.change(until);
			this.checkSender.notice(tenant);
			await change;
		}
		return tenant.seen.length > 0;
	}

	/** Asks the configuration whether key and address work, if the budget has room; 'notSent' if it has not, or the response comes later than that. */
	async probe(until = Infinity): Promise<Probed> {
		return (await within(this.clock, until, this.checkSender.probe(this.tenant))) ?? 'notSent';
	}

	/** Gives up what is in flight and was not taken; the orders stay, with their rhythm. */
	pause(): void {
		const { tenant } = this;
		tenant.end();
		tenant.seen = [];
		for (const [key, order] of tenant.open) if (!tenant.orders.has(key)) this.schedule(key, order);
		this.checkSender.notice(tenant);
	}

	/** Gives up everything, and forgets the orders. */
	stop(): void {
		this.setOrders(new Map());
		this.restart();
	}

	/** Gives up what is in flight and was not taken, and starts a fresh schedule. */
	restart(): void {
		const { tenant } = this;
		this.checkSender.drop(tenant);
		if (tenant.budget !== tenant.service.budget) tenant.changeAccount();
		tenant.orders.clear();
		tenant.done.clear();
		this.pause();
	}

	private get checkSender(): CheckSender {
		return CheckSender.of(this.tenant.budget, this.clock);
	}

	/** Not for an order whose final status is yet to be taken. */
	private schedule(key: string, order: OpenOrder): void {
		const { orders, done, seen } = this.tenant;
		if (seen.some((each) => each.key === key && isFinal(each.outcome))) return;
		const times = { now: this.clock.now(), intervalMs: this.intervalMs };
		orders.set(key, done.get(key) ?? newOrder(key, this.beginningOf(order), times));
		done.delete(key);
	}

	private beginningOf({ startedAt, postedAt }: OpenOrder): Beginning {
		const { clock } = this;
		return { startedAt: onClock(clock, startedAt), postedAt: onClock(clock, postedAt) };
	}
}
