import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { accountOf, CREDENTIAL_TEXTS } from './account';
import { API_PATH } from './baseUrl';

/** Global, since after an update requests of the old code meet the credential of the new. */
export const ON_CREDENTIAL = Symbol.for('n8n-nodes-cross-chain-bridge.onCredential');

export type OnCredential = (credentials: ICredentialDataDecryptedObject) => void;

const ELSEWHERE =
	'This credential is for its own bridge only. Use an address that begins with the Base URL of the credential, followed by ' +
	`${API_PATH}/.`;

const cannotBeUsedWith = (what: string): string =>
	`This credential cannot be used with ${what}. Remove it.`;

/** The request with the key; throws a sentence unless it is harmless and goes under the credential's Base URL. */
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
	// Read once, since a getter could give another value the next time.
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

/** Fields that do not change to whom the key is sent, if the value is such. */
const HARMLESS = new Map<string, (value: unknown) => boolean>([
	...PRIMITIVES.map((name) => [name, isPrimitive] as const),
	...['body', 'form', 'qs', 'qsStringifyOptions'].map((name) => [name, isData] as const),
	['abortSignal', (value) => value instanceof AbortSignal],
	['method', (value) => METHODS.includes(value)],
	['rejectUnauthorized', (value) => value === true],
	['skipSslCertificateValidation', (value) => value === false],
	['proxy', (value) => value === ''],
]);

/** What the editor calls refused fields. */
const LABELS: Readonly<Record<string, string>> = {
	agentOptions: 'SSL Certificates',
	formData: 'Form-Data',
	proxy: 'Proxy',
	rejectUnauthorized: 'Ignore SSL Issues',
	skipSslCertificateValidation: 'Ignore SSL Issues',
};

function harmlessFields(given: Record<string, unknown>): Record<string, unknown> {
	const fields = Object.entries(given);
	for (const [name, value] of fields) {
		if (value === undefined || value === null) continue;
		if (HARMLESS.get(name)?.(value) === true) continue;
		const label = Object.hasOwn(LABELS, name) ? LABELS[name] : shown(name);
		throw new Error(cannotBeUsedWith(`the option ${label}`));
	}
	// n8n treats an encoding of null unlike a missing one.
	return Object.fromEntries(fields.filter(([name]) => HARMLESS.has(name)));
}

/** None that can lead a proxy or the service to another host or path. */
const HARMLESS_HEADERS =
	/^(?:accept(?:-(?:charset|encoding|language))?|cache-control|content-(?:length|type)|pragma|user-agent)$/i;

/** Without the key, which the request may have brought along. */
function harmlessHeaders(given: unknown): Record<string, unknown> {
	const headers = Object.entries(typeof given === 'object' && given !== null ? given : {}).filter(
		([name]) => name.toLowerCase() !== API_KEY_HEADER,
	);
	for (const [name, value] of headers) {
		if (!HARMLESS_HEADERS.test(name) || !isPrimitive(value))
			throw new Error(cannotBeUsedWith(`the header ${shown(name)}`));
	}
	return Object.fromEntries(headers);
}

function shown(name: string): string {
	return name
		.replace(/[^\w-]+/g, ' ')
		.trim()
		.slice(0, 40);
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

/** As axios, which n8n sends with, puts them together. */
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
