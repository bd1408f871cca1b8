/** What a watch must know, a second time and as simply as can be; what the shipped trigger does is compared with it. */

export interface Entry {
	listed: boolean;
	/** When it was last posted; null for an order that only the list names. */
	postedAt: number | null;
	reference: unknown;
	/** When a call has removed it, or of what the list names the reference; absent if none has. */
	removedAt?: number;
	/** When its final status was emitted; null while it is open. */
	emittedAt: number | null;
	/** When it was first listed or posted. */
	since: number;
	/** When its event Delayed was emitted; null before. */
	delayedAt: number | null;
	/** Its events may come again: a version without it was published in vain, and n8n has kept what that version's poll saved. */
	mayRepeat?: boolean;
	/** A call removed it while a start was being committed: if n8n drops that start, its event need not come. */
	isRemovedIfDropped?: boolean;
}

const HOUR_MS = 3_600_000;

/** Delayed After (Minutes), as all triggers have it. */
export const DELAYED_AFTER_MS = 5 * 60_000;

/** The most bytes of JSON that n8n may keep, of a watch and of each order beside its reference: it writes all of it with each change. */
const WATCH_BYTES = 230;
const ORDER_BYTES = 300;
const UNSEEN_ORDER_BYTES = 130;

export class Book {
	entries = new Map<string, Entry>();

	/** References that were posted while a start was being committed, by hash: such a post counts if n8n drops that start. */
	ifDropped = new Map<string, unknown>();

	/** What calls have removed, by hash. */
	private removed = new Map<string, Entry>();

	constructor(
		/** Whether n8n may drop what a poll has saved, as the durable engine does. */
		private readonly mayBeDropped: boolean,
		/** When a poll first read a list with a hash, for all books of a trigger; how much is known of it later is left open. */
		private readonly firstListed = new Map<string, number>(),
	) {}

	copy(): Book {
		const copy = new Book(this.mayBeDropped, this.firstListed);
		for (const [hash, entry] of this.entries) copy.entries.set(hash, { ...entry });
		copy.ifDropped = new Map(this.ifDropped);
		copy.removed = new Map(this.removed);
		return copy;
	}

	/** A poll has read the list. */
	readList(list: readonly string[], now: number): void {
		for (const [hash, entry] of this.entries) {
			entry.listed = list.includes(hash);
			if (!entry.listed && entry.postedAt === null) this.entries.delete(hash);
		}
		for (const hash of list) {
			if (!this.firstListed.has(hash)) this.firstListed.set(hash, now);
			if (!this.entries.has(hash))
				this.entries.set(hash, {
					listed: true,
					postedAt: null,
					reference: null,
					emittedAt: null,
					since: now,
					delayedAt: null,
				});
		}
		for (const [hash, { listed, postedAt, emittedAt }] of this.entries) {
			if (!listed && postedAt !== null && emittedAt !== null && now - emittedAt >= 24 * HOUR_MS)
				this.entries.delete(hash);
		}
	}

	/** The watch of an order has expired, not before its earliest time. Gives what is wrong with that; null if nothing is. */
	expire(hash: string, reference: unknown, now: number, emittedAt = now): string | null {
		const entry = this.entries.get(hash);
		if (entry === undefined || entry.emittedAt !== null) return 'it is not open';
		// What was posted while the database took its time for the event is watched again.
		const isPostedAfter = entry.postedAt !== null && entry.postedAt >= emittedAt && now > emittedAt;
		if (entry.listed) return 'the list names it';
		if (entry.postedAt === null) return 'nothing names it';
		if (now - (isPostedAfter ? entry.since : entry.postedAt) < 48 * HOUR_MS)
			return 'it is too early';
		if (isPostedAfter) return null;
		this.entries.delete(hash);
		return wrongReference(reference, entry);
	}

	/** An order that began at `createdAt`, and was shown as open at `shownAt`, takes too long. Gives what is wrong with that, or null. */
	delay(
		hash: string,
		reference: unknown,
		createdAt: number | null,
		shownAt: readonly number[],
		now: number,
		emittedAt: number,
	): string | null {
		// What was posted or removed while the database took its time for the event came too late for it.
		const isTooLate = (at: number | null = null) =>
			at !== null && at >= emittedAt && now > emittedAt;
		const removed = this.removed.get(hash);
		const entry = isTooLate(removed?.removedAt) ? removed : this.entries.get(hash);
		if (entry === undefined || entry.emittedAt !== null) return 'it is not open';
		if (entry.delayedAt !== null && entry.mayRepeat !== true)
			return `it was emitted before, at ${new Date(entry.delayedAt).toISOString()}`;
		const since = Math.min(entry.since, this.firstListed.get(hash) ?? entry.since);
		const dueAt = Math.min(since, createdAt ?? since) + DELAYED_AFTER_MS;
		if (!shownAt.some((at) => at >= dueAt && at <= emittedAt))
			return 'no answer has shown that it is open since that was due';
		entry.delayedAt = emittedAt;
		const isChanged = isTooLate(entry.postedAt) || isTooLate(entry.removedAt);
		return isChanged ? null : wrongReference(reference, entry);
	}

	/** The list that was read last belongs to a version that could not be published: the one before it counts again. */
	undoList(before: Book): void {
		for (const [hash, entry] of before.entries) {
			const now = this.entries.get(hash);
			if (now === undefined && entry.listed)
				this.entries.set(hash, { ...entry, mayRepeat: this.mayBeDropped && hasEvent(entry) });
			else if (now !== undefined) now.listed = entry.listed;
		}
		for (const [hash, entry] of this.entries) {
			if (before.entries.has(hash)) continue;
			entry.listed = false;
			if (entry.postedAt === null) this.entries.delete(hash);
		}
	}

	/** A poll whose result was thrown away has read a list without these orders: listed again, their events may come again. */
	forgive(inMemory: Book): void {
		for (const [hash, entry] of this.entries)
			entry.mayRepeat ||= hasEvent(entry) && !inMemory.entries.has(hash);
	}

	/** What a call that posts these orders changes, and what its answer has to be. */
	post(
		orders: ReadonlyArray<{ hash: string; reference?: unknown }>,
		now: number,
	): { accepted: number; watched: number; finished: number } {
		const answer = { accepted: 0, watched: 0, finished: 0 };
		for (const { hash, reference } of orders) {
			const entry = this.entries.get(hash);
			if (entry === undefined) {
				this.entries.set(hash, {
					listed: false,
					postedAt: now,
					reference: reference ?? null,
					emittedAt: null,
					since: now,
					delayedAt: null,
				});
				answer.accepted++;
			} else if (entry.emittedAt === null) {
				entry.postedAt = now;
				if (reference !== undefined || entry.isRemovedIfDropped === true) {
					entry.reference = reference ?? null;
					this.ifDropped.delete(hash);
				}
				entry.isRemovedIfDropped = false;
				answer.watched++;
			} else {
				entry.postedAt ??= now;
				answer.finished++;
			}
		}
		return answer;
	}

	/** How many orders a call removes; those that the list names stay, without what they were posted with. */
	remove(hashes: readonly string[], now: number): number {
		let removed = 0;
		for (const hash of hashes) {
			const entry = this.entries.get(hash);
			this.ifDropped.delete(hash);
			if (entry === undefined || entry.emittedAt !== null) continue;
			if (entry.listed) Object.assign(entry, { postedAt: null, reference: null, removedAt: now });
			else {
				this.entries.delete(hash);
				this.removed.set(hash, { ...entry, removedAt: now });
				removed++;
			}
		}
		return removed;
	}

	/** A call removes an order whose start is being committed; what the list names stays. */
	removeIfDropped(hash: string): void {
		const entry = this.entries.get(hash);
		if (entry === undefined || entry.emittedAt !== null) return;
		entry.isRemovedIfDropped = true;
		// One that the list names keeps what was emitted of it.
		entry.mayRepeat ||= !entry.listed && hasEvent(entry);
	}

	/** A finished order has started the workflow. Gives what is wrong with that; null if nothing is. */
	emit(hash: string, reference: unknown, now: number): string | null {
		const entry = this.entries.get(hash);
		const isAsPosted =
			this.ifDropped.has(hash) && differs(reference, this.ifDropped.get(hash)) === null;
		this.ifDropped.delete(hash);
		if (entry === undefined) return isAsPosted ? null : 'it is not watched';
		if (entry.emittedAt !== null && entry.mayRepeat !== true)
			return `it was emitted before, at ${new Date(entry.emittedAt).toISOString()}`;
		const wrong = wrongReference(reference, entry);
		if (wrong !== null && !isAsPosted) return wrong;
		entry.emittedAt = now;
		entry.mayRepeat = false;
		entry.isRemovedIfDropped = false;
		if (entry.postedAt !== null) entry.reference = null;
		return null;
	}

	/** The most bytes that n8n may have to keep for this watch. A list of a version that could not be published may be among them. */
	mostBytes(longestList: number): number {
		let bytes = WATCH_BYTES + UNSEEN_ORDER_BYTES * longestList;
		for (const { reference } of this.entries.values())
			bytes += ORDER_BYTES + JSON.stringify(reference).length;
		return bytes;
	}
}

function hasEvent({ emittedAt, delayedAt }: Entry): boolean {
	return emittedAt !== null || delayedAt !== null;
}

function wrongReference(reference: unknown, entry: Entry): string | null {
	if (entry.isRemovedIfDropped === true && reference === null) return null;
	return differs(reference, entry.reference);
}

function differs(reference: unknown, newest: unknown): string | null {
	const [found, expected] = [JSON.stringify(reference), JSON.stringify(newest)];
	return found === expected ? null : `its reference is ${found}, the newest one is ${expected}`;
}
