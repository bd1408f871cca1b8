import { Backoff } from './backoff';

/**
 * The log of one request budget, a sliding window: pure bookkeeping. Every call is given the time (milliseconds, any epoch,
 * never going back).
 *
 * The service counts a request when it arrives; we know only when it was sent and when its answer came. So a slot is in use
 * from the sending until one window after the answer. The arrival lies between the two, hence no 60 s of the service's clock
 * ever contain more than the limit, whatever the network does.
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
	/** The answer's Retry-After, in milliseconds from now; absent when it gave none. Without `limited` it only means a pause. */
	retryAfterMs?: number;
	/** No answer came (aborted, timed out, broken line): it may still be on its way to the service. */
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

/** A taken slot, to be settled when its request is over, in whatever way. */
interface Slot extends Asker {
	readonly sentAt: number;
	/** Freed later than the others. */
	readonly isYielded: boolean;
	/** When the slot is free again; a guess until the request is settled. */
	freeAt: number;
	/** Whether the service has answered the request, and counts it. */
	isCounted: boolean;
}

type SlotHandle = Readonly<Slot>;

const SERVICE_WINDOW_MS = 60_000;
/** Half a second on top covers clocks that drift or count whole seconds. */
export const WINDOW_MS = SERVICE_WINDOW_MS + 500;
/** A request without an answer may reach the service this much later than we gave it up. */
export const STRAY_MS = 5_000;
/** A slot that is never settled counts as lost after this time, so that one forgotten call cannot block for ever. */
export const LOST_MS = 300_000;
/** The part of the limit that only interactive requests may use. */
const RESERVE_PART = 0.05;
/** The part of the limit that checks get in any window in which they ask for it, whatever others want. */
const CHECKS_PART = 0.25;
/** A check comes again after a second or after a minute: what it did not find is kept for this long. */
const KEPT_MS = 75_000;
/**
 * One in twenty slots of a window that is almost full is freed this much later. A process that uses the whole limit in bursts
 * leaves no room for others at any other time, and would never notice them. This leaves some, and costs a third of a percent.
 */
export const YIELDED_MS = 4_000;
const YIELDED_PART = 0.05;
const ALMOST_FULL = 0.9;
const SOON_MS = 15_000;

export class RequestLog {
	/** Settled slots, by freeAt ascending. */
	private readonly settled: Slot[] = [];

	/** In the order of sending. */
	private readonly inFlight = new Set<Slot>();

	private readonly backoff: Backoff;

	/** Checks have lately found no room: up to then a part is kept for them. */
	private keptUntil = Number.NEGATIVE_INFINITY;

	/**
	 * @param random uniform in [0, 1), so that several processes do not resume at the same moment after a pause
	 * @param begunAt when this process began: see Backoff
	 */
	constructor(random: () => number, begunAt: number) {
		this.backoff = new Backoff(random, begunAt);
	}

	/** The largest limit in use: of whoever asks, and of all whose requests are in the window. */
	largestLimit(limit: number, now: number): number {
		this.forget(now);
		return this.slots().reduce((most, slot) => Math.max(most, slot.limit), whole(limit));
	}

	/**
	 * The earliest time (at least now) at which such a request may be sent, as far as is known: an answer may bring it nearer
	 * or, with a 429, put it off. A time after now may turn out too early, never too late.
	 */
	earliest(asker: Asker, now: number): number {
		const kept =
			asker.use === 'check' || now >= this.keptUntil ? 0 : this.leftForChecks(asker.limit, now);
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

	/** Takes a slot. Callers ask `earliest` first: this always succeeds. */
	take({ use, limit }: Asker, now: number): SlotHandle {
		const largest = this.largestLimit(limit, now);
		const all = this.slots();
		const isYielded =
			all.length + 1 >= largest * ALMOST_FULL &&
			all.filter((slot) => slot.isYielded).length < Math.floor(largest * YIELDED_PART);
		this.backoff.spend(1, largest, now);
		const slot: Slot = {
			use,
			limit: whole(limit),
			sentAt: now,
			isYielded,
			freeAt: now + LOST_MS,
			isCounted: false,
		};
		this.inFlight.add(slot);
		return slot;
	}

	/** The request of this slot is over. Settling twice does nothing. */
	settle(
		handle: SlotHandle,
		{ limited = false, retryAfterMs, unanswered = false }: Settlement,
		now: number,
	): void {
		const slot = handle as Slot;
		if (!this.inFlight.delete(slot)) return;
		slot.freeAt = now + WINDOW_MS + (slot.isYielded ? YIELDED_MS : 0) + (unanswered ? STRAY_MS : 0);
		slot.isCounted = !limited && !unanswered;
		const later = this.settled.findIndex(({ freeAt }) => freeAt > slot.freeAt);
		this.settled.splice(later < 0 ? this.settled.length : later, 0, slot);
		const statedMs =
			retryAfterMs !== undefined && Number.isFinite(retryAfterMs) ? retryAfterMs : null;
		if (limited) {
			const largest = this.largestLimit(slot.limit, now);
			const own = this.settled.filter(({ isCounted }) => isCounted).length;
			const { sentAt } = slot;
			this.backoff.limited(
				{ sentAt, retryAfterMs: statedMs, ownPart: own / largest },
				largest,
				now,
			);
		} else if (statedMs !== null) this.backoff.pause(statedMs, now);
	}

	/** The request of this slot was never sent: the slot is free again at once. */
	release(handle: SlotHandle, now: number): void {
		if (this.inFlight.delete(handle as Slot))
			this.backoff.spend(-1, this.largestLimit(handle.limit, now), now);
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

	/** True when the log knows nothing that a fresh one would not: then it may be dropped. */
	isIdle(now: number): boolean {
		this.forget(now);
		return this.slots().length === 0 && this.pausedMs(now) === 0 && this.backoff.isWhole(now);
	}

	/** How many slots there may be where one more is of this use; what is kept for checks may be of the reserve. */
	private roomFor(use: SlotUse, limit: number, now: number): number {
		const mayUseReserve =
			use === 'interactive' || (use === 'check' && this.leftForChecks(limit, now) > 0);
		return mayUseReserve ? limit : withoutReserve(limit);
	}

	/** The earliest time if this many requests are kept for checks. */
	private earliestBeside(kept: number, { use, limit }: Asker, now: number): number {
		const largest = this.largestLimit(limit, now);
		const own = whole(limit);
		const tokens = 1 + Math.min(kept, Math.max(0, this.backoff.capacity(largest, now) - 1));
		return Math.max(
			now,
			this.backoff.readyAt,
			this.backoff.containsAt(tokens, largest, now),
			this.roomAt(this.roomFor(use, largest, now) - kept, largest, now),
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

	/** All slots in use, the first to be free in front. */
	private slots(): Slot[] {
		return [...this.settled, ...this.inFlight];
	}

	private forget(now: number): void {
		while ((this.settled[0]?.freeAt ?? Number.POSITIVE_INFINITY) <= now) this.settled.shift();
		for (const slot of this.inFlight) {
			// Insertion order is the order of sending: the first recent one stops the search.
			if (slot.freeAt > now) break;
			this.inFlight.delete(slot);
		}
	}
}

function withoutReserve(limit: number): number {
	return Math.max(1, limit - Math.ceil(limit * RESERVE_PART));
}

/** A limit is a whole number of at least one; anything that is not a number counts as one. */
function whole(limit: number): number {
	return Number.isFinite(limit) ? Math.max(1, Math.floor(limit)) : 1;
}
