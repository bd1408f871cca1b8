import fc from 'fast-check';

import type { CheckOutcome } from '../../../nodes/CrossChainBridge/checks/outcome';
import { applyCheck } from '../../../nodes/CrossChainBridge/state/applyCheck';
import { readStoredWatch, storedWatch } from '../../../nodes/CrossChainBridge/state/codec';
import { withoutExpired } from '../../../nodes/CrossChainBridge/state/expiry';
import { digestOf } from '../../../nodes/CrossChainBridge/state/finished';
import { withListOf } from './listing';
import { isOpen, openOrders } from '../../../nodes/CrossChainBridge/state/openOrders';
import { withoutPosted, withPosted } from '../../../nodes/CrossChainBridge/state/postedOrders';
import {
	EMPTY_STATE,
	unseenOrder,
	type WatchRules,
	type WatchState,
} from '../../../nodes/CrossChainBridge/state/state';
import { cases } from '../../randomCases';

const ALL: WatchRules = { events: ['completed', 'refunded', 'failed'], includeFinished: true };
const HOUR = 3_600_000;
const NOW = Date.parse('2026-01-01T00:00:00Z');

const posts = (...sourceHashes: string[]) =>
	sourceHashes.map((sourceHash) => ({ sourceHash, reference: undefined, startedAt: null }));
const check = (status: string, expiresAt?: number): CheckOutcome => ({
	kind: 'order',
	order: { status, timing: expiresAt === undefined ? undefined : { expiry: expiresAt / 1000 } },
});

function posted(state: WatchState, ...sourceHashes: string[]): WatchState {
	const posting = withPosted(state, posts(...sourceHashes), ALL, NOW);
	if (posting === null) throw new Error('The watch is full');
	return posting.state;
}

test('a list that does not fit is rejected as a whole; hashes that are watched already need no room', () => {
	const full = posted(EMPTY_STATE, ...Array.from({ length: 999 }, (_, i) => `0x${i}`));
	expect(withPosted(full, posts('0xnew1', '0xnew2'), ALL, NOW)).toBeNull();
	expect(withPosted(full, posts('0xbeef', '0xBEEF', '0x0'), ALL, NOW)).toMatchObject({
		accepted: 1,
	});
	const done = applyCheck(full, '0x0', check('completed'), ALL, NOW).state;
	expect(withPosted(done, posts('0xnew1', '0xnew2'), ALL, NOW)).toMatchObject({ accepted: 2 });
});

test('the orders of the list count as well', () => {
	const listed = withListOf(
		EMPTY_STATE,
		Array.from({ length: 1000 }, (_, i) => `0x${i}`),
		NOW,
	);
	expect(withPosted(listed, posts('0xnew'), ALL, NOW)).toBeNull();
});

test('nothing new makes no new revision', () => {
	const done = applyCheck(posted(EMPTY_STATE, '0xa'), '0xa', check('failed'), ALL, NOW).state;
	expect(withPosted(done, posts('0xa'), ALL, NOW + 1)?.state).toBe(done);
	expect(withoutPosted(done, ['0xa', '0xb'], ALL, NOW + 1).state).toBe(done);
	expect(withoutExpired(done, ALL, new Map(), NOW + 1)).toEqual({ state: done, watchExpired: [] });
});

test.each<[string, CheckOutcome | null, number, boolean]>([
	['never found', null, 47.9, false],
	['never found', null, 48, true],
	['found, without an expiry', check('pending'), 47.9, false],
	['found, without an expiry', check('pending'), 48, true],
	['found, expires after an hour', check('executing', NOW + HOUR), 24.9, false],
	['found, expires after an hour', check('executing', NOW + HOUR), 25, true],
	['posted long after its expiry', check('pending', NOW - 90 * 24 * HOUR), 23.9, false],
	['posted long after its expiry', check('pending', NOW - 90 * 24 * HOUR), 24, true],
	['an expiry that is no time of this century', check('pending', NOW + 9e12), 31 * 24 - 0.1, false],
	['an expiry that is no time of this century', check('pending', NOW + 9e12), 31 * 24, true],
	['a word we do not know is open, and expires like any other', check('settling'), 48, true],
])(
	'%s: after %3$s hours, the service having answered then, expired: %4$s',
	(_name, seen, hours, isExpired) => {
		let state = posted(EMPTY_STATE, '0xa');
		if (seen !== null) state = applyCheck(state, '0xa', seen, ALL, NOW).state;
		const now = NOW + hours * HOUR;
		expect(withoutExpired(state, ALL, new Map([['0xa', NOW]]), now)).toEqual({
			state,
			watchExpired: [],
		});
		const { state: after, watchExpired } = withoutExpired(state, ALL, new Map([['0xa', now]]), now);
		expect(watchExpired.map(({ sourceHash }) => sourceHash)).toEqual(isExpired ? ['0xa'] : []);
		expect(after.orders.has('0xa')).toBe(!isExpired);
	},
);

test('orders of the list that are known are neither expired nor forgotten, posted or not', () => {
	let state = posted(withListOf(EMPTY_STATE, ['0xa', '0xb'], NOW), '0xb');
	state = applyCheck(state, '0xa', check('completed'), ALL, NOW).state;
	state = applyCheck(state, '0xb', check('pending'), ALL, NOW).state;
	const later = NOW + 1000 * HOUR;
	expect(
		withoutExpired(
			state,
			ALL,
			new Map([
				['0xa', later],
				['0xb', later],
			]),
			later,
		),
	).toEqual({ state, watchExpired: [] });
});

test('a reference is given back with the event, and not kept after it', () => {
	const state =
		withPosted(
			EMPTY_STATE,
			[{ sourceHash: '0xa', reference: { text: 'x'.repeat(2000) }, startedAt: null }],
			ALL,
			NOW,
		)?.state ?? EMPTY_STATE;
	const { state: after, event } = applyCheck(state, '0xa', check('completed'), ALL, NOW);
	expect(event?.reference).toEqual({ text: 'x'.repeat(2000) });
	expect(JSON.stringify(storedWatch(after)).length).toBeLessThan(250);
});

test.each<[string, number | null, number | null]>([
	['none', null, null],
	['a minute ago', NOW - 60_000, NOW - 60_000],
	['later than now', NOW + 30_000, NOW],
	['far too old', NOW - 60 * 24 * HOUR, NOW - 30 * 24 * HOUR],
])(
	'a stated beginning, %s, is kept within bounds, and replaced by a newer one only',
	(_name, startedAt, kept) => {
		const post = (state: WatchState, stated: number | null) =>
			withPosted(state, [{ sourceHash: '0xa', reference: null, startedAt: stated }], ALL, NOW)
				?.state ?? EMPTY_STATE;
		const state = post(EMPTY_STATE, startedAt);
		expect(state.orders.get('0xa')?.startedAt).toBe(kept);
		expect(post(state, null).orders.get('0xa')?.startedAt).toBe(kept);
		expect(post(state, NOW - 5000).orders.get('0xa')?.startedAt).toBe(NOW - 5000);
		expect(readStoredWatch(JSON.parse(JSON.stringify(storedWatch(state))), NOW)).toEqual(state);
	},
);

const HASHES = ['0xa', '0xb', '0xC', '__proto__', 'constructor'];
const anyHash = fc.constantFrom(...HASHES);
const anyAct = fc.oneof(
	fc.record({
		act: fc.constant('post' as const),
		hash: anyHash,
		reference: fc.option(fc.jsonValue(), { nil: undefined }),
	}),
	fc.record({ act: fc.constant('delete' as const), hash: anyHash }),
	fc.record({
		act: fc.constant('check' as const),
		hash: anyHash,
		status: fc.constantFrom('pending', 'executing', 'completed', 'failed', 'other', null),
	}),
	fc.record({ act: fc.constant('list' as const), hashes: fc.uniqueArray(anyHash) }),
	fc.record({ act: fc.constant('time' as const), hours: fc.integer({ min: 1, max: 60 }) }),
	fc.record({ act: fc.constant('restart' as const) }),
);

test('whatever is posted, listed, removed, seen and forgotten: each watched order is emitted once, with its newest reference', () => {
	fc.assert(
		fc.property(fc.array(anyAct, { maxLength: 60 }), (acts) => {
			let state: WatchState = EMPTY_STATE;
			let now = NOW;
			// What a caller believes: the reference of each order that is watched and has not finished.
			const expected = new Map<string, unknown>();
			let listed = new Set<string>();
			// Of the list, unknown for a day, and reported since they were last listed, posted or found.
			const reported = new Set<string>();
			const key = (hash: string) => hash.toLowerCase();
			for (const each of acts) {
				now++;
				if (each.act === 'post') {
					reported.delete(key(each.hash));
					const posting = withPosted(
						state,
						[{ sourceHash: each.hash, reference: each.reference, startedAt: null }],
						ALL,
						now,
					);
					if (posting === null) throw new Error('There is room for five');
					state = posting.state;
					if (posting.accepted === 1) expected.set(key(each.hash), each.reference ?? null);
					if (posting.alreadyWatched.length === 1 && each.reference !== undefined)
						expected.set(key(each.hash), each.reference);
				} else if (each.act === 'delete') {
					const removal = withoutPosted(state, [each.hash], ALL, now);
					state = removal.state;
					if (removal.removed === 1) expected.delete(key(each.hash));
				} else if (each.act === 'list') {
					state = withListOf(state, each.hashes, now);
					listed = new Set(each.hashes.map(key));
					for (const hash of reported) if (!listed.has(hash)) reported.delete(hash);
					for (const hash of listed)
						if (isOpenIn(state, hash) && !expected.has(hash)) expected.set(hash, null);
					for (const hash of expected.keys()) if (!state.orders.has(hash)) expected.delete(hash);
				} else if (each.act === 'check') {
					if (each.status !== null) reported.delete(key(each.hash));
					const seen: CheckOutcome =
						each.status === null ? { kind: 'notFound' } : check(each.status);
					const { state: after, event } = applyCheck(state, key(each.hash), seen, ALL, now);
					state = after;
					const isFinal = each.status === 'completed' || each.status === 'failed';
					expect(event === null).toBe(!(isFinal && expected.has(key(each.hash))));
					if (event !== null) expect(event.reference).toEqual(expected.get(key(each.hash)));
					if (event !== null) expected.delete(key(each.hash));
				} else if (each.act === 'time') {
					now += each.hours * HOUR;
					const old = withoutExpired(
						state,
						ALL,
						new Map([...state.orders.keys()].map((each) => [each, now])),
						now,
					);
					state = old.state;
					for (const { sourceHash } of old.watchExpired) {
						expect(expected.has(key(sourceHash))).toBe(true);
						// One of the list is reported once, and stays.
						if (!listed.has(key(sourceHash))) expected.delete(key(sourceHash));
						else
							expect([
								reported.has(key(sourceHash)),
								reported.add(key(sourceHash)).size > 0,
							]).toEqual([false, true]);
					}
				} else {
					state =
						readStoredWatch(JSON.parse(JSON.stringify(storedWatch(state))), now) ?? EMPTY_STATE;
				}
				expect(new Set(openOrders(state, ALL))).toEqual(new Set(expected.keys()));
			}
		}),
		{ numRuns: cases(3000) },
	);
});

function isOpenIn(state: WatchState, key: string): boolean {
	const order = state.orders.get(key);
	return order !== undefined && isOpen(order, ALL);
}

test('a finished order is forgotten a day after its final status was seen, and not earlier', () => {
	const done = applyCheck(posted(EMPTY_STATE, '0xa'), '0xa', check('completed'), ALL, NOW).state;
	const sizeAt = (now: number) => withoutExpired(done, ALL, new Map(), now).state.finished.size;
	expect([sizeAt(NOW + 24 * HOUR), sizeAt(NOW + 24 * HOUR + 1000)]).toEqual([1, 0]);
});

test('posting an open order again starts its time again', () => {
	const again =
		withPosted(posted(EMPTY_STATE, '0xa'), posts('0xa'), ALL, NOW + 10 * HOUR)?.state ??
		EMPTY_STATE;
	const expiredAt = (now: number) =>
		withoutExpired(again, ALL, new Map([['0xa', now]]), now).watchExpired.length;
	expect([expiredAt(NOW + 50 * HOUR), expiredAt(NOW + 58 * HOUR)]).toEqual([0, 1]);
});

describe('what became of posts', () => {
	const known = (changes: object): WatchState => ({
		...EMPTY_STATE,
		revision: 5,
		orders: new Map([
			['0xa', { ...unseenOrder('0xA', { listed: true, posted: null }, NOW - HOUR), ...changes }],
		]),
	});
	const post = (state: WatchState, reference: unknown, rules = ALL) =>
		withPosted(state, [{ sourceHash: '0xa', reference, startedAt: null }], rules, NOW);
	const COMPLETED: WatchRules = { ...ALL, events: ['completed'] };

	test('a new one is watched from now on, with its reference, and is not of the list', () => {
		const posting = post(EMPTY_STATE, 'r');
		expect(posting).toMatchObject({ accepted: 1, alreadyWatched: [], alreadyFinished: [] });
		expect([...(posting?.state.orders.values() ?? [])]).toEqual([
			unseenOrder('0xa', { listed: false, posted: { at: NOW, reference: 'r' } }, NOW),
		]);
		expect(post(EMPTY_STATE, undefined)?.state.orders.get('0xa')?.posted).toEqual({
			at: NOW,
			reference: null,
		});
	});

	test.each<[string, object, unknown, unknown, 'kept' | 'replaced']>([
		[
			'no reference leaves the one before',
			{ posted: { at: 1, reference: 'before' } },
			undefined,
			'before',
			'kept',
		],
		['another replaces it', { posted: { at: 1, reference: 'before' } }, 'now', 'now', 'replaced'],
		['null replaces it', { posted: { at: 1, reference: 'before' } }, null, null, 'replaced'],
		['no reference of one that only the list names is none', {}, undefined, null, 'kept'],
	])('%s', (_what, changes, reference, kept, word) => {
		const before = known({ ...changes, status: 'pending' });
		const posting = post(before, reference);
		expect(posting).toMatchObject({
			accepted: 0,
			alreadyWatched: [{ sourceHash: '0xa', reference: word }],
			alreadyFinished: [],
		});
		expect(posting?.state.orders.get('0xa')).toEqual({
			...before.orders.get('0xa'),
			posted: { at: NOW, reference: kept },
		});
		expect(posting?.state.revision).toBe(NOW);
	});

	test('one of the list that has finished unwanted is said to have finished', () => {
		const state = known({ status: 'failed', finishedSeenAt: 7 });
		const posting = post(state, 'r', COMPLETED);
		expect(posting).toEqual({
			state,
			accepted: 0,
			alreadyWatched: [],
			alreadyFinished: [{ sourceHash: '0xa', status: 'failed', finishedSeenAt: 7 }],
		});
	});

	test.each<[string, boolean, WatchRules, boolean]>([
		['that was emitted is not watched again', true, ALL, false],
		['that has no event yet is watched again', false, ALL, true],
		['whose status is not wanted is not watched again', false, COMPLETED, false],
		[
			'is not watched again where orders that had finished are not wanted',
			false,
			{ ...ALL, includeFinished: false },
			false,
		],
	])('a finished one %s', (_what, emitted, rules, isAccepted) => {
		const finished = {
			status: 'failed' as const,
			at: 7,
			emitted,
			listed: false,
			posted: true,
		};
		const posting = post(
			{ ...EMPTY_STATE, finished: new Map([[digestOf('0xa'), finished]]) },
			'r',
			rules,
		);
		expect(posting?.accepted).toBe(isAccepted ? 1 : 0);
		expect(posting?.alreadyFinished).toEqual(
			isAccepted ? [] : [{ sourceHash: '0xa', status: 'failed', finishedSeenAt: 7 }],
		);
	});

	test('there is room for as many as is said', () => {
		const two = posts('0x1', '0x2');
		expect([1, 2].map((room) => withPosted(EMPTY_STATE, two, ALL, NOW, room) === null)).toEqual([
			true,
			false,
		]);
	});

	test.each<[string, object, boolean, string[]]>([
		['a posted one is removed', { listed: false, posted: { at: 1, reference: null } }, false, []],
		[
			'one of the list is removed where the list is older',
			{ posted: { at: 1, reference: null } },
			true,
			['0xa'],
		],
	])('%s', (_what, changes, listIsOlder, left) => {
		const state = known(changes);
		const removal = withoutPosted(state, ['0xA'], ALL, NOW, listIsOlder);
		expect(removal).toMatchObject({ removed: 1, listed: [], notWatched: [] });
		expect([...removal.state.orders.keys()]).toEqual(left);
		expect([...removal.state.orders.values()].every(({ posted: post_ }) => post_ === null)).toBe(
			true,
		);
		expect(removal.state.revision).toBe(NOW);
	});

	test('one of the list stays watched, and one that is unknown or has finished is not', () => {
		expect(withoutPosted(known({}), ['0xA', '0xB'], ALL, NOW)).toEqual({
			state: known({}),
			removed: 0,
			listed: ['0xA'],
			notWatched: ['0xB'],
		});
		expect(withoutPosted(known({ status: 'failed' }), ['0xA'], COMPLETED, NOW)).toMatchObject({
			removed: 0,
			listed: [],
			notWatched: ['0xA'],
		});
	});
});
