import { createHash } from 'crypto';
import { type Clock, RequestBudget } from './requestBudget';

/** More keys than one n8n uses within a minute; beyond that, the budget that was used the longest ago counts afresh. */
const MAX_IN_USE = 1_000;

/** Budgets that something counts in, the last used one last; the process has one for each address and key. */
const inUse = new Map<string, RequestBudget>();
/** All that somebody works with: a budget goes with the last of them. */
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

/** Called when a permit is given. */
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
