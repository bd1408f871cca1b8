import {
	type Asked,
	asksForPause,
	codeOf,
	isNotFound,
	isOrderError,
	isRateLimited,
	meaningOf,
	needsTheUser,
	retryAfterOf,
	type Scope,
	scopeOf,
	type ServiceError,
} from '../../../nodes/CrossChainBridge/service/serviceError';

const rejected = (
	status: number,
	code: string | null = null,
	retryAfterMs: number | null = null,
): ServiceError => ({ kind: 'rejected', status, code, words: null, retryAfterMs });
const unreadable = (status: number): ServiceError => ({
	kind: 'unreadable',
	status,
	found: 'html',
});

/** Errors without a code of the service, although some have a status that would give one. */
const WITHOUT_CODE: ServiceError[] = [
	...[401, 403, 404, 429, 500].map(unreadable),
	{ kind: 'redirected', status: 404 },
	{ kind: 'unreachable', networkCode: 'ECONNREFUSED' },
	{ kind: 'timedOut', afterMs: 1 },
	{ kind: 'invalidCredential', problem: 'noKey' },
	{ kind: 'moved' },
];

test.each<[number, string | null, string | null, string | null]>([
	[400, 'INVALID_PARAMETER', 'INVALID_PARAMETER', 'INVALID_PARAMETER'],
	[400, 'INSUFFICIENT_LIQUIDITY', 'INSUFFICIENT_LIQUIDITY', 'INSUFFICIENT_LIQUIDITY'],
	[400, 'UNAUTHORIZED', 'UNAUTHORIZED', 'UNAUTHORIZED'],
	[400, 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'],
	[400, 'RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED'],
	[400, 'INTERNAL_ERROR', 'INTERNAL_ERROR', 'INTERNAL_ERROR'],
	[429, 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'],
	[200, 'RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED'],
	[403, 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'],
	[500, 'INVALID_PARAMETER', 'INVALID_PARAMETER', 'INVALID_PARAMETER'],
	[401, 'BAD_KEY', 'BAD_KEY', 'UNAUTHORIZED'],
	[403, 'FORBIDDEN', 'FORBIDDEN', 'UNAUTHORIZED'],
	[404, 'ORDER_NOT_FOUND', 'ORDER_NOT_FOUND', 'NOT_FOUND'],
	[429, 'TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS', 'RATE_LIMITED'],
	[503, 'MAINTENANCE', 'MAINTENANCE', 'INTERNAL_ERROR'],
	[400, null, null, null],
	[401, null, 'UNAUTHORIZED', 'UNAUTHORIZED'],
	[402, null, null, null],
	[403, null, null, 'UNAUTHORIZED'],
	[404, null, 'NOT_FOUND', 'NOT_FOUND'],
	[405, null, null, null],
	[428, null, null, null],
	[429, null, 'RATE_LIMITED', 'RATE_LIMITED'],
	[430, null, null, null],
	[499, null, null, null],
	[500, null, 'INTERNAL_ERROR', 'INTERNAL_ERROR'],
	[501, null, null, 'INTERNAL_ERROR'],
	[200, null, null, null],
])(
	'a rejection with %d and the code %j shows the code %j and means %j',
	(status, code, shown, meaning) => {
		const error = rejected(status, code);
		expect([codeOf(error), meaningOf(error)]).toEqual([shown, meaning]);
		expect(isNotFound(error)).toBe(meaning === 'NOT_FOUND');
		expect(isRateLimited(error)).toBe(meaning === 'RATE_LIMITED');
	},
);

test.each(WITHOUT_CODE)(
	'%j has no code, means no known rejection and asks for no pause',
	(error) => {
		expect([codeOf(error), meaningOf(error)]).toEqual([null, null]);
		expect([
			isNotFound(error),
			isRateLimited(error),
			asksForPause(error),
			retryAfterOf(error),
		]).toEqual([false, false, false, null]);
	},
);

test.each<[ServiceError, boolean, number | null]>([
	[rejected(429), true, null],
	[rejected(429, null, 5000), true, 5000],
	[rejected(400, 'RATE_LIMITED', 0), true, 0],
	[rejected(503), false, null],
	[rejected(503, null, 7000), true, 7000],
	[rejected(500, null, 0), true, 0],
	[rejected(400, 'INTERNAL_ERROR', 7000), true, 7000],
	[rejected(404, null, 7000), false, null],
	[rejected(401, null, 7000), false, null],
	[rejected(503, 'NOT_FOUND', 7000), false, null],
])('%j asks for a pause: %s, of %j ms', (error, asks, ms) => {
	expect([asksForPause(error), retryAfterOf(error)]).toEqual([asks, ms]);
});

const ASKED: Asked[] = ['config', 'quote', 'status'];

const UNANSWERED: ServiceError[] = [
	{ kind: 'unreachable', networkCode: null },
	{ kind: 'timedOut', afterMs: 1 },
	rejected(500),
	rejected(503, 'MAINTENANCE', 5000),
	unreadable(502),
	unreadable(500),
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
		[rejected(429), rejected(200, 'RATE_LIMITED')],
		{ config: 'rateLimited', quote: 'rateLimited', status: 'rateLimited' },
	],
	[
		'a wrong key or address',
		[
			rejected(401),
			rejected(403),
			{ kind: 'redirected', status: 307 },
			unreadable(200),
			unreadable(499),
			{ kind: 'unreadable', status: 404, found: 'text' },
			{ kind: 'unreadable', status: 200, found: 'noEnvelope' },
			{ kind: 'invalidCredential', problem: 'notHttps' },
		],
		{ config: 'account', quote: 'account', status: 'account' },
	],
	[
		'what the configuration cannot be answered with by the service',
		[400, 402, 404, 405, 407, 408, 410, 418, 451]
			.map((status) => rejected(status))
			.concat(rejected(400, 'INSUFFICIENT_LIQUIDITY'), rejected(200), rejected(403, 'NOT_FOUND')),
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
		for (const asked of ASKED) expect(needsTheUser(error, asked)).toBe(scopes[asked] === 'account');
		expect(isOrderError(error)).toBe(scopes.status === 'request');
		expect(isRateLimited(error)).toBe(scopes.status === 'rateLimited');
	}
});
