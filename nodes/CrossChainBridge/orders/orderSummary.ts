import { messageText } from './plainText';

/** One side of an order as an item shows it; whatever is not known is null. */
export interface SummaryLeg {
	chainId: number | string | null;
	network: string | null;
	token: string | null;
	tokenSymbol: string | null;
	amount: string | null;
	amountReadable: string | null;
}

export interface SummarySource {
	sourceHash: string;
	/** The status word as it came. */
	status: string | null;
	durationSeconds: number | null;
	input: SummaryLeg;
	output: SummaryLeg;
}

/**
 * The order in one sentence of plain text that can be sent as it is: HTML mail, Telegram (plain, HTML, Markdown), Slack and
 * Discord show it as it stands. It says what is known and leaves out the rest: an amount without known decimals is named as
 * one in the smallest unit, with the option that makes it readable; a network without a name by its ID.
 */
export function summaryOf(source: SummarySource): string {
	const after =
		source.durationSeconds === null ? '' : ` after ${durationWords(source.durationSeconds)}`;
	switch (source.status) {
		case 'completed':
			return (arrivalWords(source) ?? `${subjectWords(source)} was completed`) + after;
		case 'refunded':
			return `${subjectWords(source)} was refunded${after}`;
		case 'failed':
			return `${subjectWords(source)} failed${after}`;
		default: {
			const status = plainWords(source.status);
			return `${subjectWords(source)} is still open${status === null ? '' : ` (${status})`}`;
		}
	}
}

/** For an order that the service does not know, which soon after its transaction may pass. */
export function summaryOfNotFound(sourceHash: string): string {
	return `${orderWords(sourceHash)} is not known to the bridge service (yet)`;
}

/** For an order whose watch expires before it was seen finished; a listed one is checked once an hour from then on. */
export function summaryOfWatchExpired(sourceHash: string): string {
	return `${orderWords(sourceHash)} is not finished, and its watch has expired`;
}

/** "0.5 ETH from Ethereum arrived on Arbitrum as 1246.87 USDC"; null where one of the two sides is not known. */
function arrivalWords({ input, output }: SummarySource): string | null {
	const sent = assetWords(input, 'start');
	const network = networkWords(output);
	const received = assetWords(output, 'inside');
	if (sent === null || (network === null && received === null)) return null;
	return `${sent}${optional(' from ', networkWords(input))} arrived${optional(' on ', network)}${optional(' as ', received)}`;
}

/** "The bridge of 0.5 ETH from Ethereum to Arbitrum", or the order's hash where none of that is known. */
function subjectWords({ sourceHash, input, output }: SummarySource): string {
	const asset = optional(' of ', assetWords(input, 'inside'));
	const route = optional(' from ', networkWords(input)) + optional(' to ', networkWords(output));
	return asset + route === '' ? orderWords(sourceHash) : `The bridge${asset}${route}`;
}

function orderWords(sourceHash: string): string {
	return `Order ${plainWords(sourceHash) ?? 'without a hash'}`;
}

/** "0.5 ETH"; else as much of it as is known, so that no amount can be taken for another. */
export function assetWords(leg: SummaryLeg, place: 'start' | 'inside'): string | null {
	const [someToken, someAmount] =
		place === 'start' ? ['Token', 'An amount'] : ['token', 'an amount'];
	const symbol = plainWords(leg.tokenSymbol);
	const address = plainWords(leg.token);
	const readable = amountWords(leg.amountReadable);
	if (readable !== null) {
		if (symbol === null && address === null) return `${someAmount} of ${readable}`;
		return `${readable} ${symbol ?? `of token ${address}`}`;
	}
	const token = symbol ?? (address === null ? null : `${someToken} ${address}`);
	const raw = amountWords(leg.amount);
	if (raw === null) return token;
	if (token === null) return `${someAmount} of ${raw} in the smallest unit`;
	// Only a token with an address can have a row in the option.
	return `${token} (${raw} in the smallest unit${address === null ? '' : ', see the option Token Decimals'})`;
}

/** An amount of plain digits and of a length that can be read; cut off it would be another amount. */
function amountWords(amount: string | null): string | null {
	return amount !== null && amount.length <= LONGEST_WORDS && /^\d+(\.\d+)?$/.test(amount)
		? amount
		: null;
}

export function networkWords({ network, chainId }: SummaryLeg): string | null {
	return (
		plainWords(network) ??
		(chainId === null ? null : optional('network ', plainWords(String(chainId))) || null)
	);
}

export function optional(before: string, words: string | null): string {
	return words === null ? '' : `${before}${words}`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** "12 s", "5 min 12 s", "3 h 20 min". */
export function durationWords(seconds: number): string {
	const whole = Math.round(seconds);
	if (whole < 1) return 'less than 1 s';
	if (whole < 2 * MINUTE) return `${whole} s`;
	const [large, largeUnit, small, smallUnit] =
		whole < HOUR
			? [Math.floor(whole / MINUTE), 'min', whole % MINUTE, 's']
			: [Math.floor(whole / HOUR), 'h', Math.floor((whole % HOUR) / MINUTE), 'min'];
	return `${large} ${largeUnit}${small === 0 ? '' : ` ${small} ${smallUnit}`}`;
}

const LONGEST_WORDS = 100;

/** What came from outside, as a part of the sentence. */
function plainWords(text: string | null): string | null {
	return messageText(text, LONGEST_WORDS);
}
