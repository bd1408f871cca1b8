import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { rejected } from '../service/rejected';
import type { VirtualClock } from '../../virtualClock';
import type { ServiceResponse } from '../../../nodes/CrossChainBridge/service/envelope';
import { failed, found, simulatedService } from '../simulatedService';
import {
	type Waited,
	waitForOrders,
	type WaitLimits,
} from '../../../nodes/CrossChainBridge/operations/waitForOrders';
import type { BridgeService } from '../../../nodes/CrossChainBridge/service/service';
import { isFinalStatus, statusOf } from '../../../nodes/CrossChainBridge/orders/orders';
import { simulateTime } from './simulatedTime';

/** When waiting for orders ends, in simulated time. */

const PENDING = found({ status: 'pending' });
const COMPLETED = found({ status: 'completed' });
const NOT_FOUND = failed(rejected(404, 'NOT_FOUND'));
const NO_ANSWER = failed({ kind: 'unreachable', networkCode: 'ECONNRESET' });
/** As it would come for all orders, if it were for the key. */
const FORBIDDEN = failed(rejected(403));
const MALFORMED = failed(rejected(400, 'INVALID_PARAMETER'));
const CONFIG = found({ networks: [] });

const NEVER = Number.POSITIVE_INFINITY;
const ENDLESS = { maxMs: NEVER, notFoundMs: NEVER };
const NO_LIMITS: WaitLimits = { intervalMs: 5_000, ...ENDLESS };
const MINUTE = 60_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const MAX_COLLECTIONS = 10;

let clock: VirtualClock;
beforeEach(() => void (clock = simulateTime()));
afterEach(() => void jest.restoreAllMocks());

interface Setting extends Partial<Omit<Parameters<typeof waitForOrders>[0], 'limits'>> {
	limits?: Partial<WaitLimits>;
	config?: ServiceResponse;
	/** What the check of an order throws. */
	faultOf?: Record<string, Error>;
	onService?(service: object): void;
}

/** Waits for these orders; each has its answers, the last of which stays. */
async function waitFor(
	answers: Record<string, ServiceResponse[]>,
	{ limits, config = CONFIG, faultOf = {}, onService, ...more }: Setting = {},
) {
	const asked: string[] = [];
	const service = simulatedService({
		clock,
		config: () => config,
		status: (sourceHash) => {
			const fault = faultOf[sourceHash];
			if (fault !== undefined) throw fault;
			const ofOrder = answers[sourceHash] ?? [];
			const times = asked.filter((each) => each === sourceHash).length;
			asked.push(sourceHash);
			return ofOrder[Math.min(times, ofOrder.length - 1)] ?? NOT_FOUND;
		},
	});
	onService?.(service);
	let results: Map<string, Waited> | null = null;
	const began = clock.now();
	void waitForOrders({
		sourceHashes: Object.keys(answers),
		service,
		signal: undefined,
		stopsAtFirstFailure: true,
		onOrder: () => undefined,
		...more,
		limits: { ...NO_LIMITS, ...limits },
	}).then((found) => (results = found));
	await clock.run(began + 24 * 60 * MINUTE, () => results !== null);
	if (results === null) throw new Error('It still waits after a day');
	const byHash = [...(results as Map<string, Waited>)];
	return {
		results: new Map(byHash.map(([hash, waited]) => [hash, { kind: kindOf(waited), ...waited }])),
		asked,
		tookMs: clock.now() - began,
	};
}

function kindOf({ order, error }: Waited): 'failed' | 'finished' | 'open' {
	if (error !== null) return 'failed';
	return order !== null && isFinalStatus(statusOf(order)) ? 'finished' : 'open';
}

const one = async (answers: ServiceResponse[], setting?: Setting) => {
	const { results, ...rest } = await waitFor({ '0xa': answers }, setting);
	return { waited: results.get('0xa'), ...rest };
};

test.each(['completed', 'refunded', 'failed'])(
	'an order that is %s is finished with the check that shows it',
	async (status) => {
		const { waited, asked } = await one([found({ status }), PENDING]);
		const took = { checks: 1, waitedSeconds: 0 };
		expect(waited).toMatchObject({ kind: 'finished', order: { status }, error: null, ...took });
		expect(asked).toEqual(['0xa']);
	},
);

test('it says how many checks and seconds, to a tenth, the waiting took', async () => {
	const { waited, tookMs } = await one([PENDING, NOT_FOUND, NO_ANSWER, COMPLETED]);
	expect(waited).toMatchObject({ kind: 'finished', checks: 3 });
	expect(waited?.waitedSeconds).toBeGreaterThan(10);
	expect(waited?.waitedSeconds).toBe(Math.round(tookMs / 100) / 10);
});

test('the caller hears of every order that comes', async () => {
	let heard = 0;
	await one([NOT_FOUND, PENDING, NO_ANSWER, PENDING, COMPLETED], { onOrder: () => heard++ });
	expect(heard).toBe(3);
});

describe('a number of minutes', () => {
	test('ends the waiting for all orders together', async () => {
		const { results, tookMs } = await waitFor(
			{ '0xa': [PENDING], '0xb': [NO_ANSWER], '0xc': [NOT_FOUND], '0xd': [COMPLETED] },
			{ limits: { maxMs: MINUTE } },
		);
		expect([...results].map(([key, { kind, order }]) => [key, kind, order])).toEqual([
			['0xd', 'finished', { status: 'completed' }],
			['0xa', 'open', { status: 'pending' }],
			['0xb', 'open', null],
			['0xc', 'open', null],
		]);
		expect(tookMs).toBeGreaterThanOrEqual(MINUTE);
		expect(tookMs).toBeLessThan(MINUTE + 2_000);
	});

	test('one that was found, and then is not, counts as open', async () => {
		const { waited } = await one([PENDING, NOT_FOUND], { limits: { maxMs: MINUTE } });
		expect(waited).toMatchObject({ kind: 'open', order: { status: 'pending' }, last: 'notFound' });
	});

	test('an order that stays unknown is given up before that', async () => {
		const { results, tookMs } = await waitFor(
			{ '0xa': [NOT_FOUND], '0xb': [PENDING] },
			{ limits: { maxMs: 3 * MINUTE, notFoundMs: MINUTE } },
		);
		expect(results.get('0xa')).toMatchObject({ kind: 'open', order: null });
		expect(results.get('0xa')?.waitedSeconds).toBeLessThan(70);
		expect(tookMs).toBeGreaterThanOrEqual(3 * MINUTE);
	});

	test('with no minute for unknown orders each is asked for once all the same', async () => {
		const { results } = await waitFor(
			{ '0xa': [COMPLETED], '0xb': [NOT_FOUND] },
			{ limits: { notFoundMs: 0 } },
		);
		expect(results.get('0xa')).toMatchObject({ kind: 'finished', checks: 1 });
		expect(results.get('0xb')).toMatchObject({ kind: 'open', order: null, checks: 1 });
	});

	test('while orders are not found, the configuration is asked for once: any server says that', async () => {
		let probes = 0;
		const onService = (service: object) => {
			const { configNow } = service as BridgeService;
			Object.assign(service, {
				configNow: async () => {
					probes++;
					return await configNow();
				},
			});
		};
		const many = [...Array.from({ length: 5 }, () => NOT_FOUND), COMPLETED];
		await waitFor({ '0xa': many, '0xb': many }, { onService });
		expect(probes).toBe(1);
		await waitFor({ '0xa': [PENDING, COMPLETED] }, { onService });
		expect(probes).toBe(1);
	});

	test('what could not be asked about is not given up as unknown', async () => {
		const answers = [...Array.from({ length: 5 }, () => NO_ANSWER), COMPLETED];
		const { waited } = await one(answers, { limits: { notFoundMs: 0 } });
		expect(waited).toMatchObject({ kind: 'finished', checks: 1 });
	});

	test('what was found once is not given up as unknown', async () => {
		const { waited } = await one(
			[PENDING, ...Array.from({ length: 30 }, () => NOT_FOUND), COMPLETED],
			{ limits: { notFoundMs: MINUTE } },
		);
		expect(waited).toMatchObject({ kind: 'finished', checks: 32 });
	});
});

describe('checks without an answer about the order', () => {
	const times = (count: number, answer: ServiceResponse): ServiceResponse[] =>
		Array.from({ length: count }, () => answer);

	test.each<[string, ServiceResponse]>([
		['no answer', NO_ANSWER],
		['an answer that may concern the key, while the configuration answers well', FORBIDDEN],
		['that the order is not indexed yet', failed(rejected(409))],
		['that the bridge has too little liquidity', failed(rejected(400, 'INSUFFICIENT_LIQUIDITY'))],
		['that the bridge is down', failed(rejected(503))],
	])('%s: the order is asked for again until it has finished', async (_what, answer) => {
		const { waited, asked } = await one([PENDING, ...times(100, answer), COMPLETED]);
		expect(waited).toMatchObject({ kind: 'finished', checks: 2, whyNotChecked: null });
		expect(asked).toHaveLength(102);
	});

	test('which lasts until the time is over: the order is still open, and it is told why', async () => {
		const { waited } = await one([NO_ANSWER], { limits: { maxMs: MINUTE } });
		const whyNotChecked = 'The bridge could not be reached';
		expect(waited).toMatchObject({ kind: 'open', error: null, whyNotChecked, checks: 0 });
		const { waited: shown } = await one([PENDING, NO_ANSWER], { limits: { maxMs: MINUTE } });
		expect(shown).toMatchObject({ kind: 'open', order: { status: 'pending' }, whyNotChecked });
	});

	test('a response with the data of another order that is waited for shows nothing, and finishes neither', async () => {
		const [a, b] = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`];
		const ofB = found({ status: 'completed', input: { txHash: b } });
		const { results, asked, tookMs } = await waitFor(
			{ [a]: [ofB, PENDING, ofB], [b]: [ofB] },
			{ limits: { maxMs: MINUTE } },
		);
		expect(results.get(b)).toMatchObject({ kind: 'finished', checks: 1 });
		expect(results.get(a)).toMatchObject({
			kind: 'open',
			order: { status: 'pending' },
			checks: 1,
			whyNotChecked: 'The bridge responded with the data of another order of this node',
		});
		expect(tookMs).toBeGreaterThanOrEqual(MINUTE);
		// It keeps its rhythm.
		expect(asked.filter((hash) => hash === a).length).toBeLessThanOrEqual(MINUTE / 5_000 + 1);
	});

	const HASH = `0x${'a'.repeat(64)}`;
	const BARE = HASH.slice(2).toUpperCase();
	const MIXED = HASH.slice(2).replace('a', 'A');

	test('a response that names the order in another spelling is its own', async () => {
		const { results } = await waitFor({
			[BARE]: [found({ status: 'completed', input: { txHash: HASH } })],
		});
		expect([...results].map(([key, { kind }]) => [key, kind])).toEqual([[HASH, 'finished']]);
	});

	test.each<[string, string[], string]>([
		['the one with 0x', [BARE, HASH, `0x${BARE}`], HASH],
		['the first, if none has 0x', [MIXED, BARE], MIXED],
	])('of several spellings of a hash one is asked for: %s', async (_what, spellings, asksFor) => {
		const answers = [NOT_FOUND, PENDING, COMPLETED];
		const other = `0x${'b'.repeat(64)}`;
		const { results, asked } = await waitFor({
			...Object.fromEntries(spellings.map((each) => [each, answers])),
			[other]: [found({ status: 'failed' })],
		});
		expect(asked.filter((each) => each !== other)).toEqual([asksFor, asksFor, asksFor]);
		expect(results.size).toBe(2);
		expect(results.get(HASH)).toMatchObject({
			kind: 'finished',
			order: { status: 'completed' },
			checks: 3,
		});
		expect(results.get(other)).toMatchObject({ kind: 'finished', order: { status: 'failed' } });
	});

	test('a response that names a transaction that nobody waits for is that of the order: it may have been sped up', async () => {
		const ofOther = found({ status: 'completed', input: { txHash: `0x${'c'.repeat(64)}` } });
		const { waited } = await one([ofOther]);
		expect(waited).toMatchObject({ kind: 'finished', checks: 1 });
	});

	test('a hash that is rejected ends the wait for its order', async () => {
		const { waited, asked } = await one([PENDING, MALFORMED, COMPLETED]);
		const error = MALFORMED.error;
		expect(waited).toMatchObject({ kind: 'failed', order: { status: 'pending' }, error });
		expect(asked).toHaveLength(2);
	});

	test('a wrong key, as the configuration shows, ends the wait for all', async () => {
		const wrong = failed(rejected(401, 'UNAUTHORIZED'));
		const { results, tookMs } = await waitFor(
			{ '0xa': [wrong], '0xb': [wrong] },
			{ config: wrong, stopsAtFirstFailure: false },
		);
		expect([...results.values()].map(({ error }) => error)).toEqual([wrong.error, wrong.error]);
		expect(tookMs).toBeLessThan(MINUTE);
	});

	test("a fault in one order's step is that order's", async () => {
		const fault = new Error('a fault');
		let orders = 0;
		const { results } = await waitFor(
			{ '0xa': [PENDING], '0xb': [PENDING, COMPLETED] },
			{
				stopsAtFirstFailure: false,
				onOrder: () => {
					if (orders++ === 0) throw fault;
				},
			},
		);
		expect(results.get('0xa')?.error).toBe(fault);
		expect(results.get('0xb')?.kind).toBe('finished');
	});

	test('a fault in our own code while it is checked is told of an order that got no response', async () => {
		const fault = new Error('a fault');
		const { results } = await waitFor(
			{ '0xa': [], '0xb': [PENDING] },
			{ limits: { maxMs: MINUTE }, faultOf: { '0xa': fault } },
		);
		expect([results.get('0xa')?.error, results.get('0xb')?.kind]).toEqual([fault, 'open']);
	});

	test('of one order harm no other under Continue On Fail', async () => {
		const { results } = await waitFor(
			{ '0xa': [MALFORMED], '0xb': [PENDING, COMPLETED] },
			{ stopsAtFirstFailure: false },
		);
		expect([results.get('0xa')?.kind, results.get('0xb')?.kind]).toEqual(['failed', 'finished']);
	});

	test('of one order stop the waiting for all, where the first error stops the run', async () => {
		const { results } = await waitFor({ '0xa': [MALFORMED], '0xb': [PENDING] });
		expect(results.get('0xa')).toMatchObject({ kind: 'failed', order: null, checks: 0 });
		expect(results.get('0xb')?.kind).toBe('open');
	});
});

test.each<[string, ServiceResponse[], Setting]>([
	['finishes its orders', [PENDING, COMPLETED], {}],
	['runs out of time', [PENDING], { limits: { maxMs: MINUTE } }],
	['fails', [MALFORMED], {}],
])('nothing keeps what belongs to an execution that %s', async (_what, answers, setting) => {
	let service: WeakRef<object> | null = null;
	await one(answers, { ...setting, onService: (used) => (service = new WeakRef(used)) });
	// Shorter than any pause in which the schedule may look around.
	await clock.run(clock.now() + 5);
	const kept = service as WeakRef<object> | null;
	expect(kept).not.toBeNull();
	// What a WeakRef was asked for stays for the rest of that turn, and signals need more than one collection.
	for (let turn = 0; turn < MAX_COLLECTIONS && kept?.deref() !== undefined; turn++) {
		await new Promise(setImmediate);
		collectGarbage();
	}
	expect(kept?.deref() === undefined).toBe(true);
});

describe('an execution that is stopped', () => {
	test('is listened to no longer than the wait lasts', async () => {
		const { signal } = new AbortController();
		let listeners = 0;
		await one([PENDING, COMPLETED], {
			signal,
			onOrder: () => (listeners = getEventListeners(signal, 'abort').length),
		});
		expect(listeners).toBe(1);
		await new Promise(setImmediate);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test('before it begins asks nothing', async () => {
		const { waited, asked } = await one([COMPLETED], { signal: AbortSignal.abort() });
		expect([waited?.kind, asked]).toEqual(['open', []]);
	});
});
