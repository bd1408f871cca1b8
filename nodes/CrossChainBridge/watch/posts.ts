import { orderKey } from '../orders/hashForms';
import type { CallResult, Effect, PostedOrder, Reduced } from './events';
import { digestOf, isOver, withFinished } from './finished';
import { DAY_MS, type WatchRules } from './rules';
import {
	changed,
	isOpen,
	keyOf,
	openOrders,
	placesIn,
	type Posted,
	referenceOf,
	unseenOrder,
	type WatchedOrder,
	type WatchState,
	withoutRecent,
} from './state';
import { expectedField } from './stored';

/** A stated beginning that is longer ago counts as this long ago. */
const OLDEST_START_MS = 30 * DAY_MS;

/**
 * The state with these orders watched, and for each what became of it. If there is no room for all of the new ones, it is the same
 * state, with the effect `full`. `room`: for how many more orders.
 */
export function applyPost(
	state: WatchState,
	orders: readonly PostedOrder[],
	rules: WatchRules,
	now: number,
	room = placesIn(state).room,
): Reduced {
	let after = state;
	const effects: Effect[] = [];
	for (const order of orders) {
		const posted = withPost(after, order, rules, now);
		after = posted.state;
		effects.push({ kind: 'answer', result: posted.result });
	}
	const added = openOrders(after).size - openOrders(state).size;
	return added > room ? { state, effects: [{ kind: 'full' }] } : { state: after, effects };
}

function withPost(
	state: WatchState,
	given: PostedOrder,
	rules: WatchRules,
	now: number,
): { state: WatchState; result: CallResult } {
	const { key, sourceHash, replaces } = given;
	const known = state.orders.get(key);
	const done = state.finished.get(digestOf(key));
	const older = replaces === undefined ? null : replacedOrder(replaces, state, rules, now);
	const orders = new Map(state.orders);
	if (known === undefined && isOver(done, rules)) {
		const isOlderWatched = older !== null && orders.has(keyOf(older));
		if (isOlderWatched) orders.set(keyOf(older), { ...older, replaced: key });
		const finished = withFinished(state.finished, key, { ...done, until: now + DAY_MS });
		const { status, at: finishedSeenAt } = done;
		return {
			state: changed(state, { orders, finished }, now),
			result: { as: 'alreadyFinished', sourceHash, status, finishedSeenAt },
		};
	}
	const before = startedAsStated(known ?? unseenOrder(sourceHash, now), given, now);
	const order: WatchedOrder = {
		...before,
		// The transfer has been watched since the older one was.
		listedAfter:
			older === null
				? before.listedAfter
				: Math.min(before.listedAfter ?? now, older.listedAfter ?? older.since),
		posted: postOf(given, before, older, now),
		overdueSince: null,
		// Of two that replace each other, the last one counts.
		replaced: older !== null && before.replaced === keyOf(older) ? null : before.replaced,
	};
	orders.set(key, order);
	// It stays watched, because either transaction may be the one that the bridge finds.
	if (older !== null)
		orders.set(keyOf(older), {
			...older,
			posted: postOf(unsaid(older), older, order, older.posted?.at ?? now),
			replaced: key,
		});
	const hasReference = given.reference !== undefined;
	return {
		state: changed(state, { orders }, now),
		result:
			known !== undefined && isOpen(known)
				? { as: 'alreadyWatched', sourceHash, reference: hasReference ? 'replaced' : 'kept' }
				: { as: 'accepted', sourceHash },
	};
}

/** A post of an order that says nothing of it. If it has a name, it keeps that, also one in the list, before which a posted one would go. */
function unsaid(order: WatchedOrder): PostedOrder {
	const { sourceHash, posted } = order;
	const name = referenceOf(order) === null ? {} : { reference: posted?.reference ?? null };
	return { key: keyOf(order), sourceHash, startedAt: null, ...name };
}

function startedAsStated(
	order: WatchedOrder,
	{ startedAt }: PostedOrder,
	now: number,
): WatchedOrder {
	if (startedAt === null) return order;
	return { ...order, startedAt: Math.min(now, Math.max(now - OLDEST_START_MS, startedAt)) };
}

/** The order in place of whose transaction another one was sent; null if it has finished. */
function replacedOrder(
	replaces: string,
	{ orders, finished }: WatchState,
	rules: WatchRules,
	now: number,
): WatchedOrder | null {
	const key = orderKey(replaces);
	const known = orders.get(key);
	if (known === undefined && isOver(finished.get(digestOf(key)), rules)) return null;
	return known ?? unseenOrder(replaces, now);
}

/** A post says something new, or leaves what the last one said, or otherwise what was said of the order that it replaces (`older`). */
function postOf(
	given: PostedOrder,
	{ posted }: WatchedOrder,
	older: WatchedOrder | null,
	now: number,
): Posted {
	const { reference = posted?.reference ?? (older && referenceOf(older)) ?? null } = given;
	const stated = [given.expected, posted?.expected, older?.posted?.expected];
	const first = (name: 'recipient' | 'minimumReceived') =>
		stated.map((each) => each?.[name] ?? null).find((value) => value !== null);
	return {
		at: now,
		reference,
		link: given.link ?? posted?.link,
		...expectedField({ recipient: first('recipient'), minimumReceived: first('minimumReceived') }),
	};
}

/** The state without these orders, as far as they were posted: the ones that the node's list names stay, without all that was posted of them. */
export function applyRemoval(
	state: WatchState,
	removed: ReadonlyArray<{ key: string; sourceHash: string }>,
	now: number,
): Reduced {
	const orders = new Map(state.orders);
	let { recent } = state;
	const effects = removed.map(({ key, sourceHash }): Effect => {
		const known = orders.get(key);
		if (known === undefined || !isOpen(known))
			return { kind: 'answer', result: { as: 'notWatched', sourceHash } };
		// The transaction in place of which it was sent is one like any other again, unless a third one was sent in place of both.
		for (const [other, order] of orders)
			if (order.replaced === key) orders.set(other, { ...order, replaced: known.replaced });
		if (known.listed) {
			if (known.posted !== null || known.replaced !== null)
				orders.set(key, { ...known, posted: null, startedAt: null, replaced: null });
			return { kind: 'answer', result: { as: 'listed', sourceHash } };
		}
		orders.delete(key);
		recent = withoutRecent(recent, known);
		return { kind: 'answer', result: { as: 'removed', sourceHash } };
	});
	const isSame =
		orders.size === state.orders.size &&
		[...orders].every(([key, order]) => state.orders.get(key) === order);
	return { state: isSame ? state : changed(state, { orders, recent }, now), effects };
}
