import { Backoff } from './backoff';
import { GuaranteedShare, guaranteedOf } from './guaranteedShare';
import { type SlotHandle, type SlotUse, SlotWindow } from './slotWindow';

/**
 * The sliding-window log of one request budget: pure bookkeeping, no clock of its own. Every call is given
 * the time (milliseconds, any epoch, never going back).
 *
 * The service counts a request when it arrives; we know only when it was sent and when its answer came.
 * So a slot is in use from the sending until one window after the answer. The arrival lies between the two,
 * hence no 60 s of the service's clock ever contain more than the limit, whatever the network does.
 */

/** 'interactive': a user waits for it (quote, config, a single status). 'watch': a check of a watched order. */
export type Priority = 'interactive' | 'watch';

/** The outcome of a request, as far as it concerns the budget. */
export interface Settlement {
	/** The service said 429. */
	limited?: boolean;
	/** The answer's Retry-After, in milliseconds from now; absent when it gave none. Without `limited` it only means a pause. */
	retryAfterMs?: number;
	/** No answer came (aborted, timed out, broken line): it may still be on its way to the service. */
	unanswered?: boolean;
}

/** What a planner may know of a budget at one moment, seen from priority 'watch'. */
export interface BudgetView {
	/** Requests that may be sent now without waiting in the queue. */
	free: number;
	/** Requests that may be sent from now up to and including `time` if nothing else is sent, counting each once. O(log n). */
	freeBy(time: number): number;
	/** When the next request may be sent: now if free > 0. */
	nextFreeAt: number;
	/** Requests a minute that watching may use when nothing else is sent. */
	perMinute: number;
	/** Others wait for slots: what is due should queue up one at a time, and `free` is only what is left of watching's guaranteed share. */
	contended: boolean;
}

const SERVICE_WINDOW_MS = 60_000;
/** Half a second on top covers clocks that drift or count whole seconds. */
export const WINDOW_MS = SERVICE_WINDOW_MS + 500;
/** A Retry-After is in whole seconds, rounded up. */
const RETRY_AFTER_UNIT_MS = 1_000;
/** A request without an answer may reach the service this much later than we gave it up. */
export const STRAY_MS = 5_000;
/** A slot that is never settled counts as lost after this time, so that one forgotten call cannot block for ever. */
export const LOST_MS = 300_000;
/** The part of the limit that only 'interactive' may use. */
export const RESERVE_SHARE = 0.05;
/**
 * One in twenty slots of a window that is almost full is freed this much later. A process that uses the whole limit in bursts
 * leaves no room for others at any other time, and would never notice them. This leaves some, and costs a third of a percent.
 */
export const YIELDED_MS = 4_000;
const YIELDED_SHARE = 0.05;
const ALMOST_FULL = 0.9;

export class SlidingWindowLog {
	private readonly slots = new SlotWindow();

	private limit: number;

	private readonly backoff: Backoff;

	private readonly guarantee = new GuaranteedShare(this.slots.used);

	/** @param random uniform in [0, 1), so that several processes do not resume at the same moment after a pause */
	constructor(requestsPerMinute: number, random: () => number = () => 0.5) {
		this.limit = wholeLimit(requestsPerMinute);
		this.backoff = new Backoff(this.limit, random);
	}

	/** Another credential value has come. A limit that a 429 has reduced stays reduced, but never exceeds the new one. */
	setLimit(requestsPerMinute: number): void {
		this.limit = wholeLimit(requestsPerMinute);
		this.backoff.setLimit(this.limit);
	}

	/** How many requests a minute may contain now: the limit, or less for a while after a 429. */
	allowance(now: number): number {
		return this.backoff.perMinute(now);
	}

	/** How many of them this priority may use when nothing else is sent. One request a minute is never kept back. */
	share(priority: Priority, now: number): number {
		return shareOf(priority, this.allowance(now));
	}

	/** How many requests of a window are watching's if it asks for them. */
	guaranteed(now: number): number {
		return guaranteedOf(this.allowance(now));
	}

	/** How many requests of its guaranteed share watching that does not queue has left in this window. */
	guaranteeLeft(now: number): number {
		this.slots.forget(now);
		return Math.max(0, this.guaranteed(now) - this.slots.used.unqueued);
	}

	/** Watching has found others waiting: its share is kept until it asks again. Checks that queue leave it to those that do not. */
	keepShare(use: 'watch' | 'unqueued', now: number): void {
		this.guarantee.keep(use, now);
	}

	/**
	 * The earliest time (at least now) at which such a request may be sent, as far as is known: an answer may bring it nearer
	 * or, with a 429, put it off. A time after now may turn out too early, never too late. O(1), not counting slots that expire.
	 * @param watchWaits whether watching waits in the queue
	 */
	earliest(use: SlotUse, now: number, watchWaits = false): number {
		this.slots.forget(now);
		const at = Math.max(
			now,
			this.backoff.readyAt,
			this.windowAt(use, now),
			this.bucketAt(use, now),
		);
		if (at > now || !this.isKeptFromOthers(use, now, watchWaits)) return at;
		return Math.min(this.slots.freedAt(1) ?? now + WINDOW_MS, this.guarantee.endsAt(now));
	}

	/** For how long nothing may be sent because the service said so, in milliseconds. */
	pausedMs(now: number): number {
		return Math.max(0, this.backoff.readyAt - now);
	}

	/** Takes a slot. Callers ask `earliest` first: this always succeeds. */
	take(now: number, use: SlotUse = 'watch'): SlotHandle {
		const isAlmostFull = this.slots.size + 1 >= this.limit * ALMOST_FULL;
		const isYielded = isAlmostFull && this.slots.yielded < Math.floor(this.limit * YIELDED_SHARE);
		this.backoff.spend(1, now);
		return this.slots.take(use, isYielded, now, now + LOST_MS);
	}

	/** The request of this slot is over. Settling twice does nothing. */
	settle(
		slot: SlotHandle,
		{ limited = false, retryAfterMs, unanswered = false }: Settlement,
		now: number,
	): void {
		const freeAt =
			now + WINDOW_MS + (slot.isYielded ? YIELDED_MS : 0) + (unanswered ? STRAY_MS : 0);
		if (!this.slots.settle(slot, freeAt, limited || unanswered ? null : now + SERVICE_WINDOW_MS))
			return;
		const statedMs =
			retryAfterMs !== undefined && Number.isFinite(retryAfterMs) ? retryAfterMs : null;
		const { sentAt } = slot;
		if (limited)
			this.backoff.rateLimited(
				{
					sentAt,
					retryAfterMs: statedMs,
					isOfWindow: !this.isContradicted(sentAt, statedMs, now),
					own: this.slots.counted(now),
				},
				now,
			);
		else if (statedMs !== null) this.backoff.pause(statedMs, now);
		else if (!unanswered) this.backoff.answered(sentAt);
	}

	/** The request of this slot was never sent: the slot is free again at once. */
	release(slot: SlotHandle, now: number): void {
		if (this.slots.release(slot)) this.backoff.spend(-1, now);
	}

	/** What watching may use, now and later. */
	view(now: number, contended = false): BudgetView {
		this.slots.forget(now);
		const { slots, backoff } = this;
		const share = this.share('watch', now);
		const from = Math.max(now, backoff.readyAt);
		const unused = shareOf('watch', this.limit) - slots.size;
		const freeBy = (time: number): number =>
			time < from
				? 0
				: Math.min(
						share,
						backoff.tokensBy(time, from, now),
						Math.max(0, unused + slots.freedBy(time)),
					);
		return {
			free: contended ? this.freeOfGuarantee(now) : freeBy(now),
			freeBy,
			nextFreeAt: this.earliest('unqueued', now),
			perMinute: share,
			contended,
		};
	}

	/** True when the log knows nothing that a fresh one would not: then it may be dropped. */
	isIdle(now: number): boolean {
		this.slots.forget(now);
		return this.slots.size === 0 && this.pausedMs(now) === 0 && !this.backoff.isPaced(now);
	}

	private freeOfGuarantee(now: number): number {
		const room = Math.min(
			this.most('unqueued', now) - this.slots.size,
			this.guaranteeLeft(now),
			this.backoff.tokensBy(now, now, now),
		);
		return this.pausedMs(now) > 0 ? 0 : Math.max(0, room);
	}

	/** How many slots there may be with one more of this use. Watching's guaranteed share may use the reserve. */
	private most(use: SlotUse, now: number): number {
		return use === 'interactive' || this.guarantee.usedByWatching < this.guaranteed(now)
			? this.limit
			: shareOf('watch', this.limit);
	}

	private windowAt(use: SlotUse, now: number): number {
		const missing = this.slots.size + 1 - this.most(use, now);
		return missing <= 0 ? now : (this.slots.freedAt(missing) ?? now);
	}

	/** When the bucket has a token: 'interactive' may take one in advance, and some are kept for watching that comes later. */
	private bucketAt(use: SlotUse, now: number): number {
		const isKept = this.guarantee.isKeptFrom(use, this.guaranteed(now), now);
		const kept = isKept ? Math.min(this.guaranteed(now), this.backoff.burst(now) - 1) : 0;
		return this.backoff.containsAt(kept + (use === 'interactive' ? 0 : 1), now);
	}

	/** Whether one more for others would cut into watching's guaranteed share of the window. */
	private isKeptFromOthers(use: SlotUse, now: number, watchWaits: boolean): boolean {
		const share = this.guaranteed(now);
		const most = this.share(use === 'interactive' ? use : 'watch', now);
		if (use === 'interactive' && watchWaits && this.guarantee.isAhead(most, share)) return true;
		// At an even pace the bucket keeps it for later.
		return !this.backoff.isPaced(now) && this.guarantee.isUsedUp(use, most, share, now);
	}

	/**
	 * Whether a 429 cannot be for a full window: the service will forget a request of ours before the moment at which it says
	 * that there is room. Then the 429 has another reason, and sending less would not help.
	 */
	private isContradicted(sentAt: number, retryAfterMs: number | null, now: number): boolean {
		return (
			retryAfterMs !== null &&
			this.slots.isForgottenBefore(
				sentAt + retryAfterMs - RETRY_AFTER_UNIT_MS,
				now,
				SERVICE_WINDOW_MS,
			)
		);
	}
}

function shareOf(priority: Priority, all: number): number {
	return priority === 'interactive' ? all : Math.max(1, all - Math.ceil(all * RESERVE_SHARE));
}

/** A limit is a whole number of at least one; anything that is not a number counts as one. */
function wholeLimit(requestsPerMinute: number): number {
	return Number.isFinite(requestsPerMinute) ? Math.max(1, Math.floor(requestsPerMinute)) : 1;
}
