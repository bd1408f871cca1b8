import {
	type Asked,
	describeError,
	type ServiceError,
	type UnreadableBody,
} from '../../../nodes/CrossChainBridge/service/errors';
import { rejected } from './rejected';

/** What people read about an error. */

const text = (error: ServiceError, asked: Asked = 'config', labels = {}) =>
	describeError(error, asked, labels);

const REACH = 'Check the Base URL in the credential, and whether this n8n can reach it.';
const NOT_TRUSTED =
	'The certificate found there is not valid, or this n8n does not trust it. The API key was not sent. Check the Base URL in the credential; if it is right, ask your bridge.';

test.each<[advice: string, codes: string]>([
	[NOT_TRUSTED, 'CERT_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID DEPTH_ZERO_SELF_SIGNED_CERT'],
	[NOT_TRUSTED, 'SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
	[REACH, 'EPROTO ERR_SSL_WRONG_VERSION_NUMBER CRL_CERT_HAS_EXPIRED ERR_UNABLE_TO_'],
	[REACH, 'EPROTONOSUPPORT HPE_INVALID_CONSTANT ECONNREFUSED ENOTFOUND ECONNRESET'],
])('%s: so it says if a connection fails with %s', (advice, codes) => {
	for (const networkCode of codes.split(' '))
		expect(text({ kind: 'unreachable', networkCode })).toMatchObject({
			message: 'The bridge could not be reached',
			description: `${advice} Code: ${networkCode}.`,
		});
	expect(text({ kind: 'unreachable', networkCode: null }).description).toBe(REACH);
});

test.each<[ServiceError, string, string]>([
	[
		{ kind: 'timedOut', afterMs: 30_400 },
		'The bridge did not respond in time',
		'No complete response came within 30 seconds. Try again in a moment.',
	],
	[
		{ kind: 'credentialNotRead' },
		'n8n did not provide the credential in time',
		'Try again in a moment.',
	],
	[
		{ kind: 'credentialEdited' },
		'The credential was changed while this request was waiting',
		'The request was not sent. Run the node again.',
	],
	[
		{ kind: 'invalidCredential', problem: { kind: 'noKey' } },
		'The credential has no API key',
		'Open the credential and enter the API key that you got from your bridge.',
	],
	[
		{ kind: 'invalidCredential', problem: { kind: 'limitNotReadable', given: 'many' } },
		"'Requests per Minute' in the credential is not a number of 1 or more",
		"It is 'many'. Enter digits only, for example 100.",
	],
])('%j: %s', (error, message, description) => {
	expect(text(error)).toMatchObject({ message, description });
});

const WRONG_ADDRESS = 'The Base URL does not lead to the bridge. Correct it in the credential.';
const CHECK_BASE_URL =
	'Check the Base URL in the credential: it is the API address, up to but not including /api/sdk/v2.';
const IF_ALL = 'Try again. If it happens with all requests, check the Base URL in the credential';
const NOT_READ = "The bridge's response could not be read";
const DOWN = 'The bridge is temporarily unavailable';

const FOREIGN = [WRONG_ADDRESS, CHECK_BASE_URL] as const;
const HALF = ["The bridge's response was incomplete", `${IF_ALL}.`] as const;
const USELESS = [NOT_READ, `${IF_ALL}, or ask your bridge.`] as const;

test.each<[UnreadableBody, string, readonly [message: string, advice: string]]>([
	['html', 'was a web page', FOREIGN],
	['text', 'was plain text', FOREIGN],
	['noEnvelope', 'was JSON without the fields "success" and "data"', FOREIGN],
	['brokenJson', 'was incomplete JSON', HALF],
	['brokenOff', 'ended before it was complete', HALF],
	['empty', 'was empty', HALF],
	['noNetworks', 'had no list of networks', USELESS],
	['noData', 'was JSON with nothing usable in the field "data"', USELESS],
	['tooLarge', 'was too large, or its JSON had too many levels or values', USELESS],
])('a configuration that %s says what came and what to do', (found, was, [message, advice]) => {
	const described = (status: number, asked: Asked) =>
		text({ kind: 'unreadable', status, found }, asked);
	expect(described(200, 'config')).toMatchObject({
		message,
		description: `The response ${was} (HTTP 200). ${advice}`,
		httpCode: '200',
	});
	expect(described(500, 'config')).toMatchObject({
		message: DOWN,
		description: `The response ${was} (HTTP 500). Try again in a moment.`,
	});
	// Only the configuration judges the address.
	for (const asked of ['quote', 'status'] as const)
		expect(described(200, asked)).toMatchObject(
			message === WRONG_ADDRESS
				? { message: NOT_READ, description: `The response ${was} (HTTP 200). ${IF_ALL}.` }
				: { message, description: `The response ${was} (HTTP 200). ${advice}` },
		);
});

test('a redirect of one order does not say that the address is wrong', () => {
	const redirected: ServiceError = { kind: 'redirected', status: 307 };
	const notFollowed =
		'The response was a redirect (HTTP 307). It was not followed, so your key was not sent anywhere else.';
	expect(text(redirected)).toMatchObject({
		message: 'The Base URL redirects to another address. Correct it in the credential.',
		description: `${notFollowed} Enter the final address as the Base URL.`,
	});
	expect(text(redirected, 'status')).toMatchObject({
		message: 'The bridge redirected the request to another address',
		description: `${notFollowed} ${IF_ALL}.`,
	});
});

const NOT_ACCEPTED = 'The bridge did not accept the request';
const CHECK_VALUES = 'Check the values in this node against the response of the bridge.';
const UNDER_WAY = 'Try again in a moment. The order may be under way: do not send it again.';
/** A message of Watching Interrupted, and n8n when it publishes, show nothing but the first of these. */
const BAD_CONFIG = [
	`${NOT_ACCEPTED}. Check the API key and the Base URL in the credential.`,
	'If both are right, ask your bridge.',
];
const BAD_KEY = [
	'The bridge does not accept the API key. Correct it in the credential.',
	'Open the credential and enter a valid API key.',
];
const NO_ORDER = [
	'Order not found',
	'Check the hash. A new order can take a moment to appear after its transaction is sent. Try again shortly.',
];
const ONE_ORDER = [
	NOT_ACCEPTED,
	'Check the API key in the credential. If it is right, it may not be allowed to see this order.',
];
const LIMIT = (when: string) => [
	"The bridge's request limit was reached",
	`Try again in ${when}. If this happens often, lower Requests per Minute in the credential, or ask your bridge for a higher limit.`,
];
const LIQUIDITY = 'INSUFFICIENT_LIQUIDITY';
const PARAMETER = 'INVALID_PARAMETER';

test.each<[Asked, ServiceError, string[]]>([
	['quote', rejected(401), BAD_KEY],
	['config', rejected(403, 'FORBIDDEN'), BAD_KEY],
	['status', rejected(403, 'FORBIDDEN'), ONE_ORDER],
	['status', rejected(403, null, 'Missing Authentication Token'), [NOT_READ, `${IF_ALL}.`]],
	['config', rejected(403, null, 'Missing Authentication Token'), [WRONG_ADDRESS, CHECK_BASE_URL]],
	['config', rejected(403, null, 'Rate limit exceeded'), LIMIT('a minute')],
	['status', rejected(400, null, 'Too many requests'), LIMIT('a minute')],
	['status', rejected(400, 'BRIDGE_PAUSED'), [NOT_ACCEPTED, UNDER_WAY]],
	['status', rejected(422), ['The bridge does not accept the hash', 'Check the hash.']],
	['quote', rejected(429), LIMIT('a minute')],
	['quote', rejected(429, null, null, 4001), LIMIT('5 seconds')],
	['quote', rejected(500), [DOWN, 'Try again in a moment.']],
	['quote', rejected(500, null, null, 4000), [DOWN, 'Try again in 4 seconds.']],
	[
		'quote',
		rejected(400, LIQUIDITY),
		[
			'There is not enough liquidity for this route',
			'Try a smaller amount, another token or another network.',
		],
	],
	[
		'status',
		rejected(400, LIQUIDITY),
		[
			'The bridge does not have enough liquidity for this order at the moment',
			'The order may wait or be refunded. Do not send it again.',
		],
	],
	['config', rejected(400, LIQUIDITY), BAD_CONFIG],
	['config', rejected(402, 'PAYMENT_REQUIRED', 'Your plan has expired'), BAD_CONFIG],
	['status', rejected(404), NO_ORDER],
	['status', rejected(409, null, 'not indexed yet'), NO_ORDER],
	[
		'quote',
		rejected(404),
		['The network or token is not supported', 'Check the networks and tokens that were entered.'],
	],
	['config', rejected(404), [WRONG_ADDRESS, CHECK_BASE_URL]],
	['config', rejected(400, PARAMETER), [NOT_ACCEPTED, 'Ask your bridge.']],
	['status', rejected(400, PARAMETER), ['The bridge does not accept the hash', 'Check the hash.']],
	['quote', rejected(400, PARAMETER), ['A value was not accepted', CHECK_VALUES]],
	['status', rejected(418), [NOT_ACCEPTED, UNDER_WAY]],
	['quote', rejected(418), [NOT_ACCEPTED, CHECK_VALUES]],
	['config', rejected(418), BAD_CONFIG],
])('asked for a %s, %j says what to do', (asked, error, [message, advice]) => {
	const described = text(error, asked);
	expect([described.message, described.ownMessage]).toEqual([message, message]);
	expect(described.description.startsWith(`${advice} The bridge responded with `)).toBe(true);
});

const REFUSED = (status: number) =>
	`The bridge or a firewall refused the request from this n8n (HTTP ${status})`;
const CHECK_BOTH = 'Check the API key and the Base URL in the credential.';
const ASK =
	'If both are right, ask your bridge whether a firewall in front of it blocks the address of this n8n.';

/** A firewall's response says nothing of the key; its words help anyone who is asked. */
test.each<[Asked, number, string, string]>([
	['config', 403, `${REFUSED(403)}. ${CHECK_BOTH}`, ASK],
	['config', 407, `${REFUSED(407)}. ${CHECK_BOTH}`, ASK],
	['quote', 403, REFUSED(403), `${CHECK_BOTH} ${ASK}`],
	[
		'status',
		403,
		REFUSED(403),
		'Check the API key in the credential. If it is right, it may not be allowed to see this order, or the bridge may block the address of this n8n.',
	],
])(
	'asked for a %s, a response with %d may come from a firewall',
	(asked, status, message, advice) => {
		for (const [words, said] of [
			[null, ''],
			['error code: 1020', ': "error code: 1020"'],
			['403 Forbidden', ''],
		] as const) {
			const described = text(rejected(status, null, words), asked);
			expect(described).toMatchObject({
				ownMessage: message,
				description: `${advice} The response was HTTP ${status}${said}.`,
			});
		}
	},
);

/** They say no more than the HTTP status. */
test.each([
	'Bad Request',
	'Not Found',
	'Forbidden',
	'403 Forbidden',
	'HTTP 400: Bad Request',
	'Internal Server Error',
	'Unprocessable Entity',
	'Bad Request Exception',
	'Unauthorized',
	'Gateway Time-out',
	'gateway timeout',
	'Request Time-out',
	'408 Request Timeout',
	'Unauthorised',
	'Payload Too Large',
	'Content Too Large',
	'Unprocessable Content',
	'"Bad Request".',
	'HTTP/400 Bad Request',
	'Error',
])('"%s" is no message of the bridge', (words) => {
	for (const status of [400, 401, 403, 404, 418, 422, 500])
		for (const asked of ['config', 'quote', 'status'] as const) {
			const { message, ownMessage, description } = text(rejected(status, null, words), asked);
			expect(message).toBe(ownMessage);
			expect(description).not.toContain(words);
		}
});

/** A sentence of the bridge goes before a vague one of ours. */
test.each<[Asked, ServiceError, string]>([
	['status', rejected(401, null, 'Invalid API key'), 'Invalid API key'],
	['quote', rejected(400, PARAMETER, 'Networks must be different'), 'Networks must be different'],
	[
		'quote',
		rejected(400, PARAMETER, 'inputNetwork and outputNetwork must differ'),
		'From Network and To Network must differ',
	],
	['status', rejected(400, PARAMETER, 'The hash has no digits.'), 'The hash has no digits.'],
	['quote', rejected(404, null, 'Token XYZ has no route'), 'Token XYZ has no route'],
	['status', rejected(418, null, 'I am a\n teapot'), 'I am a teapot'],
])('asked for a %s, %j is a headline in the words of the bridge', (asked, error, words) => {
	const labels = { inputNetwork: 'From Network', outputNetwork: 'To Network' };
	const described = text(error, asked, labels);
	expect(described.message).toBe(`The bridge says: "${words}"`);
	// A message that is sent on is in our own words.
	expect(described.ownMessage).not.toContain(words);
	expect(described.description).toContain(`: "${words}".`);
});

test.each([
	'teapot',
	'Rehearsed INVALID_PARAMETER',
	'Rehearsed FORBIDDEN',
	'<b>no</b> hash',
	'see https://a.example/',
	'{"a": "b c"}',
	'x '.repeat(80),
	'4 is wrong',
	'The run was canceled',
	'The run was cancelled',
	'It preexists here',
])('but not in such as "%s"', (words) => {
	expect(text(rejected(418, null, words), 'status').message).toBe(NOT_ACCEPTED);
});

test('nor if ours says more', () => {
	const clear = 'The key is no good';
	for (const error of [
		rejected(400, PARAMETER, clear),
		rejected(401, null, clear),
		rejected(404, null, clear),
		rejected(429, null, clear),
	])
		expect(text(error, 'config').message).not.toContain(clear);
});

test.each<[code: string | null, words: string | null, said: string]>([
	[null, null, 'HTTP 418.'],
	['TEAPOT', null, 'TEAPOT (HTTP 418).'],
	[null, 'I am a\n teapot', 'HTTP 418: "I am a teapot".'],
	['TEAPOT', '\u200b', 'TEAPOT (HTTP 418).'],
	[null, 'x'.repeat(301), `HTTP 418: "${'x'.repeat(300)}…".`],
	[null, '<img src=x>\u0000&', 'HTTP 418: "＜img src=x＞ ＆".'],
])('what the service said is quoted: %j %j', (code, words, said) => {
	const { description } = text(rejected(418, code, words), 'status');
	expect(description).toBe(`${UNDER_WAY} The bridge responded with ${said}`);
});

const LABELS = { inputNetwork: 'From Network', outputNetwork: 'To Network', x: 'X' };

test.each<[words: string, field: string | null, quotation: string]>([
	['inputNetwork_inputNetwork', null, 'inputNetwork_inputNetwork'],
	[
		'{inputNetwork} and inputNetwork again',
		'From Network',
		'{From Network} and From Network again',
	],
	['[inputNetwork or outputNetwork]', null, '[From Network or To Network]'],
	['"inputNetwork": 9', 'From Network', '"From Network": 9'],
	['inputNetworks', null, 'inputNetworks'],
	['inputNetwork2', null, 'inputNetwork2'],
	['[x is bad]', null, '[x is bad]'],
	['one; inputNetwork must be a number', 'From Network', 'one; From Network must be a number'],
	['[the constructor of toString]', null, '[the constructor of toString]'],
])('the field of the editor is found in %j: %s', (words, field, quotation) => {
	const named = (otherwise: string) => (field === null ? otherwise : `'${field}'`);
	const described = text(rejected(400, PARAMETER, words), 'quote', LABELS);
	expect(described.message).toBe(`${named('A value')} was not accepted`);
	expect(described.description).toContain(`: "${quotation}".`);
	const { message } = text(rejected(404, null, words), 'quote', LABELS);
	expect(message).toBe(`${named('The network or token')} is not supported`);
});
