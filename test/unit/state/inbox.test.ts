import {
	type InboxCall,
	mergedInbox,
	readStoredCalls,
	storedCall,
	untaken,
	withInbox,
	withTaken,
} from '../../../nodes/CrossChainBridge/state/inbox';
import type { PostedOrder } from '../../../nodes/CrossChainBridge/state/postedOrders';
import { withListOf } from './listing';
import {
	EMPTY_STATE,
	MAX_WATCHED,
	type WatchRules,
} from '../../../nodes/CrossChainBridge/state/state';

const ALL: WatchRules = { events: ['completed', 'refunded', 'failed'], includeFinished: true };
const WEEK = 7 * 24 * 3_600_000;
const NOW = 2_000_000_000_000;

const post = (sourceHash: string, reference: unknown = undefined): PostedOrder => ({
	sourceHash,
	reference,
	startedAt: null,
});
const call = (at: number, changes: Partial<InboxCall> = {}): InboxCall => ({
	writer: 'one',
	at,
	removes: false,
	orders: [],
	...changes,
});

test('two lists of calls are one: each call once, in the order in which they came', () => {
	const calls = [call(3), call(1), call(2, { writer: 'other' }), call(3, { writer: 'other' })];
	const merged = mergedInbox(calls, [call(2), call(1)]);
	expect(merged.map(({ at, writer }) => `${at} ${writer}`)).toEqual([
		'1 one',
		'2 other',
		'2 one',
		'3 one',
		'3 other',
	]);
	expect(mergedInbox([], [])).toEqual([]);
});

test('calls are taken that came after the last that was taken of their writer, for a week', () => {
	const taken = new Map([['one', NOW - 10]]);
	const calls = [
		call(NOW - 10),
		call(NOW - 9),
		call(NOW - 10, { writer: 'other' }),
		call(NOW - WEEK, { writer: 'other' }),
		call(NOW - WEEK + 1, { writer: 'other' }),
		call(-5, { writer: 'other' }),
	];
	expect(untaken(calls, { taken }, NOW)).toEqual([
		call(NOW - 9),
		call(NOW - 10, { writer: 'other' }),
		call(NOW - WEEK + 1, { writer: 'other' }),
	]);
});

test('of writers that have been quiet for a week nothing is remembered', () => {
	const state = {
		...EMPTY_STATE,
		taken: new Map([
			['quiet', NOW - WEEK],
			['heard', NOW - WEEK + 1],
		]),
	};
	expect([...withTaken(state, call(NOW), NOW).taken]).toEqual([
		['heard', NOW - WEEK + 1],
		['one', NOW],
	]);
});

test('taking a call is a new revision, that of the call where it is newer', () => {
	expect(withTaken({ ...EMPTY_STATE, revision: 5 }, call(9), 9).revision).toBe(9);
	expect(withTaken({ ...EMPTY_STATE, revision: 50 }, call(9), 9).revision).toBe(51);
});

test('calls are applied in their order, at the time at which they came, and once', () => {
	const calls = [
		call(NOW - 3, { orders: [post('0xa', 'first'), post('0xb')] }),
		call(NOW - 2, { removes: true, orders: [post('0xb')] }),
		call(NOW - 1, { orders: [post('0xa', 'second')] }),
	];
	const state = withInbox(EMPTY_STATE, calls, ALL, NOW);
	expect([...state.orders.keys()]).toEqual(['0xa']);
	expect(state.orders.get('0xa')).toMatchObject({
		since: NOW - 3,
		posted: { at: NOW - 1, reference: 'second' },
	});
	expect([...state.taken]).toEqual([['one', NOW - 1]]);
	expect(withInbox(state, calls, ALL, NOW)).toBe(state);
});

test('there is room for what was accepted', () => {
	const full = withListOf(
		EMPTY_STATE,
		Array.from({ length: MAX_WATCHED }, (_, i) => `0x${i}`),
		NOW,
	);
	expect(withInbox(full, [call(NOW, { orders: [post('0xnew')] })], ALL, NOW).orders.size).toBe(
		MAX_WATCHED + 1,
	);
});

test('a removed order that the list names stays watched without its post', () => {
	const listed = withListOf(EMPTY_STATE, ['0xa'], NOW);
	const state = withInbox(
		listed,
		[
			call(NOW + 1, { orders: [post('0xa')] }),
			call(NOW + 2, { removes: true, orders: [post('0xa')] }),
		],
		ALL,
		NOW + 2,
	);
	expect(state.orders.get('0xa')).toMatchObject({ listed: true, posted: null });
});

test.each<[string, InboxCall, object]>([
	[
		'a post',
		call(5, { orders: [post('0xa', 'r'), { ...post('0xb'), startedAt: 3 }] }),
		{
			writer: 'one',
			at: 5,
			orders: [
				{ sourceHash: '0xa', reference: 'r' },
				{ sourceHash: '0xb', startedAt: 3 },
			],
		},
	],
	[
		'a removal',
		call(5, { removes: true, orders: [post('0xa')] }),
		{ writer: 'one', at: 5, removes: true, orders: [{ sourceHash: '0xa' }] },
	],
	['no orders', call(5), { writer: 'one', at: 5, orders: [] }],
	[
		'a reference of null, which is not none',
		call(5, { orders: [post('0xa', null)] }),
		{ writer: 'one', at: 5, orders: [{ sourceHash: '0xa', reference: null }] },
	],
])('%s is kept, and read back', (_what, given, stored) => {
	const kept: unknown = JSON.parse(JSON.stringify(storedCall(given)));
	expect(kept).toEqual(stored);
	expect(readStoredCalls([kept])).toEqual([given]);
});

test.each<[string, unknown]>([
	['nothing', null],
	['a call without a writer', { at: 5, orders: [] }],
	['a call without a time', { writer: 'one', orders: [] }],
	['a time that is text', { writer: 'one', at: '5', orders: [] }],
	['a call without orders', { writer: 'one', at: 5 }],
	['orders that are no list', { writer: 'one', at: 5, orders: {} }],
])('%s is no call', (_what, stored) => {
	expect(readStoredCalls([stored])).toEqual([]);
});

test('what is no order is left out, and what is no time or switch counts as none', () => {
	const orders = [null, 'text', {}, { sourceHash: 7 }, { sourceHash: '0xa', startedAt: '3' }];
	expect(readStoredCalls([{ writer: 'one', at: 5, removes: 'true', orders }])).toEqual([
		call(5, { orders: [post('0xa')] }),
	]);
});

test('a reference is read as plain data of its own', () => {
	const reference = { id: 7 };
	const [read] = readStoredCalls([
		{ writer: 'one', at: 5, orders: [{ sourceHash: '0xa', reference }] },
	]);
	reference.id = 8;
	expect(read?.orders[0]?.reference).toEqual({ id: 7 });
});

test('no more orders are read than wait for a poll', () => {
	const many = Array.from({ length: 5 }, (_, i) => call(i, { orders: [post('0xa'), post('0xb')] }));
	expect(readStoredCalls(many.map(storedCall), 7).map(({ orders }) => orders.length)).toEqual([
		2, 2, 1,
	]);
});
