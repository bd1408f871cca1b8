import type { Answer } from '../bridge/envelope';
import { isAccountSuspect, isNotFound, isOrderError, type ServiceError } from '../bridge/errors';
import type { PlainObject } from '../bridge/values';

/**
 * What one status check has shown. Whatever a check brings is the order's own business: only the configuration says whether
 * key and address work.
 */
export type CheckOutcome =
	| { kind: 'order'; order: PlainObject }
	/** The service does not know the order (yet). */
	| { kind: 'notFound' }
	/** The service does not accept this order; `isSuspect` where the same answer may come for all orders. */
	| { kind: 'orderError'; error: ServiceError; isSuspect: boolean }
	/** No answer about the order: it is checked again after a while. */
	| { kind: 'transient'; error: ServiceError };

/** Pure. */
export function outcomeOf(answer: Answer): CheckOutcome {
	if (answer.ok) return { kind: 'order', order: answer.data };
	const { error } = answer;
	if (isNotFound(error)) return { kind: 'notFound' };
	if (isAccountSuspect(error) || error.kind === 'invalidCredential') return { kind: 'orderError', error, isSuspect: true };
	return isOrderError(error) ? { kind: 'orderError', error, isSuspect: false } : { kind: 'transient', error };
}
