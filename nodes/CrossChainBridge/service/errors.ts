import { type INode, NodeApiError } from 'n8n-workflow';

import { plainText } from '../orders/plainText';
import { CREDENTIAL_TEXTS, type CredentialProblem } from './account';

/** By its HTTP status or with `success: false`. */
interface Rejected {
	kind: 'rejected';
	status: number;
	code: string | null;
	words: string | null;
	retryAfterMs: number | null;
}

/** Why no data came back; nothing was sent with an invalid or moved credential. */
export type ServiceError =
	| Rejected
	| { kind: 'unreadable'; status: number; found: UnreadableBody }
	| { kind: 'redirected'; status: number }
	/** With Node's code, or the name of an error of n8n's. */
	| { kind: 'unreachable'; networkCode: string | null }
	| { kind: 'timedOut'; afterMs: number }
	| { kind: 'invalidCredential'; problem: CredentialProblem }
	/** The credential was edited, and leads to another account. */
	| { kind: 'moved' };

/** What came instead of data: not of the service at all, cut on the way, or of no use. */
const UNREADABLE = {
	html: 'foreign',
	text: 'foreign',
	noEnvelope: 'foreign',
	brokenJson: 'half',
	brokenOff: 'half',
	empty: 'half',
	noData: 'useless',
	noNetworks: 'useless',
	tooLarge: 'useless',
} as const;

export type UnreadableBody = keyof typeof UNREADABLE;

export type Asked = 'config' | 'quote' | 'status';

/** Whom an error concerns; 'account': the user has to fix key or address. */
type Scope = 'request' | 'account' | 'transient' | 'rateLimited';

/** By the interface's codes; null: depends on what was asked for. */
const SCOPES = {
	INVALID_PARAMETER: 'request',
	INSUFFICIENT_LIQUIDITY: null,
	UNAUTHORIZED: 'account',
	NOT_FOUND: null,
	RATE_LIMITED: 'rateLimited',
	INTERNAL_ERROR: 'transient',
} as const;

type KnownCode = keyof typeof SCOPES;

const isKnownCode = (code: string): code is KnownCode => Object.hasOwn(SCOPES, code);

/** The service's own code, or the one its interface gives to the HTTP status. */
function codeOf(error: ServiceError): string | null {
	if (error.kind !== 'rejected') return null;
	const hasCode = [401, 404, 429, 500].includes(error.status);
	return error.code ?? (hasCode ? meaningOf(error) : null);
}

/** A known code counts more than the HTTP status, and that more than an unknown code. */
function meaningOf(error: ServiceError): KnownCode | null {
	if (error.kind !== 'rejected') return null;
	const { code, status } = error;
	if (code !== null && isKnownCode(code)) return code;
	if (status === 400 && code === null) return 'INVALID_PARAMETER';
	if (status === 401 || status === 403) return 'UNAUTHORIZED';
	if (status === 404) return 'NOT_FOUND';
	if (status === 429) return 'RATE_LIMITED';
	return status >= 500 ? 'INTERNAL_ERROR' : null;
}

/** The configuration needs no parameter: what fails there, and does not pass by itself, needs the user. */
function scopeOf(error: ServiceError, asked: Asked = 'status'): Scope {
	switch (error.kind) {
		case 'invalidCredential':
		case 'redirected':
			return 'account';
		case 'timedOut':
		case 'unreachable':
		case 'moved':
			return 'transient';
		case 'unreadable': {
			const what = UNREADABLE[error.found];
			if (error.status >= 500 || what === 'half') return 'transient';
			return what === 'foreign' || asked === 'config' ? 'account' : 'transient';
		}
		case 'rejected': {
			const meaning = meaningOf(error);
			const scope = meaning === null ? null : SCOPES[meaning];
			return scope ?? (asked === 'config' ? 'account' : 'request');
		}
	}
}

/** Whether the user has to fix key or address. */
export function needsTheUser(error: ServiceError, asked: Asked = 'status'): boolean {
	return scopeOf(error, asked) === 'account';
}

/** Whether others may succeed. */
export function isOrderError(error: ServiceError): boolean {
	return scopeOf(error) === 'request';
}

/** Whether the hash is at fault: the service's word for that, or HTTP 400 without a known word. */
export function isHashRejected(error: ServiceError): boolean {
	const meaning = meaningOf(error);
	const isPlain400 = error.kind === 'rejected' && error.status === 400 && meaning === null;
	return isPlain400 || meaning === 'INVALID_PARAMETER';
}

export function isNotFound(error: ServiceError): boolean {
	return meaningOf(error) === 'NOT_FOUND';
}

export function isRateLimited(error: ServiceError): boolean {
	return meaningOf(error) === 'RATE_LIMITED';
}

/** The pause that the service asked for; null if it states none. */
export function retryAfterOf(error: ServiceError): number | null {
	return error.kind === 'rejected' && asksForPause(error) ? error.retryAfterMs : null;
}

/** Whether it is a 429, or a server error that states a time. */
export function asksForPause(error: ServiceError): boolean {
	if (error.kind !== 'rejected') return false;
	const isDown = meaningOf(error) === 'INTERNAL_ERROR';
	return isRateLimited(error) || (isDown && error.retryAfterMs !== null);
}

/** Why an operation went wrong, as n8n 2.38 and later read it. */
type Failure =
	| { cause: 'rate-limited' | 'temporarily-unavailable'; retryAfterMs?: number }
	| { cause: 'credential-invalid' | 'configuration-invalid' };

interface Words {
	/** In our own words, since n8n rewrites messages with certain codes. */
	message: string;
	/** What to do next, and the service's words, as plain text. */
	description: string;
}

type Labels = Readonly<Record<string, string>>;

interface AskedFor {
	/** The editor's names of the service's parameters. */
	labels?: Labels;
	network?: string;
}

export function describeError(error: ServiceError, asked: Asked, askedFor: AskedFor = {}) {
	return {
		...wordsFor(error, asked, askedFor),
		httpCode: 'status' in error ? String(error.status) : undefined,
		code: codeOf(error) ?? undefined,
		failure: failureOf(error, asked, askedFor),
	};
}

/** A network that is not supported is no fault of key or address. */
function isUnknownNetwork(error: ServiceError, { network }: AskedFor): boolean {
	const meaning = meaningOf(error);
	return network !== undefined && (meaning === 'NOT_FOUND' || meaning === 'INVALID_PARAMETER');
}

function failureOf(error: ServiceError, asked: Asked, askedFor: AskedFor): Failure | undefined {
	const scope = scopeOf(error, asked);
	if (scope === 'request' || isUnknownNetwork(error, askedFor)) return undefined;
	if (scope === 'account') {
		const isKey = meaningOf(error) === 'UNAUTHORIZED';
		return { cause: isKey ? 'credential-invalid' : 'configuration-invalid' };
	}
	const retryAfterMs = retryAfterOf(error) ?? undefined;
	const cause = scope === 'rateLimited' ? 'rate-limited' : 'temporarily-unavailable';
	return { cause, retryAfterMs };
}

const WRONG_ADDRESS = 'The Base URL does not lead to the bridge. Correct it in the credential.';

const CHECK_BASE_URL =
	'Check the Base URL in the credential: it is the API address, up to but not including /api/sdk/v2.';

const TEMPORARY_PROBLEM = 'The bridge is temporarily unavailable';

export const NOT_ACCEPTED = 'The bridge did not accept the request';

const SOON = 'Try again in a moment.';

const words = (message: string, description: string): Words => ({ message, description });

function wordsFor(error: ServiceError, asked: Asked, askedFor: AskedFor): Words {
	switch (error.kind) {
		case 'invalidCredential':
			return CREDENTIAL_TEXTS[error.problem];
		case 'moved':
			return words(
				'The credential was edited during this request',
				'It now points to a different account or address. Try again.',
			);
		case 'timedOut':
			return words(
				'The bridge did not respond in time',
				`No complete response came within ${Math.round(error.afterMs / 1000)} seconds. ${SOON}`,
			);
		case 'unreachable':
			return words('The bridge could not be reached', connectionAdvice(error.networkCode));
		case 'redirected':
			return words(
				'The Base URL redirects to another address. Correct it in the credential.',
				`The response was a redirect (HTTP ${error.status}). It was not followed, so your key was not sent anywhere else. Enter the final address as Base URL.`,
			);
		case 'unreadable':
			return unreadableWords(error.status, error.found);
		case 'rejected':
			return rejectedWords(error, asked, askedFor);
	}
}

/** What to do, by Node's code. */
function connectionAdvice(networkCode: string | null): string {
	const reach = 'Check the Base URL in the credential, and whether this n8n can reach it.';
	if (networkCode === null) return reach;
	const code = `Code: ${networkCode}.`;
	if (/^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/.test(networkCode))
		return `The certificate found there is not valid, or this n8n does not trust it. The API key was not sent. Check the Base URL in the credential; if it is right, ask the operator of the bridge. ${code}`;
	return `${reach} ${code}`;
}

const WHAT_CAME: Record<UnreadableBody, string> = {
	html: 'a web page',
	text: 'plain text',
	brokenJson: 'incomplete JSON',
	empty: 'nothing',
	noEnvelope: 'JSON without the fields "success" and "data"',
	noData: 'JSON without "data"',
	tooLarge: 'far too much, or with JSON that is nested too deeply',
	brokenOff: 'a part of its response',
	noNetworks: 'data without a list of networks',
};

function unreadableWords(status: number, found: UnreadableBody): Words {
	const what = `${WHAT_CAME[found]} (HTTP ${status}).`;
	const came = `The bridge responded with ${what}`;
	const check = `${came} Try again; if this persists, check the Base URL in the credential`;
	if (status >= 500) return words(TEMPORARY_PROBLEM, `${came} ${SOON}`);
	switch (UNREADABLE[found]) {
		case 'half':
			return words("The bridge's response was incomplete", `${check}.`);
		case 'useless':
			return words(
				"The bridge's response could not be read",
				`${check}, or ask the operator of the bridge.`,
			);
		case 'foreign':
			return words(WRONG_ADDRESS, `The response was ${what} ${CHECK_BASE_URL}`);
	}
}

function rejectedWords(error: Rejected, asked: Asked, askedFor: AskedFor): Words {
	const { labels = {}, network } = askedFor;
	const { status, code, retryAfterMs } = error;
	const quoted = plainText(error.words, MAX_QUOTATION)
		?.replace(MARKUP, (sign) => String.fromCharCode(sign.charCodeAt(0) + TO_FULL_WIDTH))
		.replace(NAME, (name) => (Object.hasOwn(labels, name) ? (labels[name] ?? name) : name));
	const response = code === null ? `HTTP ${status}` : `${code} (HTTP ${status})`;
	const said = `The bridge responded with ${response}${quoted === undefined ? '' : `: "${quoted}"`}.`;
	const text = (message: string, advice: string) => words(message, `${advice} ${said}`);
	const again =
		retryAfterMs === null ? null : `Try again in ${Math.ceil(retryAfterMs / 1000)} seconds.`;
	const parameter = parameterNamed(error, labels);
	const field = parameter === null ? null : `'${labels[parameter]}'`;
	const meaning = meaningOf(error);
	switch (meaning) {
		case 'UNAUTHORIZED':
			// Only the configuration says whether the key is wrong.
			if (asked === 'status')
				return text(
					NOT_ACCEPTED,
					'Check the API key in the credential. If it is right, it may not see this order.',
				);
			return text(
				'The bridge does not accept the API key. Correct it in the credential.',
				'Open the credential and enter a valid API key.',
			);
		case 'RATE_LIMITED':
			return text(
				'Request limit reached',
				`More requests were sent with this API key than its limit allows. ${again ?? 'Try again in a minute.'}`,
			);
		case 'INTERNAL_ERROR':
			return text(TEMPORARY_PROBLEM, again ?? SOON);
	}
	if (asked === 'config') {
		if (isUnknownNetwork(error, askedFor))
			return text(
				`Network ${network} is not supported`,
				'Leave the field empty to see all networks with their IDs.',
			);
		if (status === 404) return text(WRONG_ADDRESS, CHECK_BASE_URL);
		const check = 'Check the API key and the Base URL in the credential; if both are right, ask';
		const ask = scopeOf(error, asked) === 'account' ? check : 'Ask';
		return text(NOT_ACCEPTED, `${ask} the operator of the bridge.`);
	}
	switch (meaning) {
		case 'INSUFFICIENT_LIQUIDITY':
			return text(
				'There is not enough liquidity for this route',
				'Try a smaller amount, another token or another network.',
			);
		case 'NOT_FOUND':
			return asked === 'status'
				? text(
						'Order not found',
						'Check the hash. A new order can take a moment to appear after its transaction is sent. Try again shortly.',
					)
				: text(
						`${field ?? 'The network or token'} is not supported`,
						'Check the networks and tokens that were entered.',
					);
		case 'INVALID_PARAMETER':
			return text(
				asked === 'status'
					? 'The bridge does not accept the hash'
					: `${field ?? 'A value'} was not accepted`,
				'Check what was entered.',
			);
		default:
			return text(NOT_ACCEPTED, 'Check what was entered.');
	}
}

const MAX_QUOTATION = 300;

/** The editor shows a description as HTML, where full-width signs mean nothing. */
const MARKUP = /[<>&]/g;
const TO_FULL_WIDTH = 0xfee0;

const NAME = /\b[A-Za-z]{2,40}\b/g;

/** The one parameter with a label that the service's words name. */
export function parameterNamed(error: ServiceError, labels: Labels): string | null {
	const words = error.kind === 'rejected' ? (plainText(error.words, MAX_QUOTATION) ?? '') : '';
	const names = [...words.matchAll(NAME)].map(([name]) => name);
	const named = new Set(names.filter((name) => Object.hasOwn(labels, name)));
	return named.size === 1 ? [...named].join('') : null;
}

export interface NodeErrorOptions extends AskedFor {
	asked: Asked;
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
	{ asked, itemIndex, title, lead, note, ...askedFor }: NodeErrorOptions,
): NodeApiError {
	const { message, description, code, ...declared } = describeError(serviceError, asked, askedFor);
	const options = {
		...declared,
		message: title ?? message,
		description: [lead, description, note].filter(Boolean).join(' '),
		itemIndex,
	};
	const error = new NodeApiError(node, {}, options);
	if (code !== undefined) error.context.code = code;
	return error;
}
