import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';

import { MAX_RESPONSE_BYTES } from '../../../nodes/CrossChainBridge/service/envelope';
import { discardBody, receiveBody } from '../../../nodes/CrossChainBridge/service/request';

const NEVER = new AbortController().signal;
const OVER = new Error('the time is over');
const LIMIT = Buffer.alloc(MAX_RESPONSE_BYTES, 'a');

const streamOf = (...chunks: unknown[]): Readable => Readable.from(chunks, { objectMode: true });

test.each<[string, unknown[]]>([
	['{"a":1}', ['{"a":', '1}']],
	['', []],
	['a5c', ['a', 5, Buffer.from('c')]],
])('%j comes in chunks', async (body, chunks) => {
	expect(await receiveBody(streamOf(...chunks), NEVER)).toEqual({ body, cut: null });
});

test('a sign whose bytes come in two chunks is one sign', async () => {
	const body = '{"a":"€💣"}';
	const bytes = Buffer.from(body);
	for (let at = 1; at < bytes.length; at++) {
		const stream = streamOf(bytes.subarray(0, at), bytes.subarray(at));
		expect(await receiveBody(stream, NEVER)).toEqual({ body, cut: null });
	}
});

test('as much as the limit is taken, a byte more is not, and nothing is read after that', async () => {
	expect((await receiveBody(streamOf(LIMIT), NEVER)).cut).toBeNull();
	expect((await receiveBody(streamOf(LIMIT, 'a'), NEVER)).cut).toBe('tooLarge');
	let read = 0;
	const endless = Readable.from(
		(function* () {
			for (;;) yield (read++, LIMIT);
		})(),
		{ objectMode: true, highWaterMark: 1 },
	);
	expect(await receiveBody(endless, NEVER)).toEqual({ body: null, cut: 'tooLarge' });
	expect([endless.destroyed, read <= 4]).toEqual([true, true]);
});

test.each([true, false])(
	'a signal stops the reading and closes the connection (fired before: %s)',
	async (isBefore) => {
		const stop = new AbortController();
		const waiting = new Readable({ read() {} });
		if (isBefore) stop.abort(OVER);
		const receiving = receiveBody(waiting, stop.signal);
		stop.abort(OVER);
		await expect(receiving).rejects.toBe(OVER);
		expect(waiting.destroyed).toBe(true);
	},
);

test.each<[string, unknown]>([
	['text', '{"a":1}'],
	['undefined', undefined],
	['null', null],
	['an object', { a: 1 }],
	['a number', 5],
	['what can only be closed', { destroy: () => undefined }],
	['what can only be read', { async *[Symbol.asyncIterator]() {} }],
	['what cannot be closed', { async *[Symbol.asyncIterator]() {}, destroy: true }],
])('%s is no stream: it is given back, and discarded without harm', async (_what, body) => {
	expect(await receiveBody(body, NEVER)).toEqual({ body, cut: null });
	expect(() => discardBody(body)).not.toThrow();
});

test('a stream that is discarded is closed', () => {
	const late = new Readable({ read() {} });
	discardBody(late);
	expect(late.destroyed).toBe(true);
});

/** A stream of n8n's or a proxy's own: it does not notice that it is closed. */
function ownStream(chunk: unknown, beforeEnd: () => void = () => undefined) {
	let closed = 0;
	const stream = {
		destroy: () => void closed++,
		async *[Symbol.asyncIterator]() {
			yield chunk;
			beforeEnd();
		},
	};
	return { stream, closed: () => closed };
}

const fails = () => {
	throw new Error('ECONNRESET');
};

test.each<[string, unknown, (() => void) | undefined, string | null]>([
	['all was read', 'a', undefined, null],
	['it broke off', 'a', fails, 'brokenOff'],
	['it is too large', Buffer.alloc(MAX_RESPONSE_BYTES + 1), undefined, 'tooLarge'],
])('the connection is closed and the signal let go where %s', async (_what, chunk, end, cut) => {
	const { signal } = new AbortController();
	const { stream, closed } = ownStream(chunk, end);
	expect(await receiveBody(stream, signal)).toEqual({ body: cut === null ? 'a' : null, cut });
	expect(closed()).toBeGreaterThan(0);
	expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('a signal that fires while the last part comes counts, also where the stream does not notice', async () => {
	const stop = new AbortController();
	const { stream, closed } = ownStream('{}', () => stop.abort(OVER));
	await expect(receiveBody(stream, stop.signal)).rejects.toBe(OVER);
	expect(closed()).toBeGreaterThan(1);
});
