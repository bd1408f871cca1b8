import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { accountOf, CREDENTIAL_TEXTS } from './account';
import { API_PATH } from './baseUrl';

/**
 * Our own requests carry a function under this name, which is called with the credential before it signs. In the global
 * registry, since after an update of the package requests of the old code meet the credential of the new.
 */
export const ON_CREDENTIAL = Symbol.for('n8n-nodes-cross-chain-bridge.onCredential');

export type OnCredential = (credentials: ICredentialDataDecryptedObject) => void;

const ELSEWHERE =
	'This credential is for its own bridge only. Use an address that begins with the Base URL of the credential, followed by ' +
	`${API_PATH}/.`;

const NO_CERTIFICATE_CHECK =
	'This credential is sent only where the certificate is checked. Switch off Ignore SSL Issues.';

const cannotBeUsedWith = (what: string): string =>
	`This credential cannot be used with ${what}. Remove it.`;

/**
 * The request with the key, if it goes under the credential's Base URL and API path and has only harmless fields; throws a
 * sentence for everything else. It is built again from the fields that were checked, so that what was checked is sent.
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
	// Each field is read once, since a getter could give another value the next time.
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

/** Without TRACE, whose response repeats the headers that were sent. */
const METHODS: readonly unknown[] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What a request may state beside address and headers, in either format: nothing that changes to whom the key is sent. */
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

/** What is said of a refused field whose name in the editor is another one. */
const SENTENCES: Readonly<Record<string, string>> = {
	proxy: "This credential cannot be used with the node's Proxy option. Remove it.",
	agentOptions:
		'This credential is sent only where n8n itself trusts the certificate. Switch off SSL Certificates.',
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

/** Others can lead a proxy or the service to another host or path. */
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
		if (name.trim().toLowerCase() === 'host')
			throw new Error('This credential cannot be used with a Host header. Remove the header.');
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

/** Text, bytes, fields or lists; an object with functions could pass for a form, whose headers n8n's HTTP library would send. */
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

/** What may follow the API path; encoded slashes and dots could lead elsewhere behind a proxy that decodes them. */
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
