import { VirtualClock } from '../../../bench/simulation/virtualClock';
import { RequestBudget } from '../../../nodes/CrossChainBridge/watch/requestBudget';
import type { Priority } from '../../../nodes/CrossChainBridge/watch/requestLedger';
import { WINDOW_MS } from '../../../nodes/CrossChainBridge/watch/requestLedger';

/** A budget whose grants are written down: name and time. Every request is answered at once. */
function setUp(limit: number): {
	clock: VirtualClock;
	budget: RequestBudget;
	sent: Array<[string, number]>;
	ask(name: string, priority: Priority, options?: { lane?: string; signal?: AbortSignal }): Promise<void>;
} {
	const clock = new VirtualClock();
	const budget = new RequestBudget(limit, clock);
	const sent: Array<[string, number]> = [];
	return {
		clock,
		budget,
		sent,
		async ask(name, priority, options) {
			const ticket = await budget.take({ priority, ...options });
			sent.push([name, clock.now()]);
			ticket.settle();
		},
	};
}

function fill(budget: RequestBudget, priority: Priority): void {
	for (let ticket = budget.tryTake(priority); ticket !== null; ticket = budget.tryTake(priority)) ticket.settle();
}

describe('RequestBudget', () => {
	it('grants at once what is free and the rest when the window has passed', async () => {
		const { clock, sent, ask } = setUp(2);
		void ask('a', 'person');
		void ask('b', 'person');
		void ask('c', 'person');
		await clock.run(0);
		expect(sent).toEqual([
			['a', 0],
			['b', 0],
		]);
		await clock.run(WINDOW_MS);
		expect(sent[2]).toEqual(['c', WINDOW_MS]);
	});

	it('lets a person go ahead of looks that have waited longer, and use the reserve', async () => {
		const { clock, budget, sent, ask } = setUp(20);
		fill(budget, 'watch');
		void ask('look', 'watch');
		await clock.run(1_000);
		void ask('person', 'person');
		await clock.run(1_000);
		expect(sent).toEqual([['person', 1_000]]);
		void ask('second person', 'person');
		await clock.run(2 * WINDOW_MS);
		expect(sent.map(([name]) => name)).toEqual(['person', 'second person', 'look']);
	});

	it('gives lanes turns, so that a long list does not shut out another', async () => {
		const { clock, budget, sent, ask } = setUp(10);
		fill(budget, 'person');
		for (let index = 0; index < 6; index++) void ask(`long ${index}`, 'watch', { lane: 'long' });
		void ask('short 0', 'watch', { lane: 'short' });
		void ask('short 1', 'watch', { lane: 'short' });
		await clock.run(WINDOW_MS);
		expect(sent.map(([name]) => name).slice(0, 5)).toEqual(['long 0', 'short 0', 'long 1', 'short 1', 'long 2']);
	});

	it('lets go of an aborted waiter at once, and of nobody else', async () => {
		const { clock, budget, sent, ask } = setUp(1);
		fill(budget, 'person');
		const stop = new AbortController();
		const reason = new Error('stopped');
		const aborted = ask('aborted', 'person', { signal: stop.signal });
		void ask('next', 'person');
		const rejected = expect(aborted).rejects.toBe(reason);
		stop.abort(reason);
		await rejected;
		expect(clock.now()).toBe(0);
		await clock.run(10 * WINDOW_MS);
		expect(sent).toEqual([['next', WINDOW_MS]]);
	});

	it('refuses a signal that was aborted before', async () => {
		const { ask, sent } = setUp(1);
		await expect(ask('late', 'person', { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
		expect(sent).toEqual([]);
	});

	it('holds everyone back until Retry-After has passed', async () => {
		const { clock, budget, sent, ask } = setUp(100);
		budget.tryTake('watch')?.settle({ limited: true, retryAfterMs: 30_000 });
		void ask('person', 'person');
		void ask('look', 'watch');
		await clock.run(29_999);
		expect(sent).toEqual([]);
		await clock.run(30_000);
		expect(sent).toEqual([
			['person', 30_000],
			['look', 30_000],
		]);
	});

	it('serves those who wait as soon as the limit is raised or a ticket given back', async () => {
		const { clock, budget, sent, ask } = setUp(1);
		const ticket = budget.tryTake('person');
		void ask('a', 'person');
		void ask('b', 'person');
		await clock.run(5_000);
		expect(sent).toEqual([]);
		budget.setLimit(2);
		await clock.run(5_000);
		expect(sent).toEqual([['a', 5_000]]);
		ticket?.giveBack();
		await clock.run(6_000);
		expect(sent[1]).toEqual(['b', 5_000]);
	});

	it('lets nobody jump the queue at the very moment a slot becomes free', async () => {
		const { clock, budget, sent, ask } = setUp(1);
		fill(budget, 'person');
		let jumped: unknown = 'not tried';
		clock.at(WINDOW_MS, () => {
			jumped = budget.tryTake('watch');
		});
		void ask('waiting', 'watch');
		await clock.run(WINDOW_MS);
		expect(jumped).toBeNull();
		expect(sent).toEqual([['waiting', WINDOW_MS]]);
	});

	it('tells a planner that others wait', () => {
		const { budget, ask } = setUp(1);
		expect(budget.view().contended).toBe(false);
		fill(budget, 'person');
		void ask('waiting', 'watch');
		expect(budget.view().contended).toBe(true);
		expect(budget.tryTake('watch')).toBeNull();
	});
});
