import { applyCheck } from '../../../nodes/CrossChainBridge/state/applyCheck';
import type { CheckOutcome } from '../../../nodes/CrossChainBridge/checks/outcome';
import { EMPTY_STATE, type WatchedOrder } from '../../../nodes/CrossChainBridge/state/state';
import { rejected } from '../service/rejected';
import {
	ALL,
	checked,
	expire,
	HOUR,
	NOT_FOUND,
	NOW,
	posted,
	posting,
	shown,
	stateOf,
} from './states';

const FAILED = { ...ALL, events: ['failed' as const] };
const order = (sourceHash: string, changes: Partial<WatchedOrder> = {}) =>
	posted({ sourceHash, since: NOW - HOUR, ...changes });

test('a posted order is removed when its watch expires, in a new revision', () => {
	const later = NOW + 48 * HOUR;
	const before = stateOf(order('0xa'), order('0xb'), order('0xc', { listed: true }));
	expect(expire(before, { '0xc': later }, later).expired).toEqual([]);
	const { state, expired } = expire(before, { '0xa': later }, later);
	expect(expired).toEqual(['0xa']);
	expect([...state.orders.values()]).toEqual([order('0xb'), order('0xc', { listed: true })]);
	expect(state.revision).toBe(later);
});

test.each<[string, Partial<WatchedOrder>, number, boolean]>([
	['a listed order that was posted as well', { listed: true }, 9_999, false],
	['an order that has finished unwanted', { status: 'completed' }, 9_999, false],
	['an order that expires after an hour', { expiresAt: NOW + HOUR }, 24.9, false],
	['an order that expires after an hour', { expiresAt: NOW + HOUR }, 25, true],
	['an order that expires after a month', { expiresAt: NOW + 744 * HOUR }, 743.9, false],
	['an order that expires after a month', { expiresAt: NOW + 744 * HOUR }, 744, true],
])('the watch of %s: %3$s hours after its post it expires: %4$s', (_what, changes, hours, is) => {
	const at = NOW + hours * HOUR;
	expect(expire(stateOf(order('0xa', changes)), { '0xa': at }, at, FAILED).expired).toEqual(
		is ? ['0xa'] : [],
	);
});

const pending = (expiresAt: number) => shown('pending', { timing: { expiry: expiresAt / 1000 } });

test.each<[string, CheckOutcome, number]>([
	['never found', NOT_FOUND, 48],
	['found, without an expiry', shown('pending'), 48],
	['found, expires after an hour', pending(NOW + HOUR), 25],
	['posted long after its expiry', pending(NOW - 90 * 24 * HOUR), 24],
	['an expiry that is no time of this century', pending(NOW + 9e12), 48],
	['a word we do not know is open, and expires like any other', shown('settling'), 48],
])('%s: it expires %3$s hours after its post, if all is heard', (_name, seen, hours) => {
	const state = checked(posting(EMPTY_STATE, ['0xa']).state, seen);
	const now = NOW + hours * HOUR;
	expect(expire(state, { '0xa': NOW }, now)).toEqual({ state, expired: [] });
	expect(expire(state, { '0xa': now - 0.1 * HOUR }, now)).toEqual({ state, expired: [] });
	const after = expire(state, { '0xa': now }, now);
	expect([after.expired, after.state.orders.size]).toEqual([['0xa'], 0]);
});

test('posting an open order again starts its time again', () => {
	const later = { now: NOW + 10 * HOUR };
	const again = posting(posting(EMPTY_STATE, ['0xa']).state, ['0xa'], later).state;
	const expiredAt = (now: number) => expire(again, { '0xa': now }, now).expired.length;
	expect([expiredAt(NOW + 50 * HOUR), expiredAt(NOW + 58 * HOUR)]).toEqual([0, 1]);
});

test.each([
	['is wanted', true],
	['is not', false],
])('the event of an expired watch %s: it says what was seen last', (_what, emitsWatchExpired) => {
	const later = NOW + 48 * HOUR;
	const state = stateOf(order('0xa', { status: 'pending', redelivered: true }));
	const rules = { ...ALL, emitsWatchExpired };
	const { event } = applyCheck(state, '0xa', shown('executing'), rules, later);
	expect(event).toEqual(
		emitsWatchExpired
			? expect.objectContaining({
					event: 'watchExpired',
					previousStatus: 'pending',
					redelivered: true,
					watchedSince: NOW - HOUR,
				})
			: null,
	);
});

test.each<[string, boolean, boolean]>([
	['an error of this order', false, true],
	['one that may come for all orders', true, false],
])('%s: the watch expires after it: %3$s', (_what, isSuspect, is) => {
	const later = NOW + 48 * HOUR;
	const error = rejected(409, 'X_Y_Z');
	const outcome: CheckOutcome = isSuspect
		? { kind: 'suspect', error }
		: { kind: 'orderError', error, isHashRejected: false };
	const { state } = applyCheck(stateOf(order('0xa')), '0xa', outcome, ALL, later);
	expect(state.orders.size).toBe(is ? 0 : 1);
});
