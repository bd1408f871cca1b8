import type { IDataObject } from 'n8n-workflow';

import { decimalsOrNull } from './amounts';
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
	caselessHex,
	digitsOrNull,
	epochMsOrNull,
	exactTextOrNull,
	field,
	idOrNull,
	isPlainObject,
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

export interface QuoteSource {
	quote: PlainObject;
	asked: IDataObject;
}

/** Whether the quote is for this token, as far as it says. */
export function isForToken(quote: PlainObject, address: string): boolean {
	const named = exactTextOrNull(field(stated(quote, 'tokenIn'), 'address'));
	return named === null || caselessHex(named) === caselessHex(address);
}

/** The decimals that the quote states for the token to bridge. */
export function statedInputDecimals(quote: PlainObject): number | null {
	return decimalsOrNull(field(stated(quote, 'tokenIn'), 'decimals'));
}

/** A quote as an item: ten fields for a notification, the most used first, and all. `now` is in milliseconds since 1970. */
export function quoteItem({ quote, asked }: QuoteSource, display: Display, now: number) {
	const tokenIn = stated(quote, 'tokenIn');
	const tokenOut = stated(quote, 'tokenOut');
	const amountIn = field(tokenIn, 'amount') ?? null;
	const sent = digitsOrNull(asked.inputTokenAmount) ?? digitsOrNull(amountIn);
	// Where the quote repeats the amount in another form, it counts in another unit.
	const isSameUnit = amountIn === null || numberText(amountIn) === sent;
	const amountOf = (value: unknown) => (isSameUnit ? digitsOrNull(value) : null);
	const { leg: input, known: knownInput } = sideOf('input', tokenIn, asked, display, sent);
	const received = amountOf(field(tokenOut, 'amount'));
	const { leg: output, known } = sideOf('output', tokenOut, asked, display, received);
	const minAmount = legAmount(amountOf(field(tokenOut, 'minAmount')), known);
	const fees = feesOf(stated(quote, 'fees'), isSameUnit ? input : null, knownInput);
	const expiry = stated(quote, 'expiry');
	const balance = stated(quote, 'balanceCheck');
	const sufficient = field(balance, 'sufficient') ?? balance;
	const given = stated(quote, 'transactions') ?? stated(quote, 'transaction');
	const transactions = isPlainObject(given) ? [given] : given;
	const said = {
		sent: amountText(input),
		received: amountText(output),
		receivedAtLeast: amountText({ ...output, ...minAmount }),
		fees: fees.said,
		route: routeText(input, output),
		expiresAt: isoTimeOrNull(expiry),
		quoteId: exactTextOrNull(stated(quote, 'quoteId')),
		balanceSufficient: typeof sufficient === 'boolean' ? sufficient : null,
		transactions: Array.isArray(transactions) ? (transactions as IDataObject[]) : null,
	};
	const simple = { summary: quoteSummary(said, input, output, now), ...said };
	const full: typeof simple & IDataObject = {
		...simple,
		...withSide('input', input),
		...withSide('output', output),
		outputMinAmount: minAmount.amount,
		outputMinAmountReadable: minAmount.amountReadable,
		...fees.fields,
		priceImpact: numberText(stated(quote, 'priceImpact')),
		quote: quote as IDataObject,
	};
	return { simple, full };
}

/** The interface shows no shape; an older public one has its fields in `quote` or `data`. */
function stated(quote: PlainObject, key: string): unknown {
	const stated = field(quote, key) ?? field(field(quote, 'quote'), key);
	return stated ?? field(field(quote, 'data'), key) ?? null;
}

/** A token without an address is the native one only where nothing can mean another. */
function sideOf(
	side: 'input' | 'output',
	token: unknown,
	asked: IDataObject,
	display: Display,
	amount: string | null,
) {
	const id = idOrNull(asked[`${side}Network`]);
	// A number, as orders show it.
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
	const known = decimalsOf(stating, display);
	const leg = {
		chainId,
		network: networkName(display, chainId),
		token: address,
		tokenSymbol: symbol ?? tokenSymbol(display, chainId, meant),
		...legAmount(amount, known),
		amountUsd: numberText(field(token, 'amountUSD')),
		address: exactTextOrNull(asked[side === 'input' ? 'sourceAddress' : 'destinationAddress']),
	};
	return { leg, known };
}

/** The total is readable where it is about the stated percentage of what is sent: no document gives its unit. */
function feesOf(fees: unknown, sent: SummaryLeg | null, known: KnownDecimals | null) {
	const feeTotal = numberText(field(fees, 'total'));
	const feePercentage = numberText(field(fees, 'percentage'));
	const total = digitsOrNull(feeTotal);
	const isOfSent = sent !== null && total !== null && isShareOf(total, sent.amount, feePercentage);
	const feeTotalReadable = isOfSent ? legAmount(total, known).amountReadable : null;
	const fields = {
		feeTotal,
		feeTotalReadable,
		feePercentage,
		feePlatform: numberText(field(fees, 'platform')),
		feeBuilder: numberText(field(fees, 'builder')),
		feeSolverIncentive: numberText(field(fees, 'solverIncentive')),
	};
	if (!isOfSent) return { fields, said: null };
	const readable = { ...sent, amountReadable: feeTotalReadable };
	return { fields, said: feeTotalReadable === null ? `${feePercentage} %` : amountText(readable) };
}

function isShareOf(total: string, amount: string | null, percentage: string | null): boolean {
	if (amount === null || percentage === null) return false;
	if (!/^\d{1,3}(\.\d{1,20})?$/.test(percentage)) return false;
	const share = (100 * Number(total)) / Number(amount);
	const [, decimals = ''] = percentage.split('.');
	const rounding = Math.min(0.01, 0.5 / 10 ** decimals.length);
	const difference = Math.abs(share - Number(percentage));
	return share <= 100 && difference <= rounding + 0.1 * Number(percentage);
}

function numberText(value: unknown): string | null {
	return typeof value === 'number' && Number.isFinite(value) ? String(value) : textOrNull(value);
}

/** "0.5 ETH on Ethereum gives about 0.49925 ETH on Base; fees 0.00075 ETH; valid for 25 s", without what is not known. */
function quoteSummary(
	said: Record<'sent' | 'received' | 'fees' | 'expiresAt', string | null> & {
		balanceSufficient: boolean | null;
	},
	input: SummaryLeg,
	output: SummaryLeg,
	now: number,
): string {
	const { sent, received, fees, balanceSufficient } = said;
	const expiresAt = epochMsOrNull(said.expiresAt);
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
