import { heavyTailed } from '../../bench/simulation/models';
import { oneWay, SERVICE_LIMIT } from '../../bench/simulation/service';
import type { Random } from '../../bench/simulation/random';

interface Order {
	begunAt: number;
	/** Infinity: it stays open. */
	endsAt: number;
	timesEmitted: number;
}

const WINDOW_MS = 60_000;

/** Orders last no longer than this, but for those that stay open. */
const LONGEST_MS = 15 * 60_000;

/** Emitted orders are forgotten after so long, so that the service itself keeps no more at the end of a day than in its middle. */
const FORGOTTEN_AFTER_MS = 3_600_000;

const CONFIG = JSON.stringify({
	success: true,
	data: { networks: [{ chainId: 1, name: 'Ethereum' }] },
});
const REFUSED = {
	statusCode: 429,
	headers: {},
	body: JSON.stringify({ success: false, error: { code: 'RATE_LIMITED', message: 'no' } }),
};
const NOT_FOUND = {
	statusCode: 404,
	headers: {},
	body: JSON.stringify({ success: false, error: { code: 'NOT_FOUND', message: 'no' } }),
};

export interface SimulatedAnswer {
	statusCode: number;
	headers: Record<string, string>;
	body: string;
}

/** The bridge service of a simulated day: its limit counts for each key; orders finish as the heavy-tailed model says. */
export class DayService {
	requests = 0;
	refused = 0;
	emitted = 0;
	/** Orders emitted more than once, or of orders that nobody has asked to watch. */
	twice = 0;
	/** Orders that have begun and that finish. */
	begun = 0;

	private readonly orders = new Map<string, Order>();
	private readonly served = new Map<string, number[]>();
	private made = 0;

	constructor(
		private readonly now: () => number,
		private readonly random: Random,
	) {}

	/** A new order that begins now; returns its hash. */
	begin(isOpenForever = false): string {
		const hash = `0x${(++this.made).toString(16).padStart(64, '0')}`;
		const begunAt = this.now();
		const endsAt = isOpenForever
			? Number.POSITIVE_INFINITY
			: begunAt + Math.min(LONGEST_MS, 1000 * heavyTailed.draw(this.random));
		this.orders.set(hash, { begunAt, endsAt, timesEmitted: 0 });
		if (!isOpenForever) this.begun++;
		return hash;
	}

	/** The workflow was started for this order. */
	countEmitted(hash: string): void {
		const order = this.orders.get(hash);
		if (order === undefined || order.timesEmitted > 0) this.twice++;
		else this.emitted++;
		if (order !== undefined) order.timesEmitted++;
	}

	forgetOld(): void {
		for (const [hash, { endsAt, timesEmitted }] of this.orders) {
			if (timesEmitted > 0 && endsAt < this.now() - FORGOTTEN_AFTER_MS) this.orders.delete(hash);
		}
	}

	/** How long a request is on its way, there or back, in milliseconds. */
	wayMs(): number {
		return oneWay(this.random);
	}

	answer(key: string, url: string, hash: string): SimulatedAnswer {
		this.requests++;
		const now = this.now();
		const served = this.served.get(key) ?? [];
		this.served.set(key, served);
		while ((served[0] ?? now) <= now - WINDOW_MS) served.shift();
		if (served.length >= SERVICE_LIMIT) {
			this.refused++;
			return REFUSED;
		}
		served.push(now);
		if (url.endsWith('/config')) return { statusCode: 200, headers: {}, body: CONFIG };
		const order = this.orders.get(hash);
		if (order === undefined) return NOT_FOUND;
		const hasFinished = now >= order.endsAt;
		const timing = {
			createdAt: Math.floor(order.begunAt / 1000),
			...(hasFinished ? { completedAt: Math.floor(order.endsAt / 1000) } : {}),
		};
		const body = JSON.stringify({
			success: true,
			data: { status: hasFinished ? 'completed' : 'executing', timing },
		});
		return { statusCode: 200, headers: {}, body };
	}
}
