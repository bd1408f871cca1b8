import { type Permit, RequestBudget } from '../../../nodes/CrossChainBridge/budget/requestBudget';
import type { AddOptions, Observation } from '../../../nodes/CrossChainBridge/schedule/order';
import { OrderWatcher } from '../../../nodes/CrossChainBridge/schedule/watcher';
import { VirtualClock } from '../../virtualClock';

const BEGIN = 1_000_000;
const MINUTE = 60_000;
const OPEN: Observation = { kind: 'open', createdAtMs: null };

interface Setting {
	limit?: number;
	intervalMs?: number;
	answerMs?: number;
	answer?: (key: string, at: number) => Observation | Promise<Observation>;
	report?: (key: string) => void;
}

function world() {
	const clock = new VirtualClock(BEGIN);
	const budget = new RequestBudget(clock, { random: () => 0.5 });
	const watch = ({
		limit = 100,
		intervalMs = 5_000,
		answerMs = 50,
		answer = () => OPEN,
		report,
	}: Setting = {}) => {
		/** Keys and times (ms since the beginning) of the checks. */
		const asked: Array<[string, number]> = [];
		const signals: AbortSignal[] = [];
		const permits: Permit[] = [];
		let inFlight = 0;
		const most = { inFlight: 0 };
		const watcher = new OrderWatcher({
			budget,
			clock,
			intervalMs,
			limit: () => limit,
			async check(key, permit, signal) {
				asked.push([key, clock.now() - BEGIN]);
				signals.push(signal);
				permits.push(permit);
				most.inFlight = Math.max(most.inFlight, ++inFlight);
				await clock.sleep(answerMs);
				inFlight--;
				const observed = await answer(key, clock.now() - BEGIN);
				return { observed, report: report === undefined ? undefined : () => report(key) };
			},
		});
		const add = (count: number, options: AddOptions = {}, name = 'o'): void => {
			for (let index = 0; index < count; index++) watcher.add(`${name}${index}`, options);
		};
		return { watcher, asked, signals, permits, most, add };
	};
	const pass = async (ms: number) => await clock.run(clock.now() + ms);
	return { clock, budget, watch, pass };
}

/** Of an age at which it is due at once. */
const OLD: AddOptions = { startedAt: BEGIN - 20_000 };

test('an order is checked when it is due, again and again, until it has finished; then the run is over', async () => {
	const { watch, pass } = world();
	const { watcher, asked, add } = watch({
		answer: (_key, at) => (at > 11_000 ? { kind: 'finished', createdAtMs: null } : OPEN),
	});
	add(1, { startedAt: BEGIN });
	let isOver = false;
	void watcher.run(Number.POSITIVE_INFINITY).then(() => (isOver = true));
	await pass(MINUTE);
	const times = asked.map(([, at]) => at);
	expect([times.length > 1, (times[0] ?? 0) > 2_000, isOver]).toEqual([true, true, true]);
	const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
	expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5_000);
});

test('nothing is sent unless the watcher is driven, nor after its time', async () => {
	const { clock, watch, pass } = world();
	const { watcher, asked, add } = watch({ intervalMs: 1_000 });
	add(3, OLD);
	await pass(MINUTE);
	expect(asked).toEqual([]);
	let overAt = 0;
	void watcher.run(clock.now() + 2_345).then(() => (overAt = clock.now() - BEGIN));
	await pass(MINUTE);
	expect([overAt, asked.every(([, at]) => at <= MINUTE + 2_345)]).toEqual([MINUTE + 2_345, true]);
});

test('another run while one is under way only extends it', async () => {
	const { clock, watch, pass } = world();
	const { watcher, add } = watch();
	add(1);
	const over: number[] = [];
	void watcher.run(BEGIN + 1_000).then(() => over.push(clock.now() - BEGIN));
	void watcher.run(BEGIN + 3_000).then(() => over.push(clock.now() - BEGIN));
	void watcher.run(BEGIN + 2_000);
	await pass(MINUTE);
	expect(over).toEqual([3_000, 3_000]);
});

test('25 checks begin at once, and 75 are in flight', async () => {
	const { watch, pass } = world();
	const { watcher, asked, most, add } = watch({ limit: 1_000, answerMs: 10_000 });
	add(200, OLD);
	void watcher.run(Number.POSITIVE_INFINITY);
	await pass(0);
	expect(asked).toHaveLength(25);
	await pass(5_000);
	expect([asked.length, most.inFlight]).toEqual([75, 75]);
});

describe('nobody sleeps through a change', () => {
	test.each([0, 5, 12, 19, 400])(
		'an order added %d ms after a step is checked within the next ones',
		async (afterMs) => {
			const { watch, pass } = world();
			const { watcher, asked, add } = watch();
			add(1, { startedAt: BEGIN + MINUTE });
			void watcher.run(Number.POSITIVE_INFINITY);
			await pass(afterMs);
			watcher.add('new', OLD);
			await pass(40);
			expect(asked.map(([key]) => key)).toEqual(['new']);
		},
	);

	test('what the first answers of a list show counts for the others at once', async () => {
		const { watch, pass } = world();
		const { watcher, asked, add } = watch({
			answer: () => ({ kind: 'open', createdAtMs: BEGIN - 40_000 }),
		});
		add(20);
		void watcher.run(Number.POSITIVE_INFINITY);
		await pass(10);
		expect(asked).toHaveLength(5);
		await pass(100);
		expect(asked).toHaveLength(20);
	});

	test('where the first five of a list fail, the next five show at once how old the others are', async () => {
		const { watch, pass } = world();
		const isBad = (key: string): boolean => Number(key.slice(1)) < 5;
		const { watcher, asked, add } = watch({
			answer: (key) =>
				isBad(key) ? { kind: 'failed' } : { kind: 'open', createdAtMs: BEGIN - 40_000 },
		});
		add(20);
		void watcher.run(Number.POSITIVE_INFINITY);
		await pass(80);
		expect(asked).toHaveLength(10);
		await pass(120);
		expect(new Set(asked.map(([key]) => key)).size).toBe(20);
		// Those that fail are not tried again before their time.
		expect(asked).toHaveLength(20);
	});

	test('a beginning that is stated later counts, unless a check has found the order', async () => {
		const { watch, pass } = world();
		const { watcher, asked, add } = watch();
		add(1, { startedAt: BEGIN + MINUTE });
		void watcher.run(Number.POSITIVE_INFINITY);
		await pass(1_000);
		watcher.restate('o0', {});
		watcher.restate('none', OLD);
		await pass(1_000);
		expect(asked).toEqual([]);
		watcher.restate('o0', OLD);
		await pass(100);
		expect(asked).toHaveLength(1);
		watcher.restate('o0', { startedAt: BEGIN + MINUTE });
		expect(watcher.orders.get('o0')?.beganAt).toBe(BEGIN - 20_000);
	});
});

describe('one check of each order', () => {
	test('whether it is due or not, then it is over', async () => {
		const { clock, watch, pass } = world();
		const { watcher, asked, add } = watch();
		add(60, { startedAt: BEGIN + MINUTE });
		let overAt = 0;
		void watcher.checkEach(BEGIN + 5_000).then(() => (overAt = clock.now() - BEGIN));
		await pass(MINUTE / 2);
		expect([new Set(asked.map(([key]) => key)).size, asked.length]).toEqual([60, 60]);
		expect(overAt).toBeLessThan(500);
	});

	test('as far as the limit allows', async () => {
		const { clock, watch, pass } = world();
		const { watcher, asked, add } = watch({ limit: 20 });
		add(60);
		let overAt = 0;
		void watcher.checkEach(Number.POSITIVE_INFINITY).then(() => (overAt = clock.now() - BEGIN));
		await pass(MINUTE);
		expect([asked.length, overAt < 500]).toEqual([19, true]);
	});

	test('what it shows has been reported when it is settled', async () => {
		const { watch, pass } = world();
		const reported: string[] = [];
		const { watcher, add } = watch({ report: (key) => reported.push(key) });
		add(3);
		let count = -1;
		void watcher
			.checkEach(Number.POSITIVE_INFINITY)
			.then(async () => await watcher.settled())
			.then(() => (count = reported.length));
		await pass(MINUTE);
		expect(count).toBe(3);
	});
});

describe('what is stopped', () => {
	test('a removed order is aborted, and what came of its check is not reported', async () => {
		const { watch, pass } = world();
		const reported: string[] = [];
		const { watcher, signals, add } = watch({ report: (key) => reported.push(key) });
		add(2, OLD);
		void watcher.run(Number.POSITIVE_INFINITY);
		await pass(10);
		watcher.remove('o0');
		watcher.remove('o0');
		await pass(100);
		expect([signals[0]?.aborted, signals[1]?.aborted, reported]).toEqual([true, false, ['o1']]);
	});

	test('a pause ends the run and keeps the rhythm; a stop drops the orders', async () => {
		const { watch, pass } = world();
		const { watcher, asked, add } = watch();
		add(1, OLD);
		let runs = 0;
		const run = () => void watcher.run(Number.POSITIVE_INFINITY).then(() => runs++);
		run();
		await pass(1_000);
		watcher.pause();
		await pass(1_000);
		expect([runs, asked.length, watcher.isDriven]).toEqual([1, 1, false]);
		run();
		await pass(2_000);
		expect(asked).toHaveLength(1);
		await pass(MINUTE);
		expect(asked.length).toBeGreaterThan(1);
		watcher.stop();
		const before = asked.length;
		run();
		await pass(MINUTE);
		expect([runs, asked.length, watcher.orders.size]).toEqual([3, before, 0]);
	});

	test('a permit that a check leaves unsettled is settled after it, also where it threw', async () => {
		const { budget, watch, pass } = world();
		const { watcher, add } = watch({
			answer: () => {
				throw new Error('a fault');
			},
		});
		add(1, OLD);
		void watcher.run(BEGIN + 1_000);
		await pass(2 * MINUTE);
		expect(budget.view(100).freeSoon).toBe(95);
		expect(watcher.orders.get('o0')?.failures).toBeGreaterThan(0);
	});
});

describe('several watchers of one budget', () => {
	test('each goes by the limit of its own credential: one that is used up stops no other', async () => {
		const { watch, pass } = world();
		const small = watch({ limit: 1, intervalMs: 1_000 });
		const large = watch({ limit: 100, intervalMs: 1_000 });
		small.add(20, OLD, 's');
		large.add(5, OLD, 'l');
		void small.watcher.run(Number.POSITIVE_INFINITY);
		void large.watcher.run(Number.POSITIVE_INFINITY);
		await pass(MINUTE);
		expect(small.asked).toHaveLength(1);
		expect(large.asked.length).toBeGreaterThan(20);
	});

	test('what one learns counts for all, and all of them together stay within the limit', async () => {
		const { watch, pass } = world();
		const watchers = Array.from({ length: 30 }, () => watch({ limit: 20, intervalMs: 1_000 }));
		for (const { add, watcher } of watchers) {
			add(1, OLD);
			void watcher.run(Number.POSITIVE_INFINITY);
		}
		await pass(MINUTE);
		const asked = watchers.reduce((sum, each) => sum + each.asked.length, 0);
		expect([asked <= 20, asked >= 19]).toEqual([true, true]);
	});
});

test('ticks drive the checks shortly before the next one, and none where no further tick comes', async () => {
	const { clock, watch, pass } = world();
	const { watcher, asked, add } = watch({ intervalMs: 1_000 });
	add(2, OLD);
	for (let tick = 0; tick < 5; tick++)
		clock.at(BEGIN + 1_000 * tick, () => void watcher.runBeforeNextTick());
	await pass(MINUTE);
	expect(asked.length).toBeGreaterThan(0);
	expect(asked.every(([, at]) => at % 1_000 > 500 && at % 1_000 < 1_000 && at < 5_000)).toBe(true);
});
