import { digestOf, type FinishedOrder } from '../../../nodes/CrossChainBridge/state/finished';
import {
	changed,
	doneWith,
	EMPTY_STATE,
	finishedOrder,
	isBeingPolled,
	newestOf,
	unseenOrder,
	type WatchedOrder,
	type WatchState,
	withRedelivery,
} from '../../../nodes/CrossChainBridge/state/state';

const NOW = 2_000_000_000_000;
const TEN_MINUTES = 600_000;

const order = (changes: Partial<WatchedOrder> = {}) =>
	unseenOrder('0xA', { listed: true, posted: null, ...changes }, NOW);
const finished: FinishedOrder = {
	status: 'completed',
	at: NOW,
	emitted: true,
	listed: false,
	posted: true,
};

test('of an order that is unseen nothing is known', () => {
	expect(unseenOrder('0xA', { listed: true, posted: null }, NOW)).toEqual({
		sourceHash: '0xA',
		since: NOW,
		startedAt: null,
		listed: true,
		listReference: null,
		posted: null,
		status: null,
		answered: false,
		finishedBefore: false,
		finishedSeenAt: null,
		redelivered: false,
		delayed: null,
		expiresAt: null,
	});
});

test('a trigger begins with nothing', () => {
	expect(EMPTY_STATE).toEqual({
		revision: 0,
		orders: new Map(),
		finished: new Map(),
		recent: new Map(),
		taken: new Map(),
		polledUntil: 0,
	});
});

test.each([
	[0, false],
	[NOW, false],
	[NOW + 1, true],
	[NOW + 72_000, true],
	[NOW + 72_001, false],
])(
	'with a budget of 36 seconds, a state that is polled until %i is being polled: %s',
	(polledUntil, is) => {
		expect(isBeingPolled({ ...EMPTY_STATE, polledUntil }, 36_000, NOW)).toBe(is);
	},
);

test.each<[string, Partial<WatchedOrder>, Partial<FinishedOrder>]>([
	['of the list', { finishedSeenAt: 7 }, { at: 7, listed: true, posted: false }],
	[
		'that was posted',
		{ listed: false, posted: { at: 1, reference: null } },
		{ at: NOW, listed: false, posted: true },
	],
])('an order %s is remembered as one without an event so far', (_what, changes, remembered) => {
	expect(doneWith(order(changes), 'failed', NOW)).toEqual({
		...finished,
		status: 'failed',
		emitted: false,
		...remembered,
	});
});

test('an order that has finished is known by its hash in any case', () => {
	const state = { ...EMPTY_STATE, finished: new Map([[digestOf('0xa'), finished]]) };
	expect([
		finishedOrder(state, '0xA'),
		finishedOrder(state, '0xB'),
		finishedOrder(EMPTY_STATE, '0xA'),
	]).toEqual([finished, null, null]);
});

test('the newest copy wins, the first of two that are as new', () => {
	const at = (revision: number): WatchState => ({ ...EMPTY_STATE, revision });
	const [one, same, newer] = [at(1), at(1), at(2)];
	expect(newestOf([one, same])).toBe(one);
	expect(newestOf([newer, one, null])).toBe(newer);
	expect(newestOf([null])).toBe(EMPTY_STATE);
});

describe('a change', () => {
	const recent = new Map([
		['0xold', { order: order(), at: NOW - 30_000 }],
		['0xyoung', { order: order(), at: NOW - 29_999 }],
	]);

	test.each([
		[NOW - 5, NOW],
		[NOW, NOW + 1],
		[NOW + 5, NOW + 6],
	])('of revision %p makes %p', (revision, next) => {
		expect(changed({ ...EMPTY_STATE, revision }, new Map(), NOW).revision).toBe(next);
	});

	test('keeps what finished, and what was emitted within half a minute', () => {
		const state = {
			...EMPTY_STATE,
			finished: new Map([['d', finished]]),
			recent,
			taken: new Map([['one', 1]]),
		};
		const next = changed(state, new Map([['0xa', order()]]), NOW);
		expect(next).toEqual({
			...state,
			revision: NOW,
			orders: new Map([['0xa', order()]]),
			recent: new Map([...recent].slice(1)),
		});
		expect(changed(state, new Map(), NOW, new Map()).finished.size).toBe(0);
	});

	test('keeps the same map where all of it is young', () => {
		const young = new Map([...recent].slice(1));
		expect(changed({ ...EMPTY_STATE, recent: young }, new Map(), NOW).recent).toBe(young);
	});
});

describe('a state that another process takes over', () => {
	const emitted = order({ status: 'pending' });
	const state: WatchState = {
		...EMPTY_STATE,
		revision: NOW,
		orders: new Map([['0xb', order()]]),
		finished: new Map([
			[digestOf('0xa'), finished],
			[digestOf('0xc'), finished],
		]),
		recent: new Map([['0xa', { order: emitted, at: NOW }]]),
	};

	test('has open again what was emitted just before it was saved', () => {
		expect(withRedelivery(state, NOW + TEN_MINUTES - 1)).toEqual({
			...state,
			revision: NOW + TEN_MINUTES - 1,
			orders: new Map([
				['0xb', order()],
				['0xa', { ...emitted, redelivered: true }],
			]),
			finished: new Map([[digestOf('0xc'), finished]]),
			recent: new Map(),
		});
	});

	test.each<[string, Partial<WatchedOrder>, Partial<WatchedOrder>]>([
		['emits Delayed once more', { delayed: 'emitted' }, { delayed: 'again' }],
		[
			'leaves one as it is that was posted again since then',
			{ posted: { at: NOW + 5, reference: 'new' } },
			{},
		],
	])('%s', (_what, changes, changesAgain) => {
		const present = order(changes);
		const after = withRedelivery({ ...state, orders: new Map([['0xa', present]]) }, NOW + 1);
		expect([after.orders.get('0xa'), after.recent.size]).toEqual([
			{ ...present, ...changesAgain },
			0,
		]);
	});

	test('has it finished ten minutes later, when a repetition is of no use', () => {
		expect(withRedelivery(state, NOW + TEN_MINUTES)).toEqual({
			...state,
			revision: NOW + TEN_MINUTES,
			recent: new Map(),
		});
	});

	test('is as it was where nothing was emitted', () => {
		const calm = { ...state, recent: new Map() };
		expect(withRedelivery(calm, NOW + 1)).toBe(calm);
	});
});
