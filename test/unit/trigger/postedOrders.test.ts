import fc from 'fast-check';

import { withoutOldPosted, withoutPosted, withPosted } from '../../../nodes/CrossChainBridge/trigger/postedOrders';
import { readStoredWatch, storedWatch } from '../../../nodes/CrossChainBridge/trigger/storedWatch';
import { afterLook, EMPTY_STATE, isOpen, type Look, openOrders, type WatchRules, type WatchState, withList } from '../../../nodes/CrossChainBridge/trigger/watchState';

const ALL: WatchRules = { events: ['completed', 'refunded', 'failed'], includeEnded: true };
const HOUR = 3_600_000;
const NOW = Date.parse('2026-01-01T00:00:00Z');

const posts = (...sourceHashes: string[]) => sourceHashes.map((sourceHash) => ({ sourceHash, reference: undefined }));
const look = (status: string, expiresAt?: number): Look => ({
	kind: 'order',
	order: { status, timing: expiresAt === undefined ? undefined : { expiry: expiresAt / 1000 } },
});

function posted(state: WatchState, ...sourceHashes: string[]): WatchState {
	const posting = withPosted(state, posts(...sourceHashes), ALL, NOW);
	if (posting === null) throw new Error('The watch is full');
	return posting.state;
}

test('a list that does not fit is refused as a whole; hashes that are watched already need no room', () => {
	const full = posted(EMPTY_STATE, ...Array.from({ length: 999 }, (_, i) => `0x${i}`));
	expect(withPosted(full, posts('0xnew1', '0xnew2'), ALL, NOW)).toBeNull();
	expect(withPosted(full, posts('0xbeef', '0xBEEF', '0x0'), ALL, NOW)).toMatchObject({ accepted: 1 });
	const ended = afterLook(full, '0x0', look('completed'), ALL, NOW).state;
	expect(withPosted(ended, posts('0xnew1', '0xnew2'), ALL, NOW)).toMatchObject({ accepted: 2 });
});

test('the orders of the list count as well', () => {
	const listed = withList(EMPTY_STATE, Array.from({ length: 1000 }, (_, i) => `0x${i}`), NOW);
	expect(withPosted(listed, posts('0xnew'), ALL, NOW)).toBeNull();
});

test('nothing new makes no new revision', () => {
	const ended = afterLook(posted(EMPTY_STATE, '0xa'), '0xa', look('failed'), ALL, NOW).state;
	expect(withPosted(ended, posts('0xa'), ALL, NOW + 1)?.state).toBe(ended);
	expect(withoutPosted(ended, ['0xa', '0xb'], ALL, NOW + 1).state).toBe(ended);
	expect(withoutOldPosted(ended, ALL, new Map(), NOW + 1)).toEqual({ state: ended, givenUp: [] });
});

test.each<[string, Look | null, number, boolean]>([
	['never found', null, 47.9, false],
	['never found', null, 48, true],
	['found, without an expiry', look('pending'), 47.9, false],
	['found, without an expiry', look('pending'), 48, true],
	['found, expires after an hour', look('executing', NOW + HOUR), 24.9, false],
	['found, expires after an hour', look('executing', NOW + HOUR), 25, true],
	['posted long after its expiry', look('pending', NOW - 90 * 24 * HOUR), 23.9, false],
	['posted long after its expiry', look('pending', NOW - 90 * 24 * HOUR), 24, true],
	['an expiry that is no time of this century', look('pending', NOW + 9e12), 31 * 24 - 0.1, false],
	['an expiry that is no time of this century', look('pending', NOW + 9e12), 31 * 24, true],
	['a word we do not know is open, and given up like any other', look('settling'), 48, true],
])('%s: after %3$s hours, the service having answered then, given up: %4$s', (_name, seen, hours, isGivenUp) => {
	let state = posted(EMPTY_STATE, '0xa');
	if (seen !== null) state = afterLook(state, '0xa', seen, ALL, NOW).state;
	const now = NOW + hours * HOUR;
	expect(withoutOldPosted(state, ALL, new Map([['0xa', NOW]]), now)).toEqual({ state, givenUp: [] });
	const { state: after, givenUp } = withoutOldPosted(state, ALL, new Map([['0xa', now]]), now);
	expect(givenUp.map(({ sourceHash }) => sourceHash)).toEqual(isGivenUp ? ['0xa'] : []);
	expect(after.orders.has('0xa')).toBe(!isGivenUp);
});

test('orders of the list are neither given up nor forgotten, posted or not', () => {
	let state = posted(withList(EMPTY_STATE, ['0xa', '0xb'], NOW), '0xb');
	state = afterLook(state, '0xa', look('completed'), ALL, NOW).state;
	const later = NOW + 1000 * HOUR;
	expect(withoutOldPosted(state, ALL, new Map([['0xa', later], ['0xb', later]]), later)).toEqual({ state, givenUp: [] });
});

test('of many ends the newest 5,000 are remembered', () => {
	let state = EMPTY_STATE;
	const orders = new Map(state.orders);
	const [template] = posted(EMPTY_STATE, '0xa').orders.values();
	if (template === undefined) throw new Error('No order');
	for (let i = 0; i < 5_010; i++) orders.set(`0x${i}`, { ...template, sourceHash: `0x${String(i).padStart(64, '0')}`, status: 'completed', told: true, endSeenAt: NOW + i });
	state = { revision: NOW, orders };
	const { state: after } = withoutOldPosted(state, ALL, new Map(), NOW + HOUR);
	expect(after.orders.size).toBe(5_000);
	expect(after.orders.has('0x9')).toBe(false);
	expect(after.orders.has('0x10')).toBe(true);
	expect(JSON.stringify(storedWatch(after)).length).toBeLessThan(1_100_000);
});

test('a reference is given back with the end, and not kept beyond it', () => {
	const state = withPosted(EMPTY_STATE, [{ sourceHash: '0xa', reference: { text: 'x'.repeat(2000) } }], ALL, NOW)?.state ?? EMPTY_STATE;
	const { state: after, news } = afterLook(state, '0xa', look('completed'), ALL, NOW);
	expect(news?.reference).toEqual({ text: 'x'.repeat(2000) });
	expect(JSON.stringify(storedWatch(after)).length).toBeLessThan(250);
});

test('a state of version 1, which knew no posted orders, is read: all its orders are listed', () => {
	const state = readStoredWatch({ version: 1, revision: 5, orders: [{ hash: '0xA', since: 3, status: 'completed', answered: true, told: true }] });
	expect([...(state?.orders ?? [])]).toEqual([
		['0xa', { sourceHash: '0xA', since: 3, listed: true, posted: null, status: 'completed', answered: true, told: true, endedBefore: false, endSeenAt: null, expiresAt: null }],
	]);
});

const HASHES = ['0xa', '0xb', '0xC', '__proto__', 'constructor'];
const anyHash = fc.constantFrom(...HASHES);
const anyAct = fc.oneof(
	fc.record({ act: fc.constant('post' as const), hash: anyHash, reference: fc.option(fc.jsonValue(), { nil: undefined }) }),
	fc.record({ act: fc.constant('delete' as const), hash: anyHash }),
	fc.record({ act: fc.constant('look' as const), hash: anyHash, status: fc.constantFrom('pending', 'executing', 'completed', 'failed', 'other', null) }),
	fc.record({ act: fc.constant('list' as const), hashes: fc.uniqueArray(anyHash) }),
	fc.record({ act: fc.constant('time' as const), hours: fc.integer({ min: 1, max: 60 }) }),
	fc.record({ act: fc.constant('restart' as const) }),
);

test('whatever is posted, listed, removed, seen and forgotten: each watched end is told once, with its newest reference', () => {
	fc.assert(
		fc.property(fc.array(anyAct, { maxLength: 60 }), (acts) => {
			let state: WatchState = EMPTY_STATE;
			let now = NOW;
			// What a caller believes: the reference of each order that is watched and has not ended.
			const expected = new Map<string, unknown>();
			let listed = new Set<string>();
			const key = (hash: string) => hash.toLowerCase();
			for (const step of acts) {
				now++;
				if (step.act === 'post') {
					const posting = withPosted(state, [{ sourceHash: step.hash, reference: step.reference }], ALL, now);
					if (posting === null) throw new Error('There is room for five');
					state = posting.state;
					if (posting.accepted === 1) expected.set(key(step.hash), step.reference ?? null);
					if (posting.alreadyWatched.length === 1 && step.reference !== undefined) expected.set(key(step.hash), step.reference);
				} else if (step.act === 'delete') {
					const removal = withoutPosted(state, [step.hash], ALL, now);
					state = removal.state;
					if (removal.removed === 1) expected.delete(key(step.hash));
				} else if (step.act === 'list') {
					state = withList(state, step.hashes, now);
					listed = new Set(step.hashes.map(key));
					for (const hash of listed) if (isOpenIn(state, hash) && !expected.has(hash)) expected.set(hash, null);
					for (const hash of expected.keys()) if (!state.orders.has(hash)) expected.delete(hash);
				} else if (step.act === 'look') {
					const seen: Look = step.status === null ? { kind: 'notFound' } : look(step.status);
					const { state: after, news } = afterLook(state, key(step.hash), seen, ALL, now);
					state = after;
					const isEnd = step.status === 'completed' || step.status === 'failed';
					expect(news === null).toBe(!(isEnd && expected.has(key(step.hash))));
					if (news !== null) expect(news.reference).toEqual(expected.get(key(step.hash)));
					if (news !== null) expected.delete(key(step.hash));
				} else if (step.act === 'time') {
					now += step.hours * HOUR;
					const old = withoutOldPosted(state, ALL, new Map([...state.orders.keys()].map((each) => [each, now])), now);
					state = old.state;
					for (const { sourceHash } of old.givenUp) {
						expect(listed.has(key(sourceHash))).toBe(false);
						expect(expected.delete(key(sourceHash))).toBe(true);
					}
				} else {
					state = readStoredWatch(JSON.parse(JSON.stringify(storedWatch(state)))) ?? EMPTY_STATE;
				}
				expect(new Set(openOrders(state, ALL))).toEqual(new Set(expected.keys()));
			}
		}),
		{ numRuns: 3000 },
	);
});

function isOpenIn(state: WatchState, key: string): boolean {
	const order = state.orders.get(key);
	return order !== undefined && isOpen(order, ALL);
}

test('an end is forgotten a day after it was seen, and not earlier', () => {
	const ended = afterLook(posted(EMPTY_STATE, '0xa'), '0xa', look('completed'), ALL, NOW).state;
	const sizeAt = (now: number) => withoutOldPosted(ended, ALL, new Map(), now).state.orders.size;
	expect([sizeAt(NOW + 24 * HOUR - 1), sizeAt(NOW + 24 * HOUR)]).toEqual([1, 0]);
});

test('posting an open order again begins its time anew', () => {
	const again = withPosted(posted(EMPTY_STATE, '0xa'), posts('0xa'), ALL, NOW + 10 * HOUR)?.state ?? EMPTY_STATE;
	const givenUpAt = (now: number) => withoutOldPosted(again, ALL, new Map([['0xa', now]]), now).givenUp.length;
	expect([givenUpAt(NOW + 50 * HOUR), givenUpAt(NOW + 58 * HOUR)]).toEqual([0, 1]);
});
