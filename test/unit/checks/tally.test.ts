import { VirtualClock } from '../../virtualClock';
import type { ServiceResponse } from '../../../nodes/CrossChainBridge/service/envelope';
import type { ServiceError } from '../../../nodes/CrossChainBridge/service/errors';
import { failed, found, simulatedService } from '../simulatedService';
import { rejected } from '../service/rejected';
import { Checker } from '../../../nodes/CrossChainBridge/checks/checker';
import { RequestBudget } from '../../../nodes/CrossChainBridge/budget/requestBudget';

/** What checks and probes show of the service, and of key and address. */

const OPEN = found({ status: 'executing' });
const SOUND = found({});
const UNAUTHORIZED = rejected(401, 'UNAUTHORIZED');
const TIMED_OUT: ServiceError = { kind: 'timedOut', afterMs: 30_000 };
const NOT_FOUND = failed(rejected(404, 'NOT_FOUND'));
const WRONG_KEY = failed(UNAUTHORIZED);
const BAD_ORDER = failed(rejected(400, 'BAD_REQUEST'));
const SILENCE = failed(TIMED_OUT);
const AWAY = failed(rejected(503, 'AWAY'));

interface World {
	budget: RequestBudget;
	checker: Checker;
	asked: string[];
	/** Kinds of the outcomes that were taken. */
	took: string[];
	/** One check of each of these orders, and the probe that it leads to. */
	check(...hashes: string[]): Promise<void>;
}

interface Setting {
	status?(hash: string, world: World): ServiceResponse;
	config?(world: World): ServiceResponse;
	limit?: number;
}

const ordersOf = (...hashes: string[]) =>
	new Map(hashes.map((hash) => [hash, { sourceHash: hash.toUpperCase() }]));

function setUp({ status = () => OPEN, config = () => SOUND, limit = 1_000 }: Setting = {}): World {
	const clock = new VirtualClock(1_000_000);
	const asked: string[] = [];
	const took: string[] = [];
	const service = simulatedService({
		clock,
		requestsPerMinute: limit,
		status: (hash) => {
			asked.push(hash);
			return status(hash, world);
		},
		config: () => {
			asked.push('config');
			return config(world);
		},
	});
	const checker = new Checker({ service, clock, intervalMs: 1 });
	const world: World = {
		budget: service.budget,
		checker,
		asked,
		took,
		check: async (...hashes) => {
			checker.setOrders(ordersOf(...hashes));
			checker.wantEach();
			await clock.run(clock.now() + 1_000);
			took.push(...checker.take().map(({ outcome }) => outcome.kind));
		},
	};
	return world;
}

describe('a check', () => {
	const shown = (responses: number, hasShownOrder: boolean, error: ServiceError | null = null) => ({
		responses,
		hasShownOrder,
		error,
		fault: null,
	});
	test.each<[string, ServiceResponse, string, ReturnType<Checker['takeTally']>]>([
		['an order', OPEN, 'order', shown(1, true)],
		['that the order is not found', NOT_FOUND, 'notFound', shown(1, false)],
		['that the order is not accepted', BAD_ORDER, 'orderError', shown(1, false)],
		['a wrong key', WRONG_KEY, 'suspect', shown(0, false, UNAUTHORIZED)],
		['nothing', SILENCE, 'transient', shown(0, false, TIMED_OUT)],
	])('shows %s', async (_what, answer, kind, tally) => {
		const { checker, check, asked, took } = setUp({ status: () => answer });
		await check('0xa');
		expect(asked).toEqual(answer === WRONG_KEY ? ['0XA', 'config'] : ['0XA']);
		expect(took).toEqual([kind]);
		expect(checker.takeTally()).toEqual(tally);
		expect(checker.takeTally()).toEqual(shown(0, false));
	});

	test('adds to what others have shown', async () => {
		const answers = [OPEN, SILENCE, NOT_FOUND, AWAY];
		const { checker, check } = setUp({ status: () => answers.shift() ?? OPEN });
		await check('0xa', '0xb', '0xc', '0xd');
		expect(checker.takeTally()).toEqual(shown(2, true, rejected(503, 'AWAY')));
	});

	test('that cannot be sent for a long time shows why, as long as there is an order to check', async () => {
		const { checker } = setUp();
		const limited = rejected(429, 'RATE_LIMITED');
		checker.use({ ...checker.service, longPause: (ms) => (ms < 3_600_000 ? limited : null) }, 1);
		expect(checker.takeTally()).toEqual(shown(0, false));
		checker.setOrders(ordersOf('0xa'));
		expect(checker.takeTally()).toEqual(shown(0, false, limited));
	});

	test('is not sent while the user has to correct something, and its permit is free again', async () => {
		const { budget, checker, check, asked } = setUp({ config: () => WRONG_KEY, limit: 2 });
		await checker.probe();
		await check('0xa');
		expect(asked).toEqual(['config']);
		expect(budget.tryAcquire(2)).not.toBeNull();
	});
});

describe('a probe', () => {
	test.each<[string, ServiceResponse, unknown]>([
		['says that all is well', SOUND, 'sound'],
		['says that the key is wrong', WRONG_KEY, UNAUTHORIZED],
		['says nothing', SILENCE, TIMED_OUT],
	])('%s', async (_what, answer, probed) => {
		const world = setUp({ config: () => answer });
		expect(await world.checker.probe()).toEqual(probed);
		expect(world.checker.accountError !== null).toBe(answer === WRONG_KEY);
	});

	test('is sent at the first suspicion, and once for all that come meanwhile', async () => {
		const { check, asked, checker } = setUp({ status: () => WRONG_KEY, config: () => WRONG_KEY });
		await check('0xa', '0xb');
		expect(asked.filter((each) => each === 'config')).toHaveLength(1);
		expect(checker.accountError).toEqual(UNAUTHORIZED);
	});

	test('of the account before says nothing of one that is used meanwhile', async () => {
		const { checker } = setUp({
			config: (self) => {
				const budget = new RequestBudget(new VirtualClock());
				self.checker.use({ ...self.checker.service, budget }, 1);
				return WRONG_KEY;
			},
		});
		expect([await checker.probe(), checker.accountError]).toEqual(['notSent', null]);
	});

	test('is not sent where there is no room', async () => {
		const { budget, checker, asked } = setUp({ limit: 1 });
		budget.tryAcquire(1);
		expect([await checker.probe(), asked]).toEqual(['notSent', []]);
	});
});
