import type { GenericValue, IDataObject } from 'n8n-workflow';

import { hasFraction } from './amounts';
import { type Display, isSymbolShared, orderPageUrl, tokenOf, transactionUrl } from './display';
import { plainJson } from './exactJson';
import { compareArrival } from './expectation';
import { idOf, networksWithId } from './networks';
import {
	CLOCKS_DIFFER_MS,
	completedAtMs,
	createdAtMs,
	expiryMs,
	isFinalStatus,
	type OrderSource,
	otherHashShownBy,
	outcomeOf,
	statusOf,
} from './orders';
import { amountText, routeText, shortHash, summaryOf } from './summary';
import {
	exactTextOrNull,
	field,
	isoTimeOrNull,
	isPlainObject,
	isZeros,
	type PlainObject,
	numberOrNull,
} from './values';

/** An order as an item: what a notification needs, the most used first, and all. `n8nNow` is by the clock of n8n, in milliseconds since 1970. */
export function orderItem(source: OrderSource, display: Display, n8nNow: number) {
	const { sourceHash, whyNotChecked, link, beganAt, expected, clockAheadMs = 0 } = source;
	// The times of an order are by the clock of the bridge.
	const now = n8nNow - clockAheadMs;
	const order = source.order ?? {};
	const withoutOrder = (whyNotChecked ?? null) === null ? 'notFound' : 'notChecked';
	const status = source.order === null ? withoutOrder : statusOf(order);
	// All amounts of an order are in one unit.
	const isInSmallestUnit = !['input', 'output', 'refund'].some((name) =>
		hasFraction(field(field(order, name), 'amount')),
	);
	const leg: ReadLeg = (side, stated) => legOf(side, stated, display, isInSmallestUnit);
	const input = leg('input', field(order, 'input'));
	const output = leg('output', field(order, 'output'));
	const refund = status === 'refunded' ? refundOf(order, leg) : null;
	const isCompleted = status === 'completed';
	// A clock of the bridge may be ahead.
	const began = Math.min(createdAtMs(order) ?? Infinity, beganAt ?? Infinity);
	const durationSeconds = durationOf(order, now);
	const otherHash = otherHashShownBy(order, sourceHash);
	const isExpected = (expected?.recipient ?? expected?.minimumReceived ?? null) !== null;
	// Of two tokens with one symbol either may be meant.
	const tokenSymbol = isSymbolShared(display, output) ? null : output.tokenSymbol;
	const compared =
		expected && isExpected && isCompleted
			? compareArrival(expected, { ...output, tokenSymbol }, display)
			: null;
	const asExpected = compared?.asExpected ?? null;
	// It is not certain that it is this order in which all is as expected.
	const isUncertain = asExpected === true && otherHash !== null;
	const orderId = setOrNull(field(order, 'orderId'));
	const isTooLong = orderId !== null && orderId.length > MAX_ID_IN_LINK;
	const page = orderPageUrl(display, isTooLong ? null : orderId, sourceHash);
	// The user's own block explorers before what came with the hash.
	const shownLink = (isCompleted ? output.txUrl : null) ?? input.txUrl ?? link ?? page;
	const simple = {
		summary: summaryOf({
			...source,
			status,
			durationSeconds,
			expiresAt: expiryMs(order),
			now,
			input,
			output,
			refund,
			compared,
			otherHash: otherHash === null ? null : shortHash(otherHash),
			ageMs: began === Infinity ? null : Math.max(0, now - began),
			page: status === 'failed' || source.needsPage === true ? page : null,
		}),
		status,
		outcome: outcomeOf(status),
		reference: plainJson(source.reference ?? null) as GenericValue,
		sent: amountText(input),
		// Before completion it is a promise.
		received: isCompleted ? amountText(output) : null,
		recipient: output.address,
		finishedAt: isFinalStatus(status) ? isoTimeOrNull(finishedAtMs(order, now)) : null,
		link: shownLink,
		sourceHash,
		...(isExpected ? { asExpected: isUncertain ? null : asExpected } : {}),
		...(otherHash === null ? {} : { otherHash }),
	};
	const timing = field(order, 'timing');
	const solver = field(order, 'solver');
	const full: typeof simple & IDataObject = {
		...simple,
		isFinal: isFinalStatus(status),
		orderId,
		route: routeText(input, output),
		...withSide('input', input),
		...withSide('output', output),
		...withSide('refund', refund ?? leg('refund', null)),
		solverAddress: setOrNull(field(solver, 'address')),
		solverAssignedAt: isoTimeOrNull(field(solver, 'assignedAt')),
		createdAt: isoTimeOrNull(field(timing, 'createdAt')),
		expiresAt: isoTimeOrNull(field(timing, 'expiry')),
		completedAt: isoTimeOrNull(field(timing, 'completedAt')),
		durationSeconds,
		order: source.order as IDataObject | null,
	};
	return { simple, full };
}

/** In characters. */
const MAX_ID_IN_LINK = 256;

type Side = 'input' | 'output' | 'refund';

type ReadLeg = (side: Side, stated: unknown) => ReturnType<typeof legOf>;

/** What came back, if the order states it: as `refund`, or as an output on the source network with a transaction of its own. */
function refundOf(order: PlainObject, leg: ReadLeg) {
	const stated = field(order, 'refund');
	const isStated = ['txHash', 'amount'].some((name) => !isZeros(field(stated, name)));
	if (isStated) return leg('refund', stated);
	const output = field(order, 'output');
	const [sourceChain, chain] = [field(order, 'input'), output].map(idOf);
	const isBack = chain === sourceChain || isZeros(chain);
	if (isBack && !isZeros(field(output, 'txHash'))) return leg('refund', output);
	return isPlainObject(stated) ? leg('refund', stated) : null;
}

/** A side of an order as an item shows it. `isInSmallestUnit`: whether the amounts of the order are in the smallest unit; otherwise it has none. */
function legOf(side: Side, stated: unknown, display: Display, isInSmallestUnit: boolean) {
	const txHash = setOrNull(field(stated, 'txHash'));
	const address = setOrNull(field(stated, 'address'));
	const isZero = isZeros(field(stated, 'amount'));
	// Nobody sends or refunds zero. Only if a transaction has brought it, zero is what has arrived.
	const isAmount = !isZero || (side === 'output' && txHash !== null);
	const isUnset = isZero && txHash === null && address === null;
	const chain = idOf(stated);
	const isNowhere = isZeros(chain) && networksWithId(display.networks, chain).length === 0;
	const known = {
		...(isPlainObject(stated) ? stated : {}),
		...(isInSmallestUnit && isAmount ? {} : { amount: null }),
		// Zeros stand for the native token if the side has an amount, a wallet or a transaction, and otherwise for nothing.
		...(isUnset && isZeros(field(stated, 'token')) ? { token: null } : {}),
		...(isNowhere ? { chainId: null, chainID: null } : {}),
	};
	const shown = tokenOf(known, display);
	return {
		...shown,
		address,
		txHash,
		txUrl: transactionUrl(display, shown.chainId, txHash),
		time: isoTimeOrNull(field(stated, 'timestamp')),
	};
}

/** The fields as an item names them, such as `inputAmount`. */
export function withSide(side: Side, leg: object): IDataObject {
	return Object.fromEntries(
		Object.entries(leg).map(([name, value]) => [
			`${side}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
			value,
		]),
	);
}

/** Text with all its digits; null for zeros, which stand for nothing. */
function setOrNull(value: unknown): string | null {
	return isZeros(value) ? null : exactTextOrNull(value);
}

/** The time of completion; null for one that is yet to come, which is an estimate or a limit. */
function finishedAtMs(order: PlainObject, now: number): number | null {
	const completed = completedAtMs(order);
	return completed !== null && completed <= now + CLOCKS_DIFFER_MS ? completed : null;
}

/** Milliseconds since 1970 as a number are larger; the interface shows Unix seconds. */
const MAX_SECONDS = 1e11;

/**
 * Seconds between createdAt and completedAt, or as stated if no time is stated in another unit and the order is that old: the interface shows
 * no unit.
 */
function durationOf(order: PlainObject, now: number): number | null {
	const [created, completed] = [createdAtMs(order), finishedAtMs(order, now)];
	if (created !== null && completed !== null && completed >= created)
		return (completed - created) / 1000;
	const timing = field(order, 'timing');
	const stated = numberOrNull(field(timing, 'duration'));
	const isInSeconds = ['createdAt', 'completedAt', 'expiry'].every(
		(name) => (numberOrNull(field(timing, name)) ?? 0) < MAX_SECONDS,
	);
	const isTooLong = created !== null && 1000 * (stated ?? 0) > now - created + CLOCKS_DIFFER_MS;
	// A zero without a time of completion stands for nothing.
	const isNothing = stated === 0 && completed === null;
	return !isInSeconds || isTooLong || isNothing ? null : stated;
}
