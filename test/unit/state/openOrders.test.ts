import {
	isOpen,
	MAX_WATCHED,
	openOrders,
	placesIn,
	type WatchedOrder,
	type WatchRules,
} from '../../../nodes/CrossChainBridge/state/state';
import { ALL, listed, NOW, stateOf } from './states';

test.each<[string, Partial<WatchedOrder>, Partial<WatchRules>, boolean]>([
	['unknown', {}, {}, true],
	['open', { status: 'pending' }, {}, true],
	['open, and no event is chosen', { status: 'pending' }, { events: [] }, true],
	['finished and wanted', { status: 'failed' }, {}, true],
	['finished and not wanted', { status: 'failed' }, { events: ['completed'] }, false],
	['finished before, and wanted', { finishedBefore: true }, {}, true],
	['finished before, and not wanted', { finishedBefore: true }, { includeFinished: false }, false],
	['finished since, and only that wanted', { status: 'failed' }, { includeFinished: false }, true],
])('an order is checked that is %s: %4$s', (_what, changes, rules, is) => {
	const order = listed(changes);
	const checked = { ...ALL, ...rules };
	expect(isOpen(order, checked)).toBe(is);
	expect([...openOrders(stateOf(order), checked).keys()]).toEqual(is ? ['0xa'] : []);
	expect(placesIn(stateOf(order), checked).room).toBe(is ? MAX_WATCHED - 1 : MAX_WATCHED);
});

const posted = { at: NOW + 5, reference: 'r' };

test.each<[string, Partial<WatchedOrder>, object]>([
	['of the list', {}, {}],
	['that is not found yet, by when it was posted last', { posted }, { postedAt: NOW + 5 }],
	['that was posted, by when it was known first', { posted, status: 'pending' }, { postedAt: NOW }],
	['whose beginning is stated', { startedAt: 0 }, { startedAt: 0 }],
])('to check is one %s', (_what, changes, more) => {
	const open = openOrders(stateOf(listed(changes)), ALL);
	expect([...open]).toEqual([['0xa', { sourceHash: '0xA', ...more }]]);
	expect(Object.keys(open.get('0xa') ?? {})).toEqual(['sourceHash', ...Object.keys(more)]);
});

test('there is no less than no room', () => {
	const many = Array.from({ length: MAX_WATCHED + 3 }, (_, i) => listed({ sourceHash: `0x${i}` }));
	expect(placesIn(stateOf(...many), ALL).room).toBe(0);
});
