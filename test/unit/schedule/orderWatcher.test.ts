import fc from 'fast-check';
import { VirtualClock } from '../../../bench/simulation/virtualClock';
import { SlidingWindow } from '../../../bench/simulation/service';
import type { Random } from '../../../bench/simulation/random';
import { seededRandom } from '../../../bench/simulation/random';
import type {
	AddOptions,
	CheckResult,
} from '../../../nodes/CrossChainBridge/schedule/watchedEntry';
import { budgetGroupOf } from '../../../nodes/CrossChainBridge/schedule/budgetGroup';
import { OrderWatcher } from '../../../nodes/CrossChainBridge/schedule/orderWatcher';
import { NO_EXPERIENCE } from '../../../nodes/CrossChainBridge/schedule/plan';
import { RequestBudget } from '../../../nodes/CrossChainBridge/budget/requestBudget';
import { cases } from '../../randomCases';
import { longestGapMs } from '../../../nodes/CrossChainBridge/schedule/schedule';

interface FakeOrder {
	startsAt: number;
	endsAt: number;
}

interface World {
	clock: VirtualClock;
	budget: RequestBudget;
	service: SlidingWindow;
	orders: Map<string, FakeOrder>;
	/** Sending times of the checks of each order. */
	checks: Map<string, number[]>;
	seenEnded: Map<string, number>;
	aborted: string[];
	/** What a check answers in place of the truth. */
	fault: { answer: 'limited' | 'failed' | null; retryAfterMs?: number };
	watcher(options: { intervalMs?: number; queueKey?: string }): OrderWatcher;
}

function makeWorld({
	limit = 100,
	random = seededRandom(1),
	slowestMs = 300,
}: { limit?: number; random?: Random; slowestMs?: number } = {}): World {
	const clock = new VirtualClock(1_000_000);
	const world: World = {
		clock,
		budget: new RequestBudget(limit, clock),
		service: new SlidingWindow(limit),
		orders: new Map(),
		checks: new Map(),
		seenEnded: new Map(),
		aborted: [],
		fault: { answer: null },
		watcher: ({ intervalMs = 5_000, queueKey = 'queueKey' }) =>
			new OrderWatcher({
				budget: world.budget,
				clock,
				intervalMs,
				queueKey,
				async check(key, permit, signal): Promise<CheckResult> {
					world.checks.set(key, [...(world.checks.get(key) ?? []), clock.now()]);
					signal.addEventListener('abort', () => world.aborted.push(key));
					await clock.sleep(Math.round(slowestMs * random()));
					const served = world.service.arrive(clock.now());
					const arrived = clock.now();
					await clock.sleep(Math.round(slowestMs * random()));
					if (!served || world.fault.answer === 'limited') {
						permit.settle({ limited: true, retryAfterMs: world.fault.retryAfterMs });
						return { kind: 'failed' };
					}
					if (world.fault.answer === 'failed') throw new Error('no answer');
					permit.settle();
					const order = world.orders.get(key);
					if (order === undefined || arrived < order.startsAt) return { kind: 'notFound' };
					if (arrived < order.endsAt) {
						return {
							kind: 'open',
							createdAtMs: Math.floor(order.startsAt / 1000) * 1000,
							expiresAtMs: order.startsAt + 600_000,
						};
					}
					world.seenEnded.set(key, clock.now());
					return { kind: 'finished' };
				},
			}),
	};
	return world;
}

function sentTimes(world: World): number[] {
	return [...world.checks.values()].flat().sort((one, other) => one - other);
}

describe('OrderWatcher', () => {
	it.each([
		['in another list', 8_000],
		['in the same list', 0],
	])(
		'three young orders do not wait for three hundred hashes that nobody knows, %s',
		async (_where, addedAfterMs) => {
			const world = makeWorld();
			const begin = world.clock.now();
			const [young, other] = [world.watcher({}), world.watcher({ queueKey: 'other' })];
			for (const key of ['a', 'b', 'c']) {
				world.orders.set(key, { startsAt: begin - 1_000, endsAt: begin + 20_000 });
				young.add(key);
			}
			void young.run(begin + 60_000);
			await world.clock.run(begin + addedAfterMs);
			const unknown = addedAfterMs === 0 ? young : other;
			for (let index = 0; index < 300; index++) unknown.add(`unknown ${index}`);
			void unknown.run(begin + 60_000);
			await world.clock.run(begin + 60_000);
			for (const key of ['a', 'b', 'c'])
				expect(world.seenEnded.get(key)).toBeLessThan(begin + 40_000);
			for (const each of [young, other]) each.stop();
		},
	);

	it('sees fifty orders that have just begun soon after they finish, also where each is waited for by an execution of its own', async () => {
		const random = seededRandom(7);
		const world = makeWorld({ random, slowestMs: 30 });
		const begin = world.clock.now();
		for (let index = 0; index < 50; index++) {
			const addedAt = begin + 3_000 * random();
			const startsAt = addedAt - 2_000 * random();
			world.orders.set(String(index), { startsAt, endsAt: startsAt + 5_000 + 10_000 * random() });
			world.clock.at(addedAt, () => {
				const watcher = world.watcher({ queueKey: String(index) });
				watcher.add(String(index));
				void watcher.run(begin + 120_000);
			});
		}
		await world.clock.run(begin + 120_000);
		const delays = [...world.orders].map(
			([key, { endsAt }]) => (world.seenEnded.get(key) ?? Number.NaN) - endsAt,
		);
		expect(Math.max(...delays)).toBeLessThan(20_000);
		expect(sentTimes(world).length).toBeLessThanOrEqual(95);
	});

	it.each([
		['25, as long as the process takes more than a breath for them', 30, 25],
		['75, where the process keeps up', 0, 75],
	])('has up to %s, and makes the others as soon as there is room', async (_name, lateMs, most) => {
		const world = makeWorld({ limit: 1_000 });
		const clock = {
			now: () => world.clock.now(),
			sleep: async (ms: number) => await world.clock.sleep(ms + lateMs),
		};
		const begin = world.clock.now();
		let inFlight = 0;
		let mostInFlight = 0;
		const watcher = new OrderWatcher({
			budget: world.budget,
			clock,
			intervalMs: 5_000,
			queueKey: 'queueKey',
			async check(key): Promise<CheckResult> {
				world.checks.set(key, [...(world.checks.get(key) ?? []), world.clock.now()]);
				mostInFlight = Math.max(mostInFlight, ++inFlight);
				await world.clock.sleep(200);
				inFlight--;
				return { kind: 'finished' };
			},
		});
		for (let index = 0; index < 300; index++) watcher.add(`order ${index}`);
		const done = watcher.run(begin + 4_500);
		await world.clock.run(begin + 10_000);
		await done;
		expect(mostInFlight).toBe(most);
		expect(world.checks.size).toBe(300);
		expect(Math.max(...sentTimes(world))).toBeLessThan(begin + 4_500);
	});

	it('checks at once what it is given, until it has finished', async () => {
		const world = makeWorld();
		const begin = world.clock.now();
		world.orders.set('a', { startsAt: begin, endsAt: begin + 9_000 });
		const watcher = world.watcher({});
		watcher.add('a');
		const done = watcher.run(Number.POSITIVE_INFINITY);
		await world.clock.run(begin + 60_000, () => watcher.size === 0);
		await done;
		expect(world.checks.get('a')?.[0]).toBe(begin);
		expect(world.seenEnded.get('a')).toBeLessThan(begin + 16_000);
	});

	it('first checks an order whose beginning is known when it may have finished', async () => {
		const world = makeWorld();
		const begin = world.clock.now();
		world.orders.set('a', { startsAt: begin, endsAt: begin + 9_000 });
		const watcher = world.watcher({});
		watcher.add('a', { startedAt: begin });
		void watcher.run(begin + 60_000);
		await world.clock.run(begin + 60_000, () => watcher.size === 0);
		expect(world.checks.get('a')?.[0]).toBeGreaterThan(begin + 2_500);
	});

	it('first checks posted orders when they may have finished, but one of them at once', async () => {
		const world = makeWorld();
		const begin = world.clock.now();
		const watcher = world.watcher({});
		for (let index = 0; index < 50; index++) {
			world.orders.set(`${index}`, { startsAt: begin, endsAt: begin + 5_000 + 200 * index });
			watcher.add(`${index}`, { postedAt: begin });
		}
		void watcher.run(begin + 60_000);
		await world.clock.run(begin + 60_000, () => watcher.size === 0);
		expect(sentTimes(world).filter((time) => time < begin + 3_000)).toHaveLength(1);
		const delays = [...world.seenEnded].map(
			([key, seenAt]) => seenAt - (world.orders.get(key)?.endsAt ?? 0),
		);
		expect(delays.reduce((sum, delay) => sum + delay, 0) / 50).toBeLessThan(3_500);
	});

	it('learns from the first answer that posts come late, and checks the others at once', async () => {
		const world = makeWorld();
		const begin = world.clock.now();
		const watcher = world.watcher({});
		for (let index = 0; index < 50; index++) {
			world.orders.set(`${index}`, { startsAt: begin - 100_000, endsAt: begin - 90_000 });
			watcher.add(`${index}`, { postedAt: begin });
		}
		void watcher.run(begin + 60_000);
		await world.clock.run(begin + 60_000, () => watcher.size === 0);
		expect(Math.max(...world.seenEnded.values())).toBeLessThan(begin + 4_000);
		// The same budget, another watcher: it knows already.
		const next = world.watcher({ queueKey: 'another' });
		world.orders.set('next', { startsAt: begin, endsAt: begin + 10_000 });
		next.add('next', { postedAt: begin + 60_000 });
		void next.run(world.clock.now() + 60_000);
		await world.clock.run(begin + 120_000, () => next.size === 0);
		expect(world.checks.get('next')?.[0]).toBeLessThan(begin + 60_100);
	});

	it('keeps the rhythm of an order that is added again', async () => {
		const checksOf = async (poll: boolean): Promise<number[] | undefined> => {
			const world = makeWorld();
			const begin = world.clock.now();
			world.orders.set('a', { startsAt: begin, endsAt: Number.POSITIVE_INFINITY });
			const watcher = world.watcher({});
			watcher.add('a', { postedAt: begin });
			if (poll)
				for (let at = 500; at < 60_000; at += 500)
					world.clock.at(begin + at, () => watcher.add('a', { postedAt: begin + at }));
			void watcher.run(begin + 60_000);
			await world.clock.run(begin + 60_000);
			return world.checks.get('a');
		};
		expect(await checksOf(true)).toEqual(await checksOf(false));
	});

	it('goes by the creation and the expiry that the service states', async () => {
		const checksWith = async (stated: {
			createdAtMs: number | null;
			expiresAtMs: number | null;
		}): Promise<number[]> => {
			const { budget, clock } = makeWorld();
			const begin = clock.now();
			const times: number[] = [];
			const watcher = new OrderWatcher({
				budget,
				clock,
				intervalMs: 1_000,
				queueKey: 'queueKey',
				check: async () => {
					times.push(clock.now() - begin);
					return await Promise.resolve({ kind: 'open', ...stated });
				},
			});
			watcher.add('a');
			void watcher.run(begin + 1_000_000);
			await clock.run(begin + 1_000_000);
			return times;
		};
		const begin = makeWorld().clock.now();
		const between = (times: readonly number[], from: number, to: number): number =>
			times.filter((time) => time >= from && time < to).length;
		const old = await checksWith({ createdAtMs: begin - 50_000, expiresAtMs: null });
		const young = await checksWith({ createdAtMs: begin, expiresAtMs: null });
		expect(between(young, 0, 15_000)).toBeGreaterThan(1.2 * between(old, 0, 15_000));
		const expiring = await checksWith({ createdAtMs: begin, expiresAtMs: begin + 900_000 });
		expect(between(expiring, 900_000, 930_000)).toBeGreaterThan(
			1.5 * between(young, 900_000, 930_000),
		);
	});

	it('takes an answer of a kind that it does not know for a failed check, which slows down no other order', async () => {
		const { budget, clock } = makeWorld();
		const begin = clock.now();
		const times = new Map<string, number[]>([
			['good', []],
			['bad', []],
		]);
		const watcher = new OrderWatcher({
			budget,
			clock,
			intervalMs: 1_000,
			queueKey: 'queueKey',
			check: async (key) => {
				times.get(key)?.push(clock.now() - begin);
				const result: unknown =
					key === 'bad'
						? { kind: 'orderError' }
						: { kind: 'open', createdAtMs: begin, expiresAtMs: null };
				return await Promise.resolve(result as CheckResult);
			},
		});
		for (const key of times.keys()) watcher.add(key, { startedAt: begin });
		void watcher.run(begin + 120_000);
		await clock.run(begin + 120_000);
		const bad = times.get('bad') ?? [];
		expect(bad.length).toBeLessThan(10);
		expect((bad.at(-1) ?? 0) - (bad.at(-2) ?? 0)).toBeGreaterThanOrEqual(30_000);
		expect(times.get('good')?.length).toBeGreaterThan(30);
	});

	it('waits for a hash that is not found yet', async () => {
		const world = makeWorld();
		const begin = world.clock.now() + 120_000;
		world.orders.set('a', { startsAt: begin, endsAt: begin + 8_000 });
		const watcher = world.watcher({});
		watcher.add('a');
		void watcher.run(Number.POSITIVE_INFINITY);
		await world.clock.run(begin + 120_000, () => watcher.size === 0);
		expect(world.seenEnded.get('a')).toBeLessThan(begin + 8_000 + 12_000);
		expect(world.checks.get('a')?.length).toBeLessThan(40);
	});

	it('sends nothing once it is stopped, and aborts what is in flight', async () => {
		const world = makeWorld();
		const begin = world.clock.now();
		const watcher = world.watcher({ intervalMs: 1_000 });
		for (let index = 0; index < 30; index++) {
			world.orders.set(`${index}`, { startsAt: begin, endsAt: Number.POSITIVE_INFINITY });
			watcher.add(`${index}`);
		}
		let returned = false;
		void watcher.run(Number.POSITIVE_INFINITY).then(() => {
			returned = true;
		});
		await world.clock.run(
			begin + 60_000,
			() => sentTimes(world).length >= 70 && sentTimes(world).at(-1) === world.clock.now(),
		);
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
		for (
			let permit = world.budget.tryAcquire('interactive');
			permit !== null;
			permit = world.budget.tryAcquire('interactive')
		)
			permit.settle();
		void world.budget
			.acquire({ priority: 'watch', queueKey: 'another' })
			.then((permit) => permit.settle());
		const watcher = world.watcher({});
		watcher.add('a');
		watcher.step();
		await world.clock.run(world.clock.now() + 1_000);
		watcher.stop();
		await world.clock.run(world.clock.now() + 600_000);
		expect(sentTimes(world)).toEqual([]);
	});

	it('sends nothing when it is stopped just when its turn comes, and gives the slot back', async () => {
		const world = makeWorld({ limit: 1 });
		world.budget.tryAcquire('interactive')?.settle();
		void world.budget
			.acquire({ priority: 'watch', queueKey: 'another' })
			.then((permit) => permit.settle());
		const watcher = world.watcher({});
		watcher.add('a');
		watcher.step();
		world.budget.setLimit(4);
		watcher.stop();
		await world.clock.run(world.clock.now());
		expect(sentTimes(world)).toEqual([]);
		expect(world.budget.view().free).toBe(1);
	});

	it.each<[string, (watcher: OrderWatcher) => void]>([
		['paused', (watcher) => watcher.pause()],
		['given another order instead', (watcher) => (watcher.remove('a'), watcher.add('b'))],
	])('queues again when it was %s while it waited for its turn', async (_how, abort) => {
		const world = makeWorld({ limit: 10 });
		for (
			let permit = world.budget.tryAcquire('interactive');
			permit !== null;
			permit = world.budget.tryAcquire('interactive')
		)
			permit.settle();
		void world.budget
			.acquire({ priority: 'watch', queueKey: 'another' })
			.then((permit) => permit.settle());
		const watcher = world.watcher({});
		watcher.add('a');
		watcher.step();
		abort(watcher);
		await world.clock.run(world.clock.now() + 1_000);
		watcher.step();
		await world.clock.run(world.clock.now() + 600_000);
		expect(sentTimes(world)).toHaveLength(1);
	});

	it('takes one place at a time in the queue where others wait', async () => {
		const world = makeWorld({ limit: 20 });
		for (
			let permit = world.budget.tryAcquire('interactive');
			permit !== null;
			permit = world.budget.tryAcquire('interactive')
		)
			permit.settle();
		void world.budget
			.acquire({ priority: 'watch', queueKey: 'another' })
			.then((permit) => permit.settle());
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
			void world.budget
				.acquire({ priority: 'watch', queueKey: 'batch' })
				.then((permit) => permit.settle());
		}
		world.orders.set('a', { startsAt: begin, endsAt: begin });
		const watcher = world.watcher({});
		watcher.add('a');
		void watcher.run(Number.POSITIVE_INFINITY);
		await world.clock.run(begin + 600_000, () => watcher.size === 0);
		expect(world.seenEnded.get('a')).toBeLessThan(begin + 65_000);
	});

	it('stops soon after its last tick', async () => {
		const world = makeWorld();
		const begin = world.clock.now();
		world.orders.set('a', { startsAt: begin, endsAt: Number.POSITIVE_INFINITY });
		const watcher = world.watcher({ intervalMs: 1_000 });
		watcher.add('a');
		for (let tick = 0; tick < 10; tick++) {
			world.clock.at(begin + tick * 1_000, () => void watcher.run(world.clock.now() + 1_100));
		}
		await world.clock.run(begin + 60_000);
		expect(sentTimes(world).at(-1)).toBeLessThan(begin + 10_200);
		expect(sentTimes(world).length).toBeGreaterThanOrEqual(5);
	});

	it('is quiet for as long as Retry-After says, and continues afterwards', async () => {
		const world = makeWorld();
		const begin = world.clock.now();
		world.orders.set('a', { startsAt: begin, endsAt: begin + 100_000 });
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
		world.orders.set('a', { startsAt: begin, endsAt: begin + 9_000 });
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
		const watchers = [world.watcher({ queueKey: 'one' }), world.watcher({ queueKey: 'two' })];
		for (let index = 0; index < 80; index++) {
			world.orders.set(`${index}`, { startsAt: begin, endsAt: Number.POSITIVE_INFINITY });
			watchers[index % 2]?.add(`${index}`);
		}
		void watchers[0]?.run(Number.POSITIVE_INFINITY);
		void watchers[1]?.run(begin + 300_000);
		await world.clock.run(begin + 300_000);
		const checksAt = (parity: number): number =>
			[...world.checks].filter(([key]) => Number(key) % 2 === parity).flatMap(([, times]) => times)
				.length;
		const ratio = checksAt(0) / checksAt(1);
		expect(ratio).toBeGreaterThan(0.7);
		expect(ratio).toBeLessThan(1.4);
		expect(world.service.refused).toBe(0);
		const before = checksAt(0);
		await world.clock.run(begin + 600_000);
		expect(checksAt(0) - before).toBeGreaterThan(before);
		watchers[0]?.stop();
	});

	it.each<[string, CheckResult[]]>([
		['that the service rejects', [{ kind: 'rejected' }]],
		[
			'that were open once, and fail ever since',
			[{ kind: 'open', createdAtMs: null, expiresAtMs: null }, { kind: 'failed' }],
		],
		[
			'that were open once, and are not found ever since',
			[{ kind: 'open', createdAtMs: null, expiresAtMs: null }, { kind: 'notFound' }],
		],
	])('orders %s take no turn of another watcher', async (_what, answers) => {
		const world = makeWorld();
		const begin = world.clock.now();
		const bad = new OrderWatcher({
			budget: world.budget,
			clock: world.clock,
			intervalMs: 5_000,
			queueKey: 'bad',
			check: async (key) => {
				const times = (world.checks.get(key) ?? []).length;
				world.checks.set(key, [...(world.checks.get(key) ?? []), world.clock.now()]);
				await world.clock.sleep(50);
				return answers[Math.min(times, answers.length - 1)] ?? { kind: 'failed' };
			},
		});
		for (let index = 0; index < 60; index++) bad.add(`bad ${index}`, { postedAt: begin });
		void bad.run(Number.POSITIVE_INFINITY, true);
		const good = world.watcher({ queueKey: 'good' });
		void good.run(Number.POSITIVE_INFINITY, true);
		const endOf = (index: number): number => begin + 120_000 + 10_000 * index;
		for (let index = 0; index < 30; index++) {
			world.orders.set(`good ${index}`, { startsAt: endOf(index) - 10_000, endsAt: endOf(index) });
			world.clock.at(endOf(index) - 10_000, () =>
				good.add(`good ${index}`, { postedAt: world.clock.now() }),
			);
		}
		await world.clock.run(begin + 600_000);
		const delays = Array.from(
			{ length: 30 },
			(_, index) =>
				((world.seenEnded.get(`good ${index}`) ?? Number.POSITIVE_INFINITY) - endOf(index)) / 1000,
		);
		expect(delays.reduce((sum, delay) => sum + delay, 0) / delays.length).toBeLessThan(6);
		bad.stop();
		good.stop();
	});

	it('keeps every promise for any orders, latencies and limits', async () => {
		const shape = fc.record({
			beginsAfter: fc.integer({ min: 0, max: 120_000 }),
			lasts: fc.oneof(
				fc.integer({ min: 1_000, max: 20_000 }),
				fc.integer({ min: 20_000, max: 1_500_000 }),
			),
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
						const startsAt = begin + beginsAfter;
						world.orders.set(key, { startsAt, endsAt: startsAt + lasts });
						addedAt.set(key, announced ? begin : startsAt);
						if (announced) watcher.add(key);
						else world.clock.at(startsAt, () => watcher.add(key, { startedAt: startsAt }));
					});
					const ticks = (at: number): void => {
						world.clock.at(at, () => {
							void watcher.run(world.clock.now() + 1_100);
							if (world.seenEnded.size < shapes.length) ticks(at + 1_000);
						});
					};
					ticks(begin);
					await world.clock.run(
						begin + 10 * 3_600_000,
						() => world.seenEnded.size === shapes.length,
					);
					// Every final status is seen, and no request was refused although requests were slow and uneven.
					expect(world.seenEnded.size).toBe(shapes.length);
					expect(world.service.refused).toBe(0);
					// As stated in longestGapMs: within one and a half times of it, and the time of the checks themselves.
					const stated =
						1.5 * longestGapMs(shapes.length, Math.max(1, limit - Math.ceil(limit * 0.05))) +
						2 * slowestMs +
						1_000;
					for (const [key, times] of world.checks) {
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

describe('OrderWatcher, step by step', () => {
	const ANSWER_MS = 50;

	interface Fixed {
		clock: VirtualClock;
		budget: RequestBudget;
		begin: number;
		/** Keys and times (ms since the beginning) of the checks. */
		sent: Array<[string, number]>;
		watcher: OrderWatcher;
		/** Whether `run` has returned. */
		run(forMs: number, waitsForOrders?: boolean): { isOver: boolean };
	}

	/** Each check is answered after 50 ms. */
	function fixed(
		answer: (key: string) => CheckResult,
		{
			limit = 100,
			intervalMs = 1_000,
			settles = true,
		}: { limit?: number; intervalMs?: number; settles?: boolean } = {},
	): Fixed {
		const clock = new VirtualClock(1_000_000);
		const begin = clock.now();
		const budget = new RequestBudget(limit, clock, { random: () => 0 });
		const sent: Array<[string, number]> = [];
		const watcher = new OrderWatcher({
			budget,
			clock,
			intervalMs,
			queueKey: 'queueKey',
			check: async (key, permit) => {
				sent.push([key, clock.now() - begin]);
				await clock.sleep(ANSWER_MS);
				if (settles) permit.settle();
				return answer(key);
			},
		});
		return {
			clock,
			budget,
			begin,
			sent,
			watcher,
			run: (forMs, waitsForOrders) => {
				const run = { isOver: false };
				void watcher.run(begin + forMs, waitsForOrders).then(() => (run.isOver = true));
				return run;
			},
		};
	}

	const OPEN: CheckResult = { kind: 'open', createdAtMs: null, expiresAtMs: null };
	const addMany = (watcher: OrderWatcher, count: number, options = {}): void => {
		for (let index = 0; index < count; index++) watcher.add(`${index}`, options);
	};

	it('says when to step again', async () => {
		const { clock, begin, watcher } = fixed(() => OPEN);
		expect([watcher.step(), watcher.steppedAt]).toEqual([
			Number.POSITIVE_INFINITY,
			Number.NEGATIVE_INFINITY,
		]);
		watcher.add('a');
		expect([
			watcher.step(),
			watcher.steppedAt,
			watcher.size,
			watcher.has('a'),
			watcher.has('b'),
		]).toEqual([begin + 1_000, begin, 1, true, false]);
		await clock.run(begin + 100);
		const at = watcher.step();
		expect([at > begin + 100, at <= begin + 1_100]).toEqual([true, true]);
	});

	it.each<[string, object, CheckResult]>([
		['posts come late', { postedAt: 1_000_000 }, { kind: 'finished', createdAtMs: 900_000 }],
		['the orders of a list have finished', {}, { kind: 'finished' }],
	])(
		'checks the others as soon as the first answers show that %s',
		async (_what, options, answer) => {
			const { clock, begin, sent, watcher, run } = fixed(() => answer, { limit: 25 });
			addMany(watcher, 15, options);
			const first = run(10_000);
			await clock.run(begin + ANSWER_MS + 1);
			expect(sent.filter(([, at]) => at === 0).length).toBeLessThanOrEqual(5);
			expect(sent.filter(([, at]) => at === ANSWER_MS).length).toBe(
				15 - sent.filter(([, at]) => at === 0).length,
			);
			await clock.run(begin + 2 * ANSWER_MS);
			expect([watcher.size, first.isOver]).toEqual([0, true]);
		},
	);

	it('checks an order that is added while it runs at once', async () => {
		const { clock, begin, sent, watcher, run } = fixed(() => OPEN);
		const running = run(10_000, true);
		clock.at(begin + 333, () => watcher.add('a'));
		await clock.run(begin + 9_999);
		expect([sent[0], running.isOver]).toEqual([['a', 333], false]);
		await clock.run(begin + 10_000);
		expect(running.isOver).toBe(true);
	});

	it('runs until nothing is left to watch, or until it is paused', async () => {
		const empty = fixed(() => OPEN);
		const none = empty.run(10_000);
		await empty.clock.run(empty.begin);
		expect(none.isOver).toBe(true);
		const removed = fixed(() => OPEN);
		removed.watcher.add('a');
		const untilRemoved = removed.run(10_000);
		removed.clock.at(removed.begin + 111, () => removed.watcher.remove('a'));
		await removed.clock.run(removed.begin + 111);
		expect(untilRemoved.isOver).toBe(true);
		const paused = fixed(() => OPEN);
		paused.watcher.add('a');
		const untilPaused = paused.run(10_000);
		paused.clock.at(paused.begin + 111, () => paused.watcher.pause());
		await paused.clock.run(paused.begin + 111);
		expect([untilPaused.isOver, paused.watcher.size]).toEqual([true, 1]);
	});

	it('runs for as long as the call that asks for the longest, and again after that', async () => {
		const { clock, begin, sent, watcher, run } = fixed(() => OPEN);
		watcher.add('a');
		const runs = [run(3_000), run(5_000), run(1_000)];
		await clock.run(begin + 4_999);
		expect(runs.map(({ isOver }) => isOver)).toEqual([false, true, true]);
		await clock.run(begin + 5_000);
		expect(runs[0]?.isOver).toBe(true);
		const before = sent.length;
		await clock.run(begin + 20_000);
		expect(sent).toHaveLength(before);
		run(30_000);
		await clock.run(begin + 20_000);
		expect(sent).toHaveLength(before + 1);
	});

	it('does not let a run continue that was paused and begun again', async () => {
		const { clock, begin, watcher, run } = fixed(() => OPEN);
		watcher.add('a');
		const first = run(60_000);
		await clock.run(begin + 500);
		watcher.pause();
		const second = run(3_000);
		await clock.run(begin + 500);
		expect([first.isOver, second.isOver]).toEqual([true, false]);
		await clock.run(begin + 3_000);
		expect(second.isOver).toBe(true);
	});

	it('steps through all that is due, 25 at a time, with a breath between, and from 75 on as answers come', async () => {
		const answers: Array<() => void> = [];
		const clock = new VirtualClock(1_000_000);
		const watcher = new OrderWatcher({
			budget: new RequestBudget(2_000, clock),
			clock,
			intervalMs: 1_000,
			queueKey: 'queueKey',
			check: async () => {
				await new Promise<void>((resolve) => answers.push(resolve));
				return OPEN;
			},
		});
		addMany(watcher, 110);
		let isOver = false;
		void watcher.stepThrough(clock.now() + 10_000).then(() => (isOver = true));
		await clock.run(clock.now());
		expect([answers.length, isOver]).toEqual([25, false]);
		await clock.run(clock.now() + 14);
		expect(answers).toHaveLength(25);
		await clock.run(clock.now() + 1);
		expect(answers).toHaveLength(50);
		await clock.run(clock.now() + 100);
		expect([answers.length, isOver]).toEqual([75, false]);
		for (const answer of answers.slice(0, 62)) answer();
		await clock.run(clock.now());
		expect(answers).toHaveLength(75);
		answers[62]?.();
		await clock.run(clock.now());
		expect([answers.length, isOver]).toEqual([100, false]);
		await clock.run(clock.now() + 15);
		expect(isOver).toBe(true);
	});

	it('lets a run that is under way continue for longer when asked to run again, and returns at once', async () => {
		const clock = new VirtualClock(1_000_000);
		const watcher = new OrderWatcher({
			budget: new RequestBudget(1_000, clock),
			clock,
			intervalMs: 1_000,
			queueKey: 'queueKey',
			check: async () => await Promise.resolve(OPEN),
		});
		watcher.add('a');
		const over: string[] = [];
		void watcher.run(clock.now() + 1_000).then(() => over.push('first'));
		void watcher.run(clock.now() + 3_000).then(() => over.push('second'));
		await clock.run(clock.now() + 2_999);
		expect(over).toEqual(['second']);
		await clock.run(clock.now() + 1);
		expect(over).toEqual(['second', 'first']);
	});

	it('steps through until its time', async () => {
		const clock = new VirtualClock(1_000_000);
		const watcher = new OrderWatcher({
			budget: new RequestBudget(1_000, clock),
			clock,
			intervalMs: 1_000,
			queueKey: 'queueKey',
			check: async () => await new Promise<never>(() => undefined),
		});
		addMany(watcher, 110);
		let isOver = false;
		void watcher.stepThrough(clock.now() + 700).then(() => (isOver = true));
		await clock.run(clock.now() + 699);
		expect(isOver).toBe(false);
		await clock.run(clock.now() + 1);
		expect(isOver).toBe(true);
	});

	it('has stepped through at once where nothing is left to watch', async () => {
		const { clock, begin, watcher } = fixed(() => OPEN);
		let isOver = false;
		void watcher.stepThrough(begin + 10_000).then(() => (isOver = true));
		await clock.run(begin);
		expect(isOver).toBe(true);
	});

	it('asks again within a second for an order of which the rate limit kept the answer', async () => {
		const { clock, begin, sent, watcher, run } = fixed(() => ({ kind: 'limited' }), {
			intervalMs: 60_000,
		});
		watcher.add('a');
		run(2_500);
		await clock.run(begin + 2_500);
		expect(sent.length).toBeGreaterThanOrEqual(3);
		const failing = fixed(() => ({ kind: 'failed' }), { intervalMs: 60_000 });
		failing.watcher.add('a');
		failing.run(2_500);
		await failing.clock.run(failing.begin + 2_500);
		expect(failing.sent).toHaveLength(1);
	});

	describe('where the service answers checks with 429', () => {
		interface Watched extends AddOptions {
			key: string;
		}

		/** When the check of each order was sent (ms since the beginning), where `isLimited` says which are answered with 429. */
		async function checksOf(
			orders: readonly Watched[],
			forMs: number,
			isLimited: (key: string, at: number) => boolean | CheckResult,
			seed = 3,
		): Promise<Map<string, number[]>> {
			const clock = new VirtualClock(1_000_000);
			const begin = clock.now();
			const budget = new RequestBudget(100, clock, { random: seededRandom(seed) });
			const sent = new Map<string, number[]>(orders.map(({ key }) => [key, []]));
			const watcher = new OrderWatcher({
				budget,
				clock,
				intervalMs: 5_000,
				queueKey: 'queueKey',
				async check(key, permit) {
					const limited = isLimited(key, clock.now() - begin);
					sent.get(key)?.push(clock.now() - begin);
					await clock.sleep(ANSWER_MS);
					permit.settle({ limited: limited === true });
					if (typeof limited !== 'boolean') return limited;
					return limited ? { kind: 'limited' } : OPEN;
				},
			});
			const at = (time: number | undefined) => (time === undefined ? undefined : begin + time);
			for (const { key, startedAt, postedAt, intervalMs } of orders)
				watcher.add(key, { intervalMs, startedAt: at(startedAt), postedAt: at(postedAt) });
			void watcher.run(begin + forMs);
			await clock.run(begin + forMs);
			watcher.stop();
			return sent;
		}

		const some = (count: number, name: string, options: AddOptions = {}): Watched[] =>
			Array.from({ length: count }, (_, index) => ({ key: `${name} ${index}`, ...options }));
		const longestGap = (times: readonly number[], until: number): number =>
			Math.max(...[...times, until].map((time, index) => time - (times[index - 1] ?? 0)));
		const known = { startedAt: -5_000 };
		const hourly = { intervalMs: 3_600_000 };

		it.each<[string, Watched[], Watched[], number]>([
			[
				'two, and one other of the same age',
				some(2, 'limited', known),
				some(1, 'other', known),
				20,
			],
			['two, and two of a list', some(2, 'limited', known), some(2, 'other'), 75],
			[
				'ten, and ten others of the same age',
				some(10, 'limited', known),
				some(10, 'other', known),
				165,
			],
			[
				'four that are checked once an hour, and five others',
				some(4, 'limited', { ...known, ...hourly }),
				some(5, 'other', known),
				80,
			],
			[
				'four hashes that are asked for once an hour, and five others',
				some(4, 'limited', hourly),
				some(5, 'other', known),
				80,
			],
		])(
			'those to which it happens again and again do not keep the others from being checked: %s',
			async (_who, limited, others, longestSeconds) => {
				const minutes = 10 * 60_000;
				const sent = await checksOf([...limited, ...others], minutes, (key) =>
					key.startsWith('limited'),
				);
				for (const { key } of others)
					expect([key, longestGap(sent.get(key) ?? [], minutes) / 1000 <= longestSeconds]).toEqual([
						key,
						true,
					]);
			},
		);

		it.each<[string, Watched[], Watched[], [number, number], number]>([
			['hashes', some(6, 'limited'), some(2, 'other'), [120_000, 150_000], 90],
			[
				'known ones, and hashes among the others',
				some(4, 'limited', { startedAt: -60_000 }),
				some(2, 'other'),
				[0, 60_000],
				60,
			],
			[
				'older ones',
				some(4, 'limited', { startedAt: -60_000 }),
				some(2, 'other', known),
				[0, 60_000],
				60,
			],
			[
				'posted ones, where nothing was learnt of posts',
				some(3, 'limited', { postedAt: -1_000 }),
				some(5, 'other', known),
				[0, 0],
				80,
			],
		])(
			'nor after a time in which it happened to all: %s',
			async (_who, limited, others, [from, over], longestSeconds) => {
				const until = 20 * 60_000;
				const sent = await checksOf(
					[...limited, ...others],
					until,
					(key, at) =>
						key.startsWith('limited') || (at >= from && at < over) || { kind: 'notFound' },
				);
				for (const { key } of others) {
					const times = (sent.get(key) ?? [])
						.filter((time) => time >= over)
						.map((time) => time - over);
					expect([key, longestGap(times, until - over) <= 1_000 * longestSeconds]).toEqual([
						key,
						true,
					]);
				}
			},
		);

		it('nor do those whose checks fail since', async () => {
			const minutes = 16 * 60_000;
			const [limited, others] = [some(3, 'limited', known), some(5, 'other', known)];
			const sent = await checksOf([...limited, ...others], minutes, (key, at) =>
				key.startsWith('limited') ? at < 120_000 || { kind: 'failed' } : false,
			);
			for (const { key } of others) {
				const times = (sent.get(key) ?? [])
					.filter((time) => time >= 180_000)
					.map((time) => time - 180_000);
				expect([key, longestGap(times, minutes - 180_000) <= 15_000]).toEqual([key, true]);
			}
		});

		it('one 429 does not leave an order behind those whose checks always fail', async () => {
			const minutes = 15 * 60_000;
			const others = some(3, 'other');
			const limitedOnce = new Set<string>();
			const sent = await checksOf([...some(80, 'failing'), ...others], minutes, (key) => {
				if (key.startsWith('failing')) return { kind: 'failed' };
				const isFirst = !limitedOnce.has(key);
				limitedOnce.add(key);
				return isFirst;
			});
			for (const { key } of others)
				expect([key, longestGap(sent.get(key) ?? [], minutes) <= 150_000]).toEqual([key, true]);
		});

		it('all of them are checked again and again where the service allows a tenth of what the credential says', async () => {
			const minutes = 40 * 60_000;
			const answered: number[] = [];
			const atAnswers = new Map<string, number[]>();
			const orders = some(20, 'order', known);
			await checksOf(orders, minutes, (key, at) => {
				if (answered.filter((time) => time > at - 60_000).length >= 10) return true;
				answered.push(at);
				atAnswers.set(key, [...(atAnswers.get(key) ?? []), at]);
				return false;
			});
			for (const { key } of orders)
				expect([key, longestGap(atAnswers.get(key) ?? [], minutes) <= 300_000]).toEqual([
					key,
					true,
				]);
		});

		it.each<[string, AddOptions, number]>([
			['of an interval of 5 s', {}, 40],
			['of an interval of an hour', hourly, 40],
		])(
			'those to which it happens again and again are asked for again soon: %s',
			async (_which, options, longestSeconds) => {
				const sent = await checksOf(
					[...some(1, 'limited', { ...known, ...options }), ...some(1, 'other', known)],
					300_000,
					(key) => key.startsWith('limited'),
				);
				expect(longestGap(sent.get('limited 0') ?? [], 300_000)).toBeLessThanOrEqual(
					longestSeconds * 1_000,
				);
			},
		);

		it.each<[string, number, number, number, number]>([
			['ten orders, a minute', 10, 0, 60_000, 15],
			['ten orders, five minutes', 10, 0, 300_000, 70],
			['fifty orders, two minutes', 50, 0, 120_000, 110],
			['ten that were answered for two minutes, and two minutes', 10, 120_000, 120_000, 30],
		])(
			'all of them are checked soon after a time in which it happened to all: %s',
			async (_which, count, from, lasts, seconds) => {
				const over = from + lasts;
				for (const seed of [1, 2, 3].slice(0, cases(5))) {
					const sent = await checksOf(
						some(count, 'order', known),
						over + 300_000,
						(_key, at) => at >= from && at < over,
						seed,
					);
					const first = [...sent.values()].map(
						(times) => (times.find((time) => time >= over) ?? Number.POSITIVE_INFINITY) - over,
					);
					expect([seed, Math.max(...first) / 1000 <= seconds]).toEqual([seed, true]);
				}
			},
		);

		it.each<[string, Watched[], (key: string, random: () => number) => boolean]>([
			['one of them always fails', some(1, 'failing', known), (key) => key.startsWith('failing')],
			['a fifth fail', [], (_key, random) => random() < 0.2],
		])('all of them are checked soon after such a time in which %s', async (_what, more, fails) => {
			const random = seededRandom(1);
			const [from, over] = [60_000, 360_000];
			const orders = some(10, 'order', known);
			const sent = await checksOf([...orders, ...more], over + 300_000, (key, at) => {
				const isDuring = at >= from && at < over;
				return (isDuring || key.startsWith('failing')) && fails(key, random)
					? { kind: 'failed' }
					: isDuring;
			});
			const first = orders.map(
				({ key }) =>
					((sent.get(key) ?? []).find((time) => time >= over) ?? Number.POSITIVE_INFINITY) - over,
			);
			expect(Math.max(...first)).toBeLessThanOrEqual(110_000);
		});
	});

	it.each<[string, number, number]>([
		['is aborted may still reach the service', 65_500, 0],
		['is answered is over', 60_500, ANSWER_MS],
	])('a check that %s', async (_what, usedMs, pausedAfterMs) => {
		const { clock, begin, budget, watcher } = fixed(() => OPEN, { limit: 1, settles: false });
		watcher.add('a');
		watcher.step();
		await clock.run(begin + pausedAfterMs);
		watcher.pause();
		await clock.run(begin + ANSWER_MS);
		expect(budget.view().nextFreeAt).toBe(begin + ANSWER_MS + usedMs);
	});

	it.each<[string, (watcher: OrderWatcher) => void]>([
		['is paused', (watcher) => watcher.pause()],
		['watches it no longer', (watcher) => watcher.remove('a')],
		['watches it again', (watcher) => (watcher.remove('a'), watcher.add('a'))],
	])('learns nothing from a check when it %s meanwhile', async (_what, change) => {
		const { clock, begin, budget, watcher } = fixed(() => ({ kind: 'finished' }));
		watcher.add('a');
		watcher.step();
		change(watcher);
		const sizeBefore = watcher.size;
		await clock.run(begin + 2 * ANSWER_MS);
		expect(watcher.size).toBe(sizeBefore);
		expect(budgetGroupOf(budget).experience).toBe(NO_EXPERIENCE);
	});

	it('is no member of its group once it is stopped', async () => {
		const { clock, begin, budget, watcher } = fixed(() => OPEN);
		watcher.add('a');
		watcher.step();
		expect(
			budgetGroupOf(budget)
				.orders(clock.now())
				.map(({ checking }) => checking),
		).toEqual([true]);
		await clock.run(begin + 2 * ANSWER_MS);
		expect(
			budgetGroupOf(budget)
				.orders(clock.now())
				.map(({ checking }) => checking),
		).toEqual([false]);
		watcher.stop();
		expect(budgetGroupOf(budget).orders(clock.now())).toEqual([]);
		watcher.add('b');
		expect([watcher.size, watcher.step()]).toEqual([0, Number.POSITIVE_INFINITY]);
	});
});
