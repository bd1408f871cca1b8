import fc from 'fast-check';

import type { CheckOutcome } from '../../../nodes/CrossChainBridge/checks/outcome';
import { applyCheck } from '../../../nodes/CrossChainBridge/state/applyCheck';
import { digestOf, MAX_REMEMBERED } from '../../../nodes/CrossChainBridge/state/finished';
import { openOrders } from '../../../nodes/CrossChainBridge/state/openOrders';
import {
	EMPTY_STATE,
	finishedOrder,
	type WatchRules,
	type WatchState,
} from '../../../nodes/CrossChainBridge/state/state';
import { cases } from '../../randomCases';
import {
	ALL,
	checked,
	COMPLETED,
	expire,
	finished,
	HOUR,
	NOT_FOUND,
	NOW,
	post,
	posting,
	readBack,
	shown,
	withListOf,
} from './states';

const LATER_ONLY: WatchRules = { ...ALL, includeFinished: false };
const LISTED_AT = NOW + 500;
const timed = (status: string, name: 'completedAt' | 'createdAt', iso: string) =>
	shown(status, { timing: { [name]: Date.parse(iso) / 1000 } });
const completedAt = (iso: string) => timed('completed', 'completedAt', iso);

test.each<[string, CheckOutcome[], WatchRules, string[]]>([
	[
		'open, then finished',
		[shown('pending'), shown('executing'), shown('completed')],
		ALL,
		['executing>completed'],
	],
	['the same final status again', [shown('failed'), shown('failed')], ALL, ['->failed']],
	['another final status after it', [shown('failed'), shown('refunded')], ALL, ['->failed']],
	[
		'a word we do not know is open',
		[shown('settling'), shown('Completed'), shown('refunded')],
		ALL,
		['Completed>refunded'],
	],
	[
		'no status at all is open',
		[shown(undefined), shown(null), shown(7), shown('completed')],
		ALL,
		['->completed'],
	],
	[
		'not found right after submission',
		[NOT_FOUND, NOT_FOUND, shown('completed')],
		LATER_ONLY,
		['->completed'],
	],
	['not chosen', [shown('pending'), shown('failed')], COMPLETED, []],
	['no event is chosen', [shown('failed')], { ...ALL, events: [] }, []],
	[
		'finished before it was listed, wanted',
		[completedAt('2025-12-31T23:00Z')],
		ALL,
		['->completed'],
	],
	[
		'finished before it was listed, not wanted',
		[completedAt('2025-12-31T23:58:59Z')],
		LATER_ONLY,
		[],
	],
	[
		'finished after it was listed, by a service clock that is a minute behind',
		[completedAt('2025-12-31T23:59:00Z')],
		LATER_ONLY,
		['->completed'],
	],
	[
		'created after it was listed, and at the first response finished without a time',
		[timed('refunded', 'createdAt', '2026-01-01T00:00:01Z')],
		LATER_ONLY,
		['->refunded'],
	],
	[
		'created long before it was listed, and at the first response finished without a time',
		[timed('refunded', 'createdAt', '2025-12-31T23:00:00Z')],
		LATER_ONLY,
		[],
	],
	[
		'finished in the second in which it was listed',
		[completedAt('2026-01-01T00:00:00Z')],
		LATER_ONLY,
		['->completed'],
	],
	[
		'finished after it was listed, before the first check',
		[timed('failed', 'completedAt', '2026-01-01T00:00:09Z')],
		LATER_ONLY,
		['->failed'],
	],
	['at the first response finished, no time stated', [shown('refunded')], LATER_ONLY, []],
	[
		'seen open, then finished with an old time',
		[shown('pending'), completedAt('1970-01-01T00:00:01Z')],
		LATER_ONLY,
		['pending>completed'],
	],
])('%s', (_name, checks, rules, events) => {
	let state = withListOf(EMPTY_STATE, ['0xa'], LISTED_AT);
	const emitted = checks.flatMap((check, i) => {
		const next = applyCheck(state, '0xa', check, rules, LISTED_AT + i);
		state = next.state;
		return next.event === null ? [] : [`${next.event.previousStatus ?? '-'}>${next.event.event}`];
	});
	expect(emitted).toEqual(events);
});

test('which orders are still checked follows the rules of the moment', () => {
	let state = withListOf(EMPTY_STATE, ['0xa', '0xb', '0xc']);
	state = checked(state, shown('completed'), { rules: LATER_ONLY });
	state = checked(state, shown('failed'), { key: '0xb', rules: COMPLETED });
	const open = (rules: WatchRules) => [...openOrders(state, rules).keys()];
	expect(open(LATER_ONLY)).toEqual(['0xc']);
	expect(open(COMPLETED)).toEqual(['0xa', '0xc']);
	expect(open(ALL)).toEqual(['0xa', '0xb', '0xc']);
});

test('whatever happens, a final status is emitted up to once while listed, and only one that was seen', () => {
	const HASHES = ['0xa', '0xb', '__proto__', 'constructor'];
	const words = ['pending', 'executing', 'completed', 'refunded', 'failed', 'other'];
	const anyCheck = fc.constantFrom(NOT_FOUND, ...words.map((status) => shown(status)));
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fc.constantFrom(...HASHES), anyCheck), { maxLength: 40 }),
			fc.boolean(),
			(checks, includeFinished) => {
				let state: WatchState = withListOf(EMPTY_STATE, HASHES);
				const emitted = new Set<string>();
				for (const [hash, check] of checks) {
					const next = applyCheck(state, hash, check, { ...ALL, includeFinished }, NOW);
					// What is kept is read back as it was.
					expect(readBack(next.state)).toEqual(next.state);
					state = next.state;
					if (next.event === null) continue;
					expect(check.kind === 'order' && check.order.status).toBe(next.event.event);
					expect(emitted.has(hash)).toBe(false);
					emitted.add(hash);
				}
			},
		),
		{ numRuns: cases(2000) },
	);
});

describe('orders that are done with', () => {
	test('one that was emitted stays so under whatever list and post comes', () => {
		let state = checked(posting(EMPTY_STATE, ['0xa']).state, shown('completed'));
		expect(state.orders.size).toBe(0);
		state = withListOf(state, ['0xA'], NOW + 60_000);
		expect(openOrders(state, ALL).size).toBe(0);
		expect(posting(state, ['0xA']).alreadyFinished).toEqual([
			{ sourceHash: '0xA', status: 'completed', finishedSeenAt: NOW },
		]);
		const muchLater = NOW + 1000 * 24 * HOUR;
		state = expire(state, {}, muchLater).state;
		expect(finishedOrder(state, '0xa')).toEqual(finished({ listed: true }));
		state = expire(withListOf(state, [], muchLater), {}, muchLater).state;
		expect(finishedOrder(state, '0xa')).toBeNull();
	});

	test('one that finished without an event is watched again when it is posted or listed while its status is chosen', () => {
		const orders = [post('0xa', 'r')];
		const rules = COMPLETED;
		const state = checked(posting(EMPTY_STATE, orders).state, shown('failed'), { rules });
		const { alreadyFinished } = posting(state, orders, { rules });
		expect(alreadyFinished).toMatchObject([{ status: 'failed' }]);
		const again = posting(state, orders);
		expect(again.accepted).toBe(1);
		const next = applyCheck(again.state, '0xa', shown('failed'), ALL, NOW);
		expect(next.event).toMatchObject({ event: 'failed', reference: 'r' });
		expect(posting(next.state, orders).accepted).toBe(0);
		expect([...openOrders(withListOf(state, ['0xa']), ALL).keys()]).toEqual(['0xa']);
	});

	test(`beyond ${MAX_REMEMBERED} the oldest are forgotten as new ones come; those of the list stay`, () => {
		const start = MAX_REMEMBERED - 5;
		const before = Array.from(
			{ length: start },
			(_, i) => [digestOf(`0x${i}`), finished()] as const,
		);
		let state = withListOf(EMPTY_STATE, ['0xlisted']);
		state = checked(state, shown('completed'), { key: '0xlisted' });
		state = { ...state, finished: new Map([...state.finished, ...before]) };
		for (let i = start; i < MAX_REMEMBERED + 10; i++) {
			state = checked(posting(state, [`0x${i}`]).state, shown('completed'), { key: `0x${i}` });
			expect(state.finished.size).toBeLessThanOrEqual(MAX_REMEMBERED);
		}
		const isKnown = (hash: string) => finishedOrder(state, hash) !== null;
		expect(['0xlisted', '0x0', '0x10', '0x11'].map(isKnown)).toEqual([true, false, false, true]);
	});
});

test('the reference of the list comes with the event; that of a post goes before it', () => {
	const list = ['0xa', '0xb'].map((sourceHash) => ({ sourceHash, reference: `of ${sourceHash}` }));
	const posted = posting(withListOf(EMPTY_STATE, list), [post('0xb', 'posted')]).state;
	const state = withListOf(posted, list);
	const referenceOf = (key: string) =>
		applyCheck(state, key, shown('completed'), ALL, NOW).event?.reference;
	expect(['0xa', '0xb'].map(referenceOf)).toEqual(['of 0xa', 'posted']);
});
