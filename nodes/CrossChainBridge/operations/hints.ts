import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { epochMsOrNull, type PlainObject } from '../orders/values';

/** A quote that is valid for longer needs no reminder. */
const EXPIRES_SOON_MS = 10 * 60_000;

type Hint = Pick<NodeExecutionHint, 'type' | 'message'>;

const DECIMALS_HINT: Hint = {
	type: 'info',
	message:
		"The bridge does not state the decimals of a token, so its amount is shown in the smallest unit. To see it in token units, add the option 'Token Decimals'.",
};

/** Hints above the output, without text of the service, since the editor shows HTML. */
export function hintsOf(
	operation: unknown,
	outputs: INodeExecutionData[][],
	hasRawAmount: boolean,
	nowMs: number,
): NodeExecutionHint[] {
	const items = outputs.flat().map(({ json }) => json);
	const expiry = operation === 'getQuote' ? expiryHint(items, nowMs) : null;
	const hint = expiry ?? (hasRawAmount ? DECIMALS_HINT : null);
	return hint === null ? [] : [{ location: 'outputPane', ...hint }];
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
