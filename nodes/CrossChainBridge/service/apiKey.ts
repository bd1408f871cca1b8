import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { type Account, accountOf, credentialWords } from './account';
import { API_PATH } from './baseUrl';

const API_KEY_HEADER = 'x-api-key';

/** The code of the error for a request of ours whose credential leads to another account by now. */
export const CREDENTIAL_EDITED = 'CREDENTIAL_EDITED';

/** The header of a request of ours before the credential adds the key: it says which account the request is for, and only that one's key is added. */
export function placeholderFor({ name }: Account): Record<string, string> {
	return { [API_KEY_HEADER]: `account ${name}` };
}

const ELSEWHERE =
	'This credential is for its own bridge only. Use an address that begins with the Base URL of the credential, followed by ' +
	`${API_PATH}/.`;

/**
 * The request with the key; throws a sentence unless it is harmless and goes under the credential's Base URL. n8n calls this by the credential's
 * `authenticate` (credentials/CrossChainBridgeApi.credentials.ts), for requests of this package and of any other node.
 */
export function addKey(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const account = accountOf(credentials);
	const { address, apiKey, problem } = account;
	// Read once, because a getter could give another value the next time.
	const { url, uri, baseURL, headers, ...others }: Record<string, unknown> = { ...request };
	const ownHeaders = harmlessHeaders(headers, account);
	if (problem !== null && problem.kind !== 'limitNotReadable') {
		const { message, description } = credentialWords(problem);
		throw new Error(`${message}. ${description}`);
	}
	const harmless = harmlessFields(others);

	// n8n takes the one or the other; both must be right.
	const own = [url, uri]
		.filter((given) => given !== undefined)
		.map((given) => ownAddress(address, given, baseURL));
	const [ownUrl] = own;
	if (ownUrl === undefined || own.some((each) => each !== ownUrl)) throw new Error(ELSEWHERE);
	return {
		...harmless,
		url: ownUrl,
		...(uri === undefined ? {} : { uri: ownUrl }),
		headers: { ...ownHeaders, [API_KEY_HEADER]: apiKey },
		...NO_REDIRECTS,
	};
}

const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

/** TRACE would repeat the headers. */
const METHODS: readonly unknown[] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];

const PRIMITIVES = [
	...Object.keys(NO_REDIRECTS),
	'allowedDomains',
	'arrayFormat',
	'encoding',
	'gzip',
	'ignoreHttpStatusErrors',
	'json',
	'resolveWithFullResponse',
	'returnFullResponse',
	'sendCredentialsOnCrossOriginRedirect',
	'simple',
	'timeout',
	'useQuerystring',
	'useStream',
];

/** Fields that do not change to whom the key is sent, with what makes a value acceptable. */
const HARMLESS = new Map<string, (value: unknown) => boolean>([
	...PRIMITIVES.map((name) => [name, isPrimitive] as const),
	...['body', 'form', 'qs', 'qsStringifyOptions'].map((name) => [name, isData] as const),
	['abortSignal', (value) => value instanceof AbortSignal],
	['method', (value) => METHODS.includes(value)],
	['rejectUnauthorized', (value) => value === true],
	['skipSslCertificateValidation', (value) => value === false],
	['proxy', (value) => value === ''],
]);

function harmlessFields(given: Record<string, unknown>): Record<string, unknown> {
	const fields = Object.entries(given);
	for (const [name, value] of fields)
		if (value !== undefined && value !== null && HARMLESS.get(name)?.(value) !== true)
			throw refused(name);
	// n8n treats an encoding of null unlike a missing one.
	return Object.fromEntries(fields.filter(([name]) => HARMLESS.has(name)));
}

/** `name`: of an option or a header. */
function refused(name: string): Error {
	const shown = name
		.replace(/[^\w-]+/g, ' ')
		.trim()
		.slice(0, 40);
	return new Error(
		`This credential can be used with plain requests only: remove "${shown}" from the request.`,
	);
}

/** None that can lead a proxy or the service to another host or path. */
const HARMLESS_HEADERS =
	/^(?:accept(?:-(?:charset|encoding|language))?|cache-control|content-(?:length|type)|pragma|user-agent)$/i;

/** The headers without the key's. Throws if one of them is not harmless, or if the key's holds the placeholder for another account. */
function harmlessHeaders(given: unknown, account: Account): Record<string, unknown> {
	const all = Object.entries(typeof given === 'object' && given !== null ? given : {});
	const isKey = ([name]: [string, unknown]) => name.toLowerCase() === API_KEY_HEADER;
	const { [API_KEY_HEADER]: own } = placeholderFor(account);
	for (const [, given] of all.filter(isKey))
		if (typeof given === 'string' && given.startsWith('account ') && given !== own)
			throw Object.assign(new Error('The credential was changed while this request waited.'), {
				code: CREDENTIAL_EDITED,
			});
	const headers = all.filter((header) => !isKey(header));
	for (const [name, value] of headers)
		if (!HARMLESS_HEADERS.test(name) || !isPrimitive(value)) throw refused(name);
	return Object.fromEntries(headers);
}

function isPrimitive(value: unknown): boolean {
	return value === null || !['object', 'function', 'symbol'].includes(typeof value);
}

/** An object with functions could pass for a form, whose headers n8n's library would send. */
function isData(value: unknown): boolean {
	if (isPrimitive(value) || value instanceof Uint8Array) return true;
	if (typeof value !== 'object' || value === null) return false;
	const isPlain =
		Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
	return (
		isPlain &&
		Object.values(value).every((inner) => typeof inner !== 'function') &&
		Object.getOwnPropertySymbols(value).length === 0
	);
}

/** Encoded slashes and dots could lead elsewhere behind a proxy that decodes them. */
const PLAIN_PATH = /^(?:\/[\w.~-]+)*\/?$/;

/** Undefined if the address does not lie under the service's API path. */
function ownAddress(address: string, url: unknown, baseUrl: unknown): string | undefined {
	const full = joined(url, baseUrl);
	const prefix = new URL(`${address}${API_PATH}`);
	// A user name or password would stand before the host.
	if (!full?.href.startsWith(prefix.href)) return undefined;
	return PLAIN_PATH.test(full.pathname.slice(prefix.pathname.length)) ? full.href : undefined;
}

const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;

/** As axios, which n8n sends with, puts them together. */
function joined(url: unknown, baseUrl: unknown): URL | null {
	if (typeof url !== 'string' && !(url instanceof URL)) return null;
	const text = String(url);
	const base = ABSOLUTE.test(text) ? '' : (baseUrl ?? '');
	if (typeof base !== 'string') return null;
	const full =
		base === '' || text === ''
			? base + text
			: `${base.replace(/\/?\/$/, '')}/${text.replace(/^\//, '')}`;
	return URL.canParse(full) ? new URL(full) : null;
}
