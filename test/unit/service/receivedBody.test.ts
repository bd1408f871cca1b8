import { getEventListeners } from 'node:events';
import http from 'node:http';

import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { sendRequest } from '../../../nodes/CrossChainBridge/service/request';
import { type Behavior, httpAnswer, startRawServer } from '../../security/rawServer';

const MAX_BYTES = 1_000_000;

/** Gets the response as a stream, as n8n's helper does. */
const context = {
	helpers: {
		httpRequestWithAuthentication: async (_name: string, { url }: IHttpRequestOptions) =>
			await new Promise((resolve, reject) => {
				const request = http.get(url, (body) =>
					resolve({ statusCode: body.statusCode, headers: body.headers, body }),
				);
				request.on('error', reject);
			}),
	},
} as unknown as IAllExecuteFunctions;

/** What is received from a service that behaves so; the connection is closed in any case. */
async function received(behave: Behavior, abortSignal?: AbortSignal) {
	const server = await startRawServer(behave);
	const url = `http://127.0.0.1:${server.port}/`;
	const options = { url, qs: {}, headers: {}, maxBytes: MAX_BYTES, abortSignal };
	const sent = await sendRequest(context, options);
	await server.allClosed();
	await server.stop();
	return sent.ok ? { body: sent.response.body, cut: sent.response.cut } : sent.error;
}

const HEAD = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n';
const STOPPED = { kind: 'unreachable', networkCode: null };

test.each(['{"a":1}', ''])('%j is received', async (body) => {
	expect(await received((socket) => socket.end(httpAnswer(body)))).toEqual({ body });
});

test('a sign whose bytes come in two chunks is one sign', async () => {
	const body = '{"a":"€💣"}';
	const bytes = Buffer.from(body);
	for (let at = 1; at < bytes.length; at++) {
		const inTwo: Behavior = (socket) => {
			socket.write(HEAD);
			socket.write(bytes.subarray(0, at), () => setImmediate(() => socket.end(bytes.subarray(at))));
		};
		expect(await received(inTwo)).toEqual({ body });
	}
});

test('as much as the limit is taken, a byte more is not, and nothing is read after that', async () => {
	const limit = Buffer.alloc(MAX_BYTES, 'a');
	const whole = await received((socket) => socket.end(httpAnswer(limit)));
	expect(whole).toEqual({ body: limit.toString() });
	const larger = await received((socket) => socket.end(httpAnswer(`${limit.toString()}a`)));
	expect(larger).toEqual({ body: null, cut: 'tooLarge' });
	const endless: Behavior = (socket) => {
		const more = (): void => void (socket.writable && socket.write(limit, more));
		socket.write(HEAD, more);
	};
	expect(await received(endless)).toEqual({ body: null, cut: 'tooLarge' });
});

test('half a body is one that broke off', async () => {
	const half: Behavior = (socket) =>
		socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"a"');
	expect(await received(half)).toEqual({ body: null, cut: 'brokenOff' });
});

test.each([true, false])(
	'a signal stops the reading and closes the connection (fired before: %s)',
	async (isBefore) => {
		const stop = new AbortController();
		if (isBefore) stop.abort(new Error('stopped'));
		const waiting: Behavior = (socket) =>
			socket.write(`${HEAD}{"a"`, () => setImmediate(() => stop.abort(new Error('stopped'))));
		expect(await received(waiting, stop.signal)).toEqual(STOPPED);
	},
);

test('the deadline is let go', async () => {
	const { signal } = new AbortController();
	jest.spyOn(AbortSignal, 'timeout').mockReturnValue(signal);
	await received((socket) => socket.end(httpAnswer('{}')));
	jest.restoreAllMocks();
	await new Promise(setImmediate);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});
