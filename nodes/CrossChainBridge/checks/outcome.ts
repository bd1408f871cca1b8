import type { Answer } from '../service/envelope';
import {
	isAccountSuspect,
	isNotFound,
	isOrderError,
	isRateLimited,
	type ServiceError,
} from '../service/errors';
import { isFinalStatus, statusOf } from '../orders/orders';
import { epochMsOrNull, field, type PlainObject } from '../orders/values';
import type { CheckResult } from '../schedule/watchedEntry';

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
	if (isAccountSuspect(error) || error.kind === 'invalidCredential')
		return { kind: 'orderError', error, isSuspect: true };
	return isOrderError(error)
		? { kind: 'orderError', error, isSuspect: false }
		: { kind: 'transient', error };
}

/** What the schedule learns from a check. */
export function resultOf(outcome: CheckOutcome | null): CheckResult {
	if (outcome?.kind === 'order') return checkResult(outcome.order);
	if (outcome?.kind === 'notFound') return checkResult(null);
	if (outcome?.kind === 'orderError' && !outcome.isSuspect) return { kind: 'rejected' };
	return {
		kind: outcome?.kind === 'transient' && isRateLimited(outcome.error) ? 'limited' : 'failed',
	};
}

/** What an order (null: not found) means for the schedule: whether its status is final, and what its times are. */
export function checkResult(order: PlainObject | null): CheckResult {
	if (order === null) return { kind: 'notFound' };
	const timing = field(order, 'timing');
	const createdAtMs = epochMsOrNull(field(timing, 'createdAt'));
	if (isFinalStatus(statusOf(order))) return { kind: 'finished', createdAtMs };
	return {
		kind: 'open',
		createdAtMs,
		expiresAtMs: epochMsOrNull(field(timing, 'expiry')),
	};
}
