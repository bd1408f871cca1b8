import {
	asksForPause,
	codeOf,
	isAccountSuspect,
	isNotFound,
	isOrderError,
	isRateLimited,
	meaningOf,
	needsTheUser,
	retryAfterOf,
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
	[401, 'BAD_KEY', 'BAD_KEY', 'UNAUTHORIZED'],
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

test('a server error that states no time passes as quickly as any other', () => {
	expect(scopeOf(rejected(500))).toBe('transient');
	expect(scopeOf(unreadable(500))).toBe('transient');
	expect(scopeOf(unreadable(499))).toBe('account');
});

test.each<[ServiceError, boolean, boolean, boolean]>([
	[{ kind: 'invalidCredential', problem: 'noKey' }, true, false, false],
	[{ kind: 'redirected', status: 302 }, true, true, false],
	[rejected(401), true, true, false],
	[rejected(400), false, false, true],
	[rejected(404), false, false, true],
	[rejected(429), false, false, false],
	[{ kind: 'moved' }, false, false, false],
])(
	'asked for a status, %j needs the user: %s, makes key and address suspect: %s, is this order’s own: %s',
	(error, needsUser, suspect, ofOrder) => {
		expect([needsTheUser(error), isAccountSuspect(error), isOrderError(error)]).toEqual([
			needsUser,
			suspect,
			ofOrder,
		]);
	},
);

test('a configuration that lacks its data needs the user; an order that does passes', () => {
	const noData: ServiceError = { kind: 'unreadable', status: 200, found: 'noData' };
	expect([
		needsTheUser(noData, 'config'),
		needsTheUser(noData, 'quote'),
		needsTheUser(noData),
	]).toEqual([true, false, false]);
});
