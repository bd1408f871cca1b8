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
	/** When its events Delayed and Expired were emitted; null before. */
	delayedAt: number | null;
	expiredAt: number | null;
	/** When an expression stopped naming it; it is kept for a day then, unless a post names it. */
	leftAt: number | null;
	/** After it has finished: until when it is remembered if the list does not name it. */
	keptUntil: number;
	/** The hash that it stands for, as the first post said that named one. */
	replaces?: string;
	/** It was watched by itself when a post said what it replaces: it stays watched if that had finished, because a message too many shows itself. */
	wasByItself?: boolean;
	/** Its events may come again: a version without it was published in vain, and n8n has kept what that version's poll saved. */
	mayRepeat?: boolean;
	/**
	 * When another hash of its order was last posted, if the list has left out this one or a call has removed that one since. If this one was found
	 * by then, that post counts for it, so that it stays watched. Whether it was found is not in the book: its events may come, and need not.
	 */
	otherPostedAt?: number;
	/** A call removed it while a start was being committed: if n8n drops that start, its event need not come. */
	isRemovedIfDropped?: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An order that a call names; `replaces`: the hash that it stands for. */
export interface PostedHash {
	hash: string;
	reference?: unknown;
	replaces?: string;
}

/** A milestone of an order, with all that says whether it is right. Times in milliseconds since 1970. */
interface Reached {
	hash: string;
	reference: unknown;
	createdAt: number | null;
	shownAt: readonly number[];
	now: number;
	emittedAt: number;
}

/** Delayed After (Minutes), as all triggers have it. */
export const DELAYED_AFTER_MS = 5 * 60_000;

/** Whether the trigger checks it. */
export function isOpen({ listed, postedAt, emittedAt }: Entry): boolean {
	return emittedAt === null && (listed || postedAt !== null);
}

/** The age at which an open order without an expiry has expired. */
const EXPIRED_AFTER_MS = 24 * HOUR_MS;

/** How long checks fail before the trigger counts as interrupted, if nobody has to correct anything. */
const INTERRUPTED_AFTER_MS = 10 * 60_000;

/** A poll may find a problem this long after it occurred: it waits for a slow credential. */
const FOUND_WITHIN_MS = 150_000;

/** The most bytes of JSON that n8n may keep, of a watch and of each order besides its reference: it writes all of it with each change. */
const WATCH_BYTES = 330;
const ORDER_BYTES = 380;
const UNSEEN_ORDER_BYTES = 160;

export class Book {
	entries = new Map<string, Entry>();

	/** References that were posted while a start was being committed, by hash: such a post counts if n8n drops that start. */
	ifDropped = new Map<string, unknown>();

	/** What calls have removed, by hash. */
	private removed = new Map<string, Entry>();

	/** Hashes that stand for one order, by each of them. */
	private groups = new Map<string, ReadonlySet<string>>();

	private everPaired = new Set<string>();

	/** Whether the event `interrupted` was emitted, and not yet the one that ends it. */
	isInterrupted = false;

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
		copy.isInterrupted = this.isInterrupted;
		copy.groups = new Map(this.groups);
		copy.everPaired = new Set(this.everPaired);
		return copy;
	}

	/** A poll has read the list, which a person has typed, or an expression has given. */
	readList(list: readonly string[], isListByHand: boolean, now: number): void {
		for (const [hash, entry] of this.entries) {
			const wasListed = entry.listed;
			entry.listed = list.includes(hash);
			if (entry.listed) {
				entry.leftAt = null;
				// If it had not been found, it was forgotten meanwhile.
				if (!wasListed && entry.otherPostedAt !== undefined) entry.mayRepeat ||= hasEvent(entry);
			} else if (entry.emittedAt === null) {
				entry.leftAt ??= now;
				const isKept = entry.postedAt !== null || (!isListByHand && now < entry.leftAt + DAY_MS);
				if (!isKept) {
					entry.otherPostedAt = this.twinPostedAt(hash) ?? entry.otherPostedAt;
					this.leaveGroup(hash);
					if (entry.otherPostedAt === undefined) this.entries.delete(hash);
				}
			} else {
				if (wasListed && !isListByHand) entry.keptUntil = Math.max(entry.keptUntil, now + DAY_MS);
				if (now >= entry.keptUntil) this.entries.delete(hash);
			}
		}
		for (const hash of list) {
			if (!this.firstListed.has(hash)) this.firstListed.set(hash, now);
			if (!this.entries.has(hash)) this.entries.set(hash, { ...freshEntry(now), listed: true });
		}
	}

	/** The trigger stops watching an order, not before its earliest time. Gives what is wrong with that; null if nothing is. */
	endWatch(hash: string, reference: unknown, now: number, emittedAt = now): string | null {
		const entry = this.entries.get(hash);
		if (entry === undefined || entry.emittedAt !== null) return 'it is not open';
		// What was posted while the database took its time for the event is watched again.
		const postedAt = entry.postedAt ?? entry.otherPostedAt ?? this.twinPostedAt(hash);
		const isPostedAfter = postedAt !== undefined && postedAt >= emittedAt && now > emittedAt;
		if (entry.listed) return 'the list names it';
		if (postedAt === undefined) return 'nothing names it';
		if (now - (isPostedAfter ? entry.since : postedAt) < 48 * HOUR_MS) return 'it is too early';
		if (isPostedAfter) return null;
		this.entries.delete(hash);
		return this.isPaired(hash) ? null : wrongReference(reference, entry);
	}

	/**
	 * An order that began at `createdAt`, and about which the service responded at `shownAt` without a final status, takes too long. Gives what
	 * is wrong with that, or null.
	 */
	reach(
		milestone: 'delayed' | 'expired',
		{ hash, reference, createdAt, shownAt, now, emittedAt }: Reached,
	): string | null {
		// What was posted or removed while the database took its time for the event came too late for it.
		const isTooLate = (at: number | null = null) =>
			at !== null && at >= emittedAt && now > emittedAt;
		const removed = this.removed.get(hash);
		const entry = isTooLate(removed?.removedAt) ? removed : this.entries.get(hash);
		if (entry === undefined || entry.emittedAt !== null) return 'it is not open';
		const mark = milestone === 'delayed' ? 'delayedAt' : 'expiredAt';
		const twins = this.twinsOf(hash);
		// What an order has replaced is remembered for a day.
		const hasFinished = (twin: Entry) => twin.emittedAt !== null && now - twin.since < DAY_MS;
		if (entry.wasByItself !== true && twins.some(hasFinished))
			return 'it has finished, by its other hash';
		const all = [entry, ...twins];
		const before = all.map((each) => each[mark]).find((at) => at !== null) ?? null;
		if (before !== null && !all.some(({ mayRepeat }) => mayRepeat === true))
			return `it was emitted before, at ${new Date(before).toISOString()}`;
		const since = Math.min(entry.since, this.firstListed.get(hash) ?? entry.since);
		const after = milestone === 'delayed' ? DELAYED_AFTER_MS : EXPIRED_AFTER_MS;
		const dueAt = Math.min(since, createdAt ?? since) + after;
		if (!shownAt.some((at) => at >= dueAt && at <= emittedAt))
			return 'no answer has shown that it is open since that was due';
		for (const each of all) {
			each[mark] = emittedAt;
			// An order that has expired is no longer reported as delayed.
			if (milestone === 'expired') each.delayedAt ??= emittedAt;
		}
		const isChanged = isTooLate(entry.postedAt) || isTooLate(entry.removedAt);
		return isChanged || this.isPaired(hash) ? null : wrongReference(reference, entry);
	}

	/** The other hashes of an order that was replaced, as far as they are known. */
	private twinsOf(hash: string): Entry[] {
		return [...(this.groups.get(hash) ?? [])].flatMap((other) => {
			const entry = other === hash ? undefined : this.entries.get(other);
			return entry === undefined ? [] : [entry];
		});
	}

	/** When one of the other hashes of its order was posted; undefined if none was. */
	private twinPostedAt(hash: string): number | undefined {
		return this.twinsOf(hash).find(({ postedAt }) => postedAt !== null)?.postedAt ?? undefined;
	}

	/** Whether a hash was ever named as one of several that stand for one order: which of them has events is not in the book. */
	isPaired(hash: string): boolean {
		return this.everPaired.has(hash);
	}

	/**
	 * The trigger cannot check its orders. `workedAt`: when the service last responded about one; `problemAt`: when there last was a problem that
	 * somebody has to correct; `foundSince`: since when a poll may have found it. Gives what is wrong with the event, or null.
	 */
	interrupt(
		now: number,
		{
			workedAt,
			problemAt,
			foundSince,
		}: { workedAt: number; problemAt: number; foundSince: number },
	): string | null {
		if (this.isInterrupted) return 'it was emitted before';
		this.isInterrupted = true;
		const isOver =
			now - workedAt >= INTERRUPTED_AFTER_MS || problemAt >= foundSince - FOUND_WITHIN_MS;
		return isOver ? null : 'orders could be checked';
	}

	/** It can again. Gives what is wrong with the event, or null. */
	resume(): string | null {
		if (!this.isInterrupted) return 'it was not interrupted';
		this.isInterrupted = false;
		return null;
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

	/** A durable poll has answered that an order is finished: what the book has to know of that is that it is one with another that it replaces. */
	postFinished(order: PostedHash, now: number): void {
		const { hash, replaces } = order;
		if (this.entries.has(hash) || replaces === undefined) return;
		const isDone = (this.entries.get(replaces)?.emittedAt ?? null) !== null;
		if (isDone || this.isPaired(replaces)) this.postOne(order, now);
	}

	/** What a call that posts these orders changes, and what its answer has to be. */
	post(
		orders: readonly PostedHash[],
		now: number,
	): { accepted: number; watched: number; finished: number } {
		const answer = { accepted: 0, watched: 0, finished: 0 };
		for (const order of orders) answer[this.postOne(order, now)]++;
		return answer;
	}

	private postOne(
		{ hash, reference, replaces }: PostedHash,
		now: number,
	): 'accepted' | 'watched' | 'finished' {
		const entry = this.entries.get(hash);
		const replaced = replaces === undefined ? undefined : this.entries.get(replaces);
		const done = [entry, entry === undefined ? replaced : undefined].find(
			(each) => each !== undefined && each.emittedAt !== null,
		);
		if (done !== undefined) {
			done.postedAt ??= now;
			done.keptUntil = now + DAY_MS;
			// Both are one order, so that this one has finished as well.
			if (entry === undefined) {
				const { emittedAt, keptUntil, mayRepeat } = done;
				const own = {
					...freshEntry(now),
					replaces,
					postedAt: now,
					emittedAt,
					keptUntil,
					mayRepeat,
				};
				this.entries.set(hash, own);
				this.everPaired.add(hash);
			}
			return 'finished';
		}
		const wasOpen = entry !== undefined && isOpen(entry);
		const known = entry ?? freshEntry(now);
		this.entries.set(hash, known);
		known.postedAt = now;
		if (entry === undefined && replaced !== undefined) {
			const { delayedAt, expiredAt, reference: inherited } = replaced;
			Object.assign(known, { delayedAt, expiredAt, reference: inherited });
		}
		const isStated = reference !== undefined && reference !== null;
		if (isStated || known.isRemovedIfDropped === true) {
			known.reference = reference ?? null;
			this.ifDropped.delete(hash);
		}
		known.isRemovedIfDropped = false;
		if (replaces !== undefined && known.replaces === undefined) {
			known.replaces = replaces;
			known.wasByItself = entry !== undefined;
			const all = [hash, replaces].flatMap((each) => [each, ...(this.groups.get(each) ?? [])]);
			const group = new Set(all);
			for (const each of group) {
				this.groups.set(each, group);
				this.everPaired.add(each);
			}
		}
		return wasOpen ? 'watched' : 'accepted';
	}

	/** How many orders a call removes; those that the list names stay, without what they were posted with. */
	remove(hashes: readonly string[], now: number): number {
		let removed = 0;
		for (const hash of hashes) {
			const entry = this.entries.get(hash);
			this.ifDropped.delete(hash);
			if (entry === undefined || !isOpen(entry)) continue;
			this.leaveGroup(hash);
			if (entry.listed) Object.assign(entry, { postedAt: null, reference: null, removedAt: now });
			else {
				this.entries.delete(hash);
				this.removed.set(hash, { ...entry, removedAt: now });
				removed++;
			}
		}
		return removed;
	}

	/** A hash that is posted again later is an order of its own, unless that post says otherwise. */
	private leaveGroup(hash: string): void {
		const postedAt = this.entries.get(hash)?.postedAt ?? null;
		const group = new Set(this.groups.get(hash));
		group.delete(hash);
		for (const other of group) {
			this.groups.set(other, group);
			const entry = this.entries.get(other);
			if (entry !== undefined && postedAt !== null) entry.otherPostedAt = postedAt;
		}
		this.groups.delete(hash);
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
		const twins = this.twinsOf(hash);
		if (twins.some(({ emittedAt, mayRepeat }) => emittedAt !== null && mayRepeat !== true))
			return 'it was emitted before, by its other hash';
		const wrong = wrongReference(reference, entry);
		if (wrong !== null && !isAsPosted && !this.isPaired(hash)) return wrong;
		for (const each of [entry, ...twins]) {
			each.emittedAt = now;
			const isPosted = each.postedAt !== null || each.otherPostedAt !== undefined;
			each.keptUntil = !isPosted && each === entry ? now : now + DAY_MS;
			each.mayRepeat = false;
			each.isRemovedIfDropped = false;
			if (each.postedAt !== null) each.reference = null;
		}
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

function freshEntry(now: number): Entry {
	return {
		listed: false,
		postedAt: null,
		reference: null,
		emittedAt: null,
		since: now,
		delayedAt: null,
		expiredAt: null,
		leftAt: null,
		keptUntil: 0,
	};
}

function hasEvent({ emittedAt, delayedAt, expiredAt }: Entry): boolean {
	return emittedAt !== null || delayedAt !== null || expiredAt !== null;
}

function wrongReference(reference: unknown, entry: Entry): string | null {
	if (entry.isRemovedIfDropped === true && reference === null) return null;
	return differs(reference, entry.reference);
}

function differs(reference: unknown, newest: unknown): string | null {
	const [found, expected] = [JSON.stringify(reference), JSON.stringify(newest)];
	return found === expected ? null : `its reference is ${found}, the newest one is ${expected}`;
}
