import { applyCheck } from '../../../nodes/CrossChainBridge/state/applyCheck';
import { storedWatch } from '../../../nodes/CrossChainBridge/state/codec';
import { digestOf, MAX_REMEMBERED } from '../../../nodes/CrossChainBridge/state/finished';
import { withListOf } from './listing';
import { withPosted } from '../../../nodes/CrossChainBridge/state/postedOrders';
import {
	EMPTY_STATE,
	type WatchRules,
	type WatchState,
} from '../../../nodes/CrossChainBridge/state/state';

/**
 * n8n writes all that a trigger remembers with each change, and n8n 2.8 copies it into each execution, so it has to stay
 * small however long the trigger runs: 1,000 open orders and 5,000 remembered ones are the most there can be.
 */
const MAX_BYTES = 600_000;

const OPEN = 1_000;
const RULES: WatchRules = { events: ['completed', 'refunded', 'failed'], includeFinished: true };
const NOW = Date.parse('2026-01-01T00:00:00Z');

const hashOf = (round: number, place: number) =>
	`0x${(round * OPEN + place).toString(16).padStart(64, '0')}`;
const hashesOf = (round: number) =>
	Array.from({ length: OPEN }, (_, place) => hashOf(round, place));
const bytesOf = (state: WatchState) => Buffer.byteLength(JSON.stringify(storedWatch(state)));

/** Thousands of posted orders have finished, and a thousand more are open. */
function atItsLimits(reference: string): WatchState {
	const remembered = {
		status: 'completed' as const,
		at: NOW,
		emitted: true,
		listed: false,
		posted: true,
	};
	const earlier = Array.from(
		{ length: MAX_REMEMBERED - OPEN / 2 },
		(_, i) => [digestOf(`0x${i}`), remembered] as const,
	);
	let state: WatchState = { ...EMPTY_STATE, finished: new Map(earlier) };
	for (let round = 0; round < 2; round++) {
		const now = NOW + round * 60_000;
		const posting = withPosted(
			state,
			hashesOf(round).map((sourceHash) => ({ sourceHash, reference, startedAt: now - 1000 })),
			RULES,
			now,
		);
		if (posting === null) throw new Error('There is no room');
		state = posting.state;
		for (const key of hashesOf(round)) {
			const timing = { expiry: Math.floor(now / 1000) + 600 };
			const order = {
				status: round < 1 ? 'completed' : 'executing',
				orderId: `order of ${key}`,
				input: { txHash: key },
				timing,
			};
			state = applyCheck(state, key, { kind: 'order', order }, RULES, now).state;
			if (state.finished.size > MAX_REMEMBERED) throw new Error('More are remembered than may be');
		}
	}
	return state;
}

it('at its limits, with short references, the state takes less than 600 KB; longer ones add what they take themselves', () => {
	const state = atItsLimits('Invoice 4711');
	expect([state.orders.size, state.finished.size]).toEqual([OPEN, MAX_REMEMBERED]);
	expect(bytesOf(state)).toBeLessThan(MAX_BYTES);
	expect(bytesOf(state)).toBeGreaterThan(0.8 * MAX_BYTES);
	const orders = new Map(
		[...state.orders].map(([key, order]) => [
			key,
			{ ...order, posted: { at: NOW, reference: 'r'.repeat(2_046) } },
		]),
	);
	expect(bytesOf({ ...state, orders })).toBeLessThan(MAX_BYTES + OPEN * 2_046);
});

it('of a list what it names is remembered, and nothing of what it named before', () => {
	let state = EMPTY_STATE;
	for (let round = 0; round < 3; round++) {
		state = withListOf(state, hashesOf(round), NOW + round);
		for (const key of hashesOf(round))
			state = applyCheck(
				state,
				key,
				{ kind: 'order', order: { status: 'completed' } },
				RULES,
				NOW,
			).state;
		expect([state.orders.size, state.finished.size]).toEqual([0, OPEN]);
		expect(bytesOf(state)).toBeLessThan(60 * OPEN);
	}
});
