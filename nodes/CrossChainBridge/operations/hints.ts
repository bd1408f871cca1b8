import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { quoteExpiryMs } from '../orders/quotes';
import { field, type PlainObject } from '../orders/values';

/** A quote that is valid for longer needs no reminder. */
const SOON_MS = 10 * 60_000;

/** Hints above the output in the editor; n8n shows them as HTML, so nothing that came from the service stands in them. */
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
			return quoteHint(items, nowMs) ?? decimalsHint(items);
		case 'getStatus':
		case 'waitForCompletion':
			return decimalsHint(items);
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

/** Token amounts that nobody can read, where the user can make them readable. */
function decimalsHint(items: PlainObject[]): Hint {
	const isRaw = (name: string) => (item: PlainObject) =>
		/^\d+ smallest units?\b/.test(String(field(item, name)));
	if (!['sent', 'received'].some((name) => items.some(isRaw(name)))) return null;
	return {
		type: 'info',
		message:
			"The bridge does not state the decimals of a token, so its amount is shown in the smallest unit. To see it in token units, add the option 'Token Decimals'.",
	};
}
