import { CALM_MS, Backoff } from '../../../nodes/CrossChainBridge/budget/backoff';

const LIMIT = 100;
const limited = (
	backoff: Backoff,
	now: number,
	changes: Partial<Parameters<Backoff['rateLimited']>[0]> = {},
): void =>
	backoff.rateLimited(
		{ sentAt: now, retryAfterMs: null, isOfWindow: true, own: LIMIT / 2, ...changes },
		now,
	);
const after429 = (now = 0): Backoff => {
	const backoff = new Backoff(LIMIT, () => 0);
	limited(backoff, now);
	return backoff;
};
/** After a 429 of which the minute is over at 0, and an answer since: what comes next is about the pace. */
const minuteAfter429 = (): Backoff => {
	const backoff = after429(-60_000);
	backoff.answered(-1_000);
	return backoff;
};
/** A share grows by 2 % a minute, in six steps. */
const STEP_OF_GROWTH = 1 + 0.02 / 6;
const GROWN = 50 * STEP_OF_GROWTH ** 6;

describe('before any 429', () => {
	const backoff = new Backoff(LIMIT, () => 0.5);

	test('the whole limit may be sent at any pace, at once', () => {
		expect([backoff.perMinute(0), backoff.isPaced(0), backoff.readyAt, backoff.burst(0)]).toEqual([
			LIMIT,
			false,
			Number.NEGATIVE_INFINITY,
			50,
		]);
		expect(backoff.containsAt(1_000, 7)).toBe(7);
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
		[50, 50],
		[0, 60],
		[100, 40],
		[75, 45],
	])(
		'that is the first leaves half of the limit, more or less by a fifth of what was sent less or more than that: after %p of 100, %p',
		(own, perMinute) => {
			const backoff = new Backoff(LIMIT, () => 0);
			limited(backoff, 1_000, { own });
			expect([backoff.perMinute(1_000), backoff.isPaced(1_000)]).toEqual([perMinute, true]);
		},
	);

	test('that is the first counts what was answered until the last of those that were in flight with it', () => {
		const backoff = new Backoff(LIMIT, () => 0);
		limited(backoff, 1_000, { own: 20 });
		const leftAfter = [60, 40].map((own) => {
			limited(backoff, 1_200, { sentAt: 999, own });
			return backoff.perMinute(1_200);
		});
		expect(leftAfter).toEqual([48, 48]);
	});

	test('that is the first counts nothing more after its minute, nor for what was sent since', () => {
		const [late, since, otherwise] = [
			new Backoff(LIMIT, () => 0),
			new Backoff(LIMIT, () => 0),
			new Backoff(LIMIT, () => 0),
		];
		for (const backoff of [late, since, otherwise]) limited(backoff, 1_000, { own: 20 });
		limited(late, 61_000, { sentAt: 999, own: 100 });
		limited(since, 50_000);
		limited(since, 50_100, { sentAt: 49_000, own: 100 });
		limited(otherwise, 1_200, { sentAt: 999, own: 100, isOfWindow: false });
		expect([late.perMinute(61_000), since.perMinute(50_100), otherwise.perMinute(1_200)]).toEqual([
			57, 56, 56,
		]);
	});

	test('for another reason leaves the whole limit, whatever was in flight with it', () => {
		const backoff = new Backoff(LIMIT, () => 0);
		limited(backoff, 1_000, { own: 20 });
		limited(backoff, 41_000, { isOfWindow: false });
		limited(backoff, 41_000, { sentAt: 40_000, isOfWindow: false });
		expect(backoff.perMinute(41_000)).toBe(LIMIT);
	});

	test.each([
		[100, 0, 95],
		[100, 3_999, 95],
		[100, 7_999, 95],
		[100, 8_000, 90],
		[100, 9_999, 90],
		[100, 10_000, 50],
		[100, 3_600_000, 50],
		[20, 0, 19],
		[20, 3_600_000, 10],
		[1, 3_600_000, 1],
	])(
		'that is the first, of a limit of %p with a Retry-After of %p ms, leaves %p a minute',
		(limit, retryAfterMs, perMinute) => {
			const backoff = new Backoff(limit, () => 0);
			limited(backoff, 1_000, { retryAfterMs, own: limit / 2 });
			expect(backoff.perMinute(1_000)).toBe(perMinute);
			expect(backoff.isPaced(1_000)).toBe(true);
		},
	);

	test.each([
		[59_999, 50],
		[60_000, Math.floor(50 * 0.97)],
	])(
		'says nothing new for a minute after the first, whatever is answered: %p ms later %p are left',
		(now, perMinute) => {
			const backoff = after429();
			backoff.answered(30_000);
			limited(backoff, now);
			expect(backoff.perMinute(now)).toBe(perMinute);
		},
	);

	test.each([
		[3_999, 48],
		[4_000, 47],
	])('%p ms after another leaves %p', (now, perMinute) => {
		const backoff = minuteAfter429();
		limited(backoff, 0);
		expect(backoff.perMinute(0)).toBe(48);
		limited(backoff, now);
		expect(backoff.perMinute(now)).toBe(perMinute);
	});

	test.each([
		[null, 1],
		[7_999, 1],
		[8_000, 2],
		[25_000, 6],
		[3_600_000, 900],
	])(
		'that is a later one, with a Retry-After of %p ms, leaves 97 percent of half of the limit, so many times: %p',
		(retryAfterMs, times) => {
			const backoff = minuteAfter429();
			limited(backoff, 5_000, { retryAfterMs });
			expect(backoff.perMinute(5_000)).toBe(Math.max(10, Math.floor(50 * 0.97 ** times)));
		},
	);

	test.each([
		[600_000, 0.97],
		[450_000, 0.97],
		[449_999, 0.95],
	])('leaves of a share of %p of a million %p', (perMinute, part) => {
		const backoff = new Backoff(1_000_000, () => 0);
		// Its first 429 leaves half, and a fifth of what it had sent more than that less.
		limited(backoff, 0, { own: Math.max(0, 500_000 + 5 * (500_000 - perMinute)) });
		expect(backoff.perMinute(0)).toBe(perMinute);
		limited(backoff, 60_000);
		expect(backoff.perMinute(60_000)).toBe(Math.floor(part * perMinute));
	});

	test.each([
		[30_000, 0],
		[60_000, 0],
		[70_000, 1],
		[90_000, 3],
		[110_000, 5],
	])(
		'%p ms after the last decrease begins from what the limit was a minute before, or right after that decrease',
		(now, steps) => {
			const backoff = new Backoff(1_000_000, () => 0);
			limited(backoff, -60_000, { own: 500_000 });
			limited(backoff, 0);
			expect(backoff.perMinute(0)).toBe(485_000);
			limited(backoff, now);
			expect(backoff.perMinute(now)).toBe(Math.floor(0.97 * 485_000 * STEP_OF_GROWTH ** steps));
		},
	);

	test('of a request that was in flight at the last one says nothing new, but for its pause', () => {
		const backoff = minuteAfter429();
		limited(backoff, 20_000);
		const perMinute = backoff.perMinute(40_000);
		limited(backoff, 40_000, { sentAt: 19_999 });
		expect([backoff.perMinute(40_000), backoff.readyAt]).toEqual([perMinute, 21_000]);
		limited(backoff, 40_000, { sentAt: 19_999, retryAfterMs: 7_000 });
		expect([backoff.perMinute(40_000), backoff.readyAt]).toEqual([perMinute, 47_000]);
		limited(backoff, 40_000, { sentAt: 20_000 });
		expect(backoff.perMinute(40_000)).toBeLessThan(perMinute);
	});

	test('pauses for twice as long each time in a row, up to 5 s, and from the shortest again after an answer', () => {
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
		[60_000, 95],
	])(
		'for another reason undoes what was reduced, as do those within a minute: %p ms later there are %p',
		(later, perMinute) => {
			const backoff = after429();
			limited(backoff, 1_000, { isOfWindow: false });
			expect(backoff.perMinute(1_000)).toBe(100);
			limited(backoff, 1_000 + later);
			expect(backoff.perMinute(1_000 + later)).toBe(perMinute);
			expect(backoff.isPaced(1_000 + later)).toBe(true);
		},
	);

	test('for another reason undoes the last decrease, and reduces nothing where nothing was reduced', () => {
		const backoff = minuteAfter429();
		limited(backoff, 9_000);
		expect(backoff.perMinute(9_000)).toBe(48);
		limited(backoff, 9_001, { isOfWindow: false });
		expect(backoff.perMinute(9_001)).toBe(Math.floor(GROWN));
		limited(backoff, 9_002, { isOfWindow: false });
		expect(backoff.perMinute(9_002)).toBe(Math.floor(GROWN));
		const whole = new Backoff(LIMIT, () => 0);
		limited(whole, 0, { isOfWindow: false });
		expect([whole.perMinute(0), whole.isPaced(0), whole.readyAt]).toEqual([100, false, 1_000]);
	});

	test.each([
		[119_999, 100],
		[120_000, 52],
	])(
		'for another reason undoes only what was reduced within two minutes before it: %p ms after it there are %p',
		(now, perMinute) => {
			const backoff = after429();
			limited(backoff, now, { isOfWindow: false });
			expect(backoff.perMinute(now)).toBe(perMinute);
		},
	);

	test('never leaves more than there was, also where the limit has been raised meanwhile', () => {
		const backoff = new Backoff(10, () => 0);
		limited(backoff, 0, { own: 5 });
		backoff.setLimit(1_000);
		const before = backoff.perMinute(65_000);
		limited(backoff, 65_000);
		expect(backoff.perMinute(65_000)).toBeLessThanOrEqual(before);
	});

	test('that is the first leaves four tenths where the limit was lowered below what had been sent', () => {
		const backoff = new Backoff(10, () => 0);
		limited(backoff, 0, { own: 80 });
		expect(backoff.perMinute(0)).toBe(4);
	});
});

describe('another limit', () => {
	test.each([
		[200, 50],
		[500, 50],
		[1_000, 100],
		[50, 50],
		[30, 30],
	])('of %p leaves what a 429 has reduced at %p, or a tenth', (limit, perMinute) => {
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
		[9_999, 0],
		[10_000, 1],
		[60_000, 6],
		[90_000, 9],
	])(
		'is by 2 percent a minute, in steps of ten seconds: after %p ms there were %p steps',
		(now, steps) => {
			const backoff = new Backoff(1_000_000, () => 0);
			limited(backoff, 0, { own: 500_000 });
			expect(backoff.perMinute(now)).toBe(Math.floor(500_000 * STEP_OF_GROWTH ** steps));
		},
	);

	test.each([
		[120_000, 52],
		[150_000, 55],
		[180_000, 59],
		[210_000, 65],
		[240_000, 74],
		[270_000, 89],
		[300_000, 100],
		[420_000, 100],
	])(
		'is faster with every minute after a minute and a half without a 429: after %p ms %p of 100',
		(now, perMinute) => {
			expect(after429().perMinute(now)).toBe(perMinute);
		},
	);

	test.each([
		[60_000, 0],
		[90_000, 0],
		[120_000, 8 * 0.5],
		[240_000, 8 * 2.5],
		[270_000, 8 * 3],
	])(
		'is faster by a share of the part that is left: %p ms after a 429 by %p times that',
		(quietMs, times) => {
			const limit = 1_000_000;
			const backoff = new Backoff(limit, () => 0);
			limited(backoff, 0, { own: limit / 2 });
			limited(backoff, 10_000, { retryAfterMs: 50_000 });
			const at = 10_000 + quietMs;
			const [before, after] = [backoff.perMinute(at - 10_000), backoff.perMinute(at)];
			expect(after / before).toBeCloseTo(1 + (0.02 / 6) * (1 + (times * before) / limit), 5);
		},
	);

	test.each([
		[899_999, true],
		[900_000, false],
	])(
		'keeps an even pace until 15 minutes have passed since a 429: after %p ms %p',
		(now, isPaced) => {
			expect(after429().isPaced(now)).toBe(isPaced);
		},
	);

	test('is no less for being asked about often', () => {
		const [often, once] = [after429(), after429()];
		for (let now = 0; now <= 200_000; now += 700) often.perMinute(now);
		expect(often.perMinute(200_000)).toBe(once.perMinute(200_000));
	});

	test('begins with the first 429, and continues through others', () => {
		const backoff = new Backoff(1_000_000, () => 0);
		limited(backoff, 0, { own: 500_000 });
		limited(backoff, 65_000);
		expect([69_999, 70_000, 79_999].map((now) => backoff.perMinute(now))).toEqual(
			[485_000, 485_000 * STEP_OF_GROWTH, 485_000 * STEP_OF_GROWTH].map(Math.floor),
		);
	});

	test('begins again with a 429 after all has recovered', () => {
		const backoff = after429();
		backoff.spend(1, 1_000_000);
		limited(backoff, 1_000_000);
		expect([1_000_000, 1_059_999, 1_060_000].map((now) => backoff.perMinute(now))).toEqual([
			50, 50, 51,
		]);
		expect(backoff.tokensBy(1_000_000, 1_000_000, 1_000_000)).toBe(2);
	});
});

describe('an even pace', () => {
	test.each([
		[100, 0, 0.95, 47],
		[100, 50_000, 0.5, 13],
		[10, 3_600_000, 0.5, 2],
		[20, 0, 0.95, 9],
	])(
		'of a limit of %p after a Retry-After of %p ms, which leaves %p of it, has room for %p at once, after a long one only when that is over',
		(limit, retryAfterMs, part, burst) => {
			const backoff = new Backoff(limit, () => 0);
			limited(backoff, 0, { retryAfterMs, own: limit / 2 });
			expect(backoff.perMinute(0)).toBe(Math.floor(limit * part));
			expect([backoff.burst(CALM_MS - 1), backoff.burst(CALM_MS)]).toEqual([
				retryAfterMs > 0 ? 2 : burst,
				burst,
			]);
		},
	);

	test.each([
		[null, 2, 13],
		[9_999, 42, 43],
		[10_000, 2, 13],
	])(
		'after a 429 with a Retry-After of %p ms has room for %p at once, and after a while for %p',
		(retryAfterMs, burst, later) => {
			const backoff = new Backoff(LIMIT, () => 0);
			limited(backoff, 0, { retryAfterMs });
			expect(backoff.burst(CALM_MS - 1)).toBe(burst);
			expect(backoff.burst(CALM_MS)).toBe(later);
		},
	);

	test('lets a token come every so often once the bucket is empty', () => {
		const backoff = after429();
		expect(backoff.containsAt(2, 0)).toBe(0);
		expect(backoff.containsAt(3, 0)).toBe(1_200);
		backoff.spend(2, 0);
		expect(backoff.containsAt(0, 0)).toBe(0);
		expect(backoff.containsAt(1, 0)).toBe(1_200);
		expect(backoff.containsAt(3, 0)).toBe(3_600);
		expect(backoff.containsAt(1, 1_199)).toBe(1_200);
		expect(backoff.containsAt(1, 1_200)).toBe(1_200);
	});

	test('allows so many by a time, from a time on', () => {
		const backoff = after429();
		backoff.spend(2, 0);
		expect([0, 1_199, 1_200, 3_600, 24_000].map((time) => backoff.tokensBy(time, 0, 0))).toEqual([
			0, 0, 1, 3, 20,
		]);
		expect([1_000, 5_000].map((time) => backoff.tokensBy(time, 2_000, 0))).toEqual([0, 4]);
		expect(
			[10_000, CALM_MS - 1, CALM_MS, 2 * CALM_MS].map((from) => backoff.tokensBy(from, from, 0)),
		).toEqual([2, 2, 12, 12]);
		backoff.spend(4, 0);
		expect(backoff.tokensBy(1_000, 0, 0)).toBe(0);
		expect(backoff.tokensBy(5_000, 0, 0)).toBe(0);
		expect(backoff.tokensBy(8_400, 0, 0)).toBe(3);
	});

	test('takes back what was not sent, and keeps no more than it has room for', () => {
		const backoff = after429();
		backoff.spend(1, 0);
		backoff.spend(-1, 0);
		backoff.spend(-1, 0);
		expect(backoff.tokensBy(0, 0, 0)).toBe(2);
		expect(backoff.tokensBy(30_000, 30_000, 30_000)).toBe(2);
		expect(backoff.tokensBy(CALM_MS + 25_000, CALM_MS + 25_000, CALM_MS + 25_000)).toBe(
			Math.floor(50 * (0.5 * STEP_OF_GROWTH ** 7) ** 2),
		);
	});

	test('keeps what another 429 leaves room for', () => {
		const full = after429();
		const later = 2 * CALM_MS;
		expect(full.tokensBy(later, later, later)).toBeGreaterThan(12);
		limited(full, later);
		expect(full.tokensBy(later, later, later)).toBe(2);
		const empty = minuteAfter429();
		limited(empty, 0);
		empty.spend(8, 0);
		limited(empty, 4_000);
		// Eight of two are sent, and more than three have come since: nearly four tokens until the next one, at 47 a minute.
		expect([7_000, 8_000, 9_000].map((time) => empty.tokensBy(time, 4_000, 4_000))).toEqual([
			0, 0, 1,
		]);
	});

	test('counts no request that is sent before it begins', () => {
		const backoff = new Backoff(LIMIT, () => 0);
		backoff.spend(30, 0);
		limited(backoff, 0);
		expect(backoff.tokensBy(0, 0, 0)).toBe(2);
	});
});
