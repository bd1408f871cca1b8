import type { IDataObject } from 'n8n-workflow';

import {
	decimalsOf,
	type Display,
	legAmount,
	networkName,
	tokenSymbol,
	transactionUrl,
} from './display';
import { chainIdOf } from './networks';
import {
	completedAtMs,
	createdAtMs,
	expiryMs,
	isFinalStatus,
	type OrderSource,
	outcomeOf,
	statusOf,
} from './orders';
import { amountText, routeText, summaryOf } from './summary';
import {
	digitsOrNull,
	exactTextOrNull,
	field,
	isoTimeOrNull,
	type PlainObject,
	numberOrNull,
} from './values';

/** An order as an item: ten fields for a notification, the most used first, and all. `now` is in milliseconds since 1970. */
export function orderItem(source: OrderSource, display: Display, now: number) {
	const { sourceHash, whyNotChecked, link, beganAt } = source;
	const order = source.order ?? {};
	const withoutOrder = (whyNotChecked ?? null) === null ? 'notFound' : 'notChecked';
	const status = source.order === null ? withoutOrder : statusOf(order);
	const input = legOf(field(order, 'input'), display);
	const output = legOf(field(order, 'output'), display);
	const began = createdAtMs(order) ?? beganAt ?? null;
	const ageMs = began === null ? null : Math.max(0, now - began);
	const durationSeconds = durationOf(order);
	const isCompleted = status === 'completed';
	const simple = {
		summary: summaryOf({
			...source,
			...{ status, ageMs, durationSeconds, expiresAt: expiryMs(order), now, input, output },
		}),
		status,
		outcome: outcomeOf(status),
		sent: amountText(input),
		// Before completion it is a promise.
		received: isCompleted ? amountText(output) : null,
		route: routeText(input, output),
		finishedAt: isFinalStatus(status) ? isoTimeOrNull(completedAtMs(order)) : null,
		link: link ?? (isCompleted ? output.txUrl : null) ?? input.txUrl,
		orderId: exactTextOrNull(field(order, 'orderId')),
		sourceHash,
	};
	const timing = field(order, 'timing');
	const solver = field(order, 'solver');
	const full: typeof simple & IDataObject = {
		...simple,
		isFinal: isFinalStatus(status),
		...withSide('input', input),
		...withSide('output', output),
		solverAddress: exactTextOrNull(field(solver, 'address')),
		solverAssignedAt: isoTimeOrNull(field(solver, 'assignedAt')),
		createdAt: isoTimeOrNull(field(timing, 'createdAt')),
		expiresAt: isoTimeOrNull(field(timing, 'expiry')),
		completedAt: isoTimeOrNull(field(timing, 'completedAt')),
		durationSeconds,
		order: source.order as IDataObject | null,
	};
	return { simple, full };
}

function legOf(leg: unknown, display: Display) {
	const chainId = chainIdOf(leg);
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

/** The fields as an item names them, such as `inputAmount`. */
export function withSide(side: 'input' | 'output', leg: object): IDataObject {
	return Object.fromEntries(
		Object.entries(leg).map(([name, value]) => [
			`${side}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
			value,
		]),
	);
}

/** Seconds between createdAt and completedAt, or as stated: the interface shows no unit. */
function durationOf(order: PlainObject): number | null {
	const [created, completed] = [createdAtMs(order), completedAtMs(order)];
	if (created !== null && completed !== null && completed >= created)
		return (completed - created) / 1000;
	const stated = numberOrNull(field(field(order, 'timing'), 'duration'));
	// A zero beside no time of completion stands for nothing.
	return stated === 0 && completed === null ? null : stated;
}
