import { withoutOldPosted, withPosted } from '../../../nodes/CrossChainBridge/trigger/postedOrders';
import { storedWatch } from '../../../nodes/CrossChainBridge/trigger/storedWatch';
import { afterLook, EMPTY_STATE, type WatchRules, withList } from '../../../nodes/CrossChainBridge/trigger/watchState';

/**
 * n8n writes all that a trigger remembers with each change, so that has to stay small however long the trigger runs.
 * docs/limits.md promises about 3.4 MB for the most there can be: 1,000 open orders with references of 2 KB each, and 5,000
 * remembered ends.
 */
const MOST_BYTES = 3_500_000;

const OPEN = 1_000;
const REFERENCE = 'r'.repeat(2_046);
const RULES: WatchRules = { events: ['completed', 'refunded', 'failed'], includeEnded: true };
const NOW = Date.parse('2026-01-01T00:00:00Z');

const hashOf = (round: number, place: number) => `0x${(round * OPEN + place).toString(16).padStart(64, '0')}`;
const hashesOf = (round: number) => Array.from({ length: OPEN }, (_, place) => hashOf(round, place));

it('what is remembered of posted orders stays under a stated size, however many have come and ended', () => {
	let state = EMPTY_STATE;
	for (let round = 0; round < 7; round++) {
		const now = NOW + round * 60_000;
		const posting = withPosted(state, hashesOf(round).map((sourceHash) => ({ sourceHash, reference: REFERENCE })), RULES, now);
		if (posting === null) throw new Error('There is no room');
		state = withoutOldPosted(posting.state, RULES, new Map(), now).state;
		const status = round < 6 ? 'completed' : 'executing';
		const order = { status, timing: { expiry: Math.floor(now / 1000) + 600 } };
		for (const key of hashesOf(round)) state = afterLook(state, key, { kind: 'order', order }, RULES, now).state;
	}
	const open = [...state.orders.values()].filter(({ expiresAt, posted }) => expiresAt !== null && posted?.reference === REFERENCE);
	expect([state.orders.size, open.length]).toEqual([6_000, OPEN]);
	const bytes = JSON.stringify(storedWatch(state)).length;
	expect(bytes).toBeLessThan(MOST_BYTES);
	expect(bytes).toBeGreaterThan(0.9 * MOST_BYTES);
});

it('of a list what it names is remembered, and nothing of what it named before', () => {
	let state = EMPTY_STATE;
	for (let round = 0; round < 3; round++) {
		state = withList(state, hashesOf(round), NOW + round);
		for (const key of hashesOf(round)) state = afterLook(state, key, { kind: 'order', order: { status: 'completed' } }, RULES, NOW).state;
		expect(state.orders.size).toBe(OPEN);
		expect(JSON.stringify(storedWatch(state)).length).toBeLessThan(MOST_BYTES / 10);
	}
});
