import { type CheckOutcome, checkOutcome } from '../../../nodes/CrossChainBridge/checks/outcome';
import { applyCheck } from '../../../nodes/CrossChainBridge/state/applyCheck';
import { digestOf } from '../../../nodes/CrossChainBridge/state/finished';
import {
	EMPTY_STATE,
	type WatchedOrder,
	type WatchRules,
	withEventUndone,
	withRedelivery,
} from '../../../nodes/CrossChainBridge/state/state';
import { rejected } from '../service/rejected';
import {
	ALL,
	checked,
	COMPLETED,
	finished,
	listed,
	NOT_FOUND,
	NOW,
	posted,
	shown,
	stateOf,
} from './states';

const A_MINUTE = 60_000;
const SECONDS = NOW / 1000;

const rejection = (...given: Parameters<typeof rejected>): CheckOutcome =>
	checkOutcome({ ok: false, error: rejected(...given) });
const NO_RESPONSE: CheckOutcome = { kind: 'transient', error: { kind: 'timedOut', afterMs: 1 } };

describe('an order that is open', () => {
	const PENDING = { status: 'pending', answered: true };
	const expiring = (expiry: number) => shown('pending', { timing: { expiry } });

	const FAILED = { status: 'failed', answered: true, finishedSeenAt: NOW };
	const AGAIN = { status: 'pending', finishedBefore: false, finishedSeenAt: null };
	const NOT_BEFORE = { finishedBefore: false };
	const UNSEEN = { finishedSeenAt: null };
	const LATER = { expiresAt: NOW + A_MINUTE };

	test.each<[string, WatchedOrder, CheckOutcome, Partial<WatchedOrder>]>([
		['is answered, though not found', listed(), NOT_FOUND, { answered: true }],
		['is found', listed(), shown('pending'), PENDING],
		['is answered without a status', listed(), shown(undefined), { answered: true }],
		['has another status', listed(PENDING), shown('executing'), { status: 'executing' }],
		['is open again', listed({ ...FAILED, finishedBefore: true }), shown('pending'), AGAIN],
		['had finished', listed({ ...PENDING, finishedBefore: true }), shown('pending'), NOT_BEFORE],
		['had a final time', listed({ ...PENDING, finishedSeenAt: NOW }), shown('pending'), UNSEEN],
		['is known after all', listed({ answered: true }), shown('pending'), PENDING],
		['expires later', posted({ ...PENDING, expiresAt: NOW }), expiring(SECONDS + 60), LATER],
		['keeps its expiry', posted({ answered: true, expiresAt: NOW }), shown('pending'), PENDING],
		['has no expiry where only the list names it', listed(), expiring(SECONDS), PENDING],
	])('%s', (_what, before, outcome, changes) => {
		const state = checked(stateOf(before), outcome, { now: NOW + 1 });
		expect(state.orders.get('0xa')).toEqual({ ...before, ...changes });
		expect(state.revision).toBe(NOW + 1);
	});

	test.each<[string, WatchedOrder, CheckOutcome]>([
		['not found again', listed({ answered: true }), NOT_FOUND],
		['answered again without a status', listed({ answered: true }), shown(undefined)],
		['open again', posted({ ...PENDING, expiresAt: NOW }), expiring(SECONDS)],
		['unwanted again', listed(FAILED), shown('failed')],
		['not accepted', listed(), rejection(400)],
		['not accepted, or the key is not', listed(), rejection(401)],
		['not answered', listed(), NO_RESPONSE],
	])('is as it was when it is %s', (_what, before, outcome) => {
		const state = stateOf(before);
		const applied = applyCheck(state, '0xa', outcome, COMPLETED, NOW + 1);
		expect([applied.state === state, applied.event]).toEqual([true, null]);
	});
});

test('a check of an order that is not watched changes nothing', () => {
	const state = stateOf(listed());
	const applied = applyCheck(state, '0xb', shown('completed'), ALL, NOW);
	expect([applied.state === state, applied.event]).toEqual([true, null]);
});

describe('an order that has finished', () => {
	const completed = { status: 'completed', orderId: 'ab', input: { txHash: '0xA' } };
	const COMPLETE: CheckOutcome = { kind: 'order', order: completed };

	test.each<[string, WatchedOrder, unknown, string | null]>([
		['with its own', posted({ listReference: 'listed', status: 'pending' }), 'posted', 'pending'],
		['with that of the list', listed({ listReference: 'l', status: 'pending' }), 'l', 'pending'],
		['with none', posted({ posted: { at: NOW, reference: null } }), null, null],
		['with the status before, where it was another', listed({ status: 'completed' }), null, null],
		['once more after a restart', listed({ redelivered: true }), null, null],
	])('is emitted %s', (_what, before, reference, previousStatus) => {
		expect(applyCheck(stateOf(before), '0xa', COMPLETE, ALL, NOW + 1).event).toMatchObject({
			...{ sourceHash: '0xA', event: 'completed', order: completed },
			...{ reference, previousStatus, redelivered: before.redelivered },
		});
	});

	test('is emitted with the link that was posted', () => {
		const before = posted({ posted: { at: NOW, reference: null, link: 'https://a.example/tx' } });
		expect(applyCheck(stateOf(before), '0xa', COMPLETE, ALL, NOW + 1).event).toMatchObject({
			link: 'https://a.example/tx',
		});
	});

	test.each<[string, Partial<WatchedOrder>, number]>([
		['now', {}, NOW + 1_000],
		['when its status was seen first', { finishedSeenAt: NOW + 500, status: 'completed' }, NOW],
	])('is remembered as finished %s', (_what, changes, at) => {
		const state = checked(stateOf(posted(changes)), COMPLETE, { now: NOW + 1_999 });
		expect(state.orders.size).toBe(0);
		expect([...state.finished]).toEqual([[digestOf('0xa'), finished({ at })]]);
	});

	test('stays among the orders of the list while it is not wanted', () => {
		const before = stateOf(listed({ status: 'pending' }));
		const state = checked(before, shown('failed'), { rules: COMPLETED, now: NOW + 1 });
		expect(state.orders.get('0xa')).toEqual(
			listed({ status: 'failed', answered: true, finishedBefore: true, finishedSeenAt: NOW + 1 }),
		);
		expect(state.finished.size).toBe(0);
	});

	test('is remembered without an event where it was posted and is not wanted', () => {
		const before = stateOf(posted());
		const { state, event } = applyCheck(before, '0xa', shown('failed'), COMPLETED, NOW);
		expect(event).toBeNull();
		expect([...state.finished.values()]).toEqual([finished({ status: 'failed', emitted: false })]);
	});

	test('is emitted once under two spellings of its hash', () => {
		const digits = 'ab'.repeat(32);
		const before = stateOf(...[digits, `0x${digits}`].map((sourceHash) => listed({ sourceHash })));
		const first = applyCheck(before, digits, COMPLETE, ALL, NOW);
		const { state, event } = applyCheck(first.state, `0x${digits}`, COMPLETE, ALL, NOW);
		expect([event, state.orders.size, state.finished.size]).toEqual([null, 0, 1]);
	});
});

describe('an order that takes too long', () => {
	const LATE: WatchRules = { ...ALL, delayedAfterMs: 5 * A_MINUTE };
	const pending = (createdAt?: number) => shown('pending', { timing: { createdAt } });
	const check = (before: WatchedOrder, outcome: CheckOutcome, minutes: number, rules = LATE) =>
		applyCheck(stateOf(before), '0xa', outcome, rules, NOW + minutes * A_MINUTE);

	test.each<[string, WatchedOrder, CheckOutcome, number, number]>([
		['open since it was listed', listed(), pending(), 5, 0],
		['open since it was created', listed(), pending(SECONDS - 120), 3, -2],
		['open since it began', posted({ startedAt: NOW - A_MINUTE }), pending(), 4, -1],
		['still not found', listed(), NOT_FOUND, 5, 0],
		['no longer found', listed({ status: 'pending' }), NOT_FOUND, 5, 0],
		['not accepted', listed(), rejection(200, 'INVALID_PARAMETER'), 5, 0],
		['no longer accepted', listed({ status: 'pending' }), rejection(400), 5, 0],
		['not accepted by an own code', listed(), rejection(400, 'INVALID_HASH'), 5, 0],
	])('is delayed once: %s', (_what, before, outcome, minutes, began) => {
		expect(check(before, outcome, minutes - 0.1).event).toBeNull();
		const { state, event } = check(before, outcome, minutes);
		const beganAt = NOW + began * A_MINUTE;
		const expected = { event: 'delayed', sourceHash: '0xA', redelivered: false, beganAt };
		expect(event).toMatchObject(expected);
		expect(state.revision).toBeGreaterThan(5);
		const later = NOW + 99 * A_MINUTE;
		expect(applyCheck(state, '0xa', outcome, LATE, later).event).toBeNull();
		const end = applyCheck(state, '0xa', shown('failed'), LATE, NOW + 1);
		expect(end.event).toMatchObject({ event: 'failed' });
	});

	test.each<[string, WatchedOrder, CheckOutcome, WatchRules]>([
		['the event was not chosen', listed(), pending(), ALL],
		['the response says nothing of it', listed(), shown(undefined), LATE],
		['it has finished', listed(), shown('failed'), { ...LATE, events: [] }],
		['it had finished', listed({ status: 'failed' }), NOT_FOUND, LATE],
		['it had finished and is not accepted', listed({ status: 'failed' }), rejection(400), LATE],
		['all orders may have the same response', listed(), rejection(401), LATE],
		['an error may be no word on it', listed(), rejection(200, 'MAINTENANCE'), LATE],
		['a code says something else', listed(), rejection(400, 'UNAUTHORIZED'), LATE],
		['no response came', listed(), NO_RESPONSE, LATE],
	])('is not delayed where %s', (_what, before, outcome, rules) => {
		expect(check(before, outcome, 99, rules).event).toBeNull();
	});

	test('that was not accepted counts as open: its final status is reported, whenever it began', () => {
		const rules = { ...LATE, includeFinished: false };
		const { state } = check(listed(), rejection(400), 6, rules);
		const failed = shown('failed', { timing: { createdAt: SECONDS - 120 } });
		const end = applyCheck(state, '0xa', failed, rules, NOW + 7 * A_MINUTE);
		expect(end.event).toMatchObject({ event: 'failed' });
	});

	test('is not delayed by a response from before it was', () => {
		const [late, early] = [NOW + 99 * A_MINUTE, NOW + 4 * A_MINUTE];
		expect(applyCheck(stateOf(listed()), '0xa', pending(), LATE, late, early).event).toBeNull();
	});

	test('whose event n8n drops later is delayed again, but stays finished where it has finished since', () => {
		const before = listed({ startedAt: NOW });
		const { state } = check(before, NOT_FOUND, 5);
		const again = withEventUndone(state, '0xa', stateOf(before), state, NOW);
		expect(again.orders.get('0xa')).toEqual(before);
		const end = applyCheck(state, '0xa', shown('failed'), LATE, NOW).state;
		expect(withEventUndone(end, '0xa', stateOf(before), state, NOW)).toBe(end);
	});

	test('is so once more after a restart, and not a third time', () => {
		const rules = { ...LATE, redelivers: true };
		const first = check(listed(), pending(), 5, rules);
		const again = withRedelivery(first.state, NOW + 6 * A_MINUTE);
		const next = applyCheck(again, '0xa', pending(), rules, NOW + 6 * A_MINUTE);
		expect([next.event?.redelivered, next.state.recent.size]).toEqual([true, 0]);
	});
});

describe('an order that is finished at its first response', () => {
	const wanted = (before: WatchedOrder, more: object) => {
		const rules = { ...ALL, includeFinished: false };
		const now = Math.max(NOW, before.since);
		return applyCheck(stateOf(before), '0xa', shown('completed', more), rules, now).event !== null;
	};
	const completedAt = (seconds: number) => ({ timing: { completedAt: SECONDS + seconds } });
	const createdAt = (seconds: number) => ({ timing: { createdAt: SECONDS + seconds } });
	const sentAt = (seconds: number) => ({ input: { timestamp: SECONDS + seconds } });

	const ENDED_EARLY = { timing: { createdAt: SECONDS, completedAt: SECONDS - 600 } };

	test.each<[string, Partial<WatchedOrder>, object, boolean]>([
		['completed a minute before', {}, completedAt(-60), true],
		['completed more than a minute before', {}, completedAt(-61), false],
		['created a minute before', {}, createdAt(-60), true],
		['created more than a minute before', {}, createdAt(-61), false],
		['sent a minute before', {}, sentAt(-60), true],
		['sent more than a minute before', {}, sentAt(-61), false],
		['begun a minute before, as its poster says', { startedAt: NOW - A_MINUTE }, {}, true],
		['begun more than a minute before, says its poster', { startedAt: NOW - 60_001 }, {}, false],
		['completed since', {}, { timing: { createdAt: SECONDS - 600, completedAt: SECONDS } }, true],
		['completed long before', { startedAt: NOW }, { ...ENDED_EARLY, ...sentAt(0) }, false],
		['created long before', { startedAt: NOW }, { ...createdAt(-600), ...sentAt(0) }, false],
		['sent long before, whatever its poster says', { startedAt: NOW }, sentAt(-600), false],
		['finished at no stated time', {}, {}, false],
		['finished at no stated time, and answered before', { answered: true }, {}, true],
		['remembered as finished before', { answered: true, finishedBefore: true }, {}, false],
		['completed in a second that is not over', { since: NOW + 999 }, completedAt(-60), true],
		['completed in a second that is over', { since: NOW + 1_000 }, completedAt(-60), false],
	])('%s', (_what, changes, more, isEmitted) => {
		expect(wanted(listed(changes), more)).toBe(isEmitted);
	});
});

describe('with Delivery set to At Least Once', () => {
	const TWICE: WatchRules = { ...ALL, redelivers: true };

	test.each<[string, WatchedOrder, WatchRules, boolean]>([
		['is kept', listed(), TWICE, true],
		['is not kept without it', listed(), ALL, false],
		['is not kept once it was emitted a second time', listed({ redelivered: true }), TWICE, false],
		['is not kept where it has no event', posted(), { ...TWICE, events: ['failed'] }, false],
	])('what was emitted just now %s', (_what, before, rules, isKept) => {
		const earlier = new Map([['0xb', { order: listed(), at: NOW }]]);
		for (const recent of [EMPTY_STATE.recent, earlier]) {
			const state = { ...stateOf(before), recent };
			const { recent: after } = checked(state, shown('completed'), { rules, now: NOW + 1 });
			const own = [['0xa', { order: before, at: NOW + 1 }]];
			expect([...after]).toEqual([...recent, ...(isKept ? own : [])]);
		}
	});
});
