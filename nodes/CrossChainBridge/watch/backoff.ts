/**
 * What a budget does after the service has answered 429. Pure bookkeeping: every call is given the time (ms).
 *
 * Other processes may use the same key. They cannot communicate, but all of them get the 429s, so each does what senders on one line
 * do: additive increase, multiplicative decrease (Chiu and Jain, 1989). Until the limit has recovered, requests are sent at an even
 * pace out of a token bucket, since bursts of several processes collide. A process that never gets a 429 is not affected.
 */

/** The first pause after a 429 without Retry-After is between these two, at random; each further one in a row is twice as long, */
export const FIRST_PAUSE_MS: readonly [number, number] = [1_000, 3_000];
/** up to this: a process that pauses for longer than YIELDED_MS of the log misses the slots that others yield. */
export const LONGEST_PAUSE_MS = 5_000;
/** A Retry-After is honoured up to an hour; then one request finds out whether it still applies. */
export const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** A Retry-After is over at the same moment for all processes: each adds up to this part of it, at random, but no more than the second. */
export const RETRY_JITTER = 0.1;
export const RETRY_JITTER_MS = 500;
/** A 429 reduces the limit to this part of it, */
export const DECREASE = 0.9;
/** once in this time: 429s that come together have one cause. A Retry-After of several times this length saves as many 429s, so it counts as that many. */
export const DECREASE_EVERY_MS = 10_000;
/** The limit is never reduced below this part of the whole one. */
export const LEAST_SHARE = 0.1;
/** With every minute it recovers by the larger of these parts: of the whole limit, or of the reduced one. */
export const RECOVER_OF_LIMIT = 0.003;
export const RECOVER_OF_REDUCED = 0.03;
/** For so long after a 429 another process is assumed to use the key, and requests are sent at an even pace even at the whole limit. */
export const HEARD_MS = 900_000;
/** A 429 that was not for a full window makes those within this time no reason to send less either. */
export const OTHERWISE_MS = 60_000;
/** The smallest size of the bucket, in tokens, */
export const LEAST_BURST = 2;
/** and its size for so long after a 429, unless that states a shorter pause than DECREASE_EVERY_MS: then there is room again soon. */
export const CALM_MS = 45_000;

const MINUTE_MS = 60_000;
/** Fractions of tokens add up with an error in the last digits. */
const EPSILON = 1e-6;

/** A 429 as the log sees it. Times in milliseconds. */
export interface RateLimited {
	sentAt: number;
	/** null: the answer gave none. */
	retryAfterMs: number | null;
	/** Whether it may be what it says: that the window is full. */
	isOfWindow: boolean;
}

export class Backoff {
	/** Requests a minute; null when nothing is reduced and there was no 429 lately. */
	private reduced: number | null = null;

	private recoveredAt = 0;

	private decreasedAt = Number.NEGATIVE_INFINITY;

	private refusedAt = Number.NEGATIVE_INFINITY;

	private calmUntil = Number.NEGATIVE_INFINITY;

	private otherwiseUntil = Number.NEGATIVE_INFINITY;

	private pausedUntil = Number.NEGATIVE_INFINITY;

	private pausesInARow = 0;

	private tokens = 0;

	private tokensAt = 0;

	/** @param random uniform in [0, 1) */
	constructor(
		private limit: number,
		private readonly random: () => number,
	) {}

	/** Another limit has come. A reduced one stays reduced, but never exceeds it. */
	setLimit(limit: number): void {
		this.limit = limit;
		if (this.reduced !== null) this.reduced = Math.min(limit, this.reduced);
	}

	/** Requests a minute: the limit, or less for a while after a 429. At least one. */
	perMinute(now: number): number {
		this.recover(now);
		return Math.max(1, Math.floor((this.reduced ?? this.limit) + EPSILON));
	}

	/** Whether requests are sent at an even pace. */
	isPaced(now: number): boolean {
		this.recover(now);
		return this.reduced !== null;
	}

	/** When the last pause is over, or was. */
	get readyAt(): number {
		return this.pausedUntil;
	}

	/** When the bucket contains so many tokens: now if it does already, or if requests are not paced. */
	holdsAt(tokens: number, now: number): number {
		const missing = this.isPaced(now) ? tokens - this.tokens - EPSILON : 0;
		return missing <= 0 ? now : now + Math.ceil(missing / this.perMs());
	}

	/** How many requests the bucket allows from `from` (now or later) up to `time`, each as soon as it can; Infinity if not paced. */
	tokensBy(time: number, from: number, now: number): number {
		if (!this.isPaced(now)) return Number.POSITIVE_INFINITY;
		const first = Math.min(this.burst(from), this.tokens + (from - now) * this.perMs());
		return Math.max(0, Math.floor(first + (time - from) * this.perMs() + EPSILON));
	}

	/**
	 * The size of the bucket: half of the limit while little is reduced, and two when little is left. Two as well for a while after a 429:
	 * when its window is over there is room for all processes at the same moment, and their bursts would collide.
	 */
	burst(now: number): number {
		if (now < this.calmUntil) return LEAST_BURST;
		const part = (this.reduced ?? this.limit) / this.limit;
		return Math.max(LEAST_BURST, Math.floor(0.5 * this.limit * part * part));
	}

	/** A request is sent; with -1, one that counted as sent was not sent after all. */
	spend(tokens: number, now: number): void {
		if (this.isPaced(now)) this.tokens = Math.min(this.burst(now), this.tokens - tokens);
	}

	/** The service asks for a pause, which need not be about the limit (a 503 with Retry-After). */
	pause(retryAfterMs: number, now: number): void {
		const stated = Math.min(Math.max(0, retryAfterMs), LONGEST_RETRY_AFTER_MS);
		this.pausedUntil = Math.max(this.pausedUntil, now + stated + Math.min(RETRY_JITTER_MS, RETRY_JITTER * stated) * this.random());
	}

	/** A 429 has come. */
	rateLimited({ sentAt, retryAfterMs, isOfWindow }: RateLimited, now: number): void {
		if (retryAfterMs !== null) this.pause(retryAfterMs, now);
		// What was in flight at the last 429 has the same cause.
		if (sentAt < this.refusedAt) return;
		this.refusedAt = now;
		if (retryAfterMs === null || retryAfterMs >= DECREASE_EVERY_MS) this.calmUntil = now + CALM_MS;
		if (retryAfterMs === null) {
			const [least, most] = FIRST_PAUSE_MS;
			const pauseMs = Math.min(LONGEST_PAUSE_MS, (least + (most - least) * this.random()) * 2 ** this.pausesInARow++);
			this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		}
		if (!isOfWindow) this.otherwiseUntil = now + OTHERWISE_MS;
		if (now < this.otherwiseUntil) this.undoDecrease(now);
		else if (now - this.decreasedAt >= DECREASE_EVERY_MS) this.decrease(1 + Math.floor((retryAfterMs ?? 0) / DECREASE_EVERY_MS), now);
	}

	/** An answer other than 429 to a request sent at `sentAt`. What was sent before a pause says nothing about the time after it. */
	answered(sentAt: number): void {
		if (sentAt >= this.pausedUntil) this.pausesInARow = 0;
	}

	private decrease(times: number, now: number): void {
		this.recover(now);
		const wasPaced = this.reduced !== null;
		this.reduced = Math.max(1, this.limit * LEAST_SHARE, (this.reduced ?? this.limit) * DECREASE ** times);
		this.decreasedAt = now;
		this.tokens = wasPaced ? Math.min(this.tokens, this.burst(now)) : this.burst(now);
		if (wasPaced) return;
		this.recoveredAt = now;
		this.tokensAt = now;
	}

	private undoDecrease(now: number): void {
		this.recover(now);
		if (this.reduced !== null) this.reduced = Math.min(this.limit, this.reduced / DECREASE);
	}

	/** Brings the limit and the tokens up to `now`. */
	private recover(now: number): void {
		while (this.reduced !== null && now - this.recoveredAt >= MINUTE_MS) {
			this.recoveredAt += MINUTE_MS;
			const gain = Math.max(this.limit * RECOVER_OF_LIMIT, this.reduced * RECOVER_OF_REDUCED);
			this.reduced = Math.min(this.limit, this.reduced + gain);
			if (this.reduced >= this.limit && now - this.refusedAt >= HEARD_MS) this.reduced = null;
		}
		if (this.reduced === null) return;
		this.tokens = Math.min(this.burst(now), this.tokens + Math.max(0, now - this.tokensAt) * this.perMs());
		this.tokensAt = Math.max(this.tokensAt, now);
	}

	private perMs(): number {
		return (this.reduced ?? this.limit) / MINUTE_MS;
	}
}
