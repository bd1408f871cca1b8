import { once } from 'node:events';
import { get as httpGet } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AxiosResponse } from 'axios';
import type { ErrorShape, Fault, LoggedRequest, Wait, WaitingFault } from '../../sandbox';
import {
	API,
	clientOf,
	errorBody,
	EVM_HASH,
	rehearse,
	rehearseTogether,
	stopAll,
} from './rehearsal';
import type { Rehearsal } from './rehearsal';

afterEach(stopAll);
const together = rehearseTogether();

const OTHER_HASH = `0x${'cd'.repeat(32)}`;

async function askConfig({ client }: Rehearsal): Promise<AxiosResponse<unknown>> {
	return await client.get<unknown>(`${API}/config`);
}

/** The answer to one config request under a fault, which it uses up. */
async function configUnder(fault: Fault): Promise<AxiosResponse<unknown>> {
	const rehearsal = together();
	await rehearsal.addFault(fault);
	return await askConfig(rehearsal);
}

/** A wait that is over only when it is released; knows what it was asked for. */
class PausedWait {
	readonly milliseconds: number[] = [];
	readonly #begun: Promise<void>;
	#begin: () => void = () => undefined;

	constructor() {
		this.#begun = new Promise((resolve) => {
			this.#begin = resolve;
		});
	}

	/** Resolves when something waits. */
	get begun(): Promise<void> {
		return this.#begun;
	}

	readonly wait: Wait = async (milliseconds, signal) => {
		this.milliseconds.push(milliseconds);
		if (signal.aborted) return;
		const letGo = once(signal, 'abort');
		this.#begin();
		await letGo;
	};
}

describe('which requests a fault meets', () => {
	test('the next one by default, then all is well again', async () => {
		const rehearsal = await rehearse();
		await rehearsal.addFault({ kind: 'error', status: 500 });
		expect((await askConfig(rehearsal)).status).toBe(500);
		expect((await askConfig(rehearsal)).status).toBe(200);
	});

	test('the next N', async () => {
		const rehearsal = await rehearse();
		await rehearsal.addFault({ kind: 'error', status: 500, times: 2 });
		const statuses = [
			await askConfig(rehearsal),
			await askConfig(rehearsal),
			await askConfig(rehearsal),
		];
		expect(statuses.map(({ status }) => status)).toEqual([500, 500, 200]);
	});

	test('always, until it is deleted', async () => {
		const rehearsal = await rehearse();
		await rehearsal.addFault({ kind: 'error', status: 503, times: 'always' });
		for (let asked = 0; asked < 5; asked += 1)
			expect((await askConfig(rehearsal)).status).toBe(503);
		expect((await rehearsal.client.delete('/sandbox/faults')).status).toBe(204);
		expect((await askConfig(rehearsal)).status).toBe(200);
	});

	test('one endpoint: the others are well, and do not use it up', async () => {
		const rehearsal = await rehearse();
		await rehearsal.addFault({ kind: 'error', status: 503, endpoint: 'status' });
		expect((await askConfig(rehearsal)).status).toBe(200);
		expect((await rehearsal.client.get(`${API}/quote`)).status).toBe(400);
		expect((await rehearsal.status(EVM_HASH)).status).toBe(503);
		expect((await rehearsal.status(EVM_HASH)).status).toBe(404);
	});

	test.each(['config', 'quote', 'status'])('all endpoints: %s', async (endpoint) => {
		const { addFault, client } = together();
		await addFault({ kind: 'error', status: 503, endpoint: 'all' });
		expect((await client.get(`${API}/${endpoint}`)).status).toBe(503);
	});

	test('one source hash, in any case: other orders are well', async () => {
		const rehearsal = await rehearse();
		const { announce, addFault, status } = rehearsal;
		await announce({ sourceHash: EVM_HASH }, { sourceHash: OTHER_HASH });
		await addFault({
			kind: 'error',
			status: 500,
			sourceHash: EVM_HASH.toUpperCase(),
			times: 'always',
		});
		expect(
			(await rehearsal.client.get(`${API}/config`, { params: { sourceHash: EVM_HASH } })).status,
		).toBe(200);
		expect((await status(OTHER_HASH)).status).toBe(200);
		expect((await status(EVM_HASH)).status).toBe(500);
	});

	test('faults queue up: a request meets the first that fits', async () => {
		const rehearsal = await rehearse();
		await rehearsal.addFault({ kind: 'error', status: 500 });
		await rehearsal.addFault({ kind: 'error', status: 429 });
		await rehearsal.addFault({ kind: 'empty' });
		const answers = [
			await askConfig(rehearsal),
			await askConfig(rehearsal),
			await askConfig(rehearsal),
		];
		expect(answers.map(({ status, data }) => [status, data === ''])).toEqual([
			[500, false],
			[429, false],
			[200, true],
		]);
	});

	test('a fault in front of the service takes no place under the limit and needs no key', async () => {
		const rehearsal = await rehearse({ requestsPerMinute: 1 });
		await rehearsal.addFault({ kind: 'error', status: 503, times: 2 });
		expect((await clientOf(rehearsal.sandbox.url).get(`${API}/config`)).status).toBe(503);
		const statuses = [
			await askConfig(rehearsal),
			await askConfig(rehearsal),
			await askConfig(rehearsal),
		];
		expect(statuses.map(({ status }) => status)).toEqual([503, 200, 429]);
	});

	test('the list shows what is left; one can be deleted by its id', async () => {
		const rehearsal = await rehearse();
		const { client, addFault } = rehearsal;
		await addFault({ kind: 'error', status: 500, times: 3 });
		await addFault({ kind: 'html', times: 'always' });
		await askConfig(rehearsal);
		const list = async (): Promise<WaitingFault[]> =>
			(await client.get<{ faults: WaitingFault[] }>('/sandbox/faults')).data.faults;
		expect(await list()).toEqual([
			{ id: 1, kind: 'error', status: 500, times: 3, left: 2 },
			{ id: 2, kind: 'html', times: 'always', left: 'always' },
		]);
		expect((await client.delete('/sandbox/faults/1')).status).toBe(204);
		expect((await client.delete('/sandbox/faults/1')).status).toBe(404);
		expect((await list()).map(({ id }) => id)).toEqual([2]);
	});

	test.each([
		['no kind', {}, 'kind'],
		['an unknown kind', { kind: 'flood' }, 'halfBody'],
		['an unknown field', { kind: 'error', stauts: 500 }, 'stauts'],
		['a field of another kind', { kind: 'html', to: 'http://127.0.0.1' }, 'to'],
		['a redirect to nowhere', { kind: 'redirect' }, 'to'],
		['no times', { kind: 'empty', times: 0 }, 'times'],
		['an unknown endpoint', { kind: 'empty', endpoint: 'orders' }, 'endpoint'],
	])('%s is rejected with a sentence', async (_what, body, named) => {
		const { client } = together();
		const response = await client.post<{ error: { message: string } }>('/sandbox/faults', body);
		expect(response.status).toBe(400);
		expect(response.data).toEqual(errorBody('INVALID_PARAMETER'));
		expect(response.data.error.message).toContain(named);
		expect((await client.get<unknown>('/sandbox/faults')).data).toEqual({ faults: [] });
	});
});

describe('errors', () => {
	test.each([
		['INVALID_PARAMETER', 400],
		['INSUFFICIENT_LIQUIDITY', 400],
		['UNAUTHORIZED', 401],
		['NOT_FOUND', 404],
		['RATE_LIMITED', 429],
		['INTERNAL_ERROR', 500],
	])('%s comes with status %i', async (code, status) => {
		const response = await configUnder({ kind: 'error', code });
		expect(response.status).toBe(status);
		expect(response.data).toEqual(errorBody(code));
	});

	test.each([
		[401, 'UNAUTHORIZED'],
		[404, 'NOT_FOUND'],
		[429, 'RATE_LIMITED'],
		[500, 'INTERNAL_ERROR'],
		[503, 'INTERNAL_ERROR'],
	])('status %i comes with %s', async (status, code) => {
		const response = await configUnder({ kind: 'error', status });
		expect(response.status).toBe(status);
		expect(response.data).toEqual(errorBody(code));
	});

	test('429 without Retry-After, with seconds, with a date', async () => {
		const rehearsal = await rehearse();
		await rehearsal.addFault({ kind: 'error', status: 429 });
		await rehearsal.addFault({ kind: 'error', status: 429, retryAfterSeconds: 7 });
		await rehearsal.addFault({
			kind: 'error',
			status: 429,
			retryAfterSeconds: 7,
			retryAfterForm: 'date',
		});
		expect((await askConfig(rehearsal)).headers).not.toHaveProperty('retry-after');
		expect((await askConfig(rehearsal)).headers['retry-after']).toBe('7');
		const date = String((await askConfig(rehearsal)).headers['retry-after']);
		expect(date).toMatch(/GMT$/);
		expect(Date.parse(date)).toBe(rehearsal.clock.ms + 7000);
	});

	const message = 'No such order';
	const bodies: Array<[shape: ErrorShape, status: number, body: unknown]> = [
		['envelope', 404, { success: false, error: { code: 'NOT_FOUND', message } }],
		['nested', 404, { error: { code: 'NOT_FOUND', message } }],
		['flat', 404, { code: 'NOT_FOUND', message }],
		['word', 404, { error: 'NOT_FOUND', message }],
		['message', 404, { message }],
		['status200', 200, { success: false, error: message }],
		['text', 404, message],
		['html', 404, expect.stringContaining(`<p>${message}</p>`)],
		['empty', 404, ''],
	];
	test.each(bodies)('body shape %s', async (shape, status, body) => {
		const response = await configUnder({ kind: 'error', code: 'NOT_FOUND', message, shape });
		expect(response.status).toBe(status);
		expect(response.data).toEqual(body);
	});

	test('a code that nobody knows, with a status of choice', async () => {
		const response = await configUnder({ kind: 'error', code: 'TEAPOT', status: 418 });
		expect(response.status).toBe(418);
		expect(response.data).toEqual(errorBody('TEAPOT'));
	});

	test("errorShape: the service's own errors in another shape, good answers as ever", async () => {
		const rehearsal = await rehearse();
		await rehearsal.addFault({ kind: 'errorShape', shape: 'flat', times: 'always' });
		const unknown = await rehearsal.status(EVM_HASH);
		expect(unknown.status).toBe(404);
		expect(unknown.data).toEqual({ code: 'NOT_FOUND', message: expect.any(String) as string });
		const stranger = await clientOf(rehearsal.sandbox.url).get<unknown>(`${API}/config`);
		expect(stranger.status).toBe(401);
		expect(stranger.data).toEqual({ code: 'UNAUTHORIZED', message: expect.any(String) as string });
		expect((await askConfig(rehearsal)).data).toMatchObject({ success: true });
	});
});

describe('bodies that are not the service', () => {
	test('a web page with status 200', async () => {
		const response = await configUnder({ kind: 'html' });
		expect(response.status).toBe(200);
		expect(response.headers['content-type']).toMatch(/^text\/html/);
		expect(response.data).toMatch(/^<!doctype html>/);
	});

	test('over 1 MB of text, or of any length', async () => {
		const long = await configUnder({ kind: 'text' });
		expect(long.status).toBe(200);
		expect(long.headers['content-type']).toMatch(/^text\/plain/);
		expect(String(long.data).length).toBeGreaterThan(1_048_576);
		expect(String((await configUnder({ kind: 'text', bytes: 10 })).data)).toHaveLength(10);
	});

	test('an empty body, which has no content type', async () => {
		const response = await configUnder({ kind: 'empty' });
		expect(response.status).toBe(200);
		expect(response.data).toBe('');
		expect(response.headers['content-length']).toBe('0');
		expect(response.headers).not.toHaveProperty('content-type');
	});

	test('success without data', async () => {
		expect((await configUnder({ kind: 'noData' })).data).toEqual({ success: true });
	});

	test('a JSON array', async () => {
		const response = await configUnder({ kind: 'array' });
		expect(response.status).toBe(200);
		expect(Array.isArray(response.data)).toBe(true);
	});

	test.each(['null', '"text"', '{"success":true,"data":null}', '{broken'])(
		'any body: %s',
		async (body) => {
			const { addFault, client } = together();
			await addFault({ kind: 'body', body });
			const response = await client.get<string>(`${API}/config`, {
				transformResponse: (text: string) => text,
			});
			expect(response.status).toBe(200);
			expect(response.headers['content-type']).toMatch(/^application\/json/);
			expect(response.data).toBe(body);
		},
	);

	test.each([301, 302, 303, 307, 308] as const)('a redirect with status %i', async (status) => {
		const response = await configUnder({
			kind: 'redirect',
			status,
			to: 'http://127.0.0.1:9/elsewhere',
		});
		expect(response.status).toBe(status);
		expect(response.headers.location).toBe('http://127.0.0.1:9/elsewhere');
	});

	test('a redirect is followed to another sandbox by a client that follows, and is 302 by default', async () => {
		const [here, there] = [await rehearse(), await rehearse()];
		await here.addFault({ kind: 'redirect', to: `${there.sandbox.url}${API}/config`, times: 2 });
		expect((await askConfig(here)).status).toBe(302);
		await here.client.get(`${API}/config`, { maxRedirects: 1 });
		const { requests } = (
			await there.client.get<{ requests: LoggedRequest[] }>('/sandbox/requests')
		).data;
		expect(requests.map(({ path }) => path)).toEqual([`${API}/config`]);
	});
});

describe('fields', () => {
	test('an unknown status word, null and absent parts in the answer, once', async () => {
		const { announce, addFault, status } = await rehearse();
		await announce({ sourceHash: EVM_HASH });
		await addFault({
			kind: 'fields',
			answer: { status: 'settling', input: null },
			absent: ['timing.expiry'],
		});
		const { data } = (await status(EVM_HASH)).data as { data: Record<string, unknown> };
		expect(data).toMatchObject({ status: 'settling', input: null });
		expect(data.timing).not.toHaveProperty('expiry');
		expect((await status(EVM_HASH)).data).toMatchObject({
			data: { status: 'pending', timing: { expiry: expect.any(Number) as number } },
		});
	});

	test('an error stays as it is', async () => {
		const { addFault, status } = await rehearse();
		await addFault({ kind: 'fields', answer: { status: 'settling' } });
		expect((await status(EVM_HASH)).data).toEqual(errorBody('NOT_FOUND'));
	});
});

describe('connections', () => {
	const drops: Array<
		[when: 'beforeHeaders' | 'inHeaders' | 'afterHeaders', status: number | null, seen: object]
	> = [
		['beforeHeaders', null, { code: 'ECONNRESET' }],
		['inHeaders', null, { code: 'ECONNRESET' }],
		['afterHeaders', 200, { response: expect.objectContaining({ status: 200 }) as object }],
	];
	test.each(drops)('dropped %s', async (when, status, seen) => {
		const rehearsal = await rehearse();
		await rehearsal.addFault({ kind: 'drop', when });
		await expect(askConfig(rehearsal)).rejects.toMatchObject(seen);
		const { requests } = (
			await rehearsal.client.get<{ requests: LoggedRequest[] }>('/sandbox/requests')
		).data;
		expect(requests.map((request) => request.status)).toEqual([status]);
		expect((await askConfig(rehearsal)).status).toBe(200);
	});

	test('half a body, then the connection drops', async () => {
		const rehearsal = await rehearse();
		const { length } = JSON.stringify((await askConfig(rehearsal)).data);
		await rehearsal.addFault({ kind: 'halfBody' });
		const request = httpGet(`${rehearsal.sandbox.url}${API}/config`, {
			headers: { 'x-api-key': rehearsal.sandbox.apiKey },
		});
		const [response] = (await once(request, 'response')) as [IncomingMessage];
		expect(response.headers['content-length']).toBe(String(length));
		let received = 0;
		response.on('data', (bytes: Buffer) => {
			received += bytes.length;
		});
		const [error] = (await once(response, 'error')) as [Error];
		expect(error).toMatchObject({ code: 'ECONNRESET' });
		expect(received).toBe(Math.floor(length / 2));
	});

	test('half a body that closes as if it were whole', async () => {
		const rehearsal = await rehearse();
		const whole = JSON.stringify((await askConfig(rehearsal)).data);
		await rehearsal.addFault({ kind: 'halfBody', clean: true });
		const response = await askConfig(rehearsal);
		expect(response.status).toBe(200);
		expect(response.data).toBe(whole.slice(0, Math.floor(whole.length / 2)));
	});

	test('a body that drips one byte a second', async () => {
		const waits: number[] = [];
		const rehearsal = await rehearse({
			wait: async (milliseconds) => {
				waits.push(milliseconds);
				await Promise.resolve();
			},
		});
		const whole = await askConfig(rehearsal);
		await rehearsal.addFault({ kind: 'drip' });
		const dripped = await askConfig(rehearsal);
		expect(dripped.data).toEqual(whole.data);
		expect(waits).toEqual(Array<number>(JSON.stringify(whole.data).length).fill(1000));
	});

	test('the first byte arrives and the next does not; deleting the faults lets the rest flow', async () => {
		const paused = new PausedWait();
		const rehearsal = await rehearse({ wait: paused.wait });
		await rehearsal.addFault({ kind: 'drip', bytesPerSecond: 4 });
		const request = httpGet(`${rehearsal.sandbox.url}${API}/config`, {
			headers: { 'x-api-key': rehearsal.sandbox.apiKey },
		});
		const [response] = (await once(request, 'response')) as [IncomingMessage];
		const [firstBytes] = (await once(response, 'data')) as [Buffer];
		expect(firstBytes.toString()).toBe('{');
		expect(paused.milliseconds).toEqual([250]);
		const received = once(response, 'end');
		let rest = '';
		response.on('data', (bytes: Buffer) => {
			rest += bytes.toString();
		});
		await rehearsal.client.delete('/sandbox/faults');
		await received;
		expect(JSON.parse(`{${rest}`)).toMatchObject({ success: true });
	});
});

describe('delay', () => {
	test('the answer comes after the delay, as it was at the arrival', async () => {
		const paused = new PausedWait();
		const { announce, addFault, status, clock, client } = await rehearse({ wait: paused.wait });
		await announce({ sourceHash: EVM_HASH, endsAfterSeconds: 5 });
		await addFault({ kind: 'delay', delaySeconds: 20 });
		const delayed = status(EVM_HASH);
		await paused.begun;
		expect(paused.milliseconds).toEqual([20_000]);
		clock.advance(20);
		// Others are not delayed.
		expect((await status(EVM_HASH)).data).toMatchObject({ data: { status: 'completed' } });
		await client.delete('/sandbox/faults');
		expect((await delayed).data).toMatchObject({ data: { status: 'pending' } });
	});

	test('any other fault can be delayed as well', async () => {
		const waits: number[] = [];
		const rehearsal = await rehearse({
			wait: async (milliseconds) => {
				waits.push(milliseconds);
				await Promise.resolve();
			},
		});
		await rehearsal.addFault({ kind: 'error', status: 503, delaySeconds: 3 });
		expect((await askConfig(rehearsal)).status).toBe(503);
		expect(waits).toEqual([3000]);
	});

	test('on the real clock: delayed until the faults are deleted', async () => {
		const rehearsal = await rehearse();
		await rehearsal.addFault({ kind: 'delay', delaySeconds: 3600 });
		const delayed = askConfig(rehearsal);
		const { client } = rehearsal;
		const logged = async (): Promise<LoggedRequest[]> =>
			(await client.get<{ requests: LoggedRequest[] }>('/sandbox/requests')).data.requests;
		let requests = await logged();
		for (let checks = 0; requests.length === 0 && checks < 1000; checks += 1)
			requests = await logged();
		expect(requests.map(({ status }) => status)).toEqual([null]);
		await client.delete('/sandbox/faults');
		expect((await delayed).status).toBe(200);
		expect((await logged()).map(({ status }) => status)).toEqual([200]);
	});

	test('a client that gives up is waited for no longer', async () => {
		const paused = new PausedWait();
		let isOver: () => void = () => undefined;
		const over = new Promise<void>((resolve) => {
			isOver = resolve;
		});
		const rehearsal = await rehearse({
			wait: async (milliseconds, signal) => {
				await paused.wait(milliseconds, signal);
				isOver();
			},
		});
		await rehearsal.addFault({ kind: 'delay', delaySeconds: 3600 });
		const abort = new AbortController();
		const given = rehearsal.client.get(`${API}/config`, { signal: abort.signal });
		await paused.begun;
		abort.abort();
		await expect(given).rejects.toMatchObject({ code: 'ERR_CANCELED' });
		await over;
		expect((await askConfig(rehearsal)).status).toBe(200);
	});

	test.each<Fault>([{ kind: 'drip' }, { kind: 'delay', delaySeconds: 3600 }])(
		'stopping the sandbox drops what is delayed: %p',
		async (fault) => {
			const paused = new PausedWait();
			const rehearsal = await rehearse({ wait: paused.wait });
			await rehearsal.addFault(fault);
			const delayed = askConfig(rehearsal).then(
				() => 'whole',
				() => 'dropped',
			);
			await paused.begun;
			await rehearsal.sandbox.stop();
			expect(await delayed).toBe('dropped');
		},
	);
});
