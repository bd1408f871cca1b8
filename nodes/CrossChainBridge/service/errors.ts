import { type INode, NodeApiError } from 'n8n-workflow';

import { plainText } from '../orders/plainText';
import { type CredentialProblem, credentialWords } from './account';

/** By its HTTP status or with `success: false`. */
interface Rejected {
	kind: 'rejected';
	status: number;
	code: string | null;
	words: string | null;
	/** Null if it is not known. */
	meaning: Meaning | null;
	retryAfterMs: number | null;
}

/** Why no data came back. */
export type ServiceError =
	| Rejected
	| { kind: 'unreadable'; status: number; found: UnreadableBody }
	| { kind: 'redirected'; status: number }
	/** With Node's code, or the name of an error of n8n's. */
	| { kind: 'unreachable'; networkCode: string | null }
	| { kind: 'timedOut'; afterMs: number }
	/** Nothing was sent: the credential cannot be used, n8n did not give it in time, or it was edited meanwhile. */
	| { kind: 'invalidCredential'; problem: CredentialProblem }
	| { kind: 'credentialNotRead' | 'credentialEdited' };

/** What came instead of data, and how a message says it: not of the service at all, cut on the way, or of no use. */
const UNREADABLE = {
	html: ['foreign', 'was a web page'],
	text: ['foreign', 'was plain text'],
	noEnvelope: ['foreign', 'was JSON without the fields "success" and "data"'],
	brokenJson: ['half', 'was incomplete JSON'],
	brokenOff: ['half', 'ended before it was complete'],
	empty: ['half', 'was empty'],
	noData: ['useless', 'was JSON with nothing usable in the field "data"'],
	noNetworks: ['useless', 'had no list of networks'],
	tooLarge: ['useless', 'was too large, or its JSON had too many levels or values'],
} as const;

export type UnreadableBody = keyof typeof UNREADABLE;

export type Asked = 'config' | 'quote' | 'status';

/** Whom an error concerns; 'account': the user has to fix key or address. */
export type Scope = 'request' | 'account' | 'transient' | 'rateLimited';

/** In our own words, because n8n rewrites messages with certain codes; and what to do next. */
type Words = readonly [message: string, advice: string];

/** Of one cause: whom it concerns, and the words for each kind of request. */
type Row = { scope: Scope; configScope?: Scope } & Partial<Record<Asked | 'any', Words>>;

const SOON = 'Try again in a moment.';
const UNAVAILABLE = 'The bridge is temporarily unavailable';
const NOT_ACCEPTED = 'The bridge did not accept the request';
const NOT_READ = "The bridge's response could not be read";
const CHECK_VALUES = 'Check the values in this node against the response of the bridge.';
const CHECK_IF_ALL =
	'Try again. If it happens with all requests, check the Base URL in the credential';
const WRONG_ADDRESS = 'The Base URL does not lead to the bridge. Correct it in the credential.';
const CHECK_BASE_URL =
	'Check the Base URL in the credential: it is the API address, up to but not including /api/sdk/v2.';
const CHECK_CREDENTIAL = 'Check the API key and the Base URL in the credential.';
const CHECK_ACCOUNT: Words = [
	`${NOT_ACCEPTED}. ${CHECK_CREDENTIAL}`,
	'If both are right, ask your bridge.',
];
const REFUSED = 'The bridge or a firewall refused the request from this n8n (HTTP {status})';
const ASK_IF_BLOCKED =
	'If both are right, ask your bridge whether a firewall in front of it blocks the address of this n8n.';
const NOT_FOLLOWED =
	'The response was a redirect (HTTP {status}). It was not followed, so your key was not sent anywhere else.';
const REACH = 'Check the Base URL in the credential, and whether this n8n can reach it.{code}';

/**
 * The interface's codes, in capitals, and what else goes wrong. The configuration needs no parameter: what fails there, and does not
 * pass by itself, is for the user to fix, or to ask the bridge about.
 */
const ROWS = {
	INVALID_PARAMETER: {
		scope: 'request',
		config: [NOT_ACCEPTED, 'Ask your bridge.'],
		quote: ['{field} was not accepted', CHECK_VALUES],
		status: ['The bridge does not accept the hash', 'Check the hash.'],
	},
	INSUFFICIENT_LIQUIDITY: {
		scope: 'request',
		configScope: 'account',
		config: CHECK_ACCOUNT,
		quote: [
			'There is not enough liquidity for this route',
			'Try a smaller amount, another token or another network.',
		],
		status: [
			'The bridge does not have enough liquidity for this order at the moment',
			'The order may wait or be refunded. Do not send it again.',
		],
	},
	UNAUTHORIZED: {
		scope: 'account',
		any: [
			'The bridge does not accept the API key. Correct it in the credential.',
			'Open the credential and enter a valid API key.',
		],
		// Only the configuration says whether the key is wrong.
		status: [
			NOT_ACCEPTED,
			'Check the API key in the credential. If it is right, it may not be allowed to see this order.',
		],
	},
	NOT_FOUND: {
		scope: 'request',
		configScope: 'account',
		config: [WRONG_ADDRESS, CHECK_BASE_URL],
		quote: ['{thing} is not supported', 'Check the networks and tokens that were entered.'],
		status: [
			'Order not found',
			'Check the hash. A new order can take a moment to appear after its transaction is sent. Try again shortly.',
		],
	},
	RATE_LIMITED: {
		scope: 'rateLimited',
		any: [
			"The bridge's request limit was reached",
			'{again} If this happens often, lower Requests per Minute in the credential, or ask your bridge for a higher limit.',
		],
	},
	INTERNAL_ERROR: { scope: 'transient', any: [UNAVAILABLE, '{again}'] },
	refused: {
		scope: 'account',
		config: [`${REFUSED}. ${CHECK_CREDENTIAL}`, ASK_IF_BLOCKED],
		quote: [REFUSED, `${CHECK_CREDENTIAL} ${ASK_IF_BLOCKED}`],
		status: [
			REFUSED,
			'Check the API key in the credential. If it is right, it may not be allowed to see this order, or the bridge may block the address of this n8n.',
		],
	},
	/** Said by Amazon's API gateway of a path that it does not have. */
	noEndpoint: {
		scope: 'account',
		config: [WRONG_ADDRESS, CHECK_BASE_URL],
		any: [NOT_READ, `${CHECK_IF_ALL}.`],
	},
	other: {
		scope: 'request',
		configScope: 'account',
		config: CHECK_ACCOUNT,
		quote: [NOT_ACCEPTED, CHECK_VALUES],
		status: [NOT_ACCEPTED, `${SOON} The order may be under way: do not send it again.`],
	},
	/** One order or quote says nothing of the address: this is a suspicion only. */
	foreign: {
		scope: 'account',
		config: [WRONG_ADDRESS, `{came} ${CHECK_BASE_URL}`],
		any: [NOT_READ, `{came} ${CHECK_IF_ALL}.`],
	},
	half: {
		scope: 'transient',
		any: ["The bridge's response was incomplete", `{came} ${CHECK_IF_ALL}.`],
	},
	useless: {
		scope: 'transient',
		configScope: 'account',
		any: [NOT_READ, `{came} ${CHECK_IF_ALL}, or ask your bridge.`],
	},
	down: { scope: 'transient', any: [UNAVAILABLE, `{came} ${SOON}`] },
	redirected: {
		scope: 'account',
		config: [
			'The Base URL redirects to another address. Correct it in the credential.',
			`${NOT_FOLLOWED} Enter the final address as the Base URL.`,
		],
		any: [
			'The bridge redirected the request to another address',
			`${NOT_FOLLOWED} ${CHECK_IF_ALL}.`,
		],
	},
	unreachable: { scope: 'transient', any: ['The bridge could not be reached', REACH] },
	untrusted: {
		scope: 'transient',
		any: [
			'The bridge could not be reached',
			'The certificate found there is not valid, or this n8n does not trust it. The API key was not sent. Check the Base URL in the credential; if it is right, ask your bridge.{code}',
		],
	},
	timedOut: {
		scope: 'transient',
		any: [
			'The bridge did not respond in time',
			`No complete response came within {seconds} seconds. ${SOON}`,
		],
	},
	invalidCredential: { scope: 'account', any: ['{message}', '{description}'] },
	credentialNotRead: {
		scope: 'transient',
		any: ['n8n did not provide the credential in time', SOON],
	},
	credentialEdited: {
		scope: 'transient',
		any: [
			'The credential was changed while this request was waiting',
			'The request was not sent. Run the node again.',
		],
	},
} as const satisfies Record<string, Row>;

type Code = Extract<keyof typeof ROWS, Uppercase<string>>;

/** What the service means by a rejection; for some it has no code. */
type Meaning = Code | 'refused' | 'noEndpoint';

function rowOf(error: ServiceError): Row {
	if (error.kind === 'rejected') return ROWS[error.meaning ?? 'other'];
	if (error.kind === 'unreadable')
		return ROWS[error.status >= 500 ? 'down' : UNREADABLE[error.found][0]];
	if (error.kind !== 'unreachable') return ROWS[error.kind];
	const isCertificate = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/;
	return ROWS[isCertificate.test(error.networkCode ?? '') ? 'untrusted' : 'unreachable'];
}

/** Of a code in capitals. */
const isKnownCode = (code: string): code is Code => Object.hasOwn(ROWS, code);

const CODE = /^[A-Z][A-Z0-9_]{2,63}$/;

/** A code as the interface writes its own: in capitals, with underscores; null for other text. */
export function codeIn(text: string): string | null {
	const code = asWords(text).trim().replaceAll(' ', '_').toUpperCase();
	if (isKnownCode(code)) return code;
	// One word in small letters, or several words, are a message.
	const isCode = CODE.test(text) || (!/\s/.test(text) && code.includes('_'));
	return isCode && CODE.test(code) ? code : null;
}

/**
 * What the service means by a rejection; null if nothing says it. A code that is not known is read as words, too. What counts is the first of
 * these that is said:
 * 1. An order is not found: by HTTP 404, or by words (while the server has an error, by words that say no more than that), unless the status or
 *    the code speaks of the key or the request limit.
 * 2. The key is wrong: by words next to INVALID_PARAMETER or, of the configuration, next to "not found".
 * 3. A known code; except that an order which is said to be under way has no wrong hash.
 * 4. HTTP 401, 404, 429 and 5xx.
 * 5. The words. HTTP 403 and such mean the key if these or a code say so, and nothing of a firewall; otherwise the request was refused.
 * 6. A wrong value: of an order by HTTP 400 or 422 if the words leave no other meaning, of anything else by HTTP 400 without a code.
 */
export function meaningOf(
	{ status, code, words }: Pick<Rejected, 'status' | 'code' | 'words'>,
	asked: Asked,
): Meaning | null {
	const texts = [words, code].map(asWords);
	const says = (form: RegExp) => texts.some((text) => form.test(text));
	const isAboutAll =
		[401, 403, 429].includes(status) || /^(?:UNAUTHORIZED|RATE_LIMITED)$/.test(code ?? '');
	const isDown = status >= 500 || code === 'INTERNAL_ERROR';
	const saysSo = texts.some((text) => NOT_FOUND.test(text) && (!isDown || NO_MORE.test(text)));
	if (asked === 'status' && !isAboutAll && (status === 404 || saysSo)) return 'NOT_FOUND';
	const isDoubtful = asked === 'status' && code === 'INVALID_PARAMETER' && isUnderWay(texts);
	const isNowhere = asked === 'config' && (status === 404 || code === 'NOT_FOUND');
	if ((code === 'INVALID_PARAMETER' || isNowhere) && says(WRONG_KEY)) return 'UNAUTHORIZED';
	if (code !== null && isKnownCode(code) && !isDoubtful) return code;
	if (status === 401) return 'UNAUTHORIZED';
	if (status === 404) return 'NOT_FOUND';
	if (status === 429) return 'RATE_LIMITED';
	if (status >= 500) return 'INTERNAL_ERROR';
	const [said = null] = SAID.find(([, form]) => says(form)) ?? [];
	if (REFUSING.includes(status) && (said === null || said === 'UNAUTHORIZED')) {
		const isKey = status === 403 && (code !== null || says(/\bkey\b/i) || said !== null);
		return isKey && !says(BLOCKED) ? 'UNAUTHORIZED' : 'refused';
	}
	if (said !== null) return said;
	const isValue =
		asked === 'status'
			? [400, 422].includes(status) && areOfHash(texts)
			: status === 400 && code === null;
	return isValue ? 'INVALID_PARAMETER' : null;
}

/** That the key itself is at fault, and not what it is used for: "slippage is invalid for this API key". */
const WRONG_KEY = new RegExp(
	'\\b(?:invalid|missing|unknown|expired|revoked|wrong|no|requires?|provide)(?:[^\\w.]+(?:or|and|an?|the|your|valid|invalid|expired|x))*[^\\w.]+api ?key\\b' +
		'|\\bapi ?key(?:[^\\w.]+(?:header|parameter|value|provided|supplied|you|is|was|has|been|or))*[^\\w.]+(?:invalid|missing|unknown|expired|revoked|wrong|required|disabled|not (?:found|valid|provided|recognized|active))\\b',
	'i',
);

/** By which the bridge, a firewall or a proxy refuses a request; 407 is a proxy's, 451 is for legal reasons. */
export const REFUSING: readonly number[] = [403, 407, 451];

/** What words, or a code of the service's own, mean if the HTTP status does not say it. */
const SAID: ReadonlyArray<readonly [Meaning, RegExp]> = [
	[
		'RATE_LIMITED',
		/\btoo many (?:requests|calls)\b|\brate ?limit|\brequest limit\b|\bquota exceeded\b|\bthrottled\b|(?:^\W*|please )slow down\b/i,
	],
	[
		'INSUFFICIENT_LIQUIDITY',
		/\b(?:insufficient|not enough|no) (?:\w+ )?liquidity\b|\bliquidity\b(?: \w+){0,4} (?:insufficient|not enough|too low)\b/i,
	],
	['noEndpoint', /^\W*missing authentication token\b/i],
	['UNAUTHORIZED', /\bapi ?key|^\W*(?:\d+ )?unauthori[sz]ed\b|\bauthentication\b/i],
];

/** With 403: not the key, but where the request comes from. */
const BLOCKED =
	/\b(?:ip|host|address|country|region|location|geo\w*|vpn|firewall|waf|captcha|blocked|banned)\b/i;

const OF_PARAMETER =
	/\b(?:(?:source|tx|transaction) ?)?hash(?:es)?\b|\bparam(?:eter)?s?\b|\bquery\b/i;
const NOT_VALID =
	/\b(?:invalid|malformed|missing|required|format|validation|not (?:an? )?valid|bad request|unprocessable (?:entity|content))\b/i;
/** What else may not be valid. */
const OF_OTHERS =
	/\b(?:response|data|state|session|signature|nonce|node|rpc|solver|upstream|server|service|network|chain|token|route|quote)\b/i;
/** How the text of a parameter has to look. */
const OF_FORM =
	/\b(?:hexa?(?:decimal)?|digits?|char(?:acter)?s?|bytes?|length|too (?:short|long)|empty|string|(?:no (?:\w+ ){1,3}|not )provided)\b/i;
/** Of an order that is under way, or of a service that is not there. */
const UNDER_WAY =
	/\b(?:yet|pending|(?:is|being|still) (?:process|index)\w*|a?waiting|progress|already|queued?|(?:un)?confirm(?:ed|ing|ations?)|mined|final\w*|recent|too (?:new|young|early|soon)|temporar\w*|maintenance|(?:un|not )available|busy|time ?out|(?:order|transaction|tx|deposit) (?:(?:is|was|has|have) )?not (?:been )?(?:created|detected|processed|received|recorded)|in (?:our|the) (?:records?|database|system)|(?:may|can|might) take|to appear)\b/i;
/** Of an order, too, unless its hash is called wrong: then it is only polite, as in "please try again later". */
const PASSES = /\b(?:process\w*|confirm|later|retry|moment)\b/i;

const isHashWrong = (text: string): boolean =>
	text.split(/[.;]/).some((part) => {
		const isCalledWrong = NOT_VALID.test(part) || OF_FORM.test(part);
		return isCalledWrong && OF_PARAMETER.test(part) && !OF_OTHERS.test(part);
	});

/** Whether the order may be under way: then it must not be said to have a wrong hash, because it would be sent twice. */
const isUnderWay = ([words = '', code = '']: readonly string[]): boolean =>
	[words, code].some((text) => UNDER_WAY.test(text) || (PASSES.test(text) && !isHashWrong(words)));

/** Whether the hash, the only parameter, is at fault: the words say that it, or what they do not name, is not valid, or there are none. */
function areOfHash(texts: readonly string[]): boolean {
	if (isUnderWay(texts) || texts.some((text) => OF_OTHERS.test(text))) return false;
	const [said = ''] = texts.filter((text) => text !== '');
	return said === '' || NOT_VALID.test(said) || texts.some(isHashWrong);
}

/** A hash in any form, which would fall into pieces, in place of words. */
const ANY_HASH = /(?<![\w+/-])(?=[A-Za-z_+/-]*\d)(?:[\dA-Za-z]{32,}|[\w+/-]{43}=?)(?![\w+/=-])/g;

/** "order not found" for "ORDER_NOT_FOUND", "order-not-found" and "orderNotFound". */
function asWords(text: string | null): string {
	const words = (text ?? '').slice(0, MAX_QUOTATION).replace(ANY_HASH, '0x');
	return words.replace(/[_-]|(?<=[a-z])(?=[A-Z])/g, ' ');
}

/** Whether a text says that an order is not found. */
export const saysNotFound = (text: string): boolean => NOT_FOUND.test(asWords(text));

/** Not what only has to do with orders, such as "order service": while it is down, nothing is known of any order. */
const ORDER =
	'(?:order|transaction|tx|hash|deposit|transfer|record|resource)s?\\b(?!\\W+(?:data )?(?:service|server|database|db|store|table|provider|processor|cache|index|indexer|api|node|rpc|backend|error)\\b)';
const IS_THERE = '(?:found|find|indexed|seen|known|exists?|locate)';
/** The parameter, or its form, is what is missing or not known: "no transaction hash provided", "unknown hash format". */
const NOT_OF_FORM =
	'(?!\\W+(?:hash\\W+)?(?:(?:was|is) )?(?:format|form|type|length|param|given|provided|supplied|specified))';
/** "Order not found", "not indexed yet", "no such order", "could not find the transaction"; a network or key may be missing as well. */
const NOT_FOUND = new RegExp(
	[
		`^\\W*(?:error\\W+)?(?:not(?: yet)? ?${IS_THERE}|nothing found|no results?|no data)\\b`,
		`\\b${ORDER}\\W*(?:\\S+\\s+){0,4}?(?:not|never|cannot|\\w+n't)\\b[^.]{0,12}?\\b${IS_THERE}\\b`,
		`\\b(?:not|cannot|\\w+n't) ${IS_THERE} (?:(?:any|an?|the|this|that|source) ){0,2}${ORDER}`,
		`\\b(?:no|no such|unknown) (?:(?:bridge|matching|source) ){0,2}${ORDER}`,
	]
		.map((form) => form + NOT_OF_FORM)
		.join('|'),
	'i',
);

/** What may stand next to no data: that the request went well, that there is nothing, or that the deposit is awaited. */
const HARMLESS = new RegExp(
	`^[^\\p{L}\\p{N}]*(?:(?:${[
		'0+|20\\d|404|ok(?:ay)?|success(?:ful(?:ly)?)?|done|fetched|retrieved|(?:no|without) errors?',
		'(?:(?:order|transaction) )?(?:status|data|details|info|records?) (?:(?:was|were|is) )?(?:successfully )?(?:fetched|retrieved)',
		'(?:operation|request|query)(?: (?:was|is))?(?: (?:completed|processed))?',
		'(?:found )?(?:nothing|none)(?: (?:here|yet|so far))?',
		'(?:awaiting|waiting for) (?:(?:the|your|a) )?deposit',
	].join('|')})(?:[^\\p{L}\\p{N}]+|$))*$`,
	'iu',
);

/** Whether a text, or the number of a status, is known to say nothing more than that there is no order. Any other may be of an outage, or of an order that is under way all the same. */
export const isHarmless = (text: string): boolean =>
	saysNotFound(text) || HARMLESS.test(asWords(text));

/** A sentence of which every word belongs to "the order was not found". With any other, an error of the server may say why it cannot tell. */
const NO_MORE =
	/^(?=.*\b(?:order|transaction|tx|hash|deposit|transfer)s?\b)\W*(?:error\b)?(?:[^\p{L}\p{N}]|0x[\da-f]*|\b(?:we|the|this|that|an?|any|such|no|not|never|cannot|can|could|was|is|has|have|been|be|do|does|\w{2,6}n't|found|find|indexed|seen|known|unknown|exists?|locate|yet|try|again|later|with|for|by|on|of|id|given|provided|requested|source|bridge|chain|matching|order|transaction|tx|hash|deposit|transfer)s?\b)*$/iu;

/** Whom an error concerns, as an answer to what was asked. */
export function scopeOf(error: ServiceError, asked: Asked = 'status'): Scope {
	const { scope, configScope = scope } = rowOf(error);
	return asked === 'config' ? configScope : scope;
}

/** Whether the user has to fix key or address; of a quote or an order it is only a suspicion, which the configuration settles. */
export function isAccountError(error: ServiceError, asked: Asked = 'status'): boolean {
	return scopeOf(error, asked) === 'account';
}

/** Whether the error concerns this request only, so that others may succeed. */
export function isRequestError(error: ServiceError): boolean {
	return scopeOf(error) === 'request';
}

const means = (error: ServiceError, meaning: Meaning | null): error is Rejected =>
	error.kind === 'rejected' && error.meaning === meaning;

/** Whether the hash is at fault, so that asking again is of no use. */
export const isHashRejected = (error: ServiceError): boolean => means(error, 'INVALID_PARAMETER');

export const isNotFound = (error: ServiceError): boolean => means(error, 'NOT_FOUND');

export const isRateLimited = (error: ServiceError): boolean => means(error, 'RATE_LIMITED');

/** The pause that the service asked for, in milliseconds; null if it states none. */
export function retryAfterOf(error: ServiceError): number | null {
	return error.kind === 'rejected' && asksForPause(error) ? error.retryAfterMs : null;
}

/** Whether it is a 429, or a server error that states a time. */
export function asksForPause(error: ServiceError): boolean {
	const isDown = means(error, 'INTERNAL_ERROR') && error.retryAfterMs !== null;
	return isDown || isRateLimited(error);
}

/** The editor's names of the service's parameters. */
type Labels = Readonly<Record<string, string>>;

/** An error for people: `message` may be the bridge's own words, `ownMessage` is in ours. */
export function describeError(error: ServiceError, asked: Asked, labels: Labels = {}) {
	const row = rowOf(error);
	const words = row[asked] ?? row.any ?? CHECK_ACCOUNT;
	const values = valuesOf(error, labels);
	const [ownMessage = '', advice = ''] = words.map((text) =>
		text.replace(/\{(\w+)\}/g, (_place, name: string) => values[name] ?? ''),
	);
	const quoted = quotationOf(error, labels);
	// About the configuration ours says more: when a workflow cannot be published, n8n shows nothing but the message.
	const isVague = asked !== 'config' && VAGUE.has(ownMessage);
	const isTheirs = isVague && quoted !== null && isClear(quoted);
	return {
		message: isTheirs ? `The bridge says: "${quoted}"` : ownMessage,
		ownMessage,
		description: advice + responseWords(error, quoted),
		httpCode: 'status' in error ? String(error.status) : undefined,
		code: codeOf(error) ?? undefined,
	};
}

/** Messages that say less than clear words of the bridge. */
const VAGUE: ReadonlySet<string> = new Set([
	NOT_ACCEPTED,
	'A value was not accepted',
	'The network or token is not supported',
	'The bridge does not accept the hash',
]);

/** What stands in the places of the table's words. */
function valuesOf(error: ServiceError, labels: Labels): Labels {
	switch (error.kind) {
		case 'rejected': {
			const named = parameterNamed(error, labels);
			const field = named === null ? null : `'${labels[named]}'`;
			const { retryAfterMs } = error;
			const soon = isRateLimited(error) ? 'Try again in a minute.' : SOON;
			return {
				field: field ?? 'A value',
				thing: field ?? 'The network or token',
				status: String(error.status),
				again:
					retryAfterMs === null ? soon : `Try again in ${Math.ceil(retryAfterMs / 1000)} seconds.`,
			};
		}
		case 'unreadable':
			return { came: `The response ${UNREADABLE[error.found][1]} (HTTP ${error.status}).` };
		case 'redirected':
			return { status: String(error.status) };
		case 'unreachable':
			return { code: error.networkCode === null ? '' : ` Code: ${error.networkCode}.` };
		case 'timedOut':
			return { seconds: String(Math.round(error.afterMs / 1000)) };
		case 'invalidCredential':
			return credentialWords(error.problem);
		default:
			return {};
	}
}

/** The service's own code, or the one that its interface gives to what happened. */
function codeOf(error: ServiceError): string | null {
	if (error.kind !== 'rejected') return null;
	const hasCode = isNotFound(error) || [401, 404, 429, 500].includes(error.status);
	return error.code ?? (hasCode ? error.meaning : null);
}

/** In characters. */
const MAX_QUOTATION = 300;

/** The editor shows a description as HTML, where full-width signs mean nothing. */
const MARKUP = /[<>&]/g;
const TO_FULL_WIDTH = 0xfee0;

const NAME = /\b[A-Za-z]{2,40}\b/g;

/** What the bridge said, with the editor's names of its parameters; null if it is no more than the HTTP status says. */
export function quotationOf(error: ServiceError, labels: Labels = {}): string | null {
	if (error.kind !== 'rejected' || isReasonPhrase(error.words)) return null;
	const quoted = plainText(error.words, MAX_QUOTATION)
		?.replace(MARKUP, (sign) => String.fromCharCode(sign.charCodeAt(0) + TO_FULL_WIDTH))
		.replace(NAME, (name) => (Object.hasOwn(labels, name) ? (labels[name] ?? name) : name));
	return quoted ?? null;
}

const REASON_PHRASE =
	/^\W*(?:http\W+)?(?:\d{3}\W+)?(?:ok|success|bad request|unauthori[sz]ed|payment required|forbidden|not found|method not allowed|not acceptable|proxy authentication required|request time-?out|conflict|gone|(?:payload|content|request entity) too large|unsupported media type|unprocessable (?:entity|content)|too early|too many requests|unavailable for legal reasons|internal server error|not implemented|bad gateway|service unavailable|gateway time-?out|error)(?: exception)?\W*$/i;

/** Whether it says no more than the HTTP status does, such as "Bad Request". */
export const isReasonPhrase = (text: string | null): boolean =>
	REASON_PHRASE.test((text ?? '').slice(0, MAX_QUOTATION));

function responseWords(error: ServiceError, quoted: string | null): string {
	if (error.kind !== 'rejected') return '';
	const { status, code } = error;
	const response = code === null ? `HTTP ${status}` : `${code} (HTTP ${status})`;
	// It may be a firewall's.
	const lead = means(error, 'refused') ? 'The response was' : 'The bridge responded with';
	return ` ${lead} ${response}${quoted === null ? '' : `: "${quoted}"`}.`;
}

/** n8n rewrites a title with one of Node's codes in it, and takes a run for canceled that says so. */
const REWRITTEN =
	/econn|enotfound|etimedout|eaddr|ehost|eai_|enoent|eisdir|enotdir|eacces|eexist|eperm|getaddrinfo|cancell?ed|authorization/i;

/** Whether the bridge's words are a sentence for people, good for a title. */
function isClear(words: string): boolean {
	const isSentence = /^\p{L}[^{}[\]\\/_=＜＞]{0,118}$/u.test(words) && /\S \S/.test(words);
	return isSentence && !/[A-Z]{7}/.test(words) && !REWRITTEN.test(words);
}

/** The one parameter with a label that the service's words name. */
export function parameterNamed(error: ServiceError, labels: Labels): string | null {
	const words = error.kind === 'rejected' ? (plainText(error.words, MAX_QUOTATION) ?? '') : '';
	const names = [...words.matchAll(NAME)].map(([name]) => name);
	const named = new Set(names.filter((name) => Object.hasOwn(labels, name)));
	return named.size === 1 ? [...named].join('') : null;
}

export interface NodeErrorOptions {
	asked: Asked;
	labels?: Labels;
	itemIndex?: number;
	/** Instead of the message. */
	title?: string;
	/** Sentences before and after the description. */
	lead?: string;
	note?: string;
}

/** A service error as n8n's own, with the sentences that fit what was asked for. */
export function toNodeError(
	node: INode,
	serviceError: ServiceError,
	{ asked, itemIndex, title, lead, note, labels }: NodeErrorOptions,
): NodeApiError {
	const { code, ...words } = describeError(serviceError, asked, labels);
	const error = new NodeApiError(
		node,
		{},
		{
			...words,
			itemIndex,
			message: title ?? words.message,
			description: [lead, words.description, note].filter(Boolean).join(' '),
		},
	);
	if (code !== undefined) error.context.code = code;
	return error;
}
