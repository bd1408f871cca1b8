import type { IDataObject } from 'n8n-workflow';

import { toReadable } from './amounts';
import { decimalsOf, type DecimalsSource } from './decimals';
import {
	legChainId,
	networkName,
	type OrderReading,
	PLAIN_READING,
	tokenSymbol,
	transactionUrl,
} from './orderReading';
import { type SummaryLeg, summaryOf, summaryOfNotFound } from './orderSummary';
import {
	caselessHex,
	digitsOrNull,
	epochMsOrNull,
	exactTextOrNull,
	field,
	isoTimeOrNull,
	type PlainObject,
	secondsOrNull,
	textOrNull,
} from './values';

/** The three final statuses; the interface's polling guidance names them. */
export const FINAL_STATUSES = ['completed', 'refunded', 'failed'] as const;
export type FinalStatus = (typeof FINAL_STATUSES)[number];

/** What the status says about the bridge: it succeeded, it did not, or nothing yet. */
export type Outcome = 'success' | 'unsuccessful' | null;

/** The order's status word as it came; null if there is none. What is far too long to be a word is cut: it is remembered of each watched order. */
export function statusOf(order: PlainObject): string | null {
	const status = textOrNull(field(order, 'status'));
	return status === null || status.length <= LONGEST_STATUS
		? status
		: `${status.slice(0, LONGEST_STATUS)}…`;
}

const LONGEST_STATUS = 100;

/** Whether the order is finished. Any word other than the three is open: a status is never guessed. */
export function isFinalStatus(status: string | null): status is FinalStatus {
	return FINAL_STATUSES.some((final) => final === status);
}

export function outcomeOf(status: string | null): Outcome {
	if (!isFinalStatus(status)) return null;
	return status === 'completed' ? 'success' : 'unsuccessful';
}

/** Time of completion in milliseconds since 1970; null where the order does not state one. */
export function completedAtMs(order: PlainObject): number | null {
	return epochMsOrNull(field(field(order, 'timing'), 'completedAt'));
}

/** Time at which the order expires, in milliseconds since 1970; null where the order does not state one. */
export function expiryMs(order: PlainObject): number | null {
	return epochMsOrNull(field(field(order, 'timing'), 'expiry'));
}

/** Whether two source hashes name one transaction: hexadecimal ones differ in nothing but case. */
export function hashKey(sourceHash: string): string {
	return caselessHex(sourceHash);
}

/** A source hash in one spelling: a hexadecimal one in lower case and with 0x, whether or not it came with it. */
export function canonicalHash(sourceHash: string): string {
	return HEX_HASH.test(sourceHash)
		? `0x${sourceHash.replace(/^0x/i, '').toLowerCase()}`
		: hashKey(sourceHash);
}

/** Shorter ones may be any number: "10" is not "0x10". */
const HEX_HASH = /^(0x)?[0-9a-f]{32,}$/i;

/** One flat item made for a notification or a table row. Whatever the order does not state is null. */
export interface SimpleOrder extends IDataObject {
	/** The order in one sentence of plain text; first, since a table shows only the first columns. */
	summary: string;
	status: string | null;
	isFinal: boolean;
	outcome: Outcome;
	orderId: string | null;
	sourceHash: string;
}

/** One side of the order; in the item each name has `input` or `output` in front. */
interface SimpleLeg extends SummaryLeg {
	decimalsFrom: DecimalsSource | null;
	address: string | null;
	txHash: string | null;
	txUrl: string | null;
	time: string | null;
}

/**
 * The order as one flat item: text amounts in the token's smallest unit, and in whole tokens where the decimals are
 * known; times as ISO text in UTC, durations in seconds. `sourceHash` is the one that was asked for, in the asker's
 * spelling. Names, decimals and links come only from `reading`, so that the same order always reads the same.
 */
export function simplifyOrder(
	sourceHash: string,
	order: PlainObject,
	reading: OrderReading = PLAIN_READING,
): SimpleOrder {
	const status = statusOf(order);
	const timing = field(order, 'timing');
	const solver = field(order, 'solver');
	const input = simplifyLeg(field(order, 'input'), reading);
	const output = simplifyLeg(field(order, 'output'), reading);
	const duration = durationSeconds(timing);
	return {
		summary: summaryOf({ sourceHash, status, durationSeconds: duration, input, output }),
		status,
		isFinal: isFinalStatus(status),
		outcome: outcomeOf(status),
		orderId: exactTextOrNull(field(order, 'orderId')),
		sourceHash,
		...named('input', input),
		...named('output', output),
		solverAddress: exactTextOrNull(field(solver, 'address')),
		solverAssignedAt: isoTimeOrNull(field(solver, 'assignedAt')),
		createdAt: isoTimeOrNull(field(timing, 'createdAt')),
		expiresAt: isoTimeOrNull(field(timing, 'expiry')),
		completedAt: isoTimeOrNull(field(timing, 'completedAt')),
		durationSeconds: duration,
	};
}

/** The item for a hash that the service does not know (yet): the same fields, all of them empty but for the summary. */
export function notFoundOrder(sourceHash: string): SimpleOrder {
	return {
		...simplifyOrder(sourceHash, {}),
		status: 'notFound',
		summary: summaryOfNotFound(sourceHash),
	};
}

function simplifyLeg(leg: unknown, reading: OrderReading): SimpleLeg {
	const chainId = legChainId(leg);
	const token = exactTextOrNull(field(leg, 'token'));
	const amount = digitsOrNull(field(leg, 'amount'));
	const known = decimalsOf(leg, reading);
	const amountReadable =
		amount === null || known === null ? null : toReadable(amount, known.decimals);
	const txHash = exactTextOrNull(field(leg, 'txHash'));
	return {
		chainId,
		network: networkName(reading, chainId),
		token,
		tokenSymbol: tokenSymbol(reading, chainId, token),
		amount,
		amountReadable,
		decimalsFrom: amountReadable === null || known === null ? null : known.from,
		address: exactTextOrNull(field(leg, 'address')),
		txHash,
		txUrl: transactionUrl(reading, chainId, txHash),
		time: isoTimeOrNull(field(leg, 'timestamp')),
	};
}

function named(side: 'input' | 'output', leg: SimpleLeg): IDataObject {
	const entries = Object.entries(leg).map(([name, value]) => [
		`${side}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
		value,
	]);
	return Object.fromEntries(entries);
}

/** The stated duration; else completedAt minus createdAt, which the interface says is the same. */
function durationSeconds(timing: unknown): number | null {
	const stated = secondsOrNull(field(timing, 'duration'));
	if (stated !== null) return stated;
	const created = epochMsOrNull(field(timing, 'createdAt'));
	const completed = epochMsOrNull(field(timing, 'completedAt'));
	return created === null || completed === null || completed < created
		? null
		: (completed - created) / 1000;
}
