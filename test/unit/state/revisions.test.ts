import { digestOf, type FinishedOrder } from '../../../nodes/CrossChainBridge/state/finished';
import {
	asFinished,
	changed,
	EMPTY_STATE,
	finishedOrder,
	isBeingPolled,
	newestOf,
	type WatchedOrder,
	type WatchState,
	withRedelivery,
} from '../../../nodes/CrossChainBridge/state/state';
import { checked, finished, listed, NOW, posted, shown, stateOf } from './states';

const TEN_MINUTES = 600_000;

test.each([
	[0, false],
	[NOW, false],
	[NOW + 1, true],
	[NOW + 72_000, true],
	[NOW + 72_001, false],
])('with a budget of 36 s, what is polled until %i is being polled: %s', (polledUntil, is) => {
	expect(isBeingPolled({ ...EMPTY_STATE, polledUntil }, 36_000, NOW)).toBe(is);
});

test.each<[string, WatchedOrder, Partial<FinishedOrder>]>([
	['of the list', listed({ finishedSeenAt: 7 }), { at: 7, listed: true, posted: false }],
	['that was posted', posted(), {}],
])('an order %s is remembered as one without an event so far', (_what, order, changes) => {
	const expected = finished({ status: 'failed', emitted: false, ...changes });
	expect(asFinished(order, 'failed', NOW)).toEqual(expected);
});

test('an order that has finished is known by its hash in any case', () => {
	const state = { ...EMPTY_STATE, finished: new Map([[digestOf('0xa'), finished()]]) };
	expect(finishedOrder(state, '0xA')).toEqual(finished());
	expect([finishedOrder(state, '0xB'), finishedOrder(EMPTY_STATE, '0xA')]).toEqual([null, null]);
});

test('the newest copy wins, the first of two that are as new, also when the clock goes back', () => {
	const at = (revision: number): WatchState => ({ ...EMPTY_STATE, revision });
	const [one, same, newer] = [at(1), at(1), at(2)];
	expect(newestOf([one, same])).toBe(one);
	expect(newestOf([newer, one, null])).toBe(newer);
	expect([newestOf([null]), newestOf([])]).toEqual([EMPTY_STATE, EMPTY_STATE]);
	const first = { ...stateOf(listed()), revision: NOW };
	const second = checked(first, shown('completed'), { now: NOW - 1000 });
	expect(newestOf([first, null, second])).toBe(second);
});

describe('a change', () => {
	const recent = new Map([
		['0xold', { order: listed(), at: NOW - 30_000 }],
		['0xyoung', { order: listed(), at: NOW - 29_999 }],
	]);
	const young = new Map([...recent].slice(1));

	test.each([
		[NOW - 5, NOW],
		[NOW, NOW + 1],
		[NOW + 5, NOW + 6],
	])('of revision %p makes %p', (revision, next) => {
		expect(changed({ ...EMPTY_STATE, revision }, new Map(), NOW).revision).toBe(next);
	});

	test('keeps what finished, and what was emitted within half a minute', () => {
		const kept = { finished: new Map([['d', finished()]]), taken: new Map([['one', 1]]) };
		const state = { ...EMPTY_STATE, ...kept, recent };
		const { orders } = stateOf(listed());
		expect(changed(state, orders, NOW)).toEqual({ ...state, revision: NOW, orders, recent: young });
		expect(changed(state, new Map(), NOW, new Map()).finished.size).toBe(0);
		expect(changed({ ...EMPTY_STATE, recent: young }, new Map(), NOW).recent).toBe(young);
	});
});

describe('a state that another process takes over', () => {
	const emitted = listed({ status: 'pending' });
	const orders = new Map([['0xb', listed()]]);
	const state: WatchState = {
		...EMPTY_STATE,
		revision: NOW,
		orders,
		finished: new Map(['0xa', '0xc'].map((hash) => [digestOf(hash), finished()])),
		recent: new Map([['0xa', { order: emitted, at: NOW }]]),
	};
	const recent = new Map();

	test('has open again what was emitted just before it was saved', () => {
		expect(withRedelivery(state, NOW + TEN_MINUTES - 1)).toEqual({
			...state,
			revision: NOW + TEN_MINUTES - 1,
			orders: new Map([...orders, ['0xa', { ...emitted, redelivered: true }]]),
			finished: new Map([[digestOf('0xc'), finished()]]),
			recent,
		});
	});

	test.each<[string, Partial<WatchedOrder>, Partial<WatchedOrder>]>([
		['emits Delayed once more', { delayed: 'emitted' }, { delayed: 'again' }],
		['leaves one that was posted again', { posted: { at: NOW + 5, reference: 'new' } }, {}],
	])('%s', (_what, changes, again) => {
		const present = listed(changes);
		const after = withRedelivery({ ...state, orders: new Map([['0xa', present]]) }, NOW + 1);
		expect([after.orders.get('0xa'), after.recent.size]).toEqual([{ ...present, ...again }, 0]);
	});

	test('has it finished ten minutes later, when a repetition is of no use', () => {
		const revision = NOW + TEN_MINUTES;
		expect(withRedelivery(state, revision)).toEqual({ ...state, revision, recent });
	});

	test('is as it was where nothing was emitted', () => {
		const calm = { ...state, recent };
		expect(withRedelivery(calm, NOW + 1)).toBe(calm);
	});
});
