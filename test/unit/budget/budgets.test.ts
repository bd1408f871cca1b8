import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { VirtualClock } from '../../virtualClock';
import { budgetFor, budgetName } from '../../../nodes/CrossChainBridge/budget/budgets';

const WINDOW_MS = 60_500;
const MAX_IN_USE = 1_000;

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
		clock,
		random: () => 0.5,
		begunAt: Number.NEGATIVE_INFINITY,
	};

	it('is one budget for an address and key', () => {
		expect(budgetFor(options)).toBe(budgetFor({ ...options }));
	});

	it('is another budget for another key or address', () => {
		const budget = budgetFor(options);
		expect(budgetFor({ ...options, apiKey: 'other' })).not.toBe(budget);
		expect(budgetFor({ ...options, baseUrl: 'https://other.example' })).not.toBe(budget);
	});

	it('never drops a budget in which something counts, however many there are and whoever still has it', async () => {
		budgetFor({ ...options, apiKey: 'in use' })
			.tryAcquire(1)
			?.settle();
		for (let index = 0; index < 200; index++) budgetFor({ ...options, apiKey: `key ${index}` });
		await collected();
		expect(budgetFor({ ...options, apiKey: 'in use' }).tryAcquire(1)).toBeNull();
	});

	it('never drops a budget that somebody works with, however long it has been idle', async () => {
		const kept = budgetFor({ ...options, apiKey: 'kept' });
		await clock.run(clock.now() + 10 * WINDOW_MS);
		for (let index = 0; index < 200; index++) budgetFor({ ...options, apiKey: `another ${index}` });
		await collected();
		expect(budgetFor({ ...options, apiKey: 'kept' })).toBe(kept);
	});

	it('drops the budget of a key that nobody uses any more', async () => {
		const once = Array.from({ length: 50 }, (_, index) => {
			const budget = budgetFor({ ...options, apiKey: `once ${index}` });
			budget.tryAcquire(1)?.settle();
			return new WeakRef(budget);
		});
		const left = async () => {
			budgetFor({ ...options, apiKey: `another ${clock.now()}` });
			await collected();
			return once.filter((budget) => budget.deref() !== undefined).length;
		};
		expect(await left()).toBe(50);
		await clock.run(clock.now() + 2 * WINDOW_MS);
		expect(await left()).toBe(0);
	});

	it('keeps a bounded number, even while each has been used within the last minute', async () => {
		const many = Array.from({ length: MAX_IN_USE + 50 }, (_, index) => {
			const budget = budgetFor({ ...options, apiKey: `many ${index}` });
			budget.tryAcquire(1)?.settle();
			return new WeakRef(budget);
		});
		await collected();
		expect(many.filter((budget) => budget.deref() !== undefined)).toHaveLength(MAX_IN_USE);
	});

	it('two copies of this code in one process, as after an update, cannot send two limits at once', () => {
		const counts = [Number.NEGATIVE_INFINITY, clock.now()].map((begunAt) => {
			let count = 0;
			jest.isolateModules(() => {
				const copy = jest.requireActual<{ budgetFor: typeof budgetFor }>(
					'../../../nodes/CrossChainBridge/budget/budgets',
				);
				const budget = copy.budgetFor({ ...options, apiKey: 'updated', begunAt });
				while (budget.tryCheck(100) !== null) count++;
			});
			return count;
		});
		expect(counts).toEqual([95, 10]);
	});

	it('names a budget without giving the key away', () => {
		expect(budgetName('https://bridge.example', 'sample')).toMatch(/^[0-9a-f]{64}$/);
		expect(budgetName('a', 'bc')).not.toBe(budgetName('ab', 'c'));
	});
});
