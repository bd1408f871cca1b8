import { types } from 'node:util';
import { readStoredWatch, storedWatch } from '../../../nodes/CrossChainBridge/state/codec';
import {
	EMPTY_STATE,
	type WatchedOrder,
	type WatchState,
} from '../../../nodes/CrossChainBridge/state/state';
import { listed, NOW, readBack, stateOf } from './states';

const holding = (order: WatchedOrder): WatchState => ({ ...stateOf(order), revision: NOW });
const stored = (changes: object = {}) => ({
	version: 4,
	revision: NOW,
	orders: [{ sourceHash: '0xA', since: NOW }],
	finished: [],
	recent: [],
	taken: [],
	polledUntil: 0,
	...changes,
});
const POSTED = { posted: { at: 3, reference: 'r' } };
const LINKED = { posted: { at: 3, reference: null, link: 'https://a.example/tx' } };

test.each<[string, Partial<WatchedOrder>, object]>([
	['its hash and its time', {}, {}],
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
	['the reference of its post', POSTED, POSTED],
	['the link that was posted', LINKED, { posted: { at: 3, link: 'https://a.example/tx' } }],
	['that the list does not name it', { ...POSTED, listed: false }, { ...POSTED, unlisted: true }],
])('of an order %s is kept, and read back', (_what, changes, kept) => {
	const state = holding(listed(changes));
	const orders = [{ sourceHash: '0xA', since: NOW, ...kept }];
	expect(storedWatch(state)).toEqual(stored({ orders }));
	expect(Object.keys(storedWatch(state).orders[0] ?? {})).toEqual(Object.keys(orders[0] ?? {}));
	expect(readBack(state)).toEqual(state);
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
	expect(readStoredWatch(stored())).not.toBeNull();
	expect(readStoredWatch(stored(changes))).toBeNull();
});

const ODD = {
	...{ startedAt: '1', status: 7, answered: 1, finishedBefore: 'true', delayed: 'yes' },
	...{ finishedSeenAt: Number.POSITIVE_INFINITY, redelivered: {}, expiresAt: null },
	...{ posted: [1], unlisted: true },
};
const NEVER_POSTED = { posted: { at: 'noon', reference: 'r' }, unlisted: true };

test.each<[string, object, Partial<WatchedOrder>]>([
	['fields of another type are taken for absent', ODD, {}],
	// Or it would never be removed.
	['an order posted at no time is listed', NEVER_POSTED, { posted: null, listed: true }],
])('%s', (_what, odd, changes) => {
	const read = readStoredWatch(stored({ orders: [{ sourceHash: '0xA', since: NOW, ...odd }] }));
	expect([...(read?.orders ?? [])]).toEqual([['0xa', listed(changes)]]);
});

describe('what was emitted just before', () => {
	test('is kept', () => {
		const order = listed(POSTED);
		const state = { ...EMPTY_STATE, revision: NOW, recent: new Map([['0xa', { order, at: NOW }]]) };
		expect(storedWatch(state).recent).toEqual([
			{ at: NOW, order: { sourceHash: '0xA', since: NOW, ...POSTED } },
		]);
		expect(readBack(state)).toEqual(state);
	});

	test.each<[string, unknown]>([
		['no list', 'recent'],
		['an entry that is nothing', [null]],
		['an entry without an order', [{ at: NOW }]],
		['an entry without a time', [{ order: { sourceHash: '0xA', since: 1 } }]],
	])('is left out where it is %s', (_what, recent) => {
		expect(readStoredWatch(stored({ recent }))?.recent.size).toBe(0);
	});
});

const ONE: [string, number] = ['one', 1];
const NO_PAIRS = [null, 'ab', { 0: 'object', 1: 2 }, [7, 3], ['late', 'noon'], ['never']];

test.each<[string, unknown, Array<[string, number]>]>([
	['pairs of a writer and a time', [ONE, ...NO_PAIRS, ['two', 2, 5]], [ONE, ['two', 2]]],
	['no object', { one: 1 }, []],
	['no text', 'ab', []],
])('up to when calls were taken is kept: %s', (_what, taken, expected) => {
	const read = readStoredWatch(stored({ taken }));
	expect([...(read?.taken ?? [])]).toEqual(expected);
	expect(read === null ? null : readBack(read)).toEqual(read);
});

test('a reference is plain data that shares nothing with what n8n keeps', () => {
	const chat = { id: 7 };
	const watched = (value: object) => new Proxy(value, {});
	const reference = watched({ chat: watched(chat) });
	const orders = [
		{ sourceHash: '0xa', since: 1, unlisted: true, posted: watched({ at: 1, reference }) },
	];
	const read = readStoredWatch(stored({ orders }))?.orders.get('0xa')?.posted?.reference;
	chat.id = 8;
	expect([read, types.isProxy(read)]).toEqual([{ chat: { id: 7 } }, false]);
});
