import type { PostedSurvival } from './postAges';
import { REFUND_AGE_S } from './survivalModel';
import type { SurvivalTable } from './survivalTable';

/** One open order as the planner sees it. Times in milliseconds of one clock. */
export interface WatchedOrder {
	/** Its name, unique among the orders planned together. */
	key: string;
	/** When it began as far as we know: see startedAt(). Where nothing is known, when it was first asked for. */
	startedAt: number;
	/**
	 * What startedAt is. 'known': stated by the service or the poster, or the best guess for an order that was seen open.
	 * 'posted': the time of the post, and no check has been answered yet. 'assumed': from others that were added with it, and no check has found it yet.
	 * 'unknown': not found yet, or never asked for.
	 */
	beginning: 'known' | 'posted' | 'assumed' | 'unknown';
	/** When it was added, if nothing was known of its beginning; null otherwise, and where nothing is to be assumed of it. */
	listedAt: number | null;
	/** When such an order began, as its first answer stated it; else null. */
	listedBegunAt: number | null;
	/** When the last check was sent; null if there was none. One that got a 429 does not count. */
	lastCheckAt: number | null;
	/** When the last check that did not find it was sent; null if there was none. */
	notFoundAt: number | null;
	/** When the last check that saw it open was sent: what came after is unknown. Null if there was none. */
	seenOpenAt: number | null;
	/** Its expiry as the service gave it; null if unknown. */
	expiresAt: number | null;
	/** The user's least time between two checks of it. */
	intervalMs: number;
	/** Checks in a row that failed (5xx, no answer). 0 if the last one was answered. */
	failures: number;
	/**
	 * Checks in a row that got a 429, counting only one since any check was last answered: a full window limits all orders, and is no
	 * reason to put one behind the others. 0 if this order was answered since.
	 */
	limitedInARow: number;
	/** When the last of those was sent; null where there are none. */
	limitedAt: number | null;
	/** A check is in flight: not due, whatever its age. */
	checking: boolean;
}

/** An order fails when so many checks in a row did. */
export const FAILING = 3;
/** It is limited by itself when so many checks in a row were: where half of all checks get a 429, any order gets a few. */
const LIMITED = 5;
/** No order goes unchecked for longer than this while the budget can carry all orders (see longestGapMs). */
export const LONGEST_GAP_MS = 600_000;
/** The gap that doubles after failed checks, and after 429s that are for one order, is no longer than this. */
export const LONGEST_FAILURE_GAP_MS = 30_000;
/** The service may find an order only so long after its beginning. */
export const FOUND_WITHIN_MS = 5_000;
/** The age that the service states is believed this far back from our first sight of the order: our clocks may differ. */
export const BELIEVED_AGE_MS = 60_000;

/**
 * When an order began: what the service says (`createdAtMs`), within what we know ourselves. It began after the last check
 * that did not find it, and before the first that did. A service clock that runs differently can thus make a young order
 * seem a minute old, no more, which costs a few seconds, never minutes. `guess` stands in where the service states nothing.
 */
export function startedAt(known: {
	createdAtMs: number | null;
	guess?: number;
	notFoundAt: number | null;
	foundAt: number;
}): number {
	const earliest = known.notFoundAt ?? known.foundAt - BELIEVED_AGE_MS;
	const stated = known.createdAtMs ?? known.guess ?? known.notFoundAt ?? known.foundAt;
	return Math.min(known.foundAt, Math.max(earliest, stated));
}

/**
 * The time by which every open order is due again, whatever the price: ten minutes, or twice the time in which the budget
 * can go round all orders. What is due in this way goes before everything else, first come first served, so an order is in
 * fact checked within one and a half times this, as long as the service answers and what users wait for leaves budget.
 */
export function longestGapMs(orders: number, perMinute: number): number {
	return Math.max(LONGEST_GAP_MS, (2 * orders * 60_000) / Math.max(1, perMinute));
}

/** Since when the order has waited for a check: the last one, or its beginning. */
export function waitsSince(order: WatchedOrder): number {
	const { lastCheckAt, limitedAt, startedAt } = order;
	const since = lastCheckAt ?? startedAt;
	return isPersistentlyLimited(order) ? Math.max(since, limitedAt ?? since) : since;
}

/** Whether the service seems to limit this order by itself. */
export function isPersistentlyLimited({ limitedInARow }: WatchedOrder): boolean {
	return limitedInARow >= LIMITED;
}

/** When the interval, past failures and 429s that are for this order allow the next check at all. */
export function notBefore(order: WatchedOrder): number {
	const { lastCheckAt, intervalMs, failures, limitedAt, limitedInARow } = order;
	const afterCheck =
		lastCheckAt === null
			? Number.NEGATIVE_INFINITY
			: lastCheckAt + Math.max(intervalMs, gapAfter(failures));
	return isPersistentlyLimited(order)
		? Math.max(afterCheck, (limitedAt ?? 0) + gapAfter(limitedInARow - LIMITED + FAILING))
		: afterCheck;
}

function gapAfter(inARow: number): number {
	return inARow === 0 ? 0 : Math.min(LONGEST_FAILURE_GAP_MS, 1000 * 2 ** (inARow - 1));
}

/** The calm rhythm of a hash that is not found yet: at once, then every square root of the seconds it has been sought, 2 s or more. */
export function nextCheckForUnfound(order: WatchedOrder): number {
	if (order.lastCheckAt === null) return Math.max(order.startedAt, notBefore(order));
	const soughtSeconds = Math.max(0, order.lastCheckAt - order.startedAt) / 1000;
	const gapMs = Math.min(LONGEST_GAP_MS, 1000 * Math.max(2, Math.sqrt(soughtSeconds)));
	return Math.max(order.lastCheckAt + gapMs, notBefore(order));
}

/** When one order whose beginning is known or guessed is to be checked, at any price. Ages in seconds. */
export class OrderSchedule {
	private readonly expiryAge: number;

	/** Age at which it was last seen open; null before that. */
	private readonly lastAge: number | null;

	constructor(
		readonly order: WatchedOrder,
		private readonly table: SurvivalTable,
		private readonly posted: PostedSurvival,
	) {
		const expiryAge = order.expiresAt === null ? 0 : (order.expiresAt - order.startedAt) / 1000;
		this.expiryAge = expiryAge > 0 ? expiryAge : Number.POSITIVE_INFINITY;
		this.lastAge =
			order.seenOpenAt === null ? null : Math.max(0, order.seenOpenAt - order.startedAt) / 1000;
	}

	/** When the next check is due at this price (time in ms; may lie in the past). */
	nextCheck(priceIndex: number): number {
		const { lastAge, order } = this;
		const age = lastAge === null ? this.firstCheck(priceIndex) : this.nextAge(priceIndex, lastAge);
		return Math.max(order.startedAt + 1000 * age, notBefore(order));
	}

	/** The chance that the order has finished by `time`, given that it was open when last seen. */
	chanceFinished(time: number): number {
		return 1 - this.stillOpen(this.lastAge, (time - this.order.startedAt) / 1000);
	}

	/**
	 * Adds the checks that this order may be expected to need from `now` on at this price: `byHorizon[i]` grows by their
	 * number within `horizonsMs[i]` (ascending). A check is needed only if the order has not been seen finished before.
	 */
	expectChecks(
		priceIndex: number,
		now: number,
		horizonsMs: readonly number[],
		byHorizon: Float64Array,
	): void {
		const furthest = horizonsMs[horizonsMs.length - 1] ?? 0;
		let age = (Math.max(now, this.nextCheck(priceIndex)) - this.order.startedAt) / 1000;
		let chance = 1;
		let since = this.lastAge;
		for (;;) {
			const inMs = this.order.startedAt + 1000 * age - now;
			if (inMs > furthest || chance < 0.01) return;
			for (
				let index = horizonsMs.length - 1;
				index >= 0 && inMs <= (horizonsMs[index] ?? 0);
				index--
			) {
				byHorizon[index] = (byHorizon[index] ?? 0) + chance;
			}
			chance *= this.stillOpen(since, age);
			since = age;
			age = this.nextAge(priceIndex, age);
		}
	}

	private firstCheck(priceIndex: number): number {
		return this.order.beginning === 'posted'
			? this.posted.firstCheck(priceIndex)
			: this.table.gap(priceIndex, 0);
	}

	private stillOpen(since: number | null, age: number): number {
		if (since === null && this.order.beginning === 'posted') return this.posted.survival(age);
		const last = since ?? 0;
		const peak = this.latestPeak(age);
		// A hazard peak passed since the last check: the hazard after it is what counts.
		if (peak > last) return this.table.stillOpen(REFUND_AGE_S, REFUND_AGE_S + age - peak);
		return this.table.stillOpen(this.modelAge(last), this.modelAge(last) + Math.max(0, age - last));
	}

	private nextAge(priceIndex: number, age: number): number {
		const interval = this.order.intervalMs / 1000;
		const next = age + Math.max(interval, this.table.gap(priceIndex, this.modelAge(age)));
		for (const peak of [REFUND_AGE_S, this.expiryAge]) {
			// Don't sleep through the moment from which something may happen again.
			if (age < peak && next > peak) {
				const fresh = peak + Math.max(interval, this.table.gap(priceIndex, REFUND_AGE_S));
				return Math.max(age + interval, Math.min(next, fresh));
			}
		}
		return next;
	}

	/** The model knows one age at which something happens again; expiry is treated as that age coming once more. */
	private modelAge(age: number): number {
		const peak = this.latestPeak(age);
		return peak > 0 ? REFUND_AGE_S + age - peak : age;
	}

	private latestPeak(age: number): number {
		let latest = 0;
		for (const peak of [REFUND_AGE_S, this.expiryAge])
			if (peak <= age && peak > latest) latest = peak;
		return latest;
	}
}
