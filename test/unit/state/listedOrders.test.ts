import { applyCheck } from '../../../nodes/CrossChainBridge/state/applyCheck';
import { digestOf, type FinishedOrder } from '../../../nodes/CrossChainBridge/state/finished';
import { withListOf } from './listing';
import { withPosted } from '../../../nodes/CrossChainBridge/state/postedOrders';
import {
	EMPTY_STATE,
	finishedOrder,
	unseenOrder,
	type WatchedOrder,
	type WatchRules,
	type WatchState,
} from '../../../nodes/CrossChainBridge/state/state';

const ALL: WatchRules = { events: ['completed', 'refunded', 'failed'], includeFinished: true };
const COMPLETED: WatchRules = { ...ALL, events: ['completed'] };
const NOW = 1_000_000_000_000;

const stateWith = (...orders: WatchedOrder[]): WatchState => ({
	...EMPTY_STATE,
	revision: 5,
	orders: new Map(orders.map((order) => [order.sourceHash.toLowerCase(), order])),
});
const listed = (sourceHash: string, changes: Partial<WatchedOrder> = {}) =>
	unseenOrder(sourceHash, { listed: true, posted: null, ...changes }, 1);
const posted = (sourceHash: string, changes: Partial<WatchedOrder> = {}) =>
	listed(sourceHash, { listed: false, posted: { at: 1, reference: 'posted' }, ...changes });
const finished = (changes: Partial<FinishedOrder> = {}): FinishedOrder => ({
	status: 'failed',
	at: NOW,
	emitted: true,
	listed: false,
	posted: true,
	...changes,
});

test('an order that is new in the list is unseen, with its reference', () => {
	const state = withListOf(EMPTY_STATE, ['0xA', { sourceHash: '0xB', reference: { id: 7 } }], NOW);
	expect([...state.orders]).toEqual([
		['0xa', unseenOrder('0xA', { listed: true, posted: null }, NOW)],
		['0xb', unseenOrder('0xB', { listed: true, posted: null, listReference: { id: 7 } }, NOW)],
	]);
	expect(state.revision).toBe(NOW);
});

test('one that was posted before and is listed now keeps what is known of it, in a new revision', () => {
	const before = posted('0xA', { status: 'pending', answered: true });
	const state = withListOf(stateWith(before), [{ sourceHash: '0xa', reference: 'listed' }], NOW);
	expect(state.orders.get('0xa')).toEqual({
		...before,
		sourceHash: '0xa',
		listed: true,
		listReference: 'listed',
	});
	expect(state.revision).toBe(NOW);
});

test('one that was posted and is listed no more is as it was posted, in a new revision', () => {
	const before = posted('0xA', {
		listed: true,
		listReference: 'listed',
		answered: true,
	});
	const state = withListOf(stateWith(before), [], NOW);
	expect(state.orders.get('0xa')).toEqual({
		...before,
		listed: false,
		listReference: null,
	});
	expect(state.revision).toBe(NOW);
});

test('posted orders that the list does not name stay, after those of the list, without a new revision', () => {
	const before = stateWith(posted('0xp'), listed('0xl'));
	const state = withListOf(before, ['0xl'], NOW);
	expect([...state.orders.keys()]).toEqual(['0xl', '0xp']);
	expect(state.revision).toBe(5);
	expect(state.orders.get('0xp')).toEqual(before.orders.get('0xp'));
});

test('another list of the same length is a new revision, as is a shorter one', () => {
	const before = stateWith(listed('0xa'), listed('0xb'));
	expect(withListOf(before, ['0xa', '0xb'], NOW).revision).toBe(5);
	expect(withListOf(before, ['0xa', '0xc'], NOW).revision).toBe(NOW);
	expect(withListOf(before, ['0xa'], NOW).revision).toBe(NOW);
});

test('one that had finished unwanted and was posted is remembered for its post when the list names it no more', () => {
	let state =
		withPosted(
			withListOf(EMPTY_STATE, ['0xa', '0xb'], NOW),
			[{ sourceHash: '0xa', reference: 'r', startedAt: null }],
			COMPLETED,
			NOW,
		)?.state ?? EMPTY_STATE;
	for (const key of ['0xa', '0xb'])
		state = applyCheck(
			state,
			key,
			{ kind: 'order', order: { status: 'failed' } },
			COMPLETED,
			NOW,
		).state;
	expect([...state.orders.keys()]).toEqual(['0xa', '0xb']);
	state = withListOf(withListOf(state, [], NOW + 1), [], NOW + 2);
	expect(state.orders.size).toBe(0);
	expect(finishedOrder(state, '0xa')).toEqual(
		finished({ emitted: false, at: finishedOrder(state, '0xa')?.at }),
	);
	expect(finishedOrder(state, '0xb')).toBeNull();
});

test('one that is open is watched, though another of its list has finished', () => {
	const state = { ...EMPTY_STATE, finished: new Map([[digestOf('0xa'), finished()]]) };
	const next = withListOf(state, ['0xa', '0xb'], NOW);
	expect([...next.orders.keys()]).toEqual(['0xb']);
	expect(finishedOrder(next, '0xa')).toEqual(finished({ listed: true }));
	expect(next.revision).toBe(NOW);
});

test('one that has finished without an event is watched again, and forgotten as one that has finished', () => {
	const state = {
		...EMPTY_STATE,
		finished: new Map([
			[digestOf('0xa'), finished({ emitted: false, posted: false, listed: true })],
		]),
	};
	const next = withListOf(state, ['0xa'], NOW);
	expect([...next.orders.keys()]).toEqual(['0xa']);
	expect(finishedOrder(next, '0xa')).toBeNull();
});

test('one that is watched stays so, though it has finished once before', () => {
	const state = { ...stateWith(listed('0xa')), finished: new Map([[digestOf('0xa'), finished()]]) };
	expect([...withListOf(state, ['0xa'], NOW).orders.keys()]).toEqual(['0xa']);
});

test('the same list, with all that it names finished, is no new revision', () => {
	const state = {
		...EMPTY_STATE,
		revision: 5,
		finished: new Map([[digestOf('0xa'), finished({ listed: true })]]),
	};
	const next = withListOf(state, ['0xA'], NOW);
	expect(next.revision).toBe(5);
	expect(next.finished).toBe(state.finished);
});
