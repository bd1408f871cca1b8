import type { QuoteParameter } from '../orders/quotes';

/** The editor's names of the service's query parameters, for error messages. */
export const QUOTE_LABELS = {
	inputNetwork: 'From Network',
	outputNetwork: 'To Network',
	inputTokenContract: 'From Token',
	outputTokenContract: 'To Token',
	inputTokenAmount: 'Amount',
	sourceAddress: 'Sender',
	destinationAddress: 'Recipient',
	slippage: 'Slippage',
	showBridgeData: 'Show Bridge Data',
} as const satisfies Record<QuoteParameter, string>;
