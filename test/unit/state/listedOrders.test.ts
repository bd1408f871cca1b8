import { digestOf } from '../../../nodes/CrossChainBridge/state/finished';
import {
	EMPTY_STATE,
	finishedOrder,
	unseenOrder,
	type WatchedOrder,
} from '../../../nodes/CrossChainBridge/state/state';
import {
	checked,
	COMPLETED,
	finished,
	listed,
	NOW,
	post,
	posted,
	posting,
	shown,
	stateOf,
	withListOf,
} from './states';

const named = (sourceHash: string) => listed({ sourceHash });
const rememberedAs = (changes: Parameters<typeof finished>[0]) => ({
	...EMPTY_STATE,
	revision: 5,
	finished: new Map([[digestOf('0xa'), finished(changes)]]),
});

test('an order that is new in the list is unseen, with its reference', () => {
	const state = withListOf(EMPTY_STATE, ['0xA', { sourceHash: '0xB', reference: { id: 7 } }]);
	expect([...state.orders]).toEqual([
		['0xa', unseenOrder('0xA', { listed: true, posted: null }, NOW)],
		['0xb', unseenOrder('0xB', { listed: true, posted: null, listReference: { id: 7 } }, NOW)],
	]);
	expect(state.revision).toBe(NOW);
});

const OPEN = { status: 'pending', answered: true };
const LISTED = { sourceHash: '0xa', reference: 'listed' };
const NOW_LISTED = { sourceHash: '0xa', listed: true, listReference: 'listed' };
const NOT_LISTED = { listed: false, listReference: null };

test.each<[string, Partial<WatchedOrder>, Array<typeof LISTED>, Partial<WatchedOrder>]>([
	['that is listed now keeps what is known of it', OPEN, [LISTED], NOW_LISTED],
	['that is listed no more is as it was posted', { ...NOW_LISTED, ...OPEN }, [], NOT_LISTED],
])('a posted order %s, in a new revision', (_what, changes, list, expected) => {
	const before = posted(changes);
	const state = withListOf(stateOf(before), list);
	expect([...state.orders]).toEqual([['0xa', { ...before, ...expected }]]);
	expect(state.revision).toBe(NOW);
});

test('posted orders that the list does not name stay, after those of the list, without a new revision', () => {
	const before = stateOf(posted({ sourceHash: '0xp' }), named('0xl'));
	const state = withListOf(before, ['0xl']);
	expect([...state.orders]).toEqual([...before.orders].reverse());
	expect(state.revision).toBe(5);
});

test.each([
	[['0xa', '0xb'], 5],
	[['0xB', '0xa'], 5],
	[['0xa', '0xc'], NOW],
	[['0xa'], NOW],
])('after the list 0xa, 0xb the list %j is of revision %p, and as it is', (list, revision) => {
	const state = withListOf(stateOf(named('0xa'), named('0xb')), list);
	expect([...state.orders.values()].map(({ sourceHash }) => sourceHash)).toEqual(list);
	expect(state.revision).toBe(revision);
});

test('one that had finished unwanted and was posted is remembered for its post when the list names it no more', () => {
	let state = posting(withListOf(EMPTY_STATE, ['0xa', '0xb']), [post('0xa', 'r')]).state;
	for (const key of ['0xa', '0xb'])
		state = checked(state, shown('failed'), { key, rules: COMPLETED });
	expect([...state.orders.keys()]).toEqual(['0xa', '0xb']);
	state = withListOf(withListOf(state, [], NOW + 1), [], NOW + 2);
	expect([state.orders.size, finishedOrder(state, '0xb')]).toEqual([0, null]);
	expect(finishedOrder(state, '0xa')).toEqual(finished({ status: 'failed', emitted: false }));
});

test('one that is open is watched, though another of its list has finished; a new list forgets that one', () => {
	const next = withListOf(rememberedAs({ posted: false, listed: true }), ['0xa', '0xb']);
	expect([...next.orders]).toEqual([['0xb', named('0xb')]]);
	expect(finishedOrder(next, '0xa')).toEqual(finished({ posted: false, listed: true }));
	expect(finishedOrder(withListOf(rememberedAs({}), ['0xa']), '0xa')).toEqual(
		finished({ listed: true }),
	);
	expect(next.revision).toBe(NOW);
	expect(withListOf(next, ['0xb']).finished.size).toBe(0);
});

test('one that has finished without an event is watched again, and forgotten as one that has finished', () => {
	const next = withListOf(rememberedAs({ emitted: false, posted: false, listed: true }), ['0xa']);
	expect([...next.orders.keys()]).toEqual(['0xa']);
	expect(finishedOrder(next, '0xa')).toBeNull();
});

test('one that is watched stays so, though it has finished once before', () => {
	const state = { ...rememberedAs({}), orders: stateOf(named('0xa')).orders };
	expect([...withListOf(state, ['0xa']).orders.keys()]).toEqual(['0xa']);
});

test('the same list, with all that it names finished, is no new revision', () => {
	const state = rememberedAs({ listed: true });
	const next = withListOf(state, ['0xA']);
	expect([next.revision, next.finished === state.finished]).toEqual([5, true]);
});
