import type { SlotUse } from './slotWindow';

/**
 * Watching's share of a budget that others would use up: pure bookkeeping; times in milliseconds. Interactive requests go ahead,
 * but while watching asks, a quarter of the limit is kept for it in any window. A queue of checks (a large batch) keeps
 * the same share for watching that does not queue. Nothing is kept while nothing is watched.
 */

/** The part of the limit that is watching's in any window in which it asks for that much, whatever others want. */
export const GUARANTEED_SHARE = 0.25;
/** Watching asks again after a second or after a minute: its share is kept for so long after it found others waiting. */
export const KEPT_MS = 75_000;

/** How many requests that is, of so many. With a limit of 1 there is nothing to divide. */
export function guaranteedOf(limit: number): number {
	return limit < 2 ? 0 : Math.max(1, Math.floor(limit * GUARANTEED_SHARE));
}

export class GuaranteedShare {
	private readonly keptUntil = {
		watch: Number.NEGATIVE_INFINITY,
		unqueued: Number.NEGATIVE_INFINITY,
	};

	constructor(private readonly used: Readonly<Record<SlotUse, number>>) {}

	/** Watching has found others waiting. */
	keep(use: 'watch' | 'unqueued', now: number): void {
		this.keptUntil[use] = now + KEPT_MS;
	}

	/** Slots of the window that watching has, queued or not. */
	get usedByWatching(): number {
		return this.used.watch + this.used.unqueued;
	}

	/** When something stops being kept; Infinity if nothing is kept. */
	endsAt(now: number): number {
		return Math.min(...Object.values(this.keptUntil).filter((until) => until > now));
	}

	/** Whether a part of the share is kept from this use for watching that comes later. */
	isKeptFrom(use: SlotUse, share: number, now: number): boolean {
		if (use === 'unqueued') return false;
		return (
			this.isKept('unqueued', share, now) ||
			(use === 'interactive' && this.isKept('watch', share, now))
		);
	}

	/**
	 * Whether the window has no slot for this use, because one more would cut into watching's share.
	 * @param most how many slots the use may have when nothing else is sent
	 */
	isUsedUp(use: SlotUse, most: number, share: number, now: number): boolean {
		const { interactive, watch } = this.used;
		if (use === 'unqueued') return false;
		if (this.isKept('unqueued', share, now) && interactive + watch >= most - share) return true;
		return use === 'interactive' && this.isKept('watch', share, now) && interactive >= most - share;
	}

	/** Whether watching that waits in the queue goes before interactive requests. */
	isAhead(most: number, share: number): boolean {
		return this.usedByWatching < share && this.used.interactive >= most - share;
	}

	private isKept(use: 'watch' | 'unqueued', share: number, now: number): boolean {
		const used = use === 'watch' ? this.usedByWatching : this.used.unqueued;
		return now < this.keptUntil[use] && used < share;
	}
}
