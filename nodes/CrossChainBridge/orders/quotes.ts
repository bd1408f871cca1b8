import type { IDataObject } from 'n8n-workflow';

import { decimalsOrNull, toReadable } from './amounts';
import {
	decimalsOf,
	type Display,
	type KnownDecimals,
	legAmount,
	type LegAmount,
	networkName,
	tokenSymbol,
} from './display';
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

/**
 * A quote's fields are not shown by the service's interface. Two shapes are publicly known: one with `tokenIn`, `tokenOut`,
 * `fees` and `expiry` side by side, and an older one that has such fields inside of `quote` or `data`. Pure.
 */

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

/** A quote to be shown, and the query parameters that it answers, since a quote does not repeat networks and wallets. */
export interface QuoteSource {
	quote: PlainObject;
	asked: IDataObject;
}

/** A quote in ten fields made for a notification or a table row, the most used first. Whatever is not known is null. */
interface SimpleQuote extends IDataObject {
	/** The quote in one sentence of plain text. */
	summary: string;
	sent: string | null;
	received: string | null;
	receivedAtLeast: string | null;
	fees: string | null;
	route: string | null;
	expiresAt: string | null;
	quoteId: string | null;
	balanceSufficient: boolean | null;
	/** As the service gave them. */
	transactions: IDataObject[] | null;
}

/** One side of the quote; in the item each name has `input` or `output` in front. */
interface Leg extends SummaryLeg, LegAmount {
	amountUsd: string | null;
	address: string | null;
}

/** The decimals of the token to bridge, where the quote states them; else null. */
export function statedInputDecimals(quote: PlainObject): number | null {
	return decimalsOrNull(field(stated(quote, 'tokenIn'), 'decimals'));
}

/** When the quote expires, in milliseconds since 1970, of a quote in either shape or of an item; null if it does not say. */
export function quoteExpiryMs(quote: PlainObject): number | null {
	return epochMsOrNull(field(quote, 'expiresAt') ?? stated(quote, 'expiry'));
}

/** The ten fields. `now` is in milliseconds since 1970. */
export function simpleQuote(source: QuoteSource, display: Display, now: number): SimpleQuote {
	return read(source, display, now).simple;
}

/** The ten fields, then everything else that is known, flat and readable, and the quote as the service gave it. */
export function fullQuote(source: QuoteSource, display: Display, now: number): SimpleQuote {
	const { simple, details } = read(source, display, now);
	return { ...simple, ...details, quote: source.quote as IDataObject };
}

function read(
	{ quote, asked }: QuoteSource,
	display: Display,
	now: number,
): { simple: SimpleQuote; details: IDataObject } {
	const tokenIn = stated(quote, 'tokenIn');
	const tokenOut = stated(quote, 'tokenOut');
	const input = legOf(tokenIn, asked, 'input', display);
	const output = legOf(tokenOut, asked, 'output', display);
	// What was asked for is what the quote is for, also where it does not repeat the amount.
	const sentAmount = input.leg.amount ?? digitsOrNull(asked.inputTokenAmount);
	const sent: Leg = { ...input.leg, ...legAmount(sentAmount, input.known) };
	// An amount that is no digits shows that this service counts in another unit, which would be a guess for the others, too.
	const known = isInSmallestUnit(tokenIn) ? output.known : null;
	const received: Leg = { ...output.leg, ...legAmount(output.leg.amount, known) };
	const minAmount = legAmount(
		digitsOrNull(field(tokenOut, 'minAmount')),
		received.amountReadable === null ? null : known,
	);
	const fees = feesOf(stated(quote, 'fees'), sent, input.known);
	const expiry = stated(quote, 'expiry');
	const balance = stated(quote, 'balanceCheck');
	const isSufficient = field(balance, 'sufficient') ?? balance;
	const transactions = stated(quote, 'transactions') ?? stated(quote, 'transaction');
	const simple: SimpleQuote = {
		summary: '',
		sent: amountText(sent),
		received: amountText(received),
		receivedAtLeast: amountText({ ...received, ...minAmount }),
		fees: feeText(fees, sent),
		route: routeText(sent, received),
		expiresAt: isoTimeOrNull(expiry),
		quoteId: exactTextOrNull(stated(quote, 'quoteId')),
		balanceSufficient: typeof isSufficient === 'boolean' ? isSufficient : null,
		transactions: Array.isArray(transactions) ? (transactions as IDataObject[]) : null,
	};
	return {
		simple: { ...simple, summary: summaryOf(simple, sent, received, epochMsOrNull(expiry), now) },
		details: {
			...withSide('input', sent),
			...withSide('output', received),
			outputMinAmount: minAmount.amount,
			outputMinAmountReadable: minAmount.amountReadable,
			...fees,
			priceImpact: numberText(stated(quote, 'priceImpact')),
		},
	};
}

/** The quote's own field, wherever its shape has it. */
function stated(quote: PlainObject, key: string): unknown {
	const places = [quote, field(quote, 'quote'), field(quote, 'data')];
	return places.map((place) => field(place, key) ?? null).find((value) => value !== null) ?? null;
}

function isInSmallestUnit(token: unknown): boolean {
	const amount = field(token, 'amount') ?? null;
	return amount === null || digitsOrNull(amount) !== null;
}

/** Asked without a token's address, the service takes the native token. */
const NATIVE = `0x${'0'.repeat(40)}`;

const WALLETS = { input: 'sourceAddress', output: 'destinationAddress' } as const;

/** One side as quoted and asked for; a token without an address is the native one only where neither can mean another. */
function legOf(
	token: unknown,
	asked: IDataObject,
	side: 'input' | 'output',
	display: Display,
): { leg: Leg; known: KnownDecimals | null } {
	const chainId = chainIdOf(asked[`${side}Network`]);
	const contract = asked[`${side}TokenContract`];
	const address = exactTextOrNull(field(token, 'address')) ?? exactTextOrNull(contract);
	const symbol = textOrNull(field(token, 'symbol'));
	const isNative =
		address === null &&
		areDocumented(Object.keys(asked)) &&
		(contract ?? '') === '' &&
		(symbol === null || symbol === tokenSymbol(display, chainId, NATIVE));
	const meant = isNative ? NATIVE : address;
	const known = decimalsOf({ chainId, token: meant, decimals: field(token, 'decimals') }, display);
	const leg: Leg = {
		chainId,
		network: networkName(display, chainId),
		token: address,
		tokenSymbol: symbol ?? tokenSymbol(display, chainId, meant),
		...legAmount(digitsOrNull(field(token, 'amount')), known),
		amountUsd: numberText(field(token, 'amountUSD')),
		address: exactTextOrNull(asked[WALLETS[side]]),
	};
	return { leg, known };
}

/** A network's ID as an order shows it: a number, also where it was asked for as digits. */
function chainIdOf(asked: unknown): number | string | null {
	const id = idOrNull(asked);
	return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id;
}

interface QuoteFees extends IDataObject {
	feeTotal: string | null;
	feeTotalReadable: string | null;
	feePercentage: string | null;
}

/** The fees as the service states them, and their total readable where it can be an amount of the token to bridge. */
function feesOf(fees: unknown, sent: Leg, known: KnownDecimals | null): QuoteFees {
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

/** Whether the fees can be an amount of the token to bridge, which no document says: not more than it, and about the stated percentage. */
function isShareOf(total: string, amount: string | null, percentage: string | null): boolean {
	if (amount === null || amount.length > MAX_AMOUNT || total.length > MAX_AMOUNT) return false;
	if (BigInt(total) > BigInt(amount)) return false;
	if (percentage === null || BigInt(amount) === 0n) return true;
	const share = Number((BigInt(total) * 1_000_000_000n) / BigInt(amount)) / 10_000_000;
	const difference = Math.abs(share - Number(percentage));
	return difference <= 0.01 + 0.1 * Number(percentage);
}

function feeText({ feeTotalReadable, feePercentage }: QuoteFees, sent: Leg): string | null {
	if (feeTotalReadable !== null) return amountText({ ...sent, amountReadable: feeTotalReadable });
	return feePercentage !== null && /^\d{1,3}(\.\d{1,6})?$/.test(feePercentage)
		? `${feePercentage} %`
		: null;
}

/** Text, or a number written out: a share or a value in dollars may come as either. */
function numberText(value: unknown): string | null {
	return typeof value === 'number' && Number.isFinite(value) ? String(value) : textOrNull(value);
}

/** "0.5 ETH on Ethereum gives about 0.49925 ETH on Base; fees 0.00075 ETH; valid for 25 s". What is not known is left out. */
function summaryOf(
	{ sent, received, fees, balanceSufficient }: SimpleQuote,
	input: Leg,
	output: Leg,
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
