import fc from 'fast-check';

import { withoutPosted, withPosted } from '../../../nodes/CrossChainBridge/trigger/postedOrders';
import { readStoredWatch, storedWatch } from '../../../nodes/CrossChainBridge/trigger/storedWatch';

import { afterLook, EMPTY_STATE, type Look, newestOf, openOrders, type WatchRules, type WatchState, withList, withListOf } from '../../../nodes/CrossChainBridge/trigger/watchState';

const ALL: WatchRules = { events: ['completed', 'refunded', 'failed'], includeEnded: true };
const LATER_ONLY: WatchRules = { ...ALL, includeEnded: false };
const LISTED_AT = Date.parse('2026-01-01T00:00:00.500Z');
const seconds = (iso: string) => Date.parse(iso) / 1000;

const order = (status: unknown, timing?: object): Look => ({ kind: 'order', order: { status, timing } });
const NOT_FOUND: Look = { kind: 'notFound' };

/** The events that a sequence of looks at one order brings. */
function eventsOf(looks: Look[], rules: WatchRules): string[] {
	let state = withList(EMPTY_STATE, ['0xa'], LISTED_AT);
	return looks.flatMap((look, i) => {
		const next = afterLook(state, '0xa', look, rules, LISTED_AT + i);
		state = next.state;
		return next.news === null ? [] : [`${next.news.previousStatus ?? '-'}>${next.news.event}`];
	});
}

test.each<[string, Look[], WatchRules, string[]]>([
	['open, then its end', [order('pending'), order('executing'), order('completed')], ALL, ['executing>completed']],
	['the same end again', [order('failed'), order('failed'), order('failed')], ALL, ['->failed']],
	['another end after it was told', [order('failed'), order('refunded')], ALL, ['->failed']],
	['a word we do not know is open', [order('settling'), order('Completed'), order('refunded')], ALL, ['Completed>refunded']],
	['no status at all is open', [order(undefined), order(null), order(7), order('completed')], ALL, ['->completed']],
	['not found at first', [NOT_FOUND, NOT_FOUND, order('completed')], LATER_ONLY, ['->completed']],
	['an event that is not chosen', [order('pending'), order('completed')], { ...ALL, events: ['failed'] }, []],
	['no event is chosen', [order('failed')], { ...ALL, events: [] }, []],
	['ended before it was listed, wanted', [order('completed', { completedAt: seconds('2025-12-31T23:00:00Z') })], ALL, ['->completed']],
	['ended before it was listed, not wanted', [order('completed', { completedAt: seconds('2025-12-31T23:59:59Z') })], LATER_ONLY, []],
	['ended in the second in which it was listed', [order('completed', { completedAt: seconds('2026-01-01T00:00:00Z') })], LATER_ONLY, ['->completed']],
	['ended after it was listed, before the first look', [order('failed', { completedAt: seconds('2026-01-01T00:00:09Z') })], LATER_ONLY, ['->failed']],
	['at the first answer ended, no time stated', [order('refunded')], LATER_ONLY, []],
	['seen open, then ended with an old time', [order('pending'), order('completed', { completedAt: 1 })], LATER_ONLY, ['pending>completed']],
])('%s', (_name, looks, rules, events) => {
	expect(eventsOf(looks, rules)).toEqual(events);
});

test('which orders are still looked at follows the rules of the moment', () => {
	let state = withList(EMPTY_STATE, ['0xa', '0xb', '0xc'], LISTED_AT);
	state = afterLook(state, '0xa', order('completed'), LATER_ONLY, LISTED_AT).state;
	state = afterLook(state, '0xb', order('failed'), { ...ALL, events: ['completed'] }, LISTED_AT).state;
	expect(openOrders(state, LATER_ONLY)).toEqual(['0xc']);
	expect(openOrders(state, { ...ALL, events: ['completed'] })).toEqual(['0xa', '0xc']);
	expect(openOrders(state, ALL)).toEqual(['0xa', '0xb', '0xc']);
});

test('the list: new ones come, removed ones leave, the others stay as they were', () => {
	let state = withList(EMPTY_STATE, ['0xa', '0xB'], 1000);
	state = afterLook(state, '0xb', order('failed'), ALL, 2000).state;
	const next = withList(state, ['0xc', '0xb'], 3000);
	expect([...next.orders.keys()]).toEqual(['0xc', '0xb']);
	expect(next.orders.get('0xb')).toMatchObject({ since: 1000, told: true, status: 'failed' });
	expect(next.orders.get('0xc')).toMatchObject({ since: 3000, told: false, status: null });
	expect(next.revision).toBe(3000);
	expect(withList(next, ['0xb', '0xc'], 4000).revision).toBe(3000);
});

test('another order and spelling of the list is taken over, without a new revision', () => {
	const state = withList(EMPTY_STATE, ['0xa', '0xb'], 1000);
	const next = withList(state, ['0xB', '0xa'], 2000);
	expect([...next.orders.values()].map(({ sourceHash }) => sourceHash)).toEqual(['0xB', '0xa']);
	expect(next.revision).toBe(state.revision);
});

test('a list that does not count after all: the one of before is there again, with all that has become of its orders and of posts', () => {
	const post = (...sourceHashes: string[]) => sourceHashes.map((sourceHash) => ({ sourceHash, reference: sourceHash }));
	const posting = (state: WatchState, ...sourceHashes: string[]): WatchState => {
		const posted = withPosted(state, post(...sourceHashes), ALL, 1500);
		if (posted === null) throw new Error('There is no room');
		return posted.state;
	};
	const before = posting(withList(EMPTY_STATE, ['0xa', '0xb', '0xc'], 1000), '0xc', '0xd', '0xe');
	let state = withList(before, ['0xa', '0xf', '0x9'], 2000);
	state = afterLook(state, '0xa', order('completed'), ALL, 2100).state;
	state = withoutPosted(state, ['0xd'], ALL, 2200).state;
	state = posting(state, '0x8', '0x9');
	const after = withListOf(before, state, 3000);
	const listed = [...after.orders].map(([key, { listed: isListed, posted }]) => [key, isListed, posted !== null]);
	expect(listed).toEqual([
		['0xa', true, false],
		['0xb', true, false],
		['0xc', true, true],
		['0xe', false, true],
		['0x9', false, true],
		['0x8', false, true],
	]);
	expect(after.orders.get('0xa')).toMatchObject({ since: 1000, told: true });
	expect(after.revision).toBe(3000);
});

test('a refusal of a hash says nothing about its order', () => {
	const state = withList(EMPTY_STATE, ['0xa'], LISTED_AT);
	expect(afterLook(state, '0xa', { kind: 'refused' }, ALL, LISTED_AT)).toEqual({ state, news: null });
});

test('a look at an order that is not listed changes nothing', () => {
	const state = withList(EMPTY_STATE, ['0xa'], LISTED_AT);
	expect(afterLook(state, '0xb', order('completed'), ALL, LISTED_AT)).toEqual({ state, news: null });
});

test('a look that shows nothing new makes no new revision', () => {
	const state = afterLook(withList(EMPTY_STATE, ['0xa'], 1), '0xa', order('pending'), ALL, 2).state;
	expect(afterLook(state, '0xa', order('pending'), ALL, 3).state).toBe(state);
});

test('revisions grow even when the clock goes back, and the newest copy wins', () => {
	const first = withList(EMPTY_STATE, ['0xa'], 5000);
	const second = afterLook(first, '0xa', order('completed'), ALL, 4000).state;
	expect(second.revision).toBeGreaterThan(first.revision);
	expect(newestOf([first, null, second])).toBe(second);
	expect(newestOf([])).toBe(EMPTY_STATE);
});

const anyLook = fc.oneof(
	fc.constant(NOT_FOUND),
	fc.constantFrom('pending', 'executing', 'completed', 'refunded', 'failed', 'other').map((status) => order(status)),
);
const HASHES = ['0xa', '0xb', '__proto__', 'constructor'];

test('whatever happens, an end is told at most once while listed, and only one that was seen', () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.constantFrom(...HASHES), anyLook), { maxLength: 40 }), fc.boolean(), (looks, includeEnded) => {
			let state: WatchState = withList(EMPTY_STATE, HASHES, 0);
			const told = new Map<string, number>();
			for (const [hash, look] of looks) {
				const next = afterLook(state, hash, look, { ...ALL, includeEnded }, 0);
				// What is kept is read back as it was.
				expect(readStoredWatch(JSON.parse(JSON.stringify(storedWatch(next.state))))).toEqual(next.state);
				state = next.state;
				if (next.news === null) continue;
				expect(look.kind === 'order' && look.order.status).toBe(next.news.event);
				told.set(hash, (told.get(hash) ?? 0) + 1);
			}
			for (const count of told.values()) expect(count).toBe(1);
		}),
		{ numRuns: 2000 },
	);
});

test('anything that this version did not write is no state', () => {
	fc.assert(
		fc.property(fc.oneof(fc.jsonValue(), fc.record({ version: fc.constantFrom(1, 2, '1'), revision: fc.jsonValue(), orders: fc.jsonValue() })), (stored) => {
			const read = readStoredWatch(stored);
			if (read !== null) expect(Array.isArray((stored as { orders: unknown }).orders)).toBe(true);
		}),
		{ numRuns: 2000 },
	);
});

test('1,000 orders take less than 300 KB', () => {
	const hashes = Array.from({ length: 1000 }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`);
	let state = withList(EMPTY_STATE, hashes, LISTED_AT);
	for (const hash of hashes) state = afterLook(state, hash, order('completed', { completedAt: 1 }), LATER_ONLY, LISTED_AT).state;
	expect(JSON.stringify(storedWatch(state)).length).toBeLessThan(300_000);
});
