import { type CheckOutcome, whyNotChecked } from '../checks/outcome';
import type { CheckResult } from '../watch/events';

/**
 * What the outcome of a status check means for the watch of its order.
 * @param isServiceSound whether the bridge works for other orders, or its configuration does, so that a failed check is the fault of this order
 */
export function checkResult(outcome: CheckOutcome, isServiceSound: boolean): CheckResult {
	if (outcome.kind === 'notFound') return outcome;
	if (outcome.kind === 'order')
		return { kind: 'order', order: outcome.order, shownKey: outcome.shows };
	const why = whyNotChecked(outcome) ?? '';
	if (outcome.kind === 'orderError' && outcome.isHashRejected) return { kind: 'rejected', why };
	return { kind: 'nothingShown', isOwn: outcome.kind === 'orderError' || isServiceSound, why };
}
