import { toSmallestUnit } from './amounts';
import { type Display, nativeOn, type ShownToken } from './display';
import {
	isAllZeroAddress,
	isNative,
	isTokenAddress,
	nameKey,
	networksWithId,
	type Token,
	tokensNamed,
} from './networks';
import { isNoSymbol } from './plainText';
import { caselessHex } from './values';

/** What a user expects to arrive, as it was entered; null if nothing is expected. */
export interface Expected {
	recipient: string | null;
	/** "0.4967 ETH" or "5 smallest units"; see readMinimum. */
	minimumReceived: string | null;
}

/** What has arrived, as an order states it; without the symbol if another token of the network has the same. */
type Arrival = Omit<ShownToken, 'network' | 'decimalsFrom'> & {
	address: string | null;
};

/** Null if it was not expected; 'unknown' if it cannot be compared. */
type Verdict = 'met' | 'missed' | 'unknown' | null;

const AMOUNT = String.raw`\d{1,80}(?:\.\d{1,80})?|\.\d{1,80}`;
const SMALLEST_UNITS = /^(\d{1,80}) smallest units?(?: of (?!token )(\S{1,40})| of token (\S+))?$/i;
/** No symbol is a number; "1e18" and "0x5" have none. */
const TOKEN_UNITS = new RegExp(
	`^(${AMOUNT})(?:(?!e[+-]?\\d|x[\\da-f]*$)([A-Za-z₮]\\S{0,40})|\\s+(?=\\S*[\\p{L}₮])(\\S{1,40})| of token (\\S+))$`,
	'iu',
);

/**
 * A minimum in the forms in which Get Quote gives amounts, with digits that have a dot before decimals. Null for anything else: for
 * zero, and for a number without a unit, which in the smallest unit would always be met.
 */
export function readMinimum(given: string) {
	const text = given.trim();
	const [, units, ofSymbol = null, ofToken = null] = SMALLEST_UNITS.exec(text) ?? [];
	if (units !== undefined)
		return isZero(units)
			? null
			: { amount: units, isInTokenUnits: false, symbol: ofSymbol, token: ofToken };
	const [, amount, attached, apart, token = null] = TOKEN_UNITS.exec(text) ?? [];
	if (amount === undefined || isZero(amount)) return null;
	const symbol = attached ?? apart ?? null;
	// "100k" is another amount, and not of a token "k".
	if (symbol !== null && isNoSymbol(symbol)) return null;
	return { amount, isInTokenUnits: true, symbol, token };
}

const isZero = (amount: string): boolean => /^[0.]*$/.test(amount);

/**
 * What an empty cell, a failed formula or a failed expression gives, what people enter before they know the wallet, a number, a text in
 * quotation marks or brackets, the sign after a sentence, a hexadecimal address with its network in front, which orders do not state in
 * one form, and what is not hexadecimal after 0x or has digits too few or too many. Accounts of Hedera look like a version, those of Flow
 * have 16 digits, and some chains leave out zeros at the beginning of 64 digits.
 */
const NO_WALLET =
	/^(?:null|undefined|nan|none|n\/a|true|false|tb[ad]|pending|empty|unknown|-+|#.*|[\w-]+:(?:[\w-]+:)?0x.*|[\da-f]{41,55}|.*[.,;]|'.*|.*(?:'|["`<>‹›()[\]{}].*)|(?!0\.0\.\d+$)[\d.,]+(?:e[+-]?\d+)?|0x(?![\da-f]{16}$|[\da-f]{40}$|[\da-f]{56,}$)[^.]*)$/i;

/** Whether a text can be the address of a wallet that receives, or a name that stands for one: one word, neither shortened nor a link, nor zeros, which belong to nobody. */
export function isWallet(text: string): boolean {
	// Some addresses of TON have two slashes.
	const isOneWord = text !== '' && !/[\s…]|\.\.|:\/\/|\.[a-z]+\//i.test(text);
	return isOneWord && !NO_WALLET.test(text) && !isAllZeroAddress(text);
}

/** Whether a text can be the sender of a quote. Zeros can: they ask for the price only, before anybody has connected a wallet. */
export function isSender(text: string): boolean {
	return isWallet(text) || (text.length >= 32 && isAllZeroAddress(text));
}

/** Compares a completed order with what was expected; `asExpected` is null if nothing was missed, but something could not be compared. */
export function compareArrival(
	{ recipient, minimumReceived }: Expected,
	arrived: Arrival,
	display: Display,
) {
	const verdicts = {
		recipient: recipient === null ? null : compareAddresses(recipient, arrived.address),
		amount: minimumReceived === null ? null : compareAmounts(minimumReceived, arrived, display),
	};
	const all = Object.values(verdicts);
	const asExpected = all.includes('missed') ? false : all.includes('unknown') ? null : true;
	return { ...verdicts, asExpected };
}

export type Compared = ReturnType<typeof compareArrival>;

/** Compares two addresses, of wallets or of tokens, in all their spellings; what is expected of a wallet may also be a name that stands for one. */
export function compareAddresses(expected: string, stated: string | null): Verdict {
	const one = expected.trim();
	const other = stated?.trim() ?? '';
	if (other === '') return 'unknown';
	const [hex, otherHex] = [hexOf(one), hexOf(other)];
	if (hex !== null && otherHex !== null) return hex === otherHex ? 'met' : 'missed';
	if (ofOneForm(one) === ofOneForm(other)) return 'met';
	// A name such as ann.eth stands for an address that is not known here, and TON has one form with a colon.
	const isOtherForm =
		hex !== null || otherHex !== null || one.includes(':') !== other.includes(':');
	const isOtherNetwork = [one, other].every(isOfPolkadot) && one[0] !== other[0];
	return isOtherForm || isOtherNetwork || one.includes('.') ? 'unknown' : 'missed';
}

/** An account there has another address, with other first letters, on each network. */
function isOfPolkadot(address: string): boolean {
	return /^[1-9A-HJ-NP-Za-km-z]{46,48}$/.test(address);
}

/**
 * The same for every spelling of an address in bech32, which QR codes have in capitals, of a Move module, or of TON, which has two forms:
 * hexadecimal after a colon, and letters, of which the first two only say how to send.
 */
function ofOneForm(address: string): string {
	if (/^[EUk0]Q[\w+/-]{46}$/.test(address))
		return address.slice(2, -3).replaceAll('+', '-').replaceAll('/', '_');
	const [, ofModule, ...module] = /^0x0*([1-9a-f][\da-f]*|0)(::\S+)$/i.exec(address) ?? [];
	if (ofModule !== undefined) return [ofModule.toLowerCase(), ...module].join('');
	const isCaseless = /^(?:-?\d:[\da-fA-F]{64}|[A-Z]{1,16}1[02-9AC-HJ-NP-Z]{38,110})$/;
	return isCaseless.test(address) ? address.toLowerCase() : address;
}

/** The digits of a hexadecimal address, without the zeros at the beginning that some chains leave out; null for another form. */
function hexOf(address: string): string | null {
	const [, digits] = /^0x([\da-f]+)$/i.exec(address) ?? /^([\da-f]{40,})$/i.exec(address) ?? [];
	return digits?.toLowerCase().replace(/^0+/, '') ?? null;
}

/** The addresses that a token can mean: its own, otherwise those that the network lists under this symbol. */
export function addressesMeant(
	token: string,
	chainId: number | string | null,
	display: Display,
): string[] {
	if (isWhole(token, nativeOn(display, chainId))) return [token];
	return tokensListed(token, chainId, display).map(({ address }) => address);
}

/** The tokens that the network lists at this address, or otherwise under this symbol. */
function tokensListed(text: string, chainId: ShownToken['chainId'], display: Display): Token[] {
	const networks = networksWithId(display.networks, chainId);
	return networks.flatMap((network) => tokensNamed(network, text));
}

/** Whether the token that is stated is certainly not the one with this address. */
export function isOtherToken(
	one: string,
	{ chainId, address, symbol }: { chainId: ShownToken['chainId']; address: string; symbol: string },
	display: Display,
): boolean {
	const native = nativeOn(display, chainId);
	if (!isWhole(address, native)) return false;
	const isListed = (text: string) => tokensListed(text, chainId, display).length > 0;
	const isWrapped = nameKey(symbol) === native.names[1] && native.isOf(address) && !isListed(one);
	if ((native.mayBe(one) || isWrapped) && native.mayBe(address, symbol)) return false;
	return native.isOf(one)
		? [address, symbol].some(isListed)
		: native.isOf(address) || compareAddresses(one, address) === 'missed';
}

/** Whether a text is all of a token's address. */
function isWhole(text: string, native: ReturnType<typeof nativeOn>): boolean {
	return native.isOf(text) || isTokenAddress(text);
}

function compareAmounts(expected: string, arrived: Arrival, display: Display): Verdict {
	const minimum = readMinimum(expected);
	if (minimum === null) return 'unknown';
	const { symbol, token } = minimum;
	const isNamed =
		(symbol === null || nameKey(symbol) === nameKey(arrived.tokenSymbol ?? '')) &&
		(token === null || isAddressOf(token, arrived.token ?? ''));
	if (!isNamed) return isOtherThan(symbol ?? token ?? '', arrived, display) ? 'missed' : 'unknown';
	const stated = minimum.isInTokenUnits ? arrived.amountReadable : arrived.amount;
	if (stated === null || stated.length > MAX_DIGITS) return 'unknown';
	const exact = (text: string) => BigInt(toSmallestUnit(text, MAX_DIGITS) ?? 0);
	return exact(stated) >= exact(minimum.amount) ? 'met' : 'missed';
}

/**
 * Whether certainly another token has arrived than an amount names. A symbol that several tokens have names none, and one that the network
 * does not list may have the symbol of a listed one. Without the configuration any address may be that of the native token.
 */
function isOtherThan(named: string, { chainId, token }: Arrival, display: Display): boolean {
	const address = token?.trim() ?? '';
	const hasNetwork = networksWithId(display.networks, chainId).length > 0;
	const isKnown =
		isTokenAddress(named) ||
		nativeOn(display, chainId).isOf(address) ||
		tokensListed(address, chainId, display).length > 0;
	const [meant, ...others] = new Set(addressesMeant(named, chainId, display).map(caselessHex));
	if (!hasNetwork || !isKnown || meant === undefined || others.length > 0) return false;
	return isOtherToken(meant, { chainId, address, symbol: '' }, display);
}

/** Whether an amount names the token with this address: whole, or shortened as Get Quote does. */
function isAddressOf(named: string, address: string): boolean {
	if (isNative(named)) return isAllZeroAddress(address);
	const [, start, end] = /^([^…]{6,})…([^…]{4,})$/.exec(named) ?? [];
	if (start === undefined || end === undefined) return caselessHex(named) === caselessHex(address);
	const written = (text: string): string => (/^0x/i.test(named) ? text.toLowerCase() : text);
	const whole = written(address);
	return whole.startsWith(written(start)) && whole.endsWith(written(end));
}

/** Amounts that are longer are shown nowhere. */
const MAX_DIGITS = 100;
