import { getEventListeners } from 'node:events';

import { rejected } from '../service/rejected';
import type { VirtualClock } from '../../virtualClock';
import type { ServiceResponse } from '../../../nodes/CrossChainBridge/service/envelope';
import { failed, found, simulatedService } from '../simulatedService';
import {
	type NOT_CHECKED,
	waitForOrders,
	type WaitLimits,
} from '../../../nodes/CrossChainBridge/operations/waitForOrders';
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

type Waited = typeof NOT_CHECKED;

const NEVER = Number.POSITIVE_INFINITY;
const ENDLESS = { maxMs: NEVER, notFoundMs: NEVER };
const NO_LIMITS: WaitLimits = { intervalMs: 5_000, ...ENDLESS };
const MINUTE = 60_000;

let clock: VirtualClock;
beforeEach(() => void (clock = simulateTime()));
afterEach(() => void jest.restoreAllMocks());

interface Setting extends Partial<Omit<Parameters<typeof waitForOrders>[0], 'limits'>> {
	limits?: Partial<WaitLimits>;
	config?: ServiceResponse;
}

/** Waits for these orders; each has its answers, the last of which stays. */
async function waitFor(
	answers: Record<string, ServiceResponse[]>,
	{ limits, config = CONFIG, ...more }: Setting = {},
) {
	const asked: string[] = [];
	const service = simulatedService({
		clock,
		config: () => config,
		status: (sourceHash) => {
			const ofOrder = answers[sourceHash] ?? [];
			const times = asked.filter((each) => each === sourceHash).length;
			asked.push(sourceHash);
			return ofOrder[Math.min(times, ofOrder.length - 1)] ?? NOT_FOUND;
		},
	});
	const orders = new Map(
		Object.keys(answers).map((sourceHash) => [sourceHash.toLowerCase(), { sourceHash }]),
	);
	let results: Map<string, Waited> | null = null;
	const began = clock.now();
	void waitForOrders({
		orders,
		service,
		signal: undefined,
		stopsAtFirstFailure: true,
		onOrder: () => undefined,
		...more,
		limits: { ...NO_LIMITS, ...limits },
	}).then((found) => (results = found));
	await clock.run(began + 24 * 60 * MINUTE, () => results !== null);
	if (results === null) throw new Error('It still waits after a day');
	const byKey = [...(results as Map<string, Waited>)];
	return {
		results: new Map(byKey.map(([key, waited]) => [key, { kind: kindOf(waited), ...waited }])),
		asked,
		tookMs: clock.now() - began,
	};
}

function kindOf({ order, error }: Waited): 'failed' | 'finished' | 'open' {
	if (error !== null) return 'failed';
	return order !== null && isFinalStatus(statusOf(order)) ? 'finished' : 'open';
}

const one = async (answers: ServiceResponse[], setting?: Setting) => {
	const { results, ...rest } = await waitFor({ '0xA': answers }, setting);
	return { waited: results.get('0xa'), ...rest };
};

test.each(['completed', 'refunded', 'failed'])(
	'an order that is %s is finished with the check that shows it',
	async (status) => {
		const { waited, asked } = await one([found({ status }), PENDING]);
		const took = { checks: 1, waitedSeconds: 0 };
		expect(waited).toMatchObject({ kind: 'finished', order: { status }, error: null, ...took });
		expect(asked).toEqual(['0xA']);
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
			{ '0xA': [PENDING], '0xB': [NO_ANSWER], '0xC': [NOT_FOUND], '0xD': [COMPLETED] },
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
			{ '0xA': [NOT_FOUND], '0xB': [PENDING] },
			{ limits: { maxMs: 3 * MINUTE, notFoundMs: MINUTE } },
		);
		expect(results.get('0xa')).toMatchObject({ kind: 'open', order: null });
		expect(results.get('0xa')?.waitedSeconds).toBeLessThan(70);
		expect(tookMs).toBeGreaterThanOrEqual(3 * MINUTE);
	});

	test('with no minute for unknown orders each is asked for once all the same', async () => {
		const { results } = await waitFor(
			{ '0xA': [COMPLETED], '0xB': [NOT_FOUND] },
			{ limits: { notFoundMs: 0 } },
		);
		expect(results.get('0xa')).toMatchObject({ kind: 'finished', checks: 1 });
		expect(results.get('0xb')).toMatchObject({ kind: 'open', order: null, checks: 1 });
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

	test.each<[string, number, ServiceResponse]>([
		['sixty without any answer', 60, NO_ANSWER],
		['three that may concern the key, while the configuration answers well', 3, FORBIDDEN],
		['one that the service does not accept', 1, MALFORMED],
	])('%s are too many, one less is not', async (_what, count, answer) => {
		const failed = await one([PENDING, ...times(count, answer), COMPLETED]);
		expect(failed.waited).toMatchObject({
			kind: 'failed',
			order: { status: 'pending' },
			checks: 1,
			error: answer.ok ? null : answer.error,
		});
		expect(failed.asked).toHaveLength(1 + count);
		const found = await one([PENDING, ...times(count - 1, answer), COMPLETED]);
		expect(found.waited).toMatchObject({ kind: 'finished', checks: 2 });
	});

	test.each<[string, ServiceResponse]>([
		['an order', PENDING],
		['not found', NOT_FOUND],
	])('an answer in between (%s) begins the count again', async (_what, answer) => {
		const { waited } = await one([FORBIDDEN, FORBIDDEN, answer, FORBIDDEN, FORBIDDEN, COMPLETED]);
		expect(waited).toMatchObject({ kind: 'finished', checks: 2 });
	});

	test('of one order harm no other under Continue On Fail', async () => {
		const { results } = await waitFor(
			{ '0xA': [MALFORMED], '0xB': [PENDING, COMPLETED] },
			{ stopsAtFirstFailure: false },
		);
		expect([results.get('0xa')?.kind, results.get('0xb')?.kind]).toEqual(['failed', 'finished']);
	});

	test('of one order stop the waiting for all, where the first error stops the run', async () => {
		const { results } = await waitFor({ '0xA': [MALFORMED], '0xB': [PENDING] });
		expect(results.get('0xa')).toMatchObject({ kind: 'failed', order: null, checks: 0 });
		expect(results.get('0xb')?.kind).toBe('open');
	});
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
