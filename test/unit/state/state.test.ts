import { types } from 'node:util';

import fc from 'fast-check';

import type { CheckOutcome } from '../../../nodes/CrossChainBridge/checks/outcome';
import { applyCheck } from '../../../nodes/CrossChainBridge/state/applyCheck';
import { readStoredWatch, storedWatch } from '../../../nodes/CrossChainBridge/state/codec';
import { withoutExpired } from '../../../nodes/CrossChainBridge/state/expiry';
import {
	digestOf,
	MAX_REMEMBERED,
	storedFinished,
} from '../../../nodes/CrossChainBridge/state/finished';
import { withListOf } from './listing';
import { openOrders } from '../../../nodes/CrossChainBridge/state/openOrders';
import { withPosted } from '../../../nodes/CrossChainBridge/state/postedOrders';
import {
	EMPTY_STATE,
	finishedOrder,
	newestOf,
	type WatchRules,
	type WatchState,
} from '../../../nodes/CrossChainBridge/state/state';
import { cases } from '../../randomCases';

const ALL: WatchRules = { events: ['completed', 'refunded', 'failed'], includeFinished: true };
const LATER_ONLY: WatchRules = { ...ALL, includeFinished: false };
const LISTED_AT = Date.parse('2026-01-01T00:00:00.500Z');
const seconds = (iso: string) => Date.parse(iso) / 1000;

const order = (status: unknown, timing?: object): CheckOutcome => ({
	kind: 'order',
	order: { status, timing },
});
const NOT_FOUND: CheckOutcome = { kind: 'notFound' };

/** The events that a sequence of checks of one order brings. */
function eventsOf(checks: CheckOutcome[], rules: WatchRules): string[] {
	let state = withListOf(EMPTY_STATE, ['0xa'], LISTED_AT);
	return checks.flatMap((check, i) => {
		const next = applyCheck(state, '0xa', check, rules, LISTED_AT + i);
		state = next.state;
		return next.event === null ? [] : [`${next.event.previousStatus ?? '-'}>${next.event.event}`];
	});
}

test.each<[string, CheckOutcome[], WatchRules, string[]]>([
	[
		'open, then finished',
		[order('pending'), order('executing'), order('completed')],
		ALL,
		['executing>completed'],
	],
	[
		'the same final status again',
		[order('failed'), order('failed'), order('failed')],
		ALL,
		['->failed'],
	],
	[
		'another final status after it was emitted',
		[order('failed'), order('refunded')],
		ALL,
		['->failed'],
	],
	[
		'a word we do not know is open',
		[order('settling'), order('Completed'), order('refunded')],
		ALL,
		['Completed>refunded'],
	],
	[
		'no status at all is open',
		[order(undefined), order(null), order(7), order('completed')],
		ALL,
		['->completed'],
	],
	[
		'not found right after submission',
		[NOT_FOUND, NOT_FOUND, order('completed')],
		LATER_ONLY,
		['->completed'],
	],
	[
		'an event that is not chosen',
		[order('pending'), order('completed')],
		{ ...ALL, events: ['failed'] },
		[],
	],
	['no event is chosen', [order('failed')], { ...ALL, events: [] }, []],
	[
		'finished before it was listed, wanted',
		[order('completed', { completedAt: seconds('2025-12-31T23:00:00Z') })],
		ALL,
		['->completed'],
	],
	[
		'finished before it was listed, not wanted',
		[order('completed', { completedAt: seconds('2025-12-31T23:58:59Z') })],
		LATER_ONLY,
		[],
	],
	[
		'finished after it was listed, by a service clock that is a minute behind',
		[order('completed', { completedAt: seconds('2025-12-31T23:59:00Z') })],
		LATER_ONLY,
		['->completed'],
	],
	[
		'created after it was listed, and at the first answer finished without a time',
		[order('refunded', { createdAt: seconds('2026-01-01T00:00:01Z') })],
		LATER_ONLY,
		['->refunded'],
	],
	[
		'created long before it was listed, and at the first answer finished without a time',
		[order('refunded', { createdAt: seconds('2025-12-31T23:00:00Z') })],
		LATER_ONLY,
		[],
	],
	[
		'finished in the second in which it was listed',
		[order('completed', { completedAt: seconds('2026-01-01T00:00:00Z') })],
		LATER_ONLY,
		['->completed'],
	],
	[
		'finished after it was listed, before the first check',
		[order('failed', { completedAt: seconds('2026-01-01T00:00:09Z') })],
		LATER_ONLY,
		['->failed'],
	],
	['at the first answer finished, no time stated', [order('refunded')], LATER_ONLY, []],
	[
		'seen open, then finished with an old time',
		[order('pending'), order('completed', { completedAt: 1 })],
		LATER_ONLY,
		['pending>completed'],
	],
])('%s', (_name, checks, rules, events) => {
	expect(eventsOf(checks, rules)).toEqual(events);
});

test('which orders are still checked follows the rules of the moment', () => {
	let state = withListOf(EMPTY_STATE, ['0xa', '0xb', '0xc'], LISTED_AT);
	state = applyCheck(state, '0xa', order('completed'), LATER_ONLY, LISTED_AT).state;
	state = applyCheck(
		state,
		'0xb',
		order('failed'),
		{ ...ALL, events: ['completed'] },
		LISTED_AT,
	).state;
	expect(openOrders(state, LATER_ONLY)).toEqual(['0xc']);
	expect(openOrders(state, { ...ALL, events: ['completed'] })).toEqual(['0xa', '0xc']);
	expect(openOrders(state, ALL)).toEqual(['0xa', '0xb', '0xc']);
});

test('the list: new orders are added, removed ones dropped, the others stay as they were', () => {
	let state = withListOf(EMPTY_STATE, ['0xa', '0xB'], 1000);
	state = applyCheck(state, '0xb', order('failed'), ALL, 2000).state;
	const next = withListOf(state, ['0xc', '0xb'], 3000);
	expect([...next.orders.keys()]).toEqual(['0xc']);
	expect(finishedOrder(next, '0xb')).toMatchObject({
		listed: true,
		emitted: true,
		status: 'failed',
	});
	expect(next.orders.get('0xc')).toMatchObject({ since: 3000, listed: true, status: null });
	expect(next.revision).toBe(3000);
	expect(withListOf(next, ['0xb', '0xc'], 4000).revision).toBe(3000);
});

test('another order and spelling of the list is taken over, without a new revision', () => {
	const state = withListOf(EMPTY_STATE, ['0xa', '0xb'], 1000);
	const next = withListOf(state, ['0xB', '0xa'], 2000);
	expect([...next.orders.values()].map(({ sourceHash }) => sourceHash)).toEqual(['0xB', '0xa']);
	expect(next.revision).toBe(state.revision);
});

test('an order that the service does not accept, or says nothing of, is as it was', () => {
	const state = withListOf(EMPTY_STATE, ['0xa'], LISTED_AT);
	const error = { kind: 'timedOut', afterMs: 1 } as const;
	for (const outcome of [
		{ kind: 'orderError', error, isSuspect: false },
		{ kind: 'transient', error },
	] as const) {
		expect(applyCheck(state, '0xa', outcome, ALL, LISTED_AT)).toEqual({ state, event: null });
	}
});

test('a check of an order that is not listed changes nothing', () => {
	const state = withListOf(EMPTY_STATE, ['0xa'], LISTED_AT);
	expect(applyCheck(state, '0xb', order('completed'), ALL, LISTED_AT)).toEqual({
		state,
		event: null,
	});
});

test('a check that shows nothing new makes no new revision', () => {
	const state = applyCheck(
		withListOf(EMPTY_STATE, ['0xa'], 1),
		'0xa',
		order('pending'),
		ALL,
		2,
	).state;
	expect(applyCheck(state, '0xa', order('pending'), ALL, 3).state).toBe(state);
});

test('revisions grow even when the clock goes back, and the newest copy wins', () => {
	const first = withListOf(EMPTY_STATE, ['0xa'], 5000);
	const second = applyCheck(first, '0xa', order('completed'), ALL, 4000).state;
	expect(second.revision).toBeGreaterThan(first.revision);
	expect(newestOf([first, null, second])).toBe(second);
	expect(newestOf([])).toBe(EMPTY_STATE);
});

const anyCheck = fc.oneof(
	fc.constant(NOT_FOUND),
	fc
		.constantFrom('pending', 'executing', 'completed', 'refunded', 'failed', 'other')
		.map((status) => order(status)),
);
const HASHES = ['0xa', '0xb', '__proto__', 'constructor'];

test('whatever happens, a final status is emitted up to once while listed, and only one that was seen', () => {
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fc.constantFrom(...HASHES), anyCheck), { maxLength: 40 }),
			fc.boolean(),
			(checks, includeFinished) => {
				let state: WatchState = withListOf(EMPTY_STATE, HASHES, LISTED_AT);
				const emitted = new Map<string, number>();
				for (const [hash, check] of checks) {
					const next = applyCheck(state, hash, check, { ...ALL, includeFinished }, LISTED_AT);
					// What is kept is read back as it was.
					expect(
						readStoredWatch(JSON.parse(JSON.stringify(storedWatch(next.state))), LISTED_AT),
					).toEqual(next.state);
					state = next.state;
					if (next.event === null) continue;
					expect(check.kind === 'order' && check.order.status).toBe(next.event.event);
					emitted.set(hash, (emitted.get(hash) ?? 0) + 1);
				}
				for (const count of emitted.values()) expect(count).toBe(1);
			},
		),
		{ numRuns: cases(2000) },
	);
});

test('anything that this version did not write is no state', () => {
	fc.assert(
		fc.property(
			fc.oneof(
				fc.jsonValue(),
				fc.record({
					version: fc.constantFrom(2, 3, '3'),
					revision: fc.jsonValue(),
					orders: fc.jsonValue(),
					finished: fc.oneof(fc.constant(''), fc.string(), fc.jsonValue()),
				}),
			),
			(stored) => {
				const read = readStoredWatch(stored, LISTED_AT);
				if (read !== null) expect(Array.isArray((stored as { orders: unknown }).orders)).toBe(true);
			},
		),
		{ numRuns: cases(2000) },
	);
});

test('1,000 orders take less than 300 KB', () => {
	const hashes = Array.from({ length: 1000 }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`);
	let state = withListOf(EMPTY_STATE, hashes, LISTED_AT);
	for (const hash of hashes)
		state = applyCheck(
			state,
			hash,
			order('completed', { completedAt: 1 }),
			LATER_ONLY,
			LISTED_AT,
		).state;
	expect(state.orders.size).toBe(1000);
	expect(JSON.stringify(storedWatch(state)).length).toBeLessThan(300_000);
});

describe('orders that are done with', () => {
	const A_MINUTE = 60_000;
	const posting = (state: WatchState, sourceHash: string, rules = ALL, now = LISTED_AT) => {
		const posted = withPosted(state, [{ sourceHash, reference: 'r', startedAt: null }], rules, now);
		if (posted === null) throw new Error('There is no room');
		return posted;
	};

	test('one that was emitted stays so under whatever list and post comes', () => {
		let state = posting(EMPTY_STATE, '0xa').state;
		state = applyCheck(state, '0xa', order('completed'), ALL, LISTED_AT).state;
		expect(state.orders.size).toBe(0);
		state = withListOf(state, ['0xA'], LISTED_AT + A_MINUTE);
		expect(openOrders(state, ALL)).toEqual([]);
		expect(posting(state, '0xA').alreadyFinished).toEqual([
			{ sourceHash: '0xA', status: 'completed', finishedSeenAt: LISTED_AT - 500 },
		]);
		const muchLater = LISTED_AT + 1000 * 24 * 60 * A_MINUTE;
		state = withoutExpired(state, ALL, new Map(), muchLater).state;
		expect(finishedOrder(state, '0xa')).toMatchObject({
			emitted: true,
			listed: true,
			posted: true,
		});
		state = withoutExpired(withListOf(state, [], muchLater), ALL, new Map(), muchLater).state;
		expect(finishedOrder(state, '0xa')).toBeNull();
	});

	test('a listed one is forgotten when the list names it no more', () => {
		const state = applyCheck(
			withListOf(EMPTY_STATE, ['0xa'], LISTED_AT),
			'0xa',
			order('completed'),
			ALL,
			LISTED_AT,
		).state;
		expect(withListOf(state, [], LISTED_AT).finished.size).toBe(0);
	});

	test('one that finished without an event is watched again when it is posted or listed while its status is chosen', () => {
		const completedOnly = { ...ALL, events: ['completed' as const] };
		const state = applyCheck(
			posting(EMPTY_STATE, '0xa').state,
			'0xa',
			order('failed'),
			completedOnly,
			LISTED_AT,
		).state;
		expect(posting(state, '0xa', completedOnly).alreadyFinished).toMatchObject([
			{ status: 'failed' },
		]);
		const again = posting(state, '0xa', ALL);
		expect(again.accepted).toBe(1);
		const next = applyCheck(again.state, '0xa', order('failed'), ALL, LISTED_AT);
		expect(next.event).toMatchObject({ event: 'failed', reference: 'r' });
		expect(posting(next.state, '0xa', ALL).accepted).toBe(0);
		expect(openOrders(withListOf(state, ['0xa'], LISTED_AT), ALL)).toEqual(['0xa']);
	});

	test(`beyond ${MAX_REMEMBERED} the oldest are forgotten as new ones come; those of the list stay`, () => {
		let state = applyCheck(
			withListOf(EMPTY_STATE, ['0xlisted'], LISTED_AT),
			'0xlisted',
			order('completed'),
			ALL,
			LISTED_AT,
		).state;
		const remembered = {
			status: 'completed' as const,
			at: LISTED_AT - 500,
			emitted: true,
			listed: false,
			posted: true,
		};
		const before = Array.from(
			{ length: MAX_REMEMBERED - 5 },
			(_, i) => [digestOf(`0x${i}`), remembered] as const,
		);
		state = { ...state, finished: new Map([...state.finished, ...before]) };
		for (let i = MAX_REMEMBERED - 5; i < MAX_REMEMBERED + 10; i++) {
			state = applyCheck(
				posting(state, `0x${i}`).state,
				`0x${i}`,
				order('completed'),
				ALL,
				LISTED_AT,
			).state;
			expect(state.finished.size).toBeLessThanOrEqual(MAX_REMEMBERED);
		}
		expect(
			['0xlisted', '0x0', '0x10', '0x11'].map((hash) => finishedOrder(state, hash) !== null),
		).toEqual([true, false, false, true]);
	});

	test('each takes 70 bytes or less, and is read back as it was', () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.record({
						status: fc.constantFrom('completed' as const, 'refunded' as const, 'failed' as const),
						at: fc
							.integer({ min: 1_750_000_000, max: 2_700_000_000 })
							.map((seconds_) => seconds_ * 1000),
						emitted: fc.boolean(),
						listed: fc.boolean(),
						posted: fc.boolean(),
					}),
				),
				(all) => {
					const finished = new Map(all.map((each, index) => [digestOf(String(index)), each]));
					const state = {
						revision: 1,
						orders: new Map(),
						finished,
						recent: new Map(),
						taken: new Map([['a process', LISTED_AT]]),
						polledUntil: LISTED_AT,
					};
					expect(
						readStoredWatch(JSON.parse(JSON.stringify(storedWatch(state))), LISTED_AT),
					).toEqual(state);
					expect(JSON.stringify(storedFinished(finished)).length).toBeLessThanOrEqual(
						2 + 70 * all.length,
					);
				},
			),
			{ numRuns: 500 },
		);
	});
});

test('a listed order that the service does not know is watched for as long as it is listed', () => {
	const listed = withListOf(EMPTY_STATE, ['0xa'], LISTED_AT);
	const now = LISTED_AT + 9_999 * 3_600_000;
	expect(withoutExpired(listed, ALL, new Map([['0xa', now]]), now)).toEqual({
		state: listed,
		watchExpired: [],
	});
});

test('the reference of the list comes with the event; that of a post goes before it', () => {
	const list = [
		{ sourceHash: '0xa', reference: 'Invoice 1' },
		{ sourceHash: '0xb', reference: 'Invoice 2' },
	];
	let state = withListOf(EMPTY_STATE, list, LISTED_AT);
	state =
		withPosted(state, [{ sourceHash: '0xb', reference: 'posted', startedAt: null }], ALL, LISTED_AT)
			?.state ?? EMPTY_STATE;
	state = withListOf(state, list, LISTED_AT);
	expect(
		['0xa', '0xb'].map(
			(key) => applyCheck(state, key, order('completed'), ALL, LISTED_AT).event?.reference,
		),
	).toEqual(['Invoice 1', 'posted']);
});

describe('what is read from storage', () => {
	const ahead = (hours: number) => ({
		...storedWatch(withListOf(EMPTY_STATE, ['0xa'], LISTED_AT)),
		revision: LISTED_AT + hours * 3_600_000,
	});

	test('a revision more than a day ahead is not believed: any other copy wins, and without one nothing is lost', () => {
		const foreign = readStoredWatch(ahead(24.1), LISTED_AT);
		const own = withListOf(EMPTY_STATE, ['0xb'], LISTED_AT - 1000);
		expect(newestOf([foreign, own])).toBe(own);
		expect([...newestOf([foreign, null]).orders.keys()]).toEqual(['0xa']);
		expect(newestOf([own, readStoredWatch(ahead(23.9), LISTED_AT)]).orders.has('0xa')).toBe(true);
	});

	test('a reference is plain data that shares nothing with what n8n keeps', () => {
		const kept = { at: 1, reference: { chat: { id: 7 } } };
		const watched = (reference: object) => new Proxy(reference, {});
		const stored = {
			version: 4,
			revision: 5,
			finished: [],
			orders: [
				{
					sourceHash: '0xa',
					since: 1,
					unlisted: true,
					posted: watched({ ...kept, reference: watched({ chat: watched(kept.reference.chat) }) }),
				},
			],
		};
		const reference = readStoredWatch(stored, LISTED_AT)?.orders.get('0xa')?.posted?.reference;
		expect(reference).toEqual({ chat: { id: 7 } });
		kept.reference.chat.id = 8;
		expect(reference).toEqual({ chat: { id: 7 } });
		expect(types.isProxy(reference)).toBe(false);
	});
});
