import type { IDataObject } from 'n8n-workflow';

import {
	decimalsOf,
	type Display,
	legAmount,
	type LegAmount,
	legChainId,
	networkName,
	tokenSymbol,
	transactionUrl,
} from './display';
import {
	completedAtMs,
	createdAtMs,
	expiryMs,
	isFinalStatus,
	type Outcome,
	outcomeOf,
	statusOf,
} from './orders';
import { amountText, routeText, type SummaryLeg, summaryOf, summaryOfNotFound } from './summary';
import {
	digitsOrNull,
	exactTextOrNull,
	field,
	isoTimeOrNull,
	type PlainObject,
	secondsOrNull,
} from './values';

/** One order to be shown. */
export interface OrderSource {
	/** The hash that was asked for, in the asker's spelling. */
	sourceHash: string;
	/** Null where the service does not know it (yet), or where it was not asked. */
	order: PlainObject | null;
	/** The status that was seen last, where there is no order. */
	lastStatus?: string | null;
	/** What the user calls it; only one that is text is shown in the summary. */
	reference?: unknown;
	/** The block explorer link that the hash came in. */
	link?: string | null;
	/** When it began, as far as is known, in milliseconds since 1970; what the order says itself counts more. */
	beganAt?: number | null;
}

/** An order in ten fields made for a notification or a table row, the most used first. Whatever is not known is null. */
interface SimpleOrder extends IDataObject {
	/** The order in one sentence of plain text. */
	summary: string;
	status: string | null;
	outcome: Outcome;
	sent: string | null;
	received: string | null;
	route: string | null;
	finishedAt: string | null;
	link: string | null;
	orderId: string | null;
	sourceHash: string;
}

/** One side of the order; in the item each name has `input` or `output` in front. */
interface Leg extends SummaryLeg, LegAmount {
	address: string | null;
	txHash: string | null;
	txUrl: string | null;
	time: string | null;
}

/** The ten fields. `now` is in milliseconds since 1970. */
export function simpleOrder(source: OrderSource, display: Display, now: number): SimpleOrder {
	const { sourceHash, reference, link, beganAt } = source;
	const order = source.order ?? {};
	const status = source.order === null ? (source.lastStatus ?? 'notFound') : statusOf(order);
	const input = legOf(field(order, 'input'), display);
	const output = legOf(field(order, 'output'), display);
	const began = createdAtMs(order) ?? beganAt ?? null;
	const subject = {
		sourceHash,
		reference,
		ageMs: began === null ? null : Math.max(0, now - began),
	};
	const isCompleted = status === 'completed';
	const made = (isCompleted ? output.txUrl : null) ?? input.txUrl;
	return {
		summary:
			status === 'notFound' && source.order === null
				? summaryOfNotFound(subject)
				: summaryOf({
						...subject,
						status,
						durationSeconds: durationSeconds(order),
						expiresAt: expiryMs(order),
						now,
						input,
						output,
					}),
		status,
		outcome: outcomeOf(status),
		sent: amountText(input),
		// Before that it is a promise.
		received: isCompleted ? amountText(output) : null,
		route: routeText(input, output),
		finishedAt: isFinalStatus(status) ? isoTimeOrNull(completedAtMs(order)) : null,
		link: link ?? made,
		orderId: exactTextOrNull(field(order, 'orderId')),
		sourceHash,
	};
}

/** The ten fields, then everything else that is known, flat and readable, and the order as the service gave it. */
export function fullOrder(source: OrderSource, display: Display, now: number): SimpleOrder {
	const order = source.order ?? {};
	const timing = field(order, 'timing');
	const solver = field(order, 'solver');
	const simple = simpleOrder(source, display, now);
	return {
		...simple,
		isFinal: isFinalStatus(simple.status),
		...withSide('input', legOf(field(order, 'input'), display)),
		...withSide('output', legOf(field(order, 'output'), display)),
		solverAddress: exactTextOrNull(field(solver, 'address')),
		solverAssignedAt: isoTimeOrNull(field(solver, 'assignedAt')),
		createdAt: isoTimeOrNull(field(timing, 'createdAt')),
		expiresAt: isoTimeOrNull(field(timing, 'expiry')),
		completedAt: isoTimeOrNull(field(timing, 'completedAt')),
		durationSeconds: durationSeconds(order),
		order: source.order as IDataObject | null,
	};
}

function legOf(leg: unknown, display: Display): Leg {
	const chainId = legChainId(leg);
	const token = exactTextOrNull(field(leg, 'token'));
	const txHash = exactTextOrNull(field(leg, 'txHash'));
	return {
		chainId,
		network: networkName(display, chainId),
		token,
		tokenSymbol: tokenSymbol(display, chainId, token),
		...legAmount(digitsOrNull(field(leg, 'amount')), decimalsOf(leg, display)),
		address: exactTextOrNull(field(leg, 'address')),
		txHash,
		txUrl: transactionUrl(display, chainId, txHash),
		time: isoTimeOrNull(field(leg, 'timestamp')),
	};
}

/** The fields of one side under the names of an item: `amount` of the input is `inputAmount`. */
export function withSide(side: 'input' | 'output', leg: object): IDataObject {
	return Object.fromEntries(
		Object.entries(leg).map(([name, value]) => [
			`${side}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
			value,
		]),
	);
}

/** The stated duration; else completedAt minus createdAt, which the interface says is the same. */
function durationSeconds(order: PlainObject): number | null {
	const stated = secondsOrNull(field(field(order, 'timing'), 'duration'));
	if (stated !== null) return stated;
	const [created, completed] = [createdAtMs(order), completedAtMs(order)];
	return created === null || completed === null || completed < created
		? null
		: (completed - created) / 1000;
}
