import { createHash } from 'crypto';
import type { Clock } from './clock';
import { RequestBudget } from './requestBudget';

/** More keys than one n8n uses within a minute; of more, the one used longest ago is forgotten. */
const MAX_IN_USE = 1_000;

/** Budgets in which something counts, the last used one last. */
const inUse = new Map<string, RequestBudget>();
/** All that somebody works with. */
const budgets = new Map<string, WeakRef<RequestBudget>>();

/** A name of address and key that does not give the key away. */
export function budgetName(baseUrl: string, apiKey: string): string {
	return createHash('sha256')
		.update(JSON.stringify([baseUrl, apiKey]))
		.digest('hex');
}

/** The one budget of this name in this process. */
export function budgetFor(
	name: string,
	clock: Clock,
	setup: { random: () => number; begunAt: number },
): RequestBudget {
	const known = budgets.get(name)?.deref();
	if (known !== undefined) return known;
	dropUnused();
	const budget = new RequestBudget(clock, { ...setup, onUse: () => keep(name) });
	budgets.set(name, new WeakRef(budget));
	return budget;
}

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
