import type { ErrorShape, Fault } from '../../sandbox';
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

const HASH_REJECTED = 'The bridge does not accept the hash';
const INCOMPLETE = "The bridge's response was incomplete";
const UNREADABLE = "The bridge's response could not be read";
const UNAVAILABLE = 'The bridge is temporarily unavailable';
const NO_ORDER = 'Order not found';
const BROKEN = { kind: 'body', body: '{"success":true,"da' };
const REJECTED = { code: 'INVALID_PARAMETER', message: 'no <b>hash</b>' };
const FAILED = { kind: 'body', body: JSON.stringify({ success: false, error: REJECTED }) };
const NOT_YET = { success: true, data: null, message: 'Status fetched', meta: { page: 1 } };
const NO_DATA = { kind: 'body', body: JSON.stringify(NOT_YET) };
const ONLY_WORDS = { kind: 'errorShape', shape: 'status200', sourceHash: UNKNOWN };

/** What goes wrong on the connection, and other bodies that are not the service's, are in test/security/connections. */
test.each`
	what                                                   | fault                             | message          | httpCode
	${'a web page that says 404'}                          | ${{ kind: 'html', status: 404 }}  | ${NO_ORDER}      | ${'404'}
	${'a web page'}                                        | ${{ kind: 'html' }}               | ${UNREADABLE}    | ${'200'}
	${'1 MB of text'}                                      | ${{ kind: 'text' }}               | ${UNREADABLE}    | ${'200'}
	${'an empty body'}                                     | ${{ kind: 'empty' }}              | ${INCOMPLETE}    | ${'200'}
	${'JSON that breaks off'}                              | ${BROKEN}                         | ${INCOMPLETE}    | ${'200'}
	${'a body without data'}                               | ${{ kind: 'noData' }}             | ${NO_ORDER}      | ${'200'}
	${'no data, next to what ordinary responses have'}     | ${NO_DATA}                        | ${NO_ORDER}      | ${'200'}
	${'a list'}                                            | ${{ kind: 'array' }}              | ${UNREADABLE}    | ${'200'}
	${'a page of a failing proxy'}                         | ${{ kind: 'html', status: 502 }}  | ${UNAVAILABLE}   | ${'502'}
	${'success: false with status 200'}                    | ${FAILED}                         | ${HASH_REJECTED} | ${'200'}
	${'success: false with status 200 and only a message'} | ${ONLY_WORDS}                     | ${NO_ORDER}      | ${'200'}
	${'500'}                                               | ${{ kind: 'error', status: 500 }} | ${UNAVAILABLE}   | ${'500'}
`(
	'$what',
	async ({
		fault,
		message,
		httpCode,
	}: Record<'message' | 'httpCode', string> & { fault: Fault }) => {
		await bridge.fault(fault);
		const error = await errorOf(bridge.credentials, fault.sourceHash);
		expect(error).toMatchObject({ message, httpCode });
		if (message !== HASH_REJECTED) return;
		expect(error?.description).toContain('no ＜b＞hash＜/b＞');
		expect(error?.context).toMatchObject({ code: 'INVALID_PARAMETER' });
	},
);

test.each<ErrorShape>(['envelope', 'nested', 'flat', 'word', 'message', 'text', 'html', 'empty'])(
	'a wrong key is sent once, and the key is to be checked, when the body has the shape %s',
	async (shape) => {
		const wrong = new TestCredentials({ apiKey: 'wrong', baseUrl: bridge.sandbox.url });
		await bridge.fault({ kind: 'errorShape', shape });
		await bridge.forgetRequests();
		expect(await errorOf(wrong)).toMatchObject({
			message: expect.stringMatching(/^The bridge (?:did not accept the request$|says: ".*key)/),
			description: expect.stringContaining('Check the API key in the credential.'),
		});
		expect(await bridge.requests()).toHaveLength(1);
	},
);

test('a closed port', async () => {
	// No server listens on port 1; a port that was free a moment ago may be another suite's by now.
	expect(
		await errorOf(new TestCredentials({ apiKey: KEY, baseUrl: 'http://127.0.0.1:1' })),
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
