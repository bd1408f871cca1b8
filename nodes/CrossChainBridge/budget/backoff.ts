const MIN_SHARE = 0.1;
/** After the first crowded 429 in FIRST_AFTER_MS: another process uses the key. */
const FIRST_SHARE = 0.5;
const FIRST_AFTER_MS = 900_000;
/** If a process has sent more than FIRST_SHARE, it begins below FIRST_SHARE by this part of the difference; if less, above it. */
const MAKES_UP = 0.2;
/** The window still shows what was sent before that first 429: the share does not grow. */
const STILL_MS = 120_000;
/** If less than this part of the share was sent, others have filled the window. */
const LITTLE_USED = 0.25;
/** A later 429 reduces the share to this part, once for each PER_DECREASE_MS of its Retry-After. */
const DECREASE = 0.93;
const PER_DECREASE_MS = 8_000;
const DECREASE_EVERY_MS = 4_000;
/** A 429 without Retry-After, or with at least this, shows that others crowd the window. */
const CROWDED_FROM_MS = 10_000;
/** In a minute. */
const GROWTH = 0.02;
/** After these minutes others may have finished, and a larger share grows faster. */
const SLOW_MINUTES = 1.5;
const FASTER = 0.3;

/** A burst after a crowded 429 would collide with those of others. */
const CROWDED_MS = 60_000;
const CROWDED_TOKENS = 2;
/** The part of the limit that a process may use at once when it has just begun. */
const FRESH_PART = 0.1;

/** A Retry-After is over at the same moment for all processes. */
const RETRY_JITTER_MS = 500;
/** After a 429 without Retry-After, without the jitter. */
const PAUSE_MS = { min: 1_000, max: 4_500 };

const MINUTE_MS = 60_000;
/** Sums of fractions of tokens are wrong in the last digits. */
const EPSILON = 1e-6;

interface RateLimited {
	sentAt: number;
	retryAfterMs: number | null;
	/** The parts of the limit that the service counts as ours, and that were sent. */
	ownPart: number;
	sentPart: number;
}

export interface BackoffSetup {
	/** Uniform in [0, 1): spreads what several processes would do at the same moment. */
	random?: () => number;
	/** When the process began; nobody knows how much was sent before. */
	begunAt?: number;
}

/**
 * A token bucket whose rate is the process's share of the limit, and the pauses that the service asks for. Times in milliseconds.
 * Processes with one key cannot communicate, but all get 429s: after one each takes a smaller share and lets it grow again
 * (additive increase, multiplicative decrease: Chiu and Jain, 1989).
 */
export class Backoff {
	readyAt = -Infinity;

	/** The share after the last reduction, as a part of the limit. */
	private shareAtReduction = 1;

	private growsFrom = -Infinity;

	private reducedAt = -Infinity;

	private limitedAt = -Infinity;

	private crowdedAt = -Infinity;

	/** The tokens that were missing at `spentAt`. */
	private spent = 0;

	private spentAt = -Infinity;

	private readonly setup: Required<BackoffSetup>;

	constructor(setup: BackoffSetup) {
		this.setup = { random: Math.random, begunAt: -Infinity, ...setup };
	}

	/** The share, at least one. */
	perMinute(limit: number, now: number): number {
		return Math.max(1, limit * this.part(now));
	}

	/** The tokens in the bucket after this time in which nothing is sent. */
	tokens(limit: number, now: number, afterMs = 0): number {
		const share = this.perMinute(limit, now);
		return share - this.missing(limit, now) + EPSILON + (afterMs * share) / MINUTE_MS;
	}

	capacity(limit: number, now: number): number {
		const share = this.perMinute(limit, now);
		return now - this.crowdedAt < CROWDED_MS ? Math.min(CROWDED_TOKENS, share) : share;
	}

	/** When there are this many, if nothing is sent meanwhile. */
	containsAt(tokens: number, limit: number, now: number): number {
		const missing = tokens - this.tokens(limit, now);
		return missing <= 0 ? now : now + Math.ceil((missing * MINUTE_MS) / this.perMinute(limit, now));
	}

	/** A request is sent; with -1, one was not sent after all. */
	spend(tokens: number, limit: number, now: number): void {
		this.spent = this.missing(limit, now) + tokens;
		this.spentAt = now;
	}

	pause(retryAfterMs: number, now: number): void {
		const until = now + retryAfterMs + RETRY_JITTER_MS * this.setup.random();
		this.readyAt = Math.max(this.readyAt, until);
	}

	/** A 429 has come. */
	limited(
		{ sentAt, retryAfterMs, ownPart, sentPart }: RateLimited,
		limit: number,
		now: number,
	): void {
		if (retryAfterMs !== null) this.pause(retryAfterMs, now);
		// A request that was in flight at the last 429 got this one for the same cause.
		if (sentAt < this.limitedAt) return;
		this.limitedAt = now;
		const { min, max } = PAUSE_MS;
		if (retryAfterMs === null) this.pause(min + (max - min) * this.setup.random(), now);
		const isCrowded = retryAfterMs === null || retryAfterMs >= CROWDED_FROM_MS;
		const isFirst = isCrowded && now - this.crowdedAt >= FIRST_AFTER_MS;
		if (isCrowded) {
			// Only what was sent has to be earned again, not what a fresh process was not allowed to send.
			this.spent = Math.min(this.missing(limit, now), sentPart * limit);
			this.spentAt = now;
			this.crowdedAt = now;
		}
		const part = this.part(now);
		const isTooSoon = now - this.reducedAt < DECREASE_EVERY_MS;
		// It says nothing of our share if others have filled the window, of which we have used little: the first one has just reduced
		// the share, or only a short burst was refused.
		const isOthers =
			(now < this.growsFrom && ownPart < part * LITTLE_USED) ||
			(!isCrowded && sentPart < part * LITTLE_USED);
		if (!isFirst && (isTooSoon || isOthers)) return;
		const times = Math.max(1, Math.floor((retryAfterMs ?? 0) / PER_DECREASE_MS));
		const reduced = isFirst
			? FIRST_SHARE + MAKES_UP * (FIRST_SHARE - Math.min(1, ownPart))
			: part * DECREASE ** times;
		this.shareAtReduction = Math.max(MIN_SHARE, Math.min(part, reduced));
		this.reducedAt = now;
		this.growsFrom = isFirst ? now + STILL_MS : Math.max(this.growsFrom, now);
	}

	private part(now: number): number {
		const minutes = Math.max(0, now - this.growsFrom) / MINUTE_MS;
		const faster = FASTER * this.shareAtReduction * Math.max(0, minutes - SLOW_MINUTES);
		return Math.min(1, this.shareAtReduction * (1 + GROWTH * minutes + faster));
	}

	/** The tokens that a full share lacks; after a crowded 429 or a start they have to be earned. */
	private missing(limit: number, now: number): number {
		const share = this.perMinute(limit, now);
		const earnedSince = (time: number) => (Math.max(0, now - time) * share) / MINUTE_MS;
		const atOnce = Math.max(CROWDED_TOKENS, FRESH_PART * limit);
		return Math.max(
			0,
			this.spent - earnedSince(this.spentAt),
			share - CROWDED_TOKENS - earnedSince(this.crowdedAt + CROWDED_MS),
			share - atOnce - earnedSince(this.setup.begunAt),
		);
	}
}
