import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { VirtualClock } from '../../../bench/simulation/virtualClock';
import {
	budgetCounts,
	budgetFor,
	budgetName,
	MOST_IN_USE,
} from '../../../nodes/CrossChainBridge/budget/budgets';
import { WINDOW_MS } from '../../../nodes/CrossChainBridge/budget/slidingWindowLog';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A WeakRef keeps its object until the current run of the event loop is over. */
async function collected(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
	collectGarbage();
}

describe('budgetFor', () => {
	const clock = new VirtualClock();
	const options = {
		baseUrl: 'https://bridge.example',
		apiKey: 'sample',
		requestsPerMinute: 10,
		clock,
	};

	it('is one budget for an address and key, with the newest limit', () => {
		const budget = budgetFor(options);
		while (budget.tryAcquire('interactive') !== null);
		const same = budgetFor({ ...options, requestsPerMinute: 11 });
		expect(same).toBe(budget);
		expect(same.tryAcquire('interactive')).not.toBeNull();
		expect(same.tryAcquire('interactive')).toBeNull();
	});

	it('is another budget for another key or address', () => {
		const budget = budgetFor(options);
		expect(budgetFor({ ...options, apiKey: 'other' })).not.toBe(budget);
		expect(budgetFor({ ...options, baseUrl: 'https://other.example' })).not.toBe(budget);
	});

	it('never drops a budget in which something counts, however many there are and whoever still has it', async () => {
		for (let used = 0; used < 10; used++)
			budgetFor({ ...options, apiKey: 'in use' })
				.tryAcquire('interactive')
				?.settle();
		for (let index = 0; index < 200; index++) budgetFor({ ...options, apiKey: `key ${index}` });
		await collected();
		expect(budgetFor({ ...options, apiKey: 'in use' }).tryAcquire('interactive')).toBeNull();
	});

	it('never drops a budget that somebody works with, however long it has been idle', async () => {
		const kept = budgetFor({ ...options, apiKey: 'kept' });
		await clock.run(clock.now() + 10 * WINDOW_MS);
		for (let index = 0; index < 200; index++) budgetFor({ ...options, apiKey: `another ${index}` });
		await collected();
		expect(budgetFor({ ...options, apiKey: 'kept' })).toBe(kept);
	});

	it('drops the budget of a key that nobody uses any more', async () => {
		for (let index = 0; index < 500; index++)
			budgetFor({ ...options, apiKey: `once ${index}` })
				.tryAcquire('interactive')
				?.settle();
		expect(budgetCounts().inUse).toBeGreaterThanOrEqual(500);
		await clock.run(clock.now() + 2 * WINDOW_MS);
		expect(budgetCounts().inUse).toBe(0);
		await collected();
		expect(budgetCounts().known).toBeLessThan(10);
	});

	it('keeps a bounded number, even while each has been used within the last minute', async () => {
		for (let index = 0; index < MOST_IN_USE + 50; index++)
			budgetFor({ ...options, apiKey: `many ${index}` })
				.tryAcquire('interactive')
				?.settle();
		await collected();
		expect(budgetCounts()).toEqual({ known: MOST_IN_USE, inUse: MOST_IN_USE });
		await clock.run(clock.now() + 2 * WINDOW_MS);
	});

	it('names a budget without giving the key away', () => {
		expect(budgetName('https://bridge.example', 'sample')).toMatch(/^[0-9a-f]{64}$/);
		expect(budgetName('a', 'bc')).not.toBe(budgetName('ab', 'c'));
	});
});
