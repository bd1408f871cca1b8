import { CrossChainBridgeApi } from '../../credentials/CrossChainBridgeApi.credentials';
import { testCredential } from './credentialTest';
import { deadlines } from './deadlines';
import * as faults from './faults';
import { KEY } from './hostileJson';
import { type Behavior, httpAnswer, startRawServer } from './rawServer';

/** The credential's test when something is wrong on the way. Most of its words are n8n's own, and differ between its versions. */

afterEach(() => void jest.restoreAllMocks());

async function tested(behave: Behavior) {
	const server = await startRawServer(behave);
	const result = await testCredential({ apiKey: KEY, baseUrl: `http://localhost:${server.port}` });
	await server.allClosed();
	expect(result.message).not.toContain(KEY);
	return result;
}

test('a service that answers', async () => {
	expect((await tested(faults.sound)).status).toBe('OK');
	expect((await tested(faults.http10)).status).toBe('OK');
});

test.each<[string, Behavior]>([
	['reset before the headers', faults.resetBeforeHeaders],
	['closed in the headers', faults.closedInHeaders],
	['reset in the body', faults.resetInBody],
	['half a body', faults.closedInBody],
	['half a chunk', faults.closedInChunk],
	['half a body without a length', faults.http10Half],
	['300 KB of headers', faults.hugeHeaders],
	['something other than HTTP', faults.notHttp],
	['a web page', faults.wrongType('text/html', '<!doctype html>')],
])('%s: the test fails with words', async (_name, behave) => {
	const result = await tested(behave);
	expect(result).toEqual({ status: 'Error', message: expect.stringMatching(/\w/) });
});

test('half a body: the words are ours, or those of an n8n that does not apply the rule', async () => {
	const result = await tested(faults.closedInBody);
	expect([
		"The bridge's response was cut off. Try again.",
		'stream has been aborted',
		'aborted',
	]).toContain(result.message);
});

test.each<[string, (onByte: (count: number) => void) => Behavior]>([
	['says nothing', (onByte) => () => onByte(100)],
	['drips', faults.drippingBody],
])(
	'n8n put five minutes in the place of the time that the test stated: a service that %s stops it now',
	async (_name, behaveWith) => {
		const time = deadlines();
		const result = await tested(behaveWith((count) => void (count === 100 && time.pass())));
		expect(result.status).toBe('Error');
		expect(time.asked).toEqual([15_500]);
	},
);

const LONG = `https://${'a'.repeat(80_000)}`;
const SLASHES = '/'.repeat(80_000);

test.each`
	what                               | data                                        | sentence
	${'http:// to a public host'}      | ${{ baseUrl: 'http://bridge.example.com' }} | ${'The Base URL must begin with https://.'}
	${'no Base URL'}                   | ${{ baseUrl: '' }}                          | ${'The credential has no Base URL.'}
	${'no scheme'}                     | ${{ baseUrl: 'bridge.example.com' }}        | ${'The Base URL is not valid.'}
	${'a Base URL of 80,000 letters'}  | ${{ baseUrl: LONG }}                        | ${'The Base URL is not valid.'}
	${'a Base URL of 80,000 slashes'}  | ${{ baseUrl: SLASHES }}                     | ${'The Base URL is not valid.'}
	${'no key'}                        | ${{ apiKey: '' }}                           | ${'The credential has no API key.'}
	${'a zero-width space in the key'} | ${{ apiKey: 'a\u200bb' }}                   | ${'The API key contains a character that is not allowed.'}
	${'a limit that is no number'}     | ${{ requestsPerMinute: 'many' }}            | ${"'Requests per Minute' in the credential is not a number of 1 or more. It is 'many'."}
	${'a limit of 0'}                  | ${{ requestsPerMinute: 0 }}                 | ${"'Requests per Minute' in the credential is not a number of 1 or more. It is '0'."}
	${'a secret that is not ASCII'}    | ${{ webhookSecret: 'gehe\u00efm' }}         | ${'The Webhook Secret in the credential cannot be sent in a header.'}
	${'a secret with a space after'}   | ${{ webhookSecret: 'x ' }}                  | ${'The Webhook Secret in the credential cannot be sent in a header.'}
`(
	'$what: every n8n shows our sentence, and nothing is sent',
	async ({ data, sentence }: { data: object; sentence: string }) => {
		const server = await startRawServer(faults.sound);
		const baseUrl = `http://localhost:${server.port}`;
		const { status, message } = await testCredential({ apiKey: KEY, baseUrl, ...data });
		expect([status, message.slice(0, sentence.length)]).toEqual(['Error', sentence]);
		expect(server.opened).toBe(0);
	},
);

test('HTTP 400 for the configuration is not said to be a wrong key or address', async () => {
	const answer: Behavior = (socket) =>
		void socket.end(httpAnswer('{"success":false}', { status: '400 Bad Request' }));
	const { status, message } = await tested(answer);
	const ours =
		'The bridge was reached, but it did not accept the test request. The credential may still work: try Get Status.';
	// Before n8n 2.40 n8n shows words of its own.
	expect(['Bad request - please check your parameters', ours]).toContain(message);
	const rules = new CrossChainBridgeApi().test.rules ?? [];
	expect(rules).toContainEqual({ type: 'responseCode', properties: { value: 400, message: ours } });
	expect(status).toBe('Error');
});

const REDIRECTED = 'The Base URL redirects to another address. Enter the final address.';

test.each<[number, string]>([
	[401, 'The bridge does not accept the API key. Enter a valid one.'],
	[
		403,
		'The bridge or a firewall refused the test request. Check the API key and the Base URL. If both are right, ask your bridge whether it blocks this n8n.',
	],
	[
		404,
		'The Base URL does not lead to the bridge. Enter the API address, up to but not including /api/sdk/v2.',
	],
	[429, 'The API key works, but its request limit has been reached. Try again in a minute.'],
	...[301, 302, 303, 307, 308].map((status): [number, string] => [status, REDIRECTED]),
])(
	'for HTTP %d n8n 2.40 has the words %j, and a redirect is not followed',
	async (status, words) => {
		const other = await startRawServer(faults.sound);
		const headers = { Location: `http://127.0.0.1:${other.port}/` };
		const answer: Behavior = (socket) =>
			void socket.end(httpAnswer('{}', { status: `${status} Other`, headers }));
		expect((await tested(answer)).status).toBe('Error');
		expect(other.opened).toBe(0);
		const rules = new CrossChainBridgeApi().test.rules ?? [];
		expect(rules).toContainEqual({
			type: 'responseCode',
			properties: { value: status, message: words },
		});
	},
);

test.each([
	['{"success":false}', 'The bridge rejected the request. Check the API key and the Base URL.'],
	['{"data":{}}', 'The response is not from the bridge. Check the Base URL.'],
])('a response with HTTP 200 that has %s is no success', async (body, message) => {
	const answer: Behavior = (socket) => void socket.end(httpAnswer(body));
	expect(await tested(answer)).toEqual({ status: 'Error', message });
});

test('a Base URL as it was pasted is tested at the address that it means', async () => {
	const server = await startRawServer(faults.sound);
	const baseUrl = ` http://LOCALHOST:${server.port}/api/sdk/v2/status?sourceHash=1 `;
	expect((await testCredential({ apiKey: KEY, baseUrl })).status).toBe('OK');
	expect(server.received()).toMatch(/^GET \/api\/sdk\/v2\/config HTTP/);
});

test('the Webhook Secret does not go to the bridge', async () => {
	const server = await startRawServer(faults.sound);
	const data = {
		apiKey: KEY,
		baseUrl: `http://localhost:${server.port}`,
		webhookSecret: 'hush-hush',
	};
	expect((await testCredential(data)).status).toBe('OK');
	expect(server.received()).toContain(KEY);
	expect(server.received()).not.toContain('hush');
});

test('the time of the test is not put on requests of others', async () => {
	const { authenticate } = new CrossChainBridgeApi();
	const credentials = { apiKey: KEY, baseUrl: 'https://bridge.example.com' };
	const ofTest = await authenticate(credentials, {
		baseURL: 'https://bridge.example.com',
		url: '/api/sdk/v2/config',
		timeout: 300_000,
	});
	expect(ofTest).toMatchObject({
		timeout: 15_000,
		abortSignal: expect.any(AbortSignal),
		headers: { 'x-api-key': KEY },
	});
	// Only of the test the address is put right.
	for (const [baseURL, url] of [
		['https://bridge.example.com', '/api/sdk/v2/status'],
		['https://bridge.example.com/', '/api/sdk/v2/config'],
	] as const) {
		const ofOthers = await authenticate(credentials, { baseURL, url, timeout: 60_000 });
		expect(ofOthers).toMatchObject({ timeout: 60_000, headers: { 'x-api-key': KEY } });
		expect(ofOthers).not.toHaveProperty('abortSignal');
	}
	const elsewhere = { baseURL: 'https://other.example.com', url: '/api/sdk/v2/config' };
	await expect(authenticate(credentials, elsewhere)).rejects.toThrow(/for its own bridge only/);
	const request = {
		url: 'https://bridge.example.com/api/sdk/v2/config',
		timeout: 60_000,
		headers: { accept: 'application/json' },
	};
	expect(await authenticate(credentials, request)).toMatchObject({
		...request,
		disableFollowRedirect: true,
		headers: { accept: 'application/json', 'x-api-key': KEY },
	});
});
