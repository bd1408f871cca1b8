import type { GenericValue, IDataObject } from 'n8n-workflow';

import { decimalsOrNull, exactAmount, hasFraction, toSmallestUnit } from './amounts';
import { decimalsOf, type Display, nativeOn, tokenOf, tokenSymbol } from './display';
import { addressesMeant, isOtherToken } from './expectation';
import { nameKey, NATIVE_ADDRESS } from './networks';
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
	booleanOrNull,
	digitsOrNull,
	epochMsOrNull,
	exactTextOrNull,
	field,
	idOrNull,
	isEmpty,
	isPlainObject,
	isoTimeOrNull,
	numberOrNull,
	type PlainObject,
	textOrNull,
	trimmedText,
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

/** Whether the query parameter is publicly documented. */
export function isDocumented(parameter: string): boolean {
	return Object.hasOwn(QUOTE_LABELS, parameter);
}

export interface QuoteSource {
	quote: PlainObject;
	/** The query parameters. */
	asked: IDataObject;
	/** How far the clock of n8n was ahead of that of the bridge when the bridge responded, in milliseconds; missing if the two agree or nothing is known. */
	clockAheadMs?: number;
}

/** Whether none of these query parameters is a documented one of the route: a bridge may have names of its own for them. */
export function areOwnNames(parameters: readonly string[]): boolean {
	return !parameters.some((name) => /^(in|out)put/.test(name) && isDocumented(name));
}

/** Whether a query parameter may name a token in place of the documented one. */
export function mayNameToken(parameter: string): boolean {
	return /token/i.test(parameter) && !isDocumented(parameter);
}

/** The token that a quote states in place of the one that was asked for. */
export interface OtherToken {
	parameter: 'inputTokenContract' | 'outputTokenContract';
	asked: string;
	stated: string;
}

/** Null if the quote is not certainly for another token. */
export function otherToken(
	{ quote, asked }: QuoteSource,
	side: 'input' | 'output',
	display: Display,
): OtherToken | null {
	const parameter = `${side}TokenContract` as const;
	// A switch is sent as a word, too.
	const contract = String(asked[parameter] ?? '').trim();
	if (contract === '' && areOwnNames(Object.keys(asked))) return null;
	const token = contract === '' ? NATIVE_ADDRESS : contract;
	const named = stated(quote, side === 'input' ? 'tokenIn' : 'tokenOut');
	const address = exactTextOrNull(field(named, 'address'))?.trim() ?? '';
	const symbol = textOrNull(field(named, 'symbol')) ?? '';
	const chainId = idOrNull(asked[`${side}Network`]);
	const of = { chainId, address, symbol };
	const tokens = addressesMeant(token, chainId, display);
	const { names, mayBe } = nativeOn(display, chainId);
	// Some bridges ignore what names no token, and quote the native one. Anything may be its name if none is known.
	const known = [...names, ...(symbol.trim() === '' ? [] : [symbol, `w${symbol}`].map(nameKey))];
	const isIgnored = mayBe(address) && known.length > 0 && !known.includes(nameKey(token));
	const isOther =
		tokens.length === 0 ? isIgnored : tokens.every((each) => isOtherToken(each, of, display));
	if (!isOther) return null;
	return { parameter, asked: contract === '' ? 'the native token' : token, stated: address };
}

/** The decimals that the quote states for the token to bridge. */
export function statedInputDecimals(quote: PlainObject): number | null {
	return decimalsOrNull(field(stated(quote, 'tokenIn'), 'decimals'));
}

/** A quote as an item: ten fields for a notification, the most used first, and all. `n8nNow` is by the clock of n8n, in milliseconds since 1970. */
export function quoteItem(
	{ quote, asked, clockAheadMs = 0 }: QuoteSource,
	display: Display,
	n8nNow: number,
) {
	// The expiry is by the clock of the bridge.
	const now = n8nNow - clockAheadMs;
	const tokenIn = stated(quote, 'tokenIn');
	const tokenOut = stated(quote, 'tokenOut');
	const statedAmount = field(tokenIn, 'amount');
	const sent = digitsOrNull(asked.inputTokenAmount) ?? digitsOrNull(statedAmount);
	const input = sideOf('input', tokenIn, asked, display, sent);
	// As numbers, because an amount that a bridge states as a JSON number has no more digits.
	const statedNumber = numberOrNull(statedAmount);
	const repeats = (amount: string | null) => amount !== null && statedNumber === Number(amount);
	const isInSmallestUnit = isEmpty(statedAmount) || repeats(sent);
	const isInTokenUnits = !isInSmallestUnit && repeats(input.amountReadable);
	// In a form that is no number, such as a hexadecimal one, it may be the same amount.
	const isOther = statedNumber !== null && sent !== null && !isInSmallestUnit && !isInTokenUnits;
	// All amounts of a token are in one unit.
	const isOutputInSmallestUnit =
		isInSmallestUnit && !['amount', 'minAmount'].some((name) => hasFraction(field(tokenOut, name)));
	const outputOf = (amount: unknown) => {
		const text = exactAmount(amount) ?? '';
		// Without a dot it could be in either unit.
		const readable = isInTokenUnits && /^\d+\.\d+$/.test(text) ? text : null;
		const read = isOutputInSmallestUnit ? digitsOrNull(amount) : readable;
		return sideOf('output', tokenOut, asked, display, read);
	};
	const output = outputOf(field(tokenOut, 'amount'));
	const least = outputOf(field(tokenOut, 'minAmount'));
	// Zero is no minimum, with which an order or a target could be compared.
	const isMinimum = Number(least.amount) !== 0;
	const balanceSufficient = isSufficient(stated(quote, 'balanceCheck'));
	const listed = stated(quote, 'transactions');
	const isEmptyList = Array.isArray(listed) && listed.length === 0;
	const given = (isEmptyList ? null : listed) ?? stated(quote, 'transaction') ?? listed;
	const transactions = isPlainObject(given) ? [given] : given;
	const expiry = stated(quote, 'expiry');
	const simple = {
		summary:
			(isOther ? otherAmountWords(statedAmount) : '') +
			quoteSummary(input, output, epochMsOrNull(expiry), balanceSufficient, now),
		sent: amountText(input),
		received: amountText(output),
		// For comparisons; a number may lose digits.
		receivedAmount: numberOrNull(output.amountReadable),
		receivedAtLeast: isMinimum ? amountText(least) : null,
		receivedAtLeastAmount: isMinimum ? numberOrNull(least.amountReadable) : null,
		// As they came, because no document gives their unit.
		fees: stated(quote, 'fees') as GenericValue,
		route: routeText(input, output),
		expiresAt: isoTimeOrNull(expiry),
		transactions: Array.isArray(transactions) ? (transactions as IDataObject[]) : null,
	};
	const full: typeof simple & IDataObject = {
		...simple,
		quoteId: exactTextOrNull(stated(quote, 'quoteId')),
		balanceSufficient,
		sentAmount: numberOrNull(input.amountReadable),
		...withSide('input', input),
		...withSide('output', output),
		outputMinAmount: least.amount,
		outputMinAmountReadable: least.amountReadable,
		priceImpact: numberText(stated(quote, 'priceImpact')),
		quote: quote as IDataObject,
	};
	return { simple, full };
}

/** Whether the sender's balance suffices, as it is said, or otherwise by its amounts, which are in one unit. */
function isSufficient(check: unknown): boolean | null {
	const said = isPlainObject(check) ? field(check, 'sufficient') : check;
	if (!isEmpty(said)) return booleanOrNull(said);
	const balance = digitsOrNull(field(check, 'balance'));
	const required = digitsOrNull(field(check, 'required'));
	return balance === null || required === null ? null : BigInt(balance) >= BigInt(required);
}

/** Of the two published shapes, the older one has its fields in `quote`. */
function stated(quote: PlainObject, key: string): unknown {
	return field(quote, key) ?? field(field(quote, 'quote'), key) ?? null;
}

/**
 * A token without an address is the native one only if nothing can mean another.
 * `amount`: in the smallest unit, or with a dot in token units.
 */
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
		!Object.keys(asked).some(mayNameToken) &&
		(contract ?? '') === '' &&
		(symbol === null || symbol === tokenSymbol(display, chainId, NATIVE_ADDRESS));
	const decimals = field(token, 'decimals');
	const leg = { chainId, token: isNative ? NATIVE_ADDRESS : address, decimals };
	const known = decimalsOf(leg, display);
	const isInTokenUnits = known !== null && amount?.includes('.') === true;
	const exact = isInTokenUnits ? toSmallestUnit(amount, known.decimals) : amount;
	const shown = tokenOf({ ...leg, amount: exact }, display);
	return {
		...shown,
		token: address,
		// As orders show it: what the configuration calls the token goes before what the quote calls it.
		tokenSymbol: shown.tokenSymbol ?? symbol,
		amountUsd: numberText(field(token, 'amountUSD')),
		address: exactTextOrNull(asked[side === 'input' ? 'sourceAddress' : 'destinationAddress']),
	};
}

function numberText(value: unknown): string | null {
	return typeof value === 'number' && Number.isFinite(value) ? String(value) : textOrNull(value);
}

/** The sentence that no reader of the summary overlooks, with the amount if that is short enough. */
function otherAmountWords(stated: unknown): string {
	const text = trimmedText(stated);
	const isShown = text.length <= MAX_AMOUNT;
	return `⚠️ The bridge states a different amount${isShown ? ` (${text})` : ''} than you asked for. `;
}

/** In characters. */
const MAX_AMOUNT = 100;

/** "0.5 ETH on Ethereum gives about 0.49925 ETH on Base; valid for 25 s", without what is not known. */
function quoteSummary(
	input: SummaryLeg,
	output: SummaryLeg,
	expiresAt: number | null,
	balanceSufficient: boolean | null,
	now: number,
): string {
	const [sent, received] = [amountText(input), amountText(output)];
	const [from, to] = [networkWords(input), networkWords(output)];
	const exchange =
		sent !== null && received !== null
			? `${sent}${optional(' on ', from)} gives about ${received}${optional(' on ', to)}`
			: `A quote${optional(' for ', sent)}${optional(' from ', from)}${optional(' to ', to)}`;
	const left = ((expiresAt ?? now) - now) / 1000;
	const validity = left > 0 ? `valid for ${durationWords(left)}` : 'expired';
	return [
		exchange,
		...(expiresAt === null ? [] : [validity]),
		...(balanceSufficient === false ? ["the sender's balance is too low"] : []),
	].join('; ');
}
