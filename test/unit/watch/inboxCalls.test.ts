import {
	type InboxCall,
	mergedInbox,
	readInbox,
	withInbox,
} from '../../../nodes/CrossChainBridge/watch/inboxCalls';
import {
	EMPTY_STATE,
	MAX_WATCHED,
	type WatchedOrder,
	type WatchState,
} from '../../../nodes/CrossChainBridge/watch/state';
import { DAY, listing, NOW, type Post, postedOrder, rulesWith, shown, Watching } from './watching';

/** The calls that a trigger of the durable engine accepts, until its next poll reads them. */

const call = (at: number, posts: Post[] = [], changes: Partial<InboxCall> = {}): InboxCall => ({
	nodeId: 'one',
	at,
	removes: false,
	orders: posts.map(postedOrder),
	...changes,
});
const OTHER = { nodeId: 'other' };
const applied = (calls: readonly InboxCall[], state = EMPTY_STATE) =>
	withInbox(state, calls, 'one', rulesWith());

test('two lists of calls are one: each call once, in the order in which they came', () => {
	const [first, second, third, others] = [call(1), call(2), call(3), call(3, [], OTHER)];
	const calls = [third, first, others];
	expect(mergedInbox(calls, [second, first], 4)).toEqual([first, second, third, others]);
	expect(mergedInbox([], [], 4)).toEqual([]);
});

test('a call that nobody has read for a week was for a trigger that is gone', () => {
	const calls = [call(NOW - 7 * DAY), call(NOW - 7 * DAY + 1)];
	expect(mergedInbox(calls, [], NOW)).toEqual(calls.slice(1));
});

test('calls are applied in their order, at the time at which they came, each once, and those of another trigger not at all', () => {
	const calls = [
		call(NOW - 4, ['0xOther'], OTHER),
		call(NOW - 3, [{ hash: '0xA', reference: 'first' }, '0xB']),
		call(NOW - 2, ['0xB'], { removes: true }),
		call(NOW - 1, [{ hash: '0xA', reference: 'second' }]),
	];
	const state = applied(calls);
	expect([...state.orders]).toMatchObject([
		['0xa', { since: NOW - 3, posted: { at: NOW - 1, reference: 'second' } }],
	]);
	expect([state.inboxOffset, state.revision >= NOW - 1]).toEqual([NOW - 1, true]);
	expect(applied(calls, state)).toBe(state);
	const next = applied([...calls, call(NOW, ['0xC'])], state);
	expect([...next.orders.keys()]).toEqual(['0xa', '0xc']);
});

test('a state that has read a call is newer than one that has not, also if the call changes nothing', () => {
	const { state } = listing(['0xA']);
	const read = applied([call(NOW + 5, ['0xUnknown'], { removes: true })], state);
	expect(read).toEqual({ ...state, inboxOffset: NOW + 5, revision: NOW + 5 });
});

test('an order that was read and has finished does not come back with the call', () => {
	const calls = [call(NOW - 1, ['0xA'])];
	const watching = listing([]);
	watching.state = applied(calls);
	watching.check('0xA', shown('completed'));
	watching.restart();
	expect(applied(calls, watching.state).orders.size).toBe(0);
});

test('of an order that is listed as well, a removal takes the post only', () => {
	const { state } = listing(['0xA']);
	const calls = [call(NOW + 1, ['0xA']), call(NOW + 2, ['0xA'], { removes: true })];
	expect([...applied(calls, state).orders]).toMatchObject([
		['0xa', { listed: true, posted: null }],
	]);
});

test('whether a poll reads the list or the calls first, a removal leaves the same', () => {
	const replacing = call(NOW + 1, [{ hash: '0xA', replaces: '0xB', startedAt: NOW - DAY }]);
	const calls = [replacing, call(NOW + 2, ['0xA', '0xB'], { removes: true })];
	const watching = new Watching();
	watching.state = applied(calls);
	const whatIsPosted = ({ posted, replaced, startedAt }: WatchedOrder) => ({
		posted,
		replaced,
		startedAt,
	});
	const ofEach = ({ orders }: WatchState) => [...orders.values()].map(whatIsPosted);
	const none = { posted: null, replaced: null, startedAt: null };
	expect(ofEach(watching.list(['0xA', '0xB']).state)).toEqual([none, none]);
	expect(ofEach(applied(calls, listing(['0xA', '0xB']).state))).toEqual([none, none]);
});

test('there is room for what was accepted', () => {
	const { state } = listing(Array.from({ length: MAX_WATCHED }, (_, i) => `0x${i}`));
	expect(applied([call(NOW + 1, ['0xabc'])], state).orders.size).toBe(MAX_WATCHED + 1);
});

describe('as n8n keeps them', () => {
	test.each<[string, InboxCall]>([
		[
			'a post',
			call(5, [
				{ hash: '0xA', reference: { chat: 7 } },
				{ hash: '0xB', startedAt: 3 },
			]),
		],
		['a removal', call(5, ['0xA'], { removes: true })],
		['no orders', call(5)],
		[
			'a reference of null, which replaces the one before',
			call(5, [{ hash: '0xA', reference: null }]),
		],
		['a link', call(5, [{ hash: '0xA', link: 'https://a.example/tx' }])],
		[
			'what is expected, and what is replaced',
			call(5, [
				{ hash: '0xA', replaces: '0xB', expected: { recipient: '0x1', minimumReceived: '5' } },
			]),
		],
	])('%s is read as it was', (_what, given) => {
		expect(readInbox(JSON.parse(JSON.stringify([given])))).toEqual([given]);
	});

	test.each<[string, unknown]>([
		['nothing', null],
		['a call of no trigger', { at: 5, orders: [] }],
		['a call without a time', { nodeId: 'one', orders: [] }],
		['a time that is none', { nodeId: 'one', at: 1e300, orders: [] }],
		['a call without orders', { nodeId: 'one', at: 5 }],
	])('%s costs itself alone', (_what, broken) => {
		expect(readInbox([broken, call(6)])).toEqual([call(6)]);
		expect(readInbox(broken)).toEqual([]);
	});

	test('an order that is none costs itself alone; a value that is no time, switch or hash counts as none', () => {
		const odd = { sourceHash: '0xA', startedAt: '3', replaces: 7, link: 7, expected: 7 };
		const orders = [null, 'text', {}, { sourceHash: 7 }, odd];
		expect(readInbox([{ nodeId: 'one', at: 5, removes: 'true', orders }])).toEqual([
			call(5, ['0xA']),
		]);
	});
});
