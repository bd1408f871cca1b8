import { getEventListeners } from 'node:events';

import { SharedRequests } from '../../../nodes/CrossChainBridge/budget/sharedRequests';

interface Call {
	signal: AbortSignal;
	answer(value: string): void;
	fail(reason: unknown): void;
}

function setUp(): {
	shared: SharedRequests<string>;
	calls: Call[];
	start(signal: AbortSignal): Promise<string>;
} {
	const calls: Call[] = [];
	return {
		shared: new SharedRequests<string>(),
		calls,
		start: async (signal) =>
			await new Promise<string>((resolve, reject) => {
				calls.push({ signal, answer: resolve, fail: reject });
			}),
	};
}

describe('SharedRequests', () => {
	it('asks once for callers that ask the same at the same time', async () => {
		const { shared, calls, start } = setUp();
		const answers = [shared.ask('a', start), shared.ask('a', start), shared.ask('b', start)];
		await Promise.resolve();
		expect(calls).toHaveLength(2);
		calls[0]?.answer('one');
		calls[1]?.answer('two');
		expect(await Promise.all(answers)).toEqual(['one', 'one', 'two']);
		expect(shared.size).toBe(0);
	});

	it('asks again after the answer', async () => {
		const { shared, calls, start } = setUp();
		const first = shared.ask('a', start);
		await Promise.resolve();
		calls[0]?.answer('old');
		await first;
		const second = shared.ask('a', start);
		await Promise.resolve();
		calls[1]?.answer('new');
		expect(await second).toBe('new');
	});

	it('lets one caller go without harm to the others', async () => {
		const { shared, calls, start } = setUp();
		const stop = new AbortController();
		const leaving = shared.ask('a', start, stop.signal);
		const staying = shared.ask('a', start);
		await Promise.resolve();
		stop.abort(new Error('stopped'));
		await expect(leaving).rejects.toThrow('stopped');
		expect(calls[0]?.signal.aborted).toBe(false);
		calls[0]?.answer('here');
		expect(await staying).toBe('here');
	});

	it('aborts the request when the last caller has gone, and asks again for the next', async () => {
		const { shared, calls, start } = setUp();
		const stops = [new AbortController(), new AbortController()];
		const leaving = stops.map(async ({ signal }) => await shared.ask('a', start, signal));
		const rejected = Promise.all(
			leaving.map(async (one) => await expect(one).rejects.toThrow('stopped')),
		);
		await Promise.resolve();
		for (const stop of stops) stop.abort(new Error('stopped'));
		await rejected;
		expect(calls[0]?.signal.aborted).toBe(true);
		void shared.ask('a', start);
		await Promise.resolve();
		expect(calls).toHaveLength(2);
		expect(calls[1]?.signal.aborted).toBe(false);
	});

	it('rejects for every caller when the request fails, also at once', async () => {
		const { shared, calls, start } = setUp();
		const failing = [shared.ask('a', start), shared.ask('a', start)];
		await Promise.resolve();
		calls[0]?.fail(new Error('no luck'));
		expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual([
			'rejected',
			'rejected',
		]);
		const broken = (): never => {
			throw new Error('broken');
		};
		await expect(shared.ask('b', broken)).rejects.toThrow('broken');
		expect(shared.size).toBe(0);
	});

	it('asks nothing when the only caller aborts at once', async () => {
		const { shared, calls, start } = setUp();
		const stop = new AbortController();
		const leaving = shared.ask('a', start, stop.signal);
		stop.abort(new Error('stopped'));
		await expect(leaving).rejects.toThrow('stopped');
		await Promise.resolve();
		expect(calls).toHaveLength(0);
	});

	it('asks nothing for a caller that has gone before', async () => {
		const { shared, calls, start } = setUp();
		await expect(shared.ask('a', start, AbortSignal.abort(new Error('stopped')))).rejects.toThrow(
			'stopped',
		);
		expect(calls).toHaveLength(0);
	});
});

describe('callers of one request', () => {
	it('no longer listen once it is answered', async () => {
		const { shared, calls, start } = setUp();
		const stop = new AbortController();
		const asking = shared.ask('a', start, stop.signal);
		await Promise.resolve();
		calls[0]?.answer('here');
		expect(await asking).toBe('here');
		expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
		const failing = shared.ask('a', start, stop.signal);
		await Promise.resolve();
		calls[1]?.fail(new Error('no luck'));
		await expect(failing).rejects.toThrow('no luck');
		expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
	});

	it('hear why theirs was aborted, as the request does with the last of them', async () => {
		const { shared, calls, start } = setUp();
		const stop = new AbortController();
		const reason = new Error('stopped');
		const leaving = shared.ask('a', start, stop.signal);
		await Promise.resolve();
		expect(shared.size).toBe(1);
		stop.abort(reason);
		await expect(leaving).rejects.toBe(reason);
		expect(calls[0]?.signal.reason).toBe(reason);
		expect(shared.size).toBe(0);
	});

	it('share one that has begun since, whatever becomes of the one before', async () => {
		const { shared, calls, start } = setUp();
		const stop = new AbortController();
		const leaving = shared.ask('a', start, stop.signal);
		await Promise.resolve();
		stop.abort(new Error('stopped'));
		await expect(leaving).rejects.toThrow('stopped');
		const next = shared.ask('a', start);
		await Promise.resolve();
		calls[0]?.fail(new Error('aborted'));
		await new Promise(setImmediate);
		const joined = shared.ask('a', start);
		calls[1]?.answer('here');
		expect(await Promise.all([next, joined])).toEqual(['here', 'here']);
		expect(calls).toHaveLength(2);
	});
});
