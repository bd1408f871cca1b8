import {
	type Asked,
	describeError,
	type ServiceError,
	type UnreadableBody,
} from '../../../nodes/CrossChainBridge/service/errors';
import { rejected } from './rejected';

const PASSES = { cause: 'temporarily-unavailable' };
const CONFIGURATION = { cause: 'configuration-invalid' };
const WRONG_KEY = { cause: 'credential-invalid' };

const NOT_FOLLOWED =
	'The response was a redirect (HTTP 307). It was not followed, so your key was not sent anywhere else. Enter the final address as Base URL.';

test.each<[ServiceError, object, string, string]>([
	[
		{ kind: 'invalidCredential', problem: 'noKey' },
		{ failure: CONFIGURATION },
		'The credential has no API key',
		'Open the credential and enter the API key of the bridge.',
	],
	[
		{ kind: 'moved' },
		{ failure: PASSES },
		'The credential was edited during this request',
		'It now points to a different account or address. Try again.',
	],
	[
		{ kind: 'timedOut', afterMs: 30_400 },
		{ failure: PASSES },
		'The bridge did not respond in time',
		'No complete response came within 30 seconds. Try again in a moment.',
	],
	[
		{ kind: 'redirected', status: 307 },
		{ failure: CONFIGURATION, httpCode: '307' },
		'The Base URL redirects to another address. Correct it in the credential.',
		NOT_FOLLOWED,
	],
])('%j is described whole', (error, more, message, description) => {
	expect(describeError(error, 'status')).toEqual({ message, description, ...more });
});

const REACH = 'Check the Base URL in the credential, and whether this n8n can reach it.';
const NOT_TRUSTED =
	'The certificate found there is not valid, or this n8n does not trust it. The API key was not sent. Check the Base URL in the credential; if it is right, ask the operator of the bridge.';

test.each<[advice: string, codes: string]>([
	[NOT_TRUSTED, 'CERT_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID DEPTH_ZERO_SELF_SIGNED_CERT'],
	[NOT_TRUSTED, 'SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
	[REACH, 'EPROTO ERR_SSL_WRONG_VERSION_NUMBER'],
	[REACH, 'CRL_CERT_HAS_EXPIRED MY_ERR_TLS_CERT_ALTNAME_INVALID ERR_UNABLE_TO_ XEPROTO'],
	[REACH, 'EPROTONOSUPPORT HPE_INVALID_CONSTANT ECONNREFUSED ENOTFOUND ECONNRESET'],
])('%s: so it says where a connection fails with %s', (advice, codes) => {
	for (const networkCode of codes.split(' '))
		expect(describeError({ kind: 'unreachable', networkCode }, 'status')).toEqual({
			message: 'The bridge could not be reached',
			description: `${advice} Code: ${networkCode}.`,
			failure: PASSES,
		});
});

test('a connection that fails without a code names none', () => {
	const { description } = describeError({ kind: 'unreachable', networkCode: null }, 'status');
	expect(description).toBe(REACH);
});

const DOWN = 'The bridge is temporarily unavailable';
const WRONG_ADDRESS = 'The Base URL does not lead to the bridge. Correct it in the credential.';
const CHECK_BASE_URL =
	'Check the Base URL in the credential: it is the API address, up to but not including /api/sdk/v2.';
const IF_PERSISTENT = 'Try again; if this persists, check the Base URL in the credential';
const FOREIGN = [WRONG_ADDRESS, 'The response was', CHECK_BASE_URL] as const;
const CAME = 'The bridge responded with';
const HALF = ["The bridge's response was incomplete", CAME, `${IF_PERSISTENT}.`] as const;
const USELESS = [
	"The bridge's response could not be read",
	CAME,
	`${IF_PERSISTENT}, or ask the operator of the bridge.`,
] as const;

test.each<[UnreadableBody, string, readonly [message: string, before: string, advice: string]]>([
	['html', 'a web page', FOREIGN],
	['text', 'plain text', FOREIGN],
	['noEnvelope', 'JSON without the fields "success" and "data"', FOREIGN],
	['brokenJson', 'incomplete JSON', HALF],
	['brokenOff', 'a part of its response', HALF],
	['empty', 'nothing', HALF],
	['noNetworks', 'data without a list of networks', USELESS],
	['noData', 'JSON without "data"', USELESS],
	['tooLarge', 'far too much, or with JSON that is nested too deeply', USELESS],
])('a body that is %s says what came and what to do', (found, came, [message, before, advice]) => {
	const described = (status: number) =>
		describeError({ kind: 'unreadable', status, found }, 'config');
	const description = `${before} ${came} (HTTP 200). ${advice}`;
	expect(described(200)).toMatchObject({ message, description, httpCode: '200' });
	expect(described(499).message).toBe(message);
	expect(described(500)).toEqual({
		message: DOWN,
		description: `${CAME} ${came} (HTTP 500). Try again in a moment.`,
		httpCode: '500',
		failure: PASSES,
	});
});

const CHECK = 'Check what was entered.';
const NOT_ACCEPTED = ['The bridge did not accept the request', CHECK];
const BAD_VALUE = ['A value was not accepted', CHECK];
const BAD_CONFIG = [
	'The bridge did not accept the request',
	'Check the API key and the Base URL in the credential; if both are right, ask the operator of the bridge.',
];
const ASK = ['The bridge did not accept the request', 'Ask the operator of the bridge.'];
const ONE_ORDER = [
	'The bridge did not accept the request',
	'Check the API key in the credential. If it is right, it may not see this order.',
];
const BAD_ADDRESS = [WRONG_ADDRESS, CHECK_BASE_URL];
const BAD_KEY = [
	'The bridge does not accept the API key. Correct it in the credential.',
	'Open the credential and enter a valid API key.',
];
const NO_LIQUIDITY = [
	'There is not enough liquidity for this route',
	'Try a smaller amount, another token or another network.',
];
const NO_ORDER = [
	'Order not found',
	'Check the hash. A new order can take a moment to appear after its transaction is sent. Try again shortly.',
];
const NO_TOKEN = [
	'The network or token is not supported',
	'Check the networks and tokens that were entered.',
];
const NO_NETWORK = [
	'Network 9 is not supported',
	'Leave the field empty to see all networks with their IDs.',
];
const LIMIT = (when: string) => [
	'Request limit reached',
	`More requests were sent with this API key than its limit allows. Try again in ${when}.`,
];
const LIQUIDITY = 'INSUFFICIENT_LIQUIDITY';
const PARAMETER = 'INVALID_PARAMETER';
type AskedFor = Parameters<typeof describeError>[2];
const NINE: AskedFor = { network: '9' };

test.each<[Asked, ServiceError, AskedFor, string[]]>([
	['quote', rejected(401), {}, BAD_KEY],
	['quote', rejected(429), {}, LIMIT('a minute')],
	['quote', rejected(429, null, null, 4001), {}, LIMIT('5 seconds')],
	['quote', rejected(500), {}, [DOWN, 'Try again in a moment.']],
	['quote', rejected(500, null, null, 4000), {}, [DOWN, 'Try again in 4 seconds.']],
	['quote', rejected(400, LIQUIDITY), {}, NO_LIQUIDITY],
	['status', rejected(400, LIQUIDITY), {}, NO_LIQUIDITY],
	['config', rejected(400, LIQUIDITY), {}, BAD_CONFIG],
	['config', rejected(404, LIQUIDITY), {}, BAD_ADDRESS],
	['config', rejected(404, LIQUIDITY), NINE, BAD_ADDRESS],
	['status', rejected(404), {}, NO_ORDER],
	['quote', rejected(404), {}, NO_TOKEN],
	['config', rejected(404), {}, BAD_ADDRESS],
	['config', rejected(404), NINE, NO_NETWORK],
	['config', rejected(200, 'NOT_FOUND'), {}, BAD_CONFIG],
	['status', rejected(400, PARAMETER), {}, ['The bridge does not accept the hash', CHECK]],
	['quote', rejected(400, PARAMETER), {}, BAD_VALUE],
	['config', rejected(400, PARAMETER), {}, ASK],
	['config', rejected(400), {}, ASK],
	['config', rejected(403), {}, BAD_KEY],
	['status', rejected(403), {}, ONE_ORDER],
	['config', rejected(400, PARAMETER), NINE, NO_NETWORK],
	['status', rejected(418), {}, NOT_ACCEPTED],
	['quote', rejected(418), NINE, NOT_ACCEPTED],
	['config', rejected(418), NINE, BAD_CONFIG],
])('asked for a %s, %j with %j says what to do', (asked, error, askedFor, [message, advice]) => {
	const text = describeError(error, asked, askedFor);
	expect(text.message).toBe(message);
	expect(text.description.startsWith(`${advice} ${CAME} `)).toBe(true);
});

test.each<[code: string | null, words: string | null, said: string]>([
	[null, null, 'HTTP 418.'],
	['TEAPOT', null, 'TEAPOT (HTTP 418).'],
	[null, 'I am a\n teapot', 'HTTP 418: "I am a teapot".'],
	['TEAPOT', '\u200b', 'TEAPOT (HTTP 418).'],
	[null, 'x '.repeat(150).trim(), `HTTP 418: "${'x '.repeat(150).trim()}".`],
	[null, 'x'.repeat(301), `HTTP 418: "${'x'.repeat(300)}…".`],
])('what the service said is quoted: %j %j', (code, words, said) => {
	const { description } = describeError(rejected(418, code, words), 'status');
	expect(description).toBe(`${CHECK} ${CAME} ${said}`);
});

const LABELS = { inputNetwork: 'From Network', outputNetwork: 'To Network', x: 'X' };

test.each<[words: string, field: string | null, quotation: string]>([
	['inputNetwork and inputNetwork again', 'From Network', 'From Network and From Network again'],
	['inputNetwork or outputNetwork', null, 'From Network or To Network'],
	['"inputNetwork": 9', 'From Network', '"From Network": 9'],
	['inputNetworks', null, 'inputNetworks'],
	['myinputNetwork', null, 'myinputNetwork'],
	['inputNetwork2', null, 'inputNetwork2'],
	['x is bad', null, 'x is bad'],
	['the constructor of toString', null, 'the constructor of toString'],
	[`${'.'.repeat(300)} inputNetwork`, null, `${'.'.repeat(300)}…`],
])('the field of the editor is found in %j: %s', (words, field, quotation) => {
	const described = (error: ServiceError) => describeError(error, 'quote', { labels: LABELS });
	const named = (otherwise: string) => (field === null ? otherwise : `'${field}'`);
	const text = described(rejected(400, PARAMETER, words));
	expect(text.message).toBe(`${named('A value')} was not accepted`);
	expect(text.description).toContain(`: "${quotation}".`);
	const { message } = described(rejected(404, null, words));
	expect(message).toBe(`${named('The network or token')} is not supported`);
});

test.each<[ServiceError, Asked, AskedFor, object | undefined]>([
	[rejected(401), 'config', {}, WRONG_KEY],
	[rejected(401), 'config', NINE, WRONG_KEY],
	[rejected(402), 'config', {}, CONFIGURATION],
	[rejected(402), 'config', NINE, CONFIGURATION],
	[rejected(404), 'config', {}, CONFIGURATION],
	[rejected(404), 'config', NINE, undefined],
	[rejected(400, PARAMETER), 'config', NINE, undefined],
	[rejected(400, PARAMETER), 'config', {}, undefined],
	[rejected(404), 'status', {}, undefined],
	[rejected(429), 'status', {}, { cause: 'rate-limited' }],
	[rejected(429, null, null, 0), 'status', {}, { cause: 'rate-limited', retryAfterMs: 0 }],
	[rejected(503, null, null, 7000), 'status', {}, { ...PASSES, retryAfterMs: 7000 }],
	[rejected(503), 'status', {}, PASSES],
])('of %j for a %s with %j n8n hears %j', (error, asked, askedFor, failure) => {
	expect(describeError(error, asked, askedFor).failure).toEqual(failure);
});

test.each<[ServiceError, Array<string | undefined>]>([
	[rejected(418), ['418', undefined]],
	[rejected(500), ['500', 'INTERNAL_ERROR']],
	[{ kind: 'timedOut', afterMs: 1 }, [undefined, undefined]],
])('status and code of %j are %j', (error, expected) => {
	const { httpCode, code } = describeError(error, 'status');
	expect([httpCode, code]).toEqual(expected);
});
