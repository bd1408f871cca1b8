import {
	type Asked,
	asksForPause,
	describeError,
	isNotFound,
	isOrderError,
	isRateLimited,
	needsTheUser,
	retryAfterOf,
	type ServiceError,
	type UnreadableBody,
} from '../../../nodes/CrossChainBridge/service/errors';
import { rejected } from './rejected';

const unreadable = (status: number, found: UnreadableBody = 'html'): ServiceError => ({
	kind: 'unreadable',
	status,
	found,
});
const pausing = (status: number, code: string | null, retryAfterMs: number) =>
	rejected(status, code, null, retryAfterMs);

/** Whom an error concerns, as n8n is to know it. */
type Scope = 'request' | 'account' | 'transient' | 'rateLimited';

const codeOf = (error: ServiceError) => describeError(error, 'status').code ?? null;

/** What a user reads of a quote that was rejected with this meaning. */
const SENTENCES = {
	INVALID_PARAMETER: 'A value was not accepted',
	INSUFFICIENT_LIQUIDITY: 'There is not enough liquidity for this route',
	UNAUTHORIZED: 'The bridge does not accept the API key. Correct it in the credential.',
	NOT_FOUND: 'The network or token is not supported',
	RATE_LIMITED: 'Request limit reached',
	INTERNAL_ERROR: 'The bridge is temporarily unavailable',
};
const OTHER = 'The bridge did not accept the request';

function scopeOf(error: ServiceError, asked: Asked): Scope {
	switch (describeError(error, asked).failure?.cause) {
		case undefined:
			return 'request';
		case 'temporarily-unavailable':
			return 'transient';
		case 'rate-limited':
			return 'rateLimited';
		default:
			return 'account';
	}
}

/** Errors without a code of the service, although some have a status that would give one. */
const WITHOUT_CODE: ServiceError[] = [
	...[401, 403, 404, 429, 500].map((status) => unreadable(status)),
	{ kind: 'redirected', status: 404 },
	{ kind: 'unreachable', networkCode: 'ECONNREFUSED' },
	{ kind: 'timedOut', afterMs: 1 },
	{ kind: 'invalidCredential', problem: 'noKey' },
	{ kind: 'moved' },
];

const isCode = 'the same';

test.each<[status: number, code: string | null, shown: string | null, meaning: string | null]>([
	[400, 'INVALID_PARAMETER', isCode, isCode],
	[400, 'INSUFFICIENT_LIQUIDITY', isCode, isCode],
	[400, 'UNAUTHORIZED', isCode, isCode],
	[400, 'NOT_FOUND', isCode, isCode],
	[400, 'RATE_LIMITED', isCode, isCode],
	[400, 'INTERNAL_ERROR', isCode, isCode],
	[429, 'NOT_FOUND', isCode, isCode],
	[200, 'RATE_LIMITED', isCode, isCode],
	[403, 'NOT_FOUND', isCode, isCode],
	[500, 'INVALID_PARAMETER', isCode, isCode],
	[401, 'BAD_KEY', isCode, 'UNAUTHORIZED'],
	[403, 'FORBIDDEN', isCode, 'UNAUTHORIZED'],
	[404, 'ORDER_NOT_FOUND', isCode, 'NOT_FOUND'],
	[429, 'TOO_MANY_REQUESTS', isCode, 'RATE_LIMITED'],
	[503, 'MAINTENANCE', isCode, 'INTERNAL_ERROR'],
	[400, null, null, 'INVALID_PARAMETER'],
	[400, 'BAD_REQUEST', isCode, null],
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
])('a rejection with %d and the code %j shows %j and means %j', (status, code, shown, meaning) => {
	const error = rejected(status, code);
	const meant = meaning === isCode ? code : meaning;
	const sentence = meant === null ? OTHER : SENTENCES[meant as keyof typeof SENTENCES];
	expect(codeOf(error)).toBe(shown === isCode ? code : shown);
	expect(describeError(error, 'quote').message).toBe(sentence);
	expect(isNotFound(error)).toBe(meant === 'NOT_FOUND');
	expect(isRateLimited(error)).toBe(meant === 'RATE_LIMITED');
});

test.each(WITHOUT_CODE)('%j has no code, and asks for no pause', (error) => {
	expect([codeOf(error), retryAfterOf(error)]).toEqual([null, null]);
	const expected = [false, false, false];
	expect([isNotFound(error), isRateLimited(error), asksForPause(error)]).toEqual(expected);
});

test.each<[ServiceError, boolean, number | null]>([
	[rejected(429), true, null],
	[pausing(429, null, 5000), true, 5000],
	[pausing(400, 'RATE_LIMITED', 0), true, 0],
	[rejected(503), false, null],
	[pausing(503, null, 7000), true, 7000],
	[pausing(500, null, 0), true, 0],
	[pausing(400, 'INTERNAL_ERROR', 7000), true, 7000],
	[pausing(404, null, 7000), false, null],
	[pausing(401, null, 7000), false, null],
	[pausing(503, 'NOT_FOUND', 7000), false, null],
])('%j asks for a pause: %s, of %j ms', (error, asks, ms) => {
	expect([asksForPause(error), retryAfterOf(error)]).toEqual([asks, ms]);
});

const ASKED: Asked[] = ['config', 'quote', 'status'];

const unreadables = (status: number, ...found: UnreadableBody[]) =>
	found.map((each) => unreadable(status, each));
const PASSING: ServiceError[] = [
	...[rejected(500), pausing(503, 'MAINTENANCE', 5000), unreadable(502), unreadable(500)],
	...unreadables(200, 'brokenJson', 'brokenOff', 'empty'),
	...([{ kind: 'unreachable', networkCode: null }, { kind: 'moved' }] as const),
	{ kind: 'timedOut', afterMs: 1 },
];
const WRONG: ServiceError[] = [
	...[rejected(401), rejected(403), unreadable(200), unreadable(499)],
	...[unreadable(404, 'text'), unreadable(200, 'noEnvelope')],
	{ kind: 'redirected', status: 307 },
	{ kind: 'invalidCredential', problem: 'notHttps' },
];
const UNFIT = [402, 404, 405, 407, 408, 410, 418, 451]
	.map((status) => rejected(status))
	.concat(
		rejected(400, 'BAD_REQUEST'),
		rejected(400, 'INSUFFICIENT_LIQUIDITY'),
		rejected(200),
		rejected(403, 'NOT_FOUND'),
	);
const LIMITS = [rejected(429), rejected(200, 'RATE_LIMITED')];
const USELESS = unreadables(200, 'noData', 'noNetworks', 'tooLarge');

test.each<[string, ofConfig: Scope, ofOthers: Scope, ServiceError[]]>([
	['what passes by itself', 'transient', 'transient', PASSING],
	['the limit', 'rateLimited', 'rateLimited', LIMITS],
	['a wrong key or address', 'account', 'account', WRONG],
	['what is no response to the configuration', 'account', 'request', UNFIT],
	['data that cannot be read', 'account', 'transient', USELESS],
])('whom it concerns: %s', (_name, ofConfig, ofOthers, errors) => {
	for (const error of errors) {
		for (const asked of ASKED) {
			const scope = asked === 'config' ? ofConfig : ofOthers;
			expect([error, asked, scopeOf(error, asked)]).toEqual([error, asked, scope]);
			expect(needsTheUser(error, asked)).toBe(scope === 'account');
		}
		expect(needsTheUser(error)).toBe(ofOthers === 'account');
		expect(isOrderError(error)).toBe(ofOthers === 'request');
		expect(isRateLimited(error)).toBe(ofOthers === 'rateLimited');
	}
});
