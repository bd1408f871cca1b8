import { VirtualClock } from '../../virtualClock';
import type { Clock } from '../../../nodes/CrossChainBridge/budget/clock';
import { RequestBudget } from '../../../nodes/CrossChainBridge/budget/requestBudget';
import { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import type { OpenOrder, Seen } from '../../../nodes/CrossChainBridge/checks/tenant';
import type { ServiceResponse } from '../../../nodes/CrossChainBridge/service/envelope';
import { rejected } from '../service/rejected';
import { failed, found, simulatedService } from '../simulatedService';

/** When a checker begins checks, what it gives to those that ask for it, and what one order's failures cost the others. In simulated time. */

const BEGIN = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OPEN = found({ status: 'executing' });
const COMPLETED = found({ status: 'completed' });
const NOT_FOUND = failed(rejected(404, 'NOT_FOUND'));
const WRONG_KEY = failed(rejected(401, 'UNAUTHORIZED'));
const CONFIG = found({ networks: [] });

interface Setting {
	budget?: RequestBudget;
	limit?: number;
	intervalMs?: number;
	answerMs?: number;
	answer?: (key: string, at: number) => ServiceResponse | Promise<ServiceResponse>;
	config?: () => ServiceResponse | Promise<ServiceResponse>;
	aheadMs?: number;
}

function world() {
	const clock = new VirtualClock(BEGIN);
	const since = () => clock.now() - BEGIN;
	const shared = new RequestBudget(clock, { random: () => 0.5 });
	const pass = async (ms: number) => await clock.run(clock.now() + ms);
	const watch = ({
		budget = shared,
		limit = 100,
		intervalMs = 5_000,
		answerMs = 50,
		answer = () => OPEN,
		config = () => CONFIG,
		aheadMs,
	}: Setting = {}) => {
		/** Keys and times (ms since the beginning) of the checks. */
		const asked: Array<[string, number]> = [];
		const signals: AbortSignal[] = [];
		const inFlight = { now: 0, most: 0 };
		const probes: number[] = [];
		const service = simulatedService({
			clock,
			requestsPerMinute: limit,
			config: async () => {
				probes.push(since());
				return await config();
			},
			async status(hash, signal) {
				asked.push([hash, since()]);
				if (signal !== undefined) signals.push(signal);
				inFlight.most = Math.max(inFlight.most, ++inFlight.now);
				if (answerMs > 0) await clock.sleep(answerMs);
				inFlight.now--;
				return await answer(hash, since());
			},
		});
		service.budget = budget;
		const ofWallTime = aheadMs === undefined ? undefined : (ms: number) => ms - aheadMs;
		const wall: Clock = {
			now: () => clock.now(),
			sleep: async (ms) => await clock.sleep(ms),
			ofWallTime,
		};
		const checker = new Checker({ service, clock: wall, intervalMs });
		const orders = new Map<string, OpenOrder>();
		/** Adds orders with these times (ms since the beginning). */
		const add = (count: number, options: Partial<OpenOrder> = {}, name = 'o'): void => {
			for (let index = 0; index < count; index++)
				orders.set(`${name}${index}`, { sourceHash: `${name}${index}`, ...options });
			checker.setOrders(orders);
		};
		const remove = (key: string): void => {
			orders.delete(key);
			checker.setOrders(orders);
		};
		/** Takes what comes until then, with the times (ms since the beginning) at which it could be taken. */
		const took: Array<[string, Seen['outcome']['kind'], number]> = [];
		const takeAll = async (until: number): Promise<void> => {
			while (await checker.next(until))
				for (const { key, outcome } of checker.take()) took.push([key, outcome.kind, since()]);
		};
		return {
			checker,
			service,
			asked,
			signals,
			inFlight,
			probes,
			orders,
			add,
			remove,
			took,
			takeAll,
		};
	};
	return { clock, budget: shared, watch, pass, since };
}

/** Of an age at which it is due at once. */
const OLD = { startedAt: BEGIN - 20_000 };
const LATER = { startedAt: BEGIN + 10 * MINUTE };

describe('a run', () => {
	test('checks an order when it is due, again and again, and gives each outcome once', async () => {
		const { watch, pass } = world();
		const { checker, asked, add, took, takeAll } = watch({
			answer: (_key, at) => (at > 11_000 ? COMPLETED : OPEN),
		});
		add(1, { startedAt: BEGIN });
		checker.run(BEGIN + MINUTE);
		void takeAll(BEGIN + MINUTE);
		await pass(2 * MINUTE);
		const times = asked.map(([, at]) => at);
		expect([times.length > 1, (times[0] ?? 0) > 2_000]).toEqual([true, true]);
		const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5_000);
		expect(took.map(([, , at]) => at)).toEqual(times.map((at) => at + 50));
		expect(checker.take()).toEqual([]);
	});

	test('nothing is sent without it, nor after its time; another one extends it, and never shortens it', async () => {
		const { clock, watch, pass } = world();
		const { checker, asked, add } = watch({ intervalMs: 1_000 });
		add(3, OLD);
		await pass(MINUTE);
		expect(asked).toEqual([]);
		checker.run(clock.now() + 2_345);
		checker.run(clock.now() + 9_000);
		checker.run(clock.now() + 1_000);
		await pass(MINUTE);
		const last = Math.max(...asked.map(([, at]) => at));
		expect([last > MINUTE + 5_000, last <= MINUTE + 9_000]).toEqual([true, true]);
	});

	test('25 checks begin at once, and 75 are in flight', async () => {
		const { watch, pass } = world();
		const { checker, asked, inFlight, add } = watch({ limit: 1_000, answerMs: 10_000 });
		add(200, OLD);
		checker.run(Infinity);
		await pass(0);
		expect(asked).toHaveLength(25);
		await pass(5_000);
		expect([asked.length, inFlight.most]).toEqual([75, 75]);
	});

	test.each([0, 5, 12, 19, 400])(
		'an order that is added %d ms after a step is checked within the next ones',
		async (afterMs) => {
			const { watch, pass } = world();
			const { checker, asked, add } = watch();
			add(1, LATER);
			checker.run(Infinity);
			await pass(afterMs);
			add(1, OLD, 'new');
			await pass(40);
			expect(asked.map(([key]) => key)).toEqual(['new0']);
		},
	);

	test('only the orders that are set are checked; those that stay keep their rhythm', async () => {
		const { watch, pass } = world();
		const { checker, asked, add, remove } = watch();
		checker.run(Infinity);
		const step = async (change: () => void): Promise<string[]> => {
			const before = asked.length;
			change();
			await pass(200);
			return asked.slice(before).map(([key]) => key);
		};
		expect(await step(() => add(2, OLD))).toEqual(['o0', 'o1']);
		expect(checker.size).toBe(2);
		expect(await step(() => (remove('o0'), add(1, OLD, 'p')))).toEqual(['p0']);
		expect(await step(() => remove('o1'))).toEqual([]);
		expect(checker.size).toBe(1);
	});

	test('an order whose final status was taken and could not be applied is checked again, one whose is not yet taken is not', async () => {
		const { watch, pass } = world();
		const { checker, asked, add } = watch({ answer: () => COMPLETED });
		add(1, OLD);
		checker.run(Infinity);
		await pass(MINUTE);
		add(0);
		await pass(MINUTE);
		expect(asked).toHaveLength(1);
		expect(checker.take()).toHaveLength(1);
		add(0);
		await pass(MINUTE);
		expect(asked).toHaveLength(2);
	});

	test('an order whose final status was taken next is checked on, because the status may be that of another order', async () => {
		const { watch, pass } = world();
		const { checker, asked, add, remove } = watch({ answer: () => COMPLETED });
		add(1, OLD);
		checker.run(Infinity);
		await pass(MINUTE);
		expect(checker.takeNext()?.key).toBe('o0');
		await pass(MINUTE);
		expect(asked).toHaveLength(2);
		expect(checker.takeNext()?.key).toBe('o0');
		remove('o0');
		await pass(MINUTE);
		expect([asked.length, checker.takeNext()]).toEqual([2, null]);
	});

	test('an order whose final status was taken next keeps its rhythm', async () => {
		const { watch, pass } = world();
		const { checker, asked, add } = watch({ intervalMs: HOUR, answer: () => COMPLETED });
		add(1, OLD);
		checker.run(Infinity);
		await pass(1_000);
		expect(checker.takeNext()?.key).toBe('o0');
		await pass(MINUTE);
		expect(asked).toHaveLength(1);
	});

	test('an order that has finished, is removed, and is added again begins anew', async () => {
		const { watch, pass } = world();
		const { checker, asked, add, remove } = watch({ intervalMs: HOUR, answer: () => COMPLETED });
		add(1, OLD);
		checker.run(Infinity);
		await pass(1_000);
		expect(checker.take()).toHaveLength(1);
		remove('o0');
		add(1, OLD);
		await pass(1_000);
		expect(asked).toHaveLength(2);
	});

	test('an outcome says when it came, and how far the clock here was ahead then', async () => {
		const { watch, pass } = world();
		const { checker, add } = watch({
			answer: (key) => (key === 'o0' ? { ...OPEN, clockAheadMs: 1_234 } : OPEN),
		});
		add(2, OLD);
		checker.run(Infinity);
		const from = Date.now();
		await pass(1_000);
		const seen = checker.take();
		expect(seen.map(({ clockAheadMs }) => clockAheadMs)).toEqual([1_234, 0]);
		for (const { at } of seen) expect([at >= from, at <= Date.now()]).toEqual([true, true]);
	});

	test.each([
		['until these have shown it', OPEN, 5],
		['unless these have shown nothing', failed(rejected(503)), 10],
	])(
		'five orders of a list show how old its orders are, and the others wait %s',
		async (_what, response, count) => {
			const { watch, pass } = world();
			const { checker, asked, add } = watch({ answerMs: 1_000, answer: () => response });
			add(20);
			checker.run(Infinity);
			await pass(900);
			expect(asked).toHaveLength(5);
			await pass(600);
			expect(asked).toHaveLength(count);
		},
	);

	test('a beginning that is stated later counts, unless a check has found the order', async () => {
		const { watch, pass } = world();
		const { checker, asked, add } = watch();
		add(1, LATER);
		checker.run(Infinity);
		await pass(1_000);
		add(1);
		await pass(1_000);
		expect(asked).toEqual([]);
		add(1, OLD);
		await pass(200);
		expect(asked).toHaveLength(1);
		add(1, LATER);
		await pass(10_000);
		expect(asked.length).toBeGreaterThan(1);
	});
});

describe('one check of each order', () => {
	test('is made whether it is due or not, those first that have waited longest, and no other', async () => {
		const { clock, watch, pass } = world();
		const { checker, asked, add, takeAll, took } = watch();
		const each = async () => {
			asked.length = 0;
			checker.wantEach();
			void takeAll(clock.now() + MINUTE);
			await pass(MINUTE);
			return asked.map(([key]) => key);
		};
		add(2, LATER);
		expect(await each()).toEqual(['o0', 'o1']);
		add(1, LATER, 'p');
		expect(await each()).toEqual(['p0', 'o0', 'o1']);
		expect(took).toHaveLength(5);
	});

	test('is not made of an order whose check is in flight', async () => {
		const { watch, pass } = world();
		const { checker, asked, add } = watch({ answerMs: 500 });
		add(1, LATER);
		checker.wantEach();
		await pass(100);
		checker.wantEach();
		await pass(MINUTE);
		expect(asked).toHaveLength(1);
	});

	test('is made as far as the limit allows; then nothing more comes', async () => {
		const { watch, pass, since } = world();
		const { checker, asked, add, takeAll } = watch({ limit: 20 });
		add(60);
		checker.wantEach();
		let overAt = 0;
		void takeAll(Infinity).then(() => (overAt = since()));
		await pass(MINUTE);
		expect([asked.length, overAt < 500]).toEqual([19, true]);
	});

	test('a service that says nothing costs it half a minute, and the orders in flight', async () => {
		const { watch, pass } = world();
		const { checker, asked, add } = watch({ answerMs: 10 * MINUTE });
		add(100);
		checker.wantEach();
		await pass(11 * MINUTE);
		expect(asked).toHaveLength(75);
	});

	test('is asked of the configuration alone while key or address is wrong', async () => {
		const { watch, pass, since } = world();
		const { checker, asked, add, takeAll } = watch({
			answer: () => WRONG_KEY,
			config: () => WRONG_KEY,
		});
		add(100);
		checker.wantEach();
		void takeAll(Infinity);
		await pass(MINUTE);
		expect(asked.length).toBeLessThanOrEqual(50);
		expect(checker.accountError).toMatchObject({ status: 401 });
		const before = asked.length;
		checker.wantEach();
		// Nobody waits for what does not come.
		const [wantedAt, over] = [since(), [] as unknown[]];
		void checker.next(Infinity).then((isSeen) => over.push(isSeen, since()));
		await pass(MINUTE);
		expect(asked).toHaveLength(before);
		expect(over).toEqual([false, wantedAt]);
	});
});

describe('ticks', () => {
	test('checks begin shortly before the next one, and none if no further tick comes', async () => {
		const { clock, watch, pass } = world();
		const { checker, asked, add } = watch({ intervalMs: 1_000 });
		add(2, OLD);
		for (let tick = 0; tick < 5; tick++)
			clock.at(BEGIN + 1_000 * tick, () => checker.planForNextTick());
		await pass(MINUTE);
		expect(asked.length).toBeGreaterThan(0);
		const isBefore = ([, at]: [string, number]) => at % 1_000 > 500 && at < 5_000;
		expect(asked.every(isBefore)).toBe(true);
	});

	test('an outcome can be taken at the tick after its check', async () => {
		const { clock, watch, pass } = world();
		const { checker, asked, add } = watch();
		add(1, OLD);
		const took: number[] = [];
		for (let tick = 0; tick < 9; tick++)
			clock.at(BEGIN + 1_000 * tick, () => {
				if (checker.take().length > 0) took.push(tick);
				checker.planForNextTick();
			});
		await pass(MINUTE);
		expect(asked.map(([, at]) => Math.ceil(at / 1_000))).toEqual(took);
	});

	test.each([60, 250, 350])(
		'the outcome of a check whose response takes %i ms is fresh at the tick, once such a time is known',
		async (answerMs) => {
			const { clock, watch, pass, since } = world();
			const { checker, asked, add } = watch({ answerMs });
			add(1, OLD);
			const ages: number[] = [];
			for (let tick = 0; tick < 200; tick++)
				clock.at(BEGIN + 1_000 * tick, () => {
					if (checker.take().length > 0) ages.push(since() - (asked.at(-1)?.[1] ?? 0));
					checker.planForNextTick();
				});
			await pass(200_000);
			expect(ages.length).toBeGreaterThan(20);
			expect(Math.max(...ages.slice(10))).toBeLessThan(answerMs * 1.5 + 100);
		},
	);

	test('one response that hangs makes none after it less fresh', async () => {
		const { clock, watch, pass, since } = world();
		const { checker, asked, add } = watch({
			answer: async (_key, at) => {
				if (at < 2_000) await clock.sleep(20_000);
				return OPEN;
			},
		});
		add(1, OLD);
		const ages: number[] = [];
		for (let tick = 0; tick < 60; tick++)
			clock.at(BEGIN + 1_000 * tick, () => {
				if (checker.take().length > 0) ages.push(since() - (asked.at(-1)?.[1] ?? 0));
				checker.planForNextTick();
			});
		await pass(MINUTE);
		expect([ages.length > 3, (asked[1]?.[1] ?? 0) > 20_000]).toEqual([true, true]);
		expect(Math.max(...ages.slice(1))).toBeLessThan(250);
	});

	test('an order with an interval of one tick is checked for each tick, though timers are late', async () => {
		const { clock, watch, pass } = world();
		const { checker, asked, add } = watch({ intervalMs: 1_000 });
		const sleep = clock.sleep.bind(clock);
		let sleeps = 0;
		jest
			.spyOn(clock, 'sleep')
			.mockImplementation(async (ms) => await sleep(ms + ((7 * sleeps++) % 20)));
		add(1, { startedAt: BEGIN - 5_000 });
		for (let tick = 0; tick < 20; tick++)
			clock.at(BEGIN + 1_000 * tick, () => {
				checker.take();
				checker.planForNextTick();
			});
		await pass(MINUTE);
		const seconds = asked.map(([, at]) => Math.floor(at / 1_000));
		expect(seconds.slice(0, 12)).toEqual([...Array(12).keys()]);
	});

	test('a process that was busy when checks should have begun begins them late', async () => {
		const { clock, watch, pass } = world();
		const { checker, asked, add } = watch();
		add(1, OLD);
		checker.planForNextTick();
		// What blocks a process delays its timers.
		jest.spyOn(clock, 'sleep').mockImplementationOnce(async () => await clock.sleep(1_200));
		checker.setOrders(new Map([['o0', { sourceHash: 'o0', ...OLD }]]));
		await pass(MINUTE);
		expect(asked).toHaveLength(1);
	});
});

describe('the wait for the next outcome', () => {
	test('is over when it comes, when nothing more comes, and at its time', async () => {
		const { watch, pass, since } = world();
		const { checker, add } = watch({ answerMs: 500 });
		const over: Array<[boolean, number]> = [];
		const next = (until: number) =>
			void checker.next(BEGIN + until).then((is) => over.push([is, since()]));
		next(MINUTE);
		await pass(0);
		expect(over).toEqual([[false, 0]]);
		add(1, OLD);
		checker.run(BEGIN + 3_000);
		next(200);
		next(MINUTE);
		next(MINUTE);
		await pass(1_000);
		expect(over.slice(1)).toEqual([
			[false, 200],
			[true, 500],
			[true, 500],
		]);
		checker.take();
		next(MINUTE);
		await pass(MINUTE);
		expect(over.slice(4)).toEqual([[false, 3_000]]);
	});

	test('lasts as long as the checks in flight after a run, and the probe that they led to', async () => {
		const { clock, watch, pass, since } = world();
		const { checker, add, takeAll, took } = watch({
			answerMs: 500,
			answer: () => WRONG_KEY,
			config: async () => (await clock.sleep(300), WRONG_KEY),
		});
		add(1, OLD);
		checker.run(BEGIN + 10);
		let overAt = 0;
		void takeAll(Infinity).then(() => (overAt = since()));
		await pass(MINUTE);
		expect([took, overAt]).toEqual([[['o0', 'suspect', 500]], 800]);
	});

	test('is over when the circuit opens', async () => {
		const { watch, pass, since } = world();
		const { checker, add } = watch({ config: () => WRONG_KEY });
		add(1, LATER);
		checker.run(Infinity);
		let overAt = -1;
		void checker.next(Infinity).then(() => (overAt = since()));
		await pass(1_000);
		void checker.probe();
		await pass(MINUTE);
		expect(overAt).toBe(1_000);
	});
});

describe('what is given up never comes', () => {
	test('the check of an order that is removed, and what it has shown', async () => {
		const { watch, pass } = world();
		const { checker, signals, add, remove } = watch();
		add(3, OLD);
		checker.run(Infinity);
		await pass(10);
		remove('o0');
		await pass(100);
		remove('o1');
		expect(signals.map(({ aborted }) => aborted)).toEqual([true, false, false]);
		expect(checker.take().map(({ key }) => key)).toEqual(['o2']);
		expect(checker.takeTally().responses).toBe(2);
	});

	test('the check of an order that is removed and added again meanwhile', async () => {
		const { watch, pass } = world();
		const { checker, add, remove } = watch({ answer: (_key, at) => (at < 60 ? OPEN : NOT_FOUND) });
		add(1, OLD);
		checker.run(Infinity);
		await pass(10);
		remove('o0');
		add(1, OLD);
		await pass(1_000);
		expect(checker.take().map(({ outcome }) => outcome.kind)).toEqual(['notFound']);
	});

	test('what a pause finds; the rhythm stays, and a final status that was not taken is asked for again', async () => {
		const { watch, pass } = world();
		const { checker, asked, signals, add } = watch({
			answer: (key) => (key === 'o0' ? COMPLETED : OPEN),
		});
		add(2, OLD);
		checker.run(Infinity);
		await pass(1_000);
		add(1, OLD, 'flying');
		await pass(10);
		checker.pause();
		expect([checker.take(), signals.at(-1)?.aborted]).toEqual([[], true]);
		const before = asked.length;
		await pass(10_000);
		expect(asked).toHaveLength(before);
		checker.run(Infinity);
		await pass(1_000);
		expect(asked.slice(before).map(([key]) => key)).toContain('o0');
	});

	test('nothing that is waited for at a pause; the wait is over at once, and the rhythm stays', async () => {
		const { watch, pass, since } = world();
		const { checker, asked, add } = watch({ intervalMs: HOUR });
		add(1, OLD);
		checker.run(Infinity);
		await pass(1_000);
		checker.take();
		const over: unknown[] = [];
		void checker.next(Infinity).then((isSeen) => over.push(isSeen, since()));
		await pass(1_100);
		checker.pause();
		await pass(MINUTE);
		expect(over).toEqual([false, 2_100]);
		checker.run(Infinity);
		await pass(MINUTE);
		expect(asked).toHaveLength(1);
	});

	test('a check that was planned for the next tick before a pause', async () => {
		const { watch, pass } = world();
		const { checker, asked, add } = watch();
		add(2, OLD);
		checker.planForNextTick();
		checker.pause();
		await pass(MINUTE);
		expect(asked).toEqual([]);
	});

	test('a check that was wanted before a pause, also when checks begin again', async () => {
		const { watch, pass } = world();
		const { checker, asked, add } = watch({ limit: 1_000 });
		add(60, LATER);
		checker.wantEach();
		// 25 begin at once.
		checker.pause();
		checker.run(Infinity);
		await pass(MINUTE);
		expect(asked).toHaveLength(25);
	});

	test('what a restart finds; it begins a fresh schedule', async () => {
		const { watch, pass } = world();
		const { checker, asked, add } = watch({
			intervalMs: HOUR,
			answer: (key) => (key === 'o0' ? COMPLETED : OPEN),
		});
		add(2, OLD);
		checker.run(Infinity);
		await pass(1_000);
		checker.restart();
		expect(checker.take()).toEqual([]);
		await pass(1_000);
		expect(asked).toHaveLength(2);
		checker.run(Infinity);
		await pass(1_000);
		expect(asked).toHaveLength(4);
	});

	test('what a stop finds, and the orders', async () => {
		const { watch, pass } = world();
		const { checker, asked, signals, add, takeAll, took } = watch();
		add(2, OLD);
		checker.run(Infinity);
		void takeAll(Infinity);
		await pass(10);
		checker.stop();
		await pass(MINUTE);
		checker.run(Infinity);
		await pass(MINUTE);
		expect([signals.every(({ aborted }) => aborted), asked.length, took, checker.size]).toEqual([
			true,
			2,
			[],
			0,
		]);
	});
});

test.each<[string, boolean, number, number]>([
	['the same account and interval keep the rhythm', true, HOUR, 1],
	['another account begins a fresh schedule', false, HOUR, 2],
	['another interval begins a fresh schedule', true, HOUR / 2, 2],
])('%s', async (_what, isSameAccount, intervalMs, checks) => {
	const { clock, watch, pass } = world();
	const { checker, asked, add } = watch({ intervalMs: HOUR });
	const run = async () => {
		checker.run(clock.now() + 20_000);
		await pass(20_000);
	};
	add(1, OLD);
	await run();
	const budget = isSameAccount ? checker.service.budget : new RequestBudget(clock);
	checker.use({ ...checker.service, budget }, intervalMs);
	await run();
	expect(asked).toHaveLength(checks);
});

test('a service whose credential leads to another account meanwhile begins a fresh schedule', async () => {
	const { clock, watch, pass } = world();
	const { checker, service, asked, add } = watch({ intervalMs: HOUR });
	add(1, OLD);
	checker.run(clock.now() + 1_000);
	await pass(2_000);
	checker.use({ ...service, budget: new RequestBudget(clock) }, HOUR);
	checker.run(clock.now() + 1_000);
	await pass(2_000);
	expect(asked).toHaveLength(2);
});

describe('times of the wall clock', () => {
	test.each(['startedAt', 'postedAt'])(
		'of the beginning of orders (%s): such as are old are checked at once',
		async (which) => {
			const { watch, pass } = world();
			const { checker, asked, add } = watch({ aheadMs: HOUR });
			add(3, { [which]: BEGIN + HOUR - 20_000 });
			checker.run(Infinity);
			await pass(1_000);
			expect(asked).toHaveLength(3);
		},
	);

	test('that the service states: an order of that age is checked rarely', async () => {
		const { clock, watch, pass } = world();
		const young = { status: 'executing', timing: { createdAt: (BEGIN + HOUR) / 1000 } };
		const { checker, asked, add } = watch({
			intervalMs: 1_000,
			aheadMs: HOUR,
			answer: () => found(young),
		});
		add(1);
		checker.run(Infinity);
		await pass(15_000);
		expect(asked.length).toBeGreaterThan(8);
		asked.length = 0;
		await clock.run(BEGIN + 615_000);
		expect(asked.length).toBeLessThan(300);
	});

	test('of a post begin an order again that was listed long before, and was never found', async () => {
		const { clock, watch, pass } = world();
		const { checker, asked, add } = watch({ intervalMs: 1_000, answer: () => NOT_FOUND });
		const count = async (ms: number): Promise<number> => {
			asked.length = 0;
			await pass(ms);
			return asked.length;
		};
		add(1);
		checker.run(Infinity);
		await pass(HOUR / 2);
		const rarely = await count(MINUTE);
		const posted = { postedAt: clock.now() };
		add(1, posted);
		// Not even a sixth of what the interval allows, though all requests are free.
		expect(rarely).toBeLessThan(10);
		const first = await count(MINUTE);
		expect(first).toBeGreaterThan(2 * rarely);
		// The same once more changes nothing.
		let again = 0;
		for (let time = 0; time < 20; time++) {
			add(1, posted);
			again += await count(3_000);
		}
		expect(again).toBeLessThan(first);
	});
});

describe('key and address', () => {
	test('while one is wrong the configuration is asked, and no order; then checks continue', async () => {
		let isRight = false;
		const { watch, pass } = world();
		const { checker, asked, probes, add } = watch({
			answer: () => (isRight ? OPEN : WRONG_KEY),
			config: () => (isRight ? CONFIG : WRONG_KEY),
		});
		add(2, OLD);
		checker.run(Infinity);
		await pass(14_000);
		const before = asked.length;
		expect([checker.accountError !== null, probes.length]).toEqual([true, 2]);
		isRight = true;
		await pass(20_000);
		expect([checker.accountError, probes.length, asked.length > before]).toEqual([null, 3, true]);
		expect(Math.min(...asked.slice(before).map(([, at]) => at))).toBeGreaterThan(14_000);
	});

	test('ticks ask the configuration as well', async () => {
		const { clock, watch, pass } = world();
		const { checker, asked, probes, add } = watch({
			answer: () => WRONG_KEY,
			config: () => WRONG_KEY,
		});
		add(1, OLD);
		for (let tick = 0; tick < 12; tick++)
			clock.at(BEGIN + 1_000 * tick, () => checker.planForNextTick());
		await pass(20_000);
		expect([asked.length, probes.length, checker.take().length]).toEqual([1, 2, 1]);
	});

	test('another account begins without an error; another interval does not', async () => {
		const { clock, watch } = world();
		const { checker } = watch({ config: () => WRONG_KEY });
		await checker.probe();
		checker.use(checker.service, 9_000);
		expect(checker.accountError).not.toBeNull();
		checker.use({ ...checker.service, budget: new RequestBudget(clock) }, 9_000);
		expect(checker.accountError).toBeNull();
	});

	test('after another account, the budget of the one before sends nothing more, also with a probe in flight', async () => {
		const { clock, budget, watch, pass } = world();
		const { checker, add } = watch({
			config: async () => await clock.sleep(30_000).then(() => CONFIG),
		});
		add(5, OLD);
		void checker.probe();
		await pass(1_000);
		const other = new RequestBudget(clock);
		const [ofBefore, ofOther] = [jest.spyOn(budget, 'tryCheck'), jest.spyOn(other, 'tryCheck')];
		checker.use({ ...checker.service, budget: other }, 5_000);
		checker.run(Infinity);
		await pass(MINUTE);
		expect(ofBefore).not.toHaveBeenCalled();
		expect(ofOther).toHaveBeenCalled();
	});

	test('the checks in flight are given up when the configuration shows that one is wrong, and only then', async () => {
		const { watch, pass } = world();
		let response = failed(rejected(503));
		const { checker, signals, add } = watch({ answerMs: 10_000, config: () => response });
		add(2, OLD);
		checker.run(Infinity);
		await pass(100);
		await checker.probe();
		expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
		response = WRONG_KEY;
		await checker.probe();
		expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
		await pass(MINUTE);
		expect(checker.take()).toEqual([]);
	});

	test('a probe is waited for no longer than allowed', async () => {
		const { watch, pass, since } = world();
		const { checker } = watch({ config: async () => await new Promise<never>(() => undefined) });
		const over: unknown[] = [];
		void checker.probe(BEGIN + 700).then((probed) => over.push(probed, since()));
		await pass(5_000);
		expect(over).toEqual(['notSent', 700]);
	});
});

describe('whose fault it is that the checks of an order fail', () => {
	const DOWN = failed(rejected(500));

	/** 'sound' has this response until half a minute, while o0 fails from the first check on; then nothing works. */
	function setUp(response = OPEN) {
		const { clock, watch, pass } = world();
		const checks = watch({
			answer: (key, at) => (key === 'sound0' && at < 30_000 ? response : DOWN),
			config: () => DOWN,
		});
		checks.add(1, OLD);
		checks.add(1, OLD, 'sound');
		checks.checker.run(Infinity);
		/** Whether the service is taken for sound by the checks of o0 that come within half a minute. */
		const isServiceSound = async (): Promise<boolean[]> => {
			checks.checker.take();
			checks.checker.run(Infinity);
			await pass(30_000);
			const seen = checks.checker.take().filter(({ key }) => key === 'o0');
			return [...new Set(seen.map((each) => each.isServiceSound))];
		};
		return { clock, pass, ...checks, isServiceSound };
	}

	test.each([
		['shown another order', OPEN],
		['responded that it does not find another one', NOT_FOUND],
	])('its own, if the service has %s since they began to fail', async (_what, response) => {
		const { pass, isServiceSound } = setUp(response);
		await pass(31_000);
		expect(await isServiceSound()).toEqual([true]);
	});

	test('not its own any more, two minutes after the service has last worked', async () => {
		const { pass, isServiceSound } = setUp();
		await pass(151_000);
		expect(await isServiceSound()).toEqual([false]);
	});

	test('its own, if the configuration is sound, though there is no other order', async () => {
		const { watch, pass } = world();
		const { checker, add, probes } = watch({ answer: () => DOWN });
		add(1, OLD);
		checker.run(Infinity);
		await pass(59_000);
		expect([new Set(checker.take().map((each) => each.isServiceSound)), probes]).toEqual([
			new Set([false]),
			[],
		]);
		await pass(5 * MINUTE);
		const later = checker.take().map((each) => each.isServiceSound);
		expect(later.slice(later.indexOf(true))).not.toContain(false);
		// One a minute.
		expect(probes.length).toBeLessThanOrEqual(6);
	});

	test('its own, without a word from the configuration, as long as other orders are shown', async () => {
		const { watch, pass } = world();
		const { checker, add, probes } = watch({ answer: (key) => (key === 'o0' ? DOWN : OPEN) });
		add(1, OLD);
		add(1, OLD, 'sound');
		checker.run(Infinity);
		await pass(5 * MINUTE);
		const seen = checker.take().filter(({ key }) => key === 'o0');
		expect([seen.at(-1)?.isServiceSound, probes]).toEqual([true, []]);
	});

	test('not its own, if the service has last worked for this order, before its checks began to fail again', async () => {
		const { watch, pass } = world();
		const { checker, add } = watch({
			answer: (_key, at) => (at > 10_000 && at < 20_000 ? OPEN : DOWN),
			config: () => DOWN,
		});
		add(1, OLD);
		checker.run(Infinity);
		await pass(50_000);
		const seen = checker.take();
		const shownAt = seen.map(({ outcome }) => outcome.kind).lastIndexOf('order');
		expect([shownAt > 0, seen.length > shownAt + 2]).toEqual([true, true]);
		const later = seen.slice(shownAt + 1).map((each) => each.isServiceSound);
		expect(new Set(later)).toEqual(new Set([false]));
	});

	test('its own, if the service has worked since the check before, however long ago that was', async () => {
		const { watch, pass } = world();
		const { checker, add } = watch({ intervalMs: 10 * MINUTE, answer: () => DOWN });
		add(1, OLD);
		checker.run(Infinity);
		await pass(25 * MINUTE);
		// The second one has the configuration asked.
		expect(checker.take().map((each) => each.isServiceSound)).toEqual([false, false, true]);
	});

	test('an order that is removed and added again begins anew', async () => {
		const { pass, add, remove, isServiceSound } = setUp();
		await pass(31_000);
		remove('o0');
		add(1, OLD);
		expect(await isServiceSound()).toEqual([false]);
	});

	test('another account begins anew; another interval does not', async () => {
		const { clock, pass, checker, isServiceSound } = setUp();
		await pass(31_000);
		checker.use(checker.service, 4_000);
		expect(await isServiceSound()).toEqual([true]);
		checker.use({ ...checker.service, budget: new RequestBudget(clock) }, 4_000);
		expect(await isServiceSound()).toEqual([false]);
	});
});

describe('several checkers of one budget', () => {
	test('each goes by the limit of its own credential: one that is used up stops no other', async () => {
		const { watch, pass } = world();
		const small = watch({ limit: 1, intervalMs: 1_000 });
		const large = watch({ limit: 100, intervalMs: 1_000 });
		small.add(20, OLD, 's');
		large.add(5, OLD, 'l');
		small.checker.run(Infinity);
		large.checker.run(Infinity);
		await pass(MINUTE);
		expect(small.asked).toHaveLength(1);
		expect(large.asked.length).toBeGreaterThan(20);
	});

	test('one that has checked much leaves room for another', async () => {
		const { watch, pass } = world();
		const [greedy, modest] = [watch(), watch()];
		greedy.add(200, OLD);
		modest.add(1, LATER);
		for (const { checker } of [greedy, modest]) checker.run(Infinity);
		await pass(20_000);
		expect(greedy.asked.length).toBeGreaterThan(40);
		modest.add(30, OLD, 'm');
		await pass(5_000);
		expect(modest.asked).toHaveLength(30);
	});

	test('one that checked much more than a minute ago has its whole share again', async () => {
		const { clock, watch, pass } = world();
		const [one, other] = [watch(), watch()];
		one.add(80, OLD);
		other.add(1, LATER);
		for (const { checker } of [one, other]) checker.run(Infinity);
		await pass(10_000);
		expect(one.asked.length).toBeGreaterThan(50);
		one.orders.clear();
		one.add(1, LATER, 'later');
		await pass(2 * MINUTE);
		other.add(200, OLD, 'p');
		await pass(5_000);
		one.asked.length = 0;
		one.add(3, { startedAt: clock.now() - 8_000 }, 'young');
		await pass(1_000);
		expect(one.asked).toHaveLength(3);
	});

	test('one that checks no more claims nothing after a few seconds', async () => {
		const { clock, watch, pass } = world();
		const [greedy, silent] = [watch(), watch()];
		greedy.add(200, OLD);
		silent.add(1, LATER);
		greedy.checker.run(Infinity);
		silent.checker.run(clock.now() + 1_000);
		await pass(5_000);
		expect(greedy.asked.length).toBeLessThan(70);
		await pass(5_000);
		expect(greedy.asked.length).toBeGreaterThan(90);
	});

	test('all of them together stay within the limit', async () => {
		const { watch, pass } = world();
		const all = Array.from({ length: 30 }, () => watch({ limit: 20, intervalMs: 1_000 }));
		for (const { add, checker } of all) {
			add(1, OLD);
			checker.run(Infinity);
		}
		await pass(MINUTE);
		const asked = all.reduce((sum, each) => sum + each.asked.length, 0);
		expect([asked <= 20, asked >= 19]).toEqual([true, true]);
	});
});

describe('a fault in our own code', () => {
	const FAULT = new Error('a fault');
	const thrower = (): never => {
		throw FAULT;
	};

	test('in the check of one order costs no other its checks, frees its permit, and is told', async () => {
		const { budget, watch, pass } = world();
		const { checker, asked, add } = watch({
			answer: (key) => (key === 'bad0' ? thrower() : OPEN),
		});
		add(1, OLD, 'bad');
		add(1, OLD);
		checker.run(Infinity);
		await pass(MINUTE);
		const good = asked.filter(([key]) => key === 'o0').length;
		expect([good > 5, checker.takeTally().fault]).toEqual([true, FAULT]);
		checker.stop();
		await pass(2 * MINUTE);
		expect(budget.view(100).freeSoon).toBe(95);
	});

	test('in one checker costs no other its checks', async () => {
		const { watch, pass } = world();
		const bad = watch();
		const good = watch();
		for (const { add } of [bad, good]) add(2, OLD);
		Object.defineProperty(bad.service, 'requestsPerMinute', { get: thrower });
		for (const { checker } of [bad, good]) checker.run(Infinity);
		await pass(MINUTE);
		expect([bad.checker.takeTally().fault, bad.asked]).toEqual([FAULT, []]);
		expect(good.asked.length).toBeGreaterThan(10);
	});

	test('in a probe costs no check, and is told', async () => {
		const { watch, pass } = world();
		const { checker, asked, add } = watch({ config: thrower });
		add(1, OLD);
		expect([await checker.probe(), checker.accountError]).toEqual(['notSent', null]);
		expect(checker.takeTally().fault).toBe(FAULT);
		checker.run(Infinity);
		await pass(1_000);
		expect(asked).toHaveLength(1);
	});

	test('in a step of all of them delays their checks by a second', async () => {
		const { budget, watch, pass } = world();
		const { checker, asked, add } = watch();
		add(2, OLD);
		jest.spyOn(budget, 'view').mockImplementationOnce(thrower);
		checker.run(Infinity);
		await pass(1_100);
		expect([asked.length, checker.takeTally().fault]).toEqual([2, FAULT]);
	});
});
