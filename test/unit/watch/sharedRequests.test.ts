import { SharedRequests } from '../../../nodes/CrossChainBridge/watch/sharedRequests';

interface Call {
	signal: AbortSignal;
	answer(value: string): void;
	fail(reason: unknown): void;
}

function setUp(): { shared: SharedRequests<string>; calls: Call[]; start(signal: AbortSignal): Promise<string> } {
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
		const rejected = Promise.all(leaving.map(async (one) => await expect(one).rejects.toThrow('stopped')));
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
		expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
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
		await expect(shared.ask('a', start, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
		expect(calls).toHaveLength(0);
	});
});
