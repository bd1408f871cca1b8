import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';

import { MAX_RESPONSE_BYTES } from '../../../nodes/CrossChainBridge/service/envelope';
import { discardBody, receiveBody } from '../../../nodes/CrossChainBridge/service/receivedBody';

const NEVER = new AbortController().signal;

function streamOf(...chunks: unknown[]): Readable {
	return Readable.from(chunks, { objectMode: true });
}

test('a sign whose bytes come in two chunks is one sign', async () => {
	const bytes = Buffer.from('{"a":"€💣"}');
	for (let cut = 1; cut < bytes.length; cut++) {
		expect(await receiveBody(streamOf(bytes.subarray(0, cut), bytes.subarray(cut)), NEVER)).toEqual(
			{ body: '{"a":"€💣"}', cut: null },
		);
	}
	expect(await receiveBody(streamOf('{"a":', '1}'), NEVER)).toEqual({ body: '{"a":1}', cut: null });
	expect(await receiveBody(streamOf(), NEVER)).toEqual({ body: '', cut: null });
});

test('as much as the limit is taken, a byte more is not, and nothing is read after that', async () => {
	const half = Buffer.alloc(MAX_RESPONSE_BYTES / 2, 'a');
	expect((await receiveBody(streamOf(half, half), NEVER)).cut).toBeNull();
	let read = 0;
	const endless = Readable.from(
		(function* () {
			for (;;) {
				read += half.length;
				yield half;
			}
		})(),
		{ objectMode: true, highWaterMark: 1 },
	);
	expect(await receiveBody(endless, NEVER)).toEqual({ body: null, cut: 'tooLarge' });
	expect(endless.destroyed).toBe(true);
	expect(read).toBeLessThan(3 * MAX_RESPONSE_BYTES);
});

test('a stream that fails is a body that broke off', async () => {
	const failing = new Readable({ read() {} });
	failing.push('{"a"');
	queueMicrotask(() => failing.destroy(new Error('ECONNRESET')));
	expect(await receiveBody(failing, NEVER)).toEqual({ body: null, cut: 'brokenOff' });
});

test.each([true, false])(
	'a signal stops the reading and closes the connection (fired before: %s)',
	async (isBefore) => {
		const stop = new AbortController();
		const waiting = new Readable({ read() {} });
		if (isBefore) stop.abort(new Error('the time is over'));
		const receiving = receiveBody(waiting, stop.signal);
		stop.abort(new Error('the time is over'));
		await expect(receiving).rejects.toThrow('the time is over');
		expect(waiting.destroyed).toBe(true);
	},
);

test('what is no stream is given back, and discarded without harm', async () => {
	for (const body of ['{"a":1}', undefined, null, { a: 1 }, 5]) {
		expect(await receiveBody(body, NEVER)).toEqual({ body, cut: null });
		expect(() => discardBody(body)).not.toThrow();
	}
	const late = new Readable({ read() {} });
	discardBody(late);
	expect(late.destroyed).toBe(true);
});

test('what only resembles a stream is given back as well', async () => {
	const halves = [
		{ destroy: () => undefined },
		{ async *[Symbol.asyncIterator]() {} },
		{ async *[Symbol.asyncIterator]() {}, destroy: true },
	];
	for (const body of halves) {
		expect(await receiveBody(body, NEVER)).toEqual({ body, cut: null });
		expect(() => discardBody(body)).not.toThrow();
	}
});

/** A stream of n8n's or a proxy's own: it does not notice that it is closed. */
function ownStream(chunks: unknown[], beforeEnd: () => void = () => undefined) {
	let closed = 0;
	const stream = {
		destroy: () => void closed++,
		async *[Symbol.asyncIterator]() {
			yield* chunks;
			beforeEnd();
		},
	};
	return { stream, closed: () => closed };
}

test('the connection is closed and the signal let go in each case', async () => {
	const stop = new AbortController();
	const fails = () => {
		throw new Error('ECONNRESET');
	};
	const huge = Buffer.alloc(MAX_RESPONSE_BYTES + 1);
	for (const [chunks, beforeEnd, cut] of [
		[['a', 5, Buffer.from('c')], undefined, null],
		[['a'], fails, 'brokenOff'],
		[[huge], undefined, 'tooLarge'],
	] as const) {
		const { stream, closed } = ownStream([...chunks], beforeEnd);
		expect(await receiveBody(stream, stop.signal)).toEqual({
			body: cut === null ? 'a5c' : null,
			cut,
		});
		expect(closed()).toBeGreaterThan(0);
		expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
	}
});

test('a signal that fires while the last part comes counts, also where the stream does not notice', async () => {
	const stop = new AbortController();
	const { stream, closed } = ownStream(['{}'], () => stop.abort(new Error('the time is over')));
	await expect(receiveBody(stream, stop.signal)).rejects.toThrow('the time is over');
	expect(closed()).toBeGreaterThan(1);
});
