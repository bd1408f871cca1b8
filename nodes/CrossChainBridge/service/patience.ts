import { unlessAborted } from '../budget/clock';
import type { RequestBudget } from '../budget/requestBudget';
import { concernsAll, n8nClock, pauseError } from './budgets';
import { failed, type ServiceResponse } from './envelope';
import { type Asked, asksForPause, retryAfterOf } from './errors';

/** The caller has stopped, with axios' code for that. */
export const STOPPED = failed({ kind: 'unreachable', networkCode: 'ERR_CANCELED' });

interface Patience {
	budget: RequestBudget;
	asked: Asked;
	/** For how long pauses are waited out in all, in milliseconds. */
	waitOutMs: number;
	signal: AbortSignal | undefined;
}

/** Tries again while the pauses that the service asks for can be waited out. */
export async function waitingOutPauses(
	attempt: () => Promise<ServiceResponse>,
	{ budget, asked, waitOutMs, signal }: Patience,
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
