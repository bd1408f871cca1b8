import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import type { Settlement } from '../../../nodes/CrossChainBridge/budget/requestLog';
import { n8nClock } from '../../../nodes/CrossChainBridge/service/n8nClock';
import {
	type BridgeService,
	connectToService,
} from '../../../nodes/CrossChainBridge/service/service';

const BASE = 'https://bridge.example.com';
const API = `${BASE}/api/sdk/v2`;

const response = (statusCode: number, body: unknown, headers: Record<string, string> = {}) => ({
	statusCode,
	headers,
	body: JSON.stringify(body),
});
type Response = ReturnType<typeof response>;
const success = (data: unknown) => response(200, { success: true, data });
const failure = (statusCode: number, message?: string, retryAfter?: string) =>
	response(
		statusCode,
		{ success: false, error: { message } },
		retryAfter === undefined ? {} : { 'retry-after': retryAfter },
	);
const fault = (code: string) => Object.assign(new Error('x'), { code });

const GOOD = { ok: true, data: { x: 1 } };
const STOPPED = { ok: false, error: { kind: 'unreachable', networkCode: 'ERR_CANCELED' } };

const STANDARD = { baseUrl: BASE, requestsPerMinute: 100 };
let keys = 0;

/** A node whose credential and whose answers the test chooses; what it would send is kept. */
function nodeWith(answer: (count: number) => unknown) {
	const node = {
		// One of its own for each test, because budgets and configurations are shared by the whole process.
		credentials: { ...STANDARD, apiKey: `sk-live-${++keys}` } as ICredentialDataDecryptedObject,
		workflow: { id: 'w1' } as { id?: string },
		id: 'n1',
		sent: [] as Array<[url: string, qs: unknown]>,
	};
	const send = async (_name: string, { url, qs }: IHttpRequestOptions) => {
		node.sent.push([url, qs]);
		return await answer(node.sent.length);
	};
	const context = {
		getCredentials: async () => ({ ...node.credentials }),
		getWorkflow: () => node.workflow,
		getNode: () => ({ id: node.id }),
		helpers: { httpRequestWithAuthentication: send },
	} as unknown as IAllExecuteFunctions;
	return {
		node,
		connect: async (options?: Parameters<typeof connectToService>[1]) =>
			await connectToService(context, options),
	};
}

const never = async () => await new Promise<never>(() => undefined);

function recordedPermit({ budget }: BridgeService) {
	const calls: Array<Settlement | 'released' | undefined> = [];
	const permit = {
		budget,
		settle: (outcome?: Settlement) => void calls.push(outcome),
		release: () => void calls.push('released'),
	};
	return { calls, permit };
}

/** A node whose requests are answered by hand: the first that is not yet answered. */
function nodeByHand() {
	const waiting: Array<(response: Response) => void> = [];
	return {
		...nodeWith(async () => await new Promise((resolve) => void waiting.push(resolve))),
		answer: async (response: Response) => {
			await new Promise(setImmediate);
			waiting.shift()?.(response);
			await new Promise(setImmediate);
		},
	};
}

test('a process that has just begun may use a tenth of the limit at once', async () => {
	const { budget } = await nodeWith(never).connect();
	let count = 0;
	while (budget.tryCheck(100) !== null) count++;
	expect([count >= 10, count < 30]).toEqual([true, true]);
});

test('each endpoint is asked by its own path and parameters', async () => {
	const { node, connect } = nodeWith(() => success({ x: 1 }));
	const service = await connect();
	const { calls, permit } = recordedPermit(service);
	for (const asking of [
		service.config(),
		service.config('7'),
		service.quote({ inputNetwork: 1 }),
		service.status('0xab'),
	])
		expect(await asking).toEqual(GOOD);
	expect(await service.status('0xcd', { permit })).toEqual(GOOD);
	expect(await service.configNow()).toEqual(GOOD);
	expect(node.sent).toEqual([
		[`${API}/config`, {}],
		[`${API}/config`, { chainID: '7' }],
		[`${API}/quote`, { inputNetwork: 1 }],
		[`${API}/status`, { sourceHash: '0xab' }],
		[`${API}/status`, { sourceHash: '0xcd' }],
		[`${API}/config`, {}],
	]);
	expect(calls).toEqual([{}]);
});

test('each node of each workflow takes turns with the others, and has one turn for all it asks for', async () => {
	const { node, connect } = nodeWith(() => success({ x: 1 }));
	const acquire = jest.spyOn((await connect()).budget, 'acquire');
	for (const [workflow, id] of [
		[{ id: 'w1' }, 'n1'],
		[{ id: 'w1' }, 'n2'],
		[{ id: 'w2' }, 'n1'],
		[{}, 'n1'],
	] as const) {
		Object.assign(node, { workflow, id });
		const service = await connect();
		await service.status('0xab');
		await service.quote({});
	}
	const keys = acquire.mock.calls.map(([{ queueKey }]) => queueKey);
	// Nobody is a batch without saying so.
	expect(new Set(acquire.mock.calls.map(([{ priority }]) => priority))).toEqual(
		new Set(['interactive']),
	);
	jest.restoreAllMocks();
	const each = keys.filter((_key, index) => index % 2 === 0);
	expect(keys).toEqual(each.flatMap((key) => [key, key]));
	expect(new Set(each).size).toBe(4);
});

test('only a quote may come without an envelope', async () => {
	const { connect } = nodeWith(() => response(200, { quoteId: 'q' }));
	const service = await connect();
	expect(await service.quote({})).toEqual({ ok: true, data: { quoteId: 'q' } });
	const error = { kind: 'unreadable', status: 200, found: 'noEnvelope' };
	expect(await service.config()).toEqual({ ok: false, error });
	expect(await service.status('0xab')).toEqual({ ok: false, error });
});

describe('a configuration', () => {
	const networks = [{ chainID: 7, name: 'Ethereum' }];

	test('that is being read is shared, and each asker gets a copy of its own', async () => {
		const { node, connect, answer } = nodeByHand();
		const service = await connect();
		const [first, second, names] = [service.config(), service.config(), service.networks()];
		const now = service.configNow();
		await answer(success({ networks }));
		expect(await names).toEqual({ ok: true, networks });
		const [one, other] = [await first, await second];
		expect([one, await now]).toEqual([other, other]);
		expect(one.ok && one.data.networks).not.toBe(other.ok && other.data.networks);
		expect(node.sent).toHaveLength(1);
		void service.config();
		await new Promise(setImmediate);
		expect(node.sent).toHaveLength(2);
	});

	test('without networks gives no names, and is no list of none', async () => {
		const { connect } = nodeWith(() => success({ x: 1 }));
		const error = { kind: 'unreadable', status: 200, found: 'noNetworks' };
		expect(await (await connect()).networks()).toEqual({ ok: false, error });
	});

	test('is not asked for at once where the budget has no room', async () => {
		const { node, connect } = nodeWith(() => success({ networks }));
		node.credentials.requestsPerMinute = 1;
		const service = await connect();
		expect(await service.configNow()).toMatchObject({ ok: true });
		expect(await service.configNow()).toBeNull();
	});
});

describe('callers that share a configuration do not share the waiting', () => {
	const paused = failure(429, '', '1');

	test('who does not wait out pauses makes nobody fail who does', async () => {
		const { connect, answer } = nodeByHand();
		const list = (await connect({ waitOutMs: 0 })).config();
		const execution = (await connect()).config();
		await answer(paused);
		expect(await list).toMatchObject({ ok: false, error: { status: 429 } });
		let isOver = false;
		void execution.then(() => (isOver = true));
		while (!isOver) await answer(success({ networks: [] }));
		expect(await execution).toMatchObject({ ok: true });
	});

	test('who waits out pauses makes nobody wait who does not', async () => {
		const { connect, answer } = nodeByHand();
		const stop = new AbortController();
		const execution = (await connect({ abortSignal: stop.signal })).config();
		const list = (await connect({ waitOutMs: 0 })).config();
		await answer(paused);
		expect(await list).toMatchObject({ ok: false, error: { status: 429 } });
		stop.abort();
		expect(await execution).toMatchObject({ ok: false, error: { kind: 'unreachable' } });
	});

	test('who has stopped makes nobody fail who has not', async () => {
		const { connect, answer } = nodeByHand();
		const stop = new AbortController();
		const stopping = (await connect({ abortSignal: stop.signal })).config();
		const staying = (await connect()).config();
		await new Promise(setImmediate);
		stop.abort();
		expect(await stopping).toMatchObject({ ok: false });
		await answer(success({ networks: [] }));
		expect(await staying).toMatchObject({ ok: true });
	});

	test('a large batch keeps nobody from reading: what it waits for goes before it', async () => {
		const { node, connect } = nodeWith(() => success({ networks: [] }));
		node.credentials.requestsPerMinute = 2;
		const batch = await connect({ priority: 'batch' });
		await batch.status('0xa');
		const [first, list] = [batch.networks(), (await connect()).networks()];
		expect([await first, await list]).toEqual([await list, { ok: true, networks: [] }]);
		expect(node.sent).toHaveLength(2);
	});
});

test('a key that the service repeats is not shown', async () => {
	const { node, connect } = nodeWith(() =>
		failure(400, `Key ${String(node.credentials.apiKey)} is bad`),
	);
	expect(await (await connect()).status('0xab')).toMatchObject({ error: { words: null } });
});

test('a fault of our own is no stop of the caller: it surfaces as what it is', async () => {
	const { connect } = nodeWith(() => success({ status: 'pending' }));
	const service = await connect({ abortSignal: new AbortController().signal });
	const ours = new TypeError('a fault');
	jest.spyOn(service.budget, 'acquire').mockRejectedValue(ours);
	await expect(service.status('0xab')).rejects.toBe(ours);
	jest.restoreAllMocks();
});

test('a caller that stops is answered at once, as one that was not reached; then nothing is sent for it', async () => {
	const stop = new AbortController();
	const { node, connect } = nodeWith(never);
	const service = await connect({ abortSignal: stop.signal });
	const asking = [service.quote({}), service.networks()];
	stop.abort();
	expect(await Promise.all(asking)).toEqual([STOPPED, STOPPED]);
	const before = node.sent.length;
	const { calls, permit } = recordedPermit(service);
	const { quote, status, config, networks } = service;
	for (const later of [quote({}), status('0xab'), config(), networks(), status('0xab', { permit })])
		expect(await later).toEqual(STOPPED);
	expect(node.sent).toHaveLength(before);
	expect(calls).toEqual(['released']);
});

test('the signal of a permission ends its request', async () => {
	const stop = new AbortController();
	const { connect } = nodeWith(never);
	const service = await connect();
	const { calls, permit } = recordedPermit(service);
	const asking = service.status('0xab', { permit, signal: stop.signal });
	stop.abort(new Error('stopped'));
	expect(await asking).toEqual({ ok: false, error: { kind: 'unreachable', networkCode: null } });
	expect(calls).toEqual([{ unanswered: true }]);
});

test.each<[string, Response | Error, Settlement]>([
	['an order that is not known', failure(404), { unanswered: false }],
	['a time where none is asked for', failure(404, '', '5'), { unanswered: false }],
	['a server error', failure(500), { unanswered: false }],
	[
		'a server error with a time, which is for this order',
		failure(503, '', '5'),
		{ unanswered: false },
	],
	['the limit', failure(429), { limited: true, retryAfterMs: null }],
	['the limit with a time', failure(429, '', '5'), { limited: true, retryAfterMs: 5000 }],
	['no connection', fault('ECONNREFUSED'), { unanswered: true }],
	['no answer in time', fault('ETIMEDOUT'), { unanswered: true }],
])('the budget learns what an answer says about it: %s', async (_name, answer, settlement) => {
	const { connect } = nodeWith(() => {
		if (answer instanceof Error) throw answer;
		return answer;
	});
	const service = await connect();
	const { calls, permit } = recordedPermit(service);
	await service.status('0xab', { permit });
	expect(calls).toEqual([settlement]);
});

describe('a pause', () => {
	test.each<[number, string, 'quote' | 'status']>([
		[503, 'at work', 'quote'],
		[429, 'too many', 'status'],
	])(
		'that is long, after %d, is an error now and later, with the reason',
		async (status, words, asked) => {
			const { node, connect } = nodeWith(() => failure(status, words, '600'));
			const error = { kind: 'rejected', status, code: null, words, retryAfterMs: 600_000 };
			const service = await connect();
			const first = asked === 'quote' ? service.quote({}) : service.status('0xab');
			expect(await first).toMatchObject({ ok: false, error });
			const later = await (await connect()).quote({});
			expect(later).toMatchObject({
				ok: false,
				error: { ...error, retryAfterMs: expect.any(Number) },
			});
			const left = !later.ok && later.error.kind === 'rejected' ? later.error.retryAfterMs : null;
			expect(left).toBeLessThanOrEqual(600_500);
			expect(left).toBeGreaterThan(500_000);
			expect(node.sent).toHaveLength(1);
		},
	);

	test('that a server error of one order asks for is that order’s own: others are asked for at once', async () => {
		const { node, connect } = nodeWith((count) =>
			count === 1 ? failure(503, 'at work', '3600') : success({ x: 1 }),
		);
		const service = await connect();
		expect(await service.status('0xab')).toMatchObject({ ok: false, error: { status: 503 } });
		expect(service.budget.pausedMs()).toBe(0);
		expect(await service.status('0xcd')).toEqual(GOOD);
		expect(node.sent).toHaveLength(2);
	});

	test('of one order is waited out if it is short', async () => {
		const { node, connect } = nodeWith((count) =>
			count === 1 ? failure(503, '', '0.05') : success({ x: 1 }),
		);
		const sleep = jest.spyOn(n8nClock, 'sleep');
		expect(await (await connect()).status('0xab')).toEqual(GOOD);
		expect(sleep).toHaveBeenCalledWith(50);
		jest.restoreAllMocks();
		expect(node.sent).toHaveLength(2);
	});

	test('of one order is waited out as long as all are short enough together', async () => {
		let now = n8nClock.now();
		jest.spyOn(n8nClock, 'now').mockImplementation(() => now);
		jest.spyOn(n8nClock, 'sleep').mockImplementation(async (ms) => void (now += ms));
		const { node, connect } = nodeWith(() => failure(503, '', '40'));
		// In all for 90 seconds: after two of these, a third one would be too long.
		expect(await (await connect()).status('0xab')).toMatchObject({
			error: { status: 503, retryAfterMs: 40_000 },
		});
		jest.restoreAllMocks();
		expect(node.sent).toHaveLength(3);
	});

	test('whose reason is not known is one of the request limit; another error is not its reason', async () => {
		const { node, connect } = nodeWith(() => failure(404));
		const service = await connect();
		await service.status('0xab');
		service.budget.tryAcquire(100)?.settle({ limited: true, retryAfterMs: 600_000 });
		const limited = { kind: 'rejected', status: 429, code: 'RATE_LIMITED', words: null };
		expect(await service.status('0xab')).toMatchObject({
			ok: false,
			error: { ...limited, retryAfterMs: expect.any(Number) },
		});
		expect(node.sent).toHaveLength(1);
	});
});

test.each<[object, object]>([
	[{ apiKey: '' }, { kind: 'noKey' }],
	[{ baseUrl: 'http://bridge.example.com' }, { kind: 'notHttps' }],
	[{ requestsPerMinute: 'many' }, { kind: 'limitNotReadable', given: 'many' }],
])('with a credential that cannot be used (%j) nothing is sent', async (changes, problem) => {
	const { node, connect } = nodeWith(() => success({}));
	Object.assign(node.credentials, changes);
	const service = await connect();
	const { freeSoon } = service.budget.view(100);
	const { calls, permit } = recordedPermit(service);
	const answer = { ok: false, error: { kind: 'invalidCredential', problem } };
	expect(await service.status('0xab', { permit })).toEqual(answer);
	expect(await service.quote({})).toEqual(answer);
	expect([calls, node.sent]).toEqual([['released'], []]);
	expect(service.problem).toEqual(answer.error);
	expect(service.budget.view(100).freeSoon).toBeGreaterThanOrEqual(freeSoon);
});

test('a credential store that hangs does not keep anybody waiting for ever', async () => {
	const late = new AbortController();
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
	const context = { getCredentials: never, getWorkflow: () => ({}), getNode: () => ({ id: 'n' }) };
	const connecting = connectToService(context as unknown as IAllExecuteFunctions);
	late.abort();
	const service = await connecting;
	jest.restoreAllMocks();
	expect(timeout).toHaveBeenCalledWith(20_000);
	expect(service.problem).toEqual({ kind: 'credentialNotRead' });
	expect(await service.status('0xab')).toEqual({ ok: false, error: service.problem });
});

test('a credential that n8n cannot give is n8n’s own error', async () => {
	const gone = new Error('Credential with ID "1" does not exist');
	const getCredentials = async () => await Promise.reject(gone);
	const context = { getCredentials } as unknown as IAllExecuteFunctions;
	await expect(connectToService(context)).rejects.toBe(gone);
});

test('a credential that leads elsewhere by now: nothing is counted as sent', async () => {
	const { connect } = nodeWith(() => {
		throw fault('CREDENTIAL_EDITED');
	});
	const service = await connect();
	const { calls, permit } = recordedPermit(service);
	expect(await service.status('0xab', { permit })).toEqual({
		ok: false,
		error: { kind: 'credentialEdited' },
	});
	expect(calls).toEqual(['released']);
});

describe('the clock of everything that waits', () => {
	test('does not stand still, and is near the time of day', () => {
		const before = n8nClock.now();
		const started = performance.now();
		while (performance.now() === started);
		expect(n8nClock.now()).toBeGreaterThan(before);
		expect(Math.abs(before - Date.now())).toBeLessThan(3_600_000);
	});

	test('takes a moment of the wall clock for as far away as it is there', () => {
		const wall = Date.parse('2026-01-01T08:00:00Z');
		// The computer has slept for a night.
		jest.spyOn(Date, 'now').mockReturnValue(wall);
		jest.spyOn(performance, 'now').mockReturnValue(wall - 8 * 3_600_000 - performance.timeOrigin);
		const times = [n8nClock.now(), n8nClock.ofWallTime(wall - 1_000)].map(Math.round);
		jest.restoreAllMocks();
		expect(times).toEqual([wall - 8 * 3_600_000, wall - 8 * 3_600_000 - 1_000]);
	});
});
