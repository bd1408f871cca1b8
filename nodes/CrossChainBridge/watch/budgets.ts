import { createHash } from 'crypto';
import type { Clock } from './requestBudget';
import { RequestBudget } from './requestBudget';

/** Budgets of keys that nobody uses any more are dropped when there are more than this. */
const MANY = 50;

/** One for the whole process: every node and workflow with the same address and key shares a budget. */
const budgets = new Map<string, RequestBudget>();

export interface BudgetOptions {
	baseUrl: string;
	apiKey: string;
	requestsPerMinute: number;
	clock: Clock;
}

/** A name for (base URL, key) that does not give the key away: a SHA-256 in hex. */
export function budgetName(baseUrl: string, apiKey: string): string {
	return createHash('sha256').update(JSON.stringify([baseUrl, apiKey])).digest('hex');
}

/**
 * The shared budget of this base URL and key. The newest Requests per Minute counts for all;
 * the clock is that of the first caller.
 */
export function budgetFor({ baseUrl, apiKey, requestsPerMinute, clock }: BudgetOptions): RequestBudget {
	const name = budgetName(baseUrl, apiKey);
	const known = budgets.get(name);
	if (known !== undefined) {
		known.setLimit(requestsPerMinute);
		return known;
	}
	if (budgets.size >= MANY) {
		for (const [other, budget] of budgets) if (budget.isIdle()) budgets.delete(other);
	}
	const budget = new RequestBudget(requestsPerMinute, clock);
	budgets.set(name, budget);
	return budget;
}
