import { NodeApiError, type INode } from 'n8n-workflow';

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

export type UnreadableBody = 'html' | 'text' | 'brokenJson' | 'empty' | 'noEnvelope' | 'noData' | 'tooLarge' | 'noNetworks';

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
	tooLarge: 'an answer that is far too large',
	noNetworks: 'data without a list of networks',
};

const CHECK_BASE_URL = 'Check the Base URL in the credential: it is the address of the service alone, without a path.';

/** The code the refusal stands for: the service's own, or the one its interface gives to that HTTP status. */
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

export function isNotFound(refusal: Refusal): boolean {
	return refusalCode(refusal) === 'NOT_FOUND';
}

export function isRateLimited(refusal: Refusal): boolean {
	return refusal.kind === 'refused' && (refusal.status === 429 || refusal.code === 'RATE_LIMITED');
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
				description:
					`Check the Base URL in the credential, and whether this n8n can reach it.` +
					(refusal.networkCode === null ? '' : ` The connection ended with ${escapeHtml(refusal.networkCode)}.`),
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

function describeUnreadable({ status, found }: Extract<Refusal, { kind: 'unreadable' }>): RefusalText {
	const httpCode = String(status);
	// A server in trouble answers with pages of its own; that passes by itself.
	if (status >= 500) {
		return {
			message: 'The bridge service has trouble answering',
			description: `It answered HTTP ${status} with ${WHAT_CAME[found]}. Try again in a moment.`,
			httpCode,
			failure: { cause: 'temporarily-unavailable' },
		};
	}
	if (found === 'brokenJson' || found === 'empty') {
		return {
			message: 'The answer of the bridge service was incomplete',
			description: `It answered HTTP ${status} with ${WHAT_CAME[found]}. Try again; if it stays so, check the Base URL in the credential.`,
			httpCode,
			failure: { cause: 'temporarily-unavailable' },
		};
	}
	if (found === 'noNetworks' || found === 'noData' || found === 'tooLarge') {
		return {
			message: 'The answer of the bridge service could not be read',
			description: `It answered HTTP ${status} with ${WHAT_CAME[found]}. Try again; if it stays so, ask the operator of the service.`,
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
	const said = whatTheServiceSaid(refusal);
	const base = { httpCode: String(refusal.status), ...(code === null ? {} : { code }) };
	if (code === 'UNAUTHORIZED' || refusal.status === 403) {
		return {
			...base,
			message: 'The bridge service does not accept the API key',
			description: `Open the credential and enter a valid API key. ${said}`,
			failure: { cause: 'credential-invalid' },
		};
	}
	if (code === 'RATE_LIMITED') {
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
	if (code === 'NOT_FOUND') {
		return {
			...base,
			message: 'The bridge service does not know what was asked for',
			description: `Check the hash, network or token that was entered. An order becomes known some time after its transaction was sent on the source chain, so for a new one try again in a moment. ${said}`,
		};
	}
	if (code === 'INSUFFICIENT_LIQUIDITY') {
		return {
			...base,
			message: 'There is not enough liquidity for this route',
			description: `Try a smaller amount, another token or another network. ${said}`,
		};
	}
	if (code === 'INVALID_PARAMETER') {
		return {
			...base,
			message: 'The bridge service did not accept a parameter',
			description: `Check the values of this step. ${said}`,
		};
	}
	if (code === 'INTERNAL_ERROR' || refusal.status >= 500) {
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
	const answer = code === null ? `HTTP ${status}` : `${escapeHtml(shorten(code))} (HTTP ${status})`;
	return words === null ? `It answered ${answer}.` : `It answered ${answer}: "${escapeHtml(shorten(words))}".`;
}

function shorten(text: string): string {
	const clean = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
	return clean.length <= LONGEST_QUOTATION ? clean : `${clean.slice(0, LONGEST_QUOTATION)}…`;
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
