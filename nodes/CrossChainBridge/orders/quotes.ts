import type { IDataObject } from 'n8n-workflow';

import { decimalsOrNull, toReadable } from './amounts';
import type { DecimalsSource, KnownDecimals } from './decimals';
import { networkName, type OrderReading } from './orderReading';
import { assetWords, durationWords, networkWords, optional, type SummaryLeg } from './orderSummary';
import { areDocumented, type AskedToken, quotedToken } from './quotedToken';
import {
	digitsOrNull,
	epochMsOrNull,
	exactTextOrNull,
	field,
	idOrNull,
	isoTimeOrNull,
	isPlainObject,
	type PlainObject,
	textOrNull,
} from './values';

/**
 * A quote's fields are not shown by the service's interface. Two shapes are publicly known: one with `tokenIn`, `tokenOut`,
 * `fees` and `expiry` side by side, and an older one that has such fields inside of `quote` or `data`. Pure.
 */

/** One flat item made for a notification or a table row. Whatever is not known is null. */
export interface SimpleQuote extends IDataObject {
	/** The quote in one sentence of plain text; first, since a table shows only the first columns. */
	summary: string;
	expiresAt: string | null;
	/** As the service gave them. */
	transactions: IDataObject[] | null;
}

/** What a quote is read with: the query parameters that it answers, names and decimals, and the present time (Unix ms). */
export interface QuoteReading {
	asked: IDataObject;
	reading: OrderReading;
	nowMs: number;
}

interface QuoteLeg extends SummaryLeg {
	decimalsFrom: DecimalsSource | null;
	amountUsd: string | null;
	address: string | null;
}

/** The decimals of the token to bridge, where the quote states them; else null. */
export function statedInputDecimals(quote: PlainObject): number | null {
	return decimalsOrNull(field(stated(quote, 'tokenIn'), 'decimals'));
}

/** When the quote expires, in milliseconds since 1970, of a quote in either shape or of a simplified one; null if it does not say. */
export function quoteExpiryMs(quote: PlainObject): number | null {
	return epochMsOrNull(field(quote, 'expiresAt') ?? stated(quote, 'expiry'));
}

/**
 * The quote as one flat item: amounts as text in the token's smallest unit, and in token units where the decimals are known.
 * Names and sides are those that were asked for, since a quote does not repeat them.
 */
export function simplifyQuote(
	quote: PlainObject,
	{ asked, reading, nowMs }: QuoteReading,
): SimpleQuote {
	const tokenIn = stated(quote, 'tokenIn');
	const tokenOut = stated(quote, 'tokenOut');
	const isDocumented = areDocumented(Object.keys(asked));
	const input = legOf(
		tokenIn,
		{
			chainId: asked.inputNetwork,
			token: asked.inputTokenContract,
			address: asked.sourceAddress,
			isDocumented,
		},
		reading,
	);
	const output = legOf(
		tokenOut,
		{
			chainId: asked.outputNetwork,
			token: asked.outputTokenContract,
			address: asked.destinationAddress,
			isDocumented,
		},
		reading,
	);
	// What was asked for is what the quote is for, also where it does not repeat the amount.
	const inputAmount = input.leg.amount ?? digitsOrNull(asked.inputTokenAmount);
	const sent: QuoteLeg = {
		...input.leg,
		amount: inputAmount,
		...readable(inputAmount, input.decimals),
	};
	// An amount that is no digits shows that this service counts in another unit, which would be a guess for the others, too.
	const received: QuoteLeg = isInSmallestUnit(tokenIn)
		? output.leg
		: { ...output.leg, amountReadable: null, decimalsFrom: null };
	const minAmount = digitsOrNull(field(tokenOut, 'minAmount'));
	const fees = feesOf(stated(quote, 'fees'), sent, input.decimals);
	const expiry = stated(quote, 'expiry');
	const isSufficient =
		field(stated(quote, 'balanceCheck'), 'sufficient') ?? stated(quote, 'balanceCheck');
	const balanceSufficient = typeof isSufficient === 'boolean' ? isSufficient : null;
	const transactions = stated(quote, 'transactions') ?? stated(quote, 'transaction');
	return {
		summary: summaryOf({
			sent,
			received,
			fees,
			balanceSufficient,
			validMs: remainingMs(expiry, nowMs),
		}),
		expiresAt: isoTimeOrNull(expiry),
		...named('input', sent),
		...named('output', received),
		outputMinAmount: minAmount,
		outputMinAmountReadable:
			received.amountReadable === null ? null : readable(minAmount, output.decimals).amountReadable,
		...fees,
		priceImpact: textOf(stated(quote, 'priceImpact')),
		balanceSufficient,
		quoteId: exactTextOrNull(stated(quote, 'quoteId')),
		transactions: Array.isArray(transactions) ? (transactions as IDataObject[]) : null,
	};
}

/** The quote's own field, wherever its shape has it. */
function stated(quote: PlainObject, key: string): unknown {
	const places = [quote, field(quote, 'quote'), field(quote, 'data')].filter(isPlainObject);
	return (
		places
			.map((place) => field(place, key))
			.find((value) => value !== undefined && value !== null) ?? null
	);
}

function isInSmallestUnit(token: unknown): boolean {
	const amount = field(token, 'amount') ?? null;
	return amount === null || digitsOrNull(amount) !== null;
}

interface AskedSide extends AskedToken {
	chainId: unknown;
	address: unknown;
}

function legOf(
	token: unknown,
	asked: AskedSide,
	reading: OrderReading,
): { leg: QuoteLeg; decimals: KnownDecimals | null } {
	const chainId = chainIdOf(asked.chainId);
	const { address, symbol, decimals } = quotedToken(token, { ...asked, chainId }, reading);
	const amount = digitsOrNull(field(token, 'amount'));
	const leg: QuoteLeg = {
		chainId,
		network: networkName(reading, chainId),
		token: address,
		tokenSymbol: symbol,
		amount,
		...readable(amount, decimals),
		amountUsd: textOf(field(token, 'amountUSD')),
		address: exactTextOrNull(asked.address),
	};
	return { leg, decimals };
}

/** A network's ID as an order shows it: a number, also where it was asked for as digits. */
function chainIdOf(asked: unknown): number | string | null {
	const id = idOrNull(asked);
	return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id;
}

function readable(
	amount: string | null,
	known: KnownDecimals | null,
): Pick<QuoteLeg, 'amountReadable' | 'decimalsFrom'> {
	const amountReadable =
		amount === null || known === null ? null : toReadable(amount, known.decimals);
	return {
		amountReadable,
		decimalsFrom: amountReadable === null || known === null ? null : known.from,
	};
}

function named(side: 'input' | 'output', leg: QuoteLeg): IDataObject {
	return Object.fromEntries(
		Object.entries(leg).map(([name, value]) => [
			`${side}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
			value,
		]),
	);
}

interface QuoteFees extends IDataObject {
	feeTotal: string | null;
	feeTotalReadable: string | null;
	feePercentage: string | null;
}

/** The fees as the service states them, and their total in units of the token to bridge, where it can be an amount of that token. */
function feesOf(fees: unknown, sent: QuoteLeg, decimals: KnownDecimals | null): QuoteFees {
	const feeTotal = textOf(field(fees, 'total'));
	const feePercentage = textOf(field(fees, 'percentage'));
	const total = digitsOrNull(feeTotal);
	const isOfSent = total !== null && isShareOf(total, sent.amount, feePercentage);
	return {
		feeTotal,
		feeTotalReadable: isOfSent && decimals !== null ? toReadable(total, decimals.decimals) : null,
		feePercentage,
		feePlatform: textOf(field(fees, 'platform')),
		feeBuilder: textOf(field(fees, 'builder')),
		feeSolverIncentive: textOf(field(fees, 'solverIncentive')),
	};
}

const LONGEST_AMOUNT = 100;

/**
 * Whether the fees can be an amount of the token to bridge, in its smallest unit, which no document says: not more than what
 * is bridged, and about the stated percentage of it.
 */
function isShareOf(total: string, amount: string | null, percentage: string | null): boolean {
	if (amount === null || amount.length > LONGEST_AMOUNT || total.length > LONGEST_AMOUNT)
		return false;
	if (BigInt(total) > BigInt(amount)) return false;
	if (percentage === null || BigInt(amount) === 0n) return true;
	const share = Number((BigInt(total) * 1_000_000_000n) / BigInt(amount)) / 10_000_000;
	const difference = Math.abs(share - Number(percentage));
	return difference <= 0.01 + 0.1 * Number(percentage);
}

/** Text, or a number written out: a share or a value in dollars may come as either. */
function textOf(value: unknown): string | null {
	return typeof value === 'number' && Number.isFinite(value) ? String(value) : textOrNull(value);
}

function remainingMs(expiry: unknown, nowMs: number): number | null {
	const expiryMs = epochMsOrNull(expiry);
	return expiryMs === null ? null : expiryMs - nowMs;
}

interface SummarySource {
	sent: QuoteLeg;
	received: QuoteLeg;
	fees: QuoteFees;
	balanceSufficient: boolean | null;
	validMs: number | null;
}

/** "0.5 ETH on Ethereum gives about 0.49925 ETH on Base; fees 0.00075 ETH; valid for 25 s". What is not known is left out. */
function summaryOf({ sent, received, fees, balanceSufficient, validMs }: SummarySource): string {
	const parts = [exchangeWords(sent, received), feeWords(sent, fees), validityWords(validMs)];
	if (balanceSufficient === false) parts.push("the sender's balance is too low");
	return parts.filter((part) => part !== null).join('; ');
}

function exchangeWords(sent: QuoteLeg, received: QuoteLeg): string {
	const input = sent.amount === null ? null : assetWords(sent, 'start');
	const output = received.amount === null ? null : assetWords(received, 'inside');
	if (input !== null && output !== null) {
		return `${input}${optional(' on ', networkWords(sent))} gives about ${output}${optional(' on ', networkWords(received))}`;
	}
	const asset = sent.amount === null ? null : assetWords(sent, 'inside');
	return `A quote${optional(' for ', asset)}${optional(' from ', networkWords(sent))}${optional(' to ', networkWords(received))}`;
}

function feeWords(
	sent: QuoteLeg,
	{ feeTotal, feeTotalReadable, feePercentage }: QuoteFees,
): string | null {
	if (feeTotalReadable !== null)
		return optional(
			'fees ',
			assetWords({ ...sent, amount: feeTotal, amountReadable: feeTotalReadable }, 'inside'),
		);
	return feePercentage !== null && /^\d{1,3}(\.\d{1,6})?$/.test(feePercentage)
		? `fees ${feePercentage} %`
		: null;
}

function validityWords(validMs: number | null): string | null {
	if (validMs === null) return null;
	return validMs <= 0 ? 'expired' : `valid for ${durationWords(validMs / 1000)}`;
}
