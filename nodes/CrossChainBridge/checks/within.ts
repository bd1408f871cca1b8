import type { Clock } from '../budget/requestBudget';

/** Waits for the work until this time (ms of the clock); undefined if it took longer. The work itself continues. */
export async function within<T>(
	clock: Clock,
	until: number,
	work: Promise<T>,
): Promise<T | undefined> {
	if (until === Number.POSITIVE_INFINITY) return await work;
	return await Promise.race([
		work,
		clock.sleep(Math.max(0, until - clock.now())).then(() => undefined),
	]);
}
