/**
 * How many requests a minute are this process's own, where others use the same key. Pure bookkeeping: every call is given the time (ms).
 *
 * The processes cannot communicate, but all of them get 429s, so each does what senders on one line do: additive increase,
 * multiplicative decrease (Chiu and Jain, 1989). A process that never gets a 429 has the whole limit.
 */

/**
 * The first 429 shows that another process uses the key: this part of the limit is then a fair share between two, more for a process that
 * had less than that of the last minute, and less for one that had more, or it would stay ahead. For a minute the window shows what was
 * sent before, which is no reason to send less.
 */
export const FIRST_SHARE = 0.5;
/** How much more or less: this part of the difference. */
export const MAKES_UP = 0.2;
/** A later 429 brings the share back to what it was a minute before, since a window shows what was sent in a minute, and to this part of it; */
export const DECREASE = 0.95;
/** to this part where it is about half of the limit, as with two processes: what they leave is taken up slowly; */
export const ABOUT_HALF: readonly [number, number] = [0.45, 0.6];
export const DECREASE_OF_HALF = 0.97;
/** a further one to this part again, once in this time. A Retry-After of several times this length saves as many 429s, so it counts as that many. */
export const DECREASE_EVERY_MS = 4_000;
/** A Retry-After shorter than this says that there is room again soon: then the first 429 is one like others. */
export const SOON_MS = 10_000;
/** The share is never less than this part of the limit. */
export const LEAST_SHARE = 0.1;
/** In a minute it grows by this part of itself; */
export const RECOVER = 0.02;
/** after so long without a 429, when others may have finished, it grows faster: by so many times the part of the limit that it is, for each minute more. */
export const QUIET_MS = 90_000;
export const FASTER = 8;
/** For so long after a 429 another process is assumed to use the key. */
export const HEARD_MS = 900_000;
/** A 429 that was not for a full window makes those within this time no reason to send less either; twice as long back, it undoes a decrease. */
export const OTHERWISE_MS = 60_000;

const MINUTE_MS = 60_000;
const STEPS_A_MINUTE = 6;
const STEP_MS = MINUTE_MS / STEPS_A_MINUTE;

/** A 429, as far as it concerns the share. */
export interface Limited {
	/** Milliseconds; null: the answer gave none. */
	retryAfterMs: number | null;
	/** Whether it may be what it says: that the window is full. */
	isOfWindow: boolean;
	/** How many requests of the window are this process's own, as far as they are answered. */
	own: number;
}

/** Whether this 429 is for a window that stays full for a while, as after the bursts of several processes. */
export function isCrowded(retryAfterMs: number | null): boolean {
	return retryAfterMs === null || retryAfterMs >= SOON_MS;
}

export class FairShare {
	/** Requests a minute; null when there was no 429 lately, and nothing is reduced. */
	private share: number | null = null;

	/** The share before each step of the last minute, oldest first; empty after a decrease. */
	private lastMinute: number[] = [];

	/** What the share was before the last decrease. */
	private undecreased = 0;

	private grownAt = 0;

	private decreasedAt = Number.NEGATIVE_INFINITY;

	/** When the last 429 came. */
	limitedAt = Number.NEGATIVE_INFINITY;

	/** Until then 429s for what was sent after the first one say nothing new. */
	private knownFullUntil = Number.NEGATIVE_INFINITY;

	private otherwiseUntil = Number.NEGATIVE_INFINITY;

	constructor(private limit: number) {}

	/** Another limit has come. A reduced share stays reduced, as far as the limit allows. */
	setLimit(limit: number): void {
		this.limit = limit;
		if (this.share !== null)
			this.share = Math.min(limit, Math.max(this.share, limit * LEAST_SHARE));
	}

	/** Requests a minute, not rounded; null where nobody else was heard from lately: the whole limit then. */
	at(now: number): number | null {
		while (this.share !== null && now - this.grownAt >= STEP_MS) {
			this.grownAt += STEP_MS;
			this.lastMinute = [...this.lastMinute.slice(1 - STEPS_A_MINUTE), this.share];
			this.share = Math.min(this.limit, this.share + this.growthOf(this.share) / STEPS_A_MINUTE);
			if (this.share < this.limit || now - this.limitedAt < HEARD_MS) continue;
			this.share = null;
			this.lastMinute = [];
		}
		return this.share;
	}

	/** A 429 has come for a request that was sent after the last 429. Returns whether it counts as a reason to send less. */
	limited({ retryAfterMs, isOfWindow, own }: Limited, now: number): boolean {
		const share = this.at(now);
		this.limitedAt = now;
		if (!isOfWindow) this.otherwiseUntil = now + OTHERWISE_MS;
		if (now < this.otherwiseUntil) {
			if (share !== null && now - this.decreasedAt < 2 * OTHERWISE_MS)
				this.share = Math.min(this.limit, Math.max(share, this.undecreased));
			return false;
		}
		if (now < Math.max(this.knownFullUntil, this.decreasedAt + DECREASE_EVERY_MS)) return false;
		this.undecreased = share ?? this.limit;
		this.decreasedAt = now;
		if (share === null) this.grownAt = now;
		const [aMinuteAgo = this.undecreased] = this.lastMinute;
		const before = Math.min(this.undecreased, aMinuteAgo);
		const [least, most] = ABOUT_HALF;
		const isAboutHalf = before >= this.limit * least && before <= this.limit * most;
		let left =
			before *
			(isAboutHalf ? DECREASE_OF_HALF : DECREASE) **
				Math.max(1, Math.floor((retryAfterMs ?? 0) / DECREASE_EVERY_MS));
		if (share === null && isCrowded(retryAfterMs)) {
			this.knownFullUntil = now + MINUTE_MS;
			left = this.firstShare(own);
		}
		this.share = Math.min(this.undecreased, Math.max(1, this.limit * LEAST_SHARE, left));
		this.lastMinute = [];
		return true;
	}

	/** A 429 for a request that was in flight at the first one: by now more of the process's own requests are answered than then. */
	recount(own: number, sentAt: number, now: number): void {
		const isKnownFull =
			sentAt < this.decreasedAt && now < this.knownFullUntil && now >= this.otherwiseUntil;
		if (this.share !== null && isKnownFull) this.share = Math.min(this.share, this.firstShare(own));
	}

	private firstShare(own: number): number {
		return Math.max(
			1,
			this.limit * (FIRST_SHARE + MAKES_UP * (FIRST_SHARE - Math.min(1, own / this.limit))),
		);
	}

	/** By how much a share grows in a minute. */
	private growthOf(share: number): number {
		const longerMs = Math.max(0, this.grownAt - this.limitedAt - QUIET_MS);
		const times = 1 + (FASTER * (share / this.limit) * longerMs) / MINUTE_MS;
		return times * share * RECOVER;
	}
}
