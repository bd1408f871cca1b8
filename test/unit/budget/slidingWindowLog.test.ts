import fc from 'fast-check';

import {
	FIRST_PAUSE_MS,
	LONGEST_PAUSE_MS,
	LONGEST_RETRY_AFTER_MS,
	RETRY_JITTER_MS,
} from '../../../nodes/CrossChainBridge/budget/backoff';
import { HEARD_MS } from '../../../nodes/CrossChainBridge/budget/fairShare';
import type { SlotUse } from '../../../nodes/CrossChainBridge/budget/slotWindow';
import { KEPT_MS } from '../../../nodes/CrossChainBridge/budget/guaranteedShare';
import {
	LOST_MS,
	SlidingWindowLog,
	STRAY_MS,
	WINDOW_MS,
	YIELDED_MS,
} from '../../../nodes/CrossChainBridge/budget/slidingWindowLog';

/** Takes and at once settles `count` slots. */
function spend(log: SlidingWindowLog, count: number, now: number, use: SlotUse = 'watch'): void {
	for (let index = 0; index < count; index++) log.settle(log.take(now, use), {}, now);
}

describe('SlidingWindowLog', () => {
	it('keeps five in a hundred for interactive requests', () => {
		const log = new SlidingWindowLog(100);
		spend(log, 95, 0);
		expect(log.earliest('watch', 0)).toBe(WINDOW_MS);
		expect(log.earliest('interactive', 0)).toBe(0);
		spend(log, 5, 0);
		expect(log.earliest('interactive', 0)).toBe(WINDOW_MS);
	});

	it.each([
		[1, 1],
		[2, 1],
		[10, 9],
		[6_000, 5_700],
		[0, 1],
		[Number.NaN, 1],
	])('keeps watching a share of %p a minute: %p', (limit, share) => {
		expect(new SlidingWindowLog(limit).share('watch', 0)).toBe(share);
	});

	it('counts a request from its sending until a window after its answer', () => {
		const log = new SlidingWindowLog(1);
		const slot = log.take(0);
		expect(log.earliest('interactive', 20_000)).toBe(LOST_MS);
		log.settle(slot, {}, 30_000);
		expect(log.earliest('interactive', 30_000)).toBe(30_000 + WINDOW_MS);
		expect(log.earliest('interactive', 30_000 + WINDOW_MS)).toBe(30_000 + WINDOW_MS);
	});

	it('waits longer for a request that may still be on its way', () => {
		const log = new SlidingWindowLog(1);
		log.settle(log.take(0), { unanswered: true }, 1_000);
		expect(log.earliest('interactive', 1_000)).toBe(1_000 + WINDOW_MS + STRAY_MS);
	});

	it('does not lose a slot for ever that is never settled, nor by settling twice', () => {
		const log = new SlidingWindowLog(1);
		const slot = log.take(0);
		expect(log.earliest('interactive', LOST_MS)).toBe(LOST_MS);
		log.settle(slot, {}, LOST_MS);
		expect(log.earliest('interactive', LOST_MS)).toBe(LOST_MS);
	});

	it('frees a slot that was given back at once', () => {
		const log = new SlidingWindowLog(1);
		log.release(log.take(0), 0);
		expect(log.earliest('interactive', 0)).toBe(0);
	});

	it('sends nothing before Retry-After has passed, interactive requests included, and adds some jitter', () => {
		const log = new SlidingWindowLog(100, () => 0.5);
		log.settle(log.take(0), { limited: true, retryAfterMs: 42_000 }, 100);
		const until = 42_100 + RETRY_JITTER_MS / 2;
		expect(log.earliest('interactive', 100)).toBe(until);
		expect(log.view(until - 1).free).toBe(0);
		expect(log.view(until).free).toBeGreaterThan(0);
	});

	it('honours a Retry-After of up to an hour', () => {
		const log = new SlidingWindowLog(100, () => 0);
		log.settle(log.take(0), { limited: true, retryAfterMs: 1e12 }, 0);
		expect(log.earliest('interactive', 0)).toBe(LONGEST_RETRY_AFTER_MS);
	});

	it('pauses without reducing anything where Retry-After comes without a 429', () => {
		const log = new SlidingWindowLog(100, () => 0);
		log.settle(log.take(0), { retryAfterMs: 30_000 }, 0);
		expect(log.earliest('interactive', 0)).toBe(30_000);
		expect(log.allowance(30_000)).toBe(100);
		expect(log.view(30_000).free).toBe(94);
	});

	it('pauses longer with every 429 in a row, within bounds, and starts afresh after a served request', () => {
		for (const random of [0, 0.5]) {
			const log = new SlidingWindowLog(100, () => random);
			const [least, most] = FIRST_PAUSE_MS;
			const first = least + (most - least) * random;
			let now = 0;
			const pauses: number[] = [];
			const rateLimit = (): void => {
				log.settle(log.take(now), { limited: true }, now);
				pauses.push(log.pausedMs(now));
				now += log.pausedMs(now);
			};
			for (let index = 0; index < 5; index++) rateLimit();
			expect(pauses).toEqual(
				[first, 2 * first, 4 * first, 8 * first, 16 * first].map((pause) =>
					Math.min(LONGEST_PAUSE_MS, pause),
				),
			);
			log.settle(log.take(now), {}, now);
			rateLimit();
			expect(pauses[5]).toBe(first);
		}
	});

	it('reduces the limit once for all requests that a 429 catches in flight', () => {
		const log = new SlidingWindowLog(100, () => 0);
		const slots = [log.take(0), log.take(0), log.take(0)];
		for (const slot of slots) log.settle(slot, { limited: true }, 1_000);
		expect(log.allowance(1_000)).toBe(60);
		expect(log.earliest('interactive', 1_000)).toBe(1_000 + FIRST_PAUSE_MS[0]);
	});

	it('reduces it the more the more of the window is its own, as far as the service counts it', () => {
		const allowanceAfter = (
			outcome: Parameters<SlidingWindowLog['settle']>[1],
			at: number,
		): number => {
			const log = new SlidingWindowLog(100);
			for (let count = 0; count < 80; count++) log.settle(log.take(0), outcome, 0);
			log.settle(log.take(at), { limited: true }, at);
			return log.allowance(at);
		};
		expect([
			allowanceAfter({}, 1_000),
			allowanceAfter({}, 59_999),
			allowanceAfter({}, 60_000),
			allowanceAfter({ unanswered: true }, 1_000),
		]).toEqual([44, 44, 60, 60]);
	});

	it('reduces it no more than once in 4 s, and for a long Retry-After as often as it has saved 429s', () => {
		const log = new SlidingWindowLog(100);
		log.settle(log.take(0), { limited: true }, 0);
		for (const [now, allowance] of [
			[59_999, 61],
			[60_000, 58],
			[63_999, 58],
			[64_000, 56],
		] as const) {
			log.settle(log.take(now), { limited: true }, now);
			expect(log.allowance(now)).toBe(allowance);
		}
		log.settle(log.take(80_000), { limited: true, retryAfterMs: 25_000 }, 80_000);
		expect(log.allowance(80_000)).toBe(Math.floor(60 * 0.97 ** 8));
	});

	it('never reduces the limit below a tenth of it, nor below one', () => {
		for (const [limit, least] of [
			[100, 10],
			[3, 1],
		] as const) {
			const log = new SlidingWindowLog(limit);
			for (let now = 0; now < 600_000; now += 10_000)
				log.settle(log.take(now), { limited: true }, now);
			expect(log.allowance(590_000)).toBe(least);
		}
	});

	it('recovers with every clean minute, up to the limit and no further, and paces until nobody was heard for long', () => {
		const log = new SlidingWindowLog(100);
		log.settle(log.take(0), { limited: true }, 0);
		expect(log.allowance(9_999)).toBe(60);
		expect(log.allowance(60_000)).toBe(61);
		expect(log.allowance(120_000)).toBe(63);
		expect(log.allowance(300_000)).toBe(100);
		expect(log.isIdle(HEARD_MS - 1)).toBe(false);
		expect(log.isIdle(HEARD_MS)).toBe(true);
	});

	it('sends at an even pace once it was reduced far, whatever was sent before, and no more than two at once', () => {
		const log = new SlidingWindowLog(100);
		let now = 0;
		for (; log.allowance(now) > 12; now += 10_000)
			log.settle(log.take(now), { limited: true }, now);
		now += 60_000;
		const sent: number[] = [];
		for (const until = now + 60_000; now < until; now = Math.max(now, log.earliest('watch', now))) {
			sent.push(now);
			log.settle(log.take(now), {}, now);
		}
		expect(sent.length).toBeGreaterThan(10);
		expect(sent.length).toBeLessThan(16);
		expect(sent.filter((time) => time === sent[0])).toHaveLength(2);
		expect(Math.max(...sent.map((time, index) => time - (sent[index - 1] ?? time)))).toBeLessThan(
			6_000,
		);
	});

	it('is not delayed by what it sent before a 429: requests continue when Retry-After has passed', () => {
		const log = new SlidingWindowLog(100, () => 0);
		spend(log, 70, 0);
		log.settle(log.take(10_000), { limited: true, retryAfterMs: 3_000 }, 10_000);
		let now = log.earliest('watch', 10_000);
		expect(now).toBe(13_000);
		let sent = 0;
		for (; now < 23_000; now = Math.max(now, log.earliest('watch', now))) {
			log.settle(log.take(now), {}, now);
			sent++;
		}
		expect(sent).toBeGreaterThan(10);
	});

	it('does not send less for a 429 that cannot be for a full window, and undoes what earlier ones have reduced', () => {
		const log = new SlidingWindowLog(100, () => 0);
		log.settle(log.take(0), { limited: true, retryAfterMs: 3_000 }, 0);
		for (let now = 5_000; now < 62_000; now += 1_000) log.settle(log.take(now), {}, now);
		const before = log.allowance(62_000);
		// What was sent at 5 s is forgotten at 65 s, so a full window would have room before 67 s.
		log.settle(log.take(64_000), { limited: true, retryAfterMs: 3_000 }, 64_000);
		expect(log.allowance(64_000)).toBeGreaterThan(before);
		expect(log.earliest('interactive', 64_000)).toBe(67_000);
		// Nor are those that come soon after it.
		log.settle(log.take(80_000), { limited: true, retryAfterMs: 1_000 }, 80_000);
		expect(log.allowance(80_000)).toBe(100);
	});

	it('follows another limit at run time, but stays reduced after a 429', () => {
		const log = new SlidingWindowLog(100);
		log.setLimit(40);
		expect(log.allowance(0)).toBe(40);
		log.setLimit(200);
		expect(log.allowance(0)).toBe(200);
		log.settle(log.take(0), { limited: true }, 0);
		log.setLimit(190);
		expect(log.allowance(0)).toBe(120);
		log.setLimit(90);
		expect(log.allowance(0)).toBe(90);
	});

	it('leaves room for others when it uses the whole limit in bursts: the last slots are freed later', () => {
		const log = new SlidingWindowLog(100);
		spend(log, 95, 0);
		expect(log.view(WINDOW_MS).free).toBe(90);
		expect(log.view(WINDOW_MS + YIELDED_MS).free).toBe(95);
		spend(log, 80, 200_000);
		expect(log.view(200_000 + WINDOW_MS).free).toBe(95);
	});

	describe('the share of watching', () => {
		it.each([
			[1, 0],
			[2, 1],
			[20, 5],
			[100, 25],
		])('of %p a minute is %p', (limit, share) => {
			expect(new SlidingWindowLog(limit).guaranteed(0)).toBe(share);
		});

		it('is not kept while nobody asks for it', () => {
			const log = new SlidingWindowLog(20);
			spend(log, 15, 0, 'interactive');
			expect(log.earliest('interactive', 0)).toBe(0);
			spend(log, 4, 0, 'interactive');
			expect(log.earliest('interactive', 0)).toBe(0);
		});

		it('is kept from interactive requests while watching waits', () => {
			const log = new SlidingWindowLog(20);
			spend(log, 15, 0, 'interactive');
			expect(log.earliest('interactive', 0, true)).toBeGreaterThan(0);
			for (let index = 0; index < 5; index++) {
				expect(log.earliest('watch', 0, true)).toBe(0);
				spend(log, 1, 0, 'watch');
			}
			expect(log.earliest('watch', 0, true)).toBeGreaterThan(0);
		});

		it('is kept from all that queue after watching that does not has met them, for a while', () => {
			const log = new SlidingWindowLog(20);
			log.keepShare('unqueued', 0);
			spend(log, 10, 0, 'interactive');
			spend(log, 4, 0, 'watch');
			expect(log.earliest('watch', 0)).toBeGreaterThan(0);
			expect(log.earliest('interactive', 0)).toBe(0);
			expect(log.view(0, true).free).toBe(5);
			spend(log, 1, 0, 'interactive');
			expect(log.earliest('interactive', 0)).toBeGreaterThan(0);
			spend(log, 5, 0, 'unqueued');
			expect(log.earliest('unqueued', 0)).toBeGreaterThan(0);
			expect(log.view(0, true).free).toBe(0);
			const later = new SlidingWindowLog(20);
			later.keepShare('unqueued', 0);
			spend(later, 15, KEPT_MS - 1, 'interactive');
			expect(later.earliest('interactive', KEPT_MS - 1)).toBe(KEPT_MS);
			expect(later.earliest('interactive', KEPT_MS)).toBe(KEPT_MS);
		});
	});

	it('foresees what becomes free', () => {
		const log = new SlidingWindowLog(20);
		spend(log, 10, 0);
		spend(log, 5, 5_000);
		const view = log.view(6_000);
		expect(view.free).toBe(4);
		expect(view.freeBy(WINDOW_MS)).toBe(14);
		expect(view.freeBy(WINDOW_MS + 5_000)).toBe(19);
		expect(view.nextFreeAt).toBe(6_000);
	});

	it('never lets the service count more than the limit in any 60 s, however long requests take', () => {
		const request = fc.record({
			wait: fc.integer({ min: 0, max: 20_000 }),
			there: fc.integer({ min: 0, max: 8_000 }),
			back: fc.integer({ min: 0, max: 8_000 }),
			priority: fc.constantFrom('interactive' as const, 'watch' as const),
		});
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 12 }),
				fc.array(request, { minLength: 5, maxLength: 80 }),
				(limit, requests) => {
					const log = new SlidingWindowLog(limit);
					const arrivals: number[] = [];
					const flights: Array<{ slot: ReturnType<SlidingWindowLog['take']>; answered: number }> =
						[];
					let now = 0;
					const settleUntil = (time: number): void => {
						flights.sort((one, other) => one.answered - other.answered);
						while (flights[0] !== undefined && flights[0].answered <= time) {
							const flight = flights.shift();
							if (flight !== undefined) log.settle(flight.slot, {}, flight.answered);
						}
					};
					for (const { wait, there, back, priority } of requests) {
						now += wait;
						settleUntil(now);
						for (let at = log.earliest(priority, now); at > now; at = log.earliest(priority, now)) {
							now = Math.min(at, ...flights.map(({ answered }) => answered));
							settleUntil(now);
						}
						flights.push({ slot: log.take(now), answered: now + there + back });
						arrivals.push(now + there);
					}
					arrivals.sort((one, other) => one - other);
					return arrivals.every((arrival, index) => {
						const oldest = arrivals[index - limit];
						return oldest === undefined || arrival - oldest >= 60_000;
					});
				},
			),
			{ numRuns: 300, seed: 7 },
		);
	});
});

describe('SlidingWindowLog, to the millisecond', () => {
	/** A log at an even pace, as after this 429 at 0. */
	function reduced(limit = 100, retryAfterMs = 1_000): SlidingWindowLog {
		const log = new SlidingWindowLog(limit, () => 0);
		log.settle(log.take(0), { limited: true, retryAfterMs }, 0);
		return log;
	}

	it.each([
		[2.9, 2],
		[-3, 1],
		[Number.POSITIVE_INFINITY, 1],
	])('takes a limit of %p for %p', (given, limit) => {
		const log = new SlidingWindowLog(given);
		expect(log.allowance(0)).toBe(limit);
		log.setLimit(50);
		log.setLimit(given);
		expect(log.allowance(0)).toBe(limit);
	});

	it('spreads pauses by half of what it may, unless another way is given', () => {
		const log = new SlidingWindowLog(100);
		log.settle(log.take(0), { limited: true }, 0);
		expect(log.pausedMs(0)).toBe(2_000);
	});

	it('is paused for as long as a pause lasts, and not for less than nothing', () => {
		const log = reduced(100, 7_000);
		expect([0, 6_999, 7_000, 9_000].map((now) => log.pausedMs(now))).toEqual([7_000, 1, 0, 0]);
	});

	it.each<[string, Parameters<SlidingWindowLog['settle']>[1], number]>([
		['an answer', {}, WINDOW_MS],
		['a 429', { limited: true, retryAfterMs: 0 }, WINDOW_MS],
		['no answer', { unanswered: true }, WINDOW_MS + STRAY_MS],
	])('frees a slot a window after %s', (_what, outcome, freeAt) => {
		const log = new SlidingWindowLog(1, () => 0);
		log.settle(log.take(0), outcome, 10);
		expect(log.view(10 + freeAt - 1).free).toBe(0);
		expect(log.view(10 + freeAt).free).toBe(1);
	});

	it.each([
		['89 of 100', 89, 0],
		['90 of 100', 90, 1],
		['94 of 100', 94, 5],
		['all of 100', 100, 5],
	])('frees later what it sends when the window is almost full: of %s', (_what, sent, yielded) => {
		const log = new SlidingWindowLog(100);
		spend(log, sent, 0, 'interactive');
		const most = (now: number): number => log.view(now).freeBy(now);
		expect(most(WINDOW_MS)).toBe(95 - yielded);
		expect(most(WINDOW_MS + YIELDED_MS)).toBe(95);
	});

	it('begins to yield again in the next window', () => {
		const log = new SlidingWindowLog(20);
		for (const begin of [0, 100_000]) {
			spend(log, 20, begin, 'interactive');
			expect(log.view(begin + WINDOW_MS).free).toBe(18);
			expect(log.view(begin + WINDOW_MS + YIELDED_MS).free).toBe(19);
		}
	});

	it('has a token back for what was not sent after all', () => {
		const log = reduced();
		spend(log, 44, 1_000);
		const slot = log.take(1_000);
		expect(log.earliest('watch', 1_000)).toBeGreaterThan(1_000);
		log.release(slot, 1_000);
		expect(log.earliest('watch', 1_000)).toBe(1_000);
		log.release(slot, 1_000);
		spend(log, 1, 1_000);
		expect(log.earliest('watch', 1_000)).toBeGreaterThan(1_000);
	});

	it('gives a token to an interactive request in advance', () => {
		const log = reduced();
		spend(log, 45, 1_000);
		expect([log.earliest('interactive', 1_000), log.earliest('watch', 1_000)]).toEqual([
			1_000, 1_632,
		]);
		spend(log, 1, 1_000, 'interactive');
		expect(log.earliest('interactive', 1_000)).toBe(1_632);
	});

	it('keeps tokens for watching that comes later', () => {
		const log = reduced();
		spend(log, 30, 1_000, 'interactive');
		expect(log.earliest('interactive', 1_000)).toBe(1_000);
		log.keepShare('watch', 1_000);
		expect(log.earliest('interactive', 1_000)).toBeGreaterThan(1_000);
		expect(log.earliest('watch', 1_000)).toBe(1_000);
		log.keepShare('unqueued', 1_000);
		expect(log.earliest('watch', 1_000)).toBeGreaterThan(1_000);
		expect(log.earliest('unqueued', 1_000)).toBe(1_000);
	});

	it('keeps one token less than there is room for', () => {
		const log = new SlidingWindowLog(100, () => 0);
		log.settle(log.take(0), { limited: true, retryAfterMs: 3_600_000 }, 0);
		const now = 3_600_000;
		log.settle(log.take(now), { limited: true, retryAfterMs: 3_600_000 }, now);
		const later = 2 * now;
		log.keepShare('unqueued', later);
		expect(log.earliest('watch', later)).toBe(later);
	});

	it('says when there may be room for what watching leaves', () => {
		const log = new SlidingWindowLog(20);
		spend(log, 10, 0, 'interactive');
		spend(log, 5, 4_000, 'interactive');
		log.keepShare('watch', 5_000);
		expect(log.earliest('interactive', 5_000)).toBe(WINDOW_MS);
		const later = new SlidingWindowLog(20);
		spend(later, 15, 70_000, 'interactive');
		later.keepShare('watch', 5_000);
		expect(later.earliest('interactive', 70_000)).toBe(5_000 + KEPT_MS);
		const inFlight = new SlidingWindowLog(20);
		for (let index = 0; index < 15; index++) inFlight.take(0, 'interactive');
		expect(inFlight.earliest('interactive', 0, true)).toBe(LOST_MS);
	});

	it('lets watching use what only interactive requests may, up to its share', () => {
		const log = new SlidingWindowLog(20);
		spend(log, 19, 0, 'interactive');
		expect(log.earliest('watch', 0)).toBe(0);
		const used = new SlidingWindowLog(20);
		spend(used, 5, 0, 'watch');
		spend(used, 14, 0, 'interactive');
		expect(used.earliest('watch', 0)).toBe(WINDOW_MS);
		expect(used.earliest('interactive', 0)).toBe(0);
	});

	it('has less of its share left with each check that does not queue, until that is free again', () => {
		const log = new SlidingWindowLog(20);
		spend(log, 2, 0, 'unqueued');
		spend(log, 2, 0, 'watch');
		expect(log.guaranteeLeft(0)).toBe(3);
		spend(log, 4, 0, 'unqueued');
		expect(log.guaranteeLeft(0)).toBe(0);
		expect(log.guaranteeLeft(WINDOW_MS)).toBe(5);
	});

	describe('shows a planner', () => {
		it('what is free from the end of a pause on', () => {
			const log = new SlidingWindowLog(20, () => 0);
			log.settle(log.take(0), { retryAfterMs: 5_000 }, 0);
			const view = log.view(1_000);
			expect([
				view.free,
				view.freeBy(4_999),
				view.freeBy(5_000),
				view.nextFreeAt,
				view.perMinute,
				view.contended,
			]).toEqual([0, 0, 18, 5_000, 19, false]);
		});

		it('what an even pace allows', () => {
			const log = reduced();
			spend(log, 45, 1_000);
			const view = log.view(1_000);
			expect([1_000, 1_631, 1_632, 11_000, 31_000].map((time) => view.freeBy(time))).toEqual([
				0, 0, 1, 15, 47,
			]);
			expect([view.perMinute, view.nextFreeAt]).toEqual([90, 1_632]);
		});

		it('no less than nothing', () => {
			const log = new SlidingWindowLog(20);
			spend(log, 20, 0, 'interactive');
			expect([log.view(0).free, log.view(0).freeBy(WINDOW_MS - 1)]).toEqual([0, 0]);
		});

		it('what is left of its share where others wait', () => {
			const log = new SlidingWindowLog(20, () => 0);
			expect(log.view(0, true)).toMatchObject({ free: 5, contended: true, perMinute: 19 });
			spend(log, 18, 0, 'interactive');
			expect(log.view(0, true).free).toBe(2);
			spend(log, 2, 0, 'interactive');
			expect(log.view(0, true).free).toBe(0);
			const paused = new SlidingWindowLog(20, () => 0);
			paused.settle(paused.take(0), { retryAfterMs: 5_000 }, 0);
			expect([paused.view(4_999, true).free, paused.view(5_000, true).free]).toEqual([0, 5]);
		});

		it('no more of its share than an even pace allows', () => {
			const log = reduced();
			spend(log, 43, 1_000, 'interactive');
			expect(log.view(1_000, true).free).toBe(2);
		});
	});

	it('knows nothing when its slots are free, no pause lasts and nothing is reduced', () => {
		const log = new SlidingWindowLog(20, () => 0);
		expect(log.isIdle(0)).toBe(true);
		log.settle(log.take(0), { retryAfterMs: 100_000 }, 0);
		expect([WINDOW_MS - 1, WINDOW_MS, 99_999, 100_000].map((now) => log.isIdle(now))).toEqual([
			false,
			false,
			false,
			true,
		]);
		const settled = new SlidingWindowLog(20);
		spend(settled, 1, 0);
		expect([WINDOW_MS - 1, WINDOW_MS].map((now) => settled.isIdle(now))).toEqual([false, true]);
	});

	it('takes a Retry-After that is no time for none', () => {
		const log = new SlidingWindowLog(100, () => 0);
		log.settle(log.take(0), { retryAfterMs: Number.NaN }, 0);
		expect(log.pausedMs(0)).toBe(0);
		log.settle(log.take(0), { limited: true, retryAfterMs: Number.POSITIVE_INFINITY }, 0);
		expect(log.pausedMs(0)).toBe(FIRST_PAUSE_MS[0]);
	});

	it('is not taken for answered by what got no answer', () => {
		const pauses = (outcome: Parameters<SlidingWindowLog['settle']>[1]): number => {
			const log = new SlidingWindowLog(100, () => 0);
			log.settle(log.take(0), { limited: true }, 0);
			log.settle(log.take(20_000), outcome, 20_000);
			log.settle(log.take(40_000), { limited: true }, 40_000);
			return log.pausedMs(40_000);
		};
		expect([pauses({}), pauses({ unanswered: true })]).toEqual([1_000, 2_000]);
	});

	it.each([
		[61_000, 95],
		[61_001, 100],
		[64_999, 100],
		[65_000, 95],
	])(
		'a 429 at %p that promises room in 4 to 5 s, where a request leaves the window at 65000, leaves %p a minute',
		(at, allowance) => {
			const log = new SlidingWindowLog(100, () => 0);
			log.settle(log.take(5_000), {}, 5_000);
			log.settle(log.take(at), { limited: true, retryAfterMs: 5_000 }, at);
			expect(log.allowance(at)).toBe(allowance);
		},
	);
});
