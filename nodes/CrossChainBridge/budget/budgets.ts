import { createHash } from 'crypto';
import type { Clock } from './requestBudget';
import { RequestBudget } from './requestBudget';

/** More keys than one n8n uses within a minute; beyond that, the budget that was used the longest ago counts afresh. */
export const MAX_IN_USE = 1_000;

/**
 * One budget for each address and key in this process, shared by all nodes and workflows. This map keeps a budget while something
 * counts in it; after that it goes with the last object that uses it.
 */
const inUse = new Map<string, RequestBudget>();
const budgets = new Map<string, WeakRef<RequestBudget>>();

interface BudgetOptions {
	baseUrl: string;
	apiKey: string;
	clock: Clock;
	/** Uniform in [0, 1). */
	random: () => number;
	/** When this process began, in milliseconds of the clock. */
	begunAt: number;
}

/** A name for (base URL, key) that does not give the key away: a SHA-256 in hex. */
export function budgetName(baseUrl: string, apiKey: string): string {
	return createHash('sha256')
		.update(JSON.stringify([baseUrl, apiKey]))
		.digest('hex');
}

/** The shared budget of this base URL and key. The clock is that of the first caller. */
export function budgetFor({ baseUrl, apiKey, clock, ...setup }: BudgetOptions): RequestBudget {
	const name = budgetName(baseUrl, apiKey);
	const known = budgets.get(name)?.deref();
	if (known !== undefined) return known;
	dropUnused();
	const budget = new RequestBudget(clock, { ...setup, onUse: () => keep(name) });
	budgets.set(name, new WeakRef(budget));
	return budget;
}

/** Called when a permit is given. The Map's order is that of the last use. */
function keep(name: string): void {
	const budget = budgets.get(name)?.deref();
	if (budget === undefined) return;
	inUse.delete(name);
	inUse.set(name, budget);
	if (inUse.size <= MAX_IN_USE) return;
	dropUnused();
	const [oldest] = inUse.keys();
	if (inUse.size > MAX_IN_USE && oldest !== undefined) inUse.delete(oldest);
}

function dropUnused(): void {
	for (const [name, budget] of inUse) if (budget.isIdle()) inUse.delete(name);
	for (const [name, reference] of budgets)
		if (reference.deref() === undefined) budgets.delete(name);
}
