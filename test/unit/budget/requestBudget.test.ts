import { getEventListeners } from 'node:events';

import { VirtualClock } from '../../../bench/simulation/virtualClock';
import { OrderWatcher } from '../../../nodes/CrossChainBridge/schedule/orderWatcher';
import { RequestBudget } from '../../../nodes/CrossChainBridge/budget/requestBudget';
import type { Priority } from '../../../nodes/CrossChainBridge/budget/slidingWindowLog';
import { WINDOW_MS } from '../../../nodes/CrossChainBridge/budget/slidingWindowLog';

/** A budget whose grants are written down: name and time. Every request is answered at once. */
function setUp(
	limit: number,
	random = (): number => 0,
): {
	clock: VirtualClock;
	budget: RequestBudget;
	sent: Array<[string, number]>;
	ask(
		name: string,
		priority: Priority,
		options?: { queueKey?: string; signal?: AbortSignal },
	): Promise<void>;
} {
	const clock = new VirtualClock();
	const budget = new RequestBudget(limit, clock, { random });
	const sent: Array<[string, number]> = [];
	return {
		clock,
		budget,
		sent,
		async ask(name, priority, options) {
			const permit = await budget.acquire({ priority, ...options });
			sent.push([name, clock.now()]);
			permit.settle();
		},
	};
}

function fill(budget: RequestBudget, priority: Priority): void {
	for (
		let permit = budget.tryAcquire(priority);
		permit !== null;
		permit = budget.tryAcquire(priority)
	)
		permit.settle();
}

describe('RequestBudget', () => {
	it('grants at once what is free and the rest when the window has passed', async () => {
		const { clock, sent, ask } = setUp(2);
		void ask('a', 'interactive');
		void ask('b', 'interactive');
		void ask('c', 'interactive');
		await clock.run(0);
		expect(sent).toEqual([
			['a', 0],
			['b', 0],
		]);
		await clock.run(WINDOW_MS);
		expect(sent[2]).toEqual(['c', WINDOW_MS]);
	});

	it('lets interactive requests go ahead of checks that have waited longer, and use the reserve', async () => {
		const { clock, budget, sent, ask } = setUp(20);
		fill(budget, 'watch');
		void ask('check', 'watch');
		await clock.run(1_000);
		void ask('interactive', 'interactive');
		await clock.run(1_000);
		expect(sent).toEqual([['interactive', 1_000]]);
		void ask('second interactive', 'interactive');
		await clock.run(2 * WINDOW_MS);
		expect(sent.map(([name]) => name)).toEqual(['interactive', 'second interactive', 'check']);
	});

	it('serves queue keys in rotation, so that a long list does not shut out another', async () => {
		const { clock, budget, sent, ask } = setUp(10);
		fill(budget, 'interactive');
		for (let index = 0; index < 6; index++)
			void ask(`long ${index}`, 'watch', { queueKey: 'long' });
		void ask('short 0', 'watch', { queueKey: 'short' });
		void ask('short 1', 'watch', { queueKey: 'short' });
		await clock.run(WINDOW_MS);
		expect(sent.map(([name]) => name).slice(0, 5)).toEqual([
			'long 0',
			'short 0',
			'long 1',
			'short 1',
			'long 2',
		]);
	});

	it('lets go of an aborted waiter at once, and of nobody else', async () => {
		const { clock, budget, sent, ask } = setUp(1);
		fill(budget, 'interactive');
		const stop = new AbortController();
		const reason = new Error('stopped');
		const aborted = ask('aborted', 'interactive', { signal: stop.signal });
		void ask('next', 'interactive');
		const rejected = expect(aborted).rejects.toBe(reason);
		stop.abort(reason);
		await rejected;
		expect(clock.now()).toBe(0);
		await clock.run(10 * WINDOW_MS);
		expect(sent).toEqual([['next', WINDOW_MS]]);
	});

	it('rejects a signal that was aborted before', async () => {
		const { ask, sent } = setUp(1);
		await expect(
			ask('late', 'interactive', { signal: AbortSignal.abort(new Error('stopped')) }),
		).rejects.toThrow('stopped');
		expect(sent).toEqual([]);
	});

	it('sends nothing until Retry-After has passed', async () => {
		const { clock, budget, sent, ask } = setUp(100);
		budget.tryAcquire('watch')?.settle({ limited: true, retryAfterMs: 30_000 });
		void ask('interactive', 'interactive');
		void ask('check', 'watch');
		await clock.run(29_999);
		expect(sent).toEqual([]);
		await clock.run(30_000);
		expect(sent).toEqual([
			['interactive', 30_000],
			['check', 30_000],
		]);
	});

	it('serves those who wait as soon as the limit is raised or a permit released', async () => {
		const { clock, budget, sent, ask } = setUp(1);
		const permit = budget.tryAcquire('interactive');
		void ask('a', 'interactive');
		void ask('b', 'interactive');
		await clock.run(5_000);
		expect(sent).toEqual([]);
		budget.setLimit(2);
		await clock.run(5_000);
		expect(sent).toEqual([['a', 5_000]]);
		permit?.release();
		await clock.run(6_000);
		expect(sent[1]).toEqual(['b', 5_000]);
	});

	it('lets nobody jump the queue at the very moment a slot becomes free', async () => {
		const { clock, budget, sent, ask } = setUp(1);
		fill(budget, 'interactive');
		let jumped: unknown = 'not tried';
		clock.at(WINDOW_MS, () => {
			jumped = budget.tryAcquire('watch');
		});
		void ask('waiting', 'watch');
		await clock.run(WINDOW_MS);
		expect(jumped).toBeNull();
		expect(sent).toEqual([['waiting', WINDOW_MS]]);
	});

	it('shows a planner that others wait', () => {
		const { budget, ask } = setUp(1);
		expect(budget.view().contended).toBe(false);
		fill(budget, 'interactive');
		void ask('waiting', 'watch');
		expect(budget.view().contended).toBe(true);
		expect(budget.tryAcquire('watch')).toBeNull();
	});

	it('shows a planner what watching has left of its share while others wait', async () => {
		const { clock, budget, ask } = setUp(20);
		for (let index = 0; index < 60; index++) void ask(`${index}`, 'watch', { queueKey: 'batch' });
		await clock.run(0);
		expect(budget.tryAcquire('watch')).toBeNull();
		expect(budget.view().free).toBe(0);
		await clock.run(WINDOW_MS);
		expect(budget.view()).toMatchObject({ contended: true, free: 5 });
		for (let left = 5; left > 0; left--) {
			expect(budget.view().free).toBe(left);
			budget.tryAcquire('watch')?.settle();
		}
		expect(budget.view().free).toBe(0);
		expect(budget.tryAcquire('watch')).toBeNull();
	});
});

describe('the share of watching', () => {
	const MINUTES = 10;
	const LIMIT = 20;
	/** A quarter of the limit in each whole window, which is 60.5 s after the last answer of the one before. */
	const SHARE = (LIMIT / 4) * Math.floor((MINUTES * 60_000) / (WINDOW_MS + 1_000));

	/** A workflow that asks for one thing after another. */
	function loop(budget: RequestBudget, clock: VirtualClock, answerMs: number): { count(): number } {
		let count = 0;
		void (async () => {
			for (;;) {
				const permit = await budget.acquire({ priority: 'interactive', queueKey: 'loop' });
				await clock.sleep(answerMs);
				permit.settle();
				count++;
			}
		})();
		return { count: () => count };
	}

	it.each([1, 3])(
		'is left to a queued watch by %p loops of single interactive requests',
		async (loops) => {
			const { clock, budget } = setUp(LIMIT);
			const looping = Array.from({ length: loops }, () => loop(budget, clock, 50));
			let checks = 0;
			void (async () => {
				for (;;) {
					const permit = await budget.acquire({ priority: 'watch', queueKey: 'trigger' });
					await clock.sleep(50);
					permit.settle();
					checks++;
					await clock.sleep(100);
				}
			})();
			await clock.run(MINUTES * 60_000);
			expect(checks).toBeGreaterThanOrEqual(SHARE);
			const runs = looping.reduce((sum, { count }) => sum + count(), 0);
			expect(runs).toBeGreaterThan(2 * checks);
		},
	);

	it.each(['interactive', 'watch'] as const)(
		'is left to one round a poll by a batch that always has more in the queue (%s)',
		async (priority) => {
			const { clock, budget, ask } = setUp(LIMIT);
			const again = (): void => void ask('item', priority, { queueKey: 'batch' }).then(again);
			for (let item = 0; item < 60; item++) again();
			const rounds: number[] = [];
			for (let minute = 0; minute < MINUTES; minute++) {
				clock.at(61_000 * minute, () => {
					let round = 0;
					for (
						let permit = budget.tryAcquire('watch');
						permit !== null;
						permit = budget.tryAcquire('watch'), round++
					)
						permit.settle();
					rounds.push(round);
				});
			}
			await clock.run(MINUTES * 61_000);
			// The first has come when all was taken; all others find their share.
			expect(rounds.slice(1)).toEqual(Array.from({ length: MINUTES - 1 }, () => 5));
		},
	);

	it('reaches a round of 60 s within 140 s too, although what it used comes back after 60.5 s', async () => {
		const { clock, budget, ask } = setUp(LIMIT);
		for (let item = 0; item < 60; item++) void ask('item', 'watch', { queueKey: 'batch' });
		let checks = 0;
		for (const at of [1_000, 61_000, 121_000]) {
			clock.at(at, () => {
				for (
					let permit = budget.tryAcquire('watch');
					permit !== null;
					permit = budget.tryAcquire('watch')
				) {
					permit.settle();
					checks++;
				}
			});
		}
		await clock.run(140_000);
		expect(checks).toBeGreaterThanOrEqual(5);
	});

	it('is left to an order watcher by a loop of single interactive requests', async () => {
		const { clock, budget } = setUp(LIMIT);
		loop(budget, clock, 50);
		let checks = 0;
		const watcher = new OrderWatcher({
			budget,
			clock,
			intervalMs: 5_000,
			queueKey: 'trigger',
			check: async (_key, permit) => {
				await clock.sleep(50);
				permit.settle();
				checks++;
				return { kind: 'open', createdAtMs: null, expiresAtMs: null };
			},
		});
		for (let order = 0; order < 10; order++) watcher.add(`${order}`);
		void watcher.run(MINUTES * 60_000);
		await clock.run(MINUTES * 60_000);
		watcher.stop();
		expect(checks).toBeGreaterThanOrEqual(SHARE);
	});

	it('costs interactive requests nothing while nothing is watched, and no wait while watching does not use its share', async () => {
		const { clock, budget } = setUp(LIMIT);
		fill(budget, 'interactive');
		expect(budget.tryAcquire('interactive')).toBeNull();
		await clock.run(2 * WINDOW_MS);
		const granted = Array.from({ length: LIMIT }, () => budget.tryAcquire('interactive')).filter(
			(permit) => permit !== null,
		);
		expect(granted).toHaveLength(LIMIT);
	});

	it('applies at a reduced pace as well', async () => {
		const { clock, budget } = setUp(100);
		for (let count = 0; count < 30; count++) {
			clock.at(60_000 + count * 10_000, () =>
				budget.tryAcquire('interactive')?.settle({ limited: true }),
			);
		}
		clock.at(0, () => budget.tryAcquire('interactive')?.settle({ limited: true }));
		await clock.run(355_000);
		const begin = clock.now();
		const { perMinute } = budget.view();
		expect(perMinute).toBeLessThan(15);
		loop(budget, clock, 50);
		let checks = 0;
		void (async () => {
			for (;;) {
				const permit = await budget.acquire({ priority: 'watch', queueKey: 'trigger' });
				permit.settle();
				checks++;
				await clock.sleep(1_000);
			}
		})();
		await clock.run(begin + 300_000);
		expect(checks).toBeGreaterThanOrEqual((5 * perMinute) / 5);
	});
});

describe('a permit', () => {
	it('belongs to its budget, and is settled or released once', () => {
		const { budget } = setUp(2);
		const [settled, released] = [
			budget.tryAcquire('interactive'),
			budget.tryAcquire('interactive'),
		];
		expect([settled?.budget, budget.tryAcquire('interactive')]).toEqual([budget, null]);
		settled?.settle();
		settled?.release();
		expect(budget.tryAcquire('interactive')).toBeNull();
		released?.release();
		released?.settle();
		expect(budget.tryAcquire('interactive')).not.toBeNull();
		expect(budget.tryAcquire('interactive')).toBeNull();
	});

	it('makes its budget one in use', async () => {
		const clock = new VirtualClock();
		let uses = 0;
		const budget = new RequestBudget(2, clock, { onUse: () => uses++ });
		expect(budget.isIdle()).toBe(true);
		const permit = budget.tryAcquire('interactive');
		const granted = await budget.acquire({ priority: 'interactive' });
		expect([uses, budget.tryAcquire('interactive'), uses]).toEqual([2, null, 2]);
		expect(budget.isIdle()).toBe(false);
		permit?.release();
		granted.release();
		expect(budget.isIdle()).toBe(true);
	});

	it('says for how long its budget pauses', async () => {
		const { clock, budget } = setUp(100);
		expect(budget.pausedMs()).toBe(0);
		budget.tryAcquire('interactive')?.settle({ retryAfterMs: 7_000 });
		expect(budget.pausedMs()).toBe(7_000);
		await clock.run(3_000);
		expect(budget.pausedMs()).toBe(4_000);
	});
});

describe('those who wait', () => {
	it('make their budget one in use', () => {
		const { budget, ask } = setUp(1);
		budget.tryAcquire('interactive')?.settle({ retryAfterMs: 1_000 });
		void ask('waiting', 'interactive');
		expect(budget.isIdle()).toBe(false);
	});

	it('are served in the order in which they came', async () => {
		const { clock, sent, ask } = setUp(3);
		for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name, 'interactive');
		await clock.run(2 * WINDOW_MS);
		expect(sent.map(([name]) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
	});

	it('with one key share a place in the rotation, those without one another', async () => {
		const { clock, budget, sent, ask } = setUp(10);
		fill(budget, 'interactive');
		for (const name of ['a0', 'a1']) void ask(name, 'interactive', { queueKey: 'a' });
		for (const name of ['0', '1']) void ask(name, 'interactive');
		await clock.run(WINDOW_MS);
		expect(sent.map(([name]) => name)).toEqual(['a0', '0', 'a1', '1']);
	});

	it('leave their place in the queue when they are aborted, and no other', async () => {
		const { clock, budget, sent, ask } = setUp(10);
		fill(budget, 'interactive');
		const stop = new AbortController();
		void ask('a0', 'interactive', { queueKey: 'a' });
		const leaving = ask('a1', 'interactive', { queueKey: 'a', signal: stop.signal });
		void ask('a2', 'interactive', { queueKey: 'a' });
		stop.abort(new Error('stopped'));
		await expect(leaving).rejects.toThrow('stopped');
		await clock.run(WINDOW_MS);
		expect(sent.map(([name]) => name)).toEqual(['a0', 'a2']);
	});

	it('no longer listen once they are granted', async () => {
		const { clock, budget, sent, ask } = setUp(2);
		const stop = new AbortController();
		void ask('a', 'interactive', { signal: stop.signal });
		await clock.run(0);
		expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
		void ask('b', 'interactive');
		void ask('c', 'interactive');
		stop.abort();
		await clock.run(WINDOW_MS);
		expect(sent.map(([name]) => name)).toEqual(['a', 'b', 'c']);
		expect(budget.isIdle()).toBe(false);
	});

	it('are served when the one that kept them waiting is aborted', async () => {
		const { clock, budget, sent, ask } = setUp(20);
		for (let permit = 0; permit < 15; permit++) budget.tryAcquire('interactive')?.settle();
		const stop = new AbortController();
		budget.tryAcquire('watch')?.settle({ limited: true, retryAfterMs: 1_000 });
		const leaving = ask('leaving', 'watch', { signal: stop.signal }).catch(() => undefined);
		void ask('staying', 'interactive');
		await clock.run(500);
		stop.abort();
		await leaving;
		await clock.run(1_100);
		expect(sent.map(([name]) => name)).toEqual(['staying']);
	});

	it('set one alarm for the next of them, and another where a slot is free sooner', async () => {
		const clock = new VirtualClock();
		const alarms: number[] = [];
		const budget = new RequestBudget(
			1,
			{
				now: () => clock.now(),
				sleep: async (ms) => (alarms.push(clock.now() + ms), await clock.sleep(ms)),
			},
			{ random: () => 0 },
		);
		const permit = budget.tryAcquire('interactive');
		for (let waiting = 0; waiting < 5; waiting++)
			void budget.acquire({ priority: 'interactive' }).then((granted) => granted.settle());
		expect(alarms).toHaveLength(1);
		permit?.settle();
		expect(alarms).toHaveLength(2);
		expect(alarms[1]).toBe(WINDOW_MS);
		await clock.run(10 * WINDOW_MS);
		expect(budget.isIdle()).toBe(true);
	});
});
