import {
	isOpen,
	openOrders,
	ordersToCheck,
	roomIn,
} from '../../../nodes/CrossChainBridge/state/openOrders';
import {
	EMPTY_STATE,
	MAX_WATCHED,
	unseenOrder,
	type WatchedOrder,
	type WatchRules,
} from '../../../nodes/CrossChainBridge/state/state';

const ALL: WatchRules = { events: ['completed', 'refunded', 'failed'], includeFinished: true };
const NOW = 2_000_000_000_000;

const order = (changes: Partial<WatchedOrder> = {}) =>
	unseenOrder('0xA', { listed: true, posted: null, ...changes }, NOW);

describe('the orders to check', () => {
	test.each<[string, Partial<WatchedOrder>, Partial<WatchRules>, boolean]>([
		['unknown', {}, {}, true],
		['open', { status: 'pending' }, {}, true],
		['open, and no event is chosen', { status: 'pending' }, { events: [] }, true],
		['finished and wanted', { status: 'failed' }, {}, true],
		['finished and not wanted', { status: 'failed' }, { events: ['completed'] }, false],
		['finished before, and wanted', { finishedBefore: true }, {}, true],
		[
			'finished before, and not wanted',
			{ finishedBefore: true },
			{ includeFinished: false },
			false,
		],
		[
			'finished since, where those before are not wanted',
			{ status: 'failed' },
			{ includeFinished: false },
			true,
		],
	])('%s', (_what, changes, rules, is) => {
		const one = order(changes);
		const state = { ...EMPTY_STATE, orders: new Map([['0xa', one]]) };
		const checked = { ...ALL, ...rules };
		expect(isOpen(one, checked)).toBe(is);
		expect(openOrders(state, checked)).toEqual(is ? ['0xa'] : []);
		expect(ordersToCheck(state, checked).has('0xa')).toBe(is);
		expect(roomIn(state, checked)).toBe(is ? MAX_WATCHED - 1 : MAX_WATCHED);
	});

	test.each<[string, Partial<WatchedOrder>, object]>([
		['of the list', {}, {}],
		[
			'that was posted, and is not found yet, by when it was posted last',
			{ posted: { at: NOW + 5, reference: 'r' } },
			{ postedAt: NOW + 5 },
		],
		[
			'that was posted, by when it was known first',
			{ posted: { at: NOW + 5, reference: 'r' }, status: 'pending' },
			{ postedAt: NOW },
		],
		['whose beginning is stated', { startedAt: 0 }, { startedAt: 0 }],
	])('one %s', (_what, changes, checked) => {
		const state = { ...EMPTY_STATE, orders: new Map([['0xa', order(changes)]]) };
		expect([...ordersToCheck(state, ALL)]).toEqual([['0xa', { sourceHash: '0xA', ...checked }]]);
		expect(Object.keys(ordersToCheck(state, ALL).get('0xa') ?? {})).toEqual([
			'sourceHash',
			...Object.keys(checked),
		]);
	});

	test('there is no less than no room', () => {
		const orders = new Map(Array.from({ length: MAX_WATCHED + 3 }, (_, i) => [`0x${i}`, order()]));
		expect(roomIn({ ...EMPTY_STATE, orders }, ALL)).toBe(0);
	});
});
