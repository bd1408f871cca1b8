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

/** Fields of the older request format, which n8n's HTTP Request node uses. */
interface LegacyFields {
	uri?: unknown;
	rejectUnauthorized?: boolean;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
	maxRedirects?: number;
}

const ELSEWHERE =
	'This credential is for its own bridge service only. Use an address that begins with the Base URL of the credential, followed by ' +
	`${API_PATH}/.`;

const OTHER_PROXY = 'This credential cannot be used with a proxy of the node. Remove the option Proxy.';

const NO_CERTIFICATE_CHECK = 'This credential is sent only where the certificate is checked. Switch off Ignore SSL Issues.';

const OTHER_HOST = 'This credential cannot be used with a Host header. Remove the header.';

/**
 * The request with the key, if it goes to the credential's own service: to an address under its Base URL and the API path.
 * Throws a sentence for everything else, so that nothing is sent. What is checked is what is sent: the address goes out in
 * the form in which it was compared, redirects are not followed (n8n would carry the key along), and no proxy or unchecked
 * certificate of the request's own can stand in between.
 */
export function signRequest(credentials: ICredentialDataDecryptedObject, request: IHttpRequestOptions): IHttpRequestOptions {
	const onCredential: unknown = Reflect.get(request, ON_CREDENTIAL);
	if (typeof onCredential === 'function') onCredential(credentials);

	const { address, apiKey, problem } = accountOf(credentials);
	if (problem !== null) {
		const { message, description } = CREDENTIAL_TEXTS[problem];
		throw new Error(`${message}. ${description}`);
	}
	const { uri, ...signed }: IHttpRequestOptions & LegacyFields = { ...request };
	Reflect.deleteProperty(signed, ON_CREDENTIAL);
	if (isGiven(signed.proxy)) throw new Error(OTHER_PROXY);
	if (signed.skipSslCertificateValidation === true || signed.rejectUnauthorized === false) throw new Error(NO_CERTIFICATE_CHECK);
	const headers = Object.entries(signed.headers ?? {}).filter(([name]) => name.toLowerCase() !== API_KEY_HEADER);
	if (headers.some(([name]) => name.trim().toLowerCase() === 'host')) throw new Error(OTHER_HOST);

	// n8n takes the one or the other; both must be right.
	const given = [signed.url, uri].filter((url) => url !== undefined);
	const own = given.map((url) => ownAddress(address, url, signed.baseURL));
	const [url] = own;
	if (url === undefined || own.some((each) => each !== url)) throw new Error(ELSEWHERE);
	delete signed.baseURL;
	return {
		...signed,
		url,
		...(uri === undefined ? {} : { uri: url }),
		headers: { ...Object.fromEntries(headers), [API_KEY_HEADER]: apiKey },
		...NO_REDIRECTS,
	};
}

const API_KEY_HEADER = 'x-api-key';

/** In the words of both request formats. */
const NO_REDIRECTS = { disableFollowRedirect: true, followRedirect: false, followAllRedirects: false, maxRedirects: 0 };

function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
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
	if (!isGiven(baseUrl) || ABSOLUTE.test(text)) return parsed(text);
	if (typeof baseUrl !== 'string') return null;
	return parsed(text === '' ? baseUrl : `${baseUrl.replace(/\/?\/$/, '')}/${text.replace(/^\/+/, '')}`);
}

function parsed(text: string): URL | null {
	return URL.canParse(text) ? new URL(text) : null;
}
