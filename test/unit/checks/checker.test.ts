import { VirtualClock } from '../../../bench/simulation/virtualClock';
import type { Answer } from '../../../nodes/CrossChainBridge/bridge/envelope';
import { type BridgeService, n8nClock } from '../../../nodes/CrossChainBridge/bridge/service';
import { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import type { CheckOutcome } from '../../../nodes/CrossChainBridge/checks/outcome';
import { type Clock, RequestBudget } from '../../../nodes/CrossChainBridge/watch/requestBudget';

interface Seen {
	checker: Checker;
	outcomes: Array<[string, CheckOutcome['kind']]>;
	accountErrors: number;
}

type Ask = (sourceHash: string, permission: { signal?: AbortSignal }) => Promise<Answer>;

const CONFIG: Answer = { ok: true, data: { networks: [] } };
const WRONG_KEY: Answer = { ok: false, error: { kind: 'rejected', status: 401, code: 'UNAUTHORIZED', words: null, retryAfterMs: null } };
const NOT_FOUND: Answer = { ok: false, error: { kind: 'rejected', status: 404, code: 'NOT_FOUND', words: null, retryAfterMs: null } };
const SILENCE: Answer = { ok: false, error: { kind: 'timedOut', afterMs: 30_000 } };
const OPEN: Answer = { ok: true, data: { status: 'executing' } };

/** As n8n's, but what is waited for in vain keeps no test process alive. */
const realClock: Clock = { now: n8nClock.now, sleep: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms).unref()) };

interface Setting {
	config?: () => Promise<Answer>;
	intervalMs?: number;
	clock?: Clock;
	requestsPerMinute?: number;
}

function checkerOf(status: Ask, { config = async () => CONFIG, intervalMs = 60_000, clock = realClock, requestsPerMinute = 1_000 }: Setting = {}): Seen {
	const budget = new RequestBudget(requestsPerMinute, clock);
	// As the real one, it settles each permit.
	const settled = (ask: (...given: never[]) => Promise<Answer>) => async (...given: unknown[]) => {
		const answer = await ask(...(given as never[]));
		(given[1] as { permit: { settle(): void } }).permit.settle();
		return answer;
	};
	const service = { budget, queueKey: 'node', status: settled(status), config: settled(config) } as unknown as BridgeService;
	const seen: Seen = { outcomes: [], accountErrors: 0, checker: null as never };
	seen.checker = new Checker({
		service,
		clock,
		intervalMs,
		onOutcome: (key, { kind }) => void seen.outcomes.push([key, kind]),
		onAccountError: () => void seen.accountErrors++,
	});
	return seen;
}

const ordersOf = (...hashes: string[]) => new Map(hashes.map((hash) => [hash.toLowerCase(), { sourceHash: hash }]));
const soon = () => n8nClock.now() + 20_000;

test.each<[string, Answer]>([
	['is no problem of the service', { ok: false, error: { kind: 'unreachable', networkCode: 'ERR_CANCELED' } }],
	['shows nothing', { ok: true, data: { status: 'completed' } }],
])('what comes of a check that has been stopped %s', async (_what, answer) => {
	const { checker, outcomes } = checkerOf(async (_hash, { signal }) => {
		await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
		return answer;
	});
	checker.setOrders(ordersOf('0xA'));
	const checked = checker.first(soon());
	checker.stop();
	await checked;
	await new Promise(setImmediate);
	expect([checker.takeFindings(), outcomes]).toEqual([{ answered: 0, hasShownOrder: false, error: null }, []]);
});

test('first checks: up to 20 at a time, each order once; of a new list at least a sample', async () => {
	const asked: string[] = [];
	const answers: Array<() => void> = [];
	let mostInFlight = 0;
	const { checker } = checkerOf(async (hash) => {
		asked.push(hash);
		await new Promise<void>((resolve) => answers.push(resolve));
		return NOT_FOUND;
	});
	const orders = ordersOf(...Array.from({ length: 90 }, (_, index) => `0x${index}`));
	checker.setOrders(orders);
	const checked = checker.first(soon());
	while (answers.length > 0) {
		mostInFlight = Math.max(mostInFlight, answers.length);
		for (const answer of answers.splice(0)) answer();
		await new Promise(setImmediate);
	}
	await checked;
	checker.stop();
	expect(mostInFlight).toBeLessThanOrEqual(20);
	expect(asked.length).toBeGreaterThanOrEqual(7);
	expect(new Set(asked).size).toBe(asked.length);
});

describe('a round', () => {
	test('checks each order once, those that have waited longest first', async () => {
		const asked: string[] = [];
		const { checker } = checkerOf(async (hash) => {
			asked.push(hash);
			return OPEN;
		});
		checker.setOrders(ordersOf('0x1', '0x2'));
		await checker.round(soon());
		checker.setOrders(ordersOf('0x1', '0x2', '0x3'));
		await checker.round(soon());
		expect(asked).toEqual(['0x1', '0x2', '0x3', '0x1', '0x2']);
	});

	test('an order that the service does not accept, in whatever way, does not stop it while the configuration answers well', async () => {
		const { checker, outcomes } = checkerOf(async (hash) => (hash === '0x1' ? WRONG_KEY : OPEN));
		checker.setOrders(ordersOf(...Array.from({ length: 30 }, (_, index) => `0x${index}`)));
		await checker.round(soon());
		expect(outcomes.filter(([, kind]) => kind === 'order')).toHaveLength(29);
		expect(checker.accountError).toBeNull();
	});

	test('a wrong key, as the configuration says, stops it', async () => {
		let asked = 0;
		const seen = checkerOf(
			async () => {
				asked++;
				return WRONG_KEY;
			},
			{ config: async () => WRONG_KEY },
		);
		seen.checker.setOrders(ordersOf(...Array.from({ length: 100 }, (_, index) => `0x${index}`)));
		await seen.checker.round(soon());
		expect(asked).toBeLessThanOrEqual(16);
		expect(seen.accountErrors).toBe(1);
		expect(seen.checker.accountError).toMatchObject({ status: 401 });
	});

	test('a service that says nothing costs it the orders in flight, and no more', async () => {
		let asked = 0;
		const { checker } = checkerOf(async () => {
			asked++;
			return SILENCE;
		});
		checker.setOrders(ordersOf(...Array.from({ length: 100 }, (_, index) => `0x${index}`)));
		await checker.round(soon());
		expect(asked).toBe(8);
	});

	test('it returns at its time, whatever is in flight', async () => {
		const { checker } = checkerOf(async () => await new Promise<never>(() => undefined));
		checker.setOrders(ordersOf('0x1'));
		await checker.round(n8nClock.now() + 50);
		expect(checker.takeFindings()).toEqual({ answered: 0, hasShownOrder: false, error: null });
	});
});

test('the creation and the expiry that the service states reach the schedule', async () => {
	const clock = new VirtualClock(Date.UTC(2030, 0, 1));
	const begin = clock.now();
	const seconds = (at: number) => Math.floor((begin + at * 1000) / 1000);
	const timings: Record<string, object> = {
		'0xyoung': { createdAt: seconds(0) },
		'0xold': { createdAt: seconds(-60) },
		'0xexpires': { createdAt: seconds(-60), expiry: seconds(150) },
	};
	const checks = new Map<string, number[]>();
	const status: Ask = async (hash) => {
		checks.set(hash, [...(checks.get(hash) ?? []), clock.now() - begin]);
		return { ok: true, data: { status: 'executing', timing: timings[hash] } };
	};
	const { checker } = checkerOf(status, { clock, intervalMs: 5_000, requestsPerMinute: 12 });
	checker.setOrders(ordersOf(...Object.keys(timings)));
	void checker.checkUntil(begin + 240_000, () => true);
	await clock.run(begin + 240_000);
	const checksOf = (hash: string, from: number, to: number) => (checks.get(hash) ?? []).filter((at) => at >= from * 1000 && at < to * 1000).length;
	expect(checksOf('0xyoung', 0, 30)).toBeGreaterThan(checksOf('0xold', 0, 30));
	expect(checksOf('0xexpires', 150, 180)).toBeGreaterThan(checksOf('0xold', 150, 180));
});

test('an order whose final status could not be applied is checked again', async () => {
	let asked = 0;
	const { checker } = checkerOf(async () => {
		asked++;
		return { ok: true, data: { status: 'completed' } };
	});
	checker.setOrders(ordersOf('0x1'));
	await checker.first(soon());
	checker.setOrders(ordersOf('0x1'));
	await checker.first(soon());
	expect(asked).toBe(2);
});

test('after a corrected key checks continue by themselves', async () => {
	let isRight = false;
	const { checker, outcomes } = checkerOf(async () => (isRight ? OPEN : WRONG_KEY), { config: async () => (isRight ? CONFIG : WRONG_KEY), intervalMs: 1_000 });
	checker.setOrders(ordersOf('0x1'));
	await checker.first(soon());
	expect(checker.accountError).not.toBeNull();
	isRight = true;
	expect(await checker.probe(soon())).toBe('sound');
	await checker.checkUntil(n8nClock.now() + 10_000, () => outcomes.every(([, kind]) => kind !== 'order'));
	checker.stop();
	expect(checker.accountError).toBeNull();
	expect(outcomes.at(-1)).toEqual(['0x1', 'order']);
});

test('a pause ends the drive; a newer one goes on with the same rhythm, and ends an older one', async () => {
	const clock = new VirtualClock(Date.UTC(2030, 0, 1));
	const begin = clock.now();
	const asked: number[] = [];
	const { checker } = checkerOf(async () => {
		asked.push(clock.now() - begin);
		return OPEN;
	}, { clock, intervalMs: 5_000 });
	const over: string[] = [];
	const drive = (name: string): void => void checker.checkUntil(begin + 120_000, () => true).then(() => over.push(name));
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
	let asked = 0;
	const { checker } = checkerOf(async () => {
		asked++;
		return OPEN;
	});
	checker.setOrders(ordersOf('0x1'));
	await checker.first(soon());
	checker.use(isSameAccount ? checker.service : { ...checker.service, budget: new RequestBudget(1_000, realClock) }, intervalMs);
	await checker.first(soon());
	checker.stop();
	expect(asked).toBe(checks);
});
