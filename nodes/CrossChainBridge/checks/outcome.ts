import type { ServiceResponse } from '../service/envelope';
import { isAccountSuspect, isNotFound, isOrderError, type ServiceError } from '../service/errors';
import { createdAtMs, isFinalStatus, statusOf } from '../orders/orders';
import type { PlainObject } from '../orders/values';
import type { CheckResult } from '../schedule/order';

/** What one status check has shown of its order; only the configuration says whether key and address work. */
export type CheckOutcome =
	| { kind: 'order'; order: PlainObject }
	/** The service does not know the order (yet). */
	| { kind: 'notFound' }
	/** The service does not accept this order; `isSuspect` where the same response may come for all orders. */
	| { kind: 'orderError'; error: ServiceError; isSuspect: boolean }
	/** No response about the order: it is checked again after a while. */
	| { kind: 'transient'; error: ServiceError };

export function checkOutcome(response: ServiceResponse): CheckOutcome {
	if (response.ok) return { kind: 'order', order: response.data };
	const { error } = response;
	if (isNotFound(error)) return { kind: 'notFound' };
	if (isAccountSuspect(error) || error.kind === 'invalidCredential')
		return { kind: 'orderError', error, isSuspect: true };
	return isOrderError(error)
		? { kind: 'orderError', error, isSuspect: false }
		: { kind: 'transient', error };
}

/** What the schedule learns from an outcome, with times as the service states them; null: it was not sent, or not answered. */
export function resultOf(outcome: CheckOutcome | null): CheckResult {
	if (outcome?.kind === 'order') {
		const kind = isFinalStatus(statusOf(outcome.order)) ? 'finished' : 'open';
		return { kind, createdAtMs: createdAtMs(outcome.order) };
	}
	if (outcome?.kind === 'notFound') return { kind: 'notFound' };
	return { kind: outcome?.kind === 'orderError' && !outcome.isSuspect ? 'rejected' : 'failed' };
}
