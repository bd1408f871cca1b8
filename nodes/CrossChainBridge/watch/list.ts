import type { EventOf, ListedOrder } from './events';
import { digestOf, isOver, withListed } from './finished';
import { DAY_MS, type WatchRules } from './rules';
import {
	changed,
	isOpen,
	unseenOrder,
	type WatchedOrder,
	type WatchState,
	withoutRecent,
} from './state';

/**
 * The state after the node's list was read. Orders that are new in it are watched. An order that it no longer names, and that was
 * not posted, is forgotten at once if a person writes the list by hand, because that is what removing it means. If the list comes from an expression, the order is
 * kept for a day without checks, because an expression may give nothing for one poll.
 */
export function applyList(
	state: WatchState,
	{ orders: list, isWhole, isListByHand, listedAfter }: EventOf<'listed'>,
	rules: WatchRules,
	now: number,
): WatchState {
	const named = new Map([
		...(isWhole ? [] : namedBefore(state)),
		...list.map((order) => [order.key, order] as const),
	]);
	const orders = new Map<string, WatchedOrder>();
	const digests = new Set<string>();
	let { recent } = state;
	for (const [key, line] of named) {
		const known = state.orders.get(key);
		const digest = digestOf(key);
		digests.add(digest);
		const done = state.finished.get(digest);
		if (known === undefined && isOver(done, rules)) continue;
		const status = done?.status ?? null;
		const order = known ?? { ...unseenOrder(line.sourceHash, now), listedAfter, status };
		orders.set(key, asNamed(order, line, now));
	}
	for (const [key, order] of state.orders) {
		if (orders.has(key)) continue;
		const left = asNamed(order, undefined, now);
		const isKept = !isListByHand && (!isWhole || now < (left.unlistedAt ?? now) + DAY_MS);
		if (isOpen(left) || isKept) orders.set(key, left);
		// What is forgotten must not come back as an event that may have been lost.
		else recent = withoutRecent(recent, order);
	}
	// One that is watched again, for an event that is chosen by now, is still known to have finished while it was watched.
	const finished = withListed(state.finished, digests, { isWhole, isListByHand }, now);
	const isSame =
		finished === state.finished &&
		orders.size === state.orders.size &&
		[...orders].every(([key, { listed }]) => state.orders.get(key)?.listed === listed);
	// New references alone make no new revision: each poll reads them anew, and until then the older ones will do.
	return isSame ? { ...state, orders } : changed(state, { orders, finished, recent }, now);
}

/** What the list named before, by order key. */
function namedBefore({ orders }: WatchState): Array<[string, ListedOrder]> {
	return [...orders].flatMap(([key, { sourceHash, listed, listReference: reference }]) =>
		listed ? [[key, { key, sourceHash, reference }]] : [],
	);
}

/** The order as this list names it; undefined if it does not. */
function asNamed(order: WatchedOrder, line: ListedOrder | undefined, now: number): WatchedOrder {
	const listed = line !== undefined;
	return {
		...order,
		sourceHash: line?.sourceHash ?? order.sourceHash,
		listed,
		listReference: line?.reference ?? null,
		unlistedAt: listed ? null : (order.unlistedAt ?? now),
	};
}
