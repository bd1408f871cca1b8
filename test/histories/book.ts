/** What a watch must know, a second time and as simply as can be; what the shipped trigger does is compared with it. */

export interface Entry {
	/** All hashes of the order, the newest first. A post that says what it replaces makes one order of two. */
	hashes: ReadonlySet<string>;
	/** Those that the list names. */
	named: ReadonlySet<string>;
	/** When it was last posted; null for an order that only the list names. */
	postedAt: number | null;
	reference: unknown;
	/** When a call has removed it, or of what the list names the reference; absent if none has. */
	removedAt?: number;
	/** When its final status was emitted; null while it is open. */
	emittedAt: number | null;
	/** Whether that status was `completed`, so that what replaces it is never found. */
	isCompleted: boolean;
	/** When it was first listed or posted. */
	since: number;
	/** When its events Delayed and Expired were emitted; null before. */
	delayedAt: number | null;
	expiredAt: number | null;
	/** When an expression stopped naming it; it is kept for a day then, unless a post names it. */
	leftAt: number | null;
	/** After it has finished: until when it is remembered if the list does not name it. */
	keptUntil: number;
	/**
	 * Its events may come again: a version without it was published in vain, and n8n has kept what that version's poll saved; or it was one order
	 * with another hash, of which alone they may have been.
	 */
	mayRepeat?: boolean;
	/** A call removed it while a start was being committed: if n8n drops that start, its event need not come. */
	isRemovedIfDropped?: boolean;
	/**
	 * A hash of the order with which a post made it one while a start of one of the two was being committed: they are one only if n8n drops that
	 * start. Then its own events need not come, and those that come go by the responses about both.
	 */
	oneIfDropped?: string;
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
	/** When the service responded about an order by this hash, without a final status. */
	shownAt: (hash: string) => readonly number[];
	now: number;
	emittedAt: number;
}

/** Delayed After (Minutes), as all triggers have it. */
export const DELAYED_AFTER_MS = 5 * 60_000;

/** Whether the trigger checks it. */
export function isOpen({ named, postedAt, emittedAt }: Entry): boolean {
	return emittedAt === null && (named.size > 0 || postedAt !== null);
}

/** The age at which an open order without an expiry has expired. */
const EXPIRED_AFTER_MS = 24 * HOUR_MS;

/** How long checks fail before the trigger counts as interrupted, if nobody has to correct anything. */
const INTERRUPTED_AFTER_MS = 10 * 60_000;

/** A poll may find a problem this long after it occurred: it waits for a slow credential. */
const FOUND_WITHIN_MS = 150_000;

/** The most bytes of JSON that n8n may keep, of a watch and of each order besides its reference: it writes all of it with each change. */
/** With the times and marks of up to three other transactions of an order, which the book may have dropped. */
const WATCH_BYTES = 800;
const ORDER_BYTES = 380;
const UNSEEN_ORDER_BYTES = 160;

export class Book {
	/** Each order by each of its hashes. One that has finished has an entry of its own for each of them. */
	entries = new Map<string, Entry>();

	/** References that were posted while a start was being committed, by hash: such a post counts if n8n drops that start. */
	ifDropped = new Map<string, unknown>();

	/** What calls have removed, by hash. */
	private removed = new Map<string, Entry>();

	/** What a durable poll has read as new in the list, and n8n has not committed yet. */
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
			if (entry?.postedAt === null) copy.drop(entry);
		}
		return copy;
	}

	/** Each order once. */
	orders(): Set<Entry> {
		return new Set(this.entries.values());
	}

	/** All hashes of the order with this one. */
	hashesOf(hash: string): string[] {
		return [...(this.entries.get(hash)?.hashes ?? [hash])];
	}

	private put(entry: Entry): void {
		for (const hash of entry.hashes) this.entries.set(hash, entry);
	}

	private drop({ hashes }: Entry): void {
		for (const hash of hashes) this.entries.delete(hash);
	}

	/** A poll has read the list, which a person has typed, or an expression has given. */
	readList(list: readonly string[], isListByHand: boolean, now: number): void {
		for (const entry of this.orders()) {
			const wasNamed = entry.named.size > 0;
			entry.named = new Set(list.filter((hash) => entry.hashes.has(hash)));
			if (entry.named.size > 0) entry.leftAt = null;
			else if (entry.emittedAt === null) {
				entry.leftAt ??= now;
				const isKept = entry.postedAt !== null || (!isListByHand && now < entry.leftAt + DAY_MS);
				if (!isKept) this.drop(entry);
			} else {
				if (wasNamed && !isListByHand) entry.keptUntil = Math.max(entry.keptUntil, now + DAY_MS);
				if (now >= entry.keptUntil) this.drop(entry);
			}
		}
		for (const hash of list) {
			if (!this.firstListed.has(hash)) this.firstListed.set(hash, now);
			if (this.entries.has(hash)) continue;
			this.put({ ...freshEntry(hash, now), named: new Set([hash]) });
			this.uncommitted.add(hash);
		}
	}

	/** The trigger stops watching an order, not before its earliest time. Gives what is wrong with that; null if nothing is. */
	endWatch(hash: string, reference: unknown, now: number, emittedAt = now): string | null {
		const entry = this.entries.get(hash);
		if (entry === undefined || entry.emittedAt !== null) return 'it is not open';
		const { named, postedAt, since } = entry;
		if (named.size > 0) return 'the list names it';
		if (postedAt === null) return 'nothing names it';
		// What was posted while the database took its time for the event is watched again.
		const isPostedAfter = postedAt >= emittedAt && now > emittedAt;
		if (now - (isPostedAfter ? since : postedAt) < 48 * HOUR_MS) return 'it is too early';
		if (isPostedAfter) return null;
		this.drop(entry);
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
		const hashes = [...entry.hashes, ...this.othersIfDropped(entry)];
		const since = Math.min(
			entry.since,
			...hashes.flatMap((each) => this.entries.get(each)?.since ?? []),
			...hashes.flatMap((each) => this.firstListed.get(each) ?? []),
		);
		const after = milestone === 'delayed' ? DELAYED_AFTER_MS : EXPIRED_AFTER_MS;
		const dueAt = Math.min(since, createdAt ?? since) + after;
		if (!hashes.flatMap(shownAt).some((at) => at >= dueAt && at <= emittedAt))
			return 'no answer has shown that it is open since that was due';
		entry[mark] = emittedAt;
		// An order that has expired is no longer reported as delayed.
		if (milestone === 'expired') entry.delayedAt ??= emittedAt;
		return isChanged || this.isAsPosted(hash, reference) ? null : wrongReference(reference, entry);
	}

	/** Whether it, or an order that it may have become one with, has this reference if n8n has dropped a start that was being committed. */
	private isAsPosted(hash: string, reference: unknown): boolean {
		const others = this.othersIfDropped(this.entries.get(hash));
		const isOfOther = others.some(
			(each) => differs(reference, this.entries.get(each)?.reference) === null,
		);
		return (
			isOfOther ||
			[...this.hashesOf(hash), ...others].some(
				(each) => this.ifDropped.has(each) && differs(reference, this.ifDropped.get(each)) === null,
			)
		);
	}

	/** They become one only if n8n drops the start of one of them that is being committed. `replaces` may not have been watched. */
	private becomeOneIfDropped(entry: Entry, replaces: string): void {
		if (!entry.hashes.has(replaces)) entry.oneIfDropped = replaces;
	}

	/** The hashes of the order that it has become one with if n8n has dropped such a start. */
	othersIfDropped(entry?: Entry): string[] {
		const named = entry?.oneIfDropped === undefined ? [] : this.hashesOf(entry.oneIfDropped);
		const naming = [...this.orders()].filter(({ oneIfDropped }) =>
			entry?.hashes.has(oneIfDropped ?? ''),
		);
		return [...named, ...naming.flatMap(({ hashes }) => [...hashes])];
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
			const now = [...entry.hashes].flatMap((hash) => this.entries.get(hash) ?? []);
			if (now.length === 0 && entry.named.size > 0)
				this.put({ ...entry, mayRepeat: this.mayBeDropped() && hasEvent(entry) });
		}
		for (const entry of this.orders()) {
			const hashes = [...entry.hashes];
			entry.named = new Set(hashes.filter((hash) => before.entries.get(hash)?.named.has(hash)));
			const wasKnown = hashes.some((hash) => before.entries.has(hash));
			if (!wasKnown && entry.postedAt === null) this.drop(entry);
		}
	}

	/** A poll whose result was thrown away has read a list without these orders: listed again, their events may come again. */
	forgive(inMemory: Book): void {
		for (const entry of this.orders())
			entry.mayRepeat ||=
				hasEvent(entry) && ![...entry.hashes].some((hash) => inMemory.entries.has(hash));
	}

	/** A durable poll has answered that an order is finished, perhaps because its start, or that of the one that it replaces, is being committed. */
	postFinished(order: PostedHash, now: number, isStarting: (hash: string) => boolean): void {
		const { hash, replaces } = order;
		const entry = this.entries.get(hash);
		if (replaces === undefined) return;
		if (entry !== undefined && isStarting(hash)) this.becomeOneIfDropped(entry, replaces);
		if (entry === undefined && this.entries.has(replaces)) this.postOne(order, now);
	}

	/** What a call that posts these orders changes, and what its answer has to be. */
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
		isStarting: (hash: string) => boolean = () => false,
	): 'accepted' | 'watched' | 'finished' {
		const entry = this.entries.get(hash);
		const replaced = replaces === undefined ? undefined : this.entries.get(replaces);
		const done = [
			entry,
			entry === undefined && replaced?.isCompleted === true ? replaced : undefined,
		].find((each) => each !== undefined && each.emittedAt !== null);
		if (done !== undefined) {
			done.postedAt ??= now;
			done.keptUntil = now + DAY_MS;
			// Both are one order, so that this one has finished as well.
			if (entry === undefined) {
				const { emittedAt, keptUntil, mayRepeat } = done;
				const own = freshEntry(hash, now);
				this.put({ ...own, postedAt: now, emittedAt, isCompleted: true, keptUntil, mayRepeat });
			}
			return 'finished';
		}
		const wasOpen = entry !== undefined && isOpen(entry);
		const known = entry ?? freshEntry(hash, now);
		const isStated = reference !== undefined && reference !== null;
		if (isStated || known.isRemovedIfDropped === true) {
			known.reference = reference ?? null;
			this.ifDropped.delete(hash);
		}
		if (replaces !== undefined && (replaced?.emittedAt ?? null) === null) {
			if (replaced !== undefined && isStarting(replaces)) this.becomeOneIfDropped(known, replaces);
			else becomeOne(known, replaced ?? freshEntry(replaces, now));
		}
		known.postedAt = now;
		known.isRemovedIfDropped = false;
		this.put(known);
		return wasOpen ? 'watched' : 'accepted';
	}

	/** How many orders a call removes; those that the list names stay, without what they were posted with. */
	remove(hashes: readonly string[], now: number): number {
		let removed = 0;
		for (const hash of hashes) {
			const entry = this.entries.get(hash);
			for (const each of this.hashesOf(hash)) this.ifDropped.delete(each);
			if (entry === undefined || !isOpen(entry)) continue;
			this.drop(entry);
			const ended = { postedAt: null, reference: null, removedAt: now };
			// What said that they are one order is taken back as well.
			for (const each of entry.hashes)
				if (entry.named.has(each)) this.put({ ...entry, ...ended, ...apart(entry, each) });
				else this.removed.set(each, { ...entry, removedAt: now });
			if (entry.named.size === 0) removed++;
		}
		return removed;
	}

	/** A call removes an order whose start is being committed; what the list names stays. */
	removeIfDropped(hash: string): void {
		const entry = this.entries.get(hash);
		if (entry === undefined || entry.emittedAt !== null) return;
		entry.isRemovedIfDropped = true;
		// One that the list names keeps what was emitted of it.
		entry.mayRepeat ||= entry.named.size === 0 && hasEvent(entry);
	}

	/** A finished order has started the workflow. Gives what is wrong with that; null if nothing is. */
	emit(hash: string, event: string, reference: unknown, now: number): string | null {
		const entry = this.entries.get(hash);
		const isAsPosted = this.isAsPosted(hash, reference);
		for (const each of this.hashesOf(hash)) this.ifDropped.delete(each);
		if (entry === undefined) return isAsPosted ? null : 'it is not watched';
		if (entry.emittedAt !== null && entry.mayRepeat !== true)
			return `it was emitted before, at ${new Date(entry.emittedAt).toISOString()}`;
		const wrong = wrongReference(reference, entry);
		if (wrong !== null && !isAsPosted) return wrong;
		const isPosted = entry.postedAt !== null;
		const isCompleted = event === 'completed';
		this.part(hash, event);
		for (const each of this.hashesOf(hash))
			this.put({
				...entry,
				...alone(entry, each),
				emittedAt: now,
				isCompleted,
				keptUntil: isPosted ? now + DAY_MS : now,
				mayRepeat: false,
				isRemovedIfDropped: false,
				reference: isPosted ? null : entry.reference,
			});
		return null;
	}

	/** A check has shown an order with this hash and this final status, be it that n8n cannot start the workflow. What was posted to replace it may be another attempt, unless it was completed. */
	part(hash: string, event: string): void {
		const entry = this.entries.get(hash);
		if (entry === undefined || event === 'completed') return;
		const hashes = [...entry.hashes];
		const newer = hashes.slice(0, hashes.indexOf(hash));
		for (const each of newer) this.put({ ...entry, ...apart(entry, each) });
		const rest = hashes.slice(newer.length);
		const named = new Set(rest.filter((each) => entry.named.has(each)));
		this.put({ ...entry, hashes: new Set(rest), named });
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
		hashes: new Set([hash]),
		named: new Set(),
		postedAt: null,
		reference: null,
		emittedAt: null,
		isCompleted: false,
		since: now,
		delayedAt: null,
		expiredAt: null,
		leftAt: null,
		keptUntil: 0,
	};
}

/** One of the hashes of an order, by itself. */
function alone({ named }: Entry, hash: string): Pick<Entry, 'hashes' | 'named'> {
	return { hashes: new Set([hash]), named: new Set(named.has(hash) ? [hash] : []) };
}

/** One of the hashes of an order, which is an order of its own from now on. */
function apart(entry: Entry, hash: string): Pick<Entry, 'hashes' | 'named' | 'mayRepeat'> {
	const isOfSeveral = entry.hashes.size > 1;
	return {
		...alone(entry, hash),
		mayRepeat: entry.mayRepeat === true || (isOfSeveral && hasEvent(entry)),
	};
}

/** Two orders become one, with one reference and one event of each kind. */
function becomeOne(newer: Entry, older: Entry): void {
	if (newer === older) return;
	newer.hashes = new Set([...newer.hashes, ...older.hashes]);
	newer.named = new Set([...newer.named, ...older.named]);
	newer.since = Math.min(newer.since, older.since);
	newer.reference ??= older.reference;
	newer.delayedAt ??= older.delayedAt;
	newer.expiredAt ??= older.expiredAt;
	newer.mayRepeat ||= older.mayRepeat === true;
	newer.leftAt = null;
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
