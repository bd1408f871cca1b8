import type { Expected } from '../orders/expectation';
import type { CallResult, Effect, PostedOrder, Reduced } from './events';
import { digestOf, type FinishedOrder, isWanted, withFinished } from './finished';
import { DAY_MS, type WatchRules } from './rules';
import {
	asOneOrder,
	changed,
	isOpen,
	isReplaced,
	placesIn,
	type Posted,
	removeOrder,
	separate,
	twinsOf,
	unseenOrder,
	type WatchedOrder,
	type WatchState,
} from './state';

/** A stated beginning that is longer ago is taken for a mistake. */
const OLDEST_START_MS = 30 * DAY_MS;

/**
 * The state with these orders watched, and for each what became of it. If there is no room for all of the new ones, it is the same
 * state, with the effect `full`. `room`: for how many new orders.
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
	let added = 0;
	for (const order of orders) {
		const posted = withPost(after, order, rules, now);
		after = posted.state;
		effects.push({ kind: 'answer', result: posted.result });
		if (posted.result.as === 'accepted') added++;
	}
	return added > room ? { state, effects: [{ kind: 'full' }] } : { state: after, effects };
}

function withPost(
	state: WatchState,
	given: PostedOrder,
	rules: WatchRules,
	now: number,
): { state: WatchState; result: CallResult } {
	const { key, sourceHash } = given;
	const known = state.orders.get(key);
	const done = known === undefined ? finishedFor(state, given, rules) : null;
	if (done !== null) {
		const [doneKey, finished] = done;
		const remembered = { ...finished, until: now + DAY_MS };
		let after = withFinished(state.finished, doneKey, remembered);
		// Both are one order, and so is what replaces this one later. What is known of this one by itself stays.
		if (!after.has(digestOf(key)))
			after = withFinished(after, key, { ...remembered, emitted: true, listed: false });
		return {
			state: changed(state, { finished: after }, now),
			result: {
				as: 'alreadyFinished',
				sourceHash,
				status: finished.status,
				finishedSeenAt: finished.at,
			},
		};
	}
	const replaces = (known?.replaces ?? null) === null ? replacedBy(given, state) : null;
	const replaced = replaces === null ? undefined : state.orders.get(replaces);
	const own = known ?? unseenOrder(sourceHash, now, {});
	const before = replaced === undefined ? own : asOneOrder(own, replaced);
	const hasReference = given.reference !== undefined;
	const after: WatchedOrder = {
		...before,
		posted: postOf(given, before, now),
		startedAt:
			given.startedAt === null
				? before.startedAt
				: Math.min(now, Math.max(now - OLDEST_START_MS, given.startedAt)),
		replaces: before.replaces ?? replaces,
		overdueSince: null,
	};
	return {
		state: changed(state, { orders: new Map(state.orders).set(key, after) }, now),
		result:
			known !== undefined && isOpen(known)
				? { as: 'alreadyWatched', sourceHash, reference: hasReference ? 'replaced' : 'kept' }
				: { as: 'accepted', sourceHash },
	};
}

/** The finished order for which nothing more is to be watched, with its key; null if there is none. */
function finishedFor(
	{ finished }: WatchState,
	{ key, replaces }: PostedOrder,
	rules: WatchRules,
): [key: string, order: FinishedOrder] | null {
	for (const each of replaces === undefined ? [key] : [key, replaces]) {
		const order = finished.get(digestOf(each));
		// One that has finished without an event may start the workflow now, because its status is chosen by now.
		if (order !== undefined && (order.emitted || !isWanted(order, rules))) return [each, order];
	}
	return null;
}

/**
 * The key of the order that this one replaces: of several that are one order, the newest. Null if there is none, or if the two are one already.
 * What the first post says stays.
 */
function replacedBy({ key, replaces }: PostedOrder, { orders }: WatchState): string | null {
	if (replaces === undefined || replaces === key) return null;
	const one = [replaces, ...twinsOf(orders, replaces).keys()];
	if (one.includes(key)) return null;
	return one.find((each) => !isReplaced(orders, each)) ?? replaces;
}

/** A post says something new, or leaves what the last one said. */
function postOf(given: PostedOrder, { posted }: WatchedOrder, now: number): Posted {
	return {
		at: now,
		reference: given.reference === undefined ? (posted?.reference ?? null) : given.reference,
		link: given.link ?? posted?.link,
		expected: expectedOf(given.expected, posted?.expected),
	};
}

function expectedOf(given: Expected | undefined, before: Expected | undefined) {
	if (given === undefined || before === undefined) return given ?? before;
	return {
		recipient: given.recipient ?? before.recipient,
		minimumReceived: given.minimumReceived ?? before.minimumReceived,
	};
}

/** The state without these orders, as far as they were posted: the ones that the node's list names stay, without all that was posted of them. */
export function applyRemoval(
	state: WatchState,
	removed: ReadonlyArray<{ key: string; sourceHash: string }>,
	now: number,
): Reduced {
	const orders = new Map(state.orders);
	const recent = new Map(state.recent);
	const effects = removed.map(({ key, sourceHash }): Effect => {
		const known = orders.get(key);
		if (known === undefined || !isOpen(known))
			return { kind: 'answer', result: { as: 'notWatched', sourceHash } };
		if (known.listed) {
			if (known.posted !== null) {
				orders.set(key, { ...known, posted: null, startedAt: null });
				separate(orders, key);
			}
			return { kind: 'answer', result: { as: 'listed', sourceHash } };
		}
		removeOrder(orders, key);
		recent.delete(key);
		return { kind: 'answer', result: { as: 'removed', sourceHash } };
	});
	const isSame =
		orders.size === state.orders.size &&
		[...orders].every(([key, order]) => state.orders.get(key) === order);
	return { state: isSame ? state : changed(state, { orders, recent }, now), effects };
}
