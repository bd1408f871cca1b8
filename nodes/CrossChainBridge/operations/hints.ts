import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { isFinalStatus, statusOf } from '../orders/orders';
import { quoteExpiryMs } from '../orders/quotes';
import { epochMsOrNull, field, isPlainObject, type PlainObject } from '../orders/values';

/** The service may refund an order that is pending for longer. */
const LONG_OPEN_MS = 5 * 60_000;

/** A quote that is valid for longer needs no reminder. */
const SOON_MS = 10 * 60_000;

/**
 * What the user should know about a run's items beyond what they say: shown above the output in the editor. n8n shows hints as
 * HTML, so nothing that came from the service stands in them. Pure; `nowMs` is Unix time.
 */
export function hintsOf(
	operation: unknown,
	outputs: INodeExecutionData[][],
	nowMs: number,
): NodeExecutionHint[] {
	const items = outputs.flat().map(({ json }) => json);
	const hint = hintFor(operation, items, nowMs);
	return hint === null ? [] : [{ location: 'outputPane', ...hint }];
}

type Hint = Pick<NodeExecutionHint, 'type' | 'message'> | null;

function hintFor(operation: unknown, items: PlainObject[], nowMs: number): Hint {
	switch (operation) {
		case 'getQuote':
			return quoteHint(items, nowMs);
		case 'getStatus':
		case 'waitForCompletion':
			return openOrderHint(items, nowMs);
		default:
			return null;
	}
}

function quoteHint(quotes: PlainObject[], nowMs: number): Hint {
	const expiries = quotes.map(quoteExpiryMs).filter((expiry) => expiry !== null);
	const expired = expiries.filter((expiry) => expiry <= nowMs).length;
	if (expired > 0) {
		const message =
			quotes.length === 1
				? 'This quote has expired.'
				: `${expired} of these ${quotes.length} quotes ${expired === 1 ? 'has' : 'have'} expired.`;
		return {
			type: 'warning',
			message: `${message} Get a new one before you submit its transaction.`,
		};
	}
	const first = Math.min(...expiries);
	if (first - nowMs > SOON_MS) return null;
	const time = `${new Date(first).toISOString().slice(11, 19)} UTC`;
	const message =
		quotes.length === 1
			? `This quote expires at ${time}.`
			: `The first of these quotes expires at ${time}.`;
	return {
		type: 'info',
		message: `${message} Submit its transaction before that, or get a new one.`,
	};
}

function openOrderHint(items: PlainObject[], nowMs: number): Hint {
	const count = items.filter((item) => isLongOpen(item, nowMs)).length;
	if (count === 0) return null;
	const message =
		count === 1
			? 'An order has been open for more than 5 minutes.'
			: `${count} orders have been open for more than 5 minutes.`;
	return {
		type: 'warning',
		message: `${message} An order that stays pending for so long may be refunded. Check again later, or use the Cross-Chain Bridge Trigger to be notified.`,
	};
}

/** Of a simplified order, of one as the service gave it, and of one inside of an item. */
function isLongOpen(item: PlainObject, nowMs: number): boolean {
	const inner = field(item, 'order');
	const order = isPlainObject(inner) ? inner : item;
	const createdAt = epochMsOrNull(
		field(item, 'createdAt') ?? field(field(order, 'timing'), 'createdAt'),
	);
	return createdAt !== null && nowMs - createdAt > LONG_OPEN_MS && !isFinalStatus(statusOf(order));
}
