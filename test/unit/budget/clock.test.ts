import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { VirtualClock } from '../../virtualClock';
import { onAbort, within } from '../../../nodes/CrossChainBridge/budget/clock';

async function waited(until: number, takesMs: number): Promise<[string | undefined, number]> {
	const clock = new VirtualClock(1_000);
	const work = clock.sleep(takesMs).then(() => 'done');
	const waiting = within(clock, until, work).then((result): [string | undefined, number] => [
		result,
		clock.now(),
	]);
	await clock.run(10_000);
	return await waiting;
}

test.each<[string, number, number, [string | undefined, number]]>([
	['work that is done before', 3_000, 500, ['done', 1_500]],
	['work that takes longer', 3_000, 5_000, [undefined, 3_000]],
	['work, after its time', 500, 1, [undefined, 1_000]],
	['work without a limit', Number.POSITIVE_INFINITY, 5_000, ['done', 6_000]],
])('waits for %s', async (_what, until, takesMs, result) => {
	expect(await waited(until, takesMs)).toEqual(result);
});

test('without a limit nothing is left behind on the clock', async () => {
	let sleeps = 0;
	const clock = { now: () => 0, sleep: async () => await Promise.resolve(sleeps++) };
	expect([await within(clock, Number.POSITIVE_INFINITY, Promise.resolve(7)), sleeps]).toEqual([
		7, 0,
	]);
});

test('work that fails is a failure', async () => {
	await expect(
		within(new VirtualClock(), 5_000, Promise.reject(new Error('no luck'))),
	).rejects.toThrow('no luck');
});

test('a time limit that was not needed keeps nothing of the work', async () => {
	const woken: Array<() => void> = [];
	const sleep = async () => await new Promise<void>((resolve) => woken.push(resolve));
	const resultOfWork = async () => {
		const result = await within({ now: () => 0, sleep }, 5_000, Promise.resolve({}));
		return new WeakRef(result ?? {});
	};
	const result = await resultOfWork();
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	// Signals need more than one collection.
	for (let turn = 0; turn < 20 && result.deref() !== undefined; turn++) {
		await new Promise(setImmediate);
		collectGarbage();
	}
	expect(result.deref()).toBeUndefined();
	for (const wake of woken) wake();
});

describe('an abort', () => {
	test('calls each that still waits once, and never more than ten listeners of one signal', () => {
		const stop = new AbortController();
		const called: number[] = [];
		const removals = Array.from({ length: 20 }, (_, index) =>
			onAbort(stop.signal, () => called.push(index)),
		);
		expect(getEventListeners(stop.signal, 'abort').length).toBeLessThanOrEqual(10);
		for (const remove of removals.slice(2)) remove();
		stop.abort();
		stop.abort();
		expect(called).toEqual([0, 1]);
	});

	test('that came before calls at once, and leaves no listener behind', () => {
		const signal = AbortSignal.abort();
		let calls = 0;
		const remove = onAbort(signal, () => calls++);
		remove();
		expect([calls, getEventListeners(signal, 'abort')]).toEqual([1, []]);
	});

	test('of no signal calls nobody', () => {
		expect(onAbort(undefined, () => undefined)()).toBeUndefined();
	});
});
