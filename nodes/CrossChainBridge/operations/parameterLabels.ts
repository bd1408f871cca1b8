import type { QuoteParameter } from '../orders/quotes';

/** What the service's query parameters are called in the editor; error messages use these names. */

export const CONFIG_LABELS = { chainID: 'Network' } as const;

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
