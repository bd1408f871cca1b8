import { VirtualClock } from '../../../bench/simulation/virtualClock';
import { budgetFor, budgetName } from '../../../nodes/CrossChainBridge/watch/budgets';

describe('budgetFor', () => {
	const clock = new VirtualClock();
	const options = { baseUrl: 'https://bridge.example', apiKey: 'sample', requestsPerMinute: 10, clock };

	it('is one budget for an address and key, with the newest limit', () => {
		const budget = budgetFor(options);
		while (budget.tryTake('person') !== null);
		const same = budgetFor({ ...options, requestsPerMinute: 11 });
		expect(same).toBe(budget);
		expect(same.tryTake('person')).not.toBeNull();
		expect(same.tryTake('person')).toBeNull();
	});

	it('is another budget for another key or address', () => {
		const budget = budgetFor(options);
		expect(budgetFor({ ...options, apiKey: 'other' })).not.toBe(budget);
		expect(budgetFor({ ...options, baseUrl: 'https://other.example' })).not.toBe(budget);
	});

	it('never drops a budget that is in use, however many there are', () => {
		const used = budgetFor({ ...options, apiKey: 'in use' });
		used.tryTake('person')?.settle();
		for (let index = 0; index < 200; index++) budgetFor({ ...options, apiKey: `key ${index}` });
		expect(budgetFor({ ...options, apiKey: 'in use' })).toBe(used);
	});

	it('names a budget without giving the key away', () => {
		expect(budgetName('https://bridge.example', 'sample')).toMatch(/^[0-9a-f]{64}$/);
		expect(budgetName('a', 'bc')).not.toBe(budgetName('ab', 'c'));
	});
});
