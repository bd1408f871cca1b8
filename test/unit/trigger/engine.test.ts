import type { IPollFunctions } from 'n8n-workflow';

import { engineOf, pollBudgetMs } from '../../../nodes/CrossChainBridge/trigger/engine';

test.each<[string, object, number, string]>([
	['n8n before 2.38 has no poll budget', {}, 300_000, 'usual'],
	['its usual engine bounds nothing', { getPollBudgetMs: () => 300_000 }, 300_000, 'usual'],
	['its durable engine states a budget', { getPollBudgetMs: () => 36_000 }, 36_000, 'durable'],
	['a longer one is a budget as well', { getPollBudgetMs: () => 600_000 }, 600_000, 'durable'],
	['what is no number bounds nothing', { getPollBudgetMs: () => '36000' }, 300_000, 'usual'],
	['nor does what cannot be called', { getPollBudgetMs: 36_000 }, 300_000, 'usual'],
])('%s', (_what, members, budgetMs, engine) => {
	const context = members as unknown as IPollFunctions;
	expect([pollBudgetMs(context), engineOf(context)]).toEqual([budgetMs, engine]);
});

test('the budget is asked of n8n’s own context', () => {
	const context = { ms: 9_000, getPollBudgetMs: function () { return this.ms; } };
	expect(pollBudgetMs(context as unknown as IPollFunctions)).toBe(9_000);
});
