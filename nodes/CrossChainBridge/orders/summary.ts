import { type FinalStatus, isFinalStatus, type OrderSource } from './orders';
import { messageText } from './plainText';
import { exactTextOrNull } from './values';

export interface SummaryLeg {
	chainId: number | string | null;
	network: string | null;
	token: string | null;
	tokenSymbol: string | null;
	/** In the token's smallest unit. */
	amount: string | null;
	/** In token units; null where the decimals are not known. */
	amountReadable: string | null;
}

interface SummarySource extends OrderSource {
	status: string | null;
	/** Since the order began, in milliseconds. */
	ageMs: number | null;
	durationSeconds: number | null;
	/** In milliseconds since 1970. */
	expiresAt: number | null;
	now: number;
	input: SummaryLeg;
	output: SummaryLeg;
}

const FINAL_WORDS: Record<FinalStatus, [sign: string, words: string]> = {
	completed: ['✅', 'was completed'],
	refunded: ['↩️', 'was refunded'],
	failed: ['❌', 'failed'],
};

/** "✅ Rent: 0.5 ETH from Ethereum arrived on Base as 0.49925 ETH after 12 s", in plain text for any app. */
export function summaryOf(source: SummarySource): string {
	const { sourceHash, whyNotChecked = null, status, durationSeconds, input, output } = source;
	const order = orderWords(sourceHash);
	if (whyNotChecked !== null)
		return say('⏳', source, [`${order} could not be checked`, whyNotChecked, ...doubts(source)]);
	if (source.order === null) return say('⏳', source, notFoundSentences(source, order));
	const about =
		optional(' of ', amountText(input)) +
		optional(' from ', networkWords(input)) +
		optional(' to ', networkWords(output));
	const transfer = about === '' ? order : `the transfer${about}`;
	if (!isFinalStatus(status)) return say('⏳', source, openSentences(source, transfer));
	const [sign, words] = FINAL_WORDS[status];
	const arrival = status === 'completed' ? arrivalWords(source) : null;
	const after = durationSeconds === null ? '' : ` after ${durationWords(durationSeconds)}`;
	return say(sign, source, [`${arrival ?? `${transfer} ${words}`}${after}`]);
}

function notFoundSentences(source: SummarySource, order: string): string[] {
	const { ageMs, lastStatus = null } = source;
	if (lastStatus !== null)
		return [
			`the bridge no longer finds ${order}${optional(', which was ', plainWords(lastStatus))}`,
		];
	const since = ageMs === null ? 'yet' : `after ${ageWords(ageMs)}`;
	return [`the bridge has not found ${order} ${since}`, 'Check the hash', ...doubts(source)];
}

function doubts({ sourceHash, line }: SummarySource): string[] {
	const note = hashNote(sourceHash);
	const place = line === undefined ? null : `See line ${line} of the list`;
	return [note, place].filter((doubt) => doubt !== null);
}

/** What is doubtful about a hash that is not found; null if nothing is. */
export function hashNote(sourceHash: string): string | null {
	if (/^[0-9a-f]{64}$/i.test(sourceHash))
		return 'It has no 0x in front; hashes of most networks do';
	const digits = sourceHash.length - 2;
	return /^0x[0-9a-f]*$/i.test(sourceHash) && digits !== 64
		? `It has ${digits} digits; hashes of most networks have 64`
		: null;
}

/** As the interface says. */
const MAY_BE_REFUNDED_AFTER_MS = 5 * 60_000;

function openSentences(
	{ status, ageMs, expiresAt, now, seenAt = null }: SummarySource,
	transfer: string,
): string[] {
	const word = plainWords(status);
	const isNamed = word === 'pending' || word === 'executing';
	const state = isNamed ? word : `open (${word})`;
	const after = ageMs === null ? '' : ` after ${ageWords(ageMs)}`;
	const is =
		seenAt === null ? `is still ${state}${after}` : `was ${state} ${ageWords(now - seenAt)} ago`;
	const sentences = [
		word === null ? `the bridge states no status of ${transfer}` : `${transfer} ${is}`,
	];
	if (word === 'pending' && ageMs !== null && ageMs > MAY_BE_REFUNDED_AFTER_MS)
		sentences.push('It may be refunded');
	if (expiresAt !== null)
		sentences.push(`It ${expiresAt > now ? 'expires' : 'expired'} ${timeWords(expiresAt, now)}`);
	return sentences;
}

/** Any two messages differ by the label or the short hash. */
function say(
	sign: string,
	{ sourceHash, reference }: Pick<SummarySource, 'sourceHash' | 'reference'>,
	sentences: string[],
): string {
	const label = messageText(exactTextOrNull(reference), MAX_LABEL);
	const text = sentences.length === 1 ? sentences.join() : `${sentences.join('. ')}.`;
	if (label !== null) return `${sign} ${label}: ${text}`;
	const hash = shortHash(sourceHash);
	const end = hash === null || text.includes(orderWords(sourceHash)) ? '' : ` (${hash})`;
	return `${sign} ${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}

const MAX_LABEL = 60;

function arrivalWords({ input, output }: SummarySource): string | null {
	const sent = amountText(input);
	const network = networkWords(output);
	const received = amountText(output);
	if (sent === null || received === null) return null;
	return `${sent}${optional(' from ', networkWords(input))} arrived${optional(' on ', network)} as ${received}`;
}

function orderWords(sourceHash: string): string {
	return `order ${shortHash(sourceHash) ?? 'without a hash'}`;
}

function shortHash(sourceHash: string): string | null {
	const isShort = sourceHash.length <= 14;
	const parts = isShort ? [sourceHash] : [sourceHash.slice(0, 6), sourceHash.slice(-4)];
	const words = parts.map(plainWords).filter((part) => part !== null);
	return words.join('…') || null;
}

/** "0.5 ETH", or "5 smallest units of ETH"; null without an amount. */
export function amountText(leg: SummaryLeg): string | null {
	const { tokenSymbol, token, amount, amountReadable } = leg;
	const shown = amountReadable ?? amount;
	// A part of an amount would be another amount.
	if (shown === null || shown.length > MAX_WORDS) return null;
	const symbol = plainWords(tokenSymbol);
	const ofToken = optional(' of token ', token === null ? null : shortHash(token));
	if (amountReadable !== null) return shown + (symbol === null ? ofToken : ` ${symbol}`);
	const units = shown === '1' ? 'smallest unit' : 'smallest units';
	return `${shown} ${units}${symbol === null ? ofToken : ` of ${symbol}`}`;
}

/** "Ethereum → Base", or "from Ethereum"; null where neither network is known. */
export function routeText(input: SummaryLeg, output: SummaryLeg): string | null {
	const [from, to] = [networkWords(input), networkWords(output)];
	if (from !== null && to !== null) return `${from} → ${to}`;
	return `${optional('from ', from)}${optional('to ', to)}` || null;
}

/** "Ethereum", "Ethereum (101)", or "network 101" where no name is known; null where neither is. */
export function networkWords({ network, chainId }: SummaryLeg): string | null {
	const [id = ''] = / \(\d{1,15}\)$/.exec(network ?? '') ?? [];
	const name = plainWords(network?.slice(0, network.length - id.length) ?? null);
	if (name !== null) return name + id;
	return optional('network ', plainWords(String(chainId ?? ''))) || null;
}

/** The words behind a preposition, if they are known. */
export function optional(before: string, words: string | null): string {
	return words === null ? '' : `${before}${words}`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** "12 s", "5 min 12 s" or "3 h 20 min". */
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

function ageWords(ms: number): string {
	const seconds = Math.max(0, Math.floor(ms / 1000));
	return durationWords(seconds < 2 * MINUTE ? seconds : seconds - (seconds % MINUTE));
}

function timeWords(ms: number, now: number): string {
	const [day, time] = new Date(ms).toISOString().split('T');
	const at = `at ${time?.slice(0, 5)} UTC`;
	return day === new Date(now).toISOString().slice(0, 10) ? at : `on ${day} ${at}`;
}

const MAX_WORDS = 100;

function plainWords(text: string | null): string | null {
	return messageText(text, MAX_WORDS);
}
