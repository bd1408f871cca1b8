import { runAction } from '../engine/n8n';
import * as certificates from './certificates';
import { deadlines } from './deadlines';
import * as faults from './faults';
import { KEY } from './hostileJson';
import { type Behavior, type RawServer, type RawServerOptions, startRawServer } from './rawServer';
import { credentialsFor } from './ways';

/** What a user sees when something is wrong on the way, to the byte: the connection is closed, and no other host hears of the key. */

let other: RawServer;
beforeAll(async () => void (other = await startRawServer(faults.sound)));
afterAll(async () => {
	expect(other.opened).toBe(0);
});
afterEach(() => void jest.restoreAllMocks());

const OPERATIONS = {
	getStatus: { operation: 'getStatus', sourceHash: `0x${'ab'.repeat(32)}`, simplify: false },
	getConfig: { operation: 'getConfig' },
	getQuote: { operation: 'getQuote', specifyQuote: 'json', quoteJson: '{"inputNetwork":1}' },
};
const OPERATION_NAMES = ['getStatus', 'getConfig', 'getQuote'] as const;

interface Way extends RawServerOptions {
	scheme?: 'http' | 'https';
}

interface Seen {
	message: string;
	description: string;
	httpCode: string | null;
}

const UNREACHED = 'The bridge could not be reached';
const INCOMPLETE = "The bridge's response was incomplete";
const CHECK_REACH = 'Check the Base URL in the credential, and whether this n8n can reach it.';

function unreached(words: string, code: string): Seen {
	return { message: UNREACHED, description: `${words} Code: ${code}.`, httpCode: null };
}

function untrusted(code: string): Seen {
	return unreached(
		'The certificate found there is not valid, or this n8n does not trust it. The API key was not sent. Check the Base URL in the credential; if it is right, ask your bridge.',
		code,
	);
}

const IF_ALL = 'Try again. If it happens with all requests, check the Base URL in the credential';

function incomplete(was: string): Seen {
	return {
		message: INCOMPLETE,
		description: `The response ${was} (HTTP 200). ${IF_ALL}.`,
		httpCode: '200',
	};
}

/** What is seen of the status, the configuration and the quote: only the configuration judges the address. */
type Three = [status: Seen, config: Seen, quote: Seen];

function judgedByConfig(ofConfig: Seen, ofOthers: Seen): Three {
	return [ofOthers, ofConfig, ofOthers];
}

function redirected(status: string): Three {
	const what = `The response was a redirect (HTTP ${status}). It was not followed, so your key was not sent anywhere else.`;
	return judgedByConfig(
		{
			message: 'The Base URL redirects to another address. Correct it in the credential.',
			description: `${what} Enter the final address as the Base URL.`,
			httpCode: status,
		},
		{
			message: 'The bridge redirected the request to another address',
			description: `${what} ${IF_ALL}.`,
			httpCode: status,
		},
	);
}

function notTheService(was: string): Three {
	const came = `The response ${was} (HTTP 200).`;
	return judgedByConfig(
		{
			message: 'The Base URL does not lead to the bridge. Correct it in the credential.',
			description: `${came} Check the Base URL in the credential: it is the API address, up to but not including /api/sdk/v2.`,
			httpCode: '200',
		},
		{
			message: "The bridge's response could not be read",
			description: `${came} ${IF_ALL}.`,
			httpCode: '200',
		},
	);
}

const TOO_LARGE: Seen = {
	message: "The bridge's response could not be read",
	description: `The response was too large, or its JSON had too many levels or values (HTTP 200). ${IF_ALL}, or ask your bridge.`,
	httpCode: '200',
};

const TIMED_OUT: Seen = {
	message: 'The bridge did not respond in time',
	description: 'No complete response came within 30 seconds. Try again in a moment.',
	httpCode: null,
};

/** Runs each operation; `until` is called when the server has begun to answer. What n8n stores never contains the key. */
async function whatIsSeen(
	behave: Behavior,
	{ scheme = 'http', ...options }: Way,
	onRun: () => void = () => undefined,
): Promise<{ seen: Array<Seen | null>; server: RawServer }> {
	const server = await startRawServer(behave, options);
	const seen: Array<Seen | null> = [];
	for (const name of OPERATION_NAMES) {
		onRun();
		const { error, outputs, run } = await runAction(
			credentialsFor(`${scheme}://localhost:${server.port}`),
			OPERATIONS[name],
		);
		expect(JSON.stringify(run)).not.toContain(KEY);
		expect(outputs.flat()).toHaveLength(error === undefined ? 1 : 0);
		const { message, description, httpCode = null } = (error ?? {}) as unknown as Seen;
		seen.push(error === undefined ? null : { message, description, httpCode });
	}
	await server.allClosed();
	return { seen, server };
}

const NO_TLS = unreached(CHECK_REACH, 'EPROTO');
const SELF_SIGNED = untrusted('DEPTH_ZERO_SELF_SIGNED_CERT');
const NO_ISSUER = untrusted('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
const page = (type: string) => faults.wrongType(type, '<!doctype html><title>Hello</title>');
const HTTPS = { scheme: 'https' as const };
const own = (cert: string): Way => ({ ...HTTPS, tls: { key: certificates.KEY, cert } });

test.each<[string, Behavior, Seen | Three, Way?]>([
	['reset before the headers', faults.resetBeforeHeaders, unreached(CHECK_REACH, 'ECONNRESET')],
	['closed before the headers', faults.closedBeforeHeaders, unreached(CHECK_REACH, 'ECONNRESET')],
	['reset in the headers', faults.resetInHeaders, unreached(CHECK_REACH, 'ECONNRESET')],
	['closed in the headers', faults.closedInHeaders, unreached(CHECK_REACH, 'ECONNRESET')],
	['reset after the headers', faults.resetAfterHeaders, incomplete('ended before it was complete')],
	['reset in the body', faults.resetInBody, incomplete('ended before it was complete')],
	['half a body', faults.closedInBody, incomplete('ended before it was complete')],
	['half a chunk', faults.closedInChunk, incomplete('ended before it was complete')],
	['half a body without a length', faults.http10Half, incomplete('was incomplete JSON')],
	['half of a packed body', faults.halfGzip, incomplete('was incomplete JSON')],
	[
		'a body that is not packed as it says',
		faults.brokenGzip,
		incomplete('ended before it was complete'),
	],
	['300 KB of headers', faults.hugeHeaders, unreached(CHECK_REACH, 'HPE_HEADER_OVERFLOW')],
	['something other than HTTP', faults.notHttp, unreached(CHECK_REACH, 'HPE_INVALID_CONSTANT')],
	['a web page', page('text/html'), notTheService('was a web page')],
	['a web page that calls itself JSON', page('application/json'), notTheService('was a web page')],
	['plain text', faults.wrongType('text/plain', 'It works!'), notTheService('was plain text')],
	...[301, 302, 303, 307, 308].map((status): [string, Behavior, Three] => [
		`a redirect to another host (${status})`,
		(socket, request) =>
			faults.redirect(`${status} Moved`, `http://127.0.0.1:${other.port}/`)(socket, request),
		redirected(String(status)),
	]),
	['an endless body', faults.endlessBody, TOO_LARGE],
	['a bomb of brotli', faults.bomb(50, 'br'), TOO_LARGE],
	['a bomb of deflate', faults.bomb(50, 'deflate'), TOO_LARGE],
	['http on an https address', faults.badRequest, NO_TLS, { ...HTTPS, atOnce: true }],
	['a certificate signed by itself', faults.sound, SELF_SIGNED, own(certificates.SELF_SIGNED)],
	['a certificate of an unknown authority', faults.sound, NO_ISSUER, own(certificates.GOOD)],
])('%s', async (_name, behave, expected, way = {}) => {
	const { seen, server } = await whatIsSeen(behave, way);
	expect(seen).toEqual(Array.isArray(expected) ? expected : [expected, expected, expected]);
	// If no secure connection came about, not even the right host has the key.
	expect(server.received().includes(KEY)).toBe(way.scheme !== 'https');
});

describe('with an authority that this n8n trusts', () => {
	beforeEach(certificates.trustAuthority);

	test('a sound certificate is taken', async () => {
		const { seen, server } = await whatIsSeen(faults.sound, own(certificates.GOOD));
		expect(seen).toEqual([null, null, null]);
		expect(server.received()).toContain(KEY);
	});

	test.each<[string, string, Seen]>([
		['of another host', certificates.OTHER_NAME, untrusted('ERR_TLS_CERT_ALTNAME_INVALID')],
		['that has expired', certificates.EXPIRED, untrusted('CERT_HAS_EXPIRED')],
	])('a certificate %s', async (_name, cert, expected) => {
		const { seen, server } = await whatIsSeen(faults.sound, own(cert));
		expect(seen).toEqual([expected, expected, expected]);
		expect(server.received()).not.toContain(KEY);
	});
});

test.each<[string, Behavior]>([
	['HTTP/1.0 without a length', faults.http10],
	['a packed body', faults.gzipped],
	['sound JSON of another content type', faults.wrongType('text/html', faults.SOUND_BODY)],
])('%s is an answer', async (_name, behave) => {
	const { seen } = await whatIsSeen(behave, {});
	expect(seen).toEqual([null, null, null]);
});

test.each<[string, (onByte: (count: number) => void) => Behavior]>([
	['that never answers', (onByte) => () => onByte(100)],
	['whose headers come byte by byte', faults.drippingHeaders],
	['whose body comes byte by byte', faults.drippingBody],
])(
	'a service %s: reported after the time for one answer, and the connection is closed',
	async (_name, behaveWith) => {
		const time = deadlines();
		const passAt100 = (count: number): void => {
			if (count === 100) time.pass();
		};
		const { seen } = await whatIsSeen(behaveWith(passAt100), {});
		expect(seen).toEqual([TIMED_OUT, TIMED_OUT, TIMED_OUT]);
		// For the credential, then for the response.
		expect(time.asked).toEqual([1, 2, 3].flatMap(() => [20_000, 30_000]));
	},
);

test('an execution that is stopped while a body drips closes the connection', async () => {
	let stop: () => void = () => undefined;
	const server = await startRawServer(
		faults.drippingBody((count) => void (count === 100 && stop())),
	);
	const { outputs } = await runAction(
		credentialsFor(`http://localhost:${server.port}`),
		OPERATIONS.getStatus,
		{
			onStarted: (cancel) => void (stop = cancel),
		},
	);
	expect(outputs.flat()).toEqual([]);
	await server.allClosed();
});

test('an execution that is stopped while its request is under way harms no other one', async () => {
	let stop: () => void = () => undefined;
	const server = await startRawServer((socket, request) => {
		stop();
		faults.sound(socket, request);
	});
	const credentials = credentialsFor(`http://localhost:${server.port}`);
	const [stopped, waiting] = await Promise.all([
		runAction(credentials, OPERATIONS.getStatus, { onStarted: (cancel) => void (stop = cancel) }),
		runAction(credentials, OPERATIONS.getStatus),
	]);
	expect(stopped.outputs.flat()).toEqual([]);
	expect(waiting.outputs.flat()).toHaveLength(1);
});

test('1 GB packed into 1 MB is rejected at its bound, without taking it into memory', async () => {
	const before = process.resourceUsage().maxRSS;
	const { seen } = await whatIsSeen(faults.bomb(1_000, 'gzip'), {});
	expect(seen).toEqual([TOO_LARGE, TOO_LARGE, TOO_LARGE]);
	// In KB; anyone who unpacks it needs a thousand times as much.
	expect(process.resourceUsage().maxRSS - before).toBeLessThan(300_000);
});
