import { digestOf } from '../../../nodes/CrossChainBridge/state/finished';
import { withoutPosted, withPosted } from '../../../nodes/CrossChainBridge/state/postedOrders';
import {
	EMPTY_STATE,
	unseenOrder,
	type WatchedOrder,
	type WatchRules,
	type WatchState,
} from '../../../nodes/CrossChainBridge/state/state';
import {
	ALL,
	checked,
	COMPLETED,
	expire,
	finished,
	HOUR,
	listed,
	NOW,
	post,
	posting,
	readBack,
	shown,
	stateOf,
	withListOf,
} from './states';

const hashes = (count: number) => Array.from({ length: count }, (_, i) => `0x${i}`);
const TWO_NEW = [post('0xnew1'), post('0xnew2')];

test('a list that does not fit is rejected as a whole; hashes that are watched already need no room', () => {
	const full = posting(EMPTY_STATE, hashes(999)).state;
	expect(withPosted(full, TWO_NEW, ALL, NOW)).toBeNull();
	expect(posting(full, ['0xbeef', '0xBEEF', '0x0'])).toMatchObject({ accepted: 1 });
	const done = checked(full, shown('completed'), { key: '0x0' });
	expect(posting(done, ['0xnew1', '0xnew2'])).toMatchObject({ accepted: 2 });
});

test('the orders of the list count as well', () => {
	expect(withPosted(withListOf(EMPTY_STATE, hashes(1000)), [post('0xnew')], ALL, NOW)).toBeNull();
});

test.each([
	[1, true],
	[2, false],
])('there is room for as many as is said: %p are too few for two: %p', (room, isFull) => {
	expect(withPosted(EMPTY_STATE, TWO_NEW, ALL, NOW, room) === null).toBe(isFull);
});

test('nothing new makes no new revision', () => {
	const done = checked(posting(EMPTY_STATE, ['0xa']).state, shown('failed'));
	expect(posting(done, ['0xa'], { now: NOW + 1 }).state).toBe(done);
	expect(withoutPosted(done, ['0xa', '0xb'], ALL, NOW + 1).state).toBe(done);
	expect(expire(done, {}, NOW + 1).state).toBe(done);
});

test.each<[string, number | null, number | null]>([
	['none', null, null],
	['a minute ago', NOW - 60_000, NOW - 60_000],
	['later than now', NOW + 30_000, NOW],
	['far too old', NOW - 60 * 24 * HOUR, NOW - 30 * 24 * HOUR],
])('a stated beginning, %s, is bounded, and replaced by a newer one', (_name, startedAt, kept) => {
	const after = (state: WatchState, stated: number | null) =>
		posting(state, [post('0xa', null, stated)]).state;
	const startOf = (state: WatchState) => state.orders.get('0xa')?.startedAt;
	const state = after(EMPTY_STATE, startedAt);
	expect([startOf(state), startOf(after(state, null))]).toEqual([kept, kept]);
	expect(startOf(after(state, NOW - 5000))).toBe(NOW - 5000);
	expect(readBack(state)).toEqual(state);
});

describe('what became of posts', () => {
	const known = (changes: Partial<WatchedOrder>) =>
		stateOf(listed({ since: NOW - HOUR, ...changes }));

	test.each([
		['r', 'r'],
		[undefined, null],
	])('a new one with the reference %p is watched with %p', (given, reference) => {
		const { state, ...result } = posting(EMPTY_STATE, [post('0xa', given)]);
		expect(result).toEqual({ accepted: 1, alreadyWatched: [], alreadyFinished: [] });
		expect([...state.orders.values()]).toEqual([
			unseenOrder('0xa', { listed: false, posted: { at: NOW, reference } }, NOW),
		]);
	});

	const BEFORE = { posted: { at: 1, reference: 'before' } };
	test.each<[string, Partial<WatchedOrder>, unknown, unknown, 'kept' | 'replaced']>([
		['no reference leaves the one before', BEFORE, undefined, 'before', 'kept'],
		['another replaces it', BEFORE, 'now', 'now', 'replaced'],
		['null replaces it', BEFORE, null, null, 'replaced'],
		['no reference of one that only the list names is none', {}, undefined, null, 'kept'],
	])('%s', (_what, changes, given, reference, word) => {
		const before = known({ ...changes, status: 'pending' });
		const { state, ...result } = posting(before, [post('0xa', given)]);
		expect(result).toEqual({
			accepted: 0,
			alreadyWatched: [{ sourceHash: '0xa', reference: word }],
			alreadyFinished: [],
		});
		const expected = { ...before.orders.get('0xa'), posted: { at: NOW, reference } };
		expect(state.orders.get('0xa')).toEqual(expected);
		expect(state.revision).toBe(NOW);
	});

	const FAILED = [{ sourceHash: '0xa', status: 'failed', finishedSeenAt: 7 }];

	test('one of the list that has finished unwanted is said to have finished', () => {
		const state = known({ status: 'failed', finishedSeenAt: 7 });
		const { state: after, ...result } = posting(state, [post('0xa')], { rules: COMPLETED });
		expect(result).toEqual({ accepted: 0, alreadyWatched: [], alreadyFinished: FAILED });
		expect(after.orders.get('0xa')).toMatchObject({ listed: true, posted: { at: NOW } });
	});

	test.each<[string, boolean, WatchRules, boolean]>([
		['that was emitted is not watched again', true, ALL, false],
		['that has no event yet is watched again', false, ALL, true],
		['whose status is not wanted is not watched again', false, COMPLETED, false],
		['that had finished unwanted, neither', false, { ...ALL, includeFinished: false }, false],
	])('a finished one %s', (_what, emitted, rules, isAccepted) => {
		const done = finished({ status: 'failed', at: 7, emitted });
		const state = { ...EMPTY_STATE, finished: new Map([[digestOf('0xa'), done]]) };
		const expected = { accepted: isAccepted ? 1 : 0, alreadyFinished: isAccepted ? [] : FAILED };
		expect(posting(state, [post('0xa', 'r')], { rules })).toMatchObject(expected);
	});

	const POSTED = { posted: { at: 1, reference: null } };
	const BOTH = ['0xA', '0xB'];
	test.each<[string, Partial<WatchedOrder>, WatchRules, object]>([
		['a posted one is removed', { ...POSTED, listed: false }, ALL, { removed: 1 }],
		['one of the list stays watched without its post', POSTED, ALL, { listed: ['0xA'] }],
		['one that only the list names stays as it is', {}, ALL, { listed: ['0xA'] }],
		['a finished one is not', { status: 'failed' }, COMPLETED, { notWatched: BOTH }],
	])('%s, and an unknown one is not watched', (_what, changes, rules, expected) => {
		const before = known(changes);
		const { state, ...removal } = withoutPosted(before, ['0xA', '0xB'], rules, NOW);
		expect(removal).toEqual({ removed: 0, listed: [], notWatched: ['0xB'], ...expected });
		if (changes.posted === undefined) return expect(state).toBe(before);
		const left =
			changes.listed === false ? [] : [['0xa', { ...before.orders.get('0xa'), posted: null }]];
		expect([...state.orders]).toEqual(left);
		expect(state.revision).toBe(NOW);
	});
});
