import type { ShownToken } from './display';
import type { Compared, Expected } from './expectation';
import { type FinalStatus, isFinalStatus, isKnownStatus, type OrderSource } from './orders';
import { messageText, nameText, networkText, plainText, symbolText } from './plainText';
import { exactTextOrNull } from './values';

/** A leg, as far as a message shows it. */
export type SummaryLeg = Omit<ShownToken, 'decimalsFrom'>;

interface SummarySource extends OrderSource {
	status: string | null;
	/** Since the order began, in milliseconds. */
	ageMs: number | null;
	durationSeconds: number | null;
	/** In milliseconds since 1970. */
	expiresAt: number | null;
	now: number;
	input: SummaryLeg;
	output: SummaryLeg & { address: string | null };
	/** What is known to have come back. */
	refund: SummaryLeg | null;
	/** Null unless the order is completed and something was expected. */
	compared: Compared | null;
	/** The hash that the order states, if it is another one. */
	otherHash: string | null;
	/** The bridge's page of the order, if the message is to name it. */
	page: string | null;
}

const FINAL_WORDS: Record<FinalStatus, [sign: string, words: string]> = {
	completed: ['✅', 'was completed'],
	refunded: ['↩️', 'was refunded'],
	failed: ['❌', 'failed'],
};

const WARNING = '⚠️';

/** "✅ Order “Rent”: the 0.5 ETH from Ethereum arrived on Base as 0.49925 ETH after 12 s", in plain text for any app. */
export function summaryOf(source: SummarySource): string {
	const { sourceHash, whyNotChecked = null, status, durationSeconds, input, output } = source;
	const order = orderWords(sourceHash);
	if (whyNotChecked !== null)
		return say('⏳', source, [`${order} could not be checked`, whyNotChecked, ...doubts(source)]);
	if (source.order === null) return say('⏳', source, notFoundSentences(source, order));
	const [from, to] = [networkWords(input), networkWords(output)];
	const about =
		optional(' of ', amountText(input)) +
		optional(' from ', from) +
		// A refund may be the output.
		optional(' to ', to === from ? null : to);
	const transfer = about === '' ? order : `the transfer${about}`;
	const other = optional("The bridge's response is about another transaction, ", source.otherHash);
	if (!isFinalStatus(status)) return say('⏳', source, [...openSentences(source, transfer), other]);
	const [sign, words] = FINAL_WORDS[status];
	const happened = (status === 'completed' ? arrivalWords(source) : null) ?? `${transfer} ${words}`;
	const after = durationSeconds === null ? '' : ` after ${durationWords(durationSeconds)}`;
	const isDoubtful = source.otherHash !== null || source.compared?.asExpected === false;
	const back = source.refund && amountText(source.refund);
	return say(isDoubtful ? WARNING : sign, source, [
		`${happened}${after}`,
		back === null || back === amountText(input) ? '' : `${back} came back`,
		...notCompared(source),
		other,
	]);
}

/** Older ones should have been found: the transaction may have another hash by now, or may have been canceled. */
const MAY_BE_REPLACED_AFTER_MS = 5 * 60_000;

function notFoundSentences(source: SummarySource, order: string): string[] {
	const { ageMs, lastStatus = null } = source;
	if (lastStatus !== null)
		return [
			`the bridge no longer finds ${order}${optional(', which was ', messageText(lastStatus, MAX_WORDS))}`,
		];
	const since = ageMs === null ? 'yet' : `after ${ageWords(ageMs)}`;
	const replaced = [
		'If you have sped up the transaction in your wallet, it has a new hash: use that',
		'If you have canceled it in time, there is no transfer',
	];
	return [
		`the bridge has not found ${order} ${since}`,
		'Check the hash',
		...((ageMs ?? 0) >= MAY_BE_REPLACED_AFTER_MS ? replaced : []),
		...doubts(source),
	];
}

function doubts({ sourceHash, line }: SummarySource): string[] {
	return [hashNote(sourceHash) ?? '', line === undefined ? '' : `See line ${line} of the list`];
}

/** A doubt about a hash that is not found; null if there is none. */
export function hashNote(sourceHash: string): string | null {
	if (/^[0-9a-f]{64}$/i.test(sourceHash))
		return 'It does not begin with 0x, unlike the hashes of most networks';
	if (/^[1-9A-HJ-NP-Za-km-z]{43,44}$/.test(sourceHash))
		return 'It could be a Solana address; transaction hashes there have 86 to 88 characters';
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
	const word = messageText(status, MAX_WORDS);
	const after = ageMs === null ? '' : ` after ${ageWords(ageMs)}`;
	const ago = seenAt === null ? null : `${ageWords(now - seenAt)} ago`;
	const still = ago === null ? `is still ${word}${after}` : `was ${word} ${ago}`;
	const open = ago === null ? `has not finished${after}` : `had not finished ${ago}`;
	const isKnown = isKnownStatus(status);
	const mayBeRefunded = word === 'pending' && (ageMs ?? 0) > MAY_BE_REFUNDED_AFTER_MS;
	const expiry = expiresAt === null ? null : timeWords(expiresAt, now);
	return [
		word === null
			? `the bridge states no status for ${transfer}`
			: `${transfer} ${isKnown ? still : open}`,
		word === null || isKnown ? '' : `Its status ${ago === null ? 'is' : 'was'} ${word}`,
		mayBeRefunded ? 'It may be refunded' : '',
		optional((expiresAt ?? 0) > now ? 'It expires ' : 'It expired ', expiry),
	];
}

/** The sentences that are not empty. Any two messages differ by the name or the short hash. */
function say(
	sign: string,
	{ sourceHash, reference, page, note = '' }: SummarySource,
	happened: string[],
): string {
	const sentences = [...happened, note].filter((sentence) => sentence !== '');
	const name = nameText(exactTextOrNull(reference));
	const hasSeveral = sentences.length > 1 || page !== null;
	const text = `${sentences.join('. ')}${hasSeveral ? '.' : ''}${optional(' ', page)}`;
	// The words around the name keep a name that reads right to left from moving an amount (test/unit/orders/summary).
	if (name !== null) return `${sign} Order “${name}”: ${/^\d/.test(text) ? 'the ' : ''}${text}`;
	const hash = shortHash(sourceHash);
	const end = hash === null || text.includes(orderWords(sourceHash)) ? '' : ` (${hash})`;
	return `${sign} ${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}

function arrivalWords({ input, output, compared, expected }: SummarySource): string | null {
	const sent = amountText(input);
	const on = optional(' on ', networkWords(output));
	const received = amountText(output);
	if (compared?.asExpected === false) {
		const what =
			compared.amount === 'missed'
				? `${optional('only ', received) || 'something else'} instead of at least ${minimumWords(expected)}`
				: (received ?? 'it');
		const isElsewhere = compared.recipient === 'missed';
		const where = isElsewhere ? ` at another wallet (${shortHash(output.address ?? '')})` : '';
		return `${what} arrived${where}${on}`;
	}
	if (sent === null || received === null) return null;
	return `${sent}${optional(' from ', networkWords(input))} arrived${on} as ${received}`;
}

function minimumWords(expected: Expected | undefined): string | null {
	return messageText(expected?.minimumReceived ?? null, MAX_WORDS);
}

/** What could not be compared with what was expected. */
function notCompared({ compared, expected }: SummarySource): string[] {
	return [
		compared?.amount === 'unknown'
			? `The amount could not be compared with the expected ${minimumWords(expected)}`
			: '',
		compared?.recipient === 'unknown'
			? 'The recipient could not be compared with the expected one'
			: '',
	];
}

/** The message about an item for which the order could not be checked at all. `message`: one sentence or several, perhaps with the item's number in parentheses. */
export function failureSummary(reference: string | null, message: string): string {
	const name = nameText(reference);
	const about = name === null ? '' : `Order “${name}”: `;
	return `${WARNING} ${about}${plainSentences(message.replace(/ \([^()]*\)$/, ''))}`;
}

/** The message about a trigger that cannot check its orders. `why`: an error message, which may quote what was entered. */
export function interruptionSummary(why: string, consequence: string): string {
	const cause = plainSentences(why).replace(/\.?$/, '.');
	return `${WARNING} ${cause} Until this is resolved, ${consequence}.`;
}

/** An entered value is shown as it is or not at all, because without a sign it would be another one: "-5" is not 5. */
function plainSentences(text: string): string {
	const sentences = text
		.replace(ENTERED, (quoted, value: string) =>
			isSame(value, plainWords(value)) ? quoted : 'what was entered',
		)
		.split(/\.(?:\s+|$)/)
		.map((each) => plainText(plainWords(each), MAX_FAILURE) ?? '');
	return sentences.join('. ').trim();
}

/** Where a message of this package quotes what was entered: "'Amount' cannot be '-5'", "Line 2 of 'Hashes': 'Rent' is not a hash". */
const ENTERED = /(?<=cannot be |': )'(.{1,99}?)'(?![\p{L}\p{N}])/gsu;

/** Whether two texts have the same letters and digits, with the signs that make another value of them: a minus, a point, a currency. */
function isSame(one: string, other: string): boolean {
	const [bare, otherBare] = [one, other].map((text) => text.replace(HARMLESS_IN_VALUE, ''));
	return bare === otherBare && bare !== '';
}

const HARMLESS_IN_VALUE = /[^\p{L}\p{N}\p{Sc}\p{Sm}\p{Pd}.,%]/gu;

/** Words for a message with the colons, commas and ellipses between them, which mean nothing in any app. */
function plainWords(text: string): string {
	const parts = text.split(/([:,]\s|…)/);
	return parts
		.map((part, index) => (index % 2 === 1 ? part : (messageText(part, MAX_FAILURE) ?? '')))
		.join('');
}

const MAX_FAILURE = 200;

function orderWords(sourceHash: string): string {
	return `order ${shortHash(sourceHash) ?? 'without a hash'}`;
}

/** "0x9d23…9999"; null for an empty hash. */
export function shortHash(hash: string): string | null {
	const parts = hash.length <= 14 ? [hash] : [hash.slice(0, 6), hash.slice(-4)];
	const words = parts.map((part) => messageText(part, MAX_WORDS)).filter((part) => part !== null);
	return words.join('…') || null;
}

/** In characters. */
const MAX_WORDS = 100;

/** "0.5 ETH", or "5 smallest units of ETH"; null without an amount. Never a number without a unit, because a minimum needs one. */
export function amountText(leg: SummaryLeg): string | null {
	const { tokenSymbol, token, amount } = leg;
	const symbol = symbolText(tokenSymbol);
	const name = token === null ? null : shortHash(token);
	// Of several words not all would belong to the token.
	const ofToken = optional(' of token ', name?.includes(' ') === true ? null : name);
	const amountReadable = symbol === null && ofToken === '' ? null : leg.amountReadable;
	const shown = amountReadable ?? amount;
	// A part of an amount would be another amount.
	if (shown === null || shown.length > MAX_WORDS) return null;
	if (amountReadable !== null) return shown + (symbol === null ? ofToken : ` ${symbol}`);
	const units = shown === '1' ? 'smallest unit' : 'smallest units';
	return `${shown} ${units}${symbol === null ? ofToken : ` of ${symbol}`}`;
}

/** "Ethereum → Base", or "from Ethereum"; null if neither network is known. */
export function routeText(input: SummaryLeg, output: SummaryLeg): string | null {
	const [from, to] = [networkWords(input), networkWords(output)];
	if (from !== null && to !== null) return `${from} → ${to}`;
	return `${optional('from ', from)}${optional('to ', to)}` || null;
}

/** "Ethereum", "Ethereum (101)" if another one has that name, or "network 101" without a name; null if neither is known. */
export function networkWords({ network, chainId }: SummaryLeg): string | null {
	const id = messageText(String(chainId ?? ''), MAX_WORDS);
	const own = id !== null && network?.endsWith(` (${id})`) === true ? ` (${id})` : '';
	const name = networkText(network?.slice(0, network.length - own.length) ?? null);
	return name === null ? optional('network ', id) || null : name + own;
}

/** The words after a preposition, if they are known. */
export function optional(before: string, words: string | null): string {
	return words === null ? '' : `${before}${words}`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "12 s", "5 min 12 s", "3 h 20 min" or "2 d 6 h". */
export function durationWords(seconds: number): string {
	const whole = Math.round(seconds);
	if (whole < 1) return 'less than 1 s';
	if (whole < 2 * MINUTE) return `${whole} s`;
	const [large, largeUnit, small, smallUnit] =
		whole < HOUR
			? [Math.floor(whole / MINUTE), 'min', whole % MINUTE, 's']
			: whole < 2 * DAY
				? [Math.floor(whole / HOUR), 'h', Math.floor((whole % HOUR) / MINUTE), 'min']
				: [Math.floor(whole / DAY), 'd', Math.floor((whole % DAY) / HOUR), 'h'];
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
