import type { IDataObject } from 'n8n-workflow';

import { decimalsOrNull, toReadable } from './amounts';
import {
	decimalsOf,
	type Display,
	type KnownDecimals,
	legAmount,
	networkName,
	tokenSymbol,
} from './display';
import { NATIVE_ADDRESS } from './networks';
import { withSide } from './orderItem';
import {
	amountText,
	durationWords,
	networkWords,
	optional,
	routeText,
	type SummaryLeg,
} from './summary';
import {
	digitsOrNull,
	epochMsOrNull,
	exactTextOrNull,
	field,
	idOrNull,
	isoTimeOrNull,
	type PlainObject,
	textOrNull,
} from './values';

/** The publicly documented query parameters, with the editor's names for error messages. */
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
} as const;

/** Whether the query parameter is publicly documented; any other one may name a token. */
export function isDocumented(parameter: string): boolean {
	return Object.hasOwn(QUOTE_LABELS, parameter);
}

/** A quote with its query parameters, since it does not repeat networks and wallets. */
export interface QuoteSource {
	quote: PlainObject;
	asked: IDataObject;
}

/** The decimals that the quote states for the token to bridge. */
export function statedInputDecimals(quote: PlainObject): number | null {
	return decimalsOrNull(field(stated(quote, 'tokenIn'), 'decimals'));
}

/** When a quote or an item made of it expires, in milliseconds since 1970. */
export function quoteExpiryMs(quote: PlainObject): number | null {
	return epochMsOrNull(field(quote, 'expiresAt') ?? stated(quote, 'expiry'));
}

/** A quote as an item: in ten fields made for a notification, the most used first, and in full. `now` is in milliseconds since 1970. */
export function quoteItem({ quote, asked }: QuoteSource, display: Display, now: number) {
	const tokenIn = stated(quote, 'tokenIn');
	const tokenOut = stated(quote, 'tokenOut');
	const amountIn = digitsOrNull(field(tokenIn, 'amount'));
	// The amount that was asked for, where the quote does not repeat it.
	const sent = amountIn ?? digitsOrNull(asked.inputTokenAmount);
	const { leg: input, known: knownIn } = sideOf('input', tokenIn, asked, display, sent);
	// An amount that is no digits shows that this service counts in another unit.
	const isDigits = amountIn !== null || (field(tokenIn, 'amount') ?? null) === null;
	const received = digitsOrNull(field(tokenOut, 'amount'));
	const { leg: output, known } = sideOf('output', tokenOut, asked, display, received, isDigits);
	const minAmount = legAmount(
		digitsOrNull(field(tokenOut, 'minAmount')),
		output.amountReadable === null ? null : known,
	);
	const fees = feesOf(stated(quote, 'fees'), input, knownIn);
	const expiry = stated(quote, 'expiry');
	const balance = stated(quote, 'balanceCheck');
	const isSufficient = field(balance, 'sufficient') ?? balance;
	const transactions = stated(quote, 'transactions') ?? stated(quote, 'transaction');
	const said = {
		sent: amountText(input),
		received: amountText(output),
		receivedAtLeast: amountText({ ...output, ...minAmount }),
		fees: feeText(fees, input),
		route: routeText(input, output),
		expiresAt: isoTimeOrNull(expiry),
		quoteId: exactTextOrNull(stated(quote, 'quoteId')),
		balanceSufficient: typeof isSufficient === 'boolean' ? isSufficient : null,
		transactions: Array.isArray(transactions) ? (transactions as IDataObject[]) : null,
	};
	const simple = {
		summary: quoteSummary(said, input, output, epochMsOrNull(expiry), now),
		...said,
	};
	const full: typeof simple & IDataObject = {
		...simple,
		...withSide('input', input),
		...withSide('output', output),
		outputMinAmount: minAmount.amount,
		outputMinAmountReadable: minAmount.amountReadable,
		...fees,
		priceImpact: numberText(stated(quote, 'priceImpact')),
		quote: quote as IDataObject,
	};
	return { simple, full };
}

/** A field of the quote; the interface shows no shape, and an older public one has its fields inside of `quote` or `data`. */
function stated(quote: PlainObject, key: string): unknown {
	const places = [quote, field(quote, 'quote'), field(quote, 'data')];
	return places.map((place) => field(place, key) ?? null).find((value) => value !== null) ?? null;
}

const WALLETS = { input: 'sourceAddress', output: 'destinationAddress' } as const;

/** One side; a token without an address is the native one only where nothing can mean another. */
function sideOf(
	side: 'input' | 'output',
	token: unknown,
	asked: IDataObject,
	display: Display,
	amount: string | null,
	isReadable = true,
) {
	const id = idOrNull(asked[`${side}Network`]);
	// A number, as an order shows it, also where digits were asked for.
	const chainId = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id;
	const contract = asked[`${side}TokenContract`];
	const address = exactTextOrNull(field(token, 'address')) ?? exactTextOrNull(contract);
	const symbol = textOrNull(field(token, 'symbol'));
	const isNative =
		address === null &&
		Object.keys(asked).every(isDocumented) &&
		(contract ?? '') === '' &&
		(symbol === null || symbol === tokenSymbol(display, chainId, NATIVE_ADDRESS));
	const meant = isNative ? NATIVE_ADDRESS : address;
	const stating = { chainId, token: meant, decimals: field(token, 'decimals') };
	const known = isReadable ? decimalsOf(stating, display) : null;
	const leg = {
		chainId,
		network: networkName(display, chainId),
		token: address,
		tokenSymbol: symbol ?? tokenSymbol(display, chainId, meant),
		...legAmount(amount, known),
		amountUsd: numberText(field(token, 'amountUSD')),
		address: exactTextOrNull(asked[WALLETS[side]]),
	};
	return { leg, known };
}

/** The fees as stated, with a readable total where it can be an amount of the token to bridge. */
function feesOf(fees: unknown, sent: SummaryLeg, known: KnownDecimals | null) {
	const feeTotal = numberText(field(fees, 'total'));
	const feePercentage = numberText(field(fees, 'percentage'));
	const total = digitsOrNull(feeTotal);
	const isOfSent = total !== null && isShareOf(total, sent.amount, feePercentage);
	return {
		feeTotal,
		feeTotalReadable: isOfSent && known !== null ? toReadable(total, known.decimals) : null,
		feePercentage,
		feePlatform: numberText(field(fees, 'platform')),
		feeBuilder: numberText(field(fees, 'builder')),
		feeSolverIncentive: numberText(field(fees, 'solverIncentive')),
	};
}

const MAX_AMOUNT = 100;

/** Whether the fees are about the stated percentage of the amount, since no document gives their unit. */
function isShareOf(total: string, amount: string | null, percentage: string | null): boolean {
	if (amount === null || amount.length > MAX_AMOUNT || total.length > MAX_AMOUNT) return false;
	if (BigInt(total) > BigInt(amount)) return false;
	if (percentage === null || BigInt(amount) === 0n) return true;
	const share = Number((BigInt(total) * 1_000_000_000n) / BigInt(amount)) / 10_000_000;
	const difference = Math.abs(share - Number(percentage));
	const [, decimals = ''] = percentage.split('.');
	const rounding = Math.min(0.01, 0.5 / 10 ** decimals.length);
	return difference <= rounding + 0.1 * Number(percentage);
}

function feeText(
	{ feeTotalReadable, feePercentage }: ReturnType<typeof feesOf>,
	sent: SummaryLeg,
): string | null {
	if (feeTotalReadable !== null) return amountText({ ...sent, amountReadable: feeTotalReadable });
	return feePercentage !== null && /^\d{1,3}(\.\d{1,6})?$/.test(feePercentage)
		? `${feePercentage} %`
		: null;
}

/** A share or a value in dollars, which may come as text or as a number. */
function numberText(value: unknown): string | null {
	return typeof value === 'number' && Number.isFinite(value) ? String(value) : textOrNull(value);
}

interface SummaryWords {
	sent: string | null;
	received: string | null;
	fees: string | null;
	balanceSufficient: boolean | null;
}

/** "0.5 ETH on Ethereum gives about 0.49925 ETH on Base; fees 0.00075 ETH; valid for 25 s", without what is not known. */
function quoteSummary(
	{ sent, received, fees, balanceSufficient }: SummaryWords,
	input: SummaryLeg,
	output: SummaryLeg,
	expiresAt: number | null,
	now: number,
): string {
	const [from, to] = [networkWords(input), networkWords(output)];
	const exchange =
		sent !== null && received !== null
			? `${sent}${optional(' on ', from)} gives about ${received}${optional(' on ', to)}`
			: `A quote${optional(' for ', sent)}${optional(' from ', from)}${optional(' to ', to)}`;
	const parts = [exchange];
	if (fees !== null) parts.push(`fees ${fees}`);
	if (expiresAt !== null)
		parts.push(
			expiresAt <= now ? 'expired' : `valid for ${durationWords((expiresAt - now) / 1000)}`,
		);
	if (balanceSufficient === false) parts.push("the sender's balance is too low");
	return parts.join('; ');
}
