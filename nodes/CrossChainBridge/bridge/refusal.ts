import { NodeApiError, type INode } from 'n8n-workflow';

import { plainText } from './plainText';

/** Why no data came back. A value, not an exception: the trigger goes on with the other orders. */
export type Refusal =
	/** The service said no, with a status code of its own or with `success: false`. */
	| { kind: 'refused'; status: number; code: string | null; words: string | null; retryAfterMs: number | null }
	/** Something answered that is not the service, or half of an answer came. */
	| { kind: 'unreadable'; status: number; found: UnreadableBody }
	/** The service sent us elsewhere; we do not go there, since the key would go along. */
	| { kind: 'redirected'; status: number }
	/** No answer: connection, name look-up, certificate. `networkCode` is Node's own, for example ECONNREFUSED, or the name of an error of n8n's. */
	| { kind: 'unreachable'; networkCode: string | null }
	| { kind: 'timedOut'; afterMs: number }
	/** The credential itself cannot be used; nothing was sent. */
	| { kind: 'unusable'; message: string; description: string };

export type UnreadableBody = 'html' | 'text' | 'brokenJson' | 'empty' | 'noEnvelope' | 'noData' | 'tooLarge' | 'brokenOff' | 'noNetworks';

/** n8n's declaration of why an operation went wrong (n8n-workflow 2.38 and later read it; others ignore it). */
export type Failure =
	| { cause: 'rate-limited' | 'temporarily-unavailable'; retryAfterMs?: number }
	| { cause: 'credential-invalid' | 'configuration-invalid' };

export interface RefusalText {
	/** One sentence: what happened. Our own words only, since n8n rewrites messages that contain certain codes. */
	message: string;
	/** What to do next, and what the service said, safe to be shown as HTML. */
	description: string;
	/** HTTP status as n8n stores it; undefined where no HTTP answer came. */
	httpCode?: string;
	/** The service's own code, for example NOT_FOUND. */
	code?: string;
	failure?: Failure;
}

const WHAT_CAME: Record<UnreadableBody, string> = {
	html: 'a web page',
	text: 'plain text',
	brokenJson: 'JSON that breaks off',
	empty: 'an empty answer',
	noEnvelope: 'JSON without the fields "success" and "data"',
	noData: 'an answer without "data"',
	tooLarge: 'an answer that is far too large or too deeply nested',
	brokenOff: 'an answer that broke off',
	noNetworks: 'data without a list of networks',
};

const CHECK_BASE_URL = 'Check the Base URL in the credential: it is the address of the service alone, without a path.';

/** The codes of the service's interface. */
const KNOWN_CODES: readonly string[] = ['INVALID_PARAMETER', 'INSUFFICIENT_LIQUIDITY', 'UNAUTHORIZED', 'NOT_FOUND', 'RATE_LIMITED', 'INTERNAL_ERROR'];

/** The code to show: the service's own, or the one its interface gives to that HTTP status. */
export function refusalCode(refusal: Refusal): string | null {
	if (refusal.kind !== 'refused') return null;
	if (refusal.code !== null) return refusal.code;
	const byStatus: Record<number, string> = {
		401: 'UNAUTHORIZED',
		404: 'NOT_FOUND',
		429: 'RATE_LIMITED',
		500: 'INTERNAL_ERROR',
	};
	return byStatus[refusal.status] ?? null;
}

/** Which of the known codes the refusal amounts to: a known code counts more than the HTTP status, and the status more than a code that nobody knows. */
function meaningOf(refusal: Refusal): string | null {
	if (refusal.kind !== 'refused') return null;
	const { code, status } = refusal;
	if (code !== null && KNOWN_CODES.includes(code)) return code;
	if (status === 401 || status === 403) return 'UNAUTHORIZED';
	if (status === 404) return 'NOT_FOUND';
	if (status === 429) return 'RATE_LIMITED';
	return status >= 500 ? 'INTERNAL_ERROR' : null;
}

/** The same without the key, which the service may have repeated in its words. */
export function withoutKey(refusal: Refusal, apiKey: string): Refusal {
	if (refusal.kind !== 'refused') return refusal;
	const { code, words } = refusal;
	return { ...refusal, code: code?.includes(apiKey) === true ? null : code, words: words?.replaceAll(apiKey, '(API key)') ?? null };
}

export function isNotFound(refusal: Refusal): boolean {
	return meaningOf(refusal) === 'NOT_FOUND';
}

export function isRateLimited(refusal: Refusal): boolean {
	return meaningOf(refusal) === 'RATE_LIMITED';
}

/** Whether a person has to mend something (key, address) before it can go well. All else passes by itself. */
export function needsAPerson(refusal: Refusal): boolean {
	const { failure } = describeRefusal(refusal);
	return failure?.cause === 'credential-invalid' || failure?.cause === 'configuration-invalid';
}

/** Whether the service said something about this one request, so that others may still go well. */
export function isAboutThisRequestOnly(refusal: Refusal): boolean {
	return describeRefusal(refusal).failure === undefined;
}

/** What a person is told about a refusal. Pure; the table of docs/errors.md is this function. */
export function describeRefusal(refusal: Refusal): RefusalText {
	switch (refusal.kind) {
		case 'unusable':
			return {
				message: refusal.message,
				description: refusal.description,
				failure: { cause: 'configuration-invalid' },
			};
		case 'timedOut':
			return {
				message: 'The bridge service did not answer in time',
				description: `No complete answer came within ${Math.round(refusal.afterMs / 1000)} seconds. Try again in a moment.`,
				failure: { cause: 'temporarily-unavailable' },
			};
		case 'unreachable':
			return {
				message: 'The bridge service could not be reached',
				description: describeConnection(refusal.networkCode),
				failure: { cause: 'temporarily-unavailable' },
			};
		case 'redirected':
			return {
				message: 'The Base URL leads to another address',
				description: `The answer was a redirect (HTTP ${refusal.status}). It was not followed, so that the API key stays with the address you entered. Enter the final address as Base URL.`,
				httpCode: String(refusal.status),
				failure: { cause: 'configuration-invalid' },
			};
		case 'unreadable':
			return describeUnreadable(refusal);
		case 'refused':
			return describeRefused(refusal);
	}
}

const CHECK_REACH = 'Check the Base URL in the credential, and whether this n8n can reach it.';

/** A certificate is looked at before the request goes out. */
const ASK_FOR_CERTIFICATE = 'The API key was not sent. Check the Base URL in the credential; if it is right, ask the operator of the service.';

/** What Node's codes mean to a person, and what to do. */
const CONNECTION_WORDS: ReadonlyArray<[code: RegExp, words: string]> = [
	[/^CERT_HAS_EXPIRED$/, `The certificate of the service has expired. ${ASK_FOR_CERTIFICATE}`],
	[/^ERR_TLS_CERT_ALTNAME_INVALID$/, `The certificate found there belongs to another name. ${ASK_FOR_CERTIFICATE}`],
	[/^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/, `This n8n does not trust the certificate found there. ${ASK_FOR_CERTIFICATE}`],
	[/^(?:EPROTO$|ERR_SSL_)/, `No secure connection could be made: what answers there may not speak https. ${CHECK_REACH}`],
	[/^HPE_/, `What answered there does not speak HTTP as it should. ${CHECK_REACH}`],
	[/^ECONNREFUSED$/, `Nothing answers at this address. ${CHECK_REACH}`],
	[/^(?:ENOTFOUND|EAI_AGAIN)$/, `The name in the Base URL was not found. ${CHECK_REACH}`],
];

function describeConnection(networkCode: string | null): string {
	if (networkCode === null) return CHECK_REACH;
	const words = CONNECTION_WORDS.find(([code]) => code.test(networkCode))?.[1] ?? CHECK_REACH;
	return `${words} The connection ended with ${escapeHtml(networkCode)}.`;
}

function describeUnreadable({ status, found }: Extract<Refusal, { kind: 'unreadable' }>): RefusalText {
	const httpCode = String(status);
	// A server in trouble answers with pages of its own; that passes by itself.
	if (status >= 500) {
		return {
			message: 'The bridge service has trouble answering',
			description: `The service answered HTTP ${status} with ${WHAT_CAME[found]}. Try again in a moment.`,
			httpCode,
			failure: { cause: 'temporarily-unavailable' },
		};
	}
	if (found === 'brokenJson' || found === 'brokenOff' || found === 'empty') {
		return {
			message: 'The answer of the bridge service was incomplete',
			description: `The service answered HTTP ${status} with ${WHAT_CAME[found]}. Try again; if it stays so, check the Base URL in the credential.`,
			httpCode,
			failure: { cause: 'temporarily-unavailable' },
		};
	}
	if (found === 'noNetworks' || found === 'noData' || found === 'tooLarge') {
		return {
			message: 'The answer of the bridge service could not be read',
			description: `The service answered HTTP ${status} with ${WHAT_CAME[found]}. Try again; if it stays so, ask the operator of the service.`,
			httpCode,
			failure: { cause: 'temporarily-unavailable' },
		};
	}
	return {
		message: 'The Base URL does not lead to the bridge service',
		description: `The answer was ${WHAT_CAME[found]} (HTTP ${status}). ${CHECK_BASE_URL}`,
		httpCode,
		failure: { cause: 'configuration-invalid' },
	};
}

function describeRefused(refusal: Extract<Refusal, { kind: 'refused' }>): RefusalText {
	const code = refusalCode(refusal);
	const meaning = meaningOf(refusal);
	const said = whatTheServiceSaid(refusal);
	const base = { httpCode: String(refusal.status), ...(code === null ? {} : { code }) };
	if (meaning === 'UNAUTHORIZED') {
		return {
			...base,
			message: 'The bridge service does not accept the API key',
			description: `Open the credential and enter a valid API key. ${said}`,
			failure: { cause: 'credential-invalid' },
		};
	}
	if (meaning === 'RATE_LIMITED') {
		const wait = refusal.retryAfterMs;
		return {
			...base,
			message: 'The bridge service asks to slow down',
			description:
				`More requests were sent with this API key than its limit allows. ` +
				(wait === null ? 'Try again in a minute. ' : `Try again in ${Math.ceil(wait / 1000)} seconds. `) +
				said,
			failure: { cause: 'rate-limited', ...(wait === null ? {} : { retryAfterMs: wait }) },
		};
	}
	if (meaning === 'NOT_FOUND') {
		return {
			...base,
			message: 'The bridge service does not know what was asked for',
			description: `Check the hash, network or token that was entered. An order becomes known some time after its transaction was sent on the source chain, so for a new one try again in a moment. ${said}`,
		};
	}
	if (meaning === 'INSUFFICIENT_LIQUIDITY') {
		return {
			...base,
			message: 'There is not enough liquidity for this route',
			description: `Try a smaller amount, another token or another network. ${said}`,
		};
	}
	if (meaning === 'INVALID_PARAMETER') {
		return {
			...base,
			message: 'The bridge service did not accept a parameter',
			description: `Check the values of this step. ${said}`,
		};
	}
	if (meaning === 'INTERNAL_ERROR') {
		return {
			...base,
			message: 'The bridge service has trouble answering',
			description: `Try again in a moment. ${said}`,
			failure: { cause: 'temporarily-unavailable' },
		};
	}
	return {
		...base,
		message: 'The bridge service did not accept the request',
		description: `Check the values of this step. ${said}`,
	};
}

const LONGEST_QUOTATION = 300;

function whatTheServiceSaid({ status, code, words }: Extract<Refusal, { kind: 'refused' }>): string {
	const answer = code === null ? `HTTP ${status}` : `${escapeHtml(code)} (HTTP ${status})`;
	const quoted = plainText(words, LONGEST_QUOTATION);
	return quoted === null ? `The service answered ${answer}.` : `The service answered ${answer}: "${escapeHtml(quoted)}".`;
}

/** n8n's editor shows descriptions as HTML, so nothing that came from outside may be markup. */
export function escapeHtml(text: string): string {
	return text
		.replace(/&/g, '&amp;')
		.replace(/</g, '&lt;')
		.replace(/>/g, '&gt;')
		.replace(/"/g, '&quot;')
		.replace(/'/g, '&#39;');
}

/**
 * The refusal as n8n's own error, built from a plain object: an error that is already n8n's would keep its old texts.
 * `note` is a further sentence for the description.
 */
export function refusalToNodeError(
	node: INode,
	refusal: Refusal,
	{ itemIndex, note }: { itemIndex?: number; note?: string } = {},
): NodeApiError {
	const { message, description, httpCode, code, failure } = describeRefusal(refusal);
	const options = {
		message,
		description: note ? `${description} ${note}` : description,
		httpCode,
		itemIndex,
		failure,
	};
	const error = new NodeApiError(node, {}, options);
	if (code !== undefined) error.context.code = code;
	return error;
}
