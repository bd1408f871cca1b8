/**
 * What a watch must know, written down a second time and as simply as it can be: from what the user lists, posts and
 * deletes, and from what has started the workflow. What the shipped trigger does is held against it.
 */

export interface Entry {
	listed: boolean;
	/** When it was last posted; null for an order that the list alone names. */
	postedAt: number | null;
	reference: unknown;
	/** Since when its end is told; null while it is open. */
	toldAt: number | null;
}

const HOUR_MS = 3_600_000;

/**
 * What n8n may have to keep at most, in bytes of JSON: it writes all of it with each change, so it must grow with the orders
 * that are watched or remembered, and with nothing else. The node's ID, version and revision; an order with its hash (10
 * characters here), a status word, three times and the names of all fields, beside its reference; an order that only the
 * list of a refused publishing has named.
 */
const WATCH_BYTES = 200;
const ORDER_BYTES = 300;
const UNSEEN_ORDER_BYTES = 100;

export class Book {
	entries = new Map<string, Entry>();

	constructor(entries?: ReadonlyMap<string, Entry>) {
		for (const [hash, entry] of entries ?? []) this.entries.set(hash, { ...entry });
	}

	copy(): Book {
		return new Book(this.entries);
	}

	/** A poll has read the list. */
	readList(list: readonly string[], now: number): void {
		for (const [hash, entry] of this.entries) {
			entry.listed = list.includes(hash);
			if (!entry.listed && entry.postedAt === null) this.entries.delete(hash);
		}
		for (const hash of list) {
			if (!this.entries.has(hash)) this.entries.set(hash, { listed: true, postedAt: null, reference: null, toldAt: null });
		}
		for (const [hash, { listed, postedAt, toldAt }] of this.entries) {
			if (!listed && postedAt !== null && toldAt !== null && now - toldAt >= 24 * HOUR_MS) this.entries.delete(hash);
		}
	}

	/**
	 * An order has been given up. When that may be at the earliest is known; when it is depends on when the service answers
	 * for it the next time. Gives what is wrong with that; null if nothing is.
	 */
	giveUp(hash: string, reference: unknown, now: number): string | null {
		const entry = this.entries.get(hash);
		if (entry === undefined || entry.toldAt !== null) return 'it is not open';
		if (entry.listed || entry.postedAt === null) return 'the list names it';
		if (now - entry.postedAt < 48 * HOUR_MS) return 'it is too early';
		this.entries.delete(hash);
		return differs(reference, entry.reference);
	}

	/** The list that was read last belongs to a publishing that failed: the one of before counts again. */
	undoList(before: Book): void {
		for (const [hash, entry] of before.entries) {
			const now = this.entries.get(hash);
			if (now === undefined && entry.listed) this.entries.set(hash, { ...entry });
			else if (now !== undefined) now.listed = entry.listed;
		}
		for (const [hash, entry] of this.entries) {
			if (before.entries.has(hash)) continue;
			entry.listed = false;
			if (entry.postedAt === null) this.entries.delete(hash);
		}
	}

	/** What the answer to a call that posts these orders has to be, and what it leaves behind. */
	post(orders: ReadonlyArray<{ hash: string; reference?: unknown }>, now: number): { accepted: number; watched: number; ended: number } {
		const answer = { accepted: 0, watched: 0, ended: 0 };
		for (const { hash, reference } of orders) {
			const entry = this.entries.get(hash);
			if (entry === undefined) {
				this.entries.set(hash, { listed: false, postedAt: now, reference: reference ?? null, toldAt: null });
				answer.accepted++;
			} else if (entry.toldAt === null) {
				entry.postedAt = now;
				if (reference !== undefined) entry.reference = reference;
				answer.watched++;
			} else answer.ended++;
		}
		return answer;
	}

	/** How many orders a call that takes them out removes. */
	remove(hashes: readonly string[]): number {
		let removed = 0;
		for (const hash of hashes) {
			const entry = this.entries.get(hash);
			if (entry === undefined || entry.toldAt !== null || entry.listed) continue;
			this.entries.delete(hash);
			removed++;
		}
		return removed;
	}

	/** An end has started the workflow. Gives what is wrong with that; null if nothing is. */
	tell(hash: string, reference: unknown, now: number): string | null {
		const entry = this.entries.get(hash);
		if (entry === undefined) return 'it is not watched';
		if (entry.toldAt !== null) return `it was told before, at ${new Date(entry.toldAt).toISOString()}`;
		const wrong = differs(reference, entry.reference);
		if (wrong !== null) return wrong;
		entry.toldAt = now;
		if (entry.postedAt !== null) entry.reference = null;
		return null;
	}

	/** The most bytes that n8n may have to keep for this watch. A list that a refused publishing has read may be among them. */
	mostBytes(longestList: number): number {
		let bytes = WATCH_BYTES + UNSEEN_ORDER_BYTES * longestList;
		for (const { reference } of this.entries.values()) bytes += ORDER_BYTES + JSON.stringify(reference).length;
		return bytes;
	}
}

function differs(reference: unknown, newest: unknown): string | null {
	const [found, expected] = [JSON.stringify(reference), JSON.stringify(newest)];
	return found === expected ? null : `its reference is ${found}, the newest one is ${expected}`;
}
