import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { epochMsOrNull } from '../orders/values';

/** A quote that is valid for longer needs no reminder. */
const EXPIRES_SOON_MS = 10 * 60_000;

/** Hints above the output, without text of the service, since the editor shows HTML; a quote's expiry comes before raw amounts. */
export function hintsOf(
	operation: unknown,
	outputs: INodeExecutionData[][],
	rawAmountHint: string | null,
	nowMs: number,
): NodeExecutionHint[] {
	const hint = (type: NodeExecutionHint['type'], message: string): NodeExecutionHint[] => [
		{ type, location: 'outputPane', message },
	];
	const quotes = operation === 'getQuote' ? outputs.flat() : [];
	const first = Math.min(...quotes.map(({ json }) => epochMsOrNull(json.expiresAt) ?? Infinity));
	if (first <= nowMs)
		return hint('warning', 'A quote has expired. Get a new one before you submit its transaction.');
	if (first - nowMs <= EXPIRES_SOON_MS) {
		const time = `${new Date(first).toISOString().slice(11, 19)} UTC`;
		return hint(
			'info',
			`A quote expires at ${time}. Submit its transaction before that, or get a new one.`,
		);
	}
	return rawAmountHint === null ? [] : hint('info', rawAmountHint);
}
