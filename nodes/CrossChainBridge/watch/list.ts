import type { EventOf } from './events';
import { digestOf, isWanted, withListed } from './finished';
import { DAY_MS, type WatchRules } from './rules';
import {
	changed,
	isOpen,
	removeOrder,
	unseenOrder,
	type WatchedOrder,
	type WatchState,
} from './state';

/**
 * The state after the node's list was read. Orders that are new in it are watched. An order that it no longer names is forgotten at
 * once if a person writes the list by hand, because that is what removing it means. If the list comes from an expression, the order is
 * kept for a day without checks, because an expression may give nothing for one poll.
 */
export function applyList(
	state: WatchState,
	{ orders: list, isListByHand, since }: EventOf<'listed'>,
	rules: WatchRules,
	now: number,
): WatchState {
	const orders = new Map<string, WatchedOrder>();
	const finishedListed = new Set<string>();
	const forgotten: string[] = [];
	for (const { key, sourceHash, reference } of list) {
		const known = state.orders.get(key);
		const digest = digestOf(key);
		const finished = known === undefined ? state.finished.get(digest) : undefined;
		// An order that has finished without an event is checked again if its status is chosen by now.
		if (finished !== undefined && (finished.emitted || !isWanted(finished, rules)))
			finishedListed.add(digest);
		else {
			const before = known ?? unseenOrder(sourceHash, since, {});
			const listed = { listed: true, listReference: reference, unlistedAt: null };
			orders.set(key, { ...before, ...listed, sourceHash });
		}
	}
	for (const [key, order] of state.orders) {
		if (orders.has(key)) continue;
		const unlistedAt = order.unlistedAt ?? now;
		const left = { ...order, listed: false, listReference: null, unlistedAt };
		const isKept = !isListByHand && now < unlistedAt + DAY_MS;
		orders.set(key, left);
		if (!isOpen(left) && !isKept) forgotten.push(key);
	}
	for (const key of forgotten) removeOrder(orders, key);
	// What is forgotten must not come back as an event that may have been lost.
	const recent = forgotten.some((key) => state.recent.has(key))
		? new Map([...state.recent].filter(([key]) => !forgotten.includes(key)))
		: state.recent;
	const finished = withListed(state.finished, finishedListed, isListByHand, now);
	const isSame =
		finished === state.finished &&
		orders.size === state.orders.size &&
		[...orders].every(([key, { listed }]) => state.orders.get(key)?.listed === listed);
	// References are not stored, so that new ones alone make no new revision.
	return isSame ? { ...state, orders } : changed(state, { orders, finished, recent }, now);
}
