import { CALM_MS, Backoff } from '../../../nodes/CrossChainBridge/watch/backoff';

const LIMIT = 100;
const limited = (backoff: Backoff, now: number, changes: Partial<Parameters<Backoff['rateLimited']>[0]> = {}): void =>
	backoff.rateLimited({ sentAt: now, retryAfterMs: null, isOfWindow: true, ...changes }, now);
const after429 = (now = 0, limit = LIMIT): Backoff => {
	const backoff = new Backoff(limit, () => 0);
	limited(backoff, now);
	return backoff;
};

describe('before any 429', () => {
	const backoff = new Backoff(LIMIT, () => 0.5);

	test('the whole limit may be sent at any pace, at once', () => {
		expect([backoff.perMinute(0), backoff.isPaced(0), backoff.readyAt, backoff.burst(0)]).toEqual([LIMIT, false, Number.NEGATIVE_INFINITY, 50]);
		expect(backoff.holdsAt(1_000, 7)).toBe(7);
		expect(backoff.tokensBy(7, 7, 7)).toBe(Number.POSITIVE_INFINITY);
	});
});

describe('a pause', () => {
	test.each([
		[2_000, 0.5, 2_100],
		[2_000, 0, 2_000],
		[60_000, 0.5, 60_250],
		[0, 0.5, 0],
		[-5, 0.5, 0],
		[1e9, 0.5, 3_600_250],
	])('of %p ms with chance %p is over after %p', (retryAfterMs, chance, readyAt) => {
		const backoff = new Backoff(LIMIT, () => chance);
		backoff.pause(retryAfterMs, 10_000);
		expect(backoff.readyAt).toBe(10_000 + readyAt);
	});

	test('is never made shorter by another', () => {
		const backoff = new Backoff(LIMIT, () => 0);
		backoff.pause(30_000, 0);
		backoff.pause(1_000, 0);
		limited(backoff, 5_000);
		expect(backoff.readyAt).toBe(30_000);
	});
});

describe('a 429', () => {
	test.each([
		[100, 0, 90],
		[100, 9_999, 90],
		[100, 10_000, 81],
		[100, 25_000, Math.floor(100 * 0.9 ** 3)],
		[100, 3_600_000, 10],
		[5, 3_600_000, 1],
		[20, 0, 18],
	])('of a limit of %p with a Retry-After of %p ms leaves %p a minute', (limit, retryAfterMs, perMinute) => {
		const backoff = new Backoff(limit, () => 0);
		limited(backoff, 1_000, { retryAfterMs });
		expect(backoff.perMinute(1_000)).toBe(perMinute);
		expect(backoff.isPaced(1_000)).toBe(true);
	});

	test.each([
		[9_999, 90],
		[10_000, 81],
	])('%p ms after another leaves %p', (now, perMinute) => {
		const backoff = after429();
		limited(backoff, now);
		expect(backoff.perMinute(now)).toBe(perMinute);
	});

	test('of a request that was in flight at the last one says nothing new, but for its pause', () => {
		const backoff = after429(20_000);
		limited(backoff, 50_000, { sentAt: 19_999 });
		expect([backoff.perMinute(50_000), backoff.readyAt]).toEqual([90, 21_000]);
		limited(backoff, 50_000, { sentAt: 19_999, retryAfterMs: 7_000 });
		expect([backoff.perMinute(50_000), backoff.readyAt]).toEqual([90, 57_000]);
		limited(backoff, 50_000, { sentAt: 20_000 });
		expect(backoff.perMinute(50_000)).toBe(81);
	});

	test('pauses for twice as long each time in a row, up to 5 s, and as at first after an answer', () => {
		const backoff = new Backoff(LIMIT, () => 0.25);
		const pauses = [0, 100_000, 200_000, 300_000].map((now) => {
			limited(backoff, now);
			return backoff.readyAt - now;
		});
		expect(pauses).toEqual([1_500, 3_000, 5_000, 5_000]);
		backoff.answered(304_999);
		limited(backoff, 400_000);
		expect(backoff.readyAt).toBe(405_000);
		backoff.answered(405_000);
		limited(backoff, 500_000);
		expect(backoff.readyAt).toBe(501_500);
	});

	test('with a Retry-After is not one more in a row', () => {
		const backoff = new Backoff(LIMIT, () => 0);
		limited(backoff, 0, { retryAfterMs: 2_000 });
		limited(backoff, 100_000);
		expect(backoff.readyAt).toBe(101_000);
	});

	test.each([
		[59_999, 100],
		[60_000, 90],
	])('for another reason undoes what was reduced, as do those within a minute: %p ms later there are %p', (later, perMinute) => {
		const backoff = after429();
		limited(backoff, 1_000, { isOfWindow: false });
		expect(backoff.perMinute(1_000)).toBe(100);
		limited(backoff, 1_000 + later);
		expect(backoff.perMinute(1_000 + later)).toBe(perMinute);
		expect(backoff.isPaced(1_000 + later)).toBe(true);
	});

	test('for another reason undoes one step at a time, and reduces nothing where nothing was reduced', () => {
		const backoff = after429();
		limited(backoff, 10_000);
		limited(backoff, 10_001, { isOfWindow: false });
		expect(backoff.perMinute(10_001)).toBe(90);
		const whole = new Backoff(LIMIT, () => 0);
		limited(whole, 0, { isOfWindow: false });
		expect([whole.perMinute(0), whole.isPaced(0), whole.readyAt]).toEqual([100, false, 1_000]);
	});
});

describe('another limit', () => {
	test.each([
		[200, 90],
		[90, 90],
		[50, 50],
	])('of %p leaves what a 429 has reduced at %p', (limit, perMinute) => {
		const backoff = after429();
		backoff.setLimit(limit);
		expect(backoff.perMinute(0)).toBe(perMinute);
	});

	test('counts at once where nothing was reduced', () => {
		const backoff = new Backoff(LIMIT, () => 0);
		backoff.setLimit(7);
		expect([backoff.perMinute(0), backoff.isPaced(0)]).toEqual([7, false]);
	});
});

describe('recovery', () => {
	test.each([
		[59_999, 90],
		[60_000, 92],
		[120_000, 95],
		[180_000, 98],
		[240_000, 100],
	])('brings the limit back: after %p ms it is %p', (now, perMinute) => {
		expect(after429().perMinute(now)).toBe(perMinute);
	});

	test('is by a part of the whole limit where little is left', () => {
		const backoff = new Backoff(1_000, () => 0);
		limited(backoff, 0, { retryAfterMs: 3_600_000 });
		expect([0, 60_000, 120_000].map((now) => backoff.perMinute(now))).toEqual([100, 103, 106]);
	});

	test.each([
		[899_999, true],
		[900_000, false],
	])('keeps an even pace until 15 minutes have passed since a 429: after %p ms %p', (now, isPaced) => {
		expect(after429().isPaced(now)).toBe(isPaced);
	});

	test('is no less for being asked about often', () => {
		const [often, once] = [after429(), after429()];
		for (let now = 0; now <= 200_000; now += 700) often.perMinute(now);
		expect(often.perMinute(200_000)).toBe(once.perMinute(200_000));
	});

	test('begins with the first 429, and goes on through others', () => {
		const backoff = after429();
		limited(backoff, 50_000);
		expect([backoff.perMinute(59_999), backoff.perMinute(60_000)]).toEqual([81, 83]);
	});

	test('begins anew with a 429 after all has recovered', () => {
		const backoff = after429();
		backoff.spend(1, 1_000_000);
		limited(backoff, 1_000_000);
		expect([1_000_000, 1_059_999, 1_060_000].map((now) => backoff.perMinute(now))).toEqual([90, 90, 92]);
		expect(backoff.tokensBy(1_000_000, 1_000_000, 1_000_000)).toBe(2);
	});
});

describe('an even pace', () => {
	test.each([
		[100, 0, 0.9, 40],
		[100, 50_000, 0.9 ** 6, 14],
		[100, 3_600_000, 0.1, 2],
		[20, 0, 0.9, 8],
	])('of a limit of %p after a Retry-After of %p ms, which leaves %p of it, has room for %p at once, after a long one only when that is over', (limit, retryAfterMs, part, burst) => {
		const backoff = new Backoff(limit, () => 0);
		limited(backoff, 0, { retryAfterMs });
		expect(backoff.perMinute(0)).toBe(Math.floor(limit * part));
		expect([backoff.burst(CALM_MS - 1), backoff.burst(CALM_MS)]).toEqual([retryAfterMs > 0 ? 2 : burst, burst]);
	});

	test.each([
		[null, 2],
		[9_999, 40],
		[10_000, 2],
	])('after a 429 with a Retry-After of %p ms has room for %p at once, for a while', (retryAfterMs, burst) => {
		const backoff = new Backoff(LIMIT, () => 0);
		limited(backoff, 0, { retryAfterMs });
		expect(backoff.burst(CALM_MS - 1)).toBe(burst);
		expect(backoff.burst(CALM_MS)).toBeGreaterThan(30);
	});

	test('lets a token come every so often once the bucket is empty', () => {
		const backoff = after429();
		expect(backoff.holdsAt(2, 0)).toBe(0);
		expect(backoff.holdsAt(3, 0)).toBe(667);
		backoff.spend(2, 0);
		expect(backoff.holdsAt(0, 0)).toBe(0);
		expect(backoff.holdsAt(1, 0)).toBe(667);
		expect(backoff.holdsAt(3, 0)).toBe(2_000);
		expect(backoff.holdsAt(1, 666)).toBe(667);
		expect(backoff.holdsAt(1, 667)).toBe(667);
	});

	test('allows so many by a time, from a time on', () => {
		const backoff = after429();
		backoff.spend(2, 0);
		expect([0, 666, 667, 2_000, 20_000].map((time) => backoff.tokensBy(time, 0, 0))).toEqual([0, 0, 1, 3, 30]);
		expect([1_000, 3_000].map((time) => backoff.tokensBy(time, 1_000, 0))).toEqual([1, 4]);
		expect([10_000, CALM_MS - 1, CALM_MS, 2 * CALM_MS].map((from) => backoff.tokensBy(from, from, 0))).toEqual([2, 2, 40, 40]);
		backoff.spend(6, 0);
		expect(backoff.tokensBy(1_000, 0, 0)).toBe(0);
		expect(backoff.tokensBy(4_000, 0, 0)).toBe(0);
		expect(backoff.tokensBy(6_000, 0, 0)).toBe(3);
	});

	test('takes back what was not sent, and holds no more than it has room for', () => {
		const backoff = after429();
		backoff.spend(1, 0);
		backoff.spend(-1, 0);
		backoff.spend(-1, 0);
		expect(backoff.tokensBy(0, 0, 0)).toBe(2);
		expect(backoff.tokensBy(30_000, 30_000, 30_000)).toBe(2);
		expect(backoff.tokensBy(CALM_MS + 60_000, CALM_MS + 60_000, CALM_MS + 60_000)).toBe(Math.floor(50 * (0.9 * 1.03) ** 2));
	});

	test('keeps what another 429 leaves room for', () => {
		const full = after429();
		const later = 2 * CALM_MS;
		expect(full.tokensBy(later, later, later)).toBeGreaterThan(40);
		limited(full, later);
		expect(full.tokensBy(later, later, later)).toBe(2);
		const empty = after429();
		empty.spend(4, 0);
		limited(empty, 1_000);
		expect([empty.tokensBy(1_000, 1_000, 1_000), empty.tokensBy(2_000, 1_000, 1_000)]).toEqual([0, 1]);
	});

	test('counts no request that is sent before it begins', () => {
		const backoff = new Backoff(LIMIT, () => 0);
		backoff.spend(30, 0);
		limited(backoff, 0);
		expect(backoff.tokensBy(0, 0, 0)).toBe(2);
	});
});
