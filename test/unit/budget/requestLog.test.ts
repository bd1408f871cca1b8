import fc from 'fast-check';

import { type Asker, RequestLog } from '../../../nodes/CrossChainBridge/budget/requestLog';

const WINDOW_MS = 60_500;

type SlotUse = Asker['use'];

const newLog = () => new RequestLog({ random: () => 0.5 });

function takeAll(log: RequestLog, use: SlotUse, limit: number, now = 0) {
	const slots = [];
	while (log.earliest({ use, limit }, now) <= now) slots.push(log.take({ use, limit }, now));
	return slots;
}

test.each<[SlotUse, number, number]>([
	['interactive', 100, 100],
	['check', 100, 95],
	['batch', 100, 95],
	['check', 20, 19],
	['check', 1, 1],
	['interactive', 2.9, 2],
])('%s requests with a limit of %d: %d at once', (use, limit, count) => {
	expect(takeAll(newLog(), use, limit)).toHaveLength(count);
});

test('a slot is free again a window after its answer, later where none came, and at last where it is forgotten', () => {
	const free = (settle: (log: RequestLog, slot: ReturnType<RequestLog['take']>) => void) => {
		const log = newLog();
		settle(log, log.take({ use: 'interactive', limit: 1 }, 0));
		return log.earliest({ use: 'interactive', limit: 1 }, 2_000);
	};
	expect(free((log, slot) => log.settle(slot, {}, 1_000))).toBe(1_000 + WINDOW_MS);
	expect(free((log, slot) => log.settle(slot, { unanswered: true }, 1_000))).toBe(
		1_000 + WINDOW_MS + 5_000,
	);
	expect(free(() => undefined)).toBe(300_000);
	expect(free((log, slot) => log.release(slot, 1_000))).toBe(2_000);
	expect(
		free((log, slot) => {
			log.settle(slot, {}, 1_000);
			log.settle(slot, { unanswered: true }, 1_500);
			log.release(slot, 1_500);
		}),
	).toBe(1_000 + WINDOW_MS);
});

test('the last slots of a full window are freed later, to leave room for other processes', () => {
	const log = newLog();
	for (const slot of takeAll(log, 'interactive', 100)) log.settle(slot, {}, 0);
	const free = (now: number) => takeAll(log, 'interactive', 100, now).length;
	expect(free(WINDOW_MS)).toBe(95);
	expect(free(WINDOW_MS + 4_000)).toBeGreaterThanOrEqual(5);
});

test('a pause without a 429 holds back, and a 429 reduces what is free', () => {
	const log = newLog();
	log.settle(log.take({ use: 'check', limit: 100 }, 0), { retryAfterMs: 5_000 }, 0);
	expect([log.pausedMs(0), log.earliest({ use: 'check', limit: 100 }, 0)]).toEqual([5_250, 5_250]);
	expect([log.pausedMs(1_000), log.pausedMs(9_000)]).toEqual([4_250, 0]);
	expect(log.view(100, 0)).toMatchObject({ perMinute: 95 });
	log.settle(log.take({ use: 'check', limit: 100 }, 10_000), { limited: true }, 10_000);
	expect(log.view(100, 10_000).perMinute).toBeLessThan(60);
});

describe('a 429', () => {
	const sent = (count: number, settle: (log: RequestLog, slot: Slot) => void) => {
		const log = newLog();
		for (let index = 0; index < count; index++)
			settle(log, log.take({ use: 'check', limit: 100 }, 0));
		return log;
	};
	type Slot = ReturnType<RequestLog['take']>;
	const limitedBy = (log: RequestLog, retryAfterMs: number | null) => {
		log.settle(log.take({ use: 'check', limit: 100 }, 10), { limited: true, retryAfterMs }, 20);
		return log.view(100, 20).perMinute;
	};

	test.each<[string, (log: RequestLog, slot: Slot) => void, number]>([
		['half of them were its own', (log, slot) => log.settle(slot, {}, 0), 50],
		['nothing has been answered', () => undefined, 60],
		['none was answered in time', (log, slot) => log.settle(slot, { unanswered: true }, 0), 60],
	])(
		'leaves the more, the fewer of the requests in the window the service has answered to this process: %s',
		(_what, settle, share) => {
			expect(limitedBy(sent(50, settle), null)).toBeCloseTo(0.95 * share);
		},
	);

	test('after which there is room again soon slows a process that has sent much, and no other', () => {
		const answered = (log: RequestLog, slot: Slot) => log.settle(slot, {}, 0);
		expect(limitedBy(sent(10, answered), 3_000)).toBe(95);
		expect(limitedBy(sent(50, answered), 3_000)).toBeLessThan(90);
	});
});

describe('a part is kept for checks that found no room', () => {
	const batch = { use: 'batch', limit: 100 } as const;
	const check = { use: 'check', limit: 100 } as const;

	test('a quarter of the limit, less what they have', () => {
		const log = newLog();
		log.keepForChecks(0);
		expect([takeAll(log, 'batch', 100).length, log.leftForChecks(100, 0)]).toEqual([70, 25]);
		expect(log.earliest(batch, 0)).toBeGreaterThan(0);
		for (let count = 0; count < 25; count++) {
			expect(log.earliest(check, 0)).toBe(0);
			log.take(check, 0);
		}
		expect(log.leftForChecks(100, 0)).toBe(0);
	});

	test('also if batches have taken all but the reserve: checks then take their part out of that', () => {
		const log = newLog();
		expect(takeAll(log, 'batch', 100)).toHaveLength(95);
		log.keepForChecks(0);
		expect(takeAll(log, 'check', 100)).toHaveLength(5);
	});

	test('of what is earned after a 429, too', () => {
		const log = newLog();
		log.settle(log.take(check, 0), { limited: true }, 0);
		const [later, asked] = [66_000, 70_000];
		expect(log.earliest(batch, later)).toBe(later);
		log.keepForChecks(asked);
		expect(log.earliest(batch, asked)).toBeGreaterThan(asked);
		expect(log.earliest(check, asked)).toBe(asked);
	});

	test('one of two, if the limit allows no more', () => {
		const log = newLog();
		log.keepForChecks(0);
		expect(log.leftForChecks(2, 0)).toBe(1);
		expect(log.earliest({ use: 'batch', limit: 2 }, 0)).toBeGreaterThan(0);
		log.take({ use: 'check', limit: 2 }, 0);
		expect(log.leftForChecks(2, 0)).toBe(0);
	});

	test('for 75 seconds, and nothing while no check asks', () => {
		const log = newLog();
		log.keepForChecks(0);
		takeAll(log, 'batch', 100);
		expect(log.earliest(batch, 1)).toBeLessThanOrEqual(75_000);
		expect(takeAll(newLog(), 'batch', 100)).toHaveLength(95);
		expect(newLog().leftForChecks(1, 0)).toBe(0);
	});
});

describe('several limits', () => {
	test('each asker goes by its own, within the largest in use', () => {
		const log = newLog();
		expect(takeAll(log, 'interactive', 10)).toHaveLength(10);
		expect(takeAll(log, 'interactive', 20)).toHaveLength(10);
		expect(log.earliest({ use: 'interactive', limit: 10 }, 0)).toBeGreaterThan(0);
		expect(takeAll(log, 'interactive', 100)).toHaveLength(80);
	});

	test('a small one that is used up holds back no other', () => {
		const log = newLog();
		takeAll(log, 'check', 1);
		expect(takeAll(log, 'check', 100)).toHaveLength(94);
	});

	test('a large one of which much is used holds back none with a small one', () => {
		const log = newLog();
		for (let count = 0; count < 50; count++) log.take({ use: 'check', limit: 100 }, 0);
		expect(takeAll(log, 'check', 10)).toHaveLength(10);
	});

	test('the largest is that of who asks, and of all that is in the window', () => {
		const log = newLog();
		const slot = log.take({ use: 'check', limit: 100 }, 0);
		log.settle(slot, {}, 0);
		expect([log.view(5, 0).perMinute, log.view(5, WINDOW_MS).perMinute]).toEqual([95, 4.75]);
	});
});

test('the view says what checks may send soon', () => {
	const log = newLog();
	expect(log.view(100, 0)).toEqual({ freeSoon: 95, perMinute: 95 });
	const slots = takeAll(log, 'check', 100);
	expect(log.view(100, 0).freeSoon).toBe(0);
	for (const slot of slots) log.settle(slot, {}, 0);
	expect(log.view(100, WINDOW_MS - 15_001).freeSoon).toBe(0);
	expect(log.view(100, WINDOW_MS - 15_000).freeSoon).toBe(90);
	log.settle(
		log.take({ use: 'check', limit: 100 }, 220_000),
		{ limited: true, retryAfterMs: 60_000 },
		220_000,
	);
	expect(log.view(100, 220_000).freeSoon).toBe(0);
});

/**
 * Whatever is asked for and however long requests take to arrive, no minute of the service contains more than the largest limit
 * in use; and of those that go by a limit, or by a lower one, no more than that. The limits may fall and rise.
 */
test('the service never counts more than the limit in any 60 s', () => {
	const request = fc.record({
		afterMs: fc.oneof(fc.nat(200), fc.nat(20_000), fc.constant(0)),
		arrivesMs: fc.nat(3_000),
		answersMs: fc.nat(3_000),
		use: fc.constantFrom<SlotUse>('interactive', 'batch', 'check'),
		ends: fc.constantFrom('settle', 'settle', 'settle', 'limited', 'unanswered', 'release'),
		limitIndex: fc.nat(2),
	});
	fc.assert(
		fc.property(
			fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 })),
			fc.array(request, { minLength: 20, maxLength: 150 }),
			fc.nat(149),
			([one, other], requests, fallsAt) => {
				const log = newLog();
				const arrived: Array<{ at: number; limit: number }> = [];
				const pending: Array<{ at: number; run: () => void }> = [];
				let now = 0;
				const advance = (to: number): void => {
					pending.sort((a, b) => a.at - b.at);
					while ((pending[0]?.at ?? Number.POSITIVE_INFINITY) <= to) {
						const next = pending.shift();
						now = next?.at ?? now;
						next?.run();
					}
					now = to;
				};
				for (const [index, each] of requests.entries()) {
					advance(now + each.afterMs);
					const limit =
						index >= fallsAt ? Math.min(one, other) : each.limitIndex === 0 ? one : other;
					const asker = { use: each.use, limit };
					if (log.earliest(asker, now) > now) continue;
					const slot = log.take(asker, now);
					if (each.ends === 'release') {
						log.release(slot, now);
						continue;
					}
					const at = now + each.arrivesMs;
					arrived.push({ at, limit });
					const over = at + each.answersMs;
					pending.push({
						at: over,
						run: () =>
							log.settle(
								slot,
								{ limited: each.ends === 'limited', unanswered: each.ends === 'unanswered' },
								over,
							),
					});
				}
				for (const bound of [one, other]) {
					const counted = arrived.filter(({ limit }) => limit <= bound).map(({ at }) => at);
					counted.sort((a, b) => a - b);
					for (const [index, at] of counted.entries())
						expect(at - (counted[index - bound] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThan(
							60_000,
						);
				}
			},
		),
	);
});
