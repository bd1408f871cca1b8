import { Backoff } from './backoff';

/**
 * The log of one request budget, a sliding window. Pure: every call is given the time in milliseconds, which never goes back.
 * The service counts a request when it arrives, at a time between the sending and the answer. A slot is in use from the sending
 * until one window after the answer, so no 60 s of the service's clock contain more than the limit.
 */

/** What a request is: one that a user waits for, one of a large batch, or a check that takes what is free and never queues. */
export type SlotUse = 'interactive' | 'batch' | 'check';

/** Who asks for a slot. */
export interface Asker {
	use: SlotUse;
	/** Requests per Minute of the credential that it asks with. */
	limit: number;
}

/** The outcome of a request, as far as it concerns the budget. */
export interface Settlement {
	/** The service said 429. */
	limited?: boolean;
	/** The answer's Retry-After in milliseconds; without `limited` it only means a pause. */
	retryAfterMs?: number;
	/** No answer came, so the request may still be on its way to the service. */
	unanswered?: boolean;
}

/** What the schedule may know of a budget at one moment. */
export interface BudgetView {
	/** Checks that may be sent within the next 15 s if nothing else is sent. */
	freeSoon: number;
	/** Requests a minute that checks may use when nothing else is sent. */
	perMinute: number;
	/** Whether the bucket is full, and contains less than the window has room for: what is not sent now is lost. */
	isFull: boolean;
}

/** A taken slot, to be settled when its request is over. */
interface Slot extends Asker {
	sentAt: number;
	/** Whether it is freed later than the others. */
	isYielded: boolean;
	/** When the slot is free again; a guess until the request is settled. */
	freeAt: number;
	/** Whether the service has answered the request, and counts it. */
	isCounted: boolean;
}

/** The service's window, and half a second for clocks that drift or count whole seconds. */
const WINDOW_MS = 60_500;
/** A request without an answer may reach the service this much later than we gave it up. */
const UNANSWERED_MS = 5_000;
/** A slot that is never settled is free again after this time. */
const LOST_MS = 300_000;
/** The part of the limit that only interactive requests may use. */
const RESERVE_PART = 0.05;
/** The part of the limit that checks get in any window in which they ask for it. */
const CHECKS_PART = 0.25;
/** What a check did not find is kept for this long: it asks again within a minute. */
const KEPT_MS = 75_000;
/** Some slots of an almost full window are freed this much later: without a gap late processes would never be noticed. */
const YIELDED_MS = 4_000;
const YIELDED_PART = 0.05;
const ALMOST_FULL = 0.9;
const SOON_MS = 15_000;

export class RequestLog {
	/** Settled slots, by freeAt ascending. */
	private readonly settled: Slot[] = [];

	/** In the order of sending. */
	private readonly inFlight = new Set<Slot>();

	private readonly backoff: Backoff;

	/** A part is kept for checks up to this time. */
	private keptUntil = Number.NEGATIVE_INFINITY;

	constructor(...setup: ConstructorParameters<typeof Backoff>) {
		this.backoff = new Backoff(...setup);
	}

	/** The earliest time, from now on, at which such a request may be sent, as far as is known: it may turn out too early, never too late. */
	earliest(asker: Asker, now: number): number {
		const isKept = asker.use !== 'check' && now < this.keptUntil;
		const kept = isKept ? this.leftForChecks(asker.limit, now) : 0;
		const at = this.earliestBeside(kept, asker, now);
		return kept === 0
			? at
			: Math.min(at, Math.max(this.keptUntil, this.earliestBeside(0, asker, now)));
	}

	/** A check has found no room, or others waiting. */
	keepForChecks(now: number): void {
		this.keptUntil = now + KEPT_MS;
	}

	/** How many requests are left of the checks' share in any window. */
	leftForChecks(limit: number, now: number): number {
		const largest = this.largestLimit(limit, now);
		const ofChecks = this.slots().filter(({ use }) => use === 'check').length;
		// With a limit of 1 there is nothing to divide.
		return largest < 2 ? 0 : Math.max(0, Math.max(1, Math.floor(largest * CHECKS_PART)) - ofChecks);
	}

	/** For how long nothing may be sent because the service said so, in milliseconds. */
	pausedMs(now: number): number {
		return Math.max(0, this.backoff.readyAt - now);
	}

	/** Takes a slot; callers ask `earliest` first. */
	take({ use, limit }: Asker, now: number): Slot {
		const largest = this.largestLimit(limit, now);
		const all = this.slots();
		const isYielded =
			all.length + 1 >= largest * ALMOST_FULL &&
			all.filter((slot) => slot.isYielded).length < Math.floor(largest * YIELDED_PART);
		this.backoff.spend(1, largest, now);
		const freeAt = now + LOST_MS;
		const slot = { use, limit: whole(limit), sentAt: now, isYielded, freeAt, isCounted: false };
		this.inFlight.add(slot);
		return slot;
	}

	/** The request of this slot is over; settling it twice does nothing. */
	settle(
		slot: Slot,
		{ limited = false, retryAfterMs, unanswered = false }: Settlement,
		now: number,
	): void {
		if (!this.inFlight.delete(slot)) return;
		const laterMs = (slot.isYielded ? YIELDED_MS : 0) + (unanswered ? UNANSWERED_MS : 0);
		slot.freeAt = now + WINDOW_MS + laterMs;
		slot.isCounted = !limited && !unanswered;
		const later = this.settled.findIndex(({ freeAt }) => freeAt > slot.freeAt);
		this.settled.splice(later < 0 ? this.settled.length : later, 0, slot);
		const statedMs =
			retryAfterMs !== undefined && Number.isFinite(retryAfterMs) ? retryAfterMs : null;
		if (limited) {
			const largest = this.largestLimit(slot.limit, now);
			const ownPart = this.settled.filter(({ isCounted }) => isCounted).length / largest;
			const sentPart = this.slots().length / largest;
			const rateLimited = { sentAt: slot.sentAt, retryAfterMs: statedMs, ownPart, sentPart };
			this.backoff.limited(rateLimited, largest, now);
		} else if (statedMs !== null) this.backoff.pause(statedMs, now);
	}

	/** The request of this slot was never sent: the slot is free again at once. */
	release(slot: Slot, now: number): void {
		if (this.inFlight.delete(slot)) this.backoff.spend(-1, this.largestLimit(slot.limit, now), now);
	}

	/** What checks may use, now and later. */
	view(limit: number, now: number): BudgetView {
		const largest = this.largestLimit(limit, now);
		const { backoff } = this;
		const share = backoff.perMinute(largest, now);
		const soon = now + SOON_MS;
		const freed = this.settled.filter(({ freeAt }) => freeAt <= soon).length;
		const room = withoutReserve(largest) - this.slots().length;
		const tokens = backoff.tokensBy(soon, largest, now);
		const capacity = backoff.capacity(largest, now);
		return {
			freeSoon:
				backoff.readyAt > soon ? 0 : Math.max(0, Math.floor(Math.min(share, tokens, room + freed))),
			perMinute: Math.max(1, share * (1 - RESERVE_PART)),
			isFull: capacity < room && backoff.tokens(largest, now) >= capacity,
		};
	}

	/** Whether the log knows nothing that a fresh one would not. */
	isIdle(now: number): boolean {
		this.forget(now);
		return this.slots().length === 0 && this.pausedMs(now) === 0 && this.backoff.isWhole(now);
	}

	/** The earliest time if this many requests are kept for checks. */
	private earliestBeside(kept: number, { use, limit }: Asker, now: number): number {
		const largest = this.largestLimit(limit, now);
		const own = whole(limit);
		const tokens = 1 + Math.min(kept, Math.max(0, this.backoff.capacity(largest, now) - 1));
		// What is kept for checks may be of the reserve.
		const mayUseReserve =
			use === 'interactive' || (use === 'check' && this.leftForChecks(limit, now) > 0);
		const room = mayUseReserve ? largest : withoutReserve(largest);
		return Math.max(
			now,
			this.backoff.readyAt,
			this.backoff.containsAt(tokens, largest, now),
			this.roomAt(room - kept, largest, now),
			own < largest ? this.roomAt(own, own, now) : now,
		);
	}

	/** When there are fewer slots than this of requests with up to this limit, as far as is known. */
	private roomAt(room: number, limit: number, now: number): number {
		const counting = this.slots().filter((slot) => slot.limit <= limit);
		const missing = counting.length + 1 - room;
		if (missing <= 0) return now;
		return counting[missing - 1]?.freeAt ?? now + WINDOW_MS;
	}

	/** The largest limit in use: of whoever asks, and of all whose requests are in the window. */
	private largestLimit(limit: number, now: number): number {
		this.forget(now);
		return this.slots().reduce((largest, slot) => Math.max(largest, slot.limit), whole(limit));
	}

	/** All slots in use, the first to be free in front. */
	private slots(): Slot[] {
		return [...this.settled, ...this.inFlight];
	}

	private forget(now: number): void {
		while ((this.settled[0]?.freeAt ?? Number.POSITIVE_INFINITY) <= now) this.settled.shift();
		for (const slot of this.inFlight) if (slot.freeAt <= now) this.inFlight.delete(slot);
	}
}

function withoutReserve(limit: number): number {
	return Math.max(1, limit - Math.ceil(limit * RESERVE_PART));
}

/** A limit is a whole number of at least one; anything that is not a number counts as one. */
function whole(limit: number): number {
	return Number.isFinite(limit) ? Math.max(1, Math.floor(limit)) : 1;
}
