import fc from 'fast-check';
import {
	FIRST_PAUSE_MS,
	LONGEST_PAUSE_MS,
	LONGEST_RETRY_AFTER_MS,
	LOST_MS,
	RequestLedger,
	STRAY_MS,
	WINDOW_MS,
} from '../../../nodes/CrossChainBridge/watch/requestLedger';

/** Takes and at once settles `count` slots. */
function spend(ledger: RequestLedger, count: number, now: number): void {
	for (let index = 0; index < count; index++) ledger.settle(ledger.take(now), {}, now);
}

describe('RequestLedger', () => {
	it('keeps five in a hundred for persons', () => {
		const ledger = new RequestLedger(100);
		spend(ledger, 95, 0);
		expect(ledger.earliest('watch', 0)).toBe(WINDOW_MS);
		expect(ledger.earliest('person', 0)).toBe(0);
		spend(ledger, 5, 0);
		expect(ledger.earliest('person', 0)).toBe(WINDOW_MS);
	});

	it.each([
		[1, 1],
		[2, 1],
		[10, 9],
		[6_000, 5_700],
		[0, 1],
		[Number.NaN, 1],
	])('leaves watching its share of %p a minute: %p', (limit, share) => {
		expect(new RequestLedger(limit).share('watch', 0)).toBe(share);
	});

	it('counts a request from its sending until a window after its answer', () => {
		const ledger = new RequestLedger(1);
		const slot = ledger.take(0);
		expect(ledger.earliest('person', 20_000)).toBe(LOST_MS);
		ledger.settle(slot, {}, 30_000);
		expect(ledger.earliest('person', 30_000)).toBe(30_000 + WINDOW_MS);
		expect(ledger.earliest('person', 30_000 + WINDOW_MS)).toBe(30_000 + WINDOW_MS);
	});

	it('waits longer for a request that may still be on its way', () => {
		const ledger = new RequestLedger(1);
		ledger.settle(ledger.take(0), { unanswered: true }, 1_000);
		expect(ledger.earliest('person', 1_000)).toBe(1_000 + WINDOW_MS + STRAY_MS);
	});

	it('is not blocked for ever by a slot that nobody settles, nor by settling twice', () => {
		const ledger = new RequestLedger(1);
		const slot = ledger.take(0);
		expect(ledger.earliest('person', LOST_MS)).toBe(LOST_MS);
		ledger.settle(slot, {}, LOST_MS);
		expect(ledger.earliest('person', LOST_MS)).toBe(LOST_MS);
	});

	it('frees a slot that was given back at once', () => {
		const ledger = new RequestLedger(1);
		ledger.giveBack(ledger.take(0));
		expect(ledger.earliest('person', 0)).toBe(0);
	});

	it('sends nothing before Retry-After has passed, persons included', () => {
		const ledger = new RequestLedger(100);
		ledger.settle(ledger.take(0), { limited: true, retryAfterMs: 42_000 }, 100);
		expect(ledger.earliest('person', 100)).toBe(42_100);
		expect(ledger.view(42_099).free).toBe(0);
		expect(ledger.view(42_100).free).toBeGreaterThan(0);
	});

	it('honours a Retry-After of at most an hour', () => {
		const ledger = new RequestLedger(100);
		ledger.settle(ledger.take(0), { limited: true, retryAfterMs: 1e12 }, 0);
		expect(ledger.earliest('person', 0)).toBe(LONGEST_RETRY_AFTER_MS);
	});

	it('pauses longer with every 429 in a row, up to a minute, and starts afresh after a served request', () => {
		const ledger = new RequestLedger(100);
		let now = 0;
		const pauses: number[] = [];
		const refuse = (): void => {
			ledger.settle(ledger.take(now), { limited: true }, now);
			const until = ledger.earliest('person', now);
			pauses.push(until - now);
			now = until;
		};
		for (let index = 0; index < 4; index++) refuse();
		expect(pauses).toEqual([FIRST_PAUSE_MS, 2 * FIRST_PAUSE_MS, LONGEST_PAUSE_MS, LONGEST_PAUSE_MS]);
		ledger.settle(ledger.take(now), {}, now);
		refuse();
		expect(pauses[4]).toBe(FIRST_PAUSE_MS);
	});

	it('shrinks once for all requests that a pause catches in the air', () => {
		const ledger = new RequestLedger(100);
		const slots = [ledger.take(0), ledger.take(0), ledger.take(0)];
		for (const slot of slots) ledger.settle(slot, { limited: true }, 1_000);
		expect(ledger.allowance(1_000)).toBe(70);
		expect(ledger.earliest('person', 1_000)).toBe(1_000 + FIRST_PAUSE_MS);
	});

	it('recovers two requests with every clean minute, up to the limit and no further', () => {
		const ledger = new RequestLedger(100);
		ledger.settle(ledger.take(0), { limited: true }, 0);
		expect(ledger.allowance(59_999)).toBe(70);
		expect(ledger.allowance(60_000)).toBe(72);
		expect(ledger.allowance(180_000)).toBe(76);
		expect(ledger.allowance(10 * 3_600_000)).toBe(100);
	});

	it('follows another limit at run time, but stays shrunk after a 429', () => {
		const ledger = new RequestLedger(100);
		ledger.setLimit(40);
		expect(ledger.allowance(0)).toBe(40);
		ledger.setLimit(200);
		expect(ledger.allowance(0)).toBe(200);
		ledger.settle(ledger.take(0), { limited: true }, 0);
		ledger.setLimit(150);
		expect(ledger.allowance(0)).toBe(140);
	});

	it('foresees what becomes free', () => {
		const ledger = new RequestLedger(20);
		spend(ledger, 10, 0);
		spend(ledger, 5, 5_000);
		const view = ledger.view(6_000);
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
			priority: fc.constantFrom('person' as const, 'watch' as const),
		});
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 12 }), fc.array(request, { minLength: 5, maxLength: 80 }), (limit, requests) => {
				const ledger = new RequestLedger(limit);
				const arrivals: number[] = [];
				const flights: Array<{ slot: ReturnType<RequestLedger['take']>; answered: number }> = [];
				let now = 0;
				const settleUntil = (time: number): void => {
					flights.sort((one, other) => one.answered - other.answered);
					while (flights[0] !== undefined && flights[0].answered <= time) {
						const flight = flights.shift();
						if (flight !== undefined) ledger.settle(flight.slot, {}, flight.answered);
					}
				};
				for (const { wait, there, back, priority } of requests) {
					now += wait;
					settleUntil(now);
					for (let at = ledger.earliest(priority, now); at > now; at = ledger.earliest(priority, now)) {
						now = Math.min(at, ...flights.map(({ answered }) => answered));
						settleUntil(now);
					}
					flights.push({ slot: ledger.take(now), answered: now + there + back });
					arrivals.push(now + there);
				}
				arrivals.sort((one, other) => one - other);
				return arrivals.every((arrival, index) => {
					const oldest = arrivals[index - limit];
					return oldest === undefined || arrival - oldest >= 60_000;
				});
			}),
			{ numRuns: 300, seed: 7 },
		);
	});
});
