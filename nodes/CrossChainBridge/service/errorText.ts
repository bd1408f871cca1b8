import { CREDENTIAL_TEXTS } from './account';
import { plainText } from '../orders/plainText';
import {
	type Asked,
	codeOf,
	meaningOf,
	retryAfterOf,
	scopeOf,
	type ServiceError,
	type UnreadableBody,
} from './serviceError';

/** n8n's declaration of why an operation went wrong, which n8n 2.38 and later read. */
export type Failure =
	| { cause: 'rate-limited' | 'temporarily-unavailable'; retryAfterMs?: number }
	| { cause: 'credential-invalid' | 'configuration-invalid' };

export interface ErrorText {
	/** What happened, in our own words only, since n8n rewrites messages that contain certain codes. */
	message: string;
	/** What to do next, and what the service said. Plain text. */
	description: string;
	/** HTTP status as n8n stores it. */
	httpCode?: string;
	code?: string;
	failure?: Failure;
}

export interface AskedFor {
	/** What the service's query parameters are called in the editor, by the service's name. */
	labels?: Labels;
	/** The network ID with which the configuration was asked for. */
	network?: string;
}

/** What the user reads about a service error; the table of docs/errors.md is this function. */
export function describeError(
	error: ServiceError,
	asked: Asked,
	askedFor: AskedFor = {},
): ErrorText {
	const code = codeOf(error);
	return {
		...wordsFor(error, asked, askedFor),
		...('status' in error ? { httpCode: String(error.status) } : {}),
		...(code === null ? {} : { code }),
		...failureOf(error, asked, askedFor),
	};
}

/** Whether the network that was asked for is not supported, which is no fault of key or address. */
function isUnknownNetwork(error: ServiceError, { network }: AskedFor): boolean {
	const meaning = meaningOf(error);
	return network !== undefined && (meaning === 'NOT_FOUND' || meaning === 'INVALID_PARAMETER');
}

function failureOf(error: ServiceError, asked: Asked, askedFor: AskedFor): { failure?: Failure } {
	const scope = scopeOf(error, asked);
	if (scope === 'request' || isUnknownNetwork(error, askedFor)) return {};
	if (scope === 'account') {
		const isKey = meaningOf(error) === 'UNAUTHORIZED';
		return { failure: { cause: isKey ? 'credential-invalid' : 'configuration-invalid' } };
	}
	const retryAfterMs = retryAfterOf(error);
	return {
		failure: {
			cause: scope === 'rateLimited' ? 'rate-limited' : 'temporarily-unavailable',
			...(retryAfterMs === null ? {} : { retryAfterMs }),
		},
	};
}

type Words = Pick<ErrorText, 'message' | 'description'>;

function wordsFor(error: ServiceError, asked: Asked, askedFor: AskedFor): Words {
	switch (error.kind) {
		case 'invalidCredential':
			return CREDENTIAL_TEXTS[error.problem];
		case 'moved':
			return {
				message: 'The credential was edited during this request',
				description: 'It now points to a different account or address. Try again.',
			};
		case 'timedOut':
			return {
				message: 'The bridge did not respond in time',
				description: `No complete response came within ${Math.round(error.afterMs / 1000)} seconds. Try again in a moment.`,
			};
		case 'unreachable':
			return {
				message: 'The bridge could not be reached',
				description: connectionWords(error.networkCode),
			};
		case 'redirected':
			return {
				message: 'The Base URL redirects to another address. Correct it in the credential.',
				description: `The response was a redirect (HTTP ${error.status}). It was not followed, so your key was not sent anywhere else. Enter the final address as Base URL.`,
			};
		case 'unreadable':
			return unreadableWords(error);
		case 'rejected':
			return rejectedWords(error, asked, askedFor);
	}
}

const CHECK_REACH = 'Check the Base URL in the credential, and whether this n8n can reach it.';

const ASK_FOR_CERTIFICATE =
	'The API key was not sent. Check the Base URL in the credential; if it is right, ask the operator of the bridge.';

/** What Node's codes mean, and what to do. */
const CONNECTION_WORDS: ReadonlyArray<[code: RegExp, words: string]> = [
	[/^CERT_HAS_EXPIRED$/, `The certificate of the bridge has expired. ${ASK_FOR_CERTIFICATE}`],
	[
		/^ERR_TLS_CERT_ALTNAME_INVALID$/,
		`The certificate found there belongs to another name. ${ASK_FOR_CERTIFICATE}`,
	],
	[
		/^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/,
		`This n8n does not trust the certificate found there. ${ASK_FOR_CERTIFICATE}`,
	],
	[
		/^(?:EPROTO$|ERR_SSL_)/,
		`No secure connection could be made: the server there may not support https. ${CHECK_REACH}`,
	],
	[/^HPE_/, `The response was not valid HTTP. ${CHECK_REACH}`],
	[/^ECONNREFUSED$/, `Nothing responds at this address. ${CHECK_REACH}`],
	[/^(?:ENOTFOUND|EAI_AGAIN)$/, `The name in the Base URL was not found. ${CHECK_REACH}`],
];

function connectionWords(networkCode: string | null): string {
	if (networkCode === null) return CHECK_REACH;
	const words = CONNECTION_WORDS.find(([code]) => code.test(networkCode))?.[1] ?? CHECK_REACH;
	return `${words} Code: ${networkCode}.`;
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

const WRONG_ADDRESS = 'The Base URL does not lead to the bridge. Correct it in the credential.';

const CHECK_BASE_URL =
	'Check the Base URL in the credential: it is the API address, up to but not including /api/sdk/v2.';

const TEMPORARY_PROBLEM = 'The bridge is temporarily unavailable';

const IF_PERSISTENT = 'Try again; if this persists, check the Base URL in the credential';

function unreadableWords({ status, found }: Extract<ServiceError, { kind: 'unreadable' }>): Words {
	const came = `The bridge responded with ${WHAT_CAME[found]} (HTTP ${status}).`;
	if (status >= 500)
		return { message: TEMPORARY_PROBLEM, description: `${came} Try again in a moment.` };
	switch (found) {
		case 'brokenJson':
		case 'brokenOff':
		case 'empty':
			return {
				message: "The bridge's response was incomplete",
				description: `${came} ${IF_PERSISTENT}.`,
			};
		case 'noNetworks':
		case 'noData':
		case 'tooLarge':
			return {
				message: "The bridge's response could not be read",
				description: `${came} ${IF_PERSISTENT}, or ask the operator of the bridge.`,
			};
		default:
			return {
				message: WRONG_ADDRESS,
				description: `The response was ${WHAT_CAME[found]} (HTTP ${status}). ${CHECK_BASE_URL}`,
			};
	}
}

function rejectedWords(
	error: Extract<ServiceError, { kind: 'rejected' }>,
	asked: Asked,
	askedFor: AskedFor,
): Words {
	const { labels = {} } = askedFor;
	const words = plainText(error.words, MAX_QUOTATION);
	const said = whatTheServiceSaid(error, words, labels);
	const text = (message: string, advice: string): Words => ({
		message,
		description: `${advice} ${said}`,
	});
	const again =
		error.retryAfterMs === null
			? null
			: `Try again in ${Math.ceil(error.retryAfterMs / 1000)} seconds.`;
	const field = fieldNamed(words ?? '', labels);
	const meaning = meaningOf(error);
	switch (meaning) {
		case 'UNAUTHORIZED':
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
			return text(TEMPORARY_PROBLEM, again ?? 'Try again in a moment.');
	}
	if (asked === 'config') {
		if (isUnknownNetwork(error, askedFor))
			return text(
				`Network ${askedFor.network} is not supported`,
				'Leave the field empty to see all networks with their IDs.',
			);
		if (error.status === 404) return text(WRONG_ADDRESS, CHECK_BASE_URL);
		return text(
			NOT_ACCEPTED,
			'Check the API key and the Base URL in the credential; if both are right, ask the operator of the bridge.',
		);
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
			return text(`${field ?? 'A value'} was not accepted`, 'Check what was entered.');
		default:
			return text(NOT_ACCEPTED, 'Check what was entered.');
	}
}

const NOT_ACCEPTED = 'The bridge did not accept the request';

const MAX_QUOTATION = 300;

const NAME = /\b[A-Za-z]{2,40}\b/g;

type Labels = Readonly<Record<string, string>>;

function labelOf(labels: Labels, name: string): string | undefined {
	return Object.hasOwn(labels, name) ? labels[name] : undefined;
}

/** The editor's name, in quotes, of the one parameter that the words name; null if they name none or several. */
function fieldNamed(words: string, labels: Labels): string | null {
	const named = new Set([...words.matchAll(NAME)].flatMap(([name]) => labelOf(labels, name) ?? []));
	return named.size === 1 ? `'${[...named].join('')}'` : null;
}

function whatTheServiceSaid(
	{ status, code }: Extract<ServiceError, { kind: 'rejected' }>,
	words: string | null,
	labels: Labels,
): string {
	const quoted = words?.replace(NAME, (name) => labelOf(labels, name) ?? name);
	const said = quoted === undefined ? '' : `: "${quoted}"`;
	const response = code === null ? `HTTP ${status}` : `${code} (HTTP ${status})`;
	return `The bridge responded with ${response}${said}.`;
}
