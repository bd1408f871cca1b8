/** What a watch must know, a second time and as simply as can be; what the shipped trigger does is compared with it. */

export interface Entry {
	hash: string;
	/** Whether the list names it. */
	isNamed: boolean;
	/** When it was last posted; null for an order that only the list names. */
	postedAt: number | null;
	reference: unknown;
	/** When a call has removed it, or of what the list names the reference; absent if none has. */
	removedAt?: number;
	/** When its final status was emitted; null while it is open. */
	emittedAt: number | null;
	/** When a post last said that another transaction was sent in place of this one; null if none has. */
	replacedAt: number | null;
	/** That other one. */
	replacedBy?: string;
	/** When it was first listed or posted. */
	since: number;
	/** When its events Delayed and Expired were emitted; null before. */
	delayedAt: number | null;
	expiredAt: number | null;
	/** When an expression stopped naming it; it is kept for a day then, unless a post names it. */
	leftAt: number | null;
	/** After it has finished: until when it is remembered if the list does not name it. */
	keptUntil: number;
	/** Its events may come again: a version without it was published in vain, and n8n has kept what that version's poll saved. */
	mayRepeat?: boolean;
	/** A call replaced it while a start was being committed: if n8n drops that start, it is not late. */
	mayBeReplaced?: boolean;
	/** A call removed it while a start was being committed: if n8n drops that start, its event need not come. */
	isRemovedIfDropped?: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An order that a call names; `replaces`: the hash of the transaction in place of which this one was sent. */
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
	/** When the service responded about an order by this hash, without a final status. */
	shownAt: (hash: string) => readonly number[];
	now: number;
	emittedAt: number;
}

/** Delayed After (Minutes), as all triggers have it. */
export const DELAYED_AFTER_MS = 5 * 60_000;

/** Whether the trigger checks it. */
export function isOpen({ isNamed, postedAt, emittedAt }: Entry): boolean {
	return emittedAt === null && (isNamed || postedAt !== null);
}

/** The age at which an open order without an expiry has expired. */
const EXPIRED_AFTER_MS = 24 * HOUR_MS;

/** How long checks fail before the trigger counts as interrupted, if nobody has to correct anything. */
const INTERRUPTED_AFTER_MS = 10 * 60_000;

/** A poll may find a problem this long after it occurred: it waits for a slow credential. */
const FOUND_WITHIN_MS = 150_000;

/** The most bytes of JSON that n8n may keep, of a watch and of each order besides its reference: it writes all of it with each change. */
const WATCH_BYTES = 500;
const ORDER_BYTES = 380;
const UNSEEN_ORDER_BYTES = 160;

export class Book {
	/** Each order by its hash. */
	entries = new Map<string, Entry>();

	/** References that were posted while a start was being committed, by hash: such a post counts if n8n drops that start. */
	ifDropped = new Map<string, unknown>();

	/** What calls have removed, by hash. */
	private removed = new Map<string, Entry>();

	/** What is new in the list that a poll has read, and is not saved with what others save: n8n has not committed a durable poll yet, or a registration that is being published waits for its credential. */
	uncommitted = new Set<string>();

	/** Of what an event `interrupted` was emitted, and not yet the one that ends it; null if none was. */
	interruption: 'ofList' | 'ofChecks' | null = null;

	constructor(
		/** Whether n8n may drop what a poll has saved, as the durable engine does. */
		private readonly mayBeDropped: () => boolean,
		/** When a poll first read a list with a hash, for all books of a trigger; how much is known of it later is left open. */
		private readonly firstListed = new Map<string, number>(),
	) {}

	copy(): Book {
		const copy = new Book(this.mayBeDropped, this.firstListed);
		for (const entry of this.orders()) copy.put({ ...entry });
		copy.ifDropped = new Map(this.ifDropped);
		copy.removed = new Map(this.removed);
		copy.interruption = this.interruption;
		copy.uncommitted = new Set(this.uncommitted);
		return copy;
	}

	/** As a call saves it in the durable engine: without what only the poll under way has read. */
	copyWithoutUncommitted(): Book {
		const copy = this.copy();
		for (const hash of this.uncommitted) {
			const entry = copy.entries.get(hash);
			if (entry?.postedAt === null) copy.entries.delete(hash);
			else if (entry !== undefined) entry.isNamed = false;
		}
		return copy;
	}

	orders(): Entry[] {
		return [...this.entries.values()];
	}

	/** The hashes that the list names. */
	named(): string[] {
		return this.orders().flatMap(({ hash, isNamed }) => (isNamed ? [hash] : []));
	}

	private put(entry: Entry): void {
		this.entries.set(entry.hash, entry);
	}

	/** A poll has read the list, which a person has typed, or an expression has given. If it cannot be read as a whole, nothing is forgotten. */
	readList(list: readonly string[], isListByHand: boolean, isWhole: boolean, now: number): void {
		for (const entry of this.orders()) {
			const wasNamed = entry.isNamed;
			entry.isNamed = list.includes(entry.hash);
			if (entry.isNamed) entry.leftAt = null;
			else if (entry.emittedAt === null) {
				entry.leftAt ??= now;
				const isFresh = !isWhole || now < entry.leftAt + DAY_MS;
				const isKept = entry.postedAt !== null || (!isListByHand && isFresh);
				if (!isKept) this.entries.delete(entry.hash);
			} else {
				if (wasNamed && !isListByHand) entry.keptUntil = Math.max(entry.keptUntil, now + DAY_MS);
				if (now >= entry.keptUntil && isWhole) this.entries.delete(entry.hash);
			}
		}
		for (const hash of list) {
			if (!this.firstListed.has(hash)) this.firstListed.set(hash, now);
			if (this.entries.has(hash)) continue;
			this.put({ ...freshEntry(hash, now), isNamed: true });
			this.uncommitted.add(hash);
		}
	}

	/** The trigger stops watching an order, not before its earliest time. Gives what is wrong with that; null if nothing is. */
	endWatch(hash: string, reference: unknown, now: number, emittedAt = now): string | null {
		const entry = this.entries.get(hash);
		if (entry === undefined || entry.emittedAt !== null) return 'it is not open';
		const { isNamed, postedAt, since } = entry;
		if (isNamed) return 'the list names it';
		if (postedAt === null) return 'nothing names it';
		// What was posted while the database took its time for the event is watched again.
		const isPostedAfter = postedAt >= emittedAt && now > emittedAt;
		if (now - (isPostedAfter ? since : postedAt) < 48 * HOUR_MS) return 'it is too early';
		if (isPostedAfter) return null;
		// The list may name it again.
		const isKept = entry.leftAt !== null && emittedAt < entry.leftAt + DAY_MS;
		if (isKept) this.put({ ...entry, postedAt: null, reference: null });
		else this.entries.delete(hash);
		return wrongReference(reference, entry);
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
		const isChanged = isTooLate(entry.postedAt) || isTooLate(entry.removedAt);
		const before = entry[mark];
		if (before !== null && entry.mayRepeat !== true && !isChanged)
			return `it was emitted before, at ${new Date(before).toISOString()}`;
		// Of the two transactions, the service only ever knows one.
		if (entry.replacedAt !== null && !isTooLate(entry.replacedAt) && createdAt === null)
			return 'another transaction was sent in its place';
		const since = Math.min(entry.since, this.firstListed.get(hash) ?? Infinity);
		const after = milestone === 'delayed' ? DELAYED_AFTER_MS : EXPIRED_AFTER_MS;
		const dueAt = Math.min(since, createdAt ?? since) + after;
		if (!shownAt(hash).some((at) => at >= dueAt && at <= emittedAt))
			return 'no answer has shown that it is open since that was due';
		// One that the list names stays watched after a call has removed it, and keeps what was emitted of it.
		const current = this.entries.get(hash);
		const isKept = current !== undefined && current.removedAt === entry.removedAt;
		for (const each of isKept ? [entry, current] : [entry]) {
			each[mark] = emittedAt;
			// An order that has expired is no longer reported as delayed.
			if (milestone === 'expired') each.delayedAt ??= emittedAt;
		}
		return isChanged || this.isAsPosted(hash, reference) ? null : wrongReference(reference, entry);
	}

	/** Whether it has this reference if n8n has dropped a start that was being committed. */
	private isAsPosted(hash: string, reference: unknown): boolean {
		return this.ifDropped.has(hash) && differs(reference, this.ifDropped.get(hash)) === null;
	}

	/**
	 * The trigger cannot check its orders. `workedAt`: when the service last responded about one; `problemAt`: when there last was a problem that
	 * somebody has to correct; `foundSince`: since when a poll may have found it; `isOfList`: only the list cannot be read, so that the orders
	 * are checked as before. Gives what is wrong with the event, or null.
	 */
	interrupt(
		now: number,
		{
			workedAt,
			problemAt,
			foundSince,
			isOfList,
		}: { workedAt: number; problemAt: number; foundSince: number; isOfList: boolean },
	): string | null {
		const of = isOfList ? 'ofList' : 'ofChecks';
		// That no order is checked any more is another message, and so is that only the list is wrong by now.
		if (this.interruption === of) return 'it was emitted before';
		this.interruption = of;
		const isOver =
			now - workedAt >= INTERRUPTED_AFTER_MS || problemAt >= foundSince - FOUND_WITHIN_MS;
		return isOver ? null : 'orders could be checked';
	}

	/** It can again. Gives what is wrong with the event, or null. */
	resume(): string | null {
		if (this.interruption === null) return 'it was not interrupted';
		this.interruption = null;
		return null;
	}

	/** The list that was read last belongs to a version that could not be published: the one before it counts again. */
	undoList(before: Book): void {
		for (const entry of before.orders()) {
			if (!this.entries.has(entry.hash) && entry.isNamed)
				this.put({ ...entry, mayRepeat: this.mayBeDropped() && hasEvent(entry) });
		}
		for (const entry of this.orders()) {
			const known = before.entries.get(entry.hash);
			entry.isNamed = known?.isNamed === true;
			if (known === undefined && entry.postedAt === null) this.entries.delete(entry.hash);
		}
	}

	/** A poll whose result was thrown away has read a list without these orders: listed again, their events may come again. */
	forgive(inMemory: Book): void {
		for (const entry of this.orders())
			entry.mayRepeat ||= hasEvent(entry) && !inMemory.entries.has(entry.hash);
	}

	/** What a call that posts these orders changes, and what its answer has to be. `isStarting`: whether n8n commits a start for an order now. */
	post(
		orders: readonly PostedHash[],
		now: number,
		isStarting: (hash: string) => boolean = () => false,
	): { accepted: number; watched: number; finished: number } {
		const answer = { accepted: 0, watched: 0, finished: 0 };
		for (const order of orders) answer[this.postOne(order, now, isStarting)]++;
		return answer;
	}

	private postOne(
		{ hash, reference, replaces }: PostedHash,
		now: number,
		isStarting: (hash: string) => boolean,
	): 'accepted' | 'watched' | 'finished' {
		const known = this.entries.get(hash) ?? freshEntry(hash, now);
		if (known.emittedAt !== null) {
			known.postedAt ??= now;
			known.keptUntil = now + DAY_MS;
			this.replaceFinished({ hash, replaces }, now);
			return 'finished';
		}
		const wasOpen = isOpen(known);
		const isStated = reference !== undefined && reference !== null;
		if (isStated || known.isRemovedIfDropped === true) {
			known.reference = reference ?? null;
			this.ifDropped.delete(hash);
		}
		known.postedAt = now;
		known.isRemovedIfDropped = false;
		this.put(known);
		if (replaces !== undefined) this.replace(known, replaces, now, isStarting(replaces));
		return wasOpen ? 'watched' : 'accepted';
	}

	/** The order that replaces this one is being committed as finished: only if n8n drops that start, this one is replaced, and watched. */
	replaceIfDropped({ hash, replaces }: PostedHash, now: number): void {
		if (replaces === undefined) return;
		const reference = this.entries.get(hash)?.reference ?? null;
		const unseen = { ...freshEntry(replaces, now), reference, isRemovedIfDropped: true };
		this.put({ ...(this.entries.get(replaces) ?? unseen), mayBeReplaced: true });
	}

	/** An order that has finished was sent in place of this one, which is not late. */
	replaceFinished({ hash, replaces = '' }: PostedHash, now: number): void {
		const older = this.entries.get(replaces);
		if (older?.emittedAt === null) this.put({ ...older, replacedAt: now, replacedBy: hash });
	}

	/** The other one stays watched, and both have the name of the one that has any. */
	private replace(newer: Entry, replaces: string, now: number, isStarting: boolean): void {
		const older = this.entries.get(replaces) ?? freshEntry(replaces, now);
		if (older.emittedAt !== null) return;
		newer.reference ??= older.reference;
		// Of two that replace each other, the last one counts.
		if (newer.replacedBy === replaces)
			Object.assign(newer, { replacedAt: null, replacedBy: undefined });
		const isNamedAnew = older.reference === null;
		if (isNamedAnew && isStarting) this.ifDropped.set(replaces, newer.reference);
		else if (isNamedAnew) older.reference = newer.reference;
		older.postedAt ??= now;
		older.replacedAt = now;
		older.replacedBy = newer.hash;
		this.put(older);
	}

	/** How many orders a call removes; those that the list names stay, without what they were posted with. */
	remove(hashes: readonly string[], now: number): number {
		let removed = 0;
		for (const hash of hashes) {
			const entry = this.entries.get(hash);
			this.ifDropped.delete(hash);
			if (entry === undefined || !isOpen(entry)) continue;
			this.removed.set(hash, { ...entry, removedAt: now });
			const { replacedAt, replacedBy } = entry;
			for (const other of this.orders())
				if (other.replacedBy === hash) Object.assign(other, { replacedAt, replacedBy });
			if (entry.isNamed) {
				const replaced = { replacedAt: null, replacedBy: undefined };
				this.put({ ...entry, ...replaced, postedAt: null, reference: null, removedAt: now });
				continue;
			}
			this.entries.delete(hash);
			removed++;
		}
		return removed;
	}

	/** A call removes an order whose start is being committed; what the list names stays. */
	removeIfDropped(hash: string): void {
		const entry = this.entries.get(hash);
		if (entry === undefined || entry.emittedAt !== null) return;
		entry.isRemovedIfDropped = true;
		// One that the list names keeps what was emitted of it.
		entry.mayRepeat ||= !entry.isNamed && hasEvent(entry);
	}

	/** A finished order has started the workflow. Gives what is wrong with that; null if nothing is. */
	emit(hash: string, reference: unknown, now: number): string | null {
		const entry = this.entries.get(hash);
		const isAsPosted = this.isAsPosted(hash, reference);
		this.ifDropped.delete(hash);
		if (entry === undefined) return isAsPosted ? null : 'it is not watched';
		if (entry.emittedAt !== null && entry.mayRepeat !== true)
			return `it was emitted before, at ${new Date(entry.emittedAt).toISOString()}`;
		const wrong = wrongReference(reference, entry);
		if (wrong !== null && !isAsPosted) return wrong;
		const isPosted = entry.postedAt !== null;
		this.put({
			...entry,
			emittedAt: now,
			keptUntil: isPosted ? now + DAY_MS : now,
			mayRepeat: false,
			isRemovedIfDropped: false,
			reference: isPosted ? null : entry.reference,
		});
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

/** An order that is known by this hash alone. */
function freshEntry(hash: string, now: number): Entry {
	return {
		hash,
		isNamed: false,
		postedAt: null,
		reference: null,
		emittedAt: null,
		replacedAt: null,
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
