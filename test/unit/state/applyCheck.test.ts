import type { CheckOutcome } from '../../../nodes/CrossChainBridge/checks/outcome';
import { applyCheck } from '../../../nodes/CrossChainBridge/state/applyCheck';
import { digestOf } from '../../../nodes/CrossChainBridge/state/finished';
import {
	EMPTY_STATE,
	unseenOrder,
	type WatchedOrder,
	type WatchRules,
	type WatchState,
	withRedelivery,
} from '../../../nodes/CrossChainBridge/state/state';

const ALL: WatchRules = { events: ['completed', 'refunded', 'failed'], includeFinished: true };
const NOW = Date.parse('2026-01-01T00:00:00Z');
const A_MINUTE = 60_000;

const listed = (changes: Partial<WatchedOrder> = {}) =>
	unseenOrder('0xA', { listed: true, posted: null, ...changes }, NOW);
const posted = (changes: Partial<WatchedOrder> = {}) =>
	listed({ listed: false, posted: { at: NOW, reference: 'posted' }, ...changes });
const stateOf = (order: WatchedOrder): WatchState => ({
	...EMPTY_STATE,
	revision: 5,
	orders: new Map([['0xa', order]]),
});
const shown = (order: object): CheckOutcome => ({ kind: 'order', order: { ...order } });
const after = (order: WatchedOrder, check: CheckOutcome, rules = ALL, now = NOW + 1) =>
	applyCheck(stateOf(order), '0xa', check, rules, now).state;

describe('an order that is open', () => {
	test.each<[string, WatchedOrder, CheckOutcome, Partial<WatchedOrder>]>([
		['is answered, though not found', listed(), { kind: 'notFound' }, { answered: true }],
		['is found', listed(), shown({ status: 'pending' }), { status: 'pending', answered: true }],
		['is answered without a status', listed(), shown({}), { answered: true }],
		[
			'has another status',
			listed({ status: 'pending', answered: true }),
			shown({ status: 'executing' }),
			{ status: 'executing' },
		],
		[
			'is open again after all',
			listed({ status: 'failed', answered: true, finishedBefore: true, finishedSeenAt: NOW }),
			shown({ status: 'pending' }),
			{ status: 'pending', finishedBefore: false, finishedSeenAt: null },
		],
		[
			'was remembered as finished before',
			listed({ status: 'pending', answered: true, finishedBefore: true }),
			shown({ status: 'pending' }),
			{ finishedBefore: false },
		],
		[
			'was remembered with a time of its final status',
			listed({ status: 'pending', answered: true, finishedSeenAt: NOW }),
			shown({ status: 'pending' }),
			{ finishedSeenAt: null },
		],
		[
			'is known after all',
			listed({ answered: true }),
			shown({ status: 'pending' }),
			{ status: 'pending' },
		],
		[
			'expires at another time',
			posted({ status: 'pending', answered: true, expiresAt: NOW }),
			shown({ status: 'pending', timing: { expiry: NOW / 1000 + 60 } }),
			{ expiresAt: NOW + A_MINUTE },
		],
		[
			'keeps its expiry where none is stated',
			posted({ answered: true, expiresAt: NOW }),
			shown({ status: 'pending' }),
			{ status: 'pending' },
		],
		[
			'has no expiry of interest where only the list names it',
			listed({ answered: true }),
			shown({ status: 'pending', timing: { expiry: NOW / 1000 } }),
			{ status: 'pending' },
		],
	])('%s', (_what, before, check, changes) => {
		const state = after(before, check);
		expect(state.orders.get('0xa')).toEqual({ ...before, ...changes });
		expect(state.revision).toBe(NOW + 1);
	});

	test.each<[string, WatchedOrder, CheckOutcome]>([
		['not found again', listed({ answered: true }), { kind: 'notFound' }],
		['answered again without a status', listed({ answered: true }), shown({})],
		[
			'open again',
			posted({ status: 'pending', answered: true, expiresAt: NOW }),
			shown({ status: 'pending', timing: { expiry: NOW / 1000 } }),
		],
		[
			'finished unwanted again',
			listed({ status: 'failed', answered: true, finishedSeenAt: NOW }),
			shown({ status: 'failed' }),
		],
	])('is as it was when it is %s', (_what, before, check) => {
		const state = stateOf(before);
		expect(applyCheck(state, '0xa', check, { ...ALL, events: ['completed'] }, NOW + 1)).toEqual({
			state,
			event: null,
		});
		expect(applyCheck(state, '0xa', check, { ...ALL, events: ['completed'] }, NOW + 1).state).toBe(
			state,
		);
	});
});

describe('an order that has finished', () => {
	const completed = { status: 'completed', orderId: 'ab', input: { txHash: '0xA' } };

	test.each<[string, WatchedOrder, unknown, string | null]>([
		[
			'with the reference of its post',
			posted({ listReference: 'listed', status: 'pending' }),
			'posted',
			'pending',
		],
		[
			'with that of the list',
			listed({ listReference: 'listed', status: 'pending' }),
			'listed',
			'pending',
		],
		['with none', posted({ posted: { at: NOW, reference: null } }), null, null],
		['with the status before, where it was another', listed({ status: 'completed' }), null, null],
		['once more after a restart', listed({ redelivered: true }), null, null],
	])('is emitted %s', (_what, before, reference, previousStatus) => {
		expect(applyCheck(stateOf(before), '0xa', shown(completed), ALL, NOW + 1).event).toEqual({
			sourceHash: '0xA',
			event: 'completed',
			reference,
			previousStatus,
			redelivered: before.redelivered,
			order: completed,
		});
	});

	test.each<[string, WatchedOrder, number]>([
		['now', posted(), NOW + 1_000],
		[
			'when its status was seen first',
			posted({ finishedSeenAt: NOW + 500, status: 'completed' }),
			NOW,
		],
	])('is remembered as finished %s', (_what, before, at) => {
		const state = after(before, shown(completed), ALL, NOW + 1_999);
		expect(state.orders.size).toBe(0);
		expect([...state.finished]).toEqual([
			[
				digestOf('0xa'),
				{
					status: 'completed',
					at,
					emitted: true,
					listed: false,
					posted: true,
				},
			],
		]);
	});

	test('stays among the orders of the list while it is not wanted', () => {
		const state = after(listed({ status: 'pending' }), shown({ status: 'failed' }), {
			...ALL,
			events: ['completed'],
		});
		expect(state.orders.get('0xa')).toEqual(
			listed({ status: 'failed', answered: true, finishedBefore: true, finishedSeenAt: NOW + 1 }),
		);
		expect(state.finished.size).toBe(0);
	});

	test('is remembered without an event where it was posted and is not wanted', () => {
		const { state, event } = applyCheck(
			stateOf(posted()),
			'0xa',
			shown({ status: 'failed' }),
			{ ...ALL, events: ['completed'] },
			NOW,
		);
		expect(event).toBeNull();
		expect([...state.finished.values()]).toMatchObject([
			{ status: 'failed', emitted: false, posted: true },
		]);
	});

	test('is emitted once under two spellings of its hash', () => {
		const digits = 'ab'.repeat(32);
		const orders = new Map(
			[digits, `0x${digits}`].map((sourceHash) => [sourceHash, listed({ sourceHash })]),
		);
		const first = applyCheck({ ...EMPTY_STATE, orders }, digits, shown(completed), ALL, NOW);
		const { state, event } = applyCheck(first.state, `0x${digits}`, shown(completed), ALL, NOW);
		expect([event, state.orders.size, state.finished.size]).toEqual([null, 0, 1]);
	});
});

describe('an order that takes too long', () => {
	const LATE: WatchRules = { ...ALL, delayedAfterMs: 5 * A_MINUTE };
	const pending = (createdAt?: number) => shown({ status: 'pending', timing: { createdAt } });
	const check = (
		before: WatchedOrder,
		outcome: CheckOutcome,
		minutes: number,
		rules: WatchRules = LATE,
	) => applyCheck(stateOf(before), '0xa', outcome, rules, NOW + minutes * A_MINUTE);

	test.each<[string, WatchedOrder, CheckOutcome, number, number]>([
		['open since it was listed', listed(), pending(), 5, 0],
		['open since it was created', listed(), pending(NOW / 1000 - 120), 3, -2],
		[
			'open since it began, as its poster says',
			posted({ startedAt: NOW - A_MINUTE }),
			pending(),
			4,
			-1,
		],
		['still not found', listed(), { kind: 'notFound' }, 5, 0],
		['no longer found', listed({ status: 'pending' }), { kind: 'notFound' }, 5, 0],
	])('is delayed once: %s', (_what, before, outcome, minutes, began) => {
		expect(check(before, outcome, minutes - 0.1).event).toBeNull();
		const { state, event } = check(before, outcome, minutes);
		expect(event).toMatchObject({
			event: 'delayed',
			sourceHash: '0xA',
			redelivered: false,
			beganAt: NOW + began * A_MINUTE,
		});
		expect(state.revision).toBeGreaterThan(5);
		const again = applyCheck(state, '0xa', outcome, LATE, NOW + 99 * A_MINUTE);
		expect(again.event).toBeNull();
		const finished = applyCheck(state, '0xa', shown({ status: 'failed' }), LATE, NOW + 1);
		expect(finished.event).toMatchObject({ event: 'failed' });
	});

	test.each<[string, WatchedOrder, CheckOutcome, WatchRules]>([
		['the event was not chosen', listed(), pending(), ALL],
		['the answer says nothing of it', listed(), shown({}), LATE],
		['it has finished', listed(), shown({ status: 'failed' }), { ...LATE, events: [] }],
		['it had finished', listed({ status: 'failed' }), { kind: 'notFound' }, LATE],
	])('is not delayed where %s', (_what, before, outcome, rules) => {
		expect(check(before, outcome, 99, rules).event).toBeNull();
	});

	test('is not delayed by an answer from before it was', () => {
		const [late, early] = [NOW + 99 * A_MINUTE, NOW + 4 * A_MINUTE];
		expect(applyCheck(stateOf(listed()), '0xa', pending(), LATE, late, early).event).toBeNull();
	});

	test('is so once more after a restart, and not a third time', () => {
		const rules = { ...LATE, redelivers: true };
		const first = check(listed(), pending(), 5, rules);
		const again = withRedelivery(first.state, NOW + 6 * A_MINUTE);
		const next = applyCheck(again, '0xa', pending(), rules, NOW + 6 * A_MINUTE);
		expect([next.event?.redelivered, next.state.recent.size]).toEqual([true, 0]);
	});
});

describe('an order that is finished at its first answer', () => {
	const wanted = (before: WatchedOrder, order: object) =>
		applyCheck(
			stateOf(before),
			'0xa',
			shown({ status: 'completed', ...order }),
			{ ...ALL, includeFinished: false },
			NOW,
		).event !== null;
	const seconds = (beforeMs: number) => (NOW - beforeMs) / 1000;

	test.each<[string, Partial<WatchedOrder>, object, boolean]>([
		['completed a minute before', {}, { timing: { completedAt: seconds(A_MINUTE) } }, true],
		[
			'completed more than a minute before',
			{},
			{ timing: { completedAt: seconds(A_MINUTE + 1000) } },
			false,
		],
		['created a minute before', {}, { timing: { createdAt: seconds(A_MINUTE) } }, true],
		[
			'created more than a minute before',
			{},
			{ timing: { createdAt: seconds(A_MINUTE + 1000) } },
			false,
		],
		['sent a minute before', {}, { input: { timestamp: seconds(A_MINUTE) } }, true],
		[
			'sent more than a minute before',
			{},
			{ input: { timestamp: seconds(A_MINUTE + 1000) } },
			false,
		],
		['begun a minute before, as its poster says', { startedAt: NOW - A_MINUTE }, {}, true],
		[
			'begun more than a minute before, as its poster says',
			{ startedAt: NOW - A_MINUTE - 1 },
			{},
			false,
		],
		[
			'created long before and completed since',
			{},
			{ timing: { createdAt: seconds(10 * A_MINUTE), completedAt: seconds(0) } },
			true,
		],
		[
			'completed long before, whatever else is stated',
			{ startedAt: NOW },
			{
				timing: { createdAt: seconds(0), completedAt: seconds(10 * A_MINUTE) },
				input: { timestamp: seconds(0) },
			},
			false,
		],
		[
			'created long before, whatever else is stated',
			{ startedAt: NOW },
			{ timing: { createdAt: seconds(10 * A_MINUTE) }, input: { timestamp: seconds(0) } },
			false,
		],
		[
			'sent long before, whatever its poster says',
			{ startedAt: NOW },
			{ input: { timestamp: seconds(10 * A_MINUTE) } },
			false,
		],
		['finished at no stated time', {}, {}, false],
		['finished at no stated time, and answered before', { answered: true }, {}, true],
		['remembered as finished before', { answered: true, finishedBefore: true }, {}, false],
	])('%s', (_what, changes, order, isEmitted) => {
		expect(wanted(listed(changes), order)).toBe(isEmitted);
	});

	test('is judged by whole seconds, as the service states them', () => {
		expect(
			wanted(listed({ since: NOW + 999 }), { timing: { completedAt: seconds(A_MINUTE) } }),
		).toBe(true);
		expect(
			wanted(listed({ since: NOW + 1_000 }), { timing: { completedAt: seconds(A_MINUTE) } }),
		).toBe(false);
	});
});

describe('with Delivery set to At Least Once', () => {
	const TWICE: WatchRules = { ...ALL, redelivers: true };
	const completed = shown({ status: 'completed', orderId: 'ab' });

	test.each<[string, WatchedOrder, WatchRules, boolean]>([
		['is kept', listed(), TWICE, true],
		['is not kept without it', listed(), ALL, false],
		['is not kept once it was emitted a second time', listed({ redelivered: true }), TWICE, false],
		['is not kept where it has no event', posted(), { ...TWICE, events: ['failed'] }, false],
	])('what was emitted just now %s', (_what, before, rules, isKept) => {
		expect([...after(before, completed, rules).recent]).toEqual(
			isKept ? [['0xa', { order: before, at: NOW + 1 }]] : [],
		);
	});

	test('it is kept beside what was emitted before', () => {
		const state = {
			...stateOf(listed()),
			recent: new Map([['0xb', { order: listed(), at: NOW }]]),
		};
		expect([...applyCheck(state, '0xa', completed, TWICE, NOW + 1).state.recent.keys()]).toEqual([
			'0xb',
			'0xa',
		]);
		expect([...applyCheck(state, '0xa', completed, ALL, NOW + 1).state.recent.keys()]).toEqual([
			'0xb',
		]);
	});
});
