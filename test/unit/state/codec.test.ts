import { readStoredWatch, storedWatch } from '../../../nodes/CrossChainBridge/state/codec';
import {
	EMPTY_STATE,
	unseenOrder,
	type WatchedOrder,
	type WatchState,
} from '../../../nodes/CrossChainBridge/state/state';

const NOW = Date.parse('2026-01-01T00:00:00Z');

const listed = (changes: Partial<WatchedOrder> = {}) =>
	unseenOrder('0xA', { listed: true, posted: null, ...changes }, NOW);
const stateOf = (order: WatchedOrder): WatchState => ({
	...EMPTY_STATE,
	revision: NOW,
	orders: new Map([['0xa', order]]),
});
const stored = (changes: object = {}) => ({
	version: 4,
	revision: NOW,
	orders: [{ sourceHash: '0xA', since: NOW }],
	finished: [],
	...changes,
});
const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('of an order that nothing is known of only its hash and its time are kept', () => {
	expect(storedWatch(stateOf(listed()))).toEqual(stored());
	expect(Object.keys(storedWatch(stateOf(listed())))).toEqual([
		'version',
		'revision',
		'orders',
		'finished',
	]);
});

test.each<[string, Partial<WatchedOrder>, object]>([
	['its beginning', { startedAt: 5 }, { startedAt: 5 }],
	['a beginning at zero', { startedAt: 0 }, { startedAt: 0 }],
	['its status', { status: 'pending' }, { status: 'pending' }],
	['that it was answered', { answered: true }, { answered: true }],
	['that it had finished before', { finishedBefore: true }, { finishedBefore: true }],
	['when its final status was seen', { finishedSeenAt: 7 }, { finishedSeenAt: 7 }],
	['that Delayed was emitted', { delayed: 'emitted' }, { delayed: 'emitted' }],
	['that its event is emitted again', { redelivered: true }, { redelivered: true }],
	['its expiry', { expiresAt: 9 }, { expiresAt: 9 }],
	['that it was posted', { posted: { at: 3, reference: null } }, { posted: { at: 3 } }],
	[
		'the reference of its post',
		{ posted: { at: 3, reference: 'r' } },
		{ posted: { at: 3, reference: 'r' } },
	],
	[
		'that the list does not name it',
		{ posted: { at: 3, reference: null }, listed: false },
		{ posted: { at: 3 }, unlisted: true },
	],
])('%s is kept, and read back', (_what, changes, kept) => {
	const state = stateOf(listed(changes));
	expect(storedWatch(state).orders).toEqual([{ sourceHash: '0xA', since: NOW, ...kept }]);
	expect(readStoredWatch(copy(storedWatch(state)), NOW)).toEqual(state);
});

test.each<[string, object]>([
	['another version', { version: 3 }],
	['no version', { version: undefined }],
	['a revision that is no number', { revision: '5' }],
	['a revision that is no time', { revision: Number.NaN }],
	['no orders', { orders: undefined }],
	['orders that are no list', { orders: { 0: { sourceHash: '0xA', since: 1 } } }],
	['no finished orders', { finished: undefined }],
	['finished orders that cannot be read', { finished: ['?'] }],
	['an order without a hash', { orders: [{ since: 1 }] }],
	['an order without a time', { orders: [{ sourceHash: '0xA' }] }],
	['an order that is none', { orders: [{ sourceHash: '0xA', since: 1 }, null] }],
])('with %s it is not the state that was kept', (_what, changes) => {
	expect(readStoredWatch(stored(), NOW)).not.toBeNull();
	expect(readStoredWatch(stored(changes), NOW)).toBeNull();
});

test('fields of another type are taken for absent', () => {
	const odd = {
		startedAt: '1',
		status: 7,
		answered: 1,
		finishedBefore: 'true',
		finishedSeenAt: Number.POSITIVE_INFINITY,
		delayed: 'yes',
		redelivered: {},
		expiresAt: null,
		posted: [1],
		unlisted: true,
	};
	const read = readStoredWatch(
		stored({ orders: [{ sourceHash: '0xA', since: NOW, ...odd }] }),
		NOW,
	);
	expect(read?.orders.get('0xa')).toEqual(listed());
});

test('an order that was posted at no time is one of the list, or it would never be removed', () => {
	const read = readStoredWatch(
		stored({
			orders: [
				{ sourceHash: '0xA', since: NOW, posted: { at: 'noon', reference: 'r' }, unlisted: true },
			],
		}),
		NOW,
	);
	expect(read?.orders.get('0xa')).toMatchObject({ posted: null, listed: true });
});

test('orders are found by their hash in any case', () => {
	expect([...(readStoredWatch(stored(), NOW)?.orders.keys() ?? [])]).toEqual(['0xa']);
});

test.each([
	[24 * 3_600_000, NOW + 24 * 3_600_000],
	[24 * 3_600_000 + 1, 1],
])('a revision %p ms ahead counts as %p', (aheadMs, revision) => {
	expect(readStoredWatch(stored({ revision: NOW + aheadMs }), NOW)?.revision).toBe(revision);
});

describe('what was emitted just before', () => {
	const order = listed({ posted: { at: 3, reference: 'r' } });
	const recent = new Map([['0xa', { order, at: NOW }]]);

	test('is kept while there is any', () => {
		const state = { ...EMPTY_STATE, revision: NOW, recent };
		expect(storedWatch(state).recent).toEqual([
			{ at: NOW, order: { sourceHash: '0xA', since: NOW, posted: { at: 3, reference: 'r' } } },
		]);
		expect(readStoredWatch(copy(storedWatch(state)), NOW)).toEqual(state);
	});

	test.each<[string, unknown]>([
		['no list', 'recent'],
		['an entry that is nothing', [null]],
		['an entry without an order', [{ at: NOW }]],
		['an entry without a time', [{ order: { sourceHash: '0xA', since: 1 } }]],
	])('is left out where it is %s', (_what, kept) => {
		expect(readStoredWatch(stored({ recent: kept }), NOW)?.recent.size).toBe(0);
	});
});

describe('up to when calls were taken', () => {
	test('is kept while there is any', () => {
		const state = {
			...EMPTY_STATE,
			revision: NOW,
			taken: new Map([
				['one', NOW],
				['other', NOW - 1],
			]),
		};
		expect(storedWatch(state).taken).toEqual([
			['one', NOW],
			['other', NOW - 1],
		]);
		expect(readStoredWatch(copy(storedWatch(state)), NOW)?.taken).toEqual(state.taken);
	});

	test('is read from pairs of a writer and a time, and from nothing else', () => {
		const taken = [
			['one', 1],
			null,
			'ab',
			{ 0: 'object', 1: 2 },
			[7, 3],
			['late', 'noon'],
			['never'],
			['two', 2, 'more'],
		];
		expect([...(readStoredWatch(stored({ taken }), NOW)?.taken ?? [])]).toEqual([
			['one', 1],
			['two', 2],
		]);
		expect(readStoredWatch(stored({ taken: { one: 1 } }), NOW)?.taken).toEqual(new Map());
		expect(readStoredWatch(stored({ taken: 'ab' }), NOW)?.taken).toEqual(new Map());
	});
});
