import { Backoff, type BackoffSetup } from './backoff';

/** A check takes what is free and never queues. */
type SlotUse = 'interactive' | 'batch' | 'check';

export interface Asker {
	use: SlotUse;
	limit: number;
}

export interface Settlement {
	/** The service said 429. */
	limited?: boolean;
	/** Without `limited` it only means a pause. */
	retryAfterMs?: number | null;
	/** The request may still be on its way to the service. */
	unanswered?: boolean;
}

/** How many checks may be sent if nothing else is sent. */
export interface BudgetView {
	/** Within 15 s. */
	freeSoon: number;
	perMinute: number;
}

interface Slot extends Asker {
	sentAt: number;
	isYielded: boolean;
	isSettled: boolean;
	freeAt: number;
	/** By the service. */
	isCounted: boolean;
}

/** The service's window, and half a second for clocks that drift or count whole seconds. */
const WINDOW_MS = 60_500;
/** A request that was given up may still reach the service. */
const UNANSWERED_MS = 5_000;
/** When a slot that is never settled is free again. */
const LOST_MS = 300_000;
/** The part for interactive requests, and for checks as long as they have not had their part. */
const RESERVE_PART = 0.05;
/** The part that checks get in any window in which they ask for it. */
const CHECKS_PART = 0.25;
/** A check that found no room asks again within a minute. */
const ASKED_FOR_MS = 75_000;
/** How much longer, in milliseconds, some slots of an almost full window stay in use here. In this time another process with the same key, which has started later, gets through. */
const YIELDED_MS = 4_000;
const YIELDED_PART = 0.05;
const ALMOST_FULL = 0.9;
const SOON_MS = 15_000;

/**
 * What was sent with one key. Times in milliseconds. The service counts a request between its sending and its response, so a slot
 * is in use from the sending until one window after the response: no 60 s of the service's clock contain more than the limit.
 */
export class RequestLog {
	/** By freeAt ascending. */
	private readonly slots: Slot[] = [];

	private readonly backoff: Backoff;

	private keptForChecksUntil = -Infinity;

	constructor(setup: BackoffSetup) {
		this.backoff = new Backoff(setup);
	}

	/** Now if such a request may be sent now; otherwise a time before which none may be sent, at which to ask again. */
	earliest({ use, limit }: Asker, now: number): number {
		const largest = this.largestLimit(limit, now);
		const left = this.leftForChecks(largest, now);
		const own = Math.floor(limit);
		// Checks may take their part out of the reserve, too.
		const mayUseReserve = use === 'interactive' || (use === 'check' && left > 0);
		const room = mayUseReserve ? largest : withoutReserve(largest);
		const earliestNextTo = (keptForChecks: number): number => {
			const tokens = Math.min(1 + keptForChecks, this.backoff.capacity(largest, now));
			return Math.max(
				now,
				this.backoff.readyAt,
				this.backoff.containsAt(tokens, largest, now),
				this.roomAt(room - keptForChecks, largest, now),
				own < largest ? this.roomAt(own, own, now) : now,
			);
		};
		const keptForChecks = use !== 'check' && now < this.keptForChecksUntil ? left : 0;
		const at = earliestNextTo(keptForChecks);
		// Others wait for the part that is kept for checks only until checks stop asking for it.
		return keptForChecks === 0
			? at
			: Math.min(at, Math.max(this.keptForChecksUntil, earliestNextTo(0)));
	}

	/** A check has found no room, or others that wait. */
	keepForChecks(now: number): void {
		this.keptForChecksUntil = now + ASKED_FOR_MS;
	}

	/** Of their part. */
	leftForChecks(limit: number, now: number): number {
		const largest = this.largestLimit(limit, now);
		const ofChecks = this.slots.filter(({ use }) => use === 'check').length;
		// With a limit of 1 there is nothing to divide.
		return largest < 2 ? 0 : Math.max(0, Math.max(1, Math.floor(largest * CHECKS_PART)) - ofChecks);
	}

	pausedMs(now: number): number {
		return Math.max(0, this.backoff.readyAt - now);
	}

	/** For a request that may be sent now. */
	take({ use, limit }: Asker, now: number): Slot {
		const largest = this.largestLimit(limit, now);
		const isYielded =
			this.slots.length + 1 >= largest * ALMOST_FULL &&
			this.slots.filter((each) => each.isYielded).length < Math.floor(largest * YIELDED_PART);
		this.backoff.spend(1, largest, now);
		const unsettled = { isSettled: false, freeAt: now + LOST_MS, isCounted: false };
		const slot = { use, limit: Math.floor(limit), sentAt: now, isYielded, ...unsettled };
		this.slots.push(slot);
		return slot;
	}

	settle(
		slot: Slot,
		{ limited = false, retryAfterMs = null, unanswered = false }: Settlement,
		now: number,
	): void {
		if (slot.isSettled) return;
		const laterMs = (slot.isYielded ? YIELDED_MS : 0) + (unanswered ? UNANSWERED_MS : 0);
		slot.isCounted = !limited && !unanswered;
		this.free(slot, now + WINDOW_MS + laterMs);
		if (limited) {
			const largest = this.largestLimit(slot.limit, now);
			const ownPart = this.slots.filter(({ isCounted }) => isCounted).length / largest;
			const sentPart = this.slots.length / largest;
			this.backoff.limited({ sentAt: slot.sentAt, retryAfterMs, ownPart, sentPart }, largest, now);
		} else if (retryAfterMs !== null) this.backoff.pause(retryAfterMs, now);
	}

	release(slot: Slot, now: number): void {
		if (slot.isSettled) return;
		this.free(slot, now);
		this.backoff.spend(-1, this.largestLimit(slot.limit, now), now);
	}

	view(limit: number, now: number): BudgetView {
		const largest = this.largestLimit(limit, now);
		const { backoff } = this;
		const share = backoff.perMinute(largest, now);
		const soon = now + SOON_MS;
		const freed = this.slots.filter(({ freeAt }) => freeAt <= soon).length;
		const room = withoutReserve(largest) - this.slots.length;
		const free = Math.min(share, backoff.tokens(largest, now, SOON_MS), room + freed);
		return {
			freeSoon: backoff.readyAt > soon ? 0 : Math.max(0, Math.floor(free)),
			perMinute: Math.max(1, share * (1 - RESERVE_PART)),
		};
	}

	/** When there are fewer slots than this with up to this limit. */
	private roomAt(room: number, limit: number, now: number): number {
		const counting = this.slots.filter((slot) => slot.limit <= limit);
		const missing = counting.length + 1 - room;
		if (missing <= 0) return now;
		return counting[missing - 1]?.freeAt ?? now + WINDOW_MS;
	}

	/** The largest of this limit and of all in the window, from which free slots are dropped. */
	private largestLimit(limit: number, now: number): number {
		while ((this.slots[0]?.freeAt ?? Infinity) <= now) this.slots.shift();
		return this.slots.reduce((largest, slot) => Math.max(largest, slot.limit), Math.floor(limit));
	}

	private free(slot: Slot, freeAt: number): void {
		Object.assign(slot, { freeAt, isSettled: true });
		this.slots.sort((one, other) => one.freeAt - other.freeAt);
	}
}

function withoutReserve(limit: number): number {
	return Math.max(1, limit - Math.ceil(limit * RESERVE_PART));
}
