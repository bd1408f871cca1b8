import { createdAtMs, hashShownBy, isFinalStatus, statusOf } from '../orders/orders';
import { messageText } from '../orders/plainText';
import type { PlainObject } from '../orders/values';
import type { Observation } from '../schedule/order';
import type { ServiceResponse } from '../service/envelope';
import {
	describeError,
	isHashRejected,
	isNotFound,
	isRequestError,
	isAccountError,
	quotationOf,
	type ServiceError,
} from '../service/errors';

/**
 * What one status check has shown of its order.
 *
 * | kind | for the watch (`checkResult` in n8n/driver.ts) | for the schedule (`observationOf` below) | for the service (`receive` in checks/tenant.ts) |
 * |---|---|---|---|
 * | order | order | open or finished | it works |
 * | notFound | notFound | notFound | it works |
 * | orderError of its hash | nothingShown, as this order's own fault | rejected | it has responded, but that does not show that it works |
 * | orderError | nothingShown, as this order's own fault | failed | the same |
 * | suspect | nothingShown, this order's own fault if the service works | failed | the configuration is asked |
 * | transient | the same | failed | no response |
 */
export type CheckOutcome =
	/** `shownKey`: the key of the source hash that the order itself states; null if it states none. */
	| { kind: 'order'; order: PlainObject; shownKey: string | null }
	| { kind: 'notFound' }
	/** The service does not accept this order. */
	| { kind: 'orderError'; error: ServiceError; isHashRejected: boolean }
	/** It may concern all orders, which only the configuration shows. */
	| { kind: 'suspect'; error: ServiceError }
	/** Nothing about the order. */
	| { kind: 'transient'; error: ServiceError };

export function checkOutcome(response: ServiceResponse): CheckOutcome {
	if (response.ok)
		return { kind: 'order', order: response.data, shownKey: hashShownBy(response.data) };
	const { error } = response;
	if (isNotFound(error)) return { kind: 'notFound' };
	if (isAccountError(error)) return { kind: 'suspect', error };
	if (isRequestError(error))
		return { kind: 'orderError', error, isHashRejected: isHashRejected(error) };
	return { kind: 'transient', error };
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
	const isRejected = outcome.kind === 'orderError' && outcome.isHashRejected;
	return { kind: isRejected ? 'rejected' : 'failed' };
}

/** In characters. */
const MAX_WORDS = 100;

/**
 * Why a check has shown nothing of its order, as a sentence in our own words; null if it has. What the bridge says about this one order
 * comes after it, set off and without any sign that means something in an app, because ours may be wrong.
 */
export function whyNotChecked(outcome: CheckOutcome): string | null {
	if (outcome.kind === 'order' || outcome.kind === 'notFound') return null;
	const { ownMessage } = describeError(outcome.error, 'status');
	const isOwn = outcome.kind === 'orderError';
	const words = isOwn ? messageText(quotationOf(outcome.error), MAX_WORDS) : null;
	return words === null ? ownMessage : `${ownMessage}, and says “${words}”`;
}
