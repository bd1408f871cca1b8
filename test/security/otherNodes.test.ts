import type { IHttpRequestOptions, IRequestOptions } from 'n8n-workflow';

import { TestCredentials } from '../engine/credentials';
import { contextOfOtherNode } from './executeContext';
import { answering, asUsual, type KeyedService, startKeyedService } from './keyedService';

/** The credential in other nodes, such as n8n's HTTP Request, in both formats of n8n-core: anyone who may use it cannot read the key. */

const KEY = 'sk-live-7f3a';

let own: KeyedService;
let other: KeyedService;
beforeAll(async () => {
	own = await startKeyedService();
	other = await startKeyedService();
});
beforeEach(() => {
	for (const service of [own, other]) Object.assign(service, { received: [], answer: asUsual });
});

const context = (credentials: TestCredentials) => contextOfOtherNode(credentials).context;
const credential = (path = '') => new TestCredentials({ apiKey: KEY, baseUrl: own.url + path });

const failureOf = async (sent: Promise<unknown>): Promise<Error | null> =>
	await sent.then(
		() => null,
		(error: Error) => error,
	);

/** As HTTP Request sends: the older format, followed redirects and all. Gives the error, if any. */
async function failureOfRequest(options: IRequestOptions): Promise<Error | null> {
	const of = context(credential());
	const { requestWithAuthentication } = of.helpers;
	return await failureOf(requestWithAuthentication.call(of, 'crossChainBridgeApi', options));
}

/** As community nodes send. */
async function failureOfHttpRequest(
	options: IHttpRequestOptions,
	credentials = credential(),
): Promise<Error | null> {
	const of = context(credentials);
	const { httpRequestWithAuthentication } = of.helpers;
	return await failureOf(httpRequestWithAuthentication.call(of, 'crossChainBridgeApi', options));
}

const request = async (options: IRequestOptions): Promise<string> =>
	(await failureOfRequest(options))?.message ?? 'sent';
const httpRequest = async (
	options: IHttpRequestOptions,
	credentials = credential(),
): Promise<string> => (await failureOfHttpRequest(options, credentials))?.message ?? 'sent';

const OWN_SENTENCE = /^This credential is for its own bridge only\./;

test.each([
	'/api/sdk/v2/config',
	'/api/sdk/v2/config?chainID=1',
	'/api/sdk/v2/quote/',
	'/api/sdk/v2/status?sourceHash=0xab',
])('the service’s own endpoint %s can be asked', async (path) => {
	expect(await request({ method: 'GET', uri: own.url + path, followRedirect: true })).toBe('sent');
	expect(await httpRequest({ method: 'GET', url: own.url + path })).toBe('sent');
	expect(await httpRequest({ method: 'GET', baseURL: `${own.url}/`, url: path })).toBe('sent');
	expect(own.keys()).toEqual([KEY]);
	expect(own.received).toHaveLength(3);
});

test.each([
	'http://OTHER/api/sdk/v2/config',
	'http://OWN@OTHER/api/sdk/v2/config',
	'http://a:b@OWN/api/sdk/v2/config',
	'http://OTHER\\@OWN/api/sdk/v2/config',
	'http://OTHER\\.OWN/api/sdk/v2/config',
	'http://127.0.0.1:1/api/sdk/v2/config',
	'https://OWN/api/sdk/v2/config',
	'http://NAME/api/sdk/v2/config',
	'//OTHER/api/sdk/v2/config',
	' \thttp://OTHER/api/sdk/v2/config',
	'http://OWN/echo',
	'http://OWN',
	'http://OWN/api/sdk/v2evil/config',
	'http://OWN/api/sdk/v2/../../../echo',
	'http://OWN/api/sdk/v2/%2e%2e/%2E%2E/%2e%2e/echo',
	'http://OWN/api/sdk/v2/..%2f..%2f..%2fecho',
	'http://OWN/api/sdk/v2/..%5C..%5cecho',
	'http://OWN/api/sdk/v2/%252e%252e/echo',
	'http://OWN/api/sdk/v2\\..\\..\\..\\echo',
	'http://OWN/api/sdk/v2/..;/echo',
	'http://OWN/api/sdk/v2/.\n./echo%0d%0aHost:x',
	'http://OWN/?/api/sdk/v2/config',
	'http://OWN/#/api/sdk/v2/config',
	'file:///api/sdk/v2/config',
	'',
])('the address %j fails with our sentence, and nothing is sent', async (address) => {
	const { host, port } = new URL(own.url);
	const url = address
		.replaceAll('OWN', host)
		.replaceAll('OTHER', new URL(other.url).host)
		.replace('NAME', `localhost:${port}`);
	for (const message of [
		await request({ method: 'GET', uri: url }),
		await request({ method: 'GET', url, uri: url }),
		await httpRequest({ method: 'GET', url }),
	]) {
		expect(message).toMatch(OWN_SENTENCE);
	}
	expect([own.received, other.received]).toEqual([[], []]);
});

test('two addresses in one request: both have to be the same', async () => {
	const [good, bad] = [`${own.url}/api/sdk/v2/config`, `${other.url}/api/sdk/v2/config`];
	expect(await request({ method: 'GET', uri: good, url: bad })).toMatch(OWN_SENTENCE);
	expect(await request({ method: 'GET', uri: bad, url: good })).toMatch(OWN_SENTENCE);
	expect(await request({ method: 'GET', baseURL: other.url, url: '/api/sdk/v2/config' })).toMatch(
		OWN_SENTENCE,
	);
	expect(await httpRequest({ method: 'GET', baseURL: own.url, url: bad })).toMatch(OWN_SENTENCE);
	expect(
		await httpRequest({ method: 'GET', baseURL: other.url, url: '/api/sdk/v2/config' }),
	).toMatch(OWN_SENTENCE);
	expect([own.received, other.received]).toEqual([[], []]);
});

test('a Base URL with a path bounds the path as well', async () => {
	const asked = async (path: string) =>
		await httpRequest(
			{ method: 'GET', url: `${own.url}${path}/api/sdk/v2/config` },
			credential('/tenant-a'),
		);
	expect(await asked('/tenant-a')).toBe('sent');
	for (const path of ['', '/tenant-b', '/tenant-a/../tenant-b'])
		expect(await asked(path)).toMatch(OWN_SENTENCE);
	expect(own.received).toHaveLength(1);
});

test.each([301, 302, 303, 307, 308])(
	'a redirect (%s) is not followed, whatever the node wants',
	async (status) => {
		own.answer = answering(status, {}, { location: `${other.url}/api/sdk/v2/config` });
		await request({
			method: 'GET',
			uri: `${own.url}/api/sdk/v2/config`,
			followRedirect: true,
			followAllRedirects: true,
			maxRedirects: 10,
		});
		await httpRequest({
			method: 'GET',
			url: `${own.url}/api/sdk/v2/config`,
			disableFollowRedirect: false,
		});
		expect(own.received).toHaveLength(2);
		expect(other.received).toEqual([]);
	},
);

const HOST = { host: 'other.example' };
const FORM = {
	append: () => undefined,
	toString: () => '[object FormData]',
	getHeaders: () => HOST,
};

/** Options by which a node could vouch for another server, or have a proxy or the service give the request another way. */
test.each<[object, string]>([
	[{ proxy: 'http://127.0.0.1:1' }, 'proxy'],
	[{ proxy: { protocol: 'http', host: '127.0.0.1', port: 1 } }, 'proxy'],
	[{ skipSslCertificateValidation: true }, 'skipSslCertificateValidation'],
	[{ rejectUnauthorized: false }, 'rejectUnauthorized'],
	[{ agentOptions: { ca: 'a CA' } }, 'agentOptions'],
	[{ agentOptions: { cert: 'a', key: 'b' } }, 'agentOptions'],
	[{ agentOptions: { rejectUnauthorized: false } }, 'agentOptions'],
	[{ agentOptions: { checkServerIdentity: () => undefined } }, 'agentOptions'],
	[{ agentOptions: { servername: 'other.example' } }, 'agentOptions'],
	[{ agentOptions: {} }, 'agentOptions'],
	[{ httpsAgent: {}, httpAgent: {} }, 'httpsAgent'],
	[{ socketPath: 'x.sock' }, 'socketPath'],
	[{ lookup: () => undefined }, 'lookup'],
	[{ transport: {} }, 'transport'],
	[{ adapter: 'fetch' }, 'adapter'],
	[{ transformRequest: [] }, 'transformRequest'],
	[{ beforeRedirect: () => undefined }, 'beforeRedirect'],
	[{ auth: { username: 'a', password: 'b' } }, 'auth'],
	[{ auth: { user: 'a', pass: 'b', sendImmediately: false } }, 'auth'],
	[{ method: 'TRACE' }, 'method'],
	[{ method: 'CONNECT' }, 'method'],
	[{ body: FORM, method: 'POST' }, 'body'],
	[{ formData: { a: 'b' }, method: 'POST' }, 'formData'],
	[{ headers: { hOST: 'other.example' } }, 'hOST'],
	[{ headers: { 'Host ': 'other.example' } }, 'Host'],
	[{ headers: { common: HOST } }, 'common'],
	[{ headers: { get: HOST } }, 'get'],
	[{ headers: { 'X-Forwarded-Host': 'other.example' } }, 'X-Forwarded-Host'],
	[{ headers: { Forwarded: 'host=other.example' } }, 'Forwarded'],
	[{ headers: { 'X-Original-URL': '/echo' } }, 'X-Original-URL'],
	[{ headers: { 'X-Rewrite-URL': '/echo' } }, 'X-Rewrite-URL'],
	[{ headers: { 'X-HTTP-Method-Override': 'TRACE' } }, 'X-HTTP-Method-Override'],
	[{ headers: { 'transfer-encoding': 'chunked' } }, 'transfer-encoding'],
	[{ headers: { connection: 'upgrade' } }, 'connection'],
	[{ whatever: true }, 'whatever'],
])('%p fails with a sentence that names it, and nothing is sent', async (option, name) => {
	const url = `${own.url}/api/sdk/v2/config`;
	for (const message of [
		await request({ method: 'GET', uri: url, ...option }),
		await httpRequest({ method: 'GET', url, ...option }),
	]) {
		expect(message).toBe(
			`This credential can be used with plain requests only: remove "${name}" from the request.`,
		);
	}
	expect([own.received, other.received]).toEqual([[], []]);
});

/** As n8n's HTTP Request puts its requests together; its pages, and its AI tool. */
test.each<[string, object]>([
	[
		'as it is',
		{
			headers: { accept: '*/*' },
			gzip: true,
			rejectUnauthorized: true,
			followRedirect: true,
			followAllRedirects: true,
			maxRedirects: undefined,
			resolveWithFullResponse: true,
			sendCredentialsOnCrossOriginRedirect: true,
			allowedDomains: undefined,
			timeout: 300_000,
			encoding: null,
			json: false,
			useStream: true,
		},
	],
	[
		'with Never Error, JSON and a query',
		{
			qs: { a: ['1', '2'] },
			qsStringifyOptions: { arrayFormat: 'brackets' },
			simple: false,
			json: true,
			gzip: true,
		},
	],
	[
		'in its first version',
		{ gzip: true, rejectUnauthorized: true, useQuerystring: true, json: true, timeout: 3_600_000 },
	],
])('HTTP Request %s can ask the service', async (_name, options) => {
	expect(await request({ method: 'GET', uri: `${own.url}/api/sdk/v2/config`, ...options })).toBe(
		'sent',
	);
	expect(own.keys()).toEqual([KEY]);
});

test('HTTP Request can ask for pages', async () => {
	const uri = `${own.url}/api/sdk/v2/config`;
	const { helpers } = context(credential());
	const pagination = {
		request: { url: uri, qs: { page: 1 } },
		continue: false,
		maxRequests: 1,
		requestInterval: 0,
	};
	const pages: unknown[] = await helpers.requestWithAuthenticationPaginated.call(
		context(credential()),
		{ method: 'GET', uri, gzip: true, rejectUnauthorized: true },
		0,
		pagination,
		'crossChainBridgeApi',
	);
	expect(pages).toHaveLength(1);
	expect(own.keys()).toEqual([KEY]);
});

test.each([401, 403, 404, 429, 500])(
	'an error of the service (%s) brings the key into no error that n8n stores',
	async (status) => {
		own.answer = answering(status, { message: 'no' });
		const url = `${own.url}/api/sdk/v2/config`;
		for (const error of [
			await failureOfRequest({ method: 'GET', uri: url }),
			await failureOfHttpRequest({ method: 'GET', url }),
		]) {
			expect(error).toBeInstanceOf(Error);
			expect(JSON.stringify(error) + JSON.stringify({ ...error })).not.toContain(KEY);
		}
	},
);

test('a key that the node sends itself is replaced, and not sent next to ours', async () => {
	await httpRequest({
		method: 'GET',
		url: `${own.url}/api/sdk/v2/config`,
		headers: { 'X-API-Key': 'another', 'x-api-key': 'third' },
	});
	expect(own.received).toEqual([`/api/sdk/v2/config ${KEY}`]);
});

test.each<[string, string, RegExp]>([
	['a zero-width space', `${KEY}\u200b-x`, /^The API key contains a character that is not allowed/],
	['a letter with an accent', `cl\u00e9`, /^The API key contains/],
	['a line break', `${KEY}\r\nx-evil: 1`, /^The API key contains/],
	['a space', 'a b', /^The API key contains/],
	['a control sign', 'a\u0000b', /^The API key contains/],
	['no key', '', /^The credential has no API key/],
])('%s in the key: fails with a sentence, and nothing is sent', async (_name, apiKey, sentence) => {
	const message = await httpRequest(
		{ method: 'GET', url: `${own.url}/api/sdk/v2/config` },
		new TestCredentials({ apiKey, baseUrl: own.url }),
	);
	expect(message).toMatch(sentence);
	expect(own.received).toEqual([]);
});

test('what stands around a key is taken off', async () => {
	await httpRequest(
		{ method: 'GET', url: `${own.url}/api/sdk/v2/config` },
		new TestCredentials({ apiKey: ` ${KEY}\n`, baseUrl: own.url }),
	);
	expect(own.keys()).toEqual([KEY]);
});
