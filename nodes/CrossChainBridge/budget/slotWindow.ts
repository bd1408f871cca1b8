/** The slots of a budget's window: how many each use has, and when they are free again. Pure bookkeeping; times in milliseconds. */

/** How a slot is used; 'unqueued' is watching that takes what is free and does not wait for more. */
export type SlotUse = 'interactive' | 'watch' | 'unqueued';

interface Slot {
	readonly use: SlotUse;
	readonly sentAt: number;
	/** Freed later than the others. */
	readonly isYielded: boolean;
	/** When the slot is free again. A guess until the request is settled. */
	freeAt: number;
	/** When the service forgets the request at the latest; null unless it was served. */
	forgottenAt: number | null;
}

/** A taken slot, to be settled when its request is over, in whatever way. */
export type SlotHandle = Readonly<Slot>;

export class SlotWindow {
	/** Settled slots, by freeAt ascending. */
	private readonly settled: Slot[] = [];

	private readonly inFlight = new Set<Slot>();

	/** How many slots each use has. */
	readonly used: Record<SlotUse, number> = { interactive: 0, watch: 0, unqueued: 0 };

	/** How many of them are yielded. */
	yielded = 0;

	get size(): number {
		return this.inFlight.size + this.settled.length;
	}

	/** @param lostAt when the slot is given up if it is never settled; never before that of an earlier one */
	take(use: SlotUse, isYielded: boolean, sentAt: number, lostAt: number): SlotHandle {
		const slot: Slot = { use, sentAt, isYielded, freeAt: lostAt, forgottenAt: null };
		this.inFlight.add(slot);
		this.used[use]++;
		if (isYielded) this.yielded++;
		return slot;
	}

	/** The request is over; false if the slot was settled before. */
	settle(handle: SlotHandle, freeAt: number, forgottenAt: number | null): boolean {
		const slot = handle as Slot;
		if (!this.inFlight.delete(slot)) return false;
		slot.freeAt = freeAt;
		slot.forgottenAt = forgottenAt;
		let at = this.settled.length;
		while (at > 0 && (this.settled[at - 1]?.freeAt ?? 0) > freeAt) at--;
		this.settled.splice(at, 0, slot);
		return true;
	}

	/** The request was never sent; false if the slot was settled before. */
	release(handle: SlotHandle): boolean {
		const slot = handle as Slot;
		if (!this.inFlight.delete(slot)) return false;
		this.uncount(slot);
		return true;
	}

	/** Drops what is free again. */
	forget(now: number): void {
		const gone = countUpTo(this.settled, now);
		if (gone > 0) for (const slot of this.settled.splice(0, gone)) this.uncount(slot);
		for (const slot of this.inFlight) {
			// Insertion order is the order of sending: the first recent one stops the search.
			if (slot.freeAt > now) break;
			this.inFlight.delete(slot);
			this.uncount(slot);
		}
	}

	/** When so many slots more (at least one) are free, as far as is known; undefined if there are none. O(1). */
	freedAt(count: number): number | undefined {
		const [oldestInFlight] = this.inFlight;
		return (this.settled[count - 1] ?? oldestInFlight)?.freeAt;
	}

	/** How many slots are free again at `time`. O(log n). */
	freedBy(time: number): number {
		return countUpTo(this.settled, time);
	}

	/** How many of the slots the service is known to count: what it has answered and not yet forgotten. */
	counted(now: number): number {
		return this.settled.filter(({ forgottenAt }) => forgottenAt !== null && forgottenAt > now)
			.length;
	}

	/** Whether a request that the service counts at `now`, with a window of so many ms, is forgotten before `time`. */
	isForgottenBefore(time: number, now: number, windowMs: number): boolean {
		return this.settled.some(
			({ sentAt, forgottenAt }) =>
				forgottenAt !== null && sentAt + windowMs > now && forgottenAt < time,
		);
	}

	private uncount({ use, isYielded }: Slot): void {
		this.used[use]--;
		if (isYielded) this.yielded--;
	}
}

function countUpTo(slots: readonly Slot[], time: number): number {
	let low = 0;
	let high = slots.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((slots[middle]?.freeAt ?? Number.POSITIVE_INFINITY) <= time) low = middle + 1;
		else high = middle;
	}
	return low;
}
