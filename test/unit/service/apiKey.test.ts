import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { accountOf } from '../../../nodes/CrossChainBridge/service/account';
import {
	CREDENTIAL_EDITED,
	addKey,
	placeholderFor,
} from '../../../nodes/CrossChainBridge/service/apiKey';

const KEY = 'sk-live-7f3a';
const BASE = 'https://bridge.example.com/eu';
const API = `${BASE}/api/sdk/v2`;
const CONFIG = `${API}/config`;
const CREDENTIALS = { apiKey: KEY, baseUrl: BASE };

const withKey = (
	request: object,
	credentials: ICredentialDataDecryptedObject = CREDENTIALS,
): IHttpRequestOptions & { uri?: unknown } => addKey(credentials, request as IHttpRequestOptions);

const ELSEWHERE =
	'This credential is for its own bridge only. Use an address that begins with the Base URL of the credential, followed by /api/sdk/v2/.';
const NO_REDIRECTS = { followRedirect: false, followAllRedirects: false, maxRedirects: 0 };
const REDIRECTS = { disableFollowRedirect: true, ...NO_REDIRECTS };

test('a request to the own service goes out with the key, and redirects are not followed', () => {
	const fields = { method: 'GET', url: CONFIG, qs: { chainID: 1 } };
	const request = { ...fields, headers: { accept: 'application/json' } };
	const sent = { ...fields, headers: { accept: 'application/json', 'x-api-key': KEY } };
	expect(withKey(request)).toEqual({ ...sent, ...REDIRECTS });
	expect(request).toEqual({ ...fields, headers: { accept: 'application/json' } });
	const others = { disableFollowRedirect: false, followRedirect: true, followAllRedirects: true };
	expect(withKey({ ...request, ...others, maxRedirects: 9 })).toEqual({ ...sent, ...REDIRECTS });
});

const IN_CAPITALS = CONFIG.replace('https://bridge.example.com', 'HTTPS://BRIDGE.Example.com');
const OF_OTHERS = 'https://other.example';

test.each<[string, object, string?]>([
	['the API path itself', { url: API }, API],
	['the API path with a slash', { url: `${API}/` }, `${API}/`],
	['an endpoint', { url: CONFIG }],
	['an endpoint with a slash', { url: `${CONFIG}/` }, `${CONFIG}/`],
	['several names', { url: `${API}/a-b/c_d/e~f/g.h/7` }, `${API}/a-b/c_d/e~f/g.h/7`],
	['a query', { url: `${CONFIG}?chainID=1&x=%2F` }, `${CONFIG}?chainID=1&x=%2F`],
	['host and scheme in capitals', { url: IN_CAPITALS }],
	['dots that stay inside', { url: `${API}/x/../config` }],
	['an URL object', { url: new URL(CONFIG) }],
	['an empty baseURL', { baseURL: '', url: CONFIG }],
	['a baseURL that is null', { baseURL: null, url: CONFIG }],
	['a baseURL and the rest', { baseURL: API, url: 'config' }],
	['a baseURL with a slash', { baseURL: `${API}/`, url: 'config' }],
	['a baseURL with two slashes', { baseURL: `${API}//`, url: 'config' }],
	['a baseURL and a rest with a slash', { baseURL: API, url: '/config' }],
	['a baseURL and a rest of several names', { baseURL: BASE, url: 'api/sdk/v2/config' }],
	['one in a query', { baseURL: API, url: 'config?a=https://a.b' }, `${CONFIG}?a=https://a.b`],
	['a baseURL that is all', { baseURL: CONFIG, url: '' }],
	['a baseURL that does not count next to a full address', { baseURL: OF_OTHERS, url: CONFIG }],
	['nor next to one in capitals', { baseURL: OF_OTHERS, url: IN_CAPITALS }],
])('%s gets the key for the address that was compared', (_name, request, url = CONFIG) => {
	const sent = withKey(request);
	expect([sent.url, sent.headers]).toEqual([url, { 'x-api-key': KEY }]);
	expect(sent).not.toHaveProperty('baseURL');
	expect(sent).not.toHaveProperty('uri');
});

test('the older format’s address gets the key as well, by itself or next to the same url', () => {
	expect(withKey({ uri: CONFIG })).toMatchObject({ url: CONFIG, uri: CONFIG });
	const expected = { url: CONFIG, uri: CONFIG };
	expect(withKey({ uri: `${API}/x/../config`, url: CONFIG })).toMatchObject(expected);
});

test.each<[string, object]>([
	['no address', {}],
	['another host', { url: CONFIG.replace('bridge', 'other') }],
	['another port', { url: CONFIG.replace('.com', '.com:8443') }],
	['another scheme', { url: CONFIG.replace('https', 'http') }],
	['a user name', { url: CONFIG.replace('//', '//user@') }],
	['a password', { url: CONFIG.replace('//', '//:secret@') }],
	['the own host as user name', { url: CONFIG.replace('.com', '.com@other.example') }],
	['another path of the same length', { url: CONFIG.replace('v2', 'v3') }],
	['a longer name of the API path', { url: `${API}evil/config` }],
	['two slashes', { url: `${API}//config` }],
	['dots that lead out', { url: `${API}/../../../echo` }],
	['an encoded slash', { url: `${API}/config%2f..` }],
	['an encoded slash after a name', { url: `${API}/%2fconfig` }],
	['a matrix parameter', { url: `${CONFIG};x=1` }],
	['a scheme without origin', { url: 'data:text/plain,x' }],
	['a relative address', { url: '/api/sdk/v2/config' }],
	['text that is no address', { url: 'config' }],
	['a number', { url: 5 }],
	['an object that reads like the own address', { url: { toString: () => CONFIG } }],
	['null', { url: null }],
	['an address without a scheme', { baseURL: API, url: '//bridge.example.com/config' }],
	['a rest that leads out', { baseURL: API, url: '../../../echo' }],
	['a baseURL of another host', { baseURL: API.replace('bridge', 'other'), url: 'config' }],
	['another host and an own baseURL', { baseURL: API, url: `${OF_OTHERS}/eu/api/sdk/v2/config` }],
	['a baseURL that is no text', { baseURL: 5, url: 'config' }],
	['url and uri that differ', { url: CONFIG, uri: `${API}/quote` }],
	['an own url and another uri', { url: CONFIG, uri: OF_OTHERS }],
	['another url and an own uri', { url: OF_OTHERS, uri: CONFIG }],
	['two foreign addresses', { url: OF_OTHERS, uri: OF_OTHERS }],
	['a uri that is null', { url: CONFIG, uri: null }],
])('%s: nothing gets the key', (_name, request) => {
	expect(() => withKey(request)).toThrow(new Error(ELSEWHERE));
});

const remove = (name: string): string =>
	`This credential can be used with plain requests only: remove "${name}" from the request.`;
const getHeaders = () => ({ host: 'other.example' });

test.each<[object, string]>([
	[{ proxy: { host: 'proxy.example', port: 1 } }, 'proxy'],
	[{ proxy: 'http://proxy.example' }, 'proxy'],
	[{ proxy: false }, 'proxy'],
	[{ skipSslCertificateValidation: true }, 'skipSslCertificateValidation'],
	[{ rejectUnauthorized: false }, 'rejectUnauthorized'],
	[{ skipSslCertificateValidation: 'true' }, 'skipSslCertificateValidation'],
	[{ rejectUnauthorized: 0 }, 'rejectUnauthorized'],
	[{ agentOptions: { ca: 'a certificate' } }, 'agentOptions'],
	[{ agentOptions: {} }, 'agentOptions'],
	[{ auth: { username: 'a', password: 'b' } }, 'auth'],
	[{ httpsAgent: {} }, 'httpsAgent'],
	[{ 'x\n<b>y': 1 }, 'x b y'],
	[{ constructor: 'x' }, 'constructor'],
	// As much of a name as an error can show.
	[{ ['x'.repeat(41)]: 1 }, 'x'.repeat(40)],
	[{ method: 'TRACE' }, 'method'],
	[{ timeout: {} }, 'timeout'],
	[{ timeout: () => 1 }, 'timeout'],
	[{ timeout: Symbol('x') }, 'timeout'],
	[{ body: () => 'b' }, 'body'],
	[{ qs: { a: () => 'b' } }, 'qs'],
	[{ abortSignal: { aborted: false } }, 'abortSignal'],
	[{ formData: { a: 1 } }, 'formData'],
	[{ body: { getHeaders } }, 'body'],
	[{ body: Object.create({ getHeaders }) as unknown }, 'body'],
	[{ body: { [Symbol.toStringTag]: 'FormData' } }, 'body'],
	[{ headers: { common: { host: 'other.example' } } }, 'common'],
	[{ headers: { 'X-Original-URL': '/echo' } }, 'X-Original-URL'],
	[{ headers: { 'X-Accept': '/echo' } }, 'X-Accept'],
	[{ headers: { 'Accept-Path': '/echo' } }, 'Accept-Path'],
	[{ headers: { 'Content-Location': '/echo' } }, 'Content-Location'],
	[{ headers: { accept: ['*/*'] } }, 'accept'],
	[{ headers: { Host: 'other.example' } }, 'Host'],
	[{ headers: { accept: '*/*', ' hOST ': 'other.example' } }, 'hOST'],
])('with %j nothing gets the key, and %s is named', (more, name) => {
	expect(() => withKey({ url: CONFIG, ...more })).toThrow(new Error(remove(name)));
});

test.each([
	{ proxy: undefined },
	{ proxy: null },
	{ proxy: '' },
	{ skipSslCertificateValidation: false },
	{ rejectUnauthorized: true },
	{ headers: undefined },
	{ agentOptions: undefined },
	{ anything: null },
	{ encoding: null },
	{ method: null },
	{ headers: {} },
	{ headers: null },
])('%j stands in the way of nothing', (more) => {
	expect(withKey({ url: CONFIG, ...more }).headers).toEqual({ 'x-api-key': KEY });
});

test.each([
	...['Accept', 'Accept-Charset', 'accept-encoding', 'accept-language', 'cache-control'],
	...['content-length', 'Content-Type', 'pragma', 'User-Agent'],
])('the header %s, which leads nowhere else, is sent', (name) => {
	const headers = { [name]: 'x' };
	expect(withKey({ url: CONFIG, headers }).headers).toEqual({ ...headers, 'x-api-key': KEY });
});

test.each(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])(
	'the method %s gets the key',
	(method) => {
		expect(withKey({ url: CONFIG, method })).toMatchObject({
			method,
			headers: { 'x-api-key': KEY },
		});
	},
);

const OF_HTTP_REQUEST = {
	method: 'GET',
	gzip: true,
	rejectUnauthorized: true,
	resolveWithFullResponse: true,
	sendCredentialsOnCrossOriginRedirect: false,
	allowedDomains: undefined,
	timeout: 300_000,
};
const AS_STREAM = {
	qs: { a: ['1', '2'] },
	qsStringifyOptions: { arrayFormat: 'repeat' },
	encoding: null,
	json: false,
	useStream: true,
	simple: false,
};
const OF_A_NODE = {
	method: 'GET',
	qs: { a: 1 },
	json: true,
	arrayFormat: 'comma',
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	skipSslCertificateValidation: false,
};

/** As n8n's HTTP Request, its pages, its AI tool, nodes like ours and the test of the credential put a request together. */
test.each<[string, object]>([
	['HTTP Request', { ...OF_HTTP_REQUEST, ...AS_STREAM }],
	['HTTP Request with a list of domains', { allowedDomains: 'bridge.example.com' }],
	['HTTP Request without a proxy', { proxy: '' }],
	['HTTP Request with data that has no prototype', { body: Object.create(null) as object }],
	['HTTP Request with JSON', { method: 'POST', gzip: true, body: { a: { b: 1 } }, json: true }],
	['HTTP Request with bytes', { method: 'PUT', body: Buffer.from('x'), json: false }],
	['HTTP Request with a form', { method: 'PATCH', form: { a: 'b' }, useQuerystring: true }],
	['the AI tool', { method: 'GET', qs: {}, returnFullResponse: true }],
	['a community node', { ...OF_A_NODE, timeout: 30_000, abortSignal: AbortSignal.timeout(1) }],
])('what %s states besides address and headers is sent as it is', (_name, fields) => {
	const expected = { ...fields, url: CONFIG, headers: { 'x-api-key': KEY }, ...REDIRECTS };
	expect(withKey({ url: CONFIG, ...fields })).toEqual(expected);
});

test('what is checked is what is sent: each field is read once, and nothing that is inherited or hidden goes along', () => {
	let reads = 0;
	const request = Object.create(
		{ proxy: 'http://proxy.example' },
		{ agentOptions: { value: {}, enumerable: false } },
	) as object;
	Object.defineProperty(request, 'url', {
		enumerable: true,
		get: () => (reads++ === 0 ? CONFIG : OF_OTHERS),
	});
	const sent = withKey(request);
	expect([sent.url, reads]).toEqual([CONFIG, 1]);
	expect([sent.proxy, Reflect.get(sent, 'agentOptions')]).toEqual([undefined, undefined]);
});

test('a key that the request brought along is replaced, however its header is written', () => {
	const others = { 'User-Agent': undefined, accept: '*/*' };
	const headers = { ...others, 'X-API-Key': 'other', 'x-api-key': 'another' };
	expect(withKey({ url: CONFIG, headers }).headers).toEqual({ ...others, 'x-api-key': KEY });
});

test.each<[object, RegExp]>([
	[{ apiKey: '' }, /^The credential has no API key\. Open the credential and enter /],
	[
		{ baseUrl: 'http://bridge.example.com' },
		/^The Base URL must begin with https:\/\/\. Over http:/,
	],
])('a credential that cannot be used (%j) says why and what to do', (changes, sentence) => {
	expect(() => withKey({ url: CONFIG }, { ...CREDENTIALS, ...changes })).toThrow(sentence);
});

test('the Webhook Secret is no part of a request', () => {
	const sent = withKey({ url: CONFIG }, { ...CREDENTIALS, webhookSecret: 'a secret' });
	expect(JSON.stringify(sent)).not.toContain('a secret');
});

test('a limit that cannot be read is no reason not to add the key', () => {
	const sent = withKey({ url: CONFIG }, { ...CREDENTIALS, requestsPerMinute: 'many' });
	expect(sent.headers).toEqual({ 'x-api-key': KEY });
});

describe('a request of ours, which names its account in the place of the key', () => {
	const request = { url: CONFIG, headers: placeholderFor(accountOf(CREDENTIALS)) };

	test('gets its key, in any spelling of its address', () => {
		for (const baseUrl of [BASE, `${BASE}/`, BASE.replace('bridge', 'BRIDGE')])
			expect(withKey(request, { ...CREDENTIALS, baseUrl }).headers).toEqual({ 'x-api-key': KEY });
	});

	test.each<[string, object]>([
		['another key', { apiKey: 'sk-live-other' }],
		['no key', { apiKey: '' }],
		['another address', { baseUrl: 'https://other.example' }],
		['an address that is none', { baseUrl: 'x' }],
	])('is refused when the credential has been edited: %s', (_what, changes) => {
		let code: unknown;
		try {
			withKey(request, { ...CREDENTIALS, ...changes });
		} catch (error) {
			code = Reflect.get(error as object, 'code');
		}
		expect(code).toBe(CREDENTIAL_EDITED);
	});
});
