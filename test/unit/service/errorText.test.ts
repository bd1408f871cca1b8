import { type AskedFor, describeError } from '../../../nodes/CrossChainBridge/service/errorText';
import type {
	Asked,
	ServiceError,
	UnreadableBody,
} from '../../../nodes/CrossChainBridge/service/serviceError';

const rejected = (
	status: number,
	code: string | null = null,
	words: string | null = null,
	retryAfterMs: number | null = null,
): ServiceError => ({
	kind: 'rejected',
	status,
	code,
	words,
	retryAfterMs,
});
const unreadable = (status: number, found: UnreadableBody): ServiceError => ({
	kind: 'unreadable',
	status,
	found,
});

const PASSES = { cause: 'temporarily-unavailable' };
const CONFIGURATION = { cause: 'configuration-invalid' };

test.each<[ServiceError, object]>([
	[
		{ kind: 'invalidCredential', problem: 'noKey' },
		{
			message: 'The credential has no API key',
			description: 'Open the credential and enter the API key of the bridge.',
			failure: CONFIGURATION,
		},
	],
	[
		{ kind: 'moved' },
		{
			message: 'The credential was edited during this request',
			description: 'It now points to a different account or address. Try again.',
			failure: PASSES,
		},
	],
	[
		{ kind: 'timedOut', afterMs: 30_400 },
		{
			message: 'The bridge did not respond in time',
			description: 'No complete response came within 30 seconds. Try again in a moment.',
			failure: PASSES,
		},
	],
	[
		{ kind: 'redirected', status: 307 },
		{
			message: 'The Base URL redirects to another address. Correct it in the credential.',
			description:
				'The response was a redirect (HTTP 307). It was not followed, so your key was not sent anywhere else. Enter the final address as Base URL.',
			httpCode: '307',
			failure: CONFIGURATION,
		},
	],
])('%j is described whole', (error, text) => {
	expect(describeError(error, 'status')).toEqual(text);
});

const CHECK_REACH = 'Check the Base URL in the credential, and whether this n8n can reach it.';
const NOT_TRUSTED =
	'The certificate found there is not valid, or this n8n does not trust it. The API key was not sent. Check the Base URL in the credential; if it is right, ask the operator of the bridge.';
const NOT_SECURE = `No secure connection could be made: the server there may not support https. ${CHECK_REACH}`;

test.each<[string, string]>([
	['CERT_HAS_EXPIRED', NOT_TRUSTED],
	['CRL_CERT_HAS_EXPIRED', CHECK_REACH],
	['ERR_TLS_CERT_ALTNAME_INVALID', NOT_TRUSTED],
	['MY_ERR_TLS_CERT_ALTNAME_INVALID', CHECK_REACH],
	['DEPTH_ZERO_SELF_SIGNED_CERT', NOT_TRUSTED],
	['SELF_SIGNED_CERT_IN_CHAIN', NOT_TRUSTED],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', NOT_TRUSTED],
	['ERR_UNABLE_TO_', CHECK_REACH],
	['EPROTO', NOT_SECURE],
	['EPROTONOSUPPORT', CHECK_REACH],
	['XEPROTO', CHECK_REACH],
	['ERR_SSL_WRONG_VERSION_NUMBER', NOT_SECURE],
	['HPE_INVALID_CONSTANT', CHECK_REACH],
	['ECONNREFUSED', CHECK_REACH],
	['ENOTFOUND', CHECK_REACH],
	['ECONNRESET', CHECK_REACH],
])(
	'a connection that fails with %s says what that means, and what to check',
	(networkCode, words) => {
		expect(describeError({ kind: 'unreachable', networkCode }, 'status')).toEqual({
			message: 'The bridge could not be reached',
			description: `${words} Code: ${networkCode}.`,
			failure: PASSES,
		});
	},
);

test('a connection that fails without a code names none', () => {
	expect(describeError({ kind: 'unreachable', networkCode: null }, 'status').description).toBe(
		CHECK_REACH,
	);
});

const INCOMPLETE = "The bridge's response was incomplete";
const ILLEGIBLE = "The bridge's response could not be read";
const WRONG_ADDRESS = 'The Base URL does not lead to the bridge. Correct it in the credential.';
const CHECK_BASE_URL =
	'Check the Base URL in the credential: it is the API address, up to but not including /api/sdk/v2.';

const IF_PERSISTENT = 'Try again; if this persists, check the Base URL in the credential.';
const OR_ASK =
	'Try again; if this persists, check the Base URL in the credential, or ask the operator of the bridge.';

test.each<[UnreadableBody, string, string, string]>([
	[
		'html',
		'a web page',
		WRONG_ADDRESS,
		`The response was a web page (HTTP 200). ${CHECK_BASE_URL}`,
	],
	[
		'text',
		'plain text',
		WRONG_ADDRESS,
		`The response was plain text (HTTP 200). ${CHECK_BASE_URL}`,
	],
	[
		'noEnvelope',
		'JSON without the fields "success" and "data"',
		WRONG_ADDRESS,
		`The response was JSON without the fields "success" and "data" (HTTP 200). ${CHECK_BASE_URL}`,
	],
	['brokenJson', 'incomplete JSON', INCOMPLETE, IF_PERSISTENT],
	['brokenOff', 'a part of its response', INCOMPLETE, IF_PERSISTENT],
	['empty', 'nothing', INCOMPLETE, IF_PERSISTENT],
	['noNetworks', 'data without a list of networks', ILLEGIBLE, OR_ASK],
	['noData', 'JSON without "data"', ILLEGIBLE, OR_ASK],
	['tooLarge', 'far too much, or with JSON that is nested too deeply', ILLEGIBLE, OR_ASK],
])('a body that is %s says what came and what to do', (found, came, message, advice) => {
	const description =
		message === WRONG_ADDRESS ? advice : `The bridge responded with ${came} (HTTP 200). ${advice}`;
	expect(describeError(unreadable(200, found), 'config')).toMatchObject({
		message,
		description,
		httpCode: '200',
	});
	expect(describeError(unreadable(499, found), 'config').message).toBe(message);
	expect(describeError(unreadable(500, found), 'config')).toEqual({
		message: 'The bridge is temporarily unavailable',
		description: `The bridge responded with ${came} (HTTP 500). Try again in a moment.`,
		httpCode: '500',
		failure: PASSES,
	});
});

const ASK_OPERATOR =
	'Check the API key and the Base URL in the credential; if both are right, ask the operator of the bridge.';
const UNSUPPORTED_NETWORK = 'Leave the field empty to see all networks with their IDs.';
const NOT_ACCEPTED = 'The bridge did not accept the request';

test.each<[Asked, ServiceError, AskedFor, string, string]>([
	[
		'quote',
		rejected(401),
		{},
		'The bridge does not accept the API key. Correct it in the credential.',
		'Open the credential and enter a valid API key.',
	],
	[
		'quote',
		rejected(429),
		{},
		'Request limit reached',
		'More requests were sent with this API key than its limit allows. Try again in a minute.',
	],
	[
		'quote',
		rejected(429, null, null, 4001),
		{},
		'Request limit reached',
		'More requests were sent with this API key than its limit allows. Try again in 5 seconds.',
	],
	['quote', rejected(500), {}, 'The bridge is temporarily unavailable', 'Try again in a moment.'],
	[
		'quote',
		rejected(500, null, null, 4000),
		{},
		'The bridge is temporarily unavailable',
		'Try again in 4 seconds.',
	],
	[
		'quote',
		rejected(400, 'INSUFFICIENT_LIQUIDITY'),
		{},
		'There is not enough liquidity for this route',
		'Try a smaller amount, another token or another network.',
	],
	[
		'status',
		rejected(400, 'INSUFFICIENT_LIQUIDITY'),
		{},
		'There is not enough liquidity for this route',
		'Try a smaller amount, another token or another network.',
	],
	['config', rejected(400, 'INSUFFICIENT_LIQUIDITY'), {}, NOT_ACCEPTED, ASK_OPERATOR],
	['config', rejected(404, 'INSUFFICIENT_LIQUIDITY'), {}, WRONG_ADDRESS, CHECK_BASE_URL],
	[
		'status',
		rejected(404),
		{},
		'Order not found',
		'Check the hash. A new order can take a moment to appear after its transaction is sent. Try again shortly.',
	],
	[
		'quote',
		rejected(404),
		{},
		'The network or token is not supported',
		'Check the networks and tokens that were entered.',
	],
	['config', rejected(404), {}, WRONG_ADDRESS, CHECK_BASE_URL],
	['config', rejected(200, 'NOT_FOUND'), {}, NOT_ACCEPTED, ASK_OPERATOR],
	['config', rejected(404), { network: '9' }, 'Network 9 is not supported', UNSUPPORTED_NETWORK],
	[
		'config',
		rejected(404, 'INSUFFICIENT_LIQUIDITY'),
		{ network: '9' },
		WRONG_ADDRESS,
		CHECK_BASE_URL,
	],
	[
		'status',
		rejected(400, 'INVALID_PARAMETER'),
		{},
		'A value was not accepted',
		'Check what was entered.',
	],
	['config', rejected(400, 'INVALID_PARAMETER'), {}, NOT_ACCEPTED, ASK_OPERATOR],
	[
		'config',
		rejected(400, 'INVALID_PARAMETER'),
		{ network: '9' },
		'Network 9 is not supported',
		UNSUPPORTED_NETWORK,
	],
	['status', rejected(418), {}, NOT_ACCEPTED, 'Check what was entered.'],
	['quote', rejected(418), { network: '9' }, NOT_ACCEPTED, 'Check what was entered.'],
	['config', rejected(418), { network: '9' }, NOT_ACCEPTED, ASK_OPERATOR],
])(
	'asked for a %s, %j with %j says what happened and what to do',
	(asked, error, askedFor, message, advice) => {
		const { description, ...text } = describeError(error, asked, askedFor);
		expect(text.message).toBe(message);
		expect(description.startsWith(`${advice} The bridge responded with `)).toBe(true);
	},
);

test.each<[ServiceError, string]>([
	[rejected(418), 'The bridge responded with HTTP 418.'],
	[rejected(418, 'TEAPOT'), 'The bridge responded with TEAPOT (HTTP 418).'],
	[rejected(418, null, 'I am a\n teapot'), 'The bridge responded with HTTP 418: "I am a teapot".'],
	[rejected(418, 'TEAPOT', '\u200b'), 'The bridge responded with TEAPOT (HTTP 418).'],
	[
		rejected(418, null, 'x '.repeat(150).trim()),
		`The bridge responded with HTTP 418: "${'x '.repeat(150).trim()}".`,
	],
	[
		rejected(418, null, 'x'.repeat(301)),
		`The bridge responded with HTTP 418: "${'x'.repeat(300)}…".`,
	],
])('what the service said is quoted: %j', (error, quotation) => {
	expect(describeError(error, 'status').description).toBe(`Check what was entered. ${quotation}`);
});

const LABELS = { inputNetwork: 'From Network', outputNetwork: 'To Network', x: 'X' };

test.each<[string, string, string]>([
	['inputNetwork and inputNetwork again', 'From Network', 'From Network and From Network again'],
	['inputNetwork or outputNetwork', 'A value', 'From Network or To Network'],
	['"inputNetwork": 9', 'From Network', '"From Network": 9'],
	['inputNetworks', 'A value', 'inputNetworks'],
	['myinputNetwork', 'A value', 'myinputNetwork'],
	['inputNetwork2', 'A value', 'inputNetwork2'],
	['x is bad', 'A value', 'x is bad'],
	['the constructor of toString', 'A value', 'the constructor of toString'],
	[`${'.'.repeat(300)} inputNetwork`, 'A value', `${'.'.repeat(300)}…`],
])('the field of the editor is found in %j: %s', (words, field, quotation) => {
	const text = describeError(rejected(400, 'INVALID_PARAMETER', words), 'quote', {
		labels: LABELS,
	});
	const named = field === 'A value' ? field : `'${field}'`;
	expect(text.message).toBe(`${named} was not accepted`);
	expect(text.description).toContain(`: "${quotation}".`);
	expect(describeError(rejected(404, null, words), 'quote', { labels: LABELS }).message).toBe(
		`${field === 'A value' ? 'The network or token' : named} is not supported`,
	);
});

test.each<[ServiceError, Asked, AskedFor, object | undefined]>([
	[rejected(401), 'config', {}, { cause: 'credential-invalid' }],
	[rejected(402), 'config', {}, CONFIGURATION],
	[rejected(402), 'config', { network: '9' }, CONFIGURATION],
	[rejected(404), 'config', {}, CONFIGURATION],
	[rejected(401), 'config', { network: '9' }, { cause: 'credential-invalid' }],
	[rejected(404), 'config', { network: '9' }, undefined],
	[rejected(400, 'INVALID_PARAMETER'), 'config', { network: '9' }, undefined],
	[rejected(400, 'INVALID_PARAMETER'), 'config', {}, CONFIGURATION],
	[rejected(404), 'status', {}, undefined],
	[rejected(429), 'status', {}, { cause: 'rate-limited' }],
	[rejected(429, null, null, 0), 'status', {}, { cause: 'rate-limited', retryAfterMs: 0 }],
	[
		rejected(503, null, null, 7000),
		'status',
		{},
		{ cause: 'temporarily-unavailable', retryAfterMs: 7000 },
	],
	[rejected(503), 'status', {}, PASSES],
])('of %j for a %s with %j n8n hears %j', (error, asked, askedFor, failure) => {
	expect(describeError(error, asked, askedFor).failure).toEqual(failure);
});

test('status and code are there only where an answer came, and where there is a code', () => {
	const seen = (error: ServiceError) => {
		const { httpCode, code } = describeError(error, 'status');
		return [httpCode, code];
	};
	expect(seen(rejected(418))).toEqual(['418', undefined]);
	expect(seen(rejected(500))).toEqual(['500', 'INTERNAL_ERROR']);
	expect(seen({ kind: 'timedOut', afterMs: 1 })).toEqual([undefined, undefined]);
});
