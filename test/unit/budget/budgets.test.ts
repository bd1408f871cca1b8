import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { VirtualClock } from '../../virtualClock';
import { budgetFor, budgetName } from '../../../nodes/CrossChainBridge/budget/budgets';
import type { RequestBudget } from '../../../nodes/CrossChainBridge/budget/requestBudget';

const WINDOW_MS = 60_500;
const MAX_IN_USE = 1_000;

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A WeakRef keeps its object until the current run of the event loop is over. */
async function collected(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
	collectGarbage();
}

const clock = new VirtualClock();
const setup = { random: () => 0.5, begunAt: Number.NEGATIVE_INFINITY };
const budgetOf = (name: string): RequestBudget => budgetFor(name, clock, setup);
const others = (count: number): void => {
	for (let index = 0; index < count; index++) budgetOf(`other ${clock.now()} ${index}`);
};
/** Budgets that were used once, and that nobody has any more. */
const usedOnce = (count: number) =>
	Array.from({ length: count }, (_, index) => {
		const budget = budgetOf(`once ${count} ${index}`);
		budget.tryAcquire(1)?.settle();
		return new WeakRef(budget);
	});
const left = (budgets: Array<WeakRef<RequestBudget>>): number =>
	budgets.filter((budget) => budget.deref() !== undefined).length;

test('a name has one budget, and another name another one', () => {
	expect(budgetOf('a')).toBe(budgetOf('a'));
	expect(budgetOf('a')).not.toBe(budgetOf('b'));
});

test('a name differs with address and key, and does not give the key away', () => {
	expect(budgetName('https://bridge.example', 'sample')).toMatch(/^[0-9a-f]{64}$/);
	expect(new Set([budgetName('a', 'bc'), budgetName('ab', 'c'), budgetName('a', 'b')]).size).toBe(
		3,
	);
});

test('a budget in which something counts is never dropped, however many there are and whoever still has it', async () => {
	budgetOf('in use').tryAcquire(1)?.settle();
	others(200);
	await collected();
	expect(budgetOf('in use').tryAcquire(1)).toBeNull();
});

test('a budget that somebody works with is never dropped, however long it has been idle', async () => {
	const kept = budgetOf('kept');
	await clock.run(clock.now() + 10 * WINDOW_MS);
	others(200);
	await collected();
	expect(budgetOf('kept')).toBe(kept);
});

test('the budget of a key that nobody uses any more is dropped', async () => {
	const once = usedOnce(50);
	const leftAfterAnother = async () => {
		others(1);
		await collected();
		return left(once);
	};
	expect(await leftAfterAnother()).toBe(50);
	await clock.run(clock.now() + 2 * WINDOW_MS);
	expect(await leftAfterAnother()).toBe(0);
});

test('a bounded number is kept, even while each has been used within the last minute', async () => {
	const many = usedOnce(MAX_IN_USE + 50);
	await collected();
	expect(left(many)).toBe(MAX_IN_USE);
});

test('two copies of this code in one process, as after an update, cannot send two limits at once', () => {
	const counts = [Number.NEGATIVE_INFINITY, clock.now()].map((begunAt) => {
		let count = 0;
		jest.isolateModules(() => {
			const copy = jest.requireActual<{ budgetFor: typeof budgetFor }>(
				'../../../nodes/CrossChainBridge/budget/budgets',
			);
			const budget = copy.budgetFor('updated', clock, { ...setup, begunAt });
			while (budget.tryCheck(100) !== null) count++;
		});
		return count;
	});
	expect(counts).toEqual([95, 10]);
});
