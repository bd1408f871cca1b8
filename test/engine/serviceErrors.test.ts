import type { ErrorShape, Fault } from '../../sandbox';
import { startRawServer } from '../security/rawServer';
import { TestCredentials } from './credentials';
import { runAction } from './n8n';
import { rehearse, type Rehearsal } from './sandboxed';

const UNKNOWN = `0x${'ab'.repeat(32)}`;
const KEY = 'marked-key-7f3a';

let bridge: Rehearsal;
let sourceHash: string;
beforeAll(async () => {
	bridge = await rehearse({ apiKey: KEY });
	[sourceHash = ''] = await bridge.begin({ end: 'never' });
});
afterAll(async () => await bridge.sandbox.stop());
afterEach(async () => await bridge.clearFaults());

async function errorOf(credentials = bridge.credentials, hash = sourceHash) {
	const { error, run } = await runAction(credentials, { operation: 'getStatus', sourceHash: hash });
	// What n8n stores of the execution contains the key nowhere.
	expect(JSON.stringify(run)).not.toContain(KEY);
	return error;
}

test.each<[string, Fault, object]>([
	[
		'a web page',
		{ kind: 'html' },
		{
			message: 'The Base URL does not lead to the bridge. Correct it in the credential.',
			httpCode: '200',
		},
	],
	[
		'a web page that says 404',
		{ kind: 'html', status: 404 },
		{
			message: 'The Base URL does not lead to the bridge. Correct it in the credential.',
			httpCode: '404',
		},
	],
	[
		'1 MB of text',
		{ kind: 'text' },
		{ message: 'The Base URL does not lead to the bridge. Correct it in the credential.' },
	],
	['an empty body', { kind: 'empty' }, { message: "The bridge's response was incomplete" }],
	[
		'half a body',
		{ kind: 'halfBody', clean: true },
		{ message: expect.stringMatching(/incomplete|could not be reached/) },
	],
	[
		'JSON that breaks off',
		{ kind: 'body', body: '{"success":true,"da' },
		{ message: "The bridge's response was incomplete" },
	],
	[
		'a body without data',
		{ kind: 'noData' },
		{ message: "The bridge's response could not be read" },
	],
	[
		'a list',
		{ kind: 'array' },
		{ message: 'The Base URL does not lead to the bridge. Correct it in the credential.' },
	],
	['a dropped connection', { kind: 'drop' }, { message: 'The bridge could not be reached' }],
	[
		'a page of a failing proxy',
		{ kind: 'html', status: 502 },
		{ message: 'The bridge is temporarily unavailable', httpCode: '502' },
	],
	[
		'success: false with status 200',
		{
			kind: 'body',
			body: '{"success":false,"error":{"code":"INVALID_PARAMETER","message":"no <b>hash</b>"}}',
		},
		{
			message: 'The bridge does not accept the hash',
			description: expect.stringContaining('no &lt;b&gt;hash&lt;/b&gt;'),
			httpCode: '200',
			context: expect.objectContaining({ code: 'INVALID_PARAMETER' }),
		},
	],
	[
		'success: false with status 200 and only a message',
		{ kind: 'errorShape', shape: 'status200', sourceHash: UNKNOWN },
		{
			message: 'The bridge did not accept the request',
			httpCode: '200',
		},
	],
	[
		'500',
		{ kind: 'error', status: 500 },
		{ message: 'The bridge is temporarily unavailable', httpCode: '500' },
	],
	[
		'429 with Retry-After',
		{ kind: 'error', status: 429, retryAfterSeconds: 600 },
		{
			message: 'Request limit reached',
			description: expect.stringContaining('in 600 seconds'),
			httpCode: '429',
		},
	],
])('%s', async (_name, fault, expected) => {
	await bridge.fault(fault);
	// A key each, since a 429 makes the budget of its key pause.
	const credentials = new TestCredentials({
		apiKey: fault.kind === 'error' ? `${KEY}-${fault.status}` : KEY,
		baseUrl: bridge.sandbox.url,
	});
	expect(await errorOf(credentials, fault.sourceHash)).toMatchObject(expected);
});

test.each<ErrorShape>(['envelope', 'nested', 'flat', 'word', 'message', 'text', 'html', 'empty'])(
	'a wrong key is shown as such when the body has the shape %s',
	async (shape) => {
		const wrong = new TestCredentials({ apiKey: 'wrong', baseUrl: bridge.sandbox.url });
		await bridge.fault({ kind: 'errorShape', shape });
		expect(await errorOf(wrong)).toMatchObject({
			message: 'The bridge does not accept the API key. Correct it in the credential.',
		});
	},
);

test('a wrong key is sent once', async () => {
	await bridge.forgetRequests();
	await errorOf(new TestCredentials({ apiKey: 'wrong', baseUrl: bridge.sandbox.url }));
	expect(await bridge.requests()).toHaveLength(1);
});

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

test('while the service asked for a long pause, nothing is sent and nobody waits in silence', async () => {
	const credentials = new TestCredentials({ apiKey: `${KEY}-paused`, baseUrl: bridge.sandbox.url });
	await bridge.fault({ kind: 'error', status: 429, retryAfterSeconds: 600 });
	await errorOf(credentials);
	await bridge.forgetRequests();
	expect(await errorOf(credentials)).toMatchObject({
		message: 'Request limit reached',
		httpCode: '429',
	});
	expect(await bridge.requests()).toEqual([]);
});
