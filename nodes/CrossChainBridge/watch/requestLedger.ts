/**
 * The sliding log of one request budget: pure bookkeeping, no clock of its own. Every call is told
 * what time it is (milliseconds, any epoch, never going back).
 *
 * The service counts a request when it arrives; we know only when it left and when its answer came.
 * So a slot is taken from the sending on and given back one window after the answer. The arrival lies
 * between the two, hence no 60 s of the service's clock ever hold more than the limit, whatever
 * the network does.
 */

/** 'person': somebody waits for it (quote, config, a single status). 'watch': a look at a watched order. */
export type Priority = 'person' | 'watch';

/** What came of a request, as far as the budget cares. */
export interface Settlement {
	/** The service said 429. */
	limited?: boolean;
	/** Its Retry-After, in milliseconds from now; absent when it gave none. */
	retryAfterMs?: number;
	/** No answer came (aborted, timed out, broken line): it may still be on its way to the service. */
	unanswered?: boolean;
}

/** What a planner may know of a budget at one moment, seen from priority 'watch'. */
export interface BudgetView {
	/** Requests that may be sent now. */
	free: number;
	/** Requests that may be sent from now up to and including `time`, counting each once. */
	freeBy(time: number): number;
	/** When the next request may be sent: now if free > 0. */
	nextFreeAt: number;
	/** Requests a minute that watching may use when nobody else sends. */
	perMinute: number;
	/** Somebody else is waiting for a slot: looks should queue up one at a time instead of taking what is free. */
	contended: boolean;
}

/** The service's window is 60 s; half a second on top covers clocks that drift or count whole seconds. */
export const WINDOW_MS = 60_500;
/** A request without an answer may reach the service this much later than we gave it up. */
export const STRAY_MS = 5_000;
/** A slot nobody settled is given up for lost after this time, so that one forgotten call cannot block for ever. */
export const LOST_MS = 300_000;
/** The part of the budget that only 'person' may use. */
export const RESERVE_SHARE = 0.05;
/** First pause after a 429 without Retry-After; doubled at each repetition up to LONGEST_PAUSE_MS. */
export const FIRST_PAUSE_MS = 15_000;
export const LONGEST_PAUSE_MS = 60_000;
/** A Retry-After is honoured up to an hour; then one request finds out whether it still holds. */
export const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** After a 429 the budget shrinks to this share, */
export const SHRINK = 0.7;
/** and grows by this many requests with every minute without a 429. */
export const RECOVER_PER_MINUTE = 2;

interface Slot {
	sentAt: number;
	/** When the slot is free again. A guess (lost) until the request is settled. */
	freeAt: number;
}

/** A taken slot, to be handed to `settle` when its request has ended in whatever way. */
export type SlotHandle = Readonly<Slot>;

export class RequestLedger {
	/** Settled slots, by freeAt ascending. */
	private readonly settled: Slot[] = [];

	private readonly inFlight = new Set<Slot>();

	private limit: number;

	private shrunkTo: number;

	private cleanSince = 0;

	private pausedUntil = Number.NEGATIVE_INFINITY;

	private pauseBegan = Number.NEGATIVE_INFINITY;

	private nextPauseMs = FIRST_PAUSE_MS;

	constructor(requestsPerMinute: number) {
		this.limit = wholeLimit(requestsPerMinute);
		this.shrunkTo = this.limit;
	}

	/** Another credential value has come. A budget shrunk by a 429 stays shrunk, but never above the new limit. */
	setLimit(requestsPerMinute: number): void {
		const limit = wholeLimit(requestsPerMinute);
		const wasWhole = this.shrunkTo >= this.limit;
		this.shrunkTo = wasWhole ? limit : Math.min(this.shrunkTo, limit);
		this.limit = limit;
	}

	/** How many requests a window may hold now: the limit, or less for a while after a 429. */
	allowance(now: number): number {
		if (this.shrunkTo < this.limit) {
			const minutes = Math.floor((now - this.cleanSince) / 60_000);
			if (minutes > 0) {
				this.shrunkTo = Math.min(this.limit, this.shrunkTo + minutes * RECOVER_PER_MINUTE);
				this.cleanSince += minutes * 60_000;
			}
		}
		return Math.max(1, Math.floor(this.shrunkTo));
	}

	/** How many slots of a window this priority may fill. One request a minute is never kept back. */
	share(priority: Priority, now: number): number {
		const all = this.allowance(now);
		return priority === 'person' ? all : Math.max(1, all - Math.ceil(all * RESERVE_SHARE));
	}

	/**
	 * The earliest time (at least now) at which a request of this priority may leave, as far as is known:
	 * an answer may bring it nearer or, with a 429, put it off.
	 */
	earliest(priority: Priority, now: number): number {
		this.forget(now);
		const ready = Math.max(now, this.pausedUntil);
		const missing = this.inFlight.size + this.settled.length + 1 - this.share(priority, now);
		if (missing <= 0) return ready;
		const [oldestInFlight] = this.inFlight;
		const freeing = this.settled[missing - 1] ?? oldestInFlight;
		return freeing === undefined ? ready : Math.max(ready, freeing.freeAt);
	}

	/** For how long nothing may be sent because of a 429, in milliseconds. */
	pausedMs(now: number): number {
		return Math.max(0, this.pausedUntil - now);
	}

	/** Takes a slot. Callers ask `earliest` first: this does not refuse. */
	take(now: number): SlotHandle {
		const slot: Slot = { sentAt: now, freeAt: now + LOST_MS };
		this.inFlight.add(slot);
		return slot;
	}

	/** The request of this slot has ended. Settling twice does nothing. */
	settle(handle: SlotHandle, outcome: Settlement, now: number): void {
		const slot = handle as Slot;
		if (!this.inFlight.delete(slot)) return;
		slot.freeAt = now + WINDOW_MS + (outcome.unanswered === true ? STRAY_MS : 0);
		let at = this.settled.length;
		while (at > 0 && (this.settled[at - 1]?.freeAt ?? 0) > slot.freeAt) at--;
		this.settled.splice(at, 0, slot);
		if (outcome.limited === true) this.backOff(slot, outcome.retryAfterMs, now);
		// Answers to what was sent before a pause say nothing about the time after it.
		else if (outcome.unanswered !== true && slot.sentAt >= this.pausedUntil) this.nextPauseMs = FIRST_PAUSE_MS;
	}

	/** The request of this slot was never sent: the slot is free again at once. */
	giveBack(handle: SlotHandle): void {
		this.inFlight.delete(handle as Slot);
	}

	/** What watching may use, now and later, if nobody else sends anything. */
	view(now: number, contended = false): BudgetView {
		this.forget(now);
		const share = this.share('watch', now);
		const ready = Math.max(now, this.pausedUntil);
		const { settled } = this;
		const inFlight = this.inFlight.size;
		const unused = share - inFlight - settled.length;
		const freeBy = (time: number): number => {
			if (time < ready) return 0;
			return Math.min(share, Math.max(0, unused + countUpTo(settled, time)));
		};
		return { free: freeBy(now), freeBy, nextFreeAt: this.earliest('watch', now), perMinute: share, contended };
	}

	/** True when the ledger holds nothing that a fresh one would not: then it may be dropped. */
	isIdle(now: number): boolean {
		this.forget(now);
		return (
			this.settled.length === 0 && this.inFlight.size === 0 && now >= this.pausedUntil && this.allowance(now) === this.limit
		);
	}

	private backOff(slot: Slot, retryAfterMs: number | undefined, now: number): void {
		if (retryAfterMs !== undefined && Number.isFinite(retryAfterMs)) {
			const until = now + Math.min(Math.max(0, retryAfterMs), LONGEST_RETRY_AFTER_MS);
			this.pausedUntil = Math.max(this.pausedUntil, until);
		}
		// Many requests in the air may all be refused: that is one event, not one each.
		if (slot.sentAt < this.pauseBegan) return;
		if (retryAfterMs === undefined || !Number.isFinite(retryAfterMs)) {
			this.pausedUntil = Math.max(this.pausedUntil, now + this.nextPauseMs);
			this.nextPauseMs = Math.min(LONGEST_PAUSE_MS, this.nextPauseMs * 2);
		}
		this.shrunkTo = Math.max(1, this.allowance(now) * SHRINK);
		this.cleanSince = now;
		this.pauseBegan = now;
	}

	private forget(now: number): void {
		const gone = countUpTo(this.settled, now);
		if (gone > 0) this.settled.splice(0, gone);
		for (const slot of this.inFlight) {
			// Insertion order is the order of sending: the first young one ends the search.
			if (slot.freeAt > now) break;
			this.inFlight.delete(slot);
		}
	}
}

/** How many of the slots are free again at `time`. */
function countUpTo(slots: readonly Slot[], time: number): number {
	let low = 0;
	let high = slots.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((slots[middle]?.freeAt ?? Number.POSITIVE_INFINITY) <= time) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** A limit is a whole number of at least one; anything that is not a number counts as one. */
function wholeLimit(requestsPerMinute: number): number {
	return Number.isFinite(requestsPerMinute) ? Math.max(1, Math.floor(requestsPerMinute)) : 1;
}
