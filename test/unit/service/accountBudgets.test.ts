import type { IAllExecuteFunctions } from 'n8n-workflow';

import { budgetOf } from '../../../nodes/CrossChainBridge/service/accountBudgets';
import { connectToService } from '../../../nodes/CrossChainBridge/service/service';

/** One key at one address has one budget in a process. */

async function budgetWith(credential: object) {
	const context = {
		getCredentials: async () => await Promise.resolve(credential),
		getWorkflow: () => ({}),
		getNode: () => ({ id: 'a' }),
	} as unknown as IAllExecuteFunctions;
	return (await connectToService(context)).budget;
}

test.each([
	['https://Bridge.example.com', 'a-key', true],
	['https://bridge.example.com:443', 'a-key', true],
	['https://bridge.example.com', 'another-key', false],
	['https://bridge.example.org', 'a-key', false],
])('%s with %s: the same budget: %s', async (baseUrl, apiKey, isSame) => {
	const one = await budgetWith({ baseUrl: 'https://bridge.example.com', apiKey: 'a-key' });
	const other = await budgetWith({ baseUrl, apiKey, requestsPerMinute: 5 });
	expect(other === one).toBe(isSame);
});

test('the budgets of keys that were not used for the longest time are forgotten, those in use stay', () => {
	const [used, unused] = ['used', 'unused'].map(budgetOf);
	for (let i = 0; i < 300; i++) {
		budgetOf(`another ${i}`);
		expect(budgetOf('used')).toBe(used);
	}
	expect(budgetOf('unused')).not.toBe(unused);
});
