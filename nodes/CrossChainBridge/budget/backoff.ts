/** The smallest share of the limit for a process. */
const MIN_SHARE = 0.1;
/** The share after the first crowded 429 in FIRST_AFTER_MS, which shows that another process uses the key. */
const FIRST_SHARE = 0.5;
const FIRST_AFTER_MS = 900_000;
/** How far below FIRST_SHARE a process begins that had sent more than that, as a part of the excess. */
const MAKES_UP = 0.2;
/** After that first 429 the share does not grow, since the window still shows what was sent before. */
const STILL_MS = 120_000;
/** A process that sends less than this part of its share does not reduce it: others have filled the window. */
const LITTLE_USED = 0.25;
/** A later 429 reduces the share to this part, once for each PER_DECREASE_MS of its Retry-After. */
const DECREASE = 0.93;
const PER_DECREASE_MS = 8_000;
const DECREASE_EVERY_MS = { crowded: 4_000, soon: 8_000 };
/** A 429 without Retry-After, or with at least this, shows that others crowd the window. */
const CROWDED_FROM_MS = 10_000;
/** The growth of the share in a minute, as a part of it. */
const GROWTH = 0.02;
/** After these minutes others may have finished, and a larger share grows faster. */
const SLOW_MINUTES = 1.5;
const FASTER = 0.3;

/** After a crowded 429 a burst would collide with those of others. */
const CROWDED_MS = 60_000;
const CROWDED_TOKENS = 2;
/** The part of the limit that a process may use at once when it has just begun. */
const FRESH_PART = 0.1;

/** After an hour one request finds out whether a longer Retry-After still applies. */
const MAX_RETRY_AFTER_MS = 3_600_000;
/** A Retry-After is over at the same moment for all processes. */
const RETRY_JITTER_MS = 500;
/** The pause after a 429 without Retry-After. */
const PAUSE_MS = { min: 1_000, max: 5_000 };

const MINUTE_MS = 60_000;
/** Sums of fractions of tokens are wrong in the last digits. */
const EPSILON = 1e-6;

interface RateLimited {
	sentAt: number;
	retryAfterMs: number | null;
	/** The part of the limit that the service counts as ours. */
	ownPart: number;
	/** The same, with what was refused. */
	sentPart: number;
}

/**
 * A token bucket whose rate is the process's share of the limit, and the pauses that the service asks for. Times in milliseconds.
 * Processes with one key cannot communicate, but all of them get 429s: after one each takes a smaller share, and lets it grow
 * again (additive increase, multiplicative decrease: Chiu and Jain, 1989).
 */
export class Backoff {
	readyAt = Number.NEGATIVE_INFINITY;

	/** The share after the last reduction. */
	private left = 1;

	private growsFrom = Number.NEGATIVE_INFINITY;

	private reducedAt = Number.NEGATIVE_INFINITY;

	private limitedAt = Number.NEGATIVE_INFINITY;

	private crowdedAt = Number.NEGATIVE_INFINITY;

	/** The tokens that were missing at `spentAt`. */
	private spent = 0;

	private spentAt = Number.NEGATIVE_INFINITY;

	/** `random` is uniform in [0, 1); what was sent before `begunAt` is not known. */
	constructor(
		private readonly random: () => number,
		private readonly begunAt: number,
	) {}

	/** The share in requests a minute, at least one. */
	perMinute(limit: number, now: number): number {
		return Math.max(1, limit * this.part(now));
	}

	tokens(limit: number, now: number): number {
		return this.perMinute(limit, now) - this.missing(limit, now) + EPSILON;
	}

	capacity(limit: number, now: number): number {
		const share = this.perMinute(limit, now);
		return now - this.crowdedAt < CROWDED_MS ? Math.min(CROWDED_TOKENS, share) : share;
	}

	/** When there are this many tokens, if nothing is sent meanwhile. */
	containsAt(tokens: number, limit: number, now: number): number {
		const missing = tokens - this.tokens(limit, now);
		return missing <= 0 ? now : now + Math.ceil((missing * MINUTE_MS) / this.perMinute(limit, now));
	}

	tokensBy(time: number, limit: number, now: number): number {
		return this.tokens(limit, now) + ((time - now) * this.perMinute(limit, now)) / MINUTE_MS;
	}

	/** A request is sent; with -1, one was not sent after all. */
	spend(tokens: number, limit: number, now: number): void {
		this.spent = this.missing(limit, now) + tokens;
		this.spentAt = now;
	}

	pause(retryAfterMs: number, now: number): void {
		const stated = Math.min(Math.max(0, retryAfterMs), MAX_RETRY_AFTER_MS);
		this.readyAt = Math.max(this.readyAt, now + stated + RETRY_JITTER_MS * this.random());
	}

	limited(
		{ sentAt, retryAfterMs, ownPart, sentPart }: RateLimited,
		limit: number,
		now: number,
	): void {
		if (retryAfterMs !== null) this.pause(retryAfterMs, now);
		// What was in flight at the last 429 has the same cause.
		if (sentAt < this.limitedAt) return;
		this.limitedAt = now;
		if (retryAfterMs === null) {
			const { min, max } = PAUSE_MS;
			this.readyAt = Math.max(this.readyAt, now + min + (max - min) * this.random());
		}
		const isCrowded = retryAfterMs === null || retryAfterMs >= CROWDED_FROM_MS;
		const isFirst = isCrowded && now - this.crowdedAt >= FIRST_AFTER_MS;
		if (isCrowded) {
			// What a process that has just begun may not use yet was not sent: it must not wait to earn that again.
			this.spent = Math.min(this.missing(limit, now), sentPart * limit);
			this.spentAt = now;
			this.crowdedAt = now;
		}
		const part = this.part(now);
		const isTooSoon = now - this.reducedAt < DECREASE_EVERY_MS[isCrowded ? 'crowded' : 'soon'];
		const isOthers =
			(now < this.growsFrom && ownPart < part * LITTLE_USED) ||
			(!isCrowded && sentPart < part * LITTLE_USED);
		if (!isFirst && (isTooSoon || isOthers)) return;
		const times = Math.max(1, Math.floor((retryAfterMs ?? 0) / PER_DECREASE_MS));
		const left = isFirst
			? FIRST_SHARE + MAKES_UP * (FIRST_SHARE - Math.min(1, ownPart))
			: part * DECREASE ** times;
		this.left = Math.max(MIN_SHARE, Math.min(part, left));
		this.reducedAt = now;
		this.growsFrom = isFirst ? now + STILL_MS : Math.max(this.growsFrom, now);
	}

	/** Whether no 429 has an effect any more. */
	isWhole(now: number): boolean {
		return this.part(now) >= 1 && now - this.crowdedAt >= FIRST_AFTER_MS;
	}

	private part(now: number): number {
		const minutes = Math.max(0, now - this.growsFrom) / MINUTE_MS;
		const faster = FASTER * this.left * Math.max(0, minutes - SLOW_MINUTES);
		return Math.min(1, this.left * (1 + GROWTH * minutes + faster));
	}

	/** The tokens that are missing for a full share; after a crowded 429 and after a start they have to be earned. */
	private missing(limit: number, now: number): number {
		const share = this.perMinute(limit, now);
		const earnedSince = (time: number) => (Math.max(0, now - time) * share) / MINUTE_MS;
		const atOnce = Math.max(CROWDED_TOKENS, FRESH_PART * limit);
		return Math.max(
			0,
			this.spent - earnedSince(this.spentAt),
			share - CROWDED_TOKENS - earnedSince(this.crowdedAt + CROWDED_MS),
			share - atOnce - earnedSince(this.begunAt),
		);
	}
}
