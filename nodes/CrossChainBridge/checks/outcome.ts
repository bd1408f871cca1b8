import { createdAtMs, isFinalStatus, statusOf } from '../orders/orders';
import type { PlainObject } from '../orders/values';
import type { Observation } from '../schedule/order';
import type { ServiceResponse } from '../service/envelope';
import {
	describeError,
	isHashRejected,
	isNotFound,
	isOrderError,
	needsTheUser,
	NOT_ACCEPTED,
	type ServiceError,
} from '../service/errors';

/** What one status check has shown of its order. */
export type CheckOutcome =
	| { kind: 'order'; order: PlainObject }
	| { kind: 'notFound' }
	/** `isSuspect`: it may concern all orders, which only the configuration shows. */
	| { kind: 'orderError'; error: ServiceError; isSuspect: boolean; isHashRejected: boolean }
	/** No response about the order. */
	| { kind: 'transient'; error: ServiceError };

export function checkOutcome(response: ServiceResponse): CheckOutcome {
	if (response.ok) return { kind: 'order', order: response.data };
	const { error } = response;
	if (isNotFound(error)) return { kind: 'notFound' };
	const isSuspect = needsTheUser(error);
	return isSuspect || isOrderError(error)
		? { kind: 'orderError', error, isSuspect, isHashRejected: isHashRejected(error) }
		: { kind: 'transient', error };
}

/** Whether it shows a final status. */
export function isFinal(outcome: CheckOutcome): boolean {
	return outcome.kind === 'order' && isFinalStatus(statusOf(outcome.order));
}

export function observationOf(outcome: CheckOutcome): Observation {
	if (outcome.kind === 'order')
		return {
			kind: isFinal(outcome) ? 'finished' : 'open',
			createdAtMs: createdAtMs(outcome.order),
		};
	if (outcome.kind === 'notFound') return outcome;
	return { kind: outcome.kind === 'orderError' && !outcome.isSuspect ? 'rejected' : 'failed' };
}

/** Why a check has shown nothing of its order, as a sentence in our own words; null if it has. */
export function whyNotChecked(outcome: CheckOutcome): string | null {
	if (outcome.kind === 'order' || outcome.kind === 'notFound') return null;
	// Others got a response, so that neither key nor address is wrong.
	const isSuspect = outcome.kind === 'orderError' && outcome.isSuspect;
	return isSuspect ? NOT_ACCEPTED : describeError(outcome.error, 'status').message;
}
