import { decimalsOf, type KnownDecimals } from './decimals';
import { type OrderReading, tokenSymbol } from './orderReading';
import { exactTextOrNull, field, textOrNull } from './values';

/** Which token one side of a quote is about. Pure. */

/** How the token was asked for. */
export interface AskedToken {
	/** The documented query parameter that names it. */
	token: unknown;
	/** Whether all parameters of the question are documented. */
	isDocumented: boolean;
}

export interface QuotedToken {
	/** As the quote or the question names it. */
	address: string | null;
	symbol: string | null;
	decimals: KnownDecimals | null;
}

/** Asked without a token's address, the service takes the native token. */
const NATIVE = `0x${'0'.repeat(40)}`;

/** The query parameters that are publicly documented. Any other one may name a token. */
const QUOTE_PARAMETERS = [
	'inputNetwork',
	'outputNetwork',
	'inputTokenAmount',
	'sourceAddress',
	'destinationAddress',
	'inputTokenContract',
	'outputTokenContract',
	'slippage',
	'showBridgeData',
] as const;

export type QuoteParameter = (typeof QUOTE_PARAMETERS)[number];

const DOCUMENTED: ReadonlySet<string> = new Set(QUOTE_PARAMETERS);

export function areDocumented(parameters: string[]): boolean {
	return parameters.every((name) => DOCUMENTED.has(name));
}

export function quotedToken(
	token: unknown,
	asked: AskedToken & { chainId: number | string | null },
	reading: OrderReading,
): QuotedToken {
	const { chainId } = asked;
	const address = exactTextOrNull(field(token, 'address')) ?? exactTextOrNull(asked.token);
	const stated = textOrNull(field(token, 'symbol'));
	const isNative =
		address === null && isNativeLeftOut(asked, stated, tokenSymbol(reading, chainId, NATIVE));
	const meant = isNative ? NATIVE : address;
	return {
		address,
		symbol: stated ?? tokenSymbol(reading, chainId, meant),
		decimals: decimalsOf({ chainId, token: meant, decimals: field(token, 'decimals') }, reading),
	};
}

/** Whether a token without an address is the native one: only where neither question nor answer can mean another. */
function isNativeLeftOut(
	{ token, isDocumented }: AskedToken,
	stated: string | null,
	ofNative: string | null,
): boolean {
	return isDocumented && (token ?? '') === '' && (stated === null || stated === ofNative);
}
