import { RequestBudget } from '../budget/requestBudget';
import type { Settlement } from '../budget/requestLog';
import type { ServiceResponse } from './envelope';
import { type Asked, asksForPause, isRateLimited, retryAfterOf, type ServiceError } from './errors';
import { n8nClock } from './n8nClock';

/** When this version of the package was loaded: what was sent with a key before that is not known. */
const BEGUN_AT = n8nClock.now();

const budgets = new Map<string, RequestBudget>();

/** Of more accounts, those that have not been used for the longest time are forgotten. */
const MAX_BUDGETS = 200;

/** The one budget of all credentials that lead to this account. */
export function budgetOf(account: string): RequestBudget {
	const budget = budgets.get(account) ?? new RequestBudget(n8nClock, { begunAt: BEGUN_AT });
	// Deleted first, so that the map's order is that of use.
	budgets.delete(account);
	budgets.set(account, budget);
	const [oldest = account] = budgets.keys();
	if (budgets.size > MAX_BUDGETS) budgets.delete(oldest);
	return budget;
}

/** The last errors for which budgets pause. */
const pauseReasons = new WeakMap<RequestBudget, ServiceError>();

/** A 429 concerns all; so does a server error that states a time, unless it is about one order. */
export function concernsAll(error: ServiceError, asked: Asked): boolean {
	return isRateLimited(error) || (asked !== 'status' && asksForPause(error));
}

/** What a response means for the budget. */
export function settlementOf(
	budget: RequestBudget,
	response: ServiceResponse,
	asked: Asked,
): Settlement {
	if (response.ok) return {};
	const { error } = response;
	if (!concernsAll(error, asked))
		return { unanswered: error.kind === 'unreachable' || error.kind === 'timedOut' };
	pauseReasons.set(budget, error);
	return { limited: isRateLimited(error), retryAfterMs: retryAfterOf(error) };
}

/** Why nothing is sent for longer than so many milliseconds from now; null if something may be. */
export function longPause(budget: RequestBudget, ms: number): ServiceError | null {
	const retryAfterMs = budget.pausedMs();
	if (retryAfterMs <= ms) return null;
	const reason = pauseReasons.get(budget);
	if (reason?.kind === 'rejected') return { ...reason, retryAfterMs };
	const limited = { code: 'RATE_LIMITED', meaning: 'RATE_LIMITED', words: null } as const;
	return { kind: 'rejected', status: 429, ...limited, retryAfterMs };
}
