/**
 * What a budget does after a 429: it pauses, takes a smaller share of the limit, and lets the share grow again. Processes with
 * one key cannot communicate, but all of them get 429s: additive increase, multiplicative decrease (Chiu and Jain, 1989).
 * Pure: every call is given the time in milliseconds and the limit in requests a minute.
 */

/** The share is between this part of the limit and all of it. */
const MIN_SHARE = 0.1;
/** The share after the first crowded 429, which shows that another process uses the key. */
const FIRST_SHARE = 0.5;
/** A process that had more than FIRST_SHARE in the last minute goes below it by this part of the difference, or it would stay ahead. */
const MAKES_UP = 0.2;
/** A crowded 429 is the first if there was none for this long. */
const HEARD_MS = 900_000;
/** After that first 429 the share does not grow for this long, since the window still shows what was sent before. */
const STILL_MS = 120_000;
/** A process that sends less than this part of its share does not reduce it: others have filled the window. */
const LITTLE_USED = 0.25;
/** A later 429 reduces the share to this part, once for each PER_DECREASE_MS of its Retry-After. */
const DECREASE = 0.93;
const PER_DECREASE_MS = 8_000;
/** The least time between two reductions, after a crowded 429 and after another one. */
const DECREASE_EVERY_MS = { crowded: 4_000, soon: 8_000 };
/** A 429 without Retry-After, or with at least this, shows that others crowd the window. */
const CROWDED_FROM_MS = 10_000;
/** The growth in a minute, as a part of the share. */
const GROWTH = 0.02;
/** After this many minutes others may have finished, and a larger share grows faster. */
const SLOW_MINUTES = 1.5;
const FASTER = 0.3;

/** The tokens that may be used at once where the window is crowded: a burst would collide with those of others. */
const FEW_TOKENS = 2;
const CROWDED_MS = 60_000;
/** The part of the limit that a process may use at once when it has just begun. */
const FRESH_PART = 0.1;

/** After an hour one request finds out whether a longer Retry-After still applies. */
const MAX_RETRY_AFTER_MS = 3_600_000;
/** Each process resumes up to this much later, at random, since a Retry-After is over at the same moment for all. */
const RETRY_JITTER_MS = 500;
/** Bounds of the pause after a 429 without Retry-After. */
const PAUSE_MS = { min: 1_000, max: 5_000 };

const MINUTE_MS = 60_000;
/** Fractions of tokens add up with an error in the last digits. */
const EPSILON = 1e-6;

/** A 429 as the request log sees it. */
interface RateLimited {
	/** When the request was sent, in milliseconds. */
	sentAt: number;
	/** Milliseconds; null where the answer gave none. */
	retryAfterMs: number | null;
	/** The part of the limit that the service counts as this process's own. */
	ownPart: number;
	/** The part of the limit that this process has sent, with what was refused. */
	sentPart: number;
}

/** A token bucket that is always on, whose rate is the share of the limit, and the pauses that the service asks for. */
export class Backoff {
	/** When the last pause is over, or was. */
	readyAt = Number.NEGATIVE_INFINITY;

	/** The part of the limit that was left after the last cut. */
	private left = 1;

	/** The time from which the share grows. */
	private growsFrom = Number.NEGATIVE_INFINITY;

	private cutAt = Number.NEGATIVE_INFINITY;

	private limitedAt = Number.NEGATIVE_INFINITY;

	private crowdedAt = Number.NEGATIVE_INFINITY;

	/** The tokens that are missing for a full share, at `spentAt`. */
	private spent = 0;

	private spentAt = Number.NEGATIVE_INFINITY;

	/** `random` is uniform in [0, 1); what was sent with the key before `begunAt` is not known. */
	constructor(
		private readonly random: () => number,
		private readonly begunAt: number,
	) {}

	/** Requests a minute: the limit, or less for a while after a 429. At least one. */
	perMinute(limit: number, now: number): number {
		return Math.max(1, limit * this.part(now));
	}

	/** How many tokens the bucket contains. */
	tokens(limit: number, now: number): number {
		return this.perMinute(limit, now) - this.spentBy(limit, now) + EPSILON;
	}

	/** How many tokens it contains when it is full. */
	capacity(limit: number, now: number): number {
		const share = this.perMinute(limit, now);
		return now - this.crowdedAt < CROWDED_MS ? Math.min(FEW_TOKENS, share) : share;
	}

	/** When the bucket contains this many tokens, if nothing is sent meanwhile. */
	containsAt(tokens: number, limit: number, now: number): number {
		const missing = tokens - this.tokens(limit, now);
		return missing <= 0 ? now : now + Math.ceil((missing * MINUTE_MS) / this.perMinute(limit, now));
	}

	/** How many requests the bucket allows until then, each sent as soon as it can be. */
	tokensBy(time: number, limit: number, now: number): number {
		return this.tokens(limit, now) + ((time - now) * this.perMinute(limit, now)) / MINUTE_MS;
	}

	/** A request is sent; with -1, one that counted as sent was not sent after all. */
	spend(tokens: number, limit: number, now: number): void {
		this.spent = this.spentBy(limit, now) + tokens;
		this.spentAt = now;
	}

	/** The service asks for a pause, which need not be about the limit (a 503 with Retry-After). */
	pause(retryAfterMs: number, now: number): void {
		const stated = Math.min(Math.max(0, retryAfterMs), MAX_RETRY_AFTER_MS);
		this.readyAt = Math.max(this.readyAt, now + stated + RETRY_JITTER_MS * this.random());
	}

	/** A 429 has come. */
	limited(rateLimited: RateLimited, limit: number, now: number): void {
		const { sentAt, retryAfterMs, ownPart, sentPart } = rateLimited;
		if (retryAfterMs !== null) this.pause(retryAfterMs, now);
		// What was in flight at the last 429 has the same cause.
		if (sentAt < this.limitedAt) return;
		this.limitedAt = now;
		if (retryAfterMs === null) {
			const { min, max } = PAUSE_MS;
			this.readyAt = Math.max(this.readyAt, now + min + (max - min) * this.random());
		}
		const isCrowded = retryAfterMs === null || retryAfterMs >= CROWDED_FROM_MS;
		const isFirst = isCrowded && now - this.crowdedAt >= HEARD_MS;
		if (isCrowded) {
			// What a process that has just begun may not use yet was not sent: it must not wait to earn that again.
			this.spent = Math.min(this.spentBy(limit, now), sentPart * limit);
			this.spentAt = now;
			this.crowdedAt = now;
		}
		const part = this.part(now);
		const isTooSoon = now - this.cutAt < DECREASE_EVERY_MS[isCrowded ? 'crowded' : 'soon'];
		const isOthers =
			(now < this.growsFrom && ownPart < part * LITTLE_USED) ||
			(!isCrowded && sentPart < part * LITTLE_USED);
		if (!isFirst && (isTooSoon || isOthers)) return;
		const times = Math.max(1, Math.floor((retryAfterMs ?? 0) / PER_DECREASE_MS));
		const left = isFirst
			? FIRST_SHARE + MAKES_UP * (FIRST_SHARE - Math.min(1, ownPart))
			: part * DECREASE ** times;
		this.left = Math.max(MIN_SHARE, Math.min(part, left));
		this.cutAt = now;
		this.growsFrom = isFirst ? now + STILL_MS : Math.max(this.growsFrom, now);
	}

	/** Whether the whole limit is this process's own, as if it had never got a 429. */
	isWhole(now: number): boolean {
		return this.part(now) >= 1 && now - this.crowdedAt >= HEARD_MS;
	}

	private part(now: number): number {
		const minutes = Math.max(0, now - this.growsFrom) / MINUTE_MS;
		const faster = FASTER * this.left * Math.max(0, minutes - SLOW_MINUTES);
		return Math.min(1, this.left * (1 + GROWTH * minutes + faster));
	}

	/** The tokens that are missing now: none is there unearned after a crowded 429, or in a process that has just begun. */
	private spentBy(limit: number, now: number): number {
		const share = this.perMinute(limit, now);
		const earnedSince = (time: number) => (Math.max(0, now - time) * share) / MINUTE_MS;
		const atOnce = Math.max(FEW_TOKENS, FRESH_PART * limit);
		return Math.max(
			0,
			this.spent - earnedSince(this.spentAt),
			share - FEW_TOKENS - earnedSince(this.crowdedAt + CROWDED_MS),
			share - atOnce - earnedSince(this.begunAt),
		);
	}
}
