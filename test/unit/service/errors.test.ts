import { type INode, NodeApiError } from 'n8n-workflow';

import {
	type Asked,
	describeError,
	isAccountSuspect,
	isNotFound,
	isOrderError,
	isRateLimited,
	needsTheUser,
	plainDescription,
	scopeOf,
	type Scope,
	type ServiceError,
	toNodeError,
	type UnreadableBody,
} from '../../../nodes/CrossChainBridge/service/errors';

const NODE: INode = {
	id: '1',
	name: 'Bridge',
	type: 'x',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const rejected = (
	status: number,
	code: string | null,
	words: string | null = null,
	retryAfterMs: number | null = null,
): ServiceError => ({
	kind: 'rejected',
	status,
	code,
	words,
	retryAfterMs,
});

const UNREADABLE: UnreadableBody[] = [
	'html',
	'text',
	'brokenJson',
	'empty',
	'noEnvelope',
	'noData',
	'tooLarge',
	'brokenOff',
	'noNetworks',
];

const EVERY_ERROR: ServiceError[] = [
	rejected(400, 'INVALID_PARAMETER', 'routeNotFound'),
	rejected(400, 'INSUFFICIENT_LIQUIDITY'),
	rejected(401, 'UNAUTHORIZED'),
	rejected(404, 'NOT_FOUND', 'orderNotFound'),
	rejected(429, 'RATE_LIMITED', null, 5000),
	rejected(500, 'INTERNAL_ERROR', 'econnreset approvePermission'),
	...[400, 401, 402, 403, 404, 405, 409, 418, 422, 429, 500, 502, 503, 504, 599].map((status) =>
		rejected(status, null, 'words'),
	),
	rejected(400, 'QUOTE_NOT_FOUND'),
	...UNREADABLE.flatMap((found) =>
		[200, 403, 404, 502].map((status): ServiceError => ({ kind: 'unreadable', status, found })),
	),
	{ kind: 'redirected', status: 302 },
	{ kind: 'unreachable', networkCode: 'ECONNREFUSED' },
	{ kind: 'unreachable', networkCode: 'ENOTFOUND' },
	{ kind: 'unreachable', networkCode: 'CERT_HAS_EXPIRED' },
	{ kind: 'unreachable', networkCode: null },
	{ kind: 'timedOut', afterMs: 30_000 },
	{ kind: 'moved' },
	...(
		['noKey', 'keyNotSendable', 'noBaseUrl', 'baseUrlTooLong', 'notHttps', 'notAnAddress'] as const
	).map((problem): ServiceError => ({ kind: 'invalidCredential', problem })),
];

const ASKED: Asked[] = ['config', 'quote', 'status'];

test.each(EVERY_ERROR)('n8n keeps our sentence: %j', (serviceError) => {
	for (const asked of ASKED) {
		const text = describeError(serviceError, asked);
		const error = toNodeError(NODE, serviceError, { asked, itemIndex: 3 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toBe(text.message);
		expect(plainDescription(error)).toBe(text.description);
		expect(error.httpCode).toBe(text.httpCode ?? null);
		expect(error.context.itemIndex).toBe(3);
		expect(error.context.code).toBe(text.code);
		// n8n takes a run whose text contains this word for one that the user stopped.
		expect(error.message.toLowerCase()).not.toContain('canceled');
		// n8n would not try again to register a workflow whose trigger says this word.
		expect(error.message).not.toContain('Authorization');
		// n8n rewrites titles that contain Node's codes.
		expect(error.message).not.toMatch(/[A-Z]{4}/);
		expect(text.description).toMatch(/[.!]$/);
	}
});

test.each<[ServiceError, string, object]>([
	[
		rejected(400, 'INVALID_PARAMETER', 'bad hash'),
		'A value was not accepted',
		{ httpCode: '400', code: 'INVALID_PARAMETER' },
	],
	[
		rejected(400, 'INSUFFICIENT_LIQUIDITY'),
		'There is not enough liquidity for this route',
		{ httpCode: '400' },
	],
	[
		rejected(401, 'UNAUTHORIZED'),
		'The bridge does not accept the API key. Correct it in the credential.',
		{ httpCode: '401', failure: { cause: 'credential-invalid' } },
	],
	[rejected(404, 'NOT_FOUND'), 'Order not found', { httpCode: '404' }],
	[
		rejected(429, 'RATE_LIMITED', null, 5000),
		'Request limit reached',
		{ httpCode: '429', failure: { cause: 'rate-limited', retryAfterMs: 5000 } },
	],
	[
		rejected(500, 'INTERNAL_ERROR'),
		'The bridge is temporarily unavailable',
		{ httpCode: '500', failure: { cause: 'temporarily-unavailable' } },
	],
	[
		rejected(503, null, null, 600_000),
		'The bridge is temporarily unavailable',
		{
			failure: { cause: 'temporarily-unavailable', retryAfterMs: 600_000 },
			description: expect.stringContaining('in 600 seconds'),
		},
	],
	[rejected(200, 'RATE_LIMITED'), 'Request limit reached', { httpCode: '200' }],
	[rejected(418, null), 'The bridge did not accept the request', { httpCode: '418' }],
	// An unknown code takes nothing from what the HTTP status says.
	[
		rejected(429, 'TOO_MANY_REQUESTS'),
		'Request limit reached',
		{ httpCode: '429', code: 'TOO_MANY_REQUESTS', failure: { cause: 'rate-limited' } },
	],
	[
		rejected(401, 'INVALID_API_KEY'),
		'The bridge does not accept the API key. Correct it in the credential.',
		{ code: 'INVALID_API_KEY', failure: { cause: 'credential-invalid' } },
	],
	[
		rejected(403, 'FORBIDDEN'),
		'The bridge does not accept the API key. Correct it in the credential.',
		{ code: 'FORBIDDEN' },
	],
	[rejected(404, 'ORDER_NOT_FOUND'), 'Order not found', { code: 'ORDER_NOT_FOUND' }],
	[
		rejected(503, 'MAINTENANCE'),
		'The bridge is temporarily unavailable',
		{ code: 'MAINTENANCE', failure: { cause: 'temporarily-unavailable' } },
	],
	// A known one counts more than the status.
	[rejected(403, 'NOT_FOUND'), 'Order not found', { httpCode: '403' }],
	[rejected(500, 'INVALID_PARAMETER'), 'A value was not accepted', { httpCode: '500' }],
	[
		{ kind: 'unreachable', networkCode: 'CERT_HAS_EXPIRED' },
		'The bridge could not be reached',
		{
			description: expect.stringMatching(
				/^The certificate of the bridge has expired\. The API key was not sent\./,
			),
		},
	],
	[
		{ kind: 'unreachable', networkCode: 'ENOTFOUND' },
		'The bridge could not be reached',
		{
			description: expect.stringMatching(
				/^The name in the Base URL was not found\..* Code: ENOTFOUND\.$/,
			),
		},
	],
	[
		{ kind: 'unreadable', status: 200, found: 'brokenOff' },
		"The bridge's response was incomplete",
		{ failure: { cause: 'temporarily-unavailable' } },
	],
	[
		{ kind: 'unreachable', networkCode: 'ECONNREFUSED' },
		'The bridge could not be reached',
		{ failure: { cause: 'temporarily-unavailable' } },
	],
	[
		{ kind: 'invalidCredential', problem: 'noKey' },
		'The credential has no API key',
		{ failure: { cause: 'configuration-invalid' } },
	],
])('a status request that fails with %j says %j', (error, message, more) => {
	expect(describeError(error, 'status')).toMatchObject({ message, ...more });
});

const LABELS = {
	inputNetwork: 'From Network',
	outputNetwork: 'To Network',
	destinationAddress: 'Recipient',
};

test.each<[Asked, ServiceError, object, string]>([
	[
		'quote',
		rejected(404, 'NOT_FOUND', 'Network 999 is not supported'),
		{},
		'The network or token is not supported',
	],
	[
		'quote',
		rejected(404, 'NOT_FOUND', 'inputNetwork 999 is not supported'),
		{ labels: LABELS },
		"'From Network' is not supported",
	],
	[
		'quote',
		rejected(400, 'INVALID_PARAMETER', 'destinationAddress is not an address on Base'),
		{ labels: LABELS },
		"'Recipient' was not accepted",
	],
	[
		'quote',
		rejected(400, 'INVALID_PARAMETER', 'inputNetwork and outputNetwork are the same network'),
		{ labels: LABELS },
		'A value was not accepted',
	],
	[
		'quote',
		rejected(400, 'INVALID_PARAMETER', 'destinationAddress is bad'),
		{},
		'A value was not accepted',
	],
	['config', rejected(404, 'NOT_FOUND', 'x'), { network: '999' }, 'Network 999 is not supported'],
	[
		'config',
		rejected(400, 'INVALID_PARAMETER', 'x'),
		{ network: '999' },
		'Network 999 is not supported',
	],
	[
		'config',
		rejected(404, null, 'x'),
		{},
		'The Base URL does not lead to the bridge. Correct it in the credential.',
	],
	['config', rejected(402, null, 'x'), {}, 'The bridge did not accept the request'],
])('what was asked for shapes the title: %s, %j, %j says %j', (asked, error, askedFor, message) => {
	expect(describeError(error, asked, askedFor).message).toBe(message);
	if (asked !== 'status')
		expect(describeError(error, asked, askedFor).description).not.toMatch(/\border\b/i);
});

test('the service’s words name the fields of the editor', () => {
	const error = rejected(
		400,
		'INVALID_PARAMETER',
		'inputNetwork and outputNetwork are the same network',
	);
	expect(describeError(error, 'quote', { labels: LABELS }).description).toContain(
		'"From Network and To Network are the same network"',
	);
	expect(describeError(error, 'quote').description).toContain(
		'"inputNetwork and outputNetwork are the same network"',
	);
});

test('a network that the user asked for and is not supported is no fault of the credential', () => {
	expect(
		describeError(rejected(404, 'NOT_FOUND'), 'config', { network: '7' }).failure,
	).toBeUndefined();
	expect(describeError(rejected(404, 'NOT_FOUND'), 'config').failure).toEqual({
		cause: 'configuration-invalid',
	});
	expect(describeError(rejected(402, null), 'config', { network: '7' }).failure).toEqual({
		cause: 'configuration-invalid',
	});
});

test('the service’s words are kept, as text that can be no markup in the editor, and not at any length', () => {
	const error = toNodeError(
		NODE,
		rejected(
			400,
			'INVALID_PARAMETER',
			`<img src=x onerror="a('b')">\u0000\u2028${'x'.repeat(1000)}`,
		),
		{ asked: 'status' },
	);
	expect(error.description).toContain('&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;');
	expect(error.description).not.toMatch(/[<>\u0000\u2028]/);
	expect(plainDescription(error)).toContain(`<img src=x onerror="a('b')">`);
	expect(plainDescription(error)?.length).toBeLessThan(600);
});

const UNANSWERED: ServiceError[] = [
	{ kind: 'unreachable', networkCode: null },
	{ kind: 'timedOut', afterMs: 1 },
	rejected(500, null),
	rejected(503, 'MAINTENANCE', null, 5000),
	{ kind: 'unreadable', status: 502, found: 'html' },
	{ kind: 'unreadable', status: 200, found: 'brokenJson' },
	{ kind: 'unreadable', status: 200, found: 'brokenOff' },
	{ kind: 'unreadable', status: 200, found: 'empty' },
	{ kind: 'moved' },
];

test.each<[string, ServiceError[], Record<Asked, Scope>]>([
	[
		'passes by itself',
		UNANSWERED,
		{ config: 'transient', quote: 'transient', status: 'transient' },
	],
	[
		'the request limit',
		[rejected(429, null), rejected(200, 'RATE_LIMITED')],
		{ config: 'rateLimited', quote: 'rateLimited', status: 'rateLimited' },
	],
	[
		'a wrong key or address',
		[
			rejected(401, null),
			rejected(403, null),
			{ kind: 'redirected', status: 307 },
			{ kind: 'unreadable', status: 200, found: 'html' },
			{ kind: 'unreadable', status: 404, found: 'text' },
			{ kind: 'unreadable', status: 200, found: 'noEnvelope' },
			{ kind: 'invalidCredential', problem: 'notHttps' },
		],
		{ config: 'account', quote: 'account', status: 'account' },
	],
	[
		'what the configuration cannot be answered with by the service',
		[400, 402, 404, 405, 407, 408, 410, 418, 451]
			.map((status) => rejected(status, null))
			.concat(rejected(400, 'INSUFFICIENT_LIQUIDITY'), rejected(200, null)),
		{ config: 'account', quote: 'request', status: 'request' },
	],
	[
		'data that cannot be read',
		(['noData', 'noNetworks', 'tooLarge'] as const).map(
			(found): ServiceError => ({ kind: 'unreadable', status: 200, found }),
		),
		{ config: 'account', quote: 'transient', status: 'transient' },
	],
])('whom it concerns: %s', (_name, errors, scopes) => {
	for (const error of errors) {
		for (const asked of ASKED)
			expect([error, asked, scopeOf(error, asked)]).toEqual([error, asked, scopes[asked]]);
		expect(needsTheUser(error)).toBe(scopes.status === 'account');
		expect(needsTheUser(error, 'config')).toBe(scopes.config === 'account');
		expect(isOrderError(error)).toBe(scopes.status === 'request');
		expect(isRateLimited(error)).toBe(scopes.status === 'rateLimited');
		expect(isAccountSuspect(error)).toBe(
			scopes.status === 'account' && error.kind !== 'invalidCredential',
		);
	}
});

test('n8n’s declaration follows the scope', () => {
	for (const error of EVERY_ERROR) {
		for (const asked of ASKED) {
			const cause = describeError(error, asked).failure?.cause;
			const causes: Record<Scope, Array<string | undefined>> = {
				request: [undefined],
				transient: ['temporarily-unavailable'],
				rateLimited: ['rate-limited'],
				account: ['credential-invalid', 'configuration-invalid'],
			};
			expect(causes[scopeOf(error, asked)]).toContain(cause);
		}
	}
});

test('a status counts where the code is unknown, for the trigger and the budget as well', () => {
	expect(isRateLimited(rejected(429, 'TOO_MANY_REQUESTS'))).toBe(true);
	expect(isNotFound(rejected(404, 'ORDER_NOT_FOUND'))).toBe(true);
	expect(needsTheUser(rejected(403, 'NOT_FOUND'))).toBe(false);
});

test('a note is a further sentence, and the description is escaped whole for the editor', () => {
	const error = toNodeError(NODE, rejected(418, 'TEAPOT', `R&D <b> "it's"`), {
		asked: 'status',
		note: 'See item 3 & 4.',
	});
	const description = `Check what was entered. The bridge responded with TEAPOT (HTTP 418): "R&D <b> "it's"". See item 3 & 4.`;
	expect(plainDescription(error)).toBe(description);
	expect(error.description).toBe(
		'Check what was entered. The bridge responded with TEAPOT (HTTP 418): &quot;R&amp;D &lt;b&gt; &quot;it&#39;s&quot;&quot;. See item 3 &amp; 4.',
	);
	expect(error.context.code).toBe('TEAPOT');
	expect(
		plainDescription(toNodeError(NODE, { kind: 'moved' }, { asked: 'status', note: '' })),
	).toBe('It now points to a different account or address. Try again.');
	expect(toNodeError(NODE, { kind: 'moved' }, { asked: 'status' }).context).not.toHaveProperty(
		'code',
	);
});

test('labels and network shape n8n’s error as well', () => {
	expect(toNodeError(NODE, rejected(404, null), { asked: 'config', network: '9' }).message).toBe(
		'Network 9 is not supported',
	);
	expect(
		toNodeError(NODE, rejected(400, 'INVALID_PARAMETER', 'inputNetwork'), {
			asked: 'quote',
			labels: LABELS,
		}).message,
	).toBe("'From Network' was not accepted");
});

test('the description of any other error is its own', () => {
	expect(plainDescription({ description: 'as it is' })).toBe('as it is');
	expect([plainDescription({}), plainDescription({ description: null })]).toEqual([null, null]);
});
