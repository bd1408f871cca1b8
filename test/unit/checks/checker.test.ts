import { VirtualClock } from '../../virtualClock';
import type { ServiceResponse } from '../../../nodes/CrossChainBridge/service/envelope';
import { n8nClock } from '../../../nodes/CrossChainBridge/service/service';
import { rejected } from '../service/rejected';
import { failed, found, simulatedService } from '../simulatedService';
import { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import type { CheckOutcome } from '../../../nodes/CrossChainBridge/checks/outcome';
import type { Clock } from '../../../nodes/CrossChainBridge/budget/clock';
import { RequestBudget } from '../../../nodes/CrossChainBridge/budget/requestBudget';

interface Seen {
	checker: Checker;
	outcomes: Array<[string, CheckOutcome['kind']]>;
	accountErrors: number;
}

type Ask = (sourceHash: string, signal?: AbortSignal) => Promise<ServiceResponse>;

const CONFIG = found({ networks: [] });
const WRONG_KEY = failed(rejected(401, 'UNAUTHORIZED'));
const NOT_FOUND = failed(rejected(404, 'NOT_FOUND'));
const OPEN = found({ status: 'executing' });

/** As n8n's, but what is waited for in vain keeps no test process alive. */
const realClock: Clock = {
	now: n8nClock.now,
	sleep: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms).unref()),
};

interface Setting {
	config?: () => Promise<ServiceResponse>;
	intervalMs?: number;
	clock?: Clock;
	requestsPerMinute?: number;
	onOutcome?: (key: string) => void;
}

function checkerOf(
	status: Ask,
	{
		config = async () => CONFIG,
		intervalMs = 60_000,
		clock = realClock,
		requestsPerMinute = 1_000,
		onOutcome = () => undefined,
	}: Setting = {},
): Seen {
	const service = simulatedService({ clock, status, config, requestsPerMinute });
	const seen: Seen = { outcomes: [], accountErrors: 0, checker: null as never };
	seen.checker = new Checker({
		service,
		clock,
		intervalMs,
		onOutcome: (key, { kind }) => {
			seen.outcomes.push([key, kind]);
			onOutcome(key);
		},
		onAccountError: () => void seen.accountErrors++,
	});
	return seen;
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `0x${index}`);
const ordersOf = (...hashes: string[]) =>
	new Map(hashes.map((hash) => [hash.toLowerCase(), { sourceHash: hash }]));
const soon = () => n8nClock.now() + 20_000;

test('an order that is removed as soon as it is reported as finished has taught how old such orders are', async () => {
	const seen: Seen = checkerOf(async () => ({ ok: true, data: { status: 'completed' } }), {
		onOutcome: (key) => seen.checker.remove(key),
		intervalMs: 1_000,
	});
	seen.checker.setOrders(ordersOf('0xA'));
	await seen.checker.checkEach(soon());
	expect(seen.checker.size).toBe(0);
	// Old as the first was, the next one is due at once.
	seen.checker.setOrders(ordersOf('0xB'));
	await seen.checker.checkUntil(n8nClock.now() + 5_000, () => seen.checker.size > 0);
	expect(seen.outcomes.map(([key]) => key)).toEqual(['0xa', '0xb']);
});

describe('a time of the wall clock', () => {
	const HOUR = 3_600_000;

	function watching(clock: VirtualClock, aheadMs = 0, answer: ServiceResponse = NOT_FOUND) {
		const asked: number[] = [];
		const ofWallTime = (ms: number): number => ms - aheadMs;
		const { checker } = checkerOf(
			async () => {
				asked.push(clock.now());
				return answer;
			},
			{
				clock: { now: () => clock.now(), sleep: async (ms) => await clock.sleep(ms), ofWallTime },
				intervalMs: 1_000,
			},
		);
		const check = async (forMs: number): Promise<number[]> => {
			asked.length = 0;
			void checker.checkUntil(clock.now() + forMs, () => true);
			await clock.run(clock.now() + forMs);
			return asked;
		};
		return { checker, check };
	}

	test('that the service states is understood likewise: an order of that age is checked rarely', async () => {
		const clock = new VirtualClock(1_000_000);
		const young = { status: 'executing', timing: { createdAt: (clock.now() + HOUR) / 1000 } };
		const { checker, check } = watching(clock, HOUR, found(young));
		checker.setOrders(ordersOf('0xa'));
		expect((await check(15_000)).length).toBeGreaterThan(8);
		expect((await check(600_000)).length).toBeLessThan(300);
	});

	test('of a post begins an order again that was listed long before, and was never found', async () => {
		const clock = new VirtualClock(1_000_000);
		const { checker, check } = watching(clock);
		checker.setOrders(ordersOf('0xa'));
		await check(2 * HOUR);
		const calm = (await check(60_000)).length;
		const posted = (at: number) =>
			checker.setOrders(new Map([['0xa', { sourceHash: '0xA', postedAt: at }]]));
		const at = clock.now();
		posted(at);
		const afterPost = (await check(60_000)).length;
		expect([calm <= 1, afterPost >= 5]).toEqual([true, true]);
		// The same once more changes nothing.
		let checks = 0;
		for (let again = 0; again < 20; again++) {
			posted(at);
			checks += (await check(3_000)).length;
		}
		expect(checks).toBeLessThan(20);
	});
});

describe('one check of each order', () => {
	test('checks each order once, those that have waited longest first', async () => {
		const asked: string[] = [];
		const clock = new VirtualClock(1_000_000);
		const { checker } = checkerOf(
			async (hash) => {
				asked.push(hash);
				return OPEN;
			},
			{ clock },
		);
		const each = async () =>
			await Promise.all([checker.checkEach(clock.now() + 1_000), clock.run(clock.now() + 60_000)]);
		checker.setOrders(ordersOf('0x1', '0x2'));
		await each();
		checker.setOrders(ordersOf('0x1', '0x2', '0x3'));
		await each();
		expect(asked).toEqual(['0x1', '0x2', '0x3', '0x1', '0x2']);
	});

	test('a wrong key, as the configuration says, stops it', async () => {
		let asked = 0;
		const seen = checkerOf(async () => (asked++, WRONG_KEY), { config: async () => WRONG_KEY });
		seen.checker.setOrders(ordersOf(...numbered(100)));
		await seen.checker.checkEach(soon());
		expect(asked).toBeLessThanOrEqual(50);
		expect(seen.accountErrors).toBe(1);
		expect(seen.checker.accountError).toMatchObject({ status: 401 });
	});

	test('a service that says nothing costs it half a minute, and the orders in flight', async () => {
		const clock = new VirtualClock(1_000_000);
		let asked = 0;
		const { checker } = checkerOf(
			async () => {
				asked++;
				return await new Promise<never>(() => undefined);
			},
			{ clock },
		);
		checker.setOrders(ordersOf(...numbered(100)));
		let overAt = 0;
		void checker.checkEach(Number.POSITIVE_INFINITY).then(() => (overAt = clock.now()));
		await clock.run(1_100_000);
		expect([asked, overAt]).toEqual([75, 1_030_000]);
	});
});

test('an order whose final status could not be applied is checked again', async () => {
	let asked = 0;
	const { checker } = checkerOf(async () => (asked++, { ok: true, data: { status: 'completed' } }));
	checker.setOrders(ordersOf('0x1'));
	await checker.checkEach(soon());
	checker.setOrders(ordersOf('0x1'));
	await checker.checkEach(soon());
	expect(asked).toBe(2);
});

test('after a corrected key checks continue by themselves', async () => {
	let isRight = false;
	const { checker, outcomes } = checkerOf(async () => (isRight ? OPEN : WRONG_KEY), {
		config: async () => (isRight ? CONFIG : WRONG_KEY),
		intervalMs: 1_000,
	});
	checker.setOrders(ordersOf('0x1'));
	await checker.checkEach(soon());
	expect(checker.accountError).not.toBeNull();
	isRight = true;
	expect(await checker.probe(soon())).toBe('sound');
	await checker.checkUntil(n8nClock.now() + 10_000, () =>
		outcomes.every(([, kind]) => kind !== 'order'),
	);
	checker.stop();
	expect(checker.accountError).toBeNull();
	expect(outcomes.at(-1)).toEqual(['0x1', 'order']);
});

test('a pause ends the drive; a newer one continues with the same rhythm, and ends an older one', async () => {
	const clock = new VirtualClock(Date.UTC(2030, 0, 1));
	const begin = clock.now();
	const asked: number[] = [];
	const { checker } = checkerOf(
		async () => {
			asked.push(clock.now() - begin);
			return OPEN;
		},
		{ clock, intervalMs: 5_000 },
	);
	const over: string[] = [];
	const drive = (name: string): void =>
		void checker.checkUntil(begin + 120_000, () => true).then(() => over.push(name));
	checker.setOrders(ordersOf('0x1'));
	drive('first');
	await clock.run(begin + 12_000);
	checker.pause();
	const before = asked.length;
	await clock.run(begin + 40_000);
	expect([before > 0, asked.length, over]).toEqual([true, before, ['first']]);
	drive('second');
	await clock.run(begin + 60_000);
	drive('third');
	await clock.run(begin + 80_000);
	expect(over).toEqual(['first', 'second']);
	expect(asked.length).toBeGreaterThan(before + 2);
	const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
	expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5_000);
	checker.stop();
});

test.each<[string, boolean, number, number]>([
	['the same account and interval keep the rhythm', true, 60_000, 1],
	['another account begins a fresh schedule', false, 60_000, 2],
	['another interval begins a fresh schedule', true, 30_000, 2],
])('%s', async (_what, isSameAccount, intervalMs, checks) => {
	const clock = new VirtualClock(Date.UTC(2030, 0, 1));
	let asked = 0;
	const { checker } = checkerOf(async () => (asked++, OPEN), { clock });
	const driven = async () => {
		void checker.checkUntil(clock.now() + 20_000, () => true);
		await clock.run(clock.now() + 20_000);
	};
	checker.setOrders(ordersOf('0x1'));
	await driven();
	checker.use(
		isSameAccount ? checker.service : { ...checker.service, budget: new RequestBudget(clock) },
		intervalMs,
	);
	await driven();
	checker.stop();
	expect(asked).toBe(checks);
});

describe('in simulated time', () => {
	const BEGIN = Date.UTC(2030, 0, 1);

	interface Timed extends Seen {
		clock: VirtualClock;
		/** Hashes and times (ms since the beginning) of the checks. */
		asked: Array<[string, number]>;
	}

	function timed(
		answer: (hash: string) => ServiceResponse = () => OPEN,
		{ answerMs = 0, ...setting }: Setting & { answerMs?: number } = {},
	): Timed {
		const clock = new VirtualClock(BEGIN);
		const asked: Timed['asked'] = [];
		const status: Ask = async (hash) => {
			asked.push([hash, clock.now() - BEGIN]);
			if (answerMs > 0) await clock.sleep(answerMs);
			return answer(hash);
		};
		return { ...checkerOf(status, { clock, intervalMs: 5_000, ...setting }), clock, asked };
	}

	test('an idle checker looks for orders four times a second, as long as it may continue', async () => {
		const { checker, clock, asked } = timed();
		let questions = 0;
		let isOver = false;
		void checker.checkUntil(BEGIN + 10_000, () => ++questions < 20).then(() => (isOver = true));
		clock.at(BEGIN + 1_100, () => checker.setOrders(ordersOf('0x1')));
		await clock.run(BEGIN + 10_000);
		expect(asked[0]).toEqual(['0x1', 1_250]);
		expect([isOver, questions]).toEqual([true, 20]);
	});

	test('it ends at its time, and when it may not continue', async () => {
		const { checker, clock } = timed();
		checker.setOrders(ordersOf('0x1'));
		const over: Array<[string, number]> = [];
		void checker
			.checkUntil(BEGIN + 3_300, () => true)
			.then(() => over.push(['at its time', clock.now() - BEGIN]));
		await clock.run(BEGIN + 10_000);
		void checker
			.checkUntil(BEGIN + 99_000, () => clock.now() < BEGIN + 12_500)
			.then(() => over.push(['may not continue', clock.now() - BEGIN]));
		await clock.run(BEGIN + 99_000);
		expect(over).toEqual([
			['at its time', 3_300],
			['may not continue', 12_500],
		]);
		void checker
			.checkUntil(BEGIN, () => true)
			.then(() => over.push(['over before', clock.now() - BEGIN]));
		await clock.run(BEGIN + 99_000);
		expect(over[2]).toEqual(['over before', 99_000]);
	});

	test('while the key is wrong the configuration is asked, and no order', async () => {
		let isRight = false;
		let probes = 0;
		const { checker, clock, asked } = timed(() => (isRight ? OPEN : WRONG_KEY), {
			config: async () => (probes++, isRight ? CONFIG : WRONG_KEY),
		});
		checker.setOrders(ordersOf('0x1', '0x2'));
		void checker.checkUntil(BEGIN + 60_000, () => true);
		await clock.run(BEGIN + 14_000);
		const before = asked.length;
		expect([checker.accountError !== null, probes]).toEqual([true, 2]);
		isRight = true;
		await clock.run(BEGIN + 20_000);
		expect([checker.accountError, probes, asked.length > before]).toEqual([null, 3, true]);
		const closed = asked.slice(before).map(([, at]) => at);
		expect(Math.min(...closed)).toBeGreaterThan(14_000);
	});

	test('ticks ask the configuration while the key is wrong, and no order', async () => {
		let probes = 0;
		const { checker, clock, asked, outcomes } = timed(() => WRONG_KEY, {
			config: async () => (probes++, await clock.sleep(50), WRONG_KEY),
		});
		checker.setOrders(ordersOf('0x1'));
		for (let tick = 0; tick < 12; tick++) clock.at(BEGIN + 1_000 * tick, () => void checker.tick());
		await clock.run(BEGIN + 20_000);
		expect([asked.length, probes, outcomes]).toEqual([1, 2, [['0x1', 'orderError']]]);
	});

	test('only the orders that are set are checked; those that stay keep their rhythm', async () => {
		const { checker, clock, asked } = timed();
		const old = (hash: string, more = {}) =>
			[hash, { sourceHash: hash, startedAt: BEGIN - 20_000, ...more }] as const;
		const ordersOf = (...hashes: string[]) => new Map(hashes.map((hash) => old(hash)));
		const step = async (hashes: ReturnType<typeof ordersOf>): Promise<string[]> => {
			const before = asked.length;
			checker.setOrders(hashes);
			void checker.checkUntil(clock.now() + 100, () => true);
			await clock.run(clock.now() + 100);
			return asked.slice(before).map(([hash]) => hash);
		};
		const expected = [0, ['0x1', '0x2'], 2];
		expect([checker.size, await step(ordersOf('0x1', '0x2')), checker.size]).toEqual(expected);
		expect([await step(ordersOf('0x2', '0x3')), checker.size]).toEqual([['0x3'], 2]);
		expect(await step(ordersOf('0x2', '0x3'))).toEqual([]);
		checker.remove('0x2');
		expect([checker.size, await step(new Map())]).toEqual([1, []]);
		expect(checker.size).toBe(0);
	});

	test.each([
		[200, 200],
		[5_000, 1_000],
	])('first checks that take %p ms are waited for until %p', async (answerMs, overAt) => {
		const { checker, clock } = timed(() => OPEN, { answerMs });
		checker.setOrders(ordersOf('0x1'));
		let over = 0;
		void checker.checkEach(BEGIN + 1_000).then(() => (over = clock.now() - BEGIN));
		await clock.run(BEGIN + 9_000);
		expect(over).toBe(overAt);
	});

	test('a probe and the checks in flight are waited for until the time', async () => {
		const { checker, clock } = timed(() => OPEN, {
			answerMs: 500,
			config: async () => await new Promise<never>(() => undefined),
		});
		checker.setOrders(ordersOf('0x1'));
		const over: unknown[] = [];
		void checker.checkEach(BEGIN + 1);
		void checker.settled(BEGIN + 200).then(() => over.push(clock.now() - BEGIN));
		void checker.settled(BEGIN + 900).then(() => over.push(clock.now() - BEGIN));
		void checker.probe(BEGIN + 700).then((probed) => over.push(probed, clock.now() - BEGIN));
		await clock.run(BEGIN + 5_000);
		expect(over).toEqual([200, 'notSent', 700, 900]);
	});

	test('another account is asked whether its key works, and begins without an error', async () => {
		const { checker, clock, asked } = timed(() => WRONG_KEY, { config: async () => WRONG_KEY });
		checker.setOrders(ordersOf('0x1'));
		await Promise.all([checker.checkEach(clock.now() + 10), clock.run(clock.now() + 10)]);
		expect([checker.accountError !== null, asked.length]).toEqual([true, 1]);
		checker.use(checker.service, 9_000);
		expect(checker.accountError).not.toBeNull();
		checker.use({ ...checker.service, budget: new RequestBudget(clock) }, 9_000);
		expect(checker.accountError).toBeNull();
	});
});
