import { withoutExpired } from '../../../nodes/CrossChainBridge/state/expiry';
import type { FinishedOrder } from '../../../nodes/CrossChainBridge/state/finished';
import {
	EMPTY_STATE,
	unseenOrder,
	type WatchedOrder,
	type WatchRules,
	type WatchState,
} from '../../../nodes/CrossChainBridge/state/state';

const ALL: WatchRules = { events: ['completed', 'refunded', 'failed'], includeFinished: true };
const HOUR = 3_600_000;
const NOW = 2_000_000_000_000;

const posted = (sourceHash: string, changes: Partial<WatchedOrder> = {}) =>
	unseenOrder(
		sourceHash,
		{ listed: false, posted: { at: NOW, reference: null }, ...changes },
		NOW - HOUR,
	);
const stateWith = (...orders: WatchedOrder[]): WatchState => ({
	...EMPTY_STATE,
	revision: 5,
	orders: new Map(orders.map((order) => [order.sourceHash, order])),
});
const answered = (hours: number, ...keys: string[]) =>
	new Map(keys.map((key) => [key, NOW + hours * HOUR]));

test('a posted order is removed when its watch expires, in a new revision, and handed over as it was', () => {
	const state = stateWith(posted('0xa'), posted('0xb'));
	const later = NOW + 48 * HOUR;
	const { state: after, watchExpired } = withoutExpired(state, ALL, answered(48, '0xa'), later);
	expect(watchExpired).toEqual([posted('0xa')]);
	expect([...after.orders]).toEqual([['0xb', posted('0xb')]]);
	expect(after.revision).toBe(later);
});

test.each<[string, WatchedOrder, number, boolean]>([
	['a listed order that was posted as well', posted('0xa', { listed: true }), 9_999, false],
	['an order that has finished unwanted', posted('0xa', { status: 'completed' }), 9_999, false],
	['an order that expires after an hour', posted('0xa', { expiresAt: NOW + HOUR }), 24.9, false],
	['an order that expires after an hour', posted('0xa', { expiresAt: NOW + HOUR }), 25, true],
	[
		'an order that expires after more than a month',
		posted('0xa', { expiresAt: NOW + 31 * 24 * HOUR }),
		31 * 24 - 0.1,
		false,
	],
	[
		'an order that expires after more than a month',
		posted('0xa', { expiresAt: NOW + 31 * 24 * HOUR }),
		31 * 24,
		true,
	],
])(
	'the watch of %s: %3$s hours after its post it expires: %4$s',
	(_what, order, hours, isExpired) => {
		const { watchExpired } = withoutExpired(
			stateWith(order),
			{ ...ALL, events: ['failed'] },
			answered(hours, '0xa'),
			NOW + hours * HOUR,
		);
		expect(watchExpired).toHaveLength(isExpired ? 1 : 0);
	},
);

test('an order that had finished before expires only where such orders are wanted', () => {
	const order = posted('0xa', { finishedBefore: true });
	const expired = [true, false].map(
		(includeFinished) =>
			withoutExpired(
				stateWith(order),
				{ ...ALL, includeFinished },
				answered(48, '0xa'),
				NOW + 48 * HOUR,
			).watchExpired,
	);
	expect(expired).toEqual([[order], []]);
});

test('nothing expires that the service was never asked for', () => {
	const state = stateWith(posted('0xa'));
	expect(withoutExpired(state, ALL, new Map(), NOW + 9_999 * HOUR)).toEqual({
		state,
		watchExpired: [],
	});
});

test.each([
	[0, 0],
	[1, 1],
	[2, 2],
	[3, 2],
])('up to %p may expire now: %p do, the others later', (most, count) => {
	const state = stateWith(posted('0xa'), posted('0xb'), posted('0xc', { listed: true }));
	const { state: after, watchExpired } = withoutExpired(
		state,
		ALL,
		answered(48, '0xa', '0xb', '0xc'),
		NOW + 48 * HOUR,
		most,
	);
	expect(watchExpired.map(({ sourceHash }) => sourceHash)).toEqual(['0xa', '0xb'].slice(0, count));
	expect(after.orders.size).toBe(3 - count);
});

test('what has finished is forgotten, though nothing expires', () => {
	const finished: FinishedOrder = {
		status: 'completed',
		at: NOW,
		emitted: true,
		listed: false,
		posted: true,
	};
	const state = { ...stateWith(posted('0xa')), finished: new Map([['old', finished]]) };
	const later = NOW + 25 * HOUR;
	const { state: after, watchExpired } = withoutExpired(state, ALL, new Map(), later);
	expect(watchExpired).toEqual([]);
	expect([after.finished.size, after.revision]).toEqual([0, later]);
	expect(after.orders).toEqual(state.orders);
});
