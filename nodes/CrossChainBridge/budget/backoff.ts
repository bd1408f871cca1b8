import { FairShare, isCrowded, type Limited } from './fairShare';

/**
 * What a budget does after the service has answered 429: it pauses, and then sends at an even pace out of a token bucket, since bursts
 * of several processes with one key collide. Pure bookkeeping: every call is given the time (ms).
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
/** The smallest size of the bucket, in tokens, */
export const LEAST_BURST = 2;
/** and its size for so long after a 429, unless that says that there is room again soon: what is sent at once fills the window for a minute. */
export const CALM_MS = 90_000;

const MINUTE_MS = 60_000;
/** Fractions of tokens add up with an error in the last digits. */
const EPSILON = 1e-6;

/** A 429 as the log sees it. */
export interface RateLimited extends Limited {
	/** Milliseconds. */
	sentAt: number;
}

export class Backoff {
	private readonly share: FairShare;

	private calmUntil = Number.NEGATIVE_INFINITY;

	private pausedUntil = Number.NEGATIVE_INFINITY;

	private pausesInARow = 0;

	private tokens = 0;

	private tokensAt = 0;

	/** @param random uniform in [0, 1) */
	constructor(
		private limit: number,
		private readonly random: () => number,
	) {
		this.share = new FairShare(limit);
	}

	/** Another limit has come. A reduced one stays reduced, but never exceeds it. */
	setLimit(limit: number): void {
		this.limit = limit;
		this.share.setLimit(limit);
	}

	/** Requests a minute: the limit, or less for a while after a 429. At least one. */
	perMinute(now: number): number {
		return Math.max(1, Math.floor((this.share.at(now) ?? this.limit) + EPSILON));
	}

	/** Whether requests are sent at an even pace, also while nothing is reduced any more. */
	isPaced(now: number): boolean {
		return this.share.at(now) !== null;
	}

	/** When the last pause is over, or was. */
	get readyAt(): number {
		return this.pausedUntil;
	}

	/** When the bucket contains so many tokens: now if it does already, or if requests are not paced. */
	containsAt(tokens: number, now: number): number {
		this.fill(now);
		const missing = this.isPaced(now) ? tokens - this.tokens - EPSILON : 0;
		return missing <= 0 ? now : now + Math.ceil(missing / this.perMs(now));
	}

	/** How many requests the bucket allows from `from` (now or later) up to `time`, each as soon as it can; Infinity if not paced. */
	tokensBy(time: number, from: number, now: number): number {
		if (!this.isPaced(now)) return Number.POSITIVE_INFINITY;
		this.fill(now);
		const perMs = this.perMs(now);
		const first = Math.min(this.burst(from, now), this.tokens + (from - now) * perMs);
		return Math.max(0, Math.floor(first + (time - from) * perMs + EPSILON));
	}

	/**
	 * The size of the bucket: half of the limit while little is reduced, and two when little is left. Two as well for a while after a 429:
	 * when its window is over there is room for all processes at the same moment, and their bursts would collide.
	 */
	burst(time: number, now = time): number {
		if (time < this.calmUntil) return LEAST_BURST;
		const part = (this.share.at(now) ?? this.limit) / this.limit;
		return Math.max(LEAST_BURST, Math.floor(0.5 * this.limit * part * part));
	}

	/** A request is sent; with -1, one that counted as sent was not sent after all. */
	spend(tokens: number, now: number): void {
		if (!this.isPaced(now)) return;
		this.fill(now);
		this.tokens = Math.min(this.burst(now), this.tokens - tokens);
	}

	/** The service asks for a pause, which need not be about the limit (a 503 with Retry-After). */
	pause(retryAfterMs: number, now: number): void {
		const stated = Math.min(Math.max(0, retryAfterMs), LONGEST_RETRY_AFTER_MS);
		this.pausedUntil = Math.max(
			this.pausedUntil,
			now + stated + Math.min(RETRY_JITTER_MS, RETRY_JITTER * stated) * this.random(),
		);
	}

	/** A 429 has come. */
	rateLimited({ sentAt, ...limited }: RateLimited, now: number): void {
		const { retryAfterMs } = limited;
		if (retryAfterMs !== null) this.pause(retryAfterMs, now);
		// What was in flight at the last 429 has the same cause.
		if (sentAt < this.share.limitedAt) {
			if (limited.isOfWindow) this.share.recount(limited.own, sentAt, now);
			return;
		}
		if (retryAfterMs === null) {
			const [least, most] = FIRST_PAUSE_MS;
			const pauseMs = Math.min(
				LONGEST_PAUSE_MS,
				(least + (most - least) * this.random()) * 2 ** this.pausesInARow++,
			);
			this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		}
		this.fill(now);
		if (isCrowded(retryAfterMs)) this.calmUntil = now + CALM_MS;
		const before = this.isPaced(now) ? this.tokens : Number.POSITIVE_INFINITY;
		if (!this.share.limited(limited, now)) return;
		this.tokens = Math.min(before, this.burst(now));
		this.tokensAt = now;
	}

	/** An answer other than 429 to a request sent at `sentAt`. What was sent before a pause says nothing about the time after it. */
	answered(sentAt: number): void {
		if (sentAt >= this.pausedUntil) this.pausesInARow = 0;
	}

	/** Brings the tokens up to `now`. */
	private fill(now: number): void {
		if (!this.isPaced(now)) return;
		this.tokens = Math.min(
			this.burst(now),
			this.tokens + Math.max(0, now - this.tokensAt) * this.perMs(now),
		);
		this.tokensAt = Math.max(this.tokensAt, now);
	}

	private perMs(now: number): number {
		return (this.share.at(now) ?? this.limit) / MINUTE_MS;
	}
}
