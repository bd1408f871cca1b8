import fc from 'fast-check';
import { VirtualClock } from '../../../bench/simulation/virtualClock';
import { SlidingWindow } from '../../../bench/simulation/service';
import type { Random } from '../../../bench/simulation/random';
import { seededRandom } from '../../../bench/simulation/random';
import type { LookAnswer } from '../../../nodes/CrossChainBridge/watch/orderWatcher';
import { OrderWatcher } from '../../../nodes/CrossChainBridge/watch/orderWatcher';
import { RequestBudget } from '../../../nodes/CrossChainBridge/watch/requestBudget';
import { longestGapMs } from '../../../nodes/CrossChainBridge/watch/schedule';

interface FakeOrder {
	beginsAt: number;
	endsAt: number;
}

interface World {
	clock: VirtualClock;
	budget: RequestBudget;
	service: SlidingWindow;
	orders: Map<string, FakeOrder>;
	/** Sending times of the looks at each order. */
	looks: Map<string, number[]>;
	seenEnded: Map<string, number>;
	aborted: string[];
	/** What a look answers in place of the truth. */
	fault: { answer: 'limited' | 'failed' | null; retryAfterMs?: number };
	watcher(options: { intervalMs?: number; lane?: string }): OrderWatcher;
}

function makeWorld({ limit = 100, random = seededRandom(1), slowestMs = 300 }: { limit?: number; random?: Random; slowestMs?: number } = {}): World {
	const clock = new VirtualClock(1_000_000);
	const world: World = {
		clock,
		budget: new RequestBudget(limit, clock),
		service: new SlidingWindow(limit),
		orders: new Map(),
		looks: new Map(),
		seenEnded: new Map(),
		aborted: [],
		fault: { answer: null },
		watcher: ({ intervalMs = 5_000, lane = 'lane' }) =>
			new OrderWatcher({
				budget: world.budget,
				clock,
				intervalMs,
				lane,
				async look(key, ticket, signal): Promise<LookAnswer> {
					world.looks.set(key, [...(world.looks.get(key) ?? []), clock.now()]);
					signal.addEventListener('abort', () => world.aborted.push(key));
					await clock.sleep(slowestMs * random());
					const served = world.service.arrive(clock.now());
					const arrived = clock.now();
					await clock.sleep(slowestMs * random());
					if (!served || world.fault.answer === 'limited') {
						ticket.settle({ limited: true, retryAfterMs: world.fault.retryAfterMs });
						return { kind: 'failed' };
					}
					if (world.fault.answer === 'failed') throw new Error('no answer');
					ticket.settle();
					const order = world.orders.get(key);
					if (order === undefined || arrived < order.beginsAt) return { kind: 'notFound' };
					if (arrived < order.endsAt) {
						return { kind: 'open', createdAtMs: Math.floor(order.beginsAt / 1000) * 1000, expiresAtMs: order.beginsAt + 600_000 };
					}
					world.seenEnded.set(key, clock.now());
					return { kind: 'ended' };
				},
			}),
	};
	return world;
}

function sentTimes(world: World): number[] {
	return [...world.looks.values()].flat().sort((one, other) => one - other);
}

describe('OrderWatcher', () => {
	it('has at most 20 looks under way, and makes the others as soon as there is room', async () => {
		const world = makeWorld({ limit: 1_000 });
		const begin = world.clock.now();
		let underWay = 0;
		let mostUnderWay = 0;
		const watcher = new OrderWatcher({
			budget: world.budget,
			clock: world.clock,
			intervalMs: 5_000,
			lane: 'lane',
			async look(key): Promise<LookAnswer> {
				world.looks.set(key, [...(world.looks.get(key) ?? []), world.clock.now()]);
				mostUnderWay = Math.max(mostUnderWay, ++underWay);
				await world.clock.sleep(200);
				underWay--;
				return { kind: 'notFound' };
			},
		});
		for (let index = 0; index < 300; index++) watcher.add(`order ${index}`);
		const done = watcher.run(begin + 4_500);
		await world.clock.run(begin + 10_000);
		await done;
		expect(mostUnderWay).toBe(20);
		expect(world.looks.size).toBe(300);
		expect(Math.max(...sentTimes(world))).toBeLessThan(begin + 4_500);
	});

	it('looks at once at what it is given, and until the end', async () => {
		const world = makeWorld();
		const begin = world.clock.now();
		world.orders.set('a', { beginsAt: begin, endsAt: begin + 9_000 });
		const watcher = world.watcher({});
		watcher.add('a');
		const done = watcher.run(Number.POSITIVE_INFINITY);
		await world.clock.run(begin + 60_000, () => watcher.size === 0);
		await done;
		expect(world.looks.get('a')?.[0]).toBe(begin);
		expect(world.seenEnded.get('a')).toBeLessThan(begin + 16_000);
	});

	it('first looks at an order whose begin is known when it may have ended', async () => {
		const world = makeWorld();
		const begin = world.clock.now();
		world.orders.set('a', { beginsAt: begin, endsAt: begin + 9_000 });
		const watcher = world.watcher({});
		watcher.add('a', { beginsAt: begin });
		void watcher.run(begin + 60_000);
		await world.clock.run(begin + 60_000, () => watcher.size === 0);
		expect(world.looks.get('a')?.[0]).toBeGreaterThan(begin + 3_000);
	});

	it('waits for a hash that is not found yet', async () => {
		const world = makeWorld();
		const begin = world.clock.now() + 120_000;
		world.orders.set('a', { beginsAt: begin, endsAt: begin + 8_000 });
		const watcher = world.watcher({});
		watcher.add('a');
		void watcher.run(Number.POSITIVE_INFINITY);
		await world.clock.run(begin + 120_000, () => watcher.size === 0);
		expect(world.seenEnded.get('a')).toBeLessThan(begin + 8_000 + 12_000);
		expect(world.looks.get('a')?.length).toBeLessThan(40);
	});

	it('sends nothing once it is stopped, and aborts what is in the air', async () => {
		const world = makeWorld();
		const begin = world.clock.now();
		const watcher = world.watcher({ intervalMs: 1_000 });
		for (let index = 0; index < 30; index++) {
			world.orders.set(`${index}`, { beginsAt: begin, endsAt: Number.POSITIVE_INFINITY });
			watcher.add(`${index}`);
		}
		let returned = false;
		void watcher.run(Number.POSITIVE_INFINITY).then(() => {
			returned = true;
		});
		await world.clock.run(begin + 60_000, () => sentTimes(world).length >= 70 && sentTimes(world).at(-1) === world.clock.now());
		const sent = sentTimes(world).length;
		watcher.stop();
		await world.clock.run(world.clock.now());
		expect(returned).toBe(true);
		expect(world.aborted.length).toBeGreaterThan(0);
		watcher.add('late');
		void watcher.run(Number.POSITIVE_INFINITY);
		expect(watcher.step()).toBe(Number.POSITIVE_INFINITY);
		await world.clock.run(begin + 600_000);
		expect(sentTimes(world)).toHaveLength(sent);
	});

	it('sends nothing once it is stopped while it waits for its turn', async () => {
		const world = makeWorld({ limit: 10 });
		for (let ticket = world.budget.tryTake('person'); ticket !== null; ticket = world.budget.tryTake('person')) ticket.settle();
		void world.budget.take({ priority: 'watch', lane: 'another' }).then((ticket) => ticket.settle());
		const watcher = world.watcher({});
		watcher.add('a');
		watcher.step();
		await world.clock.run(world.clock.now() + 1_000);
		watcher.stop();
		await world.clock.run(world.clock.now() + 600_000);
		expect(sentTimes(world)).toEqual([]);
	});

	it('sends nothing when it is stopped in the breath in which its turn comes, and gives the slot back', async () => {
		const world = makeWorld({ limit: 1 });
		world.budget.tryTake('person')?.settle();
		void world.budget.take({ priority: 'watch', lane: 'another' }).then((ticket) => ticket.settle());
		const watcher = world.watcher({});
		watcher.add('a');
		watcher.step();
		world.budget.setLimit(4);
		watcher.stop();
		await world.clock.run(world.clock.now());
		expect(sentTimes(world)).toEqual([]);
		expect(world.budget.view().free).toBe(1);
	});

	it('holds one place at a time in the queue where others wait', async () => {
		const world = makeWorld({ limit: 20 });
		for (let ticket = world.budget.tryTake('person'); ticket !== null; ticket = world.budget.tryTake('person')) ticket.settle();
		void world.budget.take({ priority: 'watch', lane: 'another' }).then((ticket) => ticket.settle());
		const watcher = world.watcher({});
		for (let index = 0; index < 10; index++) watcher.add(`${index}`);
		for (let step = 0; step < 5; step++) watcher.step();
		await world.clock.run(world.clock.now() + 70_000);
		expect(sentTimes(world)).toHaveLength(1);
	});

	it('gets its turn although a long list of others waits for the same budget', async () => {
		const world = makeWorld({ limit: 20 });
		const begin = world.clock.now();
		for (let index = 0; index < 300; index++) {
			void world.budget.take({ priority: 'watch', lane: 'batch' }).then((ticket) => ticket.settle());
		}
		world.orders.set('a', { beginsAt: begin, endsAt: begin });
		const watcher = world.watcher({});
		watcher.add('a');
		void watcher.run(Number.POSITIVE_INFINITY);
		await world.clock.run(begin + 600_000, () => watcher.size === 0);
		expect(world.seenEnded.get('a')).toBeLessThan(begin + 65_000);
	});

	it('ends soon after its last tick', async () => {
		const world = makeWorld();
		const begin = world.clock.now();
		world.orders.set('a', { beginsAt: begin, endsAt: Number.POSITIVE_INFINITY });
		const watcher = world.watcher({ intervalMs: 1_000 });
		watcher.add('a');
		for (let tick = 0; tick < 10; tick++) {
			world.clock.at(begin + tick * 1_000, () => void watcher.run(world.clock.now() + 1_100));
		}
		await world.clock.run(begin + 60_000);
		expect(sentTimes(world).at(-1)).toBeLessThan(begin + 10_200);
		expect(sentTimes(world).length).toBeGreaterThanOrEqual(5);
	});

	it('is quiet for as long as Retry-After says, and goes on afterwards', async () => {
		const world = makeWorld();
		const begin = world.clock.now();
		world.orders.set('a', { beginsAt: begin, endsAt: begin + 100_000 });
		world.fault = { answer: 'limited', retryAfterMs: 50_000 };
		const watcher = world.watcher({});
		watcher.add('a');
		void watcher.run(Number.POSITIVE_INFINITY);
		await world.clock.run(begin + 49_000);
		expect(sentTimes(world)).toHaveLength(1);
		world.fault = { answer: null };
		await world.clock.run(begin + 600_000, () => watcher.size === 0);
		expect(world.seenEnded.has('a')).toBe(true);
	});

	it('outlives failures of the service, and asks less while they last', async () => {
		const world = makeWorld();
		const begin = world.clock.now();
		world.orders.set('a', { beginsAt: begin, endsAt: begin + 9_000 });
		world.fault = { answer: 'failed' };
		const watcher = world.watcher({ intervalMs: 1_000 });
		watcher.add('a');
		void watcher.run(Number.POSITIVE_INFINITY);
		await world.clock.run(begin + 300_000);
		expect(sentTimes(world).length).toBeLessThan(20);
		world.fault = { answer: null };
		await world.clock.run(begin + 600_000, () => watcher.size === 0);
		expect(world.seenEnded.get('a')).toBeLessThan(begin + 335_000);
	});

	it('shares a budget fairly with another watcher, and takes over what a dead one claimed', async () => {
		const world = makeWorld();
		const begin = world.clock.now();
		const watchers = [world.watcher({ lane: 'one' }), world.watcher({ lane: 'two' })];
		for (let index = 0; index < 80; index++) {
			world.orders.set(`${index}`, { beginsAt: begin, endsAt: Number.POSITIVE_INFINITY });
			watchers[index % 2]?.add(`${index}`);
		}
		void watchers[0]?.run(Number.POSITIVE_INFINITY);
		void watchers[1]?.run(begin + 300_000);
		await world.clock.run(begin + 300_000);
		const looksAt = (parity: number): number =>
			[...world.looks].filter(([key]) => Number(key) % 2 === parity).flatMap(([, times]) => times).length;
		const ratio = looksAt(0) / looksAt(1);
		expect(ratio).toBeGreaterThan(0.7);
		expect(ratio).toBeLessThan(1.4);
		expect(world.service.refused).toBe(0);
		const before = looksAt(0);
		await world.clock.run(begin + 600_000);
		expect(looksAt(0) - before).toBeGreaterThan(before);
		watchers[0]?.stop();
	});

	it('keeps every promise for any orders, latencies and limits', async () => {
		const shape = fc.record({
			beginsAfter: fc.integer({ min: 0, max: 120_000 }),
			lasts: fc.oneof(fc.integer({ min: 1_000, max: 20_000 }), fc.integer({ min: 20_000, max: 1_500_000 })),
			announced: fc.boolean(),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.array(shape, { minLength: 1, maxLength: 40 }),
				fc.constantFrom(3, 20, 100),
				fc.constantFrom(1_000, 5_000),
				fc.integer({ min: 50, max: 5_000 }),
				fc.integer(),
				async (shapes, limit, intervalMs, slowestMs, seed) => {
					const world = makeWorld({ limit, slowestMs, random: seededRandom(seed) });
					const begin = world.clock.now();
					const watcher = world.watcher({ intervalMs });
					const addedAt = new Map<string, number>();
					shapes.forEach(({ beginsAfter, lasts, announced }, index) => {
						const key = `${index}`;
						const beginsAt = begin + beginsAfter;
						world.orders.set(key, { beginsAt, endsAt: beginsAt + lasts });
						addedAt.set(key, announced ? begin : beginsAt);
						if (announced) watcher.add(key);
						else world.clock.at(beginsAt, () => watcher.add(key, { beginsAt }));
					});
					const ticks = (at: number): void => {
						world.clock.at(at, () => {
							void watcher.run(world.clock.now() + 1_100);
							if (world.seenEnded.size < shapes.length) ticks(at + 1_000);
						});
					};
					ticks(begin);
					await world.clock.run(begin + 10 * 3_600_000, () => world.seenEnded.size === shapes.length);
					// Every end is seen, and no request was refused although requests were slow and uneven.
					expect(world.seenEnded.size).toBe(shapes.length);
					expect(world.service.refused).toBe(0);
					// As stated in longestGapMs: within one and a half times of it, and the time of the looks themselves.
					const stated = 1.5 * longestGapMs(shapes.length, Math.max(1, limit - Math.ceil(limit * 0.05))) + 2 * slowestMs + 1_000;
					for (const [key, times] of world.looks) {
						times.forEach((time, index) => {
							const before = times[index - 1];
							if (before !== undefined) expect(time - before).toBeGreaterThanOrEqual(intervalMs);
							expect(time - (before ?? addedAt.get(key) ?? time)).toBeLessThanOrEqual(stated);
						});
					}
				},
			),
			{ numRuns: 15, seed: 7 },
		);
	});
});
