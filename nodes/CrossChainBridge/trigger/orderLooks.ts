import { needsAPerson } from '../bridge/refusal';
import { type BridgeService, n8nClock } from '../bridge/service';
import { lookAnswer } from '../bridge/lookAnswer';
import { OrderWatcher } from '../watch/orderWatcher';
import { TickDriver } from '../watch/tickDriver';
import { type LookTally, tallyLook } from './lookTally';
import type { Look } from './watchState';

export interface OrderLooksOptions {
	service: BridgeService;
	/** Least time between two looks at one order. */
	intervalMs: number;
	/** Where the looks are counted. */
	tally: () => LookTally;
	/** When each order was last asked for by other looks, by hash key, in milliseconds since 1970. */
	askedAt: ReadonlyMap<string, number>;
	/** Called when an order is asked for. */
	onAsk: (key: string) => void;
	/** Takes each look as it comes. */
	onLook: (key: string, look: Look) => void;
}

/** The looks of one registration between its polls: a watcher that asks the service for orders by their hash key. */
export class OrderLooks {
	private readonly watcher: OrderWatcher;

	private readonly driver: TickDriver;

	private readonly hashes = new Map<string, string>();

	private readonly inAir = new Set<Promise<unknown>>();

	/** What a person has to mend was met with: these looks have ended, and others begin when a poll has tried again. */
	isBlocked = false;

	constructor(private readonly options: OrderLooksOptions) {
		this.watcher = new OrderWatcher({
			budget: options.service.budget,
			clock: n8nClock,
			intervalMs: options.intervalMs,
			lane: options.service.lane,
			look: async (key, ticket, signal) => {
				options.onAsk(key);
				const answering = options.service.status(this.hashes.get(key) ?? key, { ticket, signal });
				this.inAir.add(answering);
				const sentAt = n8nClock.now();
				const answer = await answering.finally(() => this.inAir.delete(answering));
				if (signal.aborted) return { kind: 'failed' };
				this.driver.noteAnswer(n8nClock.now() - sentAt);
				const look = tallyLook(options.tally(), answer);
				if (look === null) {
					if (!answer.ok && needsAPerson(answer.refusal)) this.block();
					return { kind: 'failed' };
				}
				options.onLook(key, look);
				return look.kind === 'refused' ? { kind: 'failed' } : lookAnswer(look.kind === 'order' ? look.order : null);
			},
		});
		this.driver = new TickDriver(this.watcher, n8nClock);
	}

	/** Whether these looks can go on where this service leads, which may be a newer address; blocked ones begin anew. */
	continuesWith(service: BridgeService, intervalMs: number): boolean {
		return !this.isBlocked && service.budget === this.options.service.budget && intervalMs === this.options.intervalMs;
	}

	/** Watches just these orders from now on; those that it watches already keep their rhythm. */
	watch(orders: ReadonlyMap<string, string>): void {
		for (const key of this.hashes.keys()) if (!orders.has(key)) this.watcher.remove(key);
		this.hashes.clear();
		for (const [key, sourceHash] of orders) {
			this.hashes.set(key, sourceHash);
			if (!this.watcher.has(key)) this.watcher.add(key, { askedAt: this.options.askedAt.get(key) });
		}
	}

	/** Makes the looks that are due before the next tick, at a moment when their answers are fresh by then. */
	async lookUntilNextTick(): Promise<void> {
		await this.driver.tick();
	}

	/** Makes the looks that are due within this time, or until nothing is left to watch; called again meanwhile, it goes on for longer. */
	async lookFor(ms: number): Promise<void> {
		await this.watcher.run(n8nClock.now() + ms);
	}

	/** Waits for the looks in the air, so long at most. */
	async untilAnswered(withinMs: number): Promise<void> {
		const tooLong = AbortSignal.timeout(withinMs);
		const waited = new Promise<void>((resolve) => tooLong.addEventListener('abort', () => resolve(), { once: true }));
		await Promise.race([Promise.all(this.inAir), waited]);
	}

	/** One look at each order that the budget has room for now, within the time in which none is due again; resolves when they are answered. */
	async lookOnce(): Promise<void> {
		await this.watcher.stepThrough(n8nClock.now() + this.options.intervalMs);
		await Promise.all(this.inAir);
	}

	private block(): void {
		this.isBlocked = true;
		this.stop();
	}

	/** Ends all looks for good; those in the air are aborted. */
	stop(): void {
		this.watcher.stop();
	}
}
