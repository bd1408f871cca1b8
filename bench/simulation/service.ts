import type { Random } from './random';

/** A request takes this long there, and as long again back: uniform between the two (ms, one way). */
const ONE_WAY_MS: readonly [number, number] = [10, 40];

/** The service allows this many requests in any 60 s, counted when they arrive; a refused one is not counted. */
export const SERVICE_LIMIT = 100;

const WINDOW_MS = 60_000;

export function oneWay(random: Random): number {
	return ONE_WAY_MS[0] + (ONE_WAY_MS[1] - ONE_WAY_MS[0]) * random();
}

/** Counts arrivals, which must come in the order of time, and refuses what is beyond the limit. */
export class SlidingWindow {
	private readonly accepted: number[] = [];

	private first = 0;

	requests = 0;

	refused = 0;

	constructor(private readonly limit = SERVICE_LIMIT) {}

	/** For how long from now a further request would be refused, in whole seconds as a Retry-After says it, but in milliseconds. */
	retryAfterMs(now: number): number {
		const blocking = this.accepted[this.accepted.length - this.limit];
		return blocking === undefined
			? 0
			: 1000 * Math.ceil(Math.max(0, blocking + WINDOW_MS - now) / 1000);
	}

	/** True if the request that arrives now is served. */
	arrive(now: number): boolean {
		this.requests++;
		while (
			this.first < this.accepted.length &&
			(this.accepted[this.first] ?? now) <= now - WINDOW_MS
		)
			this.first++;
		if (this.accepted.length - this.first >= this.limit) {
			this.refused++;
			return false;
		}
		this.accepted.push(now);
		return true;
	}
}
