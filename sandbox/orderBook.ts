import { ServiceError } from './answers';
import { isTransactionHash, lookupKey } from './hashes';
import { statusAt, transactionHash } from './orders';
import type { MissingParts, Order, OrderEnd, OrderStatus, PlannedEnd } from './orders';
import { completeRoute } from './quotes';
import type { RouteParameters } from './quotes';

/** How an order ends, when, and what its answers contain: what both a new order and a change may say. */
export interface OrderChange {
	end?: PlannedEnd;
	/** Seconds of the order's timeline after its begin. */
	endsAfterSeconds?: number;
	/** When a solver is assigned, in timeline seconds after the begin; null = never, it stays pending. */
	executesAfterSeconds?: number | null;
	missing?: MissingParts;
	/** Laid over the answer's data, for example {"status":"settling","output":null}; {} takes it back. */
	answer?: Record<string, unknown>;
	/** Paths removed from the answer's data, for example ["solver","output.txHash"]; [] takes it back. */
	absent?: string[];
}

/** A new order. Everything has a default: completed 5 to 15 s after its begin, which is now. */
export interface OrderRequest extends OrderChange, RouteParameters {
	/** Made up if left out. */
	sourceHash?: string;
	/** Timeline seconds from now; until then the status endpoint answers NOT_FOUND. */
	beginsAfterSeconds?: number;
}

/** An order as GET /sandbox/orders shows it: true wall-clock times as ISO text. */
export interface OrderSummary {
	sourceHash: string;
	/** The true status, whatever `answer` shows; announced = has not begun. */
	status: OrderStatus | 'announced';
	startsAt: string;
	/** null for an order that never ends. */
	endsAt: string | null;
	end: PlannedEnd;
}

/** The orders cannot be changed so: HTTP status 409. */
export class Conflict extends Error {}

const TYPICAL_SHORTEST_SECONDS = 5;
const TYPICAL_LONGEST_SECONDS = 15;
/** An order that nobody takes may be refunded when it has been pending for more than 5 minutes. */
const PENDING_REFUND_SECONDS = 301;
/** By default a solver is assigned after this part of the time to the end. */
const PENDING_PART = 0.3;

/** What the book needs from outside: the clock (Unix ms), chance (0 to below 1), and how fast orders go. */
interface OrderBookSettings {
	now: () => number;
	random: () => number;
	speed: number;
}

/** All orders, in memory. */
export class OrderBook {
	readonly #settings: OrderBookSettings;
	readonly #orders = new Map<string, Order>();
	readonly #seed: number;
	#madeUpHashes = 0;

	constructor(settings: OrderBookSettings) {
		this.#settings = settings;
		this.#seed = settings.random();
	}

	/** The order of a source hash, begun or not; 0x hashes are compared without case. */
	get(sourceHash: string): Order | undefined {
		return this.#orders.get(lookupKey(sourceHash));
	}

	/** All orders, in the order in which they were added. */
	all(): Order[] {
		return [...this.#orders.values()];
	}

	/**
	 * Adds orders, all or none. Throws a ServiceError for parameters that make no order, and Conflict for a source
	 * hash that is already known.
	 */
	add(requests: readonly OrderRequest[]): Order[] {
		const orders = requests.map((request) => this.#orderOf(request));
		const keys = new Set<string>();
		for (const { sourceHash } of orders) {
			const key = lookupKey(sourceHash);
			if (this.#orders.has(key) || keys.has(key))
				throw new Conflict(`There is already an order of ${sourceHash}`);
			keys.add(key);
		}
		for (const order of orders) this.#orders.set(lookupKey(order.sourceHash), order);
		return orders;
	}

	/** Changes how or when an order ends, or what its answers contain. Throws NOT_FOUND for an unknown hash. */
	change(sourceHash: string, change: OrderChange): Order {
		const order = this.#known(sourceHash);
		const nowMs = this.#settings.now();
		const wasOpen = order.end === 'never' || nowMs < order.endsAtMs;
		if (change.endsAfterSeconds !== undefined) {
			order.endsAtMs = order.beginsAtMs + this.#wallMs(change.endsAfterSeconds);
		} else if (wasOpen) {
			// The moment once planned may have passed while the order was never to end: it must not end in the past.
			order.endsAtMs = Math.max(order.endsAtMs, nowMs);
		}
		if (change.executesAfterSeconds !== undefined) {
			order.executesAtMs =
				change.executesAfterSeconds === null
					? null
					: order.beginsAtMs + this.#wallMs(change.executesAfterSeconds);
		}
		order.end = change.end ?? order.end;
		order.missing = change.missing ?? order.missing;
		order.answer = change.answer ?? order.answer;
		order.absent = change.absent ?? order.absent;
		return order;
	}

	/**
	 * Ends an order at this moment; one that was only announced begins now too. Throws NOT_FOUND for an unknown
	 * hash, and Conflict if the order has finished: a final status stays.
	 */
	endNow(sourceHash: string, end: OrderEnd): Order {
		const order = this.#known(sourceHash);
		const nowMs = this.#settings.now();
		if (order.end !== 'never' && nowMs >= order.endsAtMs) {
			throw new Conflict(`The order of ${sourceHash} has already ended: ${order.end}`);
		}
		order.beginsAtMs = Math.min(order.beginsAtMs, nowMs);
		order.end = end;
		order.endsAtMs = nowMs;
		return order;
	}

	/** Forgets all orders. */
	clear(): void {
		this.#orders.clear();
	}

	/** An order as the control routes show it. */
	summaryOf(order: Order): OrderSummary {
		return {
			sourceHash: order.sourceHash,
			status: statusAt(order, this.#settings.now()) ?? 'announced',
			startsAt: new Date(order.beginsAtMs).toISOString(),
			endsAt: order.end === 'never' ? null : new Date(order.endsAtMs).toISOString(),
			end: order.end,
		};
	}

	#known(sourceHash: string): Order {
		const order = this.get(sourceHash);
		if (order === undefined) throw new ServiceError('NOT_FOUND', `No order of ${sourceHash}`);
		return order;
	}

	/** Timeline seconds as milliseconds of the wall clock. */
	#wallMs(seconds: number): number {
		return (seconds * 1000) / this.#settings.speed;
	}

	#orderOf(request: OrderRequest): Order {
		const { now, random } = this.#settings;
		const route = completeRoute(request);
		const end = request.end ?? 'completed';
		const isNeverTaken = request.executesAfterSeconds === null;
		const typicalSeconds =
			TYPICAL_SHORTEST_SECONDS + random() * (TYPICAL_LONGEST_SECONDS - TYPICAL_SHORTEST_SECONDS);
		const endsAfterSeconds =
			request.endsAfterSeconds ??
			(isNeverTaken && end === 'refunded' ? PENDING_REFUND_SECONDS : typicalSeconds);
		const executesAfterSeconds =
			request.executesAfterSeconds === undefined
				? endsAfterSeconds * PENDING_PART
				: request.executesAfterSeconds;
		const beginsAtMs = now() + this.#wallMs(request.beginsAfterSeconds ?? 0);
		const { sourceHash } = request;
		if (sourceHash !== undefined && !isTransactionHash(sourceHash)) {
			throw new ServiceError(
				'INVALID_PARAMETER',
				`sourceHash ${sourceHash} is no transaction hash: give 0x and 64 hex digits, or 32 to 128 of base58`,
			);
		}
		return {
			sourceHash: sourceHash ?? transactionHash(route.input.network.style, this.#nextLabel()),
			route,
			beginsAtMs,
			executesAtMs:
				executesAfterSeconds === null ? null : beginsAtMs + this.#wallMs(executesAfterSeconds),
			end,
			endsAtMs: beginsAtMs + this.#wallMs(endsAfterSeconds),
			missing: request.missing ?? 'absent',
			answer: request.answer ?? {},
			absent: request.absent ?? [],
		};
	}

	#nextLabel(): string {
		this.#madeUpHashes += 1;
		return `source ${this.#seed} ${this.#madeUpHashes}`;
	}
}
