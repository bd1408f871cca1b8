import { REFUND_AGE_S } from './law';
import type { LookTable } from './lookTable';
import { lookTable } from './lookTable';

/** One open order as the planner sees it. Times in milliseconds of one clock. */
export interface WatchedOrder {
	/** Its name, unique among the orders planned together. */
	key: string;
	/** When it began as far as we know: see bornAt(). For a hash not found yet, when it was first looked for. */
	bornAt: number;
	/** When the last look was sent; null if there was none. */
	lastLookAt: number | null;
	/** When it was asked for before it came here, by looks that this plan knows nothing of; null if it was not. */
	askedBeforeAt: number | null;
	/** When the last look that saw it open was sent: what came after is unknown. Null if there was none. */
	seenOpenAt: number | null;
	/** The service knows it (or whoever handed it in says that it begins at bornAt). False: not found yet, or never asked. */
	found: boolean;
	/** Its expiry as the service gave it; null if unknown. */
	expiresAt: number | null;
	/** The user's least time between two looks at it. */
	intervalMs: number;
	/** Looks in a row that failed (5xx, no answer). 0 if the last one was answered. */
	failures: number;
	/** A look is in the air: not due, whatever its age. */
	looking: boolean;
}

/** An order is never left alone for longer than this while the budget can carry all orders (see longestGapMs). */
export const LONGEST_GAP_MS = 600_000;
/** After failed looks the gap doubles from 1 s up to this. */
export const LONGEST_FAILURE_GAP_MS = 30_000;
/** The age that the service states is believed this far back from our first sight of the order: our clocks may differ. */
export const BELIEVED_AGE_MS = 60_000;

/**
 * When an order began: what the service says (`createdAtMs`), within what we know ourselves. It began after the last
 * look that did not find it, and before the first that did. A service clock that runs differently
 * can thus make a young order look at most a minute old, which costs a few seconds, never minutes.
 */
export function bornAt(known: { createdAtMs: number | null; notFoundAt: number | null; foundAt: number }): number {
	const earliest = known.notFoundAt ?? known.foundAt - BELIEVED_AGE_MS;
	const stated = known.createdAtMs ?? known.notFoundAt ?? known.foundAt;
	return Math.min(known.foundAt, Math.max(earliest, stated));
}

/**
 * The time by which every open order is due again, whatever the price: ten minutes, or twice the time in which the
 * budget can go round all orders. Due in this way goes before everything else, first come first served, so an order is
 * in fact looked at within one and a half times this, as long as the service lets us and persons leave the budget free.
 */
export function longestGapMs(orders: number, perMinute: number): number {
	return Math.max(LONGEST_GAP_MS, (2 * orders * 60_000) / Math.max(1, perMinute));
}

/** When the interval and past failures allow the next look at all. */
export function notBefore(order: WatchedOrder): number {
	if (order.lastLookAt === null) return Number.NEGATIVE_INFINITY;
	const failureGap = order.failures === 0 ? 0 : Math.min(LONGEST_FAILURE_GAP_MS, 1000 * 2 ** (order.failures - 1));
	return order.lastLookAt + Math.max(order.intervalMs, failureGap);
}

/** The calm rhythm of a hash that is not found yet: at once, then every square root of the seconds it has been looked for, at least every 2 s. */
export function nextLookForUnfound(order: WatchedOrder): number {
	if (order.lastLookAt === null) return order.bornAt;
	const soughtSeconds = Math.max(0, order.lastLookAt - order.bornAt) / 1000;
	const gapMs = Math.min(LONGEST_GAP_MS, 1000 * Math.max(2, Math.sqrt(soughtSeconds)));
	return Math.max(order.lastLookAt + gapMs, notBefore(order));
}

/** How one found order is to be looked at, at any price. Ages in seconds. */
export class OrderCourse {
	private readonly table: LookTable;

	private readonly expiryAge: number;

	/** Age at which it was last seen open; null before that. */
	private readonly lastAge: number | null;

	/** `slowIndex`: the place in SLOW_SHARES of the share of slow orders that is to be reckoned with. */
	constructor(
		private readonly order: WatchedOrder,
		slowIndex: number,
	) {
		this.table = lookTable(order.intervalMs, slowIndex);
		const expiryAge = order.expiresAt === null ? 0 : (order.expiresAt - order.bornAt) / 1000;
		this.expiryAge = expiryAge > 0 ? expiryAge : Number.POSITIVE_INFINITY;
		this.lastAge = order.seenOpenAt === null ? null : Math.max(0, order.seenOpenAt - order.bornAt) / 1000;
	}

	/** When the next look is due at this price (time in ms; may lie in the past). */
	nextLook(priceIndex: number): number {
		const { lastAge, order, table } = this;
		const age = lastAge === null ? table.firstLook(priceIndex) : this.nextAge(priceIndex, lastAge);
		return Math.max(order.bornAt + 1000 * age, notBefore(order));
	}

	/** The chance that the order has ended by `time`, given that it was open when last seen. */
	chanceEnded(time: number): number {
		const age = (time - this.order.bornAt) / 1000;
		const since = this.lastAge ?? 0;
		const began = this.latestBump(age);
		// A bump passed since the last look: its fresh chance is what counts.
		if (began > since) return 1 - this.table.stillOpen(REFUND_AGE_S, REFUND_AGE_S + age - began);
		return 1 - this.table.stillOpen(this.lawAge(since), this.lawAge(since) + Math.max(0, age - since));
	}

	/**
	 * Adds the looks that this order may be expected to need from `now` on at this price: `byHorizon[i]` grows by their
	 * number within `horizonsMs[i]` (ascending). A look is needed only if the order has not been seen ended before.
	 */
	expectLooks(priceIndex: number, now: number, horizonsMs: readonly number[], byHorizon: Float64Array): void {
		const furthest = horizonsMs[horizonsMs.length - 1] ?? 0;
		let age = (Math.max(now, this.nextLook(priceIndex)) - this.order.bornAt) / 1000;
		let chance = 1;
		let since = this.lastAge ?? 0;
		for (;;) {
			const inMs = this.order.bornAt + 1000 * age - now;
			if (inMs > furthest || chance < 0.01) return;
			for (let index = horizonsMs.length - 1; index >= 0 && inMs <= (horizonsMs[index] ?? 0); index--) {
				byHorizon[index] = (byHorizon[index] ?? 0) + chance;
			}
			const lawAge = this.lawAge(since);
			chance *= this.table.stillOpen(lawAge, lawAge + age - since);
			since = age;
			age = this.nextAge(priceIndex, age);
		}
	}

	private nextAge(priceIndex: number, age: number): number {
		const next = age + this.table.gap(priceIndex, this.lawAge(age));
		for (const bump of [REFUND_AGE_S, this.expiryAge]) {
			// Don't sleep through the moment from which something may happen again.
			if (age < bump && next > bump) {
				const fresh = bump + this.table.gap(priceIndex, REFUND_AGE_S);
				return Math.max(age + this.order.intervalMs / 1000, Math.min(next, fresh));
			}
		}
		return next;
	}

	/** The law knows one age at which something happens again; expiry is treated as that age coming once more. */
	private lawAge(age: number): number {
		const bump = this.latestBump(age);
		return bump > 0 ? REFUND_AGE_S + age - bump : age;
	}

	private latestBump(age: number): number {
		let latest = 0;
		for (const bump of [REFUND_AGE_S, this.expiryAge]) if (bump <= age && bump > latest) latest = bump;
		return latest;
	}
}

/**
 * Adds the looks that orders yet to begin (`perSecond`) will need at this price within each horizon: one that begins
 * in s seconds and is looked at x seconds later falls into a horizon h if s + x <= h.
 */
export function expectNewcomers(
	table: LookTable,
	priceIndex: number,
	perSecond: number,
	horizonsMs: readonly number[],
	byHorizon: Float64Array,
): void {
	const furthest = (horizonsMs[horizonsMs.length - 1] ?? 0) / 1000;
	let since = 0;
	for (let chance = 1, age = table.firstLook(priceIndex); age < furthest && chance > 0.01; ) {
		horizonsMs.forEach((ms, index) => {
			byHorizon[index] = (byHorizon[index] ?? 0) + perSecond * chance * Math.max(0, ms / 1000 - age);
		});
		chance *= table.stillOpen(since, age);
		since = age;
		age += table.gap(priceIndex, age);
	}
}
