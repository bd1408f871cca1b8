import {
	type InboxCall,
	mergedInbox,
	readStoredCalls,
	untaken,
	withInbox,
	withTaken,
} from '../../../nodes/CrossChainBridge/state/inbox';
import { EMPTY_STATE, MAX_WATCHED } from '../../../nodes/CrossChainBridge/state/state';
import { ALL, NOW, post, withListOf } from './states';

const WEEK = 7 * 24 * 3_600_000;

const call = (at: number, changes: Partial<InboxCall> = {}): InboxCall => ({
	writer: 'one',
	at,
	removes: false,
	orders: [],
	...changes,
});
const other = { writer: 'other' };

test('two lists of calls are one: each call once, in the order in which they came', () => {
	const calls = [call(3), call(1), call(2, other), call(3, other)];
	const expected = [call(1), call(2, other), call(2), call(3), call(3, other)];
	expect(mergedInbox(calls, [call(2), call(1)])).toEqual(expected);
	expect(mergedInbox([], [])).toEqual([]);
});

test('calls are taken that came after the last that was taken of their writer, for a week', () => {
	const young = [call(NOW - 9), call(NOW - 10, other), call(NOW - WEEK + 1, other)];
	const calls = [call(NOW - 10), ...young, call(NOW - WEEK, other), call(-5, other)];
	expect(untaken(calls, new Map([['one', NOW - 10]]), NOW)).toEqual(young);
});

test('of writers that have been quiet for a week nothing is remembered', () => {
	const taken = new Map([
		['quiet', NOW - WEEK],
		['heard', NOW - WEEK + 1],
	]);
	expect([...withTaken({ ...EMPTY_STATE, taken }, call(NOW), NOW).taken]).toEqual([
		['heard', NOW - WEEK + 1],
		['one', NOW],
	]);
});

test.each([
	[5, 9],
	[50, 51],
])('a call of time 9 makes of revision %p revision %p', (revision, next) => {
	expect(withTaken({ ...EMPTY_STATE, revision }, call(9), 9).revision).toBe(next);
});

test('calls are applied in their order, at the time at which they came, and once', () => {
	const calls = [
		call(NOW - 3, { orders: [post('0xa', 'first'), post('0xb')] }),
		call(NOW - 2, { removes: true, orders: [post('0xb')] }),
		call(NOW - 1, { orders: [post('0xa', 'second')] }),
	];
	const state = withInbox(EMPTY_STATE, calls, ALL, NOW);
	expect([...state.orders]).toMatchObject([
		['0xa', { since: NOW - 3, posted: { at: NOW - 1, reference: 'second' } }],
	]);
	expect([...state.taken]).toEqual([['one', NOW - 1]]);
	expect(withInbox(state, calls, ALL, NOW)).toBe(state);
});

test('of an order that is listed as well, a removal takes the post only', () => {
	const calls = [
		call(NOW - 2, { orders: [post('0xa', 'posted')] }),
		call(NOW - 1, { removes: true, orders: [post('0xa')] }),
	];
	const { orders } = withInbox(withListOf(EMPTY_STATE, ['0xa']), calls, ALL, NOW);
	expect([...orders]).toMatchObject([['0xa', { listed: true, posted: null }]]);
});

test('there is room for what was accepted', () => {
	const hashes = Array.from({ length: MAX_WATCHED }, (_, i) => `0x${i}`);
	const calls = [call(NOW, { orders: [post('0xnew')] })];
	const { orders } = withInbox(withListOf(EMPTY_STATE, hashes), calls, ALL, NOW);
	expect(orders.size).toBe(MAX_WATCHED + 1);
});

test.each<[string, InboxCall]>([
	['a post', call(5, { orders: [post('0xa', 'r'), post('0xb', undefined, 3)] })],
	['a removal', call(5, { removes: true, orders: [post('0xa')] })],
	['no orders', call(5)],
	['a reference of null, which is not none', call(5, { orders: [post('0xa', null)] })],
	['a link', call(5, { orders: [{ ...post('0xa'), link: 'https://a.example/tx/0xa' }] })],
])('%s is read as it was kept, also before n8n has written it', (_what, given) => {
	expect(readStoredCalls([JSON.parse(JSON.stringify(given))])).toEqual([given]);
	expect(readStoredCalls([given])).toEqual([given]);
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
	const [read] = readStoredCalls([call(5, { orders: [post('0xa', reference)] })]);
	reference.id = 8;
	expect(read?.orders[0]?.reference).toEqual({ id: 7 });
});
