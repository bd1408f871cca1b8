import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { accountOf, CREDENTIAL_TEXTS } from './account';
import { API_PATH } from './baseUrl';

/**
 * Our own requests carry a function under this name. It is called with the credential that n8n has just read for the
 * request, before anything is signed; if it throws, nothing is sent. A symbol of the global registry, since after an update
 * of the package requests of the old code meet the credential of the new.
 */
export const ON_CREDENTIAL = Symbol.for('n8n-nodes-cross-chain-bridge.onCredential');

export type OnCredential = (credentials: ICredentialDataDecryptedObject) => void;

const ELSEWHERE =
	'This credential is for its own bridge only. Use an address that begins with the Base URL of the credential, followed by ' +
	`${API_PATH}/.`;

const OTHER_PROXY = "This credential cannot be used with the node's Proxy option. Remove it.";

const NO_CERTIFICATE_CHECK =
	'This credential is sent only where the certificate is checked. Switch off Ignore SSL Issues.';

const OWN_CERTIFICATES =
	'This credential is sent only where n8n itself trusts the certificate. Switch off SSL Certificates.';

const OTHER_HOST = 'This credential cannot be used with a Host header. Remove the header.';

const cannotBeUsedWith = (what: string): string =>
	`This credential cannot be used with ${what}. Remove it.`;

/**
 * The request with the key, if it goes to the credential's own service, to an address under its Base URL and the API path,
 * and is made of nothing but what is known to be harmless. Throws a sentence for everything else, so that nothing is sent.
 * What is checked is what is sent: the request is built again from the fields that were checked, the address goes out
 * in the form in which it was compared, and redirects are not followed (n8n would carry the key along).
 */
export function signRequest(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const onCredential: unknown = Reflect.get(request, ON_CREDENTIAL);
	if (typeof onCredential === 'function') onCredential(credentials);

	const { address, apiKey, problem } = accountOf(credentials);
	if (problem !== null) {
		const { message, description } = CREDENTIAL_TEXTS[problem];
		throw new Error(`${message}. ${description}`);
	}
	// Each field is read once.
	const { url, uri, baseURL, headers, ...others }: Record<string, unknown> = { ...request };
	const harmless = harmlessFields(others);
	const ownHeaders = harmlessHeaders(headers);

	// n8n takes the one or the other; both must be right.
	const own = [url, uri]
		.filter((given) => given !== undefined)
		.map((given) => ownAddress(address, given, baseURL));
	const [signed] = own;
	if (signed === undefined || own.some((each) => each !== signed)) throw new Error(ELSEWHERE);
	return {
		...harmless,
		url: signed,
		...(uri === undefined ? {} : { uri: signed }),
		headers: { ...ownHeaders, [API_KEY_HEADER]: apiKey },
		...NO_REDIRECTS,
	};
}

const API_KEY_HEADER = 'x-api-key';

/** In the words of both request formats. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

/** Without TRACE, which is answered with the headers that were sent. */
const METHODS: readonly unknown[] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * What n8n's nodes state in either request format beside address and headers, by what may be stated; whatever is not here is
 * refused. It changes the query, the body, or what n8n makes of the response, but not to whom and over what the key is sent.
 */
const HARMLESS: Readonly<Record<string, (value: unknown) => boolean>> = {
	method: (value) => METHODS.includes(value),
	qs: isData,
	body: isData,
	form: isData,
	...Object.fromEntries(
		[
			'arrayFormat',
			'encoding',
			'json',
			'gzip',
			'simple',
			'timeout',
			'useStream',
			'useQuerystring',
			'resolveWithFullResponse',
			'returnFullResponse',
			'ignoreHttpStatusErrors',
			'allowedDomains',
			'sendCredentialsOnCrossOriginRedirect',
		].map((name) => [name, isPrimitive]),
	),
	qsStringifyOptions: isData,
	abortSignal: (value) => value instanceof AbortSignal,
	// Replaced by ours.
	...Object.fromEntries(Object.keys(NO_REDIRECTS).map((name) => [name, isPrimitive])),
	rejectUnauthorized: (value) => value === true,
	skipSslCertificateValidation: (value) => value === false,
	proxy: (value) => value === '',
};

/** What is said of a field that is refused, where its name in the editor is another one. */
const SENTENCES: Readonly<Record<string, string>> = {
	proxy: OTHER_PROXY,
	agentOptions: OWN_CERTIFICATES,
	rejectUnauthorized: NO_CERTIFICATE_CHECK,
	skipSslCertificateValidation: NO_CERTIFICATE_CHECK,
	body: cannotBeUsedWith('a body that is no text, bytes or JSON'),
	formData: cannotBeUsedWith('the body content type Form-Data'),
};

function harmlessFields(fields: Record<string, unknown>): Record<string, unknown> {
	const stated = Object.entries(fields).filter(
		([, value]) => value !== undefined && value !== null,
	);
	const refused = stated.find(
		([name, value]) => !Object.hasOwn(HARMLESS, name) || HARMLESS[name]?.(value) !== true,
	);
	if (refused !== undefined) {
		const [name] = refused;
		throw new Error(
			Object.hasOwn(SENTENCES, name)
				? SENTENCES[name]
				: cannotBeUsedWith(`the option ${shown(name)}`),
		);
	}
	// For n8n an encoding of null is another one than none.
	return Object.fromEntries(
		Object.entries(fields).filter(([name]) => Object.hasOwn(HARMLESS, name)),
	);
}

/** They say what is sent and what is wanted. Others can lead a proxy or the service to another host or path. */
const HARMLESS_HEADERS: readonly string[] = [
	'accept',
	'accept-charset',
	'accept-encoding',
	'accept-language',
	'cache-control',
	'content-length',
	'content-type',
	'pragma',
	'user-agent',
];

/** Headers without the key, which the request may have brought along. */
function harmlessHeaders(given: unknown): Record<string, unknown> {
	const headers = Object.entries(typeof given === 'object' && given !== null ? given : {}).filter(
		([name]) => name.toLowerCase() !== API_KEY_HEADER,
	);
	for (const [name, value] of headers) {
		if (name.trim().toLowerCase() === 'host') throw new Error(OTHER_HOST);
		if (!HARMLESS_HEADERS.includes(name.toLowerCase()) || !isPrimitive(value))
			throw new Error(cannotBeUsedWith(`the header ${shown(name)}`));
	}
	return Object.fromEntries(headers);
}

/** A name from outside, as a word of a sentence. */
function shown(name: string): string {
	return name
		.replace(/[^\w-]+/g, ' ')
		.trim()
		.slice(0, 40);
}

function isPrimitive(value: unknown): boolean {
	return value === null || !['object', 'function', 'symbol'].includes(typeof value);
}

/** Text, bytes, or fields and lists. An object with functions of its own could pass for a form, whose headers n8n's HTTP library would send. */
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

/** What may follow the API path: plain names. Encoded slashes and dots could lead elsewhere behind a proxy that decodes them. */
const PLAIN_PATH = /^(?:\/[\w.~-]+)*\/?$/;

/** The full address of a request, if it lies under the service's API path; else undefined. */
function ownAddress(address: string, url: unknown, baseUrl: unknown): string | undefined {
	const full = joined(url, baseUrl);
	const prefix = parsed(`${address}${API_PATH}`);
	if (full === null || prefix === null) return undefined;
	const isOwn =
		full.origin === prefix.origin &&
		full.origin !== 'null' &&
		full.username === '' &&
		full.password === '' &&
		full.pathname.startsWith(prefix.pathname) &&
		PLAIN_PATH.test(full.pathname.slice(prefix.pathname.length));
	return isOwn ? full.href : undefined;
}

const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;

/** `baseURL` and `url` as axios, which n8n sends with, puts them together. */
function joined(url: unknown, baseUrl: unknown): URL | null {
	if (typeof url !== 'string' && !(url instanceof URL)) return null;
	const text = String(url);
	if (baseUrl === undefined || baseUrl === null || baseUrl === '' || ABSOLUTE.test(text))
		return parsed(text);
	if (typeof baseUrl !== 'string') return null;
	return parsed(
		text === '' ? baseUrl : `${baseUrl.replace(/\/?\/$/, '')}/${text.replace(/^\/+/, '')}`,
	);
}

function parsed(text: string): URL | null {
	return URL.canParse(text) ? new URL(text) : null;
}
