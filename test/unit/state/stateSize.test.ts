import { storedWatch } from '../../../nodes/CrossChainBridge/state/codec';
import { digestOf, MAX_REMEMBERED } from '../../../nodes/CrossChainBridge/state/finished';
import { EMPTY_STATE, type WatchState } from '../../../nodes/CrossChainBridge/state/state';
import { checked, finished, NOW, post, posting, shown } from './states';

/**
 * n8n writes all that a trigger remembers with each change, and n8n 2.8 copies it into each execution, so it has to stay
 * small however long the trigger runs: 1,000 open orders and 5,000 remembered ones are the most there can be.
 */
const MAX_BYTES = 600_000;

const OPEN = 1_000;

const hashesOf = (round: number) =>
	Array.from(
		{ length: OPEN },
		(_, place) => `0x${(round * OPEN + place).toString(16).padStart(64, '0')}`,
	);
const bytesOf = (state: WatchState) => Buffer.byteLength(JSON.stringify(storedWatch(state)));

/** Thousands of posted orders have finished, and a thousand more are open. */
function atItsLimits(reference: string): WatchState {
	const earlier = Array.from(
		{ length: MAX_REMEMBERED - OPEN / 2 },
		(_, i) => [digestOf(`0x${i}`), finished()] as const,
	);
	let state: WatchState = { ...EMPTY_STATE, finished: new Map(earlier) };
	for (const [round, status] of ['completed', 'executing'].entries()) {
		const now = NOW + round * 60_000;
		const orders = hashesOf(round).map((hash) => post(hash, reference, now - 1000));
		state = posting(state, orders, { now }).state;
		for (const key of hashesOf(round)) {
			const timing = { expiry: Math.floor(now / 1000) + 600 };
			const outcome = shown(status, { orderId: `order of ${key}`, input: { txHash: key }, timing });
			state = checked(state, outcome, { key, now });
			expect(state.finished.size).toBeLessThanOrEqual(MAX_REMEMBERED);
		}
	}
	return state;
}

it('at its limits, with short references, the state takes less than 600 KB; longer ones add what they take themselves', () => {
	const state = atItsLimits('Invoice 4711');
	expect([state.orders.size, state.finished.size]).toEqual([OPEN, MAX_REMEMBERED]);
	expect(bytesOf(state)).toBeLessThan(MAX_BYTES);
	expect(bytesOf(state)).toBeGreaterThan(0.8 * MAX_BYTES);
	const posted = { at: NOW, reference: 'r'.repeat(2_046) };
	const orders = new Map([...state.orders].map(([key, order]) => [key, { ...order, posted }]));
	expect(bytesOf({ ...state, orders })).toBeLessThan(MAX_BYTES + OPEN * 2_046);
});
