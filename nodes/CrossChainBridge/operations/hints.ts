import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { epochMsOrNull, type PlainObject } from '../orders/values';

/** A quote that is valid for longer needs no reminder. */
const EXPIRES_SOON_MS = 10 * 60_000;

type Hint = Pick<NodeExecutionHint, 'type' | 'message'>;

/** By what is missing. */
export const RAW_AMOUNT_HINTS = {
	decimals:
		"The bridge does not state the decimals of a token, so its amount is shown in the smallest unit. To see it in token units, add the option 'Token Decimals'.",
	configuration:
		"The bridge's configuration was not available in time, so amounts are shown in the smallest unit. Run this node again to see them in token units.",
};

/** Hints above the output, without text of the service, since the editor shows HTML. */
export function hintsOf(
	operation: unknown,
	outputs: INodeExecutionData[][],
	missing: keyof typeof RAW_AMOUNT_HINTS | null,
	nowMs: number,
): NodeExecutionHint[] {
	const items = outputs.flat().map(({ json }) => json);
	const expiry = operation === 'getQuote' ? expiryHint(items, nowMs) : null;
	if (expiry !== null) return [{ location: 'outputPane', ...expiry }];
	if (missing === null) return [];
	return [{ location: 'outputPane', type: 'info', message: RAW_AMOUNT_HINTS[missing] }];
}

function expiryHint(quotes: PlainObject[], nowMs: number): Hint | null {
	const expiries = quotes
		.map(({ expiresAt }) => epochMsOrNull(expiresAt))
		.filter((expiry) => expiry !== null);
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
	if (first - nowMs > EXPIRES_SOON_MS) return null;
	const time = `${new Date(first).toISOString().slice(11, 19)} UTC`;
	const subject = quotes.length === 1 ? 'This quote' : 'The first of these quotes';
	return {
		type: 'info',
		message: `${subject} expires at ${time}. Submit its transaction before that, or get a new one.`,
	};
}
