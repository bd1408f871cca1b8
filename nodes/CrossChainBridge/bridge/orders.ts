import type { IDataObject } from 'n8n-workflow';

import { epochMsOrNull, exactTextOrNull, field, idOrNull, isoTimeOrNull, type PlainObject, secondsOrNull, textOrNull } from './values';

/** The three states in which an order ends; the interface's polling guidance names them. */
export const END_STATUSES = ['completed', 'refunded', 'failed'] as const;
export type EndStatus = (typeof END_STATUSES)[number];

/** What the status says of the bridge: it went well, it did not, or nothing yet. */
export type Outcome = 'success' | 'unsuccessful' | null;

/** The order's status word as it came; null if there is none. */
export function statusOf(order: PlainObject): string | null {
	return textOrNull(field(order, 'status'));
}

/** Whether the order has ended. Any word other than the three is open: a status is never guessed. */
export function isEndStatus(status: string | null): status is EndStatus {
	return END_STATUSES.some((end) => end === status);
}

export function outcomeOf(status: string | null): Outcome {
	if (!isEndStatus(status)) return null;
	return status === 'completed' ? 'success' : 'unsuccessful';
}

/** Time of completion in milliseconds since 1970; null where the order does not state one. */
export function completedAtMs(order: PlainObject): number | null {
	return epochMsOrNull(field(field(order, 'timing'), 'completedAt'));
}

/** Whether two source hashes name one transaction: hexadecimal ones differ in nothing but case. */
export function hashKey(sourceHash: string): string {
	return /^0x[0-9a-f]*$/i.test(sourceHash) ? sourceHash.toLowerCase() : sourceHash;
}

/** One flat item made for a notification or a table row. Whatever the order does not state is null. */
export interface SimpleOrder extends IDataObject {
	orderId: string | null;
	status: string | null;
	isFinal: boolean;
	outcome: Outcome;
	sourceHash: string;
}

/**
 * The order as one flat item: text amounts in the token's smallest unit, times as ISO text in UTC, durations in
 * seconds. `sourceHash` is the one that was asked for, in the asker's spelling.
 */
export function simplifyOrder(sourceHash: string, order: PlainObject): SimpleOrder {
	const status = statusOf(order);
	const timing = field(order, 'timing');
	const solver = field(order, 'solver');
	return {
		orderId: exactTextOrNull(field(order, 'orderId')),
		status,
		isFinal: isEndStatus(status),
		outcome: outcomeOf(status),
		sourceHash,
		...simplifyLeg('input', field(order, 'input')),
		...simplifyLeg('output', field(order, 'output')),
		solverAddress: exactTextOrNull(field(solver, 'address')),
		solverAssignedAt: isoTimeOrNull(field(solver, 'assignedAt')),
		createdAt: isoTimeOrNull(field(timing, 'createdAt')),
		expiresAt: isoTimeOrNull(field(timing, 'expiry')),
		completedAt: isoTimeOrNull(field(timing, 'completedAt')),
		durationSeconds: durationSeconds(timing),
	};
}

/** The item for a hash that the service does not know (yet): the same fields, all of them empty. */
export function notFoundOrder(sourceHash: string): SimpleOrder {
	return { ...simplifyOrder(sourceHash, {}), status: 'notFound' };
}

function simplifyLeg(side: 'input' | 'output', leg: unknown): IDataObject {
	return {
		// The configuration spells it chainID, the order chainId; either may come.
		[`${side}ChainId`]: idOrNull(field(leg, 'chainId') ?? field(leg, 'chainID')),
		[`${side}Token`]: exactTextOrNull(field(leg, 'token')),
		[`${side}Amount`]: exactTextOrNull(field(leg, 'amount')),
		[`${side}Address`]: exactTextOrNull(field(leg, 'address')),
		[`${side}TxHash`]: exactTextOrNull(field(leg, 'txHash')),
		[`${side}Time`]: isoTimeOrNull(field(leg, 'timestamp')),
	};
}

/** The stated duration; else completedAt minus createdAt, which the interface says is the same. */
function durationSeconds(timing: unknown): number | null {
	const stated = secondsOrNull(field(timing, 'duration'));
	if (stated !== null) return stated;
	const created = epochMsOrNull(field(timing, 'createdAt'));
	const completed = epochMsOrNull(field(timing, 'completedAt'));
	return created === null || completed === null || completed < created ? null : (completed - created) / 1000;
}
