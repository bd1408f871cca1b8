import { sleep } from 'n8n-workflow';

import { type Clock, unlessAborted } from '../budget/clock';
import { RequestBudget } from '../budget/requestBudget';
import type { Settlement } from '../budget/requestLog';
import { failed, type ServiceResponse } from './envelope';
import { type Asked, asksForPause, isRateLimited, retryAfterOf, type ServiceError } from './errors';

/** In milliseconds; unlike Date.now() it never goes back, and it pauses while the computer sleeps. */
export const n8nClock: Required<Clock> = {
	now: () => performance.timeOrigin + performance.now(),
	sleep,
	ofWallTime: (ms) => ms + n8nClock.now() - Date.now(),
};

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
function concernsAll(error: ServiceError, asked: Asked): boolean {
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

/** Why nothing is sent for so many milliseconds. */
function pauseError(budget: RequestBudget, ms: number): ServiceError {
	const reason = pauseReasons.get(budget);
	if (reason?.kind === 'rejected') return { ...reason, retryAfterMs: ms };
	const limited = { code: 'RATE_LIMITED', meaning: 'RATE_LIMITED', words: null } as const;
	return { kind: 'rejected', status: 429, ...limited, retryAfterMs: ms };
}

/** Why nothing is sent for longer than so many milliseconds from now; null if something may be. */
export function longPause(budget: RequestBudget, ms: number): ServiceError | null {
	const pauseMs = budget.pausedMs();
	return pauseMs > ms ? pauseError(budget, pauseMs) : null;
}

/** The caller has stopped, with axios' code for that. */
export const STOPPED = failed({ kind: 'unreachable', networkCode: 'ERR_CANCELED' });

/** Tries again while the pauses that the service asks for can be waited out, in so many milliseconds in all. */
export async function waitingOutPauses(
	attempt: () => Promise<ServiceResponse>,
	budget: RequestBudget,
	asked: Asked,
	waitOutMs: number,
	signal: AbortSignal | undefined,
): Promise<ServiceResponse> {
	const until = n8nClock.now() + waitOutMs;
	for (;;) {
		if (signal?.aborted === true) return STOPPED;
		const pauseMs = budget.pausedMs();
		if (pauseMs > waitOutMs) return failed(pauseError(budget, pauseMs));
		const response = await attempt();
		if (response.ok || !asksForPause(response.error)) return response;
		const waitMs = retryAfterOf(response.error) ?? 0;
		if (n8nClock.now() + waitMs > until) return response;
		// The budget itself waits out what concerns all.
		if (!concernsAll(response.error, asked))
			await unlessStopped(n8nClock.sleep(waitMs), signal, null);
	}
}

/** The result of the work, or this as soon as the signal is aborted. */
export async function unlessStopped<T, U>(
	work: Promise<T>,
	signal: AbortSignal | undefined,
	otherwise: U,
): Promise<T | U> {
	return await unlessAborted(work, signal).catch((error: unknown) => {
		if (signal?.aborted === true) return otherwise;
		throw error;
	});
}
