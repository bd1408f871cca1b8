import type { Expected } from '../orders/expectation';
import { orderKey } from '../orders/sourceHash';
import type { CallResult, Effect, PostedOrder, Reduced } from './events';
import { digestOf, type FinishedOrder, isOver, withFinished } from './finished';
import { DAY_MS, type WatchRules } from './rules';
import {
	changed,
	hashKeys,
	isOpen,
	keyOf,
	orderWith,
	placesIn,
	placesTaken,
	type Posted,
	transactionsOf,
	unseenOrder,
	type WatchedOrder,
	type WatchState,
	withMarks,
	withoutRecent,
} from './state';
import { expectedField } from './stored';

/** A stated beginning that is longer ago counts as this long ago. */
const OLDEST_START_MS = 30 * DAY_MS;

/**
 * The state with these orders watched, and for each what became of it. If there is no room for all of the new ones, it is the same
 * state, with the effect `full`. `room`: for how many more hashes.
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
	const added = placesTaken(after) - placesTaken(state);
	return added > room ? { state, effects: [{ kind: 'full' }] } : { state: after, effects };
}

function withPost(
	state: WatchState,
	given: PostedOrder,
	rules: WatchRules,
	now: number,
): { state: WatchState; result: CallResult } {
	const { key, sourceHash } = given;
	const known = orderWith(state.orders, key);
	const done = known === null ? finishedFor(state, given, rules) : null;
	if (done !== null) {
		const [doneKey, finished] = done;
		const remembered = { ...finished, until: now + DAY_MS };
		let after = withFinished(state.finished, doneKey, remembered);
		// The new hash is remembered as finished as well, so that one that replaces it later is recognized. If it has finished by itself, that record stays.
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
	const own = startedAsStated(known ?? unseenOrder(sourceHash, now), given, now);
	const older = replacedBy(given, own, state, rules, now);
	const before = older === null ? own : asOneOrder(own, older);
	const orders = new Map(state.orders);
	if (older !== null) for (const each of [own, older]) orders.delete(keyOf(each));
	const after: WatchedOrder = {
		...before,
		posted: postOf(given, before, now),
		overdueSince: null,
	};
	const hasReference = given.reference !== undefined;
	return {
		state: changed(state, { orders: orders.set(keyOf(after), after) }, now),
		result:
			known !== null && isOpen(known)
				? { as: 'alreadyWatched', sourceHash, reference: hasReference ? 'replaced' : 'kept' }
				: { as: 'accepted', sourceHash },
	};
}

function startedAsStated(
	order: WatchedOrder,
	{ startedAt }: PostedOrder,
	now: number,
): WatchedOrder {
	if (startedAt === null) return order;
	return { ...order, startedAt: Math.min(now, Math.max(now - OLDEST_START_MS, startedAt)) };
}

/**
 * The finished order for which nothing more is to be watched, with its key; null if there is none. If the one that is replaced was
 * completed, its transaction was the one that counted, so that the new one is never found. After any other final status the new one may
 * be another attempt, which is an order of its own.
 */
function finishedFor(
	{ finished }: WatchState,
	{ key, replaces }: PostedOrder,
	rules: WatchRules,
): [key: string, order: FinishedOrder] | null {
	for (const each of replaces === undefined ? [key] : [key, orderKey(replaces)]) {
		const order = finished.get(digestOf(each));
		if (isOver(order, rules) && (each === key || order.status === 'completed'))
			return [each, order];
	}
	return null;
}

/**
 * The order that this one replaces, because both are one order from now on; null if there is none. An order that was watched by itself
 * stays as it is if it is said to replace a finished one, because people notice a message too many, but not one that is missing. It
 * also stays if the bridge has found both, because only one of two such transactions is ever found.
 */
function replacedBy(
	{ replaces }: PostedOrder,
	own: WatchedOrder,
	{ orders, finished }: WatchState,
	rules: WatchRules,
	now: number,
): WatchedOrder | null {
	if (replaces === undefined) return null;
	const oldKey = orderKey(replaces);
	if (hashKeys(own).includes(oldKey) || isOver(finished.get(digestOf(oldKey)), rules)) return null;
	const known = orderWith(orders, oldKey) ?? unseenOrder(replaces, now);
	return own.status !== null && known.status !== null ? null : known;
}

/** Two orders as one, with one name, one expectation, and one event of each kind. It is shown by the hash by which one of them was found, or by the newer one. */
function asOneOrder(newer: WatchedOrder, older: WatchedOrder): WatchedOrder {
	const { posted } = newer;
	const isFoundByOlder = newer.status === null && older.status !== null;
	const [shown, other] = isFoundByOlder ? [older, newer] : [newer, older];
	const hidden = transactionsOf(other).map((each) => ({ ...each, isNewer: isFoundByOlder }));
	const one: WatchedOrder = {
		...newer,
		sourceHash: shown.sourceHash,
		listed: shown.listed,
		others: isFoundByOlder ? [...hidden, ...shown.others] : [...shown.others, ...hidden],
		since: Math.min(newer.since, older.since),
		listedAfter: newer.listedAfter ?? older.listedAfter,
		startedAt: newer.startedAt ?? older.startedAt,
		listReference: newer.listReference ?? older.listReference,
		unlistedAt: null,
		posted: {
			// The post that makes them one sets its own time.
			at: 0,
			...posted,
			link: isFoundByOlder ? undefined : posted?.link,
			reference: posted?.reference ?? older.posted?.reference ?? null,
			...expectedOf(posted?.expected, older.posted?.expected),
		},
		status: newer.status ?? older.status,
		hasResponse: newer.hasResponse || older.hasResponse,
		redelivered: newer.redelivered || older.redelivered,
		expiresAt: newer.expiresAt ?? older.expiresAt,
	};
	return withMarks(one, {
		delayed: newer.delayed ?? older.delayed,
		expired: newer.expired ?? older.expired,
	});
}

/** A post says something new, or leaves what the last one said. */
function postOf(given: PostedOrder, order: WatchedOrder, now: number): Posted {
	const { posted } = order;
	// A link to the order's other transaction is not that of the one by which it is shown.
	const link = given.key === keyOf(order) ? given.link : undefined;
	return {
		at: now,
		reference: given.reference === undefined ? (posted?.reference ?? null) : given.reference,
		link: link ?? posted?.link,
		...expectedOf(given.expected, posted?.expected),
	};
}

/** What has to arrive, field by field: as it was stated last, or otherwise before. */
function expectedOf(last: Expected | undefined, before: Expected | undefined) {
	return expectedField({
		recipient: last?.recipient ?? before?.recipient,
		minimumReceived: last?.minimumReceived ?? before?.minimumReceived,
	});
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
		const known = orderWith(orders, key);
		if (known === null || !isOpen(known))
			return { kind: 'answer', result: { as: 'notWatched', sourceHash } };
		const listed = transactionsOf(known).filter((hash) => hash.listed);
		if (listed.length > 0 && known.posted === null)
			return { kind: 'answer', result: { as: 'listed', sourceHash } };
		orders.delete(keyOf(known));
		if (listed.length === 0) recent = withoutRecent(recent, known);
		// What said that they are one order is taken back as well.
		for (const hash of listed) {
			const isShown = hash.sourceHash === known.sourceHash;
			orders.set(orderKey(hash.sourceHash), {
				...known,
				...hash,
				others: [],
				posted: null,
				startedAt: null,
				status: isShown ? known.status : null,
				expiresAt: isShown ? known.expiresAt : null,
			});
		}
		return { kind: 'answer', result: { as: listed.length > 0 ? 'listed' : 'removed', sourceHash } };
	});
	const isSame =
		orders.size === state.orders.size &&
		[...orders].every(([key, order]) => state.orders.get(key) === order);
	return { state: isSame ? state : changed(state, { orders, recent }, now), effects };
}
