import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { type Account, accountOf } from '../../../nodes/CrossChainBridge/service/account';
import { connectionOf, isSameAccount } from '../../../nodes/CrossChainBridge/service/connection';
import {
	connectToService,
	n8nClock,
	type ServiceContext,
} from '../../../nodes/CrossChainBridge/service/service';
import { ON_CREDENTIAL, type OnCredential } from '../../../nodes/CrossChainBridge/service/signing';
import type { Settlement } from '../../../nodes/CrossChainBridge/budget/requestLog';

const BASE = 'https://bridge.example.com';
const API = `${BASE}/api/sdk/v2`;

interface Response {
	statusCode: number;
	headers: Record<string, string>;
	body: unknown;
}

const success = (data: unknown): Response => ({
	statusCode: 200,
	headers: {},
	body: JSON.stringify({ success: true, data }),
});
const failure = (statusCode: number, message?: string, headers = {}): Response => ({
	statusCode,
	headers,
	body: JSON.stringify({ success: false, error: { message } }),
});

let keys = 0;

/** A node whose credential and whose answers the test chooses; what it would send is kept. */
function nodeWith(
	answer: (request: IHttpRequestOptions, count: number) => unknown,
	workflow: { id?: string } = { id: 'w1' },
) {
	const node = {
		// One of its own for each test, since budgets and configurations are shared by the whole process.
		credentials: {
			apiKey: `sk-live-${++keys}`,
			baseUrl: BASE,
			requestsPerMinute: 100,
		} as ICredentialDataDecryptedObject,
		/** Called when n8n reads the credential for a request. */
		beforeReading: (): void => undefined,
		sent: [] as Array<[url: string, qs: unknown]>,
		/** Addresses of requests that were stopped before they were sent. */
		stopped: [] as string[],
	};
	const send = async (
		_name: string,
		request: IHttpRequestOptions & { [ON_CREDENTIAL]?: OnCredential },
	) => {
		node.beforeReading();
		try {
			request[ON_CREDENTIAL]?.({ ...node.credentials });
		} catch (error) {
			node.stopped.push(request.url);
			throw error;
		}
		node.sent.push([request.url, request.qs]);
		return await answer(request, node.sent.length);
	};
	const context = {
		getCredentials: async () => ({ ...node.credentials }),
		getWorkflow: () => workflow,
		getNode: () => ({ id: 'n1' }),
		helpers: { httpRequestWithAuthentication: send },
	} as unknown as ServiceContext;
	return {
		node,
		connect: async (options?: Parameters<typeof connectToService>[1]) =>
			await connectToService(context, options),
	};
}

const never = async () => await new Promise<never>(() => undefined);

function recordedPermit() {
	const calls: Array<Settlement | 'released' | undefined> = [];
	return {
		calls,
		permit: {
			settle: (outcome?: Settlement) => void calls.push(outcome),
			release: () => void calls.push('released'),
		},
	};
}

test('each endpoint is asked by its own path and parameters', async () => {
	const { node, connect } = nodeWith(() => success({ x: 1 }));
	const service = await connect();
	for (const asking of [
		service.config(),
		service.config('7'),
		service.quote({ inputNetwork: 1 }),
		service.status('0xab'),
	])
		expect(await asking).toEqual({ ok: true, data: { x: 1 } });
	expect(node.sent).toEqual([
		[`${API}/config`, {}],
		[`${API}/config`, { chainID: '7' }],
		[`${API}/quote`, { inputNetwork: 1 }],
		[`${API}/status`, { sourceHash: '0xab' }],
	]);
});

test('with a permit the same is sent, and the permit is settled', async () => {
	const { node, connect } = nodeWith(() => success({ x: 1 }));
	const service = await connect();
	const { calls, permit } = recordedPermit();
	expect(await service.status('0xab', { permit })).toEqual({ ok: true, data: { x: 1 } });
	expect(await service.config(undefined, { permit })).toEqual({ ok: true, data: { x: 1 } });
	expect(node.sent).toEqual([
		[`${API}/status`, { sourceHash: '0xab' }],
		[`${API}/config`, {}],
	]);
	expect(calls).toEqual([{}, {}]);
});

test('only a quote may come without an envelope', async () => {
	const { connect } = nodeWith(() => ({ statusCode: 200, headers: {}, body: '{"quoteId":"q"}' }));
	const service = await connect();
	expect(await service.quote({})).toEqual({ ok: true, data: { quoteId: 'q' } });
	for (const asking of [service.config(), service.status('0xab')])
		expect(await asking).toEqual({
			ok: false,
			error: { kind: 'unreadable', status: 200, found: 'noEnvelope' },
		});
});

/** Lets requests be answered by hand: the first that is not yet answered. */
function answeredByHand() {
	const waiting: Array<(response: Response) => void> = [];
	return {
		ask: async () => await new Promise<Response>((resolve) => void waiting.push(resolve)),
		answer: async (response: Response) => {
			await new Promise(setImmediate);
			waiting.shift()?.(response);
			await new Promise(setImmediate);
		},
	};
}

test('a configuration that is being read is shared, and each asker gets a copy of its own', async () => {
	const { ask, answer } = answeredByHand();
	const { node, connect } = nodeWith(ask);
	const service = await connect();
	const [first, second, names] = [service.config(), service.config(), service.networks()];
	await answer(success({ networks: [{ a: 1 }] }));
	expect(await names).toEqual({ ok: true, networks: [{ a: 1 }] });
	const [one, other] = [await first, await second];
	expect(one).toEqual(other);
	expect(one.ok && one.data.networks).not.toBe(other.ok && other.data.networks);
	expect(node.sent).toHaveLength(1);
	void service.config();
	await new Promise(setImmediate);
	expect(node.sent).toHaveLength(2);
});

describe('callers that share a configuration do not share the waiting', () => {
	const paused = failure(429, '', { 'retry-after': '1' });

	test('who does not wait out pauses makes nobody fail who does', async () => {
		const { ask, answer } = answeredByHand();
		const { connect } = nodeWith(ask);
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
		const { ask, answer } = answeredByHand();
		const { connect } = nodeWith(ask);
		const stop = new AbortController();
		const execution = (await connect({ abortSignal: stop.signal })).config();
		const list = (await connect({ waitOutMs: 0 })).config();
		await answer(paused);
		expect(await list).toMatchObject({ ok: false, error: { status: 429 } });
		stop.abort();
		expect(await execution).toMatchObject({ ok: false, error: { kind: 'unreachable' } });
	});

	test('who has stopped makes nobody fail who has not', async () => {
		const { ask, answer } = answeredByHand();
		const { connect } = nodeWith(ask);
		const stop = new AbortController();
		const stopping = (await connect({ abortSignal: stop.signal })).config();
		const staying = (await connect()).config();
		await new Promise(setImmediate);
		stop.abort();
		expect(await stopping).toMatchObject({ ok: false });
		// The first request is gone; the other caller sends one of its own.
		await answer(success({}));
		await answer(success({ networks: [] }));
		expect(await staying).toMatchObject({ ok: true });
	});

	test('a large batch that waits in its queue keeps nobody from reading', async () => {
		const { node, connect } = nodeWith(() => success({ networks: [] }));
		node.credentials.requestsPerMinute = 2;
		const batch = await connect({ priority: 'batch' });
		await batch.status('0xa');
		const [waiting, list] = [batch.networks(), (await connect()).networks()];
		expect(await list).toEqual({ ok: true, networks: [] });
		const stillWaiting = Symbol('still waiting');
		expect(await Promise.race([waiting, Promise.resolve(stillWaiting)])).toBe(stillWaiting);
	});
});

test('the configuration that any node has read gives the networks, as a copy', async () => {
	const { node, connect } = nodeWith(() =>
		success({ networks: [{ chainID: 1, name: 'Ethereum' }] }),
	);
	const config = await (await connect()).config();
	if (config.ok)
		(config.data.networks as Array<{ name: string }>).forEach(
			(network) => (network.name = 'Changed'),
		);
	const known = { ok: true, networks: [{ chainID: 1, name: 'Ethereum' }] };
	expect(await (await connect()).networks()).toEqual(known);
	expect(node.sent).toHaveLength(1);
	node.credentials.apiKey = 'sk-live-other';
	expect(await (await connect()).networks()).toEqual(known);
	expect(node.sent).toHaveLength(2);
});

test('a configuration of one network, an order and a failure are not kept as the networks', async () => {
	const networks = [{ chainID: 7 }];
	const { node, connect } = nodeWith((_request, count) =>
		count === 4 ? failure(404) : success({ networks }),
	);
	const service = await connect();
	await service.config('7');
	await service.status('0xab');
	await service.quote({});
	expect(await service.networks()).toMatchObject({
		ok: false,
		error: { kind: 'rejected', status: 404 },
	});
	expect(await service.networks()).toEqual({ ok: true, networks });
	expect(await service.networks()).toEqual({ ok: true, networks });
	expect(node.sent).toHaveLength(5);
});

test('data without a list of networks are no networks, and are asked for again', async () => {
	const { node, connect } = nodeWith(() => success({ networks: null }));
	const service = await connect();
	const error = { kind: 'unreadable', status: 200, found: 'noNetworks' };
	for (let time = 0; time < 2; time++)
		expect(await service.networks()).toEqual({ ok: false, error });
	expect(node.sent).toHaveLength(2);
});

test('a key that the service repeats is not shown', async () => {
	const { node, connect } = nodeWith(() =>
		failure(400, `Key ${String(node.credentials.apiKey)} is bad`),
	);
	expect(await (await connect()).status('0xab')).toMatchObject({ error: { words: null } });
});

test('a fault of our own is no stop of the caller: it surfaces as what it is', async () => {
	const { connect } = nodeWith(() => success({ status: 'pending' }));
	const stop = new AbortController();
	const service = await connect({ abortSignal: stop.signal });
	const fault = new TypeError('a fault');
	jest.spyOn(service.budget, 'acquire').mockRejectedValue(fault);
	await expect(service.status('0xab')).rejects.toBe(fault);
	jest.restoreAllMocks();
});

test('a caller that stops is answered at once, as one that was not reached', async () => {
	const stopped = { ok: false, error: { kind: 'unreachable', networkCode: 'ERR_CANCELED' } };
	const stop = new AbortController();
	const { node, connect } = nodeWith(never);
	const service = await connect({ abortSignal: stop.signal });
	const asking = [service.quote({}), service.networks()];
	stop.abort();
	for (const answer of await Promise.all(asking)) expect(answer).toEqual(stopped);
	const before = node.sent.length;
	expect(await service.status('0xab')).toEqual(stopped);
	expect(node.sent).toHaveLength(before);
});

test('after a caller has stopped nothing is sent for it, also with a permit', async () => {
	const stop = new AbortController();
	const { node, connect } = nodeWith(() => success({ x: 1 }));
	const service = await connect({ abortSignal: stop.signal });
	const { calls, permit } = recordedPermit();
	stop.abort();
	const notReached = { ok: false, error: { kind: 'unreachable', networkCode: 'ERR_CANCELED' } };
	for (const asking of [
		service.quote({}),
		service.status('0xab'),
		service.config(),
		service.networks(),
		service.status('0xab', { permit }),
	]) {
		expect(await asking).toEqual(notReached);
	}
	expect(node.sent).toEqual([]);
	expect(calls).toEqual(['released']);
});

test('the signal of a permission ends its request', async () => {
	const stop = new AbortController();
	const { connect } = nodeWith(never);
	const { calls, permit } = recordedPermit();
	const asking = (await connect()).status('0xab', { permit, signal: stop.signal });
	stop.abort(new Error('stopped'));
	expect(await asking).toEqual({ ok: false, error: { kind: 'unreachable', networkCode: null } });
	expect(calls).toEqual([{ unanswered: true }]);
});

test.each<[string, unknown, Settlement]>([
	['an order that is not known', failure(404), { unanswered: false }],
	[
		'an error with a time that asks for nothing',
		failure(404, '', { 'retry-after': '5' }),
		{ unanswered: false },
	],
	['a server error', failure(500), { unanswered: false }],
	[
		'a server error that asks for a pause',
		failure(503, '', { 'retry-after': '5' }),
		{ limited: false, retryAfterMs: 5000 },
	],
	['the limit', failure(429), { limited: true }],
	[
		'the limit with a time',
		failure(429, '', { 'retry-after': '5' }),
		{ limited: true, retryAfterMs: 5000 },
	],
	['no connection', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), { unanswered: true }],
	['no answer in time', Object.assign(new Error('x'), { code: 'ETIMEDOUT' }), { unanswered: true }],
])('the budget learns what an answer says about it: %s', async (_name, response, settlement) => {
	const { connect } = nodeWith(() => {
		if (response instanceof Error) throw response;
		return response;
	});
	const { calls, permit } = recordedPermit();
	await (await connect()).status('0xab', { permit });
	expect(calls).toEqual([settlement]);
});

test('a server error that asks for a moment is waited out', async () => {
	const { node, connect } = nodeWith((_request, count) =>
		count < 3 ? failure(503, '', { 'retry-after': '0' }) : success({ x: 1 }),
	);
	expect(await (await connect()).status('0xab')).toEqual({ ok: true, data: { x: 1 } });
	expect(node.sent).toHaveLength(3);
});

test.each<[number, string]>([
	[503, 'at work'],
	[429, 'too many'],
])(
	'a long pause after %d is an error at once, and for who comes later as well, with the reason',
	async (status, words) => {
		const { node, connect } = nodeWith(() => failure(status, words, { 'retry-after': '600' }));
		const error = { kind: 'rejected', status, code: null, words, retryAfterMs: 600_000 };
		const service = await connect();
		expect(await service.status('0xab')).toEqual({ ok: false, error });
		const later = await (await connect()).quote({});
		expect(later).toEqual({ ok: false, error: { ...error, retryAfterMs: expect.any(Number) } });
		const left = !later.ok && later.error.kind === 'rejected' ? later.error.retryAfterMs : null;
		expect(left).toBeLessThanOrEqual(600_500);
		expect(left).toBeGreaterThan(500_000);
		expect(node.sent).toHaveLength(1);
	},
);

test('a pause whose reason is not known is one of the request limit; another error is not its reason', async () => {
	const { node, connect } = nodeWith(() => failure(404));
	const service = await connect();
	await service.status('0xab');
	service.tryAcquire()?.settle({ limited: true, retryAfterMs: 600_000 });
	expect(await service.status('0xab')).toEqual({
		ok: false,
		error: {
			kind: 'rejected',
			status: 429,
			code: 'RATE_LIMITED',
			words: null,
			retryAfterMs: expect.any(Number),
		},
	});
	expect(node.sent).toHaveLength(1);
});

test('who does not wait gets an error for the shortest pause', async () => {
	const { node, connect } = nodeWith(() => failure(429, '', { 'retry-after': '5' }));
	const service = await connect({ waitOutMs: 0 });
	expect(await service.status('0xab')).toMatchObject({
		error: { status: 429, retryAfterMs: 5000 },
	});
	expect(await service.status('0xab')).toMatchObject({ error: { status: 429 } });
	expect(node.sent).toHaveLength(1);
});

test.each<[object, string]>([
	[{ apiKey: '' }, 'noKey'],
	[{ baseUrl: 'http://bridge.example.com' }, 'notHttps'],
])('with a credential that cannot be used (%j) nothing is sent', async (changes, problem) => {
	const { node, connect } = nodeWith(() => success({}));
	Object.assign(node.credentials, changes);
	const service = await connect();
	const { calls, permit } = recordedPermit();
	const answer = { ok: false, error: { kind: 'invalidCredential', problem } };
	expect(await service.status('0xab', { permit })).toEqual(answer);
	expect(await service.quote({})).toEqual(answer);
	expect(calls).toEqual(['released']);
	expect(node.sent).toEqual([]);
	expect(node.stopped).toEqual([
		'https-is-required:/api/sdk/v2/status',
		'https-is-required:/api/sdk/v2/quote',
	]);
	expect(service.budget.isIdle()).toBe(true);
});

test('a credential that was corrected meanwhile is used', async () => {
	const { node, connect } = nodeWith(() => success({ x: 1 }));
	node.credentials.baseUrl = '';
	const service = await connect();
	node.credentials.baseUrl = BASE;
	expect(await service.status('0xab')).toEqual({ ok: true, data: { x: 1 } });
	expect(node.sent).toEqual([[`${API}/status`, { sourceHash: '0xab' }]]);
});

test('a credential that was edited is followed: a request without a permit goes there, one with a permit says so', async () => {
	const { node, connect } = nodeWith(() => success({ x: 1 }));
	const service = await connect();
	const { budget } = service;
	node.credentials.baseUrl = 'https://other.example.com';
	const permit = budget.tryCheck(100);
	if (permit === null) throw new Error('no permit');
	expect(await service.status('0xab', { permit })).toEqual({ ok: false, error: { kind: 'moved' } });
	expect(node.sent).toEqual([]);
	expect(budget.isIdle()).toBe(true);
	expect(service.budget).not.toBe(budget);
	const old = budget.tryCheck(100);
	if (old === null) throw new Error('no permit');
	expect(await service.status('0xab', { permit: old })).toEqual({
		ok: false,
		error: { kind: 'moved' },
	});
	expect(node.stopped).toHaveLength(1);
	node.credentials.apiKey = 'sk-live-edited';
	expect(await service.status('0xab')).toEqual({ ok: true, data: { x: 1 } });
	expect(node.sent).toEqual([
		['https://other.example.com/api/sdk/v2/status', { sourceHash: '0xab' }],
	]);
});

test('a credential that is edited again and again is followed five times', async () => {
	const { node, connect } = nodeWith(() => success({}));
	const service = await connect();
	let edits = 0;
	node.beforeReading = () => (node.credentials.apiKey = `sk-live-edit-${++edits}`);
	expect(await service.status('0xab')).toEqual({ ok: false, error: { kind: 'moved' } });
	expect(edits).toBe(6);
	expect(node.sent).toEqual([]);
});

test('another Requests per Minute counts from the next request on, in the same budget', async () => {
	const { node, connect } = nodeWith(() => success({}));
	const service = await connect();
	const { budget } = service;
	node.credentials.requestsPerMinute = 40;
	expect(service.requestsPerMinute).toBe(100);
	await service.status('0xab');
	expect([service.budget, service.requestsPerMinute]).toEqual([budget, 40]);
});

test('accounts are the same if address, key and problem are, whatever the limit', () => {
	const account: Account = accountOf({ apiKey: 'k', baseUrl: BASE });
	expect(isSameAccount(account, { ...account, requestsPerMinute: 1 })).toBe(true);
	expect(isSameAccount(account, { ...account, address: 'https://other.example.com' })).toBe(false);
	expect(isSameAccount(account, { ...account, apiKey: 'other' })).toBe(false);
	expect(
		isSameAccount({ ...account, problem: 'noBaseUrl' }, { ...account, problem: 'notHttps' }),
	).toBe(false);
});

test('accounts share a budget if address and key are the same, and a name that does not give the key away', () => {
	const account = accountOf({ apiKey: 'sk-live-shared', baseUrl: BASE });
	const connection = connectionOf(account);
	expect(connection).toMatchObject(account);
	expect(connection.name).toMatch(/^[0-9a-f]{64}$/);
	expect(connectionOf({ ...account, requestsPerMinute: 50 })).toMatchObject({
		name: connection.name,
		requestsPerMinute: 50,
	});
	expect(connectionOf(account).budget).toBe(connection.budget);
	expect(connectionOf({ ...account, apiKey: 'sk-live-shared2' }).budget).not.toBe(
		connection.budget,
	);
});

test('the clock of everything that waits does not stand still, and is near the time of day', () => {
	const before = n8nClock.now();
	const started = performance.now();
	while (performance.now() === started);
	expect(n8nClock.now()).toBeGreaterThan(before);
	expect(Math.abs(before - Date.now())).toBeLessThan(3_600_000);
});
