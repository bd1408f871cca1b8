import { getEventListeners } from 'node:events';

import { type Permit, RequestBudget } from '../../../nodes/CrossChainBridge/budget/requestBudget';
import { VirtualClock } from '../../virtualClock';

const WINDOW_MS = 60_500;
const MINUTE = 60_000;

function setUp(limit = 10) {
	const clock = new VirtualClock();
	const budget = new RequestBudget(clock, { random: () => 0.5 });
	/** Names of those that got a permit, in order. */
	const granted: string[] = [];
	const permits: Permit[] = [];
	const ask = (
		name: string,
		options: Partial<Parameters<RequestBudget['acquire']>[0]> = {},
	): void =>
		void budget.acquire({ priority: 'interactive', limit, queueKey: 'q', ...options }).then(
			(permit) => (granted.push(name), permits.push(permit)),
			() => granted.push(`${name} rejected`),
		);
	/** Uses up all that may be sent now, answered at once. */
	const useUp = (): void => {
		for (let permit = budget.tryAcquire(limit); permit; permit = budget.tryAcquire(limit))
			permit.settle();
	};
	const settled = async () => await clock.run(clock.now());
	return { clock, budget, granted, permits, ask, useUp, settled };
}

test('who waits is served as soon as there is room, first come first served', async () => {
	const { clock, budget, granted, ask, useUp, settled } = setUp();
	useUp();
	for (const name of ['a', 'b', 'c']) ask(name);
	await settled();
	expect(granted).toEqual([]);
	await clock.run(WINDOW_MS - 1);
	expect(granted).toEqual([]);
	await clock.run(WINDOW_MS);
	expect(granted).toEqual(['a', 'b', 'c']);
	// Nobody waits any more.
	expect(budget.tryAcquire(10)).not.toBeNull();
});

test('who finds no room in one window is served in the next', async () => {
	const { clock, granted, permits, ask, useUp } = setUp();
	useUp();
	for (let index = 0; index < 12; index++) ask(`${index}`);
	await clock.run(WINDOW_MS);
	expect(granted).toHaveLength(10);
	for (const permit of permits) permit.settle();
	await clock.run(2 * WINDOW_MS);
	expect(granted).toHaveLength(12);
});

test('who waits is served a window after an answer, whenever that comes', async () => {
	const { clock, budget, granted, ask } = setUp();
	const taken = Array.from({ length: 10 }, () => budget.tryAcquire(10));
	ask('a');
	clock.at(1_000, () => taken[0]?.settle());
	await clock.run(1_000 + WINDOW_MS - 1);
	expect(granted).toEqual([]);
	await clock.run(1_000 + WINDOW_MS);
	expect(granted).toEqual(['a']);
});

test('who may be sent sooner waits for nobody who may be sent later', async () => {
	const { clock, budget, granted, ask, useUp } = setUp();
	const small = budget.tryAcquire(1);
	useUp();
	clock.at(30_000, () => small?.settle());
	ask('small', { queueKey: 's', limit: 1 });
	ask('large', { queueKey: 'l' });
	await clock.run(WINDOW_MS);
	expect(granted).toEqual(['large']);
	await clock.run(30_000 + WINDOW_MS);
	expect(granted).toEqual(['large', 'small']);
});

test('a permit that was released serves the next at once', async () => {
	const { budget, granted, ask, settled } = setUp();
	const taken = Array.from({ length: 10 }, () => budget.tryAcquire(10));
	ask('a');
	await settled();
	taken[0]?.release();
	await settled();
	expect(granted).toEqual(['a']);
});

test('queue keys are served in rotation, so that none shuts out another', async () => {
	const { clock, granted, ask, useUp } = setUp();
	useUp();
	for (const name of ['a1', 'a2', 'a3']) ask(name, { queueKey: 'a' });
	ask('b1', { queueKey: 'b' });
	await clock.run(WINDOW_MS);
	expect(granted).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('interactive requests go before batches, except every fourth', async () => {
	const { clock, granted, ask, useUp } = setUp();
	useUp();
	for (let index = 0; index < 8; index++) {
		ask('batch', { priority: 'batch' });
		ask('interactive');
	}
	await clock.run(WINDOW_MS);
	const firsts = granted.slice(0, 8).filter((name) => name === 'batch');
	expect(firsts).toHaveLength(2);
});

test('a batch that waits gets the fourth grant, also if a user has waited for longer', async () => {
	const { clock, granted, ask, useUp, settled } = setUp();
	for (const name of ['a', 'b', 'c']) ask(name);
	await settled();
	useUp();
	ask('user');
	ask('batch', { priority: 'batch' });
	await clock.run(2 * WINDOW_MS);
	expect(granted).toEqual(['a', 'b', 'c', 'batch', 'user']);
});

test('one queue key whose limit is used up holds back no other', async () => {
	const { granted, ask, settled } = setUp();
	for (let index = 0; index < 3; index++) ask(`small ${index}`, { queueKey: 's', limit: 1 });
	ask('large', { queueKey: 'l' });
	await settled();
	expect(granted).toEqual(['small 0', 'large']);
});

test('an abort rejects at once, leaves the queue, and no listener behind', async () => {
	const { clock, budget, granted, ask, useUp, settled } = setUp();
	const stop = new AbortController();
	useUp();
	for (const name of ['a', 'b']) ask(name, { signal: stop.signal });
	ask('c');
	stop.abort();
	await settled();
	expect(granted).toEqual(['a rejected', 'b rejected']);
	await clock.run(WINDOW_MS);
	expect(granted.slice(2)).toEqual(['c']);
	await expect(
		budget.acquire({ priority: 'batch', limit: 1, queueKey: '', signal: stop.signal }),
	).rejects.toBe(stop.signal.reason);
	const other = new AbortController();
	ask('d', { signal: other.signal });
	await settled();
	expect(getEventListeners(other.signal, 'abort')).toEqual([]);
});

test('who waits behind another with the same queue key is served at once when that one is aborted', async () => {
	const { granted, ask, settled } = setUp();
	const stop = new AbortController();
	ask('first', { limit: 1 });
	ask('second', { limit: 1, signal: stop.signal });
	ask('third', { limit: 10 });
	await settled();
	expect(granted).toEqual(['first']);
	stop.abort();
	await settled();
	expect(granted.slice(1).sort()).toEqual(['second rejected', 'third']);
});

test('a queue keeps its turn when one that waits in it is aborted', async () => {
	const { clock, granted, ask, useUp } = setUp();
	const stop = new AbortController();
	useUp();
	ask('a1', { queueKey: 'a', signal: stop.signal });
	ask('a2', { queueKey: 'a' });
	ask('b1', { queueKey: 'b' });
	stop.abort();
	await clock.run(WINDOW_MS);
	expect(granted).toEqual(['a1 rejected', 'a2', 'b1']);
});

test('checks and probes never wait: they get a permit, or none', async () => {
	const { budget, ask, settled } = setUp();
	for (let count = 0; count < 9; count++) expect(budget.tryCheck(10)).not.toBeNull();
	expect(budget.tryCheck(10)).toBeNull();
	expect(budget.tryAcquire(10)).not.toBeNull();
	expect(budget.tryAcquire(10)).toBeNull();
	ask('waits');
	await settled();
	expect([budget.tryAcquire(10), budget.tryCheck(10)]).toEqual([null, null]);
});

test('checks get a quarter of the limit while others queue', async () => {
	const { clock, budget, ask, useUp } = setUp(20);
	useUp();
	for (let count = 0; count < 200; count++) ask('batch', { priority: 'batch', limit: 20 });
	let checks = 0;
	const check = (): void => {
		for (let permit = budget.tryCheck(20); permit; permit = budget.tryCheck(20), checks++)
			permit.settle();
		clock.at(clock.now() + 1_000, check);
	};
	check();
	await clock.run(5 * MINUTE);
	expect(checks).toBeGreaterThanOrEqual(4 * 5 * 0.8);
});

test('a check that comes before those that wait takes no more than the quarter of all checks', async () => {
	const { clock, budget, granted, ask, useUp } = setUp(20);
	useUp();
	let checks = 0;
	// Timers of one moment end in the order in which they were begun.
	clock.at(WINDOW_MS, () => {
		while (budget.tryCheck(20) !== null) checks++;
	});
	for (let count = 0; count < 20; count++) ask('batch', { priority: 'batch', limit: 20 });
	await clock.run(WINDOW_MS);
	expect([checks, granted.length > 10]).toEqual([5, true]);
});

test('a check that has found room keeps nothing from others', async () => {
	const { budget, granted, ask, settled } = setUp(20);
	expect(budget.tryCheck(20)).not.toBeNull();
	for (let count = 0; count < 20; count++) ask('batch', { priority: 'batch', limit: 20 });
	await settled();
	expect(granted).toHaveLength(18);
});

test('a check that has found no room keeps its quarter from those that ask within a minute', async () => {
	const { clock, budget, granted, ask, useUp } = setUp(20);
	useUp();
	expect(budget.tryCheck(20)).toBeNull();
	// The last slots become free four seconds later.
	await clock.run(WINDOW_MS + 4_000);
	for (let count = 0; count < 20; count++) ask('batch', { priority: 'batch', limit: 20 });
	await clock.run(clock.now());
	expect(granted).toHaveLength(14);
	for (let count = 0; count < 5; count++) expect(budget.tryCheck(20)).not.toBeNull();
});
