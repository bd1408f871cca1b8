import type { CheckResult } from '../watch/orderWatcher';
import { isFinalStatus, statusOf } from './orders';
import { epochMsOrNull, field, type PlainObject } from './values';

/** What an order (null: not found) means for the schedule: whether its status is final, and what its times are. */
export function checkResult(order: PlainObject | null): CheckResult {
	if (order === null) return { kind: 'notFound' };
	const timing = field(order, 'timing');
	const createdAtMs = epochMsOrNull(field(timing, 'createdAt'));
	if (isFinalStatus(statusOf(order))) return { kind: 'ended', createdAtMs };
	return {
		kind: 'open',
		createdAtMs,
		expiresAtMs: epochMsOrNull(field(timing, 'expiry')),
	};
}
