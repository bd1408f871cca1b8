/** The interface's limit is counted per minute. */
const WINDOW_MS = 60_000;

type Admission = { admitted: true } | { admitted: false; retryAfterSeconds: number };

/**
 * A sliding window per key: a request is admitted if fewer than the limit were admitted in the 60 s before
 * it. Refused requests are not counted, so hammering does not make the wait longer.
 */
export class SlidingWindow {
	readonly #admittedAt = new Map<string, number[]>();

	/**
	 * @param limit - requests per minute; 0 = no limit
	 * @param nowMs - Unix milliseconds
	 */
	admit(key: string, limit: number, nowMs: number): Admission {
		if (limit === 0) return { admitted: true };
		const recent = (this.#admittedAt.get(key) ?? []).filter((at) => at > nowMs - WINDOW_MS);
		this.#admittedAt.set(key, recent);
		// With a full window the next place is free when the oldest of the last `limit` requests leaves it.
		const blocking = recent[recent.length - limit];
		if (blocking !== undefined) {
			return {
				admitted: false,
				retryAfterSeconds: Math.ceil((blocking + WINDOW_MS - nowMs) / 1000),
			};
		}
		recent.push(nowMs);
		return { admitted: true };
	}
}
