import type { ErrorShape, Fault } from '../../sandbox';
import { startRawServer } from '../security/rawServer';
import { TestCredentials } from './credentials';
import { runAction } from './n8n';
import { rehearse, type Rehearsal } from './sandboxed';

const UNKNOWN = `0x${'ab'.repeat(32)}`;
const KEY = 'marked-key-7f3a';

let bridge: Rehearsal;
let sourceHash: string;
beforeEach(async () => {
	bridge = await rehearse({ apiKey: KEY });
	[sourceHash = ''] = await bridge.begin({ end: 'never' });
});

async function errorOf(credentials = bridge.credentials, hash = sourceHash) {
	const { error, run } = await runAction(credentials, { operation: 'getStatus', sourceHash: hash });
	// What n8n stores of the execution contains the key nowhere.
	expect(JSON.stringify(run)).not.toContain(KEY);
	return error;
}

const NOT_THE_SERVICE = 'The Base URL does not lead to the bridge. Correct it in the credential.';

/** What goes wrong on the connection, and other bodies that are not the service's, are in test/security/connections. */
test.each<[string, Fault, string, string | null, string?]>([
	['a web page that says 404', { kind: 'html', status: 404 }, NOT_THE_SERVICE, '404'],
	['1 MB of text', { kind: 'text' }, NOT_THE_SERVICE, '200'],
	['an empty body', { kind: 'empty' }, "The bridge's response was incomplete", '200'],
	[
		'JSON that breaks off',
		{ kind: 'body', body: '{"success":true,"da' },
		"The bridge's response was incomplete",
		'200',
	],
	['a body without data', { kind: 'noData' }, "The bridge's response could not be read", '200'],
	['a list', { kind: 'array' }, NOT_THE_SERVICE, '200'],
	[
		'a page of a failing proxy',
		{ kind: 'html', status: 502 },
		'The bridge is temporarily unavailable',
		'502',
	],
	[
		'success: false with status 200',
		{
			kind: 'body',
			body: '{"success":false,"error":{"code":"INVALID_PARAMETER","message":"no <b>hash</b>"}}',
		},
		'The bridge does not accept the hash',
		'200',
		'no &lt;b&gt;hash&lt;/b&gt;',
	],
	[
		'success: false with status 200 and only a message',
		{ kind: 'errorShape', shape: 'status200', sourceHash: UNKNOWN },
		'The bridge did not accept the request',
		'200',
	],
	['500', { kind: 'error', status: 500 }, 'The bridge is temporarily unavailable', '500'],
])('%s', async (_name, fault, message, httpCode, words = '') => {
	await bridge.fault(fault);
	const error = await errorOf(bridge.credentials, fault.sourceHash);
	expect(error).toMatchObject({ message, httpCode });
	expect(error?.description).toContain(words);
	if (words !== '') expect(error?.context).toMatchObject({ code: 'INVALID_PARAMETER' });
});

test.each<ErrorShape>(['envelope', 'nested', 'flat', 'word', 'message', 'text', 'html', 'empty'])(
	'a wrong key is sent once, and the key is to be checked, when the body has the shape %s',
	async (shape) => {
		const wrong = new TestCredentials({ apiKey: 'wrong', baseUrl: bridge.sandbox.url });
		await bridge.fault({ kind: 'errorShape', shape });
		await bridge.forgetRequests();
		expect(await errorOf(wrong)).toMatchObject({
			message: 'The bridge did not accept the request',
			description: expect.stringContaining('Check the API key in the credential.'),
		});
		expect(await bridge.requests()).toHaveLength(1);
	},
);

test('a closed port', async () => {
	const { port, stop } = await startRawServer(() => undefined);
	await stop();
	expect(
		await errorOf(new TestCredentials({ apiKey: KEY, baseUrl: `http://127.0.0.1:${port}` })),
	).toMatchObject({
		message: 'The bridge could not be reached',
		description: expect.stringContaining('ECONNREFUSED'),
	});
});

test.each([
	[{ apiKey: '', baseUrl: 'https://bridge.example.com' }, 'The credential has no API key'],
	[{ apiKey: KEY, baseUrl: '' }, 'The credential has no Base URL'],
	[{ apiKey: KEY, baseUrl: 'http://bridge.example.com' }, 'The Base URL must begin with https://'],
	[{ apiKey: KEY, baseUrl: 'bridge.example.com' }, 'The Base URL is not valid'],
])('a credential that cannot be used sends nothing: %j', async (data, message) => {
	expect(await errorOf(new TestCredentials(data))).toMatchObject({ message });
});

test('a pasted API path and trailing slashes are part of no address', async () => {
	const pasted = new TestCredentials({
		apiKey: KEY,
		baseUrl: ` ${bridge.sandbox.url}/api/sdk/v2/status/ `,
	});
	expect(await errorOf(pasted)).toBeUndefined();
});
