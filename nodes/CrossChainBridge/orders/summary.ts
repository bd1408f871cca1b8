import { messageText } from './plainText';
import { exactTextOrNull } from './values';

/** Sentences about an order, in plain text that any app shows as it stands; what is not known is left out. Pure. */

/** One side of an order or quote; whatever is not known is null. */
export interface SummaryLeg {
	chainId: number | string | null;
	network: string | null;
	token: string | null;
	tokenSymbol: string | null;
	/** In the token's smallest unit. */
	amount: string | null;
	/** In units of the token; null where its decimals are not known. */
	amountReadable: string | null;
}

/** What every sentence about an order needs. */
interface SummarySubject {
	sourceHash: string;
	/** Its reference: one that is text is its label. */
	reference: unknown;
	/** How long it has been open or not found, in milliseconds; null where nothing says when it began. */
	ageMs: number | null;
}

interface SummarySource extends SummarySubject {
	/** The status word as it came. */
	status: string | null;
	durationSeconds: number | null;
	/** Milliseconds since 1970. */
	expiresAt: number | null;
	now: number;
	input: SummaryLeg;
	output: SummaryLeg;
}

/** "✅ Rent: 0.5 ETH from Ethereum arrived on Base as 0.49925 ETH after 12 s". */
export function summaryOf(source: SummarySource): string {
	const { status, durationSeconds } = source;
	const after = durationSeconds === null ? '' : ` after ${durationWords(durationSeconds)}`;
	switch (status) {
		case 'completed':
			return say('✅', source, [
				(arrivalWords(source) ?? `${transferWords(source)} was completed`) + after,
			]);
		case 'refunded':
			return say('↩️', source, [`${transferWords(source)} was refunded${after}`]);
		case 'failed':
			return say('❌', source, [`${transferWords(source)} failed${after}`]);
		default:
			return say('⏳', source, openSentences(source));
	}
}

/** An order that the bridge does not know, which soon after its transaction may pass. */
export function summaryOfNotFound(subject: SummarySubject): string {
	const { sourceHash, ageMs } = subject;
	const since = ageMs === null ? 'yet' : `after ${ageWords(ageMs)}`;
	const note = hashNote(sourceHash);
	return say('⏳', subject, [
		`the bridge has not found ${orderWords(sourceHash)} ${since}`,
		'Check the hash',
		...(note === null ? [] : [note]),
	]);
}

/** An order whose watch expires before it was seen finished. */
export function summaryOfWatchExpired(sourceHash: string, reference: unknown): string {
	return say('⏳', { sourceHash, reference }, [
		`${orderWords(sourceHash)} is not finished, and its watch has expired`,
	]);
}

/** What makes a hash that was not found doubtful: most networks have 0x and 64 hexadecimal digits. Null if nothing does. */
export function hashNote(sourceHash: string): string | null {
	if (/^[0-9a-f]{64}$/i.test(sourceHash))
		return 'It has no 0x in front; hashes of most networks do';
	const digits = sourceHash.length - 2;
	return /^0x[0-9a-f]*$/i.test(sourceHash) && digits !== 64
		? `It has ${digits} digits; hashes of most networks have 64`
		: null;
}

/** The interface's own rule: an order that is pending for longer may be refunded. */
const MAY_BE_REFUNDED_AFTER_MS = 5 * 60_000;

function openSentences(source: SummarySource): string[] {
	const { status, ageMs, expiresAt, now } = source;
	const word = plainWords(status);
	const state =
		word === 'pending' || word === 'executing'
			? `still ${word}`
			: `still open${word === null ? '' : ` (${word})`}`;
	const after = ageMs === null ? '' : ` after ${ageWords(ageMs)}`;
	const sentences = [`${transferWords(source)} is ${state}${after}`];
	if (word === 'pending' && ageMs !== null && ageMs > MAY_BE_REFUNDED_AFTER_MS)
		sentences.push('It may be refunded');
	if (expiresAt !== null)
		sentences.push(`It ${expiresAt > now ? 'expires' : 'expired'} ${timeWords(expiresAt, now)}`);
	return sentences;
}

/** The sign, the label or else the short hash, so that any two messages can be told apart, and the sentences. */
function say(
	sign: string,
	{ sourceHash, reference }: Pick<SummarySubject, 'sourceHash' | 'reference'>,
	sentences: string[],
): string {
	const label = labelOf(reference);
	const text = sentences.length === 1 ? sentences.join() : `${sentences.join('. ')}.`;
	if (label !== null) return `${sign} ${label}: ${text}`;
	const hash = shortHash(sourceHash);
	const end = hash === null || text.includes(`order ${hash}`) ? '' : ` (${hash})`;
	return `${sign} ${text.replace(/^(?:the|order) /, (word) => word.charAt(0).toUpperCase() + word.slice(1))}${end}`;
}

const MAX_LABEL = 60;

function labelOf(reference: unknown): string | null {
	return messageText(exactTextOrNull(reference), MAX_LABEL);
}

/** "0.5 ETH from Ethereum arrived on Base as 0.49925 ETH"; null where one of the two sides is not known. */
function arrivalWords({ input, output }: SummarySource): string | null {
	const sent = amountText(input);
	const network = networkWords(output);
	const received = amountText(output);
	if (sent === null || (network === null && received === null)) return null;
	return `${sent}${optional(' from ', networkWords(input))} arrived${optional(' on ', network)}${optional(' as ', received)}`;
}

/** "the transfer of 0.5 ETH from Ethereum to Base", or the order's hash where none of that is known. */
function transferWords({ sourceHash, input, output }: SummarySource): string {
	const about =
		optional(' of ', amountText(input)) +
		optional(' from ', networkWords(input)) +
		optional(' to ', networkWords(output));
	return about === '' ? orderWords(sourceHash) : `the transfer${about}`;
}

function orderWords(sourceHash: string): string {
	return `order ${shortHash(sourceHash) ?? 'without a hash'}`;
}

/** "0x5c50…2060". */
function shortHash(sourceHash: string): string | null {
	const isShort = sourceHash.length <= 14;
	const parts = isShort ? [sourceHash] : [sourceHash.slice(0, 6), sourceHash.slice(-4)];
	return (
		parts
			.map(plainWords)
			.filter((part) => part !== null)
			.join('…') || null
	);
}

/** "0.5 ETH"; where the decimals are not known an amount that cannot be taken for another one. */
export function amountText({
	tokenSymbol,
	token,
	amount,
	amountReadable,
}: SummaryLeg): string | null {
	const symbol = plainWords(tokenSymbol);
	const ofToken = optional(' of token ', token === null ? null : shortHash(token));
	const readable = amountWords(amountReadable);
	if (readable !== null) return symbol === null ? `${readable}${ofToken}` : `${readable} ${symbol}`;
	const raw = amountWords(amount);
	if (raw === null) return null;
	return `${raw} smallest unit${raw === '1' ? '' : 's'}${symbol === null ? ofToken : ` of ${symbol}`}`;
}

/** An amount of plain digits and of a length that can be read; cut off it would be another amount. */
function amountWords(amount: string | null): string | null {
	return amount !== null && amount.length <= MAX_WORDS && /^\d+(\.\d+)?$/.test(amount)
		? amount
		: null;
}

/** "Ethereum → Base"; null where neither network is known. */
export function routeText(input: SummaryLeg, output: SummaryLeg): string | null {
	const [from, to] = [networkWords(input), networkWords(output)];
	return from === null && to === null ? null : `${from ?? '?'} → ${to ?? '?'}`;
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

/** An age to the minute: "12 s", "5 min". */
function ageWords(ms: number): string {
	const seconds = Math.max(0, Math.floor(ms / 1000));
	return durationWords(seconds < 2 * MINUTE ? seconds : seconds - (seconds % MINUTE));
}

/** "at 12:29 UTC", with the day where it is another one. */
function timeWords(ms: number, now: number): string {
	const [day, time] = new Date(ms).toISOString().split('T');
	const at = `at ${time?.slice(0, 5)} UTC`;
	return day === new Date(now).toISOString().slice(0, 10) ? at : `on ${day} ${at}`;
}

const MAX_WORDS = 100;

/** What came from outside, as a part of the sentence. */
function plainWords(text: string | null): string | null {
	return messageText(text, MAX_WORDS);
}
