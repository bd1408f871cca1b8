import { Backoff } from '../../../nodes/CrossChainBridge/budget/backoff';

const LIMIT = 100;
const MINUTE = 60_000;
const LONG_AGO = Number.NEGATIVE_INFINITY;

const half = () => 0.5;
const backoff = (begunAt = LONG_AGO) => new Backoff({ random: half, begunAt });
type Answer = Parameters<Backoff['limited']>[0];
const limitedAt = (it: Backoff, now: number, more: Partial<Answer> = {}) => {
	const ownPart = more.ownPart ?? 0.5;
	const answer = { sentAt: now - 50, retryAfterMs: null, sentPart: ownPart, ...more, ownPart };
	it.limited(answer, LIMIT, now);
};
const shareOf = (it: Backoff, now: number) => Math.round(it.perMinute(LIMIT, now) * 10) / 10;

describe('a pause', () => {
	test('is waited out, and up to half a second longer', () => {
		const it = backoff();
		it.pause(2_000, 1_000);
		expect(it.readyAt).toBe(3_250);
	});

	test('that a 429 asks for is no longer than that, and up to half a second', () => {
		const it = backoff();
		limitedAt(it, 1_000, { retryAfterMs: 400 });
		expect(it.readyAt).toBe(1_650);
	});

	test('is never made shorter by another', () => {
		const it = backoff();
		it.pause(60_000, 0);
		const before = it.readyAt;
		it.pause(1_000, 10);
		limitedAt(it, 20);
		expect(it.readyAt).toBe(before);
	});

	test.each([
		[0, 1_000],
		[0.999, 5_000],
	])('after a 429 without a time is random (%d): about %d ms', (random, pause) => {
		const it = new Backoff({ random: () => random });
		limitedAt(it, 1_000);
		expect(it.readyAt - 1_000).toBeCloseTo(pause, -1);
	});
});

describe('the share of the limit', () => {
	test('is all of it before a 429, and at least one request a minute', () => {
		expect(shareOf(backoff(), 5)).toBe(LIMIT);
		const it = backoff();
		it.limited({ sentAt: 0, retryAfterMs: null, ownPart: 0, sentPart: 1 }, 1, 1);
		expect(it.perMinute(1, 1)).toBe(1);
	});

	test.each([
		[0, 60],
		[0.5, 50],
		[1, 40],
		[1.4, 40],
	])('after the first 429 makes up for what was its own (%d of the limit): %d', (ownPart, left) => {
		const it = backoff();
		limitedAt(it, 1_000, { ownPart });
		expect(shareOf(it, 1_000)).toBe(left);
	});

	test.each([
		[9_999, 93],
		[10_000, 50],
		[60_000, 50],
	])('after a first 429 that asks for a pause of %d ms: %d', (retryAfterMs, left) => {
		const it = backoff();
		limitedAt(it, 1_000, { retryAfterMs });
		expect(shareOf(it, 1_000)).toBe(left);
	});

	test('grows faster where it is larger', () => {
		const gain = (ownPart: number) => {
			const it = backoff();
			limitedAt(it, 0, { ownPart });
			return shareOf(it, 5 * MINUTE) - shareOf(it, 4 * MINUTE);
		};
		// The one begins with 60, the other with 40.
		expect(gain(0)).toBeGreaterThan(2 * gain(1));
	});

	test('stays as it is for two minutes after the first, then grows slowly, then faster, up to all', () => {
		const it = backoff();
		limitedAt(it, 0);
		const at = (minutes: number) => shareOf(it, minutes * MINUTE);
		expect([at(2), at(3), at(3.5)]).toEqual([50, 51, 51.5]);
		const slow = at(3) - at(2);
		expect(at(5) - at(4)).toBeGreaterThan(3 * slow);
		expect(at(30)).toBe(LIMIT);
	});

	test.each<[number | null, number]>([
		[null, 1],
		[15_000, 1],
		[16_000, 2],
		[40_000, 5],
	])('is reduced by a later 429 with Retry-After %p as by %d', (retryAfterMs, times) => {
		const it = backoff();
		limitedAt(it, 0);
		limitedAt(it, 5_000, { retryAfterMs });
		expect(shareOf(it, 5_000)).toBe(Math.max(10, Math.round(500 * 0.93 ** times) / 10));
	});

	test('is reduced once in four seconds, and no further than a tenth', () => {
		const crowded = backoff();
		limitedAt(crowded, 0);
		limitedAt(crowded, 3_999, { sentAt: 3_900 });
		expect(shareOf(crowded, 3_999)).toBe(50);
		const stray = backoff();
		for (const at of [0, 3_999]) limitedAt(stray, at, { retryAfterMs: 3_000 });
		expect(shareOf(stray, 3_999)).toBeGreaterThan(92);
		limitedAt(stray, 4_000, { retryAfterMs: 3_000, sentAt: 3_999 });
		expect(shareOf(stray, 4_000)).toBeLessThan(87);
		for (let at = 0; at < 60; at++) limitedAt(crowded, 10_000 + 5_000 * at);
		expect(shareOf(crowded, 305_000)).toBe(10);
	});

	test('is not reduced by what was in flight at the last 429', () => {
		const it = backoff();
		limitedAt(it, 10_000);
		limitedAt(it, 20_000, { sentAt: 9_999 });
		expect(shareOf(it, 20_000)).toBe(50);
	});

	test('of a process that has hardly used it is not reduced while the window shows what others have sent', () => {
		const it = backoff();
		limitedAt(it, 0, { ownPart: 0 });
		limitedAt(it, 30_000, { ownPart: 0.1 });
		expect(shareOf(it, 30_000)).toBe(60);
		limitedAt(it, 40_000, { ownPart: 0.2 });
		expect(shareOf(it, 40_000)).toBeLessThan(60);
	});

	test('of a process that sends little is not reduced where there is room again soon, however often', () => {
		const idle = backoff();
		for (let at = 0; at < 20; at++)
			limitedAt(idle, 10_000 * at, { retryAfterMs: 3_000, ownPart: 0, sentPart: 0.2 });
		expect(shareOf(idle, 200_000)).toBe(LIMIT);
		// Refused requests count as sent: one that continues to send is slowed.
		const busy = backoff();
		for (let at = 0; at < 20; at++)
			limitedAt(busy, 10_000 * at, { retryAfterMs: 3_000, ownPart: 0, sentPart: 0.5 });
		expect(shareOf(busy, 190_000)).toBeLessThan(60);
	});

	test('is halved again by a crowded 429 only when there was none for 15 minutes', () => {
		const it = backoff();
		limitedAt(it, 0);
		limitedAt(it, 14 * MINUTE);
		expect(shareOf(it, 14 * MINUTE)).toBeGreaterThan(60);
		limitedAt(it, 30 * MINUTE);
		expect(shareOf(it, 30 * MINUTE)).toBe(50);
	});
});

describe('the bucket', () => {
	test('begins with the whole share, and earns it again within a minute', () => {
		const it = backoff();
		expect(it.tokens(LIMIT, 0)).toBeCloseTo(100);
		expect([it.capacity(LIMIT, 0), it.containsAt(1, LIMIT, 7)]).toEqual([LIMIT, 7]);
		for (let sent = 0; sent < 100; sent++) it.spend(1, LIMIT, 0);
		expect(it.tokens(LIMIT, 0)).toBeCloseTo(0);
		expect(it.containsAt(1, LIMIT, 0)).toBe(600);
		expect(it.tokens(LIMIT, 30_000)).toBeCloseTo(50);
		expect(it.tokens(LIMIT, 0, 30_000)).toBeCloseTo(50);
		expect(it.tokens(LIMIT, 90_000)).toBeCloseTo(100);
	});

	test('gives back what was not sent', () => {
		const it = backoff();
		it.spend(1, LIMIT, 0);
		it.spend(-1, LIMIT, 0);
		expect(it.tokens(LIMIT, 0)).toBeCloseTo(100);
	});

	test('contains two tokens for a minute after a crowded 429, and more are earned, not given', () => {
		const it = backoff();
		limitedAt(it, 0);
		for (const at of [0, 30_000, 60_000]) expect(it.tokens(LIMIT, at)).toBeCloseTo(2);
		expect([it.capacity(LIMIT, 59_999), it.capacity(LIMIT, 60_000)]).toEqual([2, 50]);
		expect(it.tokens(LIMIT, 66_000)).toBeCloseTo(7);
		const stray = backoff();
		limitedAt(stray, 0, { retryAfterMs: 9_999 });
		expect(stray.tokens(LIMIT, 0)).toBeCloseTo(93);
	});

	test('lacks all that was sent before a crowded 429, until that is earned at the smaller share', () => {
		const it = backoff();
		it.spend(LIMIT, LIMIT, 0);
		limitedAt(it, 0, { ownPart: 1 });
		// At 40 a minute, a hundred tokens are earned within two and a half.
		expect(it.tokens(LIMIT, 1.5 * MINUTE)).toBeCloseTo(0);
	});

	test('of a process that has just begun contains a tenth of the limit, and fills within its first minute', () => {
		const it = backoff(0);
		expect(it.tokens(LIMIT, 0)).toBeCloseTo(10);
		for (let sent = 0; sent < 10; sent++) it.spend(1, LIMIT, 0);
		expect(it.containsAt(1, LIMIT, 0)).toBe(600);
		expect(backoff(0).tokens(LIMIT, 60_000)).toBeCloseTo(100);
		// Also a small limit lets the first request through.
		expect(backoff(0).tokens(1, 0)).toBeGreaterThanOrEqual(1);
	});

	test('is no smaller for a limit that was smaller for a while', () => {
		const it = backoff();
		it.spend(1, 1, 0);
		expect(it.tokens(LIMIT, 0)).toBeCloseTo(99);
	});
});
