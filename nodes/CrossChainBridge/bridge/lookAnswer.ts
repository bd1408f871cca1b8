import type { LookAnswer } from '../watch/orderWatcher';
import { isEndStatus, statusOf } from './orders';
import { epochMsOrNull, field, type PlainObject } from './values';

/** What an order (null: not found) tells the schedule: whether it has ended, and what its times are. */
export function lookAnswer(order: PlainObject | null): LookAnswer {
	if (order === null) return { kind: 'notFound' };
	if (isEndStatus(statusOf(order))) return { kind: 'ended' };
	const timing = field(order, 'timing');
	return {
		kind: 'open',
		createdAtMs: epochMsOrNull(field(timing, 'createdAt')),
		expiresAtMs: epochMsOrNull(field(timing, 'expiry')),
	};
}
