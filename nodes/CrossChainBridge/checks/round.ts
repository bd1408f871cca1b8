import type { Clock } from '../budget/requestBudget';
import type { StatusChecks } from './statusChecks';
import { within } from './within';

/** Status checks of one round that are in flight at a time. */
const ROUND_IN_FLIGHT = 8;

/** A service that says nothing costs a round no more than that. */
const MAX_ROUND_TIMEOUTS = 2;

/**
 * One check of each open order, the one that has waited longest first, as far as the budget has room now. Stops early when the
 * service does not answer or the key is wrong, at `until` (ms), and with the signal.
 */
export async function checkRound(
	checks: StatusChecks,
	clock: Clock,
	until: number,
	signal?: AbortSignal,
): Promise<void> {
	const waitsSince = (key: string): number => checks.orders.get(key)?.checkedAt ?? 0;
	const queue = [...checks.orders.keys()].sort((one, other) => waitsSince(one) - waitsSince(other));
	let timeouts = 0;
	let isOver = false;
	const mayContinue = () =>
		!isOver &&
		timeouts < MAX_ROUND_TIMEOUTS &&
		checks.circuit.error === null &&
		signal?.aborted !== true;
	const worker = async (): Promise<void> => {
		for (let key = queue.shift(); key !== undefined && mayContinue(); key = queue.shift()) {
			const permit = checks.service.budget.tryAcquire('watch');
			if (permit === null) return;
			const outcome = await checks.check(key, permit, signal);
			if (outcome?.kind === 'transient' && outcome.error.kind === 'timedOut') {
				timeouts++;
				return;
			}
			if (checks.circuit.isProbeDue(clock.now())) await checks.probe(signal);
		}
	};
	await within(
		clock,
		until,
		Promise.all(Array.from({ length: Math.min(ROUND_IN_FLIGHT, queue.length) }, worker)),
	);
	isOver = true;
}
