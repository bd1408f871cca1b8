import { VirtualClock } from '../../virtualClock';
import type { ServiceResponse } from '../../../nodes/CrossChainBridge/service/envelope';
import type { ServiceError } from '../../../nodes/CrossChainBridge/service/errors';
import type { BridgeService } from '../../../nodes/CrossChainBridge/service/service';
import { rejected } from '../service/rejected';
import { type Findings, StatusChecks } from '../../../nodes/CrossChainBridge/checks/statusChecks';
import { type Permit, RequestBudget } from '../../../nodes/CrossChainBridge/budget/requestBudget';

const failed = (error: ServiceError): ServiceResponse => ({ ok: false, error });

const OPEN: ServiceResponse = { ok: true, data: { status: 'executing' } };
const UNAUTHORIZED = rejected(401, 'UNAUTHORIZED');
const NOT_FOUND = failed(rejected(404, 'NOT_FOUND'));
const WRONG_KEY = failed(UNAUTHORIZED);
const BAD_ORDER = failed(rejected(400, 'BAD_REQUEST'));
const SILENCE = failed({ kind: 'timedOut', afterMs: 30_000 });
const AWAY = failed(rejected(503, 'AWAY'));
const MOVED = failed({ kind: 'moved' });

interface World {
	clock: VirtualClock;
	budget: RequestBudget;
	checks: StatusChecks;
	asked: string[];
	/** What became known, in its order. */
	reported: unknown[];
	/** Another account, as after the credential was edited. */
	move(): RequestBudget;
	check(hash: string, signal?: AbortSignal): Promise<unknown>;
}

interface Setting {
	status?(hash: string, world: World): Promise<ServiceResponse> | ServiceResponse;
	config?(world: World): Promise<ServiceResponse> | ServiceResponse;
	limit?: number;
}

function setUp({
	status = () => OPEN,
	config = () => ({ ok: true, data: {} }),
	limit = 1_000,
}: Setting = {}): World {
	const clock = new VirtualClock(1_000_000);
	const asked: string[] = [];
	const reported: unknown[] = [];
	const service = {
		budget: new RequestBudget(clock),
		status: async (hash: string, { permit }: { permit: Permit }) => {
			asked.push(hash);
			const answer = await status(hash, world);
			permit.settle();
			return answer;
		},
		configNow: async () => {
			const permit = service.budget.tryAcquire(limit);
			if (permit === null) return null;
			asked.push('config');
			const answer = await config(world);
			permit.settle();
			return answer;
		},
	};
	const checks = new StatusChecks(service as unknown as BridgeService, clock, {
		onAccountError: () => reported.push('accountError'),
		onMoved: () => reported.push('moved'),
	});
	const world: World = {
		clock,
		budget: service.budget,
		checks,
		asked,
		reported,
		move: () => (service.budget = new RequestBudget(clock)),
		check: async (hash, signal = new AbortController().signal) => {
			const permit = service.budget.tryCheck(limit);
			if (permit === null) throw new Error('There is no room');
			return await checks.check(hash, permit, signal);
		},
	};
	for (const hash of ['0xa', '0xb']) checks.orders.set(hash, { sourceHash: hash.toUpperCase() });
	return world;
}

describe('a check', () => {
	const found = (responses: number, hasShownOrder: boolean, error: ServiceError | null = null) => ({
		responses,
		hasShownOrder,
		error,
	});
	test.each<[string, ServiceResponse, string, Findings]>([
		['an order', OPEN, 'order', found(1, true)],
		['that the order is not found', NOT_FOUND, 'notFound', found(1, false)],
		['that the order is not accepted', BAD_ORDER, 'orderError', found(1, false)],
		['a wrong key', WRONG_KEY, 'orderError', found(0, false, UNAUTHORIZED)],
		['nothing', SILENCE, 'transient', found(0, false, { kind: 'timedOut', afterMs: 30_000 })],
	])('shows %s', async (_what, answer, kind, findings) => {
		const { checks, check, asked, reported } = setUp({ status: () => answer });
		expect(await check('0xa')).toMatchObject({ kind });
		expect(asked[0]).toBe('0XA');
		expect(reported).toEqual([]);
		expect(checks.takeFindings()).toEqual(findings);
		expect(checks.takeFindings()).toEqual(found(0, false));
		await checks.probed();
		expect(asked.includes('config')).toBe(answer === WRONG_KEY);
	});

	test('adds to what others have shown', async () => {
		const answers = [OPEN, SILENCE, NOT_FOUND, AWAY];
		const { checks, check } = setUp({ status: () => answers.shift() ?? OPEN });
		for (let count = 0; count < 4; count++) await check('0xa');
		expect(checks.takeFindings()).toEqual(found(2, true, rejected(503, 'AWAY')));
	});

	const isOpen = ({ checks }: World) => (checks.circuit.probed(UNAUTHORIZED, true, 0), '0xa');
	test.each<[string, (world: World) => string]>([
		['of an order that is not open any more', () => '0xgone'],
		['while the user has to correct something', isOpen],
	])('is not sent %s, and its permit is free again', async (_what, prepare) => {
		const world = setUp({ limit: 1 });
		expect(await world.check(prepare(world))).toBeNull();
		expect([world.asked, world.reported]).toEqual([[], []]);
		expect(world.budget.tryCheck(1)).not.toBeNull();
	});

	test.each<[string, (world: World, stop: AbortController) => void]>([
		['it was stopped', (_world, stop) => stop.abort()],
		['its order is checked no longer', ({ checks }) => checks.orders.delete('0xa')],
		['its order was added again', ({ checks }) => checks.orders.set('0xa', { sourceHash: '0xA' })],
		['the account was changed', (world) => world.move()],
	])('shows nothing when %s meanwhile', async (_what, change) => {
		const stop = new AbortController();
		const world = setUp({ status: (_hash, self) => (change(self, stop), OPEN) });
		expect(await world.check('0xa', stop.signal)).toBeNull();
		expect(world.reported).toEqual([]);
		expect(world.checks.takeFindings().responses).toBe(0);
	});

	test.each<[string, ServiceResponse, unknown[]]>([
		['reports when it finds the credential edited', MOVED, ['moved']],
		['reports nothing else of another account', WRONG_KEY, []],
	])('%s', async (_what, answer, reported) => {
		const world = setUp({ status: (_hash, self) => (self.move(), answer) });
		expect(await world.check('0xa')).toBeNull();
		expect(world.reported).toEqual(reported);
	});
});

describe('a probe', () => {
	test.each<[string, ServiceResponse, unknown, unknown[], boolean]>([
		['says that all is well', { ok: true, data: {} }, 'sound', [], false],
		['says that the key is wrong', WRONG_KEY, UNAUTHORIZED, ['accountError'], true],
		['says nothing', SILENCE, { kind: 'timedOut', afterMs: 30_000 }, [], false],
	])('%s', async (_what, answer, probed, reported, isOpen) => {
		const world = setUp({ config: () => answer });
		expect(await world.checks.probe()).toEqual(probed);
		expect(world.reported).toEqual(reported);
		expect(world.checks.circuit.error !== null).toBe(isOpen);
	});

	test('that all is well closes the circuit, and the next is due when it fails again', async () => {
		const answers: ServiceResponse[] = [WRONG_KEY, { ok: true, data: {} }];
		const { clock, checks } = setUp({ config: () => answers.shift() ?? SILENCE });
		await checks.probe();
		const now = clock.now();
		const expected = [false, true];
		expect([now + 4_999, now + 5_000].map((at) => checks.circuit.isProbeDue(at))).toEqual(expected);
		await checks.probe();
		expect([checks.circuit.error, checks.circuit.isProbeDue(now + 1e9)]).toEqual([null, false]);
	});

	test('is sent at the first suspicion, and once for all that come meanwhile', async () => {
		const { checks, check, asked, reported } = setUp({
			status: () => WRONG_KEY,
			config: () => WRONG_KEY,
		});
		await Promise.all([check('0xa'), check('0xb')]);
		await checks.probed();
		const expected = [1, ['accountError']];
		expect([asked.filter((each) => each === 'config').length, reported]).toEqual(expected);
		expect(await check('0xa')).toBeNull();
	});

	test('is not sent where there is no room', async () => {
		const { budget, checks, asked } = setUp({ limit: 1 });
		budget.tryAcquire(1);
		expect([await checks.probe(), asked]).toEqual(['notSent', []]);
	});

	test.each<[string, ServiceResponse, unknown[]]>([
		['reports the edited credential', MOVED, ['moved']],
		['says nothing of another account', WRONG_KEY, []],
		['says nothing of another account, where all is well', { ok: true, data: {} }, []],
	])('%s', async (_what, answer, reported) => {
		const world = setUp({ config: (self) => (self.move(), answer) });
		expect(await world.checks.probe()).toBe('notSent');
		expect(world.reported).toEqual(reported);
		expect(world.checks.circuit.error).toBeNull();
	});
});
